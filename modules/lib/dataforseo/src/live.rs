//! Live questions: one task, answered at once.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Need, Send, json};

use crate::micros;
use crate::status::{Refusal, read};

/// Milliseconds for a live question; result pages take up to half a minute.
const TIMEOUT_MS: u32 = 50_000;
/// What the provider charges in.
pub(crate) const CURRENCY: &str = "USD";
/// Bytes of an answer: 1,000 keywords with their months are 3 MB.
const MAX_BYTES: u32 = 8 << 20;

/// An account of the customer.
pub struct Account<'a> {
    cx: &'a Cx,
    /// The connection.
    pub reference: String,
}

/// The answer to a live question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The results; empty when there is nothing to be found.
    pub results: Vec<Value>,
    /// What it cost, in millionths of a US dollar.
    pub cost_micros: u64,
    /// The provider's id of the task.
    pub task: String,
}

impl Answer {
    /// The items of the first result.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        let items = self.results.first().and_then(|it| it["items"].as_array());
        items.map(Vec::as_slice).unwrap_or_default()
    }

    /// How many items there are in all, of a list that can be longer than the answer.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.results.first()?["total_count"].as_u64()
    }
}

impl<'a> Account<'a> {
    /// The customer's account.
    ///
    /// # Errors
    /// 422 `connection_required` at the pointer, with the reason; 409 `connection_expired`.
    pub fn required(cx: &'a Cx, pointer: &str, reason: &str) -> Result<Self> {
        let connection = cx.connections().required(Need::DATAFORSEO, pointer, reason)?;
        Ok(Self { cx, reference: connection.reference })
    }

    /// Asks one question: `path` is that of the endpoint behind `/v3/`, such as `serp/google/organic/live/advanced`.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn ask(&self, path: &str, task: &Value) -> Result<Answer, Refusal> {
        let told = answer(&self.cx.connections().send(&self.question(path, task))?)?;
        self.note(&told);
        Ok(told)
    }

    /// Asks many questions of one endpoint, eight at a time; the answers are in the order of the tasks.
    pub fn ask_many(&self, path: &str, tasks: &[Value]) -> Vec<Result<Answer, Refusal>> {
        let answers = self.cx.connections().send_many(tasks.iter().map(|task| self.question(path, task)));
        let told = |sent: Result<sdk::Sent, sdk::SendFailure>| {
            let told = answer(&sent?)?;
            self.note(&told);
            Ok(told)
        };
        answers.into_iter().map(told).collect()
    }

    /// Reads a list that the provider keeps, such as `serp/google/locations/gb`; it is free.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn read(&self, path: &str) -> Result<Answer, Refusal> {
        let send = Send::get(&self.reference, format!("/v3/{path}")).timeout(TIMEOUT_MS).max_bytes(MAX_BYTES);
        answer(&self.cx.connections().send(&send)?)
    }

    /// Notes what an answer cost.
    fn note(&self, answer: &Answer) {
        self.cx.accounts().note_spent(&self.reference, answer.cost_micros, CURRENCY);
    }

    fn question(&self, path: &str, task: &Value) -> Send {
        Send::post(&self.reference, format!("/v3/{path}")).timeout(TIMEOUT_MS).max_bytes(MAX_BYTES).json(&json!([task]))
    }
}

fn answer(sent: &sdk::Sent) -> Result<Answer, Refusal> {
    let answer = read(sent)?;
    let task = &answer["tasks"][0];
    if let Some(refusal) = Refusal::of(task) {
        return Err(refusal);
    }
    Ok(Answer {
        results: task["result"].as_array().cloned().unwrap_or_default(),
        cost_micros: micros(&task["cost"]),
        task: task["id"].as_str().unwrap_or_default().to_owned(),
    })
}
