//! The operation `search_console.mover.report`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::{Cut, Measurement, SearchType, measurement, parts};
use site::Site;

use crate::given::Given;
use crate::significance;

/// The false discovery rate of the list.
const LEVEL: f64 = 0.05;

/// What moves.
#[value]
pub(crate) enum By {
    Query,
    Page,
}

/// Which way.
#[value]
pub(crate) enum Direction {
    Up,
    Down,
    Both,
}

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// The search type.
    #[serde(rename = "type")]
    #[default("web")]
    kind: SearchType,
    /// What moves.
    #[default("query")]
    by: By,
    /// Gains, losses or both.
    #[default("both")]
    direction: Direction,
    /// At most this many.
    #[default(50)]
    limit: Count<5, 500>,
}

/// A query or page whose clicks changed by more than chance.
#[value]
pub(crate) struct Mover {
    /// The query or address.
    key: String,
    /// Clicks in the period before.
    before: u64,
    /// Clicks in the period.
    after: u64,
    /// The difference.
    delta: i64,
    /// `up`, `down`, `new` (no click before) or `gone` (no click now).
    #[own]
    change: String,
    /// The clicks that the change is at least, by the 95 % interval; null for `new` and `gone`.
    at_least: Option<f64>,
    /// The p-value of "no change".
    p: f64,
    /// The p-value corrected for all tested keys (false discovery rate).
    q: f64,
    /// How much days vary, relative to a Poisson law.
    dispersion: f64,
    /// What explains it.
    fix: Option<Fix>,
}

/// Movers.
#[value]
pub(crate) struct Movers {
    /// Those that certainly moved most first.
    rows: Vec<Mover>,
    /// Keys that were tested: those with at least 10 impressions that changed most.
    tested_rows: u32,
    /// The period before that is compared: as long, with the same weekdays.
    before_from: Day,
    /// Its last day.
    before_to: Day,
    /// Known faults of Google's figures in either period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists queries or pages that gained or lost most with a Poisson-rate significance test so small numbers do not lead.
///
/// The period is compared with the one before it that has the same weekdays. The test is quasi-Poisson over daily clicks, and
/// rows are listed whose false discovery rate is below 5 %. They are sorted by the bound of the interval that is nearer to no
/// change, so that a large certain change precedes a larger uncertain one.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "which queries gained or lost the most clicks",
        "biggest winners and losers in google",
        "pages that dropped in search",
        "what moved in search last month",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "by": "page", "direction": "down", "limit": 20 },
    ]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Movers> {
    let mut given = Given::of(cx, &args.site_id, args.kind, args.from, args.to)?;
    let after = given.period;
    let before = after.previous();
    let cut = if args.by == By::Query { Cut::Queries } else { Cut::Pages };
    given.needs(cut, after)?;
    given.needs(cut, before)?;
    let group = |key: &[u8]| vec![parts(key).0.to_owned()];
    let mut figures: BTreeMap<String, (Search, Search)> = BTreeMap::new();
    for (period, first) in [(before, true), (after, false)] {
        let read = given.figures.sums(cut, period, b"", |key, sum| {
            let pair = figures.entry(parts(key).0.to_owned()).or_default();
            if first { pair.0.add(&sum) } else { pair.1.add(&sum) }
        });
        read.map_err(Given::unread)?;
        crate::given::within_bounds(figures.len())?;
    }
    let mut order: Vec<(u64, &String)> = figures
        .iter()
        .filter(|(_, (one, two))| one.impressions.max(two.impressions) >= significance::MIN_IMPRESSIONS)
        .map(|(key, (one, two))| (one.clicks.abs_diff(two.clicks), key))
        .collect();
    order.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let chosen: Vec<String> = order.into_iter().map(|it| it.1.clone()).take(significance::MAX_TESTED).collect();
    let tests = significance::test(&given, cut, (before, after), |it| it.clicks, group, &chosen)?;
    let mut rows: Vec<(f64, Mover)> = Vec::new();
    for (key, test) in &tests {
        let (one, two) = figures.get(key).copied().unwrap_or_default();
        let (one, two) = (one.clicks, two.clicks);
        let wanted = match args.direction {
            Direction::Up => two > one,
            Direction::Down => two < one,
            Direction::Both => two != one,
        };
        if !wanted || test.q >= LEVEL {
            continue;
        }
        let at_least = test.nearer.map(|ratio| (ratio - 1.0).abs() * as_number(one));
        let change = match (one, two) {
            (0, _) => "new",
            (_, 0) => "gone",
            (one, two) if two > one => "up",
            _ => "down",
        };
        let fix = (args.by == By::Page && two < one)
            .then(|| Fix::new("search_console.page.query.list", json!({ "site_id": given.site.id, "url": key })));
        let certain = at_least.unwrap_or_else(|| as_number(one.max(two)) / 2.0);
        let mover = Mover {
            key: key.clone(),
            before: one,
            after: two,
            delta: i64::try_from(two).unwrap_or(i64::MAX) - i64::try_from(one).unwrap_or(i64::MAX),
            change: change.to_owned(),
            at_least: at_least.map(|it| round(it, 1)),
            p: round(test.p, 6),
            q: round(test.q, 6),
            dispersion: round(test.dispersion, 2),
            fix: fix.filter(|it| it.arguments["url"].as_str().is_some_and(|url| url.starts_with("http"))),
        };
        rows.push((certain, mover));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.key.cmp(&b.1.key)));
    rows.truncate(usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX));
    Ok(Movers {
        rows: rows.into_iter().map(|it| it.1).collect(),
        tested_rows: u32::try_from(tests.len()).unwrap_or(0),
        before_from: before.first,
        before_to: before.last,
        measurement: measurement(search::Period { first: before.first, last: after.last }),
        basis: given.basis,
        degraded: given.degraded,
    })
}
