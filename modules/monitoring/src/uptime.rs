//! The operation `monitoring.uptime.report`.

pub(crate) mod days;
mod logs;

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::{quantile, round};
use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use crate::event::stored::{Event, EventKind};
use crate::monitor::stored::{Kind, Monitor};
use days::{Span, observed};
use logs::Hits;

/// Days of a report whose beginning is left out, and the most of one.
const USUAL: i32 = 30;
const MOST_DAYS: i32 = 400;
/// Incidents that are listed.
const LISTED: usize = 200;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// One monitor alone.
    monitor_ref: Option<Id<Monitor>>,
    /// The first day; 30 days before the last when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
}

/// An outage.
#[value]
pub(crate) struct Incident {
    event_ref: Id<Event>,
    monitor_ref: Id<Monitor>,
    target: String,
    began_at: Moment,
    /// Null while it goes on.
    resolved_at: Option<Moment>,
    minutes: f64,
    /// What the first failing checks saw.
    message: String,
}

/// One monitor in the period.
#[value]
pub(crate) struct OfMonitor {
    monitor_ref: Id<Monitor>,
    target: String,
    /// Null without checks.
    availability: Option<f64>,
    /// The part of the period between checks that came when they were due.
    coverage: f64,
    checks: u64,
    failed: u64,
}

/// One day of all monitors together.
#[value]
pub(crate) struct OfDay {
    day: Day,
    /// Null where nothing was observed.
    availability: Option<f64>,
    checks: u64,
    failed: u64,
    down_seconds: u64,
}

/// Milliseconds to the whole answer, of good checks.
#[value]
pub(crate) struct Times {
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    n: u64,
}

/// An outage during which the logs have answers of 500 to 599.
#[value]
pub(crate) struct Overlap {
    event_ref: Id<Event>,
    /// Requests of anybody in the five minutes that it touches, and those among them that failed.
    requests: u64,
    failed_requests: u64,
    /// Failed requests of verified search bots on its days.
    bot_failed: u64,
}

/// How a website was reached.
#[value]
pub(crate) struct Reported {
    /// One less the part of the observed time that was down; null without checks.
    availability: Option<f64>,
    /// Time between checks that came when they were due: missed rounds are gaps and no outages.
    observed_seconds: u64,
    down_seconds: u64,
    coverage: f64,
    /// The newest first, at most 200.
    incidents: Vec<Incident>,
    incidents_total: u64,
    /// The mean of those that have ended; null without.
    mttr_minutes: Option<f64>,
    response: Option<Times>,
    monitors: Vec<OfMonitor>,
    /// Days with checks, the first first.
    days: Vec<OfDay>,
    bot_overlap: Vec<Overlap>,
    from: Day,
    to: Day,
    degraded: Vec<Degraded>,
}

/// Reports availability, incidents, mean time to recover and response-time percentiles, marking outages that overlap bot visits in the logs.
///
/// Down is from the first failing check to the first good one. Checks are made from one place. Several monitors are added up by time.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["uptime of my website", "availability report", "how long was my site down", "did google meet our outage"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    let to = args.to.unwrap_or_else(|| cx.now().day()).min(cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(1 - USUAL));
    if from > to {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    if to.since_epoch() - from.since_epoch() >= MOST_DAYS {
        let message = format!("a report has at most {MOST_DAYS} days; ask for a later `from`");
        return Err(Fault::invalid("/from", "period_too_long", message));
    }
    let monitors = chosen(cx, &site, args.monitor_ref.as_ref())?;
    let mut degraded = Vec::new();
    if monitors.is_empty() {
        let first = json!({ "site_id": site.id, "kind": "uptime", "target": site.origin, "every": "5m" });
        let none = Degraded::new("availability", "this website has no monitor of the kind uptime");
        degraded.push(none.supplied_by("monitoring.monitor.create", first));
    }
    let (mut sum, mut times, mut of_monitors) = (Span::default(), Vec::new(), Vec::new());
    let mut of_days: BTreeMap<Day, Span> = BTreeMap::new();
    let now = cx.now();
    let period = (midnight(from), midnight(to.plus(1)).min(now));
    let mut due_seconds = 0;
    for monitor in &monitors {
        let seen = observed(cx, monitor, from, to);
        let span = seen.whole;
        times.extend(seen.times);
        seen.days.into_iter().for_each(|(day, it)| of_days.entry(day).or_default().add(it));
        let begin = period.0.max(Moment::from_millis(monitor.created_ms));
        let due = period.1.millis().saturating_sub(begin.millis()) / 1_000;
        due_seconds += due;
        of_monitors.push(OfMonitor {
            monitor_ref: monitor.id.clone(),
            target: monitor.target.clone(),
            availability: span.availability(),
            coverage: part(span.observed, due),
            checks: span.checks,
            failed: span.failed,
        });
        sum.add(span);
    }
    let (incidents, incidents_total, mttr_minutes) = incidents(cx, &monitors, period);
    let hits = Hits::of(cx, &site.id);
    if hits.is_none() {
        degraded.push(Degraded::new("bot_overlap", "no access logs of this website are stored").supplied_by(
            "logs.source.save",
            json!({ "site_id": site.id, "name": "web server", "format": "combined" }),
        ));
    }
    let overlap = |it: &Incident| {
        let until = it.resolved_at.unwrap_or(now);
        let of_logs = hits.as_ref()?.during(cx, it.began_at, until);
        let event_ref = it.event_ref.clone();
        let (requests, failed_requests, bot_failed) = (of_logs.requests, of_logs.failed, of_logs.bots);
        (failed_requests > 0).then_some(Overlap { event_ref, requests, failed_requests, bot_failed })
    };
    let bot_overlap = incidents.iter().filter_map(overlap).collect();
    times.sort_by(f64::total_cmp);
    Ok(Reported {
        availability: sum.availability(),
        observed_seconds: sum.observed,
        down_seconds: sum.down,
        coverage: part(sum.observed, due_seconds),
        incidents,
        incidents_total,
        mttr_minutes,
        response: (!times.is_empty()).then(|| Times {
            p50_ms: round(quantile(&times, 0.5), 1),
            p95_ms: round(quantile(&times, 0.95), 1),
            p99_ms: round(quantile(&times, 0.99), 1),
            n: times.len() as u64,
        }),
        monitors: of_monitors,
        days: of_days.into_iter().map(of_day).collect(),
        bot_overlap,
        from,
        to,
        degraded,
    })
}

/// The monitors of a report.
fn chosen(cx: &Cx, site: &Stored<Site>, one: Option<&Id<Monitor>>) -> Result<Vec<Stored<Monitor>>> {
    if let Some(one) = one {
        let it = crate::monitor::update::get(cx, one)?;
        if it.site_id != site.id.as_str() {
            let message = "this website has no such monitor";
            return Err(Fault::not_found("monitor_not_found", message).at("/monitor_ref"));
        }
        if it.kind != Kind::Uptime {
            let message = "only a monitor of the kind uptime has an availability";
            return Err(Fault::invalid("/monitor_ref", "monitor_of_other_kind", message));
        }
        return Ok(vec![it]);
    }
    let all = cx.records::<Monitor>().by("site_id_created_ms").equals(&site.id);
    Ok(all.scan().filter(|it| it.kind == Kind::Uptime && !it.deleting).collect())
}

/// Outages that touch a period, how many there are, and the mean minutes of those that have ended.
fn incidents(cx: &Cx, monitors: &[Stored<Monitor>], (from, to): (Moment, Moment)) -> (Vec<Incident>, u64, Option<f64>) {
    let mut found: Vec<Incident> = Vec::new();
    for monitor in monitors {
        let events = cx.records::<Event>().by("monitor_at_ms").equals(&monitor.id).descending();
        for event in events.scan() {
            let ended = event.ended_ms.map(Moment::from_millis);
            let touches = event.at_ms < to.millis() && ended.is_none_or(|it| it > from);
            if event.kind != EventKind::Down || !touches {
                continue;
            }
            let until = ended.unwrap_or_else(|| cx.now()).millis();
            found.push(Incident {
                event_ref: event.id.clone(),
                monitor_ref: monitor.id.clone(),
                target: event.target.clone(),
                began_at: Moment::from_millis(event.at_ms),
                resolved_at: ended,
                minutes: round(as_number(until.saturating_sub(event.at_ms)) / 60_000.0, 1),
                message: event.seen.clone(),
            });
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.began_at));
    let ended: Vec<f64> = found.iter().filter(|it| it.resolved_at.is_some()).map(|it| it.minutes).collect();
    let mean = (!ended.is_empty()).then(|| round(ended.iter().sum::<f64>() / as_number(ended.len() as u64), 1));
    let total = found.len() as u64;
    found.truncate(LISTED);
    (found, total, mean)
}

fn of_day((day, span): (Day, Span)) -> OfDay {
    OfDay { day, availability: span.availability(), checks: span.checks, failed: span.failed, down_seconds: span.down }
}

/// The first moment of a day.
fn midnight(day: Day) -> Moment {
    Moment::from_millis(u64::from(day.since_epoch().unsigned_abs()) * 86_400_000)
}

fn part(of: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { round((as_number(of) / as_number(all)).min(1.0), 6) }
}

#[cfg(test)]
mod tests;
