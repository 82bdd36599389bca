//! One spelling for one address (RFC 3986 section 6.2.2), and what belongs to a site.

use std::net::IpAddr;

use url::Host;
pub use url::Url;

pub mod naming;
mod tracking;

pub use robots::address::path_and_query;
use robots::address::recode;
pub use tracking::is_tracking;

/// Longer addresses are not crawled: the limit of the sitemap protocol.
pub const LONGEST: usize = 2_048;

/// The normal form of an http(s) address, or none when it is not one.
///
/// - scheme and host in lower case, host as IDNA ASCII; default ports and user names go (RFC 3986 6.2.2.1, 6.2.3);
/// - dot segments are resolved, an empty path becomes `/` (6.2.2.3, 6.2.3);
/// - percent-encodings of unreserved characters are decoded, the others get upper-case digits (6.2.2.1, 6.2.2.2);
/// - the fragment, an empty query and tracking parameters ([`is_tracking`]) go; the order of parameters stays.
#[must_use]
pub fn normalize(address: &str) -> Option<String> {
    Url::parse(address.trim()).ok().and_then(|url| normal(&url))
}

/// The normal form of a parsed address; see [`normalize`].
#[must_use]
pub fn normal(url: &Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?;
    let mut out = String::with_capacity(url.as_str().len());
    out.push_str(url.scheme());
    out.push_str("://");
    out.push_str(host.strip_suffix('.').unwrap_or(host));
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(&port.to_string());
    }
    recode(url.path(), &mut out);
    let mut separator = '?';
    for pair in url.query().unwrap_or_default().split('&') {
        if pair.is_empty() || is_tracking(pair.split('=').next().unwrap_or_default()) {
            continue;
        }
        out.push(separator);
        recode(pair, &mut out);
        separator = '&';
    }
    Some(out)
}

/// Resolves a reference as written in a page against the page's base; none when the result is no http(s) address.
#[must_use]
pub fn resolve(base: &Url, reference: &str) -> Option<Url> {
    let url = base.join(reference.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// Resolves and normalises; see [`resolve`] and [`normalize`].
#[must_use]
pub fn resolve_normal(base: &Url, reference: &str) -> Option<String> {
    resolve(base, reference).and_then(|url| normal(&url))
}

/// Scheme, host and port, such as `https://shop.example` or `http://127.0.0.1:8081`.
#[must_use]
pub fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Whether two addresses belong to one site: the same host with `www.` aside, and the same port, whatever the scheme.
/// A default port equals the other scheme's default port.
#[must_use]
pub fn same_site(a: &Url, b: &Url) -> bool {
    bare_host(a) == bare_host(b) && a.port() == b.port()
}

/// The host in lower case without a leading `www.` and a trailing dot.
#[must_use]
pub fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// The registrable domain of a host by the public suffix list, such as `example.co.uk`; none for addresses and suffixes.
#[must_use]
pub fn registrable_domain(host: &str) -> Option<&str> {
    if host.parse::<IpAddr>().is_ok() || host.starts_with('[') {
        return None;
    }
    suffixes::registrable(host.strip_suffix('.').unwrap_or(host))
}

/// Whether an address is one of this machine or of a private network, by its spelling alone.
#[must_use]
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => {
            ip.is_loopback() || ip.is_unspecified() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || [".localhost", ".local", ".internal", ".lan"].iter().any(|end| name.ends_with(end))
        }
        None => false,
    }
}

/// A part of an address with its percent-encodings undone; bytes that are no text become the sign for that.
#[must_use]
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let hex = |it: u8| char::from(it).to_digit(16);
        if let (b'%', [high, low, ..]) = (*first, more)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
            rest = &more[2..];
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
