//! Indexing API v3: notices of new, changed and removed pages.
//!
//! Source: developers.google.com/search/apis/indexing-api/v3/using-api. 200 notices a day.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{error, invalid, quota, today};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

const A_DAY: u32 = 200;

/// The last notices by address, and how many came on which day.
#[derive(Default)]
pub(crate) struct Notifications {
    known: BTreeMap<String, Value>,
    used: BTreeMap<Date, u32>,
}

pub(super) fn answer(held: &mut Notifications, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    match (method, &parts[1..]) {
        ("POST", ["urlNotifications:publish"]) => publish(held, request, desk),
        ("GET", ["urlNotifications", "metadata"]) => {
            let url = request.query("url").unwrap_or_default();
            held.known.get(url).map_or_else(super::not_found, Reply::ok)
        }
        _ => super::not_found(),
    }
}

fn publish(held: &mut Notifications, request: &Request, desk: &Desk) -> Reply {
    let body = request.json();
    let (Some(url), Some(kind)) = (body["url"].as_str(), body["type"].as_str()) else {
        return invalid("Invalid value at 'url' or 'type'.");
    };
    let field = match kind {
        "URL_UPDATED" => "latestUpdate",
        "URL_DELETED" => "latestRemove",
        _ => return invalid("Invalid attribute. 'url_notification.type' is required."),
    };
    if !url.starts_with(&shop::url("/")) {
        return error(403, "PERMISSION_DENIED", "forbidden", "Permission denied. Failed to verify the URL ownership.");
    }
    let used = held.used.entry(today()).or_default();
    if *used >= A_DAY {
        return quota("Quota exceeded for quota metric 'Publish requests' and limit 'Publish requests per day'.");
    }
    *used += 1;
    let metadata = held.known.entry(url.to_owned()).or_insert_with(|| json!({ "url": url }));
    metadata[field] = json!({ "url": url, "type": kind, "notifyTime": Timestamp::now().to_string() });
    desk.effect("url.notified", url, request);
    Reply::ok(&json!({ "urlNotificationMetadata": metadata }))
}
