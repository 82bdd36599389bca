//! Runs of words with a capital, where the capital is no accident of the sentence or the heading.

use std::collections::HashMap;

use super::gazetteer::Gazetteer;
use crate::terms::Analyzer;

/// Small words inside names: `University of Bath`, `Ludwig van Beethoven`.
const INSIDE: &[&str] = &[
    "of", "de", "del", "della", "di", "da", "do", "dos", "du", "des", "la", "le", "van", "von", "der", "den", "ten",
    "zu", "y", "&",
];
/// Words of a name at most.
const LONGEST: usize = 6;

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) text: String,
    /// The word before it.
    pub(super) before: Option<String>,
    /// The position of its first word in the text.
    pub(super) at: usize,
}

/// All runs of a text, and how many words it has.
pub(super) struct Read {
    pub(super) runs: Vec<Run>,
    pub(super) words: usize,
}

/// A word with its place.
struct Word<'a> {
    text: &'a str,
    /// First in its sentence: its capital says nothing.
    first: bool,
    /// Punctuation stands between it and the next word.
    ends: bool,
}

pub(super) fn read(text: &str, language: &str, gazetteer: &Gazetteer) -> Read {
    let analyzer = Analyzer::new(language);
    let sentences: Vec<Vec<Word>> = crate::sentence::sentences(text).into_iter().map(words).collect();
    let written = writings(&sentences);
    let mut read = Read { runs: Vec::new(), words: 0 };
    for sentence in &sentences {
        let capitals = sentence.iter().filter(|it| is_capital(it.text)).count();
        // A line in which nearly every word has a capital is a title in title case.
        let is_title_case = language != "de" && sentence.len() >= 4 && capitals * 10 > sentence.len() * 7;
        let mut at = 0;
        while at < sentence.len() {
            let many = length(&sentence[at..]);
            if many == 0 {
                at += 1;
                continue;
            }
            let (mut start, end) = (at, at + many);
            let accident = |word: &Word| {
                let lower = word.text.to_lowercase();
                let (small, big) = written.get(&lower).copied().unwrap_or_default();
                word.first && (analyzer.is_stop(&lower) || small > 0 || big == 0)
            };
            // A title says who comes, and `The` that a sentence begins: neither is part of the name.
            let leads = |word: &Word| analyzer.is_stop(&word.text.to_lowercase()) || Gazetteer::is_title(word.text);
            while start + 1 < end && leads(&sentence[start]) && !gazetteer.knows(&join(&sentence[start..end])) {
                start += 1;
            }
            let run = join(&sentence[start..end]);
            let alone = end - start == 1;
            let dropped = !gazetteer.knows(&run)
                && (is_title_case
                    || alone && accident(&sentence[start])
                    || alone && analyzer.is_stop(&run.to_lowercase())
                    || alone && mostly_small(&written, &run));
            if !dropped && run.chars().filter(|it| it.is_alphabetic()).count() > 1 {
                let before = (start > 0).then(|| sentence[start - 1].text.to_owned());
                read.runs.push(Run { text: run, before, at: read.words + start });
            }
            at = end;
        }
        read.words += sentence.len();
    }
    read
}

/// The words of a sentence; possessive endings are left off.
fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut out: Vec<Word> = Vec::new();
    for piece in sentence.split_whitespace() {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
        if piece.starts_with(['(', '"', '“', '„', '«', '[', '–', '—', '-'])
            && let Some(before) = out.last_mut()
        {
            before.ends = true;
        }
        if bare.is_empty() {
            continue;
        }
        let text = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let tail = &piece[piece.rfind(bare).map_or(0, |it| it + bare.len())..];
        let initial = text.chars().count() == 1 || Gazetteer::is_title(text);
        let ends = text.len() < bare.len() || tail.chars().any(|c| c != '.' || !initial);
        out.push(Word { text, first: out.is_empty(), ends });
    }
    out
}

/// How often each word stands with a small letter, and with a capital inside sentences.
fn writings(sentences: &[Vec<Word>]) -> HashMap<String, (u32, u32)> {
    let mut all: HashMap<String, (u32, u32)> = HashMap::new();
    for word in sentences.iter().flatten() {
        let count = all.entry(word.text.to_lowercase()).or_default();
        if !is_capital(word.text) {
            count.0 += 1;
        } else if !word.first {
            count.1 += 1;
        }
    }
    all
}

fn mostly_small(written: &HashMap<String, (u32, u32)>, word: &str) -> bool {
    written.get(&word.to_lowercase()).is_some_and(|(small, big)| small > big)
}

fn is_capital(word: &str) -> bool {
    word.chars().take(2).any(char::is_uppercase)
}

/// How many words from here on are one name.
fn length(words: &[Word]) -> usize {
    let mut many = 0;
    let mut at = 0;
    while at < words.len() && at < LONGEST {
        let word = &words[at];
        let numbered = many > 0 && word.text.chars().all(|it| it.is_ascii_digit()) && word.text.len() < 4;
        if is_capital(word.text) || numbered {
            many = at + 1;
        } else if !(many > 0 && INSIDE.contains(&word.text)) {
            break;
        }
        if word.ends {
            break;
        }
        at += 1;
    }
    many
}

fn join(words: &[Word]) -> String {
    words.iter().map(|it| it.text).collect::<Vec<_>>().join(" ")
}
