//! What a call leaves behind, as values: the one thing that is committed, and how that can fail.

use std::sync::Arc;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{CustomerId, GrantId, RequestId};
use model::refusal::Refusal;
use model::usage::Usage;

use crate::StoreError;
use crate::calls::claims::KeyClaim;
use crate::money::book::OverBudget;
use crate::records::Changes;

/// Everything that one finished call commits, or none of it.
///
/// The call counts as refused when `audit.outcome` is not `ok`: then it is charged what is there, up to `points`,
/// and never fails for want of points.
#[derive(Debug)]
pub struct Settlement {
    /// Whose call.
    pub customer: CustomerId,
    /// Under which grant.
    pub grant: Option<GrantId>,
    /// The request.
    pub request: RequestId,
    /// What ran.
    pub operation: String,
    /// For which website, where the call names one: budgets ask.
    pub site: Option<String>,
    /// When it ended; decides the day of the allowance.
    pub now: Moment,
    /// `meta.api_version` of the answer.
    pub api_version: Arc<str>,
    /// Points to charge now.
    pub points: u64,
    /// What was reserved before the run: at most this is charged, and the rest goes back.
    pub hold: Option<Hold>,
    /// Kept back for the job that this call enqueued, until the job ends.
    pub hold_for_job: Option<JobHold>,
    /// Records, blobs, cached data and jobs.
    pub changes: Changes,
    /// Kept under the idempotency key for 72 hours.
    pub answer: Option<KeyedAnswer>,
    /// The durable claim of that key, for a call that may change something outside: it has to be held still, and ends
    /// with this, as does the journal of what was sent.
    pub claim: Option<KeyClaim>,
    /// The line of the trail; its `points` become what was charged.
    pub audit: Audit,
}

/// An answer and the key under which it is found again.
#[derive(Debug)]
pub struct KeyedAnswer {
    /// As sent.
    pub key: String,
    /// Of operation and arguments.
    pub fingerprint: String,
    /// What is repeated to a twin.
    pub outcome: Stored,
}

/// What is repeated to a twin.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// The data of a success: a JSON object.
    Done {
        /// As first sent.
        data: Arc<str>,
        /// `meta.untrusted`, as first sent.
        untrusted: Option<Arc<str>>,
    },
    /// A refusal by the guest.
    Refused(Refusal),
}

/// What is to be reserved, and for what.
#[derive(Clone, Debug)]
pub struct Reservation {
    /// Whose.
    pub customer: CustomerId,
    /// For which request.
    pub request: RequestId,
    /// Of which operation.
    pub operation: String,
    /// Through which grant.
    pub grant: Option<GrantId>,
    /// For which website, where the call names one.
    pub site: Option<String>,
    /// How many points.
    pub points: u64,
    /// When; decides the day of the allowance.
    pub now: Moment,
}

/// Points reserved durably, before anything reached outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Whose.
    pub customer: CustomerId,
    /// For which request.
    pub request: RequestId,
    /// How many.
    pub points: u64,
}

/// What a queued call keeps back for its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobHold {
    /// At most this many points.
    pub points: u64,
    /// At most this many thousandths of a credit.
    pub credits_milli: u64,
}

/// What a settled call cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// `meta.usage`.
    pub usage: Usage,
}

/// The answer of an earlier call under the same key.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    /// Of its operation and arguments.
    pub fingerprint: String,
    /// Its request.
    pub request: RequestId,
    /// What it answered.
    pub outcome: Stored,
    /// What it cost.
    pub usage: Usage,
    /// Its `meta.api_version`.
    pub api_version: Arc<str>,
    /// When it ended.
    pub at: Moment,
}

/// Why nothing was committed.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// The points are not there.
    #[error("{needed} points are needed, {included_remaining} included and {paid_remaining} paid are left")]
    OutOfPoints {
        /// What the call costs, or may cost.
        needed: u64,
        /// Left of today's allowance.
        included_remaining: u64,
        /// Left of the paid points.
        paid_remaining: u64,
    },
    /// The credits are not there.
    #[error("{needed_milli} thousandths of a credit are needed, {available_milli} are left")]
    OutOfCredits {
        /// What the work may cost.
        needed_milli: u64,
        /// What is left.
        available_milli: u64,
    },
    /// A cap that the customer has put on spending.
    #[error("a budget is exhausted")]
    OverBudget(Box<OverBudget>),
    /// Another call changed a record that this one read and changed.
    #[error("another call changed the same records")]
    RecordConflict,
    /// Another call committed under the same key first.
    #[error("another call committed under this key first")]
    KeyTaken(Box<Earlier>),
    /// The claim is not the stored one any more, or its lease is over.
    #[error("the job is no longer ours")]
    JobLost,
    /// Another run of the call has taken its key over.
    #[error("the key is no longer ours")]
    ClaimLost,
    /// The database.
    #[error(transparent)]
    Unavailable(#[from] StoreError),
}
