//! The operation `search_console.page.query.list`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use kit::statistics::{round, trend};
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use search::{Cut, Measurement, SearchType, key, parts};
use site::Site;

use crate::given::{Given, Sums};
use site::pages::{Contains, Crawl};

/// Weeks from which a trend is computed.
const MIN_WEEKS: usize = 6;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The address of the page, as Google shows it.
    url: Url,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
}

/// A query that the page is shown for.
#[value]
pub(crate) struct Query {
    query: String,
    clicks: u64,
    impressions: u64,
    /// Clicks per impression, 0 to 1.
    ctr: Option<f64>,
    /// The mean position.
    position: Option<f64>,
    /// The change of clicks from week to week (Theil-Sen); null for periods of fewer than six whole weeks.
    trend: Option<f64>,
    /// The p-value of "no trend" (Mann-Kendall); null without a trend.
    trend_p: Option<f64>,
    /// How the text of the page contains the query; null without a crawl of the page.
    in_text: Option<Contains>,
}

/// The queries of a page.
#[page]
pub(crate) struct Queries {
    /// Those with the most clicks first.
    queries: Vec<Query>,
    /// Queries in all.
    total: u64,
    /// The page with all queries, rare ones included; null when figures by page are not stored.
    page: Option<Sums>,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists the queries of one page with clicks, position, trend and whether the page text contains each.
///
/// The address is looked up as it is given and as its normal form. Google leaves rare queries out, so they add up to less
/// than the page.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which queries bring people to this page",
        "what does this url rank for",
        "queries of a page in search console",
        "does my page contain the words that people search",
    ],
    examples = [{ "site_id": "4503599627370496", "url": "https://shop.example/lamps" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Queries> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Details, period)?;
    let normal = kit::url::normalize(args.url.as_str());
    let mut addresses = vec![args.url.as_str().to_owned()];
    addresses.extend(normal.filter(|it| *it != addresses[0]));
    let weeks = usize::try_from(period.length() / 7).unwrap_or(0);
    // Whole weeks, counted back from the last day.
    let first_of_weeks = period.last.plus(1 - i32::try_from(weeks * 7).unwrap_or(0));
    let mut found: BTreeMap<String, (Search, Vec<f64>)> = BTreeMap::new();
    let mut page = Search::default();
    for address in &addresses {
        let prefix = key([address.as_str(), ""]);
        let read = given.figures.by_day(Cut::Details, period, &prefix, |key, day, figures| {
            let (sum, by_week) =
                found.entry(parts(key).1.to_owned()).or_insert_with(|| (Search::default(), vec![0.0; weeks]));
            sum.add(&figures);
            if day >= first_of_weeks {
                let week = usize::try_from(day.since_epoch() - first_of_weeks.since_epoch()).unwrap_or(0) / 7;
                by_week[week] += as_number(figures.clicks);
            }
        });
        read.map_err(Given::unread)?;
        let read = given.figures.sums(Cut::Pages, period, address.as_bytes(), |key, sum| {
            if parts(key).0 == address {
                page.add(&sum);
            }
        });
        read.map_err(Given::unread)?;
    }
    let mut rows: Vec<(String, (Search, Vec<f64>))> = found.into_iter().collect();
    rows.sort_by(|a, b| {
        let (left, right) = (a.1.0, b.1.0);
        right.clicks.cmp(&left.clicks).then(right.impressions.cmp(&left.impressions)).then_with(|| a.0.cmp(&b.0))
    });
    let total = rows.len() as u64;
    let shown = args.window(rows)?;
    let crawl = Crawl::newest(cx, &given.site.id);
    let text = crawl.as_ref().and_then(|crawl| addresses.iter().find_map(|url| crawl.page(url)));
    if text.is_none() {
        let why = "the newest crawl does not have this page, so its text is not known";
        let arguments = json!({ "site_id": given.site.id });
        given.degraded.push(Degraded::new("in_text", why).supplied_by("crawl.run.start", arguments));
    }
    let queries = shown.items.into_iter().map(|(query, (sum, by_week))| {
        let Sums { clicks, impressions, ctr, position } = Sums::of(sum);
        let slope = (by_week.len() >= MIN_WEEKS).then(|| trend(&by_week)).flatten();
        let in_text = crawl.as_ref().zip(text.as_ref()).map(|(crawl, page)| {
            let whole = format!("{}\n{}\n{}", page.title.as_deref().unwrap_or_default(), page.headings, page.plain);
            crawl.contains(&whole, &query, &page.language)
        });
        let (trend, trend_p) = (slope.map(|it| round(it.slope, 3)), slope.map(|it| round(it.p, 6)));
        Query { query, clicks, impressions, ctr, position, trend, trend_p, in_text }
    });
    let queries = queries.collect();
    Ok(Queries {
        queries,
        next_cursor: shown.next,
        total,
        page: (page.impressions > 0).then(|| Sums::of(page)),
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}
