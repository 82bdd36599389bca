//! Gives records that are older than an index their keys in it, some at a time: each piece is one transaction with the
//! place up to which it has come, so that whoever goes on after a kill goes on there.

use std::sync::Weak;
use std::time::{Duration, Instant};

use model::clock::Moment;
use model::manifest::Index;
use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::{INDEXED, fields};
use crate::dialect::Dialect;
use crate::records::key;
use crate::{Inner, Store, StoreError, Tx};

/// Records in one transaction, at most.
const ROWS: i64 = 200;
/// Bytes of their bodies in one transaction; a record alone may have more.
const BYTES: i64 = 8 << 20;
/// Customers without such records that one transaction passes by.
const CUSTOMERS: u32 = 200;
/// How long whoever has declared an index waits for the end of it: less than callers wait for an answer.
const BRIEFLY: Duration = Duration::from_millis(1_500);
/// How long a host leaves an index to another that is at it.
const OTHERS: Duration = Duration::from_millis(50);
/// How often a host looks for indexes that are not ready.
const EVERY: Duration = Duration::from_secs(1);

/// How far an index has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexing {
    /// The collection, `module.name`.
    pub collection: String,
    /// The index.
    pub index: String,
    /// Where its keys are; the same name over other fields has another place.
    pub place: String,
    /// Records that have their key.
    pub rows: u64,
    /// Whether all have.
    pub ready: bool,
}

impl Indexing {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            collection: row.try_get("collection")?,
            index: row.try_get("name")?,
            place: row.try_get("place")?,
            rows: row.try_get::<i64, _>("rows_done")?.unsigned_abs(),
            ready: row.try_get::<i64, _>("ready")? == 1,
        })
    }
}

/// Goes on wherever an index is not ready, for as long as somebody has the store.
pub(crate) fn start(store: Weak<Inner>) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(EVERY).await;
            let Some(store) = store.upgrade().map(Store) else { return };
            loop {
                match store.index_more().await {
                    Ok(None) => break,
                    Ok(Some(indexing)) => tracing::debug!(?indexing, "records were given their keys"),
                    Err(error) => {
                        tracing::warn!(error = %error, "an index was not built further");
                        break;
                    }
                }
            }
        }
    });
}

impl Store {
    /// How far every index has come, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn indexing(&self) -> Result<Vec<Indexing>, StoreError> {
        let sql = "SELECT place, collection, name, rows_done, \
                   CASE WHEN ready_at IS NULL THEN 0 ELSE 1 END AS ready FROM stored_index ORDER BY number";
        let rows = self.reader().fetch_all(sqlx::query::<Any>(sql)).await?;
        rows.iter().map(Indexing::read).collect()
    }

    /// Gives some more records their keys in the indexes that are not ready, the oldest first; says where it has come to.
    /// None: all are ready. Afterwards it rests as long as it has worked, so that calls have the writer half of the time.
    ///
    /// # Errors
    /// When the store cannot be reached; what was done before stays done.
    pub async fn index_more(&self) -> Result<Option<Indexing>, StoreError> {
        let sql = "SELECT 1 FROM stored_index WHERE ready_at IS NULL LIMIT 1";
        while self.reader().fetch_optional(sqlx::query::<Any>(sql)).await?.is_some() {
            let (begun, now) = (Instant::now(), self.clock().now());
            match self.write_patiently(move |tx| Box::pin(async move { piece(tx, now).await })).await? {
                Some(done) => {
                    if !done.ready {
                        tokio::time::sleep(begun.elapsed()).await;
                    }
                    return Ok(Some(done));
                }
                // Another host is at it.
                None => tokio::time::sleep(OTHERS).await,
            }
        }
        Ok(None)
    }

    /// As [`Store::index_more`], until all are ready and for a moment at most.
    pub(super) async fn index_briefly(&self) -> Result<(), StoreError> {
        let begun = Instant::now();
        while begun.elapsed() < BRIEFLY && self.index_more().await?.is_some() {}
        Ok(())
    }
}

async fn piece(tx: &mut Tx, now: Moment) -> Result<Option<Indexing>, StoreError> {
    let dialect = tx.dialect;
    let connection = tx.connection();
    let sql = format!(
        "SELECT place, collection, name, fields, done_customer, done_id, rows_done, 0 AS ready FROM stored_index \
         WHERE ready_at IS NULL ORDER BY number{}",
        dialect.skip_locked()
    );
    let waiting = sqlx::query::<Any>(AssertSqlSafe(sql)).fetch_all(&mut *connection).await?;
    let (mut customers, mut last) = (CUSTOMERS, None);
    for row in &waiting {
        let mut building = Building::read(row)?;
        let whole = building.go_on(connection, dialect, &mut customers).await?;
        building.write(connection, now).await?;
        last = Some(building.done);
        if !whole {
            break;
        }
    }
    Ok(last)
}

/// An index that is not ready.
struct Building {
    index: Index,
    /// Records up to this customer and this id have their keys.
    customer: Option<String>,
    id: String,
    done: Indexing,
}

impl Building {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let done = Indexing::read(row)?;
        Ok(Self {
            index: Index { name: done.index.clone(), fields: fields(&row.try_get::<String, _>("fields")?)? },
            customer: row.try_get("done_customer")?,
            id: row.try_get::<Option<String>, _>("done_id")?.unwrap_or_default(),
            done,
        })
    }

    /// Gives the next records their keys; whether there is nothing left, neither of this nor of what one transaction does.
    async fn go_on(
        &mut self,
        connection: &mut AnyConnection,
        dialect: Dialect,
        customers: &mut u32,
    ) -> Result<bool, StoreError> {
        loop {
            if let Some(customer) = self.customer.clone() {
                let keys = self.keys(connection, dialect, &customer).await?;
                if !keys.is_empty() {
                    self.done.rows += keys.len() as u64;
                    INDEXED.execute(connection, &keys, |key| key).await?;
                    return Ok(false);
                }
            }
            if *customers == 0 {
                return Ok(false);
            }
            *customers -= 1;
            let sql = "SELECT customer FROM record WHERE customer > $1 ORDER BY customer LIMIT 1";
            let next = sqlx::query::<Any>(sql).bind(self.customer.take().unwrap_or_default());
            self.id = String::new();
            match next.fetch_optional(&mut *connection).await? {
                Some(row) => self.customer = Some(row.try_get(0)?),
                None => {
                    self.done.ready = true;
                    return Ok(true);
                }
            }
        }
    }

    /// The keys of the customer's next records. Nobody writes between reading a record and writing its key. A customer that
    /// has none is not locked: whoever writes one from now on writes its key too.
    async fn keys(
        &mut self,
        connection: &mut AnyConnection,
        dialect: Dialect,
        customer: &str,
    ) -> Result<Vec<(String, String, String, String)>, StoreError> {
        if self.until(connection, customer).await?.is_none() {
            return Ok(Vec::new());
        }
        dialect.lock(connection, &[customer.into()]).await?;
        // Another one may be the last by now.
        let Some(last) = self.until(connection, customer).await? else { return Ok(Vec::new()) };
        let sql =
            "SELECT id, body FROM record WHERE customer = $1 AND collection = $2 AND id > $3 AND id <= $4 ORDER BY id";
        let query = sqlx::query::<Any>(sql).bind(customer).bind(&self.done.collection).bind(&self.id).bind(last);
        let mut keys = Vec::new();
        for row in query.fetch_all(connection).await? {
            let body: String = row.try_get("body")?;
            let record: Map<String, Value> =
                serde_json::from_str(&body).map_err(|_| StoreError::Inconsistent("a record that is no JSON object"))?;
            self.id = row.try_get("id")?;
            keys.push((
                customer.to_owned(),
                self.done.place.clone(),
                key::of_record(&self.index, &record),
                self.id.clone(),
            ));
        }
        Ok(keys)
    }

    /// The last of the next records that one transaction takes; none: there are no more of this customer.
    async fn until(&self, connection: &mut AnyConnection, customer: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id, CAST(octet_length(body) AS BIGINT) FROM record \
                   WHERE customer = $1 AND collection = $2 AND id > $3 ORDER BY id LIMIT $4";
        let query = sqlx::query::<Any>(sql).bind(customer).bind(&self.done.collection).bind(&self.id).bind(ROWS);
        let (mut last, mut bytes) = (None, 0_i64);
        for row in query.fetch_all(connection).await? {
            bytes += row.try_get::<i64, _>(1)?;
            if last.is_some() && bytes > BYTES {
                break;
            }
            last = Some(row.try_get(0)?);
        }
        Ok(last)
    }

    async fn write(&self, connection: &mut AnyConnection, now: Moment) -> Result<(), StoreError> {
        let sql =
            "UPDATE stored_index SET done_customer = $1, done_id = $2, rows_done = $3, ready_at = $4 WHERE place = $5";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_deref()).bind(&self.id);
        let query =
            query.bind(i64::try_from(self.done.rows).unwrap_or(i64::MAX)).bind(self.done.ready.then_some(now.0));
        query.bind(&self.done.place).execute(connection).await?;
        Ok(())
    }
}
