//! Which public pages one operation may ask for, where a reviewer narrows it: `web = { hosts = ["*.example.org"] }`.

use std::fmt;
use std::str::FromStr;

use model::outside::{Path, Pattern};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::line::{list, text};

/// Bounds of the interface `web` for one operation. What is left out is not narrowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reach {
    /// Names of hosts.
    pub hosts: Vec<Host>,
    /// Ports; only those that are open to everybody can be left.
    pub ports: Vec<u16>,
    /// Paths, as in a line of `outside`.
    #[serde(deserialize_with = "patterns")]
    pub paths: Vec<Pattern>,
    /// GET, HEAD.
    pub methods: Vec<WebMethod>,
    /// What the host obeys of a robots.txt.
    pub robots: Rules,
    /// Why it may do less than obey.
    pub reason: Option<String>,
}

/// What the host obeys of a robots.txt for one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// All of it, as a crawler does (RFC 9309).
    #[default]
    Obey,
    /// Nothing: in each call a person names the very page. Only with a reason.
    Named,
}

/// The methods of the interface `web`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum WebMethod {
    /// The page.
    Get,
    /// Its head.
    Head,
}

impl WebMethod {
    fn as_str(self) -> &'static str {
        match self {
            WebMethod::Get => "GET",
            WebMethod::Head => "HEAD",
        }
    }
}

/// A host, or every name under one: `*.example.org` is not `example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host(String);

impl Host {
    /// Whether it is this host; a name in small letters without a dot at its end.
    pub fn is(&self, name: &str) -> bool {
        match self.0.strip_prefix('*') {
            Some(under) => name.len() > under.len() && name.ends_with(under),
            None => self.0 == name,
        }
    }
}

/// A text that names no host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a host is a name in small letters, `example.org`, or all names under one, `*.example.org`")]
pub struct HostError;

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let name = text.strip_prefix("*.").unwrap_or(text);
        let label = |label: &str| {
            let inner = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
            (1..=63).contains(&label.len()) && label.bytes().all(inner)
        };
        let named = name.len() <= 253 && name.contains('.') && name.split('.').all(label);
        if named { Ok(Self(text.to_owned())) } else { Err(HostError) }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Host {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pattern>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(|error| D::Error::custom(format!("{text:?}: {error}")))).collect()
}

impl Reach {
    /// The member that such a request is outside of; none when it is within all.
    pub fn broken(&self, head: bool, host: &str, port: u16, path: &str) -> Option<&'static str> {
        let method = if head { WebMethod::Head } else { WebMethod::Get };
        let within = |path: &Path| self.paths.iter().any(|pattern| pattern.matches(path));
        if !self.hosts.is_empty() && !self.hosts.iter().any(|it| it.is(host)) {
            Some("hosts")
        } else if !self.ports.is_empty() && !self.ports.contains(&port) {
            Some("ports")
        } else if !self.paths.is_empty() && !path.parse::<Path>().is_ok_and(|path| within(&path)) {
            Some("paths")
        } else if !self.methods.is_empty() && !self.methods.contains(&method) {
            Some("methods")
        } else {
            None
        }
    }

    /// The members of a lock's table, each `name = value`.
    pub(crate) fn members(&self) -> Vec<String> {
        let texts = |name: &str, items: Vec<String>| {
            (!items.is_empty()).then(|| format!("{name} = {}", list(items.iter().map(String::as_str))))
        };
        let ports: Vec<String> = self.ports.iter().map(u16::to_string).collect();
        [
            texts("hosts", self.hosts.iter().map(Host::to_string).collect()),
            (!ports.is_empty()).then(|| format!("ports = [{}]", ports.join(", "))),
            texts("paths", self.paths.iter().map(Pattern::to_string).collect()),
            texts("methods", self.methods.iter().map(|it| it.as_str().to_owned()).collect()),
            (self.robots == Rules::Named).then(|| "robots = \"named\"".to_owned()),
            self.reason.as_ref().map(|reason| format!("reason = {}", text(reason))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(text: &str) -> Result<Reach, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn what_is_left_out_is_not_narrowed() {
        assert_eq!(Reach::default().broken(false, "any.example", 80, "/a//b"), None);
    }

    #[test]
    fn each_member_narrows() {
        let reach = reach(
            "hosts = [\"*.example.org\", \"example.org\"]\nports = [443]\npaths = [\"/api/**\"]\nmethods = [\"GET\"]",
        )
        .unwrap();
        for (head, host, port, path, broken) in [
            (false, "a.example.org", 443, "/api/v1/x", None),
            (false, "example.org", 443, "/api/v1", None),
            (false, "example.com", 443, "/api/v1", Some("hosts")),
            (false, "badexample.org", 443, "/api/v1", Some("hosts")),
            (false, "example.org.evil.example", 443, "/api/v1", Some("hosts")),
            (false, "a.example.org", 80, "/api/v1", Some("ports")),
            (false, "a.example.org", 443, "/other", Some("paths")),
            (false, "a.example.org", 443, "/api/../other", Some("paths")),
            (false, "a.example.org", 443, "/api/%2e%2e/other", Some("paths")),
            (true, "a.example.org", 443, "/api/v1", Some("methods")),
        ] {
            assert_eq!(reach.broken(head, host, port, path), broken, "{host}:{port}{path}");
        }
    }

    #[test]
    fn robots_are_obeyed_unless_the_lock_says_why_not() {
        assert_eq!(reach("ports = [443]").unwrap().robots, Rules::Obey);
        let named = reach("robots = \"named\"\nreason = \"a person names the page\"").unwrap();
        assert_eq!(named.robots, Rules::Named);
        assert_eq!(named.members(), ["robots = \"named\"", "reason = \"a person names the page\""]);
    }

    #[test]
    fn what_a_person_writes_wrong_is_refused() {
        for text in [
            "hosts = [\"https://example.org\"]",
            "hosts = [\"*\"]",
            "hosts = [\"Example.org\"]",
            "hosts = [\"a.*.org\"]",
            "paths = [\"api\"]",
            "methods = [\"POST\"]",
            "host = [\"example.org\"]",
            "robots = \"ignore\"",
        ] {
            assert!(reach(text).is_err(), "{text}");
        }
    }
}
