//! Finds the keys of records that a run of an older revision wrote while an index was over a later form.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use model::id::CustomerId;
use model::manifest::{Collection, FORM, Index};
use sqlx::{Any, AnyConnection, Row as _};

use super::building::{Key, Means, is_reached, keys};
use super::{INDEXED, KEY_OF_FORM, KNOWN_AGAIN, forms};
use crate::{RecordsError, Store, StoreError, Tx};

/// Records in one transaction, at most.
const ROWS: i64 = 200;

/// Records of one collection without keys in the indexes over one form: customer and id of each.
type Unkeyed = Vec<(String, String)>;

impl Store {
    /// Whether records of a customer have no keys in the indexes over this form.
    pub(crate) async fn has_unkeyed(
        &self,
        customer: &CustomerId,
        collection: &str,
        form: u32,
    ) -> Result<bool, RecordsError> {
        let sql = "SELECT 1 FROM record_unkeyed WHERE customer = $1 AND collection = $2 AND form = $3 LIMIT 1";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(collection).bind(i64::from(form));
        Ok(self.reader().of_runs(customer).fetch_optional(query).await?.is_some())
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
        let rows = self.reader().of_runs(customer).fetch_all(query).await?;
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
                    self.reader().fetch_at_length(query).await?.first().map_or(Ok(0), |it| it.try_get(0))?;
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
        for row in self.reader().fetch_all(sqlx::query::<Any>(sql)).await? {
            let (collection, form): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            let form = u32::try_from(form).map_err(|_| StoreError::Inconsistent("a form of records"))?;
            if !is_reached(self.0.indexes.upgrades().as_deref(), &collection, form) {
                continue;
            }
            loop {
                let (begun, of) = (Instant::now(), (collection.clone(), form));
                let (upgrades, store) = (self.0.indexes.upgrades(), self.clone());
                let more = self
                    .write_patiently(move |tx| {
                        Box::pin(
                            async move { piece(tx, (&of.0, of.1), upgrades.as_deref().map(|it| (it, &store))).await },
                        )
                    })
                    .await?;
                if !more {
                    break;
                }
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

/// Whether there was something to do.
async fn piece(tx: &mut Tx, (collection, form): (&str, u32), upgrades: Option<Means<'_>>) -> Result<bool, StoreError> {
    let dialect = tx.dialect;
    let connection = tx.connection();
    let sql = "SELECT customer, id FROM record_unkeyed WHERE collection = $1 AND form = $2 LIMIT $3";
    let query = sqlx::query::<Any>(sql).bind(collection).bind(i64::from(form)).bind(ROWS);
    let rows = query.fetch_all(&mut *connection).await?;
    let unkeyed = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
    let unkeyed: Unkeyed = unkeyed.collect::<Result<_, StoreError>>()?;
    if unkeyed.is_empty() {
        return Ok(false);
    }
    let customers: Vec<CustomerId> = unkeyed.iter().map(|(customer, _)| customer.as_str().into()).collect();
    dialect.lock(connection, &customers).await?;
    let indexes = indexes(connection, (collection, form)).await?;
    for (customer, id) in &unkeyed {
        let sql = "SELECT body FROM record WHERE customer = $1 AND collection = $2 AND id = $3";
        let query = sqlx::query::<Any>(sql).bind(customer).bind(collection).bind(id);
        let Some(row) = query.fetch_optional(&mut *connection).await? else { continue };
        let body: String = row.try_get(0)?;
        for (place, index) in &indexes {
            let record = vec![(id.clone(), body.clone())];
            let found = keys(collection, (index, form), upgrades, record).await?;
            INDEXED.execute(connection, &found, |it| (customer, place, &it.key, &it.id)).await?;
            let found: Vec<&Key> = found.iter().filter(|it| it.is_of_older).collect();
            KEY_OF_FORM.execute(connection, &found, |it| (customer, collection, &it.id, place, &it.key)).await?;
        }
    }
    KNOWN_AGAIN.execute(connection, &unkeyed, |(customer, id)| (customer, collection, form, id)).await?;
    Ok(true)
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
