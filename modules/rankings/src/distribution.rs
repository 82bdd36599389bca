//! The operation `rankings.distribution.report`.

use std::collections::BTreeMap;

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Interval};

use crate::board::Board;
use crate::demand::Weights;
use crate::group::{By, Groups};
use crate::rows::{Row, Rows};
use crate::stored::Tracker;

/// Names of the ranges with their last positions; the last range is "not found".
const RANGES: [(&str, u32); 5] = [("1-3", 3), ("4-10", 10), ("11-20", 20), ("21-50", 50), ("51+", u32::MAX)];
/// Groups that are shown.
const MAX_GROUPS: usize = 50;

#[args]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The first day; 90 days before the last one when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
    /// Also the ranges of each group, of the last check.
    by: Option<By>,
}

/// A range of positions.
#[value]
pub(crate) struct Bucket {
    /// `1-3`, `4-10`, `11-20`, `21-50`, `51+` or `not_found`.
    #[own]
    range: String,
    /// Keywords; null for a range that was not looked at, beyond the depth of the check.
    keywords: Option<u64>,
    /// Their share of all keywords that were looked at, with Wilson's interval.
    keyword_share: Option<Interval>,
    /// Their searches in a month; a keyword without a volume counts as none. With too few volumes each keyword counts 1.
    demand: Option<f64>,
    /// Their share of the demand.
    demand_share: Option<f64>,
}

/// The ranges of a day.
#[value]
pub(crate) struct OfDay {
    date: Day,
    /// Keywords that were looked at.
    keywords_total: u64,
    buckets: Vec<Bucket>,
}

/// The ranges of a group.
#[value]
pub(crate) struct OfGroup {
    name: String,
    keywords_total: u64,
    buckets: Vec<Bucket>,
}

/// Distributions.
#[value]
pub(crate) struct Distribution {
    /// Of the last check, the best range first.
    buckets: Vec<Bucket>,
    /// Of each check, the earliest first.
    series: Vec<OfDay>,
    /// The 50 groups with the most keywords.
    by_group: Vec<OfGroup>,
    /// What demand is: `volume`, or `equal` where fewer than 80 % of the keywords have one.
    #[own]
    demand_by: String,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Reports how many keywords and how much demand rank in 1-3, 4-10, 11-20, 21-50, beyond and not at all, over time and by tag.
///
/// Ranges beyond the depth of a check are null, not 0: a keyword that was not found among the first 20 may be 21st or nowhere, and
/// is `not_found`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how many keywords are in the top 3", "ranking distribution", "keywords on page one over time", "position buckets by tag"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "by": "tag", "from": "2026-01-01" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Distribution> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let period = board.period(args.from, args.to)?;
    let checks = board.checks(period)?;
    let mut series = Vec::with_capacity(checks.len());
    let mut last: Option<Rows> = None;
    let mut weights = Weights::equal();
    for check in &checks {
        let rows = board.rows(check)?;
        weights = Weights::of(&board, rows.rows.iter().map(|it| it.keyword.as_str()));
        let all: Vec<&Row> = rows.rows.iter().collect();
        let buckets = buckets(&board, &weights, &all);
        series.push(OfDay { date: check.day(), keywords_total: all.len() as u64, buckets });
        last = Some(rows);
    }
    let (Some(check), Some(rows)) = (checks.last(), last) else {
        return Err(Fault::conflict("not_checked", "nothing was checked in this period").at("/from"));
    };
    let all: Vec<&Row> = rows.rows.iter().collect();
    let by_group = args.by.map(|by| grouped(&board, &weights, &all, by)).unwrap_or_default();
    board.tell_missing(check, rows.rows.len());
    board.degraded.extend(weights.told.clone().map(|why| Degraded::new("demand", why)));
    Ok(Distribution {
        buckets: buckets(&board, &weights, &all),
        series,
        by_group,
        demand_by: weights.name().to_owned(),
        basis: board.basis(check, rows.rows.len()),
        degraded: board.degraded,
    })
}

fn grouped(board: &Board<'_>, weights: &Weights, rows: &[&Row], by: By) -> Vec<OfGroup> {
    let groups = Groups::of(board, by);
    let mut by_name: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        for name in groups.names(board, row) {
            by_name.entry(name).or_default().push(row);
        }
    }
    let mut found: Vec<OfGroup> = by_name
        .into_iter()
        .map(|(name, rows)| OfGroup {
            name,
            keywords_total: rows.len() as u64,
            buckets: buckets(board, weights, &rows),
        })
        .collect();
    found.sort_by(|a, b| b.keywords_total.cmp(&a.keywords_total).then_with(|| a.name.cmp(&b.name)));
    found.truncate(MAX_GROUPS);
    found
}

fn buckets(board: &Board<'_>, weights: &Weights, rows: &[&Row]) -> Vec<Bucket> {
    let mut counts = [(0_u64, 0.0_f64); RANGES.len() + 1];
    let mut depth = 0;
    for row in rows {
        let at = row.found().map_or(RANGES.len(), |it| RANGES.iter().position(|range| it <= range.1).unwrap_or(4));
        counts[at].0 += 1;
        counts[at].1 += weights.weight(board, &row.keyword);
        depth = depth.max(row.depth).max(row.position);
    }
    let all = rows.len() as u64;
    let demand: f64 = counts.iter().map(|it| it.1).sum();
    let bucket = |(at, (count, sum)): (usize, (u64, f64))| {
        let name = RANGES.get(at).map_or("not_found", |it| it.0);
        let first = if at == 0 { 1 } else { RANGES.get(at - 1).map_or(1, |it| it.1.saturating_add(1)) };
        let looked = at == RANGES.len() || first <= depth;
        Bucket {
            range: name.to_owned(),
            keywords: looked.then_some(count),
            keyword_share: Interval::of_share(count, all).filter(|_| looked),
            demand: looked.then(|| round(sum, 1)),
            demand_share: (looked && demand > 0.0).then(|| round(sum / demand, 6)),
        }
    };
    counts.into_iter().enumerate().map(bucket).collect()
}
