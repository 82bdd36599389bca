//! The addresses of a crawl with what stands against each: from its columns where it is large, else from its rows.

use sdk::Degraded;
use sdk::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use site::Run;

/// Rows that are read of a crawl without columns.
const MOST_ROWS: usize = 5_000;
/// Bytes of one column of one shelf.
const COLUMN: u32 = 4 << 20;

/// A row of a crawl, flat; members without a value are left out.
#[foreign(collection = "crawl.rows", thing = "row", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub struct Row {
    /// The crawl.
    pub run: String,
    /// Counts up in the order of fetching.
    pub seq: u64,
    /// Normalised.
    pub url: String,
    /// The status; 0 when there was no answer.
    pub status: u16,
    /// Links from a starting address.
    pub depth: u32,
    /// Whether a sitemap names it.
    pub in_sitemap: bool,
    /// How it became known.
    pub found: String,
    /// `ok`, or what stands against it.
    pub indexability_reason: String,
    /// Where it redirects.
    pub redirect_to: Option<String>,
    /// The canonical that it declares.
    pub canonical: Option<String>,
    /// Language versions that it names.
    pub hreflang_count: u32,
    /// The language that it declares.
    pub lang: Option<String>,
    /// When it says that it was published.
    pub published: Option<String>,
    /// When it says that it was changed.
    pub modified: Option<String>,
    /// SHA-256 of its main text.
    pub text_sha256: String,
    /// Words of its main text.
    pub word_count: u32,
    /// Milliseconds since 1970 UTC.
    pub fetched_ms: u64,
}

/// One address of a crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Normalised.
    pub url: String,
    /// The status; 0 when there was no answer.
    pub status: u16,
    /// Links from a starting address.
    pub depth: u32,
    /// Whether a sitemap names it.
    pub in_sitemap: bool,
    /// How the crawl came to know it: `sitemap` when no link leads to it.
    pub found: String,
    /// `ok` when search engines may show it, else what stands against it, in the words of `crawl.page.list`.
    pub reason: String,
    /// Where it redirects.
    pub redirect_to: Option<String>,
    /// The canonical that it declares.
    pub canonical: Option<String>,
    /// Language versions that it names.
    pub hreflang: u32,
    /// The language that it declares.
    pub lang: Option<String>,
    /// When it says that it was published, as written.
    pub published: Option<String>,
    /// When it says that it was changed, as written.
    pub modified: Option<String>,
    /// SHA-256 of its main text in hex; empty without one.
    pub text_sha256: String,
    /// Words of its main text.
    pub words: u32,
    /// Milliseconds since 1970 UTC.
    pub fetched_ms: u64,
}

impl Known {
    /// Whether search engines may show it.
    pub fn is_indexable(&self) -> bool {
        self.reason == "ok"
    }

    /// Whether it is gone for good.
    pub fn is_gone(&self) -> bool {
        matches!(self.status, 404 | 410)
    }
}

/// The addresses of a crawl.
pub struct Pages {
    /// In the order of fetching.
    pub all: Vec<Known>,
    /// What was left out, in words.
    pub degraded: Option<Degraded>,
}

/// How the crawl module arranges the columns of a large crawl: the pages of each shelf, and whether all stand on one.
#[derive(Deserialize)]
struct Shelves {
    pages: Vec<u32>,
    whole: bool,
}

/// Every address of a crawl.
pub fn of(cx: &Cx, run: &Id<Run>) -> Pages {
    columns(cx, run.as_str()).map_or_else(|| rows(cx, run), |all| Pages { all, degraded: None })
}

fn rows(cx: &Cx, run: &Id<Run>) -> Pages {
    let mut all: Vec<Known> = Vec::new();
    let mut degraded = None;
    for row in cx.records::<Row>().by("run_seq").equals(run).scan() {
        if all.len() == MOST_ROWS {
            degraded = Some(Degraded::new("crawl", format!("only its first {MOST_ROWS} addresses were looked at")));
            break;
        }
        all.push(known(row.it));
    }
    Pages { all, degraded }
}

fn known(row: Row) -> Known {
    Known {
        url: row.url,
        status: row.status,
        depth: row.depth,
        in_sitemap: row.in_sitemap,
        found: row.found,
        reason: row.indexability_reason,
        redirect_to: row.redirect_to,
        canonical: row.canonical,
        hreflang: row.hreflang_count,
        lang: row.lang,
        published: row.published,
        modified: row.modified,
        text_sha256: row.text_sha256,
        words: row.word_count,
        fetched_ms: row.fetched_ms,
    }
}

fn columns(cx: &Cx, run: &str) -> Option<Vec<Known>> {
    let bytes = cx.blobs().read(&format!("crawl.columns/{run}"), 0, 1 << 20).filter(|it| !it.is_empty())?;
    let shelves: Shelves = serde_json::from_slice(&bytes).ok()?;
    if !shelves.whole {
        return None;
    }
    let mut all = Vec::new();
    for (shelf, pages) in shelves.pages.iter().enumerate() {
        let from = all.len();
        all.resize_with(from + *pages as usize, Known::default);
        let shelf = Shelf { cx, run, shelf, pages: &mut all[from..] };
        fill(shelf);
    }
    Some(all)
}

/// The pages of one shelf, and where their columns are.
struct Shelf<'a> {
    cx: &'a Cx,
    run: &'a str,
    shelf: usize,
    pages: &'a mut [Known],
}

fn fill(mut shelf: Shelf<'_>) {
    shelf.column("url", |page, value| page.url = value);
    shelf.column("status", |page, value| page.status = value);
    shelf.column("depth", |page, value| page.depth = value);
    shelf.column("in_sitemap", |page, value| page.in_sitemap = value);
    shelf.column("found", |page, value| page.found = value);
    shelf.column("indexability_reason", |page, value| page.reason = value);
    shelf.column("redirect_to", |page, value| page.redirect_to = Some(value));
    shelf.column("canonical", |page, value| page.canonical = Some(value));
    shelf.column("hreflang_count", |page, value| page.hreflang = value);
    shelf.column("lang", |page, value| page.lang = Some(value));
    shelf.column("published", |page, value| page.published = Some(value));
    shelf.column("modified", |page, value| page.modified = Some(value));
    shelf.column("text_sha256", |page, value| page.text_sha256 = value);
    shelf.column("word_count", |page, value| page.words = value);
    shelf.column("fetched_ms", |page, value| page.fetched_ms = value);
}

impl Shelf<'_> {
    /// A field that no page of the shelf has is not written.
    fn column<T: DeserializeOwned + Serialize>(&mut self, field: &str, set: impl Fn(&mut Known, T)) {
        let key = format!("crawl.columns/{}/{}/{field}", self.run, self.shelf);
        let Some(bytes) = self.cx.blobs().read(&key, 0, COLUMN) else { return };
        let values: Vec<Option<T>> = serde_json::from_slice(&bytes).unwrap_or_default();
        for (page, value) in self.pages.iter_mut().zip(values) {
            if let Some(value) = value {
                set(page, value);
            }
        }
    }
}
