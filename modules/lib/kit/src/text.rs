//! Words, white space and hashes of text.

use sha2::{Digest, Sha256};

/// SHA-256.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

/// Runs of white space become one space, none at the ends.
#[must_use]
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// As [`collapse`], cut after `most` characters.
#[must_use]
pub fn collapse_to(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut left = most;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            if left <= 1 {
                break;
            }
            out.push(' ');
            left -= 1;
        }
        for c in word.chars() {
            if left == 0 {
                return out;
            }
            out.push(c);
            left -= 1;
        }
    }
    out
}

/// At most `most` characters from the beginning.
#[must_use]
pub fn clip(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// The words of a text: runs between white space that hold a letter or digit, without the punctuation around them.
/// In scripts that are written without spaces (Han, Hiragana, Katakana) each character is a word.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().flat_map(Pieces)
}

/// How many words a text has; see [`words`].
#[must_use]
pub fn word_count(text: &str) -> u32 {
    u32::try_from(words(text).count()).unwrap_or(u32::MAX)
}

/// Cuts one run into words.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let run = self.0.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = run.chars().next()?;
        let end = if is_spaceless(first) { first.len_utf8() } else { run.find(is_spaceless).unwrap_or(run.len()) };
        let (word, rest) = run.split_at(end);
        self.0 = rest;
        Some(word.trim_end_matches(|c: char| !c.is_alphanumeric()))
    }
}

/// Han, Hiragana and Katakana.
fn is_spaceless(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests;
