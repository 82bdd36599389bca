//! Words in contracts that speak to an agent instead of about an operation: agents read them, and may do as they are told.

use std::collections::BTreeSet;

use model::contract::Contract;
use serde_json::Value;

use super::{Found, Reason, Side};

/// What a text says that tells a reader what to do, in lower case. Finding one proves nothing; a person looks.
const ORDERS: [&str; 18] = [
    "always call",
    "always use",
    "before any other",
    "call this first",
    "call this tool",
    "disregard",
    "do not mention",
    "do not tell",
    "don't mention",
    "don't tell",
    "ignore all",
    "ignore any",
    "ignore every",
    "ignore previous",
    "ignore the",
    "ignore what",
    "system prompt",
    "you must",
];

/// Every text of the new version that speaks so and that the old one did not have.
pub(super) fn compare(found: &mut Found, old: Option<&Side>, new: &Side) {
    let known: BTreeSet<String> = old.map(texts).unwrap_or_default().into_iter().map(|it| it.text).collect();
    for said in texts(new).into_iter().filter(|it| !known.contains(&it.text)) {
        let lower = said.text.to_lowercase();
        if ORDERS.iter().any(|order| lower.contains(order)) {
            found.add(&said.operation, Reason::SpeaksToAgents, &said.place, "", &said.text);
        }
    }
}

struct Said {
    operation: String,
    /// As a JSON pointer.
    place: String,
    text: String,
}

/// What agents read of each operation; nothing where the component was not read.
fn texts(side: &Side) -> Vec<Said> {
    let mut out = Vec::new();
    for contract in side.manifest.iter().flat_map(|it| &it.operations) {
        of_contract(contract, &mut out);
    }
    out
}

fn of_contract(contract: &Contract, out: &mut Vec<Said>) {
    let mut say = |place: String, text: &str| {
        out.push(Said { operation: contract.id.clone(), place, text: text.to_owned() });
    };
    say("/summary".to_owned(), &contract.summary);
    say("/description".to_owned(), &contract.description);
    contract.phrasings.iter().enumerate().for_each(|(at, text)| say(format!("/phrasings/{at}"), text));
    contract.side_effects.iter().enumerate().for_each(|(at, text)| say(format!("/side_effects/{at}"), text));
    walk(&contract.arguments, "/arguments", &mut say);
    walk(&contract.result, "/result", &mut say);
}

/// Descriptions within a schema, however deep.
fn walk(schema: &Value, place: &str, say: &mut impl FnMut(String, &str)) {
    match schema {
        Value::Object(members) => {
            for (name, inner) in members {
                let at = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                match inner {
                    Value::String(text) if matches!(name.as_str(), "description" | "title" | "default") => {
                        say(at, text)
                    }
                    inner => walk(inner, &at, say),
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, inner)| walk(inner, &format!("{place}/{at}"), say));
        }
        _ => {}
    }
}
