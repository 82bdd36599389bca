//! `search_console.sitemap.*`: the sitemaps that Search Console knows.
//!
//! Source: developers.google.com/webmaster-tools/v1/sitemaps.

use kit::sitemap;
use sdk::prelude::*;
use sdk::{Degraded, Next, Send, json};
use search::Reached;
use serde::Deserialize;
use site::Site;

use crate::google::{encoded, property_path};

/// Files that are fetched for one list.
const MAX_FETCHED: usize = 20;
/// Files that are fetched at once.
const AT_ONCE: usize = 4;
/// Bytes of a file that are read.
const MAX_BYTES: u32 = 8 << 20;
/// What a sitemap may have (sitemaps.org, protocol 0.9).
const MAX_URLS: usize = 50_000;
const WHY: &str = "sitemaps are managed in the property of the website in Search Console";

#[args]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
}

#[args]
pub(crate) struct One {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The address of the sitemap.
    url: Url,
}

/// What a file has now.
#[value]
pub(crate) struct Live {
    /// The status that answered; null when there was no answer.
    status: Option<u16>,
    /// Addresses, or files of an index.
    urls: Option<u64>,
    /// `urlset`, `index`, `text` or `unknown`.
    #[own]
    form: String,
    /// The newest date that it names.
    lastmod_max: Option<String>,
    /// What is wrong with it.
    #[own]
    errors: Vec<String>,
}

/// A sitemap.
#[value]
pub(crate) struct Sitemap {
    /// Its address.
    path: String,
    /// What it is for Google: `sitemap`, `rssFeed`, `atomFeed`, `urlList`, …
    kind: Option<String>,
    /// Whether it is an index of others.
    is_index: bool,
    /// Whether Google has not read it yet.
    is_pending: bool,
    /// When it was submitted last.
    last_submitted: Option<String>,
    /// When Google read it last.
    last_downloaded: Option<String>,
    /// Errors that Google found.
    errors: u64,
    /// Warnings of Google.
    warnings: u64,
    /// Addresses that Google read in it.
    submitted_urls: u64,
    /// The file as it is now; null when it was not fetched.
    live: Option<Live>,
}

/// The sitemaps of a property.
#[value]
pub(crate) struct Sitemaps {
    /// Those with errors first.
    sitemaps: Vec<Sitemap>,
    /// The property, as Search Console names it.
    property: String,
    /// What to do next.
    next: Vec<Next>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// What was checked before a sitemap was submitted.
#[value]
pub(crate) struct Submitted {
    /// Always true.
    submitted: bool,
    /// The file as it was fetched.
    validation: Live,
}

/// A removed sitemap.
#[value]
pub(crate) struct Deleted {
    /// Always true.
    deleted: bool,
}

#[derive(Deserialize)]
struct Answered {
    #[serde(default)]
    sitemap: Vec<Written>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Written {
    path: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    is_sitemaps_index: bool,
    is_pending: bool,
    last_submitted: Option<String>,
    last_downloaded: Option<String>,
    errors: Option<String>,
    warnings: Option<String>,
    contents: Vec<Contents>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Contents {
    submitted: Option<String>,
}

/// Lists sitemaps known to Search Console with submitted and error counts and last download, compared with the live files.
///
/// At most 20 files are fetched. Google no longer says how many addresses of a sitemap are indexed; use
/// `indexing.inspection.run` for that.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 24),
    needs = ["store", "web", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console GET /webmasters/v3/sites/*/sitemaps",
    ],
    phrasings = [
        "which sitemaps does google know",
        "sitemap errors in search console",
        "when did google last read my sitemap",
        "compare submitted sitemaps with the live files",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Sitemaps> {
    let site = site::get(cx, &args.site_id)?;
    let reached = search::property(cx, &site, WHY)?;
    let request = Send::get(&reached.connection, format!("{}/sitemaps", property_path(&reached)));
    let answered: Answered = cx.connections().send(&request)?.accepted()?.json()?;
    let number = |text: &Option<String>| text.as_deref().and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut sitemaps: Vec<Sitemap> = answered
        .sitemap
        .into_iter()
        .map(|it| Sitemap {
            errors: number(&it.errors),
            warnings: number(&it.warnings),
            submitted_urls: it.contents.iter().map(|it| number(&it.submitted)).sum(),
            path: it.path,
            kind: it.kind,
            is_index: it.is_sitemaps_index,
            is_pending: it.is_pending,
            last_submitted: it.last_submitted,
            last_downloaded: it.last_downloaded,
            live: None,
        })
        .collect();
    sitemaps.sort_by(|a, b| b.errors.cmp(&a.errors).then_with(|| a.path.cmp(&b.path)));
    let own: Vec<(usize, Url)> = sitemaps
        .iter()
        .enumerate()
        .filter_map(|(at, it)| Some((at, it.path.parse::<Url>().ok().filter(|url| site.has(url.as_str()))?)))
        .take(MAX_FETCHED)
        .collect();
    // A few at a time: a file has up to 8 MiB, and all of them would not fit into memory.
    for some in own.chunks(AT_ONCE) {
        let requests = some.iter().map(|(_, url)| Request::get(url).follow(3).max_bytes(MAX_BYTES).timeout(8_000));
        for ((at, _), answer) in some.iter().zip(cx.web().fetch_many(requests)) {
            sitemaps[*at].live = Some(live(answer.as_ref()));
        }
    }
    let mut degraded = Vec::new();
    if own.len() < sitemaps.len() {
        let why = format!(
            "{} of {} files were fetched: the first {MAX_FETCHED} on the website's own host",
            own.len(),
            sitemaps.len()
        );
        degraded.push(Degraded::new("live", why));
    }
    let mut next = Vec::new();
    if sitemaps.is_empty() {
        let arguments = json!({ "site_id": site.id, "url": format!("{}/sitemap.xml", site.origin) });
        next.push(Next::new("search_console.sitemap.submit", arguments, "tells Google of the sitemap"));
    }
    Ok(Sitemaps { sitemaps, property: reached.property, next, degraded })
}

/// Submits a sitemap to Search Console after validating that it is reachable and well formed.
///
/// The file is fetched first; one that is not a sitemap, an index, a feed or a list of addresses is refused, and nothing is
/// sent then.
#[operation(
    write,
    scope = "seo:execute",
    cost = live(most = 8),
    side_effects = ["submits the sitemap to Google Search Console"],
    needs = ["web", "store", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console PUT /webmasters/v3/sites/*/sitemaps/* change",
    ],
    phrasings = [
        "submit my sitemap to google",
        "tell search console about a new sitemap",
        "resubmit the sitemap",
        "add a sitemap in search console",
    ],
    examples = [{ "site_id": "4503599627370496", "url": "https://shop.example/sitemap.xml" }]
)]
pub(crate) fn submit(cx: &Cx, args: One) -> Result<Submitted> {
    let (site, reached) = covered(cx, &args)?;
    if !site.has(args.url.as_str()) {
        let message = format!("the address is not one of this website, which is at {}", site.origin);
        return Err(Fault::invalid("/url", "url_not_of_site", message));
    }
    let fetched = cx.web().fetch(&Request::get(&args.url).follow(3).max_bytes(MAX_BYTES).timeout(20_000));
    let fault = fetched.as_ref().err().and_then(|failure| failure.unasked("/url"));
    if let Some(fault) = fault {
        return Err(fault);
    }
    let validation = live(fetched.as_ref());
    if !validation.errors.is_empty() {
        let message = format!("this is no sitemap that Google can read: {}", validation.errors.join("; "));
        return Err(Fault::invalid("/url", "invalid_sitemap", message).detail(json!({ "validation": validation })));
    }
    let path = format!("{}/sitemaps/{}", property_path(&reached), encoded(args.url.as_str()));
    cx.connections().send(&Send::put(&reached.connection, path))?.accepted()?;
    Ok(Submitted { submitted: true, validation })
}

/// Removes a sitemap from Search Console; the file and indexed pages are not touched.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = live(most = 8),
    side_effects = ["removes the sitemap from Google Search Console"],
    needs = ["store", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console DELETE /webmasters/v3/sites/*/sitemaps/* remove",
    ],
    phrasings = [
        "remove a sitemap from search console",
        "delete an old sitemap at google",
        "google should forget this sitemap",
        "unsubmit a sitemap",
    ],
    examples = [{ "site_id": "4503599627370496", "url": "https://shop.example/old-sitemap.xml" }]
)]
pub(crate) fn delete(cx: &Cx, args: One) -> Result<Deleted> {
    let (_, reached) = covered(cx, &args)?;
    let path = format!("{}/sitemaps/{}", property_path(&reached), encoded(args.url.as_str()));
    let answer = cx.connections().send(&Send::delete(&reached.connection, path))?;
    if answer.status == 404 {
        let message =
            "Search Console does not know this sitemap; search_console.sitemap.list shows those that it knows";
        return Err(Fault::not_found("sitemap_not_found", message).at("/url"));
    }
    answer.accepted()?;
    Ok(Deleted { deleted: true })
}

/// The website and the property, which has to cover the address.
fn covered(cx: &Cx, args: &One) -> Result<(Stored<Site>, Reached)> {
    let site = site::get(cx, &args.site_id)?;
    let reached = search::property(cx, &site, WHY)?;
    if !search::covers(&reached.property, args.url.as_str()) {
        let message =
            "the property of the website does not cover this address; a URL-prefix property covers what begins with it";
        return Err(
            Fault::invalid("/url", "url_not_of_property", message).detail(json!({ "property": reached.property }))
        );
    }
    Ok((site, reached))
}

/// What a fetched file is.
fn live(answer: Result<&Response, &sdk::Failure>) -> Live {
    let nothing = |status: Option<u16>, error: String| Live {
        status,
        urls: None,
        form: "unknown".to_owned(),
        lastmod_max: None,
        errors: vec![error],
    };
    let response = match answer {
        Ok(response) => response,
        Err(failure) => return nothing(None, format!("not reachable: {}", failure.name())),
    };
    if !response.is_success() {
        return nothing(Some(response.status), format!("answered with status {}", response.status));
    }
    let read = sitemap::read(&response.body);
    let mut errors = Vec::new();
    if response.truncated {
        errors.push("larger than 8 MiB, of which the rest was not read".to_owned());
    }
    if read.urls.is_empty() && read.sitemaps.is_empty() {
        errors.push("names no address".to_owned());
    }
    if read.urls.len() > MAX_URLS {
        errors.push(format!("names {} addresses, and a sitemap has at most {MAX_URLS}", read.urls.len()));
    }
    let form = match (read.sitemaps.is_empty(), response.body.trim_ascii_start().starts_with(b"http")) {
        (false, _) => "index",
        (true, true) => "text",
        (true, false) => "urlset",
    };
    let lastmod_max = read.urls.iter().filter_map(|it| it.lastmod.clone()).max();
    let urls = Some((read.urls.len() + read.sitemaps.len()) as u64);
    Live { status: Some(response.status), urls, form: form.to_owned(), lastmod_max, errors }
}
