//! Whose answer is taken, and whose is not: nobody is led into giving their account to somebody else.

use std::time::Duration;

use model::id::CustomerId;

use super::*;

async fn bob(scene: &Scene) -> Browser {
    customer(&scene.host, "bob@example.com").await;
    signed_in(&scene.origin(), "bob@example.com").await
}

async fn no_connection(scene: &Scene) {
    let listed = scene.ada.read("connections.list", json!({})).await.data();
    assert_eq!(listed["connections"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn our_page_wants_the_customer_who_asked_and_their_own_click() {
    let scene = Scene::set().await;
    let started = scene.start(json!({ "kind": "ga4" })).await;
    let page = address(&started);
    // Nobody: first the sign-in, which leads back here.
    let mut browser = Browser::default();
    let sign_in = browser.open(&page).await.location().expect("the sign-in");
    assert_eq!(sign_in.path(), "/sign-in");
    let form = browser.open(&sign_in).await;
    let after = browser.submit(&form, "password", &[("email", "ada@example.com"), ("password", PASSWORD)]).await;
    assert_eq!(after.location().expect("our page"), page);
    let shown = browser.open(&page).await;
    assert_eq!(shown.status, 200);
    // The provider leads on to whatever pages it has; a browser would hold each of them against it.
    assert!(!shown.headers["content-security-policy"].to_str().expect("text").contains("form-action"));
    // Somebody else, and a form that another site has sent.
    let mut bobs = bob(&scene).await;
    assert_eq!(bobs.open(&page).await.status, 404);
    let csrf = shown.value("csrf").expect("a token");
    assert_eq!(bobs.post(&page, &[("csrf", &csrf), ("decision", "continue")]).await.status, 403);
    assert_eq!(browser.post(&page, &[("csrf", "guessed"), ("decision", "continue")]).await.status, 403);
    assert_eq!(scene.status(&started).await["state"], "pending");
    // A click on cancel.
    assert_eq!(browser.submit(&shown, "csrf", &[("decision", "cancel")]).await.status, 200);
    let status = scene.status(&started).await;
    assert_eq!((&status["state"], &status["error"]["code"]), (&json!("refused"), &json!("cancelled")));
    assert_eq!(browser.open(&page).await.status, 410);
    let refused = scene.ada.read("connections.oauth.status", json!({ "flow_ref": "flw_never" })).await;
    assert_eq!(refused.refusal(), (404, "flow_not_found".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_led_into_connecting_their_account_to_somebody_elses() {
    let scene = Scene::set().await;
    let started = scene.start(json!({ "kind": "ga4" })).await;
    let mut adas = signed_in(&scene.origin(), "ada@example.com").await;
    let back = trip(&mut adas, &started, "allow").await;
    let granted = times(&scene.world.google, "oauth.granted");
    // The victim consents at the provider and comes back without a session, with another customer's, or with one of
    // the same customer that the trip did not begin in.
    let mut again = signed_in(&scene.origin(), "ada@example.com").await;
    for browser in [&mut Browser::default(), &mut bob(&scene).await, &mut again] {
        assert_eq!(browser.open(&back).await.status, 403);
        assert_eq!(scene.status(&started).await["state"], "pending");
    }
    assert_eq!(times(&scene.world.google, "oauth.granted"), granted, "the code was not even tried");
    no_connection(&scene).await;
    let eve = customer(&scene.host, "eve@example.com").await;
    let foreign = eve.read("connections.oauth.status", json!({ "flow_ref": started["flow_ref"] })).await;
    assert_eq!(foreign.refusal(), (404, "flow_not_found".to_owned()));
    // It is still Ada's to give, in her own browser.
    assert_eq!(adas.open(&back).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_taken_once_and_in_time_and_only_for_a_state_of_ours() {
    let scene = Scene::set().await;
    let mut browser = signed_in(&scene.origin(), "ada@example.com").await;
    let started = scene.start(json!({ "kind": "ga4" })).await;
    let back = trip(&mut browser, &started, "allow").await;
    let mut made_up = back.clone();
    made_up.set_query(Some("code=4%2F0simulated-1&state=esp_cs_guessed"));
    assert_eq!(browser.open(&made_up).await.status, 404);
    made_up.set_query(Some("code=4%2F0simulated-1"));
    assert_eq!(browser.open(&made_up).await.status, 404);
    let twice = format!("{}&state=another", back.query().expect("a query"));
    made_up.set_query(Some(&twice));
    assert_eq!(browser.open(&made_up).await.status, 404);
    assert_eq!(browser.open(&back).await.status, 200);
    let granted = times(&scene.world.google, "oauth.granted");
    assert_eq!(browser.open(&back).await.status, 410);
    assert_eq!(times(&scene.world.google, "oauth.granted"), granted);

    let late = scene.start(json!({ "kind": "gmail" })).await;
    let back = trip(&mut browser, &late, "allow").await;
    scene.host.clock.advance(Duration::from_secs(600));
    assert_eq!(browser.open(&back).await.status, 410);
    assert_eq!(browser.open(&address(&late)).await.status, 410);
    let status = scene.status(&late).await;
    assert_eq!((&status["state"], &status["error"]["code"]), (&json!("expired"), &json!("expired")));
    let posted = reqwest::Client::new().post(back).send().await.expect("an answer");
    assert_eq!(posted.status(), 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_says_instead_of_a_good_code_ends_the_consent_with_the_reason() {
    let scene = Scene::set().await;
    let google = scene.world.google.clone();
    let mut browser = signed_in(&scene.origin(), "ada@example.com").await;
    let with = |back: &Url, name: &str, value: &str| {
        let mut changed = back.clone();
        let kept: Vec<(String, String)> = back.query_pairs().into_owned().filter(|(key, _)| key != name).collect();
        changed.query_pairs_mut().clear().extend_pairs(kept).append_pair(name, value);
        changed
    };
    for (case, page, state, code) in [
        ("denied", 403, "refused", "access_denied"),
        ("issuer", 400, "failed", "wrong_issuer"),
        ("code", 502, "failed", "provider_refused"),
        ("error", 502, "failed", "provider_refused"),
        ("broken", 502, "failed", "provider_refused"),
    ] {
        let started = scene.start(json!({ "kind": "ga4" })).await;
        let decision = if case == "denied" { "deny" } else { "allow" };
        let back = trip(&mut browser, &started, decision).await;
        let back = match case {
            "issuer" => with(&back, "iss", "https://accounts.evil.example"),
            "code" => with(&back, "code", "4/0simulated-of-somebody-else"),
            "error" => with(&back, "error", "server_error"),
            _ => back,
        };
        if case == "broken" {
            google.fault_on("/token", simulators::Fault::NotJson, Some(1));
        }
        assert_eq!(browser.open(&back).await.status, page, "{case}");
        let status = scene.status(&started).await;
        assert_eq!((&status["state"], &status["error"]["code"]), (&json!(state), &json!(code)), "{case}");
        assert!(status["connection_ref"].is_null() && status["error"]["hint"].is_string(), "{case}");
        assert_eq!(browser.open(&back).await.status, 410, "{case}: it is used up");
    }
    no_connection(&scene).await;
    let id = CustomerId::from(scene.ada.id.as_str());
    let lines = scene.host.service.core.store().trail.audit_lines(&id, None, 100).await.expect("readable");
    let outcomes: Vec<_> =
        lines.iter().filter(|it| it.audit.event == "connection.consent").map(|it| it.audit.outcome.as_str()).collect();
    assert_eq!(outcomes.len(), 5, "{outcomes:?}");
    assert!(outcomes.contains(&"wrong_issuer") && outcomes.contains(&"access_denied"), "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_is_limited_like_every_other_edge() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start_with(|options| {
        clients(options, &world);
        options.rates(service::config::Rates { edge: 3, ..tests::host::wide() });
    })
    .await;
    let callback = format!("{}/connect/callback?state=x", host.rest.trim_end_matches("/v1"));
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(reqwest::get(&callback).await.expect("an answer").status().as_u16());
    }
    assert_eq!(seen, [404, 404, 404, 429]);
}
