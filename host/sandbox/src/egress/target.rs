//! The checks of a URL before anything is resolved.

use std::net::IpAddr;

use url::{Host, Url};

use super::{Decision, Verdict};

/// Bytes of a URL.
const LONGEST: usize = 8 * 1024;

/// Where a request goes, as far as the URL tells.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) host: Name,
    pub(super) port: u16,
    pub(super) tls: bool,
}

/// A host as a URL writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Domain(String),
    Address(IpAddr),
}

impl Name {
    /// For the policy's map and for the trail.
    pub(super) fn text(&self) -> String {
        match self {
            Name::Domain(name) => name.clone(),
            Name::Address(address) => address.to_string(),
        }
    }

    /// Whether the name stands for the inside of a network, whatever it resolves to
    /// (RFC 6761, RFC 6762, RFC 8375, and the names under which clouds hide their metadata).
    pub(super) fn is_inside(&self) -> bool {
        const INSIDE: [&str; 10] = [
            "localhost",
            "local",
            "internal",
            "localdomain",
            "home.arpa",
            "lan",
            "intranet",
            "corp",
            "private",
            "test",
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

/// Parses a URL once, by the rules that browsers use, and checks what it says.
pub(super) fn parse(text: &str) -> Result<Target, Decision> {
    let nothing = |verdict| Decision { host: String::new(), port: 0, address: None, verdict };
    if text.len() > LONGEST {
        return Err(nothing(Verdict::Url));
    }
    check(Url::parse(text).map_err(|_| nothing(Verdict::Url))?)
}

/// Checks a URL that is parsed already: the target of a redirect.
pub(super) fn check(mut url: Url) -> Result<Target, Decision> {
    url.set_fragment(None);
    let host = match url.host() {
        Some(Host::Domain(name)) => Some(Name::Domain(name.trim_end_matches('.').to_ascii_lowercase())),
        Some(Host::Ipv4(address)) => Some(Name::Address(IpAddr::V4(address))),
        Some(Host::Ipv6(address)) => Some(Name::Address(IpAddr::V6(address))),
        None => None,
    };
    let port = url.port_or_known_default().unwrap_or(0);
    let refuse = |verdict| {
        let text = host.as_ref().map(Name::text).unwrap_or_default();
        Err(Decision { host: text.chars().take(253).collect(), port, address: None, verdict })
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
        Some(Name::Domain(name)) if name.is_empty() || name.len() > 253 => refuse(Verdict::Url),
        Some(_) if url.as_str().len() > LONGEST => refuse(Verdict::Url),
        Some(found) => Ok(Target { host: found.clone(), url, port, tls }),
    }
}
