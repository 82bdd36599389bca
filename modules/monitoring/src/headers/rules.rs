//! The rules that response headers are held against, as a table.
//!
//! Sources: RFC 9110 (HTTP semantics), RFC 9111 (caching), RFC 6797 (HSTS), developer.mozilla.org/observatory,
//! developers.google.com/search/docs/crawling-indexing/robots-meta-tag, as of 2026-11.

mod security;

use std::collections::BTreeMap;

/// What an address sent.
pub(super) struct Said<'a> {
    pub(super) headers: &'a BTreeMap<String, String>,
    /// The values of `x-robots-tag` and `set-cookie`, each as it was sent; cookies in lower case.
    pub(super) robots: Vec<String>,
    pub(super) cookies: Vec<String>,
    pub(super) status: u16,
    pub(super) is_secure: bool,
    pub(super) is_html: bool,
    /// Of the body, unpacked.
    pub(super) bytes: usize,
    /// What the secure side agrees on.
    pub(super) protocol: Option<&'a str>,
}

/// One rule.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) area: &'static str,
    /// The header whose value is shown.
    pub(super) header: &'static str,
    /// Points that it costs.
    pub(super) weight: u32,
    pub(super) message: &'static str,
    pub(super) advice: &'static str,
    pub(super) applies: fn(&Said<'_>) -> bool,
    pub(super) holds: fn(&Said<'_>) -> bool,
}

impl Said<'_> {
    fn get(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn low(&self, name: &str) -> String {
        self.get(name).to_ascii_lowercase()
    }

    fn has(&self, name: &str) -> bool {
        self.headers.contains_key(name)
    }

    /// A directive of `cache-control` with its value; empty for one without.
    fn cache(&self, directive: &str) -> Option<String> {
        let all = self.low("cache-control");
        all.split(',').map(str::trim).find_map(|it| {
            let (name, value) = it.split_once('=').unwrap_or((it, ""));
            (name.trim() == directive).then(|| value.trim().trim_matches('"').to_owned())
        })
    }

    /// A directive of the content security policy.
    fn policy(&self, directive: &str) -> Option<String> {
        let all = self.low("content-security-policy");
        all.split([';', ',']).map(str::trim).find_map(|it| {
            let (name, value) = it.split_once(char::is_whitespace).unwrap_or((it, ""));
            (name == directive).then(|| value.trim().to_owned())
        })
    }

    fn hsts_seconds(&self) -> Option<u64> {
        let all = self.low("strict-transport-security");
        all.split(';').find_map(|it| it.trim().strip_prefix("max-age=")?.trim_matches('"').parse().ok())
    }
}

fn always(_: &Said<'_>) -> bool {
    true
}

fn html(it: &Said<'_>) -> bool {
    it.is_html
}

fn secure(it: &Said<'_>) -> bool {
    it.is_secure
}

fn well(it: &Said<'_>) -> bool {
    it.status < 300
}

/// A rule, in the order of its members.
macro_rules! rule {
    ($name:literal, $area:literal, $header:literal, $weight:literal, $message:literal, $advice:literal, $applies:expr, $holds:expr) => {
        Rule {
            name: $name,
            area: $area,
            header: $header,
            weight: $weight,
            message: $message,
            advice: $advice,
            applies: $applies,
            holds: $holds,
        }
    };
}

use rule;

/// All rules.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().chain(&security::RULES)
}

/// The rules of caching, compression, the protocol and robots.
const RULES: [Rule; 21] = [
    // Caching.
    rule!(
        "cache_control_missing",
        "caching",
        "cache-control",
        4,
        "nothing says how long the answer may be kept",
        "send cache-control with a max-age, or no-cache",
        well,
        |it| it.has("cache-control") || it.has("expires")
    ),
    rule!(
        "no_store_of_a_page",
        "caching",
        "cache-control",
        3,
        "no-store keeps browsers from going back to the page at once",
        "send no-cache in place of no-store for a page that is public",
        |it| html(it) && well(it),
        |it| it.cache("no-store").is_none()
    ),
    rule!(
        "contradicting_freshness",
        "caching",
        "cache-control",
        2,
        "max-age and no-store contradict each other",
        "send one of them",
        |it| it.has("cache-control"),
        |it| it.cache("no-store").is_none() || it.cache("max-age").is_none_or(|it| it == "0")
    ),
    rule!(
        "max_age_unreadable",
        "caching",
        "cache-control",
        3,
        "the max-age is no number",
        "write max-age in whole seconds",
        |it| it.cache("max-age").is_some(),
        |it| it.cache("max-age").is_some_and(|it| it.parse::<u64>().is_ok())
    ),
    rule!(
        "expires_in_the_past",
        "caching",
        "expires",
        1,
        "expires is no date, and cache-control says nothing",
        "send cache-control in its place",
        |it| it.has("expires") && !it.has("cache-control"),
        |it| kit::dates::parse(it.get("expires")).is_some()
    ),
    rule!(
        "no_validator",
        "caching",
        "etag",
        3,
        "without etag and last-modified an old copy cannot be checked cheaply",
        "send an etag, or last-modified",
        |it| well(it) && it.cache("no-store").is_none(),
        |it| it.has("etag") || it.has("last-modified")
    ),
    rule!(
        "vary_star",
        "caching",
        "vary",
        4,
        "vary with * keeps every cache from using a copy",
        "name the headers that the answer depends on",
        |it| it.has("vary"),
        |it| !it.get("vary").split(',').any(|it| it.trim() == "*")
    ),
    rule!(
        "vary_user_agent",
        "caching",
        "vary",
        2,
        "vary with user-agent makes a copy for each version of each browser",
        "vary by client hints, or send the same to all",
        |it| it.has("vary"),
        |it| !it.low("vary").contains("user-agent")
    ),
    rule!(
        "vary_encoding_missing",
        "caching",
        "vary",
        2,
        "a packed answer without vary: accept-encoding may reach those who cannot unpack it",
        "send vary: accept-encoding",
        |it| it.has("content-encoding"),
        |it| it.low("vary").contains("accept-encoding")
    ),
    rule!(
        "pragma",
        "caching",
        "pragma",
        1,
        "pragma is of HTTP 1.0 and says nothing in an answer",
        "leave it out",
        |it| it.has("pragma"),
        |_| false
    ),
    rule!(
        "public_with_cookie",
        "caching",
        "cache-control",
        5,
        "an answer that sets a cookie says that all caches may keep it",
        "send private, or no cookie",
        |it| it.has("set-cookie"),
        |it| it.cache("public").is_none()
    ),
    // Compression.
    rule!(
        "not_compressed",
        "compression",
        "content-encoding",
        8,
        "the text was sent unpacked",
        "compress with br or gzip",
        |it| it.bytes > 1_400 && is_text(it),
        |it| it.has("content-encoding")
    ),
    // Protocol.
    rule!(
        "not_secure",
        "protocol",
        "location",
        20,
        "the address is served without encryption",
        "redirect to https",
        always,
        secure
    ),
    rule!(
        "hsts_missing",
        "protocol",
        "strict-transport-security",
        8,
        "browsers are not told to come by https alone",
        "send strict-transport-security: max-age=31536000; includeSubDomains",
        secure,
        |it| it.has("strict-transport-security")
    ),
    rule!(
        "hsts_short",
        "protocol",
        "strict-transport-security",
        3,
        "https is remembered for less than half a year",
        "raise max-age to 31536000",
        |it| secure(it) && it.has("strict-transport-security"),
        |it| it.hsts_seconds().is_some_and(|it| it >= 15_552_000)
    ),
    rule!(
        "hsts_without_encryption",
        "protocol",
        "strict-transport-security",
        1,
        "over http this header says nothing",
        "send it over https alone",
        |it| !it.is_secure && it.has("strict-transport-security"),
        |_| false
    ),
    rule!(
        "http_1",
        "protocol",
        "alt-svc",
        4,
        "the server speaks HTTP/1.1 alone",
        "switch HTTP/2 on",
        |it| it.protocol.is_some(),
        |it| it.protocol == Some("h2")
    ),
    rule!(
        "no_http_3",
        "protocol",
        "alt-svc",
        1,
        "HTTP/3 is not offered",
        "offer it with alt-svc: h3=\":443\"",
        |it| it.protocol == Some("h2"),
        |it| it.low("alt-svc").contains("h3")
    ),
    // Robots.
    rule!(
        "noindex_header",
        "robots",
        "x-robots-tag",
        15,
        "x-robots-tag keeps the page out of searches",
        "leave noindex out, if the page is meant to be found",
        |it| well(it) && it.has("x-robots-tag"),
        |it| !robots(it, &["noindex", "none"])
    ),
    rule!(
        "nofollow_header",
        "robots",
        "x-robots-tag",
        5,
        "x-robots-tag keeps search engines from following the links of the page",
        "leave nofollow out",
        |it| well(it) && it.has("x-robots-tag"),
        |it| !robots(it, &["nofollow", "none"])
    ),
    rule!(
        "charset_missing",
        "robots",
        "content-type",
        2,
        "the encoding of the page is not declared in its type",
        "send content-type: text/html; charset=utf-8",
        html,
        |it| it.low("content-type").contains("charset=")
    ),
];

fn is_text(it: &Said<'_>) -> bool {
    let kind = it.low("content-type");
    ["text/", "json", "javascript", "xml", "svg"].iter().any(|word| kind.contains(word))
}

/// Whether one of some directives is there for all crawlers, or for Google's.
fn robots(it: &Said<'_>, wanted: &[&str]) -> bool {
    let found = kit::directives::of_headers(&it.robots, "googlebot");
    found.iter().any(|it| wanted.contains(&it.as_str()))
}
