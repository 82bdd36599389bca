//! The operation `logs.status.report`.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::poisson_at_least;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::Site;
use visits::{Key, Verdict};

use crate::given::{self, Coverage, Given, class, moment, share};

/// Addresses with several answers, and bursts, that one answer lists.
const MOST: usize = 100;
/// The part of an address's requests of a day below which an answer is an exception.
const LEAST: f64 = 0.05;
/// The probability below which errors of five minutes are a burst.
const RARE: f64 = 1e-4;
/// Errors of five minutes below which there is none.
const FEWEST: u64 = 5;
/// Slots of five minutes of a day.
const OF_DAY: usize = 288;
/// Days whose five minutes are looked at.
const LOOKED_AT: u32 = 90;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The bots of this family alone, such as `googlebot`; all when left out.
    family: Option<Text<1, 40>>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// Who got the answers.
#[value]
pub(crate) enum Visitor {
    Bots,
    People,
}

/// The answers of a day.
#[value]
pub(crate) struct OfDay {
    date: Day,
    to: Visitor,
    hits: u64,
    /// Hits by class: `2xx`, `3xx`, `4xx`, `5xx`.
    by_class: BTreeMap<String, u64>,
    /// The part of answers of 500 to 599.
    error_share: Option<f64>,
}

/// An address that answered bots in several ways on one day.
#[value]
pub(crate) struct Inconsistent {
    url: String,
    date: Day,
    hits: u64,
    /// Hits by status.
    by_status: BTreeMap<String, u64>,
}

/// Many answers of 500 to 599 at once, to everybody.
#[value]
pub(crate) struct Burst {
    started_at: Moment,
    minutes: u64,
    errors: u64,
    /// All requests in that time.
    requests: u64,
    /// The part of them that failed.
    share: Option<f64>,
    /// Errors of five minutes in the 24 hours before, on average.
    usual_errors: f64,
}

/// Answers over time.
#[value]
pub(crate) struct Statuses {
    /// Days without lines are left out.
    series: Vec<OfDay>,
    /// Those with the most hits first, at most 100.
    inconsistent: Vec<Inconsistent>,
    inconsistent_total: u64,
    /// The newest first, at most 100; of the last 90 days.
    bursts: Vec<Burst>,
    bursts_total: u64,
    known_days: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reports status codes served to bots and people over time, inconsistent statuses per URL, and server-error bursts with their start and length.
///
/// An address is inconsistent on a day when two or more classes of answers each make up a twentieth of its requests of bots;
/// addresses of people are not kept. A burst is a run of five minutes with more errors than a Poisson law lets expect once in
/// 10,000, from the rate of the 24 hours before.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["when did my server fail", "status codes googlebot got", "5xx errors in my logs", "does a url answer differently to bots"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "family": "googlebot" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Statuses> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let family = args.family.as_ref().map(|it| given::family(it.as_str(), "/family")).transpose()?;
    let mut days: BTreeMap<(Day, Visitor), BTreeMap<u16, u64>> = BTreeMap::new();
    let mut found: Vec<Inconsistent> = Vec::new();
    let (mut last, mut of_url): (String, BTreeMap<Day, BTreeMap<u16, u64>>) = Default::default();
    given.bots(|url, of, verdict, status, day, it| {
        if verdict == Verdict::Spoofed || family.is_some_and(|family| family.family != of) {
            return;
        }
        if last != url {
            inconsistent(&last, std::mem::take(&mut of_url), &mut found);
            url.clone_into(&mut last);
        }
        *of_url.entry(day).or_default().entry(status).or_default() += it.hits;
        *days.entry((day, Visitor::Bots)).or_default().entry(status).or_default() += it.hits;
    })?;
    inconsistent(&last, of_url, &mut found);
    let people = given.store.days(given.period, Key::PEOPLE, |key, day, it| {
        if let Key::People { status, .. } = key {
            *days.entry((day, Visitor::People)).or_default().entry(status).or_default() += it.hits;
        }
    });
    people.map_err(|why| why.at("/from"))?;
    let series = days.into_iter().map(|((date, to), by)| {
        let hits: u64 = by.values().sum();
        let errors: u64 = by.iter().filter(|(status, _)| **status >= 500).map(|(_, hits)| hits).sum();
        let mut by_class: BTreeMap<String, u64> = BTreeMap::new();
        by.iter().for_each(|(status, hits)| *by_class.entry(class(*status).to_owned()).or_default() += hits);
        OfDay { date, to, hits, by_class, error_share: share(errors, hits) }
    });
    let series: Vec<OfDay> = series.collect();
    found.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| (&a.url, a.date).cmp(&(&b.url, b.date))));
    let inconsistent_total = found.len() as u64;
    found.truncate(MOST);
    let mut bursts = bursts(&given.coverage);
    let bursts_total = bursts.len() as u64;
    bursts.reverse();
    bursts.truncate(MOST);
    let mut next = Vec::new();
    if let Some(it) = bursts.first() {
        let title = format!("Server errors: {} in {} minutes", it.errors, it.minutes);
        let annotation =
            json!({ "site_id": given.site.id, "date": it.started_at.day(), "title": title, "kind": "outage" });
        next.push(Next::new("websites.annotation.add", annotation, "marks the outage in every series of the website"));
    }
    Ok(Statuses {
        series,
        inconsistent: found,
        inconsistent_total,
        bursts,
        bursts_total,
        known_days: given.known_days(),
        basis: given.basis,
        degraded: given.degraded,
        next,
    })
}

/// Adds the days on which an address answered in several ways.
fn inconsistent(url: &str, days: BTreeMap<Day, BTreeMap<u16, u64>>, found: &mut Vec<Inconsistent>) {
    for (date, by) in days {
        let hits: u64 = by.values().sum();
        let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
        by.iter().for_each(|(status, hits)| *classes.entry(family_of(*status)).or_default() += hits);
        let often = classes.values().filter(|it| as_number(**it) >= as_number(hits) * LEAST).count();
        if often >= 2 {
            let by_status = by.into_iter().map(|(status, hits)| (status.to_string(), hits)).collect();
            found.push(Inconsistent { url: url.to_owned(), date, hits, by_status });
        }
    }
}

/// The class of an answer: that it is unchanged is an answer like 200.
fn family_of(status: u16) -> &'static str {
    if status == 304 { "2xx" } else { class(status) }
}

/// Runs of five minutes with too many errors, the earliest first.
fn bursts(coverage: &Coverage) -> Vec<Burst> {
    let last = coverage.hours.last_key_value().map_or(0, |(hour, _)| *hour);
    let from = last.saturating_sub(LOOKED_AT * 24);
    let mut slots: Vec<(u64, u64, u64)> = Vec::new();
    for (hour, of_hour) in coverage.hours.range(from..) {
        let start = u64::from(*hour) * 3_600;
        slots.extend((0..).zip(of_hour).map(|(at, (requests, errors))| (start + at * 300, *requests, *errors)));
    }
    let mut out: Vec<Burst> = Vec::new();
    // The rate of the slots before that were no burst: an outage is no measure for the next one.
    let (mut usual, mut sum): (std::collections::VecDeque<u64>, u64) = Default::default();
    let mut open: Option<(Burst, u64)> = None;
    for (start, requests, errors) in slots {
        let rate = if usual.is_empty() { 0.0 } else { as_number(sum) / as_number(usual.len() as u64) };
        let expected = rate.max(1.0 / as_number(OF_DAY as u64));
        let is_burst = errors >= FEWEST && poisson_at_least(errors, expected) < RARE;
        if let Some((burst, end)) = &mut open {
            if is_burst && start <= *end + 300 {
                burst.minutes = (start + 300 - burst.started_at.millis() / 1_000) / 60;
                burst.errors += errors;
                burst.requests += requests;
                *end = start + 300;
            } else if start > *end + 300 || !is_burst && start > *end {
                out.extend(open.take().map(|(it, _)| it));
            }
        }
        if is_burst && open.is_none() {
            let usual_errors = kit::statistics::round(rate, 3);
            let burst = Burst { started_at: moment(start), minutes: 5, errors, requests, share: None, usual_errors };
            open = Some((burst, start + 300));
        }
        if !is_burst {
            usual.push_back(errors);
            sum += errors;
            if usual.len() > OF_DAY {
                sum -= usual.pop_front().unwrap_or(0);
            }
        }
    }
    out.extend(open.map(|(it, _)| it));
    out.iter_mut().for_each(|it| it.share = share(it.errors, it.requests));
    out
}

#[cfg(test)]
mod tests;
