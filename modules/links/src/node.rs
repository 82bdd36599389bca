//! Pages and links of a graph as bytes, and the flow of authority that they make.

use std::collections::{HashMap, HashSet};

use kit::graph::flow::{Edge, Flow};
use kit::page::Placement;
pub(crate) use linkgraph::{Node, State};
use sdk::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::stored::{Graph, Weight};

/// Pages of one blob.
pub(crate) const PAGES: usize = 5_000;
/// Bytes of pages and links that one read looks at; the host allows it 16 MiB.
pub(crate) const MOST_BYTES: u64 = 15 << 20;

/// What a page is called: title and first heading; and where it leads when it does not stand for itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Name {
    pub(crate) title: String,
    pub(crate) h1: String,
    pub(crate) leads: Option<String>,
}

/// Links to one page: each source, as the difference to the one before, with where its links stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Incoming {
    pub(crate) to: u32,
    pub(crate) from: Vec<(u32, Where)>,
}

/// Where the links from one page to another stand: a bit for each placement, five for links that are followed and five for
/// those that ask not to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Where(pub(crate) u16);

pub(crate) const PLACEMENTS: [Placement; 5] =
    [Placement::Nav, Placement::Header, Placement::Main, Placement::Aside, Placement::Footer];

impl Where {
    /// One more link.
    pub(crate) fn add(&mut self, placement: Placement, followed: bool) {
        let bit = PLACEMENTS.iter().position(|it| *it == placement).unwrap_or(2);
        self.0 |= 1 << (bit + if followed { 0 } else { 5 });
    }

    /// Without the links that stand there.
    pub(crate) fn without(self, placement: Placement) -> Self {
        let bit = PLACEMENTS.iter().position(|it| *it == placement).unwrap_or(2);
        Self(self.0 & !(1 << bit | 1 << (bit + 5)))
    }

    /// What the links are worth: the best that is followed counts.
    pub(crate) fn weight(self, weight: Weight) -> f32 {
        Self::best(self.0 & 31, weight)
    }

    /// What they would be worth if none asked not to be followed.
    pub(crate) fn weight_of_all(self, weight: Weight) -> f32 {
        Self::best((self.0 | self.0 >> 5) & 31, weight)
    }

    fn best(bits: u16, weight: Weight) -> f32 {
        const WORTH: [f32; 5] = [0.25, 0.25, 1.0, 0.25, 0.125];
        let standing = WORTH.iter().enumerate().filter(|(bit, _)| bits & 1 << bit != 0).map(|(_, worth)| *worth);
        let best = standing.fold(0.0, f32::max);
        if best > 0.0 && weight == Weight::Uniform { 1.0 } else { best }
    }
}

/// One link between pages, as it stands.
pub(crate) type Raw = (u32, u32, Where);

/// A text of links to one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Anchor {
    pub(crate) target: u32,
    pub(crate) text: String,
    /// Links with it.
    pub(crate) links: u32,
    /// Of these, in the main text.
    pub(crate) in_text: u32,
    /// The first page with it.
    pub(crate) source: u32,
}

/// Writes the pages of a graph anew.
pub(crate) fn write_pages(cx: &Cx, graph: &str, nodes: &[Node]) -> Result<()> {
    for (part, nodes) in (0_u32..).zip(nodes.chunks(PAGES)) {
        write(cx, &blob(graph, "pages", part), nodes)?;
    }
    Ok(())
}

/// The blob of a part of a graph: `pages`, `names`, `links`, `anchors`, `speakers` or `usage`.
pub(crate) fn blob(graph: &str, what: &str, part: u32) -> String {
    format!("graph/{graph}/{what}/{part}")
}

/// Writes a part of a graph; how many bytes it has.
pub(crate) fn write<T: Serialize>(cx: &Cx, key: &str, rows: &[T]) -> Result<u64> {
    let bytes = postcard::to_allocvec(rows).map_err(|error| unreadable(&error))?;
    cx.blobs().write(key, &bytes)?;
    Ok(bytes.len() as u64)
}

/// Reads a part of a graph; nothing when it is not there.
pub(crate) fn read<T: DeserializeOwned>(cx: &Cx, key: &str) -> Result<Vec<T>> {
    match cx.blobs().read(key, 0, 8 << 20) {
        Some(bytes) => postcard::from_bytes(&bytes).map_err(|error| unreadable(&error)),
        None => Ok(Vec::new()),
    }
}

fn unreadable(error: &postcard::Error) -> Fault {
    Fault::unavailable("graph_unreadable", format!("the stored graph cannot be read ({error}); build it again"))
}

fn parts<T: DeserializeOwned>(cx: &Cx, graph: &str, what: &str, count: u32) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    for part in 0..count {
        rows.extend(read(cx, &blob(graph, what, part))?);
    }
    Ok(rows)
}

/// The pages of a graph by number.
pub(crate) fn pages(cx: &Cx, graph: &Stored<Graph>) -> Result<Vec<Node>> {
    parts(cx, graph.id.as_str(), "pages", graph.page_parts)
}

/// What the pages of a graph are called, by number.
pub(crate) fn names(cx: &Cx, graph: &Stored<Graph>) -> Result<Vec<Name>> {
    parts(cx, graph.id.as_str(), "names", graph.name_parts)
}

/// The texts of links.
pub(crate) fn anchors(cx: &Cx, graph: &Stored<Graph>) -> Result<Vec<Anchor>> {
    parts(cx, graph.id.as_str(), "anchors", graph.anchor_parts)
}

/// In the running text of how many pages each of the texts of links stands, in the order of [`anchors`].
pub(crate) fn speakers(cx: &Cx, graph: &Stored<Graph>) -> Result<Vec<u32>> {
    parts(cx, graph.id.as_str(), "speakers", graph.anchor_parts)
}

/// The links of a graph, as they stand.
pub(crate) fn links(cx: &Cx, graph: &Stored<Graph>) -> Result<Vec<Raw>> {
    let mut links = Vec::new();
    for part in 0..graph.link_parts {
        for incoming in read::<Incoming>(cx, &blob(graph.id.as_str(), "links", part))? {
            let mut from = 0;
            for (step, place) in incoming.from {
                from += step;
                links.push((from, incoming.to, place));
            }
        }
    }
    Ok(links)
}

/// The links that hand authority on. Those of pages that search engines do not read are none: of pages that ask not to be
/// indexed, are forbidden, failed, or stand for another. A link to a page that stands for another counts for that one.
pub(crate) fn flow(nodes: &[Node], links: &[Raw], weight: Weight) -> Flow {
    let speaks = |node: &Node| node.is_sound() || (node.state == State::NotDocument && node.is_own());
    let edges = links.iter().filter_map(|(from, to, place)| {
        let source = nodes.get(*from as usize).filter(|node| speaks(node))?;
        let to = nodes.get(*to as usize)?.alias.unwrap_or(*to);
        let worth = place.weight(weight);
        (worth > 0.0 && nodes[to as usize].url != source.url).then_some((*from, to, worth))
    });
    Flow::new(nodes.len(), edges.collect::<Vec<Edge>>())
}

/// How many clicks each page is from these: over every page that people can read, also where search engines may not show it
/// or another page stands for it. Links that are not followed are no way.
pub(crate) fn clicks(nodes: &[Node], links: &[Raw], from: &[u32]) -> Vec<Option<u32>> {
    let edges = links.iter().filter_map(|(from, to, place)| {
        let source = nodes.get(*from as usize).filter(|node| !matches!(node.state, State::Failing | State::Blocked))?;
        let (source, to) = (source.alias.unwrap_or(*from), nodes.get(*to as usize)?.alias.unwrap_or(*to));
        (place.weight(Weight::Uniform) > 0.0 && source != to).then_some((source, to, 1.0))
    });
    Flow::new(nodes.len(), edges.collect::<Vec<Edge>>()).depths(from)
}

/// Which pages stand for themselves, as numbers of their own, and the flow among them alone: pages that moved have no part
/// in the authority of a website.
pub(crate) struct Own {
    /// By number in the graph: the number among those that stand for themselves.
    pub(crate) place: Vec<Option<u32>>,
    /// By that number: the number in the graph.
    pub(crate) pages: Vec<u32>,
    /// The links among them.
    pub(crate) flow: Flow,
}

impl Own {
    pub(crate) fn of(nodes: &[Node], links: &[Raw], weight: Weight) -> Self {
        let pages: Vec<u32> = (0_u32..).zip(nodes).filter(|(_, node)| node.is_own()).map(|(at, _)| at).collect();
        let mut place = vec![None; nodes.len()];
        (0_u32..).zip(&pages).for_each(|(own, page)| place[*page as usize] = Some(own));
        let whole = flow(nodes, links, weight);
        let edges = (0..nodes.len()).flat_map(|from| {
            let own = place[from];
            let place = &place;
            whole.from(from).filter_map(move |(to, worth)| Some((own?, place[to as usize]?, worth)))
        });
        let flow = Flow::new(pages.len(), edges.collect());
        Self { place, pages, flow }
    }

    /// The scores that pages have, by their own numbers.
    pub(crate) fn scores(&self, nodes: &[Node]) -> Vec<f64> {
        self.pages.iter().map(|page| nodes[*page as usize].authority).collect()
    }
}

/// The home page: the shortest address of the website's origin that stands for itself, or what it stands for.
pub(crate) fn home(nodes: &[Node], origin: &str) -> Option<u32> {
    let root = format!("{origin}/");
    let at = nodes.iter().position(|node| node.url == root).or_else(|| nodes.iter().position(Node::is_sound))?;
    let at = u32::try_from(at).ok()?;
    Some(nodes[at as usize].alias.unwrap_or(at))
}

/// Pages by address.
pub(crate) fn by_url(nodes: &[Node]) -> HashMap<&str, u32> {
    (0_u32..).zip(nodes).map(|(at, node)| (node.url.as_str(), at)).collect()
}

/// The pairs of pages that are linked, followed or not.
pub(crate) fn linked(nodes: &[Node], links: &[Raw]) -> HashSet<(u32, u32)> {
    links.iter().map(|(from, to, _)| (*from, nodes[*to as usize].alias.unwrap_or(*to))).collect()
}
