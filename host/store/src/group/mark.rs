//! How far the clock has come, by the database's own record, so that a clock that goes back is noticed.
//!
//! The day of an allowance, the end of a hold and the life of an answer all come from the host's clock. Charging
//! under a clock that went back would grant a day twice and revive what has expired.

use std::time::Duration;

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::writer::Tx;

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
    ///
    /// Only where this host's clock is the only one: nodes of one PostgreSQL keep each other's, and a node that lags
    /// is found by its leases.
    pub(super) async fn floor(tx: &mut Tx, latest: Moment) -> Result<Moment, StoreError> {
        if !tx.dialect.has_one_writer() {
            return Ok(Moment(i64::MIN));
        }
        let recorded = match tx.mark.recorded {
            Some(recorded) => recorded,
            None => {
                let row = sqlx::query::<Any>("SELECT at FROM clock_mark WHERE clock = 'host'");
                let row = row.fetch_optional(tx.connection()).await?;
                Moment(row.map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
            }
        };
        let seen = tx.mark.seen.unwrap_or(recorded).max(recorded);
        tx.mark.recorded = Some(recorded);
        tx.mark.seen = Some(seen.max(latest));
        if latest > recorded.plus(EVERY) {
            let sql = "INSERT INTO clock_mark (clock, at) VALUES ('host', $1) \
                       ON CONFLICT (clock) DO UPDATE SET at = excluded.at";
            sqlx::query::<Any>(sql).bind(latest.0).execute(tx.connection()).await?;
            tx.mark.recorded = Some(latest);
        }
        Ok(Moment(seen.0.saturating_sub(i64::try_from(TOLERANCE.as_millis()).unwrap_or(i64::MAX))))
    }

    /// Forgets what is on record, after a transaction that may not have been kept.
    pub(crate) fn forget(&mut self) {
        self.recorded = None;
    }
}

#[cfg(test)]
mod tests;
