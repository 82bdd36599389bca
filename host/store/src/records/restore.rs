//! Putting back what was taken along: rows and blobs of an archive, where there is none yet.

use std::sync::Arc;

use model::audit::Audit;
use model::id::{CustomerId, RequestId};
use serde_json::json;

use super::overlay::{State, Touched};
use super::{ModuleSchema, RecordsError, Workspace, identify};
use crate::Store;
use crate::StoreError;
use crate::calls::settlement::{SettleError, Settlement};
use crate::tables::Calls;
use crate::tables::Records;

/// What became of rows and blobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Put back.
    pub put: u64,
    /// There already, just so.
    pub same: u64,
    /// There with other content, and left alone.
    pub other: u64,
}

impl std::ops::AddAssign for Restored {
    fn add_assign(&mut self, more: Self) {
        self.put += more.put;
        self.same += more.same;
        self.other += more.other;
    }
}

/// Why nothing was put back.
#[derive(Debug, thiserror::Error)]
pub enum NotRestored {
    /// A row or a key is not what a module could have stored.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// It could not be committed.
    #[error(transparent)]
    Settle(#[from] SettleError),
}

impl Records {
    /// Puts rows (id, version, body) into a collection of a customer with the versions that they had.
    ///
    /// # Errors
    /// A row is not what the collection holds, or the store cannot be reached; then none of them was put.
    pub async fn restore_rows(
        &self,
        customer: &CustomerId,
        schema: &ModuleSchema,
        collection: &str,
        rows: Vec<(String, u64, String)>,
    ) -> Result<Restored, NotRestored> {
        let mut workspace = self.workspace(customer, schema);
        let mut restored = Restored::default();
        for (id, version, body) in rows {
            match workspace.restore(collection, id, version, body).await? {
                None => restored.put += 1,
                Some(true) => restored.same += 1,
                Some(false) => restored.other += 1,
            }
        }
        self.commit_restored(customer, workspace, restored).await
    }

    /// Puts a blob where there is none of its key.
    ///
    /// # Errors
    /// As [`Records::restore_rows`].
    pub async fn restore_blob(
        &self,
        customer: &CustomerId,
        schema: &ModuleSchema,
        key: &str,
        bytes: Vec<u8>,
    ) -> Result<Restored, NotRestored> {
        let mut workspace = self.workspace(customer, schema);
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let restored = match workspace.blob_read(key, 0, length.saturating_add(1)).await? {
            Some(there) if there == bytes => Restored { same: 1, ..Restored::default() },
            Some(_) => Restored { other: 1, ..Restored::default() },
            None => {
                workspace.blob_write(key, bytes).await?;
                Restored { put: 1, ..Restored::default() }
            }
        };
        self.commit_restored(customer, workspace, restored).await
    }

    fn workspace(&self, customer: &CustomerId, schema: &ModuleSchema) -> Workspace {
        Workspace::open(
            &Store::of(self.database.clone()),
            customer.clone(),
            Arc::new(schema.clone()),
            self.database.clock().now(),
        )
    }

    async fn commit_restored(
        &self,
        customer: &CustomerId,
        workspace: Workspace,
        restored: Restored,
    ) -> Result<Restored, NotRestored> {
        if restored.put == 0 {
            return Ok(restored);
        }
        let now = self.database.clock().now();
        let request = RequestId::at(now, self.database.entropy());
        let module = workspace.module().to_owned();
        let audit = Audit {
            at: now,
            customer: customer.clone(),
            request: Some(request.clone()),
            grant: None,
            event: "customer.imported".to_owned(),
            subject: module,
            outcome: "ok".to_owned(),
            points: 0,
            detail: json!({ "put": restored.put }),
        };
        let settlement = Settlement {
            customer: customer.clone(),
            grant: None,
            request,
            operation: "customer.import".to_owned(),
            site: None,
            now,
            api_version: "".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes: workspace.into_changes(),
            answer: None,
            claim: None,
            audit,
        };
        Calls::of(&self.database).settle(settlement).await?;
        Ok(restored)
    }
}

impl Workspace {
    /// Puts a row with its version where its id is free. None: it was put; otherwise whether the one that is there is
    /// the same.
    async fn restore(
        &mut self,
        collection: &str,
        id: String,
        version: u64,
        body: String,
    ) -> Result<Option<bool>, RecordsError> {
        identify::check(&id)?;
        let schema = self.schema.clone();
        let (full_name, declared) = schema.writable(collection)?;
        if let Some(there) = self.stored(&full_name, &id).await? {
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
            return Ok(Some(there.version == version && value(&there.body) == value(&body)));
        }
        if version == 0 {
            return Err(RecordsError::Malformed("a version counts from 1".to_owned()));
        }
        let indexes = self.indexes().await?;
        let state = State::wanted(&indexes, (&full_name, declared), version, body.into())?;
        self.overlay.put(&full_name, id, Touched { base: None, wanted: Some(state) });
        Ok(None)
    }
}

impl From<StoreError> for NotRestored {
    fn from(error: StoreError) -> Self {
        Self::Settle(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{fixture, schema};

    #[tokio::test]
    async fn what_is_missing_is_put_back_as_it_was_and_what_is_there_is_left_alone() {
        let fixture = fixture().await;
        let schema = schema();
        let collection = schema.collections[0].name.clone();
        let name = format!("{}.{collection}", schema.module);
        let row = |id: &str, version, name: &str| (id.to_owned(), version, json!({ "name": name }).to_string());
        let restore =
            async |rows| fixture.store.records.restore_rows(&fixture.customer, &schema, &collection, rows).await;
        let first = restore(vec![row("a", 7, "Ann"), row("b", 1, "Ben")]).await.unwrap();
        assert_eq!(first, Restored { put: 2, same: 0, other: 0 });
        let again = restore(vec![row("a", 7, "Ann"), row("b", 1, "Bea"), row("c", 2, "Cy")]).await.unwrap();
        assert_eq!(again, Restored { put: 1, same: 1, other: 1 });
        let kept = fixture.store.records.rows_after(&fixture.customer, &name, "", 9).await.unwrap();
        let kept: Vec<(&str, u64)> = kept.iter().map(|row| (row.id.as_str(), row.version)).collect();
        assert_eq!(kept, [("a", 7), ("b", 1), ("c", 2)]);
        assert!(restore(vec![row("d", 1, "Dan"), ("e".to_owned(), 1, "no object".to_owned())]).await.is_err());
        assert_eq!(
            fixture.store.records.rows_after(&fixture.customer, &name, "c", 9).await.unwrap(),
            [],
            "all or nothing"
        );
        let blob = async |bytes: &[u8]| {
            fixture.store.records.restore_blob(&fixture.customer, &schema, "k", bytes.to_vec()).await.unwrap()
        };
        assert_eq!(blob(b"one").await.put, 1);
        assert_eq!(blob(b"one").await.same, 1);
        assert_eq!(blob(b"two").await.other, 1);
        assert_eq!(fixture.store.money.verify_ledger().await.unwrap(), []);
    }
}
