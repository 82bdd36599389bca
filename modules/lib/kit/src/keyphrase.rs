//! The phrases that a text is about: RAKE (Rose, Engel, Cramer and Cowley 2010).
//!
//! Candidates are runs of words between stop words and punctuation. A word scores its degree (how many words it stands
//! together with, itself counted) over its frequency; a phrase scores the sum of its words.

use std::collections::{BTreeMap, BTreeSet};

use crate::terms::Analyzer;

/// A phrase of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// As it is written first, in lower case.
    pub text: String,
    /// The stems of its words.
    pub stems: Vec<String>,
    /// How often it occurs, in any inflection.
    pub count: u32,
    /// By RAKE.
    pub score: f64,
}

/// The candidate phrases of a text in order, each as its words in lower case; at most `longest` words.
#[must_use]
pub fn candidates(text: &str, analyzer: &Analyzer, longest: usize) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let mut phrase: Vec<String> = Vec::new();
    let close = |phrase: &mut Vec<String>, out: &mut Vec<Vec<String>>| {
        if !phrase.is_empty() && phrase.len() <= longest {
            out.push(std::mem::take(phrase));
        }
        phrase.clear();
    };
    for line in text.lines() {
        for piece in line.split(breaks) {
            for run in piece.split_whitespace() {
                for word in crate::text::words(run) {
                    let token = analyzer.token(word);
                    if token.stop {
                        close(&mut phrase, &mut out);
                    } else {
                        phrase.push(token.word);
                    }
                }
                if run.ends_with('.') {
                    close(&mut phrase, &mut out);
                }
            }
            close(&mut phrase, &mut out);
        }
    }
    out
}

/// Punctuation that a phrase does not reach across. Hyphens, apostrophes and full stops inside words are none.
fn breaks(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '!'
            | '?'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '"'
            | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '|'
            | '•'
            | '…'
            | '–'
            | '—'
            | '/'
            | '='
            | '<'
            | '>'
            // The same in scripts without spaces.
            | '，' | '、' | '；' | '：' | '！' | '？' | '。' | '（' | '）' | '「' | '」' | '『' | '』' | '【' | '】' | '《'
            | '》' | '〈' | '〉' | '・' | '·' | '～' | '។' | '၊' | '။'
    )
}

/// The phrases of a text by score, phrases of the same stems merged.
#[must_use]
pub fn phrases(text: &str, analyzer: &Analyzer, longest: usize) -> Vec<Phrase> {
    let sentences = crate::sentence::sentences(text).join("\n");
    let candidates = candidates(&sentences, analyzer, longest);
    let (mut frequency, mut degree) = (BTreeMap::<&str, f64>::new(), BTreeMap::<&str, f64>::new());
    for phrase in &candidates {
        #[expect(clippy::cast_precision_loss, reason = "a phrase has a handful of words")]
        let size = phrase.len() as f64;
        for word in phrase {
            *frequency.entry(word).or_default() += 1.0;
            *degree.entry(word).or_default() += size;
        }
    }
    let mut merged: BTreeMap<Vec<String>, Phrase> = BTreeMap::new();
    for phrase in &candidates {
        let stems: Vec<String> = phrase.iter().map(|word| analyzer.token(word).stem).collect();
        let score: f64 = phrase.iter().map(|word| degree[word.as_str()] / frequency[word.as_str()]).sum();
        let known = merged.entry(stems.clone()).or_insert_with(|| Phrase {
            text: crate::text::joined(phrase),
            stems,
            count: 0,
            score,
        });
        known.count += 1;
        known.score = known.score.max(score);
    }
    let mut phrases: Vec<Phrase> = merged.into_values().collect();
    phrases.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    phrases
}

/// Phrases whose words are all in another phrase that is at least as frequent are left out: `gap` beside `term gap`.
#[must_use]
pub fn without_parts(phrases: Vec<Phrase>) -> Vec<Phrase> {
    let kept: Vec<(BTreeSet<String>, u32)> =
        phrases.iter().map(|it| (it.stems.iter().cloned().collect(), it.count)).collect();
    let is_part = |phrase: &Phrase| {
        let own: BTreeSet<String> = phrase.stems.iter().cloned().collect();
        kept.iter().any(|(stems, count)| stems.len() > own.len() && *count >= phrase.count && own.is_subset(stems))
    };
    let parts: Vec<bool> = phrases.iter().map(is_part).collect();
    phrases.into_iter().zip(parts).filter(|(_, part)| !part).map(|(phrase, _)| phrase).collect()
}

#[cfg(test)]
mod tests {
    use super::{candidates, phrases, without_parts};
    use crate::terms::Analyzer;

    #[test]
    fn candidates_stand_between_stop_words_and_punctuation() {
        let found =
            candidates("Compatibility of systems of linear constraints, natural numbers", &Analyzer::new("en"), 4);
        let found: Vec<String> = found.iter().map(|it| it.join(" ")).collect();
        assert_eq!(found, ["compatibility", "systems", "linear constraints", "natural numbers"]);
    }

    #[test]
    fn inflections_are_one_phrase_and_longer_phrases_score_more() {
        let found = phrases("Brass lamps for desks. A brass lamp is heavy. Desk!", &Analyzer::new("en"), 4);
        assert_eq!((found[0].text.as_str(), found[0].count), ("brass lamps", 2));
        assert!(found[0].score > found[1].score);
        assert_eq!(found.iter().filter(|it| it.stems == ["desk"]).map(|it| it.count).sum::<u32>(), 2);
    }

    #[test]
    fn a_word_that_only_stands_in_a_longer_phrase_is_left_out() {
        let found = phrases("term gap. term gap. gap.", &Analyzer::new("en"), 4);
        let kept = without_parts(found);
        assert_eq!(kept.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["term gap"]);
    }
}
