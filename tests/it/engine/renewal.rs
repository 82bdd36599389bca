//! The allowance is renewed with the UTC day, and what was granted stays granted once.

use std::time::Duration;

use serde_json::json;
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn the_next_utc_day_brings_a_hundred_points_again() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write account:read").await;
    ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    assert_eq!(left(&ada).await, Some(97));
    host.clock.advance(Duration::from_secs(24 * 60 * 60));
    let later = host.token_for(&ada, "assets:read assets:write account:read", Duration::from_secs(3_600)).await;
    let ada = ada.with_token(&later);
    assert_eq!(left(&ada).await, Some(100));
    ada.run("authors.create", json!({ "firstname": "Grace", "lastname": "Hopper" })).await.data();
    assert_eq!(left(&ada).await, Some(97));
    host.verify_ledger().await;
}

async fn left(customer: &tests::customer::Customer) -> Option<u64> {
    customer.get("/usage").await.json()["meta"]["usage"]["included_remaining"].as_u64()
}
