//! An agent can afford to read the catalog: every answer keeps its budget of tokens, counted as four bytes of the answer
//! each, and what does not fit follows by cursor and is lost nowhere.

use serde_json::{Map, Value, json};
use service::capabilities::budget;
use tests::customer::Customer;
use tests::goals::{goals, query};
use tests::host::{Host, wide};

const EVERY_SCOPE: &str = "account:read websites:read seo:audit assets:read assets:write seo:analyze seo:execute \
                           connections:manage billing:read billing:manage domains:manage outreach:send \
                           destructive:execute";

async fn rich(host: &Host, scopes: &str) -> Customer {
    let customer = host.customer(scopes).await;
    host.buy_points(&customer, 5).await;
    customer
}

/// Tokens of an answer of REST.
fn tokens(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(budget::TOKEN)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_tools_keeps_its_budget() {
    let host = Host::start().await;
    let ada = host.customer("assets:read").await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let reply = ada.rpc(&[("mcp-protocol-version", "2025-11-25")], message).await;
    assert_eq!(reply.body["result"]["tools"].as_array().map(Vec::len), Some(9), "{}", reply.body);
    let spent = tokens(reply.body["result"].to_string().as_bytes());
    assert!(spent <= budget::TOOLS, "{spent} tokens");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_of_the_search_keeps_its_budget() {
    let host = Host::start_with(|options| options.rates(wide())).await;
    let generation = host.service.core.catalog().current();
    let mut questions: Vec<String> = goals("tuning").into_iter().map(|wanted| query(&wanted.goal)).collect();
    questions.extend(generation.operations().map(|operation| query(&operation.contract.summary)));
    questions.extend(generation.operations().filter_map(|operation| operation.contract.phrasings.first().cloned()));
    questions.extend(["zzyzx qwrtp".to_owned(), "é".repeat(160), "page ".repeat(32), "\"\\\"\\".repeat(40)]);
    let mut paths: Vec<String> = questions
        .iter()
        .map(|question| url::form_urlencoded::byte_serialize(question.as_bytes()).collect::<String>())
        .map(|question| format!("query={question}"))
        .collect();
    paths.extend(["read", "write", "job", "destructive"].map(|kind| format!("kind={kind}")));
    paths.extend(["account", "audit", "crawl", "nothing"].map(|module| format!("module={module}")));
    for scopes in [EVERY_SCOPE, "assets:read"] {
        let customer = rich(&host, scopes).await;
        for path in &paths {
            let answer = customer.get(&format!("/capabilities?{path}&limit=20")).await;
            assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
            assert!(tokens(&answer.bytes) <= budget::SEARCH, "{path}: {} tokens", tokens(&answer.bytes));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_contract_keeps_its_budget_and_its_pages_together_are_the_whole_of_it() {
    let host = Host::start_with(|options| options.rates(wide())).await;
    let ada = rich(&host, EVERY_SCOPE).await;
    let intent = ada.get("/capabilities?kind=read").await.data()["intent_ref"].as_str().expect("one").to_owned();
    let mut in_pages = Vec::new();
    for operation in host.service.core.catalog().current().operations() {
        let contract = &operation.contract;
        let path = format!("/capabilities/{}?intent_ref={intent}", contract.id);
        let first = ada.get(&path).await;
        assert!(tokens(&first.bytes) <= budget::CONTRACT, "{}: {} tokens", contract.id, tokens(&first.bytes));
        let first = first.data();
        assert_eq!(
            first["arguments"], contract.arguments,
            "{}: the arguments are whole on the first page",
            contract.id
        );
        let mut definitions = Map::new();
        let mut next = first["next_cursor"].as_str().map(str::to_owned);
        assert_eq!(next.is_some(), first["rest"].is_string(), "{}", contract.id);
        while let Some(cursor) = next {
            let page = ada.get(&format!("{path}&cursor={cursor}")).await;
            assert!(tokens(&page.bytes) <= budget::CONTRACT, "{}: {} tokens", contract.id, tokens(&page.bytes));
            let page = page.data();
            assert_eq!(page["contract_digest"], first["contract_digest"]);
            let more = page["result"]["$defs"].as_object().expect("definitions").clone();
            assert!(!more.is_empty(), "{}: an empty page", contract.id);
            definitions.extend(more);
            next = page["next_cursor"].as_str().map(str::to_owned);
        }
        if !definitions.is_empty() {
            in_pages.push(contract.id.clone());
        }
        assert_eq!(resolved(&first["result"], &definitions), contract.result, "{}", contract.id);
    }
    assert!(in_pages.contains(&"crawl.page.get".to_owned()), "none is long enough to try it: {in_pages:?}");
}

fn resolved(schema: &Value, definitions: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(members) => match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let name = reference.strip_prefix("#/$defs/").expect("ours");
                resolved(&definitions[name], definitions)
            }
            None => {
                let inner = members.iter().map(|(name, value)| (name.clone(), resolved(value, definitions)));
                Value::Object(inner.collect())
            }
        },
        Value::Array(items) => Value::Array(items.iter().map(|item| resolved(item, definitions)).collect()),
        plain => plain.clone(),
    }
}
