//! Tables that people export from other tools: encoding, delimiter, header, and the numbers and dates of columns.
//!
//! Cells are cut by RFC 4180 with any delimiter. What a number or a date means is decided by a whole column, never by one
//! cell, because `1,234` and `01/02/2026` mean two things.

mod dates;
mod header;
mod numbers;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

pub use dates::{Ambiguous, civil_day};
pub use header::{Known, folded, nearest};
pub use numbers::{DecimalMark, Number};

/// Delimiters, in the order in which ties are decided.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Records that the delimiter is decided by.
const SAMPLE: usize = 20;
/// Records among which the header is: exports have titles above it.
const HEADER_WITHIN: usize = 10;
/// Bytes that the encoding is decided by.
const ENCODING_SAMPLE: usize = 4 << 10;
/// The longest cell that is kept.
const MAX_CELL: usize = 4 << 10;

/// A record after the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line of the file that it begins on, from 1.
    pub line: u64,
    /// Its cells, as many as the header has; missing ones are empty.
    pub cells: Vec<String>,
}

/// A table that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns, as written.
    pub header: Vec<String>,
    /// The records after the header; empty ones are left out.
    pub rows: Vec<Row>,
    /// The delimiter.
    pub delimiter: char,
    /// The encoding, in lower case.
    pub encoding: String,
    /// Records with more cells than the header: their line.
    pub too_wide: Vec<u64>,
}

/// Why a file is no table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// It is a workbook or another binary file.
    NotText,
    /// None of the first ten records names a column that is known; the first record, and the nearest known name of each of
    /// its cells that is like one.
    NoHeader {
        /// The cells of the first record.
        found: Vec<String>,
        /// Pairs of a cell and the known name that it is like.
        nearest: Vec<(String, String)>,
    },
    /// It has no records at all.
    Empty,
}

impl Table {
    /// Reads a file. The header is the first record that names a known column.
    ///
    /// # Errors
    /// See [`TableError`].
    pub fn read(bytes: &[u8], known: &[Known<'_>]) -> Result<Self, TableError> {
        if bytes.starts_with(b"PK\x03\x04")
            || bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0])
            || bytes.starts_with(b"%PDF")
        {
            return Err(TableError::NotText);
        }
        let (text, encoding) = decode(bytes);
        let (text, first_line, named) = without_rule(&text);
        let delimiter = named.unwrap_or_else(|| delimiter(text));
        let mut records = records(text, delimiter, first_line);
        let at =
            records.iter().take(HEADER_WITHIN).position(|row| row.cells.iter().any(|cell| header::knows(known, cell)));
        let Some(at) = at else {
            let Some(first) = records.into_iter().next() else { return Err(TableError::Empty) };
            let nearest =
                first.cells.iter().filter_map(|cell| Some((cell.clone(), header::nearest(known, cell)?))).collect();
            return Err(TableError::NoHeader { found: first.cells, nearest });
        };
        let header: Vec<String> = records[at].cells.iter().map(|it| it.trim().to_owned()).collect();
        let mut rows = records.split_off(at + 1);
        let mut too_wide = Vec::new();
        for row in &mut rows {
            if row.cells.len() > header.len() && row.cells[header.len()..].iter().any(|cell| !cell.trim().is_empty()) {
                too_wide.push(row.line);
            }
            row.cells.resize(header.len(), String::new());
        }
        Ok(Self { header, rows, delimiter: char::from(delimiter), encoding, too_wide })
    }

    /// The column that is known by this name: the first one of the header that it or an alias of it names.
    #[must_use]
    pub fn column(&self, known: &Known<'_>) -> Option<usize> {
        self.header.iter().position(|cell| header::knows(std::slice::from_ref(known), cell))
    }

    /// The columns of the header that nothing names.
    #[must_use]
    pub fn unknown(&self, known: &[Known<'_>]) -> Vec<&str> {
        let named = self.header.iter().filter(|cell| !cell.is_empty() && !header::knows(known, cell));
        named.map(String::as_str).collect()
    }

    /// The numbers of a column, one for each row. `decimal` decides where the column can be read both ways.
    #[must_use]
    pub fn numbers(&self, column: usize, decimal: Option<DecimalMark>) -> Vec<Result<Option<Number>, ()>> {
        let cells: Vec<&str> = self.cells(column).collect();
        numbers::read(&cells, decimal, self.delimiter)
    }

    /// The days of a column, as days since 1970-01-01, one for each row. `day_first` decides between `DD/MM` and `MM/DD` where
    /// no value does.
    ///
    /// # Errors
    /// [`Ambiguous`] when nothing decides.
    pub fn days(&self, column: usize, day_first: Option<bool>) -> Result<Vec<Result<Option<i32>, ()>>, Ambiguous> {
        let cells: Vec<&str> = self.cells(column).collect();
        dates::read(&cells, day_first)
    }

    /// The cells of a column.
    pub fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row.cells.get(column).map_or("", |it| it.trim()))
    }
}

/// Whether a cell says yes: true, yes, 1, x, or the name of its column.
#[must_use]
pub fn flag(cell: &str, column: &str) -> Option<bool> {
    match folded(cell).as_str() {
        "true" | "yes" | "y" | "1" | "x" | "ja" | "oui" | "si" => Some(true),
        "false" | "no" | "n" | "0" | "" | "nein" | "non" => Some(false),
        other => (other == folded(column)).then_some(true),
    }
}

/// The text of a file: by its byte order mark, by its zero bytes as UTF-16, as UTF-8, else as windows-1252.
fn decode(bytes: &[u8]) -> (Cow<'_, str>, String) {
    let encoding = Encoding::for_bom(bytes).map(|(it, _)| it).unwrap_or_else(|| {
        let sample = &bytes[..bytes.len().min(ENCODING_SAMPLE)];
        let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|it| **it == 0).count();
        let half = sample.len() / 2;
        match (zeros(0), zeros(1)) {
            (even, _) if half > 0 && even * 10 > half * 3 => UTF_16BE,
            (_, odd) if half > 0 && odd * 10 > half * 3 => UTF_16LE,
            _ if std::str::from_utf8(bytes).is_ok() => UTF_8,
            _ => WINDOWS_1252,
        }
    });
    let (text, _, _) = encoding.decode(bytes);
    (text, encoding.name().to_ascii_lowercase())
}

/// The text after a first line such as `sep=;`, its first line's number, and the delimiter that the line names.
fn without_rule(text: &str) -> (&str, u64, Option<u8>) {
    let rule = text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("sep="));
    match text.find('\n').filter(|_| rule) {
        Some(end) => (&text[end + 1..], 2, text.as_bytes().get(4).copied().filter(|it| DELIMITERS.contains(it))),
        None => (text, 1, None),
    }
}

/// The delimiter that most of the first records agree on.
fn delimiter(text: &str) -> u8 {
    let mut best = (0, DELIMITERS[0]);
    for candidate in DELIMITERS {
        let mut counts: Vec<usize> = Vec::new();
        let mut reader = reader(text, candidate);
        let mut record = csv::StringRecord::new();
        while counts.len() < SAMPLE && reader.read_record(&mut record).unwrap_or(false) {
            counts.push(record.len());
        }
        let agreeing = |count: usize| counts.iter().filter(|it| **it == count).count();
        let most = counts.iter().filter(|it| **it > 1).map(|it| agreeing(*it)).max().unwrap_or(0);
        if most > best.0 {
            best = (most, candidate);
        }
    }
    best.1
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

/// All records that are not empty.
fn records(text: &str, delimiter: u8, first_line: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut reader = reader(text, delimiter);
    let mut record = csv::StringRecord::new();
    // The text is UTF-8 and records may have any length, so nothing can fail.
    while reader.read_record(&mut record).unwrap_or(false) {
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let line = record.position().map_or(0, |it| line(text, it)) + first_line - 1;
        let cells = record.iter().map(|cell| crate::text::clip(cell, MAX_CELL).to_owned()).collect();
        rows.push(Row { line, cells });
    }
    rows
}

/// The line of a record, from 1; its position is before the empty lines above it.
fn line(text: &str, position: &csv::Position) -> u64 {
    let rest = usize::try_from(position.byte()).ok().and_then(|at| text.as_bytes().get(at..)).unwrap_or_default();
    let empty = rest.iter().take_while(|it| matches!(it, b'\r' | b'\n')).filter(|it| **it == b'\n').count();
    position.line() + empty as u64
}

#[cfg(test)]
mod tests;
