//! Names are looked up at the resolver and at the zone's servers.

use sdk::{Authority, DnsAnswer, DnsFailure, Outcome, Trust, json};

use super::told::{answer, told};

#[test]
fn the_resolver_and_the_servers_of_the_zone_are_told_apart() {
    let fake = crate::fake();
    fake.name("shop.example", "A", &["192.0.2.1"]);
    let servers = vec![
        told("ns1.shop.example", "192.0.2.53", Ok(answer("A", &["192.0.2.1"]))),
        told("ns2.shop.example", "192.0.2.53", Ok(answer("A", &["192.0.2.9"]))),
        told("ns3.shop.example", "192.0.2.53", Err(DnsFailure::Timeout)),
    ];
    fake.servers("shop.example", "A", Ok(Authority { zone: Some("shop.example".to_owned()), servers, more: 2 }));
    let seen =
        fake.call("domains.dns.lookup", json!({ "name": "Shop.Example.", "types": ["A", "TXT", "A"] })).expect("it");
    assert_eq!((&seen["name"], &seen["dnssec"]), (&json!("shop.example"), &json!("secure")));
    let kinds: Vec<_> = seen["answers"].as_array().expect("a list").iter().map(|it| it["type"].clone()).collect();
    assert_eq!(kinds, ["A", "TXT"]);
    assert_eq!(seen["answers"][0]["records"][0]["value"], "192.0.2.1");
    assert_eq!(seen["answers"][1]["outcome"], "no_data");
    let same: Vec<_> = seen["authoritative"].as_array().expect("a list").iter().map(|it| it["same"].clone()).collect();
    assert_eq!(same, [json!(true), json!(false), json!(null)]);
    assert_eq!(seen["servers_differ"], true);
    assert_eq!(seen["degraded"].as_array().map(Vec::len), Some(2), "{seen}");
}

#[test]
fn wrong_signatures_and_silence_are_said_and_what_is_no_name_is_refused() {
    let fake = crate::fake();
    let bogus = DnsAnswer { trust: Some(Trust::Bogus), outcome: Outcome::Failed, code: 2, ..answer("A", &[]) };
    fake.answer("b.example", "A", Ok(bogus));
    fake.answer("b.example", "MX", Err(DnsFailure::Timeout));
    let seen = fake.call("domains.dns.lookup", json!({ "name": "b.example", "types": ["A", "MX"] })).expect("it");
    assert_eq!((&seen["dnssec"], &seen["answers"][0]["outcome"]), (&json!("bogus"), &json!("failed")));
    assert_eq!(seen["answers"][1]["problem"], "no answer in time");
    for name in ["https://shop.example/", "shop", "a..example", "a b.example", "shop.example:53"] {
        let refused = fake.refusal("domains.dns.lookup", json!({ "name": name, "types": ["A"] }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("invalid_name", Some("/name")), "{name}");
    }
    let seen =
        fake.call("domains.dns.lookup", json!({ "name": "_dmarc.bücher.example", "types": ["TXT"] })).expect("it");
    assert_eq!(
        (&seen["name"], &seen["answers"][0]["outcome"]),
        (&json!("_dmarc.xn--bcher-kva.example"), &json!("no_name"))
    );
}
