//! What `sends` has to do, sentence by sentence.

use model::id::RequestId;

use super::*;
use crate::calls::claims::{Claimed, Wanted};
use crate::fixture::{Fixture, NOON, fixture};
use crate::{Changes, JobHold, JobRow, Next, StepSettlement};

async fn claim(fixture: &Fixture) -> Right {
    let wanted = Wanted {
        customer: fixture.customer.clone(),
        key: "key-of-a-call".to_owned(),
        fingerprint: "same".to_owned(),
        operation: "cms.post.create".to_owned(),
        request: RequestId::from("req_1"),
        now: NOON,
        lease: LEASE,
    };
    match fixture.store.calls.claim(wanted).await.unwrap() {
        Claimed::Ours(claim) => Right::Key(claim),
        other => panic!("{other:?}"),
    }
}

async fn open(fixture: &Fixture, right: &Right, seed: u8) -> Sends {
    Sends::open(&fixture.store, &fixture.customer, right.clone(), NOON.plus(LEASE / 2), [seed; 32]).await.unwrap()
}

fn intent(digest: &str, repeat: Repeat) -> SendIntent<'_> {
    SendIntent { connection: "con_1", digest, repeat, now: NOON }
}

fn key(begun: &Begun) -> &str {
    match begun {
        Begun::Send { provider_key, .. } => provider_key,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_was_answered_is_answered_again_and_not_sent_again() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let first = open(&fixture, &right, 1).await;
    first.begin(intent("a", Repeat::Never)).await.unwrap();
    first.answered(1, r#"{"status":201}"#).await.unwrap();
    let second = open(&fixture, &right, 2).await;
    let begun = second.begin(intent("a", Repeat::Never)).await.unwrap();
    assert_eq!(begun, Begun::Answered(r#"{"status":201}"#.to_owned()));
    assert_eq!(second.tally(), SendTally { sent: 0, repeated: 1, unknown: 0 });
}

#[tokio::test]
async fn what_may_have_arrived_goes_out_under_the_same_key_or_not_at_all() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let first = open(&fixture, &right, 1).await;
    let keyed = first.begin(intent("a", Repeat::Key)).await.unwrap();
    let put = first.begin(intent("b", Repeat::Idempotent)).await.unwrap();
    first.begin(intent("c", Repeat::Never)).await.unwrap();
    let second = open(&fixture, &right, 2).await;
    assert_eq!(second.begin(intent("a", Repeat::Key)).await.unwrap(), keyed);
    assert_eq!(second.begin(intent("b", Repeat::Idempotent)).await.unwrap(), put);
    assert_eq!(second.begin(intent("c", Repeat::Never)).await.unwrap(), Begun::Unknown);
    let fresh = second.begin(intent("d", Repeat::Never)).await.unwrap();
    assert_ne!(key(&fresh), key(&keyed), "each change has a key of its own");
}

#[tokio::test]
async fn a_run_that_asks_for_something_else_than_before_learns_that_nobody_knows() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let first = open(&fixture, &right, 1).await;
    first.begin(intent("a", Repeat::Key)).await.unwrap();
    first.answered(1, "{}").await.unwrap();
    let second = open(&fixture, &right, 2).await;
    assert_eq!(second.begin(intent("other", Repeat::Key)).await.unwrap(), Begun::Unknown);
}

#[tokio::test]
async fn what_never_left_is_sent_by_the_next_run() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let first = open(&fixture, &right, 1).await;
    first.begin(intent("a", Repeat::Never)).await.unwrap();
    first.not_sent(1).await.unwrap();
    assert_eq!(first.tally().sent, 0);
    let second = open(&fixture, &right, 2).await;
    assert!(matches!(second.begin(intent("a", Repeat::Never)).await.unwrap(), Begun::Send { .. }));
}

#[tokio::test]
async fn the_second_run_sees_the_moment_and_the_chance_of_the_first() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let first = open(&fixture, &right, 1).await;
    first.begin(intent("a", Repeat::Key)).await.unwrap();
    let second = Sends::open(&fixture.store, &fixture.customer, right, NOON.plus(LEASE), [2; 32]).await.unwrap();
    assert_eq!((second.run_at(), second.seed()), (first.run_at(), [1; 32]));
}

#[tokio::test]
async fn a_change_has_one_name_in_every_run_under_its_key_and_no_other_change_has_it() {
    let fixture = fixture().await;
    let right = claim(&fixture).await;
    let (first, second) = (open(&fixture, &right, 1).await, open(&fixture, &right, 2).await);
    assert_eq!(first.name(1, "a"), second.name(1, "a"));
    assert_ne!(first.name(1, "a"), first.name(2, "a"));
    assert_ne!(first.name(1, "a"), first.name(1, "b"));
    let Right::Key(claim) = right else { panic!("a key") };
    let other = Right::Key(KeyClaim { key: "another-key".to_owned(), ..claim });
    assert_ne!(open(&fixture, &other, 1).await.name(1, "a"), first.name(1, "a"));
    let step = Right::Job { job: "job_1".into(), claim: "claim_1".into() };
    let at = async |now| Sends::open(&fixture.store, &fixture.customer, step.clone(), now, [1; 32]).await.unwrap();
    assert_ne!(at(NOON).await.name(1, "a"), at(NOON.plus(LEASE)).await.name(1, "a"), "two steps of one job");
}

async fn job(fixture: &Fixture) -> JobRow {
    fixture.store.jobs.claim_jobs("node", crate::fixture::share(1), NOON).await.unwrap().pop().unwrap()
}

fn right_of(job: &JobRow) -> Right {
    Right::Job { job: job.id.clone(), claim: job.claim.clone() }
}

async fn end(fixture: &Fixture, job: &JobRow, next: Next) {
    let step = StepSettlement {
        job: job.id.clone(),
        customer: job.customer.clone(),
        claim: job.claim.clone(),
        step: job.steps + 1,
        changes: Changes::default(),
        journaled: true,
        next,
        units_total: 0,
        points_total: 0,
        credits_milli_total: 0,
        audit: fixture.job_line(job),
        now: NOON,
    };
    fixture.store.calls.settle_step(step).await.unwrap();
}

#[tokio::test]
async fn a_step_that_is_tried_again_goes_on_from_what_it_sent_and_the_next_step_starts_anew() {
    let fixture = fixture().await;
    fixture.start_job("req_1", JobHold { points: 0, credits_milli: 0 }).await;
    let first = job(&fixture).await;
    open(&fixture, &right_of(&first), 1).await.begin(intent("a", Repeat::Never)).await.unwrap();
    end(&fixture, &first, Next::Retry { run_after: NOON }).await;
    let again = job(&fixture).await;
    let sends = open(&fixture, &right_of(&again), 2).await;
    assert_eq!(sends.begin(intent("a", Repeat::Never)).await.unwrap(), Begun::Unknown);
    end(&fixture, &again, Next::Continue { checkpoint: "1".into(), progress: "{}".into(), run_after: NOON }).await;
    let next = job(&fixture).await;
    let sends = open(&fixture, &right_of(&next), 3).await;
    assert!(!sends.used());
    assert!(matches!(sends.begin(intent("a", Repeat::Never)).await.unwrap(), Begun::Send { .. }));
}

#[tokio::test]
async fn a_step_that_lost_its_job_sends_nothing_more() {
    let fixture = fixture().await;
    fixture.start_job("req_1", JobHold { points: 0, credits_milli: 0 }).await;
    let job = job(&fixture).await;
    let sends = open(&fixture, &right_of(&job), 1).await;
    fixture.store.jobs.cancel_job(&fixture.customer, &job.id, NOON).await.unwrap();
    assert_eq!(sends.begin(intent("a", Repeat::Key)).await.unwrap(), Begun::Lost);
}

#[tokio::test]
async fn the_journal_of_a_job_that_was_given_up_is_forgotten_after_a_week() {
    let fixture = fixture().await;
    fixture.start_job("req_1", JobHold { points: 0, credits_milli: 0 }).await;
    let job = job(&fixture).await;
    open(&fixture, &right_of(&job), 1).await.begin(intent("a", Repeat::Never)).await.unwrap();
    fixture.store.sweep(NOON.plus(JOURNAL_LIFE / 2)).await.unwrap();
    assert!(open(&fixture, &right_of(&job), 2).await.used());
    fixture.store.sweep(NOON.plus(JOURNAL_LIFE)).await.unwrap();
    assert!(!open(&fixture, &right_of(&job), 2).await.used());
}
