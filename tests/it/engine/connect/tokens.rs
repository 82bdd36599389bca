//! Access tokens: refreshed before they end and when they are refused, minted for service accounts, given back.

use std::time::Duration;

use simulators::Fault;

use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

async fn properties(customer: &Customer, connection: &str) -> tests::customer::Answer {
    customer.read("connections.property.list", json!({ "connection_ref": connection })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_at_the_same_moment_on_two_hosts_refresh_a_token_once_although_it_is_good_for_one_use() {
    let scene = Scene::set().await;
    let bing = scene.world.bing_webmaster.clone();
    let connection = scene.connect(json!({ "kind": "bing_webmaster" })).await;
    let other = Host::start_with(|options| {
        options.beside(&scene.host);
        clients(options, &scene.world);
    })
    .await;
    let there = Customer::with(&scene.ada.id, &scene.ada.token, &other.rest, &other.mcp);
    properties(&scene.ada, &connection).await.data();
    assert_eq!(times(&bing, "oauth.refreshed"), 0);
    for round in 1..=3 {
        scene.host.clock.advance(HOUR);
        other.clock.advance(HOUR);
        let calls = (0..6).map(|number| {
            let customer = if number % 2 == 0 { &scene.ada } else { &there };
            properties(customer, &connection)
        });
        for answer in futures_util::future::join_all(calls).await {
            answer.data();
        }
        assert_eq!(times(&bing, "oauth.refreshed"), round);
    }
    assert_eq!(times(&bing, "oauth.ended"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_the_provider_does_not_take_any_more_is_refreshed_once_and_the_request_goes_on() {
    let scene = Scene::set().await;
    let google = scene.world.google.clone();
    let connection = scene.connect(json!({ "kind": "google_search_console" })).await;
    google.fault_on("/webmasters", Fault::Unauthorized, Some(1));
    properties(&scene.ada, &connection).await.data();
    assert_eq!(times(&google, "oauth.refreshed"), 1);
    google.fault_on("/webmasters", Fault::Unauthorized, Some(2));
    assert_eq!(properties(&scene.ada, &connection).await.refusal(), (409, "connection_expired".to_owned()));
    assert_eq!(times(&google, "oauth.refreshed"), 2, "not in circles");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_consent_that_is_over_expires_the_connection_which_another_consent_renews() {
    let scene = Scene::set().await;
    let google = scene.world.google.clone();
    let connection = scene.connect(json!({ "kind": "google_search_console", "name": "Shop" })).await;
    properties(&scene.ada, &connection).await.data();
    scene.host.clock.advance(HOUR);
    // In the provider's words: invalid_grant.
    google.fault_on("/token", Fault::Unauthorized, Some(1));
    assert_eq!(properties(&scene.ada, &connection).await.refusal(), (409, "connection_expired".to_owned()));
    assert_eq!(scene.state(&connection).await, "expired");
    google.fault_on("/token", Fault::Unauthorized, Some(1));
    let tested = scene.test(&connection).await;
    assert_eq!(tested["error"]["code"], "expired_credential");
    assert!(tested["error"]["hint"].as_str().expect("a hint").contains("connections.oauth.start"));
    let renewed = scene.connect(json!({ "kind": "google_search_console", "name": "Shop" })).await;
    assert_eq!(renewed, connection);
    // The provider's clock has stayed where it was, which a test of the connection would say first.
    properties(&scene.ada, &connection).await.data();
    let beside = scene.connect(json!({ "kind": "google_search_console", "name": "Shop" })).await;
    assert_ne!(beside, connection, "one that works is not replaced");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passes_by_itself_does_not_expire_a_connection() {
    let scene = Scene::set().await;
    let google = scene.world.google.clone();
    let connection = scene.connect(json!({ "kind": "google_search_console" })).await;
    properties(&scene.ada, &connection).await.data();
    for fault in [Fault::ServerError, Fault::RateLimited] {
        scene.host.clock.advance(HOUR);
        google.fault_on("/token", fault, Some(1));
        let refused = properties(&scene.ada, &connection).await;
        assert_eq!(refused.refusal().0, 503, "{fault:?}");
        assert_eq!(scene.state(&connection).await, "ok", "{fault:?}");
        properties(&scene.ada, &connection).await.data();
    }
    // The answer is lost after it took effect: asked again, this provider gives another.
    scene.host.clock.advance(HOUR);
    google.fault_on("/token", Fault::Truncated, Some(1));
    properties(&scene.ada, &connection).await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_that_cost_the_refresh_token_is_said_and_not_kept_quiet() {
    let scene = Scene::set().await;
    let bing = scene.world.bing_webmaster.clone();
    let connection = scene.connect(json!({ "kind": "bing_webmaster" })).await;
    properties(&scene.ada, &connection).await.data();
    scene.host.clock.advance(HOUR);
    bing.fault_on("/webmasters/oauth/token", Fault::Truncated, Some(1));
    assert_eq!(properties(&scene.ada, &connection).await.refusal(), (409, "connection_expired".to_owned()));
    assert_eq!(scene.state(&connection).await, "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_connection_is_given_back_where_the_provider_documents_how() {
    let scene = Scene::set().await;
    let google = scene.connect(json!({ "kind": "ga4" })).await;
    let bing = scene.connect(json!({ "kind": "bing_webmaster" })).await;
    for (connection, revoked) in [(&google, true), (&bing, false)] {
        let removed = scene.ada.run("connections.remove", json!({ "connection_ref": connection })).await.data();
        assert_eq!(removed["provider_revoked"], revoked);
    }
    assert_eq!(times(&scene.world.google, "oauth.revoked"), 1);
    let listed = scene.ada.read("connections.list", json!({})).await.data();
    assert_eq!(listed["connections"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_account_asks_with_a_minted_token_that_is_kept_until_it_ends_or_is_refused() {
    let scene = Scene::set().await;
    let google = scene.world.google.clone();
    let key = google.credentials()["service_account"].clone();
    let add = |key: Value| {
        let credentials = json!({ "service_account": key });
        json!({ "kind": "google_indexing", "name": "Indexing", "endpoint": google.url(), "credentials": credentials })
    };
    let added = scene.ada.run("connections.add", add(key)).await.data();
    assert_eq!(added["test"]["ok"], true, "{added}");
    let connection = added["connection_ref"].as_str().expect("a reference").to_owned();
    for _ in 0..3 {
        assert_eq!(scene.test(&connection).await["ok"], true);
    }
    assert_eq!(times(&google, "oauth.granted"), 1, "one token for all of them");
    google.fault_on("/v3", Fault::Unauthorized, Some(1));
    assert_eq!(scene.test(&connection).await["ok"], true);
    assert_eq!(times(&google, "oauth.granted"), 2);
    google.fault_on("/v3", Fault::Unauthorized, Some(1));
    google.fault_on("/token", Fault::Unauthorized, Some(1));
    let tested = scene.test(&connection).await;
    assert_eq!(tested["error"]["code"], "expired_credential", "the key was deleted at the provider");
    let malformed =
        scene.ada.run("connections.add", add(json!("{\"client_email\":\"a@b\",\"private_key\":\"no\"}"))).await;
    assert_eq!(malformed.refusal(), (422, "malformed_credential".to_owned()));
    assert_eq!(malformed.pointer(), "/credentials/service_account");
}
