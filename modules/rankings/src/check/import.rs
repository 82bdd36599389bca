//! The operation `rankings.check.import`.

use std::collections::{BTreeMap, BTreeSet};

use files::Open;
use sdk::prelude::*;
use sdk::{Next, Upload, json};
use serps::{Page, snapshot_id};

use super::table::{Entry, Read, Reading, Rejected};
use super::{measured, work};
use crate::best;
use crate::board::{self, Board};
use crate::pages::{self, Kept};
use crate::rows::{self, At, Numbering, Row};
use crate::stored::{Check, Serp, Tracker};

/// Rows of a table, or pages, that one call takes.
const MAX_ROWS: usize = 10_000;
/// Rejected rows and unknown keywords that are told; all are counted.
const TOLD: usize = 1_000;
/// Pages of one pack.
const PAGES_OF_PACK: usize = 100;
/// Kinds of files.
const MEDIA_TYPES: [&str; 6] = [
    "text/csv",
    "text/plain",
    "text/tab-separated-values",
    "application/json",
    "application/gzip",
    "application/octet-stream",
];

/// What a file holds.
#[value]
pub(crate) enum Format {
    /// Positions of the website: a column of positions and one of days, or one column for each day.
    Positions,
    /// Answers of DataForSEO's endpoints of result pages.
    DataforseoJson,
    /// A row for each result: `keyword`, `date`, `position`, `url`, and if there are any `title` and `type`.
    GenericSerp,
}

#[args]
pub(crate) struct Import {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The file. For more than a megabyte hand it over as an upload.
    csv: Option<Text<1, 5_000_000>>,
    /// An upload of such a file; the same packed with gzip too. The call without a file opens one.
    upload_ref: Option<Id<Upload>>,
    /// What the file holds.
    #[default("positions")]
    format: Format,
    /// The day of rows without one; today when left out.
    date: Option<Day>,
    /// Whether the first number of dates such as 03/04 is the day, where no date decides it.
    day_first: Option<bool>,
    /// How far was looked for keywords that were not found, where the file does not say it.
    #[default(100)]
    depth: Count<1, 700>,
    /// The row to begin with, from 1: `next_row` of the call before.
    #[default(1)]
    from_row: Count<1, 10_000_000>,
}

/// What was imported.
#[value]
pub(crate) struct Imported {
    /// Positions that were taken, also of keywords that were not found.
    imported: u64,
    /// Their days.
    dates: Vec<Day>,
    /// Whole result pages among them.
    pages_total: u64,
    /// The first 1,000 rows that are no positions.
    rejected: Vec<Rejected>,
    rejected_total: u64,
    /// The first 1,000 keywords that the set does not have. Their positions are kept, and shown once they are added.
    unknown_keywords: Vec<String>,
    unknown_keywords_total: u64,
    /// Columns of the table that were not read.
    unknown_columns: Vec<String>,
    /// The row to go on with; null when all were read.
    next_row: Option<u64>,
    /// The upload that was opened, by a call without a file.
    upload: Option<Open>,
    next: Vec<Next>,
}

/// Imports positions or SERPs from CSV or provider JSON with date and market so history from another tool continues.
///
/// Exports of Semrush, SE Ranking, Ahrefs and others are read as they are: `>100`, `-` and `not in top` are keywords that were
/// not found; an empty cell is a day on which nobody looked. What was measured by this tracker stays before what is imported, and
/// a later import of the same keyword and day replaces an earlier one. Called without a file, it opens an upload.
#[operation(
    write,
    scope = "assets:write",
    cost = bulk(most = 10_000, unit = "rows"),
    side_effects = ["adds positions and result pages of past days", "opens an upload when no file is given"],
    needs = ["store"],
    phrasings = ["import my ranking history", "continue rankings from another rank tracker", "upload semrush position tracking export", "import serp json"],
    examples = [
        { "tracker_ref": "tracker_01", "csv": "keyword,date,position,url\ndesk lamp,2026-09-01,4,https://shop.example/desk\noil lamp,2026-09-01,>100,\n" },
        { "tracker_ref": "tracker_01", "csv": "Keyword;2026-09-01;2026-09-08\ndesk lamp;4;3\n" },
        { "tracker_ref": "tracker_01" },
    ]
)]
pub(crate) fn import(cx: &Cx, args: Import) -> Result<sdk::Answer<Imported>> {
    let board = Board::of(cx, &args.tracker_ref)?;
    // A job adds parts to the day that it checks, and so does an import.
    board::is_idle(cx, &board.tracker)?;
    let (bytes, pointer) = match (&args.csv, &args.upload_ref) {
        (Some(_), Some(_)) => {
            let message = "the file comes as `csv` or by `upload_ref`; give one of them";
            return Err(Fault::invalid("/csv", "one_source", message));
        }
        (Some(csv), None) => (csv.as_str().as_bytes().to_vec(), "/csv"),
        (None, Some(reference)) => (files::read(cx, reference)?, "/upload_ref"),
        (None, None) => return opened(cx, &board.tracker.id).map(sdk::Answer::new),
    };
    let language = board.language();
    let reading = Reading {
        tracker: &board.tracker,
        host: &board.host,
        language: &language,
        date: args.date,
        today: cx.now().day(),
        day_first: args.day_first,
        pointer,
        from_row: args.from_row.into(),
        rows: MAX_ROWS,
    };
    let read = match args.format {
        Format::Positions => reading.positions(&bytes)?,
        Format::DataforseoJson => reading.answers(&bytes)?,
        Format::GenericSerp => reading.pages(&bytes)?,
    };
    drop(bytes);
    let depth = u32::try_from(args.depth.get()).unwrap_or(100);
    let units = read.rows;
    take(&board, &args, read, depth).map(|it| sdk::Answer::new(it).units(units))
}

/// What was read of a day: positions, and pages by keyword.
type OfDay = (Vec<Entry>, Vec<(String, Page)>);

/// Stores what was read, day by day.
fn take(board: &Board<'_>, args: &Import, read: Read, depth: u32) -> Result<Imported> {
    let (cx, tracker) = (board.cx, &board.tracker);
    let Read { positions, pages, mut rejected, unknown_columns, next_row, .. } = read;
    let keywords = positions.iter().map(|it| &it.keyword).chain(pages.iter().map(|it| &it.0));
    let unknown: BTreeSet<String> = keywords.filter(|it| !board.keywords.contains_key(*it)).cloned().collect();
    let (imported, pages_total) = ((positions.len() + pages.len()) as u64, pages.len() as u64);
    let mut days: BTreeMap<Day, OfDay> = BTreeMap::new();
    for entry in positions {
        days.entry(entry.date).or_default().0.push(entry);
    }
    for (keyword, date, page) in pages {
        days.entry(date).or_default().1.push((keyword, page));
    }
    let dates: Vec<Day> = days.keys().copied().collect();
    let mut newest: BTreeMap<String, (Day, Page)> = BTreeMap::new();
    let mut best: Vec<(Day, String, u32)> = Vec::new();
    for (date, (entries, pages)) in days {
        store(board, date, entries, &pages, depth, &mut best)?;
        newest.extend(pages.into_iter().map(|(keyword, page)| (keyword, (date, page))));
    }
    best::keep(cx, &tracker.id, best.into_iter())?;
    keep_newest(board, newest)?;
    if let Some(date) = dates.last().filter(|it| tracker.latest.as_ref().is_none_or(|latest| latest.date <= **it)) {
        let check = super::of_day(cx, &tracker.id, *date).1;
        let latest = work::latest(board, *date, &board.rows(&check)?);
        cx.records::<Tracker>().update(&tracker.id, |it| it.latest = Some(latest))?;
    }
    let (rejected_total, unknown_total) = (rejected.len() as u64, unknown.len() as u64);
    rejected.truncate(TOLD);
    let unknown_keywords: Vec<String> = unknown.into_iter().take(TOLD).collect();
    let mut next = Vec::new();
    if let Some((row, reference)) = next_row.zip(args.upload_ref.as_ref()) {
        let again =
            json!({ "tracker_ref": tracker.id, "upload_ref": reference, "from_row": row, "format": args.format });
        next.push(Next::new("rankings.check.import", again, "imports the next rows of the file"));
    }
    if let Some(set) = board.set.as_ref().filter(|_| !unknown_keywords.is_empty()) {
        let lines = json!({ "set_ref": set.id, "lines": unknown_keywords });
        next.push(Next::new("keywords.item.import", lines, "adds the keywords that the set does not have"));
    }
    Ok(Imported {
        imported,
        dates,
        pages_total,
        rejected,
        rejected_total,
        unknown_keywords,
        unknown_keywords_total: unknown_total,
        unknown_columns,
        next_row,
        upload: None,
        next,
    })
}

/// Adds a day's positions and pages to its check.
fn store(
    board: &Board<'_>,
    date: Day,
    entries: Vec<Entry>,
    pages: &[(String, Page)],
    depth: u32,
    best: &mut Vec<(Day, String, u32)>,
) -> Result<()> {
    let (cx, tracker) = (board.cx, &board.tracker);
    let (id, mut check) = super::of_day(cx, &tracker.id, date);
    let mut numbering = Numbering::default();
    let mut found: BTreeMap<String, Row> = BTreeMap::new();
    for entry in entries {
        let row = Row {
            keyword: entry.keyword.clone(),
            position: entry.position.unwrap_or(0),
            url: entry.url,
            depth: entry.beyond.unwrap_or(depth),
            imported: true,
            ..Row::default()
        };
        found.insert(entry.keyword, row);
    }
    let day_ms = u64::try_from(date.since_epoch()).unwrap_or(0) * 86_400_000;
    for of_pack in pages.chunks(PAGES_OF_PACK) {
        let kept = |(keyword, page): &(String, Page)| Kept {
            keyword: keyword.clone(),
            task: String::new(),
            at_ms: day_ms,
            page: page.clone(),
        };
        let pack = pages::add(cx, &mut check, &of_pack.iter().map(kept).collect::<Vec<_>>())?;
        for (index, (keyword, page)) in (0..).zip(of_pack) {
            let last = page.results.last().map_or(depth, |it| it.position.max(depth.min(10)));
            let at = Some(At { pack, index });
            let row = measured::row(keyword, page, &board.host, last, &mut numbering, at);
            found.insert(keyword.clone(), Row { imported: true, ..row });
        }
    }
    let placed = found.values().filter(|it| it.position > 0);
    best.extend(placed.map(|it| (date, it.keyword.clone(), it.position)));
    check.rows += found.len() as u64;
    if check.at_ms == 0 {
        check.at_ms = if date == cx.now().day() { cx.now().millis() } else { day_ms };
    }
    rows::add(cx, &mut check, &numbering.rows(found.into_values().collect()))?;
    rows::tidy(cx, &mut check)?;
    cx.records::<Check>().put_many_as([(&id, &check)])?;
    Ok(())
}

/// Keeps pages that are newer than the newest one of their keyword, for other modules.
fn keep_newest(board: &Board<'_>, pages: BTreeMap<String, (Day, Page)>) -> Result<()> {
    let serps = board.cx.records::<Serp>();
    let mut newer: Vec<(Id<Serp>, Serp)> = Vec::new();
    for (keyword, (date, page)) in pages {
        let id: Id<Serp> = Id::new(snapshot_id(board.tracker.id.as_str(), &keyword));
        if serps.find(&id).is_none_or(|it| it.0.date < date) {
            let it = measured::snapshot(&board.tracker, &keyword, &page, date, board.volume(&keyword));
            newer.push((id, Serp(it)));
        }
    }
    if !newer.is_empty() {
        serps.put_many_as(newer.iter().map(|(id, it)| (id, it)))?;
    }
    Ok(())
}

fn opened(cx: &Cx, tracker: &Id<Tracker>) -> Result<Imported> {
    let upload = Open::of(cx, "rankings", &MEDIA_TYPES)?;
    let again = json!({ "tracker_ref": tracker, "upload_ref": upload.reference() });
    Ok(Imported {
        imported: 0,
        dates: Vec::new(),
        pages_total: 0,
        rejected: Vec::new(),
        rejected_total: 0,
        unknown_keywords: Vec::new(),
        unknown_keywords_total: 0,
        unknown_columns: Vec::new(),
        next_row: None,
        upload: Some(upload),
        next: vec![Next::new("rankings.check.import", again, "imports the file once it was put to the address")],
    })
}
