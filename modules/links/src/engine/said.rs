//! What a text says of the names of pages, and whether it is about one.

use std::collections::HashMap;

use kit::phrases::{Code, Phrases};

use crate::usage::{Profile, Usage};

/// A text of so many words says more than once what it is about.
const LONG: usize = 300;
/// Words in which a text says what it is about at least once.
const OFTEN: usize = 1_000;

/// What a text says.
#[derive(Default)]
pub(super) struct Said {
    pub(super) about: Profile,
    pub(super) words: usize,
    /// How often it says each phrase that names a page.
    pub(super) says: HashMap<u64, usize>,
}

impl Said {
    pub(super) fn of(words: &[Code], phrases: &Phrases, usage: &Usage) -> Self {
        let mut says: HashMap<u64, usize> = HashMap::new();
        phrases.spoken(words).for_each(|phrase| *says.entry(phrase).or_default() += 1);
        Self { about: usage.profile(words), words: words.len(), says }
    }

    fn times(&self, phrase: u64) -> usize {
        self.says.get(&phrase).copied().unwrap_or(0)
    }

    /// Whether this is the text of a page that is about what a phrase says, which another text says in passing.
    pub(super) fn is_about(&self, phrase: u64, other: &Self) -> bool {
        // It is called so, even where its text does not say it.
        let (here, there) = (self.times(phrase).max(1), other.times(phrase));
        let enough = self.words < LONG || (here > 1 && here * OFTEN >= self.words);
        enough && here * other.words.max(LONG) >= there * self.words.max(LONG)
    }
}
