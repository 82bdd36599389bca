//! The checks of a page for a query, each with its points.

mod form;
mod words;

use sdk::prelude::*;

use crate::heading::{self, Under};
use crate::keyword::{Locations, Words};
use crate::live::Live;
use crate::siblings::Row;

/// What a check looks at.
#[value]
pub(crate) enum Group {
    Placement,
    Coverage,
    Length,
    Structure,
    Links,
    Media,
    Readability,
    Snippet,
    Access,
}

/// One check with its outcome.
pub(crate) struct Check {
    pub(crate) id: &'static str,
    pub(crate) group: Group,
    pub(crate) points: u32,
    /// Points kept, at most `points`.
    pub(crate) kept: u32,
    pub(crate) found: String,
    pub(crate) fix: &'static str,
    /// The operation that helps with it; it takes the page as `url`.
    pub(crate) operation: &'static str,
}

/// What the checks look at.
pub(crate) struct Ground<'a> {
    page: &'a Live,
    pub(crate) phrase: Vec<String>,
    words: Words,
    at: Locations,
    sections: Vec<Under>,
    flesch: f64,
    siblings: Option<&'a [Row]>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(page: &'a Live, keyword: &str, language: &str, siblings: Option<&'a [Row]>) -> Self {
        let words = Words::of(page, language);
        let phrase = words.phrase(keyword);
        let at = words.locations(page, &phrase);
        let flesch = kit::readability::count(&page.text(), language).flesch(language);
        Self { page, at, phrase, sections: heading::sections(page), flesch, siblings, words }
    }

    /// The share of the phrase's words that a text holds, in any inflection.
    fn share(&self, text: &str) -> f64 {
        let stems = self.words.phrase(text);
        let held = self.phrase.iter().filter(|it| stems.contains(it)).count();
        #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
        let share = held as f64 / self.phrase.len().max(1) as f64;
        share
    }
}

/// All of it when `good`, else nothing.
fn all(points: u32, good: bool) -> u32 {
    if good { points } else { 0 }
}

/// A share of the points, from 0 to 1.
fn part(points: u32, share: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to `points`")]
    let kept = (f64::from(points) * share.clamp(0.0, 1.0)).round() as u32;
    kept
}

/// All points for the whole phrase, a share for some of its words.
fn phrase(points: u32, times: u32, share: f64) -> u32 {
    if times > 0 { points } else { part(points, share * 0.7) }
}

type Outcome = (u32, String);

/// Operations that help with several checks.
const TITLES: &str = "onpage.title.suggest";
const DESCRIPTIONS: &str = "onpage.description.suggest";
const OUTLINE: &str = "onpage.heading.outline";
const AUDIT: &str = "audit.page.check";
const LINKS: &str = "onpage.link.check";
const IMAGES: &str = "onpage.image.check";

/// A check: its id, group, points, function, fix and operation.
struct Rule(&'static str, Group, u32, fn(&Ground<'_>, u32) -> Outcome, &'static str, &'static str);

fn times(count: u32) -> String {
    format!("{count} times")
}

/// Runs all checks.
pub(crate) fn run(ground: &Ground<'_>) -> Vec<Check> {
    let check = |Rule(id, group, points, judge, fix, operation): &Rule| {
        let (kept, found) = judge(ground, *points);
        Check { id, group: *group, points: *points, kept, found, fix, operation }
    };
    words::RULES.iter().chain(form::RULES).map(check).collect()
}
