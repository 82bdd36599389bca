//! The way out, as a guest sees it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use catalog::lock::Lock;
use sandbox::egress::Verdict;
use sandbox::{Denial, Export, LimitKind, Module, Stop};

use crate::guest::{component, invocation, load, lock, manifest, run, sandbox, text};

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

/// The guest's module, where the lock narrows the pages of `metadata` to one host.
fn narrowed() -> Arc<Module> {
    let text = text("outside");
    let component = component(text, &manifest(text));
    let mut lock = lock(&component);
    let entry = lock.operations.get_mut("hostile.metadata").expect("it is there");
    entry.web = Some(toml::from_str("hosts = [\"example.org\"]").expect("a reach"));
    let lock = Lock::parse("hostile.toml", &lock.text()).expect("it can be read");
    sandbox().load(&component, &lock, BTreeMap::new()).expect("the guest loads")
}

#[tokio::test]
async fn a_page_outside_the_locks_bounds_is_refused_and_the_author_is_told_the_line() {
    let module = narrowed();
    let run = sandbox().run(invocation(&module, "metadata").await).await;
    assert_eq!(run.outcome.expect("the guest answers").data, r#"{"failure":0}"#);
    let decision = &run.receipt.egress[0];
    assert_eq!(decision.verdict, Verdict::Reach("hosts"));
    let line = decision.line.as_deref().expect("a line");
    assert!(
        line.starts_with("hostile.toml:") && line.ends_with("operations.\"hostile.metadata\".web: hosts"),
        "{line}"
    );
}

#[tokio::test]
async fn a_step_may_ask_what_the_operation_may_that_started_its_job() {
    let module = load("outside");
    for (started_by, permitted) in [
        (Some("hostile.metadata"), true),
        (Some("hostile.undeclared"), false),
        (Some("hostile.gone"), false),
        (None, false),
    ] {
        let mut invocation = invocation(&module, "metadata").await;
        invocation.export = Export::Step("run".to_owned());
        invocation.started_by = started_by.map(str::to_owned);
        let run = sandbox().run(invocation).await;
        match run.outcome {
            Ok(_) => assert!(permitted, "{started_by:?}"),
            Err(Stop::Denied(Denial::Web)) => assert!(!permitted, "{started_by:?}"),
            Err(stop) => panic!("{started_by:?}: {stop:?}"),
        }
    }
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
