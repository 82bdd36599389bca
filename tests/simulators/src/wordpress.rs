//! WordPress: REST v2, application passwords, SEO fields of three plugins, the Redirection plugin.
//!
//! Sources: developer.wordpress.org/rest-api/reference (posts, pages, media, categories, tags, users, settings, plugins,
//! pagination, application passwords) and `api/` of the plugin johngodley/redirection. Core has no rate limit: a host's
//! web server in front of it answers 429 with HTML, and that is what [`crate::Fault::RateLimited`] gives.
//! Links are made from the `Host` that was asked, so the site can be given any name, and every published item can be
//! looked at under its link as a page whose head says what the SEO plugin holds.

mod alone;
mod items;
mod media;
mod redirection;
mod seo;
mod terms;

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Map, Value, json};

use crate::lock;
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;
use crate::shop;

pub use alone::{Blog, Said};

const USER: &str = "editor";
/// A user who may write posts, and no unfiltered HTML; the password is the editor's.
const WRITER: &str = "author";
/// WordPress shows application passwords in groups of four and ignores the spaces.
const PASSWORD: &str = "lamp lamp lamp lamp lamp lamp";
/// The version that the pages' generator tag names.
const VERSION: &str = "6.8.3";

/// A site with the shop's pages and articles.
pub(crate) struct WordPress(Mutex<Site>);

/// Everything the site holds. Items of all types share one sequence of identifiers, as in `wp_posts`.
pub(crate) struct Site {
    pub(crate) items: BTreeMap<u64, Item>,
    pub(crate) terms: BTreeMap<u64, Value>,
    pub(crate) files: BTreeMap<String, (String, Vec<u8>)>,
    pub(crate) redirects: BTreeMap<u64, Value>,
    pub(crate) settings: Map<String, Value>,
    pub(crate) plugins: BTreeMap<String, bool>,
    /// Slugs that published items had before.
    pub(crate) old_slugs: BTreeMap<String, u64>,
    next: u64,
}

/// A post, a page or a media item, as the database has it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: &'static str,
    pub(crate) fields: Map<String, Value>,
    pub(crate) revisions: Vec<Value>,
}

impl Site {
    pub(crate) fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl WordPress {
    pub(crate) fn new(seed: Seed) -> Self {
        let settings = json!({
            "title": shop::BRAND, "description": "Lamps that last", "email": "editor@shop.example", "timezone": "UTC",
            "date_format": "Y-m-d", "time_format": "H:i", "start_of_week": 1, "language": "en_GB", "posts_per_page": 10,
            "default_category": 1, "show_on_front": "posts"
        });
        let Value::Object(settings) = settings else { unreachable!("an object is written above") };
        let plugins = [
            (seo::YOAST, true),
            (seo::RANK_MATH, false),
            (seo::AIOSEO, false),
            (seo::BRIDGE, false),
            (redirection::PLUGIN, true),
        ];
        let mut site = Site {
            items: BTreeMap::new(),
            terms: terms::seeded(),
            files: BTreeMap::new(),
            redirects: BTreeMap::new(),
            settings,
            plugins: plugins.into_iter().map(|(name, active)| (name.to_owned(), active)).collect(),
            old_slugs: BTreeMap::new(),
            next: 100,
        };
        items::seed(&mut site, seed);
        media::seed(&mut site);
        redirection::seed(&mut site);
        Self(Mutex::new(site))
    }
}

impl Provider for WordPress {
    fn credentials(&self) -> Value {
        json!({ "username": USER, "application_password": PASSWORD })
    }

    fn auth(&self, request: &Request) -> Auth {
        let given = request.check_basic(USER, PASSWORD);
        let known = |name: &str, secret: &str| {
            [USER, WRITER].contains(&name) && secret.replace(' ', "") == PASSWORD.replace(' ', "")
        };
        match (given, request.basic()) {
            (Auth::Wrong, Some((name, secret))) if known(&name, &secret) => Auth::Right,
            (Auth::Missing, _) if open(request) => Auth::NotNeeded,
            _ => given,
        }
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let site = &mut *lock(&self.0);
        let (method, parts) = request.route();
        let write = method != "GET" && method != "HEAD";
        match parts.as_slice() {
            ["wp-json"] => Reply::ok(&index(site, request)),
            ["wp-json", "wp", "v2", rest @ ..] => match rest {
                [] => Reply::ok(&seo::routes(site)),
                ["posts" | "pages" | "product", ..] => items::answer(site, request, desk, rest),
                ["media", ..] => media::answer(site, request, desk, rest),
                ["categories" | "tags", ..] => terms::answer(site, request, desk, rest),
                ["types"] => Reply::ok(&types()),
                ["taxonomies"] => Reply::ok(&taxonomies()),
                ["users", "me"] => Reply::ok(&users(request)[user(request) - 1]),
                ["users"] => counted(&users(request), request),
                ["users", id] => users(request)
                    .into_iter()
                    .find(|user| is(&user["id"], id))
                    .map_or_else(|| error(404, "rest_user_invalid_id", "Invalid user ID."), |user| Reply::ok(&user)),
                ["settings"] => {
                    if write {
                        let Value::Object(changes) = request.json() else { return invalid("settings") };
                        site.settings.extend(changes);
                        desk.effect("settings.updated", "settings", request);
                    }
                    Reply::ok(&Value::Object(site.settings.clone()))
                }
                ["plugins", name @ ..] => seo::plugins(site, request, desk, &name.join("/")),
                _ => no_route(),
            },
            ["wp-json", "rankmath", "v1", rest @ ..] => seo::rank_math(site, request, desk, rest),
            ["wp-json", "redirection", "v1", rest @ ..] => redirection::answer(site, request, desk, rest),
            ["wp-json", ..] => no_route(),
            ["wp-content", "uploads", ..] => media::file(site, &request.path),
            _ if write => no_route(),
            _ => seo::rendered(site, request),
        }
    }

    fn refused(&self, request: &Request) -> Reply {
        if request.header("authorization").is_some() {
            return error(401, "incorrect_password", "The provided password is an invalid application password.");
        }
        let (method, parts) = request.route();
        match (method, parts.as_slice()) {
            (_, [.., "users", "me"]) => error(401, "rest_not_logged_in", "You are not currently logged in."),
            ("GET", _) if request.query("status").is_some() => {
                let words = "Status is forbidden.";
                let inner = json!({ "code": "rest_forbidden_status", "message": words, "data": { "status": 401 } });
                let data = json!({ "status": 400, "params": { "status": words }, "details": { "status": inner } });
                let message = "Invalid parameter(s): status";
                Reply::json(400, &json!({ "code": "rest_invalid_param", "message": message, "data": data }))
            }
            ("GET", _) => {
                error(401, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.")
            }
            ("DELETE", _) => error(401, "rest_cannot_delete", "Sorry, you are not allowed to delete this post."),
            _ => error(401, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user."),
        }
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        let page =
            "<html><head><title>429 Too Many Requests</title></head><body><h1>429 Too Many Requests</h1></body></html>";
        Reply::text(429, "text/html", page).header("retry-after", 30)
    }

    fn broken(&self, _: &Request) -> Reply {
        let message = "<p>There has been a critical error on this website.</p>";
        let body = json!({ "code": "internal_server_error", "message": message, "data": { "status": 500 },
            "additional_errors": [] });
        Reply::json(500, &body)
    }
}

/// What everybody may read: published things in the `view` context.
fn open(request: &Request) -> bool {
    let (method, parts) = request.route();
    let plain = request.query("context").is_none_or(|context| context == "view" || context == "embed")
        && request.query("status").is_none_or(|status| status == "publish");
    let closed = matches!(
        parts.as_slice(),
        ["wp-json", "wp", "v2", "settings" | "plugins", ..]
            | ["wp-json", "redirection", ..]
            | [.., "users", "me"]
            | [.., "revisions"]
            | [.., "revisions", _]
    );
    method == "GET" && plain && !closed
}

/// The error object of WordPress: `{code, message, data: {status}}`.
pub(crate) fn error(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(status, &json!({ "code": code, "message": message, "data": { "status": status } }))
}

/// A parameter that core refuses.
pub(crate) fn invalid(name: &str) -> Reply {
    let message = format!("Invalid parameter(s): {name}");
    let about = json!({ name: format!("{name} is invalid.") });
    let data = json!({ "status": 400, "params": about, "details": {} });
    Reply::json(400, &json!({ "code": "rest_invalid_param", "message": message, "data": data }))
}

pub(crate) fn no_route() -> Reply {
    error(404, "rest_no_route", "No route was found matching the URL and request method.")
}

/// The address of the site, as it was asked.
pub(crate) fn home(request: &Request) -> String {
    let scheme = request.header("x-forwarded-proto").unwrap_or("http");
    format!("{scheme}://{}", request.header("host").unwrap_or("localhost"))
}

/// Whether a value is the number that a text says.
pub(crate) fn is(value: &Value, text: &str) -> bool {
    text.parse::<u64>().is_ok_and(|number| value.as_u64() == Some(number))
}

/// One page of a list with `X-WP-Total`, `X-WP-TotalPages` and `Link`.
pub(crate) fn counted(list: &[Value], request: &Request) -> Reply {
    let size = request.number("per_page").unwrap_or(10);
    let page = request.number("page").unwrap_or(1);
    if request.query("per_page").is_some() && !(1..=100).contains(&size) {
        return invalid("per_page");
    }
    if page == 0 {
        return invalid("page");
    }
    let (slice, pages) = crate::provider::page(list, page, size);
    if page > pages.max(1) {
        let message = "The page number requested is larger than the number of pages available.";
        return error(400, "rest_post_invalid_page_number", message);
    }
    let slice: Vec<Value> = slice.iter().map(|item| chosen(item, request)).collect();
    let reply = Reply::ok(&Value::Array(slice)).header("x-wp-total", list.len()).header("x-wp-totalpages", pages);
    if page >= pages {
        return reply;
    }
    let next = format!("<{}{}?per_page={size}&page={}>; rel=\"next\"", home(request), request.path, page + 1);
    reply.header("link", next)
}

/// Only the fields that `_fields` names, if it names some.
pub(crate) fn chosen(item: &Value, request: &Request) -> Value {
    let (Some(fields), Value::Object(members)) = (request.query("_fields"), item) else { return item.clone() };
    let wanted: Vec<&str> = fields.split(',').map(|field| field.split('.').next().unwrap_or(field).trim()).collect();
    members.iter().filter(|(name, _)| wanted.contains(&name.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn index(site: &Site, request: &Request) -> Value {
    let home = home(request);
    let mut namespaces = vec!["oembed/1.0", "wp/v2", "wp-site-health/v1", "wp-block-editor/v1"];
    namespaces.extend(seo::namespaces(site));
    let authorization = format!("{home}/wp-admin/authorize-application.php");
    json!({
        "name": site.settings["title"], "description": site.settings["description"], "url": home, "home": home,
        "gmt_offset": "0", "timezone_string": "UTC", "namespaces": namespaces, "routes": {},
        "authentication": { "application-passwords": { "endpoints": { "authorization": authorization } } }
    })
}

/// The number of the user who asks: the editor, or the author, who may not write unfiltered HTML.
pub(crate) fn user(request: &Request) -> usize {
    1 + usize::from(request.basic().is_some_and(|(name, _)| name == WRITER))
}

/// Whether who asks may write scripts and forms into a content.
pub(crate) fn may_write_markup(request: &Request) -> bool {
    user(request) == 1
}

/// The type behind a path.
pub(crate) fn kind(base: &str) -> &'static str {
    match base {
        "pages" => "page",
        "product" => "product",
        _ => "post",
    }
}

fn users(request: &Request) -> Vec<Value> {
    let all = shop::AUTHORS.iter().enumerate().map(|(at, (slug, name))| {
        let mut user = json!({ "id": at + 1, "name": name, "slug": slug, "description": "", "link": format!("/author/{slug}/") });
        if items::edits(request) {
            let edits = at != 1;
            user["email"] = json!(format!("{slug}@{}", shop::HOST));
            user["roles"] = json!([if edits { "editor" } else { "author" }]);
            user["capabilities"] = json!({ "edit_posts": true, "edit_pages": edits, "publish_posts": true, "delete_posts": true,
                "upload_files": true, "unfiltered_html": edits, "edit_others_posts": edits, "manage_options": edits });
        }
        user
    });
    all.collect()
}

fn types() -> Value {
    let of = |slug: &str, name: &str, base: &str, hierarchical: bool, taxonomies: &[&str]| {
        json!({ "slug": slug, "name": name, "rest_base": base, "rest_namespace": "wp/v2", "hierarchical": hierarchical,
            "taxonomies": taxonomies, "description": "", "has_archive": false })
    };
    json!({
        "post": of("post", "Posts", "posts", false, &["category", "post_tag"]),
        "page": of("page", "Pages", "pages", true, &[]),
        "product": of("product", "Products", "product", false, &[]),
        "attachment": of("attachment", "Media", "media", false, &[]),
    })
}

fn taxonomies() -> Value {
    let of = |slug: &str, name: &str, base: &str, hierarchical: bool| {
        json!({ "slug": slug, "name": name, "rest_base": base, "rest_namespace": "wp/v2", "types": ["post"],
            "hierarchical": hierarchical, "description": "" })
    };
    json!({ "category": of("category", "Categories", "categories", true), "post_tag": of("post_tag", "Tags", "tags", false) })
}
