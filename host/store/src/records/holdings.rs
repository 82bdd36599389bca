//! All that modules have stored for one customer, for taking it along and for the purge of what is old.

use std::sync::Arc;

use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::records::{Row, inflate};
use crate::tables::Records;

/// How much one module has of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// `module.collection`, or the module of blobs.
    pub name: String,
    /// Rows, or blobs.
    pub count: u64,
    /// Bytes of blobs; 0 for rows.
    pub bytes: u64,
}

/// A blob with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBlob {
    /// Unique in the module.
    pub key: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Records {
    /// The customer's collections that have rows, in the order of their names.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn held_rows(&self, customer: &CustomerId) -> Result<Vec<Holding>, StoreError> {
        let sql = "SELECT collection AS name, COUNT(*) AS count, 0 AS bytes FROM record WHERE customer = $1 \
                   GROUP BY collection ORDER BY collection";
        self.holdings(sql, customer).await
    }

    /// The modules that keep blobs for the customer, in the order of their names.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn held_blobs(&self, customer: &CustomerId) -> Result<Vec<Holding>, StoreError> {
        let sql = "SELECT module AS name, COUNT(*) AS count, CAST(SUM(size) AS BIGINT) AS bytes FROM blob \
                   JOIN blob_content ON blob_content.customer = blob.customer AND blob_content.content = blob.content \
                   WHERE blob.customer = $1 GROUP BY module ORDER BY module";
        self.holdings(sql, customer).await
    }

    async fn holdings(&self, sql: &'static str, customer: &CustomerId) -> Result<Vec<Holding>, StoreError> {
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(customer.as_str())).await?;
        let read = |row: &sqlx::any::AnyRow| {
            let whole = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
            Ok(Holding { name: row.try_get("name")?, count: whole("count")?, bytes: whole("bytes")? })
        };
        rows.iter().map(read).collect()
    }

    /// The body of one row of a collection (`module.collection`).
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn row_body(
        &self,
        customer: &CustomerId,
        collection: &str,
        id: &str,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT body FROM record WHERE customer = $1 AND collection = $2 AND id = $3";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(collection).bind(id);
        Ok(self.database.reader().fetch_optional(query).await?.map(|row| row.try_get(0)).transpose()?)
    }

    /// Rows of a collection (`module.collection`) in the order of their ids, after this one.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn rows_after(
        &self,
        customer: &CustomerId,
        collection: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT id, version, body FROM record WHERE customer = $1 AND collection = $2 AND id > $3 \
                   ORDER BY id LIMIT $4";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(collection).bind(after);
        let rows = self.database.reader().fetch_all(query.bind(i64::from(limit))).await?;
        let read = |row: &sqlx::any::AnyRow| {
            let version = row.try_get::<i64, _>("version")?.unsigned_abs();
            Ok(Row { id: row.try_get("id")?, version, body: Arc::from(row.try_get::<String, _>("body")?) })
        };
        rows.iter().map(read).collect()
    }

    /// Blobs of a module in the order of their keys, after this one: at least one if there is any, and no more once
    /// they come to `most` bytes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn blobs_after(
        &self,
        customer: &CustomerId,
        module: &str,
        after: &str,
        limit: u32,
        most: u64,
    ) -> Result<Vec<HeldBlob>, StoreError> {
        let sql = "SELECT blob.key, size FROM blob \
                   JOIN blob_content ON blob_content.customer = blob.customer AND blob_content.content = blob.content \
                   WHERE blob.customer = $1 AND blob.module = $2 AND blob.key > $3 ORDER BY blob.key LIMIT $4";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module).bind(after);
        let (mut blobs, mut bytes) = (Vec::new(), 0);
        for row in self.database.reader().fetch_all(query.bind(i64::from(limit))).await? {
            bytes += row.try_get::<i64, _>("size")?.unsigned_abs();
            if bytes > most && !blobs.is_empty() {
                break;
            }
            let key: String = row.try_get("key")?;
            let sql = "SELECT deflated FROM blob \
                       JOIN blob_content ON blob_content.customer = blob.customer AND blob_content.content = blob.content \
                       WHERE blob.customer = $1 AND blob.module = $2 AND blob.key = $3";
            let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module).bind(key.as_str());
            // One that has gone since is not there to be taken along.
            if let Some(row) = self.database.reader().fetch_optional(query).await? {
                blobs.push(HeldBlob { key, bytes: inflate(&row.try_get::<Vec<u8>, _>(0)?)? });
            }
        }
        Ok(blobs)
    }

    /// How many blobs of a module have keys that begin so.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn count_blobs(&self, customer: &CustomerId, module: &str, prefix: &str) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM blob WHERE customer = $1 AND module = $2 AND key >= $3 AND key < $4";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module).bind(prefix);
        let row = self.database.reader().fetch_one(query.bind(format!("{prefix}\u{10ffff}"))).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }
}
