//! Whether a contract keeps its own promises: its schemas are schemas, its examples are calls that it takes, and what it
//! names is there.

use std::collections::BTreeSet;

use catalog::table;
use jsonschema::Validator;
use model::contract::{Contract, Mode};
use model::manifest::Manifest;
use model::refusal::Refusal;
use serde_json::Value;

use crate::execute::validate::explain;

/// A promise that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The operation.
    pub operation: String,
    /// The member of its contract, such as `/examples/0/limit`.
    pub pointer: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Every promise of a module's contracts that is not kept.
pub fn broken(manifest: &Manifest) -> Vec<Broken> {
    let own: BTreeSet<&str> = manifest.operations.iter().map(|contract| contract.id.as_str()).collect();
    manifest.operations.iter().flat_map(|contract| of_contract(contract, &own)).collect()
}

/// What a caller is told who sends these arguments; none when the contract takes them.
///
/// # Errors
/// The contract's arguments are no schema.
pub fn refusal(contract: &Contract, arguments: &Value) -> Result<Option<Refusal>, String> {
    let validator = validator(&contract.arguments)?;
    Ok(explain::first_error(&validator, &contract.arguments, &contract.secrets, arguments))
}

fn of_contract(contract: &Contract, own: &BTreeSet<&str>) -> Vec<Broken> {
    let mut found = Vec::new();
    let mut say = |pointer: String, message: String| {
        found.push(Broken { operation: contract.id.clone(), pointer, message });
    };
    let parts: Vec<&str> = contract.id.split('.').collect();
    let named = |part: &&str| {
        part.starts_with(|it: char| it.is_ascii_lowercase())
            && part.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
    };
    if !(2..=4).contains(&parts.len()) || !parts.iter().all(named) || contract.id.len() > 128 {
        say("/id".to_owned(), "an id is module.noun.verb, in small letters, digits and _".to_owned());
    }
    let verbs: BTreeSet<&str> = table::operations().keys().filter_map(|id| id.rsplit('.').next()).collect();
    if let Some(verb) = parts.last().filter(|verb| !verbs.contains(**verb)) {
        let all = verbs.iter().copied().collect::<Vec<_>>().join(", ");
        say("/id".to_owned(), format!("{verb} is no verb of the catalog; its verbs are {all}"));
    }
    if contract.summary.trim().is_empty() {
        say("/summary".to_owned(), "one sentence says what it does".to_owned());
    }
    if contract.phrasings.is_empty() {
        say("/phrasings".to_owned(), "3 to 6 ways in which people ask for it; the search finds it by them".to_owned());
    }
    if contract.mode == Mode::Queued && contract.result_operation.is_none() {
        say("/result_operation".to_owned(), "a queued operation names the read that tells its result".to_owned());
    }
    if let Some(read) = contract.result_operation.as_deref()
        && !own.contains(read)
        && !table::operations().contains_key(read)
    {
        say("/result_operation".to_owned(), format!("there is no operation {read}"));
    }
    for (part, schema) in [("/arguments", &contract.arguments), ("/result", &contract.result)] {
        if let Err(message) = validator(schema) {
            say(part.to_owned(), message);
        }
    }
    if contract.examples.is_empty() {
        say("/examples".to_owned(), "at least one call that works".to_owned());
    }
    if let Ok(validator) = validator(&contract.arguments) {
        for (number, example) in contract.examples.iter().enumerate() {
            for error in validator.iter_errors(example) {
                say(format!("/examples/{number}{}", error.instance_path()), error.to_string());
            }
        }
    }
    found
}

fn validator(schema: &Value) -> Result<Validator, String> {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(schema).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
