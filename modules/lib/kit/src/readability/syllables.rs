//! How many syllables a word has: rules of spelling, and for English the words that break them.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Frequent English words that the rules count otherwise than they are spoken in the CMU Pronouncing Dictionary.
const EXCEPTIONS: &str = include_str!("exceptions.txt");

/// Endings before which an English e is silent, as in `movement`.
const SUFFIXES: &[&str] = &[
    "ments", "ment", "ly", "fully", "ful", "less", "ness", "times", "time", "where", "thing", "things", "some",
    "works", "work", "lines", "line",
];

/// The syllables of a word; `language` as ISO 639-1. At least 1.
#[must_use]
pub fn count(word: &str, language: &str) -> u32 {
    let lower = word.to_lowercase();
    if language != "en" {
        return vowel_groups(&lower, language).max(1);
    }
    static LIST: OnceLock<HashMap<&'static str, u32>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        let entry =
            |line: &'static str| line.split_once(' ').and_then(|(word, count)| Some((word, count.parse().ok()?)));
        EXCEPTIONS.lines().filter_map(entry).collect()
    });
    let straight = lower.replace('’', "'");
    if let Some(count) = list.get(straight.as_str()) {
        return *count;
    }
    // A compound is spoken in its parts.
    let parts = straight.split('-').filter(|part| !part.is_empty());
    parts.map(|part| list.get(part).copied().unwrap_or_else(|| english(part))).sum::<u32>().max(1)
}

/// The rules for English; see `tests/references/kit/syllables.py`, which says the same.
fn english(word: &str) -> u32 {
    let contracted = word.strip_suffix("n't").is_some_and(|stem| stem.ends_with(|c| !is_vowel(c)));
    let letters: Vec<char> = word.chars().filter(|c| *c != '\'').collect();
    let word: String = letters.iter().collect();
    let end = letters.len();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    // What stands `back` letters before `index`, a space before the word begins.
    let before = |index: usize, back: usize| index.checked_sub(back).map_or(' ', at);
    let mut count = 0_i32;
    for (index, letter) in letters.iter().enumerate() {
        count += i32::from(is_vowel(*letter) && !is_vowel(before(index, 1)));
    }
    // A consonant and l before the e are a syllable of their own, as in `table`.
    let syllabic = |l: usize| at(l) == 'l' && !is_vowel(before(l, 1)) && !matches!(before(l, 1), 'r' | 'l' | 'w');
    if end > 2 && at(end - 1) == 'e' && !is_vowel(at(end - 2)) {
        count -= i32::from(!syllabic(end - 2));
    } else if end > 3 && word.ends_with("es") && !is_vowel(at(end - 3)) {
        let hissing = matches!(at(end - 3), 's' | 'x' | 'z' | 'c' | 'g')
            || (at(end - 3) == 'h' && matches!(before(end, 4), 's' | 'c'));
        count -= i32::from(!syllabic(end - 3) && !hissing);
    } else if end > 3 && word.ends_with("ed") && !is_vowel(at(end - 3)) && !matches!(at(end - 3), 't' | 'd') {
        count -= 1;
    }
    if let Some(suffix) = SUFFIXES.iter().find(|suffix| {
        let stem = end.saturating_sub(suffix.len());
        word.ends_with(**suffix) && stem > 2 && at(stem - 1) == 'e' && !is_vowel(at(stem - 2))
    }) {
        let stem = end - suffix.len();
        count -= i32::from(at(stem - 2) != 'l' || is_vowel(before(stem, 3)));
    }
    for index in 0..end {
        count += i32::from(parts_here(index, end, &at, before(index, 1)));
    }
    count += i32::from(["ism", "isms", "thm", "thms"].iter().any(|ending| word.ends_with(ending)));
    count += i32::from(contracted);
    u32::try_from(count.max(1)).unwrap_or(1)
}

/// Whether the two vowels from here on are spoken apart.
fn parts_here(index: usize, end: usize, at: &impl Fn(usize) -> char, before: char) -> bool {
    let (third, fourth) = (at(index + 2), at(index + 3));
    match (at(index), at(index + 1)) {
        ('i', 'a' | 'o' | 'u') => !matches!(before, 't' | 's' | 'c' | 'g' | 'x'),
        ('i', 'e') if matches!(before, 't' | 's' | 'c' | 'g' | ' ') => false,
        ('i', 'e') => third == 't' || (third == 'n' && matches!(fourth, 'c' | 't')),
        ('u', 'a' | 'o') => !matches!(before, 'q' | 'g' | ' '),
        ('e', 'o') => matches!(third, 'n' | 'l' | 'm' | 'g'),
        ('e', 'a') => third == 't' && matches!(fourth, 'i' | 'e' | 'o'),
        ('a' | 'e' | 'o' | 'u' | 'y', 'i') => {
            third == 'n' && fourth == 'g' && (end == index + 4 || (end == index + 5 && at(index + 4) == 's'))
        }
        _ => false,
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Vowels in a row, with the diphthongs of a language as one.
fn vowel_groups(word: &str, language: &str) -> u32 {
    let letters: Vec<char> = word.chars().collect();
    let mut count = 0;
    let mut index = 0;
    while index < letters.len() {
        if !is_any_vowel(letters[index]) {
            index += 1;
            continue;
        }
        count += 1;
        let one = letters[index];
        index += 1;
        while let Some(next) =
            letters.get(index).copied().filter(|next| is_any_vowel(*next) && glides(one, *next, language))
        {
            let _ = next;
            index += 1;
        }
    }
    // A final e of French is silent, and so is -es and -ent of verbs, which spelling alone does not tell.
    let silent = language == "fr" && count > 1 && (word.ends_with('e') || word.ends_with("es"));
    count - u32::from(silent && letters.len() > 3)
}

/// Whether two vowels in a row are one syllable.
fn glides(one: char, two: char, language: &str) -> bool {
    match language {
        "de" => matches!(
            (one, two),
            ('a', 'i' | 'u' | 'a' | 'y')
                | ('e', 'i' | 'u' | 'e' | 'y')
                | ('i', 'e')
                | ('o', 'o' | 'u')
                | ('ä', 'u')
                | ('u', 'i')
        ),
        "nl" => matches!(
            (one, two),
            ('a', 'a' | 'i' | 'u')
                | ('e', 'e' | 'i' | 'u')
                | ('i', 'e' | 'j')
                | ('o', 'e' | 'o' | 'u' | 'i')
                | ('u', 'i' | 'u' | 'e')
        ),
        "es" | "it" | "pt" => {
            let weak = |c: char| matches!(c, 'i' | 'u' | 'y');
            (weak(one) || weak(two)) && !matches!(one, 'í' | 'ú' | 'ì' | 'ù') && !matches!(two, 'í' | 'ú' | 'ì' | 'ù')
        }
        _ => true,
    }
}

fn is_any_vowel(letter: char) -> bool {
    is_vowel(letter)
        || matches!(
            letter,
            'á' | 'à'
                | 'â'
                | 'ä'
                | 'ã'
                | 'å'
                | 'é'
                | 'è'
                | 'ê'
                | 'ë'
                | 'í'
                | 'ì'
                | 'î'
                | 'ï'
                | 'ó'
                | 'ò'
                | 'ô'
                | 'ö'
                | 'õ'
                | 'ø'
                | 'ú'
                | 'ù'
                | 'û'
                | 'ü'
                | 'æ'
                | 'œ'
                | 'ý'
                | 'а'
                | 'е'
                | 'ё'
                | 'и'
                | 'о'
                | 'у'
                | 'ы'
                | 'э'
                | 'ю'
                | 'я'
                | 'α'
                | 'ε'
                | 'η'
                | 'ι'
                | 'ο'
                | 'υ'
                | 'ω'
                | 'ą'
                | 'ę'
                | 'ě'
                | 'ů'
                | 'ı'
        )
}
