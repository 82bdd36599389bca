//! Search by goal, without a language model: BM25F over the fields of contracts, Snowball stems, what people call things
//! (`thesaurus/`) and operations (`phrasings.tsv`), other languages (`languages.tsv`), slips of spelling, and what a verb says of the kind of work.
//!
//! The index belongs to a generation and is made once, whole, so a search never sees half of a revision.

mod fields;
mod goal;
mod languages;
mod phrasings;
mod score;
mod spelling;
mod thesaurus;
mod verbs;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use model::contract::{Contract, Kind};
use rayon::prelude::*;

use crate::execute::validate::explain::nearest;

/// What somebody looks for; at least one of the first three.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    /// In words.
    pub query: Option<String>,
    /// Only this module.
    pub module: Option<String>,
    /// Only this kind.
    pub kind: Option<Kind>,
}

/// What was found, best first.
pub struct Found {
    /// Everything that shares an idea with the goal.
    pub results: Vec<Hit>,
    /// Whether even the best speaks of little of the goal.
    pub weak: bool,
}

/// One result.
pub struct Hit {
    /// Which.
    pub contract: Arc<Contract>,
    /// Words of the goal that it speaks of: why it is here.
    pub matched: Vec<Arc<str>>,
}

/// Operations by the words they use.
pub struct Index {
    contracts: Vec<Arc<Contract>>,
    modules: Vec<String>,
    /// Which of the modules each contract is of.
    module_of: Vec<usize>,
    ids: Vec<String>,
    /// The stems of each id: an operation's id says in order what it is about and what it does.
    names: Vec<Name>,
    phrasings: Vec<Vec<Phrasing>>,
    known: HashSet<String>,
    /// The number of each stem: what follows is found by it.
    stems: HashMap<String, Stem>,
    postings: Vec<Vec<Posting>>,
    rarity: Vec<f32>,
    /// How many operations of a module speak of a stem.
    spread: Vec<Vec<(usize, f32)>>,
}

/// A stem's place in the index.
type Stem = usize;

/// What an id says.
struct Name {
    words: Vec<Stem>,
    /// Its last word, which says what is done.
    verb: Option<Stem>,
}

/// One phrasing of a contract.
struct Phrasing {
    words: Vec<Stem>,
    /// How rare its words are, added up.
    rarity: f32,
}

/// How much of a word is in one operation: occurrences, weighted by where they stand and by how long that place is.
struct Posting {
    operation: usize,
    weight: f32,
}

impl Index {
    /// Reads every contract once.
    pub fn new(contracts: impl Iterator<Item = Arc<Contract>>) -> Self {
        let contracts: Vec<Arc<Contract>> = contracts.collect();
        let read: Vec<fields::Fields> = contracts.par_iter().map(|contract| fields::of(contract)).collect();
        let count = contracts.len().max(1) as f32;
        let mean: [f32; fields::FIELDS] =
            std::array::from_fn(|field| read.iter().map(|fields| fields[field].len() as f32).sum::<f32>() / count);
        let names: BTreeSet<&str> = contracts.iter().map(|contract| contract.module()).collect();
        let modules: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let module_of: Vec<usize> = contracts
            .iter()
            .map(|contract| modules.iter().position(|module| module == contract.module()).unwrap_or_default())
            .collect();
        let mut found: BTreeMap<&str, Vec<Posting>> = BTreeMap::new();
        for (operation, read) in read.iter().enumerate() {
            for (stem, weight) in fields::weighed(read, &mean) {
                found.entry(stem).or_default().push(Posting { operation, weight });
            }
        }
        let stems: HashMap<String, Stem> =
            found.keys().enumerate().map(|(at, stem)| ((*stem).to_owned(), at)).collect();
        let postings: Vec<Vec<Posting>> = found.into_values().collect();
        let rarity: Vec<f32> = postings.iter().map(|holders| rarity_of(holders.len(), contracts.len())).collect();
        // What an id and a phrasing say stands in a field of the contract, so each of their stems is known.
        let numbered = |text: &str| -> Vec<Stem> {
            let set: BTreeSet<String> = words::stems(text).collect();
            set.iter().filter_map(|stem| stems.get(stem).copied()).collect()
        };
        let name = |id: &str| Name {
            words: numbered(id),
            verb: id.rsplit('.').next().and_then(|verb| stems.get(&words::stem(verb)).copied()),
        };
        let phrasing = |text: &str| {
            let words = numbered(text);
            Phrasing { rarity: words.iter().map(|stem| rarity[*stem]).sum(), words }
        };
        Self {
            ids: contracts.iter().map(|contract| contract.id.clone()).collect(),
            names: contracts.iter().map(|contract| name(&contract.id)).collect(),
            phrasings: contracts.iter().map(|contract| phrased(contract).map(phrasing).collect()).collect(),
            known: stems.keys().cloned().collect(),
            spread: postings.iter().map(|holders| by_module(holders, &module_of)).collect(),
            modules,
            module_of,
            contracts,
            stems,
            postings,
            rarity,
        }
    }

    /// The best operations for a goal; without words, all of the module or kind in order of their ids.
    pub fn find(&self, goal: &Goal) -> Found {
        let fits = |contract: &Contract| {
            goal.module.as_deref().is_none_or(|module| contract.module() == module)
                && goal.kind.is_none_or(|kind| contract.kind == kind)
        };
        let Some(query) = &goal.query else {
            let all = self.contracts.iter().filter(|contract| fits(contract));
            let results = all.map(|contract| Hit { contract: contract.clone(), matched: Vec::new() }).collect();
            return Found { results, weak: false };
        };
        let query = languages::in_english(query, &self.known);
        let scored = score::score(self, &query, fits);
        Found {
            weak: scored.first().is_none_or(|best| best.coverage < score::WEAK_BELOW),
            results: scored
                .into_iter()
                .map(|scored| Hit { contract: self.contracts[scored.operation].clone(), matched: scored.matched })
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

/// The phrasings of a contract, and what else people say who want its operation.
fn phrased(contract: &Contract) -> impl Iterator<Item = &str> {
    contract.phrasings.iter().map(String::as_str).chain(phrasings::of(&contract.id).iter().copied())
}

/// Robertson's inverse document frequency, never negative: of a word that so many of all contracts have.
fn rarity_of(holders: usize, all: usize) -> f32 {
    if holders == 0 {
        return 0.0;
    }
    let (all, holders) = (all as f32, holders as f32);
    (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln()
}

/// How many operations of each module are among these.
fn by_module(postings: &[Posting], module_of: &[usize]) -> Vec<(usize, f32)> {
    let mut of: Vec<(usize, f32)> = Vec::new();
    for posting in postings {
        let module = module_of[posting.operation];
        match of.iter_mut().find(|(known, _)| *known == module) {
            Some((_, operations)) => *operations += 1.0,
            None => of.push((module, 1.0)),
        }
    }
    of
}

#[cfg(test)]
mod tests;
