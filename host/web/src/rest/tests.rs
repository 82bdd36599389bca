//! Every route: what it takes, what it refuses, and in which order.

use http::{Method, StatusCode};
use model::scope::{Scope, ScopeSet};
use serde_json::{Value, json};
use service::config::Rates;
use service::routes::Route;

use super::routing::{self, Place};
use crate::tests::{NO_TOKEN, World};

#[test]
fn every_door_is_found_by_its_pattern_and_by_nothing_longer() {
    for route in Route::ALL {
        let path = routing::pattern(route).replace("{operation_id}", "authors.list").replace("{site_id}", "42");
        assert!(
            matches!(routing::resolve(&path), Ok(Some(Place::Door { route: found, .. })) if found == route),
            "{path}"
        );
        for wrong in [format!("{path}/"), format!("{path}/x"), format!("/{path}"), path.to_uppercase()] {
            let other = routing::resolve(&wrong);
            assert!(!matches!(other, Ok(Some(Place::Door { route: found, named: None })) if found == route), "{wrong}");
        }
    }
    assert_eq!(routing::resolve(""), Ok(None));
    assert_eq!(routing::resolve("/websites/"), Ok(None));
}

#[test]
fn what_stands_in_a_path_is_decoded_and_a_broken_escape_is_malformed() {
    let named = |path| match routing::resolve(path) {
        Ok(Some(Place::Door { named: Some((_, value)), .. })) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(named("/capabilities/a%2Eb+c"), "a.b+c");
    assert_eq!(named("/capabilities/a%2Fb"), "a/b");
    for broken in ["/capabilities/%", "/capabilities/%4", "/capabilities/%zz", "/capabilities/%ff"] {
        assert_eq!(routing::resolve(broken).unwrap_err().code, "malformed_request", "{broken}");
    }
}

#[tokio::test]
async fn the_base_is_a_namespace_and_an_unknown_route_is_told_before_the_token_is_asked_for() {
    let world = World::new().await;
    for path in ["/v1", "/v1/", "/v1/nothing", "/v1/websites/1/2", "/v1/openapi.json/"] {
        world.ask(Method::GET, path, &[NO_TOKEN], "").await.expect(404, "route_not_found");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_before_the_token_is_asked_for_with_what_is_allowed() {
    let world = World::new().await;
    for route in Route::ALL {
        let path = format!(
            "/v1{}",
            routing::pattern(route).replace("{operation_id}", "authors.list").replace("{site_id}", "42")
        );
        let right = super::method(route);
        for method in
            [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS, Method::TRACE]
        {
            if method == right {
                continue;
            }
            let answer = world.ask(method, &path, &[NO_TOKEN], "").await;
            answer.expect(405, "method_not_allowed");
            assert_eq!(answer.header("allow"), right.as_str());
        }
        let head = world.ask(Method::HEAD, &path, &[NO_TOKEN], "").await;
        let expected = if right == Method::GET { StatusCode::UNAUTHORIZED } else { StatusCode::METHOD_NOT_ALLOWED };
        assert_eq!(head.status, expected, "{path}");
    }
}

#[tokio::test]
async fn no_token_and_a_bad_token_are_401_with_one_challenge() {
    let world = World::new().await;
    for route in Route::ALL {
        let path = format!(
            "/v1{}",
            routing::pattern(route).replace("{operation_id}", "authors.list").replace("{site_id}", "42")
        );
        let answer = world.ask(super::method(route), &path, &[NO_TOKEN], "").await;
        answer.expect(401, "unauthenticated");
        assert!(answer.header("www-authenticate").starts_with("Bearer resource_metadata="));
    }
    let answer = world.ask(Method::GET, "/v1/usage", &[("authorization", "Bearer esp_at_no")], "").await;
    answer.expect(401, "invalid_token");
    assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
}

#[tokio::test]
async fn a_missing_scope_is_named_in_the_envelope_and_in_the_challenge() {
    let world = World::with([Scope::AccountRead].into_iter().collect(), Rates::default()).await;
    let answer = world.get("/v1/websites").await;
    let error = answer.expect(403, "insufficient_scope");
    assert_eq!(error["missing_scopes"], json!(["websites:read"]));
    assert!(answer.header("www-authenticate").contains("scope=\"websites:read\""));
    assert_eq!(world.get("/v1/usage").await.status, StatusCode::OK);
    // The dedicated scope, not any other, and before the body is looked at.
    world.ask(Method::POST, "/v1/seo/audits", &[], "not json").await.expect(403, "insufficient_scope");
}

#[tokio::test]
async fn usage_is_free_and_says_what_is_left() {
    let world = World::new().await;
    let answer = world.get("/v1/usage").await;
    let body = answer.json();
    assert_eq!(body["meta"]["usage"], json!({ "points": 0, "included_remaining": 100, "paid_remaining": 0 }));
    assert_eq!(body["meta"]["api_version"], "2026-09-28");
    assert_eq!(body["meta"]["request_id"], answer.header("x-request-id"));
    assert_eq!(body["data"]["activation"]["state"], "active");
    assert_eq!(body["data"]["included"]["remaining"], 100);
    assert_eq!(body["data"]["credits"]["available"], "900");
}

#[tokio::test]
async fn a_snapshot_costs_a_point_and_names_what_the_grant_lacks() {
    let world = World::with(ScopeSet::default_grant(), Rates::default()).await;
    let body = world.get("/v1/account").await.json();
    assert_eq!(body["meta"]["usage"]["points"], 1);
    assert_eq!(body["meta"]["usage"]["included_remaining"], 99);
    assert_eq!(body["data"]["grant"]["kind"], "bearer");
    assert!(body["data"]["grant"]["not_granted"].as_array().unwrap().contains(&json!("seo:audit")));
    assert!(!body.to_string().contains(world.customer.as_str()), "the customer's own id is nobody's argument");
}

#[tokio::test]
async fn a_search_wants_something_to_look_for_within_bounds() {
    let world = World::new().await;
    let pointer = async |query: &str| {
        world.get(&format!("/v1/capabilities{query}")).await.expect(422, "invalid_arguments")["pointer"].clone()
    };
    assert_eq!(pointer("").await, "/query");
    assert_eq!(pointer("?query=ab").await, "/query");
    assert_eq!(pointer(&format!("?query={}", "a".repeat(161))).await, "/query");
    assert_eq!(pointer(&format!("?module={}", "a".repeat(65))).await, "/module");
    assert_eq!(pointer("?kind=reads").await, "/kind");
    assert_eq!(pointer("?query=list&limit=0").await, "/limit");
    assert_eq!(pointer("?query=list&limit=21").await, "/limit");
    assert_eq!(pointer("?query=list&limit=ten").await, "/limit");
    assert_eq!(pointer("?query=list&limits=2").await, "/limits");
    assert_eq!(pointer("?query=list&query=list").await, "/query");
    assert_eq!(pointer("?query=list&customer_id=1").await, "/customer_id");
    world.get("/v1/capabilities?query=%zz").await.expect(400, "malformed_request");
    assert_eq!(world.get("/v1/capabilities?kind=read").await.status, StatusCode::OK);
    assert_eq!(
        world.get(&format!("/v1/capabilities?query={}&limit=20", "%C3%A9".repeat(160))).await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn a_search_that_finds_nothing_says_what_to_do_and_still_begins_an_intent() {
    let body = World::new().await.get("/v1/capabilities?query=list%20my%20authors").await.json();
    assert_eq!(body["data"]["total"], 0);
    assert!(body["data"]["intent_ref"].as_str().unwrap().starts_with("int_"));
    assert!(body["data"]["hint"].as_str().unwrap().contains("missing_capability"));
    assert_eq!(body["meta"]["usage"]["points"], 1);
}

#[tokio::test]
async fn an_operation_that_does_not_exist_is_404_and_too_long_an_id_422() {
    let world = World::new().await;
    world.get("/v1/capabilities/authors.nothing").await.expect(404, "operation_not_found");
    world.post("/v1/operations/authors.nothing", json!({})).await.expect(404, "operation_not_found");
    let long = "a".repeat(129);
    world.get(&format!("/v1/capabilities/{long}")).await.expect(422, "invalid_arguments");
    world.post(&format!("/v1/operations/{long}"), json!({})).await.expect(422, "invalid_arguments");
}

#[tokio::test]
async fn a_body_is_one_json_object_of_bounded_size() {
    let world = World::new().await;
    let post =
        async |headers: &[(&str, &str)], body: &str| world.ask(Method::POST, "/v1/feedback", headers, body).await;
    post(&[("content-type", "text/plain")], "{}").await.expect(415, "unsupported_media_type");
    post(&[], "").await.expect(415, "unsupported_media_type");
    for coding in ["gzip", "br", "identity, gzip", "\u{7f}"] {
        let Ok(_) = http::HeaderValue::from_str(coding) else { continue };
        post(&[("content-encoding", coding)], "{}").await.expect(415, "unsupported_media_type");
    }
    let plain = post(&[("content-encoding", "identity")], "{").await;
    plain.expect(400, "malformed_request");
    post(&[("content-type", "application/json")], "").await.expect(400, "malformed_request");
    post(&[("content-type", "application/json; charset=utf-8")], "{").await.expect(400, "malformed_request");
    post(&[], "{\"a\":1,\"a\":2}").await.expect(400, "malformed_request");
    post(&[], &format!("{}{}", "[".repeat(100), "]".repeat(100))).await.expect(400, "malformed_request");
    post(&[], "[]").await.expect(400, "malformed_request");
    post(&[], "\"text\"").await.expect(400, "malformed_request");
    post(&[], &format!("{{\"a\":\"{}\"}}", "a".repeat(600_000))).await.expect(413, "body_too_large");
}

#[tokio::test]
async fn an_idempotency_key_has_8_to_200_printable_characters() {
    let world = World::new().await;
    let with = async |key: &str| {
        world.ask(Method::POST, "/v1/operations/authors.nothing", &[("idempotency-key", key)], "{}").await
    };
    let (long, longest) = ("k".repeat(201), "k".repeat(200));
    for bad in ["short", "1234567", &long, "ends with é"] {
        assert_eq!(with(bad).await.expect(422, "invalid_arguments")["pointer"], "/idempotency_key", "{bad}");
    }
    for good in ["12345678", "with space and ~", &longest] {
        with(good).await.expect(404, "operation_not_found");
    }
}

#[tokio::test]
async fn an_intent_is_the_grants_own_and_lives_a_day() {
    let world = World::new().await;
    let intent = world.intent().await;
    let report = json!({ "category": "missing_capability", "completion_state": "blocked", "intent": "list authors", "intent_ref": intent });
    assert_eq!(world.post("/v1/feedback", report.clone()).await.status, StatusCode::OK);

    let mut unknown = report.clone();
    unknown["intent_ref"] = json!("int_unknown");
    assert_eq!(world.post("/v1/feedback", unknown).await.expect(422, "invalid_arguments")["pointer"], "/intent_ref");

    let foreign = format!("Bearer {}", world.token_for(ScopeSet::all()).await);
    let answer = world.ask(Method::POST, "/v1/feedback", &[("authorization", &foreign)], &report.to_string()).await;
    assert_eq!(answer.expect(422, "invalid_arguments")["pointer"], "/intent_ref");

    world.clock.advance(std::time::Duration::from_secs(24 * 3_600));
    assert_eq!(world.post("/v1/feedback", report).await.expect(422, "invalid_arguments")["pointer"], "/intent_ref");
}

#[tokio::test]
async fn feedback_is_kept_without_credentials_for_nothing() {
    let world = World::new().await;
    let answer = world
        .post(
            "/v1/feedback",
            json!({
                "category": "access_problem",
                "completion_state": "failed",
                "intent": "publish with Bearer esp_at_abcdefgh1234",
                "message": "my password: hunter2 did not work",
            }),
        )
        .await;
    let body = answer.json();
    assert_eq!(answer.status, StatusCode::OK, "{body}");
    assert_eq!(body["data"]["intent"], "publish with Bearer [redacted]");
    assert_eq!(body["meta"]["usage"]["points"], 0);
    let kept = world.service.core.store().identity.feedback(10).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].message.as_deref(), Some("my password: [redacted] did not work"));
    assert_eq!(kept[0].customer, world.customer);
}

#[tokio::test]
async fn feedback_has_closed_values() {
    let world = World::new().await;
    let base = json!({ "category": "other", "completion_state": "partial", "intent": "goal" });
    for (name, value) in [
        ("category", json!("nonsense")),
        ("completion_state", json!("maybe")),
        ("intent", json!(7)),
        ("extra", json!(1)),
    ] {
        let mut body = base.clone();
        body[name] = value;
        assert_eq!(
            world.post("/v1/feedback", body).await.expect(422, "invalid_arguments")["pointer"],
            format!("/{name}")
        );
    }
    let mut body = base;
    body.as_object_mut().unwrap().remove("category");
    assert_eq!(world.post("/v1/feedback", body).await.expect(422, "invalid_arguments")["pointer"], "/category");
}

#[tokio::test]
async fn a_route_with_a_body_takes_nothing_from_the_address() {
    let answer = World::new().await.post("/v1/operations/authors.list?limit=3", json!({})).await;
    assert_eq!(answer.expect(422, "invalid_arguments")["pointer"], "/limit");
}

#[tokio::test]
async fn a_limit_that_is_reached_says_which_and_when() {
    let world = World::with(ScopeSet::all(), Rates { requests: 3, feedback: 1, ..Rates::default() }).await;
    let first = world.get("/v1/usage").await;
    assert_eq!(first.header("ratelimit-policy"), "\"request\";q=3;w=60");
    assert_eq!(first.header("ratelimit"), "\"request\";r=2;t=60");
    let report = json!({ "category": "other", "completion_state": "partial", "intent": "goal" });
    assert_eq!(world.post("/v1/feedback", report.clone()).await.status, StatusCode::OK);
    let answer = world.post("/v1/feedback", report).await;
    assert_eq!(answer.expect(429, "rate_limited")["limit"], "feedback");
    assert_eq!(answer.header("ratelimit"), "\"feedback\";r=0;t=60");
    let answer = world.get("/v1/usage").await;
    assert_eq!(answer.expect(429, "rate_limited")["limit"], "request");
    assert_eq!(answer.header("retry-after"), "60");
    world.clock.advance(std::time::Duration::from_secs(60));
    assert_eq!(world.get("/v1/usage").await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_exhausted_allowance_is_402_and_says_when_it_renews() {
    let world = World::new().await;
    for _ in 0..100 {
        assert_eq!(world.get("/v1/account").await.status, StatusCode::OK);
    }
    let error = world.get("/v1/account").await.expect(402, "points_exhausted");
    assert_eq!((&error["needed"], &error["short"]), (&json!(1), &json!(1)));
    assert_eq!(error["renews_at"], "2026-09-22T00:00:00Z");
    let usage = world.get("/v1/usage").await;
    assert_eq!(usage.json()["data"]["included"]["remaining"], 0);
    world.clock.advance(std::time::Duration::from_secs(24 * 3_600));
    assert_eq!(world.get("/v1/account").await.status, StatusCode::OK);
}

#[test]
fn what_a_result_could_not_consider_stands_in_meta_too_and_nothing_else_does() {
    let meta = |data: &str| {
        let outcome = model::call::Outcome {
            request: model::id::RequestId::from("req_a"),
            data: data.into(),
            untrusted: None,
            usage: serde_json::from_value(json!({ "points": 1, "included_remaining": 2, "paid_remaining": 3 }))
                .unwrap(),
            api_version: "2026-09-28".into(),
            replayed: false,
        };
        let body: Value = serde_json::from_str(&super::envelope(&outcome)).unwrap();
        assert_eq!(body["data"], serde_json::from_str::<Value>(data).unwrap());
        body["meta"]["degraded"].clone()
    };
    assert_eq!(
        meta(r#"{"rows":[],"degraded":[{"what":"crawl","why":"older than 30 days"}]}"#),
        json!([{ "what": "crawl", "why": "older than 30 days" }])
    );
    for other in
        [r#"{"degraded":[]}"#, r#"{"a":{"degraded":["x"]}}"#, r#"{"degraded":"no"}"#, r#"{"text":"\"degraded\":[1]"}"#]
    {
        assert_eq!(meta(other), Value::Null, "{other}");
    }
}
