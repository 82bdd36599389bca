//! In doubt nothing is charged: a clock that went back, a commit that does not end.

use std::time::{Duration, Instant};

use serde_json::json;
use store::StoreError;
use tests::customer::fresh_key;
use tests::host::Host;

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_went_back_charges_nothing_until_it_is_right_again() {
    let host = Host::start().await;
    let ada = host.customer("account:read assets:read assets:write").await;
    ada.read("authors.list", json!({})).await.data();
    host.clock.set_back(HOUR);
    let (key, body) = (fresh_key(), json!({ "firstname": "Ada", "lastname": "Lovelace" }));
    let refused = ada.run_as("authors.create", body.clone(), &key).await;
    assert_eq!(refused.refusal(), (503, "clock_regressed".to_owned()));
    assert_eq!(ada.read("authors.list", json!({})).await.refusal(), (503, "clock_regressed".to_owned()));
    host.clock.advance(HOUR);
    ada.run_as("authors.create", body, &key).await.data();
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_hangs_is_503_within_two_seconds_and_one_effect_in_the_end() {
    let host = Host::start().await;
    let ada = host.customer("account:read assets:read assets:write").await;
    ada.read("authors.list", json!({})).await.data();
    let (began_hanging, hangs) = tokio::sync::oneshot::channel();
    let store = host.service.core.store().clone();
    let hanging = tokio::spawn(async move {
        let work = store.database.write(move |_| {
            Box::pin(async move {
                began_hanging.send(()).expect("the test waits");
                tokio::time::sleep(Duration::from_secs(16)).await;
                Ok::<_, StoreError>(())
            })
        });
        work.await
    });
    hangs.await.expect("begun");
    let (key, body) = (fresh_key(), json!({ "firstname": "Ada", "lastname": "Lovelace" }));
    let began = Instant::now();
    let refused = ada.run_as("authors.create", body.clone(), &key).await;
    assert_eq!(refused.refusal(), (503, "unavailable".to_owned()));
    // Long before the commit ends; the rest is room for a busy machine.
    assert!(began.elapsed() < Duration::from_secs(12), "{:?}", began.elapsed());
    assert!(hanging.await.expect("joined").is_err(), "the one who hangs hears it too");
    let mut again = ada.run_as("authors.create", body.clone(), &key).await;
    while again.status == 503 {
        again = ada.run_as("authors.create", body.clone(), &key).await;
    }
    again.data();
    let authors = ada.read("authors.list", json!({})).await.data();
    assert_eq!(authors["authors"].as_array().map(Vec::len), Some(1), "{authors}");
    host.verify_ledger().await;
}
