//! One file of an export while it grows.

use std::collections::{BTreeMap, BTreeSet};

use super::Format;
use super::line::{Line, quoted};

/// The most bytes of a file; a blob of the store has at most twice as many.
pub(super) const MOST: usize = 4 << 20;

/// A file that takes lines until it is full.
pub(super) enum Part {
    /// Lines of JSON.
    Lines { text: String, rows: u64 },
    /// A table; its columns are known when it is full.
    Table(Table),
}

/// The cells of a table, as they are written.
#[derive(Default)]
pub(super) struct Table {
    lead: &'static [&'static str],
    columns: BTreeSet<String>,
    rows: Vec<(Vec<String>, BTreeMap<String, String>)>,
    /// Bytes of all heads, without what stands between them.
    heads: usize,
    /// Bytes of all cells, without what stands between them.
    cells: usize,
}

impl Part {
    /// An empty file.
    pub(super) fn new(format: Format) -> Self {
        match format {
            Format::Jsonl => Self::Lines { text: String::new(), rows: 0 },
            Format::Csv => Self::Table(Table::default()),
        }
    }

    /// How many lines it has.
    pub(super) fn rows(&self) -> u64 {
        match self {
            Self::Lines { rows, .. } => *rows,
            Self::Table(table) => table.rows.len() as u64,
        }
    }

    /// Takes a line; false when the file is full and did not. An empty file takes any line.
    pub(super) fn takes(&mut self, line: &Line) -> bool {
        match self {
            Self::Lines { text, rows } => {
                let json = line.json();
                if *rows > 0 && text.len() + json.len() + 1 > MOST {
                    return false;
                }
                text.push_str(&json);
                text.push('\n');
                *rows += 1;
                true
            }
            Self::Table(table) => table.takes(line),
        }
    }

    /// The file.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Lines { text, .. } => text.into_bytes(),
            Self::Table(table) => table.written().into_bytes(),
        }
    }
}

impl Table {
    fn takes(&mut self, line: &Line) -> bool {
        let (lead, cells) = line.cells();
        let own = lead.iter().chain(cells.values()).map(String::len).sum::<usize>();
        let new: Vec<&String> = cells.keys().filter(|name| !self.columns.contains(*name)).collect();
        let first = if self.rows.is_empty() { line.lead().iter().map(|it| it.len()).sum() } else { 0 };
        let heads = self.heads + first + new.iter().map(|it| quoted(it).len()).sum::<usize>();
        // Each cell is followed by a comma or ends its line, which takes two.
        let columns = line.lead().len() + self.columns.len() + new.len();
        let size = heads + self.cells + own + (self.rows.len() + 2) * (columns + 1);
        if !self.rows.is_empty() && size > MOST {
            return false;
        }
        self.lead = line.lead();
        self.heads = heads;
        self.columns.extend(cells.keys().cloned());
        self.cells += own;
        self.rows.push((lead, cells));
        true
    }

    fn written(&self) -> String {
        let mut text = String::new();
        let heads = self.lead.iter().map(|it| (*it).to_owned()).chain(self.columns.iter().map(|it| quoted(it)));
        text.push_str(&heads.collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
        for (lead, cells) in &self.rows {
            text.push_str(&lead.join(","));
            for column in &self.columns {
                text.push(',');
                text.push_str(cells.get(column).map_or("", String::as_str));
            }
            text.push_str("\r\n");
        }
        text
    }
}
