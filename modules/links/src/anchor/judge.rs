//! Which texts of links are at fault, and what that costs.

use std::collections::BTreeMap;

use kit::anchor::is_generic;
use kit::phrases::{Code, likeness};
use sdk::json;
use sdk::prelude::*;

use crate::names::Called;
use crate::node::{Anchor, Node};

/// Pages that one text may lead to before it conflicts.
const TARGETS: usize = 3;
/// Links in running text from which on a text can be repeated too often.
const REPEATED: u32 = 10;

/// What is wrong with a text.
#[value]
pub(crate) enum Problem {
    /// It says nothing of where it leads.
    Generic,
    /// There is none, nor an alternative text of a picture.
    Empty,
    /// Nearly all links in running text use the very same.
    OverRepeated,
    /// It leads to several pages.
    ManyTargets,
    /// Texts without a common word lead to one page.
    UnrelatedTexts,
}

/// The problem of this name; 422 with all of them.
pub(super) fn named(name: &str) -> Result<Problem> {
    const ALL: [(&str, Problem); 5] = [
        ("generic", Problem::Generic),
        ("empty", Problem::Empty),
        ("over_repeated", Problem::OverRepeated),
        ("many_targets", Problem::ManyTargets),
        ("unrelated_texts", Problem::UnrelatedTexts),
    ];
    ALL.into_iter().find(|(known, _)| *known == name).map(|(_, problem)| problem).ok_or_else(|| {
        let message = format!("{name} is no problem of this report; `problems` names those that are");
        let known: Vec<&str> = ALL.iter().map(|(known, _)| *known).collect();
        Fault::invalid("/problem", "unknown_problem", message).detail(json!({ "problems": known }))
    })
}

/// A text at fault.
pub(super) struct Bad {
    pub(super) problem: Problem,
    pub(super) text: String,
    pub(super) target: u32,
    pub(super) source: u32,
    pub(super) links: u32,
    pub(super) weight: f64,
}

/// Texts that contradict each other.
pub(super) struct Clash {
    pub(super) problem: Problem,
    pub(super) texts: Vec<String>,
    pub(super) targets: Vec<u32>,
    pub(super) weight: f64,
}

/// What was found.
pub(super) struct Found {
    pub(super) rows: Vec<Bad>,
    pub(super) conflicts: Vec<Clash>,
}

/// Judges the texts of all links.
pub(super) fn judge(nodes: &[Node], anchors: Vec<Anchor>, called: &mut Called) -> Found {
    // Links to what stands for another page count for that one; the parts of one target come together.
    let mut by_target: BTreeMap<u32, BTreeMap<String, (u32, u32, u32)>> = BTreeMap::new();
    for anchor in anchors {
        let target = nodes[anchor.target as usize].alias.unwrap_or(anchor.target);
        let text = kit::text::collapse(&anchor.text).to_lowercase();
        let known = by_target.entry(target).or_default().entry(text).or_insert((0, 0, anchor.source));
        (known.0, known.1) = (known.0 + anchor.links, known.1 + anchor.in_text);
    }
    let mut rows = Vec::new();
    let mut by_text: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut conflicts = Vec::new();
    for (target, texts) in &by_target {
        let authority = nodes[*target as usize].authority;
        let in_text: u32 = texts.values().map(|it| it.1).sum();
        for (text, (links, inside, source)) in texts {
            let repeated = *inside >= REPEATED && f64::from(*inside) > 0.8 * f64::from(in_text);
            let problem = match text.as_str() {
                "" => Problem::Empty,
                it if is_generic(it) => Problem::Generic,
                _ if repeated => Problem::OverRepeated,
                _ => {
                    by_text.entry(text.clone()).or_default().push(*target);
                    continue;
                }
            };
            let (text, target, source, links) = (text.clone(), *target, *source, *links);
            let weight = authority * f64::from(links).ln_1p();
            rows.push(Bad { problem, text, target, source, links, weight });
        }
        conflicts.extend(unrelated(*target, texts, called, authority));
    }
    for (text, targets) in by_text.into_iter().filter(|(_, targets)| targets.len() >= TARGETS) {
        let weight = targets.iter().map(|target| nodes[*target as usize].authority).sum();
        conflicts.push(Clash { problem: Problem::ManyTargets, texts: vec![text], targets, weight });
    }
    rows.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.target.cmp(&b.target)).then(a.text.cmp(&b.text)));
    conflicts.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.texts.cmp(&b.texts)));
    Found { rows, conflicts }
}

/// Texts in running text that have no word in common, neither with each other nor with the name of the page.
fn unrelated(
    target: u32,
    texts: &BTreeMap<String, (u32, u32, u32)>,
    called: &mut Called,
    authority: f64,
) -> Option<Clash> {
    let telling = texts.iter().filter(|(text, (_, inside, _))| *inside > 0 && !is_generic(text));
    let words: Vec<(String, Vec<Code>)> =
        telling.map(|(text, _)| (text.clone(), called.codes(text))).filter(|(_, words)| !words.is_empty()).collect();
    let name = called.words[target as usize].clone();
    let strange = |words: &[Code]| likeness(words, &name, &called.rarity) <= 0.0;
    let lone: Vec<&(String, Vec<Code>)> = words.iter().filter(|(_, it)| strange(it)).collect();
    let apart = |a: &[Code], b: &[Code]| likeness(a, b, &called.rarity) <= 0.0;
    let clash = lone.iter().enumerate().any(|(at, (_, a))| lone[at + 1..].iter().any(|(_, b)| apart(a, b)));
    clash.then(|| Clash {
        problem: Problem::UnrelatedTexts,
        texts: lone.iter().take(5).map(|(text, _)| text.clone()).collect(),
        targets: vec![target],
        weight: authority,
    })
}
