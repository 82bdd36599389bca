//! Positions as other tools export them, and what tables of result pages begin with.

mod pages;

use kit::table::{Known, Row, Table, TableError};
use sdk::json;
use sdk::prelude::*;
use serps::Page;

use crate::stored::Tracker;

/// Positions that one call takes.
const MAX_POSITIONS: usize = 200_000;
/// The last position that an export can mean.
const LAST: f64 = 1_000.0;

const KEYWORD: Known<'static> = Known {
    name: "keyword",
    aliases: &["keywords", "search term", "query", "suchbegriff", "phrase", "mot clé", "palabra clave", "zoekwoord"],
};
const POSITION: Known<'static> = Known {
    name: "position",
    aliases: &[
        "pos.",
        "pos",
        "current position",
        "rank",
        "ranking",
        "google",
        "google rank",
        "rang",
        "posición",
        "posizione",
    ],
};
const DATE: Known<'static> = Known { name: "date", aliases: &["day", "datum", "fecha", "data", "checked", "updated"] };
const URL: Known<'static> = Known {
    name: "url",
    aliases: &["current url", "landing page", "ranking url", "page", "found url", "result url", "address"],
};
const DEVICE: Known<'static> = Known { name: "device", aliases: &["device type", "gerät"] };
const TITLE: Known<'static> = Known { name: "title", aliases: &["result title", "titel"] };
const TYPE: Known<'static> = Known { name: "type", aliases: &["result type", "serp feature", "element"] };
const COLUMNS: [Known<'static>; 7] = [KEYWORD, POSITION, DATE, URL, DEVICE, TITLE, TYPE];

/// A row that is no position.
#[value]
pub(crate) struct Rejected {
    /// The line of the file, or the place in the list, from 1.
    pub(super) line: u64,
    /// What is wrong: `empty`, `not_a_position`, `not_a_date`, `other_device`, `other_market`, `too_many_cells`, `future_date`,
    /// `no_page`.
    #[own]
    pub(super) reason: String,
}

/// A position of a day.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) keyword: String,
    pub(super) date: Day,
    /// `None` for one that was not found.
    pub(super) position: Option<u32>,
    /// Places that were looked at, where the cell says it, as `>100` does.
    pub(super) beyond: Option<u32>,
    pub(super) url: Option<String>,
}

/// A column of positions, that of its addresses, and its day.
type OfDay = (usize, Option<usize>, Option<Day>);

/// What was read.
#[derive(Default)]
pub(super) struct Read {
    pub(super) positions: Vec<Entry>,
    /// Whole result pages, by keyword and day.
    pub(super) pages: Vec<(String, Day, Page)>,
    pub(super) rejected: Vec<Rejected>,
    pub(super) unknown_columns: Vec<String>,
    /// Rows of the table, or pages.
    pub(super) rows: u64,
    /// The row to go on with.
    pub(super) next_row: Option<u64>,
}

/// How a file is read.
pub(super) struct Reading<'a> {
    pub(super) tracker: &'a Tracker,
    pub(super) host: &'a str,
    /// The language of the keywords.
    pub(super) language: &'a str,
    /// The day of rows without one.
    pub(super) date: Option<Day>,
    pub(super) today: Day,
    pub(super) day_first: Option<bool>,
    /// The argument that the file came by.
    pub(super) pointer: &'a str,
    /// The row to begin with, from 1, and how many.
    pub(super) from_row: u64,
    pub(super) rows: usize,
}

impl Reading<'_> {
    fn refuse(&self, code: &str, message: impl Into<String>) -> Fault {
        Fault::invalid(self.pointer, code, message)
    }

    fn open(&self, bytes: &[u8]) -> Result<(Table, usize)> {
        let table = Table::read(bytes, &COLUMNS).map_err(|error| match error {
            TableError::NotText => {
                self.refuse("not_a_table", "this is a workbook or another binary file; save it as CSV")
            }
            TableError::Empty => self.refuse("not_a_table", "the table has no rows"),
            TableError::NoHeader { found, .. } => {
                let message = "none of the first ten rows names a column of keywords; put a header such as \
                               `keyword,date,position,url` above the rows";
                self.refuse("no_header", message)
                    .detail(json!({ "first_row": found.iter().take(20).collect::<Vec<_>>() }))
            }
        })?;
        let keywords = table.column(&KEYWORD).ok_or_else(|| {
            let message = "the table has no column of keywords; name one of its columns `keyword`";
            self.refuse("no_keyword_column", message).detail(json!({ "columns": table.header }))
        })?;
        Ok((table, keywords))
    }

    /// The rows of this call, and the one to go on with.
    fn window(&self, table: &Table) -> (usize, usize, Option<u64>) {
        let from = usize::try_from(self.from_row.saturating_sub(1)).unwrap_or(0).min(table.rows.len());
        let to = (from + self.rows).min(table.rows.len());
        (from, to, (to < table.rows.len()).then_some(to as u64 + 1))
    }

    fn days(&self, table: &Table, column: usize) -> Result<Vec<Result<Option<Day>, ()>>> {
        let days = table.days(column, self.day_first).map_err(|_| {
            let message = "dates such as 03/04 can be read two ways; say with `day_first` which number is the day";
            self.refuse("ambiguous_dates", message)
        })?;
        Ok(days.into_iter().map(|it| it.map(|day| day.map(Day::from_epoch))).collect())
    }

    /// Whether a device is another one than the tracker's.
    fn is_other_device(&self, cell: &str) -> bool {
        let cell = cell.to_lowercase();
        let named = [("mobile", ["mobile", "phone", "smartphone"]), ("desktop", ["desktop", "pc", "computer"])];
        let named = named.iter().find(|(_, words)| words.iter().any(|word| cell.contains(word))).map(|it| it.0);
        named.is_some_and(|it| it != self.tracker.device.name())
    }

    /// Positions of a table: one column of positions, with or without one of days; or a column for each day.
    pub(super) fn positions(&self, bytes: &[u8]) -> Result<Read> {
        let (table, keywords) = self.open(bytes)?;
        let one = table.column(&POSITION).map(|column| (column, table.column(&URL), None));
        let columns: Vec<OfDay> = match one {
            Some(one) => vec![one],
            None => self.by_day(&table)?,
        };
        if columns.is_empty() {
            let message = "the table has neither a column of positions nor one for each day; name one `position`";
            return Err(self.refuse("no_position_column", message).detail(json!({ "columns": table.header })));
        }
        let dates = table.column(&DATE).map(|column| self.days(&table, column)).transpose()?;
        let device = table.column(&DEVICE);
        let (from, to, mut next_row) = self.window(&table);
        let wide: Vec<usize> = columns.iter().flat_map(|it| [Some(it.0), it.1]).flatten().collect();
        let unknown = table.header.iter().enumerate().filter(|(at, _)| !wide.contains(at)).map(|it| it.1.as_str());
        let known = table.unknown(&COLUMNS);
        let unknown_columns = unknown.filter(|it| known.contains(it)).take(30).map(str::to_owned).collect();
        let mut read = Read { unknown_columns, ..Read::default() };
        for at in from..to {
            if read.positions.len() + columns.len() > MAX_POSITIONS {
                next_row = Some(at as u64 + 1);
                break;
            }
            let row = &table.rows[at];
            read.rows += 1;
            let date = dates.as_ref().map_or(Ok(None), |it| it[at]);
            match self.row(&table, row, keywords, device, date) {
                Err(reason) => read.rejected.push(Rejected { line: row.line, reason: reason.to_owned() }),
                Ok((keyword, date)) => {
                    for (column, url, of_column) in &columns {
                        let entry = self.entry(row, &keyword, of_column.unwrap_or(date), *column, *url);
                        match entry {
                            Ok(entry) => read.positions.extend(entry),
                            Err(reason) => {
                                read.rejected.push(Rejected { line: row.line, reason: reason.to_owned() });
                                break;
                            }
                        }
                    }
                }
            }
        }
        read.next_row = next_row;
        Ok(read)
    }

    /// The keyword of a row, and its day.
    fn row(
        &self,
        table: &Table,
        row: &Row,
        keywords: usize,
        device: Option<usize>,
        date: Result<Option<Day>, ()>,
    ) -> Result<(String, Day), &'static str> {
        if table.too_wide.binary_search(&row.line).is_ok() {
            return Err("too_many_cells");
        }
        let keyword = serps::normal(&row.cells[keywords], self.language);
        if keyword.is_empty() {
            return Err("empty");
        }
        if device.is_some_and(|it| self.is_other_device(&row.cells[it])) {
            return Err("other_device");
        }
        let date = date.map_err(|()| "not_a_date")?.or(self.date).unwrap_or(self.today);
        if date > self.today { Err("future_date") } else { Ok((keyword, date)) }
    }

    /// The position of a cell; none for an empty one, where nobody looked.
    fn entry(
        &self,
        row: &Row,
        keyword: &str,
        date: Day,
        column: usize,
        url: Option<usize>,
    ) -> Result<Option<Entry>, &'static str> {
        let cell = row.cells[column].trim();
        if cell.is_empty() {
            return Ok(None);
        }
        if date > self.today {
            return Err("future_date");
        }
        let (position, beyond) = position(cell).ok_or("not_a_position")?;
        let url = url.map(|it| row.cells[it].trim()).filter(|it| position.is_some() && it.starts_with("http"));
        let url = url.map(|it| kit::text::clip(it, 2_048).to_owned());
        Ok(Some(Entry { keyword: keyword.to_owned(), date, position, beyond, url }))
    }

    /// Columns whose header is a day, or the website with a day: `2026-09-01`, `*.shop.example/*_20260901` with the addresses in
    /// `…_20260901_landing`.
    fn by_day(&self, table: &Table) -> Result<Vec<OfDay>> {
        let row = |(at, cell): (u64, &String)| Row { line: at, cells: vec![self.day_of(cell)] };
        let heads = Table {
            header: vec!["date".to_owned()],
            rows: (1..).zip(&table.header).map(row).collect(),
            too_wide: Vec::new(),
            delimiter: table.delimiter,
            encoding: table.encoding.clone(),
        };
        let days = self.days(&heads, 0)?;
        let landing = |cell: &str| {
            let wanted = format!("{cell}_landing");
            table.header.iter().position(|it| *it == wanted)
        };
        let columns = days
            .into_iter()
            .enumerate()
            .filter_map(|(at, day)| Some((at, landing(&table.header[at]), Some(day.ok().flatten()?))));
        Ok(columns.collect())
    }

    /// The part of a header that may be a day.
    fn day_of(&self, cell: &str) -> String {
        match cell.rsplit_once('_') {
            Some((site, digits)) if digits.len() == 8 && digits.bytes().all(|it| it.is_ascii_digit()) => {
                // Columns of rivals are of other domains.
                if site.contains('.') && !site.contains(self.host) { String::new() } else { digits.to_owned() }
            }
            Some(_) => String::new(),
            None => cell.to_owned(),
        }
    }
}

/// The position that a cell says, and how far was looked when there is none; `None` for what is no position.
fn position(cell: &str) -> Option<(Option<u32>, Option<u32>)> {
    let text = cell.trim().to_lowercase();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number = text.trim_start_matches('#').replace(',', ".").parse::<f64>().ok();
    if let Some(number) = number {
        return match number {
            it if it.abs() < 0.5 => Some((None, None)),
            it if (1.0..=LAST).contains(&it) && it.fract().abs() < 0.001 => {
                Some((it.round().to_string().parse().ok(), None))
            }
            _ => None,
        };
    }
    let bound = text.starts_with('>') || text.ends_with('+') || text.contains("not in top") || text.contains("beyond");
    if bound {
        return Some((None, digits.parse().ok().filter(|it| (1..=1_000).contains(it))));
    }
    let nothing = [
        "-",
        "–",
        "—",
        "n/a",
        "na",
        "not found",
        "not ranked",
        "not ranking",
        "none",
        "null",
        "out",
        "lost",
        "no rank",
    ];
    nothing.contains(&text.as_str()).then_some((None, None))
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn cells_of_exports_are_positions_bounds_or_nothing() {
        for (cell, wanted) in [
            ("3", Some((Some(3), None))),
            (" #12 ", Some((Some(12), None))),
            ("7.0", Some((Some(7), None))),
            (">100", Some((None, Some(100)))),
            ("100+", Some((None, Some(100)))),
            ("Not in top 50", Some((None, Some(50)))),
            ("-", Some((None, None))),
            ("0", Some((None, None))),
            ("n/a", Some((None, None))),
            ("3.5", None),
            ("-4", None),
            ("red", None),
            ("1001", None),
        ] {
            assert_eq!(position(cell), wanted, "{cell}");
        }
    }
}
