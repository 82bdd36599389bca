//! What the entries of a disavow file give up.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use site::Site;

use super::file::Entry;
use crate::given::Given;
use crate::link::{Link, bare, host};
use crate::listing::rating;
use crate::quality::{Gatherer, Seen};

/// The rating of a domain, and the value by what was seen of it, from which giving it up is worth a second look.
const GOOD_RATING: u8 = 40;
const GOOD_VALUE: u8 = 60;

/// What an entry gives up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GivenUp {
    pub(super) links: u64,
    pub(super) followed: u64,
    pub(super) lost: u64,
    pub(super) spam: u64,
    pub(super) rating: Option<u8>,
    /// The greatest value of a domain that was looked at.
    pub(super) value: Option<u8>,
    /// Links that are watched.
    pub(super) watched: u64,
}

impl GivenUp {
    /// Why giving it up is worth a second look; none where it is not.
    pub(super) fn is_valuable(&self) -> Option<String> {
        if self.watched > 0 {
            return Some(format!("{} watched links are among them", self.watched));
        }
        if self.followed == 0 {
            return None;
        }
        let good = |it: Option<u8>, line: u8| it.filter(|it| *it >= line);
        match (good(self.value, GOOD_VALUE), good(self.rating, GOOD_RATING)) {
            (Some(value), _) => {
                Some(format!("{} followed links come from a domain of value {value} of 100", self.followed))
            }
            (None, Some(rating)) => {
                Some(format!("{} followed links come from a domain that is rated {rating} of 100", self.followed))
            }
            (None, None) => None,
        }
    }
}

/// The lines of a file by what they cover.
struct Lines<'e> {
    domains: BTreeMap<&'e str, u64>,
    pages: BTreeMap<&'e str, u64>,
}

impl<'e> Lines<'e> {
    fn of(entries: impl Iterator<Item = (u64, &'e Entry)>) -> Self {
        let mut lines = Self { domains: BTreeMap::new(), pages: BTreeMap::new() };
        for (line, entry) in entries {
            match entry {
                Entry::Domain(domain) => lines.domains.entry(domain).or_insert(line),
                Entry::Page(url) => lines.pages.entry(bare(url)).or_insert(line),
            };
        }
        lines
    }

    /// The line that covers a link: its page, or its host or a domain above it.
    fn of_link(&self, link: &Link) -> Option<u64> {
        let page = self.pages.get(bare(&link.source)).copied();
        page.or_else(|| {
            let names = std::iter::successors(Some(host(&link.source)), |it| it.split_once('.').map(|it| it.1));
            names.into_iter().find_map(|it| self.domains.get(it).copied())
        })
    }
}

/// What each line gives up, by its number; nothing of lines that cover no link.
///
/// # Errors
/// 503 `storage_damaged`.
pub(super) fn given_up<'e>(
    cx: &Cx,
    site: &Id<Site>,
    entries: impl Iterator<Item = (u64, &'e Entry)>,
) -> Result<BTreeMap<u64, GivenUp>> {
    // Without links nothing is known to be given up.
    if crate::stored::Links::of(cx, site).profile.links == 0 {
        return Ok(BTreeMap::new());
    }
    let given = Given::of(cx, site)?;
    let lines = Lines::of(entries);
    let watched: BTreeSet<(String, String)> = crate::watch::stored::of(cx, site)
        .into_iter()
        .map(|it| (bare(&it.source).to_owned(), bare(&it.target).to_owned()))
        .collect();
    let mut gatherer = Gatherer::of(cx, &given);
    let mut out: BTreeMap<u64, GivenUp> = BTreeMap::new();
    let mut domains: BTreeMap<String, (Seen, BTreeSet<u64>)> = BTreeMap::new();
    given.links.each_looked(|link, look| {
        let Some(line) = lines.of_link(&link) else { return };
        let it = out.entry(line).or_default();
        it.links += 1;
        it.followed += u64::from(link.is_followed());
        it.lost += u64::from(link.is_lost());
        it.spam += u64::from(link.has(crate::link::flag::SPAM));
        it.rating = it.rating.max(rating(&link));
        if !watched.is_empty() {
            let (source, target) = link.key();
            it.watched += u64::from(watched.contains(&(source.to_owned(), target.to_owned())));
        }
        let (seen, of) = domains.entry(link.domain().to_owned()).or_default();
        of.insert(line);
        gatherer.add(seen, &link, look);
    })?;
    gatherer.finish(domains.iter_mut().map(|it| (it.0.as_str(), &mut it.1.0)));
    for (seen, of) in domains.into_values().filter(|it| it.0.pages > 0) {
        let value = seen.scored().value;
        for line in of {
            if let Some(it) = out.get_mut(&line) {
                it.value = it.value.max(value);
            }
        }
    }
    Ok(out)
}
