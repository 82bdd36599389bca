//! Checks of a URL before anything is resolved.

use std::net::IpAddr;
use std::ops::Deref;

use url::{Host, Url};

use super::resolve::{PORTS, Place};
use super::{Decision, Verdict};

const LONGEST: usize = 8 * 1024;

/// The destination of a request, as far as the URL determines it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) tls: bool,
    place: Place,
}

impl Deref for Target {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Domain(String),
    Address(IpAddr),
}

impl Name {
    /// The text of the host, for the policy's map and the audit trail.
    pub(super) fn text(&self) -> String {
        match self {
            Name::Domain(name) => name.clone(),
            Name::Address(address) => address.to_string(),
        }
    }

    /// Whether the name is reserved for internal use, whatever it resolves to (RFC 6761, RFC 6762, RFC 7686, RFC 8375,
    /// RFC 9476, and the internal names of clouds and clusters).
    pub(super) fn is_inside(&self) -> bool {
        const INSIDE: [&str; 17] = [
            "localhost",
            "local",
            "internal",
            "localdomain",
            "home.arpa",
            "home",
            "lan",
            "intranet",
            "corp",
            "private",
            "test",
            "invalid",
            "onion",
            "alt",
            "svc",
            "consul",
            // A cloud whose metadata service has a public address.
            "metadata.packet.net",
        ];
        match self {
            Name::Address(_) => false,
            Name::Domain(name) => {
                let under =
                    |root: &str| name.strip_suffix(root).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
                !name.contains('.') || INSIDE.into_iter().any(under)
            }
        }
    }
}

/// Parses a URL once, by the WHATWG rules that browsers use, and checks it.
pub(super) fn parse(text: &str) -> Result<Target, Decision> {
    if text.len() > LONGEST {
        return Err(unreadable());
    }
    check(Url::parse(text).map_err(|_| unreadable())?)
}

/// The decision on a text that is not a URL.
pub(super) fn unreadable() -> Decision {
    Decision { host: String::new(), port: 0, address: None, verdict: Verdict::Url, line: None }
}

/// Checks a parsed URL: the target of a redirect.
pub(super) fn check(mut url: Url) -> Result<Target, Decision> {
    url.set_fragment(None);
    let host = match url.host() {
        Some(Host::Domain(name)) => Some(Name::Domain(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase())),
        Some(Host::Ipv4(address)) => Some(Name::Address(IpAddr::V4(address))),
        Some(Host::Ipv6(address)) => Some(Name::Address(IpAddr::V6(address))),
        None => None,
    };
    let port = url.port_or_known_default().unwrap_or(0);
    let refuse = |verdict| {
        let text = host.as_ref().map(Name::text).unwrap_or_default();
        Err(Decision { host: text.chars().take(253).collect(), port, address: None, verdict, line: None })
    };
    let tls = match url.scheme() {
        "http" => false,
        "https" => true,
        _ => return refuse(Verdict::Scheme),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return refuse(Verdict::User);
    }
    match &host {
        None => refuse(Verdict::Url),
        Some(Name::Domain(name)) if !is_a_name(name) => refuse(Verdict::Url),
        Some(_) if url.as_str().len() > LONGEST => refuse(Verdict::Url),
        Some(found) => Ok(Target { place: Place { host: found.clone(), port, ports: &PORTS }, url, tls }),
    }
}

/// Whether the name is valid in DNS: labels of 1 to 63 bytes, 253 bytes together (RFC 1035, 2.3.4).
fn is_a_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}
