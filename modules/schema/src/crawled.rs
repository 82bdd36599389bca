//! What this module reads of a crawl's pages: their structured data.

use kit::page::StructuredData;
use schemars::JsonSchema;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// The structured data of one address of a crawl.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
pub(crate) struct Crawled {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) facts: Held,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Held {
    pub(crate) is_html: bool,
    pub(crate) structured: StructuredData,
}

/// One address of a crawl, flat.
#[foreign(collection = "crawl.rows", thing = "page", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) is_html: bool,
    /// Every type that the structured data declares, with `, ` between them.
    pub(crate) structured_types: String,
}
