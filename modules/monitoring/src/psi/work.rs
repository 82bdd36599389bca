//! The job of PageSpeed Insights: four runs a step.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, Progress, Send, SendFailure, Sent, json};
use site::Site;

use super::read::{refused, result};
use super::stored::{Failure, Field, Lab, Measured, Opportunity, Scores, Strategy, keep};
use crate::crux::ask::{NEED, is_bad_key};

/// Runs that are asked for together.
const TOGETHER: usize = 4;
/// Tries of a run that came to nothing for now.
const TRIES: u32 = 3;
/// What is asked for; without it only the first is measured.
const CATEGORIES: [&str; 4] = ["PERFORMANCE", "ACCESSIBILITY", "BEST_PRACTICES", "SEO"];

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Option<Id<Site>>,
    pub(super) urls: Vec<String>,
    pub(super) strategies: Vec<Strategy>,
}

/// One result, as the job tells it.
#[value]
pub(crate) struct Told {
    url: String,
    strategy: Strategy,
    scores: Scores,
    lab: Lab,
    field: Option<Field>,
    opportunities: Vec<Opportunity>,
    failure: Option<Failure>,
}

/// A run that is to be made.
#[value]
pub(crate) struct Waiting {
    at: usize,
    /// How often it came to nothing for now.
    tries: u32,
}

/// A result with the number of its run.
#[value]
pub(crate) struct Numbered {
    at: usize,
    told: Told,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Whether the runs are on the list.
    is_begun: bool,
    /// Runs that are to be made.
    waiting: Vec<Waiting>,
    results: Vec<Numbered>,
    stored: u64,
}

/// The results.
#[value]
pub(crate) struct Outcome {
    results: Vec<Told>,
    measured: u64,
    failed: u64,
    /// Results that are stored for a website.
    stored: u64,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Makes some runs, or ends.
#[step]
pub(crate) fn psi(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let count = payload.urls.len();
    if !state.is_begun {
        state.is_begun = true;
        state.waiting = (0..count).map(|at| Waiting { at, tries: 0 }).collect();
    }
    if state.waiting.is_empty() {
        return Ok(finish(&payload, state));
    }
    let connection = cx.connections().required(NEED, "/urls", "pages are measured by PageSpeed Insights")?;
    let some: Vec<Waiting> = state.waiting.drain(..state.waiting.len().min(TOGETHER)).collect();
    let run = |it: &Waiting| (payload.urls[it.at].as_str(), payload.strategies[it.at]);
    let requests = some.iter().map(|it| request(&connection.reference, run(it).0, run(it).1));
    let answers = cx.connections().send_many(requests);
    let (now, mut wait) = (cx.now().millis(), 0);
    for (it, answer) in some.into_iter().zip(answers) {
        let (url, strategy) = run(&it);
        let measured = match answered(url, strategy, answer) {
            Ok(measured) => measured,
            Err(Now::Never(fault)) => return Err(fault),
            Err(Now::Later(pause)) if it.tries < TRIES => {
                wait = wait.max(pause);
                state.waiting.push(Waiting { tries: it.tries + 1, ..it });
                continue;
            }
            Err(Now::Later(_)) => {
                let answer = json!({ "error": { "message": "the provider did not answer in time" } });
                refused(url, strategy, 0, &answer)
            }
        };
        state.take(cx, &payload, it.at, measured, now)?;
    }
    let progress = Progress::new(state.results.len() as u64, count as u64, "measuring");
    Ok(Step::next(state, progress).after(wait))
}

impl Checkpoint {
    /// Keeps a result, and stores it where its address is of a website.
    fn take(&mut self, cx: &Cx, payload: &Payload, at: usize, mut it: Measured, now: u64) -> Result<()> {
        let site = payload.site_id.clone().or_else(|| site::of(cx, &it.url).map(|it| it.id));
        if let Some(site) = site {
            (it.site_id, it.measured_ms) = (site.to_string(), now);
            keep(cx, &it)?;
            self.stored += 1;
        }
        let told = Told {
            url: it.url,
            strategy: it.strategy,
            scores: it.scores,
            lab: it.lab,
            field: it.field,
            opportunities: it.opportunities,
            failure: it.failure,
        };
        self.results.push(Numbered { at, told });
        Ok(())
    }
}

fn request(connection: &str, url: &str, strategy: Strategy) -> Send {
    let send = Send::get(connection, "/pagespeedonline/v5/runPagespeed").timeout(50_000).max_bytes(8 << 20);
    let send = send.query("url", url).query("strategy", strategy.name().to_uppercase());
    CATEGORIES.iter().fold(send, |send, it| send.query("category", it))
}

/// Why there is no result now.
enum Now {
    /// It may come later, after so many milliseconds.
    Later(u32),
    /// None ever comes.
    Never(Fault),
}

fn answered(url: &str, strategy: Strategy, answer: Result<Sent, SendFailure>) -> Result<Measured, Now> {
    let sent = match answer {
        Ok(sent) => sent,
        Err(SendFailure::RateLimited(seconds)) => return Err(Now::Later(seconds.unwrap_or(30).min(300) * 1_000)),
        Err(SendFailure::Unreachable | SendFailure::Timeout) => return Err(Now::Later(10_000)),
        Err(failure) => return Err(Now::Never(failure.into())),
    };
    let body = || sent.json::<Value>().unwrap_or_default();
    match sent.status {
        200 => Ok(result(url, strategy, &body())),
        429 => Err(Now::Later(60_000)),
        400 if is_bad_key(&body()) => Err(Now::Never(SendFailure::ExpiredCredential.into())),
        401 | 403 => Err(Now::Never(sent.accepted().err().unwrap_or_else(|| SendFailure::Malformed.into()))),
        status => {
            let told = refused(url, strategy, status, &body());
            // What Lighthouse itself says of the page is not asked again.
            let is_of_page = told.failure.as_ref().is_some_and(|it| !it.code.starts_with("status_"));
            if status >= 500 && !is_of_page { Err(Now::Later(10_000)) } else { Ok(told) }
        }
    }
}

fn finish(payload: &Payload, mut state: Checkpoint) -> Step<Checkpoint, Progress, Outcome> {
    state.results.sort_by_key(|it| it.at);
    let results: Vec<Told> = state.results.into_iter().map(|it| it.told).collect();
    let failed = results.iter().filter(|it| it.failure.is_some()).count() as u64;
    let measured = results.len() as u64 - failed;
    let mut degraded = Vec::new();
    if failed > 0 {
        degraded.push(Degraded::new("results", format!("{failed} runs came to nothing; `failure` says why")));
    }
    if measured > 0 && results.iter().all(|it| it.field.is_none()) {
        let why = "no page has enough visits with Chrome for field data; the figures are of the laboratory alone";
        degraded.push(Degraded::new("field", why));
    }
    let mut next = Vec::new();
    if let Some(site) = payload.site_id.as_ref().filter(|_| state.stored > 0) {
        let listed = json!({ "site_id": site });
        next.push(Next::new("monitoring.psi.result.list", listed, "compares with earlier runs"));
    }
    let worst = results.iter().filter(|it| it.scores.performance.is_some());
    if let Some(worst) = worst.min_by_key(|it| it.scores.performance) {
        let weigh = json!({ "url": worst.url });
        next.push(Next::new("monitoring.page_weight.check", weigh, "shows what the slowest page loads"));
    }
    let count = results.len() as u64;
    let outcome = Outcome { results, measured, failed, stored: state.stored, degraded, next };
    Step::done(outcome, Progress::new(count, count, "done")).units(count)
}
