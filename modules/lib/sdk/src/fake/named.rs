//! Calls that answers and refusals name: each is one that is served, with arguments that its contract takes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::check::first_error;
use crate::Module;

/// Checks the calls that an answer of `id` names against the newest revision of the catalog beside the SDK.
///
/// # Panics
/// At the first one that is not served, or whose arguments its contract does not take.
pub fn check_named_calls(id: &str, answer: &Value) {
    check(None, id, answer);
}

/// The same, with what the module under test takes now.
pub(super) fn check(module: Option<&Module>, id: &str, answer: &Value) {
    let mut calls = Vec::new();
    gather(answer, &mut calls);
    for (named, arguments) in calls {
        let own = module.and_then(|it| it.operations.iter().find(|it| it.id == named)).map(|it| &it.it.arguments);
        // Without a catalog beside the SDK there is nothing to compare with.
        let Some(schema) = own.or_else(|| served().get(named)) else {
            assert!(served().is_empty(), "{id} names {named}, which the catalog does not serve");
            continue;
        };
        if let Some((pointer, message)) = first_error(schema, &Value::Object(arguments.clone())) {
            panic!("{id} names {named} with arguments that it does not take at {pointer:?}: {message}\n{arguments:#?}");
        }
    }
}

/// The objects with an operation and its arguments, wherever they stand.
fn gather<'v>(value: &'v Value, calls: &mut Vec<(&'v str, &'v Map<String, Value>)>) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| gather(it, calls)),
        Value::Object(members) => {
            let named = members.get("operation_id").and_then(Value::as_str);
            // A contract has the schema of its arguments there.
            let arguments = members.get("arguments").and_then(Value::as_object);
            calls.extend(named.zip(arguments.filter(|it| !it.contains_key("properties"))));
            members.values().for_each(|it| gather(it, calls));
        }
        _ => {}
    }
}

/// Whether the newest revision of the catalog beside the SDK serves an operation; every one, where there is no catalog.
pub(crate) fn serves(operation: &str) -> bool {
    served().is_empty() || served().contains_key(operation)
}

/// What the operations of the newest revision take, by id; empty where there is no catalog.
fn served() -> &'static BTreeMap<String, Value> {
    static SERVED: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    SERVED.get_or_init(|| {
        let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../catalog");
        let folders = std::fs::read_dir(catalog).into_iter().flatten().filter_map(Result::ok).map(|it| it.path());
        let Some(newest) = folders.filter(|it| it.join("contracts").is_dir()).max() else { return BTreeMap::new() };
        let files = std::fs::read_dir(newest.join("contracts")).into_iter().flatten().filter_map(Result::ok);
        let mut served = BTreeMap::new();
        for file in files.map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "json")) {
            let contracts: Value =
                std::fs::read(&file).ok().and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default();
            for contract in contracts["operations"].as_array().into_iter().flatten() {
                if let Some(id) = contract["id"].as_str() {
                    served.insert(id.to_owned(), contract["arguments"].clone());
                }
            }
        }
        served
    })
}
