//! `espalier review` as a reviewer runs it, on components as they were built and on locks; `module check` as an author does.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::host::{modules, operate};

fn component(name: &str) -> PathBuf {
    modules().iter().find(|built| built.name == name).expect("a module").path.clone()
}

/// Whether nobody has to say yes, the reports, and what is said beside them.
fn review(old: &Path, new: &Path) -> (bool, Value, String) {
    let data = tempfile::tempdir().expect("a folder");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let output = operate(data.path(), &["review", &text(old), &text(new)]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.success(), value["reports"].clone(), said)
}

#[test]
fn a_component_beside_itself_needs_nobody_and_two_different_ones_are_told_apart() {
    let authors = component("authors");
    let (yes, reports, _) = review(&authors, &authors);
    assert!(yes && reports[0]["changes"] == json!([]) && reports[0]["class"] == "compatible", "{reports}");
    let (again, same, _) = review(&authors, &authors);
    assert!(again && same[0]["digest"] == reports[0]["digest"]);
    let (yes, reports, said) = review(&authors, &component("connections"));
    assert!(!yes && said.contains("module_added") && said.contains("module_removed"), "{said}");
    assert_eq!(reports.as_array().map(Vec::len), Some(2), "{reports}");
}

#[test]
fn a_lock_beside_the_component_that_it_locks_shows_what_only_a_person_has_written() {
    let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("../catalog/2026-09-28");
    let (yes, reports, said) = review(&component("authors"), &catalog);
    let authors = reports.as_array().into_iter().flatten().find(|it| it["module"] == "authors").expect("a report");
    let changes = authors["changes"].as_array().expect("changes");
    let named = |reason: &str| changes.iter().any(|it| it["reason"] == reason);
    assert!(!yes && named("reads_added") && named("limit_raised") && !named("contract_changed"), "{authors}");
    assert_eq!(reports.as_array().map(Vec::len), Some(1), "of a revision it is the one module: {reports}");
    assert!(!said.contains("module_added"), "{said}");
    let (_, reports, said) = review(&catalog, &component("authors"));
    assert!(reports[0]["module"] == "authors" && !said.contains("module_removed"), "{said}");
    let (_, _, said) = review(&catalog, Path::new("no-such-thing"));
    assert!(said.contains("is no component and no revision; there are 2026-08-15, 2026-09-28"), "{said}");
}

#[test]
fn every_module_of_this_workspace_keeps_what_it_promises() {
    modules();
    let data = tempfile::tempdir().expect("a folder");
    let output = operate(data.path(), &["module", "check"]);
    let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(output.status.success(), "{said}");
    let all = said.as_array().expect("modules");
    let whole = |it: &Value| it["locked"] == true && it["to_mend"] == json!([]) && it["lines"] == json!([]);
    assert!(all.len() >= 7 && all.iter().all(whole), "{said}");
}
