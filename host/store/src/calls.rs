//! The doors by which a call of the product reaches the writer.

pub(crate) mod answers;
pub(crate) mod claims;
pub(crate) mod group;
pub mod intents;
pub(crate) mod noted;
pub(crate) mod sends;
pub(crate) mod settlement;
pub mod windows;

use std::time::Duration;

use model::audit::Audit;
use tokio::sync::oneshot;

use crate::calls::group::{Change, Member, Outcome};
use crate::calls::settlement::{Hold, Reservation, SettleError, Settled, Settlement};
use crate::database::writer::{CALLER, Entry, WORKER};
use crate::jobs::StepSettlement;
use crate::tables::Calls;
use crate::{StoreError, trail};

/// How long points stay reserved for a call that is never settled.
pub const HOLD_LIFE: Duration = Duration::from_secs(300);

impl Calls {
    /// Commits what a finished call leaves behind, or nothing. A settlement whose caller went away before the writer
    /// came to it is dropped: nobody is charged for what nobody hears of.
    ///
    /// # Errors
    /// Each way in which nothing was committed; after `Unavailable` look with [`Calls::earlier`] before trying again.
    pub async fn settle(&self, settlement: Settlement) -> Result<Settled, SettleError> {
        let line = trail::body(&settlement.audit);
        let starts_work = settlement.changes.starts_work();
        match self.group(CALLER, Change::Settle(Box::new(settlement)), line).await? {
            Outcome::Settled(settled) => {
                if starts_work {
                    self.database.jobs_notify().notify_one();
                }
                Ok(settled)
            }
            Outcome::Reserved(_) | Outcome::Written => Err(SettleError::Unavailable(MIXED)),
        }
    }

    /// Commits what a step leaves behind, or nothing: it must still hold its claim.
    ///
    /// # Errors
    /// `JobLost` when it does not, and as [`Calls::settle`].
    pub async fn settle_step(&self, step: StepSettlement) -> Result<(), SettleError> {
        let line = trail::body(&step.audit);
        self.group(WORKER, Change::Step(Box::new(step)), line).await?;
        self.database.jobs_notify().notify_one();
        Ok(())
    }

    /// Reserves points durably, before anything reaches outside. They come back by themselves after [`HOLD_LIFE`].
    ///
    /// # Errors
    /// `OutOfPoints`, `OverBudget`, and when the store cannot be reached.
    pub async fn reserve(&self, reservation: Reservation) -> Result<Hold, SettleError> {
        match self.group(CALLER, Change::Reserve(reservation), String::new()).await? {
            Outcome::Reserved(hold) => Ok(hold),
            Outcome::Settled(_) | Outcome::Written => Err(SettleError::Unavailable(MIXED)),
        }
    }

    /// Gives reserved points back, with a line of the trail.
    ///
    /// # Errors
    /// When the store cannot be reached; the points then come back when the hold expires.
    pub async fn release(&self, hold: Hold, audit: Audit) -> Result<(), StoreError> {
        let line = trail::body(&audit);
        self.written(Change::Release { hold, audit: Box::new(audit) }, line).await
    }

    /// Adds a line to a customer's trail.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn audit(&self, audit: Audit) -> Result<(), StoreError> {
        let line = trail::body(&audit);
        self.written(Change::Audit { customer: audit.customer, now: audit.at }, line).await
    }

    async fn written(&self, change: Change, line: String) -> Result<(), StoreError> {
        match self.group(CALLER, change, line).await {
            Ok(_) => Ok(()),
            Err(SettleError::Unavailable(error)) => Err(error),
            Err(_) => Err(MIXED),
        }
    }

    async fn group(&self, patience: Duration, change: Change, line: String) -> Result<Outcome, SettleError> {
        let (answer, answered) = oneshot::channel();
        self.database.writer().heard(patience, Entry::Member(Member { change, line, answer }), answered).await?
    }
}

const MIXED: StoreError = StoreError::Inconsistent("an answer to another question");
