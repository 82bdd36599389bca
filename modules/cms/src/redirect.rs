//! Redirects of a website: those that the Redirection plugin holds, or those that are kept here when there is no plugin.

pub(crate) mod delete;
pub(crate) mod graph;
pub(crate) mod held;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod undo;
pub(crate) mod upsert;

use kit::url::{Url as Address, resolve, same_site};
use sdk::prelude::*;
use sdk::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use site::Site;

/// The marker of references to redirects.
pub(crate) enum Redirect {}

/// What a redirect answers: 301 moved for good, 302 found elsewhere for now, 308 moved for good with the method kept, 410 gone for
/// good (RFC 9110, 15.4 and 15.5.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Code(u16);

impl Code {
    const ALL: [u16; 4] = [301, 302, 308, 410];
    /// Gone for good.
    pub(crate) const GONE: Self = Self(410);

    /// Its number.
    pub(crate) const fn number(self) -> u16 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = u16::deserialize(deserializer)?;
        if Self::ALL.contains(&code) {
            return Ok(Self(code));
        }
        Err(serde::de::Error::custom("a redirect answers 301, 302, 308 or 410"))
    }
}

impl JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "enum": Self::ALL })
    }
}

/// A source of a redirect: a path with its query, on the website's own host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source(String);

impl Source {
    /// From an address of the website, or a path of it; `None` for one of another host.
    pub(crate) fn of(origin: &Address, text: &str) -> Option<Self> {
        let url = resolve(origin, text)?;
        if !same_site(&url, origin) {
            return None;
        }
        Some(Self(url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))))
    }

    /// As the plugin keeps it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// What redirects of one source share: letters in any case, a last slash or none.
    pub(crate) fn key(&self) -> String {
        key(&self.0)
    }
}

/// What two spellings of one place of a website share.
pub(crate) fn key(path: &str) -> String {
    let (path, query) = path.split_once('?').map_or((path, ""), |(path, query)| (path, query));
    let path = kit::url::decoded(path.trim_end_matches('/')).to_lowercase();
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

/// Where a redirect leads: a place of the website as its key, another host as its whole address.
pub(crate) fn place(origin: &Address, text: &str) -> Option<String> {
    match Source::of(origin, text) {
        Some(source) => Some(source.key()),
        None => kit::url::normalize(text),
    }
}

/// The address that redirects of a website begin at.
pub(crate) fn origin(site: &Site) -> Result<Address> {
    Address::parse(&site.origin).map_err(|_| Fault::conflict("no_origin", "the website has no address").at("/site_id"))
}
