//! The media library: uploads as raw bodies, alternative texts, the files themselves.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::items::{edits, stamp};
use super::{Item, Site, counted, error, home, no_route};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;

/// A white dot, so that seeded media can be looked at.
const DOT: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// Pictures of lamps; every third has no alternative text.
pub(super) fn seed(site: &mut Site) {
    for number in 1..=12 {
        let alt = if number % 3 == 0 { String::new() } else { format!("Lamp {number} on a desk") };
        add(site, &format!("lamp-{number}.gif"), "image/gif", DOT.to_vec(), &alt);
    }
}

fn add(site: &mut Site, file: &str, mime: &str, bytes: Vec<u8>, alt: &str) -> u64 {
    let id = site.fresh();
    let place = format!("/wp-content/uploads/{}/{file}", Timestamp::now().strftime("%Y/%m"));
    site.files.insert(place.clone(), (mime.to_owned(), bytes));
    let now = stamp(Timestamp::now());
    let title = file.rsplit_once('.').map_or(file, |(name, _)| name);
    // Items of all types share their slugs.
    let taken = |slug: &String| site.items.values().any(|item| item.fields.get("slug").is_some_and(|it| it == slug));
    let numbered = (2..).map(|number| format!("{title}-{number}"));
    let slug = std::iter::once(title.to_owned()).chain(numbered).find(|it| !taken(it));
    let fields = json!({ "title": title, "slug": slug, "status": "inherit", "alt_text": alt, "caption": "", "description": "",
        "mime_type": mime, "place": place, "date_gmt": now, "modified_gmt": now, "author": 1, "post": null });
    site.items.insert(
        id,
        Item { kind: "attachment", fields: fields.as_object().cloned().unwrap_or_default(), revisions: Vec::new() },
    );
    id
}

/// `media` under `/wp/v2`.
pub(super) fn answer(site: &mut Site, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    match (request.method.as_str(), &rest[1..]) {
        ("GET", []) => {
            let search = request.query("search").map(str::to_lowercase);
            let found: Vec<Value> = site
                .items
                .iter()
                .rev()
                .filter(|(_, item)| item.kind == "attachment")
                .filter(|(_, item)| {
                    search.as_ref().is_none_or(|words| {
                        // A name of a file is found too, as the REST interface finds it.
                        let holds = |name: &str| item.fields[name].to_string().to_lowercase().contains(words.as_str());
                        holds("title") || holds("place")
                    })
                })
                .filter(|(_, item)| request.query("slug").is_none_or(|slug| item.fields["slug"] == slug))
                .map(|(id, _)| shown(site, *id, request, edits(request)))
                .collect();
            counted(&found, request)
        }
        ("POST", []) => upload(site, request, desk),
        (method, [id]) => {
            let found = id.parse().ok().filter(|id| site.items.get(id).is_some_and(|item| item.kind == "attachment"));
            let Some(id) = found else { return error(404, "rest_post_invalid_id", "Invalid post ID.") };
            match method {
                "GET" => Reply::ok(&shown(site, id, request, edits(request))),
                "POST" | "PUT" | "PATCH" => {
                    let Value::Object(given) = request.json() else {
                        return error(400, "rest_invalid_json", "Invalid JSON body passed.");
                    };
                    let Some(item) = site.items.get_mut(&id) else { return no_route() };
                    let known = ["title", "alt_text", "caption", "description", "slug", "post"];
                    item.fields.extend(given.into_iter().filter(|(name, _)| known.contains(&name.as_str())));
                    desk.effect("media.updated", id, request);
                    Reply::ok(&shown(site, id, request, true))
                }
                "DELETE" if request.query("force") != Some("true") => error(
                    501,
                    "rest_trash_not_supported",
                    "The post does not support trashing. Set 'force=true' to delete.",
                ),
                "DELETE" => {
                    let previous = shown(site, id, request, true);
                    site.items.remove(&id);
                    desk.effect("media.deleted", id, request);
                    Reply::ok(&json!({ "deleted": true, "previous": previous }))
                }
                _ => no_route(),
            }
        }
        _ => no_route(),
    }
}

fn upload(site: &mut Site, request: &Request, desk: &Desk) -> Reply {
    if request.body.is_empty() {
        return error(400, "rest_upload_no_data", "No data supplied.");
    }
    let Some(mime) = request.header("content-type").filter(|kind| !kind.starts_with("application/json")) else {
        return error(400, "rest_upload_no_content_type", "No Content-Type supplied.");
    };
    let Some(disposition) = request.header("content-disposition") else {
        return error(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.");
    };
    let name = disposition
        .split(';')
        .find_map(|part| part.trim().strip_prefix("filename="))
        .map(|name| name.trim_matches('"'));
    let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('/')) else {
        return error(400, "rest_upload_invalid_disposition", "Invalid Content-Disposition supplied.");
    };
    if !["image/", "video/", "audio/", "application/pdf"].iter().any(|kind| mime.starts_with(kind)) {
        return error(500, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type.");
    }
    let id = add(site, name, mime, request.body.to_vec(), "");
    desk.effect("media.created", id, request);
    let place = format!("{}{}/{id}", home(request), request.path);
    Reply::json(201, &shown(site, id, request, true)).header("location", place)
}

fn shown(site: &Site, id: u64, request: &Request, edit: bool) -> Value {
    let fields = &site.items[&id].fields;
    let text = |name: &str| {
        if edit {
            json!({ "raw": fields[name], "rendered": fields[name] })
        } else {
            json!({ "rendered": fields[name] })
        }
    };
    let place = fields["place"].as_str().unwrap_or_default();
    let bytes = site.files.get(place).map_or(0, |(_, bytes)| bytes.len());
    json!({
        "id": id, "type": "attachment", "slug": fields["slug"], "status": fields["status"], "author": fields["author"],
        "date": fields["date_gmt"], "date_gmt": fields["date_gmt"], "modified_gmt": fields["modified_gmt"],
        "title": text("title"), "caption": text("caption"), "description": text("description"), "alt_text": fields["alt_text"],
        "media_type": if fields["mime_type"].as_str().is_some_and(|it| it.starts_with("image/")) { "image" } else { "file" },
        "mime_type": fields["mime_type"], "post": fields["post"], "link": format!("{}/{}/", home(request), fields["slug"].as_str().unwrap_or_default()),
        "source_url": format!("{}{place}", home(request)), "media_details": { "filesize": bytes, "file": place, "sizes": {} }
    })
}

/// An uploaded file.
pub(super) fn file(site: &Site, path: &str) -> Reply {
    match site.files.get(path) {
        Some((mime, bytes)) => {
            Reply { status: 200, headers: vec![("content-type", mime.clone())], body: bytes.clone() }
        }
        None => Reply::empty(404),
    }
}
