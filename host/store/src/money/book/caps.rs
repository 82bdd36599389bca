//! Caps on spending, counted in the commit that spends.

use std::collections::HashMap;

use model::budget::{Budget, BudgetScope, Period, Purpose, Unit};
use model::clock::Moment;
use model::id::CustomerId;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::day;
use crate::StoreError;
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;

const READ: Listed = Listed {
    before: "SELECT customer, scope, target, unit, daily, monthly, day, used_day, month, used_month FROM budget \
             WHERE customer IN (",
    columns: &[Text],
    after: ") ORDER BY customer, scope, target, unit",
};
const COUNTED: Listed = Listed {
    before: "INSERT INTO budget (customer, scope, target, unit, day, used_day, month, used_month) ",
    columns: &[Text, Text, Text, Text, Whole, Whole, Whole, Whole],
    after: " ON CONFLICT (customer, scope, target, unit) DO UPDATE SET day = excluded.day, \
            used_day = excluded.used_day, month = excluded.month, used_month = excluded.used_month",
};

/// A budget and what was counted for it.
#[derive(Clone, Debug)]
pub(crate) struct Cap {
    pub(crate) budget: Budget,
    day: i64,
    used_day: u64,
    month: i64,
    used_month: u64,
    moved: bool,
}

/// A cap that would be exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// Which budget.
    pub budget: Budget,
    /// Which of its caps.
    pub period: Period,
    /// What was counted so far in that day or month.
    pub used: u64,
    /// What would be added.
    pub needed: u64,
}

impl Cap {
    /// As it is stored.
    pub(crate) fn of(row: &AnyRow) -> Result<Self, StoreError> {
        let word = |column| row.try_get::<String, _>(column);
        let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
        let most = |column| Ok::<_, StoreError>(row.try_get::<Option<i64>, _>(column)?.map(i64::unsigned_abs));
        let unknown = || StoreError::Inconsistent("a budget that is about nothing");
        let scope = BudgetScope::named(&word("scope")?).ok_or_else(unknown)?;
        let unit = Unit::named(&word("unit")?).ok_or_else(unknown)?;
        Ok(Self {
            budget: Budget { scope, target: word("target")?, unit, daily: most("daily")?, monthly: most("monthly")? },
            day: row.try_get("day")?,
            used_day: whole("used_day")?,
            month: row.try_get("month")?,
            used_month: whole("used_month")?,
            moved: false,
        })
    }

    /// What was counted in the day and in the month of this moment.
    pub(crate) fn used(&self, now: Moment) -> (u64, u64) {
        let today = if self.day == day(now) { self.used_day } else { 0 };
        (today, if self.month == now.month() { self.used_month } else { 0 })
    }

    /// The cap that has least room, with what was counted for it.
    fn tightest(&self, now: Moment) -> Option<(u64, Period, u64)> {
        let (today, this_month) = self.used(now);
        let room = |cap: Option<u64>, period, used: u64| cap.map(|cap| (cap.saturating_sub(used), period, used));
        let (daily, monthly) =
            (room(self.budget.daily, Period::Daily, today), room(self.budget.monthly, Period::Monthly, this_month));
        daily.into_iter().chain(monthly).min_by_key(|(room, _, _)| *room)
    }

    fn count(&mut self, amount: u64, now: Moment) {
        let (today, this_month) = self.used(now);
        (self.day, self.used_day) = (day(now), today.saturating_add(amount));
        (self.month, self.used_month) = (now.month(), this_month.saturating_add(amount));
        self.moved = true;
    }

    /// Takes back what was counted at an earlier moment, where its day or month is still the one that is counted.
    fn uncount(&mut self, amount: u64, then: Moment) {
        if self.day == day(then) {
            self.used_day = self.used_day.saturating_sub(amount);
            self.moved = true;
        }
        if self.month == then.month() {
            self.used_month = self.used_month.saturating_sub(amount);
            self.moved = true;
        }
    }
}

/// Whatever of these caps a purpose comes under.
fn under<'a>(caps: &'a mut [Cap], unit: Unit, purpose: Purpose<'a>) -> impl Iterator<Item = &'a mut Cap> + use<'a> {
    caps.iter_mut().filter(move |cap| cap.budget.unit == unit && cap.budget.covers(purpose))
}

/// How much may be spent for a purpose.
pub(super) fn room(caps: &mut [Cap], unit: Unit, purpose: Purpose<'_>, now: Moment) -> u64 {
    under(caps, unit, purpose).filter_map(|cap| cap.tightest(now)).map(|(room, _, _)| room).min().unwrap_or(u64::MAX)
}

/// Counts an amount for a purpose under every cap, or under none.
pub(super) fn spend(
    caps: &mut [Cap],
    unit: Unit,
    amount: u64,
    purpose: Purpose<'_>,
    now: Moment,
) -> Result<(), Box<OverBudget>> {
    // What costs nothing is refused by no cap.
    if amount == 0 {
        return Ok(());
    }
    for cap in under(caps, unit, purpose) {
        if let Some((_, period, used)) = cap.tightest(now).filter(|(room, _, _)| *room < amount) {
            return Err(Box::new(OverBudget { budget: cap.budget.clone(), period, used, needed: amount }));
        }
    }
    under(caps, unit, purpose).for_each(|cap| cap.count(amount, now));
    Ok(())
}

/// Gives back what was held at `then` and not spent.
pub(super) fn give_back(caps: &mut [Cap], unit: Unit, amount: u64, purpose: Purpose<'_>, then: Moment) {
    under(caps, unit, purpose).for_each(|cap| cap.uncount(amount, then));
}

/// The caps of these customers.
pub(crate) async fn read(
    connection: &mut AnyConnection,
    customers: &[CustomerId],
) -> Result<HashMap<CustomerId, Vec<Cap>>, StoreError> {
    let mut caps: HashMap<CustomerId, Vec<Cap>> = HashMap::new();
    for row in READ.fetch(connection, customers, |customer| (customer,)).await? {
        caps.entry(row.try_get::<String, _>("customer")?.into()).or_default().push(Cap::of(&row)?);
    }
    Ok(caps)
}

/// Writes what was counted.
pub(super) async fn write<'a>(
    connection: &mut AnyConnection,
    purses: impl Iterator<Item = (&'a CustomerId, &'a [Cap])>,
) -> Result<(), StoreError> {
    let moved: Vec<_> = purses
        .flat_map(|(customer, caps)| caps.iter().filter(|cap| cap.moved).map(move |cap| (customer, cap)))
        .collect();
    COUNTED
        .execute(connection, &moved, |(customer, cap)| {
            let Budget { scope, target, unit, .. } = &cap.budget;
            let (day, month) = (cap.day, cap.month);
            (customer, scope.word(), target, unit.word(), day, cap.used_day, month, cap.used_month)
        })
        .await?;
    Ok(())
}

/// Nothing is left to be written.
pub(super) fn rest(caps: &mut [Cap]) {
    caps.iter_mut().for_each(|cap| cap.moved = false);
}
