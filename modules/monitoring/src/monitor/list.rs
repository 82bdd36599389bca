//! The operation `monitoring.monitor.list`.

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use super::rounds::Rounds;
use super::shown::{Shown, State, shown, state};
use super::stored::{Kind, Monitor};

/// Monitors that one call looks at.
const MOST: usize = 2_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The website; all of yours when left out.
    site_id: Option<Id<Site>>,
    /// This kind alone.
    kind: Option<Kind>,
    /// Those that stand so.
    state: Option<State>,
}

/// Monitors.
#[page]
pub(crate) struct Rows {
    /// Failing ones first, then changed ones, then the newest.
    monitors: Vec<Shown>,
    total: u64,
    degraded: Vec<Degraded>,
}

/// Lists monitors with state, last check, last change and uptime.
///
/// A monitor is `changed` until its changes are acknowledged with monitoring.event.acknowledge. One is `paused` too while its checks
/// cannot be paid, and goes on by itself within an hour after credits are there.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my monitors", "which monitors are failing", "is my website up"],
    examples = [{}, { "site_id": "4503599627370496", "state": "failing" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = args.site_id.as_ref().map(|it| site::get(cx, it)).transpose()?;
    let mut all: Vec<Stored<Monitor>> = match &site {
        Some(site) => cx.records::<Monitor>().by("site_id_created_ms").equals(&site.id).scan().collect(),
        None => cx.records::<Monitor>().all().scan().take(MOST).collect(),
    };
    let mut degraded = Vec::new();
    if all.len() == MOST {
        let why = format!("{MOST} monitors were looked at; name a website to see all of its own");
        degraded.push(Degraded::new("monitors", why));
    }
    all.retain(|it| !it.deleting && args.kind.is_none_or(|kind| kind == it.kind));
    let order = |state: State| match state {
        State::Failing => 0,
        State::Changed => 1,
        State::Paused => 2,
        State::Ok => 3,
    };
    let rounds = Rounds::of(cx);
    let mut all: Vec<(State, Stored<Monitor>)> = all.into_iter().map(|it| (state(&rounds, &it).0, it)).collect();
    all.retain(|it| args.state.is_none_or(|state| state == it.0));
    all.sort_by_key(|it| (order(it.0), std::cmp::Reverse(it.1.created_ms)));
    if all.is_empty() && args.kind.is_none() && args.state.is_none() {
        let first = site.map(|it| json!({ "site_id": it.id, "kind": "uptime", "target": it.origin, "every": "5m" }));
        let none = Degraded::new("monitors", "no monitor was created yet");
        degraded.push(match first {
            Some(first) => none.supplied_by("monitoring.monitor.create", first),
            None => none,
        });
    }
    let total = all.len() as u64;
    let page = args.window(all)?;
    let monitors = page.items.into_iter().map(|it| shown(cx, &rounds, it.1)).collect();
    Ok(Rows { monitors, next_cursor: page.next, total, degraded })
}
