//! What several rules read of a page in the same way.

use kit::dates::Date;
use kit::page::PageFacts;

/// The value of a response header that says something; `name` in lower case.
pub(super) fn header<'a>(page: &'a PageFacts, name: &str) -> Option<&'a str> {
    page.headers.get(name).map(str::trim).filter(|value| !value.is_empty())
}

/// The content of a `<meta>` that is kept as it is; `name` as in `PageFacts::metas`.
pub(super) fn meta<'a>(page: &'a PageFacts, name: &str) -> Option<&'a str> {
    page.metas.iter().find(|(known, _)| known == name).map(|(_, content)| content.as_str())
}

/// The day on which the page was read, by the clock of its server (RFC 9110 section 6.6.1).
pub(super) fn day(page: &PageFacts) -> Option<Date> {
    kit::dates::parse(header(page, "date")?)
}

/// Path and query of an absolute address.
pub(super) fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.split_once("://")?.1;
    let rest = rest.split('#').next().unwrap_or_default();
    let path = rest.find('/').map_or("", |start| &rest[start..]);
    Some(path.split_once('?').unwrap_or((path, "")))
}

/// The host and port of an absolute address.
pub(super) fn authority(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#']).next()
}

/// The host of an absolute address, without `www.`: a site is the same with and without it.
pub(super) fn host(url: &str) -> Option<&str> {
    let host = authority(url)?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

/// Whether an address is the home page of its host.
pub(super) fn is_home(url: &str) -> bool {
    split(url).is_some_and(|(path, query)| matches!(path, "" | "/") && query.is_empty())
}

/// Whether a host is one on which sites are tried out before they go live, by its first label.
pub(super) fn is_trial(host: &str) -> bool {
    const NAMES: [&str; 8] = ["staging", "stage", "dev", "develop", "test", "uat", "preprod", "qa"];
    let host = host.split(':').next().unwrap_or_default();
    // Only what stands before the domain is a name that its owner chose for a part of it.
    let before = kit::url::registrable_domain(host).and_then(|domain| host.strip_suffix(domain));
    let first = before.unwrap_or_default().split('.').next().unwrap_or_default();
    first.split('-').any(|part| NAMES.contains(&part))
}
