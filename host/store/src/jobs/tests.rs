//! Tests of `jobs`.

use std::time::Duration;

use model::clock::Moment;
use model::id::JobId;

use super::*;
use crate::fixture::{Fixture, NOON, fixture, share};
use crate::{JobHold, SettleError};

const LEASE: Duration = Duration::from_secs(60);
const HOLD: JobHold = JobHold { points: 20, credits_milli: 3_000 };

async fn with_job() -> (Fixture, JobId) {
    let fixture = fixture().await;
    fixture.store.money.credit(&fixture.customer, 5_000, "pay_1").await.unwrap();
    let job = fixture.start_job("req_1", HOLD).await;
    (fixture, job)
}

impl Fixture {
    async fn claim(&self, now: Moment) -> Option<JobRow> {
        self.store.jobs.claim_jobs("node_1", share(10), now).await.unwrap().pop()
    }

    fn step(&self, job: &JobRow, next: Next, now: Moment) -> StepSettlement {
        StepSettlement {
            job: job.id.clone(),
            customer: job.customer.clone(),
            claim: job.claim.clone(),
            step: job.steps + 1,
            changes: Changes::default(),
            journaled: false,
            next,
            units_total: 7,
            points_total: 7,
            credits_milli_total: 1_000,
            audit: self.job_line(job),
            now,
        }
    }

    async fn left(&self) -> (u64, u64) {
        let balance = self.store.money.balance(&self.customer, NOON).await.unwrap();
        (balance.included_remaining, balance.credits_milli)
    }
}

fn done() -> Next {
    Next::Done { result: r#"{"pages":3}"#.into(), progress: r#"{"done":3}"#.into() }
}

fn go_on(run_after: Moment) -> Next {
    Next::Continue { checkpoint: r#"{"at":1}"#.into(), progress: r#"{"done":1}"#.into(), run_after }
}

#[tokio::test]
async fn a_job_is_enqueued_with_its_call_and_holds_what_it_may_cost() {
    let (fixture, job) = with_job().await;
    assert_eq!(fixture.left().await, (79, 2_000));
    let view = fixture.store.jobs.job(&fixture.customer, &job).await.unwrap().unwrap();
    assert_eq!((view.state, view.progress.as_str(), view.created), (JobState::Queued, "{}", NOON));
    let row = fixture.claim(NOON).await.unwrap();
    assert_eq!((row.id, row.step.as_str(), row.operation.as_str(), row.attempt), (job, "crawl", "authors.list", 1));
    assert_eq!(row.payload, r#"{"url":"https://example.com/"}"#);
    fixture.holds().await;
}

#[tokio::test]
async fn a_call_that_fails_starts_no_job() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let job = workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
    assert_eq!(workspace.job(job.as_str()).await.unwrap().unwrap().state, JobState::Queued);
    let mut call = fixture.call("req_1", 1);
    (call.changes, call.hold_for_job) = (workspace.into_changes(), Some(HOLD));
    let refused = fixture.store.calls.settle(call).await.unwrap_err();
    assert!(matches!(refused, SettleError::OutOfCredits { needed_milli: 3_000, available_milli: 0 }));
    assert_eq!(fixture.store.jobs.job(&fixture.customer, &job).await.unwrap(), None);
    assert_eq!(fixture.claim(NOON).await, None);
    assert_eq!(fixture.left().await, (100, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn a_payload_is_a_json_object() {
    let fixture = fixture().await;
    for payload in ["", "[]", "1", "{"] {
        assert!(fixture.workspace().enqueue("crawl", payload.to_owned()).await.is_err(), "{payload}");
    }
}

#[tokio::test]
async fn a_job_is_taken_by_one_worker_until_its_lease_ends() {
    let (fixture, _) = with_job().await;
    let first = fixture.claim(NOON).await.unwrap();
    assert_eq!(fixture.claim(NOON.plus(LEASE / 2)).await, None);
    let second = fixture.claim(NOON.plus(LEASE)).await.unwrap();
    assert_ne!(first.claim, second.claim);
    assert_eq!((second.id, second.attempt), (first.id, 2));
}

#[tokio::test]
async fn many_workers_take_many_jobs_once_each() {
    let fixture = fixture().await;
    for at in 0..30 {
        fixture.start_job(&format!("req_{at}"), JobHold { points: 1, credits_milli: 0 }).await;
    }
    let claims = (0..10).map(|_| fixture.store.jobs.claim_jobs("node", share(5), NOON));
    let mut taken: Vec<JobId> = Vec::new();
    for claim in futures_util::future::join_all(claims).await {
        taken.extend(claim.unwrap().into_iter().map(|row| row.id));
    }
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 30);
}

#[tokio::test]
async fn a_step_commits_its_changes_with_the_next_checkpoint() {
    let (fixture, job) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    let mut workspace = fixture.workspace();
    workspace.insert("authors", Some("a1".into()), "{}".into()).await.unwrap();
    let changes = workspace.into_changes();
    let later = NOON.plus(Duration::from_secs(5));
    fixture
        .store
        .calls
        .settle_step(StepSettlement { changes, ..fixture.step(&row, go_on(later), NOON) })
        .await
        .unwrap();
    assert!(fixture.workspace().get("authors", "a1").await.unwrap().is_some());
    assert_eq!(fixture.store.jobs.job(&fixture.customer, &job).await.unwrap().unwrap().state, JobState::Running);
    assert_eq!(fixture.claim(NOON).await, None);
    let row = fixture.claim(later).await.unwrap();
    assert_eq!((row.checkpoint.as_deref(), row.progress.as_str()), (Some(r#"{"at":1}"#), r#"{"done":1}"#));
    assert_eq!((row.attempt, row.units), (1, 7));
    fixture.holds().await;
}

#[tokio::test]
async fn a_stale_claim_commits_nothing() {
    let (fixture, job) = with_job().await;
    let stale = fixture.claim(NOON).await.unwrap();
    let late = NOON.plus(LEASE);
    let fresh = fixture.claim(late).await.unwrap();
    let mut workspace = fixture.workspace();
    workspace.insert("authors", Some("a1".into()), "{}".into()).await.unwrap();
    let step = StepSettlement { changes: workspace.into_changes(), ..fixture.step(&stale, done(), late) };
    assert!(matches!(fixture.store.calls.settle_step(step).await, Err(SettleError::JobLost)));
    assert_eq!(fixture.workspace().get("authors", "a1").await.unwrap(), None);
    assert_eq!(fixture.left().await, (79, 2_000));
    fixture.store.calls.settle_step(fixture.step(&fresh, done(), late)).await.unwrap();
    let view = fixture.store.jobs.job(&fixture.customer, &job).await.unwrap().unwrap();
    assert_eq!((view.state, view.outcome.as_deref()), (JobState::Succeeded, Some(r#"{"pages":3}"#)));
    fixture.holds().await;
}

#[tokio::test]
async fn a_claim_whose_lease_is_over_commits_nothing_even_when_nobody_took_the_job() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    let step = fixture.step(&row, done(), NOON.plus(LEASE));
    assert!(matches!(fixture.store.calls.settle_step(step).await, Err(SettleError::JobLost)));
    let (customer, until) = (&fixture.customer, NOON.plus(LEASE));
    assert!(!fixture.store.jobs.renew_job(customer, &row.id, &row.claim, until, until.plus(LEASE)).await.unwrap());
}

#[tokio::test]
async fn a_renewed_claim_is_good_for_longer() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    let until = NOON.plus(2 * LEASE);
    assert!(fixture.store.jobs.renew_job(&fixture.customer, &row.id, &row.claim, NOON, until).await.unwrap());
    assert_eq!(fixture.claim(NOON.plus(LEASE)).await, None);
    fixture.store.calls.settle_step(fixture.step(&row, done(), NOON.plus(LEASE))).await.unwrap();
}

#[tokio::test]
async fn a_step_is_settled_once_under_its_claim() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    let (one, two) = (fixture.step(&row, done(), NOON), fixture.step(&row, done(), NOON));
    let (one, two) = tokio::join!(fixture.store.calls.settle_step(one), fixture.store.calls.settle_step(two));
    assert!(one.is_ok() ^ two.is_ok());
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_that_ends_is_charged_what_it_used_and_the_rest_goes_back() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, done(), NOON)).await.unwrap();
    assert_eq!(fixture.left().await, (92, 4_000));
    let line = fixture.store.trail.audit_lines(&fixture.customer, None, 1).await.unwrap().pop().unwrap();
    assert_eq!(line.audit.points, 7);
    assert_eq!(fixture.claim(NOON.plus(10 * LEASE)).await, None);
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_is_never_charged_more_than_was_held() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    let step = StepSettlement { points_total: 500, credits_milli_total: 9_000, ..fixture.step(&row, done(), NOON) };
    fixture.store.calls.settle_step(step).await.unwrap();
    assert_eq!(fixture.left().await, (79, 2_000));
    fixture.holds().await;
}

#[tokio::test]
async fn a_retry_keeps_the_checkpoint_and_counts_the_attempts() {
    let (fixture, _) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, go_on(NOON), NOON)).await.unwrap();
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, Next::Retry { run_after: NOON }, NOON)).await.unwrap();
    let row = fixture.claim(NOON).await.unwrap();
    assert_eq!((row.attempt, row.failures, row.checkpoint.as_deref()), (2, 1, Some(r#"{"at":1}"#)));
    fixture.store.calls.settle_step(fixture.step(&row, go_on(NOON), NOON)).await.unwrap();
    let row = fixture.claim(NOON).await.unwrap();
    assert_eq!((row.attempt, row.failures), (1, 0));
}

#[tokio::test]
async fn a_host_that_dies_is_no_failure_of_the_step() {
    let (fixture, _) = with_job().await;
    for died in 0..4 {
        let row = fixture.claim(NOON.plus(LEASE * died)).await.unwrap();
        assert_eq!((row.attempt, row.failures), (died + 1, 0));
    }
}

#[tokio::test]
async fn a_step_that_could_not_begin_counts_no_attempt_however_often_it_waits() {
    let (fixture, _) = with_job().await;
    for _ in 0..20 {
        let row = fixture.claim(NOON).await.unwrap();
        assert_eq!(row.attempt, 1);
        fixture.store.calls.settle_step(fixture.step(&row, Next::Wait { run_after: NOON }, NOON)).await.unwrap();
    }
    // One that was made still counts, before and after waiting.
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, Next::Retry { run_after: NOON }, NOON)).await.unwrap();
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, Next::Wait { run_after: NOON }, NOON)).await.unwrap();
    assert_eq!(fixture.claim(NOON).await.unwrap().attempt, 2);
}

#[tokio::test]
async fn a_cancelled_job_is_charged_what_it_has_used_and_its_running_step_is_lost() {
    let (fixture, job) = with_job().await;
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, go_on(NOON), NOON)).await.unwrap();
    let row = fixture.claim(NOON).await.unwrap();
    let stopped = fixture.store.jobs.cancel_job(&fixture.customer, &job, NOON).await.unwrap();
    assert!(matches!(stopped, Cancelled::Stopped(view) if view.state == JobState::Cancelled));
    assert!(matches!(
        fixture.store.calls.settle_step(fixture.step(&row, done(), NOON)).await,
        Err(SettleError::JobLost)
    ));
    assert!(matches!(fixture.store.jobs.cancel_job(&fixture.customer, &job, NOON).await.unwrap(), Cancelled::Ended(_)));
    assert_eq!(fixture.store.jobs.cancel_job(&"cus_bob".into(), &job, NOON).await.unwrap(), Cancelled::Unknown);
    assert_eq!(fixture.left().await, (92, 4_000));
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_is_seen_by_its_own_customer_and_module_alone() {
    let (fixture, job) = with_job().await;
    assert_eq!(fixture.store.jobs.job(&"cus_bob".into(), &job).await.unwrap(), None);
    assert!(fixture.workspace().job(job.as_str()).await.unwrap().is_some());
    assert_eq!(view(&fixture.store.database, &fixture.customer, Some("websites"), &job).await.unwrap(), None);
}

#[tokio::test]
async fn a_worker_is_woken_when_a_commit_makes_work_due() {
    let (fixture, _) = with_job().await;
    fixture.store.database.jobs_notify().notified().await;
    let row = fixture.claim(NOON).await.unwrap();
    fixture.store.calls.settle_step(fixture.step(&row, go_on(NOON), NOON)).await.unwrap();
    fixture.store.database.jobs_notify().notified().await;
}

#[tokio::test]
async fn a_job_that_is_cancelled_while_its_last_step_commits_ends_one_way_and_is_charged_once() {
    let fixture = fixture().await;
    let (mut stopped, mut ended) = (0, 0);
    for round in 0..20 {
        let job = fixture.start_job(&format!("req_{round}"), JobHold { points: 1, credits_milli: 0 }).await;
        let row = fixture.claim(NOON).await.unwrap();
        let step = StepSettlement { points_total: 1, credits_milli_total: 0, ..fixture.step(&row, done(), NOON) };
        let (cancel, settle) =
            (fixture.store.jobs.cancel_job(&fixture.customer, &job, NOON), fixture.store.calls.settle_step(step));
        let (cancelled, settled) = if round % 2 == 0 {
            tokio::join!(cancel, settle)
        } else {
            let (settled, cancelled) = tokio::join!(settle, cancel);
            (cancelled, settled)
        };
        match (cancelled.unwrap(), settled) {
            (Cancelled::Stopped(_), Err(SettleError::JobLost)) => stopped += 1,
            (Cancelled::Ended(view), Ok(())) if view.state == JobState::Succeeded => ended += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(stopped + ended, 20);
    // Each start cost a point, and each job that ended well another one.
    assert_eq!(fixture.left().await.0, 100 - 20 - ended);
    fixture.holds().await;
}
