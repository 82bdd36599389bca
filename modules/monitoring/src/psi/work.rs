//! The job of PageSpeed Insights: four runs a step.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, Progress, Send, SendFailure, Sent, json};
use site::Site;

use super::read::{refused, result};
use super::stored::{Failure, Field, Lab, Measured, Opportunity, Scores, Strategy, keep};
use crate::crux::ask::NEED;

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

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The next run.
    at: usize,
    tries: u32,
    results: Vec<Told>,
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
    let end = count.min(state.at + TOGETHER);
    if state.at >= count {
        return Ok(finish(&payload, state));
    }
    let connection = cx.connections().required(NEED, "/urls", "pages are measured by PageSpeed Insights")?;
    let asked: Vec<(&String, Strategy)> =
        payload.urls[state.at..end].iter().zip(payload.strategies[state.at..end].iter().copied()).collect();
    let answers = cx.connections().send_many(asked.iter().map(|it| request(&connection.reference, it.0, it.1)));
    let mut measured: Vec<Measured> = Vec::new();
    for ((url, strategy), answer) in asked.iter().zip(answers) {
        match answered(url, *strategy, answer) {
            Ok(it) => measured.push(it),
            Err(Now::Never(fault)) => return Err(fault),
            // All four are asked again: results that came are not stored twice, since nothing was kept yet.
            Err(Now::Later(wait)) if state.tries < TRIES => {
                state.tries += 1;
                let progress = Progress::new(state.at as u64, count as u64, "measuring");
                return Ok(Step::next(state, progress).after(wait));
            }
            Err(Now::Later(_)) => {
                let answer = json!({ "error": { "message": "the provider did not answer in time" } });
                measured.push(refused(url, *strategy, 0, &answer));
            }
        }
    }
    state.tries = 0;
    state.at = end;
    let now = cx.now().millis();
    for mut it in measured {
        let site = payload.site_id.clone().or_else(|| site::of(cx, &it.url).map(|it| it.id));
        if let Some(site) = site {
            (it.site_id, it.measured_ms) = (site.to_string(), now);
            keep(cx, &it)?;
            state.stored += 1;
        }
        state.results.push(Told {
            url: it.url,
            strategy: it.strategy,
            scores: it.scores,
            lab: it.lab,
            field: it.field,
            opportunities: it.opportunities,
            failure: it.failure,
        });
    }
    let progress = Progress::new(end as u64, count as u64, "measuring");
    Ok(Step::next(state, progress))
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
        401 | 403 => Err(Now::Never(sent.accepted().err().unwrap_or_else(|| SendFailure::Malformed.into()))),
        status => {
            let told = refused(url, strategy, status, &body());
            // What Lighthouse itself says of the page is not asked again.
            let is_of_page = told.failure.as_ref().is_some_and(|it| !it.code.starts_with("status_"));
            if status >= 500 && !is_of_page { Err(Now::Later(10_000)) } else { Ok(told) }
        }
    }
}

fn finish(payload: &Payload, state: Checkpoint) -> Step<Checkpoint, Progress, Outcome> {
    let failed = state.results.iter().filter(|it| it.failure.is_some()).count() as u64;
    let measured = state.results.len() as u64 - failed;
    let mut degraded = Vec::new();
    if failed > 0 {
        degraded.push(Degraded::new("results", format!("{failed} runs came to nothing; `failure` says why")));
    }
    if measured > 0 && state.results.iter().all(|it| it.field.is_none()) {
        let why = "no page has enough visits with Chrome for field data; the figures are of the laboratory alone";
        degraded.push(Degraded::new("field", why));
    }
    let mut next = Vec::new();
    if let Some(site) = payload.site_id.as_ref().filter(|_| state.stored > 0) {
        let listed = json!({ "site_id": site });
        next.push(Next::new("monitoring.psi.result.list", listed, "compares with earlier runs"));
    }
    let worst = state.results.iter().filter(|it| it.scores.performance.is_some());
    if let Some(worst) = worst.min_by_key(|it| it.scores.performance) {
        let weigh = json!({ "url": worst.url });
        next.push(Next::new("monitoring.page_weight.check", weigh, "shows what the slowest page loads"));
    }
    let count = state.results.len() as u64;
    let outcome = Outcome { results: state.results, measured, failed, stored: state.stored, degraded, next };
    Step::done(outcome, Progress::new(count, count, "done")).units(count)
}
