//! Business Profile Performance: daily metrics and monthly search terms of a location.
//!
//! Source: developers.google.com/my-business/reference/performance/rest/v1. Terms with few searches have a threshold
//! instead of a value; the last days are not there yet.

use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::business::Locations;
use super::{invalid, not_found, today, tokened};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

/// Metric and how many a day are usual.
const METRICS: [(&str, u64); 11] = [
    ("BUSINESS_IMPRESSIONS_DESKTOP_MAPS", 14),
    ("BUSINESS_IMPRESSIONS_DESKTOP_SEARCH", 30),
    ("BUSINESS_IMPRESSIONS_MOBILE_MAPS", 60),
    ("BUSINESS_IMPRESSIONS_MOBILE_SEARCH", 75),
    ("BUSINESS_DIRECTION_REQUESTS", 9),
    ("CALL_CLICKS", 5),
    ("WEBSITE_CLICKS", 12),
    ("BUSINESS_BOOKINGS", 1),
    ("BUSINESS_FOOD_ORDERS", 0),
    ("BUSINESS_FOOD_MENU_CLICKS", 0),
    ("MESSAGING_CLICKS", 2),
];

/// Whether the parts after `locations` belong to this product.
pub(super) fn is_for(rest: &[&str]) -> bool {
    rest.first().is_some_and(|it| it.contains(":fetchMultiDailyMetrics") || it.contains(":getDailyMetrics"))
        || rest.get(1) == Some(&"searchkeywords")
}

/// A date of `prefix.start_date.year` and its kin, in either spelling of gRPC transcoding.
fn date(request: &Request, range: &str, end: &str, day: bool) -> Option<Date> {
    let field = |name: &str| {
        let snake = format!("{range}.{end}.{name}");
        let mut camel = String::new();
        let mut up = false;
        for c in snake.chars() {
            match c {
                '_' => up = true,
                c => {
                    camel.push(if up { c.to_ascii_uppercase() } else { c });
                    up = false;
                }
            }
        }
        request.query(&snake).or_else(|| request.query(&camel)).and_then(|text| text.parse::<i16>().ok())
    };
    Date::new(
        field("year")?,
        i8::try_from(field("month")?).ok()?,
        if day { i8::try_from(field("day")?).ok()? } else { 1 },
    )
    .ok()
}

pub(super) fn answer(held: &Locations, request: &Request, desk: &Desk) -> Reply {
    let (_, parts) = request.route();
    let (id, verb) = parts[2].split_once(':').unwrap_or((parts[2], ""));
    if !held.held.contains_key(&format!("locations/{id}")) {
        return not_found();
    }
    match (verb, &parts[3..]) {
        ("fetchMultiDailyMetricsTimeSeries", []) => {
            let names: Vec<&str> = request
                .query
                .iter()
                .filter(|(name, _)| name == "dailyMetrics" || name == "daily_metrics")
                .map(|(_, value)| value.as_str())
                .collect();
            match series(request, desk, id, &names) {
                Ok(all) => Reply::ok(&json!({ "multiDailyMetricTimeSeries": [{ "dailyMetricTimeSeries": all }] })),
                Err(reply) => *reply,
            }
        }
        ("getDailyMetricsTimeSeries", []) => {
            match series(request, desk, id, &[request.query("dailyMetric").unwrap_or_default()]) {
                Ok(all) => Reply::ok(&json!({ "timeSeries": all[0]["timeSeries"] })),
                Err(reply) => *reply,
            }
        }
        ("", ["searchkeywords", "impressions", "monthly"]) => {
            let (Some(from), Some(to)) = (
                date(request, "monthly_range", "start_month", false),
                date(request, "monthly_range", "end_month", false),
            ) else {
                return invalid("monthly_range is required.");
            };
            let months = (to.year() - from.year()) * 12 + i16::from(to.month() - from.month()) + 1;
            if !(1..=18).contains(&months) {
                return invalid("monthly_range must be between 1 and 18 months.");
            }
            let all: Vec<Value> = shop::queries()
                .iter()
                .map(|term| {
                    let count =
                        desk.seed.dice(&["terms", id, term]).between(0, 40) * u64::try_from(months).unwrap_or(1);
                    let value =
                        if count < 15 { json!({ "threshold": "15" }) } else { json!({ "value": count.to_string() }) };
                    json!({ "searchKeyword": term, "insightsValue": value })
                })
                .collect();
            tokened(&all, request, 100, "searchKeywordsCounts")
        }
        _ => not_found(),
    }
}

fn series(request: &Request, desk: &Desk, id: &str, names: &[&str]) -> Result<Vec<Value>, Box<Reply>> {
    let (Some(from), Some(to)) =
        (date(request, "daily_range", "start_date", true), date(request, "daily_range", "end_date", true))
    else {
        return Err(Box::new(invalid("daily_range is required.")));
    };
    if from > to || names.is_empty() {
        return Err(Box::new(invalid("Request contains an invalid argument.")));
    }
    let first = today().saturating_sub(18.months());
    let last = today().saturating_sub(3.days());
    let mut all = Vec::new();
    for name in names {
        let Some((_, usual)) = METRICS.iter().find(|(known, _)| known == name) else {
            return Err(Box::new(invalid(&format!("Invalid value at 'daily_metrics': {name}"))));
        };
        let mut values = Vec::new();
        let mut day = from.max(first);
        while day <= to {
            let mut value = json!({ "date": { "year": day.year(), "month": day.month(), "day": day.day() } });
            let open = if day.weekday().to_monday_zero_offset() > 4 { 1 } else { 2 };
            let count = desk.seed.dice(&["daily", id, name, &day.to_string()]).between(usual / 2, usual * open);
            // Messages are counted since 14 October 2026; `BUSINESS_CONVERSATIONS` ended on 31 January and is refused.
            let is_there = *name != "MESSAGING_CLICKS" || day >= jiff::civil::date(2026, 10, 14);
            // A day with nothing, and one that is not there yet, has no value.
            if count > 0 && day <= last && is_there {
                value["value"] = json!(count.to_string());
            }
            values.push(value);
            day = day.saturating_add(1.day());
        }
        all.push(json!({ "dailyMetric": name, "timeSeries": { "datedValues": values } }));
    }
    Ok(all)
}
