//! Words, white space and hashes of text.

mod spaceless;

use sha2::{Digest, Sha256};

pub use spaceless::{is_hangul, is_spaceless};

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
    for word in runs(text) {
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
    for word in runs(text) {
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
/// In scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) the words are those of ICU's dictionaries,
/// which are longest at each place; after [`spaceless::MOST`] such letters they are pieces of the usual length of a word.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    Words { runs: runs(text), run: "", found: Vec::new().into_iter(), left: spaceless::MOST }
}

/// What stands between white space: as [`str::split_whitespace`], a byte at a time where bytes are ASCII.
pub fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0 }
}

/// The iterator of [`runs`].
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    text: &'a str,
    at: usize,
}

impl Runs<'_> {
    /// The first place from `at` on that is white space, or is not.
    fn next_that(&self, mut at: usize, is_space: bool) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            let (space, length) = if byte.is_ascii() {
                (matches!(byte, b'\t'..=b'\r' | b' '), 1)
            } else {
                let next = self.text[at..].chars().next().unwrap_or_default();
                (next.is_whitespace(), next.len_utf8())
            };
            if space == is_space {
                return at;
            }
            at += length;
        }
        bytes.len()
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.next_that(self.at, false);
        self.at = self.next_that(start, true);
        (start < self.at).then(|| &self.text[start..self.at])
    }
}

/// How many words a text has; see [`words`].
#[must_use]
pub fn word_count(text: &str) -> u32 {
    u32::try_from(words(text).count()).unwrap_or(u32::MAX)
}

/// The iterator of [`words`].
struct Words<'a> {
    runs: Runs<'a>,
    /// What is left of the run.
    run: &'a str,
    /// Words of a part without spaces that are still to come.
    found: std::vec::IntoIter<&'a str>,
    /// Letters without spaces that are still looked up.
    left: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.found.next() {
                return Some(word);
            }
            if self.run.is_empty() {
                self.run = self.runs.next()?;
            }
            if self.run.is_ascii() {
                let run = std::mem::take(&mut self.run);
                let letter = |byte: u8| byte.is_ascii_alphanumeric();
                if let (Some(start), Some(end)) = (run.bytes().position(letter), run.bytes().rposition(letter)) {
                    return Some(&run[start..=end]);
                }
                continue;
            }
            let run = self.run.trim_start_matches(|c: char| !c.is_alphanumeric());
            let without = run.chars().next().is_some_and(is_spaceless);
            let end = run.find(|c| is_spaceless(c) != without).unwrap_or(run.len());
            let (part, rest) = run.split_at(end);
            self.run = rest;
            if without {
                self.found = spaceless::words(part, &mut self.left).into_iter();
                continue;
            }
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            if !word.is_empty() {
                return Some(word);
            }
        }
    }
}

/// Words that are written one after the other as a text has them: with a space between two, but for scripts that are
/// written without.
#[must_use]
pub fn joined<T: AsRef<str>>(words: &[T]) -> String {
    let mut out = String::new();
    for word in words.iter().map(AsRef::as_ref) {
        let is_close = |c: Option<char>| c.is_some_and(is_spaceless);
        let are_close = is_close(out.chars().next_back()) && is_close(word.chars().next());
        if !out.is_empty() && !are_close {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether a text holds letters of scripts that are written without spaces.
#[must_use]
pub fn has_spaceless(text: &str) -> bool {
    !text.is_ascii() && text.contains(is_spaceless)
}

/// About how many words a text has, at a fraction of what [`word_count`] takes: of scripts without spaces a word is taken
/// to have two letters in Han and kana and five in the others.
#[must_use]
pub fn about_words(text: &str) -> u32 {
    let mut fifths = 0;
    let mut out = 0;
    for run in runs(text) {
        if has_spaceless(run) {
            fifths += run.chars().map(spaceless::fifths).sum::<u32>();
        } else {
            out += 1;
        }
    }
    out + fifths.div_ceil(5)
}

#[cfg(test)]
mod tests;
