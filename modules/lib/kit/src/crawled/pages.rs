//! The records of what a crawl found: its pages, their links, and the addresses outside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TextAt;
use crate::page::{PageFacts, Placement};

/// How an address became known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// A starting address.
    #[default]
    Seed,
    /// A link.
    Link,
    /// A redirect led to it.
    Redirect,
    /// A canonical names it.
    Canonical,
    /// A page names it as a language version, as the next or previous of a series, or as its AMP version.
    Named,
    /// Only a sitemap names it.
    Sitemap,
}

impl Found {
    /// Whether people come there by clicking: what only a sitemap or the head of a page names is no click away from anything.
    #[must_use]
    pub const fn is_linked(self) -> bool {
        !matches!(self, Self::Sitemap | Self::Named)
    }
}

/// The body of a record of `crawl.pages`: one address of one run. Its id is [`page_id`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PageRecord {
    /// The run.
    pub run: String,
    /// Counts up from 1 in the order of fetching.
    pub seq: u64,
    /// The address, normalised.
    pub url: String,
    /// The status; 0 when there was no answer.
    pub status: u16,
    /// Links from a starting address.
    pub depth: u32,
    /// How it became known.
    pub found: Found,
    /// The page that it was first found on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referrer: Option<String>,
    /// Whether a sitemap names it.
    pub in_sitemap: bool,
    /// Milliseconds since 1970 UTC.
    pub fetched_ms: u64,
    /// The blob that holds its bytes, when they were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html_blob: Option<String>,
    /// Where its text stands, when it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<TextAt>,
    /// What it says; `links` is empty, they are in `crawl.links`.
    pub facts: PageFacts,
}

/// The body of a record of `crawl.links`: one link of one page of one run, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LinkRecord {
    /// The run.
    pub run: String,
    /// The page that links.
    pub source: String,
    /// Where it leads, normalised.
    pub target: String,
    /// Its text.
    pub anchor: String,
    /// The `rel` tokens, separated by one space.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rel: String,
    /// Where on the page it stands.
    pub placement: Placement,
    /// Whether it stays on the site.
    pub internal: bool,
    /// Whether its text is that of a picture.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub image: bool,
    /// The fragment it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
}

/// The body of a record of `crawl.externals`: an address outside the site and how it answered. Its id is [`page_id`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExternalRecord {
    /// The run.
    pub run: String,
    /// The address, normalised.
    pub url: String,
    /// `waiting`, `checked`, `robots` (its robots.txt forbids asking) or `left_out` (the run's allowance was used up).
    pub state: String,
    /// The status after redirects; 0 when there was no answer.
    pub status: u16,
    /// Why there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The address that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
}

/// The id under which a run keeps what it knows of an address: the run, a hyphen, 32 hex digits of the address's SHA-256.
#[must_use]
pub fn page_id(run: &str, url: &str) -> String {
    format!("{run}-{}", crate::text::hex(&crate::text::sha256(url.as_bytes())[..16]))
}
