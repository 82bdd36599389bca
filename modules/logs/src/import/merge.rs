//! Puts the runs of an import into a website's months and newest visits, in parts of bounded size.

use sdk::prelude::*;
use search::Month;
use site::Site;
use visits::{Entry, Figures as _, Key, Merger, Shelf, Source, Store, Verdict, Visits, writer};

use super::state::{Merge, month};
use crate::stored::Run;

/// Bytes of packs that one step reads beyond those that it opens first.
const MOST_READ: u64 = if cfg!(test) { 2 << 10 } else { 48 << 20 };
/// Milliseconds after which a step ends.
const MOST_MS: u64 = 60_000;

/// Keys after which the clock is looked at: asking is a call to the host, of which a step may make some ten thousand.
const CLOCK: u32 = 4_096;

/// The shelf of a run.
pub(crate) fn run<'a>(cx: &'a Cx, import: &str, run: &Run) -> Shelf<'a> {
    Shelf::of(cx, format!("runs/{import}/{}/{}", run.month, run.number))
}

/// Hours of an import that are added to a month, or taken from it.
pub(crate) struct Change<'a> {
    pub(crate) shelf: Shelf<'a>,
    /// The hours of each day of the month.
    pub(crate) hours: [u32; 31],
    pub(crate) is_taken_back: bool,
}

/// Merges a part of a month; whether the month is whole.
///
/// # Errors
/// 503 `storage_damaged`; the host's refusal of a blob.
pub(crate) fn into_month(
    cx: &Cx,
    site: &Id<Site>,
    month: Month,
    changes: &[Change<'_>],
    merge: &mut Merge,
) -> Result<bool> {
    let added = changes.iter().filter(|it| !it.is_taken_back).flat_map(|it| it.hours.iter().enumerate());
    let days = added.filter(|(_, hours)| **hours != 0).fold(merge.days, |days, (day, _)| days | 1 << day);
    let part = Part {
        shelf: Store::own(cx, site).month(month),
        first_day: u32::try_from(month.first().since_epoch()).unwrap_or(0),
        days,
        runs: changes.iter().map(|it| it.shelf.clone()).collect(),
    };
    let base = |key: &[u8]| Some(key.len().saturating_sub(3));
    part.merge(cx, merge, base, |group, run, key, hours| {
        let (Some(change), Some(day)) = (changes.get(run), day_of(key)) else { return };
        for figures in counted(&change.hours, day, hours) {
            if change.is_taken_back { group.take(day, figures) } else { group.add(day, figures) }
        }
    })
}

/// Merges a part of the newest visits; whether all are in.
///
/// # Errors
/// As [`into_month`].
pub(crate) fn into_newest(
    cx: &Cx,
    site: &Id<Site>,
    runs: &[(Shelf<'_>, [u32; 31])],
    merge: &mut Merge,
) -> Result<bool> {
    let part = Part {
        shelf: Store::own(cx, site).newest(),
        first_day: 0,
        days: 3,
        runs: runs.iter().map(|(shelf, _)| shelf.clone()).collect(),
    };
    // Behind the keys of bots there are others, which say nothing of addresses.
    let base = |key: &[u8]| key.starts_with(Key::BOTS).then(|| base_of(key));
    part.merge(cx, merge, base, |group, run, key, hours| {
        let (Some((_, taken)), Some(day)) = (runs.get(run), day_of(key)) else { return };
        let Some(Key::Bot { verdict, .. }) = Key::read(&key[..key.len() - 3]) else { return };
        if verdict == Verdict::Spoofed {
            return;
        }
        for figures in counted(taken, day, hours) {
            group.add(0, figures);
            if verdict == Verdict::Verified {
                group.add(1, figures);
            }
        }
    })
}

/// The figures of a day's hours that are counted.
fn counted<'h>(taken: &[u32; 31], day: u8, hours: &'h [(u8, Visits)]) -> impl Iterator<Item = &'h Visits> {
    let taken = taken.get(usize::from(day)).copied().unwrap_or(0);
    hours.iter().filter(move |(hour, _)| taken & (1 << hour) != 0).map(|(_, figures)| figures)
}

/// A shelf that is written anew with what runs add to it.
struct Part<'a> {
    shelf: Shelf<'a>,
    /// The day that the days of its rows count from, since 1970.
    first_day: u32,
    /// The days that it has afterwards.
    days: u32,
    runs: Vec<Shelf<'a>>,
}

impl Part<'_> {
    /// Merges as much as one step may; whether all is in. `base` is the length of the part of a run's key that the shelf's keys
    /// have, nothing where the rest of the runs is left out; `each` adds a row of a run to its group.
    fn merge(
        self,
        cx: &Cx,
        merge: &mut Merge,
        base: impl Fn(&[u8]) -> Option<usize>,
        mut each: impl FnMut(&mut Group, usize, &[u8], &[(u8, Visits)]),
    ) -> Result<bool> {
        let Self { shelf, first_day, days, runs } = self;
        let index = shelf.index();
        let written = index.written + 1;
        let sources = std::iter::once(shelf.clone()).chain(runs).map(Source::of).collect();
        let mut merger = Merger::<Visits>::new(sources, &merge.from).map_err(visits::Damaged::fault)?;
        let (opened, mut groups) = (merger.bytes_read(), 0_u32);
        let mut out = writer::<Visits>(first_day);
        let mut group = Group::default();
        let put = |packs: Vec<kit::pack::Packed>, merge: &mut Merge| -> Result<()> {
            for pack in packs {
                shelf.put(written, merge.packs.len(), &pack)?;
                merge.packs.push(Entry::of(&pack));
            }
            Ok(())
        };
        while let Some((key, source)) = merger.peek() {
            let Some(length) = (if source == 0 { Some(key.len()) } else { base(key) }) else { break };
            let base = &key[..length];
            if group.key != base {
                group.flush(&mut out)?;
                groups += 1;
                let is_late = groups % CLOCK == 0 && cx.elapsed() > MOST_MS;
                let is_enough = merger.bytes_read() - opened > MOST_READ || is_late;
                if is_enough && !group.key.is_empty() {
                    merge.from = base.to_vec();
                    put(out.finish(), merge)?;
                    return Ok(false);
                }
                group.key = base.to_vec();
                put(out.finished(), merge)?;
            }
            let Some(it) = merger.advance().map_err(visits::Damaged::fault)? else { break };
            match it.source.checked_sub(1) {
                None => it.days.iter().for_each(|(day, figures)| group.add(*day, figures)),
                Some(run) => each(&mut group, run, &it.key, &it.days),
            }
        }
        group.flush(&mut out)?;
        put(out.finish(), merge)?;
        shelf.commit(&index, std::mem::take(&mut merge.packs), days)?;
        *merge = Merge::default();
        Ok(true)
    }
}

/// The days of one key.
#[derive(Default)]
struct Group {
    key: Vec<u8>,
    days: std::collections::BTreeMap<u8, (Visits, Visits)>,
}

impl Group {
    fn add(&mut self, day: u8, figures: &Visits) {
        self.days.entry(day).or_default().0.add(figures);
    }

    fn take(&mut self, day: u8, figures: &Visits) {
        self.days.entry(day).or_default().1.add(figures);
    }

    fn flush(&mut self, out: &mut kit::pack::Writer<Visits>) -> Result<()> {
        let days: Vec<(u8, Visits)> = std::mem::take(&mut self.days)
            .into_iter()
            .map(|(day, (mut added, back))| {
                added.take(&back);
                (day, added)
            })
            .filter(|(_, it)| it.hits > 0)
            .collect();
        out.push(&self.key, &days).map_err(|_| visits::Damaged.fault())
    }
}

/// The day of the month that the key of a run ends in, from 0.
fn day_of(key: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(key.get(key.len().checked_sub(2)?..)?).ok()?;
    text.parse::<u8>().ok()?.checked_sub(1)
}

/// The length of the key of newest visits that a key of a bot counts for: without verdict, status and day.
fn base_of(key: &[u8]) -> usize {
    let mut zeros = key.iter().enumerate().filter(|(_, it)| **it == 0).map(|(at, _)| at);
    zeros.nth(2).unwrap_or(key.len())
}

/// Empties the runs of an import.
///
/// # Errors
/// The host's refusal of a blob.
pub(crate) fn clear(cx: &Cx, import: &str, runs: &[Run]) -> Result<()> {
    runs.iter().try_for_each(|it| run(cx, import, it).clear())
}

/// The runs of one month.
pub(crate) fn of_month(runs: &[Run], first: i32) -> impl Iterator<Item = &Run> {
    let name = month(first).to_string();
    runs.iter().filter(move |it| it.month == name)
}
