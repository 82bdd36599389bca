//! What two texts have in common: shingles, their overlap, and the longest passages that both hold.

use std::collections::{HashMap, HashSet};

/// Hashes of every run of `size` words; a shorter text is one shingle. Words are compared as given.
#[must_use]
pub fn shingles<T: AsRef<str>>(words: &[T], size: usize) -> HashSet<u64> {
    if words.is_empty() || size == 0 {
        return HashSet::new();
    }
    let size = size.min(words.len());
    words.windows(size).map(hash).collect()
}

/// The share of shingles that two texts have in common, of all that either has (Jaccard 1901); 1 for two empty texts.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
pub fn jaccard(a: &HashSet<u64>, b: &HashSet<u64>) -> f64 {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// The MinHash signature of a set: the smallest of its values under each of `size` hash functions (Broder 1997).
/// The share of equal places of two signatures estimates their Jaccard overlap.
#[must_use]
pub fn minhash(set: &HashSet<u64>, size: usize) -> Vec<u64> {
    let mut signature = vec![u64::MAX; size];
    for value in set {
        let mut seed = *value;
        for place in &mut signature {
            seed = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            *place = (*place).min(seed);
        }
    }
    signature
}

/// The estimate of the Jaccard overlap by two signatures of the same size; 0 when either is empty.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "signatures have some hundred places")]
pub fn estimate(a: &[u64], b: &[u64]) -> f64 {
    let equal = a.iter().zip(b).filter(|(x, y)| x == y).count();
    if a.is_empty() { 0.0 } else { equal as f64 / a.len().max(b.len()) as f64 }
}

/// A run of words that stands in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// Where it begins in the first text, in words.
    pub a: usize,
    /// Where it begins in the second.
    pub b: usize,
    /// How many words it has.
    pub length: usize,
}

/// The longest passages of at least `least` words that both texts hold, the longest first, at most `most`.
/// None overlaps another in either text.
#[must_use]
pub fn passages<T: AsRef<str> + PartialEq>(a: &[T], b: &[T], least: usize, most: usize) -> Vec<Passage> {
    let least = least.max(1);
    if a.len() < least || b.len() < least {
        return Vec::new();
    }
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, run) in b.windows(least).enumerate() {
        let known = places.entry(hash(run)).or_default();
        // A run that stands everywhere says little; its first places are enough.
        if known.len() < 20 {
            known.push(at);
        }
    }
    let mut found: Vec<Passage> = Vec::new();
    let mut from = 0;
    while from + least <= a.len() {
        let longest = places.get(&hash(&a[from..from + least])).into_iter().flatten().map(|&at| {
            let length = a[from..].iter().zip(&b[at..]).take_while(|(x, y)| x == y).count();
            Passage { a: from, b: at, length }
        });
        match longest.max_by_key(|it| (it.length, usize::MAX - it.b)).filter(|it| it.length >= least) {
            Some(passage) => {
                from += passage.length;
                found.push(passage);
            }
            None => from += 1,
        }
    }
    found.sort_by_key(|it| (usize::MAX - it.length, it.a));
    let mut kept: Vec<Passage> = Vec::new();
    for passage in found {
        let apart = |it: &Passage| passage.b + passage.length <= it.b || it.b + it.length <= passage.b;
        if kept.len() < most && kept.iter().all(apart) {
            kept.push(passage);
        }
    }
    kept
}

/// FNV-1a over the words, a zero byte between them.
fn hash<T: AsRef<str>>(words: &[T]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for word in words {
        for byte in word.as_ref().bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    mix(hash)
}

/// The finaliser of SplitMix64.
fn mix(mut value: u64) -> u64 {
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::{Passage, estimate, jaccard, minhash, passages, shingles};

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn the_overlap_of_shingles_is_that_of_their_sets() {
        let (a, b) = (shingles(&words("a b c d e"), 2), shingles(&words("a b c x e"), 2));
        assert!((jaccard(&a, &b) - 2.0 / 6.0).abs() < 1e-12);
        assert!((jaccard(&a, &a) - 1.0).abs() < 1e-12);
        assert!((jaccard(&shingles::<&str>(&[], 5), &a)).abs() < f64::EPSILON);
    }

    #[test]
    fn a_signature_estimates_the_overlap() {
        let long: Vec<String> = (0..2_000).map(|it| format!("w{it}")).collect();
        let (a, b) = (shingles(&long[..1_500], 1), shingles(&long[500..], 1));
        let guess = estimate(&minhash(&a, 256), &minhash(&b, 256));
        assert!((guess - jaccard(&a, &b)).abs() < 0.1, "{guess}");
    }

    #[test]
    fn shared_passages_are_found_longest_first_and_do_not_overlap() {
        let a = words("one two three four five x six seven eight nine");
        let b = words("six seven eight nine y one two three four five");
        let found = passages(&a, &b, 3, 10);
        assert_eq!(found, [Passage { a: 0, b: 5, length: 5 }, Passage { a: 6, b: 0, length: 4 }]);
        assert!(passages(&a, &words("nothing in common here"), 3, 10).is_empty());
        assert_eq!(passages(&a, &b, 3, 1).len(), 1);
    }
}
