//! URL Inspection: what Google knows of one address.
//!
//! Source: developers.google.com/webmaster-tools/v1/urlInspection.index/inspect. 2,000 a day for a property.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::search_console::{Properties, forbidden};
use super::{invalid, quota, today};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

const A_DAY: u32 = 2_000;

pub(super) fn answer(held: &mut Properties, request: &Request, desk: &Desk) -> Reply {
    let body = request.json();
    let (Some(url), Some(site)) = (body["inspectionUrl"].as_str(), body["siteUrl"].as_str()) else {
        return invalid("Inspection URL and site URL are required.");
    };
    if held.readable(site).is_none() {
        return forbidden(site);
    }
    let Some(path) = url.strip_prefix(&shop::url("")).filter(|path| path.is_empty() || path.starts_with('/')) else {
        return invalid("You must be an owner of the inspected URL: it is not part of the property.");
    };
    let used = held.inspected.entry((site.to_owned(), today())).or_default();
    if *used >= A_DAY {
        return quota("Quota exceeded for sc-domain: 2000 inspections a day.");
    }
    *used += 1;
    let result = json!({ "inspectionResultLink": format!("https://search.google.com/search-console/inspect?id={url}"),
        "indexStatusResult": status(url, path, desk), "richResultsResult": { "verdict": "VERDICT_UNSPECIFIED" } });
    Reply::ok(&json!({ "inspectionResult": result }))
}

fn status(url: &str, path: &str, desk: &Desk) -> Value {
    let mut dice = desk.seed.dice(&["inspection", path]);
    let crawled = Timestamp::now() - SignedDuration::from_hours(i64::try_from(dice.between(5, 900)).unwrap_or(5));
    let known = shop::pages().iter().any(|page| page.path == path);
    let (verdict, coverage, robots, indexing, fetch) = match path {
        path if path.starts_with("/private/") => {
            ("NEUTRAL", "Blocked by robots.txt", "DISALLOWED", "INDEXING_STATE_UNSPECIFIED", "BLOCKED_ROBOTS_TXT")
        }
        "/products/lamp-5" => ("NEUTRAL", "Excluded by ‘noindex’ tag", "ALLOWED", "BLOCKED_BY_META_TAG", "SUCCESSFUL"),
        "/error" => ("FAIL", "Server error (5xx)", "ALLOWED", "INDEXING_ALLOWED", "SERVER_ERROR"),
        "/missing" => ("NEUTRAL", "Not found (404)", "ALLOWED", "INDEXING_ALLOWED", "NOT_FOUND"),
        "/old-catalog" => ("NEUTRAL", "Page with redirect", "ALLOWED", "INDEXING_ALLOWED", "SUCCESSFUL"),
        _ if !known => (
            "NEUTRAL",
            "URL is unknown to Google",
            "ROBOTS_TXT_STATE_UNSPECIFIED",
            "INDEXING_STATE_UNSPECIFIED",
            "PAGE_FETCH_STATE_UNSPECIFIED",
        ),
        _ if dice.below(6) == 0 => {
            ("NEUTRAL", "Crawled - currently not indexed", "ALLOWED", "INDEXING_ALLOWED", "SUCCESSFUL")
        }
        _ => ("PASS", "Submitted and indexed", "ALLOWED", "INDEXING_ALLOWED", "SUCCESSFUL"),
    };
    let mut result = json!({ "verdict": verdict, "coverageState": coverage, "robotsTxtState": robots, "indexingState": indexing, "pageFetchState": fetch });
    if known {
        result["lastCrawlTime"] = json!(crawled.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        result["crawledAs"] = json!("MOBILE");
        result["userCanonical"] = json!(url);
        // The shop says that one lamp's page is a copy of a page that is gone; Google keeps the page itself.
        result["googleCanonical"] = json!(url);
        if path == "/products/lamp-3" {
            result["userCanonical"] = json!(shop::url("/products/lamp-3-gone"));
        }
        result["sitemap"] = json!([shop::url("/sitemap.xml")]);
        result["referringUrls"] = json!([shop::url("/products")]);
    }
    result
}
