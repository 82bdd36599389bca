//! The operation `search_console.drop.explain`.

use std::collections::BTreeMap;

use kit::chance::Chance;
use kit::pack::Search;
use kit::statistics::change_points::{self, cusum, without_weekdays};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use search::{Cut, Period, SearchType, parts};
use site::Site;

use super::drivers::{self, Driver};
use super::events::{self, Event};
use crate::given::{Given, Measurement, contaminated};
use crate::question::{UNASSIGNED, country};
use crate::significance::as_number;

/// Days before the period that the change is looked for in too.
const BEFORE: i32 = 56;
/// Days on each side of the change that are compared.
const SIDE: i32 = 28;
/// Days after the change that are left out, because it may have taken them.
const BREAK: i32 = 3;
/// The p-value from which on there is no change.
const LEVEL: f64 = 0.05;
/// Elements of the leading dimension that are looked into.
const INSIDE: usize = 1;

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

/// What carries the change.
#[value]
pub(crate) struct Carrier {
    /// `page`, `segment`, `query`, `country` or `device`.
    #[own]
    dimension: String,
    /// Its value; of a segment its reference, or `unassigned`.
    key: String,
    /// A day before.
    before: f64,
    /// A day after.
    after: f64,
    /// The part of the whole change; above 1 when others changed the other way.
    share: f64,
    /// Whether it is of the dimension that explains the change best.
    leading: bool,
    /// The element of the leading dimension within which it was found; null at the first level.
    inside: Option<String>,
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
    let drivers = carriers(&mut given, (before, after), (one.1, two.1), count)?;
    let events = events::near(&given, change);
    let (kind, words) = judged(one, two, &events, contaminated(before.first) != contaminated(after.last), args.metric);
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

/// A dimension: its name, its cut, and the values of a key.
type Dimension = (&'static str, Cut, fn(&[u8]) -> String);

const DIMENSIONS: [Dimension; 4] = [
    ("page", Cut::Pages, |key| parts(key).0.to_owned()),
    ("query", Cut::Queries, |key| parts(key).0.to_owned()),
    ("country", Cut::Markets, |key| country(parts(key).0)),
    ("device", Cut::Markets, |key| parts(key).1.to_ascii_lowercase()),
];

/// What carries the change in each dimension, the leading one first, and what carries it within its first element.
fn carriers(
    given: &mut Given<'_>,
    (before, after): (Period, Period),
    days: (usize, usize),
    count: impl Fn(Search) -> u64 + Copy,
) -> Result<Vec<Carrier>> {
    let mut found: Vec<(String, Driver)> = Vec::new();
    for (name, cut, group) in DIMENSIONS {
        if given.figures.stored_days(cut, after) == 0 || given.figures.stored_days(cut, before) == 0 {
            let why = format!("figures by {name} are not stored for the days that are compared");
            given
                .degraded
                .push(Degraded::new(name, why).supplied_by(crate::given::SYNC, json!({ "site_id": given.site.id })));
            continue;
        }
        let counts = sums(given, cut, (before, after), b"", count, |key| vec![group(key)])?;
        found.extend(drivers::driver(&drivers::per_day(&counts, days)).map(|driver| (name.to_owned(), driver)));
        if name == "page" {
            let segments: Vec<(String, site::Rules)> = site::segments(given.cx, &given.site.id)
                .filter_map(|it| Some((it.id.to_string(), it.ready()?)))
                .collect();
            if !segments.is_empty() {
                // Elements partition the whole: a page belongs to the first segment that holds it.
                let of = |page: &str| {
                    let held = segments.iter().find(|(_, rules)| site::holds(rules, page));
                    held.map_or_else(|| UNASSIGNED.to_owned(), |it| it.0.clone())
                };
                let mut by_segment: BTreeMap<String, (u64, u64)> = BTreeMap::new();
                for (page, it) in &counts {
                    let slot = by_segment.entry(of(page)).or_default();
                    *slot = (slot.0 + it.0, slot.1 + it.1);
                }
                let driver = drivers::driver(&drivers::per_day(&by_segment, days));
                found.extend(driver.map(|driver| ("segment".to_owned(), driver)));
            }
        }
    }
    let lead = drivers::leading(&found);
    if let Some(lead) = lead {
        found[..=lead].rotate_right(1);
    }
    let mut carriers = Vec::new();
    for (at, (name, driver)) in found.iter().enumerate() {
        carriers.extend(driver.elements.iter().map(|it| carrier(name, it, at == 0, None)));
    }
    let Some((name, driver)) = found.first() else { return Ok(carriers) };
    for element in driver.elements.iter().take(INSIDE) {
        carriers.extend(inside(given, name, &element.key, (before, after), days, count)?);
    }
    Ok(carriers)
}

fn carrier(dimension: &str, it: &drivers::Element, leading: bool, inside: Option<&str>) -> Carrier {
    Carrier {
        dimension: dimension.to_owned(),
        key: it.key.clone(),
        before: round(it.before, 2),
        after: round(it.after, 2),
        share: round(it.share, 4),
        leading,
        inside: inside.map(str::to_owned),
    }
}

/// What carries the change of one element, in the dimensions that are stored together with its own.
fn inside(
    given: &Given<'_>,
    dimension: &str,
    element: &str,
    periods: (Period, Period),
    days: (usize, usize),
    count: impl Fn(Search) -> u64 + Copy,
) -> Result<Vec<Carrier>> {
    type Inner = (&'static str, Cut, fn(&[u8]) -> String, fn(&[u8]) -> String);
    let page: fn(&[u8]) -> String = |key| parts(key).0.to_owned();
    let query: fn(&[u8]) -> String = |key| parts(key).1.to_owned();
    let of_country: fn(&[u8]) -> String = |key| country(parts(key).1.split('\0').next().unwrap_or_default());
    let device: fn(&[u8]) -> String = |key| parts(key).1.split('\0').nth(1).unwrap_or_default().to_ascii_lowercase();
    let inner: Vec<Inner> = match dimension {
        "page" => vec![
            ("query", Cut::Details, page, query),
            ("device", Cut::PageMarkets, page, device),
            ("country", Cut::PageMarkets, page, of_country),
        ],
        "query" => vec![("page", Cut::Details, query, page)],
        "country" => {
            vec![("page", Cut::PageMarkets, of_country, page), ("device", Cut::PageMarkets, of_country, device)]
        }
        "device" => vec![("page", Cut::PageMarkets, device, page), ("country", Cut::PageMarkets, device, of_country)],
        _ => Vec::new(),
    };
    let mut found: Vec<(String, Driver)> = Vec::new();
    for (name, cut, own, group) in inner {
        if given.figures.stored_days(cut, periods.1) == 0 {
            continue;
        }
        let prefix = if dimension == "page" { search::key([element, ""]) } else { Vec::new() };
        let counts =
            sums(
                given,
                cut,
                periods,
                &prefix,
                count,
                |key| {
                    if own(key) == element { vec![group(key)] } else { Vec::new() }
                },
            )?;
        found.extend(drivers::driver(&drivers::per_day(&counts, days)).map(|driver| (name.to_owned(), driver)));
    }
    let Some(lead) = drivers::leading(&found) else { return Ok(Vec::new()) };
    let (name, driver) = &found[lead];
    Ok(driver.elements.iter().map(|it| carrier(name, it, false, Some(element))).collect())
}

/// The counts of two periods by group.
fn sums(
    given: &Given<'_>,
    cut: Cut,
    (before, after): (Period, Period),
    prefix: &[u8],
    count: impl Fn(Search) -> u64,
    groups: impl Fn(&[u8]) -> Vec<String>,
) -> Result<BTreeMap<String, (u64, u64)>> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (period, first) in [(before, true), (after, false)] {
        let read = given.figures.sums(cut, period, prefix, |key, sum| {
            for group in groups(key) {
                let slot = counts.entry(group).or_default();
                if first { slot.0 += count(sum) } else { slot.1 += count(sum) }
            }
        });
        read.map_err(Given::too_much)?;
        crate::given::within_bounds(counts.len())?;
    }
    Ok(counts)
}

/// The kind of a change, and its words.
fn judged(
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
    let technical = events.iter().any(|it| matches!(it.kind.as_str(), "technical" | "outage" | "crawl"));
    if crosses && metric == Metric::Impressions {
        return ("measurement", format!("Google's way of counting changed ({facts})"));
    }
    if technical {
        return ("technical", format!("a technical event is near ({facts})"));
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
