//! Categories and tags.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Site, counted, error, invalid, no_route};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;

/// What the shop sorts its articles by. Two of them differ in nothing but a letter, and one is empty: an audit's work.
pub(super) fn seeded() -> BTreeMap<u64, Value> {
    let categories = [
        (1, "Uncategorised", "uncategorised"),
        (2, "Guides", "guides"),
        (3, "Lamps", "lamps"),
        (4, "Lamp", "lamp"),
        (5, "Press", "press"),
    ];
    let tags = [(6, "brass", "brass"), (7, "mending", "mending")];
    let term = |taxonomy: &str, (id, name, slug): (u64, &str, &str)| {
        (
            id,
            json!({ "id": id, "name": name, "slug": slug, "taxonomy": taxonomy, "description": "", "parent": 0, "meta": [] }),
        )
    };
    categories.map(|it| term("category", it)).into_iter().chain(tags.map(|it| term("post_tag", it))).collect()
}

/// `categories` and `tags` under `/wp/v2`.
pub(super) fn answer(site: &mut Site, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    let (taxonomy, field) = if rest[0] == "tags" { ("post_tag", "tags") } else { ("category", "categories") };
    let shown = |site: &Site, term: &Value| {
        let mut shown = term.clone();
        let holds = |item: &&super::Item| {
            item.fields.get(field).and_then(Value::as_array).is_some_and(|all| all.contains(&term["id"]))
        };
        let published = site.items.values().filter(|item| item.fields["status"] == "publish").filter(holds);
        shown["count"] = json!(published.count());
        shown["link"] = json!(format!(
            "{}/{}/{}/",
            super::home(request),
            if taxonomy == "category" { "category" } else { "tag" },
            term["slug"].as_str().unwrap_or_default()
        ));
        shown
    };
    match (request.method.as_str(), &rest[1..]) {
        ("GET", []) => {
            let search = request.query("search").map(str::to_lowercase);
            let all = site.terms.values().filter(|term| term["taxonomy"] == taxonomy);
            let found: Vec<Value> = all
                .filter(|term| {
                    search.as_ref().is_none_or(|words| term["name"].to_string().to_lowercase().contains(words.as_str()))
                })
                .filter(|term| request.query("slug").is_none_or(|slug| term["slug"] == slug))
                .map(|term| shown(site, term))
                .filter(|term| request.query("hide_empty") != Some("true") || term["count"] != 0)
                .collect();
            counted(&found, request)
        }
        ("POST", []) => {
            let given = request.json();
            let Some(name) = given["name"].as_str().filter(|name| !name.is_empty()) else {
                let data = json!({ "status": 400, "params": ["name"] });
                return Reply::json(
                    400,
                    &json!({ "code": "rest_missing_callback_param", "message": "Missing parameter(s): name", "data": data }),
                );
            };
            let slug = given["slug"].as_str().map_or_else(|| name.to_lowercase().replace(' ', "-"), str::to_owned);
            if let Some(known) = site.terms.values().find(|term| term["taxonomy"] == taxonomy && term["slug"] == *slug)
            {
                let message = "A term with the name provided already exists with this parent.";
                return Reply::json(
                    400,
                    &json!({ "code": "term_exists", "message": message, "data": { "status": 400, "term_id": known["id"] } }),
                );
            }
            let id = site.fresh();
            let term = json!({ "id": id, "name": name, "slug": slug, "taxonomy": taxonomy, "meta": [],
                "description": given["description"].as_str().unwrap_or_default(), "parent": given["parent"].as_u64().unwrap_or(0) });
            site.terms.insert(id, term.clone());
            desk.effect("term.created", id, request);
            Reply::json(201, &shown(site, &term))
        }
        (method, [id]) => {
            let found =
                id.parse().ok().filter(|id| site.terms.get(id).is_some_and(|term| term["taxonomy"] == taxonomy));
            let Some(id) = found else { return error(404, "rest_term_invalid", "Term does not exist.") };
            match method {
                "GET" => Reply::ok(&shown(site, &site.terms[&id])),
                "POST" | "PUT" | "PATCH" => {
                    let Value::Object(given) = request.json() else { return invalid("name") };
                    for (name, value) in given
                        .into_iter()
                        .filter(|(name, _)| ["name", "slug", "description", "parent"].contains(&name.as_str()))
                    {
                        site.terms.entry(id).and_modify(|term| term[&name] = value);
                    }
                    desk.effect("term.updated", id, request);
                    Reply::ok(&shown(site, &site.terms[&id]))
                }
                // Terms have no trash.
                "DELETE" if request.query("force") != Some("true") => {
                    error(501, "rest_trash_not_supported", "Terms do not support trashing. Set 'force=true' to delete.")
                }
                "DELETE" => {
                    let previous = shown(site, &site.terms[&id]);
                    site.terms.remove(&id);
                    for item in site.items.values_mut() {
                        if let Some(Value::Array(held)) = item.fields.get_mut(field) {
                            held.retain(|it| *it != json!(id));
                        }
                    }
                    desk.effect("term.deleted", id, request);
                    Reply::ok(&json!({ "deleted": true, "previous": previous }))
                }
                _ => no_route(),
            }
        }
        _ => no_route(),
    }
}
