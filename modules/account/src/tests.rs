//! The operations as a caller meets them, against what `wit/platform.md` says that the service answers.

mod billing;
mod history;
mod purging;
mod spending;

use sdk::json;
use sdk::serde_json::Value;

/// The answer to `account`.
pub(crate) fn account(activated_at: &Value) -> Value {
    json!({
        "activated_at": activated_at, "created_at": 1_780_000_000_000_u64, "plan": "standard", "next_plan": null,
        "rates": { "window_seconds": 60, "request": 120, "heavy": 20, "enumeration": 30, "feedback": 10 }
    })
}

/// The answer to `balance`.
pub(crate) fn balance(credits_milli: i64) -> Value {
    json!({
        "activated": true, "credits_milli": credits_milli, "reserved_credits_milli": 1_500, "points": 4_200,
        "reserved_points": 30, "allowance": 500, "allowance_left": 120, "renews_at": 1_790_640_000_000_u64
    })
}
