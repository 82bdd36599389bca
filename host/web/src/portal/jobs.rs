//! Jobs: what goes on, how far it is, what came of it, and stopping it.

use askama::Template;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::clock::Moment;
use model::id::JobId;
use serde_json::Value;
use service::oauth::Authority;
use service::oauth::by_hand::milli;
use service::oauth::form::Parameters;
use service::portal::jobs::{Cancelled, JobEntry, JobState};

use super::figures::{When, counted, grouped};
use super::frame::Frame;
use super::page::{Leads, not_found, page, see_other};
use super::{Sent, broken, either, enter, enter_at, receive};

#[derive(Template)]
#[template(path = "jobs.html")]
struct List {
    frame: Frame,
    jobs: Vec<Job>,
    is_open_only: bool,
    is_first: bool,
    next: Option<String>,
    is_live: bool,
}

#[derive(Template)]
#[template(path = "job.html")]
struct One {
    frame: Frame,
    job: Job,
    /// The result or the fault, written out.
    outcome: Option<String>,
    /// What was asked after it had ended.
    is_too_late: bool,
}

/// A job as a page shows it.
pub(super) struct Job {
    pub(super) id: String,
    pub(super) operation: String,
    pub(super) app: String,
    /// The website that it is about: its reference and its domain.
    pub(super) site: Option<(String, String)>,
    pub(super) state: &'static str,
    pub(super) tone: &'static str,
    pub(super) is_open: bool,
    pub(super) created: When,
    pub(super) changed: When,
    pub(super) used: String,
    /// What the module says of its progress: names and values.
    pub(super) progress: Vec<(String, String)>,
    /// Hundredths, when the module says how much there is to do.
    pub(super) percent: Option<u64>,
    /// In one line.
    pub(super) line: String,
}

/// A job's line in a list, and its page. `domains` are those of websites by their references.
pub(super) fn job(entry: &JobEntry, now: Moment, domains: &[(String, String)]) -> Job {
    let (state, tone) = match entry.view.state {
        JobState::Queued => ("queued", ""),
        JobState::Running => ("running", "busy"),
        JobState::Succeeded => ("succeeded", "good"),
        JobState::Failed => ("failed", "bad"),
        JobState::Cancelled => ("cancelled", ""),
    };
    let said: Value = serde_json::from_str(&entry.view.progress).unwrap_or_default();
    let progress = spread(&said);
    let said_much = progress.iter().filter(|(_, value)| value != "0").take(3);
    let line = said_much.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(" · ");
    let mut used = counted(entry.points, "point");
    if entry.credits_milli > 0 {
        let unit = if entry.credits_milli == 1_000 { "credit" } else { "credits" };
        used = format!("{used}, {} {unit}", milli(entry.credits_milli));
    }
    Job {
        id: entry.view.reference.to_string(),
        operation: entry.operation.clone(),
        app: entry.grant_name.clone().unwrap_or_default(),
        site: entry.site.as_ref().and_then(|site| domains.iter().find(|(id, _)| id == site)).cloned(),
        state,
        tone,
        is_open: matches!(entry.view.state, JobState::Queued | JobState::Running),
        created: When::new(entry.view.created, now),
        changed: When::new(entry.view.changed, now),
        used,
        percent: percent(&said),
        progress,
        line,
    }
}

/// The members of an object by their names in words; what is nested is written as JSON.
fn spread(value: &Value) -> Vec<(String, String)> {
    let Some(members) = value.as_object() else { return Vec::new() };
    let text = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), grouped),
        other => other.to_string(),
    };
    let mut words: Vec<_> = members.iter().map(|(name, value)| (name.replace('_', " "), text(value))).collect();
    // What a job is at says more than any count.
    words.sort_by_key(|(name, _)| name != "phase");
    words
}

/// How far a job is, from a pair of members that says it: `done` of `total`, or `percent`.
fn percent(said: &Value) -> Option<u64> {
    let number = |name: &str| said.get(name).and_then(Value::as_u64);
    if let Some(percent) = number("percent") {
        return Some(percent.min(100));
    }
    let (done, total) = (number("done")?, number("total").filter(|total| *total > 0)?);
    Some((done.min(total) * 100) / total)
}

pub(super) async fn list(State(authority): State<Authority>, headers: HeaderMap, uri: Uri) -> Response {
    let shown = async {
        let inside = enter_at(&authority, &headers, &uri).await?;
        let asked = Parameters::read(uri.query().unwrap_or_default());
        let field = |name: &str| asked.one(name).ok().flatten().unwrap_or_default();
        let (open, after) = (field("state") == "open", field("after"));
        let after = (!after.is_empty()).then(|| JobId::from(after));
        let found = authority.jobs(&inside.session.customer, open, after.as_ref()).await.map_err(broken)?;
        let now = authority.clock().now();
        let domains = authority.domains(&inside.session.customer, &found.jobs).await.map_err(broken)?;
        let jobs: Vec<Job> = found.jobs.iter().map(|entry| job(entry, now, &domains)).collect();
        let template = List {
            is_live: jobs.iter().any(|job| job.is_open),
            jobs,
            is_open_only: open,
            is_first: after.is_none(),
            next: found.next.map(|next| format!("/jobs?{}after={next}", if open { "state=open&" } else { "" })),
            frame: inside.frame("/jobs"),
        };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

pub(super) async fn one(State(authority): State<Authority>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(&authority, &headers, &format!("/jobs/{id}")).await?;
        show(&authority, &inside, &JobId::from(id.as_str()), false).await
    };
    either(shown.await)
}

async fn show(
    authority: &Authority,
    inside: &super::Inside,
    id: &JobId,
    is_too_late: bool,
) -> Result<Response, Response> {
    let found = authority.job(&inside.session.customer, id).await.map_err(broken)?;
    let Some(entry) = found else { return Err(not_found("job")) };
    let domains = authority.domains(&inside.session.customer, std::slice::from_ref(&entry)).await.map_err(broken)?;
    let template = One {
        frame: inside.frame("/jobs"),
        job: job(&entry, authority.clock().now(), &domains),
        outcome: entry.view.outcome.as_deref().map(written_out),
        is_too_late,
    };
    let status = if is_too_late { StatusCode::CONFLICT } else { StatusCode::OK };
    Ok(page(status, &template, &Leads::Inside))
}

/// JSON over several lines; what is not JSON, as it is.
fn written_out(json: &str) -> String {
    let value = serde_json::from_str::<Value>(json).and_then(|value| serde_json::to_string_pretty(&value));
    value.unwrap_or_else(|_| json.to_owned())
}

pub(super) async fn cancel(State(authority): State<Authority>, Path(id): Path<String>, request: Request) -> Response {
    let cancelled = async {
        let here = format!("/jobs/{id}");
        let Sent { inside, .. } = receive(&authority, request, &here).await?;
        let job = JobId::from(id.as_str());
        match authority.cancel_job(&inside.session.customer, &job).await.map_err(broken)? {
            Cancelled::Stopped(_) => Ok(see_other(&here)),
            Cancelled::Ended(_) => show(&authority, &inside, &job, true).await,
            Cancelled::Unknown => Err(not_found("job")),
        }
    };
    either(cancelled.await)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn progress_is_read_from_what_modules_say() {
        assert_eq!(percent(&json!({ "done": 3, "total": 12 })), Some(25));
        assert_eq!(percent(&json!({ "percent": 140 })), Some(100));
        assert_eq!(percent(&json!({ "done": 3, "total": 0 })), None);
        let words = spread(&json!({ "pages_fetched": 1200, "phase": "links", "left": null }));
        let words: Vec<_> = words.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(words, ["phase=links", "left=–", "pages fetched=1,200"]);
    }
}
