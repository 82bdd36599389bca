//! The operation `links.depth.report`.

use std::collections::{BTreeMap, HashSet, VecDeque};

use kit::phrases::likeness;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::names::Called;
use crate::node::{self, Node, Own};
use crate::silo::Groups;
use crate::summary::{DepthCount, told};
use site::Run;

/// Deep pages that are told, the most important ones.
const DEEP: usize = 100;
/// Links that are proposed.
const LINKS: usize = 25;
/// Pages near the home page that are compared by topic.
const HUBS: usize = 300;

#[args]
pub(crate) struct Report {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// Pages should be at most so many clicks from the home page.
    #[default(3)]
    max_depth: Count<2, 6>,
}

/// Pages by depth.
#[value]
pub(crate) struct Histogram {
    /// The segment, or the first folder; `all` for the whole website.
    segment: String,
    /// Pages by clicks from the home page.
    depths: Vec<DepthCount>,
    /// Pages that no way leads to.
    unreachable: u32,
}

/// A page that is too deep.
#[value]
pub(crate) struct Deep {
    url: String,
    /// Clicks from the home page; null where no way leads.
    depth: Option<u32>,
    /// Authority; 1 is what an average page has.
    authority: f64,
    /// Words of its text.
    words: u32,
}

/// A link that brings deep pages near.
#[value]
pub(crate) struct Proposed {
    /// A page near the home page, the one most like the target.
    from: String,
    /// Where it should link to.
    to: String,
    /// Important deep pages that are within reach then.
    covers: u32,
    /// The first of them.
    examples: Vec<String>,
    /// What finds a sentence for the link.
    fix: Fix,
}

/// How deep pages are.
#[value]
pub(crate) struct Depths {
    /// For the whole website, then for its parts.
    histogram: Vec<Histogram>,
    /// Pages deeper than wished, the most important first: clicks from searches, then longer texts and more authority.
    deep_important: Vec<Deep>,
    /// Deep pages in all.
    deep_total: u32,
    /// The fewest links that bring them near, the most useful first.
    proposed_hub_links: Vec<Proposed>,
    /// Of the important deep pages, those that the proposed links bring near.
    covered: u32,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports click depth by segment and the fewest hub links that would bring important deep pages within three clicks (greedy set cover).
///
/// A link from a page near the home page brings its target near, and what the target links to. Of all targets the one that
/// brings most of what is left is taken, again and again (Chvátal 1979).
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "which pages are buried too deep",
        "how do I bring deep pages closer to the home page",
        "click depth of my website",
        "pages more than three clicks from the homepage",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "max_depth": 4 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Depths> {
    let graph = basis::graph(cx, &args.run_ref)?;
    basis::readable(&graph)?;
    let most = u32::try_from(args.max_depth.get()).unwrap_or(3);
    let nodes = node::pages(cx, &graph)?;
    let own = Own::of(&nodes, &node::links(cx, &graph)?, graph.weight);
    let groups = Groups::of(cx, &graph.site_id, &nodes);
    let deep = |node: &Node| node.is_sound() && node.depth.is_none_or(|depth| depth > most);
    let mut important: Vec<u32> =
        (0_u32..).zip(&own.pages).filter(|(_, page)| deep(&nodes[**page as usize])).map(|(at, _)| at).collect();
    let (clicks, missing) = basis::clicks(cx, &graph.site_id);
    #[expect(clippy::cast_precision_loss, reason = "clicks of a month are far below 2^52")]
    let worth = |at: &u32| {
        let node = &nodes[own.pages[*at as usize] as usize];
        // A click says more than a word: pages that are clicked come first, the others by authority and length.
        let clicked = clicks.as_ref().map_or(0.0, |it| it.of(&node.url) as f64);
        (clicked, node.authority * f64::from(node.words.max(1)).ln_1p())
    };
    important.sort_by(|a, b| {
        let (left, right) = (worth(a), worth(b));
        right.0.total_cmp(&left.0).then(right.1.total_cmp(&left.1)).then(a.cmp(b))
    });
    let deep_total = u32::try_from(important.len()).unwrap_or(u32::MAX);
    important.truncate(DEEP);
    let called = Called::of(&nodes, &node::names(cx, &graph)?, &graph.language);
    let (chosen, covered) = cover(&nodes, &own, &called, &important, most);
    let url = |at: u32| nodes[own.pages[at as usize] as usize].url.clone();
    let proposed = chosen.into_iter().map(|link| Proposed {
        from: url(link.from),
        to: url(link.to),
        covers: u32::try_from(link.covers.len()).unwrap_or(u32::MAX),
        examples: link.covers.iter().take(3).map(|at| url(*at)).collect(),
        fix: Fix::new(
            "links.suggestion.for_page",
            json!({ "site_id": graph.site_id, "url": url(link.to), "direction": "in" }),
        ),
    });
    let proposed_hub_links = proposed.collect();
    let deep_important = important.iter().map(|at| {
        let node = &nodes[own.pages[*at as usize] as usize];
        Deep {
            url: node.url.clone(),
            depth: node.depth,
            authority: told(node.authority, own.pages.len()),
            words: node.words,
        }
    });
    let degraded = missing.into_iter().chain(graph.degraded.iter().cloned()).collect();
    Ok(Depths {
        histogram: histogram(&nodes, &groups),
        deep_important: deep_important.collect(),
        deep_total,
        proposed_hub_links,
        covered,
        basis: basis::of(cx, &graph),
        degraded,
    })
}

/// A link that is proposed, by numbers among the pages that stand for themselves.
struct Chosen {
    from: u32,
    to: u32,
    covers: Vec<u32>,
}

/// Chooses links greedily; how many of the important pages they bring near.
fn cover(nodes: &[Node], own: &Own, called: &Called, important: &[u32], most: u32) -> (Vec<Chosen>, u32) {
    let depth = |at: u32| nodes[own.pages[at as usize] as usize].depth;
    let sound = |at: &u32| nodes[own.pages[*at as usize] as usize].is_sound();
    // A hub is a page that a reader reaches with one click, or the home page itself: it leaves room below the target.
    let hubs: Vec<u32> = (0..u32::try_from(own.pages.len()).unwrap_or(u32::MAX))
        .filter(|at| sound(at) && depth(*at).is_some_and(|depth| depth <= 1 && depth < most))
        .take(HUBS)
        .collect();
    let words = |at: u32| called.titles[own.pages[at as usize] as usize].as_slice();
    let mut left: HashSet<u32> = important.iter().copied().collect();
    let reach: Vec<(u32, u32, Vec<u32>)> = important
        .iter()
        .filter_map(|to| {
            let alike = |hub: &u32| likeness(words(*hub), words(*to), &called.rarity);
            let best = hubs
                .iter()
                .copied()
                .max_by(|a, b| alike(a).total_cmp(&alike(b)).then(depth(*b).cmp(&depth(*a))).then(b.cmp(a)))?;
            let room = most.saturating_sub(depth(best).unwrap_or(0) + 1);
            Some((best, *to, within(own, *to, room, &left)))
        })
        .collect();
    let mut chosen = Vec::new();
    while chosen.len() < LINKS && !left.is_empty() {
        let gained = |covers: &[u32]| covers.iter().filter(|at| left.contains(at)).count();
        let best = reach.iter().enumerate().max_by_key(|(at, (_, _, covers))| (gained(covers), usize::MAX - at));
        let Some((_, (from, to, covers))) = best.filter(|(_, (_, _, covers))| gained(covers) > 0) else { break };
        let covers: Vec<u32> = covers.iter().copied().filter(|at| left.remove(at)).collect();
        chosen.push(Chosen { from: *from, to: *to, covers });
    }
    (chosen, u32::try_from(important.len() - left.len()).unwrap_or(u32::MAX))
}

/// The wanted pages that so many clicks from a page reach, itself first.
fn within(own: &Own, page: u32, clicks: u32, wanted: &HashSet<u32>) -> Vec<u32> {
    let (mut seen, mut waiting) = (HashSet::from([page]), VecDeque::from([(page, 0)]));
    let mut found = Vec::new();
    while let Some((at, depth)) = waiting.pop_front() {
        if wanted.contains(&at) {
            found.push(at);
        }
        if depth < clicks && seen.len() < 2_000 {
            let next = own.flow.from(at as usize).map(|(to, _)| to).filter(|to| seen.insert(*to));
            waiting.extend(next.map(|to| (to, depth + 1)));
        }
    }
    found
}

fn histogram(nodes: &[Node], groups: &Groups) -> Vec<Histogram> {
    let count = |segment: &str, inside: &dyn Fn(usize) -> bool| {
        let (mut depths, mut unreachable) = (BTreeMap::new(), 0);
        for (_, node) in nodes.iter().enumerate().filter(|(at, node)| node.is_sound() && inside(*at)) {
            match node.depth {
                Some(depth) => *depths.entry(depth).or_insert(0) += 1,
                None => unreachable += 1,
            }
        }
        let depths = depths.into_iter().map(|(depth, pages)| DepthCount { depth, pages }).collect();
        Histogram { segment: segment.to_owned(), depths, unreachable }
    };
    let mut all = vec![count("all", &|_| true)];
    all.extend((0_u32..).zip(&groups.names).map(|(group, name)| count(name, &|at| groups.of[at] == Some(group))));
    all.retain(|it| it.unreachable > 0 || !it.depths.is_empty());
    all
}

#[cfg(test)]
mod tests;
