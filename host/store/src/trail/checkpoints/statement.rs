//! What a checkpoint says, as text, and the notes of a second place that nobody can reach through the database.

use model::clock::Moment;
use model::note::NoteVerifier;
use model::token::hex;
use sha2::{Digest as _, Sha256};

/// The first line of every checkpoint.
const TITLE: &str = "espalier audit checkpoint\n";

/// What is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) number: i64,
    pub(super) at: Moment,
    pub(super) heads: i64,
    pub(super) root: String,
    pub(super) previous: String,
}

impl Statement {
    /// For a person and for a program.
    pub(super) fn text(&self) -> String {
        let Self { number, at, heads, root, previous } = self;
        let day = at.rfc3339();
        format!("{TITLE}number {number}\nat {} {day}\nheads {heads}\nroot {root}\nprevious {previous}\n", at.0)
    }
}

/// The hash by which the next checkpoint names this note: text and signature.
pub(super) fn hash(note: &str) -> String {
    hex(&Sha256::digest(note.as_bytes()))
}

/// Notes as a file keeps them, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<(Option<u64>, String)>);

impl Notes {
    /// Reads what [`Notes::entry`] wrote.
    pub fn read(text: &str) -> Self {
        let notes = text.split(TITLE).skip(1).map(|rest| {
            let note = format!("{TITLE}{}\n", rest.trim_end());
            let number = rest.lines().next().and_then(|line| line.strip_prefix("number ")?.parse().ok());
            (number, note)
        });
        Self(notes.collect())
    }

    /// A note as it is written to the end of the file.
    pub fn entry(note: &str) -> String {
        format!("{note}\n")
    }

    /// The greatest number of a note with a good signature. What a host began to write before it died has none.
    pub fn last_whole(&self, verifier: &NoteVerifier) -> Option<u64> {
        self.0.iter().filter(|(_, note)| verifier.open(note).is_some()).filter_map(|(number, _)| *number).max()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Option<u64>, &str)> {
        self.0.iter().map(|(number, note)| (*number, note.as_str()))
    }
}
