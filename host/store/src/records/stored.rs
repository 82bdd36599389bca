//! Reading single records as they are stored, each at most once in a run.

use std::collections::HashMap;

use sqlx::{Any, AssertSqlSafe, Row as _};

use super::workspace::Workspace;
use super::{RecordsError, Row};
use crate::StoreError;

/// Rows that are remembered from reading, so that changing one does not read it again.
const REMEMBERED: usize = 4096;
/// Ids asked for in one statement.
const ASKED: usize = 64;

impl Workspace {
    /// A record as it is stored.
    pub(super) async fn stored(&mut self, full_name: &str, id: &str) -> Result<Option<Row>, RecordsError> {
        if let Some(row) = self.remembered.get(full_name).and_then(|rows| rows.get(id)) {
            return Ok(Some(row.clone()));
        }
        let sql = "SELECT id || '\u{1f}' || version || '\u{1f}\u{1f}' || body FROM record WHERE customer = $1 AND collection = $2 AND id = $3";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(full_name).bind(id);
        let row = self.store.reader().fetch_optional(query).await?;
        let row = row.map(|row| Ok::<_, RecordsError>(read_packed(&row.try_get::<String, _>(0)?)?.1)).transpose()?;
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
            for row in self.store.reader().fetch_all(query).await? {
                let (_, row) = read_packed(&row.try_get::<String, _>(0)?)?;
                found.insert(row.id.clone(), row);
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
