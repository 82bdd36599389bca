//! URL Inspection of Search Console.
//!
//! Source: developers.google.com/webmaster-tools/v1/urlInspection.index/inspect and UrlInspectionResult.

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use search::Reached;
use serde::Deserialize;

use crate::inspection::Coverage;
use site::Site;

/// Inspections a day for one property (Google's quota).
pub(crate) const A_DAY: u32 = 2_000;

/// The property of a website.
///
/// # Errors
/// 422 `connection_required`; 409 `property_not_found` when no property covers the website.
pub(crate) fn property(cx: &Cx, site: &Stored<Site>) -> Result<Reached> {
    search::property(cx, site, "Google says what it indexed to verified users of the property only")
}

/// The request that inspects an address.
pub(crate) fn inspection(reached: &Reached, url: &str) -> Send {
    let body = json!({ "inspectionUrl": url, "siteUrl": reached.property, "languageCode": "en-US" });
    Send::post(&reached.connection, "/v1/urlInspection/index:inspect").service("inspection").json(&body).timeout(30_000)
}

/// What an inspection said.
pub(crate) fn coverage(answer: Result<sdk::Sent, SendFailure>) -> Result<Coverage> {
    let answered: Answered = answer?.accepted()?.json()?;
    let it = answered.result.status;
    let time = it.last_crawl_time.as_deref().and_then(crate::sitemap::datetime::read);
    Ok(Coverage {
        verdict: it.verdict,
        coverage: it.coverage_state,
        robots: it.robots_txt_state,
        indexing: it.indexing_state,
        fetch: it.page_fetch_state,
        google_canonical: it.google_canonical,
        user_canonical: it.user_canonical,
        last_crawled_at: time.and_then(|it| u64::try_from(it.millis).ok()).map(Moment::from_millis),
        crawled_as: it.crawled_as,
        sitemaps: it.sitemap,
        referring_urls: it.referring_urls,
    })
}

#[derive(Deserialize)]
struct Answered {
    #[serde(rename = "inspectionResult")]
    result: InspectionResult,
}

#[derive(Deserialize)]
struct InspectionResult {
    #[serde(rename = "indexStatusResult")]
    status: IndexStatus,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct IndexStatus {
    verdict: String,
    coverage_state: String,
    robots_txt_state: String,
    indexing_state: String,
    page_fetch_state: String,
    google_canonical: Option<String>,
    user_canonical: Option<String>,
    last_crawl_time: Option<String>,
    crawled_as: Option<String>,
    sitemap: Vec<String>,
    referring_urls: Vec<String>,
}
