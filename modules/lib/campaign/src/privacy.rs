//! Counts that name nobody: what fewer than five people did is withheld.

use std::collections::BTreeMap;

/// The smallest group whose count is shown.
pub const LEAST: u64 = 5;

/// A count of people or of what people did, for an answer: none where it would point at a few. Nothing at all points at
/// nobody and is shown.
#[must_use]
pub const fn shown(count: u64) -> Option<u64> {
    if count > 0 && count < LEAST { None } else { Some(count) }
}

/// Groups that are large enough, the largest first, and how many were left out. When exactly one is left out and the
/// whole is known, it could be told from the difference: then the smallest of the others goes with it.
#[must_use]
pub fn groups(counts: BTreeMap<String, u64>) -> (Vec<(String, u64)>, u64) {
    let (mut kept, small): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, count)| *count >= LEAST);
    kept.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let mut withheld = small.iter().filter(|(_, count)| *count > 0).count() as u64;
    if withheld == 1 && !kept.is_empty() {
        kept.pop();
        withheld += 1;
    }
    (kept, withheld)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
        pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn one_to_four_people_are_withheld() {
        assert_eq!((0..7).map(shown).collect::<Vec<_>>(), [Some(0), None, None, None, None, Some(5), Some(6)]);
    }

    #[test]
    fn a_single_small_group_cannot_be_told_from_the_difference() {
        let (kept, withheld) = groups(counts(&[("a", 40), ("b", 9), ("c", 2)]));
        assert_eq!((kept, withheld), (vec![("a".to_owned(), 40)], 2));
        let (kept, withheld) = groups(counts(&[("a", 40), ("b", 3), ("c", 2)]));
        assert_eq!((kept.len(), withheld), (1, 2));
        assert_eq!(groups(counts(&[("a", 40), ("b", 9)])).1, 0);
    }
}
