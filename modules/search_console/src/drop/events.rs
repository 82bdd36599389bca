//! What happened near a day: annotations, Google's updates, faults of the figures, deployed markup, crawls.

use sdk::prelude::*;
use search::{Period, measurement};
use site::Site;

use crate::given::Given;

/// Days before and after a change within which an event is named.
const NEAR: (i32, i32) = (7, 3);
/// Events that are named.
const MAX_EVENTS: usize = 30;
/// Crawls that are looked at.
const MAX_CRAWLS: usize = 20;

/// An event of the website, as the websites module stores it.
#[foreign(collection = "websites.annotations", thing = "annotation", may_be_missing, index(site_id, date))]
pub(crate) struct Annotation {
    pub(crate) site_id: Id<Site>,
    pub(crate) date: Day,
    pub(crate) title: String,
    pub(crate) kind: String,
}

/// Markup that was put on a page, as the schema module stores it.
#[foreign(collection = "schema.deployments", thing = "deployment", may_be_missing, index(site_id))]
pub(crate) struct Deployment {
    pub(crate) site_id: Id<Site>,
    pub(crate) url: String,
    pub(crate) state: String,
    pub(crate) types: Vec<String>,
    pub(crate) deployed_at: Moment,
}

/// What happened.
#[value]
pub(crate) struct Event {
    /// `release`, `content`, `technical`, `campaign`, `search_update`, `outage`, `measurement`, `markup` or `crawl`.
    #[own]
    pub(crate) kind: String,
    /// What it was.
    pub(crate) title: String,
    /// Its first day.
    pub(crate) date: Day,
    /// Its last day; null when it was one day.
    pub(crate) end_date: Option<Day>,
    /// Days from the change to the event; negative before it. An event near a change need not be its cause.
    pub(crate) days_from_change: i32,
}

/// The events near a day, the nearest first.
pub(super) fn near(given: &Given<'_>, change: Day) -> Vec<Event> {
    let period = Period { first: change.plus(-NEAR.0), last: change.plus(NEAR.1) };
    let mut events = Vec::new();
    let mut add = |kind: &str, title: String, first: Day, last: Day| {
        if first <= period.last && last >= period.first {
            let nearest = if change < first {
                first
            } else if change > last {
                last
            } else {
                change
            };
            events.push(Event {
                kind: kind.to_owned(),
                title,
                date: first,
                end_date: (last > first).then_some(last),
                days_from_change: nearest.since_epoch() - change.since_epoch(),
            });
        }
    };
    let annotations = given.cx.records::<Annotation>().by("site_id_date").equals(&given.site.id);
    for it in annotations.at_least(period.first).below(period.last.plus(1)).scan().take(MAX_EVENTS) {
        add(&it.kind, it.title.clone(), it.date, it.date);
    }
    let day = |(year, month, day): (i32, u32, u32)| Day::from_civil(year, month, day).unwrap_or(Day::from_epoch(0));
    for it in kit::updates::UPDATES {
        add("search_update", it.title.to_owned(), day(it.first), day(it.last));
    }
    for it in measurement(Period { first: Day::from_epoch(0), last: period.last }) {
        // What is wrong with the figures matters at its borders: between them all days are alike.
        for (border, what) in [(it.from, "begins"), (it.to.plus(1), "ends")] {
            add("measurement", format!("{} ({what})", it.what), border, border);
        }
    }
    let deployed = given.cx.records::<Deployment>().by("site_id").equals(&given.site.id).scan().take(1_000);
    let mut by_day: std::collections::BTreeMap<Day, (u32, String)> = std::collections::BTreeMap::new();
    for it in deployed {
        let slot = by_day.entry(it.deployed_at.day()).or_insert_with(|| (0, it.types.join(", ")));
        slot.0 += 1;
    }
    for (day, (pages, types)) in by_day {
        add("markup", format!("structured data ({types}) was put on {pages} pages"), day, day);
    }
    let crawls: Vec<_> = site::crawls(given.cx, &given.site.id).take(MAX_CRAWLS).collect();
    for pair in crawls.windows(2) {
        let (newer, older) = (&pair[0], &pair[1]);
        let (now, then) = (&newer.0.totals, &older.0.totals);
        let whole = now.fetched.min(then.fetched) * 10 >= now.fetched.max(then.fetched) * 7;
        if !whole {
            continue;
        }
        let (first, last) = (site::ended_at(older).day(), site::ended_at(newer).day());
        let worse = |now: u64, then: u64| now > then + then / 5 + 5;
        if worse(now.errors, then.errors) {
            add("crawl", format!("pages with errors rose from {} to {}", then.errors, now.errors), first, last);
        }
        if worse(then.indexable, now.indexable) {
            add("crawl", format!("indexable pages fell from {} to {}", then.indexable, now.indexable), first, last);
        }
    }
    events.sort_by(|a, b| {
        (a.days_from_change.abs(), a.date, &a.title).cmp(&(b.days_from_change.abs(), b.date, &b.title))
    });
    events.truncate(MAX_EVENTS);
    events
}
