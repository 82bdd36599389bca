//! The Redirection plugin: its REST interface, and what it does to visitors.
//!
//! Source: `api/api-redirect.php` and `api/api-group.php` of johngodley/redirection: pages count from 0, a create and a
//! bulk answer with the list.

use serde_json::{Value, json};

use super::{Site, no_route};
use crate::provider::{Desk, page};
use crate::reply::Reply;
use crate::request::Request;

pub(super) const PLUGIN: &str = "redirection/redirection";

/// A few of last year's addresses, two of which send a visitor in a circle.
pub(super) fn seed(site: &mut Site) {
    for (from, to, hits) in [
        ("/old-lamps/", "/products/", 41),
        ("/lamp-one/", "/lamp-1/", 7),
        ("/here/", "/there/", 3),
        ("/there/", "/here/", 3),
    ] {
        let given = json!({ "url": from, "action_data": { "url": to }, "action_code": 301 });
        let id = add(site, &given);
        site.redirects.entry(id).and_modify(|redirect| redirect["hits"] = json!(hits));
    }
}

fn add(site: &mut Site, given: &Value) -> u64 {
    let id = site.fresh();
    let redirect = json!({
        "id": id, "url": given["url"], "match_url": given["url"].as_str().map(|url| url.trim_end_matches('/').to_lowercase()),
        "match_data": { "source": { "flag_query": "exact", "flag_case": false, "flag_trailing": false, "flag_regex": false } },
        "action_code": given["action_code"].as_u64().unwrap_or(301), "action_type": given["action_type"].as_str().unwrap_or("url"),
        "action_data": given["action_data"], "match_type": given["match_type"].as_str().unwrap_or("url"),
        "title": given["title"].as_str().unwrap_or_default(), "hits": 0, "regex": given["regex"] == true,
        "group_id": given["group_id"].as_u64().unwrap_or(1), "position": site.redirects.len(), "last_access": "-", "enabled": true
    });
    site.redirects.insert(id, redirect);
    id
}

fn refused(message: &str) -> Reply {
    let body =
        json!({ "code": "redirect", "message": message, "data": { "status": 400, "error_code": 1, "wpdb": "" } });
    Reply::json(400, &body)
}

/// Everything under `/redirection/v1`.
pub(super) fn answer(site: &mut Site, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    if site.plugins.get(PLUGIN) != Some(&true) {
        return no_route();
    }
    match (request.method.as_str(), rest) {
        ("GET", ["redirect"]) => list(site, request),
        ("POST" | "PUT" | "PATCH", ["redirect"]) => {
            let given = request.json();
            let urls: Vec<Value> = match &given["url"] {
                Value::Array(all) => all.clone(),
                one => vec![one.clone()],
            };
            if urls.iter().any(|url| url.as_str().is_none_or(str::is_empty)) {
                return refused("Invalid redirect details");
            }
            if given["group_id"] != 1 {
                return refused("Invalid group when creating redirect");
            }
            for url in urls {
                let mut one = given.clone();
                one["url"] = url;
                let id = add(site, &one);
                desk.effect("redirect.created", id, request);
            }
            list(site, request)
        }
        ("POST" | "PUT" | "PATCH", ["redirect", id]) => {
            let given = request.json();
            let Some(redirect) = id.parse().ok().and_then(|id: u64| site.redirects.get_mut(&id)) else {
                return refused("Invalid redirect details");
            };
            if given["group_id"].as_u64().is_some_and(|group| group != 1) {
                return refused("Invalid group when creating redirect");
            }
            for name in ["url", "action_code", "action_data", "action_type", "match_type", "title", "group_id", "regex"]
            {
                if !given[name].is_null() {
                    redirect[name] = given[name].clone();
                }
            }
            redirect["match_url"] = json!(redirect["url"].as_str().map(|url| url.trim_end_matches('/').to_lowercase()));
            desk.effect("redirect.updated", id, request);
            Reply::ok(&json!({ "item": redirect }))
        }
        ("POST", ["bulk", "redirect", action]) => {
            let given = request.json();
            let items = given["items"].as_str().map_or_else(
                || given["items"].as_array().cloned().unwrap_or_default(),
                |text| text.split(',').map(|id| json!(id.trim())).collect(),
            );
            for id in items.iter().filter_map(|id| id.as_u64().or_else(|| id.as_str()?.parse().ok())) {
                match *action {
                    "delete" if site.redirects.remove(&id).is_some() => desk.effect("redirect.deleted", id, request),
                    "enable" | "disable" => {
                        site.redirects
                            .entry(id)
                            .and_modify(|redirect| redirect["enabled"] = json!(*action == "enable"));
                    }
                    "reset" => {
                        site.redirects.entry(id).and_modify(|redirect| redirect["hits"] = json!(0));
                    }
                    _ => {}
                }
            }
            list(site, request)
        }
        ("GET", ["group"]) => Reply::ok(
            &json!({ "items": [{ "id": 1, "name": "Redirections", "redirects": site.redirects.len(), "module_id": 1, "moduleName": "WordPress", "enabled": true }], "total": 1 }),
        ),
        _ => no_route(),
    }
}

fn list(site: &Site, request: &Request) -> Reply {
    let wanted = request.query("filterBy[url]").map(str::to_lowercase);
    let mut all: Vec<&Value> = site
        .redirects
        .values()
        .filter(|it| wanted.as_ref().is_none_or(|part| it["url"].to_string().to_lowercase().contains(part.as_str())))
        .collect();
    all.reverse();
    let size = request.number("per_page").unwrap_or(25);
    if !(5..=200).contains(&size) {
        return super::invalid("per_page");
    }
    let (items, _) = page(&all, request.number("page").unwrap_or(0) + 1, size);
    Reply::ok(&json!({ "items": items, "total": all.len() }))
}

/// Where the plugin sends a visitor of this path; the visit is counted.
pub(super) fn visited(site: &mut Site, path: &str) -> Option<Reply> {
    if site.plugins.get(PLUGIN) != Some(&true) {
        return None;
    }
    let plain = path.trim_end_matches('/').to_lowercase();
    let redirect = site.redirects.values_mut().find(|it| it["enabled"] == true && it["match_url"] == plain)?;
    redirect["hits"] = json!(redirect["hits"].as_u64().unwrap_or(0) + 1);
    let status = u16::try_from(redirect["action_code"].as_u64()?).ok()?;
    redirect["last_access"] = json!(jiff::Timestamp::now().strftime("%B %-d, %Y").to_string());
    let to = redirect["action_data"]["url"].as_str().filter(|_| redirect["action_type"] == "url").map(str::to_owned);
    Some(match to {
        Some(to) => Reply::empty(status).header("location", to).header("x-redirect-by", "redirection"),
        None => Reply::empty(status),
    })
}
