//! Tests of `admission`.

use std::sync::Arc;
use std::time::Duration;

use model::id::CustomerId;
use tokio::time::timeout;

use super::{Admission, Full};
use crate::config::Config;

fn admission(concurrent: usize, per_customer: usize, queue: usize) -> Admission {
    Admission::new(&Config {
        concurrent,
        concurrent_per_customer: per_customer,
        queue,
        queue_per_customer: queue,
        ..Config::default()
    })
}

/// A slot if one is available without waiting.
async fn at_once(admission: &Admission, customer: &str) -> Option<super::Place> {
    let customer = CustomerId::from(customer);
    timeout(Duration::from_millis(20), admission.enter(&customer))
        .await
        .ok()
        .map(|place| place.expect("the queue has room"))
}

#[tokio::test]
async fn one_customers_flood_leaves_places_to_the_others() {
    let admission = admission(3, 2, 10);
    let _first = at_once(&admission, "a").await.expect("a place");
    let _second = at_once(&admission, "a").await.expect("a place");
    assert!(at_once(&admission, "a").await.is_none(), "the third waits");
    assert!(at_once(&admission, "b").await.is_some(), "another customer does not");
}

#[tokio::test]
async fn a_place_that_comes_free_goes_to_who_waits() {
    let admission = admission(1, 1, 10);
    let first = at_once(&admission, "a").await.expect("a place");
    let customer = CustomerId::from("b");
    let waiting = admission.enter(&customer);
    tokio::pin!(waiting);
    assert!(timeout(Duration::from_millis(20), &mut waiting).await.is_err());
    drop(first);
    assert!(timeout(Duration::from_secs(5), waiting).await.expect("in time").is_ok());
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let admission = admission(1, 1, 0);
    let _first = at_once(&admission, "a").await.expect("a place");
    assert!(matches!(admission.enter(&CustomerId::from("a")).await, Err(Full)));
    assert!(matches!(admission.enter(&CustomerId::from("b")).await, Err(Full)));
}

#[tokio::test]
async fn who_gives_up_waiting_leaves_the_queue() {
    let admission = admission(1, 1, 1);
    let first = at_once(&admission, "a").await.expect("a place");
    for _ in 0..5 {
        assert!(at_once(&admission, "a").await.is_none(), "waits, and is not refused");
    }
    drop(first);
    assert!(at_once(&admission, "a").await.is_some());
}

#[tokio::test]
async fn a_customer_computes_on_each_core_once_and_keeps_nobody_else_from_computing() {
    let admission = admission(10, 5, 10);
    let cores = Config::default().threads;
    let mut places = Vec::new();
    for _ in 0..5 {
        places.push(at_once(&admission, "a").await.expect("a place"));
    }
    let slots: Vec<_> =
        places.iter().filter_map(|place| Arc::clone(&place.computing).try_acquire_owned().ok()).collect();
    assert_eq!(slots.len(), cores.min(5), "five runs, and a slot for each core");
    let other = at_once(&admission, "b").await.expect("a place");
    assert!(other.computing.try_acquire().is_ok(), "another customer has slots of their own");
    drop(slots);
    assert!(places[0].computing.try_acquire().is_ok());
}
