//! The phases that compute: authority, hubs, and the numbers of the whole.

use kit::graph::flow::Rest;
use sdk::Degraded;
use sdk::prelude::*;

use super::{Checkpoint, Phase};
use crate::build::REST;
use crate::node::{self, Node, Own};
use crate::stored::Graph;
use crate::{leak, silo, summary, usage};

/// Redirects in a row that are followed.
const HOPS: usize = 10;
/// Links that the rounds of one step look at for hubs, twice each.
const LOOKS: usize = 60_000_000;

/// Finds what each page stands for, and computes PageRank.
pub(super) fn authority(cx: &Cx, graph: &mut Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    let mut nodes = node::pages(cx, graph)?;
    aliases(cx, graph, &mut nodes)?;
    let own = Own::of(&nodes, &node::links(cx, graph)?, graph.weight);
    let ranks = own.flow.pagerank(None, REST);
    for (page, score) in own.pages.iter().zip(&ranks.scores) {
        nodes[*page as usize].authority = *score;
    }
    (state.rounds, state.settled) = (ranks.rounds, ranks.settled);
    if !ranks.settled {
        graph
            .it
            .degraded
            .push(Degraded::new("authority", format!("authority had not settled after {} rounds", ranks.rounds)));
    }
    node::write_pages(cx, graph.id.as_str(), &nodes)?;
    state.phase = Phase::Hubs;
    Ok(())
}

fn aliases(cx: &Cx, graph: &Stored<Graph>, nodes: &mut [Node]) -> Result<()> {
    let leads: Vec<Option<u32>> = {
        let numbers = node::by_url(nodes);
        let collapse = |at: usize| nodes[at].state == node::State::Moved || graph.collapse_canonicals;
        let names = node::names(cx, graph)?.into_iter().enumerate();
        let lead = |(at, name): (usize, node::Name)| {
            let to = name.leads.filter(|_| collapse(at))?;
            numbers.get(to.as_str()).copied().filter(|to| *to as usize != at)
        };
        names.map(lead).collect()
    };
    for (at, node) in nodes.iter_mut().enumerate() {
        let mut end = leads.get(at).copied().flatten();
        for _ in 0..HOPS {
            match end.and_then(|end| leads[end as usize]) {
                Some(next) if next as usize != at => end = Some(next),
                // A circle leads nowhere.
                Some(_) => end = None,
                None => break,
            }
        }
        node.alias = end;
    }
    // A chain that is longer, or ends in a circle, ends at a page that leads on: it stands for itself.
    let leads_on: Vec<bool> = nodes.iter().map(|node| node.alias.is_some()).collect();
    for node in nodes {
        node.alias = node.alias.filter(|end| !leads_on[*end as usize]);
    }
    Ok(())
}

/// Computes hubs and authorities.
pub(super) fn hubs(cx: &Cx, graph: &Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    let mut nodes = node::pages(cx, graph)?;
    let own = Own::of(&nodes, &node::links(cx, graph)?, graph.weight);
    let rounds = u32::try_from(LOOKS / (own.flow.links() + 1)).unwrap_or(u32::MAX).clamp(20, 1_000);
    let (hubs, authorities) = own.flow.hits(Rest { tolerance: 1e-9, rounds });
    for (at, page) in own.pages.iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "a score that is only compared")]
        let scores = (hubs.scores[at] as f32, authorities.scores[at] as f32);
        let node = &mut nodes[*page as usize];
        (node.hub, node.hits) = scores;
    }
    state.hub_rounds = hubs.rounds;
    node::write_pages(cx, graph.id.as_str(), &nodes)?;
    state.phase = Phase::Numbers;
    Ok(())
}

/// Depths, components, counts; then the summary, what is lost, and links between segments.
pub(super) fn numbers(cx: &Cx, graph: &mut Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    let mut nodes = node::pages(cx, graph)?;
    let links = node::links(cx, graph)?;
    let own = Own::of(&nodes, &links, graph.weight);
    let home = node::home(&nodes, &graph.origin);
    let depths = node::clicks(&nodes, &links, home.as_slice());
    let home = home.and_then(|home| own.place[home as usize]);
    let (components, inlinks) = (own.flow.components(), own.flow.inlinks());
    for (at, page) in own.pages.iter().enumerate() {
        let node = &mut nodes[*page as usize];
        node.depth = depths[*page as usize];
        node.component = own.pages[components[at] as usize];
        node.inlinks = inlinks[at];
        node.outlinks = u32::try_from(own.flow.from(at).count()).unwrap_or(u32::MAX);
    }
    for anchor in node::anchors(cx, graph)? {
        let target = nodes[anchor.target as usize].alias.unwrap_or(anchor.target);
        nodes[target as usize].anchors += 1;
    }
    node::write_pages(cx, graph.id.as_str(), &nodes)?;
    let groups = silo::Groups::of(cx, &graph.site_id, &nodes);
    let names = node::names(cx, graph)?;
    usage::find(cx, graph, &nodes, &names)?;
    graph.it.leaks = Some(leak::measure(&nodes, &links, graph.weight));
    graph.it.matrix = Some(silo::matrix(&groups, &nodes, &names, &own, &graph.language));
    let home = home.map(|home| own.pages[home as usize]);
    let mut summary = summary::count(&nodes, &own, &groups, home);
    (summary.iterations, summary.settled, summary.hits_iterations) = (state.rounds, state.settled, state.hub_rounds);
    graph.it.summary = Some(summary);
    if groups.by_folder {
        graph
            .it
            .degraded
            .push(Degraded::new("segments", "no segments are set for this website: its first folders stand for them"));
    }
    state.phase = Phase::Broken;
    Ok(())
}
