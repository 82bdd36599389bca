//! The operation `logs.url.history.get`.

use std::collections::{BTreeMap, BTreeSet};

use kit::number::as_number;
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use site::Site;
use visits::{Key, Verdict, Visits};

use crate::given::{Given, moment};

/// Days and families that one answer lists.
const MOST: usize = 1_000;

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The address. Its spellings with a query are told apart from it.
    url: Url,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// Requests of a bot for the address on a day.
#[value]
pub(crate) struct Visit {
    date: Day,
    family: String,
    /// Whether the bot is who it says it is; null where nobody could tell.
    verified: Option<bool>,
    hits: u64,
    /// Hits by status.
    by_status: BTreeMap<String, u64>,
    /// The mean size of the answers.
    mean_bytes: f64,
    mean_milliseconds: Option<f64>,
    first_at: Moment,
    last_at: Moment,
}

/// The visits of bots to an address.
#[value]
pub(crate) struct History {
    url: String,
    /// The newest first, at most 1,000.
    visits: Vec<Visit>,
    visits_total: u64,
    /// The last visit of each family that is not known to be another's, over all that is stored.
    last_visit: BTreeMap<String, Moment>,
    /// Days between two visits of a family in the period, by the median; families with three days of visits or more.
    median_gap_days: BTreeMap<String, f64>,
    /// Other spellings of the address with a query that bots asked for in the period, by hits.
    with_query: Vec<Spelling>,
    known_days: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// A spelling of the address.
#[value]
pub(crate) struct Spelling {
    url: String,
    hits: u64,
}

/// Requests, and hits by status.
type Answers = (Visits, BTreeMap<u16, u64>);

/// Returns one URL's bot visits by day and family with statuses, sizes, response times and the gap between visits.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["when did googlebot last visit this page", "bot visits of a url", "how often is this page crawled"],
    examples = [{ "site_id": "4503599627370496", "url": "https://shop.example/guides/desk-lamps" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<History> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    if !given.site.has(args.url.as_str()) {
        let message = format!("the address is not one of this website, which is at {}", given.site.origin);
        return Err(Fault::invalid("/url", "url_not_of_site", message));
    }
    let url = kit::url::normalize(args.url.as_str()).unwrap_or_else(|| args.url.as_str().to_owned());
    let mut rows: BTreeMap<(Day, String, Verdict), Answers> = BTreeMap::new();
    let mut spellings: BTreeMap<String, u64> = BTreeMap::new();
    let prefix = format!("b\0{url}");
    let read = given.store.days(given.period, prefix.as_bytes(), |key, day, it| {
        let Key::Bot { url: found, family, verdict, status } = key else { return };
        if found == url {
            let (sum, by) = rows.entry((day, family.to_owned(), verdict)).or_default();
            visits::Figures::add(sum, &it);
            *by.entry(status).or_default() += it.hits;
        } else if found[url.len()..].starts_with('?') {
            *spellings.entry(found.to_owned()).or_default() += it.hits;
        }
    });
    read.map_err(|why| why.at("/from"))?;
    let mut days: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
    for (day, family, verdict) in rows.keys() {
        if *verdict != Verdict::Spoofed {
            days.entry(family).or_default().insert(day.since_epoch());
        }
    }
    let gaps = days.into_iter().filter(|(_, days)| days.len() >= 3).map(|(family, days)| {
        let days: Vec<i32> = days.into_iter().collect();
        let gaps: Vec<f64> = days.windows(2).map(|pair| f64::from(pair[1] - pair[0])).collect();
        (plain(family), kit::statistics::round(kit::statistics::median(&gaps), 2))
    });
    let median_gap_days = gaps.collect();
    let newest = given.store.newest_of(&url).map_err(|why| why.at("/url"))?;
    let last_visit = newest.into_iter().map(|(family, it)| (plain(&family), moment(it.last))).collect();
    let visits_total = rows.len() as u64;
    let visits = rows.into_iter().rev().take(MOST).map(|((date, family, verdict), (sum, by))| Visit {
        date,
        family: plain(&family),
        verified: match verdict {
            Verdict::Verified => Some(true),
            Verdict::Spoofed => Some(false),
            Verdict::Unverified => None,
        },
        hits: sum.hits,
        by_status: by.into_iter().map(|(status, hits)| (status.to_string(), hits)).collect(),
        mean_bytes: kit::statistics::round(as_number(sum.bytes) / as_number(sum.hits.max(1)), 1),
        mean_milliseconds: sum.mean_milliseconds().map(|it| kit::statistics::round(it, 1)),
        first_at: moment(sum.first),
        last_at: moment(sum.last),
    });
    let visits = visits.collect();
    let mut with_query: Vec<Spelling> = spellings.into_iter().map(|(url, hits)| Spelling { url, hits }).collect();
    with_query.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| a.url.cmp(&b.url)));
    with_query.truncate(50);
    Ok(History {
        url,
        visits,
        visits_total,
        last_visit,
        median_gap_days,
        with_query,
        known_days: given.known_days(),
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// The name of a family as it is shown.
fn plain(family: &str) -> String {
    family.trim_start_matches('?').to_owned()
}
