//! Bad input, each with its exact status and code, and nothing written.

use reqwest::Method;
use serde_json::{Value, json};
use tests::customer::{Customer, fresh_key};
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_needed_and_a_bad_one_is_told_apart() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    for (token, code, error) in
        [("", "unauthenticated", None), ("esp_at_nothing", "invalid_token", Some("invalid_token"))]
    {
        let http = reqwest::Client::new();
        let mut request = http.get(format!("{}/account", ada.rest));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 401);
        let challenge = answer.headers()["www-authenticate"].to_str().expect("ascii").to_owned();
        assert!(challenge.starts_with("Bearer ") && challenge.contains("resource_metadata=\""), "{challenge}");
        assert_eq!(challenge.contains("error="), error.is_some(), "{challenge}");
        let body: Value = answer.json().await.expect("JSON");
        assert_eq!(body["error"]["code"], code);
    }
    let short = host.token_for(&ada, "account:read", std::time::Duration::from_secs(60)).await;
    assert_eq!(ada.with_token(&short).get("/account").await.status, 200);
    host.clock.advance(std::time::Duration::from_secs(61));
    assert_eq!(ada.with_token(&short).get("/account").await.refusal(), (401, "invalid_token".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_scope_is_named_on_both_doors() {
    let host = Host::start().await;
    let ada = host.customer("account:read").await;
    let refused = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
    assert_eq!(refused.refusal(), (403, "insufficient_scope".to_owned()));
    assert_eq!(refused.json()["error"]["missing_scopes"], json!(["assets:write"]));
    let challenge = refused.headers["www-authenticate"].to_str().expect("ascii");
    assert!(
        challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"assets:write\""),
        "{challenge}"
    );
    let reply = ada
        .tool(
            "service_action_execute",
            json!({ "operation_id": "authors.create", "arguments": {}, "idempotency_key": fresh_key() }),
        )
        .await;
    assert_eq!(reply.status, 403, "{}", reply.body);
    assert!(reply.headers["www-authenticate"].to_str().expect("ascii").contains("insufficient_scope"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_exist_is_404_before_and_after_the_token_is_looked_at() {
    let host = Host::start().await;
    let ada = host.customer("assets:read websites:read").await;
    for path in ["", "/", "/nothing", "/operations", "/operations/a/b"] {
        assert_eq!(ada.get(path).await.refusal(), (404, "route_not_found".to_owned()), "{path}");
        assert_eq!(ada.with_token("nobody").get(path).await.refusal().0, 404, "{path}");
    }
    assert_eq!(ada.read("authors.nothing", json!({})).await.refusal(), (404, "operation_not_found".to_owned()));
    assert_eq!(ada.get("/websites/12345").await.refusal(), (404, "website_not_found".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_is_405_with_what_is_allowed() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    for (method, path, allowed) in [
        (Method::POST, "/account", "GET"),
        (Method::DELETE, "/websites", "GET"),
        (Method::GET, "/feedback", "POST"),
        (Method::GET, "/operations/authors.list", "POST"),
        (Method::PUT, "/openapi.json", "GET"),
    ] {
        let answer = ada.with_token("nobody").send(method, path, &[], None).await;
        assert_eq!(answer.refusal(), (405, "method_not_allowed".to_owned()), "{path}");
        assert!(answer.headers["allow"].to_str().expect("ascii").contains(allowed), "{path}");
    }
    let http = reqwest::Client::new();
    let stream = http.get(&ada.mcp).send().await.expect("an answer");
    assert_eq!(stream.status(), 405);
    assert_eq!(stream.text().await.expect("text"), "Standalone SSE is not enabled");
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_json_is_400_on_both_doors() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    for body in ["{", "[]", "\"text\"", "{\"a\":1,\"a\":2}", "{\"limit\": 1e999}"] {
        let answer = ada.send(Method::POST, "/operations/authors.list", &[], Some(body.to_owned())).await;
        assert_eq!(answer.refusal(), (400, "malformed_request".to_owned()), "{body}");
    }
    let http = reqwest::Client::new();
    let answer = http
        .post(&ada.mcp)
        .bearer_auth(&ada.token)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body("{")
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 400);
    assert_eq!(answer.json::<Value>().await.expect("JSON")["error"]["code"], -32700);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_off_by_each_bound_are_422_with_the_pointer_at_fault() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write websites:read account:read").await;
    let long = "a".repeat(81);
    for (arguments, pointer) in [
        (json!({ "lastname": "L" }), "/firstname"),
        (json!({ "firstname": "", "lastname": "L" }), "/firstname"),
        (json!({ "firstname": long, "lastname": "L" }), "/firstname"),
        (json!({ "firstname": 7, "lastname": "L" }), "/firstname"),
        (json!({ "firstname": "A", "lastname": "L", "status": "gone" }), "/status"),
        (json!({ "firstname": "A", "lastname": "L", "topics": vec!["t"; 21] }), "/topics"),
        (json!({ "firstname": "A", "lastname": "L", "same_as": ["not a url"] }), "/same_as/0"),
        (json!({ "firstname": "A", "lastname": "L", "frist": 1 }), "/frist"),
        (json!({ "firstname": "A", "lastname": "L", "customer_id": "cus_x" }), "/customer_id"),
        (json!({ "firstname": "A", "lastname": "L", "operation_id": "x" }), "/operation_id"),
        (json!({ "firstname": "A", "lastname": "L", "idempotency_key": "12345678" }), "/idempotency_key"),
    ] {
        let answer = ada.run("authors.create", arguments.clone()).await;
        assert_eq!(answer.refusal(), (422, "invalid_arguments".to_owned()), "{arguments}");
        assert_eq!(answer.pointer(), pointer, "{arguments}");
    }
    for limit in [0, 101, -1] {
        let answer = ada.read("authors.list", json!({ "limit": limit })).await;
        assert_eq!((answer.refusal().0, answer.pointer()), (422, "/limit".to_owned()));
    }
    let answer = ada.read("authors.list", json!({ "cursor": "made up" })).await;
    assert_eq!(answer.refusal().0, 422);
    for path in [
        "/websites?limit=0",
        "/websites?limit=51",
        "/websites?limit=x",
        "/capabilities",
        "/capabilities?query=ab",
        "/capabilities?kind=none",
        "/capabilities?query=abc&limit=21",
    ] {
        assert_eq!(ada.get(path).await.refusal(), (422, "invalid_arguments".to_owned()), "{path}");
    }
    let count = ada.read("authors.list", json!({})).await.data()["authors"].as_array().map(Vec::len);
    assert_eq!(count, Some(0), "nothing was written");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mutation_needs_a_key_of_eight_to_two_hundred_printable_characters() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write").await;
    let body = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    let without = ada.read("authors.create", body.clone()).await;
    assert_eq!(without.refusal(), (422, "idempotency_key_required".to_owned()));
    for key in ["1234567", &"k".repeat(201), "12345678\u{7f}"] {
        let Ok(_) = reqwest::header::HeaderValue::from_str(key) else { continue };
        assert_eq!(ada.run_as("authors.create", body.clone(), key).await.refusal().0, 422, "{key:?}");
    }
    for key in ["12345678", &"k".repeat(200)] {
        assert_eq!(ada.run_as("authors.create", body.clone(), key).await.status, 200, "{key:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_of_a_private_address_tells_nothing_about_the_inside() {
    let host = Host::start().await;
    let ada = host.customer("websites:read assets:read assets:write seo:execute seo:audit").await;
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:10.0.0.1]/",
        "http://10.0.0.7:22/",
        "http://0xa000007/",
        "http://167772167/",
        "http://[64:ff9b::a00:7]/",
    ] {
        let answer = ada.read("audit.page.check", json!({ "url": url })).await;
        assert_eq!((answer.refusal(), answer.pointer()), ((422, "url_refused".to_owned()), "/url".to_owned()), "{url}");
    }
    let nowhere = ada.run("websites.create", json!({ "domain": "nowhere.invalid" })).await;
    assert_eq!(nowhere.refusal(), (422, "website_unreachable".to_owned()));
}

/// The same refusals, whoever asks for what belongs to somebody else.
#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_another_customer_does_not_exist() {
    let host = Host::start().await;
    let ada = host.customer("assets:read assets:write destructive:execute").await;
    let eve: Customer = host.customer("assets:read assets:write destructive:execute").await;
    let made = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    let author = json!({ "author_ref": made["author_ref"] });
    assert_eq!(eve.read("authors.get", author.clone()).await.refusal(), (404, "author_not_found".to_owned()));
    assert_eq!(eve.run("authors.delete", author.clone()).await.refusal(), (404, "author_not_found".to_owned()));
    assert_eq!(ada.read("authors.get", author).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lacks_a_scope_is_in_the_trail_whichever_door_was_tried() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    let author = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    assert_eq!(ada.run("authors.create", author.clone()).await.status, 403);
    let arguments =
        json!({ "operation_id": "authors.create", "arguments": author, "idempotency_key": "a-key-of-mine" });
    assert_eq!(ada.tool("service_action_execute", arguments).await.status, 403);
    assert_eq!(ada.get("/account").await.status, 403);
    let id = model::id::CustomerId::from(ada.id.as_str());
    let lines = host.service.core.store().trail.audit_lines(&id, None, 10).await.expect("readable");
    let refused: Vec<_> = lines
        .iter()
        .filter(|line| line.audit.outcome == "insufficient_scope")
        .map(|line| (line.audit.event.as_str(), line.audit.subject.as_str()))
        .collect();
    let denied = "operation.refused";
    assert_eq!(refused, [(denied, "account.get"), (denied, "authors.create"), (denied, "authors.create")]);
}
