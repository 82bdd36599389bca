//! Asking a provider for its properties, and its refusals as ours.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Send, json};

use crate::account;
use crate::diagnosis::{self, Code, Trouble};

/// Bytes of a list that are read at most.
const MOST: u32 = 4 << 20;

/// Asks, and gives back the body if it has the documented form.
pub(crate) fn ask(cx: &Cx, kind: &str, ask: Send, is_documented: impl Fn(&Value) -> bool) -> Result<Value> {
    let response = cx.connections().send(&ask.max_bytes(MOST)).map_err(|failure| {
        let wait = if let sdk::SendFailure::RateLimited(seconds) = failure { seconds } else { None };
        refusal(told(cx, kind, diagnosis::of_failure(failure)), None, wait)
    })?;
    let body = response.json::<Value>().ok();
    let documented = body.as_ref().is_some_and(is_documented);
    match (diagnosis::trouble(kind, &response, body.as_ref(), documented), body) {
        (None, Some(body)) => Ok(body),
        (trouble, _) => {
            let trouble = trouble.unwrap_or_else(|| diagnosis::of_failure(sdk::SendFailure::Malformed));
            Err(refusal(told(cx, kind, trouble), Some(response.status), None))
        }
    }
}

/// What is wrong, in the words for how the kind is connected.
fn told(cx: &Cx, kind: &str, trouble: Trouble) -> Trouble {
    match account::described(cx, kind) {
        Some(kind) if account::is_consented(&kind) => trouble.of_consent(account::is_entered(&kind)),
        _ => trouble,
    }
}

/// A provider's no as a refusal: what the customer can change is a conflict, what passes is unavailable.
fn refusal(Trouble { code, hint }: Trouble, provider_code: Option<u16>, retry_after: Option<u32>) -> Fault {
    let detail = json!({ "cause": code, "provider_code": provider_code, "retry_after": retry_after });
    let fault = match code {
        Code::ExpiredCredential => Fault::conflict("connection_expired", hint),
        Code::MissingPermission => Fault::refused("missing_permission", hint),
        Code::WrongAccount => Fault::refused("wrong_account", hint),
        Code::Quota => Fault::unavailable("provider_quota_exhausted", hint),
        Code::ClockSkew | Code::Unreachable | Code::Timeout | Code::ProviderError | Code::MalformedAnswer => {
            Fault::unavailable("provider_error", hint)
        }
    };
    fault.detail(detail)
}
