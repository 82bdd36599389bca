//! Ready sets of records, and how far a record has arrived.

use sdk::json;
use sdk::serde_json::Value;
use sdk::{Authority, DnsAnswer, DnsFailure, Entry, Outcome, Told};
use simulators::Account;

fn shop() -> sdk::Fake {
    let fake = crate::fake().connected("con_d", "cloudflare");
    let own = Account::cloudflare();
    fake.provider_plays(move |asked| {
        Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
    });
    fake.name("_spf.mail.example", "TXT", &["v=spf1 ip4:192.0.2.0/24 -all"]);
    fake.name("_spf.google.com", "TXT", &["v=spf1 ip4:203.0.113.0/24 -all"]);
    fake.name("spf.protection.outlook.com", "TXT", &["v=spf1 ip4:203.0.113.0/24 -all"]);
    fake
}

fn apply(fake: &sdk::Fake, template: &str, values: Value) -> Result<Value, sdk::Fault> {
    fake.call("domains.dns.template.apply", json!({ "domain": "shop.example", "template": template, "values": values }))
}

fn contents(list: &Value) -> Vec<String> {
    let line = |it: &Value| {
        let it = if it["after"].is_null() { it } else { &it["after"] };
        let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        format!("{} {} {}", text("name"), text("type"), text("content"))
    };
    list.as_array().expect("a list").iter().map(line).collect()
}

#[test]
fn a_proof_is_added_beside_the_texts_that_stand() {
    let fake = shop();
    let token = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg";
    let done = apply(&fake, "gsc_verify", json!({ "token": format!("google-site-verification={token}") })).expect("it");
    assert_eq!(contents(&done["diff"]["add"]), [format!("shop.example TXT google-site-verification={token}")]);
    assert_eq!((&done["applied"], &done["diff"]["change"]), (&json!(1), &json!([])));
    let again = apply(&fake, "gsc_verify", json!({ "token": token })).expect("it");
    assert_eq!((&again["applied"], contents(&again["diff"]["unchanged"]).len()), (&json!(0), 1));
    for (values, pointer, code) in [
        (json!({}), "/values/token", "value_missing"),
        (json!({ "token": "with a space here" }), "/values/token", "value_not_theirs"),
        (json!({ "token": token, "rua": "a@b.example" }), "/values/rua", "value_not_taken"),
    ] {
        let refused = apply(&fake, "gsc_verify", values).expect_err("refused");
        assert_eq!((refused.pointer.as_deref(), refused.code.as_str()), (Some(pointer), code));
    }
}

#[test]
fn mail_moves_only_once_others_take_none_any_more_and_spf_is_joined() {
    let fake = shop();
    let refused = apply(&fake, "google_workspace", json!({})).expect_err("two exchangers stand");
    assert_eq!(refused.code, "records_left");
    let detail: Value = sdk::serde_json::from_str(refused.detail.as_deref().expect("details")).expect("JSON");
    let gone = json!({ "domain": "shop.example", "record_ids": detail["record_ids"], "acknowledge": true });
    fake.call("domains.dns.record.delete", gone).expect("deleted");
    let done = apply(&fake, "google_workspace", json!({})).expect("it");
    assert_eq!(contents(&done["diff"]["add"]), ["shop.example MX smtp.google.com"]);
    assert_eq!(
        contents(&done["diff"]["change"]),
        ["shop.example TXT v=spf1 include:_spf.mail.example include:_spf.google.com -all"]
    );
    assert_eq!(done["next"][0]["operation_id"], "domains.email_auth.check");
    let wrong = apply(&fake, "microsoft_365", json!({ "mx": "mail.shop.example" })).expect_err("not theirs");
    assert_eq!((wrong.code.as_str(), wrong.pointer.as_deref()), ("value_not_theirs", Some("/values/mx")));
}

#[test]
fn dmarc_is_staged_and_keeps_its_other_tags() {
    let fake = shop();
    let refused = apply(&fake, "dmarc_quarantine", json!({})).expect_err("no key is seen");
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("mail_would_be_lost", Some("/force")));
    fake.name("shop.example", "TXT", &["v=spf1 include:_spf.mail.example -all"]);
    fake.name(
        "google._domainkey.shop.example",
        "TXT",
        &[&format!("v=DKIM1; k=ed25519; p={}", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")],
    );
    let done = apply(&fake, "dmarc_quarantine", json!({ "testing": true })).expect("it");
    assert_eq!(
        contents(&done["diff"]["change"]),
        ["_dmarc.shop.example TXT v=DMARC1; p=quarantine; rua=mailto:dmarc@shop.example; t=y"]
    );
    let weaker = apply(&fake, "dmarc_none", json!({ "rua": "other@shop.example" })).expect_err("weaker");
    assert_eq!(weaker.code, "weaker_policy");
    let reject = json!([{ "name": "_dmarc", "type": "TXT", "content": "v=DMARC1; p=reject" }]);
    fake.call("domains.dns.record.upsert", json!({ "domain": "shop.example", "records": reject })).expect("it");
    let weaker = apply(&fake, "dmarc_quarantine", json!({})).expect_err("weaker than reject");
    assert_eq!(weaker.code, "weaker_policy");
    let wrong = apply(&fake, "dmarc_none", json!({ "rua": "nobody" })).expect_err("no address");
    assert!(matches!(wrong.code.as_str(), "weaker_policy" | "invalid_address"), "{}", wrong.code);
}

#[test]
fn permissions_keep_who_is_allowed_and_say_who_was_not_seen() {
    let fake = shop();
    let done = apply(&fake, "caa_letsencrypt", json!({ "issuers": ["pki.goog"] })).expect("it");
    assert_eq!(contents(&done["diff"]["add"]), ["shop.example CAA 0 issue \"pki.goog\""]);
    assert_eq!(contents(&done["diff"]["unchanged"]), ["shop.example CAA 0 issue \"letsencrypt.org\""]);
    let both = apply(&fake, "www_apex", json!({})).expect("it");
    assert_eq!((&both["applied"], contents(&both["diff"]["unchanged"]).len()), (&json!(0), 3));
}

#[test]
fn a_dry_run_of_a_template_writes_nothing() {
    let fake = shop();
    let arguments = json!({ "domain": "shop.example", "template": "dmarc_none", "values": { "rua": "new@shop.example" }, "dry_run": true });
    let shown = fake.call("domains.dns.template.apply", arguments).expect("it");
    assert_eq!((&shown["applied"], contents(&shown["diff"]["change"]).len()), (&json!(0), 1));
    assert!(fake.sent().iter().all(|it| it.starts_with("GET")), "{:?}", fake.sent());
}

fn answer(text: &str, ttl: u32) -> DnsAnswer {
    let entry = Entry {
        name: "www.shop.example.".to_owned(),
        kind: "A".to_owned(),
        ttl,
        text: text.to_owned(),
        data: Vec::new(),
    };
    DnsAnswer {
        outcome: Outcome::Found,
        code: 0,
        entries: vec![entry],
        withheld: 0,
        trust: None,
        authoritative: true,
        milliseconds: 3,
    }
}

#[test]
fn who_still_gives_the_old_value_is_told_with_how_long() {
    let fake = crate::fake();
    let server =
        |name: &str, text: &str| Told { server: name.to_owned(), address: None, answer: Ok(answer(text, 3_600)) };
    let servers = vec![
        server("ns1.dns.example", "192.0.2.10"),
        server("ns2.dns.example", "192.0.2.10"),
        server("ns3.dns.example", "192.0.2.9"),
    ];
    fake.servers("www.shop.example", "A", Ok(Authority { zone: None, servers, more: 0 }));
    fake.resolvers(
        "www.shop.example",
        "A",
        &[
            ("One", Ok(answer("192.0.2.10", 300))),
            ("Two", Ok(answer("192.0.2.9", 1_700))),
            ("Three", Ok(answer("192.0.2.9", 90))),
            ("Four", Err(DnsFailure::Timeout)),
        ],
    );
    let seen =
        fake.call("domains.dns.propagation.check", json!({ "name": "www.shop.example", "type": "A" })).expect("it");
    assert_eq!((&seen["expected"], &seen["settled_in_seconds"]), (&json!("192.0.2.10"), &json!(1_700)));
    assert!((seen["done_share"].as_f64().expect("a share") - 1.0 / 3.0).abs() < 1e-9, "of those that answered");
    assert_eq!(
        (&seen["authoritative"][0]["name"], &seen["authoritative"][0]["matches"]),
        (&json!("ns3.dns.example"), &json!(false))
    );
    assert!(seen["resolvers"][3]["matches"].is_null() && seen["degraded"][0]["what"] == "resolvers", "{seen}");
    assert_eq!(seen["next"][0]["operation_id"], "domains.dns.health.check");
    let old = json!({ "name": "www.shop.example", "type": "A", "expected": "192.0.2.9" });
    let seen = fake.call("domains.dns.propagation.check", old).expect("it");
    assert!((seen["done_share"].as_f64().expect("a share") - 2.0 / 3.0).abs() < 1e-9);
}

#[test]
fn where_nobody_answers_nothing_is_said_of_the_spread() {
    let seen = crate::fake()
        .call("domains.dns.propagation.check", json!({ "name": "www.shop.example", "type": "A" }))
        .expect("it");
    assert!(
        seen["done_share"].is_null() && seen["expected"].is_null() && seen["settled_in_seconds"].is_null(),
        "{seen}"
    );
    assert!(!seen["degraded"].as_array().expect("a list").is_empty());
}
