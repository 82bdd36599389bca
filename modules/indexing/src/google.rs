//! Search Console as this module asks it: the property of a website, and URL Inspection.
//!
//! Source: developers.google.com/webmaster-tools/v1/urlInspection.index/inspect, UrlInspectionResult and sites.list.

use sdk::prelude::*;
use sdk::{Need, Send, SendFailure, json};
use serde::Deserialize;

use crate::inspection::Coverage;
use crate::stored::Property;
use site::Site;

/// What inspections need.
pub(crate) const NEED: Need = Need::consent("google_search_console", &["full user of the property"]);
/// Inspections a day for one property (Google's quota).
pub(crate) const A_DAY: u32 = 2_000;

/// A property that a connection can reach.
#[value]
pub(crate) struct Reached {
    pub(crate) connection: String,
    /// As Search Console names it: `sc-domain:shop.example` or `https://shop.example/`.
    pub(crate) property: String,
}

#[derive(Deserialize)]
struct Sites {
    #[serde(rename = "siteEntry", default)]
    entries: Vec<SiteEntry>,
}

#[derive(Deserialize)]
struct SiteEntry {
    #[serde(rename = "siteUrl")]
    url: String,
    #[serde(rename = "permissionLevel", default)]
    permission: String,
}

/// The property of a website: the one that was mapped to it, else the best of those that a connection lists.
///
/// # Errors
/// 422 `connection_required`; 409 `property_not_found` when no property covers the website.
pub(crate) fn property(cx: &Cx, site: &Stored<Site>) -> Result<Reached> {
    let why = "Google says what it indexed to verified users of the property only";
    let best = cx.connections().required(NEED, "/site_id", why)?;
    let mapped = cx.records::<Property>().by("site_id_kind").equals(&site.id).equals("google_search_console").first();
    let held = cx.connections().of("google_search_console");
    if let Some(mapped) = mapped.filter(|it| held.iter().any(|one| one.reference == it.connection_ref)) {
        let Property { connection_ref, remote_id, .. } = mapped.it;
        return Ok(Reached { connection: connection_ref, property: remote_id });
    }
    let listed: Sites =
        cx.connections().send(&Send::get(&best.reference, "/webmasters/v3/sites"))?.accepted()?.json()?;
    let usable = listed.entries.into_iter().filter(|it| it.permission != "siteUnverifiedUser");
    let ranked = usable.filter_map(|it| Some((rank(&it.url, &site.origin)?, it.url)));
    let best_property = ranked.max_by_key(|(rank, _)| *rank).map(|(_, url)| url);
    best_property.map(|property| Reached { connection: best.reference, property }).ok_or_else(|| {
        let message =
            "no property of the connected Search Console covers this website; connections.property.list shows them";
        Fault::conflict("property_not_found", message).at("/site_id")
    })
}

/// How well a property covers an origin; none when it does not.
fn rank(property: &str, origin: &str) -> Option<usize> {
    let origin = kit::url::Url::parse(origin).ok()?;
    let host = origin.host_str()?;
    if let Some(domain) = property.strip_prefix("sc-domain:") {
        let covers = host == domain || host.ends_with(&format!(".{domain}"));
        return covers.then_some(1_000 + domain.len());
    }
    let prefix = kit::url::Url::parse(property).ok()?;
    (kit::url::origin(&prefix) == kit::url::origin(&origin) && prefix.path() == "/").then_some(500)
}

/// Whether a property covers an address.
pub(crate) fn covers(property: &str, url: &str) -> bool {
    match property.strip_prefix("sc-domain:") {
        Some(_) => rank(property, url).is_some(),
        None => url.starts_with(property),
    }
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
