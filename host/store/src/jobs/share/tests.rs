//! Tests of `share`.

use std::collections::BTreeMap;

use model::clock::Moment;
use model::id::CustomerId;

use super::*;
use crate::fixture::{Fixture, NOON, add, fixture};
use crate::jobs::Next;
use crate::{Changes, JobHold, JobRow, RecordsError, StepSettlement};

const FREE: JobHold = JobHold { points: 0, credits_milli: 0 };

/// A node with eight slots of which a customer may have six.
fn node(free: u32) -> Share {
    Share { free, per_customer: 6, per_module: 100, lease: Duration::from_secs(60) }
}

/// The same store as another customer sees it.
async fn beside(fixture: &Fixture, customer: &str) -> Fixture {
    let customer = CustomerId::from(customer);
    add(&fixture.store, &customer).await;
    Fixture { store: fixture.store.clone(), customer }
}

/// Starts this many jobs.
async fn start(fixture: &Fixture, many: usize) {
    for at in 0..many {
        fixture.start_job(&format!("req_{}_{at}", fixture.customer), FREE).await;
    }
}

async fn take(fixture: &Fixture, name: &str, share: Share, now: Moment) -> Vec<JobRow> {
    fixture.store.jobs.claim_jobs(name, share, now).await.unwrap()
}

fn by_customer(jobs: &[JobRow]) -> BTreeMap<&str, usize> {
    let mut counted = BTreeMap::new();
    for job in jobs {
        *counted.entry(job.customer.as_str()).or_default() += 1;
    }
    counted
}

async fn end(fixture: &Fixture, job: &JobRow, next: Next, now: Moment) {
    let step = StepSettlement {
        job: job.id.clone(),
        customer: job.customer.clone(),
        claim: job.claim.clone(),
        step: job.steps + 1,
        changes: Changes::default(),
        journaled: false,
        next,
        units_total: 0,
        points_total: 0,
        credits_milli_total: 0,
        audit: fixture.job_line(job),
        now,
    };
    fixture.store.calls.settle_step(step).await.unwrap();
}

#[tokio::test]
async fn whoever_has_many_jobs_waiting_leaves_slots_for_who_comes_later() {
    let eve = fixture().await;
    start(&eve, 80).await;
    let taken = take(&eve, "node", node(8), NOON).await;
    assert_eq!(by_customer(&taken), BTreeMap::from([("cus_ann", 6)]), "no customer has all slots of a node");
    assert_eq!(take(&eve, "node", node(2), NOON).await, []);
    let bob = beside(&eve, "cus_bob").await;
    start(&bob, 1).await;
    let taken = take(&eve, "node", node(2), NOON).await;
    assert_eq!(by_customer(&taken), BTreeMap::from([("cus_bob", 1)]), "at once, though 74 are due longer");
}

#[tokio::test]
async fn slots_go_round_the_customers_one_by_one() {
    let ann = fixture().await;
    let (bob, kim) = (beside(&ann, "cus_bob").await, beside(&ann, "cus_kim").await);
    start(&ann, 40).await;
    start(&bob, 3).await;
    start(&kim, 1).await;
    let taken = take(&ann, "node", node(8), NOON).await;
    assert_eq!(by_customer(&taken), BTreeMap::from([("cus_ann", 4), ("cus_bob", 3), ("cus_kim", 1)]));
    // One slot at a time, it goes to who has least running.
    for job in taken.iter().filter(|job| job.customer.as_str() != "cus_ann") {
        let done = Next::Done { result: "{}".into(), progress: "{}".into() };
        end(&Fixture { store: ann.store.clone(), customer: job.customer.clone() }, job, done, NOON).await;
    }
    start(&kim, 0).await;
    bob.start_job("req_late", FREE).await;
    let next = take(&ann, "node", node(1), NOON).await;
    assert_eq!(by_customer(&next), BTreeMap::from([("cus_bob", 1)]));
}

#[tokio::test]
async fn what_runs_on_other_nodes_counts_for_the_turn_and_not_for_the_bound_of_this_one() {
    let ann = fixture().await;
    let bob = beside(&ann, "cus_bob").await;
    start(&ann, 20).await;
    assert_eq!(take(&ann, "one", node(6), NOON).await.len(), 6);
    start(&bob, 2).await;
    let second = take(&ann, "two", node(3), NOON).await;
    assert_eq!(by_customer(&second), BTreeMap::from([("cus_ann", 1), ("cus_bob", 2)]));
}

#[tokio::test]
async fn a_module_leaves_slots_for_the_other_modules() {
    let ann = fixture().await;
    let bob = beside(&ann, "cus_bob").await;
    start(&ann, 5).await;
    start(&bob, 5).await;
    let share = Share { per_module: 3, ..node(8) };
    assert_eq!(take(&ann, "node", share, NOON).await.len(), 3);
    assert_eq!(take(&ann, "node", share, NOON).await, [], "all of them are of one module");
    assert_eq!(take(&ann, "other", share, NOON).await.len(), 3);
}

#[tokio::test]
async fn the_jobs_of_a_node_that_died_do_not_count_as_running() {
    let ann = fixture().await;
    start(&ann, 7).await;
    assert_eq!(take(&ann, "node", node(8), NOON).await.len(), 6);
    let later = NOON.plus(Duration::from_secs(60));
    assert_eq!(take(&ann, "node", node(8), later).await.len(), 6);
}

#[tokio::test]
async fn steps_of_one_customers_jobs_take_turns() {
    let ann = fixture().await;
    start(&ann, 12).await;
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..4 {
        let now = NOON.plus(Duration::from_secs(round));
        for job in take(&ann, "node", node(6), now).await {
            let again = Next::Continue { checkpoint: "{}".into(), progress: "{}".into(), run_after: now };
            end(&ann, &job, again, now.plus(Duration::from_millis(1))).await;
            seen.insert(job.id);
        }
    }
    assert_eq!(seen.len(), 12, "each has had a step");
}

#[tokio::test]
async fn a_customer_has_at_most_so_many_open_jobs_and_an_ended_one_makes_room() {
    let ann = fixture().await;
    let mut open = 0;
    while open < MOST_OPEN {
        let mut workspace = ann.workspace();
        for _ in 0..100 {
            workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
        }
        ann.commit(workspace, &format!("req_{open}")).await.unwrap();
        open += 100;
    }
    let full = ann.workspace().enqueue("crawl", "{}".to_owned()).await;
    assert!(matches!(full, Err(RecordsError::TooManyJobs)), "{full:?}");
    let bob = beside(&ann, "cus_bob").await;
    assert!(bob.workspace().enqueue("crawl", "{}".to_owned()).await.is_ok(), "each customer has its own bound");
    let job = take(&ann, "node", node(1), NOON).await.pop().unwrap();
    ann.store.jobs.cancel_job(&ann.customer, &job.id, NOON).await.unwrap();
    assert!(ann.workspace().enqueue("crawl", "{}".to_owned()).await.is_ok());
}
