//! Where an address stands with search engines, by the strongest evidence that there is.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;

use crate::inspection::{Coverage, STALE_DAYS};
use crate::stored::{SitemapAudit, UrlState, only_sitemap_blob};
use addresses::Known;
use site::{Run, Site};

/// Inspections of one website that are read.
const INSPECTIONS: usize = 20_000;

/// Where an address stands.
#[value]
pub(crate) enum State {
    /// Google said so within 60 days, and nothing newer speaks against it.
    Indexed,
    /// Google said so longer ago.
    LikelyIndexed,
    /// It is known, and nothing shows that a search engine has read it.
    DiscoveredOnly,
    /// It is left out, for a reason.
    Excluded,
    /// Too little is known of it.
    Unknown,
}

impl State {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Indexed => "indexed",
            Self::LikelyIndexed => "likely_indexed",
            Self::DiscoveredOnly => "discovered_only",
            Self::Excluded => "excluded",
            Self::Unknown => "unknown",
        }
    }
}

/// One known address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Address {
    pub(crate) url: String,
    pub(crate) state: State,
    pub(crate) reason: String,
    pub(crate) evidence: &'static str,
    /// When the evidence was seen.
    pub(crate) seen_ms: Option<u64>,
    /// What the newest crawl has of it.
    pub(crate) page: Option<Known>,
    /// What Google said of it.
    pub(crate) google: Option<Coverage>,
}

/// Every known address of a website.
pub(crate) struct Everything {
    /// In the order of their spelling.
    pub(crate) all: Vec<Address>,
    pub(crate) run: Option<Stored<Run>>,
    pub(crate) degraded: Vec<Degraded>,
}

/// What is known of one address before it is judged.
#[derive(Default)]
struct Evidence {
    page: Option<Known>,
    inspection: Option<(Coverage, u64)>,
    sitemap_ms: Option<u64>,
}

/// Brings together what crawl, sitemaps and inspections know.
pub(crate) fn known(cx: &Cx, site: &Id<Site>) -> Everything {
    let mut degraded = Vec::new();
    if visits::Store::of(cx, site).is_empty() {
        let why = "no log files of this website are stored; visits of crawlers are not known";
        let save = sdk::json!({ "site_id": site, "name": "web", "format": "combined" });
        degraded.push(Degraded::new("logs", why).supplied_by("logs.source.save", save));
    }
    let mut found: BTreeMap<String, Evidence> = BTreeMap::new();
    let run = site::newest(cx, site);
    match &run {
        None => degraded.push(Degraded::new("crawl", "no crawl of this website has ended")),
        Some(run) => {
            let pages = addresses::of(cx, &run.id);
            degraded.extend(pages.degraded);
            for page in pages.all {
                let evidence = found.entry(page.url.clone()).or_default();
                evidence.page = Some(page);
            }
        }
    }
    let inspections = cx.records::<UrlState>().by("site_id_url").equals(site).scan().take(INSPECTIONS);
    let mut inspected = 0;
    for state in inspections {
        inspected += 1;
        let UrlState { url, inspected_ms, coverage, .. } = state.it;
        found.entry(url).or_default().inspection = Some((coverage, inspected_ms));
    }
    if inspected == 0 {
        degraded.push(Degraded::new("inspection", "Google was not asked yet; indexing.inspection.run asks it"));
    }
    match cx.records::<SitemapAudit>().find(&site.cast()) {
        None => degraded.push(Degraded::new(
            "sitemaps",
            "only what the crawl read of them is known; indexing.sitemap.audit reads all",
        )),
        Some(audit) => {
            let bytes = cx.blobs().read(&only_sitemap_blob(site.as_str()), 0, 8 << 20).unwrap_or_default();
            let only: Vec<String> = serde_json::from_slice(&bytes).unwrap_or_default();
            for url in only {
                found.entry(url).or_default().sitemap_ms = Some(audit.audited_ms);
            }
        }
    }
    let now = cx.now();
    let all = found.into_iter().map(|(url, evidence)| judge(url, evidence, now)).collect();
    Everything { all, run, degraded }
}

fn judge(url: String, evidence: Evidence, now: Moment) -> Address {
    let Evidence { page, inspection, sitemap_ms } = evidence;
    let (state, reason, evidence, seen_ms) = match (&inspection, &page) {
        (Some((_, at)), Some(page)) if page.fetched_ms > *at && closed(page) => {
            (State::Excluded, page.reason.clone(), "crawl", Some(page.fetched_ms))
        }
        (Some((said, at)), _) => {
            let (state, reason) = by_inspection(said, now.since(Moment::from_millis(*at)));
            (state, reason, "inspection", Some(*at))
        }
        (None, Some(page)) => {
            let (state, reason) = by_crawl(page);
            (state, reason, "crawl", Some(page.fetched_ms))
        }
        (None, None) => (State::Unknown, "not_crawled".to_owned(), "sitemap", sitemap_ms),
    };
    Address { url, state, reason, evidence, seen_ms, page, google: inspection.map(|(said, _)| said) }
}

/// Whether a crawl found an address closed to search engines: a failure to answer may pass.
fn closed(page: &Known) -> bool {
    !page.is_indexable() && !matches!(page.reason.as_str(), "unreachable" | "server_error")
}

fn by_inspection(said: &Coverage, age_ms: u64) -> (State, String) {
    if said.is_indexed() {
        let fresh = age_ms <= STALE_DAYS * 86_400_000;
        return if fresh {
            (State::Indexed, "ok".to_owned())
        } else {
            (State::LikelyIndexed, "inspected_long_ago".to_owned())
        };
    }
    let reason = snake(&said.coverage);
    match reason.as_str() {
        "url_is_unknown_to_google" | "discovered_currently_not_indexed" => (State::DiscoveredOnly, reason),
        _ => (State::Excluded, reason),
    }
}

fn by_crawl(page: &Known) -> (State, String) {
    match page.reason.as_str() {
        "ok" => (State::DiscoveredOnly, "not_inspected".to_owned()),
        "unreachable" => (State::Unknown, "unreachable".to_owned()),
        reason => (State::Excluded, reason.to_owned()),
    }
}

/// Words joined by underscores: `Crawled - currently not indexed` is `crawled_currently_not_indexed`.
fn snake(words: &str) -> String {
    let lower = words.to_lowercase();
    let parts: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    if parts.is_empty() { "not_said".to_owned() } else { parts.join("_") }
}
