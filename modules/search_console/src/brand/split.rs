//! The operation `search_console.brand.split`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use kit::statistics::{round, trend};
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::{Cut, Measurement, SearchType, parts};
use site::Site;

use super::{Brand, Naming};
use crate::given::{Given, Sums};

/// Misspellings that are shown.
const MAX_SHOWN: usize = 20;

#[args]
pub(crate) struct Split {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// The names of the brand; those of the website, or its name and domain, when left out.
    terms: Option<List<Text<2, 80>, 0, 50>>,
}

/// A part of the performance.
#[value]
pub(crate) struct Part {
    clicks: u64,
    impressions: u64,
    /// Clicks per impression, 0 to 1.
    ctr: Option<f64>,
    /// The mean position.
    position: Option<f64>,
    /// The share of all clicks.
    share: f64,
    /// Queries; null for hidden ones, which nobody can count.
    query_count: Option<u64>,
    /// The change of clicks from week to week (Theil-Sen); null for fewer than six whole weeks.
    trend: Option<f64>,
    /// The p-value of "no trend"; null without a trend.
    trend_p: Option<f64>,
}

/// A week.
#[value]
pub(crate) struct Week {
    /// Its first day.
    from: Day,
    /// Clicks of queries that name the brand.
    brand: u64,
    /// Clicks of queries that misspell it.
    misspelled: u64,
    /// Clicks of other queries.
    non_brand: u64,
    /// Clicks of queries that Google does not name.
    hidden: u64,
}

/// A misspelling.
#[value]
pub(crate) struct Misspelling {
    query: String,
    clicks: u64,
    impressions: u64,
}

/// The parts; they add up to the totals of the property.
#[value]
pub(crate) struct Parts {
    /// Queries that name the brand.
    brand: Part,
    /// Queries that misspell it.
    misspelled: Part,
    /// Other queries.
    non_brand: Part,
    /// Queries that Google does not name, because they are rare.
    hidden: Part,
    /// The totals of the property.
    totals: Sums,
    /// Whole weeks, the earliest first.
    series: Vec<Week>,
    /// The misspellings with the most clicks.
    misspellings: Vec<Misspelling>,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Splits performance into brand, near-brand misspelling (edit distance) and non-brand and reports each trend.
///
/// A name counts where it stands as words, also without its spaces and accents. A misspelling has one typing error in five to
/// seven letters, two in eight or more, begins like the name, and is no common word of 14 languages.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how much of my search traffic is brand",
        "brand versus non brand clicks",
        "do people misspell my brand in google",
        "non brand search growth",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "terms": ["lamp shop"] }]
)]
pub(crate) fn split(cx: &Cx, args: Split) -> Result<Parts> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Queries, period)?;
    let terms: Vec<String> = args.terms.into_iter().flatten().map(|it| it.as_str().to_owned()).collect();
    let brand = if terms.is_empty() { Brand::of(&given.site) } else { Brand::new(&terms) };
    let mut queries: BTreeMap<String, Search> = BTreeMap::new();
    let read = given.figures.sums(Cut::Queries, period, b"", |key, sum| {
        queries.entry(parts(key).0.to_owned()).or_default().add(&sum);
    });
    read.map_err(Given::unread)?;
    crate::given::within_bounds(queries.len())?;
    let candidates = brand.candidates(queries.keys().map(String::as_str));
    let common = kit::word_frequencies::common(&candidates.iter().map(String::as_str).collect());
    // Most queries do not name the brand: only the others are remembered.
    let named: BTreeMap<&str, Naming> = queries
        .keys()
        .map(|query| (query.as_str(), brand.naming(query, &common)))
        .filter(|(_, naming)| *naming != Naming::None)
        .collect();
    let naming = |query: &str| named.get(query).copied().unwrap_or(Naming::None);
    let weeks = usize::try_from(period.length() / 7).unwrap_or(0);
    let first = period.last.plus(1 - i32::try_from(weeks * 7).unwrap_or(0));
    let week_of =
        |day: Day| (day >= first).then(|| usize::try_from(day.since_epoch() - first.since_epoch()).unwrap_or(0) / 7);
    let mut clicks = [vec![0_u64; weeks], vec![0; weeks], vec![0; weeks]];
    let read = given.figures.by_day(Cut::Queries, period, b"", |key, day, figures| {
        if let Some(week) = week_of(day) {
            clicks[place(naming(parts(key).0))][week] += figures.clicks;
        }
    });
    read.map_err(Given::unread)?;
    let (mut sums, mut counts) = ([Search::default(); 3], [0_u64; 3]);
    for (query, figures) in &queries {
        let at = place(naming(query));
        sums[at].add(figures);
        counts[at] += 1;
    }
    let (mut all, mut by_week) = (Search::default(), vec![0_u64; weeks]);
    for day in given.days_with(Cut::Queries, period) {
        all.add(&Search { impressions: day.impressions, clicks: day.clicks, positions: day.positions });
        if let Some(week) = day.day().and_then(week_of) {
            by_week[week] += day.clicks;
        }
    }
    let known = sums.iter().fold(Search::default(), |mut sum, part| {
        sum.add(part);
        sum
    });
    if known.clicks > all.clicks {
        let why = "the known queries have more clicks than the property, by Google's rounding; hidden ones count as 0";
        given.degraded.push(Degraded::new("hidden", why));
    }
    let hidden = Search {
        impressions: all.impressions.saturating_sub(known.impressions),
        clicks: all.clicks.saturating_sub(known.clicks),
        positions: all.positions.saturating_sub(known.positions),
    };
    let hidden_weeks: Vec<u64> = (0..weeks)
        .map(|week| by_week[week].saturating_sub(clicks.iter().map(|part| part[week]).sum::<u64>()))
        .collect();
    let part = |figures: Search, queries: Option<u64>, weekly: &[u64]| {
        let Sums { clicks, impressions, ctr, position } = Sums::of(figures);
        let slope = trend(&weekly.iter().map(|it| as_number(*it)).collect::<Vec<_>>());
        Part {
            clicks,
            impressions,
            ctr,
            position,
            share: crate::performance::query::share(figures.clicks, all.clicks),
            query_count: queries,
            trend: slope.map(|it| round(it.slope, 2)),
            trend_p: slope.map(|it| round(it.p, 6)),
        }
    };
    let series = (0..weeks)
        .map(|week| Week {
            from: first.plus(i32::try_from(week * 7).unwrap_or(0)),
            brand: clicks[0][week],
            misspelled: clicks[1][week],
            non_brand: clicks[2][week],
            hidden: hidden_weeks[week],
        })
        .collect();
    let mut misspellings: Vec<Misspelling> = named
        .iter()
        .filter(|(_, naming)| **naming == Naming::Misspelled)
        .filter_map(|(query, _)| {
            let figures = queries.get(*query)?;
            Some(Misspelling { query: (*query).to_owned(), clicks: figures.clicks, impressions: figures.impressions })
        })
        .collect();
    misspellings.sort_by(|a, b| b.clicks.cmp(&a.clicks).then_with(|| a.query.cmp(&b.query)));
    misspellings.truncate(MAX_SHOWN);
    Ok(Parts {
        brand: part(sums[0], Some(counts[0]), &clicks[0]),
        misspelled: part(sums[1], Some(counts[1]), &clicks[1]),
        non_brand: part(sums[2], Some(counts[2]), &clicks[2]),
        hidden: part(hidden, None, &hidden_weeks),
        totals: Sums::of(all),
        series,
        misspellings,
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

fn place(naming: Naming) -> usize {
    match naming {
        Naming::Exact => 0,
        Naming::Misspelled => 1,
        Naming::None => 2,
    }
}
