//! A 64-bit fingerprint that stays close when a text changes little (Charikar 2002), over 3-word shingles.

mod tables;

pub use tables::{MOST, Near, Tables};

use crate::text::words;

/// Words in a row that make one feature.
pub const SHINGLE: usize = 3;

/// The fingerprint of a text, by its words in lower case; none when it has no words.
/// A text shorter than a shingle is one feature.
#[must_use]
pub fn of_text(text: &str) -> Option<u64> {
    of_words(&word_hashes(text))
}

/// The hashes of a text's words in lower case, in their order: for [`of_words`] and for a sketch.
#[must_use]
pub fn word_hashes(text: &str) -> Vec<u64> {
    words(text).map(word_hash).collect()
}

/// As [`of_text`], of hashed words.
#[must_use]
pub fn of_words(hashes: &[u64]) -> Option<u64> {
    if hashes.is_empty() {
        return None;
    }
    let size = SHINGLE.min(hashes.len());
    Some(of_features(
        hashes
            .windows(size)
            .map(|shingle| shingle.iter().fold(0, |joined: u64, word| mix(joined.rotate_left(23) ^ word))),
    ))
}

/// The fingerprint of hashed features, each of weight one: bit i is set when more than half of the features set it.
///
/// All 64 bits are counted at once: `planes[p]` holds bit p of each of the 64 counters, and adding a feature is a
/// ripple of carries that ends after two planes on average.
#[must_use]
pub fn of_features(features: impl Iterator<Item = u64>) -> u64 {
    let mut planes = [0_u64; 32];
    let mut all = 0_u64;
    for feature in features {
        all += 1;
        let mut carry = feature;
        for plane in &mut planes {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }
    (0..64).fold(0, |out, bit| {
        let count: u64 = planes.iter().enumerate().map(|(at, plane)| (plane >> bit & 1) << at).sum();
        out | u64::from(count * 2 > all) << bit
    })
}

/// How many bits differ.
#[must_use]
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// As `PageFacts::simhash` holds it: 16 hex digits.
#[must_use]
pub fn to_hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads what [`to_hex`] wrote.
#[must_use]
pub fn from_hex(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// FNV-1a over the lower-cased bytes, then mixed so that every bit depends on every other.
pub(crate) fn word_hash(word: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut step = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    if word.is_ascii() {
        word.bytes().for_each(|byte| step(byte.to_ascii_lowercase()));
    } else {
        word.to_lowercase().bytes().for_each(step);
    }
    mix(hash)
}

/// The finaliser of MurmurHash3.
pub(crate) fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests;
