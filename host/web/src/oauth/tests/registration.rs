//! R1, R7 and R9 over HTTP; R2 to R8 are beside the rules in `service`.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;
use service::oauth::client_document::{
    ClientDocuments, Decision, Documents, Failure, Fetch, Fetched, Fetching, Verdict,
};

use super::*;

fn metadata(name: &str) -> String {
    json!({ "client_name": name, "redirect_uris": [BACK], "unknown": 1 }).to_string()
}

#[tokio::test]
async fn r1_a_registration_is_answered_with_an_id_and_without_a_secret() {
    let world = World::new().await;
    let answer = world.post_json("/oauth/register", &metadata("Agent")).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    let body = answer.json();
    assert!(body["client_id"].as_str().unwrap().starts_with("cli_"));
    assert_eq!(body["client_id_issued_at"], 1_790_000_000);
    assert_eq!(body["redirect_uris"], json!([BACK]));
    assert_eq!(body["grant_types"], json!(["authorization_code", "refresh_token"]));
    for absent in ["client_secret", "registration_client_uri", "registration_access_token", "unknown"] {
        assert!(body.get(absent).is_none(), "{absent}");
    }
}

#[tokio::test]
async fn r7_a_registration_that_is_not_json_or_too_large_is_refused() {
    let world = World::new().await;
    let form = world.post_form("/oauth/register", &[("client_name", "x")]).await;
    form.expect_error(StatusCode::BAD_REQUEST, "invalid_client_metadata");
    let broken = world.post_json("/oauth/register", "{").await;
    broken.expect_error(StatusCode::BAD_REQUEST, "invalid_client_metadata");
    let large = world.post_json("/oauth/register", &metadata(&"n".repeat(70_000))).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(world.get("/oauth/register").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn r9_the_same_metadata_is_the_same_client() {
    let world = World::new().await;
    let first = world.register("Agent").await;
    assert_eq!(world.register("Agent").await, first);
    assert_ne!(world.register("Other").await, first);
}

#[tokio::test]
async fn r9_a_client_that_nobody_uses_is_gone_after_a_day() {
    let world = World::new().await;
    let unused = world.register("Unused").await;
    let used = world.register("Used").await;
    world.tokens(&used, "account:read").await;
    world.wait(24 * 60 * 60 + 1);
    world.authority.sweep().await.unwrap();
    assert_eq!(world.get(&authorize(&unused, &[])).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(world.get(&authorize(&used, &[])).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn r9_too_many_registrations_from_one_address_have_to_wait() {
    let world = World::new().await;
    for n in 0..60 {
        assert_eq!(world.post_json("/oauth/register", &metadata(&format!("n{n}"))).await.status, StatusCode::CREATED);
    }
    let answer = world.post_json("/oauth/register", &metadata("one more")).await;
    answer.expect_error(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 3_000);
    let known = world.post_json("/oauth/register", &metadata("n7")).await;
    assert_eq!(known.status, StatusCode::CREATED, "to register the same again makes nothing and needs no room");
    world.wait(60 * 60);
    assert_eq!(world.post_json("/oauth/register", &metadata("one more")).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn r9_the_many_networks_of_one_site_may_register_a_few_times_what_one_may() {
    let world = World::limited(Rates { registration: 3, ..Rates::default() }).await;
    let register = async |address: std::net::IpAddr, name: &str| {
        let request = Request::post("/oauth/register").header(CONTENT_TYPE, "application/json");
        let mut request = request.body(Body::from(metadata(name))).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 4711))));
        world.send(request).await.status
    };
    for n in 0..12_u16 {
        let network = std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, n, 0, 0, 0, 1);
        assert_eq!(register(network.into(), &format!("n{n}")).await, StatusCode::CREATED);
    }
    let network = std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, 0xff, 0, 0, 0, 1);
    assert_eq!(register(network.into(), "one more").await, StatusCode::TOO_MANY_REQUESTS);
    let other = std::net::Ipv6Addr::new(0x2001, 0xdb8, 2, 0, 0, 0, 0, 1);
    assert_eq!(register(other.into(), "elsewhere").await, StatusCode::CREATED);
}

#[tokio::test]
async fn r9_all_addresses_together_have_a_ceiling_in_a_day() {
    let world = World::limited(Rates { registration: 1_000, registrations: 12, ..Rates::default() }).await;
    for n in 0..12 {
        assert_eq!(world.post_json("/oauth/register", &metadata(&format!("n{n}"))).await.status, StatusCode::CREATED);
    }
    let answer = world.post_json("/oauth/register", &metadata("one more")).await;
    answer.expect_error(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable");
    assert_eq!(answer.header("ratelimit-policy"), "\"registration\";q=12;w=86400");
    world.wait(24 * 60 * 60);
    assert_eq!(world.post_json("/oauth/register", &metadata("one more")).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn r9_a_client_goes_when_its_last_grant_has_ended_and_a_day_is_over() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "account:read").await;
    world.wait(20 * 24 * 60 * 60);
    world.authority.sweep().await.unwrap();
    assert_eq!(world.get(&authorize(&client, &[])).await.status, StatusCode::SEE_OTHER, "its refresh token lives");
    world.post_form("/oauth/revoke", &[("token", &pair.refresh), ("client_id", &client)]).await;
    world.authority.sweep().await.unwrap();
    assert_eq!(world.get(&authorize(&client, &[])).await.status, StatusCode::BAD_REQUEST);
}

/// Serves the document of one client at whatever address is asked.
struct Described;

impl Documents for Described {
    fn fetch<'a>(&'a self, request: Fetch, _: &'a mut Vec<Decision>) -> Fetching<'a> {
        let document = json!({ "client_id": request.url, "client_name": "Described", "redirect_uris": [BACK] });
        let page = Fetched {
            status: 200,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: document.to_string().into_bytes(),
            ..Default::default()
        };
        Box::pin(async { Ok(page) })
    }
}

#[tokio::test]
async fn v7_a_client_that_is_described_by_a_document_connects_without_registering() {
    let documents = Some(ClientDocuments::new(Described));
    let world = World::made(1_000, Config { client_documents: documents, ..config(ISSUER) }).await;
    let metadata = world.get("/.well-known/oauth-authorization-server").await.json();
    assert_eq!(metadata["client_id_metadata_document_supported"], true);
    let client = "https://agent.example/client.json";
    let pair = world.tokens(client, "account:read").await;
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    let next = Pair::read(&world.refresh(client, &pair.refresh).await);
    assert_eq!(world.bearer(&next.access).await, Ok(()));
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let page = browser.get(&authorize(client, &[])).await;
    assert!(page.text.contains("Described (agent.example)"), "{}", page.text);
}

/// Nobody may be asked.
struct Refusing;

impl Documents for Refusing {
    fn fetch<'a>(&'a self, _: Fetch, trail: &'a mut Vec<Decision>) -> Fetching<'a> {
        let verdict = Verdict::Address("private");
        let address = Some([10, 0, 0, 7].into());
        trail.push(Decision { host: "agent.example".to_owned(), port: 443, address, verdict, line: None });
        Box::pin(async { Err(Failure::Refused) })
    }
}

#[tokio::test]
async fn v7_an_address_that_the_guard_refuses_is_in_the_trail_of_the_host_with_its_name_committed() {
    let documents = Some(ClientDocuments::new(Refusing));
    let world = World::made(1_000, Config { client_documents: documents, ..config(ISSUER) }).await;
    let answer = world.get(&authorize("https://agent.example/client.json", &[])).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let (store, host) = (world.authority.store(), model::id::CustomerId::from("host"));
    let lines = store.trail.audit_lines(&host, None, 10).await.unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line = &lines[0].audit;
    assert_eq!((line.event.as_str(), line.outcome.as_str()), ("egress.refused", "address"));
    assert_eq!((&line.detail["port"], &line.detail["address"]), (&json!(443), &json!("10.0.0.7")));
    let committed = line.detail["host"].as_str().unwrap();
    assert_eq!(store.trail.disclosed(&host, committed).await.unwrap().as_deref(), Some("agent.example"));
    assert_eq!(store.trail.verify_audit().await.unwrap(), []);
}

#[tokio::test]
async fn v7_it_is_off_unless_the_operator_turns_it_on() {
    let world = World::new().await;
    let client = "https://agent.example/client.json";
    assert_eq!(world.get(&authorize(client, &[])).await.status, StatusCode::BAD_REQUEST);
    world.refresh(client, "esp_rt_x").await.expect_error(StatusCode::UNAUTHORIZED, "invalid_client");
}
