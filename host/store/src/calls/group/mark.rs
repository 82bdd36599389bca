//! How far the clock has come, by the database's own record, so that a clock that goes back is noticed.
//!
//! The day of an allowance, the end of a hold and the life of an answer all come from the host's clock. Charging
//! under a clock that went back would grant a day twice and revive what has expired.

use std::time::Duration;

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::database::writer::Tx;
use crate::tables::Calls;

/// How far behind a moment may be: clocks are set, and calls overtake each other.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// How often the mark is written. What a crash forgets is less than what is tolerated.
const EVERY: Duration = Duration::from_secs(60);

/// The latest moment that was seen here, and the one that is on record.
#[derive(Default)]
pub(crate) struct Mark {
    seen: Option<Moment>,
    recorded: Option<Moment>,
}

impl Mark {
    /// The earliest moment at which anything may be charged. Raises the mark to `latest`.
    pub(super) async fn floor(tx: &mut Tx, latest: Moment) -> Result<Moment, StoreError> {
        let recorded = match tx.mark.recorded {
            Some(recorded) => recorded,
            None => recorded(tx).await?,
        };
        let mut seen = tx.mark.seen.unwrap_or(recorded).max(recorded);
        if latest < tolerated(seen) {
            // Perhaps an operator has said meanwhile that the clock is right and the mark was not.
            seen = self::recorded(tx).await?;
        }
        tx.mark.recorded = Some(recorded.min(seen));
        tx.mark.seen = Some(seen.max(latest));
        if latest > recorded.plus(EVERY) {
            let sql = "INSERT INTO clock_mark (clock, at) VALUES ('host', $1) ON CONFLICT (clock) \
                       DO UPDATE SET at = excluded.at WHERE clock_mark.at < excluded.at";
            sqlx::query::<Any>(sql).bind(latest.0).execute(tx.connection()).await?;
            tx.mark.recorded = Some(latest);
        }
        Ok(tolerated(seen))
    }

    /// Forgets what is on record, after a transaction that may not have been kept.
    pub(crate) fn forget(&mut self) {
        self.recorded = None;
    }
}

async fn recorded(tx: &mut Tx) -> Result<Moment, StoreError> {
    let row = sqlx::query::<Any>("SELECT at FROM clock_mark WHERE clock = 'host'");
    let row = row.fetch_optional(tx.connection()).await?;
    Ok(Moment(row.map(|row| row.try_get(0)).transpose()?.unwrap_or(0)))
}

/// The earliest moment that is still believed when this one was seen.
fn tolerated(seen: Moment) -> Moment {
    Moment(seen.0.saturating_sub(i64::try_from(TOLERANCE.as_millis()).unwrap_or(i64::MAX)))
}

impl Calls {
    /// The latest moment at which something was charged, as far as it is on record; within the last minute nothing
    /// is written.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn clock_mark(&self) -> Result<Option<Moment>, StoreError> {
        let row = sqlx::query::<Any>("SELECT at FROM clock_mark WHERE clock = 'host'");
        let row = self.database.reader().fetch_optional(row).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?.map(Moment))
    }

    /// Says that this is the time, after a clock had run ahead: charging goes on from here. What was granted and
    /// stored under the wrong time stays.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn set_clock_mark(&self, now: Moment) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE clock_mark SET at = $1 WHERE clock = 'host'";
                    sqlx::query::<Any>(sql).bind(now.0).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests;
