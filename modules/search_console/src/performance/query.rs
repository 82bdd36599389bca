//! The operation `search_console.performance.query`.

use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::SearchType;
use site::Site;

use crate::given::{Given, Sums};
use crate::question::{Brands, Dimension, Filter, Question};
use search::Measurement;

/// Impressions below which a mean position says little: such rows come last when rows are sorted by position.
const MIN_FOR_POSITION: u64 = 10;

/// What rows are sorted by.
#[value]
pub(crate) enum Sort {
    /// The most clicks first.
    Clicks,
    /// The most impressions first.
    Impressions,
    /// The highest click rate first.
    Ctr,
    /// The best position first; rows with fewer than 10 impressions last.
    Position,
}

#[args(paged)]
pub(crate) struct Query {
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
    /// What rows are grouped by. `query` goes with `page`, `segment` and `date`; `country` and `device` with all but `query`.
    dimensions: List<Dimension, 1, 3>,
    /// Conditions; all must hold.
    filters: Option<List<Filter, 0, 8>>,
    /// Only queries that name the brand, or only others. Misspellings count as the brand.
    #[default("all")]
    brand: Brands,
    /// Only rows with at least this many impressions.
    #[default(1)]
    min_impressions: Count<1, 1_000_000>,
    /// What comes first.
    #[default("clicks")]
    sort: Sort,
}

/// A group.
#[value]
pub(crate) struct Row {
    /// One value for each dimension, in the order of `dimensions`.
    keys: Vec<String>,
    /// Clicks.
    clicks: u64,
    /// Impressions.
    impressions: u64,
    /// Clicks per impression, 0 to 1; null without impressions.
    ctr: Option<f64>,
    /// The mean position, weighted by impressions; null for types that have none.
    position: Option<f64>,
}

/// Performance.
#[page]
pub(crate) struct Performance {
    /// The groups.
    rows: Vec<Row>,
    /// Groups in all.
    total: u64,
    /// The sum of all groups that pass the filters.
    totals: Sums,
    /// The totals of the whole property; null when there is a filter. Figures by page add up to more, because two pages on
    /// one result page count twice; figures by query to less, because Google leaves rare queries out.
    property_totals: Option<Sums>,
    /// The share of the property's clicks that the figures cover; null without clicks and where pages count twice.
    covered_share: Option<f64>,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Queries imported performance by any dimensions with filters, regex, brand split and segment, computing click-weighted position correctly.
///
/// Positions are means over impressions, never means of means. Figures by query are of the queries that Google names.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "show clicks and impressions by query",
        "which pages get the most clicks from google",
        "search performance of non brand queries",
        "clicks by country and device last month",
        "search console report for a folder of my site",
    ],
    examples = [
        { "site_id": "4503599627370496", "dimensions": ["query"] },
        {
            "site_id": "4503599627370496", "from": "2026-08-01", "to": "2026-08-31", "dimensions": ["page", "country"],
            "filters": [{ "dimension": "page", "op": "contains", "value": "/guides/" }], "sort": "impressions",
        },
    ]
)]
pub(crate) fn query(cx: &Cx, args: Query) -> Result<Performance> {
    let mut given = Given::of(cx, &args.site_id, args.kind, args.from, args.to)?;
    let dimensions: Vec<Dimension> = args.dimensions.iter().copied().collect();
    if let Some(at) = (1..dimensions.len()).find(|at| dimensions[..*at].contains(&dimensions[*at])) {
        return Err(Fault::invalid(format!("/dimensions/{at}"), "dimension_twice", "this dimension is there already"));
    }
    let filters: Vec<Filter> = args.filters.clone().into_iter().flatten().collect();
    let question = Question::new(&given, &dimensions, &filters, args.brand)?;
    let period = given.period;
    if let Some(cut) = question.cut {
        given.needs(cut, period)?;
    }
    let (groups, sum) = question.groups(&given, period)?;
    let least = u64::from(args.min_impressions);
    let mut rows: Vec<_> = groups.into_iter().filter(|(_, it)| it.impressions >= least).collect();
    rows.sort_by(|a, b| {
        let (left, right) = (a.1, b.1);
        let rate = |it: kit::pack::Search| it.click_rate().unwrap_or(0.0);
        let place = |it: kit::pack::Search| (it.impressions < MIN_FOR_POSITION, it.position().unwrap_or(f64::MAX));
        match args.sort {
            Sort::Clicks => right.clicks.cmp(&left.clicks).then(right.impressions.cmp(&left.impressions)),
            Sort::Impressions => right.impressions.cmp(&left.impressions),
            Sort::Ctr => rate(right).total_cmp(&rate(left)),
            Sort::Position => {
                let (left, right) = (place(left), place(right));
                left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
            }
        }
        .then_with(|| a.0.cmp(&b.0))
    });
    let total = rows.len() as u64;
    let property = given.days(period).iter().fold(kit::pack::Search::default(), |mut sum, day| {
        sum.clicks += day.clicks;
        sum.impressions += day.impressions;
        sum.positions += day.positions;
        sum
    });
    let covered_share = (question.is_of_known_queries() && property.clicks > 0 && question.is_unfiltered())
        .then(|| share(sum.clicks, property.clicks));
    let page = args.window(rows)?;
    let rows = page.items.into_iter().map(|(keys, figures)| {
        let Sums { clicks, impressions, ctr, position } = Sums::of(figures);
        Row { keys, clicks, impressions, ctr, position }
    });
    Ok(Performance {
        rows: rows.collect(),
        next_cursor: page.next,
        total,
        totals: Sums::of(sum),
        property_totals: question.is_unfiltered().then(|| Sums::of(property)),
        covered_share,
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// A share, at most 1: sums by query can pass the totals of a day by rounding.
#[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
pub(crate) fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { kit::statistics::round((part as f64 / all as f64).min(1.0), 4) }
}
