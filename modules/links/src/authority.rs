//! The operation `links.authority.list`.

use kit::segments::Address;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::node::{self, Node};
use crate::summary::{short, told};
use site::{Run, Segment};

/// What a page has too much or too little of.
#[value]
pub(crate) enum Mismatch {
    /// More to say than most pages, and less authority than most.
    Underlinked,
    /// Among the strongest, and nothing that search engines may show, or hardly a word.
    Overlinked,
}

#[args(paged)]
pub(crate) struct List {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// Only pages with this mismatch.
    mismatch: Option<Mismatch>,
    /// Only pages of this segment of the website.
    segment_ref: Option<Id<Segment>>,
}

/// A page with its authority.
#[value]
pub(crate) struct Ranked {
    url: String,
    /// Authority; 1 is what an average page has.
    authority: f64,
    /// The share of pages with less authority, 0 to 100.
    percentile: f64,
    /// Pages that hand authority on to it.
    inlinks: u32,
    /// Different texts of links to it.
    unique_anchors: u32,
    /// Clicks from the home page; null where no way leads.
    depth: Option<u32>,
    /// How good a hub it is (HITS), in thousandths of the sum.
    hub: f64,
    /// Clicks from searches in 28 days; null when no search figures are stored.
    clicks: Option<u64>,
    /// What it has too much or too little of.
    mismatch: Option<Mismatch>,
    /// Where links for it come from.
    fix: Fix,
}

/// Pages by authority.
#[page]
pub(crate) struct Pages {
    /// The strongest first; of underlinked pages the weakest first.
    pages: Vec<Ranked>,
    /// Pages that fit in all.
    total: u64,
    /// What the list stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists pages by internal authority with inlinks, unique anchors, depth and clicks, highlighting valuable pages with little authority and the reverse.
///
/// A page counts as valuable when it has more clicks from searches than 60 in 100 pages, and without search figures when its
/// text is longer than that of 60 in 100; search engines may show it; it is underlinked when its authority is below that of 60 in 100. A page is overlinked when it is among the
/// strongest 20 in 100 and may not be shown, or its text is among the shortest 20 in 100.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which pages have the most internal authority",
        "which important pages get too few internal links",
        "list my pages by internal pagerank",
        "pages with many links that do not deserve them",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "mismatch": "underlinked", "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Pages> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let rules = site::rules(cx, &graph.site_id, args.segment_ref.as_ref())?;
    let nodes = node::pages(cx, &graph)?;
    let own: Vec<&Node> = nodes.iter().filter(|node| node.is_own()).collect();
    let (clicks, missing) = basis::clicks(cx, &graph.site_id);
    #[expect(clippy::cast_precision_loss, reason = "clicks of a month are far below 2^52")]
    let worth = |node: &Node| clicks.as_ref().map_or(f64::from(node.words), |it| it.of(&node.url) as f64);
    let (authority, words) = (sorted(&own, |node| node.authority), sorted(&own, |node| f64::from(node.words)));
    let worths = sorted(&own, worth);
    let judge = |node: &Node| {
        let (rank, length) = (below(&authority, node.authority), below(&words, f64::from(node.words)));
        let mismatch = match (rank, length) {
            (rank, _) if node.is_sound() && rank < 0.4 && below(&worths, worth(node)) >= 0.6 => {
                Some(Mismatch::Underlinked)
            }
            (rank, length) if rank >= 0.8 && (!node.is_sound() || length < 0.2) => Some(Mismatch::Overlinked),
            _ => None,
        };
        (rank, mismatch)
    };
    let inside =
        |node: &Node| rules.as_ref().is_none_or(|rules| rules.holds(Address { url: &node.url, content_type: None }));
    let mut fitting: Vec<(&Node, f64, Option<Mismatch>)> = own
        .iter()
        .filter(|node| inside(node))
        .map(|node| {
            let (rank, mismatch) = judge(node);
            (*node, rank, mismatch)
        })
        .filter(|(_, _, mismatch)| args.mismatch.is_none() || *mismatch == args.mismatch)
        .collect();
    fitting.sort_by(|a, b| b.0.authority.total_cmp(&a.0.authority).then(a.0.url.cmp(&b.0.url)));
    if args.mismatch == Some(Mismatch::Underlinked) {
        fitting.reverse();
    }
    let total = fitting.len() as u64;
    let Page { items: rows, next: next_cursor } = args.window(fitting)?;
    let pages = rows.into_iter().map(|(node, rank, mismatch)| {
        let direction = if mismatch == Some(Mismatch::Overlinked) { "out" } else { "in" };
        let arguments = json!({ "site_id": graph.site_id, "url": node.url, "direction": direction });
        Ranked {
            url: node.url.clone(),
            authority: told(node.authority, own.len()),
            percentile: short(rank * 100.0),
            inlinks: node.inlinks,
            unique_anchors: node.anchors,
            depth: node.depth,
            hub: short(f64::from(node.hub) * 1_000.0),
            clicks: clicks.as_ref().map(|it| it.of(&node.url)),
            mismatch,
            fix: Fix::new("links.suggestion.for_page", arguments),
        }
    });
    let pages = pages.collect();
    let degraded = missing.into_iter().chain(graph.degraded.iter().cloned()).collect();
    Ok(Pages { pages, total, basis: basis::of(cx, &graph), degraded, next_cursor })
}

fn sorted(nodes: &[&Node], value: impl Fn(&Node) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = nodes.iter().map(|node| value(node)).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The share of values below this one.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
fn below(sorted: &[f64], value: f64) -> f64 {
    sorted.partition_point(|it| *it < value) as f64 / sorted.len().max(1) as f64
}

#[cfg(test)]
mod tests;
