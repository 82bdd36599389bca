//! What people call what the contracts call otherwise, by subject in `thesaurus/`, read once.
//!
//! `undo, rollback, revert`: each stands for the others. `map pack, local pack > grid local`: what stands left is said,
//! what stands right is meant, and not the other way round. A phrase is found as it stands, stop words too; all words are
//! compared by their stems. A line names things of the trade, never one goal of one person.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::words;

#[derive(Default)]
struct Thesaurus {
    words: HashMap<String, Vec<String>>,
    /// By the first stem of the phrase.
    phrases: HashMap<String, Vec<Phrase>>,
    /// Every stem that stands in a phrase.
    said: HashSet<String>,
}

/// Several words that mean together what none of them does.
struct Phrase {
    said: Vec<String>,
    meant: Vec<String>,
}

static THESAURUS: LazyLock<Thesaurus> = LazyLock::new(|| {
    let mut thesaurus = Thesaurus::default();
    SUBJECTS.iter().for_each(|text| thesaurus.read(text));
    thesaurus
});

const SUBJECTS: [&str; 17] = [
    include_str!("thesaurus/everyday.txt"),
    include_str!("thesaurus/account.txt"),
    include_str!("thesaurus/websites.txt"),
    include_str!("thesaurus/crawl.txt"),
    include_str!("thesaurus/audit.txt"),
    include_str!("thesaurus/page.txt"),
    include_str!("thesaurus/linking.txt"),
    include_str!("thesaurus/markup.txt"),
    include_str!("thesaurus/indexing.txt"),
    include_str!("thesaurus/places.txt"),
    include_str!("thesaurus/assistants.txt"),
    include_str!("thesaurus/outreach.txt"),
    include_str!("thesaurus/publishing.txt"),
    include_str!("thesaurus/domains.txt"),
    include_str!("thesaurus/rankings.txt"),
    include_str!("thesaurus/watching.txt"),
    include_str!("thesaurus/reports.txt"),
];

fn stemmed(text: &str) -> Vec<String> {
    words::split(text).map(|word| words::stem(&word)).collect()
}

impl Thesaurus {
    fn read(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            match line.split_once('>') {
                None => {
                    let row: Vec<Vec<String>> = line.split(',').map(stemmed).collect();
                    let single: Vec<String> =
                        row.iter().filter(|one| one.len() == 1).map(|one| one[0].clone()).collect();
                    row.iter().for_each(|one| self.add(one, &single));
                }
                Some((said, meant)) => {
                    let meant = stemmed(meant);
                    said.split(',').for_each(|one| self.add(&stemmed(one), &meant));
                }
            }
        }
    }

    fn add(&mut self, said: &[String], meant: &[String]) {
        match said {
            [] => {}
            [word] => {
                let known = self.words.entry(word.clone()).or_default();
                for other in meant {
                    if other != word && !known.contains(other) {
                        known.push(other.clone());
                    }
                }
            }
            [first, ..] => {
                self.said.extend(said.iter().cloned());
                self.phrases
                    .entry(first.clone())
                    .or_default()
                    .push(Phrase { said: said.to_vec(), meant: meant.to_vec() });
            }
        }
    }
}

/// Whether the word stands in the thesaurus, alone or in a phrase.
pub(super) fn knows(stem: &str) -> bool {
    THESAURUS.words.contains_key(stem) || THESAURUS.said.contains(stem)
}

/// The stems of all its words.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    THESAURUS.words.keys().map(String::as_str)
}

/// Stems that may stand for this one.
pub(super) fn synonyms(stem: &str) -> &'static [String] {
    THESAURUS.words.get(stem).map_or(&[], Vec::as_slice)
}

/// Phrases in a text: where each begins, how many words it has, what it means.
pub(super) fn phrases(stems: &[String]) -> Vec<(usize, usize, &'static [String])> {
    let mut found = Vec::new();
    for (at, first) in stems.iter().enumerate() {
        for phrase in THESAURUS.phrases.get(first).into_iter().flatten() {
            if stems[at..].starts_with(&phrase.said) {
                found.push((at, phrase.said.len(), phrase.meant.as_slice()));
            }
        }
    }
    found
}
