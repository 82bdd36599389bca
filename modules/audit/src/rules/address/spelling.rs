//! Rules about addresses that were spelled by mistake.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::{authority, split};

rules! {
    "url.double_encoded" Url Warning Page Low 92 Page(double_encoded);
    title "The address is escaped twice";
    why "An escape of an escape (%2520 for a space) comes from a link that was encoded once too often; it is another address than the one that was meant.";
    fix "cms.redirect.upsert" "Correct the link that leads here, and redirect to the plain address.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-2.4";

    "url.unsafe_characters" Url Notice Page Medium 80 Page(unsafe_characters);
    title "The address has signs that must be escaped";
    why "Quotes, brackets and braces (RFC 3986 section 2) break links in messages and in other programs.";
    fix "cms.redirect.upsert" "Leave them out of the path.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-2.2";

    "url.parameter_repeated" Url Notice Page Low 72 Page(parameter_repeated);
    title "A parameter stands twice in the address";
    why "Servers take the first or the last of them, and each order is another address.";
    fix "crawl.trap.detect" "Correct the link that adds it again.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.port" Url Notice Page Medium 75 Page(port);
    title "The address names a port";
    why "A port other than the usual one is closed in many networks, and nobody types it.";
    fix "domains.dns.health.check" "Serve the page on the usual port.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3";

    "url.ip_address" Url Warning Page Medium 88 Page(ip_address);
    title "The address is a number in place of a name";
    why "A page under an IP address has no name to be remembered, no certificate that fits, and moves when the server does.";
    fix "domains.dns.health.check" "Serve and link the page under its domain.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.trailing_sign" Url Warning Page Low 85 Page(trailing_sign);
    title "The address ends with a sign of the sentence around it";
    why "A full stop, comma or bracket was taken into the link; the page answers under two addresses.";
    fix "cms.redirect.upsert" "Correct the link that leads here, and redirect to the plain address.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.file_listing" Url Warning Page Low 90 Page(file_listing);
    title "The server lists its files";
    why "A folder without a page shows what lies in it, to visitors, search engines and attackers.";
    fix "cms.content.update" "Turn listings off, or put a page there.";
    see "https://owasp.org/www-project-web-security-testing-guide/";
}

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
