//! The public edges: a read makes nothing there, and a write makes nothing that would harm a visitor.

use model::clock::SeededEntropy;
use sandbox::transcript::Recording;
use sandbox::{Denial, Run, Stop};
use zeroize::Zeroizing;

use crate::guest::{invocation, load, run, sandbox};

const PASSCODE: &str = "open sesame";

fn is_denied(run: &Run) -> bool {
    matches!(run.outcome, Err(Stop::Denied(Denial::WriteInRead)))
}

#[tokio::test]
async fn a_read_opens_no_upload_and_makes_changes_or_ends_no_link_or_share() {
    for operation in ["open", "link", "state", "publish", "publish_with_grant", "guard", "revoke"] {
        let run = run("edges", operation, |_| {}).await;
        assert!(is_denied(&run), "{operation}: {:?}", run.outcome);
        assert!(run.workspace.into_changes().is_empty(), "{operation}");
    }
}

#[tokio::test]
async fn a_write_opens_an_upload_and_makes_a_link_which_wait_for_its_commit() {
    for operation in ["open_write", "link_write"] {
        let run = run("edges", operation, |_| {}).await;
        assert!(run.outcome.is_ok(), "{operation}: {:?}", run.outcome);
        assert!(!run.workspace.into_changes().is_empty(), "{operation}");
    }
}

#[tokio::test]
async fn a_link_to_a_script_and_a_share_of_nothing_are_refused_and_leave_nothing() {
    for operation in ["script", "publish_write", "publish_with_grant_write"] {
        let run = run("edges", operation, |_| {}).await;
        assert!(run.outcome.is_ok(), "{operation}: {:?}", run.outcome);
        assert!(run.workspace.into_changes().is_empty(), "{operation}");
    }
}

#[tokio::test]
async fn what_is_not_the_modules_own_is_not_there() {
    let run = run("edges", "nothing", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}

/// One run of the guest that shares a blob behind the passcode of its argument.
async fn guarded(passcode: &str) -> (Run, String) {
    let mut invocation = invocation(&load("edges"), "guarded").await;
    let handle = invocation.secrets.keep(Zeroizing::new(passcode.to_owned()), &SeededEntropy::new([4; 32]));
    invocation.arguments = serde_json::json!({ "passcode": handle }).to_string();
    (sandbox().run(invocation).await, handle)
}

#[tokio::test]
async fn a_passcode_comes_by_its_handle_is_kept_as_argon2id_and_stands_in_no_recording() {
    let (run, handle) = guarded(PASSCODE).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
    assert!(run.receipt.host_fuel > 40_000_000, "hashing is work: {}", run.receipt.host_fuel);
    let Some(Recording::Whole(transcript)) = &run.recording else { panic!("no transcript") };
    let (words, bytes) = (format!("{transcript:?}"), format!("{:?}", PASSCODE.as_bytes()));
    assert!(words.contains(&handle) && !words.contains(PASSCODE) && !words.contains("argon2id"));
    assert!(!words.contains(bytes.trim_matches(['[', ']'])));
    let changes = format!("{:?}", run.workspace.into_changes());
    assert!(changes.contains("$argon2id$v=19$m=19456,t=2,p=1$") && !changes.contains(PASSCODE));
}

#[tokio::test]
async fn what_is_no_handle_and_what_is_no_passcode_shares_nothing() {
    let run = run("edges", "guard_write", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
    assert!(!format!("{:?}", run.workspace.into_changes()).contains("Publish"));
    let (run, _) = guarded("short").await;
    assert!(matches!(run.outcome, Err(Stop::Trap(_))), "the guest takes no refusal: {:?}", run.outcome);
}

#[tokio::test]
async fn no_run_hashes_without_end() {
    let module = load("edges");
    let mut invocation = invocation(&module, "guarded").await;
    let handle = invocation.secrets.keep(Zeroizing::new(PASSCODE.to_owned()), &SeededEntropy::new([4; 32]));
    invocation.arguments = serde_json::json!({ "passcode": handle }).to_string();
    invocation.limits.fuel = 30_000_000;
    let run = sandbox().run(invocation).await;
    assert!(matches!(run.outcome, Err(Stop::Limit(sandbox::LimitKind::Fuel))), "{:?}", run.outcome);
}
