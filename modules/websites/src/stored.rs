//! What is known of a website, and what this module reads of crawls and audits.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;

/// A website. Other modules read `origin` and `domain`.
#[record(collection = "sites", thing = "website", reference = "site_id", index(order))]
pub(crate) struct Website {
    /// The host that it was added by.
    pub(crate) domain: Domain,
    /// How it is called.
    pub(crate) name: String,
    /// Scheme, host and port to begin at, such as `https://shop.example`.
    pub(crate) origin: String,
    /// The part that somebody can register, by the Public Suffix List.
    pub(crate) registrable_domain: String,
    /// When it was added.
    pub(crate) created_at: Moment,
    /// Sorts by age: the time of adding, then the id.
    pub(crate) order: String,
    /// The country it is for.
    pub(crate) country: Option<Country>,
    /// The language it is in, as told or as found.
    pub(crate) language: Option<Language>,
    /// What was found when it was added.
    pub(crate) detected: Detected,
    /// What could not be found, in words.
    pub(crate) note: Option<String>,
    /// Names that mean this website.
    #[serde(default)]
    pub(crate) brand_terms: Vec<String>,
    /// Countries aimed at.
    #[serde(default)]
    pub(crate) countries: Vec<Country>,
    /// Languages aimed at.
    #[serde(default)]
    pub(crate) languages: Vec<Language>,
    /// Pages that count as success.
    #[serde(default)]
    pub(crate) conversion_paths: Vec<String>,
    /// Facts about the business, by name; used to check what others say.
    #[serde(default)]
    pub(crate) facts: BTreeMap<String, Value>,
    /// The limits that every crawl of it keeps to.
    #[serde(default)]
    pub(crate) crawl_prefs: CrawlPrefs,
    /// Whether its ownership is proven; null until a check has proven it once.
    pub(crate) verification: Option<Verification>,
}

/// How a token of ownership is shown.
#[value]
pub(crate) enum Method {
    /// A TXT record at the host or at its registrable domain.
    DnsTxt,
    /// A file at the root of the origin.
    HtmlFile,
    /// A meta element in the head of the home page.
    MetaTag,
}

/// The proof of ownership of a website. Other modules read `verified`.
#[value]
pub(crate) struct Verification {
    /// Whether the token was found when it was looked for last.
    pub(crate) verified: bool,
    /// How it was found.
    pub(crate) method: Method,
    /// Where and what was found.
    pub(crate) evidence: String,
    /// Since when it is proven without a gap.
    pub(crate) verified_at: Moment,
    /// When the token was found last.
    pub(crate) found_at: Moment,
    /// When it was looked for last.
    pub(crate) checked_at: Moment,
    /// When a check no longer found it; null while it is proven.
    pub(crate) lost_at: Option<Moment>,
}

/// What was found when a website was added.
#[value]
#[derive(Default)]
pub(crate) struct Detected {
    /// The content management system or framework.
    pub(crate) cms: Option<Cms>,
    /// The language that the home page declares.
    pub(crate) language: Option<String>,
    /// Sitemaps, from robots.txt or the usual place.
    pub(crate) sitemaps: Vec<String>,
}

/// A content management system or framework.
#[value]
pub(crate) struct Cms {
    /// Its name.
    pub(crate) name: String,
    /// Its version, when the site tells.
    pub(crate) version: Option<String>,
    /// Where it shows.
    pub(crate) evidence: String,
}

/// Limits that every crawl of a website keeps to; what is absent is left to the crawl.
#[args]
#[derive(Default)]
pub(crate) struct CrawlPrefs {
    /// The most pages.
    pub(crate) max_pages: Option<Count<1, 100_000>>,
    /// The most links from the home page.
    pub(crate) max_depth: Option<Count<0, 50>>,
    /// The most requests a second.
    pub(crate) rate_rps: Option<Decimal<100, 10_000>>,
    /// Patterns of which one must match.
    pub(crate) include: Option<List<Text<1, 300>, 0, 50>>,
    /// Patterns of which none may match.
    pub(crate) exclude: Option<List<Text<1, 300>, 0, 50>>,
}

/// That a domain is taken: its id is the domain without `www.`, so that two calls cannot both add it.
#[record(collection = "claims", thing = "website", reference = "domain")]
pub(crate) struct Claim {
    /// By this website.
    pub(crate) site_id: Id<Website>,
}

/// The id under which a domain is claimed.
pub(crate) fn claim(domain: &Domain) -> Id<Claim> {
    Id::new(domain.as_str().strip_prefix("www.").unwrap_or(domain.as_str()))
}

/// An audit.
#[foreign(collection = "audit.audits", index(site_id, created_ms))]
pub(crate) struct Audit {
    /// The website.
    pub(crate) site_id: String,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
    /// From 0 to 100.
    pub(crate) score: Option<f64>,
    /// Addresses read.
    #[serde(default)]
    pub(crate) pages: u32,
    /// Rules with findings, by severity.
    #[serde(default)]
    pub(crate) by_severity: BTreeMap<String, u32>,
}
