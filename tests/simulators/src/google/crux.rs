//! The Chrome UX Report: what real visitors saw, now and over the last 25 weeks.
//!
//! Source: developer.chrome.com/docs/crux/api and /history-api. The shop as a whole and its busiest pages are known;
//! others answer 404, as rarely visited pages do. Twelve weeks ago the largest paint became a third slower.

use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{error, invalid, today};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

/// Name, typical p75, good up to, needs improvement up to.
const METRICS: [(&str, f64, f64, f64); 5] = [
    ("largest_contentful_paint", 2_300.0, 2_500.0, 4_000.0),
    ("interaction_to_next_paint", 160.0, 200.0, 500.0),
    ("cumulative_layout_shift", 0.07, 0.1, 0.25),
    ("first_contentful_paint", 1_500.0, 1_800.0, 3_000.0),
    ("experimental_time_to_first_byte", 650.0, 800.0, 1_800.0),
];
const WEEKS: i64 = 25;
const FORMS: [&str; 3] = ["PHONE", "DESKTOP", "TABLET"];

/// The p75 of a metric in a week, counted back from now.
fn p75(desk: &Desk, target: &str, form: &str, metric: &str, typical: f64, weeks_ago: i64) -> f64 {
    let mut steady = desk.seed.dice(&["crux", target, form, metric]);
    let mut week = desk.seed.dice(&["crux", target, form, metric, &weeks_ago.to_string()]);
    let form = if form == "DESKTOP" { 0.75 } else { 1.05 };
    let slower = if metric == "largest_contentful_paint" && weeks_ago < 12 { 1.33 } else { 1.0 };
    typical * form * slower * (0.8 + 0.4 * steady.unit()) * (0.97 + 0.06 * week.unit())
}

/// Shares of good, needs improvement and poor that fit a p75.
fn shares(p75: f64, good: f64, poor: f64) -> [f64; 3] {
    let first = if p75 <= good { 0.75 + 0.2 * (1.0 - p75 / good) } else { 0.75 * good / p75 };
    let third = ((p75 / poor) * 0.12).min(1.0 - first);
    let round = |share: f64| (share * 10_000.0).round() / 10_000.0;
    [round(first), round(1.0 - first - third), round(third)]
}

fn known(target: &str) -> bool {
    let busy = ["", "/", "/products", "/guides/reading", "/products/lamp-1", "/products/lamp-2"];
    target.strip_prefix(&shop::url("")).is_some_and(|path| busy.contains(&path))
}

fn number(metric: &str, value: f64) -> Value {
    // Layout shift is a text with two digits, times are whole milliseconds.
    if metric.contains("layout") { json!(format!("{value:.2}")) } else { json!(value.round() as u64) }
}

fn bound(metric: &str, value: f64) -> Value {
    if metric.contains("layout") { json!(format!("{value:.2}")) } else { json!(value as u64) }
}

fn day(date: Date) -> Value {
    json!({ "year": date.year(), "month": date.month(), "day": date.day() })
}

pub(super) fn answer(request: &Request, desk: &Desk) -> Reply {
    let body = request.json();
    let (kind, target) = match (body["url"].as_str(), body["origin"].as_str()) {
        (Some(url), None) => ("url", url),
        (None, Some(origin)) => ("origin", origin.trim_end_matches('/')),
        _ => return invalid("Exactly one of url and origin must be given."),
    };
    let form = body["formFactor"].as_str();
    if form.is_some_and(|form| !FORMS.contains(&form)) {
        return invalid("Invalid value at 'form_factor'.");
    }
    if !known(target) || form == Some("TABLET") {
        return error(404, "NOT_FOUND", "notFound", "chrome ux report data not found");
    }
    let wanted: Vec<&str> =
        body["metrics"].as_array().map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    let metrics = METRICS.iter().filter(|(name, ..)| wanted.is_empty() || wanted.contains(name));
    let mut key = json!({ kind: target });
    if let Some(form) = form {
        key["formFactor"] = json!(form);
    }
    let history = request.path.ends_with("queryHistoryRecord");
    let shown: Map<String, Value> = metrics
        .map(|(name, typical, good, poor)| {
            let at = |weeks| p75(desk, target, form.unwrap_or("PHONE"), name, *typical, weeks);
            let bins = [(0.0, Some(*good)), (*good, Some(*poor)), (*poor, None)];
            let bin = |(start, end): (f64, Option<f64>)| {
                let mut bin = json!({ "start": bound(name, start) });
                if let Some(end) = end {
                    bin["end"] = bound(name, end);
                }
                bin
            };
            let value = if history {
                let weeks: Vec<f64> = (0..WEEKS).rev().map(at).collect();
                let series: Vec<Value> = bins
                    .iter()
                    .enumerate()
                    .map(|(nth, it)| {
                        let mut bin = bin(*it);
                        bin["densities"] = weeks.iter().map(|p75| json!(shares(*p75, *good, *poor)[nth])).collect();
                        bin
                    })
                    .collect();
                let p75s: Vec<Value> = weeks.iter().map(|p75| number(name, *p75)).collect();
                json!({ "histogramTimeseries": series, "percentilesTimeseries": { "p75s": p75s } })
            } else {
                let shares = shares(at(0), *good, *poor);
                let histogram: Vec<Value> = bins
                    .iter()
                    .zip(shares)
                    .map(|(it, share)| {
                        let mut bin = bin(*it);
                        bin["density"] = json!(share);
                        bin
                    })
                    .collect();
                json!({ "histogram": histogram, "percentiles": { "p75": number(name, at(0)) } })
            };
            ((*name).to_owned(), value)
        })
        .collect();
    let period = |weeks: i64| {
        let last = today().saturating_sub(2.days()).saturating_sub((7 * weeks).days());
        json!({ "firstDate": day(last.saturating_sub(27.days())), "lastDate": day(last) })
    };
    let mut record = json!({ "key": key, "metrics": shown });
    if history {
        record["collectionPeriods"] = (0..WEEKS).rev().map(period).collect();
    } else {
        record["collectionPeriod"] = period(0);
    }
    Reply::ok(&json!({ "record": record }))
}

/// The same figures as PageSpeed Insights shows them.
pub(super) fn loading_experience(desk: &Desk, target: &str, form: &str) -> Value {
    if !known(target) {
        return json!({ "initial_url": target });
    }
    let names = [
        "LARGEST_CONTENTFUL_PAINT_MS",
        "INTERACTION_TO_NEXT_PAINT",
        "CUMULATIVE_LAYOUT_SHIFT_SCORE",
        "FIRST_CONTENTFUL_PAINT_MS",
        "EXPERIMENTAL_TIME_TO_FIRST_BYTE",
    ];
    let word = |p75: f64, good: f64, poor: f64| {
        if p75 <= good {
            "FAST"
        } else if p75 <= poor {
            "AVERAGE"
        } else {
            "SLOW"
        }
    };
    let metrics: Map<String, Value> = METRICS.iter().zip(names).map(|((name, typical, good, poor), shown)| {
        // Layout shift is told in hundredths here.
        let scale = if name.contains("layout") { 100.0 } else { 1.0 };
        let p75 = p75(desk, target, form, name, *typical, 0);
        let shares = shares(p75, *good, *poor);
        let bins = json!([{ "min": 0, "max": (good * scale) as u64, "proportion": shares[0] }, { "min": (good * scale) as u64, "max": (poor * scale) as u64, "proportion": shares[1] }, { "min": (poor * scale) as u64, "proportion": shares[2] }]);
        (shown.to_owned(), json!({ "percentile": (p75 * scale).round() as u64, "distributions": bins, "category": word(p75, *good, *poor) }))
    }).collect();
    json!({ "id": target, "initial_url": target, "metrics": metrics, "overall_category": "AVERAGE" })
}
