//! Finds the keys of records that a run of an older revision wrote while an index was over a later form.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use model::id::CustomerId;
use model::manifest::{Collection, FORM, Index};
use sqlx::{Any, AnyConnection, Row as _};

use super::building::{Key, Means, is_reached, keys};
use super::{INDEXED, KEY_OF_FORM, KNOWN_AGAIN, forms};
use crate::Store;
use crate::tables::Records;
use crate::{RecordsError, StoreError, Tx};

/// Records in one transaction, at most.
const ROWS: i64 = 200;

/// Records of one collection without keys in the indexes over one form: customer and id of each.
type Unkeyed = Vec<(String, String)>;

impl Records {
    /// Whether records of a customer have no keys in the indexes over this form.
    pub(crate) async fn has_unkeyed(
        &self,
        customer: &CustomerId,
        collection: &str,
        form: u32,
    ) -> Result<bool, RecordsError> {
        let sql = "SELECT 1 FROM record_unkeyed WHERE customer = $1 AND collection = $2 AND form = $3 LIMIT 1";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(collection).bind(i64::from(form));
        Ok(self.database.reader().of_runs(customer).fetch_optional(query).await?.is_some())
    }

    /// The keys of a record, with their places, in indexes over later forms than its own.
    pub(crate) async fn keys_of_form(
        &self,
        customer: &CustomerId,
        collection: &str,
        id: &str,
    ) -> Result<Vec<(Arc<str>, String)>, RecordsError> {
        let sql = "SELECT place, key FROM record_key WHERE customer = $1 AND collection = $2 AND id = $3";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(collection).bind(id);
        let rows = self.database.reader().of_runs(customer).fetch_all(query).await?;
        rows.iter().map(|row| Ok((row.try_get::<String, _>(0)?.into(), row.try_get(1)?))).collect()
    }

    /// How many records of each of these collections, by its full name, have a later form than it declares. Only what was ever
    /// prepared for a later form is looked through.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn of_later_forms(
        &self,
        collections: &[(String, Collection)],
    ) -> Result<BTreeMap<String, u64>, StoreError> {
        let known = self.learn_indexes().await?;
        let mut found = BTreeMap::new();
        for (name, declared) in collections {
            for form in known.forms_above(name, declared.form) {
                let sql = "SELECT COUNT(*) FROM record WHERE collection = $1 AND body LIKE $2";
                let query = sqlx::query::<Any>(sql).bind(name.as_str()).bind(format!("{}%", begins(form)));
                let rows: i64 =
                    self.database.reader().fetch_at_length(query).await?.first().map_or(Ok(0), |it| it.try_get(0))?;
                if rows > 0 {
                    *found.entry(name.clone()).or_default() += rows.unsigned_abs();
                }
            }
        }
        Ok(found)
    }

    /// Gives all records their keys that a run of an older revision wrote since, as far as this host knows the form. It rests
    /// as long as it works.
    pub(super) async fn key_unkeyed(&self) -> Result<(), StoreError> {
        let sql = "SELECT DISTINCT collection, form FROM record_unkeyed";
        for row in self.database.reader().fetch_all(sqlx::query::<Any>(sql)).await? {
            let (collection, form): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            let form = u32::try_from(form).map_err(|_| StoreError::Inconsistent("a form of records"))?;
            if !is_reached(self.database.0.indexes.upgrades().as_deref(), &collection, form) {
                continue;
            }
            let mut after = Some((String::new(), String::new()));
            while let Some(from) = after.take() {
                let (begun, of) = (Instant::now(), (collection.clone(), form));
                let (upgrades, store) = (self.database.0.indexes.upgrades(), Store::of(self.database.clone()));
                after = self
                    .database
                    .write_patiently(move |tx| {
                        Box::pin(async move {
                            let means = upgrades.as_deref().map(|it| (it, &store));
                            piece(tx, (&of.0, of.1), &from, means).await
                        })
                    })
                    .await?;
                tokio::time::sleep(begun.elapsed()).await;
            }
        }
        Ok(())
    }
}

/// How a record of a form begins; `_` in the pattern of a query is any letter, and this one.
pub(crate) fn begins(form: u32) -> String {
    format!("{{\"{FORM}\":{form},")
}

/// Keys the next records after this customer and id, and says which was the last; none: there are no more. A record that
/// its module refuses stays unkeyed: its customer's reads of these indexes wait, and nobody else's.
async fn piece(
    tx: &mut Tx,
    (collection, form): (&str, u32),
    after: &(String, String),
    upgrades: Option<Means<'_>>,
) -> Result<Option<(String, String)>, StoreError> {
    let dialect = tx.dialect;
    let connection = tx.connection();
    let sql = "SELECT customer, id FROM record_unkeyed WHERE collection = $1 AND form = $2 \
               AND (customer, id) > ($3, $4) ORDER BY customer, id LIMIT $5";
    let query = sqlx::query::<Any>(sql).bind(collection).bind(i64::from(form));
    let query = query.bind(after.0.as_str()).bind(after.1.as_str()).bind(ROWS);
    let rows = query.fetch_all(&mut *connection).await?;
    let unkeyed = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
    let unkeyed: Unkeyed = unkeyed.collect::<Result<_, StoreError>>()?;
    let customers: Vec<CustomerId> = unkeyed.iter().map(|(customer, _)| customer.as_str().into()).collect();
    dialect.lock(connection, &customers).await?;
    let indexes = indexes(connection, (collection, form)).await?;
    let mut done = Vec::new();
    for key in &unkeyed {
        match keyed(connection, (collection, form), &indexes, key, upgrades).await {
            Ok(()) => done.push(key),
            Err(StoreError::NotUpgraded(_, why)) => {
                tracing::warn!(collection, form, why, "a record has no keys in the indexes over this form");
            }
            Err(error) => return Err(error),
        }
    }
    KNOWN_AGAIN.execute(connection, &done, |(customer, id)| (customer, collection, form, id)).await?;
    Ok(unkeyed.into_iter().next_back())
}

/// Gives one record its keys; one that is gone needs none.
async fn keyed(
    connection: &mut AnyConnection,
    (collection, form): (&str, u32),
    indexes: &[(String, Index)],
    (customer, id): &(String, String),
    upgrades: Option<Means<'_>>,
) -> Result<(), StoreError> {
    let sql = "SELECT body FROM record WHERE customer = $1 AND collection = $2 AND id = $3";
    let query = sqlx::query::<Any>(sql).bind(customer).bind(collection).bind(id);
    let Some(row) = query.fetch_optional(&mut *connection).await? else { return Ok(()) };
    let body: String = row.try_get(0)?;
    for (place, index) in indexes {
        let record = vec![(id.clone(), body.clone())];
        let found = keys(collection, (index, form), upgrades, record).await?;
        INDEXED.execute(connection, &found, |it| (customer, place, &it.key, &it.id)).await?;
        let found: Vec<&Key> = found.iter().filter(|it| it.is_of_older).collect();
        KEY_OF_FORM.execute(connection, &found, |it| (customer, collection, &it.id, place, &it.key)).await?;
    }
    Ok(())
}

/// The indexes of a collection over records of a form, with their places.
async fn indexes(
    connection: &mut AnyConnection,
    (collection, form): (&str, u32),
) -> Result<Vec<(String, Index)>, StoreError> {
    let sql = "SELECT place, name, fields FROM stored_index WHERE collection = $1";
    let mut found = Vec::new();
    for row in sqlx::query::<Any>(sql).bind(collection).fetch_all(connection).await? {
        let (fields, of) = forms::read(&row.try_get::<String, _>(2)?)?;
        if of == form {
            found.push((row.try_get(0)?, Index { name: row.try_get(1)?, fields }));
        }
    }
    Ok(found)
}
