//! What the writer promises when the database does not do its part, as tests.

use std::time::{Duration, Instant};

use model::clock::SeededEntropy;
use model::id::CustomerId;
use sqlx::{AnyConnection, Executor as _};

use crate::database::dialect::{Address, Dialect};
use crate::fixture::{Fixture, addressed, answer};
use crate::{SettleError, Settlement, StoreError, Stored};

/// What a client may have to wait, and as much again where the machine of the test is busy with others.
const TWO_SECONDS: Duration = Duration::from_secs(4);

/// Another's transaction that keeps the writer out.
async fn lock(address: &Address, customer: &CustomerId) -> AnyConnection {
    let mut other = address.writer().await.unwrap();
    address.dialect.open(&mut other).await.unwrap();
    address.dialect.lock(&mut other, std::slice::from_ref(customer)).await.unwrap();
    other
}

fn keyed(fixture: &Fixture, request: &str) -> Settlement {
    Settlement { answer: Some(answer("key", "same")), ..fixture.call(request, 5) }
}

async fn left(fixture: &Fixture) -> u64 {
    fixture.store.calls.settle(fixture.call("req_left", 0)).await.unwrap().usage.included_remaining
}

fn is_unavailable(outcome: Result<crate::Settled, SettleError>) -> bool {
    matches!(outcome, Err(SettleError::Unavailable(StoreError::Unavailable(_))))
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_hear_within_two_seconds_that_the_database_is_locked_and_are_charged_once_in_the_end() {
    let (fixture, address) = addressed().await;
    let mut other = lock(&address, &fixture.customer).await;
    let began = Instant::now();
    let first = fixture.store.calls.settle(keyed(&fixture, "req_1"));
    let second = async {
        // It queues behind the first, and is still waiting when its caller must be told.
        tokio::time::sleep(Duration::from_millis(300)).await;
        fixture.store.calls.settle(keyed(&fixture, "req_2")).await
    };
    let (first, second) = tokio::join!(async { (first.await, began.elapsed()) }, second);
    assert!(is_unavailable(first.0) && is_unavailable(second));
    assert!(first.1 < TWO_SECONDS && began.elapsed() < TWO_SECONDS + Duration::from_millis(300), "{began:?}");
    other.execute("ROLLBACK").await.unwrap();
    // Nothing was restarted, and nothing of what was given up is done now.
    let settled = settle_soon(&fixture, "req_3").await;
    assert_eq!(settled.usage.included_remaining, 95);
    let earlier = fixture.store.calls.earlier(&fixture.customer, "key").await.unwrap().unwrap();
    assert_eq!((earlier.request.as_str(), earlier.usage.points), ("req_3", 5));
    assert_eq!(earlier.outcome, Stored::Done { data: r#"{"id":"1"}"#.into(), untrusted: None });
    assert_eq!(left(&fixture).await, 95);
    fixture.holds().await;
}

/// A client that tries again until it is let in.
async fn settle_soon(fixture: &Fixture, request: &str) -> crate::Settled {
    let mut last = String::new();
    for _ in 0..10 {
        match fixture.store.calls.settle(keyed(fixture, request)).await {
            Ok(settled) => return settled,
            Err(error) => last = error.to_string(),
        }
    }
    panic!("the writer never came back: {last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_hear_within_two_seconds_that_the_database_is_locked() {
    let (fixture, address) = addressed().await;
    if address.dialect == Dialect::Postgres {
        // There a customer's lock keeps out only what is about the customer.
        return;
    }
    let other = lock(&address, &fixture.customer).await;
    let began = Instant::now();
    let refused = fixture.store.identity.set_password(fixture.customer.clone(), "hash".to_owned()).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert!(began.elapsed() < TWO_SECONDS);
    drop(other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_a_clean_error_and_nothing_is_lost_when_there_is_room_again() {
    let (fixture, address) = addressed().await;
    if address.dialect == Dialect::Postgres {
        return;
    }
    fixture.store.calls.settle(keyed(&fixture, "req_1")).await.unwrap();
    limit_pages(&fixture, 1).await;
    let mut refused = 0;
    for number in 0..40 {
        let mut workspace = fixture.workspace();
        workspace.blob_write(&format!("blob{number}"), noise(number)).await.unwrap();
        let call = Settlement { changes: workspace.into_changes(), ..fixture.call(&format!("req_blob{number}"), 1) };
        match fixture.store.calls.settle(call).await {
            Ok(_) => {}
            Err(SettleError::Unavailable(_)) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 0, "the disk was never full");
    limit_pages(&fixture, i32::MAX).await;
    let settled = fixture.store.calls.settle(fixture.call("req_after", 1)).await.unwrap();
    assert_eq!(settled.usage.included_remaining, 100 - 5 - (40 - refused) - 1);
    assert!(fixture.store.calls.earlier(&fixture.customer, "key").await.unwrap().is_some());
    fixture.holds().await;
}

/// Lets the writer's file grow to this many pages; never below what it has.
async fn limit_pages(fixture: &Fixture, pages: i32) {
    let limited = fixture.store.database.write(move |tx| {
        Box::pin(async move {
            let pragma = format!("PRAGMA max_page_count = {pages}");
            tx.connection().execute(sqlx::AssertSqlSafe(pragma)).await?;
            Ok::<_, StoreError>(())
        })
    });
    limited.await.unwrap();
}

/// Bytes that do not deflate.
fn noise(seed: u8) -> Vec<u8> {
    let entropy: &dyn model::clock::Entropy = &SeededEntropy::new([seed; 32]);
    entropy.array::<20_000>().to_vec()
}
