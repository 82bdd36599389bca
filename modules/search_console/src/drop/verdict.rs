//! What kind of change it is.

use kit::number::as_number;
use kit::pack::Search;

use super::events::Event;
use super::explain::Metric;

/// Days of an event from which it is not near any one day.
const MAX_SPAN: i32 = 10;

/// The kind of a change, and its words.
pub(super) fn judged(
    (before, days_before): (Search, usize),
    (after, days_after): (Search, usize),
    events: &[Event],
    crosses: bool,
    metric: Metric,
) -> (&'static str, String) {
    let ratio = |after: f64, before: f64| if before > 0.0 { after / before - 1.0 } else { 0.0 };
    let daily = |count: u64, days: usize| as_number(count) / as_number(days.max(1) as u64);
    let shown = ratio(daily(after.impressions, days_after), daily(before.impressions, days_before));
    let rate = ratio(after.click_rate().unwrap_or(0.0), before.click_rate().unwrap_or(0.0));
    let (from, to) = (before.position().unwrap_or(0.0), after.position().unwrap_or(0.0));
    let moved = to - from;
    let facts = format!(
        "impressions {:+.0} %, click rate {:+.0} %, position {from:.1} to {to:.1}",
        shown * 100.0,
        rate * 100.0
    );
    // Two crawls that are weeks apart say that pages changed between them, not when: that is told and decides nothing.
    let dated = |it: &Event| it.end_date.is_none_or(|end| end.since_epoch() - it.date.since_epoch() <= MAX_SPAN);
    let technical = |it: &&Event| matches!(it.kind.as_str(), "technical" | "outage" | "crawl");
    let technical = events.iter().filter(technical).any(dated);
    if crosses && metric == Metric::Impressions {
        return ("measurement", format!("Google's way of counting changed ({facts})"));
    }
    if technical {
        return ("technical", format!("a technical event is near, which need not be its cause ({facts})"));
    }
    let steady_place = moved.abs() < 0.5;
    match (shown.abs() > 2.0 * rate.abs(), steady_place) {
        (true, true) => ("demand", format!("fewer or more searches at steady positions ({facts})")),
        (_, false) if (moved > 0.0) == (shown + rate < 0.0) => ("ranking", format!("positions changed ({facts})")),
        (false, true) if rate.abs() > 2.0 * shown.abs() => {
            ("click_rate", format!("results are clicked differently at steady positions ({facts})"))
        }
        _ => ("mixed", format!("several factors changed ({facts})")),
    }
}
