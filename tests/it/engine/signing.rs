//! What was shipped is served only as it was signed and approved; an author and a reviewer do both from the command line.

use std::path::Path;

use serde_json::Value;
use tests::host::{operate, shipped};
use tests::signed;

const NEWEST: &str = "2026-09-28";
const OLDER: &str = "2026-08-15";

/// What a command prints, or what it says when it fails.
fn said(data: &Path, arguments: &[&str]) -> Result<Value, String> {
    let output = operate(data, arguments);
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).expect("JSON"));
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn activate(data: &Path, date: &str) -> Result<Value, String> {
    said(data, &["catalog", "activate", date])
}

#[test]
fn a_component_that_is_not_as_it_was_signed_is_not_served_even_where_it_was_compiled_before() {
    let data = tempfile::tempdir().expect("a folder");
    let modules = shipped(data.path());
    // Compiled artefacts of these very components are there.
    let served = activate(data.path(), NEWEST).expect("signed and approved");
    assert_eq!(served["approved_by"], "tests");
    let (component, signature) = (modules.join("authors.wasm"), modules.join("authors.wasm.minisig"));
    let (bytes, written) = (std::fs::read(&component).expect("there"), std::fs::read(&signature).expect("there"));

    let mut flipped = bytes.clone();
    *flipped.last_mut().expect("bytes") ^= 1;
    std::fs::write(&component, flipped).expect("written");
    let changed = activate(data.path(), OLDER).expect_err("refused");
    assert!(changed.contains("modules/authors.wasm") && changed.contains("changed after tests signed it"), "{changed}");
    std::fs::write(&component, bytes).expect("written");

    std::fs::remove_file(&signature).expect("removed");
    let unsigned = activate(data.path(), OLDER).expect_err("refused");
    assert!(unsigned.contains("`espalier sign --key KEY modules/authors.wasm`"), "{unsigned}");
    let back = said(data.path(), &["catalog", "rollback"]).expect_err("what was refused left no trace");
    assert!(back.contains("nothing was in force before"), "{back}");
    std::fs::write(&signature, written).expect("written");
    activate(data.path(), OLDER).expect("whole again");
}

#[test]
fn without_signers_or_with_others_nothing_is_served() {
    let data = tempfile::tempdir().expect("a folder");
    shipped(data.path());
    let config = data.path().join("espalier.toml");
    let known = std::fs::read_to_string(&config).expect("there");
    for other in [String::new(), known.replace("\"revisions\", ", ""), known.replace("\"modules\", ", "")] {
        std::fs::write(&config, other).expect("written");
        let output = operate(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
        let refused = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "it serves");
        assert!(refused.contains("[[signer]]") || refused.contains("`signs` in espalier.toml"), "{refused}");
    }
    std::fs::write(&config, known.replace(", \"approvals\"", "")).expect("written");
    let refused = activate(data.path(), NEWEST).expect_err("refused");
    assert!(
        refused.contains("nobody has approved revision") && refused.contains("does not have approvals"),
        "{refused}"
    );
}

#[test]
fn a_step_is_taken_when_a_reviewer_has_said_yes_to_its_report_and_goes_back_by_one_command() {
    let data = tempfile::tempdir().expect("a folder");
    let modules = shipped(data.path());
    for date in [OLDER, NEWEST] {
        std::fs::remove_dir_all(modules.join("catalog").join(date).join("approvals")).expect("removed");
    }
    let key = data.path().join("reviewer.key");
    std::fs::write(&key, signed::secret()).expect("written");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (key, catalog) = (text(&key), text(&modules.join("catalog")));
    let report = |old: &str, new: &str| {
        let output = operate(data.path(), &["review", "--catalog", &catalog, old, new]);
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["digest"].as_str().expect("a digest").to_owned()
    };
    let approve = |old: &str, new: &str, report: &str| {
        said(data.path(), &["catalog", "approve", old, new, "--report", report, "--key", &key])
    };
    assert!(activate(data.path(), OLDER).expect_err("refused").contains("nobody has approved"));
    approve("none", OLDER, &report("none", OLDER)).expect("approved");
    activate(data.path(), OLDER).expect("approved");
    // An approval of a first start is none of a step from what is in force.
    approve("none", NEWEST, &report("none", NEWEST)).expect("approved");
    let refused = activate(data.path(), NEWEST).expect_err("refused");
    let digest = report(OLDER, NEWEST);
    assert!(refused.contains(&format!("approve {OLDER} {NEWEST} --report {digest}")), "{refused}");
    let other = approve(OLDER, NEWEST, &report("none", NEWEST)).expect_err("another report");
    assert!(other.contains("something changed since it was read"), "{other}");
    approve(OLDER, NEWEST, &digest).expect("approved");
    assert_eq!(activate(data.path(), NEWEST).expect("approved")["before"], OLDER);
    let back = said(data.path(), &["catalog", "rollback"]).expect("it was approved then");
    assert_eq!((&back["revision"], &back["before"]), (&OLDER.into(), &NEWEST.into()));
    let again = said(data.path(), &["catalog", "rollback"]).expect_err("it would go forward");
    assert!(again.contains(&format!("the last step went back already, from {NEWEST} to {OLDER}")), "{again}");
    assert!(again.contains(&format!("`espalier catalog activate {NEWEST}` goes forward again")), "{again}");
    // What is in force needs nobody's word.
    let already = activate(data.path(), OLDER).expect("nothing is done");
    assert_eq!((&already["already"], &already["before"]), (&true.into(), &OLDER.into()));
    assert_eq!(activate(data.path(), NEWEST).expect("approved before")["before"], OLDER);
}

#[test]
fn a_new_signer_signs_what_a_host_then_believes() {
    let data = tempfile::tempdir().expect("a folder");
    let file = data.path().join("thing.wasm");
    std::fs::write(&file, b"bytes").expect("written");
    let name = data.path().join("ada");
    let refused = said(data.path(), &["signer", name.to_str().expect("UTF-8")]).expect_err("a path is no name");
    assert!(refused.contains("is no name for a file"), "{refused}");
    let key = data.path().join("ada.key");
    std::fs::write(&key, signed::secret()).expect("written");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let made = said(data.path(), &["sign", "--key", &text(&key), &text(&file)]).expect("signed");
    assert_eq!(made[0]["signature"], text(&data.path().join("thing.wasm.minisig")));
    let nothing = said(data.path(), &["sign", "--key", &text(&file), &text(&file)]).expect_err("no key");
    assert!(nothing.contains("the signing key"), "{nothing}");
    let public = data.path().join("ada.pub");
    std::fs::write(&public, format!("untrusted comment: ada\n{}\n", signed::key().public())).expect("written");
    let wrong = said(data.path(), &["sign", "--key", &text(&public), &text(&file)]).expect_err("it signs nothing");
    assert!(wrong.contains("ada.pub: the signing key: this is the public key"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_folder_does_not_come_back_unseen_and_a_rollback_is_a_clear_word() {
    let data = tempfile::tempdir().expect("a folder");
    shipped(data.path());
    let serves = || operate(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    activate(data.path(), NEWEST).expect("signed and approved");
    // Later bytes under the same date were served by another node meanwhile.
    let now = model::clock::Moment(1_790_000_000_000);
    let store = tests::database::open(data.path()).await;
    store.serving.note_in_force(NEWEST, "sha256:later", now).await.expect("noted");
    let refused = serves();
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && words.contains("the folder is older than what was served"), "{words}");
    let refused = activate(data.path(), NEWEST).expect_err("refused");
    assert!(refused.contains("`espalier catalog rollback` puts these in force"), "{refused}");
    let back = said(data.path(), &["catalog", "rollback"]).expect("a clear word");
    assert_eq!(back["revision"], NEWEST);
    let already = activate(data.path(), NEWEST).expect("it is in force again");
    assert_eq!(already["already"], true);

    // A later revision was in force, and the folder that is there now has none of it.
    let data = tempfile::tempdir().expect("a folder");
    shipped(data.path());
    let store = tests::database::open(data.path()).await;
    store.serving.note_in_force("2099-01-01", "sha256:later", now).await.expect("noted");
    let refused = operate(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && words.contains("revision 2099-01-01 was in force"), "{words}");
    activate(data.path(), NEWEST).expect("said by name");
}
