//! Who followed a link, as far as that may be known: written in groups, counted by day, forgotten after a while.

use std::collections::BTreeMap;
use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;
use crate::money::book::day;
use crate::records::identify;
use crate::tables::Edges;

/// Rows of one link in one day; beyond, visits are only counted.
const MOST_ROWS: i64 = 100_000;
/// How long single hits are kept; the counts of the days stay with their link.
const KEPT: Duration = Duration::from_secs(90 * 86_400);
/// How long a hit is written before it is read: by then no other node can still write one that comes before it.
pub(crate) const SETTLED: Duration = Duration::from_secs(5);
/// Rows that are taken away in one go.
const MANY: i64 = 5_000;

const COUNTED: Listed = Listed {
    before: "INSERT INTO link_day (customer, code, day, visits, probes, prefetches, agents) ",
    columns: &[Text, Text, Whole, Whole, Whole, Whole, Whole],
    after: " ON CONFLICT (customer, code, day) DO UPDATE SET visits = link_day.visits + excluded.visits, \
            probes = link_day.probes + excluded.probes, prefetches = link_day.prefetches + excluded.prefetches, \
            agents = link_day.agents + excluded.agents \
            RETURNING customer, code, day, visits + probes + prefetches + agents AS together",
};
const HITS: Listed = Listed {
    before: "INSERT INTO link_hit (customer, code, hit, at, visitor, device, signs, referrer) ",
    columns: &[Text, Text, Text, Whole, Text, Text, Whole, Text],
    after: "",
};

/// What a request showed of itself. None of it says who asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// HEAD: somebody looks where the link leads.
    pub head: bool,
    /// A browser or a proxy that fetches ahead (`Sec-Purpose`, `Purpose`).
    pub prefetch: bool,
    /// A program that says what it is.
    pub agent: bool,
    /// The headers that every browser sends are missing.
    pub bare: bool,
}

/// One request for a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Whose link.
    pub customer: CustomerId,
    /// Which link.
    pub code: String,
    /// When.
    pub at: Moment,
    /// Equal for equal visitors of one customer within one UTC day, and of no use after it.
    pub visitor: String,
    /// A coarse class of device: `desktop`, `mobile`, `tablet`, `program`, `other`.
    pub device: String,
    /// What the request showed of itself.
    pub signs: Signs,
    /// The host that the visitor came from, where the browser said so.
    pub referrer: Option<String>,
}

/// What a link was asked for in one UTC day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkDay {
    /// Days since 1970-01-01.
    pub day: i64,
    /// Requests that are none of the following.
    pub visits: u64,
    /// HEAD.
    pub probes: u64,
    /// Fetched ahead.
    pub prefetches: u64,
    /// Programs that say what they are.
    pub agents: u64,
}

impl Signs {
    fn bits(self) -> i64 {
        i64::from(self.head) | i64::from(self.prefetch) << 1 | i64::from(self.agent) << 2 | i64::from(self.bare) << 3
    }

    pub(crate) fn of_bits(bits: i64) -> Self {
        Self { head: bits & 1 != 0, prefetch: bits & 2 != 0, agent: bits & 4 != 0, bare: bits & 8 != 0 }
    }

    /// In which of the four counts of a day it stands.
    fn count(self, day: &mut LinkDay) {
        let counted = match self {
            Signs { head: true, .. } => &mut day.probes,
            Signs { prefetch: true, .. } => &mut day.prefetches,
            Signs { agent: true, .. } => &mut day.agents,
            _ => &mut day.visits,
        };
        *counted += 1;
    }
}

impl Edges {
    /// Writes hits in one commit.
    ///
    /// # Errors
    /// When the store cannot be reached; then none was written, or nobody can tell.
    pub async fn add_hits(&self, hits: Vec<Hit>) -> Result<(), StoreError> {
        // By the moment of writing, so that who reads on meets every hit, however late it was written.
        let now = self.database.clock().now();
        let ids: Vec<String> = (0u16..=u16::MAX)
            .take(hits.len())
            .map(|count| identify::make(now, count, self.database.entropy()))
            .collect();
        // One order on every node, or two could wait for each other.
        let mut days: BTreeMap<(CustomerId, String, i64), LinkDay> = BTreeMap::new();
        for hit in &hits {
            hit.signs.count(days.entry((hit.customer.clone(), hit.code.clone(), day(hit.at))).or_default());
        }
        let days: Vec<_> = days.into_iter().collect();
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let connection = tx.connection();
                    let counted = COUNTED
                        .fetch(connection, &days, |((customer, code, day), count)| {
                            (customer, code, day, count.visits, count.probes, count.prefetches, count.agents)
                        })
                        .await?;
                    let mut full = Vec::new();
                    for row in counted {
                        if row.try_get::<i64, _>("together")? > MOST_ROWS {
                            full.push((row.try_get::<String, _>("code")?, row.try_get::<i64, _>("day")?));
                        }
                    }
                    let is_kept = |hit: &Hit| !full.iter().any(|(code, of)| *code == hit.code && *of == day(hit.at));
                    let kept: Vec<_> = hits.iter().zip(&ids).filter(|(hit, _)| is_kept(hit)).collect();
                    HITS.execute(connection, &kept, |(hit, id)| {
                        let Hit { customer, code, at, visitor, device, signs, referrer } = hit;
                        (customer, code, id, at, visitor, device, signs.bits(), referrer)
                    })
                    .await?;
                    Ok::<_, StoreError>(())
                })
            })
            .await
    }

    /// The salt of a day's visitors, the same on every node; the first who asks makes it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn visit_salt(&self, now: Moment) -> Result<String, StoreError> {
        let fresh = model::token::hex(&self.database.entropy().array::<32>());
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO visit_salt (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING";
                    let insert = sqlx::query::<Any>(sql).bind(day(now)).bind(fresh);
                    insert.execute(tx.connection()).await?;
                    let query = sqlx::query::<Any>("SELECT salt FROM visit_salt WHERE day = $1").bind(day(now));
                    Ok(query.fetch_one(tx.connection()).await?.try_get(0)?)
                })
            })
            .await
    }

    /// Forgets the salts of days that are over, and old hits.
    pub(crate) async fn sweep_hits(&self, now: Moment) -> Result<(), StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let salts = sqlx::query::<Any>("DELETE FROM visit_salt WHERE day < $1").bind(day(now));
                    salts.execute(tx.connection()).await?;
                    let sql = "DELETE FROM link_hit WHERE (customer, code, hit) IN \
                           (SELECT customer, code, hit FROM link_hit WHERE at <= $1 LIMIT $2)";
                    let before = now.0 - i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
                    sqlx::query::<Any>(sql).bind(before).bind(MANY).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests;
