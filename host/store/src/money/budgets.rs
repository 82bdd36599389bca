//! Budgets: a customer's own caps on spending, set and shown. They are counted where something is charged.

use model::audit::Audit;
use model::budget::{Budget, BudgetScope, Unit};
use model::clock::Moment;
use model::id::CustomerId;
use serde_json::json;
use sqlx::{Any, AnyConnection, Row as _};

use crate::money::book::{Cap, day};
use crate::tables::Money;
use crate::{StoreError, trail};

/// A budget with what was counted for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetUse {
    /// The budget.
    pub budget: Budget,
    /// Spent or held in this UTC day.
    pub used_today: u64,
    /// Spent or held in this UTC month.
    pub used_month: u64,
}

impl Money {
    /// Puts a cap on spending, or another one; one without caps is taken away. What was spent before counts, as far
    /// as it is known for whom: points of the workspace, a module or a grant, and credits of the workspace.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn set_budget(&self, customer: &CustomerId, budget: Budget, now: Moment) -> Result<(), StoreError> {
        let customer = customer.clone();
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let dialect = tx.dialect;
                    let connection = tx.connection();
                    dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                    write(connection, &customer, &budget, now).await?;
                    trail::append(connection, &line(&customer, &budget, now)).await
                })
            })
            .await
    }

    /// What counts in this day and month towards a budget that is not there yet.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn spent_before(
        &self,
        customer: &CustomerId,
        budget: &Budget,
        now: Moment,
    ) -> Result<(u64, u64), StoreError> {
        let Some(sql) = spent_sql(budget) else { return Ok((0, 0)) };
        let mut spent = [0, 0];
        for (sum, since) in spent.iter_mut().zip([day(now), day(now.month_begun())]) {
            let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql.clone())).bind(customer.as_str()).bind(since);
            let row = self.database.reader().fetch_one(query.bind(budget.target.clone())).await?;
            *sum = row.try_get::<i64, _>(0)?.unsigned_abs();
        }
        Ok((spent[0], spent[1]))
    }

    /// A customer's budgets.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn budgets(&self, customer: &CustomerId, now: Moment) -> Result<Vec<BudgetUse>, StoreError> {
        let sql = "SELECT * FROM budget WHERE customer = $1 ORDER BY scope, target, unit";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(customer.as_str())).await?;
        let shown = |row| {
            let cap = Cap::of(row)?;
            let (used_today, used_month) = cap.used(now);
            Ok(BudgetUse { budget: cap.budget, used_today, used_month })
        };
        rows.iter().map(shown).collect()
    }
}

/// Writes a budget, or takes it away when it has no cap.
pub(crate) async fn write(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    budget: &Budget,
    now: Moment,
) -> Result<(), StoreError> {
    if budget.daily.is_none() && budget.monthly.is_none() {
        remove(connection, customer, budget).await
    } else {
        put(connection, customer, budget, now).await
    }
}

/// The line of the trail that tells of it.
pub(crate) fn line(customer: &CustomerId, budget: &Budget, now: Moment) -> Audit {
    Audit {
        at: now,
        customer: customer.clone(),
        detail: json!({ "unit": budget.unit, "daily": budget.daily, "monthly": budget.monthly }),
        event: "budget.set".to_owned(),
        grant: None,
        outcome: "ok".to_owned(),
        points: 0,
        request: None,
        subject: format!("{}:{}", budget.scope.word(), budget.target),
    }
}

async fn remove(connection: &mut AnyConnection, customer: &CustomerId, budget: &Budget) -> Result<(), StoreError> {
    let sql = "DELETE FROM budget WHERE customer = $1 AND scope = $2 AND target = $3 AND unit = $4";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(budget.scope.word());
    query.bind(budget.target.as_str()).bind(budget.unit.word()).execute(connection).await?;
    Ok(())
}

async fn put(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    budget: &Budget,
    now: Moment,
) -> Result<(), StoreError> {
    let month_begun = now.month_begun();
    let spent = [
        spent(connection, customer, budget, day(now)).await?,
        spent(connection, customer, budget, day(month_begun)).await?,
    ];
    let sql = "INSERT INTO budget (customer, scope, target, unit, daily, monthly, day, used_day, month, used_month) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (customer, scope, target, unit) \
               DO UPDATE SET daily = excluded.daily, monthly = excluded.monthly";
    let most = |cap: Option<u64>| cap.map(|cap| i64::try_from(cap).unwrap_or(i64::MAX));
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(budget.scope.word());
    let query = query.bind(budget.target.as_str()).bind(budget.unit.word());
    let query = query.bind(most(budget.daily)).bind(most(budget.monthly));
    let query = query.bind(day(now)).bind(spent[0]).bind(now.month()).bind(spent[1]);
    query.execute(connection).await?;
    Ok(())
}

/// What was spent since a day under a budget that was not there yet.
async fn spent(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    budget: &Budget,
    since: i64,
) -> Result<i64, StoreError> {
    let Some(sql) = spent_sql(budget) else { return Ok(0) };
    let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.as_str()).bind(since);
    Ok(query.bind(budget.target.as_str()).fetch_one(connection).await?.try_get(0)?)
}

/// What asks for it, with the parameters customer, day and target; none where it is not known for whom was spent.
fn spent_sql(budget: &Budget) -> Option<String> {
    let points = "SELECT CAST(COALESCE(SUM(points), 0) AS BIGINT) FROM usage_day WHERE customer = $1 AND day >= $2";
    Some(match (budget.unit, budget.scope) {
        (Unit::Points, BudgetScope::Workspace) => format!("{points} AND $3 = ''"),
        (Unit::Points, BudgetScope::Module) => format!("{points} AND substr(operation, 1, length($3) + 1) = $3 || '.'"),
        (Unit::Points, BudgetScope::Client) => format!("{points} AND grant_id = $3"),
        (Unit::Points, BudgetScope::Site) => "SELECT CAST(COALESCE(SUM(points), 0) AS BIGINT) FROM usage_site \
            WHERE customer = $1 AND day >= $2 AND site = $3"
            .to_owned(),
        (Unit::Credits, BudgetScope::Workspace) => "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM transfer \
            WHERE customer = $1 AND at >= $2 * 86400000 AND credit = 'credits.spent' AND kind = 'post' AND $3 = ''"
            .to_owned(),
        (Unit::Credits, _) => return None,
    })
}

#[cfg(test)]
mod tests;
