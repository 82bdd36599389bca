//! How readings become pillars and pillars the score.

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use super::{Health, Input, Name, Pillar};

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
    /// What measures it.
    pub(super) fills: Fix,
}

/// A pillar of its readings, and what it lacks.
pub(super) fn pillar(name: Name, weight: f64, now: Moment, readings: Vec<Reading>) -> (Pillar, Vec<Degraded>) {
    let (mut inputs, mut missing, mut next, mut degraded) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for Reading { name, source, input, fills } in readings {
        match input {
            Some((score, measured_at)) => inputs.push(Input {
                name,
                source: source.to_owned(),
                score: round(score, 1),
                measured_at,
                age_days: now.since(measured_at) / DAY,
            }),
            None => {
                let lack = Degraded::new("measurements", format!("not measured: {name}"));
                degraded.push(lack.supplied_by(&fills.operation_id, json!(fills.arguments)));
                next.extend(fills.if_served().map(|it| it.because(format!("measures: {name}"))));
                missing.push(name);
            }
        }
    }
    let scores: Vec<f64> = inputs.iter().map(|it| it.score).collect();
    let score = (!scores.is_empty()).then(|| round(kit::statistics::mean(&scores), 1));
    let age_days = inputs.iter().map(|it| it.age_days).max();
    (Pillar { name, score, weight, age_days, inputs, missing, next }, degraded)
}

/// The score of the pillars that have one.
pub(super) fn health(pillars: Vec<(Pillar, Vec<Degraded>)>) -> Health {
    let (pillars, lacks): (Vec<Pillar>, Vec<Vec<Degraded>>) = pillars.into_iter().unzip();
    let known = || pillars.iter().filter_map(|it| Some((it.score?, it)));
    let covered: f64 = known().map(|(_, it)| it.weight).sum();
    let score = (covered > 0.0).then(|| known().map(|(score, it)| score * it.weight).sum::<f64>() / covered);
    let mut below: Vec<(f64, Name)> = known()
        .filter(|(own, _)| score.is_some_and(|score| *own < score))
        .map(|(own, it)| (it.weight * (100.0 - own), it.name))
        .collect();
    below.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut degraded: Vec<Degraded> = Vec::new();
    for pillar in &pillars {
        for input in pillar.inputs.iter().filter(|it| it.age_days > OLD) {
            degraded.push(Degraded::new(
                "freshness",
                format!("\"{}\" was measured {} days ago", input.name, input.age_days),
            ));
        }
    }
    degraded.extend(lacks.into_iter().flatten());
    let weakest = below.into_iter().map(|(_, name)| name).collect();
    let formula = FORMULA.to_owned();
    Health { score: score.map(|it| round(it, 1)), formula, covered: round(covered, 2), pillars, weakest, degraded }
}
