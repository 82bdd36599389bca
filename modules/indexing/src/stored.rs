//! What this module keeps, and what it reads of websites, connections, crawls and link graphs.

use sdk::prelude::*;

use crate::auto_submit::Engine;
use crate::inspection::Coverage;

/// What a search engine said of one address when it was asked last. Its id is `kit::crawled::page_id` of website and
/// address.
#[record(collection = "url_states", thing = "url_state", index(site_id, url), index(site_id, inspected_ms))]
pub(crate) struct UrlState {
    /// The website.
    pub(crate) site_id: String,
    /// The address, normalised.
    pub(crate) url: String,
    /// Milliseconds since 1970 UTC: when the engine was asked.
    pub(crate) inspected_ms: u64,
    /// What it said.
    pub(crate) coverage: Coverage,
}

/// The IndexNow key of a website, under the website's own id. It is public: its file shows it to everybody.
#[record(collection = "indexnow_keys", thing = "indexnow_key")]
pub(crate) struct IndexNowKey {
    /// The website.
    pub(crate) site_id: String,
    /// 8 to 128 letters, digits and hyphens.
    pub(crate) key: String,
    /// Where its file is.
    pub(crate) location: String,
    /// Milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
}

/// One address that was handed to a search engine.
#[record(
    collection = "submissions",
    index(site_id, at_ms),
    index(site_id, engine, at_ms),
    index(site_id, engine, url, at_ms)
)]
pub(crate) struct Submission {
    /// The website.
    pub(crate) site_id: String,
    /// The engine or protocol.
    pub(crate) engine: Receiver,
    /// The address, normalised.
    pub(crate) url: String,
    /// Milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    /// The status that answered.
    pub(crate) code: u16,
    /// SHA-256 of the page's text then, in hex; empty where it was not known.
    pub(crate) text_sha256: String,
    /// Whether the address was handed over as one that is gone.
    pub(crate) removed: bool,
}

/// Who an address is handed to.
#[value]
pub(crate) enum Receiver {
    #[serde(rename = "indexnow")]
    IndexNow,
    Bing,
    GoogleJobs,
}

/// Automatic submission of a website, under the website's own id.
#[record(collection = "auto_submit", thing = "auto_submit")]
pub(crate) struct AutoSubmit {
    /// The website.
    pub(crate) site_id: String,
    /// Who gets addresses.
    pub(crate) engines: Vec<Engine>,
    /// The most addresses a day for each engine.
    pub(crate) daily_cap: u32,
    /// Only addresses of this segment.
    pub(crate) segment_ref: Option<String>,
    /// Milliseconds since 1970 UTC.
    pub(crate) set_ms: u64,
    /// The newest crawl whose changes were noted.
    pub(crate) run_ref: Option<String>,
    /// When changes were looked for last.
    pub(crate) looked_ms: Option<u64>,
    /// Addresses that wait for the next round, by engine.
    pub(crate) waiting: std::collections::BTreeMap<String, u32>,
}

/// The sitemaps of a website as they were compared with a crawl last, under the website's own id. Addresses that only
/// they name are in the blob [`only_sitemap_blob`].
#[record(collection = "sitemaps", thing = "sitemap_audit")]
pub(crate) struct SitemapAudit {
    /// The website.
    pub(crate) site_id: String,
    /// The crawl.
    pub(crate) run_ref: String,
    /// Milliseconds since 1970 UTC.
    pub(crate) audited_ms: u64,
    /// The files.
    pub(crate) files: Vec<String>,
    /// Addresses in them.
    pub(crate) urls: u32,
    /// Of these, addresses that the crawl does not have.
    pub(crate) only_sitemap: u32,
}

/// Where the addresses of [`SitemapAudit::only_sitemap`] stand, as a JSON array.
pub(crate) fn only_sitemap_blob(site: &str) -> String {
    format!("only_sitemap/{site}")
}

/// A link of a crawl; only counted.
#[foreign(collection = "crawl.links", thing = "link", index(run, target))]
pub(crate) struct Linked {
    pub(crate) run: String,
    pub(crate) target: String,
}

/// The link graph of a crawl: its strongest pages.
#[foreign(collection = "links.graphs", thing = "graph", index(run_ref, created_ms))]
pub(crate) struct Graph {
    pub(crate) run_ref: String,
    pub(crate) created_ms: u64,
    pub(crate) summary: Option<GraphSummary>,
}

/// The numbers of a link graph.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct GraphSummary {
    pub(crate) top: Vec<TopPage>,
}

/// A strong page.
#[value]
pub(crate) struct TopPage {
    pub(crate) url: String,
    /// Authority; 1 is an average page.
    pub(crate) authority: f64,
}
