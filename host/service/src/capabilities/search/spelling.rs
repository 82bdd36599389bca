//! A misspelt word of a goal: the known stem that differs by one slip, or by two when it is long.

use std::collections::HashSet;

/// Stems shorter than this are taken as they are.
const FROM: usize = 4;
/// From this length on two slips are forgiven.
const LONG: usize = 8;

/// The nearest known stem; of equally near ones the first by the alphabet. None when none is near.
pub(super) fn nearest<'a>(stem: &str, known: &'a HashSet<String>) -> Option<&'a str> {
    let length = stem.chars().count();
    if length < FROM || stem.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if length >= LONG { 2 } else { 1 };
    known
        .iter()
        .filter(|other| other.chars().next() == stem.chars().next() && other.len() >= FROM)
        .filter(|other| other.len().abs_diff(stem.len()) <= most)
        .filter_map(|other| {
            let slips = slips(stem, other);
            (slips <= most).then_some((slips, other.as_str()))
        })
        .min()
        .map(|(_, other)| other)
}

/// Letters left out, put in, changed, or two neighbours that changed places: the optimal string alignment distance.
fn slips(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = row[j] + usize::from(x != *y);
            next[j + 1] = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(*y) && b[j - 1] == x {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row[b.len()]
}
