//! The operation `indexing.auto_submit.set`, and a round of it: what changed between crawls is handed over.

mod pushes;
mod round;

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Cadence, Every, Planned, Scheduled, json};

use crate::stored::AutoSubmit;
use crate::{bing, indexnow};
use site::{Run, Segment, Site};

/// Who gets addresses by itself.
#[value]
pub(crate) enum Engine {
    #[serde(rename = "indexnow")]
    IndexNow,
    Bing,
}

impl Engine {
    fn word(self) -> &'static str {
        match self {
            Self::IndexNow => "indexnow",
            Self::Bing => "bing",
        }
    }
}

#[args]
pub(crate) struct Set {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Whether addresses are handed over by themselves.
    enabled: bool,
    /// Who gets them.
    engines: List<Engine, 1, 2>,
    /// At most so many addresses a day for each engine; others wait for the next day.
    #[default(500)]
    daily_cap: Count<1, 10_000>,
    /// Only addresses of this segment.
    segment_ref: Option<Id<Segment>>,
    /// Looks for changes and hands them over with this call too. The daily round is this call.
    #[default(false)]
    submit_now: bool,
}

/// How automatic submission is set.
#[value]
pub(crate) struct Settings {
    site_id: Id<Site>,
    enabled: bool,
    engines: Vec<Engine>,
    daily_cap: u32,
    segment_ref: Option<Id<Segment>>,
    /// The crawl up to which changes were noted; later ones are compared with it.
    run_ref: Option<Id<Run>>,
    /// When changes were looked for last.
    looked_at: Option<Moment>,
    /// Addresses that wait for the next round, by engine.
    waiting: BTreeMap<String, u32>,
    /// When the next round begins.
    next_run: Option<Moment>,
    /// How the last one ended: `ok`, or the code of what ended it.
    last_outcome: Option<String>,
    /// Why there is no next round, such as `grant_ended`.
    stopped: Option<String>,
}

/// What one engine got.
#[value]
pub(crate) struct Handed {
    pub(crate) engine: Engine,
    pub(crate) submitted: u32,
    /// Left out: not to be shown, or handed over before.
    pub(crate) skipped: u32,
    /// Waiting for the next day.
    pub(crate) waiting: u32,
    /// The status that answered; none when there was nothing to hand over.
    pub(crate) response_code: Option<u16>,
    /// What went wrong; the addresses wait.
    pub(crate) failure: Option<String>,
}

/// Automatic submission as it is set.
#[value]
pub(crate) struct Answered {
    settings: Settings,
    /// What this call handed over; empty without `submit_now`.
    handed_over: Vec<Handed>,
    degraded: Vec<Degraded>,
}

/// Turns on automatic submission of new, changed and removed URLs to IndexNow and Bing after each crawl or CMS push, with a daily cap.
///
/// A round a day looks at the newest crawl that has ended and hands over what is new, changed or gone since the one
/// before, and what `cms` operations published, changed or took back since the last round; the first notes where things stand. Crawls by themselves are `crawl.schedule.set`. Rounds begin through the
/// client that sets this, with its scopes, limits and budgets: disconnecting it ends them.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["tells search engines once a day which pages changed, and is charged like any other call"],
    needs = ["web", "store", "jobs", "connection:indexnow?", "connection:bing_webmaster?"],
    outside = [
        "indexnow POST /indexnow change",
        "bing_webmaster GET /webmaster/api.svc/json/GetUrlSubmissionQuota",
        "bing_webmaster POST /webmaster/api.svc/json/SubmitUrlbatch change",
    ],
    phrasings = [
        "submit new pages to search engines automatically",
        "turn on automatic indexnow",
        "stop submitting urls automatically",
        "tell bing about every change after a crawl",
    ],
    examples = [
        { "site_id": "4503599627370496", "enabled": true, "engines": ["indexnow", "bing"], "daily_cap": 200 },
        { "site_id": "4503599627370496", "enabled": false, "engines": ["indexnow"] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Answered> {
    let site = site::get(cx, &args.site_id)?;
    site::rules(cx, site.id.as_str(), args.segment_ref.as_ref())?;
    let mut engines = args.engines.into_vec();
    engines.sort();
    engines.dedup();
    let id: Id<AutoSubmit> = site.id.cast();
    let known = cx.records::<AutoSubmit>().find(&id);
    let name = format!("auto_submit-{}", site.id);
    let mut degraded = Vec::new();
    let mut it = AutoSubmit {
        site_id: site.id.to_string(),
        engines,
        daily_cap: u32::try_from(args.daily_cap.get()).unwrap_or(10_000),
        segment_ref: args.segment_ref.map(|it| it.to_string()),
        set_ms: cx.now().millis(),
        run_ref: known.as_ref().and_then(|it| it.run_ref.clone()),
        looked_ms: known.as_ref().and_then(|it| it.looked_ms),
        waiting: known.as_ref().map(|it| it.waiting.clone()).unwrap_or_default(),
    };
    if !args.enabled {
        cx.schedules().remove(&name);
        it.waiting.clear();
        round::forget(cx, &site.id)?;
        cx.records::<AutoSubmit>().put_many_as([(&id, &it)])?;
        return Ok(Answered { settings: shown(&it, false, None), handed_over: Vec::new(), degraded });
    }
    let same = |known: &AutoSubmit| {
        (&known.engines, known.daily_cap, &known.segment_ref) == (&it.engines, it.daily_cap, &it.segment_ref)
    };
    let mut planned = cx.schedules().get(&name).filter(|it| it.stopped.is_none());
    // A round finds everything as it was set; setting the schedule anew would count its rounds anew.
    if !(planned.is_some() && known.as_ref().is_some_and(|it| same(it))) {
        ready(cx, &site, &it.engines)?;
        planned = Some(plan(cx, &site, &it, &name)?);
    }
    if it.run_ref.is_none() {
        it.run_ref = site::newest(cx, &site.id).map(|run| run.id.to_string());
    }
    let handed_over = if args.submit_now { round::hand_over(cx, &site, &mut it, &mut degraded)? } else { Vec::new() };
    cx.records::<AutoSubmit>().put_many_as([(&id, &it)])?;
    Ok(Answered { settings: shown(&it, true, planned), handed_over, degraded })
}

/// Refuses an engine that could not be told anything.
fn ready(cx: &Cx, site: &Stored<Site>, engines: &[Engine]) -> Result<()> {
    for (at, engine) in engines.iter().enumerate() {
        let pointer = format!("/engines/{at}");
        match engine {
            Engine::IndexNow => indexnow::target(cx, site).map(|_| ()),
            Engine::Bing => bing::site(cx, site).map(|_| ()),
        }
        .map_err(|fault| fault.at(pointer))?;
    }
    Ok(())
}

fn plan(cx: &Cx, site: &Stored<Site>, it: &AutoSubmit, name: &str) -> Result<Scheduled> {
    let mut arguments = json!({
        "site_id": site.id, "enabled": true, "engines": it.engines, "daily_cap": it.daily_cap, "submit_now": true,
    });
    if let Some(segment) = &it.segment_ref {
        arguments["segment_ref"] = json!(segment);
    }
    let call = Planned { operation: "indexing.auto_submit.set".to_owned(), arguments: arguments.to_string() };
    // Websites take turns through the day.
    let minute = u32::from(kit::text::sha256(site.id.as_str().as_bytes())[0]) * 1_440 / 256;
    cx.schedules().put(name, Cadence { every: Every::Day, minute, weekday: 0 }, &[call], None)
}

/// What a call has just planned is not yet to be read back, so it comes along.
fn shown(it: &AutoSubmit, enabled: bool, planned: Option<Scheduled>) -> Settings {
    Settings {
        site_id: it.site_id.as_str().into(),
        enabled,
        engines: it.engines.clone(),
        daily_cap: it.daily_cap,
        segment_ref: it.segment_ref.as_deref().map(Id::from),
        run_ref: it.run_ref.as_deref().map(Id::from),
        looked_at: it.looked_ms.map(Moment::from_millis),
        waiting: it.waiting.clone(),
        next_run: planned.as_ref().and_then(|it| it.next).map(Moment::from_millis),
        last_outcome: planned.as_ref().and_then(|it| it.outcome.clone()),
        stopped: planned.and_then(|it| it.stopped),
    }
}

#[cfg(test)]
mod tests;
