//! Panels of people who opted in, by the open contract (`tests/simulators/FULFILMENT.md`, 1.0): their audiences, and tasks.
//!
//! An operation that uses all of it needs `needs = ["connection:fulfilment?"]` (without `?` where it cannot do without)
//! and these lines of `outside`:
//!
//! ```text
//! fulfilment GET /v1/audiences
//! fulfilment GET /v1/tasks
//! fulfilment GET /v1/tasks/*
//! fulfilment POST /v1/tasks change
//! fulfilment POST /v1/tasks/*/cancel change
//! ```
//!
//! The host sends an idempotency key with each change, the same when a step runs again: a task is never made twice.

use schemars::JsonSchema;
use sdk::prelude::*;
use sdk::{Connection, Need, Send, SendFailure};
use serde::{Deserialize, Serialize};

/// A panel that a customer connected.
pub const NEED: Need = Need::key("fulfilment", &["may create tasks and list their states"]);
/// People in one task, at most.
pub const MOST_PEOPLE: u32 = 1_000;
/// Pages of a list that are read, at most.
const PAGES: usize = 20;

/// People of a panel who can be asked together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PanelAudience {
    /// The panel's own reference.
    pub audience_ref: String,
    /// What the panel calls it.
    pub name: String,
    /// How many people.
    pub people: u64,
    /// ISO 3166-1 alpha-2.
    #[serde(default)]
    pub countries: Vec<String>,
    /// What they like to hear of.
    #[serde(default)]
    pub topics: Vec<String>,
    /// The wording that they agreed to.
    pub consent_basis: String,
    /// Tasks that one person gets in a week at most; the panel keeps it.
    pub weekly_cap: u32,
    /// The share of people who accepted in the last four weeks, 0 to 1.
    #[serde(default)]
    pub acceptance_28d: Option<f64>,
}

/// What people are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// To show a link to friends who may like it.
    Share,
    /// To look at a place or page.
    Visit,
}

/// A task that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewTask {
    /// The campaign's reference; comes back as it is.
    pub campaign: String,
    /// What is asked for.
    pub kind: TaskKind,
    /// Of whom.
    pub audience_ref: String,
    /// Of how many, 1 to 1,000.
    pub quantity: u32,
    /// What they read; it must have passed the lint.
    pub text: String,
    /// Who pays for it.
    pub disclosure: String,
    /// Where it leads.
    pub url: String,
    /// Not before this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Moment>,
    /// Not after this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Moment>,
}

/// Where a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// It waits for people.
    Open,
    /// People see it.
    Offered,
    /// Enough have answered.
    Accepted,
    /// It is done.
    Done,
    /// It was withdrawn.
    Cancelled,
    /// Its time was over.
    Expired,
}

impl TaskState {
    /// Whether nothing more will come of it.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Expired)
    }
}

/// A task as the panel has it. The counts never fall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The panel's reference.
    pub task_ref: String,
    /// Where it is.
    pub state: TaskState,
    /// People who were to be asked.
    pub quantity: u32,
    /// People who saw it: what counts as delivered.
    pub offered: u32,
    /// People who said yes.
    pub accepted: u32,
    /// People who said no.
    #[serde(default)]
    pub declined: u32,
    /// People who did it.
    pub done: u32,
}

/// The panel of a customer, where one is connected that is not known to refuse the credential.
#[must_use]
pub fn panel(cx: &Cx) -> Option<Connection> {
    cx.connections().required(NEED, "", "a panel").ok()
}

/// The audiences of a panel.
///
/// # Errors
/// What the panel refused, in the catalog's words.
pub fn audiences(cx: &Cx, panel: &str) -> Result<Vec<PanelAudience>> {
    #[derive(Deserialize)]
    struct Listed {
        audiences: Vec<PanelAudience>,
        next_cursor: Option<String>,
    }
    let mut all = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let mut request = Send::get(panel, "/v1/audiences");
        if let Some(cursor) = &cursor {
            request = request.query("cursor", cursor);
        }
        let page: Listed = cx.connections().send(&request)?.accepted()?.json()?;
        all.extend(page.audiences);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(all)
}

/// Makes tasks, in the order in which they are given, which must be the same when a step runs again. Each has its own
/// answer: a panel that refuses one takes others.
pub fn offer(cx: &Cx, panel: &str, tasks: &[NewTask]) -> Vec<Result<Task, Unmade>> {
    let requests = tasks.iter().map(|task| Send::post(panel, "/v1/tasks").json(task));
    cx.connections().send_many(requests).into_iter().map(made).collect()
}

/// A place near which people are asked. Coarse on purpose: it says where a neighbourhood is, and nothing of a person.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// Degrees north, to a hundredth.
    pub latitude: f64,
    /// Degrees east, to a hundredth.
    pub longitude: f64,
    /// Around it, at least 1,000.
    pub radius_m: u32,
}

/// As [`offer`], each task to people near a place.
pub fn offer_near(cx: &Cx, panel: &str, tasks: &[(NewTask, Near)]) -> Vec<Result<Task, Unmade>> {
    #[derive(Serialize)]
    struct There<'a> {
        #[serde(flatten)]
        task: &'a NewTask,
        near: &'a Near,
    }
    let requests = tasks.iter().map(|(task, near)| Send::post(panel, "/v1/tasks").json(&There { task, near }));
    cx.connections().send_many(requests).into_iter().map(made).collect()
}

/// Why a task was not made.
#[derive(Debug, Clone, PartialEq)]
pub enum Unmade {
    /// The panel said no to it: its code, as far as it is one.
    Refused(String),
    /// Nobody knows yet, or the panel is not there: the same request again, under the same key, is safe.
    Later(SendFailure),
}

fn made(answer: Result<sdk::Sent, SendFailure>) -> Result<Task, Unmade> {
    let sent = answer.map_err(|failure| match failure {
        SendFailure::Refused | SendFailure::NotConnected | SendFailure::ExpiredCredential => {
            Unmade::Refused("connection".to_owned())
        }
        other => Unmade::Later(other),
    })?;
    if sent.is_success() {
        return sent.json().map_err(Unmade::Later);
    }
    match sent.status {
        429 => Err(Unmade::Later(SendFailure::RateLimited(None))),
        // It may have been made all the same.
        500.. => Err(Unmade::Later(SendFailure::UnknownOutcome)),
        _ => Err(Unmade::Refused(code(&sent))),
    }
}

/// The panel's own code, when it is one.
fn code(sent: &sdk::Sent) -> String {
    #[derive(Deserialize)]
    struct Body {
        error: Error,
    }
    #[derive(Deserialize)]
    struct Error {
        code: String,
    }
    let plain = |code: &String| {
        !code.is_empty() && code.len() <= 64 && code.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')
    };
    let code = sent.json::<Body>().ok().map(|body| body.error.code).filter(plain);
    code.unwrap_or_else(|| format!("status_{}", sent.status))
}

/// Tasks as they are now, in the order of `references`; none for one that the panel does not know any more.
///
/// # Errors
/// What the panel refused.
pub fn tasks(cx: &Cx, panel: &str, references: &[String]) -> Result<Vec<Option<Task>>> {
    let requests = references.iter().map(|task| Send::get(panel, format!("/v1/tasks/{task}")));
    let answers = cx.connections().send_many(requests).into_iter();
    answers
        .map(|answer| {
            let sent = answer?;
            if sent.status == 404 { Ok(None) } else { Ok(Some(sent.accepted()?.json()?)) }
        })
        .collect()
}

/// Withdraws tasks; each comes back as it is then. None: it was finished before, or the panel does not know it.
///
/// # Errors
/// What the panel refused.
pub fn cancel(cx: &Cx, panel: &str, references: &[String]) -> Result<Vec<Option<Task>>> {
    let requests = references.iter().map(|task| Send::post(panel, format!("/v1/tasks/{task}/cancel")));
    let answers = cx.connections().send_many(requests).into_iter();
    answers
        .map(|answer| {
            let sent = answer?;
            if matches!(sent.status, 404 | 409) { Ok(None) } else { Ok(Some(sent.accepted()?.json()?)) }
        })
        .collect()
}
