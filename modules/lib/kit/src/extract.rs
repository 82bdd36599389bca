//! Which part of a page is its content: without navigation, boilerplate and what is hidden.
//!
//! Of the Readability family: blocks of text score the elements around them by length and commas, class names and the share
//! of link text raise and lower scores, the best element and its good siblings are the content. A landmark that holds most
//! of the text (`main`, the only `article`) goes before; without either, the densest block is taken.

mod blocks;
mod cues;
mod measure;

use std::collections::BTreeMap;

pub(crate) use blocks::is_passed_over;
pub use blocks::{Block, Kind, blocks, plain};
pub use measure::Measures;

use crate::dom::{Data, Dom, NodeId};

/// A landmark is taken when it holds this share of the text that scoring would choose.
const LANDMARK_SHARE: f64 = 0.5;
/// Where more of the text than this is links, it is a list of pages and no content.
const MOST_LINKED: f64 = 0.25;
/// Fewer characters are no content.
const LEAST: u32 = 120;

/// The content of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The elements that hold it, in document order.
    pub roots: Vec<NodeId>,
    /// How it was found.
    pub found_by: FoundBy,
    /// How much text each element of the page holds.
    pub measures: Measures,
}

/// How the content of a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// `main`, the only `article`, or a role or property that says so.
    Landmark,
    /// The scores of its blocks.
    Scoring,
    /// Nothing stood out: the whole body without boilerplate.
    WholeBody,
}

/// Finds the content.
#[must_use]
pub fn content(dom: &Dom) -> Content {
    let measures = Measures::of(dom);
    let (roots, found_by) = find(dom, &measures);
    Content { roots, found_by, measures }
}

fn find(dom: &Dom, measures: &Measures) -> (Vec<NodeId>, FoundBy) {
    let scored = by_score(dom, measures);
    let scored_length: u32 = scored.iter().map(|id| measures.length(*id)).sum();
    if let Some(landmark) = landmark(dom, measures) {
        let length = measures.length(landmark);
        if length > 0 && f64::from(length) >= LANDMARK_SHARE * f64::from(scored_length) {
            return (vec![landmark], FoundBy::Landmark);
        }
    }
    if scored_length >= LEAST {
        return (scored, FoundBy::Scoring);
    }
    (dom.elements("body").take(1).collect(), FoundBy::WholeBody)
}

/// The element that says that it is the content.
fn landmark(dom: &Dom, measures: &Measures) -> Option<NodeId> {
    let (mut said, mut articles, mut main) = (Vec::new(), Vec::new(), None);
    for id in dom.descendants(0).filter(|id| matches!(dom.node(*id).data, Data::Element { .. })) {
        let holds = |name: &str, word: &str| {
            dom.attribute(id, name).is_some_and(|it| it.split_ascii_whitespace().any(|one| one == word))
        };
        if holds("itemprop", "articleBody") {
            said.push(id);
        }
        if main.is_none() && (dom.name(id) == "main" || holds("role", "main")) {
            main = Some(id);
        }
        let inner = |it: NodeId| dom.name(it) == "article" || cues::is_boilerplate(dom, it);
        if dom.name(id) == "article" && !dom.ancestors(id).any(inner) {
            articles.push(id);
        }
    }
    let one = |found: Vec<NodeId>| match found[..] {
        [id] if measures.length(id) >= LEAST => Some(id),
        _ => None,
    };
    one(said).or_else(|| one(articles)).or(main)
}

/// The best-scoring element with its good siblings; empty when nothing scores.
fn by_score(dom: &Dom, measures: &Measures) -> Vec<NodeId> {
    let mut scores: BTreeMap<NodeId, f64> = BTreeMap::new();
    let mut next = dom.first_child(0);
    while let Some(id) = next {
        let skip = cues::is_left_out(dom, id) || cues::is_unlikely(dom, id);
        if !skip && holds_text(dom, id) {
            score_around(dom, id, &mut scores);
        }
        next = dom.after(id, 0, !skip);
    }
    for (id, score) in &mut scores {
        *score *= 1.0 - measures.link_density(*id);
    }
    let Some((&top, &best)) = scores.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0))) else {
        return Vec::new();
    };
    let (top, best) = climb(dom, measures, &scores, top, best);
    let Some(parent) = dom.parent(top) else { return vec![top] };
    let threshold = (best * 0.2).max(10.0);
    let class = dom.attribute(top, "class").unwrap_or_default();
    let belongs = |id: &NodeId| {
        if *id == top {
            return true;
        }
        if cues::is_left_out(dom, *id) || cues::is_unlikely(dom, *id) {
            return false;
        }
        let bonus = if !class.is_empty() && dom.attribute(*id, "class") == Some(class) { best * 0.2 } else { 0.0 };
        if scores.get(id).is_some_and(|score| score + bonus >= threshold) {
            return true;
        }
        let (length, links) = (measures.length(*id), measures.link_density(*id));
        match dom.name(*id) {
            "p" => {
                (length > 80 && links < 0.25)
                    || (length > 0 && measures.links(*id) == 0 && dom.text(*id).contains(". "))
            }
            "h1" | "h2" | "h3" => length > 0 && links < 0.5,
            _ => false,
        }
    };
    dom.children(parent).filter(belongs).collect()
}

/// Goes up from the best element while the text around it is content too: split into sections, it has one parent.
fn climb(
    dom: &Dom,
    measures: &Measures,
    scores: &BTreeMap<NodeId, f64>,
    mut top: NodeId,
    mut best: f64,
) -> (NodeId, f64) {
    let mut held = kept(dom, measures, top);
    for around in dom.ancestors(top) {
        if matches!(dom.name(around), "" | "html") || cues::is_left_out(dom, around) || cues::is_unlikely(dom, around) {
            break;
        }
        let (length, linked) = kept(dom, measures, around);
        let density = f64::from(linked) / f64::from(length.max(1));
        let more = f64::from(length) >= 1.15 * f64::from(held.0.max(1));
        if more && density < MOST_LINKED {
            (top, held) = (around, (length, linked));
            best = best.max(scores.get(&around).copied().unwrap_or_default());
        }
    }
    (top, best)
}

/// Text and link text below a node without the children that are no content.
fn kept(dom: &Dom, measures: &Measures, id: NodeId) -> (u32, u32) {
    let mut all = (measures.length(id), measures.linked(id));
    for child in dom.children(id).filter(|child| blocks::is_passed_over(dom, measures, *child)) {
        all.0 -= measures.length(child);
        all.1 -= measures.linked(child);
    }
    all
}

/// Whether an element is a block of text: it has text of its own and no blocks inside.
fn holds_text(dom: &Dom, id: NodeId) -> bool {
    match dom.name(id) {
        "p" | "pre" | "td" | "blockquote" | "li" | "dd" => true,
        "div" | "section" => !dom.children(id).any(|child| cues::is_block(dom.name(child))),
        _ => false,
    }
}

fn score_around(dom: &Dom, id: NodeId, scores: &mut BTreeMap<NodeId, f64>) {
    let text = dom.text(id);
    let length = text.chars().count();
    if length < 25 {
        return;
    }
    let commas = text.chars().filter(|c| matches!(c, ',' | '،' | '、' | '，')).count();
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
    let score = 1.0 + commas as f64 + (length as f64 / 100.0).min(3.0);
    for (level, around) in dom.ancestors(id).take(5).enumerate() {
        if matches!(dom.name(around), "" | "html") {
            break;
        }
        let share = match level {
            0 => 1.0,
            1 => 2.0,
            #[expect(clippy::cast_precision_loss, reason = "a level is at most 4")]
            more => more as f64 * 3.0,
        };
        let known = scores.entry(around).or_insert_with(|| cues::first_score(dom, around));
        *known += score / share;
    }
}

#[cfg(test)]
mod tests;
