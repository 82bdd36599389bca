//! Rules about addresses that were spelled by mistake.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::fact::{authority, split};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "url.double_encoded",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address is escaped twice",
        explanation: "An escape of an escape (%2520 for a space) comes from a link that was encoded once too often; it is another address than the one that was meant.",
        advice: "Correct the link that leads here, and redirect to the plain address.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-2.4",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(double_encoded),
    },
    Rule {
        id: "url.unsafe_characters",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address has signs that must be escaped",
        explanation: "Quotes, brackets and braces (RFC 3986 section 2) break links in messages and in other programs.",
        advice: "Leave them out of the path.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-2.2",
        operation: "cms.redirect.upsert",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Page(unsafe_characters),
    },
    Rule {
        id: "url.parameter_repeated",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A parameter stands twice in the address",
        explanation: "Servers take the first or the last of them, and each order is another address.",
        advice: "Correct the link that adds it again.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "crawl.trap.detect",
        effort: Effort::Low,
        confidence: 72,
        check: Check::Page(parameter_repeated),
    },
    Rule {
        id: "url.port",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address names a port",
        explanation: "A port other than the usual one is closed in many networks, and nobody types it.",
        advice: "Serve the page on the usual port.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3",
        operation: "domains.dns.health.check",
        effort: Effort::Medium,
        confidence: 75,
        check: Check::Page(port),
    },
    Rule {
        id: "url.ip_address",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address is a number in place of a name",
        explanation: "A page under an IP address has no name to be remembered, no certificate that fits, and moves when the server does.",
        advice: "Serve and link the page under its domain.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "domains.dns.health.check",
        effort: Effort::Medium,
        confidence: 88,
        check: Check::Page(ip_address),
    },
    Rule {
        id: "url.trailing_sign",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address ends with a sign of the sentence around it",
        explanation: "A full stop, comma or bracket was taken into the link; the page answers under two addresses.",
        advice: "Correct the link that leads here, and redirect to the plain address.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(trailing_sign),
    },
    Rule {
        id: "url.file_listing",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The server lists its files",
        explanation: "A folder without a page shows what lies in it, to visitors, search engines and attackers.",
        advice: "Turn listings off, or put a page there.",
        reference: "https://owasp.org/www-project-web-security-testing-guide/",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(file_listing),
    },
];

fn double_encoded(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    let twice = path
        .split("%25")
        .skip(1)
        .any(|rest| rest.get(..2).is_some_and(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit())));
    twice.then(|| Evidence::at("path", path).expected(path.replace("%25", "%")))
}

fn unsafe_characters(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const SIGNS: [&str; 12] = ["%22", "%3C", "%3E", "%5B", "%5C", "%5D", "%5E", "%60", "%7B", "%7C", "%7D", "%0A"];
    let (path, _) = split(&page.final_url)?;
    let sign = SIGNS.iter().find(|sign| path.contains(**sign))?;
    Some(Evidence::at("path", path).expected(format!("no {sign}")))
}

fn parameter_repeated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (_, query) = split(&page.final_url)?;
    let names: Vec<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).take(100).collect();
    // `filter[]=a&filter[]=b` is a list.
    let list = |name: &str| name.ends_with("[]") || name.ends_with("%5B%5D");
    let twice =
        names.iter().enumerate().find(|(at, name)| !name.is_empty() && !list(name) && names[..*at].contains(name))?;
    Some(Evidence::at("query", query).expected(format!("{} once", twice.1)))
}

fn port(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let authority = authority(&page.final_url)?;
    let (_, port) = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()))?;
    Some(Evidence::at("host", authority).expected(format!("no port {port}")))
}

fn ip_address(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let authority = authority(&page.final_url)?;
    let name = authority.split(':').next().unwrap_or_default();
    let number = name.parse::<std::net::Ipv4Addr>().is_ok() || authority.starts_with('[');
    number.then(|| Evidence::at("host", authority).expected("a domain name"))
}

fn trailing_sign(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, query) = split(&page.final_url)?;
    // Brackets in pairs belong to the name, as in `/Lamp_(band)`.
    let paired = path.contains('(') || path.contains("%28");
    let bare = path.trim_end_matches([',', ';', ':', ')', '\'', '!']).trim_end_matches("%22").trim_end_matches("%29");
    (query.is_empty() && !paired && bare.len() < path.len() && bare.len() > 1)
        .then(|| Evidence::at("path", path).expected(bare))
}

fn file_listing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    let title = page.titles.first()?;
    let listed =
        ["Index of /", "Directory listing for /", "Directory Listing For"].iter().any(|it| title.starts_with(it));
    (listed && path.ends_with('/')).then(|| Evidence::at("<title>", title).expected("a page, or status 403"))
}
