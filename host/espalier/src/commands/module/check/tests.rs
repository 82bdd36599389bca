//! What a check says of a module that changed since it was locked, as tests.

use catalog::built::{Built, Exports};
use catalog::lock::Lock;
use catalog::revision::{Revision, Status};
use model::contract::Contract;
use model::manifest::Manifest;
use sandbox::inspect::Inspection;
use serde_json::json;

use super::Found;

fn contract() -> Contract {
    let contract = json!({
        "id": "notes.list", "export": "list", "kind": "read", "mode": "immediate", "scopes": ["assets:read"],
        "summary": "Lists notes.", "cost": { "class": "indexed_read", "base": 1 },
        "arguments": {
            "type": "object", "additionalProperties": false, "properties": { "text": { "type": "string" } }
        },
        "result": { "type": "object" }, "examples": [{ "text": "x" }], "phrasings": ["what did I note"],
    });
    serde_json::from_value(contract).expect("a contract")
}

/// The module with this one contract, and what it imports.
fn shown(contract: Contract, imports: &[&str]) -> Inspection {
    let operations = [contract.export.clone()].into();
    let manifest = Manifest {
        module: "notes".to_owned(),
        wit: "espalier:module@1.0.0".to_owned(),
        operations: vec![contract],
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        shapes: model::manifest::Shapes::default(),
    };
    let built = Built {
        component: "sha256:01".to_owned(),
        imports: imports.iter().map(|it| (*it).to_owned()).collect(),
        exports: Exports { operations, ..Exports::default() },
        manifest,
    };
    Inspection { built, size: 10, imports: Vec::new(), exports: Vec::new(), producers: Vec::new() }
}

fn locked(status: Status) -> Revision {
    let mut revision = Revision { status, ..Revision::draft("2026-11-23") };
    let lock = Lock::of(&shown(contract(), &["clock"]).built, None, |_| true);
    revision.locks.insert("notes".to_owned(), lock);
    revision
}

/// What is said of the module with a changed contract, where the locked one was kept.
fn said(status: Status, change: impl FnOnce(&mut Contract)) -> String {
    let mut new = contract();
    change(&mut new);
    let (revision, kept) = (locked(status), shown(contract(), &["clock"]));
    let found = Found::of(&shown(new, &["clock"]), &revision, |_| Some(kept));
    assert_eq!(found.mend, Vec::<String>::new());
    found.words("notes", 1, &revision)
}

#[test]
fn what_is_as_it_was_locked_is_said_in_one_line() {
    assert_eq!(said(Status::Draft, |_| ()), "notes: 1 operations, 0 to mend");
}

#[test]
fn another_phrasing_is_compatible_and_a_renamed_argument_is_breaking_each_with_the_next_command() {
    let phrasing = said(Status::Draft, |it| it.phrasings = vec!["my notes".to_owned()]);
    assert!(
        phrasing.contains("compatible since it was locked; next: `espalier catalog lock 2026-11-23`"),
        "{phrasing}"
    );
    assert!(phrasing.contains("words_changed notes.list at `/phrasings`: `my notes`"), "{phrasing}");
    assert!(!phrasing.contains("breaking"), "{phrasing}");
    let renamed = said(Status::Draft, |it| {
        it.arguments["properties"] = json!({ "words": { "type": "string" } });
        it.examples = vec![json!({ "words": "x" })];
    });
    assert!(renamed.contains("breaking since it was locked; next: `espalier catalog cut DATE`"), "{renamed}");
    assert!(renamed.contains("arguments_break notes.list at `/text`: `it is gone`"), "{renamed}");
    assert!(
        renamed.contains("widening since it was locked") && renamed.contains("at `/words`: `it is new`"),
        "{renamed}"
    );
}

#[test]
fn what_changes_in_a_final_revision_is_breaking_and_begins_the_next_one() {
    let phrasing = said(Status::Final, |it| it.phrasings = vec!["my notes".to_owned()]);
    assert!(phrasing.contains("changed_in_place notes.list"), "{phrasing}");
    assert!(phrasing.contains("2026-11-23 is final, so `espalier catalog cut DATE`"), "{phrasing}");
}

#[test]
fn where_the_locked_component_is_not_here_a_contract_of_which_the_hash_moved_counts_as_breaking() {
    let mut new = contract();
    new.phrasings = vec!["my notes".to_owned()];
    let revision = locked(Status::Draft);
    let words = Found::of(&shown(new, &["clock"]), &revision, |_| None).words("notes", 1, &revision);
    assert!(words.contains("breaking") && words.contains("no line of the lock tells what"), "{words}");
}

#[test]
fn an_import_that_no_operation_needs_is_to_be_mended_with_or_without_a_lock() {
    let empty = Revision::draft("2026-11-23");
    for revision in [&locked(Status::Draft), &empty] {
        let found = Found::of(&shown(contract(), &["clock", "web"]), revision, |_| None);
        assert_eq!(found.mend.len(), 1, "{:?}", found.mend);
        assert!(found.mend[0].contains("the component imports web, and no operation needs it"), "{:?}", found.mend);
    }
    let mut needing = contract();
    needing.needs = vec!["web".to_owned()];
    let found = Found::of(&shown(needing, &["clock", "web"]), &empty, |_| None);
    assert_eq!(found.mend, Vec::<String>::new());
    assert!(found.words("notes", 1, &empty).contains("no lock in 2026-11-23 yet: `espalier catalog cut DATE`"));
}
