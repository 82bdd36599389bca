//! Addresses of public pages.

use std::ops::Deref;
use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// The most bytes of an address, before and after normalisation.
const MOST: usize = 2_048;

/// An absolute `http` or `https` address, parsed and written as the WHATWG URL standard does, at most 2,048 bytes,
/// without user name or password. It may be written with the letters of any language (RFC 3987), as people paste it, and
/// is ASCII afterwards. Its methods are those of the `url` crate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(url::Url);

impl Url {
    /// The address that `reference` means when it stands on this page; none when that is not a web address.
    pub fn link(&self, reference: &str) -> Option<Self> {
        Self::try_from(self.0.join(reference).ok()?).ok()
    }

    /// The same address without its fragment.
    #[must_use]
    pub fn without_fragment(&self) -> Self {
        let mut url = self.0.clone();
        url.set_fragment(None);
        Self(url)
    }

    fn to_text(&self) -> &str {
        self.0.as_str()
    }
}

impl Deref for Url {
    type Target = url::Url;

    fn deref(&self) -> &url::Url {
        &self.0
    }
}

impl TryFrom<url::Url> for Url {
    type Error = String;

    fn try_from(url: url::Url) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err("must be an http or https address".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not carry a user name or password".to_owned());
        }
        if url.as_str().len() > MOST {
            return Err(format!("must have at most {MOST} bytes"));
        }
        Ok(Self(url))
    }
}

impl FromStr for Url {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > MOST {
            return Err(format!("must have at most {MOST} bytes"));
        }
        url::Url::parse(text).map_err(|error| format!("must be an absolute web address: {error}"))?.try_into()
    }
}

/// A [`Url`] that remembers how it was written, for results that people lay beside what they sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenUrl {
    url: Url,
    given: String,
}

impl GivenUrl {
    /// As it was written.
    pub fn given(&self) -> &str {
        &self.given
    }

    fn to_text(&self) -> &str {
        &self.given
    }
}

impl Deref for GivenUrl {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.url
    }
}

impl FromStr for GivenUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { url: text.parse()?, given: text.to_owned() })
    }
}

string_value!(GivenUrl, <Url as schemars::JsonSchema>::json_schema(&mut schemars::SchemaGenerator::default()));
string_value!(
    Url,
    json_schema!({ "type": "string", "format": "iri", "pattern": "^[hH][tT][tT][pP][sS]?://", "minLength": 8, "maxLength": MOST })
);
