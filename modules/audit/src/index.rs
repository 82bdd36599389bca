//! What the set rules see: every address of a crawl in a few hundred bytes, and ways to look it up.

mod entry;

use std::collections::HashMap;

pub use entry::Entry;
use kit::crawled::RobotsSummary;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;

/// A link that leads to an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The page that has the link.
    pub from: String,
    /// The text of the link.
    pub anchor: String,
}

/// One finding of a set rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The address at fault.
    pub url: String,
    /// The proof.
    pub evidence: Evidence,
}

/// Every address of a crawl, and the links that lead to the addresses where something is wrong.
#[derive(Debug, Default)]
pub struct SiteIndex {
    entries: Vec<Entry>,
    positions: HashMap<String, usize>,
    sources: HashMap<String, Vec<Source>>,
    /// The crawl read a sitemap; without one nothing can be missing from it.
    sitemap: bool,
    /// The crawl followed links from the home page to the end; without that nothing can be called an orphan.
    complete: bool,
    /// What robots.txt of the site said, when the crawl is at hand.
    robots: Option<RobotsSummary>,
}

impl SiteIndex {
    /// An index over these addresses; of two entries for one address the first counts.
    #[must_use]
    pub fn new(entries: Vec<Entry>, complete: bool) -> Self {
        let mut positions = HashMap::with_capacity(entries.len());
        for (position, entry) in entries.iter().enumerate() {
            positions.entry(entry.url.clone()).or_insert(position);
        }
        let sitemap = entries.iter().any(|entry| entry.in_sitemap);
        Self { entries, positions, sources: HashMap::new(), sitemap, complete, robots: None }
    }

    /// Says what robots.txt of the site said.
    pub fn told(&mut self, robots: RobotsSummary) {
        self.robots = Some(robots);
    }

    /// What robots.txt of the site said, when that is known.
    #[must_use]
    pub fn robots(&self) -> Option<&RobotsSummary> {
        self.robots.as_ref()
    }

    /// The home page of the site.
    #[must_use]
    pub fn home(&self, origin: &str) -> Option<&Entry> {
        self.get(&format!("{origin}/"))
    }

    /// Adds a link that leads to `target`.
    pub fn link(&mut self, target: &str, source: Source) {
        self.sources.entry(target.to_owned()).or_default().push(source);
    }

    /// Adds, to each address at the end of redirects, the links that lead to the redirects.
    pub fn pass_inlinks_on(&mut self) {
        let passed: Vec<(usize, [u32; 4])> = self
            .own()
            .filter(|entry| entry.redirects() && entry.inlinks > 0)
            .filter_map(|entry| {
                let counts = [entry.inlinks, entry.followed, entry.found, entry.named];
                Some((*self.positions.get(&self.chain(entry).last?.url)?, counts))
            })
            .collect();
        for (position, [inlinks, followed, found, named]) in passed {
            let entry = &mut self.entries[position];
            entry.inlinks += inlinks;
            entry.followed += followed;
            entry.found += found;
            entry.named += named;
        }
    }

    /// The entry of an address.
    #[must_use]
    pub fn get(&self, url: &str) -> Option<&Entry> {
        self.positions.get(url).map(|position| &self.entries[*position])
    }

    /// Puts another entry in the place of the one with its address; the one before, when there was one.
    pub fn replace(&mut self, entry: Entry) -> Option<Entry> {
        let position = *self.positions.get(&entry.url)?;
        Some(std::mem::replace(&mut self.entries[position], entry))
    }

    /// All addresses, in the order of the crawl; those of other websites come last.
    pub fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// All addresses of the site itself, in the order of the crawl.
    pub fn own(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.external)
    }

    /// The site's own pages that may be indexed.
    pub fn indexable(&self) -> impl Iterator<Item = &Entry> {
        self.own().filter(|entry| entry.page && entry.indexable)
    }

    /// Addresses whose links are worth knowing: those that fail or redirect.
    pub fn suspects(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.fails() || entry.redirects())
    }

    /// The known links to an address.
    #[must_use]
    pub fn sources(&self, target: &str) -> &[Source] {
        self.sources.get(target).map_or(&[], Vec::as_slice)
    }

    /// Whether the crawl read a sitemap.
    #[must_use]
    pub fn has_sitemap(&self) -> bool {
        self.sitemap
    }

    /// Whether the crawl reached the end of the site.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Follows redirects from `entry`: the addresses on the way, and whether they lead back to one of themselves.
    #[must_use]
    pub fn chain<'a>(&'a self, entry: &'a Entry) -> Chain<'a> {
        let mut hops = Vec::new();
        let mut seen = vec![entry.url.as_str()];
        let mut here = entry;
        while here.redirects() && hops.len() < 20 {
            let Some(location) = here.location.as_deref() else { break };
            hops.push(location);
            if seen.contains(&location) {
                return Chain { hops, circular: true, last: None };
            }
            seen.push(location);
            match self.get(location) {
                Some(next) => here = next,
                None => return Chain { hops, circular: false, last: None },
            }
        }
        Chain { hops, circular: false, last: Some(here) }
    }
}

/// The way that redirects take.
#[derive(Debug)]
pub struct Chain<'a> {
    /// Each address that was sent to, in order.
    pub hops: Vec<&'a str>,
    /// It comes back to where it was.
    pub circular: bool,
    /// The address at the end, when it is known.
    pub last: Option<&'a Entry>,
}
