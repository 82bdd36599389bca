//! Takes away what has had its time: holds that nobody settled, forgotten answers, stale cache, unused bytes.

use std::sync::Weak;
use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::database::{Database, Inner};
use crate::money::book::{Book, Reason};
use crate::{Store, StoreError};

/// Rows of one kind that are taken in one go, so that a sweep never keeps the writer long.
const MANY: i64 = 500;

/// How often it is looked what has had its time.
const EVERY: Duration = Duration::from_secs(30);
/// How soon again where more was left: many searches and answers have their time at once on a busy host.
const SOON: Duration = Duration::from_secs(1);

/// Sweeps now and then, for as long as somebody has the store.
pub(crate) fn start(store: Weak<Inner>) {
    tokio::spawn(async move {
        let mut pause = EVERY;
        loop {
            tokio::time::sleep(pause).await;
            pause = EVERY;
            let Some(store) = store.upgrade().map(|open| Store::of(Database(open))) else { return };
            match store.sweep(store.database.clock().now()).await {
                Ok(swept) if swept == Swept::default() => {}
                Ok(swept) => {
                    tracing::debug!(?swept, "swept");
                    if swept.more {
                        pause = SOON;
                    }
                }
                Err(error) => tracing::warn!(error = %error, "nothing was swept"),
            }
        }
    });
}

/// What a sweep took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Reservations given back.
    pub holds: u64,
    /// Answers forgotten.
    pub answers: u64,
    /// Cached values dropped.
    pub cached: u64,
    /// Contents of blobs that no blob has any more.
    pub contents: u64,
    /// Claims of keys that nobody asks for any more.
    pub claims: u64,
    /// Whether more is left of what is deleted for its time alone.
    pub more: bool,
}

impl Store {
    /// Takes away what has had its time by `now`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sweep(&self, now: Moment) -> Result<Swept, StoreError> {
        let holds = self.sweep_holds(now).await?;
        let claims = self.calls.sweep_claims(now).await?;
        self.calls.sweep_sends(now).await?;
        self.edges.sweep_uploads(now).await?;
        self.edges.sweep_hits(now).await?;
        self.edges.sweep_recipients(now).await?;
        self.edges.sweep_robots(now, MANY).await?;
        let taken = self
            .database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let mut taken = [0; 12];
                    let statements = [
                        "DELETE FROM answer WHERE (customer, key) IN \
                         (SELECT customer, key FROM answer WHERE expires_at <= $1 LIMIT $2)",
                        "DELETE FROM cache WHERE (customer, module, key) IN \
                         (SELECT customer, module, key FROM cache WHERE expires_at <= $1 LIMIT $2)",
                        "DELETE FROM rate_window WHERE limit_key IN \
                         (SELECT limit_key FROM rate_window WHERE ends <= $1 LIMIT $2)",
                        "DELETE FROM host_turn WHERE host IN \
                         (SELECT host FROM host_turn WHERE free_at <= $1 LIMIT $2)",
                        "DELETE FROM web_answer WHERE (customer, module, key) IN \
                         (SELECT customer, module, key FROM web_answer WHERE ends_at <= $1 LIMIT $2)",
                        "DELETE FROM consent WHERE (customer, consent) IN \
                         (SELECT customer, consent FROM consent WHERE expires_at <= $1 - 86400000 LIMIT $2)",
                        "DELETE FROM refresh_turn WHERE (customer, connection) IN \
                         (SELECT customer, connection FROM refresh_turn WHERE until <= $1 LIMIT $2)",
                        "DELETE FROM transcript WHERE (customer, run) IN \
                         (SELECT customer, run FROM transcript WHERE ends_at <= $1 LIMIT $2)",
                        // Searches are kept to learn from for 90 days.
                        "DELETE FROM intent WHERE (customer, intent) IN \
                         (SELECT customer, intent FROM intent WHERE created_at <= $1 - 7776000000 LIMIT $2)",
                        "DELETE FROM intent_link WHERE (customer, intent) IN \
                         (SELECT customer, intent FROM intent_link WHERE at <= $1 - 7776000000 LIMIT $2)",
                        // Rounds of scheduled work leave their outcome with their module.
                        "DELETE FROM job WHERE (customer, job) IN (SELECT customer, job FROM job \
                         WHERE background = 1 AND due_at IS NULL AND changed_at <= $1 - 86400000 LIMIT $2)",
                        // What was made at its moment is known for 30 days.
                        "DELETE FROM schedule WHERE (customer, module, name) IN (SELECT customer, module, name \
                         FROM schedule WHERE next_at IS NULL AND last_at <= $1 - 2592000000 \
                         AND plan LIKE '{\"at\":%' LIMIT $2)",
                    ];
                    for (count, statement) in taken.iter_mut().zip(statements) {
                        let query = sqlx::query::<Any>(statement).bind(now.0).bind(MANY);
                        *count = query.execute(tx.connection()).await?.rows_affected();
                    }
                    Ok::<_, StoreError>(taken)
                })
            })
            .await?;
        let contents = self.database.write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM blob_content WHERE (customer, content) IN (SELECT c.customer, c.content \
                               FROM blob_content c LEFT JOIN blob b ON b.customer = c.customer AND b.content = c.content \
                               WHERE b.key IS NULL LIMIT $1)";
                    Ok::<_, StoreError>(sqlx::query::<Any>(sql).bind(MANY).execute(tx.connection()).await?.rows_affected())
                })
            })
            .await?;
        let more = taken.contains(&MANY.unsigned_abs());
        let [answers, cached, ..] = taken;
        Ok(Swept { holds, answers, cached, contents, claims, more })
    }

    async fn sweep_holds(&self, now: Moment) -> Result<u64, StoreError> {
        let sql = "SELECT customer, hold FROM hold WHERE expires_at <= $1 LIMIT $2";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(now.0).bind(MANY)).await?;
        let mut swept = 0;
        for row in rows {
            let (customer, hold) = (CustomerId::from(row.try_get::<String, _>(0)?), row.try_get::<String, _>(1)?);
            let given_back = self.database.write_patiently(move |tx| {
                Box::pin(async move {
                    let dialect = tx.dialect;
                    let connection = tx.connection();
                    dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                    let wanted = [(customer.clone(), hold.clone())];
                    let mut book = Book::load(connection, &[(customer.clone(), now)], &wanted).await?;
                    let reason = Reason::plain(&hold, "expired", now);
                    let resolved = book.resolve(&customer, 0, 0, reason).is_some();
                    book.flush(connection).await?;
                    Ok::<_, StoreError>(u64::from(resolved))
                })
            });
            swept += given_back.await?;
        }
        Ok(swept)
    }
}
