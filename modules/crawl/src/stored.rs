//! Kept here: what a crawl keeps. `kit::crawled` says what others may read of it.

use kit::crawled::{ExternalRecord, Found, LinkRecord, PageRecord, RunRecord};
use kit::robots::Robots;
use schemars::JsonSchema;
use sdk::Index;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

macro_rules! own {
    ($name:ident, $body:ty, $collection:literal, $thing:literal, $reference:literal, [$($index:literal: [$($field:literal),+]),+], $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub(crate) struct $name(pub(crate) $body);

        impl Readable for $name {
            const COLLECTION: &'static str = $collection;
            const THING: &'static str = $thing;
            const REFERENCE: &'static str = $reference;
            const INDEXES: &'static [Index] = &[$(Index { name: $index, fields: &[$($field),+] }),+];
        }

        impl Record for $name {}
    };
}

own!(Run, RunRecord, "runs", "run", "run_ref", ["site_id": ["site_id"], "site_id_state": ["site_id", "state"]], "One crawl of a website.");
own!(Page, PageRecord, "pages", "page", "page_ref", ["run_seq": ["run", "seq"], "run_status": ["run", "status"]], "One address of a crawl, whole.");
own!(
    Row,
    Map<String, Value>,
    "rows",
    "row",
    "row_ref",
    [
        "run_seq": ["run", "seq"],
        "run_status": ["run", "status"],
        "run_depth": ["run", "depth"],
        "run_indexability": ["run", "indexability"]
    ],
    "One address of a crawl as a row of plain values: what lists filter and sort."
);
own!(
    Linked,
    LinkRecord,
    "links",
    "link",
    "link_ref",
    ["run": ["run"], "run_source": ["run", "source"], "run_target": ["run", "target"]],
    "One link of a crawl."
);
own!(External, ExternalRecord, "externals", "external", "external_ref", ["run_state": ["run", "state"], "run_status": ["run", "status"]], "One address outside the crawled site.");

/// An address of the site that is known: waiting, fetched, or left out. Its id is `kit::crawled::page_id`.
#[record(collection = "frontier", index(run, state, rank))]
pub(crate) struct Frontier {
    /// The run.
    pub(crate) run: String,
    /// What became of it.
    pub(crate) state: Known,
    /// Lower comes first: depth, then order of discovery; addresses that only sitemaps name come last.
    pub(crate) rank: u64,
    /// The address, normalised.
    pub(crate) url: String,
    /// Links from a starting address.
    pub(crate) depth: u32,
    /// How it became known.
    pub(crate) found: Found,
    /// The page it was found on.
    pub(crate) referrer: Option<String>,
    /// Whether a sitemap names it.
    pub(crate) in_sitemap: bool,
    /// Redirects in a row that led here.
    pub(crate) hops: u32,
    /// Requests that came to nothing and are to be repeated.
    pub(crate) tries: u32,
}

/// What became of a known address.
#[value]
pub(crate) enum Known {
    Queued,
    Fetched,
    Robots,
    LeftOut,
}

/// What robots.txt of one scheme, host and port says. Its id is `kit::crawled::page_id` of the origin.
#[record(collection = "robots", index(run))]
pub(crate) struct Host {
    /// The run.
    pub(crate) run: String,
    /// Scheme, host and port.
    pub(crate) origin: String,
    /// The status of its robots.txt; 0 when there was no answer.
    pub(crate) status: u16,
    /// Why there was no answer.
    pub(crate) failure: Option<String>,
    /// `kit::robots::Robots`, as JSON text: its rules are no business of any query.
    pub(crate) rules: String,
}

impl Host {
    /// The rules.
    pub(crate) fn robots(&self) -> Robots {
        serde_json::from_str(&self.rules).unwrap_or_else(|_| Robots::forbid_all())
    }
}

/// The wish to end a run, under the run's own id; the next step sees it.
#[record(collection = "stops", index(run))]
pub(crate) struct Stop {
    /// The run.
    pub(crate) run: String,
}

/// What this module reads of a website.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id")]
pub(crate) struct Site {
    /// Scheme, host and port.
    pub(crate) origin: String,
    /// The host that it was added by.
    pub(crate) domain: String,
}
