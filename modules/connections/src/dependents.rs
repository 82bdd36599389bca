//! The operation `connections.dependents.list`, and what depends on a connection.

use sdk::prelude::*;

use crate::account;
use crate::stored::{Connection, Mapping, Site, Tracker};

/// The kind of the connections that rank trackers check through.
const TRACKED_BY: &str = "dataforseo";
/// Trackers that are listed, and that are looked at: removing a connection reads few rows.
const MAX_TRACKERS: usize = 200;
const LOOKED: usize = 1_000;

#[args]
pub(crate) struct List {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
}

/// What depends on a connection.
#[value]
pub(crate) struct Dependents {
    dependents: Vec<Dependent>,
}

/// Something that would stop working without the connection.
#[value]
pub(crate) struct Dependent {
    /// What it is.
    kind: Kind,
    /// Its reference.
    #[serde(rename = "ref")]
    reference: String,
    /// For people.
    label: String,
    /// When it runs next; none when it does not run by itself, or when its own module alone knows.
    next_run: Option<Moment>,
}

/// What can depend on a connection.
#[value]
pub(crate) enum Kind {
    /// A property that is bound to a website.
    PropertyMap,
    /// A rank tracker that checks by itself.
    Tracker,
}

/// Lists every schedule, tracker, monitor, campaign and mapping that would stop working if the connection were removed.
///
/// The properties bound to websites, and the rank trackers that check by themselves through the only connection to their
/// provider. Campaigns choose their connection by these properties.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "what breaks if I remove this connection",
        "what uses my WordPress login",
        "which websites depend on this account",
    ],
    examples = [{ "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Dependents> {
    account::found(cx, &args.connection_ref)?;
    Ok(Dependents { dependents: of(cx, &args.connection_ref) })
}

/// What depends on a connection.
pub(crate) fn of(cx: &Cx, connection: &Id<Connection>) -> Vec<Dependent> {
    let mappings = cx.records::<Mapping>().by("connection_ref").equals(connection).scan();
    let shown = |it: Stored<Mapping>| {
        let site = cx.records::<Site>().find(&it.site_id);
        let site = site.map_or_else(|| it.site_id.to_string(), |site| site.it.name);
        Dependent {
            kind: Kind::PropertyMap,
            reference: it.id.to_string(),
            label: format!("{} for {site}", it.it.remote_id),
            next_run: None,
        }
    };
    mappings.map(shown).chain(trackers(cx, connection)).collect()
}

/// Rank trackers that check by themselves, when no other connection reaches their provider.
fn trackers(cx: &Cx, connection: &Id<Connection>) -> Vec<Dependent> {
    let all = cx.vault().all();
    let of_kind = || all.iter().filter(|it| it.kind == TRACKED_BY);
    if !of_kind().any(|it| it.reference == connection.as_str()) || of_kind().count() > 1 {
        return Vec::new();
    }
    let running = cx.records::<Tracker>().all().scan().take(LOOKED).filter(|it| it.every != "off" && !it.deleting);
    let shown = |it: Stored<Tracker>| Dependent {
        kind: Kind::Tracker,
        label: format!("rank tracker of {} on {}, {}", it.location, it.device, it.every),
        reference: it.id.to_string(),
        next_run: None,
    };
    running.take(MAX_TRACKERS).map(shown).collect()
}
