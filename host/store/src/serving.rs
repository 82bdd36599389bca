//! Which revision of the catalog all hosts serve.

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::{Store, StoreError};

impl Store {
    /// The revision that was activated; none: each host serves the newest it has.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn served_revision(&self) -> Result<Option<String>, StoreError> {
        let query = sqlx::query::<Any>("SELECT revision FROM serving WHERE what = 'catalog'");
        let row = self.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// The revision that was in force before the last activation: where a way back leads.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn revision_before(&self) -> Result<Option<String>, StoreError> {
        let query = sqlx::query::<Any>("SELECT revision FROM serving WHERE what = 'catalog before'");
        let row = self.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// Activates a revision: every host that is not pinned to one follows within seconds.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn serve_revision(&self, revision: &str, now: Moment) -> Result<(), StoreError> {
        let revision = revision.to_owned();
        self.write(move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO serving (what, revision, since) \
                           SELECT 'catalog before', revision, since FROM serving \
                           WHERE what = 'catalog' AND revision <> $1 \
                           ON CONFLICT (what) DO UPDATE SET revision = excluded.revision, since = excluded.since";
                sqlx::query::<Any>(sql).bind(revision.clone()).execute(tx.connection()).await?;
                let sql = "INSERT INTO serving (what, revision, since) VALUES ('catalog', $1, $2) \
                           ON CONFLICT (what) DO UPDATE SET revision = excluded.revision, since = excluded.since";
                sqlx::query::<Any>(sql).bind(revision).bind(now.0).execute(tx.connection()).await?;
                Ok(())
            })
        })
        .await
    }
}
