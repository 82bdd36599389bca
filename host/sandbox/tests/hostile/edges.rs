//! The public edges: a read makes nothing there, and a write makes nothing that would harm a visitor.

use sandbox::{Denial, Run, Stop};

use crate::guest::run;

fn is_denied(run: &Run) -> bool {
    matches!(run.outcome, Err(Stop::Denied(Denial::WriteInRead)))
}

#[tokio::test]
async fn a_read_opens_no_upload_and_makes_changes_or_ends_no_link_or_share() {
    for operation in ["open", "link", "state", "publish", "publish_with_grant", "revoke"] {
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
