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

/// Merges a part of a month; whether the month is whole. `moved` changes rows that are there: claims that were verified.
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
    let shelf = Store::own(cx, site).month(month);
    let index = shelf.index();
    let written = index.written + 1;
    let mut sources = vec![Source::of(shelf.clone())];
    sources.extend(changes.iter().map(|it| Source::of(it.shelf.clone())));
    let mut merger = Merger::<Visits>::new(sources, &merge.from).map_err(visits::Damaged::fault)?;
    let (opened, mut groups) = (merger.bytes_read(), 0_u32);
    let mut out = writer::<Visits>(u32::try_from(month.first().since_epoch()).unwrap_or(0));
    let mut group = Group::default();
    let put = |packs: Vec<kit::pack::Packed>, merge: &mut Merge| -> Result<()> {
        for pack in packs {
            shelf.put(written, merge.packs.len(), &pack)?;
            merge.packs.push(Entry::of(&pack));
        }
        Ok(())
    };
    while let Some((key, source)) = merger.peek() {
        let base = if source == 0 { key } else { &key[..key.len().saturating_sub(3)] };
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
        if it.source == 0 {
            it.days.iter().for_each(|(day, figures)| group.add(*day, figures));
            continue;
        }
        let change = &changes[it.source - 1];
        let Some(day) = day_of(&it.key) else { continue };
        let hours = change.hours.get(usize::from(day)).copied().unwrap_or(0);
        for (_, figures) in it.days.iter().filter(|(hour, _)| hours & (1 << hour) != 0) {
            if change.is_taken_back { group.take(day, figures) } else { group.add(day, figures) }
        }
    }
    group.flush(&mut out)?;
    put(out.finish(), merge)?;
    let days = changes.iter().filter(|it| !it.is_taken_back).flat_map(|it| it.hours.iter().enumerate());
    let days = days.filter(|(_, hours)| **hours != 0).fold(merge.days, |days, (day, _)| days | 1 << day);
    shelf.commit(&index, std::mem::take(&mut merge.packs), days)?;
    *merge = Merge::default();
    Ok(true)
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
    let shelf = Store::own(cx, site).newest();
    let index = shelf.index();
    let written = index.written + 1;
    let mut sources = vec![Source::of(shelf.clone())];
    sources.extend(runs.iter().map(|(shelf, _)| Source::of(shelf.clone())));
    let mut merger = Merger::<Visits>::new(sources, &merge.from).map_err(visits::Damaged::fault)?;
    let (opened, mut groups) = (merger.bytes_read(), 0_u32);
    let mut out = writer::<Visits>(0);
    let mut group = Group::default();
    let put = |packs: Vec<kit::pack::Packed>, merge: &mut Merge| -> Result<()> {
        for pack in packs {
            shelf.put(written, merge.packs.len(), &pack)?;
            merge.packs.push(Entry::of(&pack));
        }
        Ok(())
    };
    while let Some((key, source)) = merger.peek() {
        // Behind the keys of bots there are others, which say nothing of addresses.
        if !key.starts_with(Key::BOTS) {
            break;
        }
        let base = if source == 0 { key } else { base_of(key) };
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
        if it.source == 0 {
            it.days.iter().for_each(|(day, figures)| group.add(*day, figures));
            continue;
        }
        let Some(day) = day_of(&it.key) else { continue };
        let hours = runs[it.source - 1].1.get(usize::from(day)).copied().unwrap_or(0);
        let verdict = Key::read(&it.key[..it.key.len() - 3]);
        let Some(Key::Bot { verdict, .. }) = verdict else { continue };
        if verdict == Verdict::Spoofed {
            continue;
        }
        for (_, figures) in it.days.iter().filter(|(hour, _)| hours & (1 << hour) != 0) {
            group.add(0, figures);
            if verdict == Verdict::Verified {
                group.add(1, figures);
            }
        }
    }
    group.flush(&mut out)?;
    put(out.finish(), merge)?;
    shelf.commit(&index, std::mem::take(&mut merge.packs), 3)?;
    *merge = Merge::default();
    Ok(true)
}

/// The key of newest visits that a key of a bot counts for: without verdict, status and day.
fn base_of(key: &[u8]) -> &[u8] {
    let mut zeros = key.iter().enumerate().filter(|(_, it)| **it == 0).map(|(at, _)| at);
    let end = zeros.nth(2).unwrap_or(key.len());
    &key[..end]
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
