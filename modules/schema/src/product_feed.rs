//! The operation `schema.product_feed.check`, its job and its result.
//!
//! `read` reads feeds, `compare` compares an item with its page.

mod compare;
pub(crate) mod gtin;
pub(crate) mod read;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::{Failure, Job, JobState, json};

use crate::live::FEWER_BYTES;
use compare::Mismatch;
use read::Offer;
use site::Site;
use site::live::{self, Reach};

/// Bytes of a feed that are read: what one request may bring.
const BYTES: u32 = 8 << 20;
/// Pages fetched by one step: each is 192 KiB at most, eight at a time.
const PAGES: usize = 24;
/// Mismatches that are told.
const TOLD: usize = 1_000;
/// Milliseconds for which an ended check stands for the same question.
const FRESH: u64 = 3_600_000;

#[args]
pub(crate) struct Check {
    /// The feed: RSS or Atom with the `g:` names of Google's product data, or a table with commas or tabs.
    feed_url: Url,
    /// The website that the products are sold on.
    site_id: Id<Site>,
    /// At most this many items of the feed, from its beginning.
    #[default(200)]
    max_items: Count<1, 2_000>,
    /// Starts anew although the same check ended within the last hour.
    #[default(false)]
    refresh: bool,
}

/// A check that was asked for.
#[record(collection = "feeds_checked", thing = "feed_check", index(site_id))]
pub(crate) struct Checked {
    pub(crate) site_id: Id<Site>,
    pub(crate) feed_url: Url,
    pub(crate) job_ref: Id<Job>,
    pub(crate) started_at: Moment,
}

/// The check, as far as it is.
#[value]
pub(crate) struct Answered {
    job_ref: Id<Job>,
    /// `queued` when this call started it; a later call with the same arguments answers with the result.
    state: JobState,
    /// Why the job failed.
    failure: Option<String>,
    /// Items whose pages were compared.
    checked: u64,
    /// At most 1,000.
    mismatches: Vec<Mismatch>,
    /// When the check ended.
    checked_at: Option<Moment>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    feed_url: Url,
    site_id: Id<Site>,
    max_items: u32,
}

/// What one step hands to the next.
#[value]
pub(crate) struct Checkpoint {
    /// Items that wait, the next one last.
    waiting: Vec<Offer>,
    checked: u64,
    mismatches: Vec<Mismatch>,
    degraded: Vec<Degraded>,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    checked: u64,
    waiting: u64,
}

/// The job's result.
#[value]
pub(crate) struct Findings {
    checked: u64,
    mismatches: Vec<Mismatch>,
    degraded: Vec<Degraded>,
}

/// Compares a merchant feed (RSS, XML or CSV) with the Product markup and visible price of each landing page and reports price, currency, availability, GTIN and title mismatches.
///
/// GTINs are checked by their check digit too (GS1 General Specifications, section 7.9). Only pages of the website are
/// fetched. The same check within an hour is answered with the one that was made.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = max_items, unit = "items"),
    queued(step = "feed"),
    result_operation = "account.job.get",
    side_effects = ["fetches the feed and the pages of its items"],
    needs = ["web", "jobs"],
    phrasings = [
        "does my google shopping feed match my product pages",
        "check merchant feed prices against the website",
        "why are my products disapproved in merchant center",
        "find wrong GTINs in my product feed",
    ],
    examples = [{ "feed_url": "https://shop.example/feed.xml", "site_id": "4503599627370496", "max_items": 50 }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Answered> {
    let site = site::get(cx, &args.site_id)?;
    let max_items = u32::try_from(args.max_items.get()).unwrap_or(2_000);
    let question = json!([args.feed_url, site.id, max_items]).to_string();
    let id: Id<Checked> = Id::new(kit::text::hex(&kit::text::sha256(question.as_bytes())[..16]));
    let known = cx.records::<Checked>().find(&id);
    let job = known.as_ref().and_then(|it| cx.jobs().find(&it.job_ref));
    let stands = |it: &Job| match it.state {
        JobState::Queued | JobState::Running => true,
        JobState::Succeeded => cx.now().since(it.changed) < FRESH,
        JobState::Failed | JobState::Cancelled => false,
    };
    if let Some(job) = job.filter(|it| !args.refresh && stands(it)) {
        return Ok(Answered::of(&job));
    }
    let payload = Payload { feed_url: args.feed_url.clone(), site_id: site.id.clone(), max_items };
    let job_ref = cx.jobs().enqueue("feed", &payload)?;
    let (feed_url, started_at) = (args.feed_url, cx.now());
    let it = Checked { site_id: site.id.clone(), feed_url, job_ref: job_ref.clone(), started_at };
    match known {
        Some(mut known) => {
            known.it = it;
            cx.records::<Checked>().save(known)?;
        }
        None => {
            cx.records::<Checked>().insert_as(id, it)?;
        }
    }
    Ok(Answered::started(job_ref, JobState::Queued))
}

impl Answered {
    fn started(job_ref: Id<Job>, state: JobState) -> Self {
        let (mismatches, next, degraded) = (Vec::new(), Vec::new(), Vec::new());
        Self { job_ref, state, failure: None, checked: 0, mismatches, checked_at: None, next, degraded }
    }

    fn of(job: &Job) -> Self {
        let started = Self::started(job.id.clone(), job.state);
        let failure = job.fault().map(|(code, message)| format!("{code}: {message}"));
        let Some(it) = job.result::<Findings>() else { return Self { failure, ..started } };
        let first = it.mismatches.iter().find(|it| it.is_on_page());
        let generate = |it: &Mismatch| {
            Fix::new("schema.markup.generate", json!({ "url": it.url, "type": "Product" }))
                .because("makes Product markup that fits the page")
        };
        Self {
            checked: it.checked,
            next: first.map(generate).into_iter().collect(),
            mismatches: it.mismatches,
            checked_at: Some(job.changed),
            degraded: it.degraded,
            ..started
        }
    }
}

/// Reads the feed first, then some pages in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Findings>> {
    let mut state = match checkpoint {
        Some(state) => state,
        None => return begin(cx, &payload),
    };
    let mut offers = Vec::new();
    while offers.len() < PAGES
        && let Some(offer) = state.waiting.pop()
    {
        offers.push(offer);
    }
    let urls: Vec<Url> = offers.iter().filter_map(|it| it.link.parse().ok()).collect();
    for (offer, answer) in offers.iter().zip(live::pages(cx, &urls, Reach::bytes(FEWER_BYTES))) {
        state.checked += 1;
        let found = match answer {
            Ok(page) => compare::compare(offer, &page),
            Err(fault) => vec![Mismatch::unreachable(offer, &fault.message)],
        };
        let room = TOLD.saturating_sub(state.mismatches.len());
        state.mismatches.extend(found.into_iter().take(room));
    }
    let units = offers.len() as u64;
    let progress = Progress { checked: state.checked, waiting: state.waiting.len() as u64 };
    if !state.waiting.is_empty() {
        return Ok(Step::next(state, progress).units(units));
    }
    if state.mismatches.len() >= TOLD {
        state.degraded.push(Degraded::new("mismatches", format!("only the first {TOLD} are told")));
    }
    let result = Findings { checked: state.checked, mismatches: state.mismatches, degraded: state.degraded };
    Ok(Step::done(result, progress).units(units))
}

fn begin(cx: &Cx, payload: &Payload) -> Result<Step<Checkpoint, Progress, Findings>> {
    let site = site::get(cx, &payload.site_id)?;
    let request = Request::get(&payload.feed_url).max_bytes(BYTES).timeout(30_000);
    let response = match cx.web().fetch(&request) {
        Ok(response) => response,
        Err(Failure::Refused) => {
            return Err(Fault::invalid("/feed_url", "url_refused", "this address is not a public one"));
        }
        Err(failure) => {
            let told = || {
                Fault::invalid("/feed_url", "feed_unreachable", format!("the feed did not answer: {}", failure.name()))
            };
            return Err(failure.unasked("/feed_url").unwrap_or_else(told));
        }
    };
    if !response.is_success() {
        let message = format!("the feed answered with status {}", response.status);
        return Err(Fault::invalid("/feed_url", "feed_not_ok", message));
    }
    let feed = read::feed(&response.text(), payload.max_items as usize);
    if feed.offers.is_empty() {
        let message =
            "no items were found: a feed is RSS or Atom with items, or a table with the columns id, link and price";
        return Err(Fault::invalid("/feed_url", "feed_unreadable", message));
    }
    let (mut degraded, mut mismatches) = (Vec::new(), Vec::new());
    if response.truncated {
        degraded.push(Degraded::new("feed", "the feed is longer than 8 MiB; its end was not read"));
    }
    if feed.cut {
        degraded.push(Degraded::new("items", format!("only the first {} items were taken", payload.max_items)));
    }
    let (own, others): (Vec<Offer>, Vec<Offer>) =
        feed.offers.into_iter().partition(|it| it.link.parse::<Url>().is_ok() && site.has(&it.link));
    if !others.is_empty() {
        let why = format!("{} items lead to no page of the website; they were not fetched", others.len());
        degraded.push(Degraded::new("foreign_items", why));
    }
    for offer in &own {
        mismatches.extend(compare::alone(offer));
    }
    mismatches.truncate(TOLD);
    let mut waiting = own;
    waiting.reverse();
    let progress = Progress { checked: 0, waiting: waiting.len() as u64 };
    if waiting.is_empty() {
        return Ok(Step::done(Findings { checked: 0, mismatches, degraded }, progress));
    }
    Ok(Step::next(Checkpoint { waiting, checked: 0, mismatches, degraded }, progress))
}

#[cfg(test)]
mod tests;
