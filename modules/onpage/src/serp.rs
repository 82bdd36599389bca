//! A results page of a search engine, by the customer's DataForSEO account.
//!
//! Source: docs.dataforseo.com/v3/serp/google/organic/live/advanced and appendix/errors. The HTTP status is 200 for most
//! refusals; what happened is in `status_code` of the answer and of its task.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Need, Send, json};

/// Results that are asked for.
const DEPTH: u32 = 20;

/// What ranks for a query.
#[value]
pub(crate) struct Serp {
    /// Addresses of organic results, the best first.
    pub(crate) urls: Vec<String>,
    /// Questions that people also ask.
    pub(crate) questions: Vec<String>,
}

/// The account that is asked, or 422 at `pointer`.
pub(crate) fn account(cx: &Cx, pointer: &str) -> Result<String> {
    let reason = "without competitors the pages that rank are asked from DataForSEO";
    Ok(cx.connections().required(Need::DATAFORSEO, pointer, reason)?.reference)
}

/// Asks what ranks for a query in a country and language, on a desktop, now.
pub(crate) fn ask(cx: &Cx, account: &str, keyword: &str, country: Country, language: &Language) -> Result<Serp> {
    let task = json!([{
        "keyword": keyword,
        // The geographical targets of Google Ads: countries are 2,000 more than their number in ISO 3166-1.
        "location_code": 2_000 + u32::from(country.number()),
        "language_code": language.primary(),
        "device": "desktop",
        "depth": DEPTH,
    }]);
    let send = Send::post(account, "/v3/serp/google/organic/live/advanced").timeout(45_000).json(&task);
    let answer: Value = cx.connections().send(&send)?.accepted()?.json()?;
    let code = |it: &Value| it["status_code"].as_u64().unwrap_or_default();
    let failed = [code(&answer), code(&answer["tasks"][0])].into_iter().find(|it| *it != 20_000);
    if let Some(code) = failed {
        return Err(refusal(code));
    }
    let empty = Vec::new();
    let items = answer["tasks"][0]["result"][0]["items"].as_array().unwrap_or(&empty);
    let of = |kind: &str| items.iter().filter(|it| it["type"] == *kind).collect::<Vec<_>>();
    let urls = of("organic").iter().filter_map(|it| it["url"].as_str().map(str::to_owned)).collect();
    let asked = of("people_also_ask").into_iter().flat_map(|it| it["items"].as_array().into_iter().flatten());
    let questions = asked.filter_map(|it| it["title"].as_str()).map(|it| kit::text::collapse_to(it, 200)).collect();
    Ok(Serp { urls, questions })
}

/// A refusal of the provider in the catalog's words.
fn refusal(code: u64) -> Fault {
    let fault = match code {
        40_100..=40_199 => Fault::conflict("connection_expired", "DataForSEO does not accept the login"),
        40_200..=40_299 => {
            Fault::unavailable("provider_quota_exhausted", "the DataForSEO account is used up or asked too fast")
        }
        _ => Fault::unavailable("provider_error", format!("DataForSEO answered with the status {code}")),
    };
    fault.detail(json!({ "provider_code": code, "retry_after": null }))
}
