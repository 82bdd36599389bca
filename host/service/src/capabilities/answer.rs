//! What a search answers: what this grant can run, a little of what it cannot, why each is here, and what to do when
//! nothing fits; never longer than the budget.

use model::contract::Contract;
use model::grant::Grant;
use model::id::IntentRef;
use model::refusal::Refusal;
use serde_json::{Value, json};

use super::search::{Found, Goal, Hit};
use super::{budget, cost, cursor};
use crate::generation::Generation;

/// Which part of the results is wanted.
pub(super) struct Page {
    /// How many were on the pages before.
    pub(super) from: usize,
    /// At most so many.
    pub(super) limit: usize,
}

/// Operations that fit and that the grant may not run, at most.
const NEED_SCOPE: usize = 3;
/// Operations that fit the words and not the module or the kind, at most.
const NEAR: usize = 3;
/// Characters of a summary in a list of results.
const SUMMARY: usize = 200;

/// The place in the results that a cursor names.
///
/// # Errors
/// 422 for a cursor of another search or another catalog.
pub(super) fn place(generation: &Generation, goal: &Goal, cursor: Option<&str>) -> Result<usize, Refusal> {
    cursor::read(&question(generation, goal), cursor)
}

/// The data of the answer.
pub(super) fn data(
    generation: &Generation,
    grant: &Grant,
    intent: &IntentRef,
    goal: &Goal,
    found: &Found,
    page: &Page,
) -> Value {
    let granted = |hit: &Hit| grant.scopes.covers(&hit.contract.scopes);
    let total = found.results.iter().filter(|hit| granted(hit)).count();
    let mut data = json!({ "intent_ref": intent, "total": total, "results": [] });
    if page.from == 0 {
        // Only what would have stood among the results: a poor fit is no reason to ask for more scopes.
        let lacking: Vec<Value> = found
            .results
            .iter()
            .take(page.limit)
            .filter(|hit| !granted(hit))
            .take(NEED_SCOPE)
            .map(|hit| {
                let mut summary = summary(&hit.contract);
                summary["missing_scopes"] = json!(hit.contract.scopes.missing_from(&grant.scopes));
                summary
            })
            .collect();
        let hint = hint(generation, goal, found, total);
        if !lacking.is_empty() {
            data["needs_scope"] = json!(lacking);
        }
        if let Some(hint) = hint {
            data["hint"] = json!(hint);
        }
        let near = near(generation, goal, found);
        if !near.is_empty() {
            data["near_misses"] = json!(near);
        }
    }
    let room = budget::data(budget::SEARCH) - CURSOR;
    let mut used = budget::bytes(&data);
    let mut results: Vec<Value> = Vec::new();
    for hit in found.results.iter().filter(|hit| granted(hit)).skip(page.from).take(page.limit) {
        let result = result(hit);
        used += budget::bytes(&result) + 1;
        if used > room && !results.is_empty() {
            break;
        }
        results.push(result);
    }
    let next = page.from + results.len();
    if next < total && !results.is_empty() {
        data["next_cursor"] = json!(cursor::write(&question(generation, goal), next));
    }
    data["results"] = json!(results);
    data
}

/// Bytes of a cursor with its name.
const CURSOR: usize = 40;

/// What a cursor belongs to: the goal and the catalog, since another one has other results.
fn question(generation: &Generation, goal: &Goal) -> String {
    let kind = goal.kind.map(model::contract::Kind::as_str);
    json!([&*generation.digest, goal.query, goal.module, kind]).to_string()
}

fn result(hit: &Hit) -> Value {
    let contract = &hit.contract;
    let mut result = summary(contract);
    result["mode"] = json!(contract.mode.as_str());
    result["scopes"] = json!(contract.scopes);
    result["granted"] = json!(true);
    result["cost"] = json!(cost::line(contract));
    if !hit.matched.is_empty() {
        result["matched"] = json!(hit.matched);
    }
    result
}

fn summary(contract: &Contract) -> Value {
    json!({
        "operation_id": contract.id,
        "module": contract.module(),
        "kind": contract.kind.as_str(),
        "summary": shortened(&contract.summary),
    })
}

/// What would fit the words if it were not for the module or the kind.
fn near(generation: &Generation, goal: &Goal, found: &Found) -> Vec<Value> {
    if !found.results.is_empty() || goal.query.is_none() || (goal.module.is_none() && goal.kind.is_none()) {
        return Vec::new();
    }
    let anywhere = generation.search().find(&Goal { module: None, kind: None, ..goal.clone() });
    anywhere.results.iter().take(NEAR).map(|hit| summary(&hit.contract)).collect()
}

/// What to do when nothing fits, or nothing fits well.
fn hint(generation: &Generation, goal: &Goal, found: &Found, total: usize) -> Option<String> {
    let modules = generation.search().modules();
    if let Some(module) = &goal.module
        && !modules.contains(module)
    {
        return Some(match generation.search().nearest_module(module) {
            Some(near) => format!("there is no module of that name; did you mean {near}?"),
            None => format!("there is no module of that name; the modules are {}", modules.join(", ")),
        });
    }
    if !generation.coming().is_empty() && (found.results.is_empty() || found.weak) {
        let coming = generation.coming().join(", ");
        return Some(format!("these modules are still being built here: {coming}; ask again in a minute"));
    }
    if found.results.is_empty() {
        return Some(format!(
            "nothing fits; say the goal in other words, or leave out module and kind; the modules are {}; if the \
             service lacks it, send feedback with category missing_capability and this intent_ref",
            modules.join(", ")
        ));
    }
    if total == 0 {
        return Some("this grant may run nothing of what fits; ask its owner for the missing scopes".to_owned());
    }
    (goal.query.is_some() && found.weak).then(|| {
        "these are near misses: no operation speaks of most of the goal; if none serves, send feedback with \
         category missing_capability and this intent_ref"
            .to_owned()
    })
}

fn shortened(summary: &str) -> String {
    match summary.char_indices().nth(SUMMARY) {
        None => summary.to_owned(),
        Some((end, _)) => {
            let cut = summary[..end].rfind(' ').unwrap_or(end);
            format!("{}…", &summary[..cut])
        }
    }
}
