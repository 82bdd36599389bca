//! The way out, as a guest sees it.

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
async fn requests_end_at_their_limit() {
    let run = run("outside", "flood", |_| {}).await;
    assert!(matches!(run.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", run.outcome);
    assert_eq!(run.receipt.requests, 8);
}
