//! A misspelt word of a goal: the known stem that differs by one slip, or by two when it is long.

use std::collections::HashSet;

use super::{thesaurus, verbs, words};

/// Stems shorter than this are taken as they are.
const FROM: usize = 4;
/// From this length on two slips are forgiven.
const LONG: usize = 8;

/// Endings that a slip within a word keeps its stemmer from seeing.
const ENDINGS: [&str; 8] = ["ings", "ing", "ers", "er", "ed", "es", "s", "ly"];

/// A word of a goal.
#[derive(Debug)]
pub(super) struct Word {
    /// As it is written, in lower case.
    pub(super) written: String,
    /// Its own stem.
    pub(super) stem: String,
    /// The stem of what was probably meant: its own unless it is misspelt.
    pub(super) meant: String,
    /// Whether it says nothing about a goal.
    pub(super) stops: bool,
}

impl Word {
    /// Whether another word was meant.
    pub(super) fn is_misspelt(&self) -> bool {
        self.meant != self.stem
    }
}

/// The words of a goal. `known` are the stems of the contracts.
pub(super) fn read(query: &str, known: &HashSet<String>) -> Vec<Word> {
    words::split(query)
        .map(|written| {
            let (stem, stops) = (words::stem(&written), words::stops(&written));
            let is_known = stops || known.contains(&stem) || thesaurus::knows(&stem) || verbs::knows(&stem);
            let near = if is_known { None } else { meant(&written, &stem, known) };
            let stops = stops || near.as_ref().is_some_and(|near| words::stops(near));
            Word { meant: near.unwrap_or_else(|| stem.clone()), written, stem, stops }
        })
        .collect()
}

/// What a word was probably meant as: a word of the contracts before one of the thesaurus, and that before a small word. What
/// it is without its ending is only looked for where its stem is near to nothing.
fn meant(written: &str, stem: &str, known: &HashSet<String>) -> Option<String> {
    let near = |form: &str| {
        let of_contracts = nearest_of(form, &mut known.iter().map(String::as_str));
        let of_others = nearest_of(form, &mut thesaurus::words().chain(verbs::words()));
        [of_contracts, of_others]
            .into_iter()
            .flatten()
            .min_by_key(|it| it.0)
            .map(|(slips, word)| (slips, word.to_owned()))
    };
    let cut = || ENDINGS.iter().find_map(|ending| near(written.strip_suffix(ending)?));
    let found = near(stem).or_else(cut);
    let small = nearest_of(written, &mut words::stop_words()).filter(|it| it.0 == 1).map(|it| (1, it.1.to_owned()));
    [found, small].into_iter().flatten().min_by_key(|it| it.0).map(|it| it.1)
}

/// The nearest known stem; of equally near ones the first by the alphabet. None when none is near.
#[cfg(test)]
pub(super) fn nearest<'a>(stem: &str, known: &'a HashSet<String>) -> Option<&'a str> {
    nearest_of(stem, &mut known.iter().map(String::as_str)).map(|it| it.1)
}

/// The nearest word to a form of one, and how many slips away it is.
fn nearest_of<'a>(form: &str, words: &mut dyn Iterator<Item = &'a str>) -> Option<(usize, &'a str)> {
    let length = form.chars().count();
    if length < FROM || form.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if length >= LONG { 2 } else { 1 };
    let near = |other: &'a str| {
        let may_be = other.len() >= FROM && other.len().abs_diff(form.len()) <= most && begins_alike(form, other);
        if !may_be {
            return None;
        }
        Some(slips(form, other)).filter(|slips| *slips <= most).map(|slips| (slips, other))
    };
    words.filter_map(near).min()
}

/// Whether two words begin with the same letter, but for one that is left out or has changed places with the next. Of other
/// words that differ in the first letter, few mean each other.
fn begins_alike(a: &str, b: &str) -> bool {
    let (mut x, mut y) = (a.chars(), b.chars());
    let (x, y) = ((x.next(), x.next()), (y.next(), y.next()));
    x.0 == y.0 || (x.0 == y.1 && x.1 == y.0) || a.get(1..) == Some(b) || b.get(1..) == Some(a)
}

/// Letters left out, put in, changed, or two neighbours that changed places: the optimal string alignment distance.
fn slips(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = row[j] + usize::from(x != *y);
            next[j + 1] = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(*y) && b[j - 1] == x {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row[b.len()]
}
