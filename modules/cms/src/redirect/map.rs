//! Redirect maps: for each page of an old website the page of a new one that takes its place.

pub(crate) mod build;
pub(crate) mod export;
pub(crate) mod probe;
pub(crate) mod rules;
mod sides;
pub(crate) mod work;

use kit::migration::{How, Parts};
use sdk::prelude::*;
use sdk::{Degraded, Job};
use serde::{Deserialize, Serialize};

/// Rows of one blob: also with the longest addresses and titles it stays below [`MOST`].
const ROWS: usize = 500;
/// The longest blob.
const MOST: u32 = 8 << 20;

/// Where a map stands.
#[value]
pub(crate) enum Standing {
    /// Its job is at work.
    Building,
    /// It can be read.
    Ready,
}

/// A redirect map. Its rows are blobs.
#[record(collection = "redirect_maps", thing = "map", index(site_id, created_ms))]
pub(crate) struct Map {
    /// The website of the new side.
    pub(crate) site_id: String,
    /// The website of the old side, whose clicks are at stake.
    pub(crate) old_site_id: String,
    /// The crawl of the old website; none when its addresses were listed.
    pub(crate) old_run: Option<String>,
    /// The crawl of the new website.
    pub(crate) new_run: String,
    /// The job that builds it.
    pub(crate) job_ref: Option<Id<Job>>,
    pub(crate) standing: Standing,
    /// Milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// Rows that are at least so sure are matched.
    pub(crate) min_confidence: f64,
    /// Scheme, host and port of the new website.
    pub(crate) new_origin: String,
    /// Blobs of rows.
    pub(crate) parts: u32,
    /// What was left out of either side.
    pub(crate) degraded: Vec<Degraded>,
}

/// What is to become of an old address.
#[value]
pub(crate) enum Verdict {
    /// It is redirected.
    Matched,
    /// A person should look at it before.
    Review,
    /// Nothing takes its place.
    Unmatched,
    /// The new website has the same address.
    Unchanged,
}

/// What says that a page takes the place of another.
#[value]
pub(crate) enum By {
    /// The same path in another spelling.
    Path,
    /// The same last part of the path, which no other page has.
    LastPart,
    /// The same number in the address, which no other page has.
    Number,
    /// The likeness of path, title and text.
    Likeness,
    /// The old website redirected it already, or named another page as its canonical one.
    Redirect,
}

impl From<How> for By {
    fn from(how: How) -> Self {
        match how {
            How::Path => Self::Path,
            How::LastPart => Self::LastPart,
            How::Number => Self::Number,
            How::Likeness => Self::Likeness,
        }
    }
}

/// What of two pages is alike, each from 0 to 1; null where it is not known of both.
#[value]
pub(crate) struct Alike {
    /// Words of the paths, the rarer the more.
    pub(crate) path: f64,
    /// Words of titles and first headings.
    pub(crate) name: Option<f64>,
    /// The share of 5-word shingles of the texts that both have.
    pub(crate) text: Option<f64>,
}

impl From<Parts> for Alike {
    fn from(parts: Parts) -> Self {
        Self { path: rounded(parts.path), name: parts.name.map(rounded), text: parts.text.map(rounded) }
    }
}

/// To three decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// An old address with what takes its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) from: String,
    /// The best target, whatever its confidence.
    pub(crate) to: Option<String>,
    pub(crate) confidence: f64,
    pub(crate) verdict: Verdict,
    pub(crate) by: Option<By>,
    pub(crate) alike: Option<Alike>,
    /// The nearest folder of the new website above it, for what is not matched.
    pub(crate) fallback: Option<String>,
    /// The title of the old page, in lower case; empty when nobody knows.
    #[serde(default)]
    pub(crate) title: String,
    /// The sample of the old page's text, as `kit::sketch` writes it; empty when nobody knows.
    #[serde(default)]
    pub(crate) sketch: String,
}

/// The blob of some rows.
fn blob(map: &Id<Map>, part: u32) -> String {
    format!("redirect_maps/{map}/{part}")
}

/// Keeps the next rows, at most [`ROWS`].
///
/// # Errors
/// The host's refusal of the blob.
fn keep(cx: &Cx, map: &mut Stored<Map>, rows: &[Row]) -> Result<()> {
    cx.blobs().write(&blob(&map.id, map.parts), &lines(rows))?;
    map.it.parts += 1;
    Ok(())
}

/// All rows, in the order of the old side.
fn rows(cx: &Cx, map: &Stored<Map>) -> impl Iterator<Item = Row> {
    let parts = (0..map.parts).map(|part| cx.blobs().read(&blob(&map.id, part), 0, MOST).unwrap_or_default());
    parts.flat_map(|bytes| read(&bytes))
}

/// The map of the argument `map_ref`, to be read.
///
/// # Errors
/// 404 for one that is not the customer's, 409 `map_unfinished` while it is built.
fn ready(cx: &Cx, map: &Id<Map>) -> Result<Stored<Map>> {
    let map = cx.records::<Map>().get(map).map_err(|fault| fault.at("/map_ref"))?;
    if map.standing == Standing::Ready {
        return Ok(map);
    }
    let message = "the map is not built yet; follow its job with account.job.get and come back then";
    let fault = Fault::conflict("map_unfinished", message).at("/map_ref");
    Err(match &map.job_ref {
        Some(job) => fault.detail(sdk::json!({ "operation_id": "account.job.get", "arguments": { "job_ref": job } })),
        None => fault,
    })
}

/// Bytes of the rows of one kind that a job's result shows: with addresses of 2,000 letters it shows fewer rows.
const SHOWN_BYTES: usize = 1 << 20;

/// Values as lines of JSON.
fn lines<T: Serialize>(all: &[T]) -> Vec<u8> {
    let mut out = Vec::new();
    for it in all {
        out.extend_from_slice(sdk::json!(it).to_string().as_bytes());
        out.push(b'\n');
    }
    out
}

/// Values from lines of JSON.
fn read<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Vec<T> {
    let all = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    all.filter_map(|line| sdk::serde_json::from_slice(line).ok()).collect()
}
