//! Which hours of a stream are known already, and what a new file does to each.
//!
//! A rotated log is sent again and again: whole, in parts, or once more with what came later. Each hour is known by its lines,
//! its first and last second and the sum of the hashes of its lines.

use std::collections::BTreeMap;

use sdk::prelude::*;
use search::Month;
use serde::{Deserialize, Serialize};

use super::tally::Hour;
use crate::stored::Source;

/// The largest blob that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// An hour that was counted, and the import that it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) import: String,
    /// Hours since 1970 UTC.
    pub(crate) hour: u32,
    pub(crate) seen: Hour,
}

/// What becomes of the hours of a new file in one month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The hours of each day of the month that are counted.
    pub(crate) taken: [u32; 31],
    /// The hours of earlier imports that are taken back.
    pub(crate) back: BTreeMap<String, [u32; 31]>,
    /// The parts of the month as they are afterwards.
    pub(crate) parts: Vec<Part>,
    /// Lines of the new file that are counted.
    pub(crate) lines: u64,
    pub(crate) skipped: u64,
}

/// The parts of a stream's month that were counted.
pub(crate) fn read(cx: &Cx, source: &Id<Source>, stream: &str, month: Month) -> Vec<Part> {
    let bytes = cx.blobs().read(&key(source, stream, month), 0, MAX_BLOB).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// An hour of all streams of a source together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sum {
    pub(crate) lines: u64,
    /// Requests and answers of 500 to 599 of each five minutes.
    pub(crate) slots: [(u64, u64); 12],
}

/// The hours of a source in a month, by hours since 1970 UTC: one blob however many streams there are.
pub(crate) fn of_source(cx: &Cx, source: &Id<Source>, month: Month) -> BTreeMap<u32, Sum> {
    let bytes = cx.blobs().read(&sum_key(source, month), 0, MAX_BLOB).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Keeps the parts of a stream's month, and the sums of the source's.
pub(crate) fn write(cx: &Cx, source: &Stored<Source>, stream: &str, month: Month, parts: &[Part]) -> Result<()> {
    cx.blobs().write(&key(&source.id, stream, month), &serde_json::to_vec(parts).unwrap_or_default())?;
    let mut sums: BTreeMap<u32, Sum> = BTreeMap::new();
    for part in source.streams.iter().flat_map(|stream| read(cx, &source.id, stream, month)) {
        let sum = sums.entry(part.hour).or_default();
        sum.lines += part.seen.lines;
        for (all, (requests, errors)) in sum.slots.iter_mut().zip(part.seen.slots) {
            all.0 += u64::from(requests);
            all.1 += u64::from(errors);
        }
    }
    cx.blobs().write(&sum_key(&source.id, month), &serde_json::to_vec(&sums).unwrap_or_default())
}

fn sum_key(source: &Id<Source>, month: Month) -> String {
    format!("hours/{source}/all/{month}")
}

fn key(source: &Id<Source>, stream: &str, month: Month) -> String {
    let stream = kit::text::hex(&kit::text::sha256(stream.as_bytes())[..8]);
    format!("hours/{source}/{stream}/{month}")
}

/// Decides about the hours of a new file in one month. `can_take_back` says whether an import's figures by hour are there.
pub(crate) fn plan(
    before: Vec<Part>,
    import: &str,
    month: Month,
    hours: &BTreeMap<u32, Hour>,
    can_take_back: impl Fn(&str) -> bool,
) -> Plan {
    let mut plan = Plan { parts: before, ..Plan::default() };
    let first = u32::try_from(month.first().since_epoch()).unwrap_or(0) * 24;
    let end = u32::try_from(month.next().first().since_epoch()).unwrap_or(0) * 24;
    for (hour, seen) in hours.range(first..end) {
        let (day, bit) = (((hour - first) / 24) as usize, 1 << ((hour - first) % 24));
        let own = |part: &Part| part.hour == *hour;
        let known: Vec<&Part> = plan.parts.iter().filter(|it| own(it)).collect();
        let Some(gone) = replaced(&known, seen, &can_take_back) else {
            plan.skipped += 1;
            continue;
        };
        for import in &gone {
            plan.back.entry(import.clone()).or_default()[day] |= bit;
        }
        plan.parts.retain(|it| !(own(it) && gone.contains(&it.import)));
        plan.parts.push(Part { import: import.to_owned(), hour: *hour, seen: *seen });
        plan.taken[day] |= bit;
        plan.lines += seen.lines;
    }
    plan
}

/// The imports whose part of an hour is taken back for the new one; `None` where the new one is not counted: its lines were
/// counted before, or it overlaps with one that has more lines or whose figures by hour are gone.
fn replaced(known: &[&Part], seen: &Hour, can_take_back: &impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let lines: u64 = known.iter().map(|it| it.seen.lines).sum();
    let sum = known.iter().fold(0_u64, |sum, it| sum.wrapping_add(it.seen.sum));
    let same = |it: &&&Part| (it.seen.lines, it.seen.sum) == (seen.lines, seen.sum);
    if known.iter().any(|it| same(&it)) || (!known.is_empty() && (lines, sum) == (seen.lines, seen.sum)) {
        return None;
    }
    // A file that was rotated within the hour begins where the other one ended.
    let overlaps = |it: &&&Part| seen.first < it.seen.last && it.seen.first < seen.last;
    let over: Vec<&&Part> = known.iter().filter(overlaps).collect();
    let theirs: u64 = over.iter().map(|it| it.seen.lines).sum();
    if theirs >= seen.lines && !over.is_empty() || !over.iter().all(|it| can_take_back(&it.import)) {
        return None;
    }
    Some(over.into_iter().map(|it| it.import.clone()).collect())
}
