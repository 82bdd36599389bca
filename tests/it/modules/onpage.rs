//! The onpage module in its real sandbox, on the demo shop: each operation over REST, a good part over MCP too.

use serde_json::{Value, json};
use simulators::{Fault, Seed, World};
use tests::customer::{Customer, fresh_key};
use tests::host::Host;
use tests::patience::tries;

const SCOPES: &str = "websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage";
const PAGE: &str = "http://shop.example/blog/how-to-clean-brass";
const LAMP: &str = "http://shop.example/products/lamp-1";
const CHAT: &str = "/chat/completions";

/// A host beside the demo shop, and a customer of it.
async fn shop() -> (Host, Customer) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    (host, ada)
}

/// A post of the demo shop.
fn post() -> String {
    let listed = demo::pages().iter().find(|it| it.path.starts_with("/blog/") && it.path.matches('/').count() == 2);
    listed.map_or_else(|| PAGE.to_owned(), |it| format!("http://shop.example{}", it.path))
}

/// The reads of the module with arguments, and a member of each result that must hold something.
fn reads() -> Vec<(&'static str, Value, &'static str)> {
    let (page, text) = (post(), "Brass lamps last. Ada Lovelace cleaned one in London, and it was used for years.");
    vec![
        ("onpage.page.score", json!({ "url": page, "keyword": "lamp" }), "checks"),
        ("onpage.page.compare", json!({ "url": page, "competitors": [LAMP] }), "table"),
        ("onpage.snippet.preview", json!({ "title": "Lamps", "url": page }), "preview"),
        ("onpage.title.suggest", json!({ "url": page, "keyword": "lamp" }), "titles"),
        ("onpage.description.suggest", json!({ "url": page, "keyword": "lamp" }), "descriptions"),
        ("onpage.heading.outline", json!({ "url": page }), "outline"),
        ("onpage.content.extract", json!({ "url": page }), "content"),
        ("onpage.readability.score", json!({ "text": text }), "scores"),
        ("onpage.language.detect", json!({ "url": page }), "language"),
        ("onpage.keyword.usage", json!({ "url": page, "keywords": ["lamp"] }), "rows"),
        ("onpage.term.extract", json!({ "url": page }), "terms"),
        ("onpage.entity.extract", json!({ "text": text }), "entities"),
        ("onpage.image.check", json!({ "url": LAMP, "max_images": 5 }), "images"),
        ("onpage.alt_text.suggest", json!({ "url": LAMP }), "suggestions"),
        ("onpage.social.preview", json!({ "url": page }), "open_graph"),
        ("onpage.link.check", json!({ "url": page, "max_links": 10 }), "links"),
        ("onpage.similarity.compare", json!({ "a": text, "b": text }), "verdict"),
        ("onpage.markup.validate", json!({ "url": page }), "bytes"),
        ("onpage.render_risk.check", json!({ "url": page }), "risk"),
        ("onpage.eeat.check", json!({ "url": page }), "evidence"),
        ("onpage.date.extract", json!({ "url": page }), "candidates"),
    ]
}

fn holds(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::String(text) => !text.is_empty(),
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Every action anywhere in a result.
fn actions(value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(arguments)) = (members.get("operation_id"), members.get("arguments"))
            {
                out.push((id.clone(), arguments.clone()));
            }
            members.values().for_each(|it| actions(it, out));
        }
        Value::Array(items) => items.iter().for_each(|it| actions(it, out)),
        _ => {}
    }
}

async fn over_mcp(ada: &Customer, operation: &str, arguments: &Value) -> Value {
    let call = json!({ "operation_id": operation, "arguments": arguments, "idempotency_key": fresh_key() });
    ada.tool("service_action_execute", call).await.data()
}

async fn connected(ada: &Customer, world: &World) -> Value {
    let llm = &world.llm;
    let arguments = json!({
        "kind": "llm", "name": "a model", "endpoint": llm.url(), "credentials": llm.credentials(), "test": false,
    });
    ada.run("connections.add", arguments).await.data()["connection_ref"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_answers_over_both_doors_and_every_action_that_it_names_is_taken() {
    let (host, ada) = shop().await;
    let mut named = Vec::new();
    for (operation, arguments, member) in reads() {
        let answer = ada.read(operation, arguments.clone()).await;
        assert_eq!(answer.status, 200, "{operation}");
        let rest = answer.data();
        assert!(holds(&rest[member]), "{operation}: {rest}");
        let mcp = over_mcp(&ada, operation, &arguments).await;
        assert_eq!(rest[member].is_array(), mcp[member].is_array(), "{operation}");
        assert!(holds(&mcp[member]), "{operation}: {mcp}");
        actions(&rest, &mut named);
    }
    named.sort_by_key(|it| format!("{} {}", it.0, it.1));
    named.dedup();
    let mut taken = 0;
    for (operation, arguments) in named {
        let contract = ada.get(&format!("/capabilities/{operation}")).await;
        // What another module will do is checked against the table of operations where that module stands.
        if contract.status != 200 {
            continue;
        }
        let schema = contract.data()["arguments"].clone();
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        assert!(validator.is_valid(&arguments), "{operation} does not take {arguments}");
        taken += 1;
    }
    assert!(taken >= 5, "{taken}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_are_compared_in_a_job_whose_result_the_same_question_reads() {
    let (host, ada) = shop().await;
    let others: Vec<String> = (2..6).map(|nth| format!("http://shop.example/products/lamp-{nth}")).collect();
    let question = json!({ "url": post(), "keyword": "brass lamp", "competitors": others });
    let started = ada.run("onpage.term_gap.analyze", question.clone()).await.data();
    assert_eq!(started["state"], "queued", "{started}");
    let mut done = started.clone();
    for _ in tries(120) {
        if !matches!(done["state"].as_str(), Some("queued" | "running")) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        done = over_mcp(&ada, "onpage.term_gap.analyze", &question).await;
    }
    assert_eq!((&done["state"], &done["job_ref"]), (&json!("succeeded"), &started["job_ref"]), "{done}");
    assert_eq!(done["compared"].as_array().map(Vec::len), Some(4), "{done}");
    assert!(holds(&done["missing"]), "{done}");
    let unconnected = json!({ "url": post(), "keyword": "brass lamp" });
    let refused = ada.run("onpage.term_gap.analyze", unconnected).await;
    assert_eq!(refused.refusal(), (422, "connection_required".to_owned()));
    assert_eq!(refused.pointer(), "/competitors");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_model_is_asked_as_it_documents_and_only_when_it_is_connected() {
    let (host, ada) = shop().await;
    let world = simulators::start(Seed(7)).await.expect("providers");
    let asking = [
        ("onpage.title.suggest", json!({ "url": post(), "keyword": "lamp", "use_llm": true })),
        ("onpage.description.suggest", json!({ "url": post(), "use_llm": true })),
        ("onpage.entity.extract", json!({ "text": "Ada Lovelace lived in London.", "use_llm": true })),
        ("onpage.alt_text.suggest", json!({ "url": LAMP, "use_llm": true })),
    ];
    for (operation, arguments) in &asking {
        let refused = ada.read(operation, arguments.clone()).await;
        assert_eq!(refused.refusal(), (422, "connection_required".to_owned()), "{operation}");
        assert_eq!(refused.pointer(), "/use_llm", "{operation}");
        let detail = refused.json()["error"].to_string();
        assert!(detail.contains("connections.add") && detail.contains("min_permissions"), "{detail}");
    }
    connected(&ada, &world).await;
    for (operation, arguments) in &asking {
        let before = world.llm.requests().len();
        let rest = ada.read(operation, arguments.clone()).await.data();
        let asked: Vec<String> = world.llm.requests()[before..].iter().map(|it| it.path.clone()).collect();
        assert!(asked.contains(&"/models".to_owned()) && asked.contains(&CHAT.to_owned()), "{operation} {asked:?}");
        assert!(rest["source"] == "llm" && rest["model"] == "gpt-5-mini" || operation.contains("entity"), "{rest}");
        let mcp = over_mcp(&ada, operation, arguments).await;
        assert_eq!(mcp["page"]["url"], rest["page"]["url"], "{operation}");
    }
    world.llm.fault_on(CHAT, Fault::RateLimited, None);
    let (operation, arguments) = &asking[0];
    assert_eq!(ada.read(operation, arguments.clone()).await.refusal(), (503, "provider_quota_exhausted".to_owned()));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_of_somebody_else_does_not_exist() {
    let (host, ada) = shop().await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let eve = host.customer(SCOPES).await;
    for (operation, mut arguments) in [
        ("onpage.page.score", json!({ "url": post(), "keyword": "lamp" })),
        ("onpage.heading.outline", json!({ "url": post() })),
        ("onpage.term.extract", json!({ "url": post() })),
        ("onpage.eeat.check", json!({ "url": post() })),
    ] {
        arguments["site_id"] = site.clone();
        let refused = eve.read(operation, arguments.clone()).await;
        assert_eq!(refused.refusal(), (404, "website_not_found".to_owned()), "{operation}");
        let call = json!({ "operation_id": operation, "arguments": arguments });
        assert_eq!(eve.tool("service_action_execute", call).await.refusal(), "website_not_found", "{operation}");
    }
}

#[test]
fn both_revisions_list_every_operation_of_the_module() {
    let table = include_str!("../../../catalog/operations.tsv");
    let wanted: Vec<&str> =
        table.lines().filter_map(|line| line.split('\t').next()).filter(|it| it.starts_with("onpage.")).collect();
    assert_eq!(wanted.len(), 22);
    for lock in [
        include_str!("../../../catalog/2026-08-15/onpage.toml"),
        include_str!("../../../catalog/2026-09-28/onpage.toml"),
    ] {
        for id in &wanted {
            assert!(lock.contains(&format!("[operations.\"{id}\"]")), "{id}");
        }
    }
}
