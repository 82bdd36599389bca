//! Patterns, question words and cues of intent, by language.

use std::collections::BTreeMap;

/// The files of the languages, by their two-letter codes.
const FILES: [(&str, &str); 10] = [
    ("da", include_str!("../data/da.txt")),
    ("de", include_str!("../data/de.txt")),
    ("en", include_str!("../data/en.txt")),
    ("es", include_str!("../data/es.txt")),
    ("fr", include_str!("../data/fr.txt")),
    ("it", include_str!("../data/it.txt")),
    ("nl", include_str!("../data/nl.txt")),
    ("pl", include_str!("../data/pl.txt")),
    ("pt", include_str!("../data/pt.txt")),
    ("sv", include_str!("../data/sv.txt")),
];

/// The words of a language.
pub(crate) struct Words {
    sections: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Words {
    /// Those of a language; `None` for a language that has no file.
    pub(crate) fn of(language: &str) -> Option<Self> {
        let (_, file) = FILES.iter().find(|(code, _)| *code == language)?;
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        let sections = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, items)| (name, items.split('|').map(str::trim).filter(|it| !it.is_empty()).collect()))
            .collect();
        Some(Self { sections })
    }

    /// The items of a section.
    pub(crate) fn section(&self, name: &str) -> &[&'static str] {
        self.sections.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a keyword in normal form is a question: it begins with a question word of the language.
    pub(crate) fn is_question(&self, normal: &str) -> bool {
        let begins = |words: &&&str| normal.strip_prefix(**words).is_some_and(|rest| rest.starts_with([' ', '\'']));
        self.section("questions").iter().any(|words| begins(&words))
    }
}

/// The languages that have a file, for messages.
pub(crate) fn languages() -> String {
    FILES.iter().map(|(code, _)| *code).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{FILES, Words};

    const PATTERNS: [&str; 6] = ["question", "comparison", "modifier", "audience", "place", "year"];

    #[test]
    fn every_language_has_every_section_and_every_pattern_its_seed() {
        for (code, _) in FILES {
            let words = Words::of(code).expect("a file");
            for kind in PATTERNS {
                let patterns = words.section(kind);
                assert!(
                    !patterns.is_empty() && patterns.iter().all(|it| it.matches("{}").count() == 1),
                    "{code} {kind}"
                );
            }
            for name in ["questions", "informational", "commercial", "transactional", "navigational", "local"] {
                assert!(words.section(name).len() >= 8, "{code} {name}");
            }
        }
        let english = Words::of("en").expect("a file");
        assert!(
            english.is_question("how to mend a lamp")
                && !english.is_question("however")
                && !english.is_question("lamp")
        );
        assert!(Words::of("fr").expect("a file").is_question("qu'est-ce que le led") && Words::of("ja").is_none());
    }
}
