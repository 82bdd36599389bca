//! Proves the trail against its checkpoints, the checkpoints against their signatures, and both against the notes
//! that were kept elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use model::clock::Moment;
use model::id::CustomerId;
use model::note::NoteVerifier;
use serde::Serialize;
use sqlx::{Any, Row as _};

use super::statement::{self, Notes, Statement};
use super::{Leaf, root};
use crate::StoreError;
use crate::tables::Trail;
use crate::trail::{Break, START};

/// Something in the trail that nobody wrote there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Which checkpoint shows it, or is it.
    pub checkpoint: Option<u64>,
    /// Whose chain.
    pub customer: Option<CustomerId>,
    /// The first line that is wrong.
    pub seq: Option<u64>,
    /// What is wrong.
    pub what: &'static str,
}

/// What a verification has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrailReport {
    /// Chains with an end on record.
    pub chains: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// None is the only good answer.
    pub damage: Vec<Damage>,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(customer) = &self.customer {
            write!(f, "customer {customer} ")?;
        }
        if let Some(seq) = self.seq {
            write!(f, "seq {seq} ")?;
        }
        if let Some(checkpoint) = self.checkpoint {
            write!(f, "checkpoint {checkpoint} ")?;
        }
        write!(f, "{}", self.what)
    }
}

impl From<Break> for Damage {
    fn from(broken: Break) -> Self {
        Self { checkpoint: None, customer: Some(broken.customer), seq: Some(broken.seq), what: broken.what }
    }
}

/// What is read of the checkpoints, one after the other.
struct Walk {
    ends: BTreeMap<CustomerId, Leaf>,
    notes: BTreeMap<u64, String>,
    /// The hash of the last note; none: it is missing.
    previous: Option<String>,
    /// Whether the last root was wrong: what is wrong with one leaf shows in all that follow.
    astray: bool,
    damage: Vec<Damage>,
}

impl Trail {
    /// Verifies every chain, every checkpoint, and the notes that were kept elsewhere (none: there are none to compare).
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn verify_trail(&self, verifier: &NoteVerifier, kept: Option<&Notes>) -> Result<TrailReport, StoreError> {
        // Checkpoints first: chains only grow, so what they hold must be there afterwards.
        let mut walk = self.walk_checkpoints(verifier).await?;
        let sql = "SELECT l.checkpoint, l.customer, l.seq, a.hash FROM checkpoint_leaf l LEFT JOIN audit a \
                   ON a.customer = l.customer AND a.seq = l.seq WHERE a.hash IS NULL OR a.hash <> l.hash \
                   ORDER BY l.customer, l.seq, l.checkpoint";
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(sql)).await? {
            let customer = CustomerId::from(row.try_get::<String, _>("customer")?);
            if walk.damage.iter().any(|damage| damage.customer.as_ref() == Some(&customer)) {
                continue;
            }
            walk.damage.push(Damage {
                checkpoint: Some(row.try_get::<i64, _>("checkpoint")?.unsigned_abs()),
                customer: Some(customer),
                seq: Some(row.try_get::<i64, _>("seq")?.unsigned_abs()),
                what: match row.try_get::<Option<String>, _>("hash")? {
                    None => "a line is missing that a checkpoint holds",
                    Some(_) => "the line is not the one that a checkpoint holds",
                },
            });
        }
        walk.damage.extend(self.verify_audit().await?.into_iter().map(Damage::from));
        let orphans = "SELECT DISTINCT l.checkpoint FROM checkpoint_leaf l \
                       WHERE NOT EXISTS (SELECT 1 FROM checkpoint c WHERE c.number = l.checkpoint)";
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(orphans)).await? {
            walk.add(row.try_get::<i64, _>(0)?.unsigned_abs(), MISSING);
        }
        if let Some(kept) = kept {
            walk.compare(kept);
        }
        let chains = self.database.reader().fetch_one(sqlx::query::<Any>("SELECT COUNT(*) FROM audit_head")).await?;
        Ok(TrailReport {
            chains: chains.try_get::<i64, _>(0)?.unsigned_abs(),
            checkpoints: walk.notes.len() as u64,
            damage: walk.damage,
        })
    }

    async fn walk_checkpoints(&self, verifier: &NoteVerifier) -> Result<Walk, StoreError> {
        let sql = "SELECT number, at, heads, root, previous, note FROM checkpoint WHERE number > $1 ORDER BY number LIMIT 1000";
        let mut walk = Walk {
            ends: BTreeMap::new(),
            notes: BTreeMap::new(),
            previous: Some(START.to_owned()),
            astray: false,
            damage: Vec::new(),
        };
        let mut last = 0;
        loop {
            let rows = self.database.reader().fetch_at_length(sqlx::query::<Any>(sql).bind(last)).await?;
            if rows.is_empty() {
                return Ok(walk);
            }
            for row in rows {
                let statement = Statement {
                    number: row.try_get("number")?,
                    at: Moment(row.try_get("at")?),
                    heads: row.try_get("heads")?,
                    root: row.try_get("root")?,
                    previous: row.try_get("previous")?,
                };
                for missing in last + 1..statement.number {
                    walk.add(missing.unsigned_abs(), MISSING);
                    walk.previous = None;
                }
                last = statement.number;
                self.take_leaves(last, &mut walk.ends).await?;
                walk.check(verifier, &statement, row.try_get("note")?);
            }
        }
    }

    async fn take_leaves(&self, checkpoint: i64, ends: &mut BTreeMap<CustomerId, Leaf>) -> Result<(), StoreError> {
        let sql = "SELECT customer, seq, hash FROM checkpoint_leaf WHERE checkpoint = $1";
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(sql).bind(checkpoint)).await? {
            let leaf = Leaf { seq: row.try_get("seq")?, hash: row.try_get("hash")? };
            ends.insert(CustomerId::from(row.try_get::<String, _>("customer")?), leaf);
        }
        Ok(())
    }
}

const MISSING: &str = "the checkpoint is missing";

impl Walk {
    fn add(&mut self, checkpoint: u64, what: &'static str) {
        let damage = Damage { checkpoint: Some(checkpoint), customer: None, seq: None, what };
        if !self.damage.contains(&damage) {
            self.damage.push(damage);
        }
    }

    fn check(&mut self, verifier: &NoteVerifier, statement: &Statement, note: String) {
        let number = statement.number.unsigned_abs();
        match verifier.open(&note) {
            None => self.add(number, "the signature is not by this key, or the note was changed"),
            Some(text) if text != statement.text() => self.add(number, "the row is not what was signed"),
            Some(_) => {}
        }
        if self.previous.as_ref().is_some_and(|previous| *previous != statement.previous) {
            self.add(number, "it does not follow from the one before");
        }
        let astray = root(&self.ends) != statement.root;
        if astray && !self.astray {
            self.add(number, "its leaves are not what was signed");
        }
        self.astray = astray;
        self.previous = Some(statement::hash(&note));
        self.notes.insert(number, note);
    }

    /// Whoever changed the table could not reach the file, and the other way round.
    fn compare(&mut self, kept: &Notes) {
        let mut seen = BTreeSet::new();
        for (number, note) in kept.iter() {
            match number.and_then(|number| self.notes.get(&number)) {
                Some(stored) if stored == note => seen.extend(number),
                // A host that died while it wrote leaves the beginning of a note, and writes it again.
                Some(stored) if stored.starts_with(note.trim_end()) => {}
                Some(_) => self.add(number.unwrap_or(0), "it is not what the file of notes holds"),
                None => self.add(number.unwrap_or(0), "the file of notes holds it, the database does not"),
            }
        }
        // The newest is written there a moment after its commit.
        let newest = self.notes.keys().next_back().copied();
        let absent: Vec<u64> =
            self.notes.keys().copied().filter(|number| !seen.contains(number) && Some(*number) != newest).collect();
        for number in absent {
            self.add(number, "the file of notes does not hold it");
        }
    }
}
