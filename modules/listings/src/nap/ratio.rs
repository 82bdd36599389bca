//! How alike two texts are, from 0 to 1: the ratios of `rapidfuzz`, over letters that stay in their order.
//!
//! Source: rapidfuzz 3, `fuzz.ratio` (normalised insertions and deletions), `fuzz.token_sort_ratio`, `fuzz.token_set_ratio`.

/// Letters of the longest common subsequence.
fn common(a: &[char], b: &[char]) -> usize {
    let mut row = vec![0_usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == y { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

#[expect(clippy::cast_precision_loss, reason = "texts are short")]
fn share(common: usize, length: usize) -> f64 {
    if length == 0 { 1.0 } else { 2.0 * common as f64 / length as f64 }
}

/// Twice the letters that both have in the same order, over all letters.
pub(crate) fn plain(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    share(common(&a, &b), a.len() + b.len())
}

fn sorted(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words
}

/// The same with the words of both in the order of the alphabet.
pub(crate) fn token_sort(a: &str, b: &str) -> f64 {
    plain(&sorted(a).join(" "), &sorted(b).join(" "))
}

/// The best of: the common words against each text, and both texts with the common words first.
pub(crate) fn token_set(a: &str, b: &str) -> f64 {
    let (mut a, mut b) = (sorted(a), sorted(b));
    a.dedup();
    b.dedup();
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let both: Vec<&str> = a.iter().filter(|it| b.contains(it)).copied().collect();
    let only_a: Vec<&str> = a.iter().filter(|it| !b.contains(it)).copied().collect();
    let only_b: Vec<&str> = b.iter().filter(|it| !a.contains(it)).copied().collect();
    if !both.is_empty() && (only_a.is_empty() || only_b.is_empty()) {
        return 1.0;
    }
    let (both, only_a, only_b) = (both.join(" "), only_a.join(" "), only_b.join(" "));
    let length = |text: &str| text.chars().count();
    let gap = usize::from(!both.is_empty());
    let (whole_a, whole_b) = (length(&both) + gap + length(&only_a), length(&both) + gap + length(&only_b));
    let chars = |text: &str| text.chars().collect::<Vec<char>>();
    // What both begin with is common as a whole.
    let of_rest = share(length(&both) + gap + common(&chars(&only_a), &chars(&only_b)), whole_a + whole_b);
    if both.is_empty() {
        return of_rest;
    }
    of_rest.max(share(length(&both), length(&both) + whole_a)).max(share(length(&both), length(&both) + whole_b))
}
