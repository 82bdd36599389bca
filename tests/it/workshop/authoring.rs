//! A module as its author meets it: made, checked, tried, and refused in words that say what to mend. `tests/notes` is
//! what `module new notes` makes, committed, so that it is built with everything else.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::host::operate;

fn workspace() -> PathBuf {
    espalier::modules::workspace().expect("the tests run in it")
}

/// Whether it ended well, what was printed, and what was said beside it.
fn module(arguments: &[&str]) -> (bool, Value, String) {
    let data = tempfile::tempdir().expect("a folder");
    let output = operate(data.path(), &[&["module"], arguments].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), serde_json::from_slice(&output.stdout).unwrap_or_default(), said)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn a_new_module_is_the_one_that_is_built_and_tested_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("mine");
    let (made, value, said) = module(&["new", "notes", "--at", text(&at)]);
    assert!(made && value["module"] == "notes", "{said}");
    let kept = workspace().join("tests/notes");
    for file in ["src/lib.rs", "src/tests.rs", "module.wit"] {
        let (new, old) = (std::fs::read_to_string(at.join(file)), std::fs::read_to_string(kept.join(file)));
        assert_eq!(new.expect("made"), old.expect("committed"), "{file}");
    }
    let manifest = std::fs::read_to_string(at.join("Cargo.toml")).expect("made");
    let sdk = workspace().join("modules/lib/sdk");
    assert!(manifest.contains(&format!("sdk = {{ path = {:?} }}", text(&sdk))), "{manifest}");
    let (ran, shown, said) = module(&["run", "notes.list", text(&at)]);
    assert!(ran && shown["answer"]["notes"] == json!([]), "outside the workspace it builds too: {said} {shown}");
    let written = std::fs::read_to_string(at.join("src/lib.rs")).expect("made");
    let first = "    let notes = cx.records::<Note>();\n";
    let hidden = "    if let (Ok(site), Ok(text)) = (\"a.example\".parse(), \"x\".parse()) {\n        \
                  cx.records().insert(Note { site, text, created_at: cx.now() })?;\n    }\n";
    std::fs::write(at.join("src/lib.rs"), written.replace(first, &format!("{hidden}{first}"))).expect("written");
    let (ran, shown, said) = module(&["run", "notes.list", text(&at)]);
    let attribute = 1 + written.lines().position(|line| line == "#[operation(").expect("an attribute");
    let file = at.join("src/lib.rs");
    let place = format!("denied.write_in_read: {}:{attribute}: a read changes nothing", text(&file));
    assert!(!ran && shown["denied"][0].as_str().is_some_and(|it| it.starts_with(&place)), "{said} {shown}");
    assert!(
        shown["fuel"].as_u64() > Some(0) && shown["host_calls"] == 2,
        "the clock and the write that ended it: {shown}"
    );
    let foreign = "#[foreign(collection = \"websites.sites\", thing = \"website\", reference = \"site_id\")]\n\
                   struct Site {\n    domain: String,\n}\n";
    let other = written.replace(
        first,
        &format!("    let _ = cx.records::<Site>().all().first().map(|it| it.domain.clone());\n{first}"),
    );
    std::fs::write(at.join("src/lib.rs"), format!("{other}\n{foreign}")).expect("written");
    let (ran, shown, said) = module(&["run", "notes.list", text(&at)]);
    let place = format!(
        "denied.reads: collection websites.sites: {}:{} asks for it; its lock",
        text(&file),
        other.lines().count() + 2
    );
    assert!(!ran && shown["denied"][0].as_str().is_some_and(|it| it.starts_with(&place)), "{said} {shown}");
    let (again, _, said) = module(&["new", "notes", "--at", text(&at)]);
    assert!(!again && said.contains("is there already and is not empty"), "{said}");
    for (name, why) in [
        ("Notes", "small letters"),
        ("a__b", "single _"),
        ("crawl", "of the catalog"),
        ("sdk", "taken"),
        ("fn", "is a word of Rust"),
        ("self", "is a word of Rust"),
    ] {
        let (made, _, said) = module(&["new", name, "--at", text(&folder.path().join("other"))]);
        assert!(!made && said.contains(why), "{name}: {said}");
    }
    assert!(!folder.path().join("other").exists(), "a refused name leaves nothing behind");
    let (made, _, said) = module(&["new", "simulators"]);
    assert!(!made && said.contains("is the name of a package of this workspace already"), "{said}");
    assert!(!workspace().join("modules/simulators").exists());
}

#[test]
fn a_call_of_a_new_module_shows_its_answer_its_effects_and_what_it_took() {
    let notes = workspace().join("tests/notes");
    let args = r#"{ "site": "example.com", "text": "Renew in May." }"#;
    let (ran, shown, said) = module(&["run", "notes.create", text(&notes), "--args", args]);
    assert!(ran && shown["answer"]["note_ref"].is_string(), "{said} {shown}");
    assert_eq!((&shown["effects"], &shown["points"]), (&json!({ "written notes.notes": 1 }), &json!(3)));
    assert!(shown["fuel"].as_u64() > Some(1_000) && shown["host_calls"].as_u64() >= Some(1), "{shown}");
    let (ran, shown, said) = module(&["run", "notes.create", text(&notes), "--args", r#"{ "site": "example.com" }"#]);
    assert!(!ran && said.contains("notes.create was refused: invalid_arguments"), "{said}");
    assert_eq!((&shown["answer"]["pointer"], &shown["effects"]), (&json!("/text"), &json!({})), "{shown}");
    let twice = r#"{ "site": "example.com", "text": "One.", "text": "Two." }"#;
    let (ran, _, said) = module(&["run", "notes.create", text(&notes), "--args", twice]);
    assert!(!ran && said.contains("--args is a JSON object") && said.contains("given twice"), "{said}");
    let (ran, _, said) = module(&["run", "nonesuch.list"]);
    assert!(
        !ran && said.contains("there is no module nonesuch; the workspace has account, ai_visibility, audit"),
        "{said}"
    );
    let (ran, _, said) = module(&["run", "notes.forget", text(&notes)]);
    assert!(
        !ran && said.contains("there is no operation notes.forget; the module has notes.list, notes.create"),
        "{said}"
    );
}

#[test]
fn every_example_of_a_new_module_runs_in_the_real_sandbox_and_its_promises_hold() {
    let notes = workspace().join("tests/notes");
    let (held, shown, said) = module(&["test", text(&notes)]);
    let rows = shown.as_array().expect("rows");
    assert!(held && rows.len() == 3 && rows.iter().all(|row| row["ok"] == true), "{said} {shown}");
    let (held, shown, said) = module(&["check", text(&notes)]);
    assert!(held && shown[0]["to_mend"] == json!([]) && shown[0]["locked"] == false, "{said} {shown}");
}
