//! The operation `indexing.sitemap.discover`, and how a sitemap is fetched.

pub(crate) mod audit;
pub(crate) mod datetime;
pub(crate) mod fault;
pub(crate) mod feed;
pub(crate) mod generate;
pub(crate) mod structure;
pub(crate) mod validation;
pub(crate) mod values;
pub(crate) mod write;
pub(crate) mod xml;

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use kit::dom::Dom;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::{Failure, json};

use crate::robots;

/// Bytes that are read of a file, and of what it inflates to: what one request may bring.
const BYTES: u32 = 8 << 20;
/// The same where several files are read in one call.
const FEWER_BYTES: u32 = 2 << 20;
/// Bytes of the home page that links are looked for in.
const HOME: u32 = 512 << 10;
/// Files that one call looks into.
const FILES: usize = 20;
/// Where sitemaps usually are, by the programs that write them.
const USUAL: [&str; 7] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/wp-sitemap.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
    "/sitemaps/sitemap.xml",
];

/// A file as it was fetched.
pub(crate) struct Fetched {
    /// The address that answered.
    pub(crate) url: String,
    /// As text, inflated.
    pub(crate) text: String,
    /// Bytes after inflation.
    pub(crate) bytes: u64,
    pub(crate) gzip: bool,
    pub(crate) bad_gzip: bool,
    pub(crate) not_utf8: bool,
    /// Whether the file is longer than what is read.
    pub(crate) truncated: bool,
}

impl Fetched {
    pub(crate) fn of(response: &Response, most: u32) -> Self {
        let gzip = response.body.starts_with(&[0x1f, 0x8b]);
        let (mut bad_gzip, mut truncated) = (false, response.truncated);
        let inflated = gzip.then(|| {
            let mut out = Vec::new();
            let read = MultiGzDecoder::new(&response.body[..]).take(u64::from(most) + 1).read_to_end(&mut out);
            truncated |= out.len() > most as usize;
            out.truncate(most as usize);
            // The end of an archive that was cut by us is no fault of its own.
            bad_gzip = read.is_err() && !response.truncated;
            out
        });
        let body = inflated.as_deref().unwrap_or(&response.body);
        // A character that was cut at the end is no fault either.
        let whole = std::str::from_utf8(body).err().is_none_or(|it| it.error_len().is_none() && truncated);
        Self {
            url: response.url.clone(),
            text: kit::charset::decode(body, Some("text/xml; charset=utf-8")).0.into_owned(),
            bytes: body.len() as u64,
            not_utf8: !whole,
            gzip,
            bad_gzip,
            truncated,
        }
    }

    /// Whether it is a list of addresses, one a line, and not XML.
    pub(crate) fn is_list(&self) -> bool {
        !self.text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
    }
}

/// Fetches one file that an operation stands and falls with.
pub(crate) fn fetch(cx: &Cx, url: &Url, pointer: &str) -> Result<Fetched> {
    let request = Request::get(url).max_bytes(BYTES).timeout(20_000);
    let response = match cx.web().fetch(&request) {
        Ok(response) => response,
        Err(Failure::Refused) => {
            return Err(Fault::invalid(pointer, "url_refused", "this address is not a public one"));
        }
        Err(failure) => {
            let told = || {
                let message = format!("the sitemap did not answer: {}", failure.name());
                Fault::invalid(pointer, "sitemap_unreachable", message)
            };
            return Err(failure.unasked(pointer).unwrap_or_else(told));
        }
    };
    if !response.is_success() {
        let message = format!("the sitemap answered with status {}; crawlers take 200 only", response.status);
        let fault = Fault::invalid(pointer, "sitemap_not_ok", message);
        return Err(fault.detail(json!({ "status": response.status })));
    }
    Ok(Fetched::of(&response, BYTES))
}

#[args]
pub(crate) struct Discover {
    /// The website, by any of its addresses.
    origin: Url,
}

/// How a sitemap became known.
#[value]
pub(crate) enum Source {
    /// A line of robots.txt.
    Robots,
    /// A link of the home page.
    Html,
    /// A usual place.
    Usual,
    /// A feed that the home page names.
    Feed,
    /// An index lists it.
    Index,
}

/// What a file is.
#[value]
pub(crate) enum Type {
    Urlset,
    Index,
    Text,
    Rss,
    Atom,
    Unreadable,
}

/// A sitemap or a feed.
#[value]
pub(crate) struct Found {
    url: String,
    source: Source,
    #[serde(rename = "type")]
    kind: Type,
    /// The status that it answered with; 0 without an answer.
    status: u16,
    /// Addresses in it, or files of an index; none when it could not be read.
    urls: Option<u32>,
    /// The newest date that it gives, as written.
    lastmod: Option<String>,
    /// Seconds since then.
    age_seconds: Option<u64>,
    /// What looks at it closely.
    fix: Fix,
}

/// The sitemaps of a website.
#[value]
pub(crate) struct Discovered {
    /// Those of robots.txt first.
    sitemaps: Vec<Found>,
    /// When they were looked for.
    looked_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Finds sitemaps from robots.txt, usual paths, HTML links and feeds and returns type, URL counts and freshness of each.
///
/// A usual path that answers with anything else than a sitemap is no find. At most 20 files are looked into.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 32),
    needs = ["web"],
    phrasings = [
        "find the sitemaps of my website",
        "where is my sitemap",
        "does this site have an xml sitemap",
        "how many urls are in my sitemaps",
    ],
    examples = [{ "origin": "https://shop.example" }]
)]
pub(crate) fn discover(cx: &Cx, args: Discover) -> Result<Discovered> {
    let origin = robots::origin(&args.origin, "/origin")?;
    let mut degraded = Vec::new();
    let rules = robots::fetch(cx, &origin, "/origin")?;
    let mut wanted: Vec<(Source, String)> = Vec::new();
    let add = |wanted: &mut Vec<(Source, String)>, source: Source, url: String| {
        if !wanted.iter().any(|(_, it)| *it == url) {
            wanted.push((source, url));
        }
    };
    let base = kit::url::Url::parse(&origin).map_err(|_| Fault::invalid("/origin", "no_origin", "no address"))?;
    for line in rules.rules("Googlebot").sitemaps {
        if let Some(url) = kit::url::resolve_normal(&base, &line) {
            add(&mut wanted, Source::Robots, url);
        }
    }
    match home(cx, &origin) {
        Ok(links) => links.into_iter().for_each(|(source, url)| add(&mut wanted, source, url)),
        Err(why) => degraded.push(Degraded::new("html", format!("the home page could not be read: {why}"))),
    }
    for path in USUAL {
        add(&mut wanted, Source::Usual, format!("{origin}{path}"));
    }
    if wanted.len() > FILES {
        degraded.push(Degraded::new(
            "files",
            format!("only the first {FILES} of {} candidates were looked into", wanted.len()),
        ));
        wanted.truncate(FILES);
    }
    let asked: Vec<(Source, Url)> =
        wanted.into_iter().filter_map(|(source, url)| Some((source, url.parse().ok()?))).collect();
    let requests = asked.iter().map(|(_, url)| Request::get(url).max_bytes(FEWER_BYTES).timeout(8_000).follow(3));
    let answers = cx.web().fetch_many(requests);
    let mut sitemaps: Vec<Found> = Vec::new();
    for ((source, url), answer) in asked.into_iter().zip(answers) {
        let found = look(cx, source, &url, &answer);
        // What answers under two addresses is told once.
        if let Some(found) = found {
            sitemaps.push(found);
        }
    }
    sitemaps.sort_by_key(|it| it.source);
    Ok(Discovered { sitemaps, looked_at: cx.now(), degraded })
}

/// The sitemaps and feeds that the home page links to in its head or text.
fn home(cx: &Cx, origin: &str) -> Result<Vec<(Source, String)>, String> {
    let url: Url = origin.parse()?;
    let request = Request::get(&url).max_bytes(HOME).timeout(8_000);
    let response = cx.web().fetch(&request).map_err(|failure| failure.name().to_owned())?;
    if !response.is_success() {
        return Err(format!("status {}", response.status));
    }
    let base = kit::url::Url::parse(&response.url).map_err(|_| "its address does not read".to_owned())?;
    let dom = Dom::parse(&response.text());
    let mut out = Vec::new();
    for link in dom.elements("link") {
        let value = |name: &str| dom.attribute(link, name).unwrap_or_default().trim().to_ascii_lowercase();
        let (rel, kind) = (value("rel"), value("type"));
        let href = dom.attribute(link, "href").and_then(|it| kit::url::resolve_normal(&base, it));
        let Some(href) = href else { continue };
        if rel.split_ascii_whitespace().any(|it| it == "sitemap") {
            out.push((Source::Html, href));
        } else if rel.split_ascii_whitespace().any(|it| it == "alternate")
            && matches!(kind.as_str(), "application/rss+xml" | "application/atom+xml")
        {
            out.push((Source::Feed, href));
        }
    }
    for link in dom.elements("a") {
        let href = dom.attribute(link, "href").and_then(|it| kit::url::resolve_normal(&base, it));
        let path = |it: &String| kit::url::path_and_query(it).to_ascii_lowercase();
        if let Some(href) = href.filter(|it| path(it).contains("sitemap") && path(it).contains(".xml")) {
            out.push((Source::Html, href));
        }
    }
    Ok(out)
}

/// What an answer is; none for a usual place with no sitemap.
fn look(cx: &Cx, source: Source, url: &Url, answer: &Result<Response, Failure>) -> Option<Found> {
    let guessed = source == Source::Usual;
    let fix = Fix::on("indexing.sitemap.validate", url.as_str());
    let unread = |status: u16| Found {
        url: url.as_str().to_owned(),
        source,
        kind: Type::Unreadable,
        status,
        urls: None,
        lastmod: None,
        age_seconds: None,
        fix: fix.clone(),
    };
    let response = match answer {
        Ok(response) if response.is_success() => response,
        Ok(response) => return (!guessed).then(|| unread(response.status)),
        Err(_) => return (!guessed).then(|| unread(0)),
    };
    let file = Fetched::of(response, FEWER_BYTES);
    let (kind, urls, lastmod) = summary(&file);
    if kind == Type::Unreadable && guessed {
        return None;
    }
    // A list of words under a usual path is most likely a page of errors.
    if kind == Type::Text && urls == Some(0) {
        return (!guessed).then(|| unread(response.status));
    }
    let age_seconds = lastmod.as_deref().and_then(datetime::read).map(|it| {
        let then = u64::try_from(it.millis).unwrap_or(0);
        cx.now().since(Moment::from_millis(then)) / 1_000
    });
    Some(Found { kind, urls, lastmod, age_seconds, ..unread(response.status) })
}

/// What a file is, how much it lists, and its newest date.
fn summary(file: &Fetched) -> (Type, Option<u32>, Option<String>) {
    if file.is_list() {
        let listed = kit::sitemap::read(file.text.as_bytes());
        return (Type::Text, u32::try_from(listed.urls.len()).ok(), None);
    }
    if let Some((kind, entries, newest)) = feed::read(&file.text) {
        return (kind, Some(entries), newest);
    }
    let read = xml::read(&file.text);
    let kind = match read.kind {
        xml::Kind::UrlSet => Type::Urlset,
        xml::Kind::Index => Type::Index,
        xml::Kind::Unknown => return (Type::Unreadable, None, None),
    };
    let dated = read.items.iter().filter_map(|it| Some((datetime::read(it.lastmod.as_deref()?)?.millis, &it.lastmod)));
    let newest = dated.max_by_key(|(millis, _)| *millis).and_then(|(_, text)| text.clone());
    (kind, u32::try_from(read.items.len()).ok(), newest)
}

#[cfg(test)]
mod tests;
