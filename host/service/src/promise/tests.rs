//! What a contract promises and does not keep, each named with its place.

use model::manifest::Manifest;
use serde_json::{Value, json};

use super::broken;

/// A contract that keeps its promises, with one member changed.
fn said(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut contract = json!({
        "id": "notes.list",
        "export": "list",
        "kind": "read",
        "mode": "immediate",
        "scopes": ["assets:read"],
        "summary": "Lists notes.",
        "cost": { "class": "list", "base": 1 },
        "arguments": { "type": "object", "properties": { "limit": { "type": "integer", "maximum": 100 } } },
        "result": { "type": "object" },
        "examples": [{ "limit": 10 }],
        "phrasings": ["what did I note"],
    });
    change(&mut contract);
    let manifest = json!({ "module": "notes", "wit": "espalier:module@1.0.0", "operations": [contract] });
    let manifest: Manifest = serde_json::from_value(manifest).expect("a manifest");
    broken(&manifest).into_iter().map(|it| format!("{} {}: {}", it.operation, it.pointer, it.message)).collect()
}

#[test]
fn a_contract_that_keeps_its_promises_has_nothing_to_mend() {
    assert_eq!(said(|_| ()), Vec::<String>::new());
}

#[test]
fn each_promise_that_is_not_kept_is_named_with_its_place() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (|it| it["id"] = "notes.List".into(), "notes.List /id: an id is module.noun.verb"),
        (
            |it| it["id"] = "notes.ponder".into(),
            "notes.ponder /id: ponder is no verb of the catalog; its verbs are acknowledge, add,",
        ),
        (|it| it["summary"] = " ".into(), "notes.list /summary: one sentence"),
        (|it| it["phrasings"] = json!([]), "notes.list /phrasings: 3 to 6 ways"),
        (|it| it["examples"] = json!([]), "notes.list /examples: at least one"),
        (|it| it["examples"][0]["limit"] = 500.into(), "notes.list /examples/0/limit: 500 is greater"),
        (|it| it["arguments"]["properties"]["limit"]["type"] = "number of things".into(), "notes.list /arguments: "),
        (|it| it["mode"] = "queued".into(), "notes.list /result_operation: a queued operation names"),
        (
            |it| it["result_operation"] = "notes.get".into(),
            "notes.list /result_operation: there is no operation notes.get",
        ),
    ];
    for (change, start) in cases {
        let said = said(change);
        assert!(said.iter().any(|it| it.starts_with(start)), "{start}: {said:?}");
    }
}
