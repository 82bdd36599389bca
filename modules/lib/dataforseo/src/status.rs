//! What the provider's statuses mean.

use sdk::SendFailure;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

pub(crate) const DONE: u64 = 20_000;
pub(crate) const CREATED: u64 = 20_100;
/// "No Search Results".
pub(crate) const NOTHING: u64 = 40_102;
/// "Access denied": the account has no subscription for this API.
const NO_SUBSCRIPTION: u64 = 40_204;
/// "Task Handed" and "Task In Queue".
pub(crate) const UNDER_WAY: [u64; 2] = [40_601, 40_602];

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The account has no money left.
    NoMoney,
    /// The account has no subscription for this part of the API.
    NoSubscription,
    /// The provider does not accept this field.
    Field(String),
    /// Any other status.
    Status(u64),
    /// There was no answer, or one that says that the connection is at fault.
    Unsent(SendFailure),
}

impl Refusal {
    /// What a task's status and message mean; `None` for one that is done or has no results.
    pub(crate) fn of(task: &Value) -> Option<Self> {
        let message = task["status_message"].as_str().unwrap_or_default();
        Some(match code(task) {
            DONE | CREATED | NOTHING => return None,
            NO_SUBSCRIPTION => Self::NoSubscription,
            40_202 => Self::Unsent(SendFailure::RateLimited(None)),
            40_200..=40_299 => Self::NoMoney,
            40_501 => Self::Field(message.split('\'').nth(1).unwrap_or_default().chars().take(40).collect()),
            other => Self::Status(other),
        })
    }

    /// Whether the same question may be answered later.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self {
            Self::NoMoney | Self::NoSubscription | Self::Field(_) => false,
            Self::Status(code) => *code >= 50_000,
            Self::Unsent(failure) => !matches!(
                failure,
                SendFailure::ExpiredCredential
                    | SendFailure::NotConnected
                    | SendFailure::Refused
                    | SendFailure::UnknownOutcome
            ),
        }
    }

    /// The refusal of a call; `pointer` is the argument that decides what is asked.
    #[must_use]
    pub fn fault(&self, pointer: &str) -> Fault {
        match self {
            Self::NoMoney => {
                Fault::unavailable("provider_quota_exhausted", "the DataForSEO account has no credit left")
                    .detail(json!({ "provider_code": 40_200, "retry_after": null }))
            }
            Self::NoSubscription => {
                let message = "the DataForSEO account has no subscription for this part of its API";
                Fault::refused("provider_plan_required", message).detail(json!({ "provider_code": NO_SUBSCRIPTION }))
            }
            Self::Field(name) => {
                let message = format!("DataForSEO does not accept the value of its field `{name}`");
                Fault::invalid(pointer, "provider_refused_value", message)
                    .detail(json!({ "provider_code": 40_501, "field": name }))
            }
            Self::Status(code) => {
                Fault::unavailable("provider_error", format!("DataForSEO answered with its status {code}"))
                    .detail(json!({ "provider_code": code, "retry_after": null }))
            }
            Self::Unsent(failure) => Fault::from(*failure),
        }
    }
}

impl From<SendFailure> for Refusal {
    fn from(failure: SendFailure) -> Self {
        Self::Unsent(failure)
    }
}

pub(crate) fn code(it: &Value) -> u64 {
    it["status_code"].as_u64().unwrap_or_default()
}

/// The answer as JSON; one that says that the account is at fault, or that the provider is, is a failure.
pub(crate) fn read(answer: &sdk::Sent) -> Result<Value, Refusal> {
    if answer.status == 402 {
        return Err(Refusal::NoMoney);
    }
    if answer.status >= 500 {
        return Err(Refusal::Unsent(SendFailure::Unreachable));
    }
    let answer: Value = answer.json()?;
    match code(&answer) {
        40_100..=40_101 | 40_103..=40_199 => Err(Refusal::Unsent(SendFailure::ExpiredCredential)),
        40_200..=40_299 => Err(Refusal::of(&answer).unwrap_or(Refusal::NoMoney)),
        50_000.. => Err(Refusal::Unsent(SendFailure::Unreachable)),
        _ => Ok(answer),
    }
}
