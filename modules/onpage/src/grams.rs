//! The terms of a page: words and runs of words by their stems.

use std::collections::BTreeMap;

use kit::terms::Analyzer;

/// Every term of a text, as often as it stands there.
#[derive(Default)]
pub(crate) struct Grams {
    /// Stems, with spaces between those of a run.
    pub(crate) terms: Vec<String>,
    /// How each is written first.
    pub(crate) written: BTreeMap<String, String>,
}

/// Single words and runs of up to `longest`, none with a stop word in it and none across the end of a sentence.
pub(crate) fn of(text: &str, analyzer: &Analyzer, longest: usize) -> Grams {
    let mut grams = Grams::default();
    for sentence in kit::sentence::sentences(text) {
        let tokens = analyzer.tokens(sentence);
        for at in 0..tokens.len() {
            let (mut stems, mut words) = (String::new(), Vec::new());
            for token in tokens[at..].iter().take(longest).take_while(|it| !it.stop) {
                if !stems.is_empty() {
                    stems.push(' ');
                }
                stems.push_str(&token.stem);
                words.push(token.word.as_str());
                grams.written.entry(stems.clone()).or_insert_with(|| kit::text::joined(&words));
                grams.terms.push(stems.clone());
            }
        }
    }
    grams
}

impl Grams {
    /// How often each term stands there.
    pub(crate) fn counts(&self) -> BTreeMap<&str, u32> {
        let mut counts = BTreeMap::new();
        self.terms.iter().for_each(|it| *counts.entry(it.as_str()).or_default() += 1);
        counts
    }
}
