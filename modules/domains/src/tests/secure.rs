//! The secure side of a host is judged by what clients do.

use sdk::serde_json::Value;
use sdk::{Acceptance, Certificate, Distrust, Failure, TlsFailure, TlsReport, TlsVersion, json};

const DAY: i64 = 86_400_000;

fn certificate(subject: &str, issuer: &str, from: i64, days: i64) -> Certificate {
    Certificate {
        der: Vec::new(),
        subject: subject.to_owned(),
        issuer: issuer.to_owned(),
        serial: "01".to_owned(),
        not_before: from,
        not_after: from + days * DAY - 1_000,
        names: vec!["www.shop.example".to_owned()],
        key: "EC P-256".to_owned(),
        key_bits: 256,
        signature: "ecdsa-with-SHA256".to_owned(),
        timestamps: 2,
        self_signed: subject == issuer,
        authority: false,
    }
}

fn report(chain: Vec<Certificate>, distrust: Vec<Distrust>) -> TlsReport {
    TlsReport {
        address: "192.0.2.1".to_owned(),
        version: TlsVersion::Tls13,
        cipher: "TLS13_AES_128_GCM_SHA256".to_owned(),
        alpn: Some("h2".to_owned()),
        chain,
        distrust,
        ocsp_stapled: false,
        tls12: Acceptance::Accepted,
        tls13: Acceptance::Accepted,
        milliseconds: 20,
    }
}

fn ids(seen: &Value) -> Vec<&str> {
    seen["problems"].as_array().expect("a list").iter().filter_map(|it| it["id"].as_str()).collect()
}

#[test]
fn a_sound_host_has_no_problems_and_its_days_are_counted() {
    let fake = crate::fake();
    let now = i64::try_from(fake.now().millis()).expect("a moment");
    let chain = vec![
        certificate("CN=www.shop.example", "CN=R1", now - 10 * DAY, 90),
        certificate("CN=R1", "CN=Root", now - 500 * DAY, 3_000),
    ];
    fake.secure("www.shop.example", 443, Ok(report(chain, Vec::new())));
    fake.serve(
        "https://www.shop.example/",
        200,
        &[("strict-transport-security", "max-age=63072000; includeSubDomains; preload")],
        b"",
    );
    fake.serve("http://www.shop.example/", 301, &[("location", "https://www.shop.example/")], b"");
    let seen = fake.call("domains.tls.check", json!({ "host": "WWW.shop.example" })).expect("it");
    assert_eq!(
        (&seen["valid"], &seen["days_left"], &seen["problems"]),
        (&json!(true), &json!(79), &json!([])),
        "{seen}"
    );
    assert_eq!(seen["hsts"]["missing"], json!([]));
    assert_eq!((&seen["version"], &seen["spoken"]), (&json!("1.3"), &json!({ "tls12": true, "tls13": true })));
    assert_eq!(seen["chain"].as_array().map(Vec::len), Some(2));
}

#[test]
fn each_fault_is_named_with_what_to_do() {
    let fake = crate::fake();
    let now = i64::try_from(fake.now().millis()).expect("a moment");
    let own = |days: i64| certificate("CN=www.shop.example", "CN=R1", now - 10 * DAY, days);
    let root = || certificate("CN=R1", "CN=R1", now - 500 * DAY, 9_000);
    let put = |host: &str, chain: Vec<Certificate>, distrust: Vec<Distrust>| {
        fake.secure(host, 993, Ok(report(chain, distrust)))
    };
    put("alone.example", vec![own(90)], vec![Distrust::UnknownIssuer]);
    put("root.example", vec![own(90), root()], vec![Distrust::UnknownIssuer]);
    put("self.example", vec![root()], vec![Distrust::UnknownIssuer]);
    put("name.example", vec![own(90), root()], vec![Distrust::WrongName]);
    put("soon.example", vec![own(15), root()], vec![]);
    put("late.example", vec![own(21), root()], vec![]);
    put("long.example", vec![own(900), root()], vec![]);
    put(
        "weak.example",
        vec![Certificate { key: "RSA".to_owned(), key_bits: 1_024, ..own(90) }, root()],
        vec![Distrust::Weak, Distrust::Expired],
    );
    for (host, wanted) in [
        ("alone.example", vec!["incomplete_chain"]),
        ("root.example", vec!["untrusted_root"]),
        ("self.example", vec!["self_signed", "too_long_valid"]),
        ("name.example", vec!["name_mismatch"]),
        ("soon.example", vec!["expires_soon"]),
        ("late.example", vec!["expires_soon"]),
        ("long.example", vec!["too_long_valid"]),
        ("weak.example", vec!["weak_key", "expired"]),
    ] {
        let seen = fake.call("domains.tls.check", json!({ "host": host, "port": 993 })).expect("it");
        assert_eq!(ids(&seen), wanted, "{host}: {seen}");
        assert!(seen["hsts"].is_null());
        if host.starts_with("late") || host.starts_with("soon") {
            let severity = if host.starts_with("late") { "warning" } else { "error" };
            assert_eq!(seen["problems"][0]["severity"], severity, "{seen}");
        }
    }
}

#[test]
fn what_cannot_be_looked_at_is_refused_in_its_own_words() {
    let fake = crate::fake();
    let port = fake.refusal("domains.tls.check", json!({ "host": "shop.example", "port": 25 }));
    assert_eq!((port.code.as_str(), port.pointer.as_deref()), ("port_not_supported", Some("/port")));
    for (failure, code) in [
        (TlsFailure::Unreachable, "host_unreachable"),
        (TlsFailure::Handshake, "no_handshake"),
        (TlsFailure::Timeout, "host_timeout"),
        (TlsFailure::Paced(1_500), "host_paced"),
    ] {
        fake.secure("shop.example", 443, Err(failure));
        assert_eq!(fake.refusal("domains.tls.check", json!({ "host": "shop.example" })).code, code);
    }
    assert_eq!(fake.refusal("domains.tls.check", json!({ "host": "nobody.example" })).code, "host_unresolved");
    assert_eq!(fake.refusal("domains.tls.check", json!({ "host": "https://x" })).code, "invalid_name");
}

#[test]
fn what_browsers_are_asked_to_remember_is_read() {
    let fake = crate::fake();
    let now = i64::try_from(fake.now().millis()).expect("a moment");
    let chain = || {
        vec![
            certificate("CN=shop.example", "CN=R1", now - 10 * DAY, 90),
            certificate("CN=R1", "CN=R1", now - 500 * DAY, 9_000),
        ]
    };
    fake.secure("shop.example", 443, Ok(report(chain(), Vec::new())));
    fake.serve("https://shop.example/", 200, &[("strict-transport-security", "max-age=300; preload")], b"");
    fake.serve("http://shop.example/", 301, &[("location", "https://www.shop.example/")], b"");
    let seen = fake.call("domains.tls.check", json!({ "host": "shop.example" })).expect("it");
    assert_eq!(ids(&seen), ["hsts_not_preloadable"]);
    assert_eq!(seen["hsts"]["missing"].as_array().map(Vec::len), Some(3), "{seen}");
    fake.serve("https://shop.example/", 200, &[], b"");
    assert_eq!(ids(&fake.call("domains.tls.check", json!({ "host": "shop.example" })).expect("it")), ["hsts_missing"]);
    fake.fail("https://shop.example/", Failure::Timeout);
    let seen = fake.call("domains.tls.check", json!({ "host": "shop.example" })).expect("it");
    assert!(seen["hsts"].is_null() && seen["degraded"][0]["what"] == "hsts");
}
