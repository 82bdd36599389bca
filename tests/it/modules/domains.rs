//! The domains module in its real sandbox: accounts at registrars and DNS providers are read over both doors, and what
//! cannot be asked is said to be unknown, never made up.

mod real;
mod writing;

use serde_json::{Value, json};
use simulators::{Seed, Simulator};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read assets:read seo:analyze connections:manage";

async fn connect(ada: &Customer, kind: &str, provider: &Simulator) -> Value {
    let arguments = json!({ "kind": kind, "name": kind, "endpoint": provider.url(), "credentials": provider.credentials(), "test": false });
    let added = ada.run("connections.add", arguments).await;
    assert_eq!(added.status, 200, "{kind}: {}", added.json());
    added.data()["connection_ref"].clone()
}

async fn called(ada: &Customer, operation: &str, arguments: Value) -> Value {
    let answer = ada.run(operation, arguments.clone()).await;
    assert!(answer.status.is_success(), "{operation} {arguments}: {}", answer.json());
    answer.data()
}

fn texts(list: &Value, member: &str) -> Vec<String> {
    let all = list.as_array().expect("a list").iter();
    all.map(|it| it[member].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_zones_of_connected_accounts_are_read_over_both_doors() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 50).await;
    for (operation, arguments) in
        [("domains.list", json!({})), ("domains.dns.record.list", json!({ "domain": "shop.example" }))]
    {
        assert_eq!(ada.run(operation, arguments).await.refusal().1, "connection_required", "{operation}");
    }
    let name_com = connect(&ada, "name_com", &world.name_com).await;
    connect(&ada, "porkbun", &world.porkbun).await;
    let soon = ada.both("domains.list", json!({ "expiring_days": 60 })).await;
    assert_eq!(
        texts(&soon["domains"], "domain"),
        ["old-lamps.example", "old-lamps.example", "shop.example", "shop.example"]
    );
    let one = ada.both("domains.list", json!({ "connection_ref": name_com })).await;
    assert_eq!((&one["total"], &one["domains"][0]["auto_renew"]), (&json!(4), &json!(false)), "{one}");

    // The same zone at two providers reads the same.
    let mut zones = Vec::new();
    for (kind, provider) in [("cloudflare", &world.cloudflare), ("powerdns", &world.powerdns)] {
        let other = host.customer(SCOPES).await;
        host.buy_points(&other, 50).await;
        connect(&other, kind, provider).await;
        let listed = other.both("domains.dns.record.list", json!({ "domain": "www.shop.example", "limit": 100 })).await;
        let shown = listed["records"].as_array().expect("a list").iter();
        let mut records: Vec<String> = shown
            .filter(|it| !matches!(it["type"].as_str(), Some("SOA" | "NS")))
            .map(|it| format!("{} {} {} {}", it["name"], it["type"], it["content"], it["priority"]))
            .collect();
        records.sort();
        zones.push(records);
        let mail = other.both("domains.dns.record.list", json!({ "domain": "shop.example", "type": "MX" })).await;
        assert_eq!(texts(&mail["records"], "content"), ["mx1.mail.example", "mx2.mail.example"], "{kind}");
        let file = other.both("domains.dns.zone.export", json!({ "domain": "shop.example" })).await;
        let text = file["zone_text"].as_str().expect("text");
        assert!(file["complete"] == true && text.contains("IN MX 10 mx1.mail.example.\n"), "{kind}: {text}");
    }
    assert_eq!(zones[0].len(), 10, "{zones:?}");
    assert_eq!(zones[0], zones[1]);
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_answers_is_unknown_and_what_is_no_name_is_refused() {
    // Loopback alone is reached from here: no registry, no resolver that knows these names.
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 50).await;
    let seen =
        ada.run("domains.availability.check", json!({ "names": ["lamps-of-nobody.com", "no name"] })).await.data();
    assert_ne!(seen["rows"][0]["state"], "available", "{seen}");
    assert_eq!((&seen["rows"][1]["state"], &seen["available"]), (&json!("invalid"), &json!(0)), "{seen}");
    let seen = ada.run("domains.dns.health.check", json!({ "domain": "lamps-of-nobody.com" })).await.data();
    assert!(seen["score"].is_null() && !seen["degraded"].as_array().expect("a list").is_empty(), "{seen}");
    for (operation, arguments, pointer) in [
        ("domains.dns.lookup", json!({ "name": "https://x", "types": ["A"] }), "/name"),
        ("domains.rdap.get", json!({ "domain": "co.uk" }), "/domain"),
        ("domains.email_auth.check", json!({ "domain": "a" }), "/domain"),
        ("domains.tls.check", json!({ "host": "shop.example", "port": 25 }), "/port"),
        ("domains.dns.zone.export", json!({ "domain": "a..b" }), "/domain"),
    ] {
        let refused = ada.run(operation, arguments).await;
        assert_eq!(
            (refused.refusal().0, refused.pointer()),
            (422, pointer.to_owned()),
            "{operation}: {}",
            refused.json()
        );
    }
}
