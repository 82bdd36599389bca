//! What response headers say to search engines.

use std::collections::BTreeMap;

use super::facts::PageFacts;
use super::parts::{Alternate, Canonical, Place, ResponseHeaders};
use super::read::resolved;
use crate::text::clip;
use crate::url::Url;

/// The headers that are kept; values of others may be private and are never looked at.
const KEPT: &[&str] = &[
    "age",
    "alt-svc",
    "cache-control",
    "content-encoding",
    "content-language",
    "content-length",
    "content-security-policy",
    "content-type",
    "date",
    "etag",
    "expires",
    "last-modified",
    "link",
    "location",
    "permissions-policy",
    "referrer-policy",
    "retry-after",
    "server",
    "strict-transport-security",
    "vary",
    "x-content-type-options",
    "x-frame-options",
    "x-powered-by",
    "x-robots-tag",
];

/// The longest value kept, in characters.
const LONGEST: usize = 1_000;
/// The most values of one header.
const MOST: usize = 10;

pub(super) fn keep(headers: &[(String, String)]) -> ResponseHeaders {
    let mut kept: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in headers {
        let name = name.to_ascii_lowercase();
        if KEPT.binary_search(&name.as_str()).is_ok() {
            let values = kept.entry(name).or_default();
            if values.len() < MOST {
                values.push(clip(value.trim(), LONGEST).to_owned());
            }
        }
    }
    ResponseHeaders(kept)
}

/// The media type alone in lower case, and the whole header.
pub(super) fn media_type(headers: &ResponseHeaders) -> (String, Option<String>) {
    let full = headers.get("content-type").map(str::to_owned);
    let bare =
        full.as_deref().and_then(|value| value.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase();
    (bare, full)
}

/// One link of a `Link` header (RFC 8288).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// Where it leads, as written.
    pub target: String,
    /// Its relations in lower case, separated by spaces.
    pub rel: String,
    /// The language of the target.
    pub hreflang: Option<String>,
}

/// The links of one value of a `Link` header (RFC 8288); what cannot be read is left out.
#[must_use]
pub fn link_header(value: &str) -> Vec<HeaderLink> {
    let mut links = Vec::new();
    for link in split_outside_quotes(value, ',') {
        let Some((target, parameters)) = link.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
            continue;
        };
        let (mut rel, mut hreflang) = (String::new(), None);
        for parameter in split_outside_quotes(parameters, ';') {
            let Some((name, value)) = parameter.split_once('=') else { continue };
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "rel" if rel.is_empty() => rel = value.to_ascii_lowercase(),
                "hreflang" => hreflang = Some(value.to_owned()),
                _ => {}
            }
        }
        links.push(HeaderLink { target: target.trim().to_owned(), rel, hreflang });
    }
    links
}

/// Canonical and language alternates of a `Link` header.
pub(super) fn read_link(value: &str, base: &Url, facts: &mut PageFacts) {
    for link in link_header(value) {
        let (href, url) = (link.target.clone(), resolved(base, &link.target));
        let mut relations = link.rel.split_ascii_whitespace();
        if relations.clone().any(|one| one == "canonical") && facts.canonicals.len() < 10 {
            facts.canonicals.push(Canonical { href, url, place: Place::Header, restricted: None });
        } else if let Some(lang) = link.hreflang
            && relations.any(|one| one == "alternate")
            && facts.hreflang.len() < 300
        {
            facts.hreflang.push(Alternate { lang, href, url, place: Place::Header });
        }
    }
}

/// Splits where the separator is not inside `"…"` or `<…>`.
fn split_outside_quotes(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut bracketed) = (false, false);
    text.split(move |c| {
        match c {
            '"' => quoted = !quoted,
            '<' if !quoted => bracketed = true,
            '>' if !quoted => bracketed = false,
            _ => {}
        }
        c == separator && !quoted && !bracketed
    })
}
