//! What was spent at providers through connections, by UTC day.

use std::collections::BTreeMap;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::tables::Connections;

/// The most that one day's sum holds: a billion of a currency, in millionths.
const MOST: i64 = 1_000_000_000_000_000;

/// Money that requests through a connection cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Through which connection.
    pub connection: String,
    /// ISO 4217.
    pub currency: String,
    /// Millionths of the currency.
    pub micros: u64,
}

/// What was spent through a connection on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentRow {
    /// UTC days since 1970-01-01.
    pub day: i64,
    /// ISO 4217.
    pub currency: String,
    /// Millionths of the currency.
    pub micros: u64,
}

impl Connections {
    /// Adds what a run spent. What was not spent through a connection that is stored is not counted.
    ///
    /// An attempt of a run that has a journal gets the answers of earlier attempts from it, and notes again what they
    /// cost: of what the attempts of `run` note, the most is counted, and not their sum. `None`: a run without a journal,
    /// each attempt of which asks anew.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn count_spent(
        &self,
        customer: CustomerId,
        run: Option<String>,
        spent: Vec<Spent>,
        now: Moment,
    ) -> Result<(), StoreError> {
        let mut sums: BTreeMap<(String, String), i64> = BTreeMap::new();
        for it in spent {
            let sum = sums.entry((it.connection, it.currency)).or_default();
            *sum = sum.saturating_add_unsigned(it.micros).min(MOST);
        }
        if sums.is_empty() {
            return Ok(());
        }
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let connection = tx.connection();
                    for ((id, currency), mut micros) in sums {
                        if let Some(run) = &run {
                            micros -= noted_before(connection, &customer, run, (&id, &currency), micros, now).await?;
                        }
                        if micros <= 0 {
                            continue;
                        }
                        let sql = "INSERT INTO connection_spending (customer, connection, day, currency, micros) \
                                   SELECT customer, connection, $3, $4, $5 FROM connection \
                                   WHERE customer = $1 AND connection = $2 \
                                   ON CONFLICT (customer, connection, day, currency) DO UPDATE SET micros = \
                                   CASE WHEN connection_spending.micros + excluded.micros > $6 THEN $6 \
                                   ELSE connection_spending.micros + excluded.micros END";
                        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id);
                        let query = query.bind(now.0.div_euclid(86_400_000)).bind(currency).bind(micros).bind(MOST);
                        query.execute(&mut *connection).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// What earlier attempts of a run have noted as spent through a connection, in millionths. Currencies are added up, as
    /// the cap of a day adds them.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn noted(&self, customer: &CustomerId, run: &str, id: &str) -> Result<u64, StoreError> {
        let sql = "SELECT micros FROM spending_noted WHERE customer = $1 AND run = $2 AND connection = $3 LIMIT 1000";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(run).bind(id);
        let rows = self.database.reader().fetch_all(query).await?;
        rows.iter().try_fold(0_u64, |sum, row| Ok(sum.saturating_add(row.try_get::<i64, _>(0)?.unsigned_abs())))
    }

    /// What was spent through a connection from one UTC day to another, both included.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn connection_spending(
        &self,
        customer: &CustomerId,
        id: &str,
        from: i64,
        to: i64,
    ) -> Result<Vec<SpentRow>, StoreError> {
        let sql = "SELECT day, currency, micros FROM connection_spending WHERE customer = $1 AND connection = $2 \
                   AND day >= $3 AND day <= $4 ORDER BY day, currency LIMIT 1000";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id).bind(from).bind(to);
        let read = |row: &sqlx::any::AnyRow| {
            Ok(SpentRow {
                day: row.try_get(0)?,
                currency: row.try_get(1)?,
                micros: row.try_get::<i64, _>(2)?.unsigned_abs(),
            })
        };
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }
}

/// What earlier attempts of a run have noted of what is spent through a connection; from now on it is at least `micros`.
async fn noted_before(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    run: &str,
    (id, currency): (&str, &str),
    micros: i64,
    now: Moment,
) -> Result<i64, StoreError> {
    let sql =
        "SELECT micros FROM spending_noted WHERE customer = $1 AND run = $2 AND connection = $3 AND currency = $4";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(run).bind(id).bind(currency);
    let before = match query.fetch_optional(&mut *connection).await? {
        Some(row) => row.try_get(0)?,
        None => 0,
    };
    if micros > before {
        let sql = "INSERT INTO spending_noted (customer, run, connection, currency, micros, noted_at) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (customer, run, connection, currency) \
                   DO UPDATE SET micros = excluded.micros, noted_at = excluded.noted_at";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(run).bind(id).bind(currency);
        query.bind(micros).bind(now.0).execute(connection).await?;
    }
    Ok(before)
}
