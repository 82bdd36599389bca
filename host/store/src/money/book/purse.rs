//! What one customer has: balances, and what is held of them.

use model::budget::Purpose;
use model::clock::Moment;
use model::id::GrantId;

use super::caps::{self, Cap};
use super::name::{DAY, Name};

/// An account: four sums that only grow, but for what is pending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    pub(super) debits_pending: i64,
    pub(super) debits_posted: i64,
    pub(super) credits_pending: i64,
    pub(super) credits_posted: i64,
    /// How often it was written.
    pub(super) version: i64,
    /// Whether it differs from what is stored.
    pub(super) moved: bool,
}

impl Account {
    pub(super) fn spendable(&self) -> i64 {
        self.credits_posted - self.debits_posted - self.debits_pending
    }
}

/// What is held, and of what.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) day: i64,
    pub(crate) allowance: i64,
    pub(crate) points: i64,
    pub(crate) credits: i64,
    /// The operation.
    pub(crate) code: String,
    pub(crate) grant: Option<GrantId>,
    pub(crate) site: Option<String>,
    /// None: until the job ends.
    pub(crate) expires_at: Option<Moment>,
}

/// What becomes of a hold when the batch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Stored,
    New,
    Resolved,
}

/// The accounts and open holds of one customer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purse {
    pub(super) accounts: Vec<(Name, Account)>,
    pub(super) holds: Vec<(String, Held, Standing)>,
    pub(super) caps: Vec<Cap>,
    /// Whether the caps were read; a customer without any has none to read again.
    pub(super) capped: bool,
}

impl Purse {
    /// What is left of it for later: balances as they are stored now.
    pub(super) fn rest(&mut self) {
        self.holds.clear();
        caps::rest(&mut self.caps);
        let today = self.accounts.iter().map(|(name, _)| if let Name::Allowance(day) = name { *day } else { 0 }).max();
        // A call that began before midnight may still come; older days are done.
        self.accounts.retain(|(name, _)| !matches!(name, Name::Allowance(day) if Some(day + 1) < today));
        for (_, account) in self.accounts.iter_mut().filter(|(_, account)| account.moved) {
            account.version += 1;
            account.moved = false;
        }
    }
}

/// One pending transfer of a hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) mark: char,
    pub(super) debit: Name,
    pub(super) credit: Name,
    pub(super) amount: i64,
}

impl Held {
    /// What it is for.
    pub(super) fn purpose(&self) -> Purpose<'_> {
        Purpose { operation: &self.code, grant: self.grant.as_ref(), site: self.site.as_deref() }
    }

    /// A moment of the day on which it began.
    pub(super) fn begun(&self) -> Moment {
        Moment(self.day * DAY)
    }

    /// Its pending transfers: allowance, paid points, credits. Empty ones were never made.
    pub(super) fn legs(&self) -> impl Iterator<Item = Leg> + use<> {
        [
            Leg { mark: 'a', debit: Name::Allowance(self.day), credit: Name::PointsUsed, amount: self.allowance },
            Leg { mark: 'p', debit: Name::Points, credit: Name::PointsUsed, amount: self.points },
            Leg { mark: 'c', debit: Name::Credits, credit: Name::CreditsSpent, amount: self.credits },
        ]
        .into_iter()
        .filter(|leg| leg.amount > 0)
    }
}
