//! How often connections were asked, with which outcome and how fast: by UTC day and operation.

use std::collections::BTreeMap;
use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Connections;

/// One request to a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Through which connection.
    pub connection: String,
    /// `ok`, a status of 400 or more, or the name of a failure.
    pub outcome: String,
    /// From the request to the end of the answer.
    pub latency: Duration,
    /// Whether it was asked to learn how the connection does. Then its module judges the answer, and says so by itself.
    pub probe: bool,
}

/// What was counted of a connection on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseRow {
    /// UTC days since 1970-01-01.
    pub day: i64,
    /// Which operation asked.
    pub operation: String,
    /// As in [`Use`].
    pub outcome: String,
    /// How fast: between the two.
    pub latency: Span,
    /// How often.
    pub calls: u64,
}

/// A span of latency, from and up to milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// At least.
    pub from_ms: u64,
    /// Less than.
    pub to_ms: u64,
}

impl Span {
    /// The number of the span that a latency is in: each is a fourth of a doubling.
    fn bucket(latency: Duration) -> i64 {
        let milliseconds = latency.as_secs_f64() * 1_000.0;
        ((milliseconds + 1.0).log2() * 4.0).floor() as i64
    }

    fn of(bucket: i64) -> Self {
        let edge = |bucket: i64| ((bucket as f64 / 4.0).exp2() - 1.0).round().max(0.0) as u64;
        Self { from_ms: edge(bucket), to_ms: edge(bucket + 1) }
    }
}

impl Connections {
    /// Counts what a run has asked, and notes on each connection how it does. What was not asked through a connection
    /// that is stored is not counted.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn count_uses(
        &self,
        customer: CustomerId,
        operation: String,
        uses: Vec<Use>,
        now: Moment,
    ) -> Result<(), StoreError> {
        if uses.is_empty() {
            return Ok(());
        }
        let mut counted: BTreeMap<(String, String, i64), i64> = BTreeMap::new();
        let mut last: BTreeMap<String, (String, bool)> = BTreeMap::new();
        for it in uses {
            *counted.entry((it.connection.clone(), it.outcome.clone(), Span::bucket(it.latency))).or_default() += 1;
            last.insert(it.connection, (it.outcome, it.probe));
        }
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let connection = tx.connection();
                for ((id, outcome, bucket), calls) in counted {
                    let sql = "INSERT INTO connection_usage (customer, connection, day, operation, outcome, bucket, calls) \
                               SELECT customer, connection, $3, $4, $5, $6, $7 FROM connection \
                               WHERE customer = $1 AND connection = $2 \
                               ON CONFLICT (customer, connection, day, operation, outcome, bucket) \
                               DO UPDATE SET calls = connection_usage.calls + excluded.calls";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id);
                    let query = query.bind(now.0.div_euclid(86_400_000)).bind(operation.as_str()).bind(outcome);
                    query.bind(bucket).bind(calls).execute(&mut *connection).await?;
                }
                for (id, (outcome, probe)) in last {
                    let sql = match outcome.as_str() {
                        "ok" if probe => "UPDATE connection SET answered_at = $3 WHERE customer = $1 AND connection = $2",
                        _ if probe => continue,
                        "ok" => "UPDATE connection SET state = 'ok', answered_at = $3 WHERE customer = $1 AND connection = $2",
                        // The word of HTTP (RFC 9110, 15.5.2) and of SMTP (RFC 4954, 6) for a refused credential.
                        "401" | "535" => "UPDATE connection SET state = 'expired' WHERE customer = $1 AND connection = $2 AND $3 > 0",
                        _ => continue,
                    };
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id).bind(now.0);
                    query.execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// What was counted of a connection from one UTC day to another, both included.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connection_uses(
        &self,
        customer: &CustomerId,
        id: &str,
        from: i64,
        to: i64,
    ) -> Result<Vec<UseRow>, StoreError> {
        let sql = "SELECT day, operation, outcome, bucket, calls FROM connection_usage WHERE customer = $1 \
                   AND connection = $2 AND day >= $3 AND day <= $4 ORDER BY day, operation, outcome, bucket LIMIT 10000";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id).bind(from).bind(to);
        let read = |row: &sqlx::any::AnyRow| {
            Ok(UseRow {
                day: row.try_get(0)?,
                operation: row.try_get(1)?,
                outcome: row.try_get(2)?,
                latency: Span::of(row.try_get(3)?),
                calls: row.try_get::<i64, _>(4)?.unsigned_abs(),
            })
        };
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }
}
