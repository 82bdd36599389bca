//! The job of a citation scan: searches first, then pages, eight a step.

use std::collections::BTreeMap;

use dataforseo::Account;
use sdk::prelude::*;
use sdk::{Degraded, Money, Next, Progress, json};
use site::live::{self, Reach};

use super::extract;
use super::stored::{Citation, LinkState, Pack, Scanned, State, TaskState, citation_id};
use crate::nap::compare::{Grade, Grades, Shown};
use crate::nap::phone;
use crate::nap::stored::{self as nap, Nap};
use crate::stored::Location;

/// Pages of one step.
const TOGETHER: usize = 8;
/// Results of a search.
const DEPTH: u32 = 10;
/// Hosts that are maps, searches and profiles of the provider itself.
const PASSED_OVER: [&str; 5] = ["google.", "bing.com", "duckduckgo.com", "maps.apple.com", "waze.com"];

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) location: Id<Location>,
    pub(super) urls: Vec<String>,
    pub(super) use_serp: bool,
    /// Search results were wanted, and there is no connection.
    pub(super) left_out: bool,
    pub(super) max_pages: usize,
}

/// An address that is to be looked at.
#[value]
pub(crate) struct Candidate {
    url: String,
    in_search: bool,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    searched: bool,
    waiting: Vec<Candidate>,
    all: u64,
    fetched: u64,
    found: u64,
    disallowed: u64,
    unreachable: u64,
    others_at: Option<Vec<(String, u32)>>,
    cost_micros: u64,
    degraded: Vec<Degraded>,
}

/// The scan.
#[value]
pub(crate) struct Outcome {
    location_ref: Id<Location>,
    /// Citations that are there now.
    found: u64,
    /// All of name, address and phone number are right.
    matching: u64,
    /// One of them says something else.
    conflicting: u64,
    duplicates: u64,
    fetched: u64,
    /// Pages that robots.txt keeps back.
    disallowed: u64,
    unreachable: u64,
    /// Tasks of packs that are done.
    tasks_done: u64,
    /// What the provider took.
    provider_cost: Option<Money>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Searches, looks at some pages, or ends.
#[step]
pub(crate) fn citations(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let nap = nap::required(cx, payload.location.as_str())?;
    if !state.searched {
        state.begin(cx, &payload, &nap)?;
        let progress = Progress::new(0, state.all, "searching");
        return Ok(Step::next(state, progress));
    }
    if state.waiting.is_empty() {
        return finish(cx, &payload, &nap, state);
    }
    let some: Vec<Candidate> = state.waiting.drain(..state.waiting.len().min(TOGETHER)).collect();
    state.look(cx, &payload.location, &nap, &some)?;
    let progress = Progress::new(state.all - state.waiting.len() as u64, state.all, "reading pages");
    Ok(Step::next(state, progress))
}

impl Checkpoint {
    /// What is to be looked at: given pages, those known from before, and search results.
    fn begin(&mut self, cx: &Cx, payload: &Payload, nap: &Nap) -> Result<()> {
        self.searched = true;
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut add = |url: &str, in_search: bool| {
            let Some(url) = kit::url::normalize(url).filter(|it| !is_passed_over(it, nap)) else { return };
            match candidates.iter_mut().find(|it| it.url == url) {
                Some(known) => known.in_search |= in_search,
                None => candidates.push(Candidate { url, in_search }),
            }
        };
        for url in &payload.urls {
            add(url, false);
        }
        if payload.left_out {
            let why = "there is no connection to DataForSEO: search results were left out";
            self.degraded.push(Degraded::new("found", why));
        }
        if payload.use_serp {
            for url in self.search(cx, nap)? {
                add(&url, true);
            }
        }
        let known =
            cx.records::<Citation>().by("location_url").equals(&payload.location).scan().take(payload.max_pages);
        for it in known.filter(|it| it.state != State::Gone) {
            add(&it.url, it.in_search);
        }
        let beyond = candidates.len().saturating_sub(payload.max_pages);
        if beyond > 0 {
            self.degraded.push(Degraded::new(
                "found",
                format!("{beyond} pages were left out: max_pages is {}", payload.max_pages),
            ));
        }
        candidates.truncate(payload.max_pages);
        self.all = candidates.len() as u64;
        self.waiting = candidates;
        Ok(())
    }

    /// Addresses of search results for phone numbers, name and street, name and town.
    fn search(&mut self, cx: &Cx, nap: &Nap) -> Result<Vec<String>> {
        let account = Account::required(cx, "/use_serp", "search results are read with DataForSEO")?;
        let country = nap.address.country;
        let language = dataforseo::covers(country).and_then(|it| it.first().copied()).unwrap_or("en");
        let mut queries: Vec<String> = phone::spellings(&nap.phone).iter().map(|it| format!("\"{it}\"")).collect();
        let street = nap.address.lines.first().cloned().unwrap_or_default();
        queries.push(format!("\"{}\" \"{street}\"", nap.name));
        queries.extend(nap.address.city.as_ref().map(|city| format!("\"{}\" {city}", nap.name)));
        queries.truncate(4);
        let tasks: Vec<_> = queries
            .iter()
            .map(|query| {
                json!({
                    "keyword": dataforseo::escaped(query), "location_code": dataforseo::location_code(country), "language_code": language, "depth": DEPTH,
                })
            })
            .collect();
        let mut urls = Vec::new();
        let mut at: BTreeMap<String, u32> = BTreeMap::new();
        let mut failed = 0;
        for answer in account.ask_many("serp/google/organic/live/advanced", &tasks) {
            match answer {
                Ok(answer) => {
                    self.cost_micros += answer.cost_micros;
                    let page = answer.results.first().map(serps::Page::read).unwrap_or_default();
                    for it in page.results {
                        if let Some(domain) = serps::registrable(&it.url) {
                            *at.entry(domain).or_default() += 1;
                        }
                        urls.push(it.url);
                    }
                }
                Err(_) => failed += 1,
            }
        }
        if failed > 0 {
            self.degraded.push(Degraded::new("found", format!("{failed} of {} searches had no answer", tasks.len())));
        }
        self.others_at = Some(at.into_iter().collect());
        Ok(urls)
    }

    /// Reads some pages and stores what they show.
    fn look(&mut self, cx: &Cx, location: &Id<Location>, nap: &Nap, some: &[Candidate]) -> Result<()> {
        let truth = nap.truth();
        let urls: Vec<(usize, Url)> =
            some.iter().enumerate().filter_map(|(at, it)| Some((at, it.url.parse().ok()?))).collect();
        let plain: Vec<Url> = urls.iter().map(|it| it.1.clone()).collect();
        let pages = live::pages(cx, &plain, Reach::PAGE);
        for ((at, _), page) in urls.iter().zip(pages) {
            self.fetched += 1;
            let it = &some[*at];
            let id = citation_id(location.as_str(), &it.url);
            let before = cx.records::<Citation>().find(&id);
            let (state, shown, grades, link) = match &page {
                Ok(page) => match extract::shown(page, &truth) {
                    Some(shown) => {
                        (State::Found, shown.clone(), Some(truth.grades(&shown)), extract::link(page, &truth))
                    }
                    None if before.is_some() && extract::shows_text(page) => {
                        (State::Gone, Shown::default(), None, LinkState::None)
                    }
                    None => continue,
                },
                Err(fault) if is_disallowed(fault) => {
                    self.disallowed += 1;
                    // A page that may not be read is told where a search or a person named it.
                    (State::Disallowed, Shown::default(), None, LinkState::None)
                }
                Err(fault) => {
                    self.unreachable += 1;
                    if before.is_none() || fault.code != "page_not_ok" {
                        continue;
                    }
                    (State::Gone, Shown::default(), None, LinkState::None)
                }
            };
            self.found += u64::from(state == State::Found);
            let citation = Citation {
                location: location.to_string(),
                domain: serps::registrable(&it.url).unwrap_or_default(),
                url: it.url.clone(),
                state,
                shown,
                grades,
                link,
                duplicate_of: None,
                in_search: it.in_search || before.as_ref().is_some_and(|it| it.in_search),
                checked_ms: cx.now().millis(),
            };
            cx.records::<Citation>().put_many_as(std::iter::once((&id, &citation)))?;
        }
        Ok(())
    }
}

fn is_disallowed(fault: &Fault) -> bool {
    fault.code == "robots_disallowed"
}

/// Own pages, maps and searches are no citations.
fn is_passed_over(url: &str, nap: &Nap) -> bool {
    let Ok(parsed) = url::Url::parse(url) else { return true };
    let host = parsed.host_str().unwrap_or_default().trim_start_matches("www.");
    if PASSED_OVER.iter().any(|it| host.starts_with(it)) {
        return true;
    }
    let domain =
        |text: &str| url::Url::parse(text).ok()?.host_str().and_then(kit::url::registrable_domain).map(str::to_owned);
    nap.website.as_deref().and_then(domain).is_some_and(|own| kit::url::registrable_domain(host) == Some(own.as_str()))
}

/// Whether name, address and phone number are right.
pub(super) fn is_right(grades: &Grades) -> bool {
    let well = |it: Grade| matches!(it, Grade::Exact | Grade::Near);
    well(grades.name) && well(grades.address) && grades.phone == Grade::Exact
}

/// Whether one of them says something else.
pub(super) fn conflicts(grades: &Grades) -> bool {
    [grades.name, grades.address, grades.phone].contains(&Grade::Conflict)
}

fn finish(cx: &Cx, payload: &Payload, nap: &Nap, state: Checkpoint) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let location = &payload.location;
    let mut all: Vec<Stored<Citation>> = cx
        .records::<Citation>()
        .by("location_domain")
        .equals(location)
        .scan()
        .filter(|it| it.state == State::Found)
        .collect();
    let duplicates = mark_duplicates(cx, &mut all)?;
    let grades: Vec<Grades> = all.iter().filter_map(|it| it.grades).collect();
    let (matching, conflicting) =
        (grades.iter().filter(|it| is_right(it)).count(), grades.iter().filter(|it| conflicts(it)).count());
    let tasks_done = mark_tasks(cx, location, &all)?;
    let scanned = Scanned { ended_ms: cx.now().millis(), others_at: state.others_at.clone(), found: all.len() as u64 };
    let (records, id) = (cx.records::<Scanned>(), Id::new(location.as_str()));
    match records.find(&id) {
        Some(mut before) => {
            before.it = Scanned { others_at: scanned.others_at.or(before.it.others_at.take()), ..scanned };
            records.save(before)?;
        }
        None => {
            records.insert_as(id, scanned)?;
        }
    }
    let report = Next::new(
        "listings.citation.report",
        json!({ "location_ref": location }),
        format!("scores how consistent {} is, and says what to correct first", nap.name),
    );
    let outcome = Outcome {
        location_ref: location.clone(),
        found: all.len() as u64,
        matching: matching as u64,
        conflicting: conflicting as u64,
        duplicates,
        fetched: state.fetched,
        disallowed: state.disallowed,
        unreachable: state.unreachable,
        tasks_done,
        provider_cost: payload.use_serp.then(|| dataforseo::money(state.cost_micros)),
        next: vec![report],
        degraded: state.degraded,
    };
    let progress = Progress::new(state.all, state.all, "done");
    Ok(Step::done(outcome, progress).units(state.fetched))
}

/// Two pages of one domain that show the business at different addresses are twice the same: the one that is right stays.
fn mark_duplicates(cx: &Cx, all: &mut [Stored<Citation>]) -> Result<u64> {
    let score = |it: &Citation| {
        it.grades.map_or(0, |it| [it.name, it.address, it.phone].iter().filter(|it| **it == Grade::Exact).count())
    };
    let mut best: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for it in all.iter() {
        let entry = best.entry(it.domain.clone()).or_insert_with(|| (score(it), it.url.clone()));
        if score(it) > entry.0 {
            *entry = (score(it), it.url.clone());
        }
    }
    let mut count = 0;
    for it in all.iter_mut() {
        let first = best.get(&it.domain).map(|it| it.1.clone()).filter(|first| *first != it.url);
        count += u64::from(first.is_some());
        if it.duplicate_of != first {
            it.it.duplicate_of = first;
            cx.records::<Citation>().put_many_as(std::iter::once((&it.id, &it.it)))?;
        }
    }
    Ok(count)
}

/// Marks the tasks of packs whose directory shows the business right.
fn mark_tasks(cx: &Cx, location: &Id<Location>, all: &[Stored<Citation>]) -> Result<u64> {
    let right = |domain: &str| {
        let of_domain: Vec<&Stored<Citation>> = all.iter().filter(|it| it.domain == domain).collect();
        of_domain.len() == 1 && of_domain.iter().all(|it| it.grades.is_some_and(|it| is_right(&it)))
    };
    let mut done = 0;
    let packs: Vec<Stored<Pack>> =
        cx.records::<Pack>().by("location_created_ms").equals(location).scan().take(50).collect();
    for mut pack in packs {
        let mut changed = false;
        for task in &mut pack.it.tasks {
            if task.state == TaskState::Open && right(&task.directory) {
                task.state = TaskState::Done;
                changed = true;
            }
            done += u64::from(task.state == TaskState::Done);
        }
        if changed {
            cx.records::<Pack>().save(pack)?;
        }
    }
    Ok(done)
}
