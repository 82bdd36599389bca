//! What the mark promises, as tests.

use std::sync::Arc;
use std::time::Duration;

use model::clock::{FixedClock, Moment, SeededEntropy};
use model::id::CustomerId;

use crate::database::Folder;
use crate::fixture::{Fixture, NOON, add};
use crate::{SettleError, Settlement, Store, StoreError};

async fn open(folder: &Folder) -> Fixture {
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([7; 32])));
    let store = Store::open(&format!("sqlite://{}/store.db", folder.0.display()), clock, entropy).await.unwrap();
    Fixture { store, customer: CustomerId::from("cus_ann") }
}

async fn settle(fixture: &Fixture, request: &str, now: Moment) -> Result<crate::Settled, SettleError> {
    fixture.store.calls.settle(Settlement { now, ..fixture.call(request, 1) }).await
}

fn regressed<T>(outcome: Result<T, SettleError>) -> bool {
    matches!(outcome, Err(SettleError::Unavailable(StoreError::ClockRegressed)))
}

#[tokio::test]
async fn nothing_is_charged_under_a_clock_that_went_back_until_it_is_right_again() {
    let folder = Folder::make().unwrap();
    let fixture = open(&folder).await;
    add(&fixture.store, &fixture.customer).await;
    let hour = NOON.plus(Duration::from_secs(3_600));
    settle(&fixture, "req_1", NOON).await.unwrap();
    settle(&fixture, "req_2", hour).await.unwrap();
    assert!(regressed(settle(&fixture, "req_3", NOON).await));
    assert!(regressed(fixture.store.calls.reserve(fixture.reservation("req_4", 1)).await));
    // What is not charged is still recorded.
    fixture.store.calls.audit(fixture.line("refused")).await.unwrap();
    assert_eq!(settle(&fixture, "req_5", hour).await.unwrap().usage.included_remaining, 97);
    fixture.holds().await;
}

#[tokio::test]
async fn a_clock_that_is_set_by_a_few_minutes_harms_nobody() {
    let folder = Folder::make().unwrap();
    let fixture = open(&folder).await;
    add(&fixture.store, &fixture.customer).await;
    settle(&fixture, "req_1", NOON).await.unwrap();
    settle(&fixture, "req_2", Moment(NOON.0 - 299_000)).await.unwrap();
    assert!(regressed(settle(&fixture, "req_3", Moment(NOON.0 - 301_000)).await));
}

#[tokio::test]
async fn the_mark_outlives_the_process() {
    let folder = Folder::make().unwrap();
    let fixture = open(&folder).await;
    add(&fixture.store, &fixture.customer).await;
    settle(&fixture, "req_1", NOON).await.unwrap();
    drop(fixture);
    let fixture = open(&folder).await;
    assert!(regressed(settle(&fixture, "req_2", Moment(NOON.0 - 3_600_000)).await));
    settle(&fixture, "req_3", NOON).await.unwrap();
}

#[tokio::test]
async fn an_operator_says_that_the_mark_was_wrong_and_charging_goes_on_without_a_restart() {
    let folder = Folder::make().unwrap();
    let fixture = open(&folder).await;
    add(&fixture.store, &fixture.customer).await;
    let year = NOON.plus(Duration::from_secs(365 * 86_400));
    settle(&fixture, "req_1", year).await.unwrap();
    assert!(regressed(settle(&fixture, "req_2", NOON).await));
    assert_eq!(fixture.store.calls.clock_mark().await.unwrap(), Some(year));
    fixture.store.calls.set_clock_mark(NOON).await.unwrap();
    settle(&fixture, "req_3", NOON).await.unwrap();
    assert!(regressed(settle(&fixture, "req_4", Moment(NOON.0 - 3_600_000)).await));
    fixture.holds().await;
}
