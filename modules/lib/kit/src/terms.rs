//! From a text to the terms that are counted: words in lower case, without stop words, by stem.

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};

use crate::text::{has_spaceless, is_hangul, words};

/// Reads the words of one language.
pub struct Analyzer {
    stemmer: Option<Stemmer>,
    stops: HashSet<&'static str>,
}

/// A word as it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// In lower case, as written.
    pub word: String,
    /// What its inflections share.
    pub stem: String,
    /// Whether it says nothing alone, such as `the`.
    pub stop: bool,
}

impl Analyzer {
    /// For a language by its ISO 639-1 code. A language without a stemmer or a list of stop words does without.
    #[must_use]
    pub fn new(language: &str) -> Self {
        let language = crate::language::primary(language);
        let stops = stop_words::lookup(match language.as_str() {
            "nb" => "no",
            other => other,
        });
        Self {
            stemmer: algorithm(&language).map(Stemmer::create),
            stops: stops.unwrap_or_default().iter().copied().collect(),
        }
    }

    /// The tokens of a text in order.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        words(text).map(|word| self.token(word)).collect()
    }

    /// The stems of a text in order, without stop words.
    #[must_use]
    pub fn stems(&self, text: &str) -> Vec<String> {
        self.tokens(text).into_iter().filter(|token| !token.stop).map(|token| token.stem).collect()
    }

    /// The stems of a query: without stop words unless it has nothing else.
    #[must_use]
    pub fn query(&self, text: &str) -> Vec<String> {
        let tokens = self.tokens(text);
        let only_stops = tokens.iter().all(|token| token.stop);
        tokens.into_iter().filter(|token| only_stops || !token.stop).map(|token| token.stem).collect()
    }

    /// Whether there is a list of words that say nothing alone.
    #[must_use]
    pub fn has_stops(&self) -> bool {
        !self.stops.is_empty()
    }

    /// One word.
    #[must_use]
    pub fn token(&self, word: &str) -> Token {
        let word = straight(&word.to_lowercase()).into_owned();
        let stop = self.is_stop(&word);
        let bare = word.strip_suffix("'s").unwrap_or(&word);
        let stem = self.stemmer.as_ref().map_or_else(|| bare.to_owned(), |it| it.stem(bare).into_owned());
        Token { word, stem, stop }
    }

    /// Whether a word in lower case says nothing alone; a single letter or a bare number never does.
    #[must_use]
    pub fn is_stop(&self, word: &str) -> bool {
        let mut characters = word.chars();
        let single = characters.next().is_some_and(|it| it.is_ascii()) && characters.next().is_none();
        single || word.chars().all(|it| !it.is_alphabetic()) || self.stops.contains(word)
    }
}

/// Typographic apostrophes as the lists of stop words write them.
fn straight(word: &str) -> Cow<'_, str> {
    if word.contains('’') { Cow::Owned(word.replace('’', "'")) } else { Cow::Borrowed(word) }
}

/// Whether words of a language have stems here, by its ISO 639-1 code.
#[must_use]
pub fn has_stemmer(language: &str) -> bool {
    algorithm(language).is_some()
}

/// The stemmer of a language by its ISO 639-1 code.
pub(crate) fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nb" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

/// Where a phrase of stems begins in a text of stems, every time. In scripts without spaces a phrase is found by its letters:
/// what are words of it alone need not be words beside others. Of Korean the last word may have particles at its end.
pub fn occurrences<'a>(text: &'a [String], phrase: &'a [String]) -> impl Iterator<Item = usize> + 'a {
    let is_spaceless = phrase.iter().any(|it| has_spaceless(it));
    let by_letters = if is_spaceless { by_letters(text, &phrase.concat()) } else { Vec::new() };
    let found = move |at: &usize| !is_spaceless && begins_with(&text[*at..], phrase);
    by_letters.into_iter().chain((0..text.len()).filter(found))
}

/// Letters of the particles after a Korean noun, at most.
const PARTICLES: usize = 3;

fn begins_with(text: &[String], phrase: &[String]) -> bool {
    let Some((last, before)) = phrase.split_last() else { return false };
    let with_particles = |word: &String| {
        let rest = word.strip_prefix(last.as_str()).filter(|_| last.ends_with(is_hangul));
        rest.is_some_and(|rest| rest.chars().all(is_hangul) && rest.chars().count() <= PARTICLES)
    };
    text.starts_with(before) && text.get(before.len()).is_some_and(|word| word == last || with_particles(word))
}

/// The word in which each occurrence begins.
fn by_letters(text: &[String], phrase: &str) -> Vec<usize> {
    let mut begins = Vec::with_capacity(text.len());
    let mut whole = String::new();
    for word in text {
        begins.push(whole.len());
        whole += word;
    }
    whole.match_indices(phrase).map(|(at, _)| begins.partition_point(|begin| *begin <= at) - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::{Analyzer, occurrences};

    #[test]
    fn inflections_share_a_stem_and_stop_words_fall_out() {
        let english = Analyzer::new("en-GB");
        assert_eq!(english.stems("The runners were running to the shops"), ["runner", "run", "shop"]);
        let german = Analyzer::new("de");
        assert_eq!(german.stems("die Lampen und der Lampe"), ["lamp", "lamp"]);
    }

    #[test]
    fn a_query_of_stop_words_keeps_them() {
        let english = Analyzer::new("en");
        assert_eq!(english.query("to be or not to be").len(), 6);
        assert_eq!(english.query("the lamp"), ["lamp"]);
    }

    #[test]
    fn a_language_without_a_stemmer_is_counted_by_word() {
        let unknown = Analyzer::new("xx");
        assert_eq!(unknown.stems("Lampa lampy"), ["lampa", "lampy"]);
        assert!(Analyzer::new("en").is_stop("2024") && Analyzer::new("en").is_stop("don't"));
    }

    #[test]
    fn a_phrase_is_found_wherever_it_begins() {
        let text: Vec<String> = "a b a b a".split(' ').map(str::to_owned).collect();
        let phrase: Vec<String> = vec!["a".into(), "b".into()];
        assert_eq!(occurrences(&text, &phrase).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(occurrences(&text, &[]).count(), 0);
    }

    #[test]
    fn a_phrase_without_spaces_is_found_whichever_words_it_has_beside_others() {
        let chinese = Analyzer::new("zh");
        let stems = |text: &str| chinese.tokens(text).into_iter().map(|it| it.stem).collect::<Vec<_>>();
        let text = stems("研究生命起源的研究生，研究生命科学");
        assert_eq!(occurrences(&text, &stems("生命")).count(), 2);
        assert_eq!(occurrences(&text, &stems("研究")).count(), 3);
        assert_eq!(occurrences(&text, &stems("研究")).next(), Some(0));
        assert_eq!(occurrences(&text, &stems("大学")).count(), 0);
    }
}
