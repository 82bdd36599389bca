//! Spending by day, broken down.

use sandbox::platform::{Grouping, Spending, Untold};
use serde_json::{Value, json};
use store::money::spending::{Spent, SpentBy};

use super::{Desk, invalid};

/// Days of one question, at most: two years.
const MOST_DAYS: i64 = 731;

impl Desk {
    /// One row for each key, or day, that was used.
    pub(super) async fn spending(&self, asked: &Spending) -> Result<Value, Untold> {
        if asked.to < asked.from || asked.to - asked.from >= MOST_DAYS {
            return Err(invalid("/from", "invalid_span", "a span of days goes forward and has at most 731 days"));
        }
        let by = match asked.by {
            Grouping::Module => SpentBy::Module,
            Grouping::Operation => SpentBy::Operation,
            Grouping::Site => SpentBy::Site,
            Grouping::Client => SpentBy::Client,
            Grouping::Day => SpentBy::Day,
        };
        let spent = self.service.core.store().money.spending(&self.customer, by, asked.from, asked.to).await?;
        let shown = |it: &Spent| {
            json!({
                "day": it.day,
                "key": it.key,
                "name": it.name,
                "calls": it.count.calls,
                "points": it.count.points,
                "credits_milli": it.count.credits_milli,
            })
        };
        Ok(json!({ "rows": spent.iter().map(shown).collect::<Vec<_>>() }))
    }
}
