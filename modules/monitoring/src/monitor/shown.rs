//! A monitor as results show it.

use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use site::Site;

use super::rounds::Rounds;
use super::stored::{Every, Kind, Monitor, Threshold};
use crate::event::stored::Event;
use crate::uptime::days;

/// How a monitor stands.
#[value]
pub(crate) enum State {
    /// The last check found what is wanted, or none was made yet.
    Ok,
    /// Something has changed that nobody has acknowledged.
    Changed,
    /// An incident goes on.
    Failing,
    /// It does not check.
    Paused,
}

/// A monitor.
#[value]
pub(crate) struct Shown {
    monitor_ref: Id<Monitor>,
    site_id: Id<Site>,
    kind: Kind,
    target: String,
    every: Every,
    selector: Option<String>,
    threshold: Threshold,
    ignore: Vec<String>,
    pub(crate) state: State,
    /// Why it is paused, or why the last check said nothing; null where it did.
    #[own]
    reason: Option<String>,
    last_check_at: Option<Moment>,
    last_change_at: Option<Moment>,
    /// The incident that goes on.
    event_ref: Option<Id<Event>>,
    next_check_at: Option<Moment>,
    /// Of the checks of 30 days that say something, the part that was good, by time; for `uptime`.
    uptime_30d: Option<f64>,
    /// Credits a day.
    daily_cost: f64,
}

/// The state of a monitor, and the reason for a pause.
pub(crate) fn state(rounds: &Rounds, it: &Monitor) -> (State, Option<String>) {
    let round = rounds.get(it.every);
    let stopped = round.and_then(|it| it.stopped.clone());
    let unpaid = |it: &String| matches!(it.as_str(), "credits_exhausted" | "budget_exhausted");
    let unpaid = round.and_then(|it| it.outcome.clone()).filter(unpaid);
    if it.paused {
        (State::Paused, Some("paused_by_you".to_owned()))
    } else if let Some(why) = stopped.or(unpaid) {
        (State::Paused, Some(why))
    } else if it.incident.is_some() {
        (State::Failing, it.skipped.clone())
    } else if it.open_changes > 0 {
        (State::Changed, it.skipped.clone())
    } else {
        (State::Ok, it.skipped.clone())
    }
}

/// Credits a day of checks at this interval.
pub(crate) fn daily_cost(every: Every) -> f64 {
    round(1_440.0 / f64::from(every.minutes()) / as_number(1_000), 6)
}

/// A monitor as a result shows it.
pub(crate) fn shown(cx: &Cx, rounds: &Rounds, it: Stored<Monitor>) -> Shown {
    let (state, reason) = state(rounds, &it);
    let next = rounds.get(it.every).and_then(|round| round.next).filter(|_| !it.paused);
    let uptime_30d = (it.kind == Kind::Uptime).then(|| days::share(cx, &it, 30)).flatten();
    let monitor_ref = it.id.clone();
    let it = it.into_inner();
    Shown {
        monitor_ref,
        state,
        reason,
        last_check_at: it.last_check_ms.map(Moment::from_millis),
        last_change_at: it.last_change_ms.map(Moment::from_millis),
        event_ref: it.incident,
        next_check_at: next.map(Moment::from_millis),
        uptime_30d,
        daily_cost: if it.paused { 0.0 } else { daily_cost(it.every) },
        site_id: Id::new(it.site_id),
        kind: it.kind,
        target: it.target,
        every: it.every,
        selector: it.selector,
        threshold: it.threshold,
        ignore: it.ignore,
    }
}
