//! The job of a search for prospects: searches, then pages, some a step.

use std::collections::BTreeSet;

use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Money, Progress, Request};
use site::Site;

use super::kinds::{Kind, recommended, searches, shown};
use super::stored;
use crate::link::{bare, is_own, registrable};
use crate::outside::{self, Came, PAUSE_MS, Reading, Round};
use crate::searching::{Searches, Searching};
use crate::stored::Links;
use crate::verify::topic::Topic;

/// The most results of one search, and pages of one domain.
const DEPTH: u64 = 100;
const OF_DOMAIN: usize = 2;
/// Links of a page that are asked whether they are dead, and those that are told.
const ASKED: usize = 10;
const TOLD: usize = 5;
/// The part of the topic in the fit; the rest is how sure the kind is.
const TOPIC: f64 = 0.6;
/// The fit below which a page is none.
const LEAST: f64 = 0.3;
/// A cosine with the website from which a page is wholly of its topic.
const ON_TOPIC: f64 = 0.25;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) kind: Kind,
    pub(super) topic: String,
    pub(super) country: Country,
    pub(super) language: Language,
    pub(super) max: u64,
    pub(super) exclude: Vec<String>,
    pub(super) cost_cap: Option<f64>,
}

/// A page that may link.
#[value]
pub(crate) struct Prospect {
    url: String,
    domain: String,
    title: Option<String>,
    /// From 0 to 100: three fifths the topic, two fifths how surely it is of the type.
    fit: u64,
    /// What shows that it is of the type.
    reason: String,
    /// Of a page for broken links: those that are dead, at most 5.
    dead_links: Vec<String>,
    contact_url: Option<String>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    searching: Searching,
    /// Pages to read.
    pages: Vec<String>,
    is_chosen: bool,
    reading: Reading,
    read: u64,
    unread: u64,
    /// Pages of domains that link already, and pages that are not of the type or the topic.
    linking: u64,
    unfit: u64,
    found: Vec<Prospect>,
    degraded: Vec<Degraded>,
}

/// The result of a search.
#[value]
pub(crate) struct Outcome {
    /// The best fit first.
    prospects: Vec<Prospect>,
    /// Pages that were read, that could not be, and that are not of the type or the topic.
    pages: u64,
    unread_pages: u64,
    unfit_pages: u64,
    /// Results of domains that link to the website already, or are left out.
    left_out: u64,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Searches, reads some pages, or ends.
#[step]
pub(crate) fn find(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let site = site::get(cx, &payload.site_id)?;
    let all = searches(payload.kind, &payload.topic, payload.language.primary());
    if state.searching.at < all.len() {
        // Twice as many results as are wanted, over all searches; results come in tens.
        let depth = (payload.max * 2).div_ceil(all.len() as u64).div_ceil(10).saturating_mul(10).clamp(10, DEPTH);
        let searches = Searches {
            queries: &all,
            country: payload.country,
            language: &payload.language,
            depth,
            cost_cap: payload.cost_cap,
            pointer: "/site_id",
            is_needed: true,
        };
        let (results, wait) = state.searching.next(cx, &searches, &mut state.degraded)?;
        state.pages.extend(results.into_iter().filter_map(|it| kit::url::normalize(&it.url)));
        let progress = Progress::new(state.searching.at as u64, all.len() as u64, "searching");
        return Ok(Step::next(state, progress).after(wait));
    }
    if !state.is_chosen {
        state.choose(cx, &payload, &site)?;
        let progress = Progress::new(0, state.pages.len() as u64, "reading pages");
        return Ok(Step::next(state, progress));
    }
    let is_enough = state.found.len() as u64 >= payload.max;
    if is_enough || state.reading.is_done(state.pages.len()) {
        return finish(cx, &payload, state);
    }
    let before = state.read + state.unread;
    let is_waiting = state.read_pages(cx, &payload, &site);
    let done = state.read + state.unread;
    let progress = Progress::new(done, state.pages.len() as u64, "reading pages");
    Ok(Step::next(state, progress).units(done - before).after(if is_waiting { PAUSE_MS } else { 0 }))
}

impl Checkpoint {
    /// Leaves out what is known, the own, and more than two pages of one domain.
    fn choose(&mut self, cx: &Cx, payload: &Payload, site: &Stored<Site>) -> Result<()> {
        let mut linking: BTreeSet<String> = payload.exclude.iter().cloned().collect();
        Links::of(cx, &site.id).each(|link| {
            if !link.is_lost() && !linking.contains(link.domain()) {
                linking.insert(link.domain().to_owned());
            }
        })?;
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut domains: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
        for url in std::mem::take(&mut self.pages) {
            if is_own(site, &url) || !seen.insert(bare(&url).to_owned()) {
                continue;
            }
            if linking.contains(registrable(&url)) {
                self.linking += 1;
                continue;
            }
            let of = domains.entry(registrable(&url).to_owned()).or_default();
            *of += 1;
            if *of <= OF_DOMAIN {
                self.pages.push(url);
            }
        }
        self.pages.truncate(usize::try_from(payload.max * 2).unwrap_or(usize::MAX));
        self.is_chosen = true;
        if let Some(topic) = Topic::of_crawl(cx, &site.id) {
            topic.keep(cx, &site.id)?;
        }
        Ok(())
    }

    /// Reads some pages; whether only such are left whose hosts ask for a pause.
    fn read_pages(&mut self, cx: &Cx, payload: &Payload, site: &Site) -> bool {
        let topic = Topic::kept(cx, &payload.site_id);
        let judge = Judge::of(payload, topic.as_ref());
        let mut reading = std::mem::take(&mut self.reading);
        let is_waiting = reading.step(cx, self.pages.len(), |some, room| {
            let urls: Vec<&str> = some.iter().map(|at| self.pages[*at].as_str()).collect();
            let (came, bytes) = outside::pages(cx, &urls, room);
            // Of each page for broken links some are asked, twice where they seem dead.
            let asked = if payload.kind == Kind::Broken { 1 + 2 * ASKED } else { 1 };
            let mut round = Round { bytes, requests: some.len() * asked, ..Round::default() };
            for (at, came) in some.iter().zip(came) {
                match came {
                    Came::Paced => round.paced.push(*at),
                    Came::Unread => round.unread.push(*at),
                    Came::Not => self.unread += 1,
                    Came::Page(page) => {
                        self.read += 1;
                        match judge.prospect(cx, &self.pages[*at], &page, site) {
                            Some(it) => self.found.push(it),
                            None => self.unfit += 1,
                        }
                    }
                }
            }
            round.is_enough = self.found.len() as u64 >= payload.max;
            round
        });
        self.reading = reading;
        is_waiting
    }
}

/// Judges pages.
struct Judge<'a> {
    kind: Kind,
    analyzer: Analyzer,
    /// The stems of the topic.
    topic: Vec<String>,
    website: Option<crate::verify::topic::Measure<'a>>,
}

impl<'a> Judge<'a> {
    fn of(payload: &Payload, website: Option<&'a Topic>) -> Self {
        let analyzer = Analyzer::new(payload.language.primary());
        let topic = analyzer.query(&payload.topic);
        Self { kind: payload.kind, analyzer, topic, website: website.map(Topic::measure) }
    }

    /// A page as a prospect; none for one that is not of the type or not of the topic.
    fn prospect(&self, cx: &Cx, url: &str, page: &outside::Read, site: &Site) -> Option<Prospect> {
        // One that links already is none.
        if page.facts.links.iter().any(|it| !it.url.is_empty() && is_own(site, &it.url)) {
            return None;
        }
        let out = recommended(&page.facts, |it| is_own(site, it));
        let (sure, mut reason) = shown(self.kind, &page.facts, &page.content, out.len())?;
        let fit = TOPIC * self.topicality(page) + (1.0 - TOPIC) * sure;
        if fit < LEAST || self.topicality(page) <= 0.0 {
            return None;
        }
        let mut dead_links = Vec::new();
        if self.kind == Kind::Broken {
            dead_links = dead(cx, &out);
            if dead_links.is_empty() {
                return None;
            }
            reason = format!(
                "{} of {} links that were asked are dead, and it {reason}",
                dead_links.len(),
                out.len().min(ASKED)
            );
            dead_links.truncate(TOLD);
        }
        Some(Prospect {
            url: url.to_owned(),
            domain: registrable(url).to_owned(),
            title: page.facts.titles.first().map(|it| kit::text::collapse_to(it, 300)),
            fit: kit::number::as_count((fit * 100.0).round()),
            reason,
            dead_links,
            contact_url: crate::contact::url(&page.facts),
        })
    }

    /// How much a page is of the topic: the part of its words that stand in the page's title, headings and first text, or how alike
    /// it is to the website where that is more.
    fn topicality(&self, page: &outside::Read) -> f64 {
        let titles = page.facts.titles.iter().map(String::as_str);
        let headings = page.facts.headings.iter().take(30).map(|it| it.text.as_str());
        let start = kit::text::clip(&page.content, 2_000);
        let text = titles.chain(headings).chain([start]).collect::<Vec<_>>().join("\n");
        let stems: BTreeSet<String> = self.analyzer.stems(&text).into_iter().collect();
        let held = self.topic.iter().filter(|it| stems.contains(*it)).count();
        let share = crate::given::share(held as u64, self.topic.len() as u64).unwrap_or(0.0);
        let alike = self.website.as_ref().and_then(|it| it.similarity(&text)).map_or(0.0, |it| f64::from(it) / 100.0);
        share.max((alike / ON_TOPIC).min(1.0) * 0.8)
    }
}

/// Those of some addresses that answer 404 or 410, or whose names do not exist.
fn dead(cx: &Cx, urls: &[&str]) -> Vec<String> {
    let parsed: Vec<Url> = urls.iter().take(ASKED).filter_map(|it| it.parse().ok()).collect();
    let heads = cx.web().fetch_many(parsed.iter().map(|it| Request::head(it).timeout(6_000)));
    let is_gone = |answer: &Result<sdk::Response, Failure>| {
        matches!(answer, Ok(sdk::Response { status: 404 | 410, .. }) | Err(Failure::Unresolved))
    };
    let doubtful: Vec<&Url> = parsed.iter().zip(&heads).filter(|it| is_gone(it.1)).map(|it| it.0).collect();
    // Some servers know no HEAD: the page itself is asked for before it is called dead.
    let again = cx.web().fetch_many(doubtful.iter().map(|it| Request::get(it).max_bytes(1_024).timeout(6_000)));
    doubtful.iter().zip(&again).filter(|it| is_gone(it.1)).map(|it| it.0.to_string()).collect()
}

fn finish(cx: &Cx, payload: &Payload, state: Checkpoint) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut degraded = state.degraded;
    let unread = state.unread + state.reading.left();
    if unread > 0 {
        degraded.push(Degraded::new("pages", format!("{unread} pages could not be read, so nothing is said of them")));
    }
    let mut prospects = state.found;
    prospects.sort_by(|a, b| b.fit.cmp(&a.fit).then_with(|| a.url.cmp(&b.url)));
    prospects.truncate(usize::try_from(payload.max).unwrap_or(usize::MAX));
    let found_ms = cx.now().millis();
    let rows: Vec<(Id<stored::Prospect>, stored::Prospect)> = prospects
        .iter()
        .map(|it| {
            let name = kit::text::sha256(format!("{} {}", payload.site_id, bare(&it.url)).as_bytes());
            let row = stored::Prospect {
                site_id: payload.site_id.to_string(),
                url: it.url.clone(),
                domain: it.domain.clone(),
                kind: payload.kind,
                topic: payload.topic.clone(),
                fit: it.fit,
                contact_url: it.contact_url.clone(),
                found_ms,
            };
            (Id::new(kit::text::hex(&name[..12])), row)
        })
        .collect();
    cx.records::<stored::Prospect>().put_many_as(rows.iter().map(|it| (&it.0, &it.1)))?;
    let count = state.pages.len() as u64;
    let outcome = Outcome {
        prospects,
        pages: state.read,
        unread_pages: unread,
        unfit_pages: state.unfit,
        left_out: state.linking,
        provider_cost: state.searching.cost(),
        degraded,
    };
    Ok(Step::done(outcome, Progress::new(count, count, "done")))
}
