//! The latest movements of credits and points, as a customer's page lists them.

use model::clock::Moment;
use model::id::CustomerId;
use store::{LineFilter, LineKind, StoreError};

use crate::oauth::Authority;

/// Lines that are looked through for charges in credits: most charges are points of single calls.
const CHARGES: u32 = 200;

/// A movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// When.
    pub at: Moment,
    /// What it was.
    pub what: What,
    /// The operation that was charged for, or empty.
    pub operation: String,
    /// Thousandths of a credit that moved.
    pub credits_milli: u64,
    /// Points that moved.
    pub points: u64,
}

/// What a movement was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Credits were added.
    Added,
    /// Credits were turned into points.
    Bought,
    /// The activation was paid.
    Activated,
    /// Work with a price in credits was charged.
    Charged,
}

impl Authority {
    /// The latest movements, newest first, at most `most`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn movements(&self, customer: &CustomerId, most: usize) -> Result<Vec<Movement>, StoreError> {
        let mut found = Vec::new();
        for (kind, what) in [
            (LineKind::Order, What::Added),
            (LineKind::Points, What::Bought),
            (LineKind::Activation, What::Activated),
            (LineKind::Charge, What::Charged),
        ] {
            let filter = LineFilter { kind: Some(kind), ..LineFilter::default() };
            let lines = self.store().money.ledger_lines(customer, &filter, None, CHARGES).await?;
            // What was held is no movement before it is charged; of bought points the side of the points is told.
            let moved = lines.into_iter().filter(|it| {
                let side = if what == What::Bought { it.from.starts_with("points.") } else { true };
                let in_credits = what != What::Charged || it.to == "credits.spent";
                it.movement != "pending" && side && in_credits
            });
            found.extend(moved.take(most).map(|it| Movement {
                at: it.at,
                what,
                operation: if what == What::Charged { it.code } else { String::new() },
                // A thousand points are bought with a credit, so each with a thousandth.
                credits_milli: it.amount,
                points: if what == What::Bought { it.amount } else { 0 },
            }));
        }
        found.sort_by_key(|it| std::cmp::Reverse(it.at));
        found.truncate(most);
        Ok(found)
    }
}
