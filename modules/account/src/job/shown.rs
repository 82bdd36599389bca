//! What every job can be shown as, whatever its module says of it.
//!
//! A module's progress and result are its own. What they have in common by custom is read here: `done` and `total`,
//! `step` or `phase`, `warnings` and `degraded`, and references that end in `_ref`.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::amount::credits;
use crate::platform::jobs::Job as Known;

/// The most bytes of a result that are shown: an answer has at most 1 MiB.
const MOST: usize = 768 << 10;

/// The most warnings that are shown.
const MOST_WARNINGS: usize = 100;

/// How far a job is.
#[value]
pub(crate) struct Progress {
    /// Units of work that are done, such as pages.
    done: u64,
    /// Units that there are, where the module knows.
    total: Option<u64>,
    /// What is being done; the state of the job where its module says nothing.
    step: String,
}

/// What a job costs.
#[value]
pub(crate) struct Charge {
    /// Points charged so far.
    points: i64,
    /// Credits charged so far.
    credits: f64,
    /// Points set aside for the rest.
    points_held: i64,
    /// Credits set aside for the rest.
    credits_held: f64,
}

/// Why a job failed.
#[value]
pub(crate) struct Failure {
    /// Stable.
    code: String,
    /// In words.
    message: String,
}

/// How far it is.
pub(super) fn progress(job: &Known) -> Progress {
    let count = |name: &str| job.progress.get(name).and_then(Value::as_u64);
    let word = |name: &str| job.progress.get(name).and_then(Value::as_str).map(str::to_owned);
    Progress {
        done: count("done").unwrap_or(job.units),
        total: count("total"),
        step: word("step").or_else(|| word("phase")).unwrap_or_else(|| job.state.clone()),
    }
}

/// What it costs.
pub(super) fn charge(job: &Known) -> Charge {
    Charge {
        points: job.points,
        credits: credits(job.credits_milli),
        points_held: job.points_held,
        credits_held: credits(job.credits_held_milli),
    }
}

/// What its module says that went wrong without ending it.
pub(super) fn warnings(job: &Known) -> Vec<String> {
    let mut found = Vec::new();
    for part in [Some(&job.progress), job.outcome.as_ref()].into_iter().flatten() {
        let lists = ["warnings", "degraded"].iter().filter_map(|name| part.get(*name)?.as_array());
        for said in lists.flatten().take(MOST_WARNINGS) {
            let words = said.as_str().or_else(|| said.get("message").or_else(|| said.get("why"))?.as_str());
            if let Some(words) = words.filter(|words| !found.iter().any(|it| it == words)) {
                found.push(words.to_owned());
            }
        }
    }
    found
}

/// Why it failed.
pub(super) fn failure(job: &Known) -> Option<Failure> {
    let outcome = job.outcome.as_ref().filter(|_| job.state == "failed")?;
    let text = |name: &str| outcome.get(name).and_then(Value::as_str).map(str::to_owned);
    Some(Failure { code: text("code")?, message: text("message").unwrap_or_default() })
}

/// What it ended with, and a warning where that is too large to be shown whole.
pub(super) fn result(job: &Known) -> (Option<Map<String, Value>>, Option<String>) {
    let Some(outcome) = job.outcome.as_ref().filter(|_| job.state == "succeeded") else { return (None, None) };
    if json!(outcome).to_string().len() <= MOST {
        return (Some(outcome.clone()), None);
    }
    let plain = |value: &Value| match value {
        Value::String(text) => text.len() <= 4_096,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::Array(_) | Value::Object(_) => false,
    };
    let kept = outcome.iter().filter(|(_, value)| plain(value)).map(|(name, value)| (name.clone(), value.clone()));
    let warning = "the result is too large for one answer, so its lists and objects are left out";
    (Some(kept.collect()), Some(warning.to_owned()))
}

/// What the result operation takes: as the service knows it, or the references that the job itself has named.
pub(super) fn result_arguments(job: &Known) -> Map<String, Value> {
    match job.result_operation.as_deref() {
        None => Map::new(),
        Some("account.job.get") => Map::from_iter([("job_ref".to_owned(), json!(job.job_ref))]),
        Some(_) => job.result_arguments.clone().unwrap_or_else(|| {
            let parts = [Some(&job.progress), job.outcome.as_ref()].into_iter().flatten().flatten();
            let references = parts.filter(|(name, value)| name.ends_with("_ref") && value.is_string());
            references.map(|(name, value)| (name.clone(), value.clone())).collect()
        }),
    }
}
