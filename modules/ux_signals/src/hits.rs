//! Which hits of a link are people: rules over what is known of each, every hit under the first that holds.

use std::collections::{BTreeMap, HashMap};

use sdk::prelude::*;
use sdk::{Device, Hit};

/// Hits of one visitor within an hour that still look like a person.
const IN_AN_HOUR: usize = 5;
/// Hits of a link that follow one another within [`GAP`] before they are a burst.
const BURST: usize = 5;
/// Milliseconds between two hits of a burst. Links that many people see at once get hits as a Poisson process; with one
/// hit every ten seconds five in a row within a second each come by chance about once in 10,000 hits.
const GAP: u64 = 1_000;

/// Why a hit is no visit of a person.
#[value]
pub(crate) enum Rule {
    /// HEAD: something looked where the link leads.
    Head,
    /// Fetched ahead by a browser or a proxy.
    Prefetch,
    /// A program that says what it is.
    KnownAgent,
    /// The headers that every browser sends are missing.
    MissingHeaders,
    /// One of five or more different visitors of one link within a second of one another.
    Burst,
    /// The same visitor more than five times within an hour.
    Repeated,
}

impl Rule {
    /// All, in the order in which they are asked.
    pub(crate) const ALL: [Self; 6] =
        [Self::Head, Self::Prefetch, Self::KnownAgent, Self::MissingHeaders, Self::Burst, Self::Repeated];

    /// As answers name it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Prefetch => "prefetch",
            Self::KnownAgent => "known_agent",
            Self::MissingHeaders => "missing_headers",
            Self::Burst => "burst",
            Self::Repeated => "repeated",
        }
    }
}

/// Judges the hits of one link, oldest first: none is a visit, in the order of the hits.
pub(crate) fn judge(hits: &[Hit]) -> Vec<Option<Rule>> {
    let mut judged: Vec<Option<Rule>> = hits.iter().map(alone).collect();
    bursts(hits, &mut judged);
    repeated(hits, &mut judged);
    judged
}

/// What a hit says of itself.
fn alone(hit: &Hit) -> Option<Rule> {
    if hit.head {
        Some(Rule::Head)
    } else if hit.prefetch {
        Some(Rule::Prefetch)
    } else if hit.agent || hit.device == Device::Program {
        Some(Rule::KnownAgent)
    } else if hit.bare {
        Some(Rule::MissingHeaders)
    } else {
        None
    }
}

/// Runs of hits that follow one another faster than people who do not know of one another.
fn bursts(hits: &[Hit], judged: &mut [Option<Rule>]) {
    let mut from = 0;
    for at in 1..=hits.len() {
        let goes_on = at < hits.len() && hits[at].at.saturating_sub(hits[at - 1].at) <= GAP;
        if goes_on {
            continue;
        }
        if at - from >= BURST {
            judged[from..at].iter_mut().for_each(|rule| *rule = rule.or(Some(Rule::Burst)));
        }
        from = at;
    }
}

/// Hits of a visitor beyond what a person does within an hour: a window that moves.
fn repeated(hits: &[Hit], judged: &mut [Option<Rule>]) {
    let mut seen: HashMap<&str, Vec<u64>> = HashMap::new();
    for (hit, rule) in hits.iter().zip(judged) {
        let earlier = seen.entry(hit.visitor.as_str()).or_default();
        earlier.retain(|at| hit.at.saturating_sub(*at) < 3_600_000);
        earlier.push(hit.at);
        if earlier.len() > IN_AN_HOUR {
            *rule = rule.or(Some(Rule::Repeated));
        }
    }
}

/// Counts by rule; every rule is there.
pub(crate) fn counts(judged: impl IntoIterator<Item = Option<Rule>>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = Rule::ALL.iter().map(|rule| (rule.word().to_owned(), 0)).collect();
    for rule in judged.into_iter().flatten() {
        *counts.entry(rule.word().to_owned()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
