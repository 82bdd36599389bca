//! Spending by day and by what it was for, as a customer asks for it.

use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::money::usage::Count;
use crate::tables::Money;

/// What spending is broken down by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpentBy {
    /// The first segment of operations.
    Module,
    /// Operations.
    Operation,
    /// Websites, as far as calls name them.
    Site,
    /// Grants.
    Client,
    /// Nothing more than the day.
    Day,
}

/// What was spent for one thing, or on one UTC day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Days since 1970-01-01; the first with any use, where it is not broken down by days.
    pub day: i64,
    /// The module, operation, website or grant; empty for days.
    pub key: String,
    /// A grant's name, as far as it is known.
    pub name: Option<String>,
    /// How much.
    pub count: Count,
}

/// Rows of an answer, at most: far more than there are operations, websites or clients.
const MOST: i64 = 9_000;

impl Money {
    /// What a customer spent from one UTC day to another, both included, in the order of
    /// keys, or of days.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn spending(
        &self,
        customer: &CustomerId,
        by: SpentBy,
        from: i64,
        to: i64,
    ) -> Result<Vec<Spent>, StoreError> {
        let sums = "CAST(SUM(used.calls) AS BIGINT) AS calls, CAST(SUM(used.points) AS BIGINT) AS points, \
                    CAST(SUM(used.credits) AS BIGINT) AS credits FROM";
        let days = "WHERE used.customer = $1 AND used.day BETWEEN $2 AND $3";
        let sql = match by {
            SpentBy::Module | SpentBy::Operation => format!(
                "SELECT MIN(used.day) AS day, used.operation AS key, NULL AS name, {sums} usage_day AS used {days} \
                 GROUP BY used.operation ORDER BY 2 LIMIT $4"
            ),
            SpentBy::Client => format!(
                "SELECT MIN(used.day) AS day, used.grant_id AS key, MAX(access_grant.name) AS name, {sums} \
                 usage_day AS used LEFT JOIN access_grant ON access_grant.customer = $1 \
                 AND access_grant.grant_id = used.grant_id {days} GROUP BY used.grant_id ORDER BY 2 LIMIT $4"
            ),
            SpentBy::Site => format!(
                "SELECT MIN(used.day) AS day, used.site AS key, NULL AS name, {sums} usage_site AS used {days} \
                 GROUP BY used.site ORDER BY 2 LIMIT $4"
            ),
            SpentBy::Day => format!(
                "SELECT used.day, '' AS key, NULL AS name, {sums} usage_day AS used {days} \
                 GROUP BY used.day ORDER BY 1 LIMIT $4"
            ),
        };
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.as_str()).bind(from).bind(to);
        let mut spent: Vec<Spent> = Vec::new();
        for row in self.database.reader().fetch_all(query.bind(MOST)).await? {
            let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
            let (day, mut key): (i64, String) = (row.try_get("day")?, row.try_get("key")?);
            if by == SpentBy::Module {
                key.truncate(key.find('.').unwrap_or(key.len()));
            }
            let count = Count { calls: whole("calls")?, points: whole("points")?, credits_milli: whole("credits")? };
            // Operations come in the order of their ids, so those of a module stand together.
            match spent.last_mut().filter(|last| by == SpentBy::Module && last.key == key) {
                Some(last) => last.count += count,
                None => spent.push(Spent { day, key, name: row.try_get("name")?, count }),
            }
        }
        Ok(spent)
    }
}

#[cfg(test)]
mod tests {
    use model::id::GrantId;

    use super::*;
    use crate::Settlement;
    use crate::fixture::{NOON, fixture};
    use crate::money::book::day;

    #[tokio::test]
    async fn spending_adds_up_to_the_same_whatever_it_is_broken_down_by() {
        let fixture = fixture().await;
        let today = day(NOON);
        for (number, operation) in ["authors.list", "authors.get", "crawl.run.get"].into_iter().enumerate() {
            let call = fixture.call(&format!("req_{number}"), 3);
            let site = (number > 0).then(|| "11".to_owned());
            let grant = Some(GrantId::from("gra_a"));
            let call = Settlement { operation: operation.to_owned(), site, grant, ..call };
            fixture.store.calls.settle(call).await.unwrap();
        }
        let spent = async |by| {
            let rows = fixture.store.money.spending(&fixture.customer, by, today, today).await.unwrap();
            rows.into_iter().map(|it| (it.key, it.count.calls, it.count.points)).collect::<Vec<_>>()
        };
        let row = |key: &str, calls, points| (key.to_owned(), calls, points);
        assert_eq!(spent(SpentBy::Module).await, [row("authors", 2, 6), row("crawl", 1, 3)]);
        let operations = [row("authors.get", 1, 3), row("authors.list", 1, 3), row("crawl.run.get", 1, 3)];
        assert_eq!(spent(SpentBy::Operation).await, operations);
        assert_eq!(spent(SpentBy::Client).await, [row("gra_a", 3, 9)]);
        assert_eq!(spent(SpentBy::Day).await, [row("", 3, 9)]);
        assert_eq!(spent(SpentBy::Site).await, [row("11", 2, 6)], "only what names a website");
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.money.spending(&other, SpentBy::Day, today, today).await.unwrap(), []);
        assert_eq!(
            fixture.store.money.spending(&fixture.customer, SpentBy::Day, today + 1, today + 9).await.unwrap(),
            []
        );
    }
}
