//! Which revision of the catalog all hosts serve.

use model::clock::Moment;
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Serving;

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

/// A revision that was put in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Served {
    /// Its date.
    pub date: String,
    /// Its bytes, where they were shipped: the last that came into force under its date. What a workspace builds has none.
    pub digest: Option<String>,
}

/// Which way a revision comes into force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To what was not in force before it.
    Forward,
    /// To what was.
    Back,
}

impl Step {
    const fn as_str(self) -> &'static str {
        match self {
            Step::Forward => "forward",
            Step::Back => "back",
        }
    }
}

impl Serving {
    /// How these bytes stand to those that were in force under the same date.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn standing(&self, revision: &str, digest: &str) -> Result<Standing, StoreError> {
        let sql = "SELECT digest FROM in_force WHERE revision = $1 ORDER BY number DESC";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(revision)).await?;
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
        let row = self.database.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// Notes that these bytes are in force from now on.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn note_in_force(&self, revision: &str, digest: &str, now: Moment) -> Result<(), StoreError> {
        let (revision, digest) = (revision.to_owned(), digest.to_owned());
        self.database.write(move |tx| {
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

    /// What was activated; none: each host serves the newest it has.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn served(&self) -> Result<Option<Served>, StoreError> {
        let sql = "SELECT revision, (SELECT digest FROM in_force WHERE in_force.revision = serving.revision \
                   ORDER BY number DESC LIMIT 1) FROM serving WHERE what = 'catalog'";
        self.one_served(sql).await
    }

    /// What was in force before the last activation: where a way back leads.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn served_before(&self) -> Result<Option<Served>, StoreError> {
        let sql = "SELECT revision, COALESCE(digest, (SELECT digest FROM in_force \
                   WHERE in_force.revision = serving.revision ORDER BY number DESC LIMIT 1)) \
                   FROM serving WHERE what = 'catalog before'";
        self.one_served(sql).await
    }

    async fn one_served(&self, sql: &'static str) -> Result<Option<Served>, StoreError> {
        let row = self.database.reader().fetch_optional(sqlx::query::<Any>(sql)).await?;
        let read = |row: AnyRow| Ok(Served { date: row.try_get(0)?, digest: row.try_get(1)? });
        row.map(read).transpose()
    }

    /// Whether the last activation was a step back.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn went_back(&self) -> Result<bool, StoreError> {
        let query = sqlx::query::<Any>("SELECT revision FROM serving WHERE what = 'catalog step'");
        let row = self.database.reader().fetch_optional(query).await?;
        let step: Option<String> = row.map(|row| row.try_get(0)).transpose()?;
        Ok(step.as_deref() == Some(Step::Back.as_str()))
    }

    /// Activates a revision: every host that is not pinned to one follows within seconds.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn serve_revision(&self, served: Served, step: Step, now: Moment) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let Served { date, digest } = served;
                    let sql = "INSERT INTO serving (what, revision, digest, since) \
                           SELECT 'catalog before', revision, digest, since FROM serving WHERE what = 'catalog' \
                           AND (revision <> $1 OR COALESCE(digest, '') <> COALESCE($2, '')) \
                           ON CONFLICT (what) DO UPDATE SET revision = excluded.revision, digest = excluded.digest, \
                           since = excluded.since";
                    let query = sqlx::query::<Any>(sql).bind(date.clone()).bind(digest.clone());
                    query.execute(tx.connection()).await?;
                    let sql = "INSERT INTO serving (what, revision, digest, since) VALUES ($1, $2, $3, $4) \
                           ON CONFLICT (what) DO UPDATE SET revision = excluded.revision, digest = excluded.digest, \
                           since = excluded.since";
                    let rows = [("catalog", date.as_str(), digest), ("catalog step", step.as_str(), None)];
                    for (what, revision, digest) in rows {
                        let query = sqlx::query::<Any>(sql).bind(what).bind(revision.to_owned()).bind(digest);
                        query.bind(now.0).execute(tx.connection()).await?;
                    }
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
        let standing = async |digest: &str| store.serving.standing("2026-09-28", digest).await.unwrap();
        assert_eq!((standing("one").await, store.serving.last_in_force().await.unwrap()), (Standing::First, None));
        store.serving.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        store.serving.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Current, Standing::Other));
        store.serving.note_in_force("2026-09-28", "two", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Replaced, Standing::Current));
        store.serving.note_in_force("2026-08-15", "zero", NOON).await.unwrap();
        assert_eq!(store.serving.last_in_force().await.unwrap().as_deref(), Some("2026-08-15"));
        assert_eq!(standing("two").await, Standing::Current, "another date changes nothing here");
        store.serving.note_in_force("2026-09-28", "one", NOON).await.unwrap();
        assert_eq!((standing("one").await, standing("two").await), (Standing::Current, Standing::Replaced));
        assert_eq!(store.serving.last_in_force().await.unwrap().as_deref(), Some("2026-09-28"));
    }

    #[tokio::test]
    async fn a_way_back_leads_to_the_bytes_that_were_in_force_also_under_the_same_date() {
        let store = fixture().await.store;
        let served = |date: &str, digest: &str| Served { date: date.to_owned(), digest: Some(digest.to_owned()) };
        let serve = async |date: &str, digest: &str, step| {
            store.serving.note_in_force(date, digest, NOON).await.unwrap();
            store.serving.serve_revision(served(date, digest), step, NOON).await.unwrap();
        };
        assert_eq!((store.serving.served().await.unwrap(), store.serving.served_before().await.unwrap()), (None, None));
        serve("2026-08-15", "zero", Step::Forward).await;
        serve("2026-09-28", "one", Step::Forward).await;
        assert_eq!(store.serving.served_before().await.unwrap(), Some(served("2026-08-15", "zero")));
        serve("2026-09-28", "two", Step::Forward).await;
        assert_eq!(store.serving.served().await.unwrap(), Some(served("2026-09-28", "two")));
        assert_eq!(store.serving.served_before().await.unwrap(), Some(served("2026-09-28", "one")));
        assert!(!store.serving.went_back().await.unwrap());
        serve("2026-09-28", "one", Step::Back).await;
        assert_eq!(store.serving.served().await.unwrap(), Some(served("2026-09-28", "one")));
        assert!(store.serving.went_back().await.unwrap());
    }
}
