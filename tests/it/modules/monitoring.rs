//! The monitoring module in its real sandbox: laboratory and field figures from the simulated Google, a page that is weighed, headers and
//! first bytes of the demo shop.

mod heavy;
mod watched;

use serde_json::{Value, json};
use simulators::Seed;
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage";

/// A host beside the demo shop, and a customer with its website and an account at Google.
async fn shop() -> (Host, Customer, Value) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let world = simulators::start(Seed(5)).await.expect("providers");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 60).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let refused = ada.read("monitoring.crux.get", json!({ "target": "http://shop.example/" })).await;
    assert_eq!(refused.refusal(), (422, "connection_required".to_owned()));
    let google = &world.google;
    let connection = json!({ "kind": "pagespeed", "name": "speed", "endpoint": google.url(), "credentials": { "api_key": google.credentials()["api_key"] } });
    ada.run("connections.add", connection).await.data();
    (host, ada, site)
}

#[tokio::test(flavor = "multi_thread")]
async fn speed_is_measured_and_told_over_both_doors() {
    let (host, ada, site) = shop().await;
    let mut named = super::advice::Named::default();
    let urls = ["http://shop.example/", "http://shop.example/products/lamp-1", "http://shop.example/missing"];
    let started =
        ada.run("monitoring.psi.run", json!({ "urls": urls, "strategy": "both", "site_id": site })).await.data();
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let measured = &ended["result"];
    assert_eq!(
        (&measured["measured"], &measured["failed"], &measured["stored"]),
        (&json!(4), &json!(2), &json!(6)),
        "{measured}"
    );
    named.collect(measured);
    let seen = ada.both("monitoring.crux.get", json!({ "target": "http://shop.example/" })).await;
    assert!(seen["metrics"]["lcp"]["p75"].as_f64() > Some(0.0) && seen["level"] == "page", "{seen}");
    named.collect(&seen);
    let rare = ada.both("monitoring.crux.get", json!({ "target": "http://shop.example/guides/rare" })).await;
    assert_eq!((&rare["level"], &rare["fallback"]), (&json!("origin"), &json!(true)), "{rare}");
    // Twelve weeks ago the largest paint became a third slower.
    let history =
        ada.both("monitoring.crux.history.get", json!({ "target": "http://shop.example/", "site_id": site })).await;
    let changes = history["change_points"].as_array().expect("changes");
    assert!(changes.iter().any(|it| it["metric"] == "lcp" && it["better"] == false), "{history}");
    for (operation, arguments, member) in [
        ("monitoring.psi.result.list", json!({ "site_id": site }), "results"),
        ("monitoring.cwv.report", json!({ "site_id": site }), "segments"),
    ] {
        let told = ada.both(operation, arguments).await;
        assert!(!told[member].is_null() && told[member] != json!([]), "{operation}: {told}");
        named.collect(&told);
    }
    // Two answers of the shop have two dates.
    let checked = ada.read("monitoring.headers.check", json!({ "url": "http://shop.example/" })).await.data();
    assert!(checked["headers"]["date"].is_string(), "{checked}");
    named.collect(&checked);
    let sampled =
        ada.read("monitoring.ttfb.sample", json!({ "url": "http://shop.example/", "samples": 3 })).await.data();
    assert_eq!((&sampled["samples"], &sampled["status"]), (&json!(3), &json!(200)), "{sampled}");
    for operation in ["monitoring.anomaly.detect", "monitoring.update_impact.analyze"] {
        let mut arguments = json!({ "site_id": site });
        if operation.contains("anomaly") {
            arguments["metric"] = json!("search.clicks");
        }
        let refused = ada.read(operation, arguments).await;
        assert_eq!(refused.refusal(), (409, "figures_not_imported".to_owned()), "{operation}");
    }
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 3 && wrong.is_empty(), "{wrong:?}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_of_somebody_else_does_not_exist() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let (ada, eve) = (host.customer(SCOPES).await, host.customer(SCOPES).await);
    host.buy_points(&ada, 10).await;
    host.buy_points(&eve, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    for (operation, more) in [
        ("monitoring.psi.run", json!({ "urls": ["http://shop.example/"] })),
        ("monitoring.psi.result.list", json!({})),
        ("monitoring.cwv.report", json!({})),
        ("monitoring.anomaly.detect", json!({ "metric": "search.clicks" })),
        ("monitoring.update_impact.analyze", json!({})),
    ] {
        let mut arguments = json!({ "site_id": site });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        assert_eq!(eve.not_found(operation, arguments).await, "website_not_found", "{operation}");
    }
    host.verify_ledger().await;
}
