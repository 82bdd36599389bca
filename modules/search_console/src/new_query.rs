//! The operation `search_console.new_query.list`.

use kit::number::as_number;
use std::collections::{BTreeMap, BTreeSet};

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::{Cut, Measurement, Period, SearchType, parts};
use site::Site;

use crate::given::Given;

/// Days before the period in which a query must not have been seen.
const BEFORE: i32 = 90;
/// How certain a row has to be.
const CONFIDENCE: f64 = 0.9;

/// What is listed.
#[value]
pub(crate) enum Kind {
    /// Queries of the period that were not seen in the 90 days before it.
    New,
    /// Queries of the 90 days before the period that were not seen in it.
    Gone,
}

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// New queries, or those that are gone.
    #[default("new")]
    kind: Kind,
    /// Only queries with at least this many impressions.
    #[default(10)]
    min_impressions: Count<1, 1_000_000>,
}

/// A query that appeared or vanished.
#[value]
pub(crate) struct Query {
    query: String,
    /// The page that is shown most for it; null when queries of pages are not stored.
    page: Option<String>,
    /// The words that it shares with most other queries of the list; null when it shares none.
    topic: Option<String>,
    impressions: u64,
    clicks: u64,
    /// The mean position.
    position: Option<f64>,
    /// The first day on which it was seen, of new queries; the last one, of those that are gone.
    date: Day,
    /// The probability that it was really not searched in the other period, since Google leaves rare queries out.
    confidence: f64,
}

/// Queries that appeared or vanished.
#[page]
pub(crate) struct Queries {
    /// Those with the most impressions first.
    queries: Vec<Query>,
    /// Queries in all.
    total: u64,
    /// The days that are compared with the period.
    compared_days: u32,
    /// Known faults of Google's figures in both periods.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists queries first seen or gone in a period with the page and topic, to catch emerging demand.
///
/// Google names a query only when enough people search it, so queries appear and vanish by chance: the confidence is 1 less
/// the probability of no row at the rate of the days on which it was seen, and rows are listed from 0.9 on.
#[operation(
    read,
    scope = "seo:analyze",
    cost = list,
    needs = ["store"],
    phrasings = [
        "new queries that I started ranking for",
        "emerging search demand",
        "queries that disappeared from search console",
        "what do people search that is new",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "kind": "gone", "min_impressions": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Queries> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    let earlier = Period { first: period.first.plus(-BEFORE), last: period.first.plus(-1) };
    given.needs(Cut::Queries, period)?;
    let compared = given.figures.stored_days(Cut::Queries, earlier);
    if compared == 0 {
        let message = "no figures by query of the days before `from` are stored, so nothing can be new";
        return Err(Fault::conflict("history_too_short", message).at("/from"));
    }
    if compared < BEFORE.unsigned_abs() {
        let why = format!("only {compared} of the {BEFORE} days before the period are stored");
        given.degraded.push(Degraded::new("history", why));
    }
    let capped = |given: &Given<'_>, period: Period| -> BTreeSet<Day> {
        given.days(period).iter().filter(|it| it.capped).filter_map(search::DayRecord::day).collect()
    };
    // On a capped day a query may be missing because others have more clicks.
    let (capped_now, capped_before) = (capped(&given, period), capped(&given, earlier));
    if !capped_now.is_empty() || !capped_before.is_empty() {
        let why = format!(
            "{} days on which Google cut the list of queries are left out",
            capped_now.len() + capped_before.len()
        );
        given.degraded.push(Degraded::new("capped days", why));
    }
    let (here, there, there_capped) = match args.kind {
        Kind::New => (period, earlier, &capped_before),
        Kind::Gone => (earlier, period, &capped_now),
    };
    let mut elsewhere: BTreeSet<String> = BTreeSet::new();
    let read = given.figures.sums(Cut::Queries, there, b"", |key, _| {
        elsewhere.insert(parts(key).0.to_owned());
    });
    read.map_err(Given::unread)?;
    crate::given::within_bounds(elsewhere.len())?;
    let mut found: BTreeMap<String, (Search, Day, u32)> = BTreeMap::new();
    let read = given.figures.by_day(Cut::Queries, here, b"", |key, day, figures| {
        let query = parts(key).0;
        if elsewhere.contains(query) || found.len() > crate::given::MAX_GROUPS {
            return;
        }
        let (sum, date, days) = found.entry(query.to_owned()).or_insert((Search::default(), day, 0));
        sum.add(&figures);
        *date = if args.kind == Kind::New { (*date).min(day) } else { (*date).max(day) };
        *days += 1;
    });
    read.map_err(Given::unread)?;
    crate::given::within_bounds(found.len())?;
    let days_there =
        as_number(u64::from(given.figures.stored_days(Cut::Queries, there))) - as_number(there_capped.len() as u64);
    let least = u64::from(args.min_impressions);
    let mut rows: Vec<Query> = found
        .into_iter()
        .filter(|(_, (sum, _, _))| sum.impressions >= least)
        .filter_map(|(query, (sum, date, days))| {
            // The rate of days with a row, since it appeared or until it vanished.
            let lived = match args.kind {
                Kind::New => here.last.since_epoch() - date.since_epoch() + 1,
                Kind::Gone => date.since_epoch() - here.first.since_epoch() + 1,
            };
            let rate = f64::from(days) / f64::from(lived.max(1));
            let confidence = 1.0 - (-rate * days_there.max(0.0)).exp();
            (confidence >= CONFIDENCE).then(|| Query {
                query,
                page: None,
                topic: None,
                impressions: sum.impressions,
                clicks: sum.clicks,
                position: sum.position().map(|it| round(it, 2)),
                date,
                confidence: round(confidence, 4),
            })
        })
        .collect();
    rows.sort_by(|a, b| b.impressions.cmp(&a.impressions).then_with(|| a.query.cmp(&b.query)));
    let topics = topics(rows.iter().map(|it| it.query.as_str()));
    let total = rows.len() as u64;
    let shown = args.window(rows)?;
    let mut queries = shown.items;
    let pages = pages(&given, here, &queries)?;
    for row in &mut queries {
        row.page = pages.get(&row.query).cloned();
        row.topic = topics.get(&row.query).cloned();
    }
    let wide = Period { first: earlier.first, last: period.last };
    Ok(Queries {
        queries,
        next_cursor: shown.next,
        total,
        compared_days: compared,
        measurement: search::measurement(wide),
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// The page that is shown most for each of some queries.
fn pages(given: &Given<'_>, period: Period, rows: &[Query]) -> Result<BTreeMap<String, String>> {
    let wanted: BTreeSet<&str> = rows.iter().map(|it| it.query.as_str()).collect();
    let mut shown: BTreeMap<(String, String), u64> = BTreeMap::new();
    let read = given.figures.sums(Cut::Details, period, b"", |key, sum| {
        let (page, query) = parts(key);
        if wanted.contains(query) {
            *shown.entry((query.to_owned(), page.to_owned())).or_default() += sum.impressions;
        }
    });
    read.map_err(Given::unread)?;
    let mut best: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for ((query, page), impressions) in shown {
        let slot = best.entry(query).or_default();
        if impressions > slot.0 {
            *slot = (impressions, page);
        }
    }
    Ok(best.into_iter().map(|(query, (_, page))| (query, page)).collect())
}

/// For each query the pair of neighbouring words, else the word, that it shares with most others.
fn topics<'q>(queries: impl Iterator<Item = &'q str>) -> BTreeMap<String, String> {
    let analyzer = kit::terms::Analyzer::new("en");
    let grams = |query: &str| {
        let words: Vec<String> =
            analyzer.tokens(query).into_iter().filter(|it| !it.stop).map(|token| token.word).collect();
        let pairs: Vec<String> = words.windows(2).map(|pair| pair.join(" ")).collect();
        (pairs, words)
    };
    let all: Vec<_> = queries.map(|query| (query, grams(query))).collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, (pairs, words)) in &all {
        for gram in pairs.iter().chain(words).map(String::as_str).collect::<BTreeSet<_>>() {
            *counts.entry(gram).or_default() += 1;
        }
    }
    let shared = |grams: &[String]| {
        let best = grams.iter().max_by_key(|gram| (counts.get(gram.as_str()), std::cmp::Reverse(gram.as_str())))?;
        (counts.get(best.as_str()).copied().unwrap_or(0) > 1).then(|| best.clone())
    };
    all.iter()
        .filter_map(|(query, (pairs, words))| Some(((*query).to_owned(), shared(pairs).or_else(|| shared(words))?)))
        .collect()
}
