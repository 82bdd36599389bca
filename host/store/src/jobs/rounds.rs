//! Tests of rounds of scheduled work: paid like any job, and neither listed nor told.

use std::time::Duration;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{JobId, RequestId};

use super::{JobFilter, Next, StepSettlement};
use crate::fixture::{Fixture, NOON, answer, fixture, share};
use crate::{Changes, JobHold, SettleError, Settlement};

/// Begins a round under a key; false: it was begun before.
async fn begin(fixture: &Fixture, request: &str, key: &str) -> bool {
    let request = RequestId::from(request);
    let job = JobId::from(format!("job_{request}"));
    let audit = Audit { event: "schedule.round".to_owned(), request: Some(request.clone()), ..fixture.line("ok") };
    let round = Settlement {
        request,
        changes: Changes::round("authors", job, "check", "{}".to_owned(), NOON),
        hold_for_job: Some(JobHold { points: 0, credits_milli: 40 }),
        answer: Some(answer(key, "")),
        audit,
        ..fixture.call("req_round", 0)
    };
    match fixture.store.calls.settle(round).await {
        Ok(_) => true,
        Err(SettleError::KeyTaken(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_round_begins_once_under_its_key_is_paid_by_its_work_and_leaves_no_job_behind() {
    let fixture = fixture().await;
    fixture.store.money.credit(&fixture.customer, 1_000, "pay_1").await.unwrap();
    assert!(begin(&fixture, "req_1", "schedule:authors:every_5m:1:work").await);
    assert!(!begin(&fixture, "req_2", "schedule:authors:every_5m:1:work").await, "another node had begun it");
    let row = fixture.store.jobs.claim_jobs("node_1", share(10), NOON).await.unwrap().pop().unwrap();
    let done = StepSettlement {
        job: row.id.clone(),
        customer: row.customer.clone(),
        claim: row.claim.clone(),
        step: 1,
        changes: Changes::default(),
        journaled: false,
        next: Next::Done { result: "{}".to_owned(), progress: "{}".to_owned() },
        units_total: 37,
        points_total: 0,
        credits_milli_total: 37,
        audit: fixture.job_line(&row),
        now: NOON,
    };
    fixture.store.calls.settle_step(done).await.unwrap();
    let balance = fixture.store.money.balance(&fixture.customer, NOON).await.unwrap();
    assert_eq!(balance.credits_milli, 963, "37 of the 40 that were held");
    let listed = fixture.store.jobs.list_jobs(&fixture.customer, &JobFilter::default(), None, 9).await.unwrap();
    assert_eq!(listed, [], "nobody started it");
    fixture.holds().await;
    let there = async || fixture.store.jobs.job(&fixture.customer, &row.id).await.unwrap().is_some();
    let day = Duration::from_secs(86_400);
    fixture.store.sweep(NOON.plus(day - Duration::from_secs(1))).await.unwrap();
    assert!(there().await);
    fixture.store.sweep(NOON.plus(day)).await.unwrap();
    assert!(!there().await, "it is kept for a day");
    fixture.holds().await;
}

#[tokio::test]
async fn a_round_that_cannot_be_paid_does_not_begin() {
    let fixture = fixture().await;
    let job = JobId::from("job_1");
    let changes = Changes::round("authors", job, "check", "{}".to_owned(), NOON);
    let hold_for_job = Some(JobHold { points: 0, credits_milli: 40 });
    let round = Settlement { changes, hold_for_job, ..fixture.call("req_1", 0) };
    let refused = fixture.store.calls.settle(round).await;
    assert!(matches!(refused, Err(SettleError::OutOfCredits { needed_milli: 40, .. })));
    assert_eq!(fixture.store.jobs.claim_jobs("node_1", share(10), Moment(i64::MAX)).await.unwrap(), []);
    fixture.holds().await;
}
