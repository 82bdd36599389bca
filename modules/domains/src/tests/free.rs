//! Names are free only when the name system and the registry say so.

use sdk::serde_json::Value;
use sdk::{DnsAnswer, DnsFailure, Failure, Outcome, json};

const BOOTSTRAP: &str = "https://data.iana.org/rdap/dns.json";
const BASE: &str = "https://rdap.registry.example/v1/";

/// A host that knows the registry of `com` and `io`.
fn world() -> sdk::Fake {
    let fake = crate::fake();
    let list = json!({ "services": [[["com", "io"], ["http://rdap.registry.example/v1/", "https://rdap.registry.example/v1/"]]] });
    fake.serve(BOOTSTRAP, 200, &[("content-type", "application/json")], list.to_string().as_bytes());
    fake
}

fn registry(fake: &sdk::Fake, domain: &str, status: u16, body: &Value) {
    let headers = [("content-type", "application/rdap+json")];
    fake.serve(&format!("{BASE}domain/{domain}"), status, &headers, body.to_string().as_bytes());
}

fn object(domain: &str, statuses: &[&str]) -> Value {
    json!({
        "objectClassName": "domain", "ldhName": domain.to_uppercase(), "status": statuses,
        "events": [
            { "eventAction": "registration", "eventDate": "2001-02-03T04:05:06Z" },
            { "eventAction": "expiration", "eventDate": "2027-01-31T23:00:00-05:00" },
        ],
        "nameservers": [{ "ldhName": "NS1.EXAMPLE.NET." }],
        "secureDNS": { "delegationSigned": true },
        "entities": [
            { "roles": ["registrar"], "publicIds": [{ "type": "IANA Registrar ID", "identifier": "9999" }],
              "vcardArray": ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "A Registrar"]]] },
            { "roles": ["registrant"], "remarks": [{ "title": "REDACTED FOR PRIVACY" }],
              "vcardArray": ["vcard", [["fn", {}, "text", "Ada Secret"], ["email", {}, "text", "ada@secret.example"]]] },
        ],
        "redacted": [{ "name": { "description": "Registrant Phone" } }],
    })
}

fn rows(fake: &sdk::Fake, names: &[&str]) -> Vec<(String, Value, Value)> {
    let seen = fake.call("domains.availability.check", json!({ "names": names })).expect("rows");
    let all = seen["rows"].as_array().expect("a list").clone();
    all.into_iter().map(|it| (it["state"].as_str().unwrap_or_default().to_owned(), it["reason"].clone(), it)).collect()
}

#[test]
fn the_table_of_states_holds_and_no_fault_makes_a_name_free() {
    let fake = world();
    let exists = |name: &str| fake.name(name, "NS", &["ns1.example.net."]);
    let failed = DnsAnswer {
        outcome: Outcome::Failed,
        code: 2,
        entries: Vec::new(),
        withheld: 0,
        trust: None,
        authoritative: false,
        milliseconds: 1,
    };
    let not_found = json!({ "errorCode": 404 });
    exists("held.com");
    registry(&fake, "held.com", 200, &object("held.com", &["active"]));
    exists("lag.com");
    registry(&fake, "lag.com", 404, &not_found);
    registry(&fake, "free.com", 404, &not_found);
    registry(&fake, "dying.com", 200, &object("dying.com", &["pending delete"]));
    registry(&fake, "hold.com", 200, &object("hold.com", &["client hold"]));
    registry(
        &fake,
        "kept.com",
        400,
        &json!({ "errorCode": 400, "description": ["This name is reserved by the registry"] }),
    );
    registry(&fake, "busy.com", 429, &json!({}));
    registry(&fake, "down.com", 503, &json!({}));
    registry(&fake, "mute.com", 404, &not_found);
    fake.answer("mute.com", "NS", Ok(failed));
    let seen = rows(
        &fake,
        &["held.com", "lag.com", "free.com", "dying.com", "hold.com", "kept.com", "busy.com", "down.com", "mute.com"],
    );
    let states: Vec<(&str, &Value)> = seen.iter().map(|(state, reason, _)| (state.as_str(), reason)).collect();
    assert_eq!(
        states,
        [
            ("taken", &json!(null)),
            ("taken", &json!("conflict")),
            ("available", &json!(null)),
            ("taken", &json!("expiring")),
            ("taken", &json!("on_hold")),
            ("reserved", &json!(null)),
            ("unknown", &json!("rate_limited")),
            ("unknown", &json!("unreachable")),
            ("unknown", &json!("dns_failed")),
        ]
    );
    assert_eq!(
        (&seen[0].2["registrar"], &seen[0].2["expires_at"]),
        (&json!("A Registrar"), &json!("2027-02-01T04:00:00.000Z"))
    );
    assert_eq!(seen[2].2["premium_unknown"], true);
    fake.answer("slow.com", "NS", Err(DnsFailure::Timeout));
    registry(&fake, "slow.com", 404, &not_found);
    fake.fail(&format!("{BASE}domain/robots.io"), Failure::Disallowed);
    fake.fail(&format!("{BASE}domain/wait.io"), Failure::Paced(9));
    let seen = rows(
        &fake,
        &["slow.com", "robots.io", "wait.io", "nowhere.museum", "no name", "www.held.com", "co.uk", "Bücher.com"],
    );
    let states: Vec<(&str, &Value)> = seen.iter().map(|(state, reason, _)| (state.as_str(), reason)).collect();
    assert_eq!(
        states,
        [
            ("unknown", &json!("dns_failed")),
            ("unknown", &json!("registry_forbids")),
            ("unknown", &json!("rate_limited")),
            ("unknown", &json!("no_rdap")),
            ("invalid", &json!("not_a_domain")),
            ("invalid", &json!("not_a_domain")),
            ("invalid", &json!("not_a_domain")),
            ("unknown", &json!("unreachable")),
        ]
    );
    assert_eq!(seen[7].2["ascii"], "xn--bcher-kva.com");
}

#[test]
fn what_a_company_gives_away_is_no_free_name_and_a_name_is_asked_for_once() {
    let fake = world();
    registry(&fake, "ada.github.io", 404, &json!({}));
    registry(&fake, "free.com", 404, &json!({}));
    let seen = rows(&fake, &["ada.github.io", "free.com", "FREE.com"]);
    let states: Vec<&str> = seen.iter().map(|(state, _, _)| state.as_str()).collect();
    assert_eq!(states, ["invalid", "available", "available"]);
    assert_eq!((&seen[2].2["name"], &seen[2].2["ascii"]), (&json!("FREE.com"), &json!("free.com")));
    assert!(seen[0].2["evidence"].as_str().is_some_and(|it| it.contains("github.io")), "{}", seen[0].2);
}

#[test]
fn of_many_names_only_those_that_may_be_free_are_asked_for_at_the_registry() {
    let fake = world();
    let names: Vec<String> = (0..12).map(|at| format!("name{at}.com")).collect();
    for name in &names {
        fake.name(name, "NS", &["ns1.example.net."]);
    }
    let seen = rows(&fake, &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(seen.iter().all(|(state, reason, row)| state == "taken" && reason.is_null() && row["registrar"].is_null()));
}

#[test]
fn a_registration_is_told_without_its_persons() {
    let fake = world();
    let mut held = object("held.com", &["client transfer prohibited", "auto renew period"]);
    held["links"] = json!([{ "rel": "related", "type": "application/rdap+json", "href": "https://rdap.registrar.example/domain/held.com" }]);
    registry(&fake, "held.com", 200, &held);
    let mut of_registrar = object("held.com", &[]);
    of_registrar["events"] = json!([{ "eventAction": "expiration", "eventDate": "2027-02-15T00:00:00Z" }]);
    fake.serve(
        "https://rdap.registrar.example/domain/held.com",
        200,
        &[("content-type", "application/rdap+json")],
        of_registrar.to_string().as_bytes(),
    );
    let seen = fake.call("domains.rdap.get", json!({ "domain": "www.held.com" })).expect("it");
    assert_eq!(
        (&seen["domain"], &seen["reduced"], &seen["state"]),
        (&json!("held.com"), &json!(true), &json!("registered"))
    );
    assert_eq!(seen["registrar"], json!({ "name": "A Registrar", "iana_id": "9999", "url": null }));
    assert_eq!(
        (&seen["created_at"], &seen["registrar_expires_at"]),
        (&json!("2001-02-03T04:05:06.000Z"), &json!("2027-02-15T00:00:00.000Z"))
    );
    assert_eq!(seen["statuses"][0]["blocks"], json!(["transfer"]));
    assert_eq!(
        (&seen["nameservers"], &seen["dnssec"]),
        (&json!(["ns1.example.net"]), &json!({ "registry": true, "name_system": false, "conflict": true }))
    );
    assert_eq!(seen["redacted"], json!(["Registrant Phone", "registrant"]));
    let text = seen.to_string();
    assert!(!text.contains("Ada") && !text.contains("secret"), "{text}");
    assert_eq!(seen["sources"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_no_registry_has_or_says_is_not_made_up() {
    let fake = world();
    registry(&fake, "free.com", 404, &json!({}));
    let seen = fake.call("domains.rdap.get", json!({ "domain": "free.com" })).expect("it");
    assert_eq!(
        (&seen["state"], &seen["next"][0]["operation_id"]),
        (&json!("not_found"), &json!("domains.availability.check"))
    );
    let seen = fake.call("domains.rdap.get", json!({ "domain": "shop.museum" })).expect("it");
    assert_eq!((&seen["state"], &seen["registrar"]), (&json!("unknown"), &json!(null)));
    assert_eq!(fake.refusal("domains.rdap.get", json!({ "domain": "co.uk" })).code, "public_suffix");
    let mut led = object("led.com", &[]);
    led["links"] = json!([{ "rel": "related", "type": "application/rdap+json", "href": "https://rdap.registrar.example/domain/held.com" }]);
    registry(&fake, "led.com", 200, &led);
    let headers = [("content-type", "application/rdap+json")];
    let body = object("held.com", &[]).to_string();
    fake.serve("https://rdap.registrar.example/domain/held.com", 200, &headers, body.as_bytes());
    let seen = fake.call("domains.rdap.get", json!({ "domain": "led.com" })).expect("it");
    assert_eq!(seen["degraded"][0]["what"], "registrar", "the registrar told of another domain");
    registry(&fake, "other.com", 200, &object("held.com", &[]));
    let seen = fake.call("domains.rdap.get", json!({ "domain": "other.com" })).expect("it");
    assert_eq!(seen["state"], "unknown", "what came was about another domain");
    fake.fail(&format!("{BASE}domain/wait.com"), Failure::Paced(9));
    assert_eq!(fake.refusal("domains.rdap.get", json!({ "domain": "wait.com" })).code, "registry_paced");
}
