//! Changes of one shape, applied together: what they need is read once, each is decided in memory under every
//! rule, and what they write is written in few statements.
//!
//! A member that breaks a rule fails alone, before anything of it is written. Should the database itself refuse,
//! the group is undone and its members go one by one, so that again only the guilty one fails.

mod apply;
mod decide;
mod known;
mod load;
mod mark;

use model::audit::Audit;
use model::clock::Moment;
use model::id::CustomerId;
use sqlx::Executor as _;
use tokio::sync::oneshot;

pub(crate) use decide::Starter;
pub(crate) use known::Known;
pub(crate) use mark::Mark;

use crate::StoreError;
use crate::calls::settlement::{Hold, Reservation, SettleError, Settled, Settlement};
use crate::database::writer::{Told, Tx};
use crate::jobs::StepSettlement;

/// One change of the group, with the way back to whoever wants it.
pub(crate) struct Member {
    pub(crate) change: Change,
    /// The canonical audit line, written by the caller before it queues: the writer's time is everybody's.
    pub(crate) line: String,
    pub(crate) answer: oneshot::Sender<Result<Outcome, SettleError>>,
}

/// What a member wants.
pub(crate) enum Change {
    Settle(Box<Settlement>),
    Step(Box<StepSettlement>),
    Reserve(Reservation),
    Release { hold: Hold, audit: Box<Audit> },
    Audit { customer: CustomerId, now: Moment },
}

/// What a member gets.
pub(crate) enum Outcome {
    Settled(Settled),
    Reserved(Hold),
    /// It is committed; there is nothing else to say. Work may have become due.
    Written,
}

impl Change {
    /// Whose change, and when.
    fn whose(&self) -> (&CustomerId, Moment) {
        match self {
            Change::Settle(settlement) => (&settlement.customer, settlement.now),
            Change::Step(step) => (&step.customer, step.now),
            Change::Reserve(reservation) => (&reservation.customer, reservation.now),
            Change::Audit { customer, now } => (customer, *now),
            Change::Release { hold, audit } => (&hold.customer, audit.at),
        }
    }

    /// Whether it takes points or holds them.
    fn charges(&self) -> bool {
        matches!(self, Change::Settle(_) | Change::Step(_) | Change::Reserve(_))
    }
}

impl Member {
    /// Whether it is still to be done. A charge whose caller has gone away is not: the caller has heard that nobody
    /// knows, asks again under the same key, and must not find two.
    fn is_wanted(&self) -> bool {
        !(self.change.charges() && self.answer.is_closed())
    }

    /// Tells whoever wants it that it failed.
    pub(crate) fn fail(self, error: &StoreError) {
        let _gone = self.answer.send(Err(SettleError::Unavailable(error.clone())));
    }

    fn told(self, outcome: Result<Outcome, SettleError>) -> Told {
        Box::new(move |committed| {
            let _gone = self.answer.send(match committed {
                Ok(()) => outcome,
                Err(error) => Err(SettleError::Unavailable(error)),
            });
        })
    }
}

/// Runs a group as the first thing of the open transaction.
pub(crate) async fn run(tx: &mut Tx, members: Vec<Member>, told: &mut Vec<Told>) -> Result<(), StoreError> {
    let error = match attempt(tx, &members).await {
        Ok(outcomes) => {
            told.extend(members.into_iter().zip(outcomes).map(|(member, outcome)| member.told(outcome)));
            return Ok(());
        }
        Err(error) => error,
    };
    tracing::warn!(error = %error, members = members.len(), "a group of changes was refused by the database");
    tx.mark.forget();
    // Savepoints cost the good case a copy of every page; this is the bad case.
    tx.connection().execute("ROLLBACK").await?;
    tx.open().await?;
    // Some of them may be undone again.
    tx.touched.all = true;
    // Alone it was alone already.
    if members.len() == 1 {
        members.into_iter().for_each(|member| member.fail(&error));
        return Ok(());
    }
    for member in members {
        // The one before may have waited for a lock until this one's caller gave up.
        if !member.is_wanted() {
            continue;
        }
        tx.connection().execute("SAVEPOINT member").await?;
        match attempt(tx, std::slice::from_ref(&member)).await {
            Ok(outcomes) => {
                told.extend(std::iter::once(member).zip(outcomes).map(|(member, outcome)| member.told(outcome)))
            }
            Err(error) => {
                tx.connection().execute("ROLLBACK TO SAVEPOINT member").await?;
                tx.mark.forget();
                member.fail(&error);
            }
        }
        tx.connection().execute("RELEASE SAVEPOINT member").await?;
    }
    Ok(())
}

async fn attempt(tx: &mut Tx, members: &[Member]) -> Result<Vec<Result<Outcome, SettleError>>, StoreError> {
    let mut batch = load::load(tx, members).await?;
    let outcomes: Vec<_> = members.iter().map(|member| batch.decide(member)).collect();
    // Each that succeeds leaves a line in the trail or holds something.
    tx.touched.writes |= outcomes.iter().any(Result::is_ok);
    tx.progress.step();
    let (purses, heads) = batch.apply(tx).await?;
    tx.known.learn(purses, heads);
    Ok(outcomes)
}
