//! Turns at hosts of the outside: the next free moment of each, shared by all nodes, calls and jobs.
//!
//! The rule is the generic cell rate algorithm (ITU-T I.371, virtual scheduling): one number for each host, moved on by
//! one statement. A turn is taken first and waited for afterwards, so nothing is held while somebody waits.

use std::time::Duration;

use model::clock::Moment;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Edges;

/// How fast a host is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between two requests in the long run.
    pub every: Duration,
    /// Requests that may come at once after a rest; 1 for none but the pace.
    pub burst: u32,
}

impl Pace {
    /// How far ahead of the long run a request may be.
    fn ahead(self) -> i64 {
        self.every().saturating_mul(i64::from(self.burst.max(1)) - 1)
    }

    fn every(self) -> i64 {
        i64::try_from(self.every.as_millis()).unwrap_or(i64::MAX / 2)
    }
}

/// What came of asking for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Taken: the request may start at this moment.
    At(Moment),
    /// Not taken, because the next one is later than was asked for.
    NotBefore(Moment),
}

impl Edges {
    /// Takes the next turn at a host, unless that is later than `latest`. Leaves this many of the burst to others, but at
    /// least one to be taken.
    ///
    /// # Errors
    /// When the store cannot be reached; then no turn was taken.
    pub async fn take_turn(
        &self,
        host: &str,
        pace: Pace,
        leave: u32,
        now: Moment,
        latest: Moment,
    ) -> Result<Turn, StoreError> {
        let host = host.to_owned();
        let leave = pace.every().saturating_mul(i64::from(leave.min(pace.burst.max(1) - 1)));
        self.database.write(move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO host_turn (host, free_at) VALUES ($1, $2 + $3) ON CONFLICT (host) DO UPDATE SET \
                           free_at = CASE WHEN host_turn.free_at > $2 THEN host_turn.free_at ELSE $2 END + $3 \
                           WHERE host_turn.free_at - $4 <= $5 RETURNING free_at";
                let query = sqlx::query::<Any>(sql).bind(host.as_str()).bind(now.0).bind(pace.every());
                let taken = query.bind(pace.ahead() - leave).bind(latest.0).fetch_optional(tx.connection()).await?;
                if let Some(row) = taken {
                    let free: i64 = row.try_get(0)?;
                    return Ok(Turn::At(Moment((free - pace.every() - pace.ahead()).max(now.0))));
                }
                let query = sqlx::query::<Any>("SELECT free_at FROM host_turn WHERE host = $1").bind(host);
                let free: i64 = query.fetch_one(tx.connection()).await?.try_get(0)?;
                Ok(Turn::NotBefore(Moment((free - pace.ahead() + leave).max(now.0))))
            })
        })
        .await
    }

    /// Lets nobody ask a host before `until`, because it said so. Afterwards it is asked at the pace, without a burst.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn hold_off(&self, host: &str, pace: Pace, until: Moment) -> Result<(), StoreError> {
        let host = host.to_owned();
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO host_turn (host, free_at) VALUES ($1, $2) ON CONFLICT (host) DO UPDATE SET \
                           free_at = excluded.free_at WHERE host_turn.free_at < excluded.free_at";
                    let query = sqlx::query::<Any>(sql).bind(host).bind(until.0.saturating_add(pace.ahead()));
                    query.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};

    const PACE: Pace = Pace { every: Duration::from_secs(1), burst: 3 };

    fn after(milliseconds: u64) -> Moment {
        NOON.plus(Duration::from_millis(milliseconds))
    }

    #[tokio::test]
    async fn a_rested_host_takes_a_burst_and_then_one_request_a_second() {
        let store = fixture().await.store;
        let mut starts = Vec::new();
        for _ in 0..6 {
            match store.edges.take_turn("shop.example", PACE, 0, NOON, after(60_000)).await.unwrap() {
                Turn::At(start) => starts.push(start.0 - NOON.0),
                Turn::NotBefore(_) => panic!("a minute is long enough"),
            }
        }
        assert_eq!(starts, [0, 0, 0, 1_000, 2_000, 3_000]);
        // Another host has turns of its own, and a host that rests has its burst again.
        assert_eq!(store.edges.take_turn("other.example", PACE, 0, NOON, NOON).await.unwrap(), Turn::At(NOON));
        let later = after(7_500);
        for _ in 0..3 {
            assert_eq!(store.edges.take_turn("shop.example", PACE, 0, later, later).await.unwrap(), Turn::At(later));
        }
    }

    #[tokio::test]
    async fn a_turn_that_comes_too_late_is_not_taken() {
        let store = fixture().await.store;
        for _ in 0..4 {
            store.edges.take_turn("shop.example", PACE, 0, NOON, after(60_000)).await.unwrap();
        }
        let asked = || store.edges.take_turn("shop.example", PACE, 0, NOON, after(1_999));
        assert_eq!(asked().await.unwrap(), Turn::NotBefore(after(2_000)));
        assert_eq!(asked().await.unwrap(), Turn::NotBefore(after(2_000)), "asking in vain costs nobody a turn");
        let taken = store.edges.take_turn("shop.example", PACE, 0, NOON, after(2_000)).await.unwrap();
        assert_eq!(taken, Turn::At(after(2_000)));
    }

    #[tokio::test]
    async fn a_host_that_asks_for_a_pause_has_it_from_everybody_and_no_burst_afterwards() {
        let store = fixture().await.store;
        store.edges.hold_off("shop.example", PACE, after(30_000)).await.unwrap();
        store.edges.hold_off("shop.example", PACE, after(5_000)).await.unwrap();
        let early = store.edges.take_turn("shop.example", PACE, 0, NOON, after(29_999)).await.unwrap();
        assert_eq!(early, Turn::NotBefore(after(30_000)));
        for start in [30_000, 31_000] {
            let turn = store.edges.take_turn("shop.example", PACE, 0, NOON, after(60_000)).await.unwrap();
            assert_eq!(turn, Turn::At(after(start)));
        }
    }

    #[tokio::test]
    async fn callers_at_the_same_moment_get_turns_of_their_own() {
        let store = fixture().await.store;
        let one = Pace { burst: 1, ..PACE };
        let asked = (0..20).map(|_| store.edges.take_turn("shop.example", one, 0, NOON, after(60_000)));
        let mut starts: Vec<i64> = futures_util::future::join_all(asked)
            .await
            .into_iter()
            .map(|turn| match turn.unwrap() {
                Turn::At(start) => start.0 - NOON.0,
                Turn::NotBefore(_) => panic!("a minute is long enough"),
            })
            .collect();
        starts.sort_unstable();
        assert_eq!(starts, (0..20).map(|at| at * 1_000).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn who_leaves_a_part_of_the_burst_waits_for_it_and_others_find_it() {
        let store = fixture().await.store;
        let ask = |leave, at: Moment| store.edges.take_turn("shop.example", PACE, leave, at, at);
        assert_eq!(ask(2, NOON).await.unwrap(), Turn::At(NOON));
        assert_eq!(ask(2, NOON).await.unwrap(), Turn::NotBefore(after(1_000)));
        assert_eq!(ask(1, NOON).await.unwrap(), Turn::At(NOON));
        assert_eq!(ask(0, NOON).await.unwrap(), Turn::At(NOON));
        assert_eq!(ask(0, NOON).await.unwrap(), Turn::NotBefore(after(1_000)));
        // What comes back goes to who leaves the least.
        assert_eq!(ask(1, after(1_000)).await.unwrap(), Turn::NotBefore(after(2_000)));
        assert_eq!(ask(0, after(1_000)).await.unwrap(), Turn::At(after(1_000)));
        // Nobody leaves all of it.
        let one = Pace { burst: 1, ..PACE };
        assert_eq!(store.edges.take_turn("other.example", one, 9, NOON, NOON).await.unwrap(), Turn::At(NOON));
    }
}
