//! The operation `backlinks.change.report`.

use std::collections::{BTreeMap, BTreeSet};

use kit::number::as_number;
use kit::statistics::{deviation, mean, poisson_at_least, round};
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use site::Site;

use crate::given::{Given, day};
use crate::link::NO_DAY;
use crate::listing::rating;
use crate::verify::look::{Cause, cause};

/// Days of a report without a period.
const DAYS: i32 = 90;
/// Domains and bursts that one answer lists.
const MOST: usize = 100;
/// Weeks that a week is held against, and those that are needed.
const TRAILING: usize = 26;
const FEWEST_WEEKS: usize = 8;
/// The probability below which a week is a burst, and the fewest domains of one.
const RARE: f64 = 0.001;
const FEWEST: u64 = 5;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days before the end when left out.
    from: Option<Day>,
    /// The last day; the newest day that a tool names when left out.
    to: Option<Day>,
}

/// A domain that began to link.
#[value]
pub(crate) struct Gained {
    domain: String,
    first_seen: Day,
    links: u64,
    followed_links: u64,
    /// The highest rating that a tool gives it, 0 to 100.
    rating: Option<u8>,
    anchor: Option<String>,
    sample_source: String,
}

/// A link that was lost, or that is there and worth less.
#[value]
pub(crate) struct Lost {
    source: String,
    domain: String,
    target: Option<String>,
    anchor: String,
    lost_on: Day,
    cause: Cause,
    followed: bool,
    rating: Option<u8>,
    /// Whether no other link of the domain is left.
    last_of_domain: bool,
}

/// A week with unusually many new domains.
#[value]
pub(crate) struct Burst {
    /// Its Monday.
    week_of: Day,
    new_domains: u64,
    /// New domains of a week in the 26 weeks before, on average.
    mean: f64,
    /// The probability of so many by chance.
    p: f64,
    /// The text that most of the new domains share, and how many do.
    common_anchor: Option<String>,
    sharing_domains: u64,
}

/// A week.
#[value]
pub(crate) struct Week {
    /// Its Monday.
    week_of: Day,
    new_links: u64,
    new_domains: u64,
    lost_links: u64,
}

/// What changed in a profile.
#[value]
pub(crate) struct Changes {
    /// Domains, those with the highest rating first, at most 100.
    gained: Vec<Gained>,
    gained_total: u64,
    /// Links, those with the highest rating first, at most 100.
    lost: Vec<Lost>,
    lost_total: u64,
    /// The newest first.
    bursts: Vec<Burst>,
    series: Vec<Week>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

struct Domain {
    first: i32,
    links: u64,
    followed: u64,
    live: u64,
    rating: Option<u8>,
    anchors: BTreeMap<String, u64>,
    source: String,
}

/// Reports links and domains gained and lost with cause of loss (removed, page gone, nofollowed, noindexed, redirected) and unusual bursts.
///
/// Days are those on which a tool saw a link first, or a tool or a look of backlinks.verify.run found it gone: a tool that began to
/// look late sees old links as new. A link that stands and is worth less, nofollowed or noindexed, is listed as lost too. A burst
/// is a week with more new domains than one week in 1,000 has by chance, by the mean and spread of the 26 weeks before.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["new and lost backlinks", "which links did we lose", "are we getting spam links", "link velocity"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-07-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Changes> {
    let given = Given::of(cx, &args.site_id)?;
    let mut domains: BTreeMap<String, Domain> = BTreeMap::new();
    let mut dated: Vec<(i32, i32)> = Vec::new();
    let mut gone: Vec<(i32, Cause, crate::link::Link)> = Vec::new();
    let (mut newest, mut undated) = (NO_DAY, 0_u64);
    given.links.each_looked(|link, look| {
        newest = newest.max(link.first).max(link.last).max(link.lost);
        undated += u64::from(link.first == NO_DAY);
        let it = domains.entry(link.domain().to_owned()).or_insert_with(|| Domain {
            first: NO_DAY,
            links: 0,
            followed: 0,
            live: 0,
            rating: None,
            anchors: BTreeMap::new(),
            source: link.source.clone(),
        });
        if link.first != NO_DAY && (it.first == NO_DAY || link.first < it.first) {
            it.first = link.first;
        }
        it.links += 1;
        it.followed += u64::from(link.is_followed());
        it.live += u64::from(!link.is_lost());
        it.rating = it.rating.max(rating(&link));
        if !link.anchor.is_empty() {
            *it.anchors.entry(link.anchor.clone()).or_default() += 1;
        }
        dated.push((link.first, link.lost));
        if let Some(cause) = cause(&link, look) {
            let day = if link.is_lost() { link.lost } else { look.map_or(NO_DAY, |it| it.link.since) };
            gone.push((day, cause, link));
        }
    })?;
    let to = args.to.or_else(|| day(newest)).unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(1 - DAYS));
    if from > to {
        return Err(Fault::invalid("/to", "range_reversed", "to is a day before from"));
    }
    let inside = |number: i32| (from.since_epoch()..=to.since_epoch()).contains(&number);
    let mut gained: Vec<Gained> = domains
        .iter()
        .filter(|(_, it)| inside(it.first))
        .map(|(domain, it)| Gained {
            domain: domain.clone(),
            first_seen: Day::from_epoch(it.first),
            links: it.links,
            followed_links: it.followed,
            rating: it.rating,
            anchor: most(&it.anchors),
            sample_source: it.source.clone(),
        })
        .collect();
    gained.sort_by(|a, b| b.rating.cmp(&a.rating).then(b.links.cmp(&a.links)).then_with(|| a.domain.cmp(&b.domain)));
    let mut lost: Vec<Lost> = gone
        .into_iter()
        .filter(|it| inside(it.0))
        .map(|(day, cause, it)| Lost {
            domain: it.domain().to_owned(),
            target: (!it.target.is_empty()).then(|| it.target.clone()),
            lost_on: Day::from_epoch(day),
            cause,
            followed: it.is_followed(),
            rating: rating(&it),
            last_of_domain: domains.get(it.domain()).is_some_and(|it| it.live == 0),
            anchor: it.anchor,
            source: it.source,
        })
        .collect();
    lost.sort_by(|a, b| {
        b.rating.cmp(&a.rating).then(b.followed.cmp(&a.followed)).then_with(|| a.source.cmp(&b.source))
    });
    let weeks = weeks(&domains, &dated);
    let mut bursts = bursts(&weeks, &domains);
    bursts.retain(|it| inside(it.week_of.since_epoch()));
    bursts.reverse();
    bursts.truncate(MOST);
    let mut degraded = given.degraded;
    if undated > 0 {
        let why = format!("{undated} links have no first day: their tools do not say it");
        degraded.push(Degraded::new("days", why));
    }
    if lost.iter().any(|it| matches!(it.cause, Cause::Unknown)) {
        let why =
            "why some links were lost is not known: no tool says the status of their pages, and nobody has looked";
        let verify = json!({ "site_id": given.site.id, "only": "all" });
        degraded.push(Degraded::new("causes", why).supplied_by("backlinks.verify.run", verify));
    }
    let (gained_total, lost_total) = (gained.len() as u64, lost.len() as u64);
    gained.truncate(MOST);
    lost.truncate(MOST);
    let series = weeks.into_iter().filter(|it| inside(it.0) || inside(it.0 + 6)).map(|(monday, it)| Week {
        week_of: Day::from_epoch(monday),
        new_links: it.links,
        new_domains: it.domains,
        lost_links: it.lost,
    });
    Ok(Changes {
        gained,
        gained_total,
        lost,
        lost_total,
        bursts,
        series: series.collect(),
        basis: given.basis,
        degraded,
    })
}

fn most(anchors: &BTreeMap<String, u64>) -> Option<String> {
    anchors.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0))).map(|it| it.0.clone())
}

/// The counts of a week.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    links: u64,
    domains: u64,
    lost: u64,
}

/// All weeks from the first to the last with a change, by their Mondays.
fn weeks(domains: &BTreeMap<String, Domain>, dated: &[(i32, i32)]) -> BTreeMap<i32, Counts> {
    let mut weeks: BTreeMap<i32, Counts> = BTreeMap::new();
    for (first, lost) in dated {
        if *first != NO_DAY {
            weeks.entry(monday(*first)).or_default().links += 1;
        }
        if *lost != NO_DAY {
            weeks.entry(monday(*lost)).or_default().lost += 1;
        }
    }
    for it in domains.values().filter(|it| it.first != NO_DAY) {
        weeks.entry(monday(it.first)).or_default().domains += 1;
    }
    if let (Some(first), Some(last)) = (weeks.keys().next().copied(), weeks.keys().next_back().copied()) {
        let mut week = first;
        // Ten years at most: a wrong day must not make a long list.
        while week < last && last - first < 3_660 {
            week += 7;
            weeks.entry(week).or_default();
        }
    }
    weeks
}

/// The Monday of a day.
fn monday(day: i32) -> i32 {
    // 1970-01-01 was a Thursday.
    day - (day + 3).rem_euclid(7)
}

/// Weeks with more new domains than chance has.
fn bursts(weeks: &BTreeMap<i32, Counts>, domains: &BTreeMap<String, Domain>) -> Vec<Burst> {
    let counts: Vec<(i32, u64)> = weeks.iter().map(|(week, it)| (*week, it.domains)).collect();
    let mut out = Vec::new();
    for (at, (week, count)) in counts.iter().enumerate() {
        let before: Vec<f64> = counts[at.saturating_sub(TRAILING)..at].iter().map(|it| as_number(it.1)).collect();
        if before.len() < FEWEST_WEEKS || *count < FEWEST {
            continue;
        }
        let (middle, spread) = (mean(&before), deviation(&before));
        let p = tail(*count, middle.max(0.1), spread * spread);
        if p >= RARE {
            continue;
        }
        let new: Vec<&Domain> = domains.values().filter(|it| it.first != NO_DAY && monday(it.first) == *week).collect();
        let mut shared: BTreeMap<&str, u64> = BTreeMap::new();
        for it in &new {
            let texts: BTreeSet<&str> = it.anchors.keys().map(String::as_str).collect();
            texts.into_iter().for_each(|text| *shared.entry(text).or_default() += 1);
        }
        let common = shared.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(a.0))).filter(|it| it.1 >= 2);
        out.push(Burst {
            week_of: Day::from_epoch(*week),
            new_domains: *count,
            mean: round(middle, 2),
            p: round(p, 6),
            common_anchor: common.map(|it| it.0.to_owned()),
            sharing_domains: common.map_or(0, |it| it.1),
        });
    }
    out
}

/// The probability of so many or more: the negative binomial law with this mean and variance, the Poisson law where the variance is
/// no greater than the mean.
fn tail(count: u64, mean: f64, variance: f64) -> f64 {
    if variance <= mean * 1.000_001 {
        return poisson_at_least(count, mean);
    }
    let size = mean * mean / (variance - mean);
    let stay = size / (size + mean);
    // The mass at 0, and each next one from the one before.
    let mut mass = stay.powf(size);
    let mut below = 0.0;
    for at in 0..count {
        below += mass;
        let at = as_number(at);
        mass *= (at + size) / (at + 1.0) * (1.0 - stay);
    }
    (1.0 - below).max(0.0)
}

#[cfg(test)]
mod tests;
