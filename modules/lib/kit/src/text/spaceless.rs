//! Scripts that are written without spaces between words.

use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

/// By dictionaries, not by the neural networks that there are for some of these scripts: those compute with floating-point
/// numbers for every letter.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// Han with Hiragana and Katakana, Thai, Lao, Burmese and Khmer.
#[must_use]
pub fn is_spaceless(c: char) -> bool {
    is_east_asian(c) || is_south_east_asian(c)
}

/// A syllable of Korean, which parts words by spaces and joins particles to them.
#[must_use]
pub fn is_hangul(c: char) -> bool {
    matches!(c, '가'..='힣')
}

fn is_east_asian(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3005..=0x3007 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF
    )
}

fn is_south_east_asian(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0E00..=0x0E7F | 0x0E80..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F
    )
}

/// The fifths of a word that a letter is, about: in Thai and its neighbours signs above and below letters count as well.
pub(super) fn fifths(c: char) -> u32 {
    match c {
        _ if is_east_asian(c) => 3,
        _ if is_south_east_asian(c) => 1,
        _ => 0,
    }
}

/// Letters of one text that are looked up in dictionaries: forty printed pages. A letter takes some 2,000 units of fuel.
pub(super) const MOST: usize = 60_000;

/// The words of a text in such scripts; `left` are the letters that may still be looked up.
pub(super) fn words<'a>(text: &'a str, left: &mut usize) -> Vec<&'a str> {
    let letters = text.chars().count();
    if letters > *left {
        *left = 0;
        return pieces(text);
    }
    *left -= letters;
    let (mut out, mut last) = (Vec::new(), 0);
    for at in SEGMENTER.segment_str(text) {
        let word = &text[last..at];
        if word.chars().any(char::is_alphanumeric) {
            out.push(word);
        }
        last = at;
    }
    out
}

/// Pieces of about a word each, as [`fifths`] counts.
fn pieces(text: &str) -> Vec<&str> {
    let (mut out, mut last, mut sum) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        if sum >= 5 {
            out.push(&text[last..at]);
            (last, sum) = (at, 0);
        }
        sum += fifths(c);
    }
    out.push(&text[last..]);
    out.retain(|it| it.chars().any(char::is_alphanumeric));
    out
}
