//! What the database has said of bearer tokens and single records, kept while nobody has written since.
//!
//! Whoever asks gets the answer that the database would give now, or is sent there. This process knows what its own one
//! writer commits; a commit of anybody else shows in the database's own count of changes, which is looked at with every
//! answer. So what is revoked or changed, wherever and by whomever, counts from the next question on.
//!
//! Only where all writing of this process goes through one connection to a file that shows its count: SQLite. On
//! PostgreSQL nothing is kept.

mod changes;
mod kept;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use model::clock::Moment;
use model::token::SecretHash;

use changes::Changes;
use kept::Kept;

use crate::identity::tokens::StoredToken;
use crate::records::{Row, RowKey};

/// Bytes of tokens and of records that are kept, each.
const MOST: usize = 16 << 20;
/// About what a token takes.
const TOKEN: usize = 1 << 10;

/// Answers that still hold.
#[derive(Default)]
pub(crate) struct Seen(Option<(Changes, Mutex<State>)>);

struct State {
    /// The database's count of changes as long as nobody else writes; a commit of this process that is on its way may
    /// have added one. None: nobody can tell, and nothing is given.
    ours: Option<Span>,
    /// Moves whenever an answer that is on its way may be another one by now.
    turn: u64,
    /// Nothing is given or kept any more.
    ended: bool,
    /// Answers are not kept while a commit that may change them is on its way.
    closing: bool,
    bearers: Kept<SecretHash, StoredToken>,
    rows: Kept<RowKey, Row>,
}

/// What the count may be.
#[derive(Clone, Copy)]
struct Span {
    from: u32,
    to: u32,
}

/// When a question was asked, as far as its answer may be kept.
#[derive(Clone, Copy)]
pub(crate) struct Asked(u64);

/// What a transaction changes of what is kept here.
#[derive(Default)]
pub(crate) struct Touched {
    /// Any of it.
    pub(crate) all: bool,
    /// Whether something is written for certain, so that the count moves.
    pub(crate) writes: bool,
    /// These records, as they are afterwards.
    pub(crate) rows: Vec<(RowKey, Option<Row>)>,
}

impl Seen {
    /// Keeps answers of the database in this file. Its writer is connected already.
    pub(crate) fn of(file: Option<&Path>) -> Self {
        let state = || State {
            ours: None,
            turn: 0,
            ended: false,
            closing: false,
            bearers: Kept::new(MOST),
            rows: Kept::new(MOST),
        };
        Self(file.and_then(Changes::of).map(|changes| (changes, Mutex::new(state()))))
    }

    /// The token with this hash, if it is known and the database still says so.
    pub(crate) fn bearer(&self, hash: &SecretHash, now: Moment) -> Option<StoredToken> {
        self.current()?.bearers.get(hash).map(|token| token.at(now))
    }

    /// The record, if it is known and the database still has it so.
    pub(crate) fn row(&self, key: &RowKey) -> Option<Row> {
        self.current()?.rows.get(key)
    }

    /// Before a question whose answer is to be kept.
    pub(crate) fn ask(&self) -> Option<Asked> {
        self.0.as_ref().map(|(_, state)| Asked(lock(state).turn))
    }

    /// Keeps a token as the database gave it.
    pub(crate) fn keep_bearer(&self, asked: Option<Asked>, hash: SecretHash, token: &StoredToken) {
        if let Some(mut state) = self.unchanged(asked) {
            state.bearers.put(hash, token.clone(), TOKEN);
        }
    }

    /// Keeps a record as the database gave it.
    pub(crate) fn keep_row(&self, asked: Option<Asked>, key: RowKey, row: &Row) {
        if let Some(mut state) = self.unchanged(asked) {
            state.rows.put(key, row.clone(), weight(row));
        }
    }

    /// A transaction of this process has begun, so that nobody else writes until it ends.
    pub(crate) fn opened(&self) {
        let Some((changes, state)) = &self.0 else { return };
        let (count, mut state) = (changes.count(), lock(state));
        if state.ours.map(|ours| ours.to) != count {
            state.forget();
        }
        state.ours = count.map(Span::at);
    }

    /// It is about to be committed.
    pub(crate) fn closing(&self, touched: &Touched) {
        let Some((_, state)) = &self.0 else { return };
        let mut state = lock(state);
        if touched.all {
            state.forget();
        }
        if !touched.rows.is_empty() {
            state.turn += 1;
            touched.rows.iter().for_each(|(key, _)| state.rows.remove(key));
        }
        state.closing = touched.all || !touched.rows.is_empty();
        // A transaction that has written nothing does not move the count, and then one more is somebody else's.
        if let Some(ours) = state.ours.as_mut().filter(|_| touched.writes && !touched.all) {
            ours.to = ours.from.wrapping_add(1);
        }
    }

    /// It is committed.
    pub(crate) fn closed(&self, touched: Touched) {
        let Some((changes, state)) = &self.0 else { return };
        let (count, mut state) = (changes.count(), lock(state));
        if touched.all || state.ours.map(|ours| ours.to) != count {
            state.forget();
        } else if state.closing {
            state.turn += 1;
            for (key, row) in touched.rows {
                if let Some(row) = row {
                    let weight = weight(&row);
                    state.rows.put(key, row, weight);
                }
            }
        }
        state.ours = count.map(Span::at);
        state.closing = false;
    }

    /// Nobody knows what has become of it.
    pub(crate) fn forget(&self) {
        let Some((_, state)) = &self.0 else { return };
        let mut state = lock(state);
        state.forget();
        state.ours = None;
        state.closing = false;
    }

    /// The writer has lost its connection. SQLite removes the file with the count when the last connection closes, and the
    /// one that is read here could be of the past; so from now on everything is asked again, until the next start.
    pub(crate) fn end(&self) {
        let Some((_, state)) = &self.0 else { return };
        let mut state = lock(state);
        state.forget();
        state.ended = true;
    }

    /// The state, if nobody else has written.
    fn current(&self) -> Option<MutexGuard<'_, State>> {
        let (changes, state) = self.0.as_ref()?;
        let (state, count) = (lock(state), changes.count()?);
        let ours = state.ours.filter(|_| !state.ended)?;
        (count == ours.from || count == ours.to).then_some(state)
    }

    /// The state, if what was asked then is still so.
    fn unchanged(&self, asked: Option<Asked>) -> Option<MutexGuard<'_, State>> {
        let Asked(turn) = asked?;
        self.current().filter(|state| state.turn == turn && !state.closing)
    }
}

impl State {
    fn forget(&mut self) {
        self.turn += 1;
        self.bearers.clear();
        self.rows.clear();
    }
}

impl Span {
    fn at(count: u32) -> Self {
        Self { from: count, to: count }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn weight(row: &Row) -> usize {
    row.body.len() + row.id.len() + 256
}

#[cfg(test)]
mod tests;
