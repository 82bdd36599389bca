//! The operation `links.silo.report`: how the parts of a website link to each other.

use std::collections::{BTreeMap, HashMap};

use kit::phrases::{Code, likeness};
use kit::segments::{Address, Segment as Rules};
use kit::url::path_and_query;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::names::Called;
use crate::node::{Name, Node, Own};
use crate::summary::short;
use site::Run;

/// Parts of a website that are told apart.
const PARTS: usize = 40;
/// Titles of a part that its topic is read from.
const TITLES: usize = 200;
/// The strongest pages of a part: a bridge is looked for between them.
const STRONGEST: usize = 12;
/// Topics that are less alike than this need no bridge.
const ALIKE: f64 = 0.12;
/// Bridges that are told.
const BRIDGES: usize = 20;

/// The part of the website that each page is in.
pub(crate) struct Groups {
    /// What the parts are called.
    pub(crate) names: Vec<String>,
    /// By page.
    pub(crate) of: Vec<Option<u32>>,
    /// Whether they are folders, since no segment is set.
    pub(crate) by_folder: bool,
}

/// The first folder of a path, with its slashes.
pub(crate) fn folder(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    match (parts.next(), parts.next()) {
        (Some(first), Some(_)) if !first.is_empty() => format!("/{first}/"),
        _ => "/".to_owned(),
    }
}

impl Groups {
    /// By the segments of a website; by first folders where none is set.
    pub(crate) fn of(cx: &Cx, site: &str, nodes: &[Node]) -> Self {
        let segments = site::segments(cx, &Id::new(site)).take(PARTS);
        let rules: Vec<(String, Rules)> = segments.filter_map(|it| Some((it.name.clone(), it.ready()?))).collect();
        if !rules.is_empty() {
            let group = |node: &Node| {
                let address = Address { url: &node.url, content_type: None };
                let at = rules.iter().position(|(_, rules)| rules.holds(address))?;
                u32::try_from(at).ok()
            };
            let of = nodes.iter().map(group).collect();
            return Self { names: rules.into_iter().map(|(name, _)| name).collect(), of, by_folder: false };
        }
        let folders: Vec<String> = nodes.iter().map(|node| folder(path_and_query(&node.url))).collect();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        folders.iter().for_each(|folder| *counts.entry(folder).or_default() += 1);
        let mut names: Vec<(&str, u32)> = counts.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        names.truncate(PARTS);
        let places: HashMap<&str, u32> = (0..).zip(&names).map(|(at, (name, _))| (*name, at)).collect();
        let of = folders.iter().map(|folder| places.get(folder.as_str()).copied()).collect();
        Self { names: names.into_iter().map(|(name, _)| name.to_owned()).collect(), of, by_folder: true }
    }
}

/// Links between parts, as they are kept.
#[value]
pub(crate) struct Matrix {
    cells: Vec<Cell>,
    cohesion: BTreeMap<String, Cohesion>,
    bridges: Vec<Bridge>,
}

/// Links from one part to another.
#[value]
pub(crate) struct Cell {
    from: String,
    to: String,
    /// Pairs of pages that are linked.
    links: u32,
    /// Their share of all that leaves the first part.
    share: f64,
}

/// How a part keeps together.
#[value]
pub(crate) struct Cohesion {
    /// Pages that stand for themselves.
    pages: u32,
    /// The share of its links that stay within.
    cohesion: f64,
    /// The share that leaves it.
    leakage: f64,
    /// The share of its authority that links from other parts bring.
    from_outside: f64,
}

/// Two parts about the same with too few links between them.
#[value]
pub(crate) struct Bridge {
    from: String,
    to: String,
    /// How alike their topics are, 0 to 1.
    likeness: f64,
    /// Links between them, both ways.
    links: u32,
    /// A strong page of the first part that could link.
    source: String,
    /// The page of the second part that it could link to.
    target: String,
}

/// Counts the links between parts, and looks for bridges that are missing.
pub(crate) fn matrix(groups: &Groups, nodes: &[Node], names: &[Name], own: &Own, language: &str) -> Matrix {
    let count = groups.names.len();
    let (mut pairs, mut sizes) = (vec![0_u32; count * count], vec![0_u32; count]);
    let (mut brought, mut within) = (vec![0.0; count], vec![0.0; count]);
    let group = |own_page: usize| groups.of[own.pages[own_page] as usize].map(|it| it as usize);
    for page in 0..own.pages.len() {
        let Some(from) = group(page) else { continue };
        sizes[from] += 1;
        for (to, weight) in own.flow.from(page) {
            let Some(to) = group(to as usize) else { continue };
            pairs[from * count + to] += 1;
            let flow = nodes[own.pages[page] as usize].authority * f64::from(weight) / own.flow.out(page).max(1e-12);
            if from == to { within[to] += flow } else { brought[to] += flow }
        }
    }
    let share = |part: f64, all: f64| if all > 0.0 { short(part / all) } else { 0.0 };
    let (mut cells, mut cohesion) = (Vec::new(), BTreeMap::new());
    for from in 0..count {
        let row = &pairs[from * count..(from + 1) * count];
        let all: u32 = row.iter().sum();
        for (to, links) in row.iter().enumerate().filter(|(_, links)| **links > 0) {
            let (name, other) = (groups.names[from].clone(), groups.names[to].clone());
            cells.push(Cell { from: name, to: other, links: *links, share: share(f64::from(*links), f64::from(all)) });
        }
        let stay = share(f64::from(row[from]), f64::from(all));
        cohesion.insert(
            groups.names[from].clone(),
            Cohesion {
                pages: sizes[from],
                cohesion: stay,
                leakage: if all > 0 { short(1.0 - stay) } else { 0.0 },
                from_outside: share(brought[from], brought[from] + within[from]),
            },
        );
    }
    let bridges = bridges(groups, nodes, names, language, &pairs, &sizes);
    Matrix { cells, cohesion, bridges }
}

fn bridges(
    groups: &Groups,
    nodes: &[Node],
    names: &[Name],
    language: &str,
    pairs: &[u32],
    sizes: &[u32],
) -> Vec<Bridge> {
    let count = groups.names.len();
    let called = Called::of(nodes, names, language);
    let members = |group: usize| {
        let inside =
            (0..nodes.len()).filter(move |at| groups.of[*at] == u32::try_from(group).ok() && nodes[*at].is_sound());
        let mut inside: Vec<usize> = inside.collect();
        inside.sort_by(|a, b| nodes[*b].authority.total_cmp(&nodes[*a].authority).then(a.cmp(b)));
        inside
    };
    let members: Vec<Vec<usize>> = (0..count).map(members).collect();
    let topic =
        |pages: &Vec<usize>| pages.iter().take(TITLES).flat_map(|at| called.titles[*at].clone()).collect::<Vec<Code>>();
    let topics: Vec<Vec<Code>> = members.iter().map(topic).collect();
    let mut found = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let links = pairs[a * count + b] + pairs[b * count + a];
            // A link for every fourth page of the smaller part is enough of a bridge.
            if sizes[a].min(sizes[b]) < 2 || links * 4 >= sizes[a].min(sizes[b]) {
                continue;
            }
            let alike = likeness(&topics[a], &topics[b], &called.rarity);
            if alike < ALIKE {
                continue;
            }
            let best = |from: &[usize], to: &[usize]| {
                let pairs = from.iter().take(STRONGEST).flat_map(|x| to.iter().take(STRONGEST).map(move |y| (*x, *y)));
                pairs
                    .map(|(x, y)| (likeness(&called.titles[x], &called.titles[y], &called.rarity), x, y))
                    .max_by(|p, q| p.0.total_cmp(&q.0).then(q.1.cmp(&p.1)))
            };
            let Some((_, source, target)) = best(&members[a], &members[b]) else { continue };
            found.push(Bridge {
                from: groups.names[a].clone(),
                to: groups.names[b].clone(),
                likeness: short(alike),
                links,
                source: nodes[source].url.clone(),
                target: nodes[target].url.clone(),
            });
        }
    }
    found.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.from.cmp(&b.from)).then(a.to.cmp(&b.to)));
    found.truncate(BRIDGES);
    found
}

#[args]
pub(crate) struct Report {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
}

/// A bridge with the call that looks for its links.
#[value]
pub(crate) struct Missing {
    #[serde(flatten)]
    bridge: Bridge,
    fix: Fix,
}

/// How the parts of a website link to each other.
#[value]
pub(crate) struct Silos {
    /// Links from part to part; pairs without a link are left out.
    matrix: Vec<Cell>,
    /// How each part keeps together.
    cohesion: BTreeMap<String, Cohesion>,
    /// Parts about the same that hardly link to each other.
    missing_bridges: Vec<Missing>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Builds the segment-to-segment link matrix with cohesion, leakage and missing bridges between related topics.
///
/// A page counts for the first segment of the website that holds it; without segments, for its first folder. Topics are
/// compared by the words of titles. The segments are those at the time the graph was built.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "do my sections link to each other",
        "how well are my topic clusters linked",
        "which related sections of my site lack links between them",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Silos> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let basis = basis::of(cx, &graph);
    let it = graph.into_inner();
    let matrix = it.matrix.unwrap_or(Matrix { cells: Vec::new(), cohesion: BTreeMap::new(), bridges: Vec::new() });
    let missing = matrix.bridges.into_iter().map(|bridge| {
        let arguments = json!({ "site_id": it.site_id, "url": bridge.target, "direction": "in" });
        Missing { fix: Fix::new("links.suggestion.for_page", arguments), bridge }
    });
    let missing_bridges = missing.collect();
    Ok(Silos { matrix: matrix.cells, cohesion: matrix.cohesion, missing_bridges, basis, degraded: it.degraded })
}

#[cfg(test)]
mod tests;
