//! Points by day, operation and grant: folded in the commit that charges them, read by the portal.

use std::collections::BTreeMap;

use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::{Listed, Script};
use crate::money::book::day;
use crate::tables::Money;

const USED: Listed = Listed {
    before: "INSERT INTO usage_day (customer, day, operation, grant_id, calls, points, credits) ",
    columns: &[Text, Whole, Text, Text, Whole, Whole, Whole],
    after: " ON CONFLICT (customer, day, operation, grant_id) DO UPDATE SET calls = usage_day.calls + excluded.calls, \
            points = usage_day.points + excluded.points, credits = usage_day.credits + excluded.credits",
};
const USED_ON_SITE: Listed = Listed {
    before: "INSERT INTO usage_site (customer, day, site, calls, points, credits) ",
    columns: &[Text, Whole, Text, Whole, Whole, Whole],
    after: " ON CONFLICT (customer, day, site) DO UPDATE SET calls = usage_site.calls + excluded.calls, \
            points = usage_site.points + excluded.points, credits = usage_site.credits + excluded.credits",
};

/// Rows of an answer, at most: the operations or grants with the most points.
const MOST: i64 = 200;

/// Customer, day, operation, grant.
type UsedBy = (CustomerId, i64, String, String);

/// What a commit adds to the counts; each row is here once.
#[derive(Debug, Default)]
pub(crate) struct Used {
    by: BTreeMap<UsedBy, Count>,
    /// By customer, day and website.
    on: BTreeMap<(CustomerId, i64, String), Count>,
}

/// What is counted: by which operation, through which grant, for which website.
pub(crate) struct UsedFor<'a> {
    pub(crate) operation: &'a str,
    pub(crate) grant: Option<&'a GrantId>,
    pub(crate) site: Option<&'a str>,
}

impl Used {
    /// Counts calls, points and credits.
    pub(crate) fn add(&mut self, customer: &CustomerId, what: &UsedFor<'_>, now: Moment, count: Count) {
        let grant = what.grant.map_or_else(String::new, GrantId::to_string);
        *self.by.entry((customer.clone(), day(now), what.operation.to_owned(), grant)).or_default() += count;
        if let Some(site) = what.site {
            *self.on.entry((customer.clone(), day(now), site.to_owned())).or_default() += count;
        }
    }

    /// Writes them.
    pub(crate) async fn flush(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let mut script = Script::default();
        self.add_to(&mut script)?;
        script.run(connection).await.map(drop)
    }

    /// Leaves writing them to a script.
    pub(crate) fn add_to(&self, script: &mut Script) -> Result<(), StoreError> {
        let rows: Vec<_> = self.by.iter().collect();
        script.add(&USED, &rows, |((customer, day, operation, grant), count)| {
            (customer, day, operation, grant, count.calls, count.points, count.credits_milli)
        })?;
        let rows: Vec<_> = self.on.iter().collect();
        script.add(&USED_ON_SITE, &rows, |((customer, day, site), count)| {
            (customer, day, site, count.calls, count.points, count.credits_milli)
        })
    }
}

/// Calls, points and credits together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Calls that ran to an end, well or not.
    pub calls: u64,
    /// Points charged, for calls and for the jobs they started.
    pub points: u64,
    /// Thousandths of a credit charged, likewise; none are known of before they were counted.
    pub credits_milli: u64,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.points += more.points;
        self.credits_milli += more.credits_milli;
    }
}

/// Who used points: a grant by the name its customer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantUse {
    /// The grant; none for what was charged before grants were counted.
    pub grant: Option<GrantId>,
    /// Its name, if it is still known.
    pub name: Option<String>,
    /// Whether it is an OAuth client; otherwise a token made by hand.
    pub is_app: bool,
    /// How much.
    pub count: Count,
}

impl Money {
    /// What a customer used on each UTC day from `since` on that had any use, oldest first. Days are counted from
    /// 1970-01-01.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn usage_by_day(&self, customer: &CustomerId, since: Moment) -> Result<Vec<(i64, Count)>, StoreError> {
        let sql = "SELECT day, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(points) AS BIGINT) AS points, \
                   CAST(SUM(credits) AS BIGINT) AS credits \
                   FROM usage_day WHERE customer = $1 AND day >= $2 GROUP BY day ORDER BY day";
        let rows = self.fetch_usage(sql, customer, since, None).await?;
        rows.iter().map(|row| Ok((row.try_get("day")?, count(row)?))).collect()
    }

    /// What a customer used since a UTC day by operation, most points first, 200 at most.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn usage_by_operation(
        &self,
        customer: &CustomerId,
        since: Moment,
    ) -> Result<Vec<(String, Count)>, StoreError> {
        let sql = "SELECT operation, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(points) AS BIGINT) AS points, \
                   CAST(SUM(credits) AS BIGINT) AS credits \
                   FROM usage_day WHERE customer = $1 AND day >= $2 GROUP BY operation \
                   ORDER BY 3 DESC, 2 DESC, operation LIMIT $3";
        let rows = self.fetch_usage(sql, customer, since, Some(MOST)).await?;
        rows.iter().map(|row| Ok((row.try_get("operation")?, count(row)?))).collect()
    }

    /// What a customer used since a UTC day by grant, most points first, 200 at most.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn usage_by_grant(&self, customer: &CustomerId, since: Moment) -> Result<Vec<GrantUse>, StoreError> {
        let sql = "SELECT used.grant_id, used.calls, used.points, used.credits, access_grant.name, access_grant.client FROM \
                   (SELECT grant_id, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(points) AS BIGINT) AS points, \
                   CAST(SUM(credits) AS BIGINT) AS credits \
                   FROM usage_day WHERE customer = $1 AND day >= $2 GROUP BY grant_id) AS used \
                   LEFT JOIN access_grant ON access_grant.customer = $1 AND access_grant.grant_id = used.grant_id \
                   ORDER BY used.points DESC, used.calls DESC, used.grant_id LIMIT $3";
        let rows = self.fetch_usage(sql, customer, since, Some(MOST)).await?;
        rows.iter()
            .map(|row| {
                let grant: String = row.try_get("grant_id")?;
                Ok(GrantUse {
                    grant: (!grant.is_empty()).then(|| grant.into()),
                    name: row.try_get("name")?,
                    is_app: row.try_get::<Option<String>, _>("client")?.is_some(),
                    count: count(row)?,
                })
            })
            .collect()
    }

    async fn fetch_usage(
        &self,
        sql: &'static str,
        customer: &CustomerId,
        since: Moment,
        most: Option<i64>,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(day(since));
        let query = match most {
            Some(most) => query.bind(most),
            None => query,
        };
        self.database.reader().fetch_all(query).await
    }
}

fn count(row: &AnyRow) -> Result<Count, StoreError> {
    let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
    Ok(Count { calls: whole("calls")?, points: whole("points")?, credits_milli: whole("credits")? })
}

#[cfg(test)]
mod tests;
