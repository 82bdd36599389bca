//! What a call cost and what is left: the content of `meta.usage`.

use serde::{Deserialize, Serialize};

/// Points included for a customer and UTC day.
pub const INCLUDED_POINTS: u64 = 100;
/// Points that one credit buys.
pub const POINTS_PER_CREDIT: u64 = 1_000;
/// Credits that the first approved external connection costs, once per customer.
pub const ACTIVATION_CREDITS: u64 = 100;
/// Points of overhead when a guest refuses.
pub const REFUSAL_POINTS: u64 = 1;

/// Usage of one completed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Points charged for this call.
    pub points: u64,
    /// Points held until the started work ends.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held_points: u64,
    /// Thousandths of a credit held for native work until it ends.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held_credits_milli: u64,
    /// Included points left of this UTC day.
    pub included_remaining: u64,
    /// Paid points left.
    pub paid_remaining: u64,
}

impl Usage {
    /// Nothing charged; balances as they stand.
    pub fn free(included_remaining: u64, paid_remaining: u64) -> Self {
        Self { points: 0, held_points: 0, held_credits_milli: 0, included_remaining, paid_remaining }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}
