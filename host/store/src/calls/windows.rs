//! What several nodes have counted together of each rate limit.

use model::clock::Moment;
use sqlx::Row as _;

use crate::StoreError;
use crate::database::rows::Column::Whole;
use crate::database::rows::Listed;
use crate::tables::Calls;

const COUNTED: Listed = Listed {
    before: "INSERT INTO rate_window (limit_key, ends, taken, seen_at) ",
    columns: &[Whole, Whole, Whole, Whole],
    after: " ON CONFLICT (limit_key) DO UPDATE SET \
            taken = excluded.taken + CASE WHEN rate_window.ends > excluded.seen_at THEN rate_window.taken ELSE 0 END, \
            ends = CASE WHEN rate_window.ends > excluded.seen_at THEN rate_window.ends ELSE excluded.ends END, \
            seen_at = excluded.seen_at RETURNING limit_key, ends, taken",
};

/// A window of one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateWindow {
    /// Which limit, and for whom: a hash.
    pub key: i64,
    /// When it ends.
    pub ends: Moment,
    /// How much of it is used.
    pub taken: u32,
}

impl Calls {
    /// Whether other nodes may serve from the same database.
    pub fn is_shared(&self) -> bool {
        !self.database.0.dialect.has_one_writer()
    }

    /// Adds what this node has counted, and returns what all nodes have counted in the same windows. A window that
    /// another node began goes on; one that has ended begins anew.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing was added.
    pub async fn count_together(
        &self,
        mut counted: Vec<RateWindow>,
        now: Moment,
    ) -> Result<Vec<RateWindow>, StoreError> {
        // One order on every node, or two could wait for each other.
        counted.sort_unstable_by_key(|window| window.key);
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let rows = COUNTED
                        .fetch(tx.connection(), &counted, |window| (window.key, window.ends, window.taken, now))
                        .await?;
                    rows.iter()
                        .map(|row| {
                            let taken: i64 = row.try_get("taken")?;
                            Ok(RateWindow {
                                key: row.try_get("limit_key")?,
                                ends: Moment(row.try_get("ends")?),
                                taken: u32::try_from(taken).unwrap_or(u32::MAX),
                            })
                        })
                        .collect()
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::{NOON, fixture};

    fn window(ends: Moment, taken: u32) -> RateWindow {
        RateWindow { key: -7, ends, taken }
    }

    #[tokio::test]
    async fn nodes_count_in_the_window_that_the_first_of_them_began() {
        let store = fixture().await.store;
        let minute = |seconds: u64| NOON.plus(Duration::from_secs(60 + seconds));
        let first = store.calls.count_together(vec![window(minute(0), 3)], NOON).await.unwrap();
        assert_eq!(first, [window(minute(0), 3)]);
        let later = NOON.plus(Duration::from_secs(5));
        let second = store.calls.count_together(vec![window(minute(5), 4)], later).await.unwrap();
        assert_eq!(second, [window(minute(0), 7)]);
        let third = store.calls.count_together(vec![window(minute(60), 1)], minute(0)).await.unwrap();
        assert_eq!(third, [window(minute(60), 1)], "the old window has ended");
    }
}
