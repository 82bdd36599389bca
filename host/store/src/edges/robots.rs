//! What the robots.txt of each place says, shared by all nodes, calls and jobs: public files, and no customer to them.

use std::time::Duration;

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::records::{deflate, inflate};
use crate::tables::Edges;

/// Bytes of one file, before deflating.
const MOST_BYTES: usize = 512 * 1024;
/// How long a file is better than nothing when the place cannot be reached (RFC 9309, 2.4).
const KEPT: Duration = Duration::from_secs(7 * 86_400);
/// Files that are kept together; those that end first go first.
const MOST_FILES: i64 = 50_000;

/// A robots.txt as it was had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsFile {
    /// The status of the answer.
    pub status: u16,
    /// When that was.
    pub fetched_at: Moment,
    /// Until when it is not asked for again.
    pub fresh_until: Moment,
    /// The file; empty where the status says that there is none.
    pub file: Vec<u8>,
}

impl Edges {
    /// The file of a place, such as `https://shop.example`; also one that is no longer fresh.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn robots_file(&self, origin: &str) -> Result<Option<RobotsFile>, StoreError> {
        let sql = "SELECT status, fetched_at, fresh_until, file FROM robots_file WHERE origin = $1";
        let found = self.database.reader().fetch_optional(sqlx::query::<Any>(sql).bind(origin)).await?;
        let Some(row) = found else { return Ok(None) };
        Ok(Some(RobotsFile {
            status: u16::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0),
            fetched_at: Moment(row.try_get(1)?),
            fresh_until: Moment(row.try_get(2)?),
            file: inflate(&row.try_get::<Vec<u8>, _>(3)?)?,
        }))
    }

    /// Keeps the file of a place for everybody. One that another node had later stays.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was kept.
    pub async fn keep_robots_file(&self, origin: &str, it: &RobotsFile) -> Result<(), StoreError> {
        let (origin, it) = (origin.to_owned(), it.clone());
        let file = deflate(&it.file[..it.file.len().min(MOST_BYTES)])?;
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO robots_file (origin, status, fetched_at, fresh_until, ends_at, file) \
                           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (origin) DO UPDATE SET \
                           status = excluded.status, fetched_at = excluded.fetched_at, \
                           fresh_until = excluded.fresh_until, ends_at = excluded.ends_at, file = excluded.file \
                           WHERE robots_file.fetched_at <= excluded.fetched_at";
                    let query = sqlx::query::<Any>(sql).bind(origin).bind(i64::from(it.status)).bind(it.fetched_at.0);
                    let query = query.bind(it.fresh_until.0).bind(it.fetched_at.plus(KEPT).0).bind(file);
                    query.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Takes away files that are too old, and those that are too many.
    pub(crate) async fn sweep_robots(&self, now: Moment, many: i64) -> Result<(), StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let old = "DELETE FROM robots_file WHERE origin IN \
                           (SELECT origin FROM robots_file WHERE ends_at <= $1 LIMIT $2)";
                    sqlx::query::<Any>(old).bind(now.0).bind(many).execute(tx.connection()).await?;
                    let beyond = "DELETE FROM robots_file WHERE origin IN \
                              (SELECT origin FROM robots_file ORDER BY ends_at DESC, origin LIMIT $1 OFFSET $2)";
                    sqlx::query::<Any>(beyond).bind(many).bind(MOST_FILES).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};

    fn file(text: &str, fetched_at: Moment) -> RobotsFile {
        let fresh_until = fetched_at.plus(Duration::from_secs(3_600));
        RobotsFile { status: 200, fetched_at, fresh_until, file: text.as_bytes().to_vec() }
    }

    #[tokio::test]
    async fn a_file_is_kept_for_its_place_until_a_later_one_comes() {
        let store = fixture().await.store;
        assert_eq!(store.edges.robots_file("https://shop.example").await.unwrap(), None);
        let later = file("User-agent: *\nDisallow: /later\n", NOON.plus(Duration::from_secs(9)));
        store.edges.keep_robots_file("https://shop.example", &file("Disallow:\n", NOON)).await.unwrap();
        store.edges.keep_robots_file("https://shop.example", &later).await.unwrap();
        store.edges.keep_robots_file("https://shop.example", &file("", NOON)).await.unwrap();
        assert_eq!(store.edges.robots_file("https://shop.example").await.unwrap(), Some(later));
        assert_eq!(store.edges.robots_file("http://shop.example").await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_file_goes_when_it_is_a_week_old() {
        let store = fixture().await.store;
        store.edges.keep_robots_file("https://shop.example", &file("x", NOON)).await.unwrap();
        let week = NOON.plus(KEPT);
        store.sweep(Moment(week.0 - 1)).await.unwrap();
        assert!(store.edges.robots_file("https://shop.example").await.unwrap().is_some());
        store.sweep(week).await.unwrap();
        assert_eq!(store.edges.robots_file("https://shop.example").await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_file_is_kept_up_to_its_bound() {
        let store = fixture().await.store;
        let long = RobotsFile { file: vec![b'#'; MOST_BYTES + 1], ..file("", NOON) };
        store.edges.keep_robots_file("https://shop.example", &long).await.unwrap();
        let kept = store.edges.robots_file("https://shop.example").await.unwrap().unwrap();
        assert_eq!(kept.file.len(), MOST_BYTES);
    }
}
