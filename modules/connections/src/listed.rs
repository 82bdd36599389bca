//! The operation `connections.list`, and a connection as it is shown.

use sdk::ConnectionDetails;
use sdk::prelude::*;
use sdk::serde_json::{self, Map, Value};

use crate::diagnosis::{Code, Quota};
use crate::stored::{Check, Connection, Mapping, Site};

/// How a connection does.
#[value]
pub(crate) enum State {
    /// Its last request was answered.
    Ok,
    /// Its last test failed.
    Failing,
    /// The provider does not accept its credential.
    Expired,
    /// It was not asked yet.
    Untested,
}

impl From<sdk::ConnectionState> for State {
    fn from(state: sdk::ConnectionState) -> Self {
        match state {
            sdk::ConnectionState::Ok => Self::Ok,
            sdk::ConnectionState::Failing => Self::Failing,
            sdk::ConnectionState::Expired => Self::Expired,
            sdk::ConnectionState::Untested => Self::Untested,
        }
    }
}

#[args(paged)]
pub(crate) struct List {
    /// Only this kind.
    kind: Option<Text<1, 40>>,
    /// Only those that do so.
    state: Option<State>,
}

/// Connections.
#[page]
pub(crate) struct Connections {
    connections: Vec<Entry>,
}

/// A connection without its secret.
#[value]
pub(crate) struct Entry {
    connection_ref: Id<Connection>,
    kind: String,
    name: String,
    /// Where its API is; none for the provider's own address.
    endpoint: Option<String>,
    state: State,
    /// When the provider last answered well.
    last_success_at: Option<Moment>,
    /// When it was last tested.
    tested_at: Option<Moment>,
    /// What the last test found wrong.
    last_error: Option<Code>,
    /// What was left when it was last tested.
    quota: Option<Quota>,
    /// The most requests a second.
    max_rps: Option<f64>,
    /// The most that may be spent in a UTC day.
    daily_cost_cap: Option<f64>,
    /// Default arguments of operations that use it.
    defaults: Map<String, Value>,
    /// The websites that its properties are bound to.
    websites: Vec<Id<Site>>,
    created_at: Moment,
    updated_at: Moment,
}

/// Lists the workspace's connections with kind, state, last successful call, quota left and mapped websites; secrets are never returned.
///
/// Oldest first.
#[operation(
    read,
    scope = "account:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which accounts are connected",
        "show my integrations",
        "which connection is failing",
        "is my WordPress connected",
    ],
    examples = [{}, { "kind": "wordpress", "state": "failing" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Connections> {
    let mut all = cx.vault().all();
    all.sort_by(|one, other| place(one).cmp(&place(other)));
    let after = args.cursor.map(|cursor| read(&cursor)).transpose()?;
    let mut fitting = all.into_iter().filter(|it| {
        args.kind.as_ref().is_none_or(|kind| it.kind == kind.as_str())
            && args.state.is_none_or(|state| State::from(it.state) == state)
            && after.as_ref().is_none_or(|after| place(it) > (after.0, after.1.as_str()))
    });
    let most = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let shown: Vec<ConnectionDetails> = fitting.by_ref().take(most).collect();
    let next_cursor = match (fitting.next(), shown.last()) {
        (Some(_), Some(last)) => Some(Cursor::new(format!("{}-{}", last.created, last.reference))),
        _ => None,
    };
    Ok(Connections { connections: shown.into_iter().map(|it| entry(cx, it)).collect(), next_cursor })
}

fn place(it: &ConnectionDetails) -> (u64, &str) {
    (it.created, it.reference.as_str())
}

fn read(cursor: &Cursor) -> Result<(u64, String)> {
    let parts = cursor.as_str().split_once('-').and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
    parts.ok_or_else(sdk::invalid_cursor)
}

/// A connection as it is shown.
pub(crate) fn entry(cx: &Cx, it: ConnectionDetails) -> Entry {
    let connection_ref: Id<Connection> = Id::new(it.reference.clone());
    let check = cx.records::<Check>().find(&connection_ref.cast());
    let mappings = cx.records::<Mapping>().by("connection_ref").equals(&connection_ref).scan();
    let mut websites: Vec<Id<Site>> = mappings.map(|it| it.into_inner().site_id).collect();
    websites.sort();
    websites.dedup();
    let mut settings = settings(&it);
    Entry {
        connection_ref,
        state: it.state.into(),
        last_success_at: it.answered.map(Moment::from_millis),
        tested_at: check.as_ref().map(|it| it.tested_at),
        last_error: check.as_ref().and_then(|it| it.error),
        quota: check.and_then(|it| it.into_inner().quota),
        max_rps: it.pace.map(|pace| f64::from(pace) / 1_000.0),
        daily_cost_cap: settings.get("daily_cost_cap").and_then(Value::as_f64),
        defaults: match settings.remove("defaults") {
            Some(Value::Object(defaults)) => defaults,
            _ => Map::new(),
        },
        websites,
        created_at: Moment::from_millis(it.created),
        updated_at: Moment::from_millis(it.changed),
        kind: it.kind,
        name: it.name,
        endpoint: it.endpoint,
    }
}

/// What this module keeps with a connection.
pub(crate) fn settings(it: &ConnectionDetails) -> Map<String, Value> {
    serde_json::from_str(&it.settings).unwrap_or_default()
}
