//! Google Analytics 4: reports of the Data API and the list of properties.
//!
//! Sources: developers.google.com/analytics/devguides/reporting/data/v1 (runReport) and admin v1beta accountSummaries.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{error, invalid, today};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

const PROPERTY: &str = "properties/310000001";
const DIMENSIONS: [&str; 9] = [
    "date",
    "sessionSource",
    "sessionMedium",
    "landingPage",
    "landingPagePlusQueryString",
    "sessionDefaultChannelGroup",
    "country",
    "deviceCategory",
    "pagePath",
];
const METRICS: [&str; 6] =
    ["sessions", "activeUsers", "keyEvents", "conversions", "engagedSessions", "screenPageViews"];
/// Source, medium and sessions on a usual day; assistants among them.
const SOURCES: [(&str, &str, u64); 9] = [
    ("google", "organic", 90),
    ("bing", "organic", 14),
    ("(direct)", "(none)", 40),
    ("chatgpt.com", "referral", 7),
    ("perplexity.ai", "referral", 4),
    ("copilot.microsoft.com", "referral", 2),
    ("gemini.google.com", "referral", 3),
    ("claude.ai", "referral", 2),
    ("homejournal.example", "referral", 5),
];

pub(super) fn answer(request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    match (method, &parts[1..]) {
        ("GET", ["accountSummaries"]) => Reply::ok(
            &json!({ "accountSummaries": [{ "name": "accountSummaries/200000001", "account": "accounts/200000001", "displayName": shop::BRAND,
            "propertySummaries": [{ "property": PROPERTY, "displayName": shop::HOST, "propertyType": "PROPERTY_TYPE_ORDINARY" }] }] }),
        ),
        ("GET", ["properties", "0" | "310000001", "metadata"]) => {
            let all =
                |names: &[&str]| names.iter().map(|it| json!({ "apiName": it, "uiName": it })).collect::<Vec<_>>();
            let name = request.path.trim_start_matches("/v1beta/");
            Reply::ok(&json!({ "name": name, "dimensions": all(&DIMENSIONS), "metrics": all(&METRICS) }))
        }
        ("POST", ["properties", report]) if report.ends_with(":runReport") => {
            if format!("properties/{}", report.trim_end_matches(":runReport")) != PROPERTY {
                let message = "User does not have sufficient permissions for this property. To learn more about Property ID, see https://developers.google.com/analytics/devguides/reporting/data/v1/property-id.";
                return error(403, "PERMISSION_DENIED", "forbidden", message);
            }
            run(&request.json(), desk)
        }
        _ => super::not_found(),
    }
}

fn names(body: &Value, field: &str) -> Vec<String> {
    body[field]
        .as_array()
        .map(|all| all.iter().filter_map(|it| it["name"].as_str()).map(str::to_owned).collect())
        .unwrap_or_default()
}

/// `YYYY-MM-DD`, `today`, `yesterday`, `NdaysAgo`.
fn day(text: &Value) -> Option<Date> {
    match text.as_str()? {
        "today" => Some(today()),
        "yesterday" => Some(today().saturating_sub(1.day())),
        text => match text.strip_suffix("daysAgo") {
            Some(days) => Some(today().saturating_sub(days.parse::<i64>().ok().filter(|it| *it < 5_000)?.days())),
            None => text.parse().ok(),
        },
    }
}

/// Whether a row passes a FilterExpression.
fn holds(filter: &Value, value: &dyn Fn(&str) -> String) -> bool {
    let each = |name: &str| filter[name]["expressions"].as_array().cloned().unwrap_or_default();
    if filter["andGroup"].is_object() {
        return each("andGroup").iter().all(|it| holds(it, value));
    }
    if filter["orGroup"].is_object() {
        return each("orGroup").iter().any(|it| holds(it, value));
    }
    if filter["notExpression"].is_object() {
        return !holds(&filter["notExpression"], value);
    }
    let Some(field) = filter["filter"]["fieldName"].as_str() else { return true };
    let held = value(field).to_lowercase();
    let text = &filter["filter"]["stringFilter"];
    if let Some(wanted) = text["value"].as_str().map(str::to_lowercase) {
        return match text["matchType"].as_str().unwrap_or("EXACT") {
            "CONTAINS" => held.contains(&wanted),
            "BEGINS_WITH" => held.starts_with(&wanted),
            "ENDS_WITH" => held.ends_with(&wanted),
            "FULL_REGEXP" => regex::Regex::new(&format!("^(?:{wanted})$")).is_ok_and(|it| it.is_match(&held)),
            "PARTIAL_REGEXP" => regex::Regex::new(&wanted).is_ok_and(|it| it.is_match(&held)),
            _ => held == wanted,
        };
    }
    let list = filter["filter"]["inListFilter"]["values"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).any(|it| it.to_lowercase() == held)
}

/// Google's default channel of a source.
fn channel(source: &str, medium: &str) -> &'static str {
    match (source, medium) {
        ("chatgpt.com" | "perplexity.ai" | "copilot.microsoft.com" | "gemini.google.com" | "claude.ai", _) => {
            "AI Assistants"
        }
        (_, "organic") => "Organic Search",
        (_, "referral") => "Referral",
        _ => "Direct",
    }
}

fn run(body: &Value, desk: &Desk) -> Reply {
    let (dimensions, metrics) = (names(body, "dimensions"), names(body, "metrics"));
    for (kind, given, known) in [("dimension", &dimensions, &DIMENSIONS[..]), ("metric", &metrics, &METRICS[..])] {
        if let Some(wrong) = given.iter().find(|name| !known.contains(&name.as_str())) {
            return invalid(&format!(
                "Field {wrong} is not a valid {kind}. For a list of valid dimensions and metrics, see https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema"
            ));
        }
    }
    let range = &body["dateRanges"][0];
    let (Some(from), Some(to)) = (day(&range["startDate"]), day(&range["endDate"])) else {
        return invalid("A dateRange is required, with dates as YYYY-MM-DD, NdaysAgo, yesterday, or today.");
    };
    let limit = body["limit"].as_u64().or_else(|| body["limit"].as_str()?.parse().ok()).unwrap_or(10_000);
    let offset = body["offset"].as_u64().or_else(|| body["offset"].as_str()?.parse().ok()).unwrap_or(0);
    if !(1..=250_000).contains(&limit) {
        return invalid("The limit must be between 1 and 250000.");
    }
    let pages = shop::pages();
    let mut sums: BTreeMap<Vec<String>, [u64; 6]> = BTreeMap::new();
    let mut at = from;
    while at <= to.min(today()) {
        for (source, medium, usual) in SOURCES {
            for page in pages.iter().take(12) {
                let date = at.strftime("%Y%m%d").to_string();
                let mut dice = desk.seed.dice(&["sessions", &date, source, &page.path]);
                let sessions = (dice.below(usual * 2 + 1) + 5) / 12;
                if sessions == 0 {
                    continue;
                }
                let device = *dice.pick(&["mobile", "desktop"]);
                let country = *dice.pick(&["United Kingdom", "Germany"]);
                let value = |name: &str| match name {
                    "date" => date.clone(),
                    "sessionSource" => source.to_owned(),
                    "sessionMedium" => medium.to_owned(),
                    "landingPage" | "pagePath" => page.path.clone(),
                    // Assistants mark their links.
                    "landingPagePlusQueryString" if source == "chatgpt.com" => {
                        format!("{}?utm_source=chatgpt.com", page.path)
                    }
                    "landingPagePlusQueryString" => page.path.clone(),
                    "sessionDefaultChannelGroup" => channel(source, medium).to_owned(),
                    "country" => country.to_owned(),
                    _ => device.to_owned(),
                };
                if !holds(&body["dimensionFilter"], &value) {
                    continue;
                }
                let events = u64::from(dice.below(20) == 0);
                let counts = [sessions, sessions, events, events, sessions.div_ceil(2), sessions * 3];
                let row = sums.entry(dimensions.iter().map(|name| value(name)).collect()).or_default();
                row.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        at = at.saturating_add(1.day());
    }
    let count = |row: &[u64; 6], name: &str| METRICS.iter().position(|it| *it == name).map_or(0, |at| row[at]);
    let first = metrics.first().cloned().unwrap_or_default();
    let mut all: Vec<_> = sums.into_iter().collect();
    all.sort_by(|left, right| count(&right.1, &first).cmp(&count(&left.1, &first)).then_with(|| left.0.cmp(&right.0)));
    let cells = |values: Vec<String>| values.into_iter().map(|value| json!({ "value": value })).collect::<Vec<_>>();
    let total = all.len();
    let rows: Vec<Value> = all
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(10_000))
        .map(|(keys, row)| json!({ "dimensionValues": cells(keys), "metricValues": cells(metrics.iter().map(|name| count(&row, name).to_string()).collect()) }))
        .collect();
    let heads = |names: &[String]| names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>();
    let types: Vec<Value> = metrics.iter().map(|name| json!({ "name": name, "type": "TYPE_INTEGER" })).collect();
    let mut answer = json!({ "dimensionHeaders": heads(&dimensions), "metricHeaders": types, "rows": rows, "rowCount": total,
        "metadata": { "currencyCode": "GBP", "timeZone": "Etc/UTC", "dataLossFromOtherRow": false, "subjectToThresholding": false }, "kind": "analyticsData#runReport" });
    if body["returnPropertyQuota"] == true {
        answer["propertyQuota"] = json!({ "tokensPerDay": { "consumed": 10, "remaining": 199_000 }, "tokensPerHour": { "consumed": 10, "remaining": 39_000 }, "concurrentRequests": { "remaining": 10 } });
    }
    Reply::ok(&answer)
}
