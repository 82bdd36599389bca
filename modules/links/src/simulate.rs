//! The operation `links.graph.simulate`.

mod edit;

use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::build::REST;
use crate::node::{self, Node, Own};
use crate::summary::{short, told};
use edit::Edited;
use site::Run;

/// Pages that are told as gaining, losing or moving.
const TOLD: usize = 50;

/// What an edit does.
#[value]
pub(crate) enum Op {
    /// A link in the text of `from` to `to`.
    Add,
    /// No link from `from` to `to` any more.
    Remove,
    /// The links of a part of every page go: `from` is `nav`, `header`, `main`, `aside` or `footer`; with `to` only those
    /// to the pages that it fits.
    RemoveBlock,
    /// The pages that `from` fits ask not to be indexed.
    Noindex,
    /// The pages that `from` fits redirect to `to`.
    Redirect,
}

/// One edit.
#[args]
pub(crate) struct Edit {
    /// What it does.
    op: Op,
    /// A page's address; a pattern of paths, in which `*` is any run of characters; or a part of pages.
    from: Text<1, 2048>,
    /// See `op`.
    to: Option<Text<1, 2048>>,
}

#[args]
pub(crate) struct Simulate {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// What would be changed, in this order.
    edits: List<Edit, 1, 200>,
}

/// A page whose authority would change.
#[value]
pub(crate) struct Change {
    url: String,
    /// Authority now; 1 is what an average page has.
    before: f64,
    /// Authority then.
    after: f64,
    /// The difference.
    change: f64,
}

/// A page whose depth would change.
#[value]
pub(crate) struct Moved {
    url: String,
    /// Clicks from the home page now; null where no way leads.
    before: Option<u32>,
    /// Clicks then.
    after: Option<u32>,
}

/// What would come of edits.
#[value]
pub(crate) struct Simulated {
    /// Who gains, the most first; at most 50.
    gains: Vec<Change>,
    /// Who loses, the most first; at most 50.
    losses: Vec<Change>,
    /// Pages nearer to or farther from the home page; at most 50, the greatest difference first.
    depth_changes: Vec<Moved>,
    /// Links that were added and removed, by edit.
    links_changed: Vec<u32>,
    /// Rounds that it took.
    iterations: u32,
    /// What finds places for new links.
    next: Vec<Next>,
    /// What it stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Recomputes PageRank and depth after hypothetical edits (add or remove links, drop a footer block, noindex or redirect a folder) and shows who gains and loses.
///
/// Nothing is changed and nothing is stored. Authority begins at the scores that were computed before and is computed to
/// the same end as from scratch.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "edits", most = edits),
    needs = ["store"],
    phrasings = [
        "what happens if I remove the footer links",
        "what if I link from the home page to this page",
        "simulate a change to my internal links",
        "who loses authority when I noindex a folder",
    ],
    examples = [
        { "run_ref": "run_01", "edits": [{ "op": "add", "from": "https://shop.example/", "to": "https://shop.example/guides/oak" }] },
        { "run_ref": "run_01", "edits": [{ "op": "remove_block", "from": "footer" }, { "op": "noindex", "from": "/tags/*" }] }
    ]
)]
pub(crate) fn simulate(cx: &Cx, args: Simulate) -> Result<Answer<Simulated>> {
    let graph = basis::graph(cx, &args.run_ref)?;
    basis::readable(&graph)?;
    let nodes = node::pages(cx, &graph)?;
    let links = node::links(cx, &graph)?;
    let mut edited = Edited { nodes: nodes.clone(), links };
    let links_changed = edited.apply(&args.edits)?;
    // Pages that redirect now keep their place in the comparison, with nothing.
    let own = Own::of(&edited.nodes, &edited.links, graph.weight);
    let ranks = own.flow.pagerank(Some(&own.scores(&nodes)), REST);
    let mut after = vec![0.0; nodes.len()];
    own.pages.iter().zip(&ranks.scores).for_each(|(page, score)| after[*page as usize] = *score);
    let depths = node::clicks(&edited.nodes, &edited.links, node::home(&edited.nodes, &graph.origin).as_slice());
    let (gains, losses) = changes(&nodes, &after, own.pages.len());
    let units = args.edits.len() as u64;
    let why = "finds sentences for new links";
    let next = vec![Next::new("links.suggestion.run", json!({ "run_ref": args.run_ref }), why)];
    let simulated = Simulated {
        gains,
        losses,
        depth_changes: moved(&nodes, &depths),
        links_changed,
        iterations: ranks.rounds,
        next,
        basis: basis::of(cx, &graph),
        degraded: graph.degraded.clone(),
    };
    Ok(Answer::new(simulated).units(units))
}

fn changes(nodes: &[Node], after: &[f64], pages: usize) -> (Vec<Change>, Vec<Change>) {
    let own = nodes.iter().filter(|node| node.is_own()).count();
    let mut all: Vec<Change> = nodes
        .iter()
        .zip(after)
        .filter(|(node, _)| node.is_own())
        .map(|(node, after)| {
            let (before, after) = (told(node.authority, own), told(*after, pages));
            Change { url: node.url.clone(), before, after, change: short(after - before) }
        })
        .filter(|it| it.change != 0.0)
        .collect();
    all.sort_by(|a, b| b.change.total_cmp(&a.change).then(a.url.cmp(&b.url)));
    let losses = all.iter().rev().filter(|it| it.change < 0.0).take(TOLD).cloned().collect();
    all.retain(|it| it.change > 0.0);
    all.truncate(TOLD);
    (all, losses)
}

fn moved(nodes: &[Node], after: &[Option<u32>]) -> Vec<Moved> {
    let far = |depth: Option<u32>| depth.map_or(1_000, i64::from);
    let mut all: Vec<Moved> = nodes
        .iter()
        .zip(after)
        .filter(|(node, after)| node.is_own() && node.depth != **after)
        .map(|(node, after)| Moved { url: node.url.clone(), before: node.depth, after: *after })
        .collect();
    all.sort_by_key(|it| (-(far(it.before) - far(it.after)).abs(), it.url.clone()));
    all.truncate(TOLD);
    all
}

#[cfg(test)]
mod tests;
