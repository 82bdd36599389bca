//! Random orders of reserving, posting, releasing, buying and passing midnight keep the books right.

//! Whatever callers do, and in whatever order, the ledger's invariants hold, as tests.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use model::id::JobId;
use proptest::prelude::*;

use crate::Reservation;
use crate::fixture::{Fixture, NOON, fixture};
use crate::jobs::{JobRow, Next, StepSettlement};
use crate::{Changes, Hold, JobHold, SettleError};

/// What one caller does at some moment; a slot says which of its earlier things it means.
#[derive(Clone, Debug)]
enum Act {
    Charge(u64),
    Refuse(u64),
    Reserve(u64),
    SettleHeld(usize, u64),
    Release(usize),
    Credit(u64),
    Buy(u64),
    Activate,
    Start(u64, u64),
    Step(usize, u64),
    Finish(usize, u64),
    Cancel(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let slot = 0..4_usize;
    prop_oneof![
        (0..40_u64).prop_map(Act::Charge),
        (0..3_u64).prop_map(Act::Refuse),
        (0..60_u64).prop_map(Act::Reserve),
        (slot.clone(), 0..80_u64).prop_map(|(slot, points)| Act::SettleHeld(slot, points)),
        slot.clone().prop_map(Act::Release),
        (0..150_000_u64).prop_map(Act::Credit),
        (0..3_u64).prop_map(Act::Buy),
        Just(Act::Activate),
        (0..50_u64, 0..5_000_u64).prop_map(|(points, credits)| Act::Start(points, credits)),
        (slot.clone(), 0..60_u64).prop_map(|(slot, points)| Act::Step(slot, points)),
        (slot.clone(), 0..60_u64).prop_map(|(slot, points)| Act::Finish(slot, points)),
        slot.prop_map(Act::Cancel),
    ]
}

/// What is open at the moment.
#[derive(Default)]
struct Open {
    holds: Vec<Hold>,
    jobs: Vec<JobId>,
    claimed: BTreeMap<JobId, JobRow>,
}

async fn perform(fixture: &Fixture, open: &Open, at: usize, hour: i64, act: &Act) -> Result<Option<Hold>, SettleError> {
    let now = model::clock::Moment(NOON.0 + hour * 3_600_000);
    let request = format!("req_{at}");
    let mut call = fixture.call(&request, 0);
    call.now = now;
    let (store, customer) = (&fixture.store, &fixture.customer);
    let step = |job: &JobRow, next: Next, points: u64| StepSettlement {
        job: job.id.clone(),
        customer: customer.clone(),
        claim: job.claim.clone(),
        step: job.steps + 1,
        journaled: false,
        changes: Changes::default(),
        next,
        units_total: points,
        points_total: points,
        credits_milli_total: points * 40,
        audit: fixture.job_line(job),
        now,
    };
    let claimed = |slot: usize| open.claimed.values().nth(slot);
    match act {
        Act::Charge(points) => {
            call.points = *points;
            let usage = store.calls.settle(call).await?.usage;
            assert_eq!(usage.points, *points);
        }
        Act::Refuse(points) => {
            (call.points, call.audit.outcome) = (*points, "taken".to_owned());
            assert!(store.calls.settle(call).await?.usage.points <= *points);
        }
        Act::Reserve(points) => {
            return store.calls.reserve(Reservation { now, ..fixture.reservation(&request, *points) }).await.map(Some);
        }
        Act::SettleHeld(slot, points) => {
            if let Some(hold) = open.holds.get(*slot) {
                (call.points, call.request) = (*points, hold.request.clone());
                (call.hold, call.audit.request) = (Some(hold.clone()), Some(hold.request.clone()));
                store.calls.settle(call).await?;
            }
        }
        Act::Release(slot) => {
            if let Some(hold) = open.holds.get(*slot) {
                store.calls.release(hold.clone(), fixture.line("trap")).await?;
            }
        }
        Act::Credit(milli) => {
            store.money.credit(customer, *milli, &request).await?;
        }
        // Refused or not, the invariants must hold.
        Act::Buy(credits) => drop(store.money.buy_points(customer, *credits, &request).await),
        Act::Activate => drop(store.money.activate(customer, now).await),
        Act::Start(points, credits_milli) => {
            let mut workspace = fixture.workspace();
            workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
            call.changes = workspace.into_changes();
            call.hold_for_job = Some(JobHold { points: *points, credits_milli: *credits_milli });
            store.calls.settle(call).await?;
        }
        Act::Step(slot, points) => {
            if let Some(job) = claimed(*slot) {
                let next = Next::Continue { checkpoint: "1".into(), progress: "{}".into(), run_after: now };
                store.calls.settle_step(step(job, next, *points)).await?;
            }
        }
        Act::Finish(slot, points) => {
            if let Some(job) = claimed(*slot) {
                let next = if points % 2 == 0 {
                    Next::Done { result: "{}".into(), progress: "{}".into() }
                } else {
                    Next::Failed { fault: "{}".into() }
                };
                store.calls.settle_step(step(job, next, *points)).await?;
            }
        }
        Act::Cancel(slot) => {
            if let Some(job) = open.jobs.get(*slot) {
                store.jobs.cancel_job(customer, job, now).await?;
            }
        }
    }
    Ok(None)
}

/// Rounds of acts that happen at once, each round some hours after the one before.
async fn play(rounds: Vec<(i64, Vec<Act>)>) {
    let fixture = fixture().await;
    let mut open = Open::default();
    let (mut at, mut hour) = (0, 0);
    for (hours, acts) in rounds {
        hour += hours;
        let now = model::clock::Moment(NOON.0 + hour * 3_600_000);
        let performed = acts.iter().enumerate().map(|(offset, act)| perform(&fixture, &open, at + offset, hour, act));
        let outcomes = join_all(performed).await;
        at += acts.len();
        for outcome in outcomes {
            match outcome {
                Ok(hold) => open.holds.extend(hold),
                // The database itself never refuses but for a request that is settled twice.
                Err(SettleError::Unavailable(error)) => {
                    assert!(error.to_string().to_lowercase().contains("unique"), "{error}");
                }
                Err(_) => {}
            }
        }
        fixture.holds().await;
        if hours > 2 {
            fixture.store.sweep(now).await.unwrap();
        }
        for job in fixture.store.jobs.claim_jobs("node", crate::fixture::share(2), now).await.unwrap() {
            open.jobs.push(job.id.clone());
            open.claimed.insert(job.id.clone(), job);
        }
    }
    fixture.store.sweep(model::clock::Moment(NOON.0 + 1_000 * 3_600_000)).await.unwrap();
    for job in &open.jobs {
        fixture.store.jobs.cancel_job(&fixture.customer, job, NOON).await.unwrap();
    }
    fixture.holds().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_events_breaks_the_ledger(
        rounds in prop::collection::vec((0..9_i64, prop::collection::vec(act(), 1..8)), 1..12),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(play(rounds));
    }
}
