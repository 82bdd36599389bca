//! One look at a page that links: what it answered, which of the sought links are on it, and how they stand there.

use std::collections::{BTreeMap, BTreeSet};

use kit::page::{PageFacts, Reason};
use sdk::prelude::*;
use sdk::{Failure, Response};
use site::Site;

use super::select::{Sought, Wanted};
use super::topic::Measure;
use super::{look, spam};
use crate::link::{Link, NO_DAY, bare, flag, host, is_own};
use crate::looked::{Answered, Page, PageLink, State};

/// Characters of text below which a page with scripts makes its text with them.
const LEAST_TEXT: usize = 200;
/// Addresses of one page that are followed to see where they lead.
pub(super) const CANDIDATES: usize = 5;
/// Hosts that shorten addresses or count clicks.
const REDIRECTORS: [&str; 14] = [
    "t.co",
    "bit.ly",
    "buff.ly",
    "ow.ly",
    "tinyurl.com",
    "lnkd.in",
    "goo.gl",
    "is.gd",
    "rebrand.ly",
    "dlvr.it",
    "trib.al",
    "l.facebook.com",
    "out.reddit.com",
    "www.google.com",
];

/// A link of a page that may lead to a sought one by redirects.
pub(super) struct Candidate {
    pub(super) url: String,
    found: PageLink,
}

/// A page as it was read, before its redirects are followed.
pub(super) struct Read {
    page: Page,
    found: BTreeMap<String, PageLink>,
    pub(super) candidates: Vec<Candidate>,
}

/// Reads an answer.
pub(super) fn read(
    wanted: &Wanted,
    answer: &Result<Response, Failure>,
    site: &Site,
    measure: Option<&Measure<'_>>,
    today: i32,
) -> Read {
    let mut page = Page { source: wanted.source.clone(), day: today, similarity: None, ..Page::default() };
    let mut read = Read { page: Page::default(), found: BTreeMap::new(), candidates: Vec::new() };
    match answer {
        Err(Failure::Disallowed) => page.answered = Answered::Disallowed,
        Err(Failure::Unresolved) => page.answered = Answered::Gone,
        Err(_) => page.answered = Answered::Unanswered,
        Ok(response) => {
            let (facts, document) = site::live::whole(&wanted.source, response);
            let scripts = document.as_ref().is_some_and(|it| it.dom.elements("script").next().is_some());
            page.status = facts.status;
            page.reason = facts.indexability.reason.word().to_owned();
            if bare(&facts.final_url) != bare(&wanted.source) {
                page.landed.clone_from(&facts.final_url);
            }
            page.answered = match facts.status {
                404 | 410 => Answered::Gone,
                200..=299 if !facts.is_html => Answered::NotHtml,
                200..=299 => Answered::Read,
                _ => Answered::Unanswered,
            };
            if page.answered == Answered::Read {
                look::links(&mut read, &facts, wanted, site);
                describe(&mut page, &facts, site, &read.found, measure);
                let is_short = facts.body_word_count < 40 && facts.excerpt.chars().count() < LEAST_TEXT;
                let is_whole = !facts.truncated && facts.links.len() < kit::page::MOST_LINKS;
                if read.found.len() < wanted.links.len() && is_short && scripts {
                    page.answered = Answered::NotRendered;
                } else if read.found.len() < wanted.links.len() && !is_whole {
                    page.answered = Answered::InPart;
                }
            }
        }
    }
    read.page = page;
    read
}

/// Finds the sought links, and what may lead to them.
fn links(read: &mut Read, facts: &PageFacts, wanted: &Wanted, site: &Site) {
    let sought: BTreeSet<&str> = wanted.links.iter().map(|it| bare(&it.target)).collect();
    let any = sought.contains("");
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for it in facts.links.iter().filter(|it| !it.url.is_empty()) {
        let key = bare(&it.url);
        let own = is_own(site, &it.url);
        let found = || PageLink {
            target: it.url.clone(),
            anchor: it.anchor.clone(),
            flags: flags(&it.rel) | if it.image { flag::IMAGE } else { 0 },
            placement: it.placement.word().to_owned(),
            ..PageLink::default()
        };
        if sought.contains(key) || (any && own) {
            // Of several the first that is followed counts.
            let new = found();
            let name = if sought.contains(key) { key } else { "" };
            match read.found.get_mut(name) {
                Some(before) if before.flags & flag::UNFOLLOWED != 0 && new.flags & flag::UNFOLLOWED == 0 => {
                    *before = new
                }
                Some(_) => {}
                None => _ = read.found.insert(name.to_owned(), new),
            }
        } else if (own || REDIRECTORS.contains(&host(&it.url)))
            && read.candidates.len() < CANDIDATES
            && seen.insert(key)
        {
            read.candidates.push(Candidate { url: it.url.clone(), found: found() });
        }
    }
    let named = facts.canonicals.iter().filter_map(|it| it.url.as_deref());
    let named = named.chain(facts.hreflang.iter().filter_map(|it| it.url.as_deref())).map(|it| (it, flag::CANONICAL));
    let frames = facts.resources.iter().filter(|it| it.kind == "frame").map(|it| (it.url.as_str(), flag::FRAME));
    for (url, flags) in named.chain(frames) {
        let key = bare(url);
        if sought.contains(key) && !read.found.contains_key(key) {
            let found = PageLink { target: url.to_owned(), flags, ..PageLink::default() };
            read.found.insert(key.to_owned(), found);
        }
    }
    if read.found.len() == wanted.links.len() {
        read.candidates.clear();
    }
}

fn flags(rel: &str) -> u16 {
    rel.split(' ').fold(0, |bits, token| {
        bits | match token {
            "nofollow" => flag::NOFOLLOW,
            "ugc" => flag::UGC,
            "sponsored" => flag::SPONSORED,
            _ => 0,
        }
    })
}

/// What the page says of itself and of others.
fn describe(
    page: &mut Page,
    facts: &PageFacts,
    site: &Site,
    found: &BTreeMap<String, PageLink>,
    measure: Option<&Measure<'_>>,
) {
    let title = facts.titles.first().map_or("", String::as_str);
    let declared = facts.lang.as_deref().map(kit::language::primary).filter(|it| !it.is_empty());
    let read =
        || kit::language::detect(&facts.excerpt).filter(|it| it.confidence > 0.5).map(|it| it.language.to_owned());
    page.language = declared.or_else(read).unwrap_or_default();
    let external: Vec<_> =
        facts.links.iter().filter(|it| !it.internal && !it.url.is_empty() && !is_own(site, &it.url)).collect();
    let addresses: BTreeSet<&str> = external.iter().map(|it| bare(&it.url)).collect();
    let domains: BTreeSet<&str> = external.iter().map(|it| crate::link::registrable(&it.url)).collect();
    let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    (page.external, page.external_domains) = (count(addresses.len()), count(domains.len()));
    let texts = || external.iter().map(|it| it.anchor.as_str());
    page.topics = spam::topics(texts(), &page.language);
    page.spam_terms = spam::terms(texts().chain([title]), &page.language);
    page.similarity = measure.and_then(|it| {
        let anchors: Vec<&str> = found.values().map(|it| it.anchor.as_str()).collect();
        it.similarity(&format!("{title} {} {}", anchors.join(" "), facts.excerpt))
    });
}

impl Read {
    /// Takes where a candidate led.
    pub(super) fn follow(&mut self, at: usize, landed: &str, wanted: &Wanted, site: &Site) {
        let Some(candidate) = self.candidates.get(at) else { return };
        let key = bare(landed);
        let name = if wanted.links.iter().any(|it| bare(&it.target) == key) {
            key
        } else if is_own(site, landed) && wanted.links.iter().any(|it| it.target.is_empty()) {
            ""
        } else {
            return;
        };
        if !self.found.contains_key(name) {
            let found = PageLink { target: landed.to_owned(), via: candidate.url.clone(), ..candidate.found.clone() };
            self.found.insert(name.to_owned(), found);
        }
    }

    /// The page with its links judged.
    pub(super) fn judged(mut self, wanted: &Wanted) -> Page {
        if self.page.answered != Answered::Read && self.found.len() == wanted.links.len() {
            self.page.answered = Answered::Read;
        }
        let (page, mut found) = (self.page, self.found);
        let mut links: Vec<PageLink> =
            wanted.links.iter().map(|it| judged(it, found.remove(bare(&it.target)), &page)).collect();
        links.sort_by(|a, b| bare(&a.target).cmp(bare(&b.target)));
        Page { links, ..page }
    }
}

/// How a link stands after a look.
fn judged(sought: &Sought, found: Option<PageLink>, page: &Page) -> PageLink {
    let before = sought.before.as_ref();
    let stays = |state: State, flags: u16| {
        before.filter(|it| it.state == state && it.flags == flags).map_or(page.day, |it| it.since)
    };
    if let Some(found) = found {
        let target = if sought.target.is_empty() { found.target.clone() } else { sought.target.clone() };
        let since = stays(State::Live, found.flags);
        return PageLink { target, state: State::Live, since, missed: NO_DAY, ..found };
    }
    let kept = before.cloned().unwrap_or_default();
    let is_told = matches!(page.answered, Answered::Read | Answered::Gone);
    let failed = before.filter(|it| matches!(it.state, State::Missing | State::Lost));
    let target = sought.target.clone();
    if !is_told {
        let state = failed.map_or(State::Unknown, |it| it.state);
        let missed = failed.map_or(NO_DAY, |it| it.missed);
        return PageLink { target, state, since: stays(state, kept.flags), missed, ..kept };
    }
    let missed = failed.map_or(page.day, |it| it.missed);
    let is_lost = missed < page.day || sought.lost || failed.is_some_and(|it| it.state == State::Lost);
    let state = if is_lost { State::Lost } else { State::Missing };
    PageLink { target, state, since: stays(state, kept.flags), missed, ..kept }
}

/// Why a link is lost or worth less, in the order in which it is asked.
#[value]
pub(crate) enum Cause {
    /// Its page answers 404 or 410, or its name does not exist; a tool may have said so.
    PageGone,
    /// Its page answered 500 to 599, as a tool says.
    PageFailing,
    /// Its page redirects to one that does not link.
    PageRedirects,
    /// Its page asks search engines not to show it.
    Noindexed,
    /// A tool calls it lost, and the robots.txt of its host forbids this service to look.
    Blocked,
    /// Its page is there without it.
    LinkRemoved,
    /// It now asks not to be followed.
    Nofollowed,
    /// Its page names another address as its canonical one.
    CanonicalElsewhere,
    /// Nobody looked.
    Unknown,
}

/// What the last look says of why a link is lost or worth less; none where nothing is wrong with it.
pub(crate) fn cause(link: &Link, seen: Option<&crate::looked::Look<'_>>) -> Option<Cause> {
    let Some(seen) = seen.filter(|it| it.page.answered != Answered::Unanswered) else {
        return link.is_lost().then_some(match link.status {
            Some(404 | 410) => Cause::PageGone,
            Some(500..=599) => Cause::PageFailing,
            Some(300..=399) => Cause::PageRedirects,
            _ => Cause::Unknown,
        });
    };
    let is_gone = seen.link.state == State::Lost;
    let reason = seen.page.reason.as_str();
    if is_gone && seen.page.answered == Answered::Gone {
        Some(Cause::PageGone)
    } else if is_gone && !seen.page.landed.is_empty() {
        Some(Cause::PageRedirects)
    } else if [Reason::Noindex.word(), Reason::NoindexHeader.word()].contains(&reason) {
        Some(Cause::Noindexed)
    } else if link.is_lost() && seen.page.answered == Answered::Disallowed {
        Some(Cause::Blocked)
    } else if is_gone {
        Some(Cause::LinkRemoved)
    } else if seen.is_nofollowed() {
        Some(Cause::Nofollowed)
    } else if reason == Reason::Canonicalised.word() {
        Some(Cause::CanonicalElsewhere)
    } else {
        link.is_lost().then_some(Cause::Unknown)
    }
}
