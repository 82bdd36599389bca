//! The operation `search_console.segment.report`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use kit::statistics::{round, trend};
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use search::{Cut, Measurement, SearchType, parts};
use site::{Segment, Site};

use crate::given::{Given, Sums};

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
}

/// The performance of a segment.
#[value]
pub(crate) struct Part {
    /// The segment; null for the pages of no segment.
    segment_ref: Option<Id<Segment>>,
    /// Its name; null for the pages of no segment.
    name: Option<String>,
    clicks: u64,
    impressions: u64,
    /// Clicks per impression, 0 to 1.
    ctr: Option<f64>,
    /// The mean position.
    position: Option<f64>,
    /// The share of the clicks of all pages; shares of segments that overlap add up to more than 1.
    share: f64,
    /// Pages that were shown.
    pages: u64,
    /// The share of the segment's clicks that its best tenth of pages gets.
    top_pages_share: Option<f64>,
    /// How unequally clicks are distributed over its pages: 0 equally, near 1 to one page. Null without clicks.
    gini: Option<f64>,
    /// The change of clicks from week to week (Theil-Sen); null for fewer than six whole weeks.
    trend: Option<f64>,
    /// The p-value of "no trend"; null without a trend.
    trend_p: Option<f64>,
}

/// The performance of all segments.
#[value]
pub(crate) struct Segments {
    /// Those with the most clicks first; the pages of no segment last.
    segments: Vec<Part>,
    /// All pages.
    totals: Sums,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// What is summed up for a segment.
#[derive(Default)]
struct Sum {
    figures: Search,
    pages: BTreeMap<String, u64>,
    weeks: Vec<f64>,
}

/// Reports performance and trend per URL segment with click and page concentration.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "search performance by section of the site",
        "which segment brings the most clicks",
        "does my traffic depend on a few pages",
        "clicks of the blog compared with the shop",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Segments> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Pages, period)?;
    let segments: Vec<(Stored<Segment>, site::Rules)> = site::segments(cx, &given.site.id)
        .filter_map(|segment| {
            let rules = segment.ready()?;
            Some((segment, rules))
        })
        .collect();
    if segments.is_empty() {
        let why = "the website has no segments, so all pages are in none";
        given.degraded.push(Degraded::new("segments", why).supplied_by(
            "websites.segment.set",
            json!({ "site_id": given.site.id, "name": "Blog", "rules": [{ "match": "glob", "value": "/blog/*" }] }),
        ));
    }
    let weeks = usize::try_from(period.length() / 7).unwrap_or(0);
    let first = period.last.plus(1 - i32::try_from(weeks * 7).unwrap_or(0));
    let mut sums: Vec<Sum> = (0..=segments.len()).map(|_| Sum { weeks: vec![0.0; weeks], ..Sum::default() }).collect();
    let mut totals = Search::default();
    // The segments of a page are looked up once, not for each of its days.
    let mut last: (String, Vec<usize>) = (String::new(), Vec::new());
    let read = given.figures.by_day(Cut::Pages, period, b"", |key, day, figures| {
        let page = parts(key).0;
        if last.0 != page || last.1.is_empty() {
            let mut held: Vec<usize> = (0..segments.len()).filter(|at| site::holds(&segments[*at].1, page)).collect();
            if held.is_empty() {
                held.push(segments.len());
            }
            last = (page.to_owned(), held);
        }
        totals.add(&figures);
        for at in &last.1 {
            let sum = &mut sums[*at];
            sum.figures.add(&figures);
            *sum.pages.entry(page.to_owned()).or_default() += figures.clicks;
            if day >= first {
                let week = usize::try_from(day.since_epoch() - first.since_epoch()).unwrap_or(0) / 7;
                sum.weeks[week] += as_number(figures.clicks);
            }
        }
    });
    read.map_err(Given::unread)?;
    let mut parts: Vec<Part> = sums
        .into_iter()
        .enumerate()
        .filter(|(at, sum)| *at < segments.len() || sum.figures.impressions > 0)
        .map(|(at, sum)| part(segments.get(at).map(|it| &it.0), &sum, totals.clicks))
        .collect();
    parts.sort_by(|a, b| {
        (a.segment_ref.is_none(), std::cmp::Reverse(a.clicks))
            .cmp(&(b.segment_ref.is_none(), std::cmp::Reverse(b.clicks)))
    });
    Ok(Segments {
        segments: parts,
        totals: Sums::of(totals),
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

fn part(segment: Option<&Stored<Segment>>, sum: &Sum, all: u64) -> Part {
    let Sums { clicks, impressions, ctr, position } = Sums::of(sum.figures);
    let mut by_page: Vec<u64> = sum.pages.values().copied().collect();
    by_page.sort_unstable_by(|a, b| b.cmp(a));
    let best: u64 = by_page.iter().take(by_page.len().div_ceil(10)).sum();
    let slope = trend(&sum.weeks);
    Part {
        segment_ref: segment.map(|it| it.id.clone()),
        name: segment.map(|it| it.name.clone()),
        clicks,
        impressions,
        ctr,
        position,
        share: crate::performance::query::share(clicks, all),
        pages: by_page.len() as u64,
        top_pages_share: (clicks > 0).then(|| crate::performance::query::share(best, clicks)),
        gini: gini(&by_page).map(|it| round(it, 4)),
        trend: slope.map(|it| round(it.slope, 2)),
        trend_p: slope.map(|it| round(it.p, 6)),
    }
}

/// The Gini coefficient of counts in falling order; `None` without any.
fn gini(falling: &[u64]) -> Option<f64> {
    let (count, sum) = (as_number(falling.len() as u64), as_number(falling.iter().sum()));
    if sum <= 0.0 {
        return None;
    }
    let weighted: f64 =
        falling.iter().rev().zip(1_u64..).map(|(value, rank)| as_number(rank) * as_number(*value)).sum();
    Some((2.0 * weighted / (count * sum) - (count + 1.0) / count).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::gini;

    #[test]
    fn equal_counts_have_no_inequality_and_one_page_of_many_almost_all() {
        assert_eq!((gini(&[]), gini(&[0, 0])), (None, None));
        assert!(gini(&[5, 5, 5, 5]).is_some_and(|it| it.abs() < 1e-12));
        assert!(gini(&[10, 0, 0, 0]).is_some_and(|it| (it - 0.75).abs() < 1e-12));
        assert!(gini(&[4, 3, 2, 1]).is_some_and(|it| (it - 0.25).abs() < 1e-12));
    }
}
