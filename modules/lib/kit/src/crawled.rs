//! The records that a crawl leaves behind, as their readers see them.
//!
//! The crawl module writes them into `crawl.runs`, `crawl.pages` and `crawl.links`; other modules read those collections
//! when the catalog lets them. Fields are only ever added.

mod pages;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use pages::{ExternalRecord, Found, LinkRecord, PageRecord, page_id};

use crate::rules::Rule;

/// Where a crawl stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Accepted, no page fetched.
    #[default]
    Queued,
    /// Fetching.
    Running,
    /// Ended; `stop_reason` says how. Written `succeeded`, as the job's own state.
    #[serde(rename = "succeeded")]
    Finished,
    /// Ended by the customer. Written `cancelled`, as the job's own state.
    #[serde(rename = "cancelled")]
    Stopped,
    /// Its job failed; what was fetched before is kept.
    Failed,
}

/// Why a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every address in scope was fetched.
    Completed,
    /// `max_pages` was reached.
    PageLimit,
    /// Everything up to `max_depth` was fetched and there was more below.
    DepthLimit,
    /// Everything that was taken up was fetched, and there was more: `links_dropped` and `beyond_known` say how much.
    KnownLimit,
    /// robots.txt forbids every starting address.
    RobotsDisallowed,
    /// The site answers with a challenge for people instead of pages.
    BlockedByChallenge,
    /// No starting address answered.
    Unreachable,
    /// The customer stopped it.
    Stopped,
}

/// What was counted. All numbers are of committed work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Totals {
    /// Addresses of the site that were asked for and recorded, redirects and errors too. What the crawl is priced by.
    pub fetched: u64,
    /// Of these, HTML pages that answered 200.
    pub html: u64,
    /// Of these, pages that may be indexed.
    pub indexable: u64,
    /// Of these, redirects.
    pub redirects: u64,
    /// Of these, no answer, 4xx or 5xx.
    pub errors: u64,
    /// Known and waiting.
    pub queued: u64,
    /// Not asked for because of robots.txt.
    pub blocked: u64,
    /// Not followed: left out by a pattern, or a trap. The next three say which.
    pub skipped: u64,
    /// Of these, matched by an `exclude` pattern.
    pub skipped_excluded: u64,
    /// Of these, matched by none of the `include` patterns.
    pub skipped_not_included: u64,
    /// Of these, part of an endless family of addresses.
    pub skipped_traps: u64,
    /// Times that a link led deeper than `max_depth`.
    pub too_deep: u64,
    /// Times that a chain of redirects was too long to follow.
    pub too_many_hops: u64,
    /// Times that a link led to an address beyond those that a crawl of this size remembers.
    pub beyond_known: u64,
    /// Links of single pages beyond those that are kept of a page.
    pub links_dropped: u64,
    /// Links recorded.
    pub links: u64,
    /// Of these, to the site itself.
    pub internal_links: u64,
    /// Different addresses outside the site that were found.
    pub external_urls: u64,
    /// Of these, checked.
    pub external_checked: u64,
    /// Bytes of bodies read.
    pub bytes: u64,
    /// Addresses that sitemaps named, in scope.
    pub in_sitemaps: u64,
}

/// The body of a record of `crawl.runs`; its id is the run's reference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunRecord {
    /// The website.
    pub site_id: String,
    /// Scheme, host and port that the crawl began at, such as `https://shop.example`.
    pub origin: String,
    /// Where it stands.
    pub state: RunState,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// Milliseconds since 1970 UTC: when it was asked for.
    pub created_ms: u64,
    /// When the first step ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<u64>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
    /// The job that works on it.
    pub job_ref: String,
    /// What was asked for.
    pub settings: Settings,
    /// What was counted.
    pub totals: Totals,
    /// How many addresses answered with which status; key `0` is no answer.
    pub status_counts: BTreeMap<String, u64>,
    /// Failures without an answer, by class: `timeout`, `tls`, ….
    pub failures: BTreeMap<String, u64>,
    /// Addresses fetched per depth, from 0.
    pub depth_histogram: Vec<u64>,
    /// Links by scope and placement, keys such as `internal.nav`.
    pub link_counts: BTreeMap<String, u64>,
    /// Milliseconds between requests now, and why.
    pub pace: Pace,
    /// What robots.txt of the origin said.
    pub robots: RobotsSummary,
    /// A crawl, or a check of listed addresses.
    #[serde(skip_serializing_if = "RunKind::is_crawl")]
    pub kind: RunKind,
    /// Rules whose values were taken out of every page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extraction: Vec<Rule>,
    /// Packs of texts, facts and links written so far.
    #[serde(skip_serializing_if = "is_zero")]
    pub packs: u32,
    /// When pages were last fetched again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recrawled_ms: Option<u64>,
    /// What that did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// Whether it is being deleted, in parts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deleting: bool,
}

impl RunRecord {
    /// Whether it has ended, by itself or stopped by the customer, and stays as it is.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        !self.deleting && matches!(self.state, RunState::Finished | RunState::Stopped)
    }

    /// Whether its pages can be read: it has ended once. What it recorded still stands while parts of it are fetched
    /// again, and where that failed.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.has_ended() || (!self.deleting && self.finished_ms.is_some())
    }

    /// Whether it fetched everything that it knew of; false when it was stopped or reached a bound.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == RunState::Finished && self.stop_reason == Some(StopReason::Completed)
    }
}

/// What fetching parts of a crawl again did, the last time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Again {
    /// Addresses that were chosen.
    pub chosen: u64,
    /// Of these, asked for and recorded so far.
    pub fetched: u64,
    /// Of these, no answer, 4xx or 5xx.
    pub errors: u64,
    /// Of these, known before, and with another status or another text now.
    pub changed: u64,
    /// Of these, not known before.
    pub added: u64,
    /// Whether the customer stopped it before all were fetched.
    pub stopped: bool,
}

/// What a run is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// A crawl of a website.
    #[default]
    Crawl,
    /// A check of listed addresses; nothing is followed.
    Check,
}

impl RunKind {
    /// Whether it is a crawl.
    #[must_use]
    pub fn is_crawl(&self) -> bool {
        *self == Self::Crawl
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where the text of a page stands: a line of JSON in a blob of the crawl module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextAt {
    /// The pack, from 0.
    pub pack: u32,
    /// Bytes before it.
    pub offset: u32,
    /// Its bytes.
    pub length: u32,
}

/// What a crawl was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The most addresses to fetch.
    pub max_pages: u32,
    /// The most links from a starting address.
    pub max_depth: u32,
    /// Starting addresses beside the origin.
    pub seeds: Vec<String>,
    /// Patterns of which one must match, when there are any.
    pub include: Vec<String>,
    /// Patterns of which none may match.
    pub exclude: Vec<String>,
    /// Whether links that leave the site are checked.
    pub check_external: bool,
    /// Whether the bytes of pages are kept.
    pub store_html: bool,
    /// The most requests a second, in thousandths.
    pub rate_millirps: u32,
    /// Whether `Crawl-delay` is taken no notice of, as the website's proven owner wishes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lift_crawl_delay: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_pages: 1_000,
            max_depth: 20,
            seeds: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            check_external: true,
            store_html: true,
            rate_millirps: 2_000,
            lift_crawl_delay: false,
        }
    }
}

/// The pace of a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Pace {
    /// Milliseconds between the starts of two requests.
    pub delay_ms: u64,
    /// The least that the settings and `Crawl-delay` allow.
    pub floor_ms: u64,
    /// Requests in a row without trouble.
    pub clean: u32,
    /// How often the site asked to slow down (429, 503, timeouts), or seemed to suffer (server errors in a row).
    pub slowdowns: u32,
    /// Milliseconds that the site asked to be left alone, once, with `Retry-After`.
    pub pause_ms: u64,
    /// Server errors in a row.
    pub faults: u32,
}

/// What robots.txt of the origin said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RobotsSummary {
    /// Its status; 0 when there was no answer.
    pub status: u16,
    /// `found`, `missing` (everything allowed) or `unreachable` (everything forbidden, RFC 9309 section 2.3.1.4).
    pub state: String,
    /// `Crawl-delay` for this crawler in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crawl_delay_ms: Option<u64>,
    /// Sitemaps it names.
    pub sitemaps: Vec<String>,
}
