//! Which page of a new website takes the place of each page of an old one.
//!
//! Four stages, of which each takes only what the ones before have left: the same path in another spelling; the same last
//! part, or the same number, that no other page of either side has; and the likeness of path, name and text. What the last
//! stage finds gets a confidence from its score and from how far the second best is behind, by a logistic curve that was
//! fitted once on generated migrations (`migration/tests/fit.rs`).

mod score;

use std::collections::HashMap;

use crate::sketch::Sketch;
use crate::url::naming::{folded, last, numbers};
use crate::url::path_and_query;

pub use score::Parts;
use score::Scores;

/// Hashes of a text's sample that are compared.
pub const SAMPLE: usize = 128;
/// How sure the first three stages are.
const SURE: [f64; 3] = [1.0, 0.97, 0.95];
/// A last part of fewer letters, or of one word, names too little.
const LETTERS: usize = 8;
/// Digits of a number that stands for a page by itself; one of fewer must share a word of the name or path.
const DIGITS: usize = 6;

/// A page of either side, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its address, normalised.
    pub url: String,
    /// Its title and first heading; empty when nobody knows.
    pub name: String,
    /// The language that it declares, as ISO 639-1.
    pub language: Option<String>,
    /// A sample of its text of [`SAMPLE`] hashes; none when nobody knows.
    pub sketch: Option<Sketch>,
}

/// What says that a page takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The same path in another spelling.
    Path,
    /// The same last part of the path.
    LastPart,
    /// The same number in the address.
    Number,
    /// The likeness of path, name and text.
    Likeness,
}

/// The page that most likely takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Its number on the new side.
    pub page: u32,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// What says so.
    pub how: How,
    /// What of the two pages is alike.
    pub parts: Parts,
    /// The best score, and how far it is ahead of the second best; of the last stage alone.
    pub lead: Option<(f64, f64)>,
}

/// Two sides, ready to be held against each other.
#[derive(Debug)]
pub struct Migration<'a> {
    old: &'a [Page],
    by_address: HashMap<String, u32>,
    by_path: HashMap<String, u32>,
    by_last: HashMap<String, Only>,
    by_number: HashMap<String, Only>,
    scores: Scores<'a>,
}

/// Who has a name: one page, or several.
#[derive(Debug, Clone, Copy, Default)]
struct Only {
    old: u32,
    new: Option<u32>,
    several: bool,
}

impl<'a> Migration<'a> {
    /// Compares every page of the old side with all of the new one.
    #[must_use]
    pub fn new(old: &'a [Page], new: &'a [Page]) -> Self {
        let (mut by_address, mut by_path) = (HashMap::with_capacity(new.len()), HashMap::with_capacity(new.len()));
        let (mut by_last, mut by_number) = (HashMap::<String, Only>::new(), HashMap::<String, Only>::new());
        for (at, page) in (0_u32..).zip(new) {
            by_address.entry(path_and_query(&page.url).to_owned()).or_insert(at);
            by_path.entry(folded(&page.url)).or_insert(at);
            let note = |only: &mut Only| only.several |= only.new.replace(at).is_some();
            note(by_last.entry(last(&page.url)).or_default());
            numbers(&page.url).into_iter().for_each(|number| note(by_number.entry(number).or_default()));
        }
        for page in old {
            let note = |only: Option<&mut Only>| only.map_or((), |it| it.old += 1);
            note(by_last.get_mut(&last(&page.url)));
            numbers(&page.url).iter().for_each(|number| note(by_number.get_mut(number)));
        }
        Self { old, by_address, by_path, by_last, by_number, scores: Scores::new(old, new) }
    }

    /// The page that takes the place of the old one with that number; none when no page has anything in common with it.
    #[must_use]
    pub fn target(&self, old: usize) -> Option<Match> {
        let page = &self.old[old];
        let found = |at: u32, stage: usize, how: How| {
            let parts = self.scores.parts(old, at);
            Match { page: at, confidence: SURE[stage], how, parts, lead: None }
        };
        if let Some(at) = self.same_path(&page.url) {
            return Some(found(at, 0, How::Path));
        }
        let name = last(&page.url);
        let tells = name.contains('-') || name.chars().count() >= LETTERS;
        let by_last = self.by_last.get(&name).filter(|_| tells).and_then(only);
        // Pages of the same last part may still be of different things: /products/overview and /company/overview.
        if let Some(at) = by_last.filter(|at| self.scores.agree(old, *at)) {
            return Some(found(at, 1, How::LastPart));
        }
        for number in numbers(&page.url) {
            let Some(at) = self.by_number.get(&number).and_then(only) else { continue };
            let alone = number.len() >= DIGITS || number.bytes().any(|it| !it.is_ascii_digit());
            if self.scores.agree(old, at) && (alone || self.scores.share(old, at)) {
                return Some(found(at, 2, How::Number));
            }
        }
        self.scores.best(old)
    }

    /// The page of the new side that stands for a folder above an old page: the nearest one that is there, never the home page.
    #[must_use]
    pub fn folder(&self, url: &str) -> Option<u32> {
        let path = path_and_query(url);
        let mut path = path.split('?').next().unwrap_or_default().trim_end_matches('/').to_owned();
        while let Some((above, _)) = path.rsplit_once('/').filter(|(above, _)| !above.is_empty()) {
            if let Some(at) = self.same_path(&format!("https://old.example{above}")) {
                return Some(at);
            }
            path = above.to_owned();
        }
        None
    }

    /// The page of the new side with the path of an old address: in the same spelling, or in the first of others.
    fn same_path(&self, url: &str) -> Option<u32> {
        self.by_address.get(path_and_query(url)).or_else(|| self.by_path.get(&folded(url))).copied()
    }
}

fn only(only: &Only) -> Option<u32> {
    only.new.filter(|_| !only.several && only.old == 1)
}

#[cfg(test)]
mod tests;
