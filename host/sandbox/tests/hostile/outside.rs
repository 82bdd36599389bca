//! The way out, as a guest sees it.

use std::time::Duration;

use sandbox::egress::Verdict;
use sandbox::{Denial, LimitKind, Stop};

use crate::guest::run;

#[tokio::test]
async fn the_metadata_address_is_refused_in_one_word_and_told_to_the_auditor() {
    let run = run("outside", "metadata", |_| {}).await;
    assert_eq!(run.outcome.expect("the guest answers").data, r#"{"failure":0}"#);
    assert_eq!(run.receipt.requests, 1);
    let decision = &run.receipt.egress[0];
    assert_eq!((decision.host.as_str(), decision.verdict), ("169.254.169.254", Verdict::Address("link-local")));
}

#[tokio::test]
async fn an_operation_whose_contract_does_not_need_the_web_is_stopped() {
    let run = run("outside", "undeclared", |_| {}).await;
    assert!(matches!(run.outcome, Err(Stop::Denied(Denial::Web))), "{:?}", run.outcome);
    assert!(run.receipt.egress.is_empty());
}

#[tokio::test]
async fn a_refused_address_is_in_the_trail_when_the_request_beside_it_runs_out_of_time() {
    let run = run("outside", "together", |limits| limits.wall = Duration::from_millis(500)).await;
    assert!(matches!(run.outcome, Err(Stop::Limit(LimitKind::Wall))), "{:?}", run.outcome);
    let refused: Vec<_> = run.receipt.egress.iter().filter(|it| it.verdict != Verdict::Permitted).collect();
    assert_eq!(refused.len(), 1, "{:?}", run.receipt.egress);
    assert_eq!((refused[0].host.as_str(), refused[0].verdict), ("169.254.169.254", Verdict::Address("link-local")));
}

#[tokio::test]
async fn requests_end_at_their_limit() {
    let run = run("outside", "flood", |_| {}).await;
    assert!(matches!(run.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", run.outcome);
    assert_eq!(run.receipt.requests, 8);
}
