//! Tone by a word list, with negation within three words.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a negated word counts, as in VADER.
const NEGATED: f64 = -0.74;
/// What a word after an intensifier counts.
const STRONGER: f64 = 1.3;
/// What sums are brought into -1 to 1 with, as in VADER.
const SPREAD: f64 = 15.0;
/// Words before one in which a negation reaches it.
const REACH: usize = 3;

struct Language {
    code: &'static str,
    list: &'static str,
    negations: &'static [&'static str],
    intensifiers: &'static [&'static str],
}

const LANGUAGES: [Language; 3] = [
    Language {
        code: "de",
        list: include_str!("lexicons/de.tsv"),
        negations: &[
            "nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "nichts", "ohne", "weder", "kaum",
        ],
        intensifiers: &[
            "sehr",
            "extrem",
            "total",
            "wirklich",
            "absolut",
            "besonders",
            "echt",
            "mega",
            "äußerst",
            "super",
        ],
    },
    Language {
        code: "fr",
        list: include_str!("lexicons/fr.tsv"),
        negations: &["pas", "jamais", "aucun", "aucune", "rien", "sans", "ni", "guère", "non"],
        intensifiers: &["très", "vraiment", "extrêmement", "trop", "super", "tellement", "totalement", "absolument"],
    },
    Language {
        code: "es",
        list: include_str!("lexicons/es.tsv"),
        negations: &["no", "nunca", "jamás", "ningún", "ninguna", "ninguno", "nada", "sin", "ni", "tampoco"],
        intensifiers: &[
            "muy",
            "realmente",
            "extremadamente",
            "demasiado",
            "súper",
            "super",
            "totalmente",
            "absolutamente",
            "bastante",
        ],
    },
];

/// French negates before and after: `ne … pas` follows the verb that it negates.
const AFTER: [&str; 1] = ["fr"];

fn list(at: usize) -> &'static HashMap<&'static str, f64> {
    static LISTS: [OnceLock<HashMap<&'static str, f64>>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    LISTS[at].get_or_init(|| {
        let lines = LANGUAGES[at].list.lines();
        lines
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(word, value)| Some((word, value.parse().ok()?)))
            .collect()
    })
}

/// How friendly a clause is, from -1 to 1; none in a language without a list.
pub(crate) fn score(clause: &str, language: &str) -> Option<f64> {
    let at = LANGUAGES.iter().position(|it| it.code == language)?;
    let (language, list) = (&LANGUAGES[at], list(at));
    let lower = clause.to_lowercase();
    let words: Vec<&str> = kit::text::words(&lower).collect();
    let mut sum = 0.0;
    for (number, word) in words.iter().enumerate() {
        let Some(value) = value(list, word, language.code) else { continue };
        let before = &words[number.saturating_sub(REACH)..number];
        let mut negated = before.iter().any(|it| language.negations.contains(it));
        if AFTER.contains(&language.code) {
            negated |= words.get(number + 1).is_some_and(|it| language.negations.contains(it));
        }
        let stronger = before.last().is_some_and(|it| language.intensifiers.contains(it));
        sum += value * if negated { NEGATED } else { 1.0 } * if stronger { STRONGER } else { 1.0 };
    }
    Some(sum / (sum * sum + SPREAD).sqrt())
}

/// The value of a word, else that of its shorter form: `freundliche` by `freundlich`.
fn value(list: &HashMap<&'static str, f64>, word: &str, language: &str) -> Option<f64> {
    if let Some(value) = list.get(word) {
        return Some(*value);
    }
    let endings: &[&str] = match language {
        "de" => &["es", "er", "en", "em", "e", "s"],
        "fr" => &["es", "e", "s"],
        _ => &["as", "os", "a", "o", "s"],
    };
    endings.iter().find_map(|ending| {
        let stem = word.strip_suffix(ending).filter(|it| it.chars().count() >= 4)?;
        let masculine = if language == "es" { list.get(format!("{stem}o").as_str()) } else { None };
        list.get(stem).or(masculine).copied()
    })
}
