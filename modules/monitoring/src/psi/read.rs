//! What an answer of PageSpeed Insights says.
//!
//! Source: developers.google.com/speed/docs/insights/rest/v5/pagespeedapi/runpagespeed, Lighthouse 10 to 13. Since Lighthouse 13
//! savings stand in insights, as `metricSavings`; older audits have `details` of the type `opportunity`.

use std::collections::BTreeMap;

use kit::statistics::round;
use sdk::serde_json::Value;

use super::stored::{Failure, Field, Item, Lab, Measured, Opportunity, Scores, Strategy};
use crate::crux::ask::assessment;

/// Opportunities that are kept, and items of one.
const MOST: usize = 25;
const ITEMS: usize = 10;

/// Reads a result.
pub(super) fn result(url: &str, strategy: Strategy, answer: &Value) -> Measured {
    let lighthouse = &answer["lighthouseResult"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let error = &lighthouse["runtimeError"];
    let failure = error["code"].as_str().filter(|it| *it != "NO_ERROR").map(|code| Failure {
        code: code.to_owned(),
        message: error["message"].as_str().unwrap_or_default().chars().take(300).collect(),
    });
    let score = |id: &str| {
        let score = lighthouse["categories"][id]["score"].as_f64()?;
        u8::try_from(kit::number::as_count((score * 100.0).round().clamp(0.0, 100.0))).ok()
    };
    let audits = &lighthouse["audits"];
    let number = |id: &str, digits: i32| audits[id]["numericValue"].as_f64().map(|it| round(it, digits));
    Measured {
        page: Measured::page_of(url, strategy),
        url: url.to_owned(),
        final_url: text(&lighthouse["finalDisplayedUrl"]).or_else(|| text(&lighthouse["finalUrl"])),
        strategy,
        scores: Scores {
            performance: score("performance"),
            accessibility: score("accessibility"),
            best_practices: score("best-practices"),
            seo_score: score("seo"),
        },
        lab: Lab {
            fcp_ms: number("first-contentful-paint", 0),
            lcp_ms: number("largest-contentful-paint", 0),
            tbt_ms: number("total-blocking-time", 0),
            cls: number("cumulative-layout-shift", 3),
            speed_index_ms: number("speed-index", 0),
            ttfb_ms: number("server-response-time", 0),
        },
        field: field(&answer["loadingExperience"]),
        opportunities: opportunities(audits),
        lighthouse_version: text(&lighthouse["lighthouseVersion"]),
        warnings: lighthouse["runWarnings"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| Some(it.as_str()?.chars().take(300).collect()))
            .take(5)
            .collect(),
        failure,
        ..Measured::default()
    }
}

/// The field data that stand beside a run; layout shift is told in hundredths there.
fn field(said: &Value) -> Option<Field> {
    let names = [
        ("LARGEST_CONTENTFUL_PAINT_MS", "lcp", 1.0),
        ("INTERACTION_TO_NEXT_PAINT", "inp", 1.0),
        ("CUMULATIVE_LAYOUT_SHIFT_SCORE", "cls", 100.0),
        ("FIRST_CONTENTFUL_PAINT_MS", "fcp", 1.0),
        ("EXPERIMENTAL_TIME_TO_FIRST_BYTE", "ttfb", 1.0),
    ];
    let read = names.into_iter().filter_map(|(metric, name, scale)| {
        Some((name.to_owned(), said["metrics"][metric]["percentile"].as_f64()? / scale))
    });
    let p75: BTreeMap<String, f64> = read.collect();
    if p75.is_empty() {
        return None;
    }
    let of_origin = said["origin_fallback"].as_bool().unwrap_or(false);
    Some(Field { assessment: assessment(|name| p75.get(name).copied()), p75, of_origin })
}

/// What would make the page faster, by what it saves.
fn opportunities(audits: &Value) -> Vec<Opportunity> {
    let mut out: Vec<Opportunity> = audits
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(id, audit)| {
            let details = &audit["details"];
            let mut saved_ms: BTreeMap<String, f64> = audit["metricSavings"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(metric, ms)| Some((metric.to_lowercase(), ms.as_f64().filter(|it| *it > 0.0)?)))
                .collect();
            let is_opportunity = details["type"] == "opportunity";
            if saved_ms.is_empty()
                && is_opportunity
                && let Some(ms) = details["overallSavingsMs"].as_f64().filter(|it| *it > 0.0)
            {
                saved_ms.insert("lcp".to_owned(), ms);
            }
            let bytes =
                details["overallSavingsBytes"].as_u64().or_else(|| details["debugData"]["wastedBytes"].as_u64());
            let saved_bytes = bytes.filter(|it| *it > 0);
            if saved_ms.is_empty() && !(is_opportunity && saved_bytes.is_some()) {
                return None;
            }
            let items = details["items"].as_array().into_iter().flatten().filter_map(|it| {
                Some(Item {
                    url: it["url"].as_str()?.chars().take(500).collect(),
                    wasted_bytes: it["wastedBytes"].as_u64(),
                })
            });
            Some(Opportunity {
                id: id.clone(),
                title: audit["title"].as_str().unwrap_or(id).chars().take(200).collect(),
                saved_ms,
                saved_bytes,
                items: items.take(ITEMS).collect(),
            })
        })
        .collect();
    let weight = |it: &Opportunity| ["lcp", "tbt", "fcp"].iter().filter_map(|name| it.saved_ms.get(*name)).sum::<f64>();
    out.sort_by(|a, b| {
        let by_ms = weight(b).total_cmp(&weight(a));
        by_ms.then(b.saved_bytes.cmp(&a.saved_bytes)).then_with(|| a.id.cmp(&b.id))
    });
    out.truncate(MOST);
    out
}

/// What a refusal of the provider says of the run: the code of Lighthouse where there is one.
pub(super) fn refused(url: &str, strategy: Strategy, status: u16, answer: &Value) -> Measured {
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let code = message.strip_prefix("Lighthouse returned error: ").and_then(|it| it.split(['.', ' ']).next());
    let code = code.filter(|it| !it.is_empty()).map_or_else(|| format!("status_{status}"), str::to_owned);
    let failure = Failure { code, message: message.chars().take(300).collect() };
    Measured {
        page: Measured::page_of(url, strategy),
        url: url.to_owned(),
        strategy,
        failure: Some(failure),
        ..Measured::default()
    }
}
