//! The operation `connections.dependents.list`, and what depends on a connection.

use sdk::prelude::*;

use crate::account;
use crate::stored::{Connection, Location, Mapping, Post, Prompts, Site, Tracker};

/// The kind of the connections that rank trackers check through.
const TRACKED_BY: &str = "dataforseo";
/// Of one kind that are listed, and that are looked at: removing a connection reads few rows.
const LISTED: usize = 200;
const LOOKED: usize = 1_000;
/// Locations whose posts are looked for.
const PLACES: usize = 100;

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
    /// Prompts that are put to models by themselves; named by the website.
    PromptSchedule,
    /// A post on a business profile that waits for its moment.
    Post,
}

/// Lists every schedule, tracker, monitor, campaign and mapping that would stop working if the connection were removed.
///
/// The properties bound to websites, the rank trackers that check by themselves through the only connection to their
/// provider, prompts that are put to models by themselves, and posts on business profiles that wait for their moment; at most
/// 200 of each. Campaigns choose their connection by these properties.
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
    mappings
        .map(shown)
        .chain(trackers(cx, connection))
        .chain(prompts(cx, connection))
        .chain(posts(cx, connection))
        .collect()
}

/// Schedules of prompts that name it.
fn prompts(cx: &Cx, connection: &Id<Connection>) -> Vec<Dependent> {
    let asks = |it: &Prompts| it.every != "off" && it.connections.iter().any(|it| it == connection.as_str());
    let shown = |it: Stored<Prompts>| {
        let site = cx.records::<Site>().find(&Id::new(&it.site_id));
        let site = site.map_or_else(|| it.site_id.clone(), |site| site.it.name);
        Dependent {
            kind: Kind::PromptSchedule,
            label: format!("prompts of {site}, {}", it.every),
            reference: it.id.to_string(),
            next_run: None,
        }
    };
    cx.records::<Prompts>().all().scan().take(LOOKED).filter(|it| asks(&it.it)).take(LISTED).map(shown).collect()
}

/// Posts that wait, on the profiles that it reaches.
fn posts(cx: &Cx, connection: &Id<Connection>) -> Vec<Dependent> {
    let places = cx.records::<Location>().by("connection_account").equals(connection.as_str()).scan().take(PLACES);
    let waiting = places.flat_map(|place| {
        cx.records::<Post>().by("location_state_at_ms").equals(place.id.as_str()).equals("scheduled").scan()
    });
    let shown = |it: Stored<Post>| Dependent {
        kind: Kind::Post,
        reference: it.id.to_string(),
        label: it.text.chars().take(80).collect(),
        next_run: Some(Moment::from_millis(it.at_ms)),
    };
    waiting.take(LISTED).map(shown).collect()
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
    running.take(LISTED).map(shown).collect()
}
