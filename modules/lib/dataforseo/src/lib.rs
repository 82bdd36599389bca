//! DataForSEO, as every module asks it: by the customer's own account, live or as tasks.
//!
//! Source: docs.dataforseo.com/v3 and its appendix/errors. The HTTP status is 200 for most refusals; what happened is in
//! `status_code` of the answer and of each task. Money is what an answer says that it cost, never computed.

mod live;
mod market;
mod status;
mod tasks;

pub use live::{Account, Answer};
pub use market::{Market, ads_takes, covers, language_code, location_code};
pub use status::Refusal;
pub use tasks::{Collected, MAX_TASKS, Ordered, Task, collect, order, ready};

use sdk::serde_json::Value;

/// A keyword as the provider wants it in a task: `%` and `+` would be taken for escapes.
#[must_use]
pub fn escaped(keyword: &str) -> String {
    keyword.replace('%', "%25").replace('+', "%2B")
}

/// Dollars as millionths of a dollar.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded above and below")]
fn micros(cost: &Value) -> u64 {
    (cost.as_f64().unwrap_or_default().clamp(0.0, 1e6) * 1e6).round() as u64
}

/// Whether the next question may cost more than is left of a cap in dollars: by the mean of the answers so far, and before the first
/// one by what the provider's price list says, `first`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "money of one job is far below 2^52 millionths")]
pub fn is_beyond(cap: Option<f64>, spent_micros: u64, answers: u64, first: u64) -> bool {
    let next = spent_micros.checked_div(answers).unwrap_or(first);
    cap.is_some_and(|cap| (spent_micros + next) as f64 > cap * 1e6)
}

/// Millionths of a dollar as an amount.
#[must_use]
pub fn money(micros: u64) -> sdk::Money {
    let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
    sdk::Money { amount: format!("{whole}.{part:06}"), currency: "USD".to_owned() }
}

#[cfg(test)]
mod tests;
