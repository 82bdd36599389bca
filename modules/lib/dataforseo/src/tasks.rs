//! Tasks: ordered, done in the provider's queue, collected by their ids for up to 30 days. Only ordering is charged.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Send, SendFailure};

use crate::live::CURRENCY;
use crate::micros;
use crate::status::{CREATED, DONE, NOTHING, Refusal, UNDER_WAY, code, read};

/// Tasks in one order; the provider takes no more.
pub const MAX_TASKS: usize = 100;

/// A task as it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The provider's id of it.
    pub id: String,
    /// What it costs, in millionths of a US dollar.
    pub cost_micros: u64,
}

/// What came of an order.
#[derive(Debug, PartialEq)]
pub enum Ordered {
    /// For each task what was taken, or the status that refuses it.
    Taken(Vec<Result<Task, u64>>),
    /// It may have arrived; the list of finished tasks will tell by the tags.
    Unknown,
    /// It was not taken.
    NotTaken(Refusal),
}

/// What became of a task.
#[derive(Debug, PartialEq)]
pub enum Collected {
    /// Its results; none where nothing was found.
    Done(Vec<Value>),
    /// It is not done.
    Waiting,
    /// It will never have any, by this status.
    Failed(u64),
    /// The provider could not be asked.
    NotAsked(Refusal),
}

/// Orders up to [`MAX_TASKS`] tasks of an endpoint, such as `serp/google/organic`. Each task has a `tag` of its own: answers
/// come in any order.
pub fn order(cx: &Cx, account: &str, endpoint: &str, tasks: &[Value]) -> Ordered {
    let send = Send::post(account, format!("/v3/{endpoint}/task_post")).timeout(45_000).json(&tasks);
    let answer = match cx.connections().send(&send) {
        Ok(answer) => read(&answer),
        Err(SendFailure::UnknownOutcome) => return Ordered::Unknown,
        Err(failure) => Err(failure.into()),
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(refusal) => return Ordered::NotTaken(refusal),
    };
    let told = answer["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let by_tag: BTreeMap<&str, &Value> =
        told.iter().filter_map(|task| Some((task["data"]["tag"].as_str()?, task))).collect();
    let taken = |task: &Value| {
        let Some(told) = by_tag.get(task["tag"].as_str().unwrap_or_default()) else { return Err(0) };
        match (code(told), told["id"].as_str()) {
            (CREATED, Some(id)) => Ok(Task { id: id.to_owned(), cost_micros: micros(&told["cost"]) }),
            (code, _) => Err(code),
        }
    };
    let answers: Vec<Result<Task, u64>> = tasks.iter().map(taken).collect();
    // An account that is used up, or asked too fast, is no fault of the tasks.
    if let Some(Err(first)) = answers.first().filter(|_| answers.iter().all(|it| matches!(it, Err(40_200..=40_299)))) {
        let refusal = if *first == 40_202 { SendFailure::RateLimited(None).into() } else { Refusal::NoMoney };
        return Ordered::NotTaken(refusal);
    }
    let cost = answers.iter().flatten().map(|it| it.cost_micros).sum();
    cx.accounts().note_spent(account, cost, CURRENCY);
    Ordered::Taken(answers)
}

/// The ids of tasks of an endpoint that are done and were not collected, by their tags.
///
/// # Errors
/// The provider could not be asked.
pub fn ready(cx: &Cx, account: &str, endpoint: &str) -> Result<BTreeMap<String, String>, Refusal> {
    let answer =
        read(&cx.connections().send(&Send::get(account, format!("/v3/{endpoint}/tasks_ready")).timeout(30_000))?)?;
    let rows = answer["tasks"][0]["result"].as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |row: &Value| Some((row["tag"].as_str()?.to_owned(), row["id"].as_str()?.to_owned()));
    Ok(rows.iter().filter_map(row).collect())
}

/// Looks after tasks; answers in their order. `path` is that of their results behind `/v3/`, such as
/// `serp/google/organic/task_get/advanced`.
pub fn collect(cx: &Cx, account: &str, path: &str, tasks: &[&str]) -> Vec<Collected> {
    let send = |id: &&str| Send::get(account, format!("/v3/{path}/{id}")).timeout(30_000).max_bytes(4 << 20);
    let answers = cx.connections().send_many(tasks.iter().map(send));
    answers.into_iter().map(|sent| collected(sent.map_err(Refusal::from).and_then(|it| read(&it)))).collect()
}

fn collected(answer: Result<Value, Refusal>) -> Collected {
    let answer = match answer {
        Ok(answer) => answer,
        Err(refusal) => return Collected::NotAsked(refusal),
    };
    let task = &answer["tasks"][0];
    match code(task) {
        DONE => Collected::Done(task["result"].as_array().cloned().unwrap_or_default()),
        NOTHING => Collected::Done(Vec::new()),
        code if UNDER_WAY.contains(&code) => Collected::Waiting,
        code => Collected::Failed(code),
    }
}
