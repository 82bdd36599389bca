//! What is counted is what was charged.

use std::time::Duration;

use model::id::GrantId;

use super::*;
use crate::fixture::{NOON, fixture};
use crate::{JobHold, Settlement};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn points_are_counted_by_day_operation_and_grant_as_they_are_charged() {
    let fixture = fixture().await;
    let grant = GrantId::from("gra_a");
    for (number, (operation, grant, now)) in [
        ("authors.list", Some(&grant), NOON),
        ("authors.list", Some(&grant), NOON),
        ("authors.create", None, NOON),
        ("authors.list", None, NOON.plus(DAY)),
    ]
    .into_iter()
    .enumerate()
    {
        let call = fixture.call(&format!("req_{number}"), 3);
        let call = Settlement { operation: operation.to_owned(), grant: grant.cloned(), now, ..call };
        fixture.store.calls.settle(call).await.unwrap();
    }
    let today = day(NOON);
    let by_day = fixture.store.money.usage_by_day(&fixture.customer, NOON).await.unwrap();
    assert_eq!(
        by_day,
        [
            (today, Count { calls: 3, points: 9, credits_milli: 0 }),
            (today + 1, Count { calls: 1, points: 3, credits_milli: 0 })
        ]
    );
    let by_operation = fixture.store.money.usage_by_operation(&fixture.customer, NOON).await.unwrap();
    let expected = [
        ("authors.list".to_owned(), Count { calls: 3, points: 9, credits_milli: 0 }),
        ("authors.create".to_owned(), Count { calls: 1, points: 3, credits_milli: 0 }),
    ];
    assert_eq!(by_operation, expected);
    let by_grant = fixture.store.money.usage_by_grant(&fixture.customer, NOON).await.unwrap();
    let counts: Vec<_> = by_grant.iter().map(|used| (used.grant.as_ref(), used.count.points)).collect();
    assert_eq!(counts, [(None, 6), (Some(&grant), 6)]);
    let tomorrow = fixture.store.money.usage_by_day(&fixture.customer, NOON.plus(DAY)).await.unwrap();
    assert_eq!(tomorrow, [(today + 1, Count { calls: 1, points: 3, credits_milli: 0 })]);
}

#[tokio::test]
async fn a_call_that_is_not_charged_is_not_counted_and_nobody_sees_anothers() {
    let fixture = fixture().await;
    assert!(fixture.store.calls.settle(fixture.call("req_1", 101)).await.is_err());
    fixture.store.calls.settle(fixture.call("req_2", 1)).await.unwrap();
    let other = CustomerId::from("cus_other");
    assert_eq!(fixture.store.money.usage_by_operation(&other, NOON).await.unwrap(), []);
    let mine = fixture.store.money.usage_by_day(&fixture.customer, NOON).await.unwrap();
    assert_eq!(mine, [(day(NOON), Count { calls: 1, points: 1, credits_milli: 0 })]);
}

#[tokio::test]
async fn a_stopped_job_is_no_call_of_its_own() {
    let fixture = fixture().await;
    let job = fixture.start_job("req_1", JobHold { points: 20, credits_milli: 0 }).await;
    fixture.store.jobs.cancel_job(&fixture.customer, &job, NOON).await.unwrap();
    let used = fixture.store.money.usage_by_day(&fixture.customer, NOON).await.unwrap();
    assert_eq!(used, [(day(NOON), Count { calls: 1, points: 1, credits_milli: 0 })]);
    fixture.holds().await;
}
