//! The operation `logs.frequency.report`.

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::{median, round, spearman};
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::{Rules, Segment, Site};

use crate::crawled::Crawled;
use crate::given::{self, Given, moment};

/// Days with visits below which an address has no interval.
const FEWEST: usize = 3;
/// Important pages that one answer lists.
const MOST: usize = 100;
/// Times the usual interval after which an important page is stale.
const STALE: f64 = 3.0;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The bot.
    #[default("googlebot")]
    family: Text<1, 40>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// How often pages of a group are visited.
#[value]
pub(crate) struct Group {
    /// What the group is: the name of a segment, `depth 2`, or `decile 10`, the tenth with the most authority.
    #[own]
    name: String,
    segment_ref: Option<Id<Segment>>,
    /// Indexable pages of the crawl in it.
    pages: u64,
    /// Of these, pages that were visited in the period.
    visited: u64,
    /// Of these, pages with visits on three days or more: those that have an interval.
    n: u64,
    /// Days between two days of visits, by the median of the pages.
    median_interval_days: Option<f64>,
}

/// How authority and frequency go together.
#[value]
pub(crate) struct Correlation {
    /// Spearman's rank correlation between authority and days with visits; 1 is that the strongest are visited most.
    value: f64,
    p: f64,
    n: u64,
}

/// An important page that is visited too seldom.
#[value]
pub(crate) struct Stale {
    url: String,
    /// 1 is an average page.
    authority: Option<f64>,
    last_visit_at: Option<Moment>,
    /// Days since then, to the end of the lines.
    days: Option<f64>,
    /// The usual interval of its segment, or of all pages.
    usual_days: Option<f64>,
}

/// How often a bot comes again.
#[value]
pub(crate) struct Frequency {
    family: String,
    /// All indexable pages.
    overall: Group,
    segments: Vec<Group>,
    by_depth: Vec<Group>,
    /// Tenths by authority, the weakest first; empty without a link graph.
    by_authority: Vec<Group>,
    /// Null for fewer than ten pages with an interval, and without a link graph.
    correlation: Option<Correlation>,
    /// Pages of the strongest tenth whose last visit is three usual intervals ago or never was, the strongest first.
    stale_important: Vec<Stale>,
    stale_important_total: u64,
    known_days: u64,
    crawl: Basis,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// A page with its visits.
struct Page<'a> {
    url: &'a str,
    depth: u32,
    authority: Option<f64>,
    days: usize,
    interval: Option<f64>,
    last: Option<u64>,
}

/// Reports recrawl interval by segment, depth and authority decile with rank correlation between authority and crawl frequency.
///
/// The interval of a page is the days from its first to its last day with a visit, by the number of such days less one; pages
/// with visits on fewer than three days have none. Pages are the indexable ones of the newest crawl.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 100_000, unit = "pages"),
    needs = ["store"],
    phrasings = ["how often does google recrawl my pages", "crawl frequency by section", "which important pages are rarely crawled"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Frequency>> {
    let mut given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let family = given::family(args.family.as_str(), "/family")?;
    let crawl = Crawled::required(cx, &given.site.id)?;
    let mut visited: BTreeMap<String, (BTreeSet<i32>, u64)> = BTreeMap::new();
    given.family(family.family, |url, _, day, it| {
        if crawl.pages.get(url).is_some_and(addresses::Known::is_indexable) {
            let (days, last) = visited.entry(url.to_owned()).or_default();
            days.insert(day.since_epoch());
            *last = (*last).max(it.last);
        }
    })?;
    let mut pages: Vec<Page<'_>> = crawl
        .pages
        .values()
        .filter(|it| it.is_indexable())
        .map(|it| {
            let seen = visited.get(&it.url);
            let days = seen.map_or(0, |it| it.0.len());
            Page {
                url: &it.url,
                depth: it.depth,
                authority: crawl.authority(&it.url),
                days,
                interval: seen.and_then(|it| interval(&it.0)),
                last: seen.map(|it| it.1),
            }
        })
        .collect();
    pages.sort_by(|a, b| a.url.cmp(b.url));
    let all: Vec<&Page<'_>> = pages.iter().collect();
    let usual = of("all", None, &all);
    let segments: Vec<(Stored<Segment>, Rules)> =
        site::segments(cx, &given.site.id).filter_map(|it| it.ready().map(|rules| (it, rules))).collect();
    let of_segments: Vec<Group> = segments
        .iter()
        .map(|(segment, rules)| {
            let held: Vec<&Page<'_>> = pages.iter().filter(|it| site::holds(rules, it.url)).collect();
            of(&segment.name, Some(segment.id.clone()), &held)
        })
        .collect();
    let mut depths: BTreeMap<u32, Vec<&Page<'_>>> = BTreeMap::new();
    pages.iter().for_each(|it| depths.entry(it.depth).or_default().push(it));
    let by_depth =
        depths.into_iter().take(20).map(|(depth, held)| of(&format!("depth {depth}"), None, &held)).collect();
    let mut strong: Vec<&Page<'_>> = pages.iter().filter(|it| it.authority.is_some()).collect();
    strong.sort_by(|a, b| {
        a.authority.unwrap_or(0.0).total_cmp(&b.authority.unwrap_or(0.0)).then_with(|| a.url.cmp(b.url))
    });
    let tenth = |at: usize| &strong[strong.len() * at / 10..strong.len() * (at + 1) / 10];
    let by_authority: Vec<Group> = if strong.len() < 10 {
        Vec::new()
    } else {
        (0..10).map(|at| of(&format!("decile {}", at + 1), None, tenth(at))).collect()
    };
    let pairs: Vec<(f64, f64)> = strong.iter().filter_map(|it| Some((it.authority?, number(it.days)))).collect();
    let correlation =
        spearman(&pairs).map(|it| Correlation { value: round(it.value, 4), p: round(it.p, 6), n: pairs.len() as u64 });
    let usual_of = |url: &str| {
        let own = segments.iter().zip(&of_segments).find(|((_, rules), _)| site::holds(rules, url));
        own.and_then(|(_, group)| group.median_interval_days).or(usual.median_interval_days)
    };
    let end = given.coverage.end().unwrap_or(0);
    let mut stale: Vec<Stale> = Vec::new();
    for page in if strong.len() < 10 { &[][..] } else { tenth(9) }.iter().rev() {
        let usual_days = usual_of(page.url);
        let days = page.last.map(|it| round(number_of(end.saturating_sub(it)) / 86_400.0, 2));
        let known = number_of(end.saturating_sub(given.coverage.start().unwrap_or(end))) / 86_400.0;
        let is_stale = usual_days.is_some_and(|usual| days.unwrap_or(known) > usual * STALE);
        if is_stale {
            let last_visit_at = page.last.map(moment);
            stale.push(Stale { url: page.url.to_owned(), authority: page.authority, last_visit_at, days, usual_days });
        }
    }
    let stale_important_total = stale.len() as u64;
    stale.truncate(MOST);
    let next = if stale.is_empty() {
        Vec::new()
    } else {
        let urls: Vec<&String> = stale.iter().map(|it| &it.url).take(100).collect();
        let site = json!({ "site_id": given.site.id, "choose": "listed", "urls": urls });
        vec![Next::new(
            "indexing.inspection.run",
            site,
            "asks Google what it knows of the important pages that it seldom reads",
        )]
    };
    let units = all.len() as u64;
    let mut degraded = given.degraded.clone();
    degraded.extend(crawl.degraded.iter().cloned());
    let frequency = Frequency {
        family: family.family.to_owned(),
        overall: usual,
        segments: of_segments,
        by_depth,
        by_authority,
        correlation,
        stale_important: stale,
        stale_important_total,
        known_days: given.known_days(),
        crawl: crawl.basis.clone(),
        basis: given.basis,
        degraded,
        next,
    };
    Ok(Answer::new(frequency).units(units.min(100_000)))
}

/// Days between two days of visits.
fn interval(days: &BTreeSet<i32>) -> Option<f64> {
    let (first, last) = (days.first()?, days.last()?);
    (days.len() >= FEWEST).then(|| f64::from(last - first) / number(days.len() - 1))
}

fn of(name: &str, segment_ref: Option<Id<Segment>>, pages: &[&Page<'_>]) -> Group {
    let intervals: Vec<f64> = pages.iter().filter_map(|it| it.interval).collect();
    Group {
        name: name.to_owned(),
        segment_ref,
        pages: pages.len() as u64,
        visited: pages.iter().filter(|it| it.days > 0).count() as u64,
        n: intervals.len() as u64,
        median_interval_days: (!intervals.is_empty()).then(|| round(median(&intervals), 3)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "days of a period")]
fn number(days: usize) -> f64 {
    days as f64
}

fn number_of(seconds: u64) -> f64 {
    kit::number::as_number(seconds)
}
