//! What is known of each referring domain, gathered from the links, the last looks and the last search for networks.

use std::collections::{BTreeMap, BTreeSet};

use kit::number::as_number;
use sdk::prelude::*;
use site::brand::{Brand, Naming};

use super::formula::{Facts, Scored, mean, scored};
use crate::given::{Given, hash};
use crate::link::{Link, NO_DAY, flag};
use crate::listing::rating;
use crate::looked::{Answered, Look, State};
use crate::network::stored::Networks;
use crate::verify::topic::Topic;

/// Links of one domain with one target and text from which they stand on every page.
const SITEWIDE: u32 = 50;
/// Links to others, and topics of their texts, above which a page is a list of links.
const LIST_LINKS: u32 = 100;
const LIST_TOPICS: u32 = 20;

/// What is known of a domain.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) links: u64,
    /// Pages that looks read.
    pub(crate) pages: u64,
    pub(crate) last_look: i32,
    pub(crate) network: Option<f64>,
    rating: Option<u8>,
    similar: (f64, u64),
    in_main: u64,
    live: u64,
    indexable: u64,
    noindex: u64,
    external: u64,
    lists: u64,
    spam_terms: u32,
    other_language: (u64, u64),
    sitewide_text: bool,
    last_page: u64,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            links: 0,
            pages: 0,
            last_look: NO_DAY,
            network: None,
            rating: None,
            similar: (0.0, 0),
            in_main: 0,
            live: 0,
            indexable: 0,
            noindex: 0,
            external: 0,
            lists: 0,
            spam_terms: 0,
            other_language: (0, 0),
            sitewide_text: false,
            last_page: 0,
        }
    }
}

impl Seen {
    /// The mean cosine of its pages and the website.
    pub(crate) fn similarity(&self) -> Option<f64> {
        mean(self.similar.0, self.similar.1)
    }

    /// Its scores.
    pub(crate) fn scored(&self) -> Scored {
        let share = |part: u64| mean(as_number(part), self.pages);
        scored(&Facts {
            similarity: self.similarity(),
            in_main: mean(as_number(self.in_main), self.live),
            indexable: share(self.indexable),
            external: share(self.external),
            rating: self.rating,
            spam_terms: (self.pages > 0).then_some(self.spam_terms),
            link_lists: share(self.lists),
            other_language: mean(as_number(self.other_language.0), self.other_language.1),
            noindex: share(self.noindex),
            network: self.network,
            sitewide_text: Some(self.sitewide_text),
        })
    }

    fn add(&mut self, look: &Look<'_>, language: Option<&str>) {
        if look.link.state == State::Live {
            self.live += 1;
            self.in_main += u64::from(look.link.placement == "main");
        }
        let page = look.page;
        let name = hash(&page.source);
        if page.answered != Answered::Read || self.last_page == name {
            return;
        }
        self.last_page = name;
        self.pages += 1;
        self.last_look = self.last_look.max(page.day);
        if let Some(percent) = page.similarity {
            self.similar = (self.similar.0 + f64::from(percent) / 100.0, self.similar.1 + 1);
        }
        self.indexable += u64::from(page.reason == "ok");
        self.noindex += u64::from(page.reason.starts_with("noindex"));
        self.external += u64::from(page.external);
        self.lists += u64::from(page.external > LIST_LINKS && page.topics > LIST_TOPICS);
        self.spam_terms = self.spam_terms.max(page.spam_terms);
        if let Some(language) = language.filter(|_| !page.language.is_empty()) {
            self.other_language.0 += u64::from(page.language != language);
            self.other_language.1 += 1;
        }
    }
}

/// Gathers what is known of domains while links are read.
pub(crate) struct Gatherer {
    networks: Networks,
    topic: Option<Topic>,
    brand: Brand,
    /// Links of a domain with one target and text, by their hashes.
    alike: BTreeMap<(u64, u64), u32>,
}

impl Gatherer {
    /// One for a website.
    pub(crate) fn of(cx: &Cx, given: &Given<'_>) -> Self {
        let (networks, topic) = (Networks::of(cx, &given.site.id), Topic::kept(cx, &given.site.id));
        Self { networks, topic, brand: Brand::of(&given.site), alike: BTreeMap::new() }
    }

    /// Takes a link of a domain.
    pub(crate) fn add(&mut self, seen: &mut Seen, link: &Link, look: Option<&Look<'_>>) {
        seen.links += 1;
        seen.rating = seen.rating.max(rating(link));
        if let Some(look) = look {
            seen.add(look, self.topic.as_ref().map(|it| it.language.as_str()));
        }
        if !link.is_lost() && !seen.sitewide_text {
            let key = (hash(&link.domain()), hash(&(&link.target, &link.anchor)));
            let count = self.alike.entry(key).or_default();
            *count += 1;
            seen.sitewide_text = *count == SITEWIDE && is_chosen(link, &self.brand);
        }
    }

    /// Adds what the last search for networks found; whether there was one.
    pub(crate) fn finish<'s>(&self, domains: impl Iterator<Item = (&'s str, &'s mut Seen)>) -> bool {
        let strengths = self.networks.strengths();
        domains.for_each(|(domain, seen)| seen.network = strengths.get(domain).copied());
        self.networks.at_ms > 0
    }
}

/// What is known of all referring domains.
pub(crate) struct Gathered {
    pub(crate) domains: BTreeMap<String, Seen>,
    /// Whether a search for networks has ended.
    pub(crate) has_networks: bool,
}

impl Gathered {
    /// Reads all of a website.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn of(cx: &Cx, given: &Given<'_>) -> Result<Self> {
        let mut gatherer = Gatherer::of(cx, given);
        let mut domains: BTreeMap<String, Seen> = BTreeMap::new();
        given.links.each_looked(|link, look| {
            if !domains.contains_key(link.domain()) {
                domains.insert(link.domain().to_owned(), Seen::default());
            }
            if let Some(seen) = domains.get_mut(link.domain()) {
                gatherer.add(seen, &link, look);
            }
        })?;
        let has_networks = gatherer.finish(domains.iter_mut().map(|it| (it.0.as_str(), it.1)));
        Ok(Self { domains, has_networks })
    }
}

/// Whether the text of a link was chosen: neither name nor address, and not one that says nothing.
fn is_chosen(link: &Link, brand: &Brand) -> bool {
    let text = link.anchor.to_lowercase();
    !(link.has(flag::IMAGE)
        || text.is_empty()
        || kit::anchor::is_generic(&text)
        || text.contains("://")
        || text.contains("www.")
        || (text.contains('.') && !text.contains(' '))
        || brand.naming(&text, &BTreeSet::new()) != Naming::None)
}
