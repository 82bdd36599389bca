//! The operation `links.graph.summary.get`, and the numbers of a graph.

use std::collections::BTreeMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::JobState;
use sdk::Next;
use sdk::Progress;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::node::{Node, Own, State};
use crate::silo::Groups;
use crate::stored::{Graph, GraphState};
use site::Run;

/// Pages that are named as the strongest.
const TOP: usize = 20;

/// The numbers of a graph.
#[value]
#[derive(Default)]
pub(crate) struct Summary {
    /// Pages that stand for themselves: neither moved nor canonicalised.
    pub(crate) pages: u32,
    /// Of these, pages that search engines may show.
    pub(crate) sound: u32,
    /// Pairs of pages of which one hands authority on to the other.
    pub(crate) edges: u32,
    /// Rounds that PageRank took.
    pub(crate) iterations: u32,
    /// Whether it came to rest: the sum of changes below 1e-10 per page.
    pub(crate) settled: bool,
    /// Rounds that HITS took.
    pub(crate) hits_iterations: u32,
    /// Pages that no way from the home page leads to.
    pub(crate) unreachable: u32,
    /// Pages that no other page hands anything on to, the home page aside.
    pub(crate) orphans: u32,
    /// Pages that hand nothing on although search engines read them.
    pub(crate) dead_ends: u32,
    /// Parts of the website that no link joins.
    pub(crate) components: u32,
    /// Pages of the largest of them.
    pub(crate) largest_component: u32,
    /// How unequally authority is spread (Gini): 0 all alike, 1 one page has all.
    pub(crate) gini: f64,
    /// Pages that link to a page, on average.
    pub(crate) average_inlinks: f64,
    /// By segment, or by first folder where none is set.
    pub(crate) by_segment: Vec<SegmentNumbers>,
    /// The strongest pages.
    top: Vec<Top>,
    /// Pages by depth.
    depths: Vec<DepthCount>,
}

/// The numbers of a segment.
#[value]
pub(crate) struct SegmentNumbers {
    /// Its name.
    segment: String,
    /// Pages.
    pages: u32,
    /// Pages that link to one of them, on average.
    average_inlinks: f64,
    /// Clicks from the home page, on average, of those that a way leads to.
    average_depth: Option<f64>,
    /// Its share of all authority.
    authority_share: f64,
}

/// A strong page.
#[value]
pub(crate) struct Top {
    url: String,
    /// Authority; 1 is an average page.
    authority: f64,
    /// Pages that link to it.
    inlinks: u32,
    /// Clicks from the home page.
    depth: Option<u32>,
    /// Its score as an authority by HITS, in thousandths of the sum.
    hits: f64,
}

/// Pages of one depth.
#[value]
pub(crate) struct DepthCount {
    /// Clicks from the home page.
    pub(crate) depth: u32,
    /// Pages.
    pub(crate) pages: u32,
}

/// A number with three digits after the point.
pub(crate) fn short(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// Authority as results tell it: 1 is an average page.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
pub(crate) fn told(authority: f64, pages: usize) -> f64 {
    short(authority * pages as f64)
}

/// How unequally values are spread (Gini 1912), from sorted ones.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
fn gini(sorted: &[f64]) -> f64 {
    let (all, sum) = (sorted.len() as f64, sorted.iter().sum::<f64>());
    if sum <= 0.0 {
        return 0.0;
    }
    let weighed: f64 = sorted.iter().enumerate().map(|(at, value)| (at as f64 + 1.0) * value).sum();
    (2.0 * weighed / (all * sum) - (all + 1.0) / all).max(0.0)
}

/// Counts a graph; `home` is the number of the home page.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
pub(crate) fn count(nodes: &[Node], own: &Own, groups: &Groups, home: Option<u32>) -> Summary {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let pages: Vec<(u32, &Node)> = own.pages.iter().map(|at| (*at, &nodes[*at as usize])).collect();
    let sound = || pages.iter().filter(|(_, node)| node.is_sound());
    let mut authority: Vec<f64> = pages.iter().map(|(_, node)| node.authority).collect();
    authority.sort_by(f64::total_cmp);
    let mut components: BTreeMap<u32, u32> = BTreeMap::new();
    pages.iter().for_each(|(_, node)| *components.entry(node.component).or_default() += 1);
    let mut depths: BTreeMap<u32, u32> = BTreeMap::new();
    pages.iter().filter_map(|(_, node)| node.depth).for_each(|depth| *depths.entry(depth).or_default() += 1);
    let mut top: Vec<&Node> = pages.iter().map(|(_, node)| *node).collect();
    top.sort_by(|a, b| b.authority.total_cmp(&a.authority).then(a.url.cmp(&b.url)));
    let strongest = top.iter().take(TOP).map(|node| Top {
        url: node.url.clone(),
        authority: told(node.authority, pages.len()),
        inlinks: node.inlinks,
        depth: node.depth,
        hits: short(f64::from(node.hits) * 1_000.0),
    });
    let inlinks =
        |nodes: &[&Node]| short(nodes.iter().map(|it| f64::from(it.inlinks)).sum::<f64>() / nodes.len().max(1) as f64);
    let by_segment = (0_u32..).zip(&groups.names).filter_map(|(group, name)| {
        let inside = pages.iter().filter(|(at, _)| groups.of[*at as usize] == Some(group));
        let inside: Vec<&Node> = inside.map(|(_, node)| *node).collect();
        let reached: Vec<f64> = inside.iter().filter_map(|node| node.depth).map(f64::from).collect();
        (!inside.is_empty()).then(|| SegmentNumbers {
            segment: name.clone(),
            pages: number(inside.len()),
            average_inlinks: inlinks(&inside),
            average_depth: (!reached.is_empty()).then(|| short(reached.iter().sum::<f64>() / reached.len() as f64)),
            authority_share: short(inside.iter().map(|node| node.authority).sum()),
        })
    });
    Summary {
        pages: number(pages.len()),
        sound: number(sound().count()),
        edges: number(own.flow.links()),
        unreachable: number(sound().filter(|(_, node)| node.depth.is_none()).count()),
        orphans: number(sound().filter(|(at, node)| node.inlinks == 0 && Some(*at) != home).count()),
        dead_ends: number(sound().filter(|(_, node)| node.outlinks == 0 && node.state == State::Sound).count()),
        components: number(components.len()),
        largest_component: components.values().copied().max().unwrap_or(0),
        gini: short(gini(&authority)),
        average_inlinks: inlinks(&pages.iter().map(|(_, node)| *node).collect::<Vec<_>>()),
        by_segment: by_segment.collect(),
        top: strongest.collect(),
        depths: depths.into_iter().map(|(depth, pages)| DepthCount { depth, pages }).collect(),
        ..Summary::default()
    }
}

#[args]
pub(crate) struct Get {
    /// The crawl.
    run_ref: Id<Run>,
}

/// A graph in numbers.
#[value]
pub(crate) struct View {
    /// Where the newest building of the graph stands.
    state: JobState,
    /// How far it got, while it is being built.
    progress: Option<Progress>,
    /// Why it failed, when it did.
    failure: Option<String>,
    /// The numbers; null until it is built.
    summary: Option<Summary>,
    /// The strongest pages.
    top_pages: Vec<Top>,
    /// Pages by clicks from the home page.
    depth_histogram: Vec<DepthCount>,
    /// What to look at next.
    next: Vec<Next>,
    /// When the graph was built; null until it is.
    built_at: Option<Moment>,
    /// What the numbers stand on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Summarises the link graph: depth histogram, authority concentration (Gini), orphan and dead-end counts, average inlinks by segment and strongest pages.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how well are my pages linked internally",
        "how many clicks away are my pages",
        "is my link graph ready",
        "show my strongest pages by internal links",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    let newest = cx.records::<Graph>().by("run_ref_created_ms").equals(&args.run_ref).descending().first();
    let graph = match newest {
        Some(graph) => graph,
        None => basis::graph(cx, &args.run_ref)?,
    };
    let job = graph.job_ref.as_ref().and_then(|job| cx.jobs().find(job));
    let state = match (graph.state, &job) {
        (GraphState::Ready, _) => JobState::Succeeded,
        (GraphState::Building, Some(job)) => job.state,
        (GraphState::Building, None) => JobState::Queued,
    };
    let (basis, built_at) = (basis::of(cx, &graph), graph.finished_ms.map(Moment::from_millis));
    let mut summary = graph.it.summary.filter(|_| state == JobState::Succeeded);
    let top_pages = summary.as_mut().map(|it| std::mem::take(&mut it.top)).unwrap_or_default();
    let depth_histogram = summary.as_mut().map(|it| std::mem::take(&mut it.depths)).unwrap_or_default();
    Ok(View {
        state,
        progress: job.as_ref().filter(|_| summary.is_none()).and_then(Job::progress),
        failure: job.as_ref().and_then(Job::fault).map(|(code, message)| format!("{code}: {message}")),
        next: summary.as_ref().map_or_else(Vec::new, |summary| next(summary, &graph.it.run_ref, &graph.it.site_id)),
        summary,
        built_at,
        top_pages,
        depth_histogram,
        basis,
        degraded: graph.it.degraded,
    })
}

/// What acts on what the numbers say.
fn next(summary: &Summary, run: &str, site: &str) -> Vec<Next> {
    let of_run = json!({ "run_ref": run });
    let mut next = vec![
        Next::new("links.suggestion.run", of_run.clone(), "finds new links that raise the authority of pages"),
        Next::new("links.leak.report", of_run.clone(), "shows links whose authority is lost"),
    ];
    if summary.orphans > 0 {
        let why = format!("lists the {} pages that no page links to", summary.orphans);
        next.push(Next::new("links.orphan.list", json!({ "site_id": site, "run_ref": run }), why));
    }
    if summary.unreachable > 0 || summary.depths.iter().any(|it| it.depth > 3) {
        next.push(Next::new("links.depth.report", of_run, "proposes links that bring deep pages near the home page"));
    }
    next
}

#[cfg(test)]
mod tests;
