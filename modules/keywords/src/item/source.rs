//! Keywords as they are handed over: lines, or a table.

use kit::table::{DecimalMark, Known, Number, Table, TableError};
use sdk::json;
use sdk::prelude::*;

use crate::normal::normal;
use crate::stored::Intent;
use kit::number::as_count;

/// Characters of a keyword that are kept.
const MAX_KEYWORD: usize = 200;

const KEYWORD: Known<'static> = Known {
    name: "keyword",
    aliases: &[
        "keywords",
        "search term",
        "query",
        "top queries",
        "suchbegriff",
        "search keyword",
        "keyword phrase",
        "phrase",
        "mot clé",
        "palabra clave",
        "parola chiave",
        "zoekwoord",
        "søgeord",
        "sökord",
        "słowo kluczowe",
        "palavra-chave",
    ],
};
const VOLUME: Known<'static> = Known {
    name: "volume",
    aliases: &[
        "search volume",
        "avg. monthly searches",
        "average monthly searches",
        "sv",
        "suchvolumen",
        "monthly searches",
        "searches",
    ],
};
const CPC: Known<'static> = Known { name: "cpc", aliases: &["cost per click", "avg. cpc", "average cpc"] };
const DIFFICULTY: Known<'static> =
    Known { name: "difficulty", aliases: &["kd", "kd %", "keyword difficulty", "seo difficulty", "sd"] };
const INTENT: Known<'static> = Known { name: "intent", aliases: &["intents", "search intent", "main intent"] };
const TAGS: Known<'static> = Known { name: "tags", aliases: &["tag", "group", "label", "labels"] };
const URL: Known<'static> =
    Known { name: "url", aliases: &["current url", "page", "landing page", "ranking url", "target url"] };
const POSITION: Known<'static> = Known { name: "position", aliases: &["current position", "rank"] };
const COLUMNS: [Known<'static>; 8] = [KEYWORD, VOLUME, CPC, DIFFICULTY, INTENT, TAGS, URL, POSITION];

/// The numbers of a column; none for an empty cell, an error for one that is no number.
type Numbers = Vec<Result<Option<Number>, ()>>;

/// A keyword as it was handed over.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entry {
    /// The line of the file, or the place in the list, from 1.
    pub(super) line: u64,
    pub(super) keyword: String,
    pub(super) normal: String,
    pub(super) volume: Option<u64>,
    pub(super) cpc: Option<f64>,
    pub(super) difficulty: Option<u8>,
    pub(super) intent: Option<Intent>,
    pub(super) tags: Vec<String>,
    pub(super) url: Option<String>,
}

impl Entry {
    /// Whether it brings metrics.
    pub(super) fn has_metrics(&self) -> bool {
        self.volume.is_some() || self.cpc.is_some() || self.difficulty.is_some()
    }
}

/// A row that is no keyword.
#[sdk::value]
pub(crate) struct Rejected {
    /// The line of the file, or the place in the list, from 1.
    pub(super) line: u64,
    /// What is wrong: `empty`, `not_a_number`, `too_many_cells`, `set_full`.
    #[own]
    pub(super) reason: String,
    /// The column at fault, when there is one.
    #[own]
    pub(super) column_name: Option<String>,
}

/// What was read.
pub(super) struct Read {
    pub(super) entries: Vec<Entry>,
    pub(super) rejected: Vec<Rejected>,
    pub(super) unknown_columns: Vec<String>,
}

/// Keywords of lines.
pub(super) fn of_lines<'l>(lines: impl Iterator<Item = &'l str>, language: &str) -> Read {
    let mut read = Read { entries: Vec::new(), rejected: Vec::new(), unknown_columns: Vec::new() };
    for (line, text) in (1..).zip(lines) {
        let normal = normal(text, language);
        if normal.is_empty() {
            read.rejected.push(Rejected { line, reason: "empty".to_owned(), column_name: None });
        } else {
            read.entries.push(Entry { line, keyword: shown(text), normal, ..Entry::default() });
        }
    }
    read
}

fn shown(keyword: &str) -> String {
    kit::text::collapse_to(keyword, MAX_KEYWORD)
}

/// Keywords of a table; `pointer` is the argument that it came by.
pub(super) fn of_table(bytes: &[u8], language: &str, decimal: Option<DecimalMark>, pointer: &str) -> Result<Read> {
    let table = Table::read(bytes, &COLUMNS).map_err(|error| no_table(&error, pointer))?;
    let Some(keywords) = table.column(&KEYWORD) else {
        let message = "the table has no column of keywords; name one of its columns `keyword`";
        return Err(Fault::invalid(pointer, "no_keyword_column", message).detail(json!({ "columns": table.header })));
    };
    let numbers =
        |known: &Known<'_>| table.column(known).map(|column| (known.name.to_owned(), table.numbers(column, decimal)));
    let (volumes, cpcs, difficulties) = (numbers(&VOLUME), numbers(&CPC), numbers(&DIFFICULTY));
    let cells = |known: &Known<'_>| {
        table.column(known).map(|column| table.cells(column).map(str::to_owned).collect::<Vec<_>>())
    };
    let (intents, tags, urls) = (cells(&INTENT), cells(&TAGS), cells(&URL));
    let unknown_columns = table.unknown(&COLUMNS).into_iter().take(30).map(str::to_owned).collect();
    let mut read = Read { entries: Vec::new(), rejected: Vec::new(), unknown_columns };
    for (at, row) in table.rows.iter().enumerate() {
        let reject = |reason: &str, column: Option<&str>| Rejected {
            line: row.line,
            reason: reason.to_owned(),
            column_name: column.map(str::to_owned),
        };
        let keyword = &row.cells[keywords];
        let normal = normal(keyword, language);
        if normal.is_empty() {
            read.rejected.push(reject("empty", Some("keyword")));
            continue;
        }
        if table.too_wide.binary_search(&row.line).is_ok() {
            read.rejected.push(reject("too_many_cells", None));
            continue;
        }
        let wrong = [&volumes, &cpcs, &difficulties].into_iter().flatten().find(|(_, numbers)| numbers[at].is_err());
        if let Some((name, _)) = wrong {
            read.rejected.push(reject("not_a_number", Some(name)));
            continue;
        }
        let number = |column: &Option<(String, Numbers)>| column.as_ref().and_then(|(_, all)| all[at].ok().flatten());
        let cell =
            |column: &Option<Vec<String>>| column.as_ref().map(|all| all[at].clone()).filter(|it| !it.is_empty());
        read.entries.push(Entry {
            line: row.line,
            keyword: shown(keyword),
            normal,
            volume: number(&volumes).filter(|it| it.value >= 0.0).map(|it| as_count(it.value)),
            cpc: number(&cpcs).map(|it| it.value).filter(|it| (0.0..1e6).contains(it)),
            // Some tools write the difficulty as a percentage.
            difficulty: number(&difficulties)
                .map(|it| if it.value <= 1.0 && it.value.fract() > 0.0 { it.value * 100.0 } else { it.value })
                .and_then(|it| u8::try_from(as_count(it)).ok())
                .filter(|it| *it <= 100),
            intent: cell(&intents).and_then(|it| {
                Intent::of(it.split([',', ';', '|']).next().unwrap_or_default().trim().to_lowercase().as_str())
            }),
            tags: cell(&tags)
                .map(|it| {
                    it.split([',', ';', '|'])
                        .map(|tag| kit::text::collapse_to(tag, 40))
                        .filter(|tag| !tag.is_empty())
                        .take(20)
                        .collect()
                })
                .unwrap_or_default(),
            url: cell(&urls).and_then(|it| it.parse::<Url>().ok()).map(|it| it.to_string()),
        });
    }
    Ok(read)
}

fn no_table(error: &TableError, pointer: &str) -> Fault {
    match error {
        TableError::NotText => {
            Fault::invalid(pointer, "not_a_table", "this is a workbook or another binary file; save it as CSV")
        }
        TableError::Empty => Fault::invalid(pointer, "not_a_table", "the table has no rows"),
        TableError::NoHeader { found, nearest } => {
            let message = "none of the first ten rows names a column of keywords; put a header such as `keyword,volume` above the rows";
            let nearest: Vec<_> =
                nearest.iter().map(|(cell, name)| json!({ "column": cell, "perhaps": name })).collect();
            Fault::invalid(pointer, "no_header", message)
                .detail(json!({ "first_row": found.iter().take(20).collect::<Vec<_>>(), "nearest": nearest }))
        }
    }
}
