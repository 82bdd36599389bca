//! Words that stand on pages made to sell links, and how many topics the links of a page have.

use std::collections::{BTreeMap, BTreeSet};

use kit::terms::Analyzer;

/// Stems and words by language; a page in another language is held against all of them. Names of goods that are sold by unasked
/// links: gambling, medicines, loans, adult sites, replicas, essays.
const TERMS: [(&str, &[&str]); 8] = [
    (
        "en",
        &[
            "casino",
            "poker",
            "betting",
            "slots",
            "viagra",
            "cialis",
            "payday",
            "escort",
            "porn",
            "xxx",
            "replica",
            "backlinks",
            "jackpot",
            "gambling",
            "roulette",
            "blackjack",
            "levitra",
            "sportsbook",
        ],
    ),
    ("de", &["glücksspiel", "spielautomaten", "sofortkredit", "potenzmittel", "sportwetten"]),
    ("fr", &["voyance", "casinos", "pronostics"]),
    ("es", &["apuestas", "tragaperras", "tragamonedas", "ruleta"]),
    ("it", &["scommesse", "scommessa", "bakeca"]),
    ("pt", &["apostas", "cassino", "cassinos"]),
    ("ru", &["казино", "виагра", "займы", "эскорт"]),
    ("id", &["judi", "slot", "togel", "gacor", "bandar"]),
];
/// Texts of links whose topics are told apart.
const TEXTS: usize = 300;

/// How many different spam words stand in texts, in the language of the page and in English.
pub(crate) fn terms<'a>(texts: impl IntoIterator<Item = &'a str>, language: &str) -> u32 {
    let known: BTreeSet<&str> =
        TERMS.iter().filter(|(of, _)| *of == "en" || *of == language).flat_map(|it| it.1.iter().copied()).collect();
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for text in texts {
        let text = text.to_lowercase();
        found.extend(kit::text::words(&text).filter_map(|word| known.get(word).copied()));
    }
    u32::try_from(found.len()).unwrap_or(u32::MAX)
}

/// How many groups the texts of links fall into, when texts that share a stem are of one group.
pub(crate) fn topics<'a>(texts: impl IntoIterator<Item = &'a str>, language: &str) -> u32 {
    let analyzer = Analyzer::new(language);
    let mut parents: Vec<usize> = Vec::new();
    let mut by_stem: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts.into_iter().take(TEXTS) {
        let stems = analyzer.stems(text);
        if stems.is_empty() {
            continue;
        }
        let own = parents.len();
        parents.push(own);
        for stem in stems {
            match by_stem.get(&stem) {
                Some(other) => {
                    let (a, b) = (root(&parents, *other), root(&parents, own));
                    parents[b.max(a)] = a.min(b);
                }
                None => {
                    by_stem.insert(stem, own);
                }
            }
        }
    }
    let roots = (0..parents.len()).filter(|at| root(&parents, *at) == *at).count();
    u32::try_from(roots).unwrap_or(u32::MAX)
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}
