//! What an operation promises, before and after: points, schemas, secrets, and the words that people and agents read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use model::contract::Contract;
use model::cost::Cost;
use serde_json::Value;

use super::power::both;
use super::schema::{self, Class, Direction};
use super::{Found, Reason, Side};
use crate::lock::Entry;

/// Units at which two costs are held against each other.
const UNITS: [u64; 12] = [0, 1, 2, 5, 10, 25, 50, 100, 500, 1_000, 10_000, 1_000_000];

/// Everything about contracts that differs: by the contracts where both are known, else by what the locks say.
pub(super) fn compare(found: &mut Found, old: &Side, new: &Side) {
    let contracts = |side: &Side| -> Option<BTreeMap<String, Contract>> {
        let (manifest, lock) = (side.manifest.as_ref()?, &side.lock);
        let offered = manifest.operations.iter().filter(|it| lock.operations.contains_key(&it.id));
        let shown = manifest.routes.iter().filter(|it| lock.routes.contains_key(&it.id));
        let offered = offered.map(|it| (it.id.clone(), it.clone()));
        Some(offered.chain(shown.map(|it| (route(&it.id), it.clone()))).collect())
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
            for (name, pair) in both(&old.lock.routes, &new.lock.routes) {
                if let (Some(old), Some(new)) = pair {
                    locked(found, &route(name), old, new);
                }
            }
        }
    }
}

fn route(id: &str) -> String {
    format!("route {id}")
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
    let taken = (Direction::Taken, Reason::ArgumentsBreak, Reason::ArgumentsWidened);
    let given = (Direction::Given, Reason::ResultBreaks, Reason::ResultWidened);
    let schemas = [("/arguments", &old.arguments, &new.arguments, taken), ("/result", &old.result, &new.result, given)];
    for (place, old, new, (direction, breaks, widened)) in schemas {
        let differences = schema::differences(old, new, direction);
        if differences.is_empty() && old != new {
            found.add(name, Reason::WordsChanged, place, "", "other words, or what no caller notices");
        }
        for difference in differences {
            let reason = match difference.class {
                Class::Breaking => breaks,
                Class::Widening | Class::Compatible => widened,
            };
            found.add(name, reason, &difference.pointer, "", &difference.what);
        }
    }
    found.names(name, (Reason::SecretAdded, Reason::SecretRemoved), &old.secrets, &new.secrets);
    let (marked, unmarked) = (Reason::UntrustedAdded, Reason::UntrustedRemoved);
    found.names(name, (marked, unmarked), &texts_of_others(&old.result), &texts_of_others(&new.result));
    if old.side_effects != new.side_effects {
        let words = |it: &Contract| it.side_effects.join("; ");
        found.add(name, Reason::SideEffectsChanged, "", &words(old), &words(new));
    }
    if old.result_operation != new.result_operation {
        let shown = |it: &Contract| it.result_operation.clone().unwrap_or_else(|| "none".to_owned());
        found.add(name, Reason::ResultBreaks, "/result_operation", &shown(old), &shown(new));
    }
    let examples = |it: &Contract| it.examples.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let said = |it: &Contract| [it.summary.clone(), it.description.clone(), it.phrasings.join("; "), examples(it)];
    let places = ["/summary", "/description", "/phrasings", "/examples"];
    for (place, (before, after)) in places.into_iter().zip(said(old).iter().zip(said(new).iter())) {
        if before != after {
            let reason = if place == "/examples" { Reason::ExamplesChanged } else { Reason::WordsChanged };
            found.add(name, reason, place, before, after);
        }
    }
}

/// Members of a result that are there and marked as text of others, as JSON pointers; `*` stands for each item.
fn texts_of_others(result: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(result, "", &mut found);
    found
}

fn collect(schema: &Value, pointer: &str, into: &mut BTreeSet<String>) {
    if schema["untrusted"] == true {
        into.insert(pointer.to_owned());
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        collect(member, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), into);
    }
    for keyword in ["items", "additionalProperties"] {
        if schema[keyword].is_object() {
            collect(&schema[keyword], &format!("{pointer}/*"), into);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        schema[keyword].as_array().into_iter().flatten().for_each(|choice| collect(choice, pointer, into));
    }
}

fn locked(found: &mut Found, name: &str, old: &Entry, new: &Entry) {
    if old.cost != new.cost {
        found.add(name, Reason::CostChanged, "", &old.cost, &new.cost);
    }
    if old.contract != new.contract {
        let (before, after) = told(old, new);
        found.add(name, Reason::ContractChanged, "", &before, &after);
    }
}

/// The lines of a lock that moved with the contract's hash; where none did, the hashes.
fn told(old: &Entry, new: &Entry) -> (String, String) {
    let joined = |items: Vec<String>| if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    let lines = |it: &Entry| {
        [
            ("kind", it.kind.as_str().to_owned()),
            ("mode", it.mode.as_str().to_owned()),
            ("scopes", it.scopes.to_string()),
            ("cost", it.cost.clone()),
            ("price", it.price.clone().unwrap_or_else(|| "none".to_owned())),
            ("arguments", it.arguments.clone()),
            ("needs", joined(it.needs.iter().cloned().collect())),
            ("outside", joined(it.outside.iter().map(ToString::to_string).collect())),
        ]
    };
    let moved: Vec<_> = lines(old).into_iter().zip(lines(new)).filter(|(old, new)| old != new).collect();
    if moved.is_empty() {
        let unseen = "no line of the lock tells what: words, examples, the result, or a detail of the arguments";
        return (old.contract.clone(), format!("{}; {unseen}", new.contract));
    }
    let shown = |it: Vec<&(&str, String)>| it.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>();
    let (before, after) = moved.iter().map(|(old, new)| (old, new)).unzip();
    (shown(before).join("; "), shown(after).join("; "))
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
