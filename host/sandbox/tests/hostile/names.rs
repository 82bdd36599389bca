//! The name system and secure sides, as a guest sees them.

use sandbox::egress::Verdict;
use sandbox::{Denial, LimitKind, Stop};

use crate::guest::run;

#[tokio::test]
async fn a_name_of_the_inside_is_refused_in_one_word_and_told_to_the_auditor() {
    let run = run("names", "inside", |_| {}).await;
    assert_eq!(run.outcome.expect("the guest answers").data, r#"{"failure":1}"#);
    let decision = &run.receipt.egress[0];
    assert_eq!((decision.host.as_str(), decision.port, decision.verdict), ("db.internal", 53, Verdict::Name));
}

#[tokio::test]
async fn the_secure_side_of_the_inside_is_refused_in_one_word_and_told_to_the_auditor() {
    let run = run("names", "secure", |_| {}).await;
    assert_eq!(run.outcome.expect("the guest answers").data, r#"{"failure":0}"#);
    assert_eq!(run.receipt.requests, 2);
    let decision = &run.receipt.egress[0];
    assert_eq!((decision.host.as_str(), decision.verdict), ("169.254.169.254", Verdict::Address("link-local")));
}

#[tokio::test]
async fn an_operation_whose_contract_needs_neither_is_stopped() {
    for (operation, denial) in [("undeclared", Denial::Dns), ("secure_undeclared", Denial::Tls)] {
        let run = run("names", operation, |_| {}).await;
        assert!(matches!(run.outcome, Err(Stop::Denied(found)) if found == denial), "{:?}", run.outcome);
        assert!(run.receipt.egress.is_empty());
    }
}

#[tokio::test]
async fn questions_end_at_the_limit_of_requests() {
    let flood = run("names", "flood", |_| {}).await;
    assert!(matches!(flood.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", flood.outcome);
    assert_eq!(flood.receipt.requests, 8);
    let many = run("names", "many", |_| {}).await;
    assert!(matches!(many.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", many.outcome);
    assert_eq!((many.receipt.requests, many.receipt.egress.len()), (0, 0));
}
