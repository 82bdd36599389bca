//! The operation `search_console.drop.explain`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::chance::Chance;
use kit::pack::Search;
use kit::statistics::change_points::{self, cusum, without_weekdays};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use search::{Measurement, Period, SearchType};
use site::Site;

use super::carriers::{Carrier, carriers};
use super::events::{self, Event};
use super::verdict::judged;
use crate::given::Given;

/// Days before the period that the change is looked for in too.
const BEFORE: i32 = 56;
/// Days on each side of the change that are compared.
const SIDE: i32 = 28;
/// Days after the change that are left out, because it may have taken them.
const BREAK: i32 = 3;
/// The p-value from which on there is no change.
const LEVEL: f64 = 0.05;

/// What changed.
#[value]
pub(crate) enum Metric {
    Clicks,
    Impressions,
}

#[args]
pub(crate) struct Explain {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 90 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// What changed.
    #[default("clicks")]
    metric: Metric,
}

/// When it changed.
#[value]
pub(crate) struct ChangePoint {
    /// The first day after the change.
    date: Day,
    /// The p-value of "no change".
    p: f64,
    /// `down` or `up`.
    #[own]
    direction: String,
    /// A day before, on the days that are compared.
    before: f64,
    /// A day after.
    after: f64,
    /// The relative change: −0.25 is a fall by a quarter.
    change: Option<f64>,
    /// The days that are compared.
    n_days: u32,
}

/// An explanation.
#[value]
pub(crate) struct Explanation {
    /// Null when nothing changed beyond chance.
    change_point: Option<ChangePoint>,
    /// What carries the change, the leading dimension first.
    drivers: Vec<Carrier>,
    /// What happened within 7 days before and 3 days after; none of it need be the cause.
    events: Vec<Event>,
    /// `no_break`, or what kind of change it is: `demand`, `ranking`, `click_rate`, `technical`, `measurement`, `mixed`.
    #[own]
    kind: String,
    /// The explanation in a sentence.
    verdict: String,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What to look at.
    next: Vec<Next>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Explains a traffic drop: start date by change-point test, the segments, queries, countries and devices that carry it, known updates, annotations and technical events near it.
///
/// The change is the maximum of a normalized CUSUM of daily logarithms without weekdays, tested against 999 series resampled
/// in blocks of 14 days. Up to 28 days on each side are compared. What carries it is found by Adtributor, and once more within
/// the first element. Rises are explained too.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "why did my clicks drop",
        "explain the traffic drop",
        "when did my search traffic fall and why",
        "was it a google update or demand",
        "what caused the rise in impressions",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "metric": "impressions" }]
)]
pub(crate) fn explain(cx: &Cx, args: Explain) -> Result<Explanation> {
    let wide = Given::of(cx, &args.site_id, SearchType::Web, None, args.to)?;
    let to = wide.period.last;
    let from = args.from.unwrap_or_else(|| to.plus(-89));
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, Some(from), Some(to))?;
    let searched = Period { first: from.plus(-BEFORE), last: to };
    let count = |it: Search| if args.metric == Metric::Clicks { it.clicks } else { it.impressions };
    let days = given.days(searched);
    let series: BTreeMap<Day, Search> = days
        .iter()
        .filter_map(|it| {
            let figures = Search { impressions: it.impressions, clicks: it.clicks, positions: it.positions };
            Some((it.day()?, figures))
        })
        .collect();
    let (first, last) = (series.keys().next().copied(), series.keys().next_back().copied());
    let (Some(first), Some(last)) = (first, last) else { unreachable!("a period without days is refused before") };
    let whole = Period { first, last };
    if whole.length() < i32::try_from(change_points::MIN_DAYS).unwrap_or(35) {
        let message = format!(
            "{} days are stored, and a change is looked for in {} or more",
            whole.length(),
            change_points::MIN_DAYS
        );
        return Err(Fault::conflict("history_too_short", message).at("/from"));
    }
    // A day that is missing takes the value of the week before, so that it is no change.
    let mut counts: Vec<f64> = Vec::new();
    for (at, day) in whole.days().enumerate() {
        let usual = at.checked_sub(7).map_or(0.0, |before| counts[before]);
        counts.push(series.get(&day).map_or(usual, |it| as_number(count(*it))));
    }
    let seed = format!(
        "{}:{}:{first}:{last}",
        given.site.id,
        if args.metric == Metric::Clicks { "clicks" } else { "impressions" }
    );
    let found = cusum(&without_weekdays(&counts), &mut Chance::of(&seed));
    let Some(point) = found.filter(|point| point.p < LEVEL) else {
        let verdict = format!("No change beyond chance between {first} and {last}.");
        return Ok(Explanation {
            change_point: None,
            drivers: Vec::new(),
            events: Vec::new(),
            kind: "no_break".to_owned(),
            verdict,
            measurement: given.measurement,
            basis: given.basis,
            next: Vec::new(),
            degraded: given.degraded,
        });
    };
    let change = first.plus(i32::try_from(point.at).unwrap_or(0));
    // Both sides have the same weekdays: whole weeks, as many as both have.
    let after_first = change.plus(BREAK.min(last.since_epoch() - change.since_epoch() - 6).max(0));
    let side = [SIDE, last.since_epoch() - after_first.since_epoch() + 1, change.since_epoch() - first.since_epoch()]
        .into_iter()
        .min()
        .unwrap_or(SIDE);
    let side = (side / 7 * 7).max(7);
    let after = Period { first: after_first, last: after_first.plus(side - 1).min(last) };
    let before = Period { first: change.plus(-side).max(first), last: change.plus(-1) };
    let sum = |period: Period| {
        series.range(period.first..=period.last).fold((Search::default(), 0_usize), |(mut sum, days), (_, it)| {
            kit::pack::Figures::add(&mut sum, it);
            (sum, days + 1)
        })
    };
    let (one, two) = (sum(before), sum(after));
    let daily = |(figures, days): (Search, usize)| as_number(count(figures)) / as_number(days.max(1) as u64);
    let (value_before, value_after) = (daily(one), daily(two));
    let relative = (value_before > 0.0).then(|| value_after / value_before - 1.0);
    let change_point = ChangePoint {
        date: change,
        p: round(point.p, 4),
        direction: if value_after < value_before { "down" } else { "up" }.to_owned(),
        before: round(value_before, 2),
        after: round(value_after, 2),
        change: relative.map(|it| round(it, 4)),
        n_days: u32::try_from(one.1 + two.1).unwrap_or(0),
    };
    let drivers = carriers(&mut given, (before, after), count)?;
    let events = events::near(&given, change);
    let is_wrong = |day| search::is_wrong(kit::anomalies::Metric::Impressions, day);
    let (kind, words) = judged(one, two, &events, is_wrong(before.first) != is_wrong(after.last), args.metric);
    let lead = drivers.first().map(|it| format!(" {:.0} % of it is {} {}.", it.share * 100.0, it.dimension, it.key));
    let what = if args.metric == Metric::Clicks { "Clicks" } else { "Impressions" };
    let verdict = format!(
        "{what} a day went from {value_before:.0} to {value_after:.0} ({:+.0} %) on {change}: {words}.{}",
        relative.unwrap_or(0.0) * 100.0,
        lead.unwrap_or_default()
    );
    let site = json!({ "site_id": given.site.id });
    let mut next = Vec::new();
    let page = drivers.iter().find(|it| it.dimension == "page" && it.inside.is_none());
    if let Some(page) = page.filter(|it| it.key.starts_with("http")) {
        let arguments = json!({ "site_id": given.site.id, "url": page.key });
        next.push(Next::new(
            "search_console.page.query.list",
            arguments,
            "shows the queries of the page that carries most",
        ));
    }
    let mut compared = json!({ "compare": "custom", "from": after.first, "to": after.last, "compare_from": before.first, "compare_to": before.last });
    compared["site_id"] = site["site_id"].clone();
    next.push(Next::new(
        "search_console.performance.compare",
        compared,
        "splits the change of each page into its parts",
    ));
    Ok(Explanation {
        change_point: Some(change_point),
        drivers,
        events,
        kind: kind.to_owned(),
        verdict,
        measurement: given.measurement,
        basis: given.basis,
        next,
        degraded: given.degraded,
    })
}
