//! What an owner shows on a location: local posts and media (My Business v4).
//!
//! Sources: developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts and .media.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::business::ACCOUNT;
use super::{invalid, not_found, tokened};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

const TOPICS: [&str; 4] = ["STANDARD", "EVENT", "OFFER", "ALERT"];
const CATEGORIES: [&str; 12] = [
    "COVER",
    "PROFILE",
    "LOGO",
    "EXTERIOR",
    "INTERIOR",
    "PRODUCT",
    "AT_WORK",
    "FOOD_AND_DRINK",
    "MENU",
    "COMMON_AREA",
    "TEAMS",
    "ADDITIONAL",
];

/// Posts and media by their name.
pub(crate) struct Posts(BTreeMap<String, Value>);

impl Posts {
    pub(super) fn new() -> Self {
        let mut all = BTreeMap::new();
        for store in shop::STORES {
            let name = format!("{ACCOUNT}/locations/{}/localPosts/1000", store.id);
            let post = json!({ "name": name, "languageCode": "en", "summary": "Bring a lamp that went dark: we mend it on Saturdays.", "state": "LIVE", "topicType": "STANDARD",
                "createTime": "2026-05-02T08:00:00Z", "updateTime": "2026-05-02T08:00:00Z", "callToAction": { "actionType": "LEARN_MORE", "url": shop::url("/guides/mending") } });
            all.insert(name, post);
            let name = format!("{ACCOUNT}/locations/{}/media/2000", store.id);
            let media = json!({ "name": name, "mediaFormat": "PHOTO", "locationAssociation": { "category": "EXTERIOR" }, "googleUrl": shop::url("/lamp-2.jpg"), "createTime": "2026-05-02T08:00:00Z", "dimensions": { "widthPixels": 1_200, "heightPixels": 900 } });
            all.insert(name, media);
        }
        Self(all)
    }
}

pub(super) fn answer(held: &mut Posts, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    let parts = &parts[1..];
    let location = parts.get(3).is_some_and(|id| shop::STORES.iter().any(|store| store.id == *id))
        && parts.first() == Some(&"accounts");
    if !location {
        return not_found();
    }
    let name = parts.join("/");
    match (method, &parts[4..]) {
        ("GET", ["localPosts" | "media"]) => {
            let all: Vec<Value> = held
                .0
                .iter()
                .rev()
                .filter(|(it, _)| it.starts_with(&format!("{name}/")))
                .map(|(_, it)| it.clone())
                .collect();
            tokened(&all, request, 100, if parts[4] == "media" { "mediaItems" } else { "localPosts" })
        }
        ("POST", ["localPosts"]) => match post(&request.json()) {
            Err(reply) => *reply,
            Ok(given) => create(held, request, desk, &name, given, "post.created"),
        },
        ("POST", ["media"]) => {
            let given = request.json();
            let category = given["locationAssociation"]["category"].as_str().unwrap_or_default();
            if !CATEGORIES.contains(&category) || given["mediaFormat"] != "PHOTO" {
                return invalid("Request contains an invalid argument: category or media_format.");
            }
            if !given["sourceUrl"].as_str().is_some_and(|url| url.starts_with("http")) && given["dataRef"].is_null() {
                return invalid("Request contains an invalid argument: source_url.");
            }
            create(held, request, desk, &name, given, "media.created")
        }
        ("GET", [_, _]) => held.0.get(&name).map_or_else(not_found, Reply::ok),
        ("PATCH", ["localPosts", _]) => {
            let Some(mask) = request.query("updateMask") else { return invalid("update_mask is required.") };
            let Some(held) = held.0.get_mut(&name) else { return not_found() };
            let given = request.json();
            for field in mask.split(',').map(str::trim) {
                held[field] = given[field].clone();
            }
            desk.effect("post.updated", &name, request);
            Reply::ok(held)
        }
        ("DELETE", [kind, _]) => {
            if held.0.remove(&name).is_none() {
                return not_found();
            }
            desk.effect(if *kind == "media" { "media.deleted" } else { "post.deleted" }, &name, request);
            Reply::ok(&json!({}))
        }
        _ => not_found(),
    }
}

/// A post that Google would take.
fn post(given: &Value) -> Result<Value, Box<Reply>> {
    let topic = given["topicType"].as_str().unwrap_or("STANDARD");
    let refuse = |what: &str| Err(Box::new(invalid(&format!("Request contains an invalid argument: {what}."))));
    if !TOPICS.contains(&topic) {
        return refuse("topic_type");
    }
    if given["summary"].as_str().unwrap_or_default().chars().count() > 1_500 {
        return refuse("summary");
    }
    if matches!(topic, "EVENT" | "OFFER") && !given["event"]["schedule"]["startDate"].is_object() {
        return refuse("event.schedule");
    }
    let mut post = given.clone();
    post["topicType"] = json!(topic);
    post["state"] = json!("LIVE");
    Ok(post)
}

fn create(held: &mut Posts, request: &Request, desk: &Desk, under: &str, mut given: Value, effect: &str) -> Reply {
    let now = Timestamp::now().to_string();
    let name = format!("{under}/{}", 3_000 + held.0.len());
    given["name"] = json!(name);
    given["createTime"] = json!(now);
    given["updateTime"] = json!(now);
    if given["sourceUrl"].is_string() {
        given["googleUrl"] = given["sourceUrl"].clone();
    }
    held.0.insert(name.clone(), given.clone());
    desk.effect(effect, name, request);
    Reply::ok(&given)
}
