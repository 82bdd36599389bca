//! The operation `rankings.check.run`.

use std::collections::BTreeSet;

use dataforseo::Account;
use sdk::prelude::*;
use sdk::{Answer, IsQueued};

use super::work::Payload;
use crate::stored::{MAX_KEYWORDS, Tracker, check_id};
use crate::{board, rows};

#[args]
pub(crate) struct Run {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// Only these keywords of it; all when left out.
    keywords: Option<List<Text<1, 200>, 1, 5_000>>,
    /// Check keywords again that were checked today; the newer result replaces the earlier one of the day. Else they are left
    /// out and not charged.
    #[default(false)]
    force: bool,
}

/// A check that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    tracker_ref: Id<Tracker>,
    /// Always `queued`.
    state: IsQueued,
    /// Keywords that are looked up.
    keywords: u64,
    /// Keywords that were checked today and are left out.
    skipped_keywords: u64,
    /// Pages of ten results that the provider bills, at most.
    provider_pages: u64,
}

/// Checks all or chosen keywords of a tracker now through the SERP provider and stores full result pages, not only the own position.
///
/// Keywords are ordered as tasks of DataForSEO's standard queue, which are done within 45 minutes as a rule; what is not there
/// after 6 hours has failed. A keyword without an answer is not charged. Each day has one check: another run on the same day adds
/// to it.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "checks", every = 500, most = 10_000),
    native_price(unit = "checks", every = 200, credits_milli = 1000, most = 10_000),
    queued(step = "check"),
    result_operation = "account.job.get",
    side_effects = ["orders one task for each keyword from your DataForSEO account, which pays for them", "stores result pages"],
    needs = ["store", "jobs", "credits", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/serp/google/organic/task_post change",
        "dataforseo GET /v3/serp/google/organic/tasks_ready",
        "dataforseo GET /v3/serp/google/organic/task_get/advanced/*",
        "dataforseo POST /v3/serp/bing/organic/task_post change",
        "dataforseo GET /v3/serp/bing/organic/tasks_ready",
        "dataforseo GET /v3/serp/bing/organic/task_get/advanced/*",
    ],
    phrasings = ["check my rankings now", "where do i rank on google", "update keyword positions", "run the rank tracker"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "keywords": ["desk lamp"], "force": true }]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Answer<Started>> {
    let tracker = board::tracker(cx, &args.tracker_ref)?;
    board::is_idle(cx, &tracker)?;
    let Some(set) = board::set(cx, &tracker) else {
        let message = "the keyword set of this tracker was deleted; give it another one with rankings.tracker.update";
        return Err(Fault::conflict("set_gone", message).at("/tracker_ref"));
    };
    let all: BTreeSet<String> = board::checked(cx, &set.id).map(|it| it.normal.clone()).collect();
    if all.is_empty() {
        let message = "the set has no keywords; add some with keywords.item.import";
        return Err(Fault::conflict("set_empty", message).at("/tracker_ref"));
    }
    let chosen = args.keywords.as_ref().map(|given| chosen(given, &all, &set.language)).transpose()?;
    let date = cx.now().day();
    let today = if args.force { BTreeSet::new() } else { checked_on(cx, &tracker.id, date)? };
    let wanted = chosen.as_ref().unwrap_or(&all);
    let skipped_keywords = wanted.iter().filter(|it| today.contains(*it)).count() as u64;
    let keywords = wanted.len() as u64 - skipped_keywords;
    if keywords == 0 {
        let message = "these keywords were checked today; `force` checks them again";
        return Err(Fault::conflict("checked_today", message).at("/force"));
    }
    Account::required(cx, "/tracker_ref", "result pages are asked from DataForSEO")?;
    let payload = Payload {
        tracker_ref: tracker.id.clone(),
        date,
        keywords: chosen.map(|it| it.into_iter().collect()),
        force: args.force,
        most: keywords.min(MAX_KEYWORDS as u64),
    };
    let job_ref = cx.jobs().enqueue("check", &payload)?;
    let provider_pages = keywords * u64::from(tracker.provider_pages());
    let tracker = cx.records::<Tracker>().update(&tracker.id, |it| it.job_ref = Some(job_ref.clone()))?;
    let (tracker_ref, state) = (tracker.id, IsQueued::Queued);
    let started = Started { job_ref, tracker_ref, state, keywords, skipped_keywords, provider_pages };
    Ok(Answer::new(started).units(keywords))
}

/// The normal forms of the argument `keywords`.
///
/// # Errors
/// 422 `keyword_not_tracked` with the pointer of the first that is not of the tracker.
fn chosen(given: &[Text<1, 200>], all: &BTreeSet<String>, language: &str) -> Result<BTreeSet<String>> {
    let normal = |(at, text): (usize, &Text<1, 200>)| {
        let normal = serps::normal(text.as_str(), language);
        if all.contains(&normal) {
            return Ok(normal);
        }
        let message = "this keyword is not one of the tracker; add it to the set with keywords.item.import";
        Err(Fault::invalid(format!("/keywords/{at}"), "keyword_not_tracked", message))
    };
    given.iter().enumerate().map(normal).collect()
}

/// The keywords that were looked up on a day.
pub(super) fn checked_on(cx: &Cx, tracker: &Id<Tracker>, date: Day) -> Result<BTreeSet<String>> {
    let Some(check) = cx.records::<crate::stored::Check>().find(&check_id(tracker, date)) else {
        return Ok(BTreeSet::new());
    };
    let rows = rows::read(cx, &check)?;
    Ok(rows.rows.into_iter().filter(|it| !it.imported).map(|it| it.keyword).collect())
}
