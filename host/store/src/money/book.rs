//! The ledger of a batch: accounts read once, moved in memory under every rule, and written once.
//!
//! Double entry: each transfer debits one account and credits another of the same customer and unit. Customers'
//! own accounts are limited: what they hold back and what they have spent never exceeds what they were given.

mod caps;
mod name;
mod pages;
mod purse;

use std::collections::HashMap;

use model::budget::{Purpose, Unit};
use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use model::usage::INCLUDED_POINTS;

pub(crate) use caps::Cap;
pub use caps::OverBudget;
pub(crate) use name::{Name, day};
pub(crate) use pages::all_written;
pub(crate) use purse::Purse;

use crate::database::mutant::{self, Mutant};
use crate::money::refunds::Refund;
use purse::{Account, Held, Leg, Standing};

/// A transfer to be written.
#[derive(Debug)]
struct Transfer {
    customer: CustomerId,
    id: String,
    kind: &'static str,
    resolves: Option<String>,
    debit: Name,
    credit: Name,
    amount: i64,
    code: String,
    at: Moment,
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    Points { included: u64, paid: u64 },
    Credits { available: u64 },
    Budget(Box<OverBudget>),
}

impl From<Box<OverBudget>> for Short {
    fn from(over: Box<OverBudget>) -> Self {
        Self::Budget(over)
    }
}

/// Why and when something moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason<'a> {
    /// The stem of the transfers' ids.
    pub(crate) id: &'a str,
    /// The operation, or the reason in a word.
    pub(crate) code: &'a str,
    pub(crate) now: Moment,
    /// Through which grant, and for which website, where that is known.
    pub(crate) grant: Option<&'a GrantId>,
    pub(crate) site: Option<&'a str>,
}

impl<'a> Reason<'a> {
    /// A reason that is no operation of a client.
    pub(crate) fn plain(id: &'a str, code: &'a str, now: Moment) -> Self {
        Self { id, code, now, grant: None, site: None }
    }

    fn purpose(self) -> Purpose<'a> {
        Purpose { operation: self.code, grant: self.grant, site: self.site }
    }
}

/// The accounts of some customers, and what moves on them.
#[derive(Debug, Default)]
pub(crate) struct Book {
    purses: HashMap<CustomerId, Purse>,
    transfers: Vec<Transfer>,
}

/// A state to come back to.
pub(crate) struct Mark {
    purse: Purse,
    transfers: usize,
}

impl Book {
    /// Remembers a customer's state, to come back to when a change fails half way.
    pub(crate) fn mark(&self, customer: &CustomerId) -> Mark {
        Mark { purse: self.purses.get(customer).cloned().unwrap_or_default(), transfers: self.transfers.len() }
    }

    /// Comes back to a remembered state.
    pub(crate) fn restore(&mut self, customer: &CustomerId, mark: Mark) {
        self.purses.insert(customer.clone(), mark.purse);
        self.transfers.truncate(mark.transfers);
    }

    /// Points left: of the day's allowance, and paid.
    pub(crate) fn points(&mut self, customer: &CustomerId, now: Moment) -> (u64, u64) {
        let included = self.allowance(customer, now);
        let paid = self.account(customer, Name::Points).spendable();
        (included.unsigned_abs(), paid.unsigned_abs())
    }

    /// Thousandths of a credit left.
    pub(crate) fn credits(&mut self, customer: &CustomerId) -> u64 {
        self.account(customer, Name::Credits).spendable().unsigned_abs()
    }

    /// How many points may be charged for this reason.
    pub(crate) fn room(&mut self, customer: &CustomerId, reason: Reason<'_>) -> u64 {
        let (included, paid) = self.points(customer, reason.now);
        let caps = &mut self.purse(customer).caps;
        included.saturating_add(paid).min(caps::room(caps, Unit::Points, reason.purpose(), reason.now))
    }

    /// Charges points at once: the allowance first, then the paid ones.
    pub(crate) fn charge(&mut self, customer: &CustomerId, points: u64, reason: Reason<'_>) -> Result<(), Short> {
        let (allowance, paid) = self.split(customer, points, reason.now)?;
        caps::spend(&mut self.purse(customer).caps, Unit::Points, points, reason.purpose(), reason.now)?;
        let day = day(reason.now);
        self.single(customer, format!("{}:a", reason.id), Name::Allowance(day), Name::PointsUsed, allowance, reason);
        self.single(customer, format!("{}:p", reason.id), Name::Points, Name::PointsUsed, paid, reason);
        Ok(())
    }

    /// Holds points and credits back, under a name.
    pub(crate) fn hold(
        &mut self,
        customer: &CustomerId,
        points: u64,
        credits: u64,
        expires_at: Option<Moment>,
        reason: Reason<'_>,
    ) -> Result<(), Short> {
        let (allowance, paid) = self.split(customer, points, reason.now)?;
        let available = self.credits(customer);
        let credits = i64::try_from(credits).ok().filter(|credits| credits.unsigned_abs() <= available);
        let credits = credits.ok_or(Short::Credits { available })?;
        for (unit, amount) in [(Unit::Points, points), (Unit::Credits, credits.unsigned_abs())] {
            caps::spend(&mut self.purse(customer).caps, unit, amount, reason.purpose(), reason.now)?;
        }
        let held = Held {
            day: day(reason.now),
            allowance,
            points: paid,
            credits,
            code: reason.code.to_owned(),
            expires_at,
            grant: reason.grant.cloned(),
            site: reason.site.map(str::to_owned),
        };
        self.keep(customer, held, reason);
        Ok(())
    }

    /// Makes a hold whose amounts are there.
    fn keep(&mut self, customer: &CustomerId, held: Held, reason: Reason<'_>) {
        for leg in held.legs() {
            self.moved(customer, leg.debit).debits_pending += leg.amount;
            self.moved(customer, leg.credit).credits_pending += leg.amount;
            self.note(customer, format!("{}:hold:{}", reason.id, leg.mark), "pending", None, leg, reason);
        }
        self.purse(customer).holds.push((reason.id.to_owned(), held, Standing::New));
    }

    /// Ends a hold: charges up to this much and gives the rest back. Returns the points and credits that were
    /// charged, or nothing when there is no such open hold.
    pub(crate) fn resolve(
        &mut self,
        customer: &CustomerId,
        points: u64,
        credits: u64,
        reason: Reason<'_>,
    ) -> Option<(u64, u64)> {
        self.pass_on(customer, points, credits, None, reason)
    }

    /// Ends a hold as [`Self::resolve`] does; with an heir what is left of the credits goes on being held under its
    /// name, for the purpose and the cap that they were held for.
    pub(crate) fn pass_on(
        &mut self,
        customer: &CustomerId,
        points: u64,
        credits: u64,
        heir: Option<&str>,
        reason: Reason<'_>,
    ) -> Option<(u64, u64)> {
        let purse = self.purse(customer);
        let (_, held, standing) =
            purse.holds.iter_mut().find(|(id, _, standing)| id == reason.id && *standing != Standing::Resolved)?;
        *standing = Standing::Resolved;
        let held = held.clone();
        let mut left = i64::try_from(points).unwrap_or(i64::MAX);
        let credits = i64::try_from(credits).unwrap_or(i64::MAX);
        let (mut charged_points, mut charged_credits) = (0, 0);
        for leg in held.legs() {
            let amount = if leg.debit == Name::Credits {
                charged_credits = credits.min(leg.amount);
                charged_credits
            } else {
                let amount = left.min(leg.amount);
                left -= amount;
                charged_points += amount;
                amount
            };
            let debit = self.moved(customer, leg.debit);
            debit.debits_pending -= leg.amount;
            debit.debits_posted += amount;
            let credit = self.moved(customer, leg.credit);
            credit.credits_pending -= leg.amount;
            credit.credits_posted += amount;
            let pending = format!("{}:hold:{}", reason.id, leg.mark);
            let kind = if amount == 0 { "void" } else { "post" };
            self.note(customer, format!("{pending}!"), kind, Some(pending), Leg { amount, ..leg }, reason);
        }
        let rest = held.credits - charged_credits;
        let handed = heir.map_or(0, |_| rest);
        if let Some(heir) = heir.filter(|_| handed > 0) {
            let held = Held { allowance: 0, points: 0, credits: handed, expires_at: None, ..held.clone() };
            self.keep(customer, held, Reason { id: heir, ..reason });
        }
        let left = [(Unit::Points, held.allowance + held.points - charged_points), (Unit::Credits, rest - handed)];
        for (unit, left) in left {
            let caps = &mut self.purse(customer).caps;
            caps::give_back(caps, unit, left.unsigned_abs(), held.purpose(), held.begun());
        }
        Some((charged_points.unsigned_abs(), charged_credits.unsigned_abs()))
    }

    /// Gives back what a job was charged.
    pub(crate) fn refund(&mut self, customer: &CustomerId, refund: &Refund, now: Moment) {
        let Refund { operation, credits_milli, grant, site, began, .. } = refund;
        let reason = Reason { grant: grant.as_ref(), site: site.as_deref(), ..Reason::plain("", operation, now) };
        let amount = i64::try_from(*credits_milli).unwrap_or(i64::MAX);
        self.single(customer, refund.transfer(), Name::CreditsSpent, Name::Credits, amount, reason);
        let caps = &mut self.purse(customer).caps;
        caps::give_back(caps, Unit::Credits, *credits_milli, reason.purpose(), *began);
    }

    /// Moves an amount at once. Nothing is moved when it is nothing.
    pub(crate) fn single(
        &mut self,
        customer: &CustomerId,
        id: String,
        debit: Name,
        credit: Name,
        amount: i64,
        reason: Reason<'_>,
    ) {
        if amount == 0 {
            return;
        }
        self.moved(customer, debit).debits_posted += amount;
        self.moved(customer, credit).credits_posted += amount;
        self.note(customer, id, "single", None, Leg { mark: ' ', debit, credit, amount }, reason);
    }

    /// What is left of the day's allowance; the first look of a day grants it.
    fn allowance(&mut self, customer: &CustomerId, now: Moment) -> i64 {
        let name = Name::Allowance(day(now));
        let account = *self.account(customer, name);
        if account.credits_posted == 0 {
            let id = format!("grant:{}", now.day());
            let reason = Reason::plain("", "daily_allowance", now);
            self.single(customer, id, Name::PointsGranted, name, INCLUDED_POINTS as i64, reason);
        }
        self.account(customer, name).spendable()
    }

    fn split(&mut self, customer: &CustomerId, points: u64, now: Moment) -> Result<(i64, i64), Short> {
        let (included, paid) = self.points(customer, now);
        let short = || Short::Points { included, paid };
        let points = i64::try_from(points).map_err(|_| short())?;
        let allowance = points.min(included as i64);
        let rest = points - allowance;
        if rest.unsigned_abs() > paid && !mutant::is(Mutant::Overdraw) {
            return Err(short());
        }
        Ok((allowance, rest))
    }

    fn purse(&mut self, customer: &CustomerId) -> &mut Purse {
        if !self.purses.contains_key(customer) {
            self.purses.insert(customer.clone(), Purse::default());
        }
        self.purses.get_mut(customer).expect("it was just put there")
    }

    fn account(&mut self, customer: &CustomerId, name: Name) -> &mut Account {
        let accounts = &mut self.purse(customer).accounts;
        let at = accounts.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            accounts.push((name, Account::default()));
            accounts.len() - 1
        });
        &mut accounts[at].1
    }

    fn moved(&mut self, customer: &CustomerId, name: Name) -> &mut Account {
        let account = self.account(customer, name);
        account.moved = true;
        account
    }

    fn note(
        &mut self,
        customer: &CustomerId,
        id: String,
        kind: &'static str,
        resolves: Option<String>,
        leg: Leg,
        reason: Reason<'_>,
    ) {
        self.transfers.push(Transfer {
            customer: customer.clone(),
            id,
            kind,
            resolves,
            debit: leg.debit,
            credit: leg.credit,
            amount: leg.amount,
            code: reason.code.to_owned(),
            at: reason.now,
        });
    }
}
