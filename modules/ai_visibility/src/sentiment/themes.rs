//! What clauses praise and blame: words and pairs of words that several answers have in common.

use std::collections::{BTreeMap, BTreeSet};

use kit::terms::Analyzer;
use sdk::prelude::*;

use super::{Tone, tone_of};
use crate::brand::Brand;
use crate::brand::folded::fold;
use crate::stored::Answer;

/// Answers that a theme stands in at least.
const LEAST: usize = 3;
/// Themes and quotes that are told, and characters of a quote.
const THEMES: usize = 20;
const QUOTES: usize = 3;
const QUOTE: usize = 200;

/// A clause about a brand.
pub(super) struct Said {
    answer: String,
    sentence: String,
    pub(super) clause: String,
    language: String,
    pub(super) score: Option<f64>,
}

/// Words of brands, by which no theme goes.
pub(super) fn words_of(brands: &[Brand]) -> BTreeSet<String> {
    brands.iter().flat_map(Brand::names).flat_map(|it| kit::text::words(it).map(fold).collect::<Vec<_>>()).collect()
}

impl Said {
    pub(super) fn new(
        answer: &Stored<Answer>,
        sentence: &str,
        clause: &str,
        language: &str,
        score: Option<f64>,
    ) -> Self {
        Self {
            answer: answer.id.to_string(),
            sentence: sentence.to_owned(),
            clause: clause.trim().to_owned(),
            language: language.to_owned(),
            score,
        }
    }
}

/// A thing that several answers praise or blame.
#[value]
pub(crate) struct Theme {
    /// The words, as they are written most often.
    label: String,
    polarity: Tone,
    /// Answers that speak of it so.
    count: u64,
    quotes: Vec<String>,
}

/// What was gathered of one theme.
#[derive(Default)]
struct Gathered {
    written: BTreeMap<String, u32>,
    answers: BTreeSet<String>,
    quotes: Vec<String>,
}

/// Themes of clauses with a tone.
pub(super) fn themes(said: &[Said], names: &BTreeSet<String>) -> Vec<Theme> {
    let reader = tone::Reader::default();
    let mut analyzers: BTreeMap<&str, Analyzer> = BTreeMap::new();
    let mut found: BTreeMap<(Tone, String), Gathered> = BTreeMap::new();
    for it in said {
        let Some(tone) = it.score.map(tone_of).filter(|it| *it != Tone::Neutral) else { continue };
        let analyzer = analyzers.entry(&it.language).or_insert_with(|| Analyzer::new(&it.language));
        let words: Vec<&str> = kit::text::words(&it.clause).collect();
        // A word that is itself praise or blame is no thing, nor is a name.
        let things: Vec<Option<(String, &str)>> = words
            .iter()
            .map(|word| {
                let lower = word.to_lowercase();
                let is_thing = lower.chars().count() > 2
                    && !analyzer.is_stop(&lower)
                    && !names.contains(&fold(word))
                    && lower.chars().all(char::is_alphabetic)
                    && reader.score(&lower, &it.language).is_none_or(|score| score.abs() < 0.05);
                is_thing.then(|| (analyzer.stems(&lower).join(" "), *word))
            })
            .collect();
        let mut add = |stem: String, written: String| {
            let theme = found.entry((tone, stem)).or_default();
            *theme.written.entry(written.to_lowercase()).or_default() += 1;
            let is_new = theme.answers.insert(it.answer.clone());
            if is_new && theme.quotes.len() < QUOTES {
                theme.quotes.push(kit::text::clip(&it.sentence, QUOTE).to_owned());
            }
        };
        for thing in things.iter().flatten() {
            add(thing.0.clone(), thing.1.to_owned());
        }
        for pair in things.windows(2) {
            if let [Some(one), Some(two)] = pair {
                add(format!("{} {}", one.0, two.0), format!("{} {}", one.1, two.1));
            }
        }
    }
    let mut kept: Vec<((Tone, String), Gathered)> =
        found.into_iter().filter(|it| it.1.answers.len() >= LEAST).collect();
    kept.sort_by(|a, b| {
        let order = |it: &((Tone, String), Gathered)| (it.1.answers.len(), it.0.1.matches(' ').count());
        order(b).cmp(&order(a)).then_with(|| a.0.cmp(&b.0))
    });
    let mut out: Vec<(String, Tone, Theme)> = Vec::new();
    for ((polarity, stem), it) in kept {
        // "brass lamps" says all that "brass" says, where it stands as often.
        let is_part = |known: &(String, Tone, Theme)| {
            known.1 == polarity
                && known.0.split(' ').any(|word| stem.split(' ').any(|own| own == word))
                && known.2.count as usize * 10 >= it.answers.len() * 8
        };
        if out.iter().any(is_part) || out.len() == THEMES {
            continue;
        }
        let label =
            it.written.iter().max_by_key(|(_, count)| **count).map(|(word, _)| word.clone()).unwrap_or_default();
        let theme = Theme { label, polarity, count: it.answers.len() as u64, quotes: it.quotes };
        out.push((stem, polarity, theme));
    }
    out.into_iter().map(|it| it.2).collect()
}
