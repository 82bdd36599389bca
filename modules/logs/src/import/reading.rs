//! The first part of an import: a step's share of the file is read, counted and written as a run.

use kit::pack::Writer;
use sdk::Upload;
use sdk::prelude::*;
use search::Period;
use visits::{Entry, Shelf, Visits};

use super::claims::Lists;
use super::rules::Rules;
use super::state::State;
use super::tally::Tally;
use crate::format::{Clock, Read, Reader, Reason};
use crate::stored::{RejectedLine, Run, Source};

/// Bytes that are read at once, and in one step: a step may read 64 MiB. Tests take small shares, so that their files make
/// several steps and runs.
const CHUNK: u32 = if cfg!(test) { 8 << 10 } else { 128 << 10 };
const MOST_BYTES: u64 = 48 << 20;
/// Bytes after unpacking in one step. Deflate packs at most 1,032 to 1, so one more read adds 132 MiB at most.
const MOST_PLAIN: u64 = if cfg!(test) { 1 << 20 } else { 256 << 20 };
/// Full counts that one step writes: about 15 MiB each, and a step may write 64.
const MOST_SPILLED: u32 = 2;
/// Lines of one step.
const MOST_LINES: u64 = if cfg!(test) { 1_000 } else { 400_000 };
/// Milliseconds after which a step ends.
const MOST_MS: u64 = 60_000;
/// Bytes of a pack of a run: a merge opens one of each run at once.
const RUN_PACK: usize = if cfg!(test) { 1 << 10 } else { 128 << 10 };
/// Rejected lines that are told.
const TOLD: usize = 20;
/// Lines among which a format that does not fit is told from one.
const TRIED: u64 = 10_000;
/// Hours that one file may have lines of: three years, which are 6 MB of what a job remembers.
const MOST_HOURS: usize = 26_000;

/// Where a file is.
pub(crate) enum File {
    Upload(Id<Upload>),
    /// A fetched file, kept by this module.
    Blob(String),
}

impl File {
    /// Some bytes; nothing at its end, `None` where it is no longer there.
    fn read(&self, cx: &Cx, offset: u64) -> Option<Vec<u8>> {
        match self {
            Self::Upload(id) => cx.uploads().read(id, offset, CHUNK),
            Self::Blob(key) => cx.blobs().read(key, offset, CHUNK),
        }
    }

    /// Its first bytes.
    pub(crate) fn first(&self, cx: &Cx, length: u32) -> Option<Vec<u8>> {
        match self {
            Self::Upload(id) => cx.uploads().read(id, 0, length),
            Self::Blob(key) => cx.blobs().read(key, 0, length),
        }
    }
}

/// What lines are read with.
pub(crate) struct With<'a> {
    pub(crate) import: &'a str,
    pub(crate) file: &'a File,
    pub(crate) source: &'a Source,
    pub(crate) rules: &'a Rules,
    pub(crate) lists: &'a Lists,
    pub(crate) mark: &'a [u8],
    /// Only these days are counted.
    pub(crate) period: Option<Period>,
    /// Lines that may be read in all.
    pub(crate) most: u64,
}

/// Reads a step's share.
///
/// # Errors
/// 409 `upload_gone`; 422 `wrong_format` when most of the first lines are none; 422 `too_many_hours`.
pub(crate) fn read(cx: &Cx, with: &With<'_>, state: &mut State) -> Result<()> {
    let clock = Clock::new(with.source.timezone.as_deref(), i64::try_from(cx.now().millis() / 1_000).unwrap_or(0));
    let source = with.source;
    let reader = Reader::new(source.format, source.pattern.as_deref(), state.header.as_deref(), clock);
    let mut reader = reader.map_err(|why| Fault::conflict("pattern_unreadable", why))?;
    let mut tally = Tally::new(with.rules, with.lists, source.ip, with.mark, std::mem::take(&mut state.hours));
    (tally.others, tally.private) = (state.others, state.private);
    let (from, plain_before, lines_before, mut spilled) = (state.offset, state.stream.plain, state.lines(), 0);
    let seconds = with.period.map(|it| {
        let second = |day: Day| i64::from(day.since_epoch()) * 86_400;
        second(it.first)..second(it.last) + 86_400
    });
    loop {
        let bytes = with
            .file
            .read(cx, state.offset)
            .ok_or_else(|| Fault::conflict("upload_gone", "the file is no longer there; hand it over again"))?;
        let mut lines = Lines {
            reader: &mut reader,
            tally: &mut tally,
            seconds: seconds.as_ref(),
            parsed: &mut state.parsed,
            rejections: &mut state.rejections,
            rejected: &mut state.rejected,
            tried: &mut state.tried,
        };
        if bytes.is_empty() {
            state.whole = state.stream.end(&mut |number, line| lines.take(number, line));
            state.ended = true;
            break;
        }
        state.offset += bytes.len() as u64;
        if let Err(broken) = state.stream.feed(&bytes, &mut |number, line| lines.take(number, line)) {
            (state.broken, state.ended) = (Some(broken), true);
            break;
        }
        let lines = state.lines();
        if lines >= with.most {
            state.ended = true;
            break;
        }
        if tally.is_full() {
            spill(cx, with.import, &mut tally, &mut state.runs, &mut state.claims)?;
            spilled += 1;
        }
        let is_enough = spilled == MOST_SPILLED
            || state.offset - from >= MOST_BYTES
            || state.stream.plain - plain_before >= MOST_PLAIN
            || lines - lines_before >= MOST_LINES;
        if is_enough || cx.elapsed() > MOST_MS {
            break;
        }
    }
    fits(state)?;
    spill(cx, with.import, &mut tally, &mut state.runs, &mut state.claims)?;
    (state.others, state.private) = (tally.others, tally.private);
    state.header = reader.header();
    state.hours = tally.hours;
    if state.hours.len() > MOST_HOURS {
        let message = "the lines of this file are of more than three years of hours; divide it";
        return Err(Fault::conflict("too_many_hours", message));
    }
    Ok(())
}

/// Refuses a file of which more than a fifth of the first 10,000 lines are no requests.
fn fits(state: &State) -> Result<()> {
    let all = (state.rejections.total(), state.parsed + state.rejections.total());
    let (rejected, read) = state.tried.map_or(all, |rejected| (rejected, TRIED));
    if (state.tried.is_none() && !state.ended) || rejected * 5 <= read {
        return Ok(());
    }
    let first = state.rejected.first().map(|it| format!(" The first of them is line {}: {}.", it.line, it.reason));
    let message = format!(
        "{rejected} of the first {read} lines are not of the source's format. logs.format.detect says which fits, and \
         logs.source.save changes the source.{}",
        first.unwrap_or_default()
    );
    Err(Fault::conflict("wrong_format", message))
}

/// What becomes of each line.
struct Lines<'l, 'a> {
    reader: &'l mut Reader,
    tally: &'l mut Tally<'a>,
    seconds: Option<&'l std::ops::Range<i64>>,
    parsed: &'l mut u64,
    rejections: &'l mut crate::stored::Rejections,
    rejected: &'l mut Vec<RejectedLine>,
    tried: &'l mut Option<u64>,
}

impl Lines<'_, '_> {
    fn take(&mut self, number: u64, line: &[u8]) {
        match self.reader.read(line) {
            Read::Header => return,
            Read::Line(it) => {
                *self.parsed += 1;
                if self.seconds.is_none_or(|seconds| seconds.contains(&it.second)) {
                    self.tally.add(line, &it);
                }
            }
            Read::Rejected(reason) => {
                let count = match reason {
                    Reason::OtherForm => &mut self.rejections.other_form,
                    Reason::NoTime => &mut self.rejections.no_time,
                    Reason::NoStatus => &mut self.rejections.no_status,
                    Reason::TooLong => &mut self.rejections.too_long,
                };
                *count += 1;
                if self.rejected.len() < TOLD {
                    let sample = crate::private::sample(line);
                    self.rejected.push(RejectedLine { line: number, reason: reason.name().to_owned(), sample });
                }
            }
        }
        if self.tried.is_none() && *self.parsed + self.rejections.total() == TRIED {
            *self.tried = Some(self.rejections.total());
        }
    }
}

/// Writes what was counted as runs: one for each month.
fn spill(cx: &Cx, import: &str, tally: &mut Tally<'_>, runs: &mut Vec<Run>, claims: &mut u32) -> Result<()> {
    let (rows, claimed) = tally.take();
    for (month, rows) in rows {
        let number = u32::try_from(runs.len()).unwrap_or(u32::MAX);
        let run = Run { month: month.to_string(), number };
        write(&super::merge::run(cx, import, &run), rows)?;
        runs.push(run);
    }
    for (month, rows) in claimed {
        let shelf = Shelf::of(cx, format!("claims/{import}/{}", *claims));
        let days = |(mut key, hour, figures): (Vec<u8>, u8, Visits)| {
            // The day of a claim with its month: claims of all months stand together.
            let day = key.split_off(key.len() - 2);
            key.extend_from_slice(format!("{month}-").as_bytes());
            key.extend_from_slice(&day);
            (key, hour, figures)
        };
        write(&shelf, rows.into_iter().map(days).collect())?;
        *claims += 1;
    }
    Ok(())
}

/// A key with its hours.
type Hours = (Vec<u8>, Vec<(u8, Visits)>);

/// Writes sorted rows: the hours of each key.
fn write(shelf: &Shelf<'_>, rows: Vec<(Vec<u8>, u8, Visits)>) -> Result<()> {
    let mut out = Writer::<Visits>::new(0, RUN_PACK);
    let mut entries = Vec::new();
    let mut group: Option<Hours> = None;
    let put = |packs: Vec<kit::pack::Packed>, entries: &mut Vec<Entry>| -> Result<()> {
        for pack in packs {
            shelf.put(1, entries.len(), &pack)?;
            entries.push(Entry::of(&pack));
        }
        Ok(())
    };
    for (key, hour, figures) in rows {
        match &mut group {
            Some((known, hours)) if *known == key => hours.push((hour, figures)),
            _ => {
                if let Some((key, hours)) = group.replace((key, vec![(hour, figures)])) {
                    out.push(&key, &hours).map_err(|_| visits::Damaged.fault())?;
                }
                put(out.finished(), &mut entries)?;
            }
        }
    }
    if let Some((key, hours)) = group {
        out.push(&key, &hours).map_err(|_| visits::Damaged.fault())?;
    }
    put(out.finish(), &mut entries)?;
    shelf.commit(&visits::Index::default(), entries, 0)
}
