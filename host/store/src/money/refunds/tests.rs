//! What refunds promise, as tests; and what a job leaves to the one after it.

use crate::fixture::{Fixture, NOON, fixture};
use crate::jobs::StepSettlement;
use crate::{Changes, JobHold, JobRow, Next, SettleError};

const HOLD: JobHold = JobHold { points: 0, credits_milli: 25_000 };

async fn with_job() -> (Fixture, JobRow) {
    let fixture = fixture().await;
    fixture.store.money.credit(&fixture.customer, 30_000, "pay_1").await.unwrap();
    fixture.start_job("req_1", HOLD).await;
    let row = claim(&fixture).await;
    (fixture, row)
}

async fn claim(fixture: &Fixture) -> JobRow {
    fixture.store.jobs.claim_jobs("node_1", crate::fixture::share(1), NOON).await.unwrap().pop().unwrap()
}

fn end(fixture: &Fixture, job: &JobRow, credits_milli: u64, changes: Changes) -> StepSettlement {
    StepSettlement {
        job: job.id.clone(),
        customer: job.customer.clone(),
        claim: job.claim.clone(),
        step: job.steps + 1,
        changes,
        journaled: false,
        next: Next::Done { result: "{}".into(), progress: "{}".into() },
        units_total: credits_milli / 5_000,
        points_total: 0,
        credits_milli_total: credits_milli,
        audit: fixture.job_line(job),
        now: NOON,
    }
}

async fn credits(fixture: &Fixture) -> u64 {
    fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().credits_milli
}

async fn refund(fixture: &Fixture, request: &str, job: &JobRow, milli: u64) -> Result<u64, SettleError> {
    let mut workspace = fixture.workspace();
    let refundable = workspace.refundable(job.id.as_str()).await.unwrap().unwrap();
    let given = workspace.refund(refundable, milli);
    fixture.commit(workspace, request).await.map(|()| given)
}

#[tokio::test]
async fn what_goes_back_is_never_more_than_was_charged() {
    let (fixture, job) = with_job().await;
    fixture.store.calls.settle_step(end(&fixture, &job, 15_000, Changes::default())).await.unwrap();
    assert_eq!(credits(&fixture).await, 15_000);
    assert_eq!(refund(&fixture, "req_2", &job, 99_000).await.unwrap(), 15_000);
    assert_eq!(credits(&fixture).await, 30_000);
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_is_refunded_once_even_by_two_calls_at_the_same_time() {
    let (fixture, job) = with_job().await;
    fixture.store.calls.settle_step(end(&fixture, &job, 15_000, Changes::default())).await.unwrap();
    let (first, second) = tokio::join!(refund(&fixture, "req_2", &job, 5_000), refund(&fixture, "req_3", &job, 5_000));
    let lost = [first, second].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(lost[..], [SettleError::RecordConflict]), "{lost:?}");
    assert_eq!(credits(&fixture).await, 20_000);
    assert!(fixture.workspace().refundable(job.id.as_str()).await.unwrap().unwrap().refunded);
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_that_goes_on_says_so_and_one_of_nobody_is_not_there() {
    let (fixture, job) = with_job().await;
    let mut workspace = fixture.workspace();
    assert!(!workspace.refundable(job.id.as_str()).await.unwrap().unwrap().ended);
    assert!(workspace.refundable("job_unknown").await.unwrap().is_none());
}

#[tokio::test]
async fn what_a_job_leaves_of_its_hold_goes_to_the_job_after_it() {
    let (fixture, first) = with_job().await;
    let mut workspace = fixture.workspace();
    workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
    let mut changes = workspace.into_changes();
    changes.hand_over();
    fixture.store.calls.settle_step(end(&fixture, &first, 10_000, changes)).await.unwrap();
    assert_eq!(credits(&fixture).await, 5_000, "10 are charged, and 15 go on being held");
    fixture.holds().await;
    let second = claim(&fixture).await;
    assert_ne!(first.id, second.id);
    fixture.store.calls.settle_step(end(&fixture, &second, 5_000, Changes::default())).await.unwrap();
    assert_eq!(credits(&fixture).await, 15_000, "5 more are charged, and the rest goes back");
    fixture.holds().await;
}

#[tokio::test]
async fn a_job_that_starts_another_without_a_word_gives_the_rest_back() {
    let (fixture, first) = with_job().await;
    let mut workspace = fixture.workspace();
    workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
    fixture.store.calls.settle_step(end(&fixture, &first, 10_000, workspace.into_changes())).await.unwrap();
    assert_eq!(credits(&fixture).await, 20_000);
    fixture.holds().await;
}
