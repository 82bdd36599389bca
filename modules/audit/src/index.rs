//! Kept here: what the set rules see: every address of a crawl in a few hundred bytes, and ways to look it up.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::rule::Reach;

/// One address of a crawl, as small as the set rules allow. Written to the audit's parts while pages are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The normalised address.
    pub url: String,
    /// The answer's status; 0 when there was none.
    pub status: u16,
    /// Where a redirect leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// HTML that answered 200.
    #[serde(default, skip_serializing_if = "is_false")]
    pub page: bool,
    /// May be indexed: HTML, 200, no `noindex`, its canonical is itself or absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub indexable: bool,
    /// Carries `noindex`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub noindex: bool,
    /// robots.txt keeps crawlers out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub blocked: bool,
    /// The canonical address, absolute and normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The title, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The description, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The first main heading, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// Hash of the main text; empty when there is no text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text_hash: String,
    /// Fingerprint of the main text, 16 hex digits; empty when there is no text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub simhash: String,
    /// What texts that are much alike have in common (`kit::sketch`); empty when no sample of the text was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<u32>,
    /// Words of the text.
    #[serde(default)]
    pub words: u32,
    /// Language versions the page names: code and absolute address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternates: Vec<(String, String)>,
    /// Listed in a sitemap.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_sitemap: bool,
    /// Clicks from the home page; none when no link leads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Internal links that lead here, from other pages.
    #[serde(default)]
    pub inlinks: u32,
    /// Belongs to another site and was asked for only because a link leads there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub external: bool,
}

impl Entry {
    /// How far the page got.
    #[must_use]
    pub fn reach(&self) -> Reach {
        Reach { page: self.page, indexable: self.indexable }
    }

    /// Bytes that it takes when written, about and never fewer than half.
    #[must_use]
    pub fn weight(&self) -> usize {
        let own = [&self.url, &self.title, &self.description, &self.heading, &self.text_hash, &self.simhash]
            .map(|it| it.len());
        let places = [&self.location, &self.canonical].map(|it| it.as_ref().map_or(0, String::len));
        let versions: usize = self.alternates.iter().map(|(code, url)| code.len() + url.len() + 8).sum();
        own.iter().chain(&places).sum::<usize>() + versions + 11 * self.bands.len() + 150
    }

    /// The status says that it is somewhere else.
    #[must_use]
    pub fn redirects(&self) -> bool {
        (300..400).contains(&self.status) && self.location.is_some()
    }

    /// The status says that it is not there, or there was no answer at all.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.status >= 400 || (self.status == 0 && !self.blocked)
    }

    /// What a reader should know of it, in a word or two.
    #[must_use]
    pub fn state(&self) -> String {
        match self.status {
            0 if self.blocked => "blocked by robots.txt".to_owned(),
            0 => "no answer".to_owned(),
            status if self.noindex => format!("{status}, noindex"),
            status => status.to_string(),
        }
    }
}

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
        Self { entries, positions, sources: HashMap::new(), sitemap, complete }
    }

    /// Adds a link that leads to `target`.
    pub fn link(&mut self, target: &str, source: Source) {
        self.sources.entry(target.to_owned()).or_default().push(source);
    }

    /// Adds, to each address at the end of redirects, the links that lead to the redirects.
    pub fn pass_inlinks_on(&mut self) {
        let passed: Vec<(usize, u32)> = self
            .own()
            .filter(|entry| entry.redirects() && entry.inlinks > 0)
            .filter_map(|entry| Some((*self.positions.get(&self.chain(entry).last?.url)?, entry.inlinks)))
            .collect();
        for (position, inlinks) in passed {
            self.entries[position].inlinks += inlinks;
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

fn is_false(value: &bool) -> bool {
    !value
}
