//! A twin waits for the first, and nothing stays behind.

use super::*;

#[tokio::test]
async fn a_twin_waits_until_the_first_is_done_and_leaves_nothing_behind() {
    let claims = Arc::new(Claims::default());
    let customer = CustomerId::from("cus_a");
    let first = claims.take(&customer, "key-0001").await.expect("free");
    let waiting = tokio::spawn({
        let (claims, customer) = (claims.clone(), customer.clone());
        async move { claims.take(&customer, "key-0001").await.is_some() }
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    drop(first);
    assert!(waiting.await.expect("joined"));
    assert!(claims.0.lock().expect("not poisoned").is_empty());
}

#[tokio::test]
async fn a_twin_gives_up_when_the_first_takes_too_long() {
    let claims = Claims::default();
    let customer = CustomerId::from("cus_a");
    let first = claims.take(&customer, "key-0001").await.expect("free");
    assert!(claims.take(&customer, "key-0001").await.is_none());
    assert!(claims.take(&customer, "key-0002").await.is_some());
    drop(first);
    assert!(claims.0.lock().expect("not poisoned").is_empty());
}
