//! Gives records that are older than an index their keys in it, some at a time: each piece is one transaction with the
//! place up to which it has come, so that whoever goes on after a kill goes on there.

use std::sync::Weak;
use std::time::{Duration, Instant};

use model::clock::Moment;
use model::manifest::{FIRST_FORM, Index, form_of};
use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::{INDEXED, KEY_OF_FORM, Older, Upgrades, forms};
use crate::database::dialect::Dialect;
use crate::database::{Database, Inner};
use crate::records::key;
use crate::tables::Records;
use crate::{Store, StoreError, Tx};

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
            let Some(store) = store.upgrade().map(|open| Records::of(&Database(open))) else { return };
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

impl Records {
    /// How far every index has come, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn indexing(&self) -> Result<Vec<Indexing>, StoreError> {
        let sql = "SELECT place, collection, name, rows_done, \
                   CASE WHEN ready_at IS NULL THEN 0 ELSE 1 END AS ready FROM stored_index ORDER BY number";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql)).await?;
        rows.iter().map(Indexing::read).collect()
    }

    /// Gives some more records their keys in the indexes that are not ready, the oldest first; says where it has come to.
    /// None: all are ready. Afterwards it rests as long as it has worked, so that calls have the writer half of the time.
    ///
    /// # Errors
    /// When the store cannot be reached; what was done before stays done.
    pub async fn index_more(&self) -> Result<Option<Indexing>, StoreError> {
        self.key_unkeyed().await?;
        while self.is_one_waiting().await? {
            let (begun, now, upgrades) =
                (Instant::now(), self.database.clock().now(), self.database.0.indexes.upgrades());
            let store = Store::of(self.database.clone());
            let done = self
                .database
                .write_patiently(move |tx| {
                    Box::pin(async move { piece(tx, now, upgrades.as_deref().map(|it| (it, &store))).await })
                })
                .await?;
            match done {
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

    /// Whether an index is not ready that this host can go on with.
    async fn is_one_waiting(&self) -> Result<bool, StoreError> {
        let sql = "SELECT collection, fields FROM stored_index WHERE ready_at IS NULL";
        let upgrades = self.database.0.indexes.upgrades();
        for row in self.database.reader().fetch_all(sqlx::query::<Any>(sql)).await? {
            let (collection, fields): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            if is_reached(upgrades.as_deref(), &collection, forms::read(&fields)?.1) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As [`Records::index_more`], until all are ready and for a moment at most.
    pub(super) async fn index_briefly(&self) -> Result<(), StoreError> {
        let begun = Instant::now();
        while begun.elapsed() < BRIEFLY && self.index_more().await?.is_some() {}
        Ok(())
    }
}

/// Who brings records into a later form, and the store that a run of a module begins with.
pub(super) type Means<'a> = (&'a dyn Upgrades, &'a Store);

/// Whether keys over records of this form can be computed here from older ones.
pub(super) fn is_reached(upgrades: Option<&dyn Upgrades>, collection: &str, form: u32) -> bool {
    form == FIRST_FORM || upgrades.is_some_and(|it| it.form(collection) == Some(form))
}

async fn piece(tx: &mut Tx, now: Moment, upgrades: Option<Means<'_>>) -> Result<Option<Indexing>, StoreError> {
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
        if !is_reached(upgrades.map(|it| it.0), &building.done.collection, building.form) {
            continue;
        }
        let whole = building.go_on(connection, (dialect, upgrades), &mut customers).await?;
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
    form: u32,
    /// Records up to this customer and this id have their keys.
    customer: Option<String>,
    id: String,
    done: Indexing,
}

impl Building {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let done = Indexing::read(row)?;
        let (fields, form) = forms::read(&row.try_get::<String, _>("fields")?)?;
        Ok(Self {
            index: Index { name: done.index.clone(), fields },
            form,
            customer: row.try_get("done_customer")?,
            id: row.try_get::<Option<String>, _>("done_id")?.unwrap_or_default(),
            done,
        })
    }

    /// Gives the next records their keys; whether there is nothing left, neither of this nor of what one transaction does.
    async fn go_on(
        &mut self,
        connection: &mut AnyConnection,
        (dialect, upgrades): (Dialect, Option<Means<'_>>),
        customers: &mut u32,
    ) -> Result<bool, StoreError> {
        loop {
            if let Some(customer) = self.customer.clone() {
                let records = self.next(connection, dialect, &customer).await?;
                if let Some((last, _)) = records.last() {
                    self.id.clone_from(last);
                    self.done.rows += records.len() as u64;
                    let keys = keys(&self.done.collection, (&self.index, self.form), upgrades, records).await?;
                    let place = self.done.place.as_str();
                    INDEXED.execute(connection, &keys, |it| (&customer, place, &it.key, &it.id)).await?;
                    let found: Vec<_> = keys.into_iter().filter(|it| it.is_of_older).collect();
                    let collection = self.done.collection.as_str();
                    KEY_OF_FORM
                        .execute(connection, &found, |it| (&customer, collection, &it.id, place, &it.key))
                        .await?;
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

    /// The customer's next records. Nobody writes between reading a record and writing its key. A customer that
    /// has none is not locked: whoever writes one from now on writes its key too.
    async fn next(
        &self,
        connection: &mut AnyConnection,
        dialect: Dialect,
        customer: &str,
    ) -> Result<Vec<(String, String)>, StoreError> {
        if self.until(connection, customer).await?.is_none() {
            return Ok(Vec::new());
        }
        dialect.lock(connection, &[customer.into()]).await?;
        // Another one may be the last by now.
        let Some(last) = self.until(connection, customer).await? else { return Ok(Vec::new()) };
        let sql =
            "SELECT id, body FROM record WHERE customer = $1 AND collection = $2 AND id > $3 AND id <= $4 ORDER BY id";
        let query = sqlx::query::<Any>(sql).bind(customer).bind(&self.done.collection).bind(&self.id).bind(last);
        let rows = query.fetch_all(connection).await?;
        rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("body")?))).collect()
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

/// The key of a record in an index.
pub(super) struct Key {
    pub(super) id: String,
    pub(super) key: String,
    /// Whether only its module could say it: the record is of an older form than the index is over.
    pub(super) is_of_older: bool,
}

/// The keys of records, each given with its id, in an index over records of a form.
pub(super) async fn keys(
    collection: &str,
    (index, form): (&Index, u32),
    upgrades: Option<Means<'_>>,
    records: Vec<(String, String)>,
) -> Result<Vec<Key>, StoreError> {
    let (mut keys, mut older) = (Vec::with_capacity(records.len()), Vec::new());
    let mut ids = Vec::new();
    for (id, text) in records {
        let record = object(&text)?;
        let is = form_of(&record);
        if is >= form {
            keys.push(Key { id, key: key::of_record(index, &record), is_of_older: false });
        } else {
            ids.push(id);
            older.push(Older { form: is, record: text });
        }
    }
    if older.is_empty() {
        return Ok(keys);
    }
    let not = |why: &str| StoreError::NotUpgraded(collection.to_owned(), why.to_owned());
    let (upgrades, store) = upgrades.ok_or_else(|| not("no revision is loaded that has it"))?;
    let asked = older.len();
    let upgraded = upgrades.upgrade(store, collection, older).await.map_err(|why| not(&why))?;
    if upgraded.len() != asked {
        return Err(not("it answers with another number of records"));
    }
    for (id, text) in ids.into_iter().zip(upgraded) {
        keys.push(Key { id, key: key::of_record(index, &object(&text)?), is_of_older: true });
    }
    Ok(keys)
}

fn object(text: &str) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Inconsistent("a record that is no JSON object"))
}
