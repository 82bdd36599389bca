//! Posts and pages: lists, one, create, change, trash, delete, revisions.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::{Item, Site, chosen, counted, error, home, invalid, is, no_route, seo};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::seed::Seed;
use crate::shop;

const STATUSES: [&str; 6] = ["publish", "future", "draft", "pending", "private", "trash"];
/// What the trash adds to a slug.
const TRASHED: &str = "__trashed";
/// What a client may set; the rest is WordPress's own.
const WRITABLE: [&str; 17] = [
    "title",
    "content",
    "excerpt",
    "slug",
    "status",
    "author",
    "featured_media",
    "categories",
    "tags",
    "parent",
    "date",
    "date_gmt",
    "template",
    "sticky",
    "comment_status",
    "meta",
    "password",
];

/// The shop's guides and lamps as pages and posts.
pub(super) fn seed(site: &mut Site, seed: Seed) {
    for page in shop::pages() {
        let mut dice = seed.dice(&["wordpress", &page.path]);
        let kind =
            if page.path.starts_with("/guides/") || page.path.starts_with("/products/") { "post" } else { "page" };
        let slug = page.path.trim_matches('/').rsplit('/').next().filter(|slug| !slug.is_empty()).unwrap_or("home");
        let age = SignedDuration::from_hours(24 * i64::try_from(dice.between(20, 600)).unwrap_or(20));
        let next = format!("<a href=\"http://{}/products\">all our lamps</a>", shop::HOST);
        let content = format!(
            "<!-- wp:paragraph -->\n<p>{} Good light falls where the work is and nowhere else.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>A cord that can be changed keeps a lamp for a lifetime; see {next}.</p>\n<!-- /wp:paragraph -->",
            page.description
        );
        let fields = json!({
            "title": page.title, "content": content, "excerpt": page.description, "slug": slug, "status": "publish",
            "author": dice.between(1, 3), "categories": if kind == "post" { json!([dice.between(1, 3)]) } else { json!([]) },
            "meta": { "_yoast_wpseo_title": format!("{} | {}", page.title, shop::BRAND),
                "_yoast_wpseo_metadesc": page.description },
        });
        let written = Timestamp::now() - age;
        create(site, kind, fields.as_object().cloned().unwrap_or_default(), written);
    }
    let draft =
        json!({ "title": "Winter workshop", "content": "<p>Build a lamp with us in January.</p>", "status": "draft" });
    create(site, "post", draft.as_object().cloned().unwrap_or_default(), Timestamp::now());
}

/// `posts` and `pages` under `/wp/v2`.
pub(super) fn answer(site: &mut Site, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    let kind = super::kind(rest[0]);
    match (request.method.as_str(), &rest[1..]) {
        ("GET", []) => list(site, request, kind),
        ("POST", []) => {
            let mut fields = match writable(request) {
                Ok(fields) => fields,
                Err(reply) => return *reply,
            };
            fields.entry("author").or_insert_with(|| json!(super::user(request)));
            let id = create(site, kind, fields, Timestamp::now());
            desk.effect(&format!("{kind}.created"), id, request);
            let place = format!("{}{}/{id}", home(request), request.path);
            Reply::json(201, &shown(site, id, request, true)).header("location", place)
        }
        (method, [id, below @ ..]) => {
            let Some(id) = id.parse().ok().filter(|id| site.items.get(id).is_some_and(|item| item.kind == kind)) else {
                return error(404, "rest_post_invalid_id", "Invalid post ID.");
            };
            match (method, below) {
                ("GET", []) if readable(site, id, request) => {
                    Reply::ok(&chosen(&shown(site, id, request, edits(request)), request))
                }
                ("GET", []) => error(401, "rest_forbidden", "Sorry, you are not allowed to do that."),
                ("POST" | "PUT" | "PATCH", []) => update(site, id, request, desk),
                ("DELETE", []) => remove(site, id, request, desk),
                ("GET", ["revisions"]) => counted(&revisions(site, id), request),
                ("GET", ["revisions", revision]) => revisions(site, id)
                    .into_iter()
                    .find(|it| is(&it["id"], revision))
                    .map_or_else(|| error(404, "rest_post_invalid_id", "Invalid revision ID."), |it| Reply::ok(&it)),
                _ => no_route(),
            }
        }
        _ => no_route(),
    }
}

pub(super) fn edits(request: &Request) -> bool {
    request.query("context") == Some("edit")
}

fn readable(site: &Site, id: u64, request: &Request) -> bool {
    site.items[&id].fields["status"] == "publish" || request.header("authorization").is_some()
}

fn list(site: &Site, request: &Request, kind: &str) -> Reply {
    let statuses: Vec<&str> = request.query("status").unwrap_or("publish").split(',').collect();
    if statuses.iter().any(|status| *status != "any" && !STATUSES.contains(status)) {
        return invalid("status");
    }
    let has = |item: &Item, field: &str, name: &str| {
        request.query(name).is_none_or(|wanted| {
            let held = &item.fields[field];
            let fits = |id| held.as_array().is_some_and(|all| all.iter().any(|it| is(it, id))) || is(held, id);
            wanted.split(',').any(fits)
        })
    };
    let text = |item: &Item, field: &str| item.fields[field].as_str().unwrap_or_default().to_owned();
    let search = request.query("search").map(str::to_lowercase);
    let ids = |name: &str| {
        request.query(name).map(|ids| ids.split(',').filter_map(|id| id.parse::<u64>().ok()).collect::<Vec<_>>())
    };
    let (include, exclude) = (ids("include"), ids("exclude"));
    let mut found: Vec<(&u64, &Item)> = site
        .items
        .iter()
        .filter(|(_, item)| item.kind == kind)
        .filter(|(_, item)| {
            let status = text(item, "status");
            statuses.contains(&status.as_str()) || (statuses.contains(&"any") && status != "trash")
        })
        .filter(|(id, _)| include.as_ref().is_none_or(|ids| ids.contains(id)))
        .filter(|(id, _)| exclude.as_ref().is_none_or(|ids| !ids.contains(id)))
        .filter(|(_, item)| {
            request.query("slug").is_none_or(|slugs| slugs.split(',').any(|slug| slug == text(item, "slug")))
        })
        .filter(|(_, item)| {
            has(item, "categories", "categories") && has(item, "tags", "tags") && has(item, "author", "author")
        })
        .filter(|(_, item)| {
            request
                .query("modified_after")
                .is_none_or(|after| text(item, "modified_gmt").as_str() > after.trim_end_matches('Z'))
        })
        .filter(|(_, item)| {
            search.as_ref().is_none_or(|words| {
                ["title", "content", "excerpt"]
                    .iter()
                    .any(|field| text(item, field).to_lowercase().contains(words.as_str()))
            })
        })
        .collect();
    let by = request.query("orderby").unwrap_or("date");
    found.sort_by_key(|(id, item)| match by {
        "id" => format!("{id:020}"),
        "title" | "slug" => text(item, by),
        "modified" => format!("{}{id:020}", text(item, "modified_gmt")),
        _ => format!("{}{id:020}", text(item, "date_gmt")),
    });
    if request.query("order") != Some("asc") {
        found.reverse();
    }
    let shown: Vec<Value> = found.into_iter().map(|(id, _)| shown(site, *id, request, edits(request))).collect();
    counted(&shown, request)
}

/// The members of the body that may be set, or the refusal of what they are.
fn writable(request: &Request) -> Result<Map<String, Value>, Box<Reply>> {
    let Value::Object(given) = request.json() else {
        return Err(Box::new(error(400, "rest_invalid_json", "Invalid JSON body passed.")));
    };
    let mut fields = Map::new();
    for (name, value) in given {
        if !WRITABLE.contains(&name.as_str()) && name != "aioseo_meta_data" {
            continue;
        }
        let value = match (&*name, value) {
            // Both forms are documented: the text, or an object with `raw`.
            ("title" | "content" | "excerpt", Value::Object(mut rich)) => rich.remove("raw").unwrap_or_default(),
            ("status", Value::String(status)) if !STATUSES.contains(&status.as_str()) => {
                return Err(Box::new(invalid("status")));
            }
            ("author" | "featured_media", value) if !value.is_number() => return Err(Box::new(invalid(&name))),
            ("categories" | "tags", value) if !value.is_array() => return Err(Box::new(invalid(&name))),
            (_, value) => value,
        };
        let value = match value {
            Value::String(text) if name == "content" && !super::may_write_markup(request) => json!(stripped(&text)),
            value => value,
        };
        fields.insert(name, value);
    }
    Ok(fields)
}

/// What is left of a content for who may not write unfiltered HTML: the tags of scripts go, what is between them stays as text.
fn stripped(content: &str) -> String {
    let mut kept = String::new();
    let mut rest = content;
    while let Some(at) = ["<script", "</script"].iter().filter_map(|tag| rest.find(tag)).min() {
        kept.push_str(&rest[..at]);
        rest = rest[at..].split_once('>').map_or("", |(_, after)| after);
    }
    kept + rest
}

pub(super) fn create(site: &mut Site, kind: &'static str, given: Map<String, Value>, at: Timestamp) -> u64 {
    let id = site.fresh();
    let now = stamp(at);
    let mut fields = json!({
        "title": "", "content": "", "excerpt": "", "status": "draft", "author": 1, "featured_media": 0, "categories": [],
        "tags": [], "parent": 0, "template": "", "sticky": false, "meta": {}, "date_gmt": now, "modified_gmt": now,
    });
    let fields = fields.as_object_mut().map(std::mem::take).unwrap_or_default();
    site.items.insert(id, Item { kind, fields, revisions: Vec::new() });
    put(site, id, given);
    id
}

/// Sets fields; a slug is made from the title when none is given, and made unique as WordPress does.
fn put(site: &mut Site, id: u64, mut given: Map<String, Value>) {
    seo::keep_registered(site, site.items[&id].kind, &mut given);
    let title =
        given.get("title").or_else(|| site.items[&id].fields.get("title")).and_then(Value::as_str).unwrap_or_default();
    let wanted = given.get("slug").and_then(Value::as_str).filter(|slug| !slug.is_empty()).unwrap_or(title);
    let mut base: String = wanted.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    while base.contains("--") {
        base = base.replace("--", "-");
    }
    let base = base.trim_matches('-').to_owned();
    let had = site.items[&id].fields.get("slug").and_then(Value::as_str).unwrap_or_default().to_owned();
    if !base.is_empty() && (had.is_empty() || given.contains_key("slug")) {
        let taken = |slug: &str| {
            site.items
                .iter()
                .any(|(other, item)| *other != id && item.fields.get("slug").and_then(Value::as_str) == Some(slug))
        };
        let unique =
            std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}-{n}"))).find(|slug| !taken(slug));
        given.insert("slug".to_owned(), json!(unique));
    }
    if let Some(date) = given.remove("date") {
        given.insert("date_gmt".to_owned(), date);
    }
    let Some(item) = site.items.get_mut(&id) else { return };
    let text = |fields: &Map<String, Value>, name: &str| {
        fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    if text(&item.fields, "status") == "trash" && given.get("status").is_some_and(|status| status != "trash") {
        given.entry("slug").or_insert_with(|| json!(had.trim_end_matches(TRASHED)));
    }
    let moved = given.get("slug").and_then(Value::as_str).is_some_and(|slug| slug != had);
    if moved && text(&item.fields, "status") == "publish" {
        site.old_slugs.insert(had, id);
    }
    if let (Some(Value::Object(meta)), Some(Value::Object(held))) = (given.get_mut("meta"), item.fields.get("meta")) {
        let mut merged = held.clone();
        merged.extend(std::mem::take(meta));
        *meta = merged;
    }
    if let Some(Value::Object(data)) = given.get_mut("aioseo_meta_data") {
        let mut whole = item.fields.get("aioseo_meta_data").cloned().unwrap_or_else(seo::aioseo);
        for (name, value) in std::mem::take(data) {
            whole[name] = value;
        }
        given.insert("aioseo_meta_data".to_owned(), whole);
    }
    item.fields.extend(given);
    let future = item.fields["date_gmt"].as_str().is_some_and(|date| *date > *stamp(Timestamp::now()));
    if item.fields["status"] == "publish" && future {
        item.fields.insert("status".to_owned(), json!("future"));
    }
}

fn update(site: &mut Site, id: u64, request: &Request, desk: &Desk) -> Reply {
    let fields = match writable(request) {
        Ok(fields) => fields,
        Err(reply) => return *reply,
    };
    let Some(item) = site.items.get_mut(&id) else { return no_route() };
    let kept = |item: &Item| ["title", "content", "excerpt"].map(|name| item.fields[name].clone());
    let before = kept(item);
    item.fields.insert("modified_gmt".to_owned(), json!(stamp(Timestamp::now())));
    let kind = item.kind;
    put(site, id, fields);
    // A revision is the new state, and the same texts again make none.
    let revision = site.fresh();
    let Some(item) = site.items.get_mut(&id) else { return no_route() };
    let [title, content, excerpt] = kept(item);
    if [&title, &content, &excerpt] != before.each_ref() {
        let text = |value: &Value| json!({ "rendered": value, "raw": value });
        item.revisions.push(json!({ "id": revision, "parent": id, "author": super::user(request), "slug": format!("{id}-revision-v1"),
            "date_gmt": item.fields["modified_gmt"], "title": text(&title), "content": text(&content), "excerpt": text(&excerpt) }));
    }
    desk.effect(&format!("{kind}.updated"), id, request);
    Reply::ok(&shown(site, id, request, true))
}

fn remove(site: &mut Site, id: u64, request: &Request, desk: &Desk) -> Reply {
    let previous = shown(site, id, request, true);
    let Some(item) = site.items.get_mut(&id) else { return no_route() };
    let kind = item.kind;
    if request.query("force") == Some("true") {
        site.items.remove(&id);
        desk.effect(&format!("{kind}.deleted"), id, request);
        return Reply::ok(&json!({ "deleted": true, "previous": previous }));
    }
    if item.fields["status"] == "trash" {
        return error(410, "rest_already_trashed", "The post has already been deleted.");
    }
    let slug = format!("{}{TRASHED}", item.fields["slug"].as_str().unwrap_or_default());
    item.fields.insert("slug".to_owned(), json!(slug));
    item.fields.insert("status".to_owned(), json!("trash"));
    desk.effect(&format!("{kind}.trashed"), id, request);
    Reply::ok(&shown(site, id, request, true))
}

fn revisions(site: &Site, id: u64) -> Vec<Value> {
    site.items[&id].revisions.iter().rev().cloned().collect()
}

/// `2026-11-01T12:00:00`, the form of `date_gmt`.
pub(super) fn stamp(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// The author and the terms of an item, as `_embed` shows them.
fn embedded(site: &Site, item: &Item) -> Value {
    let author =
        item.fields["author"].as_u64().and_then(|id| shop::AUTHORS.get(usize::try_from(id).ok()?.checked_sub(1)?));
    let of = |field: &str| {
        let held = item.fields.get(field).and_then(Value::as_array).into_iter().flatten();
        json!(held.filter_map(|id| site.terms.get(&id.as_u64()?)).collect::<Vec<_>>())
    };
    json!({ "author": author.map(|(slug, name)| json!([{ "slug": slug, "name": name }])), "wp:term": [of("categories"), of("tags")] })
}

/// An item as the REST interface shows it; `raw` texts only in the `edit` context.
pub(super) fn shown(site: &Site, id: u64, request: &Request, edit: bool) -> Value {
    let item = &site.items[&id];
    let fields = &item.fields;
    let text = |name: &str| {
        let value = &fields[name];
        if edit {
            json!({ "raw": value, "rendered": value, "protected": false })
        } else {
            json!({ "rendered": value, "protected": false })
        }
    };
    // What is not published has no address of its own.
    let link = if matches!(fields["status"].as_str(), Some("draft" | "pending" | "future")) {
        format!("{}/?p={id}", home(request))
    } else {
        format!("{}/{}/", home(request), fields.get("slug").and_then(Value::as_str).unwrap_or_default())
    };
    let mut shown = json!({
        "id": id, "type": item.kind, "link": link, "slug": fields.get("slug"), "status": fields["status"],
        "guid": { "rendered": format!("{}/?p={id}", home(request)) },
        "date": fields["date_gmt"], "date_gmt": fields["date_gmt"],
        "modified": fields["modified_gmt"], "modified_gmt": fields["modified_gmt"],
        "title": text("title"), "content": text("content"), "excerpt": text("excerpt"),
        "author": fields["author"], "featured_media": fields["featured_media"], "template": fields["template"],
        "meta": seo::registered(site, item.kind, &fields["meta"]),
    });
    let terms = ["categories", "tags"].iter().filter(|_| item.kind == "post");
    let terms: Vec<Value> = terms
        .map(|it| {
            json!({ "taxonomy": if *it == "tags" { "post_tag" } else { "category" }, "embeddable": true,
        "href": format!("{}/wp-json/wp/v2/{it}?post={id}", home(request)) })
        })
        .collect();
    let mut links = json!({ "wp:term": terms, "version-history": [{ "count": item.revisions.len() }] });
    if let Some(newest) = item.revisions.last() {
        links["predecessor-version"] = json!([{ "id": newest["id"] }]);
    }
    if edit && super::may_write_markup(request) {
        links["wp:action-unfiltered-html"] = json!([{ "href": format!("{}{}", home(request), request.path) }]);
    }
    shown["_links"] = links;
    if request.query("_embed").is_some() {
        shown["_embedded"] = embedded(site, item);
    }
    if item.kind == "post" {
        shown["categories"] = fields["categories"].clone();
        shown["tags"] = fields["tags"].clone();
        shown["sticky"] = fields["sticky"].clone();
    } else {
        shown["parent"] = fields["parent"].clone();
    }
    seo::decorate(site, item, &mut shown);
    shown
}
