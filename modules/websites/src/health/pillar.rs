//! How readings become pillars and pillars the score.

use std::collections::BTreeMap;

use kit::statistics::round;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use super::{Health, Input, Missing, Name, Pillar};

/// How the score is made, as answers print it.
const FORMULA: &str = "score = sum of weight x score over the pillars that have one / sum of their weights; weights \
technical 0.30, content 0.25, authority 0.20, ai 0.15, local 0.10; a pillar is the mean of its inputs; \
a missing pillar leaves the mean and never counts as 0";

/// Days after which an input says little of today.
const OLD: u64 = 60;
/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// One input, or what would bring it.
pub(super) struct Reading {
    /// What is measured.
    pub(super) name: String,
    /// Which module measures it.
    pub(super) source: &'static str,
    /// From 0 to 100, and when.
    pub(super) input: Option<(f64, Moment)>,
    /// The operation that measures it, with its arguments as far as they are known.
    pub(super) fills: (&'static str, Value),
}

/// A pillar of its readings.
pub(super) fn pillar(name: Name, weight: f64, now: Moment, readings: Vec<Reading>) -> Pillar {
    let (mut inputs, mut missing) = (Vec::new(), Vec::new());
    for Reading { name, source, input, fills: (operation, arguments) } in readings {
        match (input, arguments) {
            (Some((score, measured_at)), _) => inputs.push(Input {
                name,
                source: source.to_owned(),
                score: round(score, 1),
                measured_at,
                age_days: now.since(measured_at) / DAY,
            }),
            (None, Value::Object(arguments)) => {
                missing.push(Missing { name, operation_id: operation.to_owned(), arguments });
            }
            (None, _) => missing.push(Missing { name, operation_id: operation.to_owned(), arguments: Map::new() }),
        }
    }
    let scores: Vec<f64> = inputs.iter().map(|it| it.score).collect();
    let score = (!scores.is_empty()).then(|| round(kit::statistics::mean(&scores), 1));
    Pillar { name, score, weight, age_days: inputs.iter().map(|it| it.age_days).max(), inputs, missing }
}

/// The score of the pillars that have one.
pub(super) fn health(pillars: Vec<Pillar>) -> Health {
    let known = || pillars.iter().filter_map(|it| Some((it.score?, it)));
    let covered: f64 = known().map(|(_, it)| it.weight).sum();
    let score = (covered > 0.0).then(|| known().map(|(score, it)| score * it.weight).sum::<f64>() / covered);
    let mut below: Vec<(f64, Name)> = known()
        .filter(|(own, _)| score.is_some_and(|score| *own < score))
        .map(|(own, it)| (it.weight * (100.0 - own), it.name))
        .collect();
    below.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut degraded: Vec<Degraded> = Vec::new();
    let mut ways: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pillar in &pillars {
        for missing in &pillar.missing {
            ways.entry(&missing.operation_id).or_default().push(&missing.name);
        }
        for input in pillar.inputs.iter().filter(|it| it.age_days > OLD) {
            degraded.push(Degraded::new(
                "freshness",
                format!("\"{}\" was measured {} days ago", input.name, input.age_days),
            ));
        }
    }
    degraded.extend(ways.iter().map(|(way, what)| {
        Degraded::new("measurements", format!("not measured: {}; {way} comes first", what.join(", ")))
    }));
    let weakest = below.into_iter().map(|(_, name)| name).collect();
    let formula = FORMULA.to_owned();
    Health { score: score.map(|it| round(it, 1)), formula, covered: round(covered, 2), pillars, weakest, degraded }
}
