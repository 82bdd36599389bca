//! How frequent words are in a language in general: the 20,000 most frequent words of 14 languages.
//!
//! Source: the small lists of wordfreq 3.1.1 by Robyn Speer, CC BY-SA 4.0, by whole centibels. Written by
//! `tests/references/kit/word_frequencies.py`.

use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;

use flate2::read::GzDecoder;

/// The languages, by their two-letter codes.
const LISTS: [(&str, &[u8]); 14] = [
    ("cs", include_bytes!("word_frequencies/cs.txt.gz")),
    ("da", include_bytes!("word_frequencies/da.txt.gz")),
    ("de", include_bytes!("word_frequencies/de.txt.gz")),
    ("en", include_bytes!("word_frequencies/en.txt.gz")),
    ("es", include_bytes!("word_frequencies/es.txt.gz")),
    ("fi", include_bytes!("word_frequencies/fi.txt.gz")),
    ("fr", include_bytes!("word_frequencies/fr.txt.gz")),
    ("it", include_bytes!("word_frequencies/it.txt.gz")),
    ("nb", include_bytes!("word_frequencies/nb.txt.gz")),
    ("nl", include_bytes!("word_frequencies/nl.txt.gz")),
    ("pl", include_bytes!("word_frequencies/pl.txt.gz")),
    ("pt", include_bytes!("word_frequencies/pt.txt.gz")),
    ("sv", include_bytes!("word_frequencies/sv.txt.gz")),
    ("tr", include_bytes!("word_frequencies/tr.txt.gz")),
];
/// Letters from which a common word counts as one; shorter ones are parts of names.
const MIN_LETTERS: usize = 4;
/// Centibels of one in 100,000 words.
const COMMON: u32 = 500;

/// The frequent words of a language, each with its share of all words.
#[derive(Debug, Clone)]
pub struct Frequencies {
    shares: HashMap<String, f64>,
    floor: f64,
}

impl Frequencies {
    /// Those of a language by its two-letter code; `None` for a language without a list.
    #[must_use]
    pub fn of(language: &str) -> Option<Self> {
        let (_, packed) = LISTS.iter().find(|(code, _)| *code == language)?;
        let mut shares = HashMap::new();
        let mut last = COMMON;
        for_each(packed, |word, level| {
            shares.insert(word.to_owned(), share(level));
            last = level;
        });
        Some(Self { shares, floor: share(last) })
    }

    /// The share of a word in lower case among all words; `None` for a word that is rarer than [`Self::floor`].
    #[must_use]
    pub fn share(&self, word: &str) -> Option<f64> {
        self.shares.get(word).copied()
    }

    /// The share of the rarest word of the list.
    #[must_use]
    pub fn floor(&self) -> f64 {
        self.floor
    }
}

/// The languages that have a list.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|(code, _)| *code)
}

/// Those of these words that are common in any of the 14 languages: more than one in 100,000 words, of four letters or more.
/// Reads all lists once.
#[must_use]
pub fn common<'w>(words: &BTreeSet<&'w str>) -> BTreeSet<&'w str> {
    let mut found = BTreeSet::new();
    for (_, packed) in LISTS {
        for_each(packed, |word, level| {
            if level <= COMMON && word.chars().count() >= MIN_LETTERS {
                found.extend(words.get(word).copied());
            }
        });
    }
    found
}

fn share(centibels: u32) -> f64 {
    10_f64.powf(-f64::from(centibels) / 100.0)
}

fn for_each(packed: &[u8], mut each: impl FnMut(&str, u32)) {
    let mut list = String::new();
    if GzDecoder::new(packed).read_to_string(&mut list).is_err() {
        return;
    }
    for line in list.lines() {
        let mut words = line.split(' ');
        let Some(level) = words.next().and_then(|it| it.parse().ok()) else { continue };
        words.for_each(|word| each(word, level));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Frequencies, common, languages};

    #[test]
    fn words_of_several_languages_are_common_and_brands_and_typing_errors_are_not() {
        let words = BTreeSet::from(["lamp", "lampe", "lumière", "espalier", "amazn", "schule", "house", "the"]);
        let found = common(&words);
        assert!(found.contains("lumière") && found.contains("schule") && found.contains("house"), "{found:?}");
        assert!(!found.contains("espalier") && !found.contains("amazn") && !found.contains("the"), "{found:?}");
    }

    #[test]
    fn shares_are_those_of_the_source_within_a_centibel() {
        let english = Frequencies::of("en").expect("a list");
        // wordfreq 3.1.1: word_frequency("the", "en", "small") and "lamp".
        for (word, wanted) in [("the", 0.0537), ("lamp", 1.12e-5)] {
            let found = english.share(word).expect("a frequent word");
            assert!((found / wanted).ln().abs() < 0.03, "{word}: {found}");
        }
        assert!(english.share("qqqq").is_none() && english.floor() < 3e-6);
        assert!(Frequencies::of("ja").is_none() && languages().count() == 14);
    }
}
