//! A zone's health: what is sound has no findings, each planted fault has one.

use sdk::serde_json::Value;
use sdk::{Authority, DnsAnswer, DnsFailure, Outcome, Told, Trust, json};

use super::told::{answer, told};

const SOA: &str = "ns1.dns.example. admin.shop.example. 7 7200 900 1209600 300";

fn servers(fake: &sdk::Fake, kind: &str, all: Vec<Told>) {
    fake.servers("shop.example", kind, Ok(Authority { zone: Some("shop.example".to_owned()), servers: all, more: 0 }));
}

/// A zone in order.
fn sound() -> sdk::Fake {
    let fake = crate::fake();
    for (name, address) in [("ns1.dns.example", "198.51.100.1"), ("ns2.dns.example", "203.0.113.1")] {
        fake.name(name, "A", &[address]);
    }
    let both = |kind: &str, texts: &[&str]| {
        let all = [("ns1.dns.example", "198.51.100.1"), ("ns2.dns.example", "203.0.113.1")];
        servers(&fake, kind, all.map(|(name, address)| told(name, address, Ok(answer(kind, texts)))).to_vec());
        fake.name("shop.example", kind, texts);
    };
    both("SOA", &[SOA]);
    both("NS", &["ns1.dns.example.", "ns2.dns.example."]);
    both("A", &["192.0.2.1"]);
    both("MX", &["10 mail.shop.example."]);
    fake.name("shop.example", "AAAA", &["2001:db8::1"]);
    fake.name("www.shop.example", "CNAME", &["shop.example."]);
    fake.name("mail.shop.example", "A", &["192.0.2.5"]);
    fake.name("shop.example", "CAA", &["0 issue \"letsencrypt.org\""]);
    let certificate = sdk::Certificate {
        der: Vec::new(),
        subject: "CN=shop.example".to_owned(),
        issuer: "CN=R11,O=Let's Encrypt,C=US".to_owned(),
        serial: "01".to_owned(),
        not_before: 0,
        not_after: 1,
        names: Vec::new(),
        key: "EC P-256".to_owned(),
        key_bits: 256,
        signature: "ecdsa-with-SHA256".to_owned(),
        timestamps: 2,
        self_signed: false,
        authority: false,
    };
    let report = sdk::TlsReport {
        address: "192.0.2.1".to_owned(),
        version: sdk::TlsVersion::Tls13,
        cipher: String::new(),
        alpn: None,
        chain: vec![certificate],
        distrust: Vec::new(),
        ocsp_stapled: false,
        tls12: sdk::Acceptance::Accepted,
        tls13: sdk::Acceptance::Accepted,
        milliseconds: 1,
    };
    fake.secure("shop.example", 443, Ok(report));
    fake
}

fn check(fake: &sdk::Fake) -> Value {
    fake.call("domains.dns.health.check", json!({ "domain": "www.shop.example" })).expect("a check")
}

fn ids(seen: &Value) -> Vec<&str> {
    seen["findings"].as_array().expect("a list").iter().filter_map(|it| it["id"].as_str()).collect()
}

#[test]
fn a_zone_in_order_has_all_points() {
    let seen = check(&sound());
    assert_eq!(
        (&seen["domain"], &seen["score"], &seen["findings"]),
        (&json!("shop.example"), &json!(100), &json!([])),
        "{seen}"
    );
    assert_eq!(
        seen["servers"][1],
        json!({ "name": "ns2.dns.example", "address": "203.0.113.1", "is_authoritative": true, "serial": 7, "milliseconds": 3 })
    );
}

#[test]
fn each_fault_of_a_server_is_found() {
    let one = || told("ns1.dns.example", "198.51.100.1", Ok(answer("SOA", &[SOA])));
    let other = |answer: Result<DnsAnswer, DnsFailure>| told("ns2.dns.example", "203.0.113.1", answer);
    let refused = DnsAnswer { outcome: Outcome::Failed, code: 5, authoritative: false, ..answer("SOA", &[]) };
    let unsure = DnsAnswer { authoritative: false, ..answer("SOA", &[SOA]) };
    for (second, id) in [
        (other(Err(DnsFailure::Timeout)), "server_unreachable"),
        (other(Err(DnsFailure::Refused)), "server_private"),
        (other(Ok(refused)), "server_lame"),
        (other(Ok(unsure)), "server_lame"),
        (
            other(Ok(answer("SOA", &["ns1.dns.example. admin.shop.example. 8 7200 900 1209600 300"]))),
            "soa_serial_differs",
        ),
        (told("ns2.dns.example", "198.51.100.2", Ok(answer("SOA", &[SOA]))), "one_network"),
        (told("ns3.dns.example", "203.0.113.1", Ok(answer("SOA", &[SOA]))), "ns_no_address"),
    ] {
        let fake = sound();
        servers(&fake, "SOA", vec![one(), second]);
        assert_eq!(ids(&check(&fake)), [id]);
    }
    let fake = sound();
    servers(&fake, "SOA", vec![one()]);
    assert_eq!(ids(&check(&fake)), ["ns_count"]);
    let fake = sound();
    let all = vec![told("ns1.dns.example", "198.51.100.1", Ok(answer("SOA", &["a. b. 1 60 90 3600 999999"])))];
    servers(&fake, "SOA", all);
    assert_eq!(ids(&check(&fake)), ["ns_count", "soa_retry", "soa_expire", "soa_minimum"]);
    let fake = sound();
    let differs = [("ns1.dns.example", "192.0.2.1"), ("ns2.dns.example", "192.0.2.7")];
    servers(&fake, "A", differs.map(|(name, text)| told(name, "198.51.100.1", Ok(answer("A", &[text])))).to_vec());
    assert_eq!(ids(&check(&fake)), ["addresses_differ"]);
}

#[test]
fn each_fault_of_a_record_is_found() {
    for (name, kind, texts, id) in [
        ("shop.example", "AAAA", &[][..], "ipv6_missing"),
        ("www.shop.example", "CNAME", &[][..], "www_missing"),
        ("shop.example", "CNAME", &["other.example."][..], "apex_cname"),
        ("blog.shop.example", "CNAME", &["gone.service.example."][..], "dangling_cname"),
        ("blog.shop.example", "CNAME", &["nowhere.shop.example."][..], "broken_alias"),
        ("mail.shop.example", "A", &[][..], "mx_no_address"),
        ("mail.shop.example", "CNAME", &["shop.example."][..], "mx_is_cname"),
        ("shop.example", "CAA", &[][..], "caa_missing"),
        ("shop.example", "CAA", &["0 issue \"digicert.com\""][..], "caa_blocks_current_issuer"),
        ("shop.example", "DS", &["1 13 2 AA"][..], "dnssec_ds_without_key"),
        ("shop.example", "DNSKEY", &["257 3 13 AA"][..], "dnssec_without_ds"),
    ] {
        let fake = sound();
        fake.name(name, kind, texts);
        let seen = check(&fake);
        assert!(ids(&seen).contains(&id), "{name} {kind}: {:?}", ids(&seen));
        assert!(seen["score"].as_u64().is_some_and(|it| it < 100));
    }
    let fake = sound();
    fake.name("shop.example", "DS", &["1 5 1 AA"]);
    fake.name("shop.example", "DNSKEY", &["257 3 5 AA"]);
    assert_eq!(ids(&check(&fake)), ["dnssec_weak"]);
    fake.name("shop.example", "DS", &["1 13 1 AA", "1 13 2 AA"]);
    assert_eq!(check(&fake)["findings"], json!([]), "a better digest stands beside SHA-1");
    let fake = sound();
    fake.answer("shop.example", "SOA", Ok(DnsAnswer { trust: Some(Trust::Bogus), ..answer("SOA", &[]) }));
    assert_eq!(ids(&check(&fake))[0], "dnssec_bogus");
}

#[test]
fn a_zone_that_nobody_answers_for_has_no_score() {
    let fake = crate::fake();
    for kind in ["A", "AAAA", "MX", "CAA", "CNAME", "NS", "SOA", "DS", "DNSKEY"] {
        fake.answer("shop.example", kind, Err(DnsFailure::Timeout));
    }
    let seen = check(&fake);
    assert!(seen["score"].is_null(), "{seen}");
    let what: Vec<_> = seen["degraded"].as_array().expect("a list").iter().map(|it| it["what"].clone()).collect();
    assert_eq!(what, ["servers", "records"]);
}

#[test]
fn servers_that_do_not_answer_here_are_no_findings_when_that_may_be_this_side() {
    let silent = |name: &str, address: &str| told(name, address, Err(DnsFailure::Unreachable));
    let fake = sound();
    servers(&fake, "SOA", vec![silent("ns1.dns.example", "198.51.100.1"), silent("ns2.dns.example", "203.0.113.1")]);
    let seen = check(&fake);
    assert_eq!((ids(&seen), &seen["score"]), (Vec::new(), &json!(null)), "{seen}");
    assert_eq!(seen["degraded"].as_array().map(Vec::len), Some(2));
    let fake = sound();
    let first = told("ns1.dns.example", "198.51.100.1", Ok(answer("SOA", &[SOA])));
    servers(&fake, "SOA", vec![first, silent("ns2.dns.example", "2001:db8::53")]);
    let seen = check(&fake);
    assert_eq!((ids(&seen), &seen["degraded"][0]["what"]), (Vec::new(), &json!("servers")), "{seen}");
}
