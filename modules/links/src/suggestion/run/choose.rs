//! The choice among all places for links, and what is stored of it.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

use kit::graph::DAMPING;
use sdk::prelude::*;

use super::{Outcome, Work};
use crate::engine::Candidate;
use crate::node::{self, Node, Own};
use crate::stored::{Graph, Stand, Suggestion, pair};
use crate::summary::short;

/// Suggestions of one run.
const MOST: usize = 5_000;
/// The weight of a link in running text.
const WEIGHT: f64 = 1.0;

/// A place with what it was worth when it was looked at last.
struct Worth {
    value: f64,
    place: usize,
}

impl PartialEq for Worth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worth {}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Worth {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(other.place.cmp(&self.place))
    }
}

/// What links that were chosen change: the linearised PageRank.
struct Changed<'a> {
    nodes: &'a [Node],
    own: &'a Own,
    out: HashMap<u32, u32>,
    into: HashMap<u32, u32>,
    gained: HashMap<u32, f64>,
}

impl Changed<'_> {
    /// What a link would bring its target now: the share of its page's authority, with what that page itself has gained.
    fn gain(&self, place: &Candidate) -> f64 {
        let authority =
            self.nodes[place.source as usize].authority + self.gained.get(&place.source).copied().unwrap_or(0.0);
        let own = self.own.place[place.source as usize].map_or(0.0, |at| self.own.flow.out(at as usize));
        let added = WEIGHT * f64::from(self.out.get(&place.source).copied().unwrap_or(0));
        DAMPING * authority * WEIGHT / (own + added + WEIGHT)
    }
}

/// Takes the places whose relevance times gain is greatest, one by one, under the caps; each with its gain.
fn choose(places: &[Candidate], nodes: &[Node], own: &Own, per_page: u32, per_target: u32) -> Vec<(usize, f64)> {
    let mut changed = Changed { nodes, own, out: HashMap::new(), into: HashMap::new(), gained: HashMap::new() };
    let value = |changed: &Changed<'_>, place: usize| places[place].relevance * changed.gain(&places[place]);
    let mut heap: BinaryHeap<Worth> =
        (0..places.len()).map(|place| Worth { value: value(&changed, place), place }).collect();
    let (mut chosen, mut pairs, mut sentences) = (Vec::new(), HashSet::new(), HashSet::new());
    while let Some(top) = heap.pop() {
        let place = &places[top.place];
        let full = |counts: &HashMap<u32, u32>, page: u32, most: u32| counts.get(&page).is_some_and(|it| *it >= most);
        if chosen.len() == MOST
            || full(&changed.out, place.source, per_page)
            || full(&changed.into, place.target, per_target)
            || pairs.contains(&(place.source, place.target))
            || sentences.contains(&(place.source, place.sentence.as_str()))
        {
            continue;
        }
        // It is looked at again only when it comes first: links chosen meanwhile have mostly made it worth less.
        let now = value(&changed, top.place);
        if heap.peek().is_some_and(|next| now < next.value && now < top.value) {
            heap.push(Worth { value: now, place: top.place });
            continue;
        }
        let gain = changed.gain(place);
        *changed.out.entry(place.source).or_default() += 1;
        *changed.into.entry(place.target).or_default() += 1;
        *changed.gained.entry(place.target).or_default() += gain;
        pairs.insert((place.source, place.target));
        sentences.insert((place.source, place.sentence.as_str()));
        chosen.push((top.place, gain));
    }
    chosen
}

/// The pairs of addresses of suggestions that stand so.
pub(super) fn pairs(cx: &Cx, site: &str, stand: Stand) -> Vec<(String, String)> {
    let rows = cx.records::<Suggestion>().by("site_id_state_worth").equals(site).equals(stand).scan();
    rows.map(|it| (it.source.clone(), it.target.clone())).collect()
}

/// Chooses and stores.
pub(super) fn store(cx: &Cx, graph: &Stored<Graph>, work: &Work, parts: u32) -> Result<Outcome> {
    let nodes = node::pages(cx, graph)?;
    let links = node::links(cx, graph)?;
    let own = Own::of(&nodes, &links, graph.weight);
    let mut places: Vec<Candidate> = Vec::new();
    for part in 0..parts {
        places.extend(node::read(cx, &node::blob(graph.id.as_str(), "places", part))?);
    }
    let chosen = choose(&places, &nodes, &own, work.per_page, work.per_target);
    let pages = own.pages.len();
    let mut rows: Vec<(Id<Suggestion>, Suggestion)> = Vec::new();
    let mut gains = 0.0;
    for (at, gain) in &chosen {
        let place = &places[*at];
        let (source, target) = (&nodes[place.source as usize].url, &nodes[place.target as usize].url);
        #[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
        let gain = gain * pages as f64;
        gains += gain;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and far below 2^63")]
        let worth = (place.relevance * gain * 1e6) as u64;
        rows.push((
            pair(&graph.site_id, source, target),
            Suggestion {
                site_id: graph.site_id.clone(),
                run_ref: graph.run_ref.clone(),
                state: Stand::Proposed,
                source: source.clone(),
                target: target.clone(),
                sentence: place.sentence.clone(),
                anchor: place.anchor.clone(),
                relevance: short(place.relevance),
                gain: short(gain),
                worth,
                found_ms: cx.now().millis(),
                decided_ms: None,
                applied: None,
            },
        ));
    }
    let lost = lose(cx, graph, work, &nodes, &node::linked(&nodes, &links), &rows)?;
    cx.records::<Suggestion>().put_many_as(rows.iter().map(|(id, row)| (id, row)))?;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Outcome {
        suggestions: number(rows.len()),
        expected_gain: short(gains),
        left_out: number(places.len() - chosen.len()),
        lost,
    })
}

/// Earlier suggestions that this run does not make again, and links that were put in and are gone from a later crawl.
fn lose(
    cx: &Cx,
    graph: &Graph,
    work: &Work,
    nodes: &[Node],
    linked: &HashSet<(u32, u32)>,
    rows: &[(Id<Suggestion>, Suggestion)],
) -> Result<u32> {
    let again: HashSet<&str> = rows.iter().map(|(id, _)| id.as_str()).collect();
    let numbers = node::by_url(nodes);
    let mut lost: Vec<(Id<Suggestion>, Suggestion)> = Vec::new();
    for stand in [Stand::Proposed, Stand::Applied] {
        let stored = cx.records::<Suggestion>().by("site_id_state_worth").equals(&graph.site_id).equals(stand);
        for row in stored.scan() {
            let gone = match (stand, &row.applied) {
                (Stand::Applied, Some(applied)) => {
                    let pair = (numbers.get(row.source.as_str()), numbers.get(row.target.as_str()));
                    let stands = matches!(pair, (Some(from), Some(to)) if linked.contains(&(*from, *to)));
                    applied.at_ms < graph.crawled_ms && !stands
                }
                // A run for some targets says nothing of the others.
                _ => {
                    !again.contains(row.id.as_str()) && (work.targets.is_empty() || work.targets.contains(&row.target))
                }
            };
            if gone {
                lost.push((row.id.clone(), Suggestion { state: Stand::Lost, ..row.into_inner() }));
            }
        }
    }
    cx.records::<Suggestion>().put_many_as(lost.iter().map(|(id, row)| (id, row)))?;
    Ok(u32::try_from(lost.len()).unwrap_or(u32::MAX))
}
