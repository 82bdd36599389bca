//! The operation `search_console.ctr_gap.list`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::Search;
use kit::statistics::{false_discovery, round};
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::{Cut, Measurement, SearchType, parts};
use site::Site;

use crate::brand::Brand;
use crate::given::Given;
use site::pages::Crawl;

/// The false discovery rate of the list.
const LEVEL: f64 = 0.05;
/// The least shortfall: as a share of the expected clicks, and in clicks.
const SHORTFALL: (f64, f64) = (0.2, 5.0);
/// Impressions below which a row is not tested.
const MIN_IMPRESSIONS: u64 = 50;

/// What is listed.
#[value]
pub(crate) enum By {
    Page,
    Query,
}

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// Pages, or queries with the page that is shown most.
    #[default("page")]
    by: By,
}

/// A page or query that is clicked less than its position explains.
#[value]
pub(crate) struct Gap {
    /// The address or query.
    key: String,
    /// The page; for a query the one that is shown most.
    page: String,
    /// Clicks per impression, 0 to 1.
    ctr: f64,
    /// The click rate that its positions explain.
    expected: f64,
    /// Expected clicks less clicks.
    lost_clicks: f64,
    clicks: u64,
    impressions: u64,
    /// The mean position.
    position: f64,
    /// The p-value of "clicked as expected", one-sided.
    p: f64,
    /// The p-value corrected for all tested rows (false discovery rate).
    q: f64,
    /// How much click rates vary at one position, relative to a binomial law.
    dispersion: f64,
    /// The title of the page in the newest crawl; null when it was not crawled.
    title: Option<String>,
    /// Its description; null when there is none.
    description: Option<String>,
    /// What improves the snippet.
    fix: Option<Fix>,
}

/// Pages or queries.
#[page]
pub(crate) struct Gaps {
    /// Those that lose the most clicks first.
    rows: Vec<Gap>,
    /// Rows in all.
    total: u64,
    /// Rows that were tested.
    tested_rows: u32,
    /// The click rates by position that are expected.
    #[own]
    curve: String,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// What is summed up for a row.
#[derive(Default)]
struct Sum {
    figures: Search,
    expected: f64,
    pages: BTreeMap<String, u64>,
}

/// Lists pages and queries whose click rate is below the fitted curve for their position beyond chance (binomial test), with the current snippet.
///
/// Queries that name the brand are left out. A row is listed when its shortfall is at least 20 % and 5 clicks and its false
/// discovery rate below 5 %.
#[operation(
    read,
    scope = "seo:analyze",
    cost = list,
    needs = ["store"],
    phrasings = [
        "pages with a low click rate for their position",
        "which titles should I rewrite to get more clicks",
        "ctr below expected",
        "snippets that nobody clicks",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "by": "query" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Gaps> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Details, period)?;
    let (curve, curve_name) = given.curve(period);
    let brand = Brand::of(&given.site);
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    // The days of a key follow each other: whether its query names the brand is looked for once.
    let (mut last, mut of_brand) = (String::new(), false);
    let read = given.figures.by_day(Cut::Details, period, b"", |key, _, figures| {
        let (page, query) = parts(key);
        if last != query {
            query.clone_into(&mut last);
            of_brand = brand.has(query);
        }
        let Some(position) = figures.position().filter(|_| !of_brand) else { return };
        let group = if args.by == By::Page { page } else { query };
        if sums.len() > crate::given::MAX_GROUPS {
            return;
        }
        let sum = sums.entry(group.to_owned()).or_default();
        kit::pack::Figures::add(&mut sum.figures, &figures);
        sum.expected += as_number(figures.impressions) * curve.at(position);
        if args.by == By::Query {
            *sum.pages.entry(page.to_owned()).or_default() += figures.impressions;
        }
    });
    read.map_err(Given::unread)?;
    crate::given::within_bounds(sums.len())?;
    let dispersion = dispersion(&sums);
    let tested: Vec<(String, Sum)> =
        sums.into_iter().filter(|(_, sum)| sum.figures.impressions >= MIN_IMPRESSIONS).collect();
    let values: Vec<f64> = tested.iter().map(|(_, sum)| p_value(sum, dispersion)).collect();
    let corrected = false_discovery(&values);
    let count = u32::try_from(tested.len()).unwrap_or(u32::MAX);
    let mut rows: Vec<(f64, f64, f64, String, Sum)> = tested
        .into_iter()
        .zip(values)
        .zip(corrected)
        .filter_map(|(((key, sum), p), q)| {
            let lost = sum.expected - as_number(sum.figures.clicks);
            let short = lost >= SHORTFALL.1 && lost >= SHORTFALL.0 * sum.expected;
            (short && q < LEVEL).then_some((lost, p, q, key, sum))
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.3.cmp(&b.3)));
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let crawl = Crawl::newest(cx, &given.site.id);
    if crawl.is_none() {
        let why = "no crawl of the website has ended, so titles and descriptions are not known";
        let arguments = json!({ "site_id": given.site.id });
        given.degraded.push(Degraded::new("title and description", why).supplied_by("crawl.run.start", arguments));
    }
    let shown = page.items.into_iter().map(|(lost, p, q, key, sum)| {
        let shown_most = sum.pages.into_iter().max_by_key(|(page, shown)| (*shown, std::cmp::Reverse(page.clone())));
        let page = shown_most.map_or_else(|| key.clone(), |it| it.0);
        let known = crawl.as_ref().and_then(|crawl| crawl.page(&page));
        let impressions = as_number(sum.figures.impressions);
        Gap {
            ctr: round(as_number(sum.figures.clicks) / impressions, 6),
            expected: round(sum.expected / impressions, 6),
            lost_clicks: round(lost, 1),
            clicks: sum.figures.clicks,
            impressions: sum.figures.impressions,
            position: round(sum.figures.position().unwrap_or(0.0), 2),
            p: round(p, 6),
            q: round(q, 6),
            dispersion: round(dispersion, 2),
            title: known.as_ref().and_then(|it| it.title.clone()),
            description: known.and_then(|it| it.description),
            fix: site::retitle(&page, Some(key.as_str()).filter(|it| *it != page)),
            page,
            key,
        }
    });
    let rows = shown.collect();
    Ok(Gaps {
        rows,
        next_cursor: page.next,
        total,
        tested_rows: count,
        curve: curve_name.to_owned(),
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// How much rows vary about what is expected of them, relative to a binomial law: Pearson's χ² of those with at least five
/// expected clicks, by the median, which rows that do fall short do not move; at least 1.
fn dispersion(sums: &BTreeMap<String, Sum>) -> f64 {
    /// The median of χ² with one degree of freedom.
    const MEDIAN: f64 = 0.454_936;
    let squares: Vec<f64> = sums
        .values()
        .filter(|sum| sum.expected >= SHORTFALL.1)
        .map(|sum| {
            let share = sum.expected / as_number(sum.figures.impressions);
            (as_number(sum.figures.clicks) - sum.expected).powi(2) / (sum.expected * (1.0 - share).max(1e-9))
        })
        .collect();
    if squares.len() < 10 { 1.0 } else { (kit::statistics::median(&squares) / MEDIAN).max(1.0) }
}

/// The p-value of a shortfall: binomial with counts divided by the dispersion.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of clicks")]
fn p_value(sum: &Sum, dispersion: f64) -> f64 {
    let whole = |count: u64| (as_number(count) / dispersion).round() as u64;
    let trials = whole(sum.figures.impressions).max(1);
    let share = (sum.expected / as_number(sum.figures.impressions)).clamp(0.0, 1.0);
    kit::statistics::binomial(whole(sum.figures.clicks).min(trials), trials, share, kit::statistics::Side::Less)
}

#[cfg(test)]
mod tests {
    use super::{Search, Sum, p_value};

    #[test]
    fn without_dispersion_the_test_is_binomial() {
        let figures = Search { impressions: 1_000, clicks: 60, positions: 3_000 };
        let sum = Sum { figures, expected: 80.0, ..Sum::default() };
        let wanted = kit::statistics::binomial(60, 1_000, 0.08, kit::statistics::Side::Less);
        assert!((p_value(&sum, 1.0) - wanted).abs() < 1e-9);
        assert!(p_value(&sum, 4.0) > p_value(&sum, 1.0));
    }
}
