//! Domain names.

use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// A domain name in ASCII (IDNA, UTS 46 as browsers apply it), lower case, with at least two labels, not an IP address. It
/// is read from a web address as well, as people paste them: `https://shop.example/de` is `shop.example`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

impl Domain {
    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part that somebody can register, by the Public Suffix List: `shop.co.uk` of `www.shop.co.uk`; none for a bare suffix.
    pub fn registrable(&self) -> Option<Self> {
        suffixes::registrable(&self.0).map(|it| Self(it.to_owned()))
    }

    /// Whether it is the other domain, or a name below it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.strip_suffix(other.as_str()).is_some_and(|it| it.is_empty() || it.ends_with('.'))
    }

    fn to_text(&self) -> &str {
        &self.0
    }
}

impl FromStr for Domain {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "must be a domain name such as shop.example".to_owned();
        let text = text.trim();
        let scheme = text.get(..text.find("://").unwrap_or(0)).filter(|it| !it.is_empty());
        let text = match scheme {
            Some(scheme) if ["http", "https"].iter().any(|it| scheme.eq_ignore_ascii_case(it)) => {
                let rest = &text[scheme.len() + 3..];
                if rest.contains('@') {
                    return Err(wrong());
                }
                rest
            }
            Some(_) => return Err(wrong()),
            None => text,
        };
        let text = text.split(['/', '?', '#']).next().unwrap_or_default();
        let text = text.strip_suffix(":443").or_else(|| text.strip_suffix(":80")).unwrap_or(text);
        let text = text.strip_suffix('.').unwrap_or(text);
        let Ok(url::Host::Domain(name)) = url::Host::parse(text) else { return Err(wrong()) };
        let label = |it: &str| {
            (1..=63).contains(&it.len())
                && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                && !it.starts_with('-')
                && !it.ends_with('-')
        };
        if name.len() > 253 || !name.contains('.') || !name.split('.').all(label) {
            return Err(wrong());
        }
        Ok(Self(name))
    }
}

string_value!(Domain, json_schema!({ "type": "string", "minLength": 3, "maxLength": 253, "own": true }));
