//! Every bound of a run, each by a guest that passes it.

use std::time::Duration;

use sandbox::{LimitKind, Run, Stop, Trap};

use crate::guest::{invocation, load, run, sandbox};

#[track_caller]
fn limited(run: &Run, kind: LimitKind) {
    match &run.outcome {
        Err(Stop::Limit(reached)) => assert_eq!(*reached, kind),
        other => panic!("expected the limit {kind}, got {other:?}"),
    }
}

#[tokio::test]
async fn a_guest_that_computes_for_ever_runs_out_of_fuel() {
    let run = run("spin", "spin", |limits| limits.fuel = 10_000_000).await;
    limited(&run, LimitKind::Fuel);
    assert!(run.receipt.fuel >= 9_999_000, "used {}", run.receipt.fuel);
}

#[tokio::test]
async fn bulk_instructions_are_paid_by_the_byte() {
    let run = run("fill", "fill", |limits| limits.fuel = 10_000_000).await;
    limited(&run, LimitKind::Fuel);
}

#[tokio::test]
async fn a_guest_that_computes_beyond_its_time_is_stopped_by_the_epoch() {
    let run = run("spin", "spin", |limits| {
        limits.fuel = u64::MAX;
        limits.wall = Duration::from_millis(100);
    })
    .await;
    // On a machine that has no processor for it meanwhile, the machine ends it, and later.
    let at_least = match run.outcome {
        Err(Stop::Limit(LimitKind::Wall)) => Duration::from_millis(100),
        Err(Stop::Starved) => Duration::from_millis(400),
        other => panic!("{other:?}"),
    };
    assert!(run.receipt.wall >= at_least, "took {:?}", run.receipt.wall);
    assert!(run.receipt.wall < Duration::from_secs(1), "took {:?}", run.receipt.wall);
}

#[tokio::test]
async fn a_guest_that_waits_beyond_its_time_is_stopped_in_the_host() {
    let run = run("flood", "wait", |limits| limits.wall = Duration::from_millis(100)).await;
    limited(&run, LimitKind::Wall);
    assert!(run.receipt.wall < Duration::from_secs(1), "took {:?}", run.receipt.wall);
}

#[tokio::test]
async fn a_start_function_pays_fuel_like_any_other() {
    let run = run("start", "never", |limits| limits.fuel = 10_000_000).await;
    limited(&run, LimitKind::Fuel);
}

#[tokio::test]
async fn memory_ends_at_its_limit() {
    let run = run("allocate", "memory", |limits| limits.memory = 8 << 20).await;
    limited(&run, LimitKind::Memory);
    assert!(run.receipt.peak_memory <= 8 << 20);
}

#[tokio::test]
async fn memory_ends_at_the_tables_limit_too() {
    limited(&run("allocate", "memory", |_| {}).await, LimitKind::Memory);
}

#[tokio::test]
async fn tables_end_at_their_limit() {
    limited(&run("allocate", "table", |_| {}).await, LimitKind::Table);
}

#[tokio::test]
async fn a_guest_that_calls_itself_for_ever_ends_at_its_stack() {
    limited(&run("recurse", "recurse", |_| {}).await, LimitKind::Stack);
}

#[tokio::test]
async fn a_flood_of_log_lines_ends_at_its_limit() {
    let run = run("flood", "log", |_| {}).await;
    limited(&run, LimitKind::LogLines);
    assert_eq!(run.receipt.log_lines, 201);
}

#[tokio::test]
async fn a_flood_of_host_calls_ends_at_its_limit() {
    let run = run("flood", "calls", |_| {}).await;
    limited(&run, LimitKind::HostCalls);
    assert_eq!(run.receipt.host_calls, 1_001);
}

#[tokio::test]
async fn random_bytes_end_at_their_limit() {
    limited(&run("flood", "random", |_| {}).await, LimitKind::Random);
}

#[tokio::test]
async fn cached_data_ends_at_its_limit() {
    limited(&run("flood", "cache", |_| {}).await, LimitKind::CacheBytes);
}

#[tokio::test]
async fn one_crossing_carries_no_more_than_its_share() {
    limited(&run("flood", "transfer", |_| {}).await, LimitKind::Transfer);
}

#[tokio::test]
async fn arguments_beyond_their_limit_never_reach_the_guest() {
    let run = run("answers", "fine", |limits| limits.arguments = 1).await;
    limited(&run, LimitKind::Arguments);
}

#[tokio::test]
async fn an_answer_beyond_its_limit_is_dropped() {
    limited(&run("answers", "giant", |_| {}).await, LimitKind::Answer);
}

#[tokio::test]
async fn a_huge_answer_is_not_even_copied() {
    limited(&run("answers", "huge", |_| {}).await, LimitKind::Transfer);
}

#[tokio::test]
async fn a_deeply_nested_answer_is_dropped() {
    limited(&run("answers", "deep", |_| {}).await, LimitKind::Depth);
}

#[tokio::test]
async fn rows_written_end_at_their_limit() {
    let run = run("changes", "flood", |limits| limits.rows_written = 10).await;
    limited(&run, LimitKind::RowsWritten);
}

#[tokio::test]
async fn bytes_written_end_at_their_limit() {
    let run = run("changes", "flood", |limits| limits.bytes_written = 50).await;
    limited(&run, LimitKind::BytesWritten);
}

#[tokio::test]
async fn what_is_no_json_object_is_no_answer() {
    for operation in ["text", "unclosed"] {
        let run = run("answers", operation, |_| {}).await;
        assert!(matches!(run.outcome, Err(Stop::Trap(Trap::Answer))), "{operation}: {:?}", run.outcome);
    }
}

#[tokio::test]
async fn an_answer_outside_the_memory_or_not_utf8_breaks_the_run() {
    for operation in ["outside", "bytes"] {
        let run = run("answers", operation, |_| {}).await;
        assert!(matches!(run.outcome, Err(Stop::Trap(_))), "{operation}: {:?}", run.outcome);
    }
}

#[tokio::test]
async fn a_refusal_is_cut_to_its_bounds_and_cannot_colour_a_terminal() {
    let run = run("answers", "refuse", |_| {}).await;
    let Err(Stop::Fault(fault)) = run.outcome else { panic!("expected a refusal, got {:?}", run.outcome) };
    assert_eq!(fault.code, "refused_by_module");
    assert_eq!(fault.message, "no\\u{a}page\\u{1b}[31m");
}

#[tokio::test]
async fn a_function_that_keeps_breaking_rests_and_the_others_go_on() {
    let module = load("answers");
    for _ in 0..5 {
        let run = sandbox().run(invocation(&module, "panic").await).await;
        assert!(matches!(run.outcome, Err(Stop::Trap(Trap::Wasm))), "{:?}", run.outcome);
    }
    let resting = sandbox().run(invocation(&module, "panic").await).await;
    assert!(matches!(resting.outcome, Err(Stop::Paused { retry_after: 1..=30 })), "{:?}", resting.outcome);
    let other = sandbox().run(invocation(&module, "fine").await).await;
    assert!(other.outcome.is_ok(), "{:?}", other.outcome);
    let mut stranger = invocation(&module, "panic").await;
    stranger.customer = "cus_stranger".into();
    let run = sandbox().run(stranger).await;
    assert!(matches!(run.outcome, Err(Stop::Trap(Trap::Wasm))), "it runs for another customer: {:?}", run.outcome);
}

#[tokio::test]
async fn a_computing_guest_can_be_cancelled() {
    let module = load("spin");
    let mut invocation = invocation(&module, "spin").await;
    invocation.limits.fuel = u64::MAX;
    let cancel = invocation.cancel.clone();
    let running = tokio::spawn(sandbox().run(invocation));
    tokio::task::yield_now().await;
    cancel.cancel();
    let run = running.await.expect("the run comes back");
    assert!(matches!(run.outcome, Err(Stop::Cancelled)), "{:?}", run.outcome);
}

#[tokio::test]
async fn a_waiting_guest_can_be_cancelled_again_and_again() {
    let module = load("flood");
    for _ in 0..200 {
        let invocation = invocation(&module, "wait").await;
        let cancel = invocation.cancel.clone();
        let running = tokio::spawn(sandbox().run(invocation));
        tokio::task::yield_now().await;
        cancel.cancel();
        let run = running.await.expect("the run comes back");
        assert!(matches!(run.outcome, Err(Stop::Cancelled)), "{:?}", run.outcome);
    }
}

#[tokio::test]
async fn equal_runs_use_equal_fuel() {
    let module = load("answers");
    let first = sandbox().run(invocation(&module, "fine").await).await;
    let second = sandbox().run(invocation(&module, "fine").await).await;
    assert!(first.outcome.is_ok());
    assert_eq!(first.receipt.fuel, second.receipt.fuel);
}
