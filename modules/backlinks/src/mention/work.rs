//! The job of a scan: sources, searches, then pages, some a step.

use dataforseo::{Account, money};
use sdk::prelude::*;
use sdk::{Degraded, Failure, Money, Next, Progress, json};
use site::Site;

use super::names::Names;
use super::sources::{self, Candidate, Source};
use crate::link::is_own;
use crate::outside::{self, Came, Spent, TOGETHER, WHY};

/// Milliseconds after which a step takes no more pages, and pages of one step.
const LONGEST: u64 = 30_000;
const OF_STEP: usize = 40;
/// Results of one search, and searches.
const DEPTH: u64 = 100;
const SEARCHES: usize = 5;
/// How often a host that asks for a pause is asked again, and the pause.
const TRIES: u32 = 3;
const PAUSE_MS: u32 = 30_000;

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
    /// Searches that were made.
    searched: usize,
    spent: Spent,
    candidates: Vec<Candidate>,
    /// The next page, and those whose hosts asked for a pause.
    at: usize,
    again: Vec<usize>,
    tries: u32,
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
    let searches = if payload.country.is_some() { payload.aliases.len().min(SEARCHES) } else { 0 };
    if state.searched < searches {
        state.search(cx, &payload, &site, most)?;
        let progress = Progress::new(state.searched as u64, searches as u64, "searching");
        return Ok(Step::next(state, progress));
    }
    state.candidates.retain(|it| !is_own(&site, &it.url));
    let count = state.candidates.len() as u64;
    if state.at >= state.candidates.len() && (state.again.is_empty() || state.tries >= TRIES) {
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

    fn search(&mut self, cx: &Cx, payload: &Payload, site: &Site, most: usize) -> Result<()> {
        let at = self.searched;
        self.searched += 1;
        let (Some(country), Some(alias)) = (payload.country, payload.aliases.get(at)) else { return Ok(()) };
        if self.spent.is_beyond(payload.cost_cap, DEPTH) {
            self.degraded.push(Degraded::new("searches", "the cap of costs was reached"));
            self.searched = payload.aliases.len();
            return Ok(());
        }
        let account = Account::required(cx, "/use_serp", WHY)?;
        let query = format!("\"{alias}\" -site:{}", site.domain.trim_start_matches("www."));
        match outside::search(&account, &mut self.spent, &query, country, &payload.language, DEPTH) {
            Ok(results) => {
                let found = results.into_iter().filter_map(|it| {
                    let (url, title) = (kit::url::normalize(&it.url)?, Some(it.title).filter(|it| !it.is_empty()));
                    Some(Candidate { url, title, published_on: None, is_named: true })
                });
                sources::add(&mut self.candidates, found.collect(), most);
                Ok(())
            }
            Err(refusal) => {
                let fault = refusal.fault("/use_serp");
                if payload.sources.is_empty() && at == 0 {
                    return Err(fault);
                }
                self.degraded.push(Degraded::new("searches", format!("{}: {}", fault.code, fault.message)));
                self.searched = payload.aliases.len();
                Ok(())
            }
        }
    }

    /// Reads some pages; whether only such are left whose hosts ask for a pause.
    fn read_pages(&mut self, cx: &Cx, site: &Site, names: &Names) -> bool {
        let mut taken = 0;
        while taken < OF_STEP && cx.elapsed() < LONGEST {
            let is_first = self.at < self.candidates.len();
            let round: Vec<usize> = if is_first {
                (self.at..self.candidates.len().min(self.at + TOGETHER)).collect()
            } else {
                self.again.drain(..self.again.len().min(TOGETHER)).collect()
            };
            if round.is_empty() {
                break;
            }
            if is_first {
                self.at += round.len();
            }
            taken += round.len();
            let urls: Vec<&str> = round.iter().map(|at| self.candidates[*at].url.as_str()).collect();
            let came = outside::pages(cx, &urls);
            let mut paced = Vec::new();
            for (at, came) in round.into_iter().zip(came) {
                match came {
                    Came::Paced => paced.push(at),
                    Came::Not => self.unread += 1,
                    Came::Page(page) => {
                        self.read += 1;
                        self.take(at, &page, site, names);
                    }
                }
            }
            let is_paced = !paced.is_empty();
            self.again.extend(paced);
            if !is_first && is_paced {
                break;
            }
        }
        let is_waiting = self.at >= self.candidates.len() && !self.again.is_empty();
        self.tries += u32::from(is_waiting);
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
    if state.unread > 0 || !state.again.is_empty() {
        let count = state.unread + state.again.len() as u64;
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
        unread_pages: state.unread + state.again.len() as u64,
        candidates: state.candidates.len() as u64,
        provider_cost: money(state.spent.micros),
        degraded,
        next,
    };
    let count = outcome.candidates;
    Step::done(outcome, Progress::new(count, count, "done"))
}
