//! Mail is judged by the records that receivers read.

use sdk::serde_json::Value;
use sdk::{DnsFailure, json};

fn check(fake: &sdk::Fake, more: &Value) -> Value {
    let mut arguments = json!({ "domain": "shop.example" });
    more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
    fake.call("domains.email_auth.check", arguments).expect("a check")
}

fn ids(seen: &Value) -> Vec<&str> {
    seen["findings"].as_array().expect("a list").iter().filter_map(|it| it["id"].as_str()).collect()
}

/// A domain whose mail is in order.
fn sound() -> sdk::Fake {
    let fake = crate::fake();
    fake.name("shop.example", "MX", &["10 mail.shop.example."]);
    fake.name("mail.shop.example", "A", &["192.0.2.5"]);
    fake.name("shop.example", "TXT", &["v=spf1 mx include:_spf.post.example -all", "google-site-verification=1"]);
    fake.name("_spf.post.example", "TXT", &["v=spf1 ip4:198.51.100.0/24 -all"]);
    fake.name("_dmarc.shop.example", "TXT", &["v=DMARC1; p=reject; rua=mailto:reports@shop.example"]);
    fake.name(
        "k1._domainkey.shop.example",
        "TXT",
        &["v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
    );
    fake.name("_mta-sts.shop.example", "TXT", &["v=STSv1; id=1"]);
    let policy = b"version: STSv1\nmode: enforce\nmx: mail.shop.example\nmax_age: 604800\n";
    fake.serve("https://mta-sts.shop.example/.well-known/mta-sts.txt", 200, &[("content-type", "text/plain")], policy);
    fake.name("_smtp._tls.shop.example", "TXT", &["v=TLSRPTv1; rua=mailto:reports@shop.example"]);
    fake
}

#[test]
fn mail_that_is_in_order_has_no_findings_and_nothing_to_publish() {
    let seen = check(&sound(), &json!({}));
    assert_eq!(
        (&seen["findings"], &seen["proposed_records"], &seen["degraded"]),
        (&json!([]), &json!([]), &json!([])),
        "{seen}"
    );
    assert_eq!((&seen["spf"]["lookups"], &seen["spf"]["all"]), (&json!(2), &json!("fail")));
    assert_eq!(seen["dkim"][0]["selector"], "k1");
    assert_eq!((&seen["dmarc"]["asks_for"], &seen["mta_sts"]["mode"]), (&json!("reject"), &json!("enforce")));
}

#[test]
fn a_domain_without_records_is_told_what_to_publish_first() {
    let fake = crate::fake();
    fake.name("shop.example", "MX", &["10 mail.shop.example."]);
    fake.name("mail.shop.example", "A", &["192.0.2.5"]);
    let seen = check(&fake, &json!({}));
    assert_eq!(ids(&seen), ["spf_missing", "dmarc_missing", "dkim_unknown", "mta_sts_missing", "tls_reports_missing"]);
    let all: Vec<(&str, &str)> = seen["proposed_records"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| Some((it["name"].as_str()?, it["content"].as_str()?)))
        .collect();
    assert_eq!(all[0], ("shop.example", "v=spf1 mx ~all"));
    assert_eq!(all[1], ("_dmarc.shop.example", "v=DMARC1; p=none; rua=mailto:postmaster@shop.example"));
    assert!(all[2].1.starts_with("v=STSv1; id=2") && all[3].0 == "_smtp._tls.shop.example", "{all:?}");
}

#[test]
fn proposals_that_are_published_mend_what_was_found_and_let_through_what_passed() {
    let fake = sound();
    fake.name("shop.example", "TXT", &["v=spf1 mx include:gone.example include:_spf.post.example ~all"]);
    fake.name("_dmarc.shop.example", "TXT", &["v=DMARC1; p=none; pct=100"]);
    let seen = check(&fake, &json!({}));
    assert_eq!(ids(&seen), ["spf_broken_include", "dmarc_only_watches", "dmarc_no_reports", "dmarc_gone_tag"]);
    for it in seen["proposed_records"].as_array().expect("a list") {
        fake.name(it["name"].as_str().expect("a name"), "TXT", &[it["content"].as_str().expect("a text")]);
    }
    let after = check(&fake, &json!({}));
    assert_eq!(after["spf"]["record"], "v=spf1 mx include:_spf.post.example ~all");
    assert_eq!((ids(&after), &after["proposed_records"]), (vec!["dmarc_test"], &json!([])), "{after}");
}

#[test]
fn each_fault_is_named() {
    for (name, kind, text, id) in [
        ("shop.example", "TXT", "v=spf1 mx +all", "spf_passes_all"),
        ("shop.example", "TXT", "v=spf1 mx", "spf_without_all"),
        ("shop.example", "TXT", "v=spf1 mx ptr -all", "spf_ptr"),
        ("shop.example", "TXT", "v=spf1 mx ip4:300.1.1.1 -all", "spf_unreadable"),
        ("shop.example", "TXT", "v=spf1 a:a.x.example a:b.x.example a:c.x.example -all", "spf_void"),
        ("_dmarc.shop.example", "TXT", "v=DMARC1; p=nothing; rua=mailto:a@shop.example", "dmarc_no_policy"),
        ("_dmarc.shop.example", "TXT", "v=DMARC1; p=reject; rua=mailto:a@elsewhere.example", "dmarc_reports_refused"),
        ("k1._domainkey.shop.example", "TXT", "v=DKIM1; p=AAAA", "dkim_key"),
        ("shop.example", "MX", "10 192.0.2.5.", "mx_is_address"),
        ("shop.example", "MX", "10 gone.shop.example.", "mx_no_address"),
        ("_mta-sts.shop.example", "TXT", "v=STSv1; id=!", "mta_sts_record"),
        ("_smtp._tls.shop.example", "TXT", "v=TLSRPTv1; rua=x", "tls_reports_record"),
    ] {
        let fake = sound();
        fake.name(name, kind, &[text]);
        let seen = check(&fake, &json!({}));
        assert!(ids(&seen).contains(&id), "{text}: {:?}", ids(&seen));
    }
    let fake = sound();
    fake.name("shop.example", "TXT", &["v=spf1 -all", "v=spf1 mx -all"]);
    assert_eq!(ids(&check(&fake, &json!({})))[0], "spf_several");
    let many: Vec<String> = (0..12).map(|at| format!("exists:x{at}.shop.example")).collect();
    let fake = sound();
    fake.name("shop.example", "TXT", &[&format!("v=spf1 {} -all", many.join(" "))]);
    assert!(ids(&check(&fake, &json!({}))).contains(&"spf_too_many_lookups"));
    let fake = sound();
    fake.serve(
        "https://mta-sts.shop.example/.well-known/mta-sts.txt",
        200,
        &[],
        b"version: STSv1\nmode: enforce\nmx: other.example\nmax_age: 60\n",
    );
    assert_eq!(ids(&check(&fake, &json!({}))), ["mta_sts_mx", "mta_sts_short"]);
}

#[test]
fn where_nobody_answered_nothing_is_said() {
    let fake = crate::fake();
    for (name, kind) in [("shop.example", "TXT"), ("shop.example", "MX"), ("_dmarc.shop.example", "TXT")] {
        fake.answer(name, kind, Err(DnsFailure::Timeout));
    }
    fake.answer("slow._domainkey.shop.example", "TXT", Err(DnsFailure::Timeout));
    let seen = check(&fake, &json!({ "dkim_selectors": ["slow"] }));
    assert_eq!((ids(&seen), &seen["dkim"]), (Vec::new(), &json!([])), "{seen}");
    let seen = check(&fake, &json!({ "dkim_selectors": ["none"] }));
    assert_eq!(ids(&seen), ["dkim_missing"], "{seen}");
    assert!(
        seen["spf"]["records"].is_null() && seen["mx"]["is_known"] == false && seen["degraded"][0]["what"] == "records"
    );
    let refused = fake
        .refusal("domains.email_auth.check", json!({ "domain": "shop.example", "dkim_selectors": ["ok", "no way"] }));
    assert_eq!(refused.pointer.as_deref(), Some("/dkim_selectors/1"));
}
