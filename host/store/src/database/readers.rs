//! Connections that only read, a few of them, opened when first needed.
//!
//! sqlx's own pool asks a connection whether it lives each time it comes back, which doubles what a short read
//! costs. Here a connection comes back only from a statement that ended well or failed by itself; after anything
//! else, and when the caller went away in the middle, it is closed.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection};
use tokio::sync::Semaphore;

use crate::StoreError;
use crate::database::dialect::Address;

mod runs;

pub(crate) use runs::OfRuns;

/// Statements that read at the same time.
const MOST: usize = 8;
/// How long a caller waits for its turn and its answer: somebody waits for the caller too.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1_900);
/// How long whoever looks through everything waits.
const AT_LENGTH: Duration = Duration::from_secs(60 * 60);

/// A statement with its parameters.
type Question<'q> = Query<'q, Any, AnyArguments>;

/// The connections that nobody uses at the moment, last used first.
pub struct Readers {
    address: Address,
    idle: Mutex<Vec<AnyConnection>>,
    turns: Semaphore,
    runs: runs::Runs,
}

impl Readers {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, idle: Mutex::default(), turns: Semaphore::new(MOST), runs: runs::Runs::default() }
    }

    /// A connection of its own that writes, for what must not wait in the writer.
    pub(crate) async fn a_writer(&self) -> Result<AnyConnection, StoreError> {
        self.address.writer().await
    }

    /// All rows of an answer.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn fetch_all(&self, question: Question<'_>) -> Result<Vec<AnyRow>, StoreError> {
        self.ask(PATIENCE, async |connection| question.fetch_all(connection).await).await
    }

    /// As [`Readers::fetch_all`], for a question about everything, which no client waits for.
    pub(crate) async fn fetch_at_length(&self, question: Question<'_>) -> Result<Vec<AnyRow>, StoreError> {
        self.ask(AT_LENGTH, async |connection| question.fetch_all(connection).await).await
    }

    /// The row of an answer that has one at most.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn fetch_optional(&self, question: Question<'_>) -> Result<Option<AnyRow>, StoreError> {
        self.ask(PATIENCE, async |connection| question.fetch_optional(connection).await).await
    }

    /// The row of an answer that always has one.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn fetch_one(&self, question: Question<'_>) -> Result<AnyRow, StoreError> {
        self.ask(PATIENCE, async |connection| question.fetch_one(connection).await).await
    }

    /// Runs a statement whose answer does not matter.
    pub(crate) async fn execute(&self, question: Question<'_>) -> Result<AnyQueryResult, StoreError> {
        self.ask(PATIENCE, async |connection| question.execute(connection).await).await
    }

    async fn ask<T>(
        &self,
        patience: Duration,
        question: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        let late = || StoreError::Unavailable("the database did not answer in time".to_owned());
        tokio::time::timeout(patience, self.take_turn(question)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn take_turn<T>(
        &self,
        question: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        let closing = |_| StoreError::Unavailable("the store is closing".to_owned());
        let _turn = self.turns.acquire().await.map_err(closing)?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.address.reader().await?,
        };
        let answer = question(&mut connection).await;
        match &answer {
            Ok(_) | Err(sqlx::Error::Database(_) | sqlx::Error::RowNotFound) => self.idle().push(connection),
            // The server is gone, and with it what the others lead to.
            Err(_) => self.idle().clear(),
        }
        Ok(answer?)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<AnyConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
