//! Accounts at every kind of provider, through both doors: added, tested, and what is said of each way in which a
//! provider can fail.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tests::customer::{Customer, fresh_key};
use tests::host::Host;

const SCOPES: &str = "account:read assets:read connections:manage";

async fn scene() -> (Host, Customer, World) {
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 100).await;
    let world = simulators::start(Seed(1)).await.expect("providers");
    (host, ada, world)
}

/// The kinds whose credential is entered and whose providers are here.
fn providers(world: &World) -> Vec<(&'static str, Simulator)> {
    vec![
        ("wordpress", world.wordpress.clone()),
        ("pagespeed", world.google.clone()),
        ("bing_webmaster", world.bing_webmaster.clone()),
        ("dataforseo", world.dataforseo.clone()),
        ("llm", world.llm.clone()),
        ("jmap", world.jmap.clone()),
        ("cloudflare", world.cloudflare.clone()),
        ("powerdns", world.powerdns.clone()),
        ("name_com", world.name_com.clone()),
        ("porkbun", world.porkbun.clone()),
        ("fulfilment", world.fulfilment.clone()),
    ]
}

fn entered(kind: &str, provider: &Simulator) -> Value {
    let credentials = match kind {
        // They know other ways too.
        "pagespeed" | "bing_webmaster" => json!({ "api_key": provider.credentials()["api_key"] }),
        _ => provider.credentials(),
    };
    json!({ "kind": kind, "name": kind, "endpoint": provider.url(), "credentials": credentials })
}

async fn tested(customer: &Customer, connection: &Value) -> Value {
    customer.run("connections.test", json!({ "connection_ref": connection })).await.data()
}

async fn state(customer: &Customer, connection: &Value) -> Value {
    let listed = customer.read("connections.list", json!({})).await.data();
    let all = listed["connections"].as_array().expect("a list").clone();
    all.into_iter().find(|it| it["connection_ref"] == *connection).expect("it is listed")["state"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_at_each_kind_of_provider_is_added_with_a_test_and_tested_again_through_both_doors() {
    let (_host, ada, world) = scene().await;
    let mut refused = Vec::new();
    for (kind, provider) in providers(&world) {
        let added = ada.run("connections.add", entered(kind, &provider)).await.data();
        let connection = added["connection_ref"].clone();
        let again = tested(&ada, &connection).await;
        let arguments = json!({
            "operation_id": "connections.test",
            "arguments": { "connection_ref": connection },
            "idempotency_key": fresh_key(),
        });
        let by_agent = ada.tool("service_action_execute", arguments).await.data();
        for test in [&added["test"], &again, &by_agent] {
            if test["ok"] != true {
                refused.push(format!("{kind}: {test}"));
            }
        }
        assert_eq!(state(&ada, &connection).await, "ok", "{kind}");
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

/// What a test says of a fault; none: all is well.
fn expected(fault: Fault) -> Option<&'static str> {
    Some(match fault {
        Fault::Timeout | Fault::AnswerLost => "timeout",
        Fault::RateLimited => "quota",
        Fault::ServerError => "provider_error",
        Fault::Truncated | Fault::WrongJson | Fault::NotJson => "malformed_answer",
        Fault::Unauthorized => "expired_credential",
        Fault::ClockSkew => "clock_skew",
        // As long as the answer is.
        Fault::SlowDrip => return None,
    })
}

async fn faults_of(customer: Customer, kind: &'static str, provider: Simulator) -> Vec<String> {
    let mut wrong = Vec::new();
    let arguments = Value::Object(
        entered(kind, &provider)
            .as_object()
            .expect("an object")
            .clone()
            .into_iter()
            .chain([("test".to_owned(), json!(false))])
            .collect(),
    );
    let connection = customer.run("connections.add", arguments).await.data()["connection_ref"].clone();
    for fault in Fault::ALL.into_iter().filter(|fault| *fault != Fault::SlowDrip) {
        provider.fault(fault, 1);
        let said = tested(&customer, &connection).await;
        provider.clear_faults();
        let code = said["error"]["code"].as_str();
        if code != expected(fault) {
            wrong.push(format!("{kind} {fault:?}: {said}"));
        }
        let stands = state(&customer, &connection).await;
        let should = if code == Some("expired_credential") { "expired" } else { "failing" };
        if stands != should {
            wrong.push(format!("{kind} {fault:?}: it is {stands}"));
        }
        let after = tested(&customer, &connection).await;
        if after["ok"] != true || state(&customer, &connection).await != "ok" {
            wrong.push(format!("{kind} after {fault:?}: {after}"));
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_of_each_kind_of_provider_is_said_in_one_word_and_is_over_when_it_is_over() {
    let (host, ada, world) = scene().await;
    let all =
        providers(&world).into_iter().map(|(kind, provider)| tokio::spawn(faults_of(ada.clone(), kind, provider)));
    let mut wrong = Vec::new();
    for kind in all.collect::<Vec<_>>() {
        wrong.extend(kind.await.expect("joined"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let effects: BTreeMap<_, _> = providers(&world).into_iter().map(|(kind, it)| (kind, it.effects().len())).collect();
    assert!(effects.values().all(|count| *count == 0), "a test changes nothing: {effects:?}");
    drop(host);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_customers_connection_is_not_found_by_any_operation() {
    let (host, ada, world) = scene().await;
    let connection = ada.run("connections.add", entered("llm", &world.llm)).await.data()["connection_ref"].clone();
    let eve = host.customer(SCOPES).await;
    host.buy_points(&eve, 10).await;
    let with = |more: Value| {
        let mut arguments = json!({ "connection_ref": connection });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    for (operation, arguments) in [
        ("connections.test", with(json!({}))),
        ("connections.update", with(json!({ "name": "mine" }))),
        ("connections.secret.rotate", with(json!({ "credentials": { "api_key": "sk-canary-1" } }))),
        ("connections.property.list", with(json!({}))),
        ("connections.usage.get", with(json!({}))),
        ("connections.dependents.list", with(json!({}))),
        ("connections.remove", with(json!({}))),
    ] {
        let refused = eve.run(operation, arguments.clone()).await;
        assert_eq!(refused.refusal(), (404, "connection_not_found".to_owned()), "{operation}");
        let call = json!({ "operation_id": operation, "arguments": arguments, "idempotency_key": fresh_key() });
        let by_agent = eve.tool("service_action_execute", call).await.refusal();
        assert_eq!(by_agent, "connection_not_found", "{operation}");
    }
    assert_eq!(tested(&ada, &connection).await["ok"], true, "it is as it was");
    assert_eq!(eve.read("connections.list", json!({})).await.data()["connections"], json!([]));
}
