//! Redirect addresses: which may be registered, and which registered one a request names.

use std::fmt;

use url::{Host, Url};

/// An address that a browser may be sent to with a code: https to any host, http to this machine only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    url: Url,
}

/// The hosts that the specification lets http go to, as they are written; `127.1` and its kin are not.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Bytes of one redirect address, at most.
const LONGEST: usize = 2_048;

impl RedirectUri {
    /// Reads one that a client wants to register.
    ///
    /// # Errors
    /// Says which rule it breaks.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        if text.len() > LONGEST {
            return Err("a redirect URI is longer than 2048 bytes");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("a redirect URI has a character that has to be percent-encoded");
        }
        let url = Url::parse(text).map_err(|_| "a redirect URI is not an absolute URI")?;
        if !text.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("https://"))
            && !text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"))
        {
            return Err("a redirect URI has to start with https:// or, for this machine, http://");
        }
        if text.contains('#') {
            return Err("a redirect URI has a fragment");
        }
        if text.contains('\\') {
            return Err("a redirect URI has a backslash");
        }
        if !url.username().is_empty() || url.password().is_some() || authority(text).contains('@') {
            return Err("a redirect URI has a user name in it");
        }
        let (_, written, _) = without_port(text);
        match (url.scheme(), url.host()) {
            (_, _) if written.is_empty() => return Err("a redirect URI has no host"),
            ("https", Some(Host::Domain(name))) if plain(name) => {}
            ("https", Some(Host::Ipv4(_) | Host::Ipv6(_))) => {}
            ("http", Some(_)) if LOOPBACK.iter().any(|name| written.eq_ignore_ascii_case(name)) => {}
            ("http", _) => return Err("http is for localhost, 127.0.0.1 and [::1] only"),
            _ => return Err("a redirect URI has a host that is not a host name"),
        }
        Ok(Self { text: text.to_owned(), url })
    }

    /// The text as registered or as requested.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a request that names `asked` means this registered address: the same text, or on this machine
    /// the same but for the port (RFC 8252 7.3).
    pub fn admits(&self, asked: &RedirectUri) -> bool {
        if self.text == asked.text {
            return true;
        }
        self.is_loopback() && asked.is_loopback() && without_port(&self.text) == without_port(&asked.text)
    }

    /// Whether it stays on the customer's machine: the only kind that http is accepted for.
    pub fn is_loopback(&self) -> bool {
        self.url.scheme() == "http"
    }

    /// Host and port, for the consent page.
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The address with these parameters added to its query.
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let joint = if self.text.contains('?') { '&' } else { '?' };
        format!("{}{joint}{}", self.text, query.finish())
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A host name that can stand in a header without being quoted.
fn plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

fn authority(text: &str) -> &str {
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default()
}

/// Scheme, host, path and query as written, the port left out.
fn without_port(text: &str) -> (&str, &str, &str) {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let host = match authority.rfind(':') {
        Some(colon) if !authority.ends_with(']') => &authority[..colon],
        _ => authority,
    };
    (scheme, host, tail)
}
