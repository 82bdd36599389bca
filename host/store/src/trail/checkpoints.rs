//! Checkpoints of the audit trail: what every chain came to at a moment, signed by a key that is not in the database.
//!
//! A chain alone proves what stands before its end; whoever can write to the database can take the end away, or
//! write another chain. A checkpoint holds each end, so both show.

mod statement;
mod verify;

use std::collections::BTreeMap;

use model::clock::Moment;
use model::id::CustomerId;
use model::merkle::{self, Hash};
use model::note::NoteSigner;
use sqlx::{Any, Row as _};

pub use statement::Notes;
pub use verify::{Damage, TrailReport};

use crate::StoreError;
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;
use crate::database::writer::Tx;
use crate::tables::Trail;
use crate::trail::{Break, START};
use statement::Statement;

const LEAVES: Listed = Listed {
    before: "INSERT INTO checkpoint_leaf (customer, checkpoint, seq, hash) ",
    columns: &[Text, Whole, Whole, Text],
    after: "",
};
const HEADS: Listed = Listed {
    before: "INSERT INTO checkpoint_head (customer, seq, hash) ",
    columns: &[Text, Whole, Text],
    after: " ON CONFLICT (customer) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
};

/// The end of a chain, as a checkpoint holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    seq: i64,
    hash: String,
}

/// What came of making a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpointed {
    /// Its number. None: no chain has grown, or another node was first.
    pub number: Option<u64>,
    /// Chains that are shorter than, or differ from, what an earlier checkpoint holds. It goes on holding that.
    pub breaks: Vec<Break>,
}

impl Trail {
    /// Signs what every chain has come to, if any has grown.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn checkpoint(&self, signer: &NoteSigner, now: Moment) -> Result<Checkpointed, StoreError> {
        // Before the ends: a checkpoint that comes in between takes the number away from this one.
        let last = sqlx::query::<Any>("SELECT number, note FROM checkpoint ORDER BY number DESC LIMIT 1");
        let (number, previous) = match self.database.reader().fetch_optional(last).await? {
            None => (1, START.to_owned()),
            Some(row) => (row.try_get::<i64, _>(0)? + 1, statement::hash(&row.try_get::<String, _>(1)?)),
        };
        let ends = self.ends().await?;
        if ends.moved.is_empty() {
            return Ok(Checkpointed { number: None, breaks: ends.breaks });
        }
        let statement = Statement { number, at: now, heads: ends.all.len() as i64, root: root(&ends.all), previous };
        let note = signer.sign(&statement.text());
        let moved = ends.moved;
        let made =
            self.database.write_patiently(move |tx| Box::pin(async move { keep(tx, &statement, &note, &moved).await }));
        Ok(Checkpointed { number: made.await?.then_some(number.unsigned_abs()), breaks: ends.breaks })
    }

    /// The number of the newest checkpoint.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn last_checkpoint(&self) -> Result<Option<u64>, StoreError> {
        let last = sqlx::query::<Any>("SELECT MAX(number) FROM checkpoint");
        Ok(self.database.reader().fetch_one(last).await?.try_get::<Option<i64>, _>(0)?.map(i64::unsigned_abs))
    }

    /// Some signed notes after this number, in their order.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn checkpoint_notes(&self, after: u64) -> Result<Vec<(u64, String)>, StoreError> {
        let sql = "SELECT number, note FROM checkpoint WHERE number > $1 ORDER BY number LIMIT 500";
        let query = sqlx::query::<Any>(sql).bind(i64::try_from(after).unwrap_or(i64::MAX));
        let rows = self.database.reader().fetch_all(query).await?;
        rows.iter().map(|row| Ok((row.try_get::<i64, _>(0)?.unsigned_abs(), row.try_get(1)?))).collect()
    }

    async fn ends(&self) -> Result<Ends, StoreError> {
        let sql = "SELECT COALESCE(h.customer, k.customer) AS customer, h.seq AS seq, h.hash AS hash, \
                   k.seq AS known, k.hash AS known_hash \
                   FROM audit_head h FULL JOIN checkpoint_head k ON k.customer = h.customer";
        let mut ends = Ends::default();
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(sql)).await? {
            let customer = CustomerId::from(row.try_get::<String, _>("customer")?);
            let leaf = |seq: Option<i64>, hash: Option<String>| seq.zip(hash).map(|(seq, hash)| Leaf { seq, hash });
            let head = leaf(row.try_get("seq")?, row.try_get("hash")?);
            let known = leaf(row.try_get("known")?, row.try_get("known_hash")?);
            ends.add(customer, head, known);
        }
        Ok(ends)
    }
}

/// Where the chains end.
#[derive(Default)]
struct Ends {
    all: BTreeMap<CustomerId, Leaf>,
    moved: Vec<(CustomerId, Leaf)>,
    breaks: Vec<Break>,
}

impl Ends {
    /// What was sworn once is never taken back: of a chain that went back the known end still counts.
    fn add(&mut self, customer: CustomerId, head: Option<Leaf>, known: Option<Leaf>) {
        match (head, known) {
            (Some(head), known) if known.as_ref().is_none_or(|known| known.seq < head.seq) => {
                self.moved.push((customer.clone(), head.clone()));
                self.all.insert(customer, head);
            }
            (head, Some(known)) => {
                if head.as_ref() != Some(&known) {
                    let seq = head.map_or(1, |head| if head.seq < known.seq { head.seq + 1 } else { head.seq });
                    let what = "the chain is not what a checkpoint holds";
                    self.breaks.push(Break { customer: customer.clone(), seq: seq.unsigned_abs(), what });
                }
                self.all.insert(customer, known);
            }
            (_, None) => {}
        }
    }
}

/// Commits a checkpoint. False: another node has made the one of this number.
async fn keep(
    tx: &mut Tx,
    statement: &Statement,
    note: &str,
    moved: &[(CustomerId, Leaf)],
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO checkpoint (number, at, heads, root, previous, note) VALUES ($1, $2, $3, $4, $5, $6) \
               ON CONFLICT (number) DO NOTHING";
    let Statement { number, at, heads, root, previous } = statement;
    let query = sqlx::query::<Any>(sql).bind(number).bind(at.0).bind(heads).bind(root).bind(previous).bind(note);
    if query.execute(tx.connection()).await?.rows_affected() == 0 {
        return Ok(false);
    }
    LEAVES.execute(tx.connection(), moved, |(customer, leaf)| (customer, number, leaf.seq, &leaf.hash)).await?;
    HEADS.execute(tx.connection(), moved, |(customer, leaf)| (customer, leaf.seq, &leaf.hash)).await?;
    Ok(true)
}

/// The root over the ends, in hex.
fn root(ends: &BTreeMap<CustomerId, Leaf>) -> String {
    let leaves: Vec<Hash> = ends.iter().map(|(customer, leaf)| hashed(customer, leaf)).collect();
    model::token::hex(&merkle::root(&leaves))
}

/// Read from its end it has one reading, whatever a customer is called.
fn hashed(customer: &CustomerId, leaf: &Leaf) -> Hash {
    merkle::leaf(format!("{customer}\n{}\n{}", leaf.seq, leaf.hash).as_bytes())
}

#[cfg(test)]
mod tests;
