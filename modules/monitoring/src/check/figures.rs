//! Stored figures: what visitors measured, where a keyword stands, and daily series.

use kit::number::as_number;
use sdk::prelude::*;
use search::Period;
use serps::{MAX_SHOWN, SnapshotRecord};

use super::look::Looked;
use crate::event::stored::EventKind;
use crate::monitor::stored::{Monitor, Seen, Vital};
use crate::psi::stored::{Measured, Strategy};
use crate::series;

/// Days of a change, where nothing else is wanted.
const DAYS: i32 = 7;
/// Places that a keyword may lose, where nothing else is wanted.
const FALLS: f64 = 3.0;

/// The newest page of a tracked keyword, as `rankings` keeps it.
#[foreign(collection = "rankings.serps", thing = "snapshot", may_be_missing, index(site_id, keyword))]
pub(crate) struct Serp(pub(crate) SnapshotRecord);

fn numbered(number: f64) -> Looked {
    Looked { seen: Some((Seen { number: Some(number), ..Seen::default() }, None)), ..Looked::default() }
}

fn bounded(looked: Looked, wrong: Option<(EventKind, String)>) -> Looked {
    Looked { wrong, ..looked }
}

/// What visitors measured on a page, in the newest stored result of monitoring.psi.run.
pub(super) fn vital(cx: &Cx, monitor: &Monitor) -> Looked {
    let page = Measured::page_of(&monitor.target, Strategy::Mobile);
    let newest = cx.records::<Measured>().by("site_id_page_measured_ms");
    let newest = newest.equals(&monitor.site_id).equals(&page).descending().first();
    let vital = monitor.threshold.metric.unwrap_or(Vital::Lcp);
    let field = newest.as_ref().and_then(|it| it.field.as_ref());
    let Some(value) = field.and_then(|it| it.p75.get(vital.name()).copied()) else {
        return Looked::skipped("no_stored_field_data");
    };
    let most = monitor.threshold.above.as_ref().map_or_else(|| vital.good(), |it| it.get());
    let words = || format!("{} is {value} at p75, and {most} was called good", vital.name());
    bounded(numbered(value), (value > most).then(|| (EventKind::VitalPoor, words())))
}

/// Where a keyword stands in the newest stored result page of its tracker.
pub(super) fn rank(cx: &Cx, monitor: &Monitor) -> Looked {
    let tracker = monitor.threshold.tracker_ref.as_ref().map_or("", Text::as_str);
    let id = Id::new(serps::snapshot_id(tracker, &monitor.target));
    let Some(serp) = cx.records::<Serp>().find(&id).filter(|it| it.0.site_id == monitor.site_id) else {
        return Looked::skipped("keyword_not_tracked");
    };
    let site = cx.records::<site::Site>().find(&Id::new(monitor.site_id.clone()));
    let own = serp.0.items.iter().find(|it| site.as_ref().is_some_and(|site| site.has(&it.url)));
    // Of a page the first results are kept: beyond them it is at least one place further.
    let kept = if serp.0.items.len() < MAX_SHOWN { serp.0.depth } else { u32::try_from(MAX_SHOWN).unwrap_or(u32::MAX) };
    let place = own.map_or_else(|| f64::from(kept) + 1.0, |it| f64::from(it.position));
    let most = monitor.threshold.falls_by.as_ref().map_or(FALLS, |it| as_number(it.get().unsigned_abs()));
    let before = monitor.seen.as_ref().and_then(|it| it.number);
    let shown = if own.is_some() { format!("at {place}") } else { format!("not among the first {kept}") };
    let fell = before.filter(|before| place - before >= most);
    let looked = match fell {
        // What it fell from is what it is held against until it is back.
        Some(before) => numbered(before),
        None => numbered(place),
    };
    let wrong = fell.map(|before| (EventKind::RankFell, format!("{shown} on {}, at {before} before", serp.0.date)));
    bounded(looked, wrong)
}

/// A daily series.
pub(super) fn metric(cx: &Cx, monitor: &Monitor) -> Looked {
    let Ok(metric) = series::metric(&monitor.target, "/target") else { return Looked::skipped("metric_not_stored") };
    let site = Id::new(monitor.site_id.clone());
    let Some(last) = series::last_day(cx, &site) else { return Looked::skipped("figures_not_imported") };
    let threshold = &monitor.threshold;
    let days = threshold.days.as_ref().map_or(DAYS, |it| i32::try_from(it.get()).unwrap_or(DAYS));
    let values = series::read(cx, &site, metric, Period { first: last.plus(1 - 2 * days), last });
    let Some(value) = values.last().copied().flatten() else { return Looked::skipped("day_without_figures") };
    let mut wrong = Vec::new();
    if let Some(most) = threshold.above.as_ref().map(|it| it.get())
        && value > most
    {
        wrong.push(format!("{value} on {last}, above {most}"));
    }
    if let Some(least) = threshold.below.as_ref().map(|it| it.get())
        && value < least
    {
        wrong.push(format!("{value} on {last}, below {least}"));
    }
    if let Some(most) = threshold.change_percent.as_ref().map(|it| it.get())
        && let Some(percent) = change(&values)
        && percent.abs() > most
    {
        wrong.push(format!("{percent:+.1} % in {days} days to {last}, against as many before"));
    }
    let wrong = (!wrong.is_empty()).then(|| (EventKind::MetricOut, wrong.join("; ")));
    bounded(numbered(value), wrong)
}

/// The change of the mean of the second half against that of the first, in percent; none where more than a third of a half
/// has no figures.
pub(crate) fn change(values: &[Option<f64>]) -> Option<f64> {
    let (first, second) = values.split_at(values.len() / 2);
    let mean = |half: &[Option<f64>]| {
        let there: Vec<f64> = half.iter().flatten().copied().collect();
        let enough = there.len() * 3 >= half.len() * 2 && !there.is_empty();
        enough.then(|| there.iter().sum::<f64>() / as_number(there.len() as u64))
    };
    let (before, after) = (mean(first)?, mean(second)?);
    (before > 0.0).then(|| 100.0 * (after / before - 1.0))
}
