//! Metering is enforced: the allowance, paid points, what happens without either.

use serde_json::json;
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn without_points_a_call_is_refused_and_says_what_is_missing() {
    let host = Host::start().await;
    let ada = host.customer("account:read assets:read assets:write").await;
    let mut last = None;
    for _ in 0..60 {
        let answer = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
        if answer.status != 200 {
            last = Some(answer);
            break;
        }
    }
    let refused = last.expect("100 points do not last for 60 writes of 3");
    assert_eq!(refused.refusal(), (402, "points_exhausted".to_owned()));
    let error = refused.json()["error"].clone();
    assert_eq!((error["needed"].as_u64(), error["included_remaining"].as_u64()), (Some(3), Some(1)), "{error}");
    assert!(error["renews_at"].as_str().is_some_and(|at| at.ends_with("T00:00:00Z")), "{error}");
    // 33 writes of 3 points and nothing of the 34th.
    host.buy_points(&ada, 1).await;
    let count = ada.read("authors.list", json!({ "limit": 100 })).await.data()["authors"].as_array().map(Vec::len);
    assert_eq!(count, Some(33));
    assert_eq!(ada.run("authors.create", json!({ "firstname": "Grace", "lastname": "Hopper" })).await.status, 200);
    // What shows the usage stays open without points; so does feedback.
    assert_eq!(ada.get("/usage").await.status, 200);
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_costs_in_proportion_to_its_rows() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let empty = ada.read("authors.list", json!({})).await.json()["meta"]["usage"]["points"].as_u64();
    ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    let one = ada.read("authors.list", json!({})).await.json()["meta"]["usage"]["points"].as_u64();
    assert_eq!((empty, one), (Some(1), Some(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn activation_is_charged_once_and_refused_without_credits() {
    let host = Host::start().await;
    host.add_customer("poor@example.com", "correct horse battery", 99).await;
    let app = tests::person::App::register(&host.mcp).await;
    let mut browser = tests::person::Browser::default();
    let mut page = browser.open(&app.authorization("")).await;
    while let Some(to) = page.location() {
        page = browser.open(&to).await;
    }
    page = browser
        .submit(&page, "password", &[("email", "poor@example.com"), ("password", "correct horse battery")])
        .await;
    while let Some(to) = page.location() {
        page = browser.open(&to).await;
    }
    assert!(page.text.contains("100 credits"), "{}", page.text);
    let after = browser.submit(&page, "decision", &[("decision", "approve")]).await;
    assert!(
        after.location().is_none_or(|to| to.query_pairs().all(|(name, _)| name != "code")),
        "{:?}",
        after.location()
    );

    let rich = host.add_customer("rich@example.com", "correct horse battery", 150).await;
    for _ in 0..2 {
        let app = tests::person::App::register(&host.mcp).await;
        let back = app.decide("account:read", "rich@example.com", "correct horse battery", "approve").await;
        let (_, tokens) = app.exchange(&back["code"]).await;
        let rich = host.bearer(&rich, tokens["access_token"].as_str().expect("a token"));
        assert_eq!(rich.get("/account").await.data()["usage"]["credits"]["available"], "50");
    }
    host.verify_ledger().await;
}
