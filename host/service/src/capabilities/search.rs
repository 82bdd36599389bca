//! Search by goal, without a language model: BM25 over fields, light stemming, a few synonyms of the trade.
//!
//! The index belongs to a generation and is made with it, so a search never sees half of a revision.

mod score;
pub mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use model::contract::{Contract, Kind};
use serde_json::Value;

use crate::execute::validate::explain::nearest;
use crate::generation::Operation;

/// What somebody looks for; at least one of the first three.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    /// In words.
    pub query: Option<String>,
    /// Only this module.
    pub module: Option<String>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// At most so many results.
    pub limit: usize,
}

/// What was found, best first.
pub struct Found {
    /// The results.
    pub results: Vec<Hit>,
    /// How many there were before the limit.
    pub total: usize,
    /// Whether even the best speaks of little of the goal.
    pub weak: bool,
}

/// One result.
pub struct Hit {
    /// Which.
    pub operation: Arc<Operation>,
    /// Words of the goal that it speaks of: why it is here.
    pub matched: Vec<String>,
}

/// Operations by the words they use.
pub struct Index {
    operations: Vec<Arc<Operation>>,
    modules: Vec<String>,
    ids: Vec<String>,
    /// The stems of each id: an operation's id says in order what it is about and what it does.
    names: Vec<Vec<String>>,
    postings: HashMap<String, Vec<Posting>>,
    lengths: Vec<f32>,
    mean: f32,
}

/// How much of a word is in one operation: occurrences, weighted by where they stand.
struct Posting {
    operation: usize,
    weight: f32,
}

/// Where a word stands, and what it counts there.
const ID: f32 = 5.0;
const PHRASING: f32 = 2.5;
const SUMMARY: f32 = 2.0;
const DESCRIPTION: f32 = 0.7;
const ARGUMENT: f32 = 0.5;
const EFFECT: f32 = 0.5;

impl Index {
    /// Reads every contract once.
    pub fn new<'a>(operations: impl Iterator<Item = &'a Arc<Operation>>) -> Self {
        let operations: Vec<Arc<Operation>> = operations.cloned().collect();
        let mut postings: HashMap<String, Vec<Posting>> = HashMap::new();
        let mut lengths = Vec::with_capacity(operations.len());
        for (number, operation) in operations.iter().enumerate() {
            let bag = bag_of(&operation.contract);
            lengths.push(bag.values().sum());
            for (word, weight) in bag {
                postings.entry(word).or_default().push(Posting { operation: number, weight });
            }
        }
        let modules: BTreeSet<&str> = operations.iter().map(|operation| operation.contract.module()).collect();
        let mean = lengths.iter().sum::<f32>() / (lengths.len().max(1) as f32);
        Self {
            modules: modules.into_iter().map(str::to_owned).collect(),
            ids: operations.iter().map(|operation| operation.contract.id.clone()).collect(),
            names: operations.iter().map(|operation| words::stems(&operation.contract.id).collect()).collect(),
            operations,
            postings,
            lengths,
            mean,
        }
    }

    /// The best operations for a goal; without words, all of the module or kind in order of their ids.
    pub fn find(&self, goal: &Goal) -> Found {
        let fits = |operation: &Operation| {
            goal.module.as_deref().is_none_or(|module| operation.contract.module() == module)
                && goal.kind.is_none_or(|kind| operation.contract.kind == kind)
        };
        let Some(query) = &goal.query else {
            let all: Vec<&Arc<Operation>> = self.operations.iter().filter(|operation| fits(operation)).collect();
            return Found {
                total: all.len(),
                results: all
                    .into_iter()
                    .take(goal.limit)
                    .map(|operation| Hit { operation: operation.clone(), matched: Vec::new() })
                    .collect(),
                weak: false,
            };
        };
        let scored = score::score(self, query, fits);
        Found {
            total: scored.len(),
            weak: scored.first().is_none_or(|best| best.coverage < score::WEAK_BELOW),
            results: scored
                .into_iter()
                .take(goal.limit)
                .map(|scored| Hit { operation: self.operations[scored.operation].clone(), matched: scored.matched })
                .collect(),
        }
    }

    /// Names of the modules.
    pub fn modules(&self) -> &[String] {
        &self.modules
    }

    /// The module that was probably meant.
    pub fn nearest_module(&self, name: &str) -> Option<&str> {
        nearest(name, &self.modules)
    }

    /// Ids near to one that does not exist: by spelling, then by their words; at most three.
    pub fn nearest(&self, id: &str) -> Vec<String> {
        let mut near: Vec<String> = nearest(id, &self.ids).map(str::to_owned).into_iter().collect();
        for scored in score::score(self, id, |_| true).into_iter().take(3) {
            let other = &self.ids[scored.operation];
            if near.len() < 3 && !near.contains(other) {
                near.push(other.clone());
            }
        }
        near
    }
}

/// The stems of a contract with their weights.
fn bag_of(contract: &Contract) -> BTreeMap<String, f32> {
    let mut bag = BTreeMap::new();
    let mut put = |text: &str, weight: f32| {
        for stem in words::stems(text) {
            *bag.entry(stem).or_insert(0.0) += weight;
        }
    };
    put(&contract.id, ID);
    put(&contract.summary, SUMMARY);
    put(&contract.description, DESCRIPTION);
    for phrasing in &contract.phrasings {
        put(phrasing, PHRASING);
    }
    for effect in &contract.side_effects {
        put(effect, EFFECT);
    }
    if let Some(properties) = contract.arguments.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            put(name, ARGUMENT);
            if let Some(description) = property.get("description").and_then(Value::as_str) {
                put(description, ARGUMENT);
            }
        }
    }
    bag
}

#[cfg(test)]
mod tests;
