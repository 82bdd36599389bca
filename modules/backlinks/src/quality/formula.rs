//! The scores of a domain: weighted parts of what is known, each from 0 to 1.

use std::collections::BTreeMap;

use kit::number::{as_count, as_number};
use kit::statistics::round;
use sdk::prelude::*;

/// One factor of a score.
#[value]
pub(crate) struct Part {
    /// From 0 to 1; of risk, 1 is the worst.
    part: f64,
    weight: f64,
    /// `value` or `risk`.
    #[own]
    of: String,
    /// What was seen.
    #[own]
    observation: String,
}

/// What the parts are made of; none is what nobody looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    /// The cosine of the pages and the website.
    pub(crate) similarity: Option<f64>,
    /// The parts of links in the main text, and of pages that may be indexed.
    pub(crate) in_main: Option<f64>,
    pub(crate) indexable: Option<f64>,
    /// Links to other websites on a page.
    pub(crate) external: Option<f64>,
    /// The rating of a tool.
    pub(crate) rating: Option<u8>,
    pub(crate) spam_terms: Option<u32>,
    /// The parts of pages that are lists of links, in another language, and not to be indexed.
    pub(crate) link_lists: Option<f64>,
    pub(crate) other_language: Option<f64>,
    pub(crate) noindex: Option<f64>,
    /// The strength of the network that it is in.
    pub(crate) network: Option<f64>,
    /// Whether it links from very many pages with one text that is neither name nor address.
    pub(crate) sitewide_text: Option<bool>,
}

/// Both scores.
pub(crate) struct Scored {
    pub(crate) value: Option<u8>,
    pub(crate) risk: Option<u8>,
    pub(crate) known_share: f64,
    pub(crate) factors: BTreeMap<String, Part>,
}

/// A cosine from which a page is wholly of the topic: short texts share few of a website's words.
const ON_TOPIC: f64 = 0.25;
/// Links to others at which their part is a half.
const HALF: f64 = 50.0;
/// Spam words from which a page is wholly spam.
const SPAM: f64 = 3.0;

/// A factor with its weight; its part and what was seen, where that is known.
type Known<'a> = (&'a str, f64, Option<(f64, String)>);

/// The part of the weights of a score that must be known: less says too little to be a score.
const LEAST_KNOWN: f64 = 0.4;

/// Scores what is known.
pub(crate) fn scored(facts: &Facts) -> Scored {
    let percent = |it: f64| format!("{:.0} %", it * 100.0);
    let value = [
        ("topic", 0.35, facts.similarity.map(|it| ((it / ON_TOPIC).clamp(0.0, 1.0), format!("cosine {it:.2}")))),
        (
            "editorial_place",
            0.2,
            facts.in_main.map(|it| (it, format!("{} of its links stand in the main text", percent(it)))),
        ),
        ("indexable", 0.15, facts.indexable.map(|it| (it, format!("{} of its pages may be indexed", percent(it))))),
        (
            "few_outbound_links",
            0.15,
            facts.external.map(|it| (1.0 / (1.0 + it / HALF), format!("{it:.0} links to others on a page"))),
        ),
        ("rating", 0.15, facts.rating.map(|it| (f64::from(it) / 100.0, format!("a tool rates it {it} of 100")))),
    ];
    let risk = [
        (
            "spam_terms",
            0.25,
            facts
                .spam_terms
                .map(|it| ((f64::from(it) / SPAM).min(1.0), format!("{it} different spam words on a page"))),
        ),
        (
            "link_lists",
            0.2,
            facts.link_lists.map(|it| (it, format!("{} of its pages are lists of links", percent(it)))),
        ),
        ("network", 0.2, facts.network.map(|it| (it, format!("strength of its network {it:.2}")))),
        (
            "sitewide_text",
            0.15,
            facts.sitewide_text.map(|it| {
                let seen = if it { "50 links or more with one chosen text" } else { "no chosen text on every page" };
                (f64::from(u8::from(it)), seen.to_owned())
            }),
        ),
        (
            "other_language",
            0.15,
            facts.other_language.map(|it| (it, format!("{} of its pages are in another language", percent(it)))),
        ),
        ("noindex", 0.05, facts.noindex.map(|it| (it, format!("{} of its pages ask not to be indexed", percent(it))))),
    ];
    let mut factors = BTreeMap::new();
    let mut known = 0.0;
    let mut sum = |of: &str, parts: Vec<Known<'_>>| {
        let (mut weights, mut total) = (0.0, 0.0);
        for (name, weight, part) in parts {
            let Some((part, observation)) = part else { continue };
            weights += weight;
            total += weight * part;
            let part = Part { part: round(part, 3), weight, of: of.to_owned(), observation };
            factors.insert(name.to_owned(), part);
        }
        known += weights;
        (weights >= LEAST_KNOWN).then(|| u8::try_from(as_count((total / weights * 100.0).round())).unwrap_or(100))
    };
    let value = sum("value", value.into());
    let risk = sum("risk", risk.into());
    Scored { value, risk, known_share: round(known / 2.0, 3), factors }
}

/// The mean of a sum over some; none of nothing.
pub(super) fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / as_number(count))
}
