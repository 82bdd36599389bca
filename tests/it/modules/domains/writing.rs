//! Zones and names that are changed at simulated providers, in the real sandbox: changes come back, orders are paid once,
//! secrets go where they belong and nowhere else.

use std::time::Duration;

use serde_json::json;
use simulators::Seed;
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;

use super::{called, connect};

const SCOPES: &str = "account:read assets:read seo:analyze connections:manage domains:manage destructive:execute";

/// All records of the shop's zone, each as a line.
async fn records(ada: &Customer) -> Vec<String> {
    let listed = called(ada, "domains.dns.record.list", json!({ "domain": "shop.example", "limit": 100 })).await;
    let all = listed["records"].as_array().expect("a list").iter();
    let mut lines: Vec<String> = all
        .map(|it| format!("{} {} {} {} {}", it["name"], it["type"], it["content"], it["priority"], it["ttl"]))
        .collect();
    lines.sort();
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dns_change_is_made_and_taken_back_at_both_providers() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start().await;
    for (kind, provider) in [("cloudflare", &world.cloudflare), ("powerdns", &world.powerdns)] {
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 50).await;
        connect(&ada, kind, provider).await;
        let before = records(&ada).await;
        let change = json!({ "domain": "shop.example", "records": [
            { "name": "shops", "type": "A", "content": "192.0.2.77", "ttl": 600 },
            { "name": "www", "type": "CNAME", "content": "edge.cdn.example" },
        ] });
        let made = called(&ada, "domains.dns.record.upsert", change.clone()).await;
        assert_eq!(made["applied"].as_array().map(Vec::len), Some(2), "{kind}: {made}");
        assert_ne!(records(&ada).await, before, "{kind}");
        let again = called(&ada, "domains.dns.record.upsert", change).await;
        assert_eq!((&again["unchanged"], &again["change_ref"]), (&json!(2), &json!(null)), "{kind}: {again}");
        let undo = &made["next"][0];
        let back = called(&ada, undo["operation_id"].as_str().expect("a name"), undo["arguments"].clone()).await;
        assert_eq!((&back["applied"], &back["left"]), (&json!(2), &json!(0)), "{kind}: {back}");
        assert_eq!(records(&ada).await, before, "{kind}");
        // A stranger has no way to the change, nor to the zone.
        let bob = host.customer(SCOPES).await;
        host.buy_points(&bob, 50).await;
        let refused = bob.run("domains.dns.zone.import", undo["arguments"].clone()).await;
        assert_eq!(refused.refusal().1, "connection_required", "{kind}");
        connect(&bob, kind, provider).await;
        let refused = bob.run("domains.dns.zone.import", undo["arguments"].clone()).await;
        assert_eq!(refused.refusal(), (404, "change_not_found".to_owned()), "{kind}: {}", refused.json());

        let file = called(&ada, "domains.dns.zone.export", json!({ "domain": "shop.example" })).await;
        let text = file["zone_text"].as_str().expect("a text").to_owned();
        let same = json!({ "domain": "shop.example", "zone_text": text, "remove": true });
        let same = called(&ada, "domains.dns.zone.import", same).await;
        assert_eq!((&same["applied"], &same["left"]), (&json!(0), &json!(0)), "{kind}: {same}");
        // A million letters are taken; what is no zone is told by its lines.
        let long = format!("; {}\nwww A nonsense\n", "x".repeat(900_000));
        let refused = ada.run("domains.dns.zone.import", json!({ "domain": "shop.example", "zone_text": long })).await;
        assert_eq!((refused.refusal().1.as_str(), refused.pointer().as_str()), ("invalid_zone_text", "/zone_text"));

        let listed = called(&ada, "domains.dns.record.list", json!({ "domain": "shop.example", "type": "MX" })).await;
        let gone = json!({ "domain": "shop.example", "record_ids": [listed["records"][0]["record_id"]] });
        let refused = ada.run("domains.dns.record.delete", gone.clone()).await;
        assert_eq!(refused.refusal(), (409, "relied_on".to_owned()), "{kind}");
        let mut meant = gone;
        meant["acknowledge"] = json!(true);
        let deleted = called(&ada, "domains.dns.record.delete", meant).await;
        called(&ada, "domains.dns.zone.import", deleted["next"][0]["arguments"].clone()).await;
        assert_eq!(records(&ada).await, before, "{kind}");
        let template =
            json!({ "domain": "shop.example", "template": "caa_letsencrypt", "values": { "issuers": ["pki.goog"] } });
        let applied = called(&ada, "domains.dns.template.apply", template).await;
        assert_eq!(applied["applied"], 1, "{kind}: {applied}");
    }
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_quoted_ordered_and_followed_and_paid_once() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 100).await;
    connect(&ada, "name_com", &world.name_com).await;
    let asked = json!({ "domain": "lamps-of-bristol.com", "action": "register" });
    let quote = ada.both("domains.register.quote", asked).await;
    assert_eq!(quote["price"], json!({ "amount": "12.99", "currency": "USD" }), "{quote}");
    let order = quote["next"][0]["arguments"].clone();
    let mut changed = order.clone();
    changed["expected_quote_hash"] = json!("q1_of_another_price_altogether");
    assert_eq!(ada.run("domains.register.order", changed).await.refusal(), (409, "quote_changed".to_owned()));
    let placed = called(&ada, "domains.register.order", order.clone()).await;
    let mut state = json!(null);
    for _ in tries(60) {
        host.clock.advance(Duration::from_secs(120));
        tokio::time::sleep(Duration::from_millis(300)).await;
        let job = called(&ada, "account.job.get", json!({ "job_ref": placed["job_ref"] })).await;
        state = job["result"]["state"].clone();
        if state == "confirmed" {
            break;
        }
    }
    assert_eq!(state, "confirmed");
    let made = world.name_com.effects().into_iter().filter(|it| it.name == "domain.registered").count();
    assert_eq!(made, 1, "registered and paid once");

    // The code of a transfer reaches the registrar as it is, and stands nowhere else.
    let quote =
        called(&ada, "domains.register.quote", json!({ "domain": "elsewhere.com", "action": "transfer" })).await;
    let order = |code: &str| json!({ "domain": "elsewhere.com", "action": "transfer", "expected_quote_hash": quote["quote_hash"], "auth_code": code });
    let refused = ada.run("domains.register.order", order("wrong")).await;
    assert_eq!(refused.refusal(), (409, "registrar_refused".to_owned()), "{}", refused.json());
    let placed = called(&ada, "domains.register.order", order("r1ght-c0de-of-the-holder")).await;
    let job = called(&ada, "account.job.get", json!({ "job_ref": placed["job_ref"] })).await;
    assert!(!job.to_string().contains("r1ght"), "{job}");
    assert!(world.name_com.effects().iter().any(|it| it.name == "domain.transferred"));

    let set = json!({ "domain": "shop.example", "auto_renew": false });
    let done = called(&ada, "domains.settings.update", set).await;
    assert_eq!(
        (&done["settings"]["auto_renew"], &done["before"]["auto_renew"]),
        (&json!(false), &json!(true)),
        "{done}"
    );
    // Its servers are not reached from here: nothing can be compared, so that nothing is changed.
    let new = json!({ "domain": "shop.example", "nameservers": ["ns1.new.example", "ns2.new.example"] });
    let refused = ada.run("domains.nameserver.update", new).await;
    let said = refused.refusal();
    let nothing = [(503, "dns_unknown".to_owned()), (409, "records_not_compared".to_owned())];
    assert!(nothing.contains(&said), "{}", refused.json());
    assert!(world.name_com.effects().iter().all(|it| !it.subject.ends_with("setNameservers")));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_begins_and_goes_on_by_itself() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 50).await;
    connect(&ada, "powerdns", &world.powerdns).await;
    let told = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.example", "enabled": true })).await;
    assert_eq!((&told["state"], told["next_step_at"].is_string()), (&json!("signing"), true), "{told}");
    assert_eq!(world.powerdns.effects().iter().filter(|it| it.name == "key.created").count(), 1);
    let again = called(&ada, "domains.dnssec.set", json!({ "domain": "shop.example", "enabled": true })).await;
    assert_eq!(again["state"], "waiting_keys", "no server shows the key: {again}");
    assert_eq!(again["ds_record"]["algorithm"], 13);
    assert_eq!(world.powerdns.effects().iter().filter(|it| it.name == "key.created").count(), 1, "one key");
    let spread = called(&ada, "domains.dns.propagation.check", json!({ "name": "shop.example", "type": "A" })).await;
    assert!(spread["done_share"].is_null(), "nobody is reached: {spread}");
    let past = called(&ada, "domains.history.get", json!({ "domain": "shop.example" })).await;
    assert_eq!(past["verdict"], "unknown", "{past}");
    let ideas = called(&ada, "domains.name.suggest", json!({ "words": ["lamp"], "limit": 5 })).await;
    assert!(ideas["names"].as_array().expect("a list").iter().all(|it| it["state"] != "available"), "{ideas}");
    host.verify_ledger().await;
}
