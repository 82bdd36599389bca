//! The job of a scan: sources, searches, then pages, some a step.

use sdk::prelude::*;
use sdk::{Degraded, Failure, Money, Next, Progress, json};
use site::Site;

use super::names::Names;
use super::sources::{self, Candidate, Source};
use crate::link::is_own;
use crate::outside::{self, Came, PAUSE_MS, Reading, Round};
use crate::searching::{Searches, Searching};

/// Results of one search, and searches.
const DEPTH: u64 = 100;
const SEARCHES: usize = 5;
/// Sources that are read together.
const TOGETHER: usize = 8;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) aliases: Vec<String>,
    pub(super) sources: Vec<String>,
    /// Where is searched from; none where no search engine is asked.
    pub(super) country: Option<Country>,
    pub(super) language: Language,
    pub(super) max_pages: u64,
    pub(super) context: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) cost_cap: Option<f64>,
}

/// A page that names the brand.
#[value]
pub(crate) struct Mention {
    url: String,
    title: Option<String>,
    published_on: Option<Day>,
    /// The name that was found.
    alias: String,
    /// The first sentence with it.
    sentence: String,
    /// Whether the page links to the website.
    linked: bool,
    /// Where its website is written to, when a link of the page says so.
    contact_url: Option<String>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Sources that were read; those of indexes come behind the given ones.
    source: usize,
    more_sources: Vec<String>,
    /// Sources that could not be read, with why.
    failed: Vec<String>,
    searching: Searching,
    candidates: Vec<Candidate>,
    reading: Reading,
    read: u64,
    /// Pages that could not be read.
    unread: u64,
    mentions: Vec<Mention>,
    degraded: Vec<Degraded>,
}

/// The result of a scan.
#[value]
pub(crate) struct Outcome {
    /// Those without a link first, then the newest.
    mentions: Vec<Mention>,
    unlinked: u64,
    /// Pages that were read, and that could not be.
    pages: u64,
    unread_pages: u64,
    /// Pages that were listed or found, at most `max_pages`.
    candidates: u64,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reads some sources or pages, searches, or ends.
#[step]
pub(crate) fn scan(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let site = site::get(cx, &payload.site_id)?;
    let names = names(&payload, &site);
    let most = usize::try_from(payload.max_pages).unwrap_or(usize::MAX);
    let all = payload.sources.len() + state.more_sources.len();
    if state.source < all {
        state.read_sources(cx, &payload, &names, most);
        let progress = Progress::new(state.source as u64, all as u64, "reading sources");
        return Ok(Step::next(state, progress));
    }
    let own = site.domain.trim_start_matches("www.");
    let searched = payload.aliases.iter().take(SEARCHES).filter(|_| payload.country.is_some());
    let queries: Vec<String> = searched.map(|it| format!("\"{it}\" -site:{own}")).collect();
    if state.searching.at < queries.len() {
        let wait = state.search(cx, &payload, &queries, most)?;
        let progress = Progress::new(state.searching.at as u64, queries.len() as u64, "searching");
        return Ok(Step::next(state, progress).after(wait));
    }
    state.candidates.retain(|it| !is_own(&site, &it.url));
    let count = state.candidates.len() as u64;
    if state.reading.is_done(state.candidates.len()) {
        return Ok(finish(state));
    }
    let before = state.read + state.unread;
    let is_waiting = state.read_pages(cx, &site, &names);
    let done = state.read + state.unread;
    let progress = Progress::new(done, count, "reading pages");
    Ok(Step::next(state, progress).units(done - before).after(if is_waiting { PAUSE_MS } else { 0 }))
}

fn names(payload: &Payload, site: &Site) -> Names {
    let mut cues = payload.context.clone();
    cues.push(site.domain.trim_start_matches("www.").to_owned());
    cues.extend(site.name.clone());
    Names::new(&payload.aliases, &cues, &payload.exclude)
}

impl Checkpoint {
    fn read_sources(&mut self, cx: &Cx, payload: &Payload, names: &Names, most: usize) {
        let all: Vec<&String> = payload.sources.iter().chain(&self.more_sources).collect();
        let urls: Vec<(usize, Url)> = (self.source..all.len().min(self.source + TOGETHER))
            .filter_map(|at| Some((at, all[at].parse().ok()?)))
            .collect();
        let from_index = payload.sources.len();
        self.source = all.len().min(self.source + TOGETHER);
        let answers = cx.web().fetch_many(urls.iter().map(|it| sources::request(&it.1)));
        for ((at, url), answer) in urls.iter().zip(&answers) {
            let response = match answer {
                Ok(response) if response.is_success() => response,
                Ok(response) => {
                    self.failed.push(format!("{url} answered {}", response.status));
                    continue;
                }
                Err(Failure::Disallowed) => {
                    self.failed.push(format!("the robots.txt of {url} forbids it"));
                    continue;
                }
                Err(failure) => {
                    self.failed.push(format!("{url}: {}", failure.name()));
                    continue;
                }
            };
            match sources::read(response, url, names) {
                Source::Lists(listed) => sources::add(&mut self.candidates, listed, most),
                // One level of indexes.
                Source::Index(more) if *at < from_index => self.more_sources.extend(more),
                Source::Index(_) => {}
                Source::Page => {
                    let page = Candidate { url: url.to_string(), title: None, published_on: None, is_named: true };
                    sources::add(&mut self.candidates, vec![page], most);
                }
            }
        }
    }

    /// Makes the next search; how long to wait before the next step.
    fn search(&mut self, cx: &Cx, payload: &Payload, queries: &[String], most: usize) -> Result<u32> {
        let Some(country) = payload.country else { return Ok(0) };
        let searches = Searches {
            queries,
            country,
            language: &payload.language,
            depth: DEPTH,
            cost_cap: payload.cost_cap,
            pointer: "/use_serp",
            is_needed: payload.sources.is_empty(),
        };
        let (results, wait) = self.searching.next(cx, &searches, &mut self.degraded)?;
        let found = results.into_iter().filter_map(|it| {
            let (url, title) = (kit::url::normalize(&it.url)?, Some(it.title).filter(|it| !it.is_empty()));
            Some(Candidate { url, title, published_on: None, is_named: true })
        });
        sources::add(&mut self.candidates, found.collect(), most);
        Ok(wait)
    }

    /// Reads some pages; whether only such are left whose hosts ask for a pause.
    fn read_pages(&mut self, cx: &Cx, site: &Site, names: &Names) -> bool {
        let mut reading = std::mem::take(&mut self.reading);
        let is_waiting = reading.step(cx, self.candidates.len(), |some, room| {
            let urls: Vec<&str> = some.iter().map(|at| self.candidates[*at].url.as_str()).collect();
            let (came, bytes) = outside::pages(cx, &urls, room);
            let mut round = Round { bytes, requests: some.len(), ..Round::default() };
            for (at, came) in some.iter().zip(came) {
                match came {
                    Came::Paced => round.paced.push(*at),
                    Came::Unread => round.unread.push(*at),
                    Came::Not => self.unread += 1,
                    Came::Page(page) => {
                        self.read += 1;
                        self.take(*at, &page, site, names);
                    }
                }
            }
            round
        });
        self.reading = reading;
        is_waiting
    }

    fn take(&mut self, at: usize, page: &outside::Read, site: &Site, names: &Names) {
        let candidate = &self.candidates[at];
        let title = page.facts.titles.first().cloned().or_else(|| candidate.title.clone());
        let named = names.find(&page.content).or_else(|| title.as_deref().and_then(|it| names.find(it)));
        let Some(named) = named else { return };
        let declared = page.facts.published.as_deref().and_then(kit::dates::parse).map(kit::dates::Date::days);
        let published = declared.and_then(|it| i32::try_from(it).ok()).map(Day::from_epoch);
        self.mentions.push(Mention {
            url: candidate.url.clone(),
            title: title.map(|it| kit::text::collapse_to(&it, 300)),
            published_on: published.or(candidate.published_on),
            alias: named.alias,
            sentence: named.sentence,
            linked: page.facts.links.iter().any(|it| !it.url.is_empty() && is_own(site, &it.url)),
            contact_url: crate::contact::url(&page.facts),
        });
    }
}

fn finish(state: Checkpoint) -> Step<Checkpoint, Progress, Outcome> {
    let mut degraded = state.degraded;
    if !state.failed.is_empty() {
        let told = state.failed.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
        degraded.push(Degraded::new("sources", format!("{} sources could not be read: {told}", state.failed.len())));
    }
    let unread_pages = state.unread + state.reading.left();
    if unread_pages > 0 {
        let count = unread_pages;
        degraded.push(Degraded::new("pages", format!("{count} pages could not be read, so nothing is said of them")));
    }
    let mut mentions = state.mentions;
    mentions.sort_by(|a, b| {
        a.linked.cmp(&b.linked).then(b.published_on.cmp(&a.published_on)).then_with(|| a.url.cmp(&b.url))
    });
    let unlinked = mentions.iter().filter(|it| !it.linked).count() as u64;
    let mut next = Vec::new();
    if let Some(first) = mentions.iter().find(|it| it.linked) {
        let check = json!({ "url": first.url });
        next.push(Next::new("onpage.link.check", check, "shows how the first page with a link links"));
    }
    let outcome = Outcome {
        mentions,
        unlinked,
        pages: state.read,
        unread_pages,
        candidates: state.candidates.len() as u64,
        provider_cost: state.searching.cost(),
        degraded,
        next,
    };
    let count = outcome.candidates;
    Step::done(outcome, Progress::new(count, count, "done"))
}
