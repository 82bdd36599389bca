//! The operation `links.graph.build`.

pub(crate) mod work;

use kit::graph::flow::Rest;
use sdk::Queued;
use sdk::prelude::*;

use crate::stored::{Graph, GraphState, Weight};
use site::Run;

/// When the authority of a website is settled.
pub(crate) const REST: Rest = Rest::SITE;

#[args]
pub(crate) struct Build {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// How links are weighed: every one alike, or by where it stands on the page (in the text 1, in a side bar, header or
    /// menu a quarter, in the footer an eighth).
    #[default("placement")]
    weight: Weight,
    /// Whether links to a page with a canonical count for that canonical. Redirects are always followed.
    #[default(true)]
    collapse_canonicals: bool,
}

/// Builds the internal link graph of a crawl and computes PageRank (damping 0.85, placement-weighted variant), HITS, click depth, components and reachability from the home page.
///
/// A link that asks not to be followed hands nothing on. Links on pages that search engines do not read (noindex,
/// forbidden, failing, canonicalised) hand nothing on either; links to such pages do, and what they hand over is lost. A
/// page without links gives its authority to all alike. Links that fail are kept with a replacement. Building again takes
/// the place of the earlier graph.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "pages", every = 50, most = 100_000),
    queued(step = "build"),
    result_operation = "links.graph.summary.get",
    side_effects = ["stores the link graph of the crawl"],
    needs = ["store", "jobs"],
    phrasings = [
        "work out which of my pages are the strongest by internal links",
        "compute pagerank for my website",
        "analyse my internal linking",
        "map how my pages link to each other",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "weight": "uniform", "collapse_canonicals": false }]
)]
pub(crate) fn build(cx: &Cx, args: Build) -> Result<Queued<Graph>> {
    let run = site::at_rest(cx, &args.run_ref)?;
    let graph = Graph {
        site_id: run.0.site_id.clone(),
        run_ref: args.run_ref.to_string(),
        origin: run.0.origin.clone(),
        state: GraphState::Building,
        created_ms: cx.now().millis(),
        crawled_ms: run.0.finished_ms.unwrap_or(run.0.created_ms),
        complete: run.0.is_complete(),
        finished_ms: None,
        score: None,
        job_ref: None,
        weight: args.weight,
        collapse_canonicals: args.collapse_canonicals,
        language: String::new(),
        page_parts: 0,
        name_parts: 0,
        link_parts: 0,
        anchor_parts: 0,
        bytes: 0,
        broken: 0,
        blocked: 0,
        degraded: Vec::new(),
        summary: None,
        leaks: None,
        matrix: None,
    };
    cx.start("build", graph, |graph| work::Work { graph })
}

#[cfg(test)]
mod tests;
