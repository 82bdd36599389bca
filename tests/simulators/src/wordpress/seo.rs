//! What SEO plugins add: their meta keys, Yoast's head, the plugins list, and the page as a visitor sees it.
//!
//! WordPress shows and writes only meta keys that are registered for REST. Yoast registers three, for posts alone; Rank Math
//! none, and has an endpoint of its own; AIOSEO a field of the item. What is missing is registered by [`BRIDGE`].
//! Sources: developer.yoast.com (REST API, `yoast_head_json`), rankmath.com/kb (filters and meta keys), aioseo.com/docs
//! (REST API addon, `aioseo_meta_data`), developer.wordpress.org/rest-api/reference/plugins.

use serde_json::{Map, Value, json};

use super::{Item, Site, VERSION, error, home, invalid, redirection};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

pub(super) const YOAST: &str = "wordpress-seo/wp-seo";
pub(super) const RANK_MATH: &str = "seo-by-rank-math/rank-math";
pub(super) const AIOSEO: &str = "all-in-one-seo-pack/all_in_one_seo_pack";

/// Stands for a must-use plugin of the site's owner that registers all keys of its SEO plugin for REST.
pub(super) const BRIDGE: &str = "seo-keys-in-rest/seo-keys-in-rest";

/// What Yoast registers by itself.
const YOAST_OWN: [&str; 3] = ["_yoast_wpseo_title", "_yoast_wpseo_metadesc", "_yoast_wpseo_focuskw"];
const YOAST_KEYS: [&str; 9] = [
    "_yoast_wpseo_title",
    "_yoast_wpseo_metadesc",
    "_yoast_wpseo_focuskw",
    "_yoast_wpseo_canonical",
    "_yoast_wpseo_meta-robots-noindex",
    "_yoast_wpseo_meta-robots-nofollow",
    "_yoast_wpseo_opengraph-title",
    "_yoast_wpseo_opengraph-description",
    "_yoast_wpseo_opengraph-image",
];
const RANK_MATH_KEYS: [&str; 7] = [
    "rank_math_title",
    "rank_math_description",
    "rank_math_canonical_url",
    "rank_math_robots",
    "rank_math_focus_keyword",
    "rank_math_facebook_title",
    "rank_math_facebook_description",
];

fn active(site: &Site, plugin: &str) -> bool {
    site.plugins.get(plugin).copied().unwrap_or(false)
}

pub(super) fn namespaces(site: &Site) -> Vec<&'static str> {
    let of = [
        (YOAST, "yoast/v1"),
        (RANK_MATH, "rankmath/v1"),
        (AIOSEO, "aioseo/v1"),
        (redirection::PLUGIN, "redirection/v1"),
    ];
    of.into_iter().filter(|(plugin, _)| active(site, plugin)).map(|(_, namespace)| namespace).collect()
}

fn is_registered(site: &Site, kind: &str, key: &str) -> bool {
    let bridged = active(site, BRIDGE);
    let yoast =
        active(site, YOAST) && (bridged && YOAST_KEYS.contains(&key) || kind == "post" && YOAST_OWN.contains(&key));
    yoast || (active(site, RANK_MATH) && bridged && RANK_MATH_KEYS.contains(&key)) || key == "footnotes"
}

/// Drops meta that nobody registered for the type, as core does without a word.
pub(super) fn keep_registered(site: &Site, kind: &str, given: &mut Map<String, Value>) {
    if let Some(Value::Object(meta)) = given.get_mut("meta") {
        meta.retain(|key, _| is_registered(site, kind, key));
    }
    if !active(site, AIOSEO) {
        given.remove("aioseo_meta_data");
    }
}

/// Every registered key, empty where nothing is held.
pub(super) fn registered(site: &Site, kind: &str, held: &Value) -> Value {
    let keys = YOAST_KEYS.iter().chain(&RANK_MATH_KEYS).filter(|key| is_registered(site, kind, key));
    keys.map(|key| ((*key).to_owned(), held.get(*key).cloned().unwrap_or_else(|| json!("")))).collect()
}

/// The index of `/wp/v2`: for each route the arguments of its POST, among them the meta keys that can be written.
pub(super) fn routes(site: &Site) -> Value {
    let route = |base: &str| {
        let kind = super::kind(base);
        let keys = YOAST_KEYS.iter().chain(&RANK_MATH_KEYS).filter(|key| is_registered(site, kind, key));
        let properties: Map<String, Value> = keys
            .map(|key| {
                ((*key).to_owned(), json!({ "type": if *key == "rank_math_robots" { "array" } else { "string" } }))
            })
            .collect();
        let mut arguments = json!({ "title": { "type": "object" }, "content": { "type": "object" }, "status": { "type": "string" },
            "meta": { "type": "object", "properties": properties } });
        if active(site, AIOSEO) {
            arguments["aioseo_meta_data"] = json!({ "type": "object" });
        }
        let endpoints = json!([{ "methods": ["GET"], "args": {} }, { "methods": ["POST"], "args": arguments }]);
        (format!("/wp/v2/{base}"), json!({ "namespace": "wp/v2", "methods": ["GET", "POST"], "endpoints": endpoints }))
    };
    let routes: Map<String, Value> = ["posts", "pages", "product"].into_iter().map(route).collect();
    json!({ "namespace": "wp/v2", "routes": routes })
}

/// Rank Math's own endpoint: its routes, and `updateMeta`, where an empty value takes the key away.
pub(super) fn rank_math(site: &mut Site, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    if !active(site, RANK_MATH) {
        return super::no_route();
    }
    match (request.method.as_str(), rest) {
        ("GET", []) => Reply::ok(
            &json!({ "namespace": "rankmath/v1", "routes": { "/rankmath/v1": {}, "/rankmath/v1/updateMeta": {} } }),
        ),
        ("POST", ["updateMeta"]) => {
            let given = request.json();
            let id = given["objectID"].as_u64().unwrap_or_default();
            let Some(item) = site.items.get_mut(&id).filter(|_| given["objectType"] == "post") else {
                return error(404, "rest_post_invalid_id", "Invalid post ID.");
            };
            let Value::Object(meta) = &given["meta"] else { return invalid("meta") };
            let Some(Value::Object(held)) = item.fields.get_mut("meta") else { return invalid("meta") };
            for (key, value) in meta.iter().filter(|(key, _)| key.starts_with("rank_math_")) {
                match value {
                    Value::String(text) if text.is_empty() => held.remove(key),
                    value => held.insert(key.clone(), value.clone()),
                };
            }
            desk.effect("seo.updated", id, request);
            Reply::ok(&json!({ "slug": true, "schemas": [] }))
        }
        _ => super::no_route(),
    }
}

/// What plugins add to an item.
pub(super) fn decorate(site: &Site, item: &Item, shown: &mut Value) {
    if active(site, YOAST) {
        let head = head(site, item);
        let robots = json!({ "index": if head.noindex { "noindex" } else { "index" },
            "follow": if head.nofollow { "nofollow" } else { "follow" } });
        shown["yoast_head_json"] = json!({ "title": head.title, "description": head.description, "robots": robots,
            "canonical": head.canonical.clone().or_else(|| shown["link"].as_str().map(str::to_owned)) });
    }
    if active(site, AIOSEO) {
        shown["aioseo_meta_data"] = item.fields.get("aioseo_meta_data").cloned().unwrap_or_else(aioseo);
    }
}

/// What AIOSEO holds of an item that nobody has touched.
pub(super) fn aioseo() -> Value {
    json!({ "title": null, "description": null, "canonical_url": null, "og_title": null, "og_description": null,
        "robots_default": true, "robots_noindex": false, "robots_nofollow": false, "robots_noarchive": false,
        "robots_nosnippet": false, "robots_noimageindex": false })
}

/// What ends up in the head of a page.
struct Head {
    title: String,
    description: String,
    canonical: Option<String>,
    noindex: bool,
    nofollow: bool,
}

/// A head, with what plugins put in place of their variables.
fn head(site: &Site, item: &Item) -> Head {
    let Head { title, description, canonical, noindex, nofollow } = held(site, item);
    let own = item.fields["title"].as_str().unwrap_or_default();
    let excerpt = item.fields["excerpt"].as_str().unwrap_or_default();
    let filled = |text: String| {
        let variables = [
            ("%%title%%", own),
            ("%%sitename%%", shop::BRAND),
            ("%%sep%%", "-"),
            ("%%excerpt%%", excerpt),
            ("%%page%% ", ""),
            ("%title%", own),
            ("%sitename%", shop::BRAND),
            ("%sep%", "-"),
            ("%excerpt%", excerpt),
            ("#post_title", own),
            ("#site_title", shop::BRAND),
            ("#separator_sa", "-"),
            ("#post_excerpt", excerpt),
        ];
        variables.iter().fold(text, |text, (name, value)| text.replace(name, value))
    };
    Head { title: filled(title), description: filled(description), canonical, noindex, nofollow }
}

/// What the active plugin holds for a head.
fn held(site: &Site, item: &Item) -> Head {
    let own = item.fields["title"].as_str().unwrap_or_default().to_owned();
    let meta = |key: &str| {
        item.fields["meta"].get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let aioseo = |key: &str| item.fields.get("aioseo_meta_data").and_then(|data| data[key].as_str()).map(str::to_owned);
    let flag = |key: &str| item.fields.get("aioseo_meta_data").is_some_and(|data| data[key] == true);
    let says = |word: &str| {
        item.fields["meta"]
            .get("rank_math_robots")
            .and_then(Value::as_array)
            .is_some_and(|all| all.iter().any(|it| it == word))
    };
    if active(site, RANK_MATH) {
        let (title, description) =
            (meta("rank_math_title").unwrap_or(own), meta("rank_math_description").unwrap_or_default());
        return Head {
            title,
            description,
            canonical: meta("rank_math_canonical_url"),
            noindex: says("noindex"),
            nofollow: says("nofollow"),
        };
    }
    if active(site, AIOSEO) {
        let (title, description) = (aioseo("title").unwrap_or(own), aioseo("description").unwrap_or_default());
        return Head {
            title,
            description,
            canonical: aioseo("canonical_url"),
            noindex: flag("robots_noindex"),
            nofollow: flag("robots_nofollow"),
        };
    }
    if active(site, YOAST) {
        let on = |key: &str| meta(key).as_deref() == Some("1");
        return Head {
            title: meta("_yoast_wpseo_title").unwrap_or(own),
            description: meta("_yoast_wpseo_metadesc").unwrap_or_default(),
            canonical: meta("_yoast_wpseo_canonical"),
            noindex: on("_yoast_wpseo_meta-robots-noindex"),
            nofollow: on("_yoast_wpseo_meta-robots-nofollow"),
        };
    }
    Head { title: own, description: String::new(), canonical: None, noindex: false, nofollow: false }
}

/// `plugins` under `/wp/v2`: the list, one, switched on and off.
pub(super) fn plugins(site: &mut Site, request: &Request, desk: &Desk, name: &str) -> Reply {
    let shown = |name: &str, active: bool| json!({ "plugin": name, "status": if active { "active" } else { "inactive" }, "name": name.split('/').next(), "version": "26.1" });
    if name.is_empty() {
        return Reply::ok(&site.plugins.iter().map(|(name, active)| shown(name, *active)).collect());
    }
    let Some(active) = site.plugins.get_mut(name) else {
        return error(404, "rest_plugin_not_found", "Plugin not found.");
    };
    if matches!(&*request.method, "POST" | "PUT" | "PATCH") {
        match request.json()["status"].as_str() {
            Some("active") => *active = true,
            Some("inactive") => *active = false,
            _ => return invalid("status"),
        }
        desk.effect("plugin.switched", name, request);
    }
    Reply::ok(&shown(name, *active))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The posts that a front page lists, the newest first, ten on a page, and the way to older ones.
fn latest(site: &Site, page: usize) -> String {
    const ON_A_PAGE: usize = 10;
    let posts = site.items.values().rev().filter(|item| item.kind == "post" && item.fields["status"] == "publish");
    let mut posts = posts.skip(page.saturating_sub(1) * ON_A_PAGE).peekable();
    let mut list = String::from("<aside><h2>Latest posts</h2><ul>");
    for item in posts.by_ref().take(ON_A_PAGE) {
        let text = |name: &str| escaped(item.fields[name].as_str().unwrap_or_default());
        list.push_str(&format!("<li><a href=\"/{}/\">{}</a></li>", text("slug"), text("title")));
    }
    list.push_str("</ul>");
    if posts.peek().is_some() {
        list.push_str(&format!("<a href=\"/page/{}/\">Older posts</a>", page + 1));
    }
    list + "</aside>"
}

/// The page at a path, with its head, or where a redirect of the plugin sends its visitor.
pub(super) fn rendered(site: &mut Site, request: &Request) -> Reply {
    if let Some(reply) = redirection::visited(site, &request.path) {
        return reply;
    }
    let slug = request.path.trim_matches('/');
    let by_id = request.query("p").and_then(|id| id.parse::<u64>().ok());
    let older = slug.strip_prefix("page/").and_then(|number| number.parse::<usize>().ok());
    let is_front = by_id.is_none() && (slug.is_empty() || slug == "home" || older.is_some());
    let slug = if is_front { "home" } else { slug };
    let found = site.items.iter().find(|(id, item)| {
        item.kind != "attachment"
            && item.fields["status"] == "publish"
            && by_id.map_or_else(|| item.fields.get("slug").is_some_and(|held| held == slug), |wanted| wanted == **id)
    });
    let Some((_, item)) = found else {
        // A slug that a published item had before leads to the one that it has now.
        let moved = site
            .old_slugs
            .get(slug)
            .and_then(|id| site.items.get(id))
            .filter(|item| item.fields["status"] == "publish");
        if let Some(item) = moved {
            let link = format!("{}/{}/", home(request), item.fields["slug"].as_str().unwrap_or_default());
            return Reply::empty(301).header("location", link).header("x-redirect-by", "WordPress");
        }
        return Reply::text(
            404,
            "text/html; charset=utf-8",
            "<!doctype html><title>Page not found</title><h1>Page not found</h1>",
        );
    };
    let head = head(site, item);
    let link = format!("{}/{}/", home(request), item.fields["slug"].as_str().unwrap_or_default());
    let robots = format!(
        "{}, {}",
        if head.noindex { "noindex" } else { "index" },
        if head.nofollow { "nofollow" } else { "follow" }
    );
    let page = format!(
        "<!doctype html>\n<html lang=\"en-GB\"><head><meta charset=\"utf-8\"><title>{}</title><meta name=\"description\" content=\"{}\">\
<meta name=\"robots\" content=\"{robots}\"><link rel=\"canonical\" href=\"{}\"><meta name=\"generator\" content=\"WordPress {VERSION}\">\
<link rel=\"https://api.w.org/\" href=\"{}/wp-json/\"></head><body><main><h1>{}</h1>\n{}</main>{}</body></html>",
        escaped(&head.title),
        escaped(&head.description),
        escaped(&head.canonical.unwrap_or(link)),
        home(request),
        escaped(item.fields["title"].as_str().unwrap_or_default()),
        item.fields["content"].as_str().unwrap_or_default(),
        if is_front { latest(site, older.unwrap_or(1)) } else { String::new() },
    );
    Reply::text(200, "text/html; charset=utf-8", &page)
}
