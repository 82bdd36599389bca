//! What an operation may do follows from its kind and mode, whatever it says of itself.

use sandbox::{Denial, Export, Run, Stop};

use crate::guest::{invocation, load, run, sandbox};

#[track_caller]
fn denied(run: &Run, denial: Denial) {
    match &run.outcome {
        Err(Stop::Denied(found)) => assert_eq!(*found, denial),
        other => panic!("expected {denial} to be denied, got {other:?}"),
    }
}

#[tokio::test]
async fn a_read_that_inserts_is_stopped() {
    denied(&run("changes", "insert", |_| {}).await, Denial::WriteInRead);
}

#[tokio::test]
async fn a_read_that_writes_a_blob_is_stopped() {
    denied(&run("changes", "blob", |_| {}).await, Denial::WriteInRead);
}

#[tokio::test]
async fn a_read_that_starts_work_is_stopped() {
    denied(&run("changes", "enqueue_read", |_| {}).await, Denial::WriteInRead);
}

#[tokio::test]
async fn a_write_inserts() {
    let run = run("changes", "insert_write", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
    assert_eq!(run.workspace.tally().rows_written, 1);
}

#[tokio::test]
async fn an_immediate_job_that_starts_work_is_stopped() {
    denied(&run("changes", "enqueue_immediate", |_| {}).await, Denial::Enqueue);
}

#[tokio::test]
async fn a_queued_job_starts_work() {
    let run = run("changes", "enqueue_queued", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}

#[tokio::test]
async fn a_write_that_removes_from_a_collection_outside_may_remove_is_stopped() {
    denied(&run("changes", "remove_write", |_| {}).await, Denial::Remove);
}

#[tokio::test]
async fn a_write_may_try_to_remove_where_the_lock_says_so() {
    let run = run("changes", "remove_permitted", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}

#[tokio::test]
async fn a_destructive_operation_may_remove() {
    let run = run("changes", "remove_destructive", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}

#[tokio::test]
async fn an_undeclared_collection_is_refused_to_the_guest() {
    let run = run("changes", "undeclared", |_| {}).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}

#[tokio::test]
async fn only_exports_of_the_module_can_run() {
    let module = load("changes");
    for export in [
        Export::Operation("hostile.nothing".to_owned()),
        Export::Operation("run".to_owned()),
        Export::Route("hostile.insert".to_owned()),
        Export::Step("hostile.insert".to_owned()),
        Export::Operation("cabi_realloc".to_owned()),
    ] {
        let mut invocation = invocation(&module, "insert_write").await;
        invocation.export = export;
        denied(&sandbox().run(invocation).await, Denial::Export);
    }
}

#[tokio::test]
async fn a_step_runs_as_a_step() {
    let module = load("changes");
    let mut invocation = invocation(&module, "enqueue_queued").await;
    invocation.export = Export::Step("run".to_owned());
    invocation.limits = module.limits(&invocation.export).expect("the guest has the step");
    assert!(sandbox().run(invocation).await.outcome.is_ok());
}
