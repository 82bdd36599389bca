//! The exports of seven tools, read by the names of their columns.

use kit::table::{Known, Table, TableError, flag as said};
use sdk::prelude::*;

use crate::link::{Link, NO_DAY, TOOLS, flag};

/// Rejected rows that are told; all are counted.
const TOLD: usize = 100;
/// Characters of an anchor and a title that are kept.
const LONGEST: usize = 300;

/// Where a file is from.
#[value]
pub(crate) enum Tool {
    /// It is told by its columns.
    Auto,
    /// Google Search Console: links, latest links.
    Gsc,
    /// Bing Webmaster Tools.
    Bing,
    Ahrefs,
    Semrush,
    Moz,
    Majestic,
    /// Another tool with a column of sources.
    Other,
}

impl Tool {
    fn number(self) -> Option<usize> {
        let name = match self {
            Self::Auto => return None,
            Self::Gsc => "gsc",
            Self::Bing => "bing",
            Self::Ahrefs => "ahrefs",
            Self::Semrush => "semrush",
            Self::Moz => "moz",
            Self::Majestic => "majestic",
            Self::Other => "other",
        };
        TOOLS.iter().position(|it| *it == name)
    }
}

const fn known(name: &'static str, aliases: &'static [&'static str]) -> Known<'static> {
    Known { name, aliases }
}

const SOURCE: Known<'_> = known(
    "Source URL",
    &[
        "Linking page",
        "Referring page URL",
        "Source page",
        "Referring page",
        "From URL",
        "Verlinkende Seite",
        "Page d'origine",
        "Linkende pagina",
    ],
);
/// Moz calls it so: it is the source only where a target stands beside it.
const MOZ_SOURCE: Known<'_> = known("URL", &[]);
const TARGET: Known<'_> = known("Target URL", &["Target page", "Link URL", "To URL", "Destination URL"]);
const ANCHOR: Known<'_> = known("Anchor", &["Anchor Text", "Link anchor"]);
const TITLE: Known<'_> = known("Source title", &["Referring page title", "Page title", "Title"]);
const STATUS: Known<'_> = known("Referring page HTTP code", &["HTTP code", "Response code"]);
const LANGUAGE: Known<'_> = known("Language", &["Source language"]);
const FIRST: Known<'_> =
    known("First seen", &["Date First Seen", "Source First Found Date", "First found", "First indexed date"]);
const LAST: Known<'_> = known(
    "Last seen",
    &[
        "Date Last Seen",
        "Last crawled",
        "Source Crawl Date",
        "Last checked",
        "Zuletzt gecrawlt",
        "Dernière exploration",
        "Laatst gecrawld",
    ],
);
const LOST: Known<'_> = known("Lost", &["Date Lost", "Lost date"]);
const LOST_LINK: Known<'_> = known("Lost link", &[]);
const NOFOLLOW: Known<'_> = known("Nofollow", &["FlagNoFollow"]);
const UGC: Known<'_> = known("UGC", &[]);
const SPONSORED: Known<'_> = known("Sponsored", &[]);
const IMAGE: Known<'_> = known("Image", &["FlagImageLink"]);
const FRAME: Known<'_> = known("Frame", &["FlagFrame"]);
const FORM: Known<'_> = known("Form", &[]);
const REDIRECT: Known<'_> = known("FlagRedirect", &["Redirect"]);
const SPAM: Known<'_> = known("Is spam", &[]);
const TYPE: Known<'_> = known("Type", &["Link type"]);
const STATE: Known<'_> = known("Link State", &[]);
const EXTERNAL: Known<'_> = known("External links", &["Links external"]);
const RATINGS: [Known<'_>; 4] = [
    known("Domain rating", &["DR"]),
    known("Page ascore", &["Domain ascore", "Authority Score"]),
    known("DA", &["Domain Authority"]),
    known("SourceTrustFlow", &["Source Trust Flow", "Trust Flow"]),
];
/// Tables of counts, which name no link.
const COUNTS: [Known<'_>; 2] = [known("Linking pages", &["Target pages"]), known("Linking sites", &["Incoming links"])];

/// A row that is no link.
#[value]
pub(crate) struct Rejected {
    /// The line of the file, from 1.
    line: u64,
    /// `no_address`, `own_page`, `other_target`.
    #[own]
    reason: String,
    value: String,
}

/// What was read of a file.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// In the order of sources and targets, each once.
    pub(crate) links: Vec<Link>,
    pub(crate) rejected: Vec<Rejected>,
    pub(crate) rejected_total: u64,
    pub(crate) own_pages: u64,
    /// What each column was read as.
    pub(crate) columns: Vec<(String, String)>,
    pub(crate) unknown_columns: Vec<String>,
    pub(crate) tool: usize,
}

/// Reads an export.
///
/// # Errors
/// 422 at the pointer: `not_text`, `no_header`, `empty`, `counts_only`, `ambiguous_dates`.
pub(crate) fn read(
    bytes: &[u8],
    tool: Tool,
    site: &site::Site,
    pointer: &str,
    day_first: Option<bool>,
) -> Result<Read> {
    let all = columns();
    let table = Table::read(bytes, &all).map_err(|error| refused(error, pointer))?;
    let at = |known: &Known<'_>| table.column(known);
    let target = at(&TARGET);
    if at(&SOURCE).is_none() && COUNTS.iter().any(|it| at(it).is_some()) {
        let message = "this table counts links and names none; export the links themselves (Search Console: \"Latest links\" or \"More sample links\")";
        return Err(Fault::invalid(pointer, "counts_only", message));
    }
    let source = at(&SOURCE).or_else(|| at(&MOZ_SOURCE).filter(|_| target.is_some()));
    let Some(source) = source else {
        let message = format!("no column of linking pages; the columns are {}", table.header.join(", "));
        return Err(Fault::invalid(pointer, "no_sources", message));
    };
    let days = |known: &Known<'_>| match at(known) {
        None => Ok(None),
        Some(column) => table.days(column, day_first).map(Some).map_err(|_| {
            let message = format!("the dates of the column {} can be read both ways; say `day_first`", known.name);
            Fault::invalid("/day_first", "ambiguous_dates", message)
        }),
    };
    let (first, last, lost) = (days(&FIRST)?, days(&LAST)?, days(&LOST)?);
    let ratings: Vec<_> = RATINGS.iter().map(|it| at(it).map(|column| table.numbers(column, None))).collect();
    let (external, status) = (at(&EXTERNAL).map(|it| table.numbers(it, None)), at(&STATUS));
    let number = tool.number().unwrap_or_else(|| told(&table));
    let mut out = Read { tool: number, ..Read::default() };
    for known in &all {
        if let Some(column) = table.column(known).filter(|it| *it != source || known.name == SOURCE.name) {
            out.columns.push((table.header[column].clone(), known.name.to_owned()));
        }
    }
    out.unknown_columns = table.unknown(&all).into_iter().map(str::to_owned).collect();
    let day = |of: &Option<Vec<std::result::Result<Option<i32>, ()>>>, row: usize| {
        of.as_ref().and_then(|it| it.get(row)?.ok()?).unwrap_or(NO_DAY)
    };
    let cell = |column: Option<usize>, row: &kit::table::Row| {
        column.and_then(|it| row.cells.get(it)).map_or("", |it| it.trim()).to_owned()
    };
    let flags = [
        (flag::NOFOLLOW, at(&NOFOLLOW), NOFOLLOW.name),
        (flag::UGC, at(&UGC), UGC.name),
        (flag::SPONSORED, at(&SPONSORED), SPONSORED.name),
        (flag::IMAGE, at(&IMAGE), IMAGE.name),
        (flag::FRAME, at(&FRAME), FRAME.name),
        (flag::FORM, at(&FORM), FORM.name),
        (flag::REDIRECT, at(&REDIRECT), REDIRECT.name),
        (flag::SPAM, at(&SPAM), SPAM.name),
    ];
    let (anchor, title, language) = (at(&ANCHOR), at(&TITLE), at(&LANGUAGE));
    let (kind, state, lost_link) = (at(&TYPE), at(&STATE), at(&LOST_LINK));
    for (index, row) in table.rows.iter().enumerate() {
        let written = cell(Some(source), row);
        let Some(url) = kit::url::normalize(&absolute(&written)).filter(|it| crate::link::host(it).contains('.'))
        else {
            out.reject(row.line, "no_address", &written);
            continue;
        };
        if site.has(&url) {
            out.own_pages += 1;
            continue;
        }
        let written = cell(target, row);
        let target = if written.is_empty() { Some(String::new()) } else { kit::url::normalize(&absolute(&written)) };
        let Some(target) = target.filter(|it| it.is_empty() || crate::link::is_own(site, it)) else {
            out.reject(row.line, "other_target", &written);
            continue;
        };
        let mut bits = 0;
        for (bit, column, name) in flags {
            if said(&cell(column, row), name) == Some(true) && column.is_some() {
                bits |= bit;
            }
        }
        let kind = cell(kind, row).to_lowercase();
        bits |= if kind.contains("nofollow") { flag::NOFOLLOW } else { 0 };
        bits |= if kind.contains("image") { flag::IMAGE } else { 0 };
        bits |= if kind.contains("redirect") { flag::REDIRECT } else { 0 };
        bits |= if kind.contains("canonical") { flag::CANONICAL } else { 0 };
        let (first, last) = (day(&first, index), day(&last, index));
        let gone = cell(state, row).to_lowercase().contains("lost")
            || said(&cell(lost_link, row), LOST_LINK.name) == Some(true);
        let lost = match day(&lost, index) {
            NO_DAY if gone => last.max(first),
            day => day,
        };
        let number_of = |of: &Option<Vec<std::result::Result<Option<kit::table::Number>, ()>>>| {
            of.as_ref().and_then(|it| it.get(index)?.ok()?).map(|it| it.value)
        };
        out.links.push(Link {
            source: url,
            target,
            anchor: kit::text::collapse_to(&cell(anchor, row), LONGEST),
            title: kit::text::collapse_to(&cell(title, row), LONGEST),
            language: cell(language, row).to_lowercase().chars().take(8).collect(),
            flags: bits,
            first,
            last: last.max(first),
            lost,
            tools: 1 << number,
            external: number_of(&external).map(|it| u32::try_from(kit::number::as_count(it)).unwrap_or(u32::MAX)),
            status: cell(status, row).parse().ok(),
            ratings: std::array::from_fn(|at| ratings.get(at).and_then(&number_of).map(rating)),
            domain_bytes: 0,
        });
    }
    out.links.sort_by(|a, b| a.key().cmp(&b.key()));
    out.links = super::merging::joined(out.links);
    Ok(out)
}

impl Read {
    fn reject(&mut self, line: u64, reason: &str, value: &str) {
        self.rejected_total += 1;
        if self.rejected.len() < TOLD {
            let value = value.chars().take(300).collect();
            self.rejected.push(Rejected { line, reason: reason.to_owned(), value });
        }
    }
}

fn rating(value: f64) -> u8 {
    u8::try_from(kit::number::as_count(value.clamp(0.0, 100.0))).unwrap_or(100)
}

/// Some tools leave the scheme out.
fn absolute(text: &str) -> String {
    if text.contains("://") || text.is_empty() { text.to_owned() } else { format!("http://{text}") }
}

fn columns() -> Vec<Known<'static>> {
    let mut all = vec![
        SOURCE, MOZ_SOURCE, TARGET, ANCHOR, TITLE, STATUS, LANGUAGE, FIRST, LAST, LOST, LOST_LINK, NOFOLLOW, UGC,
        SPONSORED, IMAGE, FRAME, FORM, REDIRECT, SPAM, TYPE, STATE, EXTERNAL,
    ];
    all.extend(RATINGS);
    all.extend(COUNTS);
    all
}

/// The tool that writes such columns.
fn told(table: &Table) -> usize {
    let has = |name: &str| table.header.iter().any(|it| kit::table::folded(it) == kit::table::folded(name));
    let name = if has("Domain rating") || has("Referring page URL") {
        "ahrefs"
    } else if has("Page ascore") || (has("Source url") && has("Sitewide")) {
        "semrush"
    } else if has("SourceTrustFlow") || has("FlagNoFollow") {
        "majestic"
    } else if has("DA") && has("URL") {
        "moz"
    } else if has("Last crawled") || has("Zuletzt gecrawlt") || has("Dernière exploration") || has("Laatst gecrawld") {
        "gsc"
    } else if has("Source Url") && has("Target Url") && has("Anchor Text") {
        "bing"
    } else {
        "other"
    };
    TOOLS.iter().position(|it| *it == name).unwrap_or(TOOLS.len() - 1)
}

fn refused(error: TableError, pointer: &str) -> Fault {
    let (code, message) = match error {
        TableError::NotText => {
            ("not_text", "the file is a workbook or another binary file; export it as CSV".to_owned())
        }
        TableError::Empty => ("empty", "the file has no rows".to_owned()),
        TableError::NoHeader { found, nearest } => {
            let like: Vec<String> = nearest.iter().map(|(cell, name)| format!("{cell} is like {name}")).collect();
            let like = if like.is_empty() { String::new() } else { format!("; {}", like.join(", ")) };
            (
                "no_header",
                format!(
                    "none of the first ten rows names the columns of links; the first has {}{like}",
                    found.join(", ")
                ),
            )
        }
    };
    Fault::invalid(pointer, code, message)
}
