//! Decides one change after the other, in memory: it is taken whole, or it leaves nothing.

use model::audit::Audit;
use model::clock::Moment;
use model::id::{CustomerId, GrantId, RequestId};
use model::usage::Usage;

use super::load::Batch;
use super::{Change, Member, Outcome};
use crate::StoreError;
use crate::calls::HOLD_LIFE;
use crate::calls::answers;
use crate::calls::settlement::{Hold, Reservation, SettleError, Settled, Settlement};
use crate::database::mutant::{self, Mutant};
use crate::database::writer::late;
use crate::identity::notices::Notice;
use crate::jobs::{self, Next, StepSettlement};
use crate::money::account::{AccountChange, SeenJob};
use crate::money::book::{Reason, Short};
use crate::money::budgets;
use crate::money::ledger;
use crate::money::usage::{Count, UsedFor};
use crate::records::Changes;
use crate::trail;

/// Who starts a job, and for what.
pub(crate) struct Starter<'a> {
    pub(crate) customer: &'a CustomerId,
    pub(crate) operation: &'a str,
    pub(crate) grant: Option<&'a GrantId>,
    pub(crate) request: Option<&'a RequestId>,
    /// For which website, where that is known.
    pub(crate) site: Option<&'a str>,
}

impl<'a> Starter<'a> {
    /// As usage is counted.
    pub(super) fn used_for(&self) -> UsedFor<'a> {
        UsedFor { operation: self.operation, grant: self.grant, site: self.site }
    }
}

impl Batch {
    pub(super) fn decide(&mut self, member: &Member) -> Result<Outcome, SettleError> {
        let (customer, now) = member.change.whose();
        // Asked here, after the locks: whoever waited for them may have given up meanwhile.
        if !member.is_wanted() {
            return Err(SettleError::Unavailable(late()));
        }
        if member.change.charges() && now < self.floor {
            return Err(SettleError::Unavailable(StoreError::ClockRegressed));
        }
        let mark = self.book.mark(customer);
        let outcome = match &member.change {
            Change::Settle(settlement) => self.settle(settlement, &member.line).map(Outcome::Settled),
            Change::Step(step) => self.step(step, &member.line).map(|()| Outcome::Written),
            Change::Reserve(reservation) => self.reserve(reservation).map(Outcome::Reserved),
            Change::Release { hold, audit } => {
                let reason = Reason::plain(hold.request.as_str(), "released", audit.at);
                // A hold that expired has gone back already.
                self.book.resolve(&hold.customer, 0, 0, reason);
                self.trail.add(&hold.customer, member.line.clone());
                Ok(Outcome::Written)
            }
            Change::Audit { customer, .. } => {
                self.trail.add(customer, member.line.clone());
                Ok(Outcome::Written)
            }
        };
        if outcome.is_err() {
            self.book.restore(customer, mark);
        }
        outcome
    }

    fn settle(&mut self, settlement: &Settlement, line: &str) -> Result<Settled, SettleError> {
        let Settlement { customer, request, operation, now, .. } = settlement;
        if let Some(answer) = &settlement.answer
            && let Some((earlier, expires_at)) = self.answers.get(&(customer.clone(), answer.key.clone()))
            && *expires_at > *now
            && !mutant::is(Mutant::Key)
        {
            return Err(SettleError::KeyTaken(Box::new(earlier.clone())));
        }
        if let Some(claim) = &settlement.claim
            && self.claims.get(&(customer.clone(), claim.key.clone())) != Some(&claim.token)
        {
            return Err(SettleError::ClaimLost);
        }
        self.check(customer, &settlement.changes)?;
        let reason = Reason {
            id: request.as_str(),
            code: operation,
            now: *now,
            grant: settlement.grant.as_ref(),
            site: settlement.site.as_deref(),
        };
        let held = match &settlement.hold {
            Some(_) => self.book.resolve(customer, settlement.points, 0, reason),
            None => None,
        };
        let points = match held {
            Some((points, _)) => points,
            None => self.charge(settlement, reason)?,
        };
        let kept = settlement.hold_for_job.zip(settlement.changes.jobs.first());
        if let Some((kept, job)) = kept {
            let reason = Reason { id: job.id.as_str(), ..reason };
            let held = self.book.hold(customer, kept.points, kept.credits_milli, None, reason);
            held.map_err(|short| refuse(short, kept.points, kept.credits_milli))?;
        }
        self.account(customer, &settlement.changes, reason)?;
        self.refund(customer, &settlement.changes, *now)?;
        let (included_remaining, paid_remaining) = self.book.points(customer, *now);
        let usage = Usage {
            points,
            held_points: kept.map_or(0, |(kept, _)| kept.points),
            held_credits_milli: kept.map_or(0, |(kept, _)| kept.credits_milli),
            included_remaining,
            paid_remaining,
        };
        let starter = Starter {
            customer,
            operation,
            grant: settlement.grant.as_ref(),
            request: Some(request),
            site: settlement.site.as_deref(),
        };
        self.take(&starter, &settlement.changes, *now);
        let calls = u64::from(!settlement.changes.is_round());
        self.writes.used(&starter, Count { calls, points, credits_milli: 0 }, *now);
        if let Some(claim) = &settlement.claim {
            self.claims.remove(&(customer.clone(), claim.key.clone()));
            self.writes.claim_ends(customer, claim);
        }
        if let Some(answer) = &settlement.answer {
            let (key, kept) = answers::keep(settlement, answer, &usage);
            self.writes.answers.push(key.clone());
            self.answers.insert(key, kept);
        }
        self.add_line(customer, &settlement.audit, line, points);
        Ok(Settled { usage })
    }

    /// Charges what was not reserved. A refusal is charged what is there.
    fn charge(&mut self, settlement: &Settlement, reason: Reason<'_>) -> Result<u64, SettleError> {
        let Settlement { customer, points, audit, .. } = settlement;
        let points = if audit.outcome == "ok" { *points } else { self.book.room(customer, reason).min(*points) };
        if !mutant::is(Mutant::Charge) {
            self.book.charge(customer, points, reason).map_err(|short| refuse(short, points, 0))?;
        }
        Ok(points)
    }

    fn step(&mut self, step: &StepSettlement, line: &str) -> Result<(), SettleError> {
        let StepSettlement { customer, job, claim, now, .. } = step;
        let key = (customer.clone(), job.to_string());
        let running = self.jobs.get(&key).ok_or(SettleError::JobLost)?;
        let ours = running.claim.as_ref() == Some(claim)
            && running.lease_until.is_some_and(|until| *now < until)
            && step.step == running.steps + 1;
        if !ours && !mutant::is(Mutant::Fence) {
            return Err(SettleError::JobLost);
        }
        let (operation, site, background) = (running.operation.clone(), running.site.clone(), running.background);
        self.check(customer, &step.changes)?;
        let (mut points, mut credits_milli) = (0, 0);
        if matches!(step.next, Next::Done { .. } | Next::Failed { .. }) {
            let reason = Reason::plain(job.as_str(), &operation, *now);
            let (heir, changes) = (step.changes.jobs.first(), &step.changes);
            let heir = heir.filter(|_| changes.hands_over).map(|job| job.id.as_str());
            let charged = self.book.pass_on(customer, step.points_total, step.credits_milli_total, heir, reason);
            (points, credits_milli) = charged.unwrap_or_default();
        }
        self.refund(customer, &step.changes, *now)?;
        let grant = step.audit.grant.as_ref();
        let starter = Starter { customer, operation: &operation, grant, request: None, site: site.as_deref() };
        self.take(&starter, &step.changes, *now);
        if points > 0 || credits_milli > 0 {
            self.writes.used(&starter, Count { calls: 0, points, credits_milli }, *now);
        }
        if !background {
            let ended = Notice::of(customer, job, &operation, site.as_deref(), &step.next, *now);
            self.writes.tell(ended, *now);
        }
        self.writes.step(step);
        // The claim is spent: a second settlement under it, even in this group, is lost.
        self.jobs.remove(&key);
        self.add_line(customer, &step.audit, line, points);
        Ok(())
    }

    fn reserve(&mut self, reservation: &Reservation) -> Result<Hold, SettleError> {
        let Reservation { customer, request, operation, grant, site, points, now } = reservation;
        let reason =
            Reason { id: request.as_str(), code: operation, now: *now, grant: grant.as_ref(), site: site.as_deref() };
        let held = self.book.hold(customer, *points, 0, Some(now.plus(HOLD_LIFE)), reason);
        held.map_err(|short| refuse(short, *points, 0))?;
        Ok(Hold { customer: customer.clone(), request: request.clone(), points: *points })
    }

    /// Decides what a run wants of its customer's account, as far as the ledger or a job is concerned; the trail is
    /// told.
    fn account(&mut self, customer: &CustomerId, changes: &Changes, reason: Reason<'_>) -> Result<(), SettleError> {
        for change in &changes.account {
            match change {
                AccountChange::BuyPoints { credits } => {
                    let line = ledger::turn_into_points(&mut self.book, customer, *credits, reason.id, reason.now)
                        .map_err(|short| refuse(short, 0, credits.saturating_mul(1_000)))?;
                    self.trail.add(customer, trail::body(&line));
                }
                AccountChange::CancelJob(seen) => self.cancel(customer, seen, reason.now)?,
                AccountChange::SetBudget(budget) => {
                    self.trail.add(customer, trail::body(&budgets::line(customer, budget, reason.now)));
                }
                AccountChange::EndGrant(_)
                | AccountChange::PlaceOrder { .. }
                | AccountChange::ChangePlan { .. }
                | AccountChange::WishNotices(_)
                | AccountChange::DropBlobs { .. } => {}
            }
        }
        Ok(())
    }

    /// Gives the price of jobs that have ended back; a job that somebody has refunded meanwhile is a conflict.
    fn refund(&mut self, customer: &CustomerId, changes: &Changes, now: Moment) -> Result<(), SettleError> {
        for refund in &changes.refunds {
            let transfer = (customer.clone(), refund.transfer());
            if self.refunded.contains(&transfer) {
                return Err(SettleError::RecordConflict);
            }
            self.book.refund(customer, refund, now);
            if refund.credits_milli > 0 {
                self.trail.add(customer, trail::body(&refund.line(customer, now)));
            }
            self.refunded.insert(transfer);
        }
        Ok(())
    }

    /// Ends a job that nobody has moved on since it was seen.
    fn cancel(&mut self, customer: &CustomerId, seen: &SeenJob, now: Moment) -> Result<(), SettleError> {
        let key = (customer.clone(), seen.job.to_string());
        let running =
            self.jobs.get(&key).filter(|running| running.lease_until.is_some() && running.steps == seen.steps);
        if running.is_none() {
            return Err(SettleError::RecordConflict);
        }
        let reason = Reason::plain(seen.job.as_str(), &seen.operation, now);
        let charged = self.book.resolve(customer, seen.points, seen.credits_milli, reason);
        let (points, credits_milli) = charged.unwrap_or_default();
        let site = seen.site.as_deref();
        let starter = Starter { customer, operation: &seen.operation, grant: seen.grant.as_ref(), request: None, site };
        self.writes.used(&starter, Count { calls: 0, points, credits_milli }, now);
        // Whoever holds its claim still commits nothing any more.
        self.jobs.remove(&key);
        self.trail.add(customer, trail::body(&jobs::cancelled(customer, &seen.job, &seen.operation, points, now)));
        Ok(())
    }

    /// Every record that changes must be as it was read, and have its keys in every index that is kept.
    fn check(&self, customer: &CustomerId, changes: &Changes) -> Result<(), SettleError> {
        let unchanged = changes.records.iter().all(|change| {
            let key = (customer.clone(), change.collection.clone(), change.id.clone());
            self.versions.get(&key).copied() == change.expects
        });
        let connected = changes
            .connections
            .iter()
            .all(|change| self.connections.get(&(customer.clone(), change.id.clone())).copied() == change.expects);
        let indexed = changes.records.is_empty() || self.indexes == Some(changes.indexes);
        if unchanged && connected && indexed { Ok(()) } else { Err(SettleError::RecordConflict) }
    }

    /// Takes changes that were checked.
    fn take(&mut self, starter: &Starter<'_>, changes: &Changes, now: Moment) {
        for change in &changes.records {
            let key = (starter.customer.clone(), change.collection.clone(), change.id.clone());
            match &change.becomes {
                Some((version, _)) => self.versions.insert(key, *version),
                None => self.versions.remove(&key),
            };
        }
        for change in &changes.connections {
            let key = (starter.customer.clone(), change.id.clone());
            match &change.becomes {
                Some(connection) => self.connections.insert(key, connection.version),
                None => self.connections.remove(&key),
            };
        }
        self.writes.take(starter, changes, now);
    }

    fn add_line(&mut self, customer: &CustomerId, audit: &Audit, line: &str, points: u64) {
        let line =
            if audit.points == points { line.to_owned() } else { trail::body(&Audit { points, ..audit.clone() }) };
        self.trail.add(customer, line);
    }
}

fn refuse(short: Short, points: u64, credits: u64) -> SettleError {
    match short {
        Short::Points { included, paid } => {
            SettleError::OutOfPoints { needed: points, included_remaining: included, paid_remaining: paid }
        }
        Short::Credits { available } => SettleError::OutOfCredits { needed_milli: credits, available_milli: available },
        Short::Budget(over) => SettleError::OverBudget(over),
    }
}
