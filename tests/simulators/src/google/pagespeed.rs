//! PageSpeed Insights v5: a Lighthouse run and the field data beside it.
//!
//! Source: developers.google.com/speed/docs/insights/rest/v5/pagespeedapi/runpagespeed.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{crux, error, invalid};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

const CATEGORIES: [(&str, &str, &str); 4] = [
    ("PERFORMANCE", "performance", "Performance"),
    ("ACCESSIBILITY", "accessibility", "Accessibility"),
    ("BEST_PRACTICES", "best-practices", "Best Practices"),
    ("SEO", "seo", "SEO"),
];

pub(super) fn answer(request: &Request, desk: &Desk) -> Reply {
    let Some(url) = request.query("url").filter(|url| url.starts_with("http://") || url.starts_with("https://")) else {
        return invalid("Invalid value '' for 'url'.");
    };
    let strategy = request.query("strategy").unwrap_or("DESKTOP").to_uppercase();
    if strategy != "MOBILE" && strategy != "DESKTOP" {
        return invalid("Invalid value at 'strategy'.");
    }
    if !url.starts_with(&shop::url("")) || url.contains("/error") || url.contains("/missing") {
        let message = "Lighthouse returned error: FAILED_DOCUMENT_REQUEST. Lighthouse was unable to reliably load the page you requested.";
        return error(500, "INTERNAL", "lighthouseError", message);
    }
    let mobile = strategy == "MOBILE";
    let mut dice = desk.seed.dice(&["lighthouse", url, &strategy]);
    let slow = if mobile { 2.4 } else { 1.0 };
    let mut ms = |low: u64, high: u64| (dice.between(low, high) as f64) * slow;
    let (fcp, lcp, tbt, index, tti) = (ms(500, 1_600), ms(900, 2_600), ms(0, 400), ms(700, 2_400), ms(900, 4_000));
    let cls = (ms(0, 180) / 1_000.0).min(0.5);
    let score = |value: f64, good: f64, poor: f64| ((poor - value) / (poor - good)).clamp(0.0, 1.0);
    let metric = |id: &str, title: &str, value: f64, unit: &str, good: f64, poor: f64| {
        let shown = if unit == "millisecond" { format!("{:.1} s", value / 1_000.0) } else { format!("{value:.3}") };
        (
            id.to_owned(),
            json!({ "id": id, "title": title, "score": score(value, good, poor), "scoreDisplayMode": "numeric", "numericValue": value, "numericUnit": unit, "displayValue": shown }),
        )
    };
    let mut audits: Map<String, Value> = [
        metric("first-contentful-paint", "First Contentful Paint", fcp, "millisecond", 1_800.0, 3_000.0),
        metric("largest-contentful-paint", "Largest Contentful Paint", lcp, "millisecond", 2_500.0, 4_000.0),
        metric("total-blocking-time", "Total Blocking Time", tbt, "millisecond", 200.0, 600.0),
        metric("cumulative-layout-shift", "Cumulative Layout Shift", cls, "unitless", 0.1, 0.25),
        metric("speed-index", "Speed Index", index, "millisecond", 3_400.0, 5_800.0),
        metric("interactive", "Time to Interactive", tti, "millisecond", 3_800.0, 7_300.0),
    ]
    .into_iter()
    .collect();
    let weights = [
        ("first-contentful-paint", 0.10),
        ("speed-index", 0.10),
        ("largest-contentful-paint", 0.25),
        ("total-blocking-time", 0.30),
        ("cumulative-layout-shift", 0.25),
    ];
    let performance: f64 =
        weights.iter().map(|(id, weight)| audits[*id]["score"].as_f64().unwrap_or(0.0) * weight).sum();
    let wasted = dice.between(4_000, 180_000);
    let saved = dice.between(40, 900);
    let items = json!([{ "url": shop::url("/lamp-2.jpg"), "totalBytes": wasted * 2, "wastedBytes": wasted }]);
    audits.insert("uses-responsive-images".to_owned(), json!({ "id": "uses-responsive-images", "title": "Properly size images", "score": 0.5,
        "scoreDisplayMode": "metricSavings", "numericValue": saved, "numericUnit": "millisecond",
        "details": { "type": "opportunity", "overallSavingsMs": saved, "overallSavingsBytes": wasted, "items": items } }));
    let asked: Vec<String> = request
        .query
        .iter()
        .filter(|(name, _)| name == "category")
        .map(|(_, value)| value.to_uppercase().replace('-', "_"))
        .collect();
    let wanted = |name: &str| if asked.is_empty() { name == "PERFORMANCE" } else { asked.iter().any(|it| it == name) };
    let refs: Vec<Value> =
        weights.iter().map(|(id, weight)| json!({ "id": id, "weight": weight * 100.0, "group": "metrics" })).collect();
    let categories: Map<String, Value> = CATEGORIES
        .iter()
        .filter(|(name, _, _)| wanted(name))
        .map(|(name, id, title)| {
            let score = if *name == "PERFORMANCE" { performance } else { 0.8 + 0.01 * desk.seed.dice(&[url, id]).below(20) as f64 };
            let score = (score * 100.0).round() / 100.0;
            ((*id).to_owned(), json!({ "id": id, "title": title, "score": score, "auditRefs": if *name == "PERFORMANCE" { json!(refs) } else { json!([]) } }))
        })
        .collect();
    let form = if mobile { "PHONE" } else { "DESKTOP" };
    Reply::ok(&json!({
        "captchaResult": "CAPTCHA_NOT_NEEDED", "kind": "pagespeedonline#result", "id": url,
        "loadingExperience": crux::loading_experience(desk, url, form), "originLoadingExperience": crux::loading_experience(desk, &shop::url(""), form),
        "lighthouseResult": { "requestedUrl": url, "finalUrl": url, "mainDocumentUrl": url, "lighthouseVersion": "13.0.1",
            "fetchTime": Timestamp::now().to_string(), "userAgent": "HeadlessChrome", "runWarnings": [], "timing": { "total": 9_120.4 },
            "configSettings": { "formFactor": strategy.to_lowercase(), "emulatedFormFactor": strategy.to_lowercase(), "locale": "en-US", "channel": "lr" },
            "audits": audits, "categories": categories },
        "analysisUTCTimestamp": Timestamp::now().to_string()
    }))
}
