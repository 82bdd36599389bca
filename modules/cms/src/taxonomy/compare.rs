//! Terms held against each other: by their names, and by the items that have them.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

use super::{Finding, Problem, Term, finding};

/// Jaro-Winkler from which two names are nearly the same, and how much longer one may be.
const NEAR: f64 = 0.93;
const LONGER: usize = 2;
/// The share of common items from which two terms overlap, and from which one contains the other.
const OVERLAP: f64 = 0.8;
const CONTAINED: f64 = 0.95;
/// Items that a term has at least when its items are compared.
const COMPARED: usize = 3;

/// Terms and the items that have each.
pub(super) struct Terms<'a> {
    pub(super) terms: &'a [Term],
    pub(super) members: &'a BTreeMap<u64, BTreeSet<u64>>,
}

/// Two terms that have to do with each other.
pub(super) struct Pair {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) problem: Problem,
    pub(super) value: f64,
}

/// A name as it is compared: compatibility forms, small letters, no punctuation (Unicode Standard Annex 15).
fn folded(name: &str) -> String {
    let text: String = name.replace("&amp;", "&").nfkc().collect::<String>().to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.join(" ")
}

impl Terms<'_> {
    /// What is wrong with terms by themselves.
    pub(super) fn of_one(&self, is_indexed: impl Fn(&Term) -> bool) -> Vec<Finding> {
        let mut all = Vec::new();
        for term in self.terms {
            match term.count {
                0 => all.push(finding(term, Problem::Empty)),
                1 => all.push(finding(term, Problem::Single)),
                _ => {}
            }
            if term.count < 3 && term.count > 0 && term.description.trim().is_empty() && is_indexed(term) {
                all.push(finding(term, Problem::ThinArchive));
            }
        }
        all
    }

    /// Pairs, each in its worst problem. Names are compared within their first letter, items by what shares one.
    pub(super) fn of_two(&self) -> Vec<Pair> {
        let names: Vec<String> = self.terms.iter().map(|it| folded(&it.name)).collect();
        let mut all: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
        let mut by_letter: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        for (at, name) in names.iter().enumerate() {
            by_letter.entry(name.chars().next().unwrap_or(' ')).or_default().push(at);
        }
        for group in by_letter.values() {
            // In the order of their lengths only neighbours can be near.
            let mut group = group.clone();
            group.sort_by_key(|at| names[*at].chars().count());
            for (place, a) in group.iter().enumerate() {
                let long = names[*a].chars().count();
                for b in &group[place + 1..] {
                    if names[*b].chars().count() - long > LONGER {
                        break;
                    }
                    let value = if names[*a] == names[*b] { 1.0 } else { strsim::jaro_winkler(&names[*a], &names[*b]) };
                    if value >= NEAR && !names[*a].is_empty() && !differ_in_number(&names[*a], &names[*b]) {
                        let key = (*a.min(b), *a.max(b));
                        all.insert(key, Pair { a: key.0, b: key.1, problem: Problem::NearDuplicate, value });
                    }
                }
            }
        }
        let mut by_item: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (at, term) in self.terms.iter().enumerate() {
            for item in self.members.get(&term.id).filter(|it| it.len() >= COMPARED).into_iter().flatten() {
                by_item.entry(*item).or_default().push(at);
            }
        }
        let mut common: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        // An item with very many terms says little of any two.
        for terms in by_item.values().filter(|it| it.len() <= 50) {
            for (place, a) in terms.iter().enumerate() {
                for b in &terms[place + 1..] {
                    *common.entry((*a, *b)).or_default() += 1;
                }
            }
        }
        let size = |at: usize| self.members.get(&self.terms[at].id).map_or(0, BTreeSet::len);
        for ((a, b), shared) in common {
            let (one, two) = (size(a), size(b));
            let (least, most) = (one.min(two), one.max(two));
            #[expect(clippy::cast_precision_loss, reason = "at most 5,000 items")]
            let (jaccard, inner) = (shared as f64 / (one + two - shared) as f64, shared as f64 / least as f64);
            if jaccard >= OVERLAP {
                all.entry((a, b)).or_insert(Pair { a, b, problem: Problem::Overlap, value: jaccard });
            } else if inner >= CONTAINED && most <= 2 * least {
                let (a, b) = if one <= two { (a, b) } else { (b, a) };
                all.entry((a.min(b), a.max(b))).or_insert(Pair { a, b, problem: Problem::Contained, value: inner });
            }
        }
        all.into_values().collect()
    }
}

/// Whether two names are told apart by a number: `lamp 10` and `lamp 100` are two things.
fn differ_in_number(a: &str, b: &str) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(a) != digits(b)
}

/// Terms that belong together (union-find with path halving; Tarjan 1975).
pub(super) struct Groups(Vec<usize>);

impl Groups {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    pub(super) fn groups(mut self) -> Vec<Vec<usize>> {
        let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.0.len() {
            let root = self.root(at);
            all.entry(root).or_default().push(at);
        }
        all.into_values().filter(|it| it.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(id: u64, name: &str, count: u64) -> Term {
        Term {
            id,
            name: name.to_owned(),
            slug: name.to_owned(),
            link: String::new(),
            description: String::new(),
            count,
        }
    }

    #[test]
    fn names_and_items_that_are_nearly_the_same_are_found_and_others_are_not() {
        let names = ["Lamp", "lamps", "Lamp 10", "Lamp 100", "Mending", "Brass", "ＢＲＡＳＳ!", "Repair"];
        let terms: Vec<Term> = (0..).zip(names).map(|(id, name)| term(id, name, 5)).collect();
        let set = |all: std::ops::Range<u64>| all.collect::<BTreeSet<u64>>();
        let members =
            BTreeMap::from([(4, set(0..10)), (7, set(0..9)), (0, set(20..24)), (1, set(20..27)), (2, set(0..2))]);
        let read = Terms { terms: &terms, members: &members };
        let found: Vec<(&str, &str, Problem)> =
            read.of_two().iter().map(|it| (names[it.a], names[it.b], it.problem)).collect();
        assert_eq!(
            found,
            [
                ("Lamp", "lamps", Problem::NearDuplicate),
                ("Mending", "Repair", Problem::Overlap),
                ("Brass", "ＢＲＡＳＳ!", Problem::NearDuplicate)
            ]
        );
    }

    #[test]
    fn likeness_is_what_the_reference_computes() {
        // jellyfish 1.3.0, `jaro_winkler_similarity`.
        for (a, b, value) in [
            ("martha", "marhta", 0.961_111_111_111_111_1),
            ("dixon", "dicksonx", 0.813_333_333_333_333_3),
            ("lamp", "lamps", 0.96),
        ] {
            assert!((strsim::jaro_winkler(a, b) - value).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn groups_join_what_is_joined_by_others() {
        let mut groups = Groups::new(6);
        groups.join(0, 3);
        groups.join(3, 5);
        groups.join(1, 2);
        assert_eq!(groups.groups(), [vec![0, 3, 5], vec![1, 2]]);
    }
}
