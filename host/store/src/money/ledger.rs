//! Points and credits of a customer: what there is, what is held, what is bought, and the activation.

mod audited;
mod listed;
mod verify;

use model::audit::Audit;
use model::clock::Moment;
use model::id::CustomerId;
use model::usage::{ACTIVATION_CREDITS, POINTS_PER_CREDIT};
use serde_json::json;
use sqlx::{Any, Row as _};

pub use listed::{LedgerLine, LineFilter, LineKind, LineTotals};
pub use verify::Violation;

use crate::database::writer::Tx;
use crate::money::book::{Book, Name, Reason, Short, day};
use crate::tables::Money;
use crate::{StoreError, trail};

/// The most that one movement may be; far below what an account can count to.
const MOST: u64 = 1_000_000_000_000_000;

/// What a customer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Left of today's included points.
    pub included_remaining: u64,
    /// Paid points left.
    pub paid_points: u64,
    /// Thousandths of a credit left.
    pub credits_milli: u64,
    /// When external access was paid for.
    pub activated_at: Option<Moment>,
    /// Included points that were used today, or are held.
    pub used_today: u64,
}

/// Why something could not be bought.
#[derive(Debug, thiserror::Error)]
pub enum BuyError {
    /// The credits are not there.
    #[error("{needed_milli} thousandths of a credit are needed, {available_milli} are left")]
    OutOfCredits {
        /// What it costs.
        needed_milli: u64,
        /// What is left.
        available_milli: u64,
    },
    /// There is no such customer.
    #[error("there is no such customer")]
    UnknownCustomer,
    /// The database.
    #[error(transparent)]
    Unavailable(#[from] StoreError),
}

impl From<sqlx::Error> for BuyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unavailable(error.into())
    }
}

/// What an activation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The credits were charged now.
    Charged,
    /// They were charged before; nothing was charged.
    Before,
}

/// Opens external access for a customer inside a transaction: [`ACTIVATION_CREDITS`] once per customer.
///
/// # Errors
/// `OutOfCredits` says what is missing; nothing is written then.
pub async fn activate(tx: &mut Tx, customer: &CustomerId, now: Moment) -> Result<Activation, BuyError> {
    let mut book = open(tx, customer, now).await?;
    let query = sqlx::query::<Any>("SELECT activated_at FROM customer WHERE customer = $1").bind(customer.as_str());
    let row = query.fetch_optional(tx.connection()).await?.ok_or(BuyError::UnknownCustomer)?;
    if row.try_get::<Option<i64>, _>(0)?.is_some() {
        return Ok(Activation::Before);
    }
    let needed_milli = ACTIVATION_CREDITS * 1_000;
    let available_milli = book.credits(customer);
    if available_milli < needed_milli {
        return Err(BuyError::OutOfCredits { needed_milli, available_milli });
    }
    let reason = Reason::plain("activation", "activation", now);
    book.single(customer, "activation".to_owned(), Name::Credits, Name::CreditsSpent, needed_milli as i64, reason);
    book.flush(tx.connection()).await?;
    let query =
        sqlx::query::<Any>("UPDATE customer SET activated_at = $2 WHERE customer = $1 AND activated_at IS NULL");
    query.bind(customer.as_str()).bind(now.0).execute(tx.connection()).await?;
    tell(tx, customer, "customer.activation_charged", "activation", "activation", now).await?;
    Ok(Activation::Charged)
}

/// Gives credits inside a transaction. A reference gives once, however often it comes. False: it came before.
///
/// # Errors
/// When the store cannot be reached.
pub async fn credit(
    tx: &mut Tx,
    customer: &CustomerId,
    milli: u64,
    reference: &str,
    now: Moment,
) -> Result<bool, StoreError> {
    let id = format!("credit:{reference}");
    let mut book = open(tx, customer, now).await?;
    if known(tx, customer, &id).await? {
        return Ok(false);
    }
    let reason = Reason::plain("", "credits_added", now);
    let told = (milli > 0).then(|| id.clone());
    book.single(customer, id, Name::CreditsBought, Name::Credits, milli.min(MOST) as i64, reason);
    book.flush(tx.connection()).await?;
    if let Some(transfer) = told {
        tell(tx, customer, "customer.credited", reference, &transfer, now).await?;
    }
    Ok(true)
}

/// Turns credits into points inside a transaction, a thousand points for each. A reference buys once. False: it
/// came before.
///
/// # Errors
/// `OutOfCredits` says what is missing; nothing is written then.
pub async fn buy_points(
    tx: &mut Tx,
    customer: &CustomerId,
    credits: u64,
    reference: &str,
    now: Moment,
) -> Result<bool, BuyError> {
    let mut book = open(tx, customer, now).await?;
    if known(tx, customer, &format!("buy:{reference}:c")).await? {
        return Ok(false);
    }
    let line = turn_into_points(&mut book, customer, credits, reference, now).map_err(|short| match short {
        Short::Credits { available } => {
            BuyError::OutOfCredits { needed_milli: credits.saturating_mul(1_000), available_milli: available }
        }
        Short::Points { .. } | Short::Budget(_) => unreachable!("buying points asks for credits only"),
    })?;
    book.flush(tx.connection()).await?;
    trail::append(tx.connection(), &line).await?;
    Ok(true)
}

/// Turns credits into points in a book; the line of the trail that tells of it. A reference is used once.
pub(crate) fn turn_into_points(
    book: &mut Book,
    customer: &CustomerId,
    credits: u64,
    reference: &str,
    now: Moment,
) -> Result<Audit, Short> {
    let milli = credits.saturating_mul(1_000);
    let available = book.credits(customer);
    if milli > available || milli > MOST {
        return Err(Short::Credits { available });
    }
    let (paid, bought) = (format!("buy:{reference}:c"), format!("buy:{reference}:p"));
    let reason = Reason::plain("", "points_bought", now);
    book.single(customer, paid, Name::Credits, Name::CreditsSpent, milli as i64, reason);
    let points = (credits * POINTS_PER_CREDIT) as i64;
    book.single(customer, bought, Name::PointsBought, Name::Points, points, reason);
    Ok(told(customer, "customer.points_bought", reference, &format!("buy:{reference}"), now))
}

async fn open(tx: &mut Tx, customer: &CustomerId, now: Moment) -> Result<Book, StoreError> {
    let dialect = tx.dialect;
    dialect.lock(tx.connection(), std::slice::from_ref(customer)).await?;
    Book::load(tx.connection(), &[(customer.clone(), now)], &[]).await
}

/// Adds the line that tells of a movement, in its transaction.
async fn tell(
    tx: &mut Tx,
    customer: &CustomerId,
    event: &str,
    subject: &str,
    transfer: &str,
    now: Moment,
) -> Result<(), StoreError> {
    trail::append(tx.connection(), &told(customer, event, subject, transfer, now)).await
}

/// The line that tells of a movement.
fn told(customer: &CustomerId, event: &str, subject: &str, transfer: &str, now: Moment) -> Audit {
    Audit {
        at: now,
        customer: customer.clone(),
        detail: json!({ "transfer": transfer }),
        event: event.to_owned(),
        grant: None,
        outcome: "ok".to_owned(),
        points: 0,
        request: None,
        subject: subject.to_owned(),
    }
}

async fn known(tx: &mut Tx, customer: &CustomerId, transfer: &str) -> Result<bool, StoreError> {
    let query = sqlx::query::<Any>("SELECT 1 FROM transfer WHERE customer = $1 AND transfer = $2");
    Ok(query.bind(customer.as_str()).bind(transfer).fetch_optional(tx.connection()).await?.is_some())
}

impl Money {
    /// What a customer has.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn balance(&self, customer: &CustomerId, now: Moment) -> Result<Balance, StoreError> {
        let allowance = Name::Allowance(day(now)).text();
        let sql = "SELECT account, credits_posted - debits_posted - debits_pending AS spendable FROM account \
                   WHERE customer = $1 AND account IN ($2, $3, $4)";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(allowance.as_str());
        let rows = self.database.reader().fetch_all(query.bind(Name::Points.text()).bind(Name::Credits.text())).await?;
        let (mut included, mut paid_points, mut credits_milli) = (model::usage::INCLUDED_POINTS, 0, 0);
        for row in rows {
            let spendable = row.try_get::<i64, _>("spendable")?.unsigned_abs();
            match row.try_get::<String, _>("account")? {
                account if account == allowance => included = spendable,
                account if account == "points" => paid_points = spendable,
                _ => credits_milli = spendable,
            }
        }
        let query = sqlx::query::<Any>("SELECT activated_at FROM customer WHERE customer = $1").bind(customer.as_str());
        let row = self.database.reader().fetch_optional(query).await?;
        let activated_at = row.map(|row| row.try_get::<Option<i64>, _>(0)).transpose()?.flatten().map(Moment);
        Ok(Balance {
            included_remaining: included,
            paid_points,
            credits_milli,
            activated_at,
            used_today: model::usage::INCLUDED_POINTS.saturating_sub(included),
        })
    }

    /// Paid points and thousandths of a credit that are held for calls and jobs under way.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn reserved(&self, customer: &CustomerId) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT account, debits_pending FROM account WHERE customer = $1 AND account IN ($2, $3)";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(Name::Points.text());
        let (mut points, mut credits) = (0, 0);
        for row in self.database.reader().fetch_all(query.bind(Name::Credits.text())).await? {
            let pending = row.try_get::<i64, _>("debits_pending")?.unsigned_abs();
            match row.try_get::<String, _>("account")?.as_str() {
                "points" => points = pending,
                _ => credits = pending,
            }
        }
        Ok((points, credits))
    }

    /// Gives credits. A reference gives once, however often it comes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn credit(&self, customer: &CustomerId, milli: u64, reference: &str) -> Result<bool, StoreError> {
        let (customer, reference, now) = (customer.clone(), reference.to_owned(), self.database.clock().now());
        self.database
            .write(move |tx| Box::pin(async move { credit(tx, &customer, milli, &reference, now).await }))
            .await
    }

    /// Turns credits into points, a thousand for each. A reference buys once.
    ///
    /// # Errors
    /// `OutOfCredits`, and when the store cannot be reached.
    pub async fn buy_points(&self, customer: &CustomerId, credits: u64, reference: &str) -> Result<bool, BuyError> {
        let (customer, reference, now) = (customer.clone(), reference.to_owned(), self.database.clock().now());
        self.database
            .write(move |tx| Box::pin(async move { buy_points(tx, &customer, credits, &reference, now).await }))
            .await
    }

    /// Opens external access for a customer: [`ACTIVATION_CREDITS`] once.
    ///
    /// # Errors
    /// `OutOfCredits`, and when the store cannot be reached.
    pub async fn activate(&self, customer: &CustomerId, now: Moment) -> Result<Activation, BuyError> {
        let customer = customer.clone();
        self.database.write(move |tx| Box::pin(async move { activate(tx, &customer, now).await })).await
    }
}

#[cfg(test)]
mod tests;
