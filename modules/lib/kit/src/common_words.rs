//! Words that are common in a language: those that make up more than one in 100,000 words, of four letters or more.
//!
//! Source: the small lists of wordfreq 3.1.1 by Robyn Speer, CC BY-SA 4.0, reduced to this threshold. Written by
//! `tests/references/kit/common_words.py`.

use std::io::Read as _;

use flate2::read::GzDecoder;

/// The languages, by their two-letter codes.
const LISTS: [(&str, &[u8]); 14] = [
    ("cs", include_bytes!("common_words/cs.txt.gz")),
    ("da", include_bytes!("common_words/da.txt.gz")),
    ("de", include_bytes!("common_words/de.txt.gz")),
    ("en", include_bytes!("common_words/en.txt.gz")),
    ("es", include_bytes!("common_words/es.txt.gz")),
    ("fi", include_bytes!("common_words/fi.txt.gz")),
    ("fr", include_bytes!("common_words/fr.txt.gz")),
    ("it", include_bytes!("common_words/it.txt.gz")),
    ("nb", include_bytes!("common_words/nb.txt.gz")),
    ("nl", include_bytes!("common_words/nl.txt.gz")),
    ("pl", include_bytes!("common_words/pl.txt.gz")),
    ("pt", include_bytes!("common_words/pt.txt.gz")),
    ("sv", include_bytes!("common_words/sv.txt.gz")),
    ("tr", include_bytes!("common_words/tr.txt.gz")),
];

/// Those of these words that are common in any of the 14 languages. Reads all lists once, about 15 million instructions.
#[must_use]
pub fn common<'w>(words: &std::collections::BTreeSet<&'w str>) -> std::collections::BTreeSet<&'w str> {
    let mut found = std::collections::BTreeSet::new();
    for (_, packed) in LISTS {
        let mut list = String::new();
        if GzDecoder::new(packed).read_to_string(&mut list).is_ok() {
            found.extend(list.lines().filter_map(|word| words.get(word).copied()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::common;

    #[test]
    fn words_of_several_languages_are_common_and_brands_and_typing_errors_are_not() {
        let words = BTreeSet::from(["lamp", "lampe", "lumière", "espalier", "amazn", "schule", "house"]);
        let found = common(&words);
        assert!(found.contains("lumière") && found.contains("schule") && found.contains("house"), "{found:?}");
        assert!(!found.contains("espalier") && !found.contains("amazn"), "{found:?}");
    }
}
