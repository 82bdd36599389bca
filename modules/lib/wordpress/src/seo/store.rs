//! SEO fields of an item, out of its plugin's keys and into them.

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde_json::{Map, Value};

use super::keys::{YOAST_ADVANCED, YOAST_NOFOLLOW, YOAST_NOINDEX, key};
use super::{How, Name, Plugin, Seo, Values};
use crate::change::{Field, Rollback, Why};
use crate::write::take_back;
use crate::{Change, Item, Patch, Written, write};

/// What the plugin holds of an item, as far as it can be read.
#[must_use]
pub fn stored(seo: &Seo, item: &Item) -> Values {
    let mut values = Values::default();
    let Some(plugin) = seo.plugin else { return values };
    let empty = Map::new();
    let held = if plugin == Plugin::Aioseo { item.aioseo.as_ref().unwrap_or(&empty) } else { &item.meta };
    for name in seo.reads(&item.at.base) {
        if *name == Name::Robots {
            values.robots = Some(robots(plugin, held));
        } else {
            let text = key(plugin, *name).and_then(|it| held.get(it)).and_then(Value::as_str);
            if let Some(text) = text.filter(|it| !it.is_empty()) {
                values.set_text(*name, text.to_owned());
            }
        }
    }
    values
}

/// The directives that a plugin holds; none for the default.
fn robots(plugin: Plugin, held: &Map<String, Value>) -> Vec<String> {
    let text = |key: &str| held.get(key).and_then(Value::as_str).unwrap_or_default();
    let flag = |key: &str| held.get(key).and_then(Value::as_bool).unwrap_or_default();
    let mut all: Vec<&str> = Vec::new();
    match plugin {
        Plugin::Yoast => {
            match text(YOAST_NOINDEX) {
                "1" => all.push("noindex"),
                "2" => all.push("index"),
                _ => {}
            }
            if text(YOAST_NOFOLLOW) == "1" {
                all.push("nofollow");
            }
            all.extend(text(YOAST_ADVANCED).split(',').map(str::trim).filter(|it| super::DIRECTIVES.contains(it)));
        }
        Plugin::RankMath => {
            let listed = held.get("rank_math_robots").and_then(Value::as_array);
            all.extend(listed.into_iter().flatten().filter_map(Value::as_str));
        }
        Plugin::Aioseo => {
            if held.get("robots_default").and_then(Value::as_bool) == Some(false) {
                let flags = ["noindex", "nofollow", "noarchive", "nosnippet", "noimageindex"];
                all.extend(flags.into_iter().filter(|it| flag(&format!("robots_{it}"))));
            }
        }
    }
    all.into_iter().map(str::to_owned).collect()
}

/// Directives in the keys of a plugin. An empty list is the default of the site.
fn put_robots(plugin: Plugin, wanted: &[String], into: &mut Map<String, Value>) {
    let has = |name: &str| wanted.iter().any(|it| it == name);
    let others = || wanted.iter().filter(|it| !matches!(it.as_str(), "index" | "noindex" | "follow" | "nofollow"));
    match plugin {
        Plugin::Yoast => {
            let index = match () {
                () if has("noindex") => "1",
                () if has("index") => "2",
                () => "0",
            };
            into.insert(YOAST_NOINDEX.to_owned(), json!(index));
            into.insert(YOAST_NOFOLLOW.to_owned(), json!(if has("nofollow") { "1" } else { "0" }));
            if others().next().is_some() {
                into.insert(YOAST_ADVANCED.to_owned(), json!(others().cloned().collect::<Vec<_>>().join(",")));
            }
        }
        Plugin::RankMath => {
            // The plugin knows no `follow`, which is the default.
            let all: Vec<&String> = wanted.iter().filter(|it| *it != "follow").collect();
            into.insert("rank_math_robots".to_owned(), json!(all));
        }
        Plugin::Aioseo => {
            into.insert("robots_default".to_owned(), json!(wanted.is_empty()));
            for name in ["noindex", "nofollow", "noarchive", "nosnippet", "noimageindex"] {
                into.insert(format!("robots_{name}"), json!(has(name)));
            }
        }
    }
}

/// The keys of a plugin with what they are to hold.
fn keys(plugin: Plugin, values: &Values) -> Map<String, Value> {
    let mut keys = Map::new();
    for name in values.names() {
        match (key(plugin, name), values.text(name)) {
            (Some(key), Some(text)) => _ = keys.insert(key.to_owned(), json!(text)),
            (Some(_), None) => put_robots(plugin, values.robots.as_deref().unwrap_or_default(), &mut keys),
            (None, _) => {}
        }
    }
    keys
}

/// What is to be written, for plugins whose fields are the item's own.
fn patch(plugin: Plugin, values: &Values) -> Patch {
    let keys = keys(plugin, values);
    match plugin {
        Plugin::Aioseo => Patch { aioseo: keys, ..Patch::default() },
        Plugin::Yoast | Plugin::RankMath => Patch { meta: keys, ..Patch::default() },
    }
}

/// Keeps what a write of SEO fields will find, for a later step that writes them. `None` when all is already so.
///
/// # Errors
/// What the host refused.
pub fn intend(cx: &Cx, seo: &Seo, item: &Item, values: &Values, why: &Why) -> Result<Option<Id<Change>>> {
    let Some(plugin) = seo.plugin else { return Ok(None) };
    let id = crate::write::intend(cx, item, &patch(plugin, values), why)?;
    if let Some(id) = id.as_ref().filter(|_| !is_known(seo, item, &keys(plugin, values))) {
        cx.records::<Change>().update(id, |it| it.rollback = Rollback::None)?;
    }
    Ok(id)
}

/// Whether what a plugin holds before a write can be read.
fn is_known(seo: &Seo, item: &Item, keys: &Map<String, Value>) -> bool {
    seo.how != Some(How::Endpoint) || keys.keys().all(|key| item.meta.contains_key(key))
}

/// Writes SEO fields of an item. Every field must be one that the plugin lets write.
///
/// # Errors
/// As [`write`]; 409 `unsupported_by_plugin` when the plugin dropped what was sent, or its endpoint is gone.
pub fn put(cx: &Cx, seo: &Seo, item: &Item, values: &Values, why: &Why) -> Result<Written> {
    let Some(plugin) = seo.plugin else { return Err(Fault::conflict("no_seo_plugin", "no known SEO plugin is there")) };
    if seo.how == Some(How::Endpoint) {
        return at_endpoint(cx, seo, item, keys(plugin, values), why);
    }
    let patch = patch(plugin, values);
    let written = write(cx, item, &patch, why)?;
    if written.exact {
        return Ok(written);
    }
    // A refusal leaves nothing behind: what was kept of the fields goes back.
    let back = take_back(cx, item, &written.item, &patch);
    Err(unsupported().detail(json!({ "put_back": back })))
}

fn unsupported() -> Fault {
    let message = "the SEO plugin did not keep what was sent; it may have been updated or switched off";
    Fault::conflict("unsupported_by_plugin", message)
}

/// Writes by the plugin's endpoint. What was there before is known only where the keys are registered for REST.
fn at_endpoint(cx: &Cx, seo: &Seo, item: &Item, keys: Map<String, Value>, why: &Why) -> Result<Written> {
    let fields = keys.iter().map(|(key, value)| {
        let before = item.meta.get(key).cloned().unwrap_or_default();
        Field::of(cx, &format!("meta.{key}"), &before, value)
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let is_known = is_known(seo, item, &keys);
    if is_known && why.intent.is_none() && keys.iter().all(|(key, value)| item.meta.get(key) == Some(value)) {
        return Ok(Written { item: item.clone(), exact: true, change: None });
    }
    let body = json!({ "objectType": "post", "objectID": item.at.id, "meta": keys });
    let request = Send::post(&item.at.connection, "/wp-json/rankmath/v1/updateMeta").json(&body).timeout(20_000);
    match cx.connections().send(&request) {
        Ok(answer) if answer.status == 404 => return Err(unsupported()),
        Ok(answer) => drop(answer.accepted()?),
        // The same values again change nothing more.
        Err(SendFailure::UnknownOutcome) => drop(cx.connections().send(&request)?.accepted()?),
        Err(failure) => return Err(failure.into()),
    }
    let id = why.record(cx, &item.at, &item.link, fields, is_known)?;
    if !is_known {
        cx.records::<Change>().update(&id, |it| it.rollback = Rollback::None)?;
    }
    let mut item = item.clone();
    item.meta.extend(keys);
    Ok(Written { item, exact: is_known, change: Some(id) })
}
