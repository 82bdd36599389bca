//! Pages of the public web that were had once: private to one customer and one module, derived, bounded, and gone when
//! nobody asks for them.

use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::records::{deflate, inflate};
use crate::tables::Edges;
use crate::{StoreError, Tx};

/// Bytes of one page as they are stored; a larger one is not kept.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Bytes that one module keeps for one customer.
const MOST_BYTES: i64 = 32 * 1024 * 1024;
/// Pages that one module keeps for one customer.
const MOST_PAGES: i64 = 2_000;
/// Pages that make room in one go.
const AT_ONCE: i64 = 200;
/// How long a page stays after it was confirmed last.
const KEPT: Duration = Duration::from_secs(7 * 86_400);

/// Whose pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The customer.
    pub customer: CustomerId,
    /// The module that asks.
    pub module: String,
}

/// A page that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPage {
    /// What was asked and answered, without the body; only who wrote it reads it.
    pub policy: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Edges {
    /// The page of a shelf under this key.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn kept_page(&self, shelf: &Shelf, key: &str) -> Result<Option<KeptPage>, StoreError> {
        let sql = "SELECT policy, body FROM web_answer WHERE customer = $1 AND module = $2 AND key = $3";
        let query = sqlx::query::<Any>(sql).bind(shelf.customer.as_str()).bind(shelf.module.as_str()).bind(key);
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        let body = inflate(&row.try_get::<Vec<u8>, _>(1)?)?;
        Ok(Some(KeptPage { policy: row.try_get(0)?, body }))
    }

    /// Puts or replaces a page, and makes room for it. One that is too large is not kept, nor is an earlier one then.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was kept.
    pub async fn keep_page(&self, shelf: &Shelf, key: &str, page: &KeptPage, now: Moment) -> Result<(), StoreError> {
        let (shelf, key, policy) = (shelf.clone(), key.to_owned(), page.policy.clone());
        let body = deflate(&page.body)?;
        let bytes = body.len() + policy.len();
        if bytes > PAGE_BYTES {
            return self.drop_page(&shelf, &key).await;
        }
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO web_answer (customer, module, key, used_at, ends_at, bytes, policy, body) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (customer, module, key) DO UPDATE SET \
                           used_at = excluded.used_at, ends_at = excluded.ends_at, bytes = excluded.bytes, \
                           policy = excluded.policy, body = excluded.body";
                    let query = sqlx::query::<Any>(sql).bind(shelf.customer.as_str()).bind(shelf.module.as_str());
                    let query = query.bind(key).bind(now.0).bind(now.plus(KEPT).0);
                    let query = query.bind(i64::try_from(bytes).unwrap_or(i64::MAX)).bind(policy).bind(body);
                    query.execute(tx.connection()).await?;
                    make_room(tx, &shelf).await
                })
            })
            .await
    }

    /// The page was confirmed: its policy is another one now, its body the same.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was changed.
    pub async fn confirm_page(&self, shelf: &Shelf, key: &str, policy: &str, now: Moment) -> Result<(), StoreError> {
        let (shelf, key, policy) = (shelf.clone(), key.to_owned(), policy.to_owned());
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE web_answer SET policy = $4, used_at = $5, ends_at = $6 \
                           WHERE customer = $1 AND module = $2 AND key = $3";
                    let query = sqlx::query::<Any>(sql).bind(shelf.customer.as_str()).bind(shelf.module.as_str());
                    let query = query.bind(key).bind(policy).bind(now.0).bind(now.plus(KEPT).0);
                    query.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Takes a page away.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn drop_page(&self, shelf: &Shelf, key: &str) -> Result<(), StoreError> {
        let (shelf, key) = (shelf.clone(), key.to_owned());
        self.database.write(move |tx| Box::pin(async move { drop_row(tx, &shelf, &key).await })).await
    }
}

/// Takes away what was used longest ago until the rest is within the bounds.
async fn make_room(tx: &mut Tx, shelf: &Shelf) -> Result<(), StoreError> {
    let all = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM web_answer \
               WHERE customer = $1 AND module = $2";
    let query = sqlx::query::<Any>(all).bind(shelf.customer.as_str()).bind(shelf.module.as_str());
    let row = query.fetch_one(tx.connection()).await?;
    let (mut pages, mut bytes): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    if pages <= MOST_PAGES && bytes <= MOST_BYTES {
        return Ok(());
    }
    let oldest = "SELECT key, bytes FROM web_answer WHERE customer = $1 AND module = $2 \
                  ORDER BY used_at, bytes, key LIMIT $3";
    let query = sqlx::query::<Any>(oldest).bind(shelf.customer.as_str()).bind(shelf.module.as_str()).bind(AT_ONCE);
    for row in query.fetch_all(tx.connection()).await? {
        if pages <= MOST_PAGES && bytes <= MOST_BYTES {
            break;
        }
        drop_row(tx, shelf, &row.try_get::<String, _>(0)?).await?;
        (pages, bytes) = (pages - 1, bytes - row.try_get::<i64, _>(1)?);
    }
    Ok(())
}

async fn drop_row(tx: &mut Tx, shelf: &Shelf, key: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM web_answer WHERE customer = $1 AND module = $2 AND key = $3";
    let query = sqlx::query::<Any>(sql).bind(shelf.customer.as_str()).bind(shelf.module.as_str()).bind(key);
    query.execute(tx.connection()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};

    fn shelf(customer: &str, module: &str) -> Shelf {
        Shelf { customer: CustomerId::from(customer), module: module.to_owned() }
    }

    fn page(body: &[u8]) -> KeptPage {
        KeptPage { policy: "{}".to_owned(), body: body.to_vec() }
    }

    /// Bytes that deflating does not make smaller.
    fn noise(seed: u64, length: usize) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let next = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[3]
        });
        next.take(length).collect()
    }

    #[tokio::test]
    async fn a_page_is_seen_by_its_customer_and_module_alone() {
        let store = fixture().await.store;
        let own = shelf("cus_ann", "crawl");
        store.edges.keep_page(&own, "k", &page(b"text"), NOON).await.unwrap();
        assert_eq!(store.edges.kept_page(&own, "k").await.unwrap(), Some(page(b"text")));
        for other in [shelf("cus_bob", "crawl"), shelf("cus_ann", "onpage")] {
            assert_eq!(store.edges.kept_page(&other, "k").await.unwrap(), None);
        }
        store.edges.drop_page(&own, "k").await.unwrap();
        assert_eq!(store.edges.kept_page(&own, "k").await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_page_that_was_confirmed_has_its_body_still_and_its_week_again() {
        let store = fixture().await.store;
        let own = shelf("cus_ann", "crawl");
        store.edges.keep_page(&own, "k", &page(b"text"), NOON).await.unwrap();
        let later = NOON.plus(Duration::from_secs(86_400));
        store.edges.confirm_page(&own, "k", "new", later).await.unwrap();
        store.sweep(NOON.plus(KEPT)).await.unwrap();
        let kept = store.edges.kept_page(&own, "k").await.unwrap();
        assert_eq!(kept, Some(KeptPage { policy: "new".to_owned(), body: b"text".to_vec() }));
        store.sweep(later.plus(KEPT)).await.unwrap();
        assert_eq!(store.edges.kept_page(&own, "k").await.unwrap(), None);
    }

    #[tokio::test]
    async fn the_page_used_longest_ago_makes_room_and_one_too_large_is_not_kept() {
        let store = fixture().await.store;
        let (own, other) = (shelf("cus_ann", "crawl"), shelf("cus_ann", "onpage"));
        store.edges.keep_page(&other, "0", &page(b"x"), NOON).await.unwrap();
        let most = PAGE_BYTES - 4_096;
        for number in 0..34_u64 {
            let at = NOON.plus(Duration::from_secs(number));
            store.edges.keep_page(&own, &number.to_string(), &page(&noise(number, most)), at).await.unwrap();
        }
        let has = async |shelf: &Shelf, key: &str| store.edges.kept_page(shelf, key).await.unwrap().is_some();
        assert!(!has(&own, "0").await && has(&own, "2").await && has(&own, "33").await);
        assert!(has(&other, "0").await, "another module's pages are no concern of this one");
        store.edges.keep_page(&own, "33", &page(&noise(99, PAGE_BYTES + 1)), NOON).await.unwrap();
        assert!(!has(&own, "33").await);
    }
}
