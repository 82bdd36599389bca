//! What an operation promises, before and after: points, schemas, secrets, and the words that people and agents read.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use model::contract::Contract;
use model::cost::Cost;

use super::power::both;
use super::schema::{self, Class, Direction};
use super::{Found, Reason, Side};
use crate::lock::Entry;

/// Units at which two costs are held against each other.
const UNITS: [u64; 12] = [0, 1, 2, 5, 10, 25, 50, 100, 500, 1_000, 10_000, 1_000_000];

/// Everything about contracts that differs: by the contracts where both are known, else by what the locks say.
pub(super) fn compare(found: &mut Found, old: &Side, new: &Side) {
    let contracts = |side: &Side| -> Option<BTreeMap<String, Contract>> {
        let manifest = side.manifest.as_ref()?;
        let offered = manifest.operations.iter().filter(|it| side.lock.operations.contains_key(&it.id));
        Some(offered.map(|it| (it.id.clone(), it.clone())).collect())
    };
    match (contracts(old), contracts(new)) {
        (Some(old), Some(new)) => {
            for (name, pair) in both(&old, &new) {
                if let (Some(old), Some(new)) = pair {
                    contract(found, name, old, new);
                }
            }
        }
        _ => {
            for (name, pair) in both(&old.lock.operations, &new.lock.operations) {
                if let (Some(old), Some(new)) = pair {
                    locked(found, name, old, new);
                }
            }
        }
    }
}

fn contract(found: &mut Found, name: &str, old: &Contract, new: &Contract) {
    if let Some(order) = compared(&old.cost, &new.cost) {
        let reason = match order {
            Ordering::Greater => Reason::CostRaised,
            Ordering::Less => Reason::CostLowered,
            Ordering::Equal => Reason::CostChanged,
        };
        found.add(name, reason, "", &crate::line::cost(&old.cost), &crate::line::cost(&new.cost));
    }
    let schemas = [
        (&old.arguments, &new.arguments, Direction::Taken, Reason::ArgumentsBreak, Reason::ArgumentsWidened),
        (&old.result, &new.result, Direction::Given, Reason::ResultBreaks, Reason::ResultWidened),
    ];
    for (old, new, direction, breaks, widened) in schemas {
        for difference in schema::differences(old, new, direction) {
            let reason = match difference.class {
                Class::Breaking => breaks,
                Class::Widening | Class::Compatible => widened,
            };
            found.add(name, reason, &difference.pointer, "", &difference.what);
        }
    }
    found.names(name, (Reason::SecretAdded, Reason::SecretRemoved), &old.secrets, &new.secrets);
    if old.side_effects != new.side_effects {
        let words = |it: &Contract| it.side_effects.join("; ");
        found.add(name, Reason::SideEffectsChanged, "", &words(old), &words(new));
    }
    let said = |it: &Contract| [it.summary.clone(), it.description.clone(), it.phrasings.join("; ")];
    for (place, (before, after)) in
        ["/summary", "/description", "/phrasings"].into_iter().zip(said(old).iter().zip(said(new).iter()))
    {
        if before != after {
            found.add(name, Reason::WordsChanged, place, before, after);
        }
    }
}

fn locked(found: &mut Found, name: &str, old: &Entry, new: &Entry) {
    if old.cost != new.cost {
        found.add(name, Reason::CostChanged, "", &old.cost, &new.cost);
    }
    if old.contract != new.contract {
        found.add(name, Reason::ContractChanged, "", &old.arguments, &new.arguments);
    }
}

/// How the second cost stands to the first: greater when any amount of work costs more, less when none does and some
/// costs less, equal when only the way of reckoning differs; none when nothing does.
fn compared(old: &Cost, new: &Cost) -> Option<Ordering> {
    if old == new {
        return None;
    }
    let orders = || UNITS.into_iter().map(|units| new.points(units).cmp(&old.points(units)));
    if orders().any(|order| order == Ordering::Greater) {
        return Some(Ordering::Greater);
    }
    Some(orders().find(|order| *order == Ordering::Less).unwrap_or(Ordering::Equal))
}
