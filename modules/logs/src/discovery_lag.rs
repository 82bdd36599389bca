//! The operation `logs.discovery_lag.report`.

use std::collections::{BTreeMap, HashMap};

use kit::statistics::{median_survival, round, survival};
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use site::{Rules, Segment, Site};

use crate::crawled::Crawled;
use crate::format::Clock;
use crate::given::{self, Given, moment};

/// Pages below which there is no curve.
const FEWEST: usize = 10;
/// Steps of a curve that one answer lists.
const STEPS: usize = 200;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The bot.
    #[default("googlebot")]
    family: Text<1, 40>,
    /// Pages published on this day or later; 28 days before the end when left out.
    from: Option<Day>,
    /// Pages published on this day or earlier; the last day with lines when left out.
    to: Option<Day>,
}

/// A step of the curve.
#[value]
pub(crate) struct Point {
    /// Hours since publication.
    hours: f64,
    /// Pages that were still waiting just before.
    n: u64,
    /// The part of pages that no visit has reached by then, 0 to 1.
    unvisited: f64,
    /// Its 95 % interval.
    ci95: [f64; 2],
}

/// The lag of a group of pages.
#[value]
pub(crate) struct Group {
    /// A segment, or a month of publication such as `2026-09`.
    #[own]
    name: String,
    segment_ref: Option<Id<Segment>>,
    n: u64,
    /// Pages that were visited.
    visited: u64,
    /// Null for fewer than ten pages, and where fewer than half were visited.
    median_hours: Option<f64>,
}

/// How dates of publication were known.
#[value]
pub(crate) struct Dates {
    /// The page says day and time.
    to_the_second: u64,
    /// The page says the day: its noon in UTC is taken, which is right within 12 hours.
    to_the_day: u64,
}

/// A page that was not visited yet.
#[value]
pub(crate) struct Waiting {
    url: String,
    published_at: Moment,
    /// Hours since then, to the end of the lines.
    hours: f64,
}

/// How long new pages wait for their first visit.
#[value]
pub(crate) struct Lag {
    family: String,
    /// Hours until half of the pages were visited; null for fewer than ten pages, and where fewer than half were.
    median_hours: Option<f64>,
    n: u64,
    visited: u64,
    /// The Kaplan-Meier curve, at most 200 of its steps; empty for fewer than ten pages.
    curve: Vec<Point>,
    by_segment: Vec<Group>,
    by_month: Vec<Group>,
    /// The first 25 pages without a visit, the longest wait first.
    not_yet_visited: Vec<Waiting>,
    date_precision: Dates,
    /// Pages that were published before the first line: their first visit may have been before it, so they are left out.
    left_out: u64,
    known_days: u64,
    crawl: Basis,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// A page with its wait.
struct Page<'a> {
    url: &'a str,
    published: u64,
    /// Hours, and whether they ended with a visit.
    wait: (f64, bool),
}

/// Estimates time from publication to first search-bot visit with Kaplan-Meier, so pages never visited count as censored, by segment and month.
///
/// Pages are the indexable ones of the newest crawl that say when they were published. A visit counts from an address of the
/// bot's operator; where none of its visits could be verified, its name counts. Pages without a visit are censored at the last
/// hour that has lines.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how fast does google find new pages", "time to first crawl", "how long until googlebot visits a new article"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-08-01", "to": "2026-09-15" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Lag> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let family = given::family(args.family.as_str(), "/family")?;
    let crawl = Crawled::required(cx, &given.site.id)?;
    let mut newest: HashMap<String, (u64, u64)> = HashMap::new();
    let mut any_verified = false;
    let read = given.store.all_newest(|url, of, it| {
        if of == family.family {
            any_verified |= it.first_verified > 0;
            if crawl.pages.contains_key(url) {
                newest.insert(url.to_owned(), (it.first, it.first_verified));
            }
        }
    });
    read.map_err(|why| why.at("/site_id"))?;
    // What was there before the first line of all, not of the period: a page may have been visited before the period began.
    let everything = search::Period { first: given.period.first.plus(-400), last: given.period.last };
    let coverage = given::Coverage::of(cx, &given.site.id, everything);
    let (start, end) = (coverage.start().unwrap_or(0), coverage.end().unwrap_or(0));
    let mut clock = Clock::new(None, i64::try_from(cx.now().millis() / 1_000).unwrap_or(0));
    let (mut dates, mut left_out) = (Dates { to_the_second: 0, to_the_day: 0 }, 0);
    let mut pages: Vec<Page<'_>> = Vec::new();
    for page in crawl.pages.values().filter(|it| it.is_indexable()) {
        let Some((published, exact)) = page.published.as_deref().and_then(|text| published(text, &mut clock)) else {
            continue;
        };
        if !given.period.contains(moment(published).day()) {
            continue;
        }
        if published < start {
            left_out += 1;
            continue;
        }
        if published >= end {
            continue;
        }
        if exact {
            dates.to_the_second += 1
        } else {
            dates.to_the_day += 1
        }
        let visit = newest.get(&page.url).map(|(all, verified)| if any_verified { *verified } else { *all });
        let wait = match visit.filter(|it| *it > 0) {
            // A day is taken at its noon: what was visited in its morning waited for nothing.
            Some(visit) => (hours(visit.saturating_sub(published)), true),
            None => (hours(end - published), false),
        };
        pages.push(Page { url: &page.url, published, wait });
    }
    pages.sort_by(|a, b| a.url.cmp(b.url));
    let all: Vec<&Page<'_>> = pages.iter().collect();
    let whole = of("all", None, &all);
    let curve = curve(&all);
    let segments: Vec<(Stored<Segment>, Rules)> =
        site::segments(cx, &given.site.id).filter_map(|it| it.ready().map(|rules| (it, rules))).collect();
    let by_segment = segments.iter().map(|(segment, rules)| {
        let held: Vec<&Page<'_>> = pages.iter().filter(|it| site::holds(rules, it.url)).collect();
        of(&segment.name, Some(segment.id.clone()), &held)
    });
    let by_segment = by_segment.collect();
    let mut months: BTreeMap<String, Vec<&Page<'_>>> = BTreeMap::new();
    for page in &pages {
        months.entry(search::Month::of(moment(page.published).day()).to_string()).or_default().push(page);
    }
    let by_month = months.into_iter().map(|(month, held)| of(&month, None, &held)).collect();
    let mut waiting: Vec<&Page<'_>> = pages.iter().filter(|it| !it.wait.1).collect();
    waiting.sort_by(|a, b| b.wait.0.total_cmp(&a.wait.0).then_with(|| a.url.cmp(b.url)));
    let waiting = waiting.into_iter().take(25).map(|it| Waiting {
        url: it.url.to_owned(),
        published_at: moment(it.published),
        hours: round(it.wait.0, 2),
    });
    let waiting = waiting.collect();
    let mut degraded = given.degraded.clone();
    degraded.extend(crawl.degraded.iter().filter(|it| it.what != "authority").cloned());
    if whole.n < FEWEST as u64 {
        let why = format!("{} pages say that they were published in this period; a curve needs {FEWEST}", whole.n);
        degraded.push(Degraded::new("curve", why));
    }
    if !any_verified && whole.visited > 0 {
        let why = "no visit of this bot could be verified; its name alone is counted, which anybody can use";
        let verify = sdk::json!({ "site_id": given.site.id });
        degraded.push(Degraded::new("verification", why).supplied_by("logs.bot.verify", verify));
    }
    Ok(Lag {
        family: family.family.to_owned(),
        median_hours: whole.median_hours,
        n: whole.n,
        visited: whole.visited,
        curve,
        by_segment,
        by_month,
        not_yet_visited: waiting,
        date_precision: dates,
        left_out,
        known_days: given.known_days(),
        crawl: crawl.basis.clone(),
        basis: given.basis,
        degraded,
    })
}

/// The second of a publication, and whether its time is known.
fn published(text: &str, clock: &mut Clock) -> Option<(u64, bool)> {
    let has_time = text.contains(':') && text.contains(['T', ' ']);
    // Many pages write no seconds.
    let exact = has_time.then(|| {
        clock.read(text.as_bytes()).or_else(|| {
            let (head, tail) = (text.get(..16)?, text.get(16..)?);
            clock.read(format!("{head}:00{tail}").as_bytes())
        })
    });
    if let Some(second) = exact.flatten() {
        return Some((u64::try_from(second).ok()?, true));
    }
    let day = kit::dates::parse(text)?.days();
    Some((u64::try_from(day * 86_400 + 43_200).ok()?, false))
}

fn hours(seconds: u64) -> f64 {
    kit::number::as_number(seconds) / 3_600.0
}

fn of(name: &str, segment_ref: Option<Id<Segment>>, pages: &[&Page<'_>]) -> Group {
    let median = (pages.len() >= FEWEST).then(|| median_survival(&survival(&waits(pages)))).flatten();
    Group {
        name: name.to_owned(),
        segment_ref,
        n: pages.len() as u64,
        visited: pages.iter().filter(|it| it.wait.1).count() as u64,
        median_hours: median.map(|it| round(it, 2)),
    }
}

fn waits(pages: &[&Page<'_>]) -> Vec<(f64, bool)> {
    pages.iter().map(|it| it.wait).collect()
}

/// The steps of the curve, evenly thinned where there are many.
fn curve(pages: &[&Page<'_>]) -> Vec<Point> {
    if pages.len() < FEWEST {
        return Vec::new();
    }
    let steps = survival(&waits(pages));
    let every = steps.len().div_ceil(STEPS).max(1);
    let last = steps.len().saturating_sub(1);
    let kept = steps.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
    let point = |(_, it): (usize, &kit::statistics::Survival)| Point {
        hours: round(it.time, 3),
        n: pages.iter().filter(|page| page.wait.0 >= it.time).count() as u64,
        unvisited: round(it.share, 6),
        ci95: [round(it.low, 6), round(it.high, 6)],
    };
    kept.map(point).collect()
}

#[cfg(test)]
mod tests;
