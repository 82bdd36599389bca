//! The time that all nodes of one database agree on: its server's.
//!
//! Leases, days of an allowance and lives of answers are compared between nodes, and the machines' own clocks differ,
//! or are wrong. SQLite has one host, whose clock is the only one there is.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use model::clock::{Clock, Moment, SystemClock};
use sqlx::{Any, AnyConnection, Row as _};
use tokio::time::Instant;

use crate::StoreError;
use crate::database::dialect::{Address, Dialect, Durability};

/// How often the server is asked. Between two answers this machine's oscillator counts, which no setting of its
/// clock touches.
const EVERY: Duration = Duration::from_secs(5);
/// How long a server that says nothing is listened to.
const PATIENCE: Duration = Duration::from_secs(5);
/// Questions of one look; the one that was answered fastest says most.
const QUESTIONS: usize = 3;

/// The clock of the database at this address: the server's, or this machine's where there is no server.
///
/// # Errors
/// When the server cannot be reached.
pub async fn clock(url: &str) -> Result<Arc<dyn Clock>, StoreError> {
    let address = Address::read(url, Durability::Full)?;
    if address.dialect == Dialect::Sqlite {
        return Ok(Arc::new(SystemClock));
    }
    sqlx::any::install_default_drivers();
    let clock = Arc::new(ServerClock { counted_from: Instant::now(), at_zero: AtomicI64::new(0) });
    let mut connection = address.reader().await?;
    clock.look(&mut connection).await?;
    tokio::spawn(follow(Arc::downgrade(&clock), address, connection));
    Ok(clock)
}

/// The server's time, counted on from its last answer.
#[derive(Debug)]
struct ServerClock {
    counted_from: Instant,
    /// What the server's clock showed at `counted_from`, in epoch milliseconds.
    at_zero: AtomicI64,
}

impl Clock for ServerClock {
    fn now(&self) -> Moment {
        Moment(self.at_zero.load(Ordering::Relaxed)).plus(self.counted_from.elapsed())
    }
}

impl ServerClock {
    async fn look(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let mut best: Option<(Duration, i64)> = None;
        for _ in 0..QUESTIONS {
            let asked = self.counted_from.elapsed();
            let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
            let said: i64 = sqlx::query::<Any>(sql).fetch_one(&mut *connection).await?.try_get(0)?;
            let answered = self.counted_from.elapsed();
            let took = answered - asked;
            // It was said about half way between question and answer.
            let at_zero = said - i64::try_from((asked + took / 2).as_millis()).unwrap_or(i64::MAX);
            if best.is_none_or(|(fastest, _)| took < fastest) {
                best = Some((took, at_zero));
            }
        }
        if let Some((_, at_zero)) = best {
            self.at_zero.store(at_zero, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Asks now and then, as long as somebody has the clock. While the server is away the time is counted on.
async fn follow(clock: Weak<ServerClock>, address: Address, connection: AnyConnection) {
    let mut connection = Some(connection);
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(clock) = clock.upgrade() else { return };
        let mut open = match connection.take() {
            Some(open) => open,
            None => match within(address.reader()).await {
                Ok(open) => open,
                Err(error) => {
                    tracing::warn!(error = %error, "the database's clock cannot be read; its time is counted on");
                    continue;
                }
            },
        };
        match within(clock.look(&mut open)).await {
            Ok(()) => connection = Some(open),
            Err(error) => tracing::warn!(error = %error, "the database's clock did not answer"),
        }
    }
}

/// A connection that died without a word must not keep the clock from ever being looked at again.
async fn within<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let silent = || StoreError::Unavailable("the database does not answer".to_owned());
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| Err(silent()))
}
