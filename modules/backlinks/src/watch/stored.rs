//! A watched link, and how it stands by the last look.

use std::collections::BTreeMap;

use sdk::prelude::*;
use site::Site;

use crate::link::{bare, flag, same_text};
use crate::looked::{Answered, Looked, Page, PageLink, State as Seen};

/// Links of a website that are watched, at most.
pub(crate) const MOST: usize = 1_000;

/// What a link must have in `rel`.
#[value]
pub(crate) enum Rel {
    /// None of `nofollow`, `ugc` and `sponsored`.
    Follow,
    Nofollow,
    Ugc,
    Sponsored,
}

/// A watched link.
#[record(collection = "watched", thing = "watched link", index(site_id, source))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Watched {
    pub(crate) site_id: String,
    pub(crate) source: String,
    pub(crate) target: String,
    /// The text that it must have.
    pub(crate) anchor: Option<String>,
    /// What it must have in `rel`, all of it.
    pub(crate) rel: Vec<Rel>,
    /// The last day.
    pub(crate) until: Option<Day>,
    pub(crate) created_ms: u64,
}

impl Watched {
    /// Whether its time has not ended.
    pub(crate) fn is_going(&self, today: Day) -> bool {
        self.until.is_none_or(|until| until >= today)
    }
}

/// How a watched link stands.
#[value]
#[derive(Default)]
pub(crate) enum State {
    /// There, as agreed.
    Ok,
    /// There, with another text or attribute, or on a page that search engines may not show.
    Changed,
    /// Not there, at two looks on different days.
    Lost,
    /// Not looked at, or not told by the last look.
    #[default]
    Pending,
    /// Its time has ended.
    Ended,
}

/// What is not as agreed.
#[value]
pub(crate) enum Difference {
    /// Another text.
    Anchor,
    /// Other attributes.
    Rel,
    /// Its page may not be shown by search engines.
    Indexability,
    /// One look did not find it; one more on another day makes it lost.
    MissedOnce,
    /// Its page could not be looked at.
    NotLooked,
}

/// All watched links of a website, by their sources.
pub(crate) fn of(cx: &Cx, site: &Id<Site>) -> Vec<Stored<Watched>> {
    cx.records::<Watched>().by("site_id_source").equals(site).scan().take(MOST + 1).collect()
}

/// The last looks at some pages, by their keys.
///
/// # Errors
/// 503 `storage_damaged`.
pub(crate) fn looks(cx: &Cx, site: &Id<Site>, watched: &[Stored<Watched>]) -> Result<BTreeMap<String, Page>> {
    let keys: std::collections::BTreeSet<&str> = watched.iter().map(|it| bare(&it.source)).collect();
    let mut found = BTreeMap::new();
    Looked::of(cx, site).each(|page| {
        if keys.contains(bare(&page.source)) {
            found.insert(bare(&page.source).to_owned(), page);
        }
    })?;
    Ok(found)
}

/// How a link stands, and what is not as agreed.
pub(crate) fn judged(watched: &Watched, page: Option<&Page>, today: Day) -> (State, Vec<Difference>) {
    if !watched.is_going(today) {
        return (State::Ended, Vec::new());
    }
    let Some((page, link)) = page.and_then(|page| Some((page, place(page, watched)?))) else {
        return (State::Pending, Vec::new());
    };
    match link.state {
        Seen::Lost => (State::Lost, Vec::new()),
        Seen::Missing => (State::Pending, vec![Difference::MissedOnce]),
        Seen::Unknown => (State::Pending, vec![Difference::NotLooked]),
        Seen::Live => {
            let mut different = Vec::new();
            if watched.anchor.as_ref().is_some_and(|it| !same_text(it, &link.anchor)) {
                different.push(Difference::Anchor);
            }
            if !watched.rel.iter().all(|it| has(link, *it)) {
                different.push(Difference::Rel);
            }
            if page.answered == Answered::Read && page.reason != "ok" {
                different.push(Difference::Indexability);
            }
            (if different.is_empty() { State::Ok } else { State::Changed }, different)
        }
    }
}

/// The watched link among those of its page.
pub(crate) fn place<'a>(page: &'a Page, watched: &Watched) -> Option<&'a PageLink> {
    page.links.iter().find(|it| bare(&it.target) == bare(&watched.target))
}

fn has(link: &PageLink, rel: Rel) -> bool {
    let bits = match rel {
        Rel::Follow => return link.flags & flag::UNFOLLOWED == 0,
        Rel::Nofollow => flag::NOFOLLOW,
        Rel::Ugc => flag::UGC,
        Rel::Sponsored => flag::SPONSORED,
    };
    link.flags & bits != 0
}
