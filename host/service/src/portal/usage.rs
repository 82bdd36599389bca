//! Thirty days of usage: by day, by operation, by client.

use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use store::StoreError;
pub use store::money::usage::{Count, GrantUse};

use crate::oauth::Authority;

/// UTC days that are shown, today among them.
pub const DAYS: u32 = 30;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What a customer used in the last thirty UTC days.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Every day, oldest first, today last: its first moment, and what was used.
    pub days: Vec<(Moment, Count)>,
    /// Operations with their use, most points first.
    pub operations: Vec<(String, Count)>,
    /// Clients and tokens with their use, most points first.
    pub grants: Vec<GrantUse>,
}

impl Usage {
    /// All of it.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.days.iter().for_each(|(_, count)| total += *count);
        total
    }

    /// Today's part.
    pub fn today(&self) -> Count {
        self.days.last().map_or_else(Count::default, |(_, count)| *count)
    }
}

impl Authority {
    /// What each app and token of this customer used in the last thirty UTC days, most points first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn grant_use(&self, customer: &CustomerId) -> Result<Vec<GrantUse>, StoreError> {
        self.store().money.usage_by_grant(customer, self.shown_since()).await
    }

    /// The first moment of the days that are shown.
    fn shown_since(&self) -> Moment {
        Moment(self.clock().now().start_of_day().0 - millis(DAY * (DAYS - 1)))
    }

    /// What this customer used in the last thirty UTC days.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn usage(&self, customer: &CustomerId) -> Result<Usage, StoreError> {
        let since = self.shown_since();
        let (used, operations, grants) = tokio::try_join!(
            self.store().money.usage_by_day(customer, since),
            self.store().money.usage_by_operation(customer, since),
            self.store().money.usage_by_grant(customer, since),
        )?;
        let on = |day: Moment| {
            let number = day.0 / millis(DAY);
            let found = used.iter().find(|(used, _)| *used == number);
            (day, found.map_or_else(Count::default, |(_, count)| *count))
        };
        let days = (0..DAYS).map(|number| on(since.plus(DAY * number))).collect();
        Ok(Usage { days, operations, grants })
    }
}

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
