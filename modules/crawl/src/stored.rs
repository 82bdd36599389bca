//! What a crawl keeps. `kit::crawled` says what others may read of it.

use kit::crawled::{ExternalRecord, Found, LinkRecord, PageRecord, RunRecord};
use kit::robots::Robots;
use schemars::JsonSchema;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Index, Raw};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a crawl can do without: everything it has concluded stays.
pub(crate) const PAGE_BODIES: Raw = Raw {
    name: "page_bodies",
    words: "the HTML and the texts of crawled pages; lists, links and audits stay",
    collection: "runs",
    dated: "finished_ms",
    rows: false,
    blobs: &["html/{id}-", "text/{id}/"],
};

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
        "run_indexability": ["run", "indexability"],
        "run_moved_by": ["run", "moved_by"]
    ],
    "One address of a crawl as a row of plain values: what lists filter and sort."
);
/// A row as it was written: a list looks at one or two fields of most rows, and reading all sixty of each would be most
/// of its work.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Written(String);

impl Readable for Written {
    const COLLECTION: &'static str = Row::COLLECTION;
    const THING: &'static str = Row::THING;
    const REFERENCE: &'static str = Row::REFERENCE;
    const INDEXES: &'static [Index] = Row::INDEXES;

    fn read(body: String) -> serde_json::Result<Self> {
        Ok(Self(body))
    }
}

impl Written {
    /// Its JSON.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

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
    /// To be fetched once more.
    Again,
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
    /// The run; empty once the wish is spent.
    pub(crate) run: String,
}

/// Something that pages load, or a document that they link to. Its id is `kit::crawled::page_id`.
#[record(collection = "resources", index(run, kind), index(run, status), index(run, bytes), index(run, state))]
#[derive(Default)]
pub(crate) struct Resource {
    /// The run.
    pub(crate) run: String,
    /// Its address.
    pub(crate) url: String,
    /// What it is.
    pub(crate) kind: ResourceKind,
    /// Whether it is on the website.
    pub(crate) internal: bool,
    /// Whether it was asked for.
    pub(crate) state: ResourceState,
    /// The status of the answer; 0 without one.
    pub(crate) status: Option<u16>,
    /// Why there was no answer.
    pub(crate) failure: Option<String>,
    /// Bytes on the wire, as the server says.
    pub(crate) bytes: Option<u64>,
    /// The media type.
    pub(crate) content_type: Option<String>,
    /// The `Cache-Control` header.
    pub(crate) cache_control: Option<String>,
    /// The `Expires` header.
    pub(crate) expires: Option<String>,
    /// The `ETag` header.
    pub(crate) etag: Option<String>,
    /// The `Last-Modified` header.
    pub(crate) last_modified: Option<String>,
    /// The `Content-Encoding` header.
    pub(crate) content_encoding: Option<String>,
    /// Pages that load it.
    pub(crate) pages: u64,
    /// The first of them.
    pub(crate) sample: Vec<String>,
    /// Whether it holds up the first paint of one of them.
    pub(crate) blocking: bool,
}

/// What a resource is.
#[value]
#[derive(Default)]
pub(crate) enum ResourceKind {
    Image,
    Script,
    Style,
    Font,
    Pdf,
    #[default]
    Other,
}

/// Whether a resource was asked for.
#[value]
#[derive(Default)]
pub(crate) enum ResourceState {
    /// Not yet.
    #[default]
    Waiting,
    /// Its headers were read.
    Checked,
    /// Its robots.txt forbids asking.
    Robots,
    /// The run's allowance was used up, or the crawl does not look at other hosts.
    LeftOut,
}

/// A folder of a crawled site with what is below it.
#[record(collection = "folders", index(run, level, path))]
pub(crate) struct Folder {
    /// The run.
    pub(crate) run: String,
    /// 0 is the root.
    pub(crate) level: u32,
    /// It begins and ends with `/`.
    pub(crate) path: String,
    /// Addresses in it and below.
    pub(crate) pages: u64,
    /// Of these, indexable.
    pub(crate) indexable: u64,
    /// Of these, without an answer, 4xx or 5xx.
    pub(crate) errors: u64,
    /// Links from a starting address, of all together.
    pub(crate) depths: u64,
    /// Words, of all together.
    pub(crate) words: u64,
    /// The share of the site's internal authority (PageRank), in billionths.
    pub(crate) authority: u64,
}

/// What was worked out when a crawl ended. Its id is the run's.
#[record(collection = "summaries")]
#[derive(Default)]
pub(crate) struct Summary {
    /// When.
    pub(crate) built_ms: u64,
    /// Packs that went into it.
    pub(crate) packs: u32,
    /// Addresses.
    pub(crate) pages: u64,
    /// The language that most pages declare.
    pub(crate) language: String,
    /// Texts of each part of the search index.
    pub(crate) segments: Vec<u32>,
    /// Packs whose texts are in the search index.
    pub(crate) indexed: u32,
    /// What the search needs to know of all texts.
    pub(crate) search: kit::inverted::Whole,
    /// Traps and parameters, as JSON text.
    pub(crate) traps: String,
    /// Addresses that the traps were looked for in.
    pub(crate) looked_at: u64,
    /// How the extraction rules did.
    pub(crate) coverage: Vec<Coverage>,
    /// What was left out, in words.
    pub(crate) degraded: Vec<Degraded>,
    /// First folders, for comparisons: their hashes and names.
    pub(crate) sections: Vec<(u32, String)>,
}

/// How an extraction rule did.
#[value]
pub(crate) struct Coverage {
    /// The rule.
    pub(crate) name: String,
    /// HTML pages that it was asked on.
    pub(crate) pages: u64,
    /// Of these, with a value.
    pub(crate) with_value: u64,
    /// Different values.
    pub(crate) distinct: u64,
}

/// The values that rules took out of a page. Its id is `kit::crawled::page_id`.
#[record(collection = "extracted", index(run, url))]
pub(crate) struct Extracted {
    /// The run.
    pub(crate) run: String,
    /// The page.
    pub(crate) url: String,
    /// Values by rule; a rule without a match is not among them.
    pub(crate) values: std::collections::BTreeMap<String, Vec<String>>,
}

/// The extraction rules of a website, under the website's own id.
#[record(collection = "extractions")]
pub(crate) struct Extraction {
    /// What every later crawl takes out of pages.
    pub(crate) rules: Vec<kit::rules::Rule>,
    /// Milliseconds since 1970 UTC.
    pub(crate) changed_ms: u64,
}

/// What this module reads of an audit.
#[foreign(
    collection = "audit.audits",
    thing = "audit",
    reference = "audit_ref",
    index(run_ref),
    index(site_id, created_ms)
)]
pub(crate) struct Audit {
    /// The crawl.
    pub(crate) run_ref: String,
    /// The website.
    pub(crate) site_id: String,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// `queued`, `running` or `succeeded`.
    pub(crate) state: String,
    /// The audit it is compared with.
    pub(crate) baseline: Option<String>,
}

/// What this module reads of a website.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id")]
#[derive(Default)]
pub(crate) struct Site {
    /// Scheme, host and port.
    pub(crate) origin: String,
    /// The host that it was added by.
    pub(crate) domain: String,
    /// What every crawl of it keeps to.
    #[serde(default)]
    pub(crate) crawl_prefs: CrawlPrefs,
    /// Whether its ownership is proven; null until it was once.
    #[serde(default)]
    pub(crate) verification: Option<Verification>,
}

/// The limits that a website sets for its crawls; what is absent is left to the crawl.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct CrawlPrefs {
    /// The most pages.
    pub(crate) max_pages: Option<u32>,
    /// The most links from the home page.
    pub(crate) max_depth: Option<u32>,
    /// The most requests a second.
    pub(crate) rate_rps: Option<f64>,
    /// Patterns of which one must match.
    pub(crate) include: Option<Vec<String>>,
    /// Patterns of which none may match.
    pub(crate) exclude: Option<Vec<String>>,
}

/// The proof of ownership of a website.
#[value]
pub(crate) struct Verification {
    /// Whether it was found when it was looked for last.
    pub(crate) verified: bool,
}
