//! Both doors refuse in the same words: each code of the table is provoked over REST and over MCP, or it is said why not.

use std::collections::BTreeSet;
use std::path::Path;

use model::budget::{Budget, BudgetScope, Unit};
use model::clock::Clock as _;
use model::id::CustomerId;
use model::refusal::codes::{self, ALL, Code, Doors};
use reqwest::Method;
use serde_json::{Value, json};
use service::config::Rates;
use tests::customer::{Answer, Customer, fresh_key};
use tests::host::{Host, wide};
use tests::mcp::Reply;

/// What needs a fault of the machine, a race or a provider; each is provoked where its name stands.
const ELSEWHERE: [(Code, &str); 11] = [
    (codes::IDEMPOTENCY_IN_PROGRESS, "sends.rs"),
    (codes::OUTCOME_UNKNOWN, "sends.rs"),
    (codes::TOO_MANY_JOBS, "fairness.rs"),
    (codes::TOO_MUCH_AT_ONCE, "replay.rs"),
    (codes::TOO_MANY_RUNNING, "the sandbox's own tests of its queue"),
    (codes::INTERNAL_ERROR, "nothing that a caller can send makes it"),
    (codes::OPERATION_FAILED, "the sandbox's own tests of its traps"),
    (codes::UNAVAILABLE, "fail_closed.rs"),
    (codes::OPERATION_RESTING, "the sandbox's own tests of its breaker"),
    (codes::CONTENTION, "the races program"),
    (codes::CONNECTIONS_LOCKED, "keys.rs"),
];

/// What was seen of each code.
#[derive(Default)]
struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Both were refused with this code, and in the same words; seconds may have passed between them.
    #[track_caller]
    fn both(&mut self, code: &Code, rest: &Answer, mcp: &Reply) {
        let (rest, mcp) = (rest.json()["error"].clone(), error(mcp));
        assert_eq!(rest["code"], code.name, "{rest}");
        assert_eq!(without_seconds(&rest), without_seconds(&mcp), "{}", code.name);
        for member in rest.as_object().expect("an object").keys() {
            let known = ["code", "message"].contains(&member.as_str()) || code.members.contains(&member.as_str());
            assert!(known, "{} has the member {member}, which the table does not name", code.name);
        }
        assert_eq!(code.doors, Doors::Both, "{}", code.name);
        self.0.insert(code.name);
    }

    #[track_caller]
    fn one(&mut self, code: &Code, door: Doors, error: &Value) {
        assert_eq!((error["code"].as_str(), code.doors), (Some(code.name), door), "{error}");
        self.0.insert(code.name);
    }
}

/// The refusal in an answer over MCP: in the text of a result, in the data of a JSON-RPC error, or the body itself.
fn error(reply: &Reply) -> Value {
    let texts = reply.body["result"]["content"].as_array();
    let text = texts.and_then(|it| it.last()).and_then(|it| it["text"].as_str());
    let envelope = match text {
        Some(text) => serde_json::from_str(text).expect("an envelope"),
        None if reply.body["error"]["data"].is_object() => reply.body["error"]["data"].clone(),
        None => reply.body.clone(),
    };
    envelope["error"].clone()
}

fn without_seconds(error: &Value) -> String {
    let text = error.to_string();
    match text.split_once("; wait ") {
        Some((before, after)) => format!("{before}; wait {}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => text,
    }
}

fn author() -> Value {
    json!({ "firstname": "Ada", "lastname": "Lovelace" })
}

impl Seen {
    /// An operation over both doors, each time under the same key.
    async fn execute(&mut self, code: &Code, who: &Customer, operation: &str, arguments: Value, key: Option<&str>) {
        let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
        let path = format!("/operations/{operation}");
        let rest = who.send(Method::POST, &path, &headers, Some(arguments.to_string())).await;
        let mut call = json!({ "operation_id": operation, "arguments": arguments });
        if let Some(key) = key {
            call["idempotency_key"] = json!(key);
        }
        self.both(code, &rest, &who.tool("service_action_execute", call).await);
    }

    /// A question about usage over both doors.
    async fn usage(&mut self, code: &Code, who: &Customer) {
        self.both(code, &who.get("/usage").await, &who.tool("service_mcp_usage_get", json!({})).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_code_is_the_same_in_every_word_over_rest_and_over_mcp() {
    let shop = demo::serve(([127, 0, 0, 1], 0).into()).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        options.rates(Rates { feedback: 1, ..wide() });
        options.map(demo::HOST, shop);
        options.off("ux_signals.viral");
    })
    .await;
    let ada = host.customer("account:read websites:read seo:audit assets:read assets:write seo:execute").await;
    let mut seen = Seen::default();
    who_asks(&host, &ada, &mut seen).await;
    what_is_asked(&ada, &mut seen).await;
    keys_and_contracts(&ada, &mut seen).await;
    what_it_costs(&host, &ada, &mut seen).await;

    let record = json!({ "category": "missing_capability", "completion_state": "blocked", "intent": "Compare prices" });
    ada.post("/feedback", record.clone()).await.data();
    let rest = ada.post("/feedback", record.clone()).await;
    seen.both(&codes::RATE_LIMITED, &rest, &ada.tool("service_feedback_submit", record).await);

    host.clock.set_back(std::time::Duration::from_secs(3_600));
    seen.execute(&codes::CLOCK_REGRESSED, &ada, "authors.list", json!({}), None).await;

    seen.0.extend(ELSEWHERE.iter().map(|(code, _)| code.name));
    seen.0.insert(codes::LEDGER_INCONSISTENT.name);
    let reachable = ALL.iter().filter(|code| !matches!(code.doors, Doors::Upload | Doors::Inside));
    let missed: Vec<&str> = reachable.map(|code| code.name).filter(|name| !seen.0.contains(name)).collect();
    assert!(missed.is_empty(), "nobody provokes {missed:?}");
}

async fn who_asks(host: &Host, ada: &Customer, seen: &mut Seen) {
    let in_address = Customer::with(&ada.id, &ada.token, &ada.rest, &format!("{}?access_token=x", ada.mcp));
    let rest = in_address.get("/usage?access_token=x").await;
    seen.both(&codes::MALFORMED_REQUEST, &rest, &in_address.tool("service_mcp_usage_get", json!({})).await);
    seen.usage(&codes::UNAUTHENTICATED, &ada.with_token("")).await;
    seen.usage(&codes::INVALID_TOKEN, &ada.with_token("esp_at_no")).await;
    let narrow = ada.with_token(&host.token_for(ada, "assets:read", std::time::Duration::from_secs(60)).await);
    seen.usage(&codes::INSUFFICIENT_SCOPE, &narrow).await;
    seen.execute(&codes::INSUFFICIENT_SCOPE, &narrow, "authors.create", author(), Some("refusals-scope-1")).await;
    let pause = json!({ "campaign_ref": "camp_any", "paused": true });
    seen.execute(&codes::OPERATION_OFF, ada, "ux_signals.viral.campaign.pause", pause, Some("refusals-off-1")).await;

    let bob = host.customer("account:read").await;
    host.service.core.authority().deactivate(&CustomerId::from(bob.id.as_str())).await.expect("deactivated");
    seen.usage(&codes::ACCESS_INACTIVE, &bob).await;

    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let strange = ada.rpc(&[("origin", "https://evil.example")], ping).await;
    seen.one(&codes::ORIGIN_NOT_ALLOWED, Doors::Mcp, &error(&strange));
}

async fn what_is_asked(ada: &Customer, seen: &mut Seen) {
    let nowhere = ada.get("/nothing").await.json()["error"].clone();
    seen.one(&codes::ROUTE_NOT_FOUND, Doors::Rest, &nowhere);
    seen.execute(&codes::OPERATION_NOT_FOUND, ada, "authors.fly", json!({}), None).await;
    let origin = ada.rest.trim_end_matches("/v1");
    let door = async |method: Method, path: &str, headers: &[(&str, &str)]| {
        let answer = ada.at(origin).send(method, path, headers, None).await;
        Reply { status: answer.status, headers: answer.headers.clone(), body: answer.json() }
    };
    let rest = ada.send(Method::PUT, "/feedback", &[], None).await;
    seen.both(&codes::METHOD_NOT_ALLOWED, &rest, &door(Method::PUT, "/mcp", &[]).await);
    let plain = [("content-type", "text/plain")];
    let rest = ada.send(Method::POST, "/feedback", &plain, None).await;
    seen.both(&codes::UNSUPPORTED_MEDIA_TYPE, &rest, &door(Method::POST, "/mcp", &plain).await);

    let long = "x".repeat(600 * 1024);
    let rest = ada.post("/feedback", json!({ "message": long })).await;
    let mcp = ada.rpc(&[], json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "long": long } })).await;
    seen.both(&codes::BODY_TOO_LARGE, &rest, &mcp);
    let long = json!({ "url": "http://shop.example/", "note": "x".repeat(300 * 1024) });
    let rest = ada.post("/seo/audits", long.clone()).await;
    seen.both(&codes::ARGUMENTS_TOO_LARGE, &rest, &ada.tool("service_seo_opportunities_analyze", long).await);

    for wrong in [json!({ "limit": 0 }), json!({ "limits": 3 }), json!({ "limit": "3" }), json!({ "status": "asleep" })]
    {
        seen.execute(&codes::INVALID_ARGUMENTS, ada, "authors.list", wrong, None).await;
    }
    let rest = ada.get("/websites?limit=0").await;
    seen.both(&codes::INVALID_ARGUMENTS, &rest, &ada.tool("service_websites_list", json!({ "limit": 0 })).await);
    let rest = ada.get("/capabilities").await;
    seen.both(&codes::INVALID_ARGUMENTS, &rest, &ada.tool("service_capabilities_search", json!({})).await);
}

async fn keys_and_contracts(ada: &Customer, seen: &mut Seen) {
    seen.execute(&codes::IDEMPOTENCY_KEY_REQUIRED, ada, "authors.create", author(), None).await;
    let key = fresh_key();
    ada.run_as("authors.create", author(), &key).await.data();
    let other = json!({ "firstname": "Grace", "lastname": "Hopper" });
    seen.execute(&codes::IDEMPOTENCY_KEY_CONFLICT, ada, "authors.create", other, Some(&key)).await;

    let digest = format!("sha256:{}", "0".repeat(64));
    let headers = [("service-contract-digest", digest.as_str())];
    let rest = ada.send(Method::POST, "/operations/authors.list", &headers, Some("{}".to_owned())).await;
    let call = json!({ "operation_id": "authors.list", "contract_digest": digest });
    seen.both(&codes::CONTRACT_CHANGED, &rest, &ada.tool("service_action_execute", call).await);
}

async fn what_it_costs(host: &Host, ada: &Customer, seen: &mut Seen) {
    let site = ada.run("websites.create", json!({ "domain": demo::HOST })).await.data()["site_id"].clone();
    let many = json!({ "site_id": site, "max_pages": 10_000 });
    seen.execute(&codes::POINTS_EXHAUSTED, ada, "crawl.run.start", many.clone(), Some("refusals-points-1")).await;

    host.buy_points(ada, 95).await;
    seen.execute(&codes::CREDITS_EXHAUSTED, ada, "crawl.run.start", many, Some("refusals-credits-1")).await;

    let id = CustomerId::from(ada.id.as_str());
    let (scope, target) = (BudgetScope::Module, "authors".to_owned());
    let budget = Budget { scope, target, unit: Unit::Points, daily: Some(1), monthly: None };
    host.service.core.store().money.set_budget(&id, budget, host.clock.now()).await.expect("set");
    seen.execute(&codes::BUDGET_EXHAUSTED, ada, "authors.create", author(), Some("refusals-budget-1")).await;
}

/// The lines under a folder, beside the tests, that make a refusal without the table.
fn outside_the_table(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "tests" {
            outside_the_table(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            let lines = text.lines().filter(|line| line.contains("Refusal::new("));
            found.extend(lines.map(|line| line.trim().to_owned()));
        }
    }
}

#[test]
fn only_what_a_module_says_is_refused_without_the_table() {
    let mut found = Vec::new();
    outside_the_table(&Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("host"), &mut found);
    assert_eq!(found, ["let mut refusal = Refusal::new(class, fault.code, legible(&fault.message));"]);
}
