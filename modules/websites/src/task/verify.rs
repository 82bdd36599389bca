//! The operation `websites.task.verify`, looking again at what was to be fixed.

use kit::page::PageFacts;
use sdk::Request;
use sdk::json;
use sdk::prelude::*;
use site::live;

use super::checks::{self, Check, Of};
use super::state::{State, Step as Transition};
use super::stored::{After, At, Evidence, Finding, LastVerification, Task};

/// Pages asked for in one call: the requests that the host allows it.
const PAGES: usize = 8;
/// Bytes read in one call, all pages together; a write has fuel to parse about 1.5 MiB.
const BYTES: usize = 1_280 << 10;
/// The most bytes read of one page.
const LARGEST: usize = 1 << 20;
/// Milliseconds for one page; a write has 15 seconds in all.
const PATIENCE: u32 = 5_000;

#[args]
pub(crate) struct Verify {
    /// The work item; done, verified or regressed, and verifiable.
    task_ref: Id<Task>,
    /// How many pages to look at; one call makes at most 8 outside requests, so past 8 it is 8.
    #[default(20)]
    max_urls: Count<1, 50>,
}

/// A page with the fault.
#[value]
pub(crate) struct Failed {
    /// The page.
    url: String,
    /// The fault as it is now.
    evidence: Evidence,
    /// The fault as it was frozen.
    before: Option<Evidence>,
}

/// A page without the fault.
#[value]
pub(crate) struct Fixed {
    /// The page.
    url: String,
    /// The fault as it was frozen.
    before: Option<Evidence>,
    /// What stands there now.
    after: Evidence,
}

/// A page that could not be judged.
#[value]
pub(crate) struct Unseen {
    /// The page.
    url: String,
    /// Why; the next call asks for it again.
    why: String,
}

/// What the pages show.
#[value]
pub(crate) struct Verified {
    /// Where the work item stands now: `verified` once every page was looked at and none has the fault, `regressed` as soon
    /// as one has it; as before while pages remain.
    state: State,
    /// Pages without the fault, in this round of looks.
    passed: u32,
    /// Pages with the fault that this call found.
    failed: Vec<Failed>,
    /// Pages without the fault that this call found.
    fixed: Vec<Fixed>,
    /// Pages of this call that could not be judged.
    unseen: Vec<Unseen>,
    /// Pages of this round that are not judged yet; call again for them.
    remaining: u32,
}

/// Re-runs the check behind a finished task on its URLs and marks it verified or regressed with before and after evidence.
///
/// Pages are looked at round by round: a call goes on where the one before ended, and a task that is done again, or whose
/// pages were all looked at, begins anew with those that had the fault. A page that is gone (4xx) is not fixed; one that
/// does not answer is not judged.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 8),
    needs = ["web"],
    side_effects = ["marks the work item verified or regressed", "stores what its pages show"],
    phrasings = [
        "check whether the fix works",
        "verify that the task is really done",
        "did the problem come back",
        "look at the fixed pages again",
    ],
    examples = [{ "task_ref": "0198f2c4a7b0" }, { "task_ref": "0198f2c4a7b0", "max_urls": 5 }]
)]
pub(crate) fn verify(cx: &Cx, args: Verify) -> Result<Verified> {
    let mut task = cx.records::<Task>().get(&args.task_ref)?;
    let rule = task.source.as_ref().map(|source| source.rule.as_str()).unwrap_or_default();
    let check = checks::find(rule).filter(|_| task.verifiable);
    let Some(check) = check else {
        let message = "no check of single pages stands behind this task; look at it yourself, or compare two audits";
        return Err(Fault::conflict("not_verifiable", message).at("/task_ref"));
    };
    if task.state.after(Transition::Pass).is_none() {
        let message = format!("the task is {}; set it to done first", task.state.word());
        let detail = json!({ "state": task.state.word() });
        return Err(Fault::conflict("task_not_done", message).at("/task_ref").detail(detail));
    }
    let now = cx.now();
    let mut finding = cx.records::<Finding>().get(&args.task_ref.cast())?;
    begin(&mut finding.it, task.round);
    let most = usize::from(args.max_urls).min(PAGES);
    let waiting = finding.pages.iter().enumerate().filter(|(_, page)| page.after.is_none());
    let chosen: Vec<(usize, Url)> =
        waiting.filter_map(|(number, page)| Some((number, page.url.parse().ok()?))).take(most).collect();
    let bytes = u32::try_from((BYTES / chosen.len().max(1)).min(LARGEST)).unwrap_or(u32::MAX);
    let requests = chosen.iter().map(|(_, url)| Request::get(url).max_bytes(bytes).timeout(PATIENCE));
    let answers = cx.web().fetch_many(requests);
    let limit = finding.threshold.or(check.threshold).unwrap_or_default();
    let (mut failed, mut fixed, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    for ((number, url), answer) in chosen.into_iter().zip(&answers) {
        let page = &mut finding.it.pages[number];
        let (passed, evidence) = match judge(check, limit, &live::facts(url.as_str(), answer)) {
            Ok(verdict) => verdict,
            Err(why) => {
                unseen.push(Unseen { url: page.url.clone(), why });
                continue;
            }
        };
        page.after = Some(After { at: now, passed, evidence: evidence.clone() });
        let (url, before) = (page.url.clone(), page.before.clone());
        if passed {
            fixed.push(Fixed { url, before, after: evidence });
        } else {
            failed.push(Failed { url, evidence, before });
        }
    }
    // Those that gave no verdict wait behind the others, so that they keep nobody from being looked at.
    let waits = |page: &At| unseen.iter().any(|it| it.url == page.url);
    finding.it.pages.sort_by_key(waits);
    let count = |wanted: Option<bool>| {
        let fits = finding.pages.iter().filter(|page| page.after.as_ref().map(|after| after.passed) == wanted);
        u32::try_from(fits.count()).unwrap_or(u32::MAX)
    };
    let last =
        LastVerification { at: now, passed: count(Some(true)), failed: count(Some(false)), remaining: count(None) };
    let step = match &last {
        it if it.failed > 0 => Some(Transition::Fail),
        it if it.remaining == 0 => Some(Transition::Pass),
        _ => None,
    };
    if let Some(next) = step.and_then(|step| task.state.after(step)).filter(|next| *next != task.state) {
        task.it.go(next, now);
    }
    let result = Verified { state: task.state, passed: last.passed, failed, fixed, unseen, remaining: last.remaining };
    task.it.last_verification = Some(last);
    cx.records::<Finding>().save(finding)?;
    cx.records::<Task>().save(task)?;
    Ok(result)
}

/// Begins a new round where one is due, those that had the fault first.
fn begin(finding: &mut Finding, round: u32) {
    if finding.round == round && finding.pages.iter().any(|page| page.after.is_none()) {
        return;
    }
    finding.round = round;
    finding.pages.sort_by_key(|page| page.after.as_ref().is_none_or(|after| after.passed));
    for page in &mut finding.pages {
        page.after = None;
    }
}

/// Whether the fault is gone, with what proves it; or why that cannot be said.
fn judge(check: &Check, limit: u32, facts: &PageFacts) -> Result<(bool, Evidence), String> {
    let fault = || (check.fault)(facts, limit);
    if let Some(failure) = facts.failure.as_deref() {
        let asked = !matches!(failure, "robots" | "paced");
        return match fault().filter(|_| asked && check.of == Of::Answer) {
            Some(fault) => Ok((false, fault)),
            None => Err(format!("the page was not read: {failure}")),
        };
    }
    if check.of != Of::Answer || check.rule == "response.client_error" {
        // A server that fails for the moment says nothing about the page.
        if facts.status >= 500 || facts.status == 429 {
            return Err(format!("the server answers {}", facts.status));
        }
    }
    if check.of != Of::Answer {
        if facts.status >= 300 {
            let gone = Evidence { expected: Some("200, and the fault gone".to_owned()), ..checks::status(facts) };
            return Ok((false, gone));
        }
        if !facts.is_html {
            return Err(match facts.html_bytes {
                0 => "the page is empty".to_owned(),
                _ => format!("the answer is no HTML page but {:.100}", facts.content_type),
            });
        }
        if owner(&facts.final_url) != owner(&facts.url) {
            let away = checks::at("Location", &facts.final_url);
            return Ok((false, Evidence { expected: Some("a page of this website".to_owned()), ..away }));
        }
    }
    let fault = fault();
    // What is missing from the part that was read may stand in the rest.
    if check.of == Of::Body && facts.truncated && (fault.is_none() || check.rule == "heading.h1_missing") {
        return Err("the page is longer than what was read; a smaller `max_urls` reads more of each".to_owned());
    }
    Ok((fault.is_none(), fault.unwrap_or_else(|| (check.shown)(facts))))
}

/// The registrable domain of an address; the address itself where there is none.
fn owner(url: &str) -> String {
    let parsed = kit::url::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(kit::url::Url::host_str).unwrap_or(url);
    kit::url::registrable_domain(host).unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests;
