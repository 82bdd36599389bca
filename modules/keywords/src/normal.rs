//! The forms that keywords are compared by.

use kit::terms::{Analyzer, has_stemmer};
pub(crate) use serps::normal;

/// The longest keyword that search engines and their data know, in characters and in words.
const MAX_KEYWORD: (usize, usize) = (80, 10);

/// Whether search engines' keyword data can know a keyword of this normal form.
pub(crate) fn has_metrics(normal: &str) -> bool {
    normal.chars().count() <= MAX_KEYWORD.0 && normal.split(' ').count() <= MAX_KEYWORD.1
}

/// How keywords are taken for the same.
#[sdk::value]
pub(crate) enum Merge {
    /// The same words in the same order.
    Exact,
    /// The same words in any order.
    Order,
    /// The same stems in any order.
    Stem,
}

/// Makes the keys by which keywords are the same.
pub(crate) struct Keys {
    merge: Merge,
    analyzer: Analyzer,
}

impl Keys {
    /// The keys of a language; `None` when stems are asked for and the language has none here.
    pub(crate) fn of(merge: Merge, language: &str) -> Option<Self> {
        let stems = merge != Merge::Stem || has_stemmer(language);
        stems.then(|| Self { merge, analyzer: Analyzer::new(language) })
    }

    /// The key of a normal form.
    pub(crate) fn key(&self, normal: &str) -> String {
        let mut words: Vec<String> = match self.merge {
            Merge::Exact => return normal.to_owned(),
            Merge::Order => normal.split(' ').map(str::to_owned).collect(),
            Merge::Stem => normal.split(' ').map(|word| self.analyzer.token(word).stem).collect(),
        };
        words.sort();
        words.join(" ")
    }
}

/// Whether two normal forms have the same words in any order.
pub(crate) fn same_words(one: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.sort();
        words
    };
    sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::{Keys, Merge, has_metrics, normal, same_words};

    #[test]
    fn signs_stay_inside_words_and_punctuation_goes() {
        for (keyword, wanted) in [
            ("  Desk   LAMP ", "desk lamp"),
            ("C++ course", "c++ course"),
            ("c# or .NET?", "c# or .net"),
            ("AT&T – plans", "at&t plans"),
            ("salt & pepper", "salt pepper"),
            ("e‑bike", "e-bike"),
            ("“best” lamp, cheap!", "best lamp cheap"),
            ("10% off", "10% off"),
            ("o’reilly's", "o'reilly's"),
            ("ｆｕｌｌ　width", "full width"),
            ("zero\u{200b}width", "zerowidth"),
            ("lamp...", "lamp"),
            ("#1 lamp", "1 lamp"),
            ("ÜBER", "über"),
            ("?!", ""),
        ] {
            assert_eq!(normal(keyword, "en"), wanted, "{keyword}");
            assert_eq!(normal(&normal(keyword, "en"), "en"), wanted, "{keyword} twice");
        }
        assert_eq!(normal("IŞIK İSTANBUL", "tr"), "ışık istanbul");
        assert_eq!(normal("İSTANBUL", "en"), "istanbul");
    }

    #[test]
    fn keys_join_orders_and_numbers_as_asked() {
        let key = |merge, text: &str| Keys::of(merge, "en").expect("stems").key(text);
        assert_ne!(key(Merge::Exact, "milk chocolate"), key(Merge::Exact, "chocolate milk"));
        assert_eq!(key(Merge::Order, "milk chocolate"), key(Merge::Order, "chocolate milk"));
        assert_ne!(key(Merge::Order, "desk lamps"), key(Merge::Order, "desk lamp"));
        assert_eq!(key(Merge::Stem, "lamps desk"), key(Merge::Stem, "desk lamp"));
        assert!(Keys::of(Merge::Stem, "ja").is_none() && Keys::of(Merge::Order, "ja").is_some());
        assert!(same_words("a b", "b a") && !same_words("a b", "a b b"));
        assert!(has_metrics("a b c") && !has_metrics("a b c d e f g h i j k") && !has_metrics(&"x".repeat(81)));
    }
}
