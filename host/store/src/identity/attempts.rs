//! Counted tries in a window of time, the same on every node: sign-ins, registrations and passcodes of shares.

use std::time::Duration;

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::tables::Identity;
use crate::{StoreError, Tx};

/// One counter that a try has to pass.
#[derive(Clone, Debug)]
pub struct Counter {
    /// A hash of what is counted; the thing itself is not stored.
    pub key: String,
    /// Tries in one window.
    pub most: u32,
    /// The window, which opens at the first try.
    pub window: Duration,
}

/// Whether a try may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Yes; it has been counted.
    Open,
    /// No, until this moment. Not counted.
    Shut {
        /// Which of the counters is full, from 0.
        counter: usize,
        /// When the window ends.
        until: Moment,
    },
}

impl Identity {
    /// Counts a try in every counter, or in none when one of them is full.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn attempt(&self, counters: Vec<Counter>, now: Moment) -> Result<Admission, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    for (at, counter) in counters.iter().enumerate() {
                        let sql = "SELECT tries, closes_at FROM attempt WHERE key = $1 AND closes_at > $2";
                        let query = sqlx::query::<Any>(sql).bind(counter.key.as_str()).bind(now.0);
                        let Some(row) = query.fetch_optional(tx.connection()).await? else { continue };
                        if row.try_get::<i64, _>("tries")? >= i64::from(counter.most) {
                            return Ok(Admission::Shut { counter: at, until: Moment(row.try_get("closes_at")?) });
                        }
                    }
                    for counter in &counters {
                        let sql = "INSERT INTO attempt (key, opened_at, closes_at, tries) VALUES ($1, $2, $3, 1) \
                               ON CONFLICT (key) DO UPDATE SET \
                               tries = CASE WHEN attempt.closes_at > $2 THEN attempt.tries + 1 ELSE 1 END, \
                               opened_at = CASE WHEN attempt.closes_at > $2 THEN attempt.opened_at ELSE $2 END, \
                               closes_at = CASE WHEN attempt.closes_at > $2 THEN attempt.closes_at ELSE $3 END";
                        let query = sqlx::query::<Any>(sql).bind(counter.key.as_str()).bind(now.0);
                        query.bind(now.plus(counter.window).0).execute(tx.connection()).await?;
                    }
                    Ok(Admission::Open)
                })
            })
            .await
    }

    /// Takes back one try in a counter, whose window stays as it is.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn take_back(&self, key: String) -> Result<(), StoreError> {
        self.database.write(move |tx| Box::pin(async move { reduce(tx, &key).await })).await
    }

    /// Takes back a try that turned out well: the first counter is cleared, the others lose this one try.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn forgive(&self, cleared: String, reduced: Vec<String>) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let clear = sqlx::query::<Any>("DELETE FROM attempt WHERE key = $1").bind(cleared);
                    clear.execute(tx.connection()).await?;
                    for key in reduced {
                        reduce(tx, &key).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

async fn reduce(tx: &mut Tx, key: &str) -> Result<(), StoreError> {
    let sql = "UPDATE attempt SET tries = tries - 1 WHERE key = $1 AND tries > 0";
    sqlx::query::<Any>(sql).bind(key).execute(tx.connection()).await?;
    Ok(())
}
