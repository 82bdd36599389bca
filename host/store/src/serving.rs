//! Which revision of the catalog all hosts serve.

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::{Store, StoreError};

/// How the bytes of a revision stand to those that were in force under its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// None was in force under this date.
    First,
    /// These were, last.
    Current,
    /// Others were, and these never.
    Other,
    /// These were, and others came after them.
    Replaced,
}

impl Store {
    /// How these bytes stand to those that were in force under the same date.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn standing(&self, revision: &str, digest: &str) -> Result<Standing, StoreError> {
        let sql = "SELECT digest FROM in_force WHERE revision = $1 ORDER BY number DESC";
        let rows = self.reader().fetch_all(sqlx::query::<Any>(sql).bind(revision)).await?;
        let known = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<Vec<_>, _>>()?;
        Ok(match known.iter().position(|known| known == digest) {
            Some(0) => Standing::Current,
            Some(_) => Standing::Replaced,
            None if known.is_empty() => Standing::First,
            None => Standing::Other,
        })
    }

    /// The revision that was in force last, by its date; none before the first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn last_in_force(&self) -> Result<Option<String>, StoreError> {
        let query = sqlx::query::<Any>("SELECT revision FROM in_force ORDER BY number DESC LIMIT 1");
        let row = self.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// Notes that these bytes are in force from now on.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn note_in_force(&self, revision: &str, digest: &str, now: Moment) -> Result<(), StoreError> {
        let (revision, digest) = (revision.to_owned(), digest.to_owned());
        self.write(move |tx| {
            Box::pin(async move {
                let last = "SELECT revision, digest FROM in_force ORDER BY number DESC LIMIT 1";
                let last = sqlx::query::<Any>(last).fetch_optional(tx.connection()).await?;
                let is_last = match &last {
                    Some(row) => row.try_get::<String, _>(0)? == revision && row.try_get::<String, _>(1)? == digest,
                    None => false,
                };
                if !is_last {
                    let sql = "INSERT INTO in_force (revision, digest, number, since) \
                               SELECT $1, $2, COALESCE(MAX(number), 0) + 1, $3 FROM in_force WHERE 1 = 1 \
                               ON CONFLICT (revision, digest) DO UPDATE SET number = excluded.number, since = excluded.since";
                    sqlx::query::<Any>(sql).bind(revision).bind(digest).bind(now.0).execute(tx.connection()).await?;
                }
                Ok(())
            })
        })
        .await
    }

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

#[cfg(test)]
mod tests {
    //! Tests of `serving`.

    use super::*;
    use crate::fixture::{NOON, fixture};

    #[tokio::test]
    async fn bytes_that_were_replaced_are_known_from_new_ones_until_they_are_put_back() {
        let store = fixture().await.store;
        let standing = async |digest: &str| store.standing("2026-09-28", digest).await.unwrap();
        assert_eq!((standing("one").await, store.last_in_force().await.unwrap()), (Standing::First, None));
        store.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        store.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Current, Standing::Other));
        store.note_in_force("2026-09-28", "two", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Replaced, Standing::Current));
        store.note_in_force("2026-08-15", "zero", NOON).await.unwrap();
        assert_eq!(store.last_in_force().await.unwrap().as_deref(), Some("2026-08-15"));
        assert_eq!(standing("two").await, Standing::Current, "another date changes nothing here");
        store.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Current, Standing::Replaced));
        assert_eq!(store.last_in_force().await.unwrap().as_deref(), Some("2026-09-28"));
    }
}
