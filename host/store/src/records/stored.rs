//! Reading single records as they are stored, each at most once in a run.

use std::collections::HashMap;

use model::id::CustomerId;
use sqlx::{Any, AssertSqlSafe, Row as _};

use super::workspace::Workspace;
use super::{RecordsError, Row};
use crate::StoreError;
use crate::database::Database;
use crate::database::rows::Column::Text;
use crate::database::rows::Listed;
use crate::database::writer::BoxFuture;

/// Rows that are remembered from reading, so that changing one does not read it again.
const REMEMBERED: usize = 4096;
/// Ids asked for in one statement.
const ASKED: usize = 64;

/// Single records of whoever asks at the same time. As one column: each costs the same whatever is in it.
const ROWS: Listed = Listed {
    before: "SELECT customer || '\u{1f}' || collection || '\u{1f}' || id || '\u{1f}' || version || '\u{1f}\u{1f}' || body \
             FROM record WHERE (customer, collection, id) IN (",
    columns: &[Text, Text, Text],
    after: ")",
};

/// A record of a customer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowKey {
    customer: CustomerId,
    collection: String,
    id: String,
}

impl RowKey {
    pub(crate) fn new(customer: CustomerId, collection: String, id: String) -> Self {
        Self { customer, collection, id }
    }
}

async fn rows_of(database: Database, keys: Vec<RowKey>) -> Result<HashMap<RowKey, Row>, StoreError> {
    let mut found = HashMap::with_capacity(keys.len());
    for question in ROWS.questions(database.0.dialect, &keys, |key| (&key.customer, &key.collection, &key.id))? {
        for row in database.reader().fetch_all(question).await? {
            let line: String = row.try_get(0)?;
            let mut parts = line.splitn(3, '\u{1f}');
            let (Some(customer), Some(collection), Some(packed)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(StoreError::Inconsistent("a record that is not packed as it was asked for"));
            };
            let (_, row) = read_packed(packed)?;
            let key = RowKey { customer: customer.into(), collection: collection.to_owned(), id: row.id.clone() };
            found.insert(key, row);
        }
    }
    Ok(found)
}

impl Workspace {
    /// A record as it is stored.
    pub(super) async fn stored(&mut self, full_name: &str, id: &str) -> Result<Option<Row>, RecordsError> {
        if let Some(row) = self.remembered.get(full_name).and_then(|rows| rows.get(id)) {
            return Ok(Some(row.clone()));
        }
        let key = RowKey::new(self.customer.clone(), full_name.to_owned(), id.to_owned());
        let seen = self.store.database.seen();
        let row = match seen.row(&key) {
            Some(row) => Some(row),
            None => {
                let asked = seen.ask();
                let ask = |store, keys| -> BoxFuture<'static, _> { Box::pin(rows_of(store, keys)) };
                let row = self.store.database.ask_together(key.clone(), |inner| &inner.rows, ask).await?;
                if let Some(row) = &row {
                    self.store.database.seen().keep_row(asked, key, row);
                }
                row
            }
        };
        if let Some(row) = &row {
            self.remember(full_name, row.clone());
        }
        Ok(row)
    }

    pub(super) async fn stored_many(
        &mut self,
        full_name: &str,
        ids: &[&String],
    ) -> Result<HashMap<String, Row>, RecordsError> {
        let mut found = HashMap::new();
        for chunk in ids.chunks(ASKED) {
            let places: Vec<String> = (0..ASKED).map(|at| format!("${}", at + 3)).collect();
            let sql = format!(
                "SELECT id || '\u{1f}' || version || '\u{1f}\u{1f}' || body FROM record \
                 WHERE customer = $1 AND collection = $2 AND id IN ({})",
                places.join(", ")
            );
            let mut query = sqlx::query::<Any>(AssertSqlSafe(sql)).bind(self.customer.as_str()).bind(full_name);
            // A short chunk asks for its last id several times: one text for all of them.
            for at in 0..ASKED {
                query = query.bind(chunk[at.min(chunk.len() - 1)].as_str());
            }
            for row in self.reader().fetch_all(query).await? {
                let (_, row) = read_packed(&row.try_get::<String, _>(0)?)?;
                self.bases += row.body.len() as u64;
                found.insert(row.id.clone(), row);
            }
            if self.may_replace() == 0 {
                return Err(RecordsError::TooMuchRead);
            }
        }
        Ok(found)
    }

    pub(super) fn remember(&mut self, full_name: &str, row: Row) {
        if !self.remembered.contains_key(full_name) {
            self.remembered.insert(full_name.to_owned(), HashMap::new());
        }
        if let Some(rows) = self.remembered.get_mut(full_name).filter(|rows| rows.len() < REMEMBERED) {
            rows.insert(row.id.clone(), row);
        }
    }
}

/// Reads id, version, index key and body, with U+001F between: JSON, ids and keys have no such character.
pub(super) fn read_packed(line: &str) -> Result<(String, Row), StoreError> {
    let mut parts = line.splitn(4, '\u{1f}');
    let (Some(id), Some(version), Some(key), Some(body)) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(StoreError::Inconsistent("a record that is not packed as it was asked for"));
    };
    let version = version.parse().map_err(|_| StoreError::Inconsistent("the version of a record"))?;
    Ok((key.to_owned(), Row { id: id.to_owned(), version, body: body.into() }))
}
