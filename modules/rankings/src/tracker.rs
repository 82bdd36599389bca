//! Trackers: `rankings.tracker.*`, and how they are shown.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod place;
pub(crate) mod schedule;
pub(crate) mod update;

use kit::statistics::round;
use sdk::prelude::*;
use serps::Device;

use crate::board;
use crate::stored::{Engine, Often, Set, Tracker};

/// A tracker as lists show it.
#[value]
pub(crate) struct Shown {
    tracker_ref: Id<Tracker>,
    set_ref: Id<Set>,
    /// The name of the set; null when it was deleted.
    set_name: Option<String>,
    engine: Engine,
    location: String,
    location_code: u32,
    language: Language,
    device: Device,
    depth: u32,
    every: Often,
    /// Registrable domains.
    competitor_domains: Vec<String>,
    stop_when_found: bool,
    ai_overview: bool,
    pixels: bool,
    /// Keywords that a check looks at.
    checks_per_run: u64,
    /// Pages of ten results that the provider bills for each keyword.
    provider_pages_per_check: u32,
    /// When it is checked next by itself; null when it is not.
    next_run: Option<Moment>,
    /// How the last scheduled check began: `ok` or the code of what refused it; null before the first one.
    #[own]
    last_outcome: Option<String>,
    /// The day of the last check.
    checked_on: Option<Day>,
    /// Keywords of that day.
    checked_keywords: Option<u64>,
    /// Of them, those for which the website was found.
    found_keywords: Option<u64>,
    /// The visibility index of that day, 0 to 1; null for fewer than 20 keywords.
    visibility: Option<f64>,
    created_at: Moment,
}

/// A tracker with its schedule as it is stored.
pub(crate) fn shown(cx: &Cx, tracker: Stored<Tracker>) -> Shown {
    let next = schedule::of(cx, &tracker.id).and_then(|it| it.next).map(Moment::from_millis);
    shown_with(cx, tracker, next)
}

/// A tracker that is checked next at a moment: a schedule that this call has changed is stored after it.
pub(crate) fn shown_with(cx: &Cx, tracker: Stored<Tracker>, next_run: Option<Moment>) -> Shown {
    let set = board::set(cx, &tracker);
    let scheduled = schedule::of(cx, &tracker.id);
    let (id, it) = (tracker.id.clone(), tracker.into_inner());
    Shown {
        tracker_ref: id,
        checks_per_run: set.as_ref().map_or(0, |it| it.checked()),
        set_name: set.map(|it| it.name.clone()),
        provider_pages_per_check: it.provider_pages(),
        set_ref: Id::new(it.set_ref),
        engine: it.engine,
        location: it.location,
        location_code: it.location_code,
        language: it.language.parse().unwrap_or_else(|_| sdk::value::literal("en")),
        device: it.device,
        depth: it.depth,
        every: it.every,
        competitor_domains: it.competitors,
        stop_when_found: it.stop_when_found,
        ai_overview: it.ai_overview,
        pixels: it.pixels,
        next_run,
        last_outcome: scheduled.and_then(|it| it.stopped.or(it.outcome)),
        checked_on: it.latest.as_ref().map(|it| it.date),
        checked_keywords: it.latest.as_ref().map(|it| it.keywords),
        found_keywords: it.latest.as_ref().map(|it| it.found),
        visibility: it.latest.as_ref().and_then(|it| it.visibility).map(|it| round(it, 4)),
        created_at: Moment::from_millis(it.created_ms),
    }
}

/// Registrable domains, each once.
pub(crate) fn registrable(domains: &[Domain]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for domain in domains {
        let domain = domain.registrable().unwrap_or_else(|| domain.clone()).as_str().to_owned();
        if !found.contains(&domain) {
            found.push(domain);
        }
    }
    found
}
