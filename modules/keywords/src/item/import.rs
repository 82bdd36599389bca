//! The operation `keywords.item.import`.

use files::Open;
use kit::table::DecimalMark;
use sdk::prelude::*;
use sdk::{Next, Upload, json};

use super::merging::{Merged, Merging};
use super::source::{self, Entry, Rejected};
use crate::normal::{Keys, Merge};
use crate::stored::{Counts, Keyword, Set};

/// Keywords that one call adds.
const MAX_ROWS: usize = 10_000;
/// Merged and rejected rows that are told; all are counted.
const TOLD: usize = 1_000;
/// Kinds of files.
const MEDIA_TYPES: [&str; 5] =
    ["text/csv", "text/plain", "text/tab-separated-values", "application/gzip", "application/octet-stream"];

/// A decimal mark of a table.
#[value]
pub(crate) enum Decimal {
    Point,
    Comma,
}

#[args]
pub(crate) struct Import {
    /// The set.
    set_ref: Id<Set>,
    /// Keywords, one each.
    lines: Option<List<Text<1, 200>, 1, 10_000>>,
    /// A table with a header: a column of keywords (`keyword`, `search term`, `query` and the like), and if there are any of
    /// volume, cpc, difficulty, intent, tags and url. For more than a megabyte hand it over as an upload.
    csv: Option<Text<1, 2_000_000>>,
    /// An upload of such a table; CSV or the same packed with gzip. The call without keywords opens one.
    upload_ref: Option<Id<Upload>>,
    /// The row of the table to begin with, from 1: `next_row` of the call before.
    #[default(1)]
    from_row: Count<1, 10_000_000>,
    /// Which keywords are taken for the same: `exact`, in any order of their words, or with other endings. `exact` also splits
    /// off again what was merged before.
    #[default("order")]
    merge: Merge,
    /// The decimal mark of the table's numbers, where the numbers do not tell.
    decimal: Option<Decimal>,
}

/// What was imported.
#[value]
pub(crate) struct Imported {
    /// Keywords that are new in the set.
    added: u64,
    /// Keywords that were there and got metrics, tags, a page or another form.
    updated: u64,
    /// Keywords of the set now.
    keywords: u64,
    /// The first 1,000 keywords that are forms of others.
    merged: Vec<Merged>,
    merged_total: u64,
    /// The first 1,000 rows that are no keywords.
    rejected: Vec<Rejected>,
    rejected_total: u64,
    /// Columns of the table that were not read.
    unknown_columns: Vec<String>,
    /// The row to go on with; null when all were read.
    next_row: Option<u64>,
    /// The upload that was opened, by a call without keywords.
    upload: Option<Open>,
    /// What is worth doing next.
    next: Vec<Next>,
}

/// Imports keywords from lines or CSV, normalises (NFKC, case, spaces, punctuation) and merges exact, word-order and singular or plural duplicates with a report of what merged.
///
/// Called without keywords, it opens an upload: put the file to its address, then call again with `upload_ref`. A table of
/// more than 10,000 rows is imported in parts with `next_row`. Volumes of merged forms are not added, since search engines
/// count them together.
#[operation(
    write,
    scope = "assets:write",
    cost = bulk(most = 10_000, unit = "keywords"),
    side_effects = ["adds keywords to the set", "opens an upload when no keywords are given"],
    needs = ["store"],
    phrasings = ["import keywords from a csv", "upload my keyword list", "add keywords to a set", "import an ahrefs or semrush keyword export", "remove duplicate keywords"],
    examples = [
        { "set_ref": "set_01", "lines": ["desk lamp", "reading lamps", "lamp for desk"] },
        { "set_ref": "set_01", "csv": "keyword,volume,kd\ndesk lamp,1300,34\n", "merge": "stem" },
        { "set_ref": "set_01" },
    ]
)]
pub(crate) fn import(cx: &Cx, args: Import) -> Result<sdk::Answer<Imported>> {
    let set = crate::set::get(cx, &args.set_ref)?;
    let given = [args.lines.is_some(), args.csv.is_some(), args.upload_ref.is_some()];
    if given.iter().filter(|it| **it).count() > 1 {
        let message = "keywords come as `lines`, as `csv` or by `upload_ref`; give one of them";
        return Err(Fault::invalid("/lines", "one_source", message));
    }
    let language = set.language();
    let Some(keys) = Keys::of(args.merge, &language) else {
        let message = format!("words of the language {} have no stems here; merge by `order` or `exact`", set.language);
        return Err(Fault::invalid("/merge", "no_stems", message));
    };
    let decimal = args.decimal.map(|it| if it == Decimal::Comma { DecimalMark::Comma } else { DecimalMark::Point });
    let read = if let Some(lines) = &args.lines {
        source::of_lines(lines.iter().map(Text::as_str), &language)
    } else if let Some(csv) = &args.csv {
        source::of_table(csv.as_str().as_bytes(), &language, decimal, "/csv")?
    } else if let Some(reference) = &args.upload_ref {
        source::of_table(&files::read(cx, reference)?, &language, decimal, "/upload_ref")?
    } else {
        return opened(cx, &set).map(sdk::Answer::new);
    };
    let skip = usize::try_from(args.from_row.get() - 1).unwrap_or(0);
    let (total, unknown_columns) = (read.entries.len(), read.unknown_columns);
    let entries: Vec<Entry> = read.entries.into_iter().skip(skip).take(MAX_ROWS).collect();
    let (taken, units) = (skip + entries.len(), entries.len() as u64);
    let known = crate::set::keywords(cx, &set.id);
    let mut merging = Merging::new(&set, keys, args.merge == Merge::Exact, known, cx.now().millis());
    let full = merging.add(entries);
    let mut rejected = if skip == 0 { read.rejected } else { Vec::new() };
    rejected.extend(full.iter().map(|it| Rejected { line: it.line, reason: "set_full".to_owned(), column_name: None }));
    if merging.changes().next().is_some() {
        cx.records::<Keyword>().put_many_as(merging.changes())?;
    }
    let mut counts = Counts::default();
    merging.all().for_each(|row| counts.add(row));
    let keywords = counts.keywords;
    cx.records::<Set>().update(&set.id, |set| set.counts = counts)?;
    let (merged_total, rejected_total) = (merging.merged.len() as u64, rejected.len() as u64);
    let (added, updated, mut merged) = (merging.added, merging.updated, merging.merged);
    merged.truncate(TOLD);
    rejected.truncate(TOLD);
    let next_row = (taken < total).then_some(taken as u64 + 1);
    let mut next = Vec::new();
    if let Some((row, reference)) = next_row.zip(args.upload_ref.as_ref()) {
        let arguments = json!({ "set_ref": set.id, "upload_ref": reference, "from_row": row, "merge": args.merge });
        next.push(Next::new("keywords.item.import", arguments, "imports the next rows of the file"));
    } else if added > 0 {
        next.push(Next::new(
            "keywords.metric.refresh",
            json!({ "set_ref": set.id }),
            "brings volume, cost and difficulty",
        ));
    }
    let imported = Imported {
        added,
        updated,
        keywords,
        merged,
        merged_total,
        rejected,
        rejected_total,
        unknown_columns,
        next_row,
        upload: None,
        next,
    };
    Ok(sdk::Answer::new(imported).units(units))
}

fn opened(cx: &Cx, set: &Stored<Set>) -> Result<Imported> {
    let upload = Open::of(cx, "keywords", &MEDIA_TYPES)?;
    let again = json!({ "set_ref": set.id, "upload_ref": upload.reference() });
    Ok(Imported {
        added: 0,
        updated: 0,
        keywords: set.counts.keywords,
        merged: Vec::new(),
        merged_total: 0,
        rejected: Vec::new(),
        rejected_total: 0,
        unknown_columns: Vec::new(),
        next_row: None,
        upload: Some(upload),
        next: vec![Next::new("keywords.item.import", again, "imports the file once it was put to the address")],
    })
}
