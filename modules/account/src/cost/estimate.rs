//! The operation `account.cost.estimate`.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Estimate as Asked, PlatformQuestion, json};

use crate::amount::credits;
use crate::platform::balance::Estimated as Known;

#[args]
pub(crate) struct Estimate {
    /// The operation's id.
    target_operation: Text<1, 128>,
    /// The arguments that it would be called with.
    arguments: Map<String, Value>,
}

/// What the call would cost.
#[value]
pub(crate) struct Estimated {
    /// At least.
    points_min: u64,
    /// At most: what is set aside while the call or its job runs.
    points_max: u64,
    /// Credits for native work, at most: what is set aside. 0 where there is no native price.
    native_credits: f64,
    /// Credits for native work, at least.
    native_credits_min: f64,
    /// Whether the account has to be activated first.
    needs_activation: bool,
    /// Whether the call would go through now, by balance and caps.
    affordable: bool,
    /// What would stop it; null when nothing would.
    blocking_cap: Option<Blocking>,
}

/// What would stop a call.
#[value]
pub(crate) struct Blocking {
    /// The code that the call would be refused with.
    code: String,
    message: String,
    /// What the refusal would say for a program to act on.
    detail: Map<String, Value>,
}

/// Prices one operation call without running it: validates the arguments, evaluates the point formula and native price and checks balance and caps.
///
/// What a call costs can depend on what it finds, so there are two numbers; the real charge lies between them. Arguments
/// that the operation would refuse are refused here, with their pointer below `/arguments`. Nothing is set aside.
#[operation(
    read,
    scope = "billing:read",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "what would this call cost",
        "how many credits does a crawl of 5,000 pages take",
        "can I afford this audit",
        "price of an operation before I run it",
    ],
    examples = [
        { "target_operation": "crawl.run.start", "arguments": { "site_id": "4503599627370496", "max_pages": 5_000 } },
        { "target_operation": "account.profile.get", "arguments": {} }
    ]
)]
pub(crate) fn estimate(cx: &Cx, args: Estimate) -> Result<Estimated> {
    let call = Asked { operation: args.target_operation.into_string(), arguments: json!(args.arguments).to_string() };
    let known: Known = cx.platform().ask(&PlatformQuestion::Estimate(call))?;
    Ok(Estimated {
        points_min: known.points_min,
        points_max: known.points_max.max(known.points_min),
        native_credits: credits(known.credits_max_milli.max(known.credits_min_milli)),
        native_credits_min: credits(known.credits_min_milli),
        needs_activation: known.needs_activation,
        affordable: known.affordable,
        blocking_cap: known.blocking.map(|it| Blocking {
            code: it.code,
            message: it.message,
            detail: it.detail.unwrap_or_default(),
        }),
    })
}
