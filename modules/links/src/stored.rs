//! What this module keeps, and what it reads of websites, segments and crawls.

use sdk::Degraded;
use sdk::Job;
use sdk::prelude::*;

use crate::leak::Leaks;
use crate::silo::Matrix;
use crate::summary::Summary;

/// How links are weighed.
#[value]
pub(crate) enum Weight {
    /// Every link alike.
    Uniform,
    /// By where it stands: in the text 1, in a side bar, header or menu a quarter, in the footer an eighth. The order is
    /// that of the reasonable surfer (US patent 7,716,225); the numbers are this service's own.
    Placement,
}

/// Where the building of a graph stands.
#[value]
pub(crate) enum GraphState {
    /// It is being built.
    Building,
    /// It can be read.
    Ready,
}

/// The link graph of a crawl. Its pages and links are blobs. Other modules read `site_id`, `finished_ms` and `score`.
#[record(collection = "graphs", index(run_ref, created_ms), index(site_id, created_ms), index(site_id, finished_ms))]
pub(crate) struct Graph {
    /// The website.
    pub(crate) site_id: String,
    /// The crawl.
    pub(crate) run_ref: String,
    /// Scheme, host and port of the website.
    pub(crate) origin: String,
    /// Where it stands.
    pub(crate) state: GraphState,
    /// Milliseconds since 1970 UTC: when it was asked for.
    pub(crate) created_ms: u64,
    /// When the crawl ended.
    pub(crate) crawled_ms: u64,
    /// Whether the crawl fetched everything that it knew of.
    #[serde(default)]
    pub(crate) complete: bool,
    /// When it was built.
    pub(crate) finished_ms: Option<u64>,
    /// How much of the authority that links hand on reaches pages that may be indexed, from 0 to 100; null until it is
    /// built.
    pub(crate) score: Option<f64>,
    /// The job that builds it.
    pub(crate) job_ref: Option<Id<Job>>,
    /// How links are weighed.
    pub(crate) weight: Weight,
    /// Whether links to a page with a canonical count for that canonical.
    pub(crate) collapse_canonicals: bool,
    /// The language that most pages declare, as ISO 639-1.
    pub(crate) language: String,
    /// Blobs of pages.
    pub(crate) page_parts: u32,
    /// Blobs of titles.
    pub(crate) name_parts: u32,
    /// Blobs of links.
    pub(crate) link_parts: u32,
    /// Blobs of anchors.
    pub(crate) anchor_parts: u32,
    /// Bytes of all pages and links.
    pub(crate) bytes: u64,
    /// Broken targets that are kept.
    pub(crate) broken: u32,
    /// Linked targets that answered that crawlers are kept out.
    #[default(0)]
    pub(crate) blocked: u32,
    /// What was left out, in words.
    pub(crate) degraded: Vec<Degraded>,
    /// The numbers; null until it is built.
    pub(crate) summary: Option<Summary>,
    /// Authority that is lost; null until it is built.
    pub(crate) leaks: Option<Leaks>,
    /// Links between segments; null until it is built.
    pub(crate) matrix: Option<Matrix>,
}

/// A target that fails, with what links to it. Its id is `kit::crawled::page_id` of graph and target.
#[record(collection = "broken", index(graph, rank), index(graph, scope, rank))]
pub(crate) struct Broken {
    /// The graph.
    pub(crate) graph: String,
    /// Whether it is on the website.
    pub(crate) scope: Scope,
    /// Place in the list: the more pages link to it, the lower.
    pub(crate) rank: u32,
    /// Where the links lead.
    pub(crate) target: String,
    /// How it answered; 0 without an answer.
    pub(crate) status: u16,
    /// Why there was no answer.
    pub(crate) failure: Option<String>,
    /// Links to it.
    pub(crate) links: u32,
    /// The first of the pages that link to it.
    pub(crate) sources: Vec<Source>,
    /// The page that most likely took its place.
    pub(crate) replacement: Option<String>,
    /// How sure that is, 0 to 1.
    pub(crate) confidence: Option<f64>,
    /// What says so: `redirect_history`, `address`, or `address_and_title`.
    pub(crate) found_by: Option<String>,
}

/// Whether a target is on the website.
#[value]
pub(crate) enum Scope {
    Internal,
    External,
}

/// A link to a target.
#[value]
pub(crate) struct Source {
    /// The page that has it.
    pub(crate) url: String,
    /// Its text.
    pub(crate) anchor: String,
    /// Where it stands.
    pub(crate) placement: String,
}

/// What became of a suggestion.
#[value]
pub(crate) enum Stand {
    /// Nobody has decided.
    Proposed,
    /// To be put in.
    Approved,
    /// Not wanted; later runs leave the pair out.
    Rejected,
    /// The link is in the content.
    Applied,
    /// The sentence or the link is gone.
    Lost,
}

/// A new link that would help. Its id is [`pair`] of website, source and target.
#[record(
    collection = "suggestions",
    index(site_id, worth),
    index(site_id, state, worth),
    index(site_id, target, worth),
    index(site_id, state, target, worth)
)]
pub(crate) struct Suggestion {
    /// The website.
    pub(crate) site_id: String,
    /// The crawl that it was found in.
    pub(crate) run_ref: String,
    /// What became of it.
    pub(crate) state: Stand,
    /// The page that would link.
    pub(crate) source: String,
    /// The page that it would link to.
    pub(crate) target: String,
    /// The sentence, as the crawl read it.
    pub(crate) sentence: String,
    /// The words of it that would be the link.
    pub(crate) anchor: String,
    /// How well the sentence fits the target.
    pub(crate) relevance: f64,
    /// What the target would gain, in authority of an average page.
    pub(crate) gain: f64,
    /// Relevance times gain, in millionths: what lists are ordered by.
    pub(crate) worth: u64,
    /// Milliseconds since 1970 UTC: when it was found.
    pub(crate) found_ms: u64,
    /// When somebody decided.
    pub(crate) decided_ms: Option<u64>,
    /// What was put in, and how to take it out again.
    pub(crate) applied: Option<Applied>,
}

/// A link that was put into a content.
#[value]
pub(crate) struct Applied {
    /// Milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    /// The item at the content system.
    pub(crate) item: u64,
    /// The path of its type: `posts`, `pages`, `product`.
    pub(crate) kind: String,
    /// SHA-256 of the content before and after, in hex.
    pub(crate) before_sha256: String,
    /// See `before_sha256`.
    pub(crate) after_sha256: String,
    /// The record of the change; none of a link that was put in before there were records.
    #[serde(default)]
    pub(crate) change: Option<Id<wordpress::Change>>,
    /// Whether the live page showed the link right after.
    pub(crate) verified: bool,
}

/// The id of a suggestion: a website proposes a pair of pages once.
pub(crate) fn pair(site: &str, source: &str, target: &str) -> Id<Suggestion> {
    Id::new(kit::crawled::page_id("sug", &format!("{site} {source} {target}")))
}

/// One address of a crawl, flat; members without a value are left out.
#[foreign(collection = "crawl.rows", thing = "row", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) failure: Option<String>,
    pub(crate) in_sitemap: bool,
    pub(crate) indexability_reason: String,
    pub(crate) redirect_to: Option<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) lang: Option<String>,
    pub(crate) title: String,
    pub(crate) h1: Option<String>,
    pub(crate) word_count: u32,
}
