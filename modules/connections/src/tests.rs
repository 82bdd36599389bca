//! The operations as a caller meets them, against the fake host and what providers answer.

mod adding;
mod consents;
mod properties;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::stored::Site;

/// What WordPress answers an editor.
pub(crate) const EDITOR: &str = r#"{"id":1,"roles":["editor"],"capabilities":{"edit_posts":true,"edit_pages":true,"publish_posts":true,"upload_files":true}}"#;
pub(crate) const PROBE: &str = "GET /wp-json/wp/v2/users/me";

/// A host with one website.
pub(crate) fn host() -> Fake {
    crate::fake().with_as("81", site("shop.example"))
}

pub(crate) fn site(domain: &str) -> Site {
    Site { domain: domain.parse().unwrap(), name: domain.to_owned() }
}

/// What is added as a WordPress connection.
pub(crate) fn blog(password: &str) -> Value {
    json!({
        "kind": "wordpress", "name": "Blog", "endpoint": "https://shop.example",
        "credentials": { "username": "editor", "application_password": password },
    })
}

/// Adds a connection without asking its provider.
pub(crate) fn connected(fake: &Fake, kind: &str, endpoint: Option<&str>, credentials: Value) -> String {
    let mut arguments = json!({ "kind": kind, "name": kind, "credentials": credentials, "test": false });
    if let Some(endpoint) = endpoint {
        arguments["endpoint"] = json!(endpoint);
    }
    fake.call("connections.add", arguments).unwrap()["connection_ref"].as_str().unwrap().to_owned()
}

pub(crate) fn cloudflare(fake: &Fake) -> String {
    connected(fake, "cloudflare", None, json!({ "api_token": "cf-token-0123" }))
}

#[test]
fn kinds_say_what_they_need_and_what_they_unlock() {
    let fake = host();
    let kinds = fake.call("connections.kind.list", json!({})).unwrap();
    let find = |name: &str| kinds["kinds"].as_array().unwrap().iter().find(|it| it["kind"] == name).unwrap().clone();
    let wordpress = find("wordpress");
    assert_eq!(wordpress["endpoint"], "required");
    assert_eq!(wordpress["fields"][1]["name"], "application_password");
    assert_eq!(wordpress["fields"][1]["secret"], true);
    assert_eq!(wordpress["add_with"], "connections.add");
    assert!(wordpress["unlocks"].as_array().unwrap().contains(&json!("cms.content.create")));
    assert!(find("cloudflare")["unlocks"].as_array().unwrap().contains(&json!("domains.dns.record.list")));
    assert_eq!(find("google_search_console")["add_with"], "connections.oauth.start");
    let by_consent = |name: &str| find(name)["by_consent"].as_bool().unwrap();
    assert!(by_consent("gmail") && by_consent("bing_webmaster") && !by_consent("wordpress"));
    assert_eq!(find("smtp")["can_be_tested"], true);
    assert_eq!(find("signed_webhook")["can_be_tested"], false);
    let cms = fake.call("connections.kind.list", json!({ "module": "cms" })).unwrap();
    let names: Vec<_> = cms["kinds"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(names, ["wordpress"]);
    let none = fake.call("connections.kind.list", json!({ "module": "c" })).unwrap();
    assert_eq!(none["kinds"], json!([]));
}

#[test]
fn connections_are_listed_page_by_page_without_their_secrets() {
    let fake = host();
    for name in ["one", "two", "three"] {
        let credentials = json!({ "api_key": "sk-canary-77" });
        fake.call("connections.add", json!({ "kind": "llm", "name": name, "credentials": credentials, "test": false }))
            .unwrap();
    }
    cloudflare(&fake);
    let first = fake.reply("connections.list", json!({ "kind": "llm", "limit": 2 })).unwrap();
    assert_eq!(first.units, 2);
    assert_eq!(first.data["connections"][1]["name"], "two");
    let cursor = first.data["next_cursor"].clone();
    let second = fake.call("connections.list", json!({ "kind": "llm", "limit": 2, "cursor": cursor })).unwrap();
    assert_eq!(second["connections"].as_array().unwrap().len(), 1);
    assert!(second["next_cursor"].is_null());
    assert_eq!(second["connections"][0]["state"], "untested");
    let all = fake.call("connections.list", json!({})).unwrap();
    assert_eq!(all["connections"].as_array().unwrap().len(), 4);
    assert!(!all.to_string().contains("canary"), "{all}");
    assert_eq!(fake.call("connections.list", json!({ "state": "ok" })).unwrap()["connections"], json!([]));
    assert_eq!(fake.refusal("connections.list", json!({ "cursor": "x" })).code, "invalid_cursor");
}

#[test]
fn what_is_updated_is_shown_and_the_rest_stays() {
    let fake = host();
    let id = connected(&fake, "llm", Some("https://models.shop.example/v1"), json!({ "api_key": "sk-canary-77" }));
    let of = |more: Value| {
        let mut arguments = json!({ "connection_ref": id });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let changes = json!({ "max_rps": 2.5, "daily_cost_cap": 10, "defaults": { "model": "small" } });
    let updated = fake.call("connections.update", of(changes)).unwrap()["connection"].clone();
    assert_eq!((&updated["max_rps"], &updated["daily_cost_cap"]), (&json!(2.5), &json!(10.0)));
    let renamed = fake.call("connections.update", of(json!({ "name": "Writer" }))).unwrap()["connection"].clone();
    assert_eq!((&renamed["name"], &renamed["defaults"]["model"]), (&json!("Writer"), &json!("small")));
    assert_eq!(renamed["max_rps"], 2.5);
    let path = of(json!({ "endpoint": "https://models.shop.example/v2" }));
    assert_eq!(
        fake.call("connections.update", path).unwrap()["connection"]["endpoint"],
        "https://models.shop.example/v2"
    );
    let away = fake.refusal("connections.update", of(json!({ "endpoint": "https://thief.example/v1" })));
    assert_eq!((away.code.as_str(), away.pointer.as_deref()), ("invalid_endpoint", Some("/endpoint")));
    assert!(away.detail.unwrap().contains("connections.secret.rotate"));
    assert_eq!(fake.refusal("connections.update", of(json!({}))).code, "nothing_to_change");
    assert_eq!(fake.refusal("connections.update", of(json!({ "max_rps": 51 }))).code, "invalid_arguments");
    assert_eq!(fake.credentials(&id).unwrap()["api_key"], "sk-canary-77");
}

#[test]
fn a_connection_with_dependents_goes_only_when_they_are_acknowledged() {
    let fake = host();
    let id = cloudflare(&fake);
    let bound = json!({ "connection_ref": id, "remote_id": "shop.example", "site_id": "81" });
    fake.call("connections.property.map", bound).unwrap();
    let listed = fake.call("connections.dependents.list", json!({ "connection_ref": id })).unwrap();
    assert_eq!(listed["dependents"][0]["kind"], "property_map");
    assert_eq!(listed["dependents"][0]["label"], "shop.example for shop.example");
    let fault = fake.refusal("connections.remove", json!({ "connection_ref": id }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("has_dependents", Some("/acknowledge_dependents")));
    assert!(fault.detail.unwrap().contains("shop.example"));
    let gone = json!({ "connection_ref": id, "acknowledge_dependents": true });
    let removed = fake.call("connections.remove", gone.clone()).unwrap();
    assert_eq!((&removed["removed"], &removed["provider_revoked"]), (&json!(id), &json!(false)));
    assert_eq!(removed["paused"], listed["dependents"]);
    assert!(fake.rows::<crate::stored::Mapping>().is_empty() && fake.credentials(&id).is_none());
    assert_eq!(fake.refusal("connections.remove", gone).code, "connection_not_found");
}

#[test]
fn rank_trackers_depend_on_the_only_connection_to_their_provider() {
    use crate::stored::Tracker;

    let fake = host();
    let add = || connected(&fake, "dataforseo", None, json!({ "login": "api@shop.example", "password": "5imulated" }));
    let tracker = |every: &str| Tracker {
        location: "GB".to_owned(),
        device: "mobile".to_owned(),
        every: every.to_owned(),
        deleting: false,
    };
    fake.put_as("tracker_1", tracker("weekly"));
    fake.put_as("tracker_2", tracker("off"));
    let first = add();
    let listed = |id: &str| fake.call("connections.dependents.list", json!({ "connection_ref": id })).unwrap();
    let dependents = listed(&first)["dependents"].clone();
    assert_eq!((&dependents[0]["kind"], &dependents[0]["ref"]), (&json!("tracker"), &json!("tracker_1")));
    assert_eq!(dependents.as_array().unwrap().len(), 1, "a tracker that is off depends on nothing");
    add();
    assert_eq!(listed(&first)["dependents"], json!([]), "the other connection does as well");
}

#[test]
fn prompts_and_posts_that_wait_depend_on_the_connection_they_name() {
    use crate::stored::{Location, Post, Prompts};

    let fake = host();
    let id = cloudflare(&fake);
    for (site, every, connection) in [("81", "weekly", id.as_str()), ("82", "off", &id), ("83", "weekly", "con_other")]
    {
        let (site_id, every) = (site.to_owned(), every.to_owned());
        fake.put_as(site, Prompts { site_id, every, connections: vec![connection.to_owned()] });
    }
    for (place, connection) in [("loc_1", id.as_str()), ("loc_2", "con_other")] {
        fake.put_as(place, Location { connection: connection.to_owned(), account: "accounts/1".to_owned() });
        for state in ["scheduled", "published"] {
            let (location, state) = (place.to_owned(), state.to_owned());
            let post = format!("{place}_{state}");
            fake.put_as(&post, Post { location, state, at_ms: 1_800_000_000_000, text: "New lamps".to_owned() });
        }
    }
    let listed = fake.call("connections.dependents.list", json!({ "connection_ref": id })).unwrap();
    assert_eq!(
        listed["dependents"],
        json!([
            { "kind": "prompt_schedule", "ref": "81", "label": "prompts of shop.example, weekly", "next_run": null },
            { "kind": "post", "ref": "loc_1_scheduled", "label": "New lamps", "next_run": "2027-01-15T08:00:00.000Z" },
        ])
    );
}

#[test]
fn nobody_elses_connection_is_found() {
    let fake = host();
    let strange = json!({ "connection_ref": "con_strange" });
    let with = |more: Value| {
        let mut arguments = strange.clone();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    for (id, arguments) in [
        ("connections.test", strange.clone()),
        ("connections.update", with(json!({ "name": "x" }))),
        ("connections.secret.rotate", with(json!({ "credentials": { "api_key": "sk-canary" } }))),
        ("connections.property.list", strange.clone()),
        ("connections.property.map", with(json!({ "remote_id": "a.example", "site_id": "81" }))),
        ("connections.usage.get", strange.clone()),
        ("connections.dependents.list", strange.clone()),
        ("connections.remove", strange.clone()),
    ] {
        let fault = fake.refusal(id, arguments);
        assert_eq!(
            (fault.code.as_str(), fault.pointer.as_deref()),
            ("connection_not_found", Some("/connection_ref")),
            "{id}"
        );
    }
}

#[test]
fn usage_is_summed_by_day_operation_and_code() {
    let fake = host();
    let id = cloudflare(&fake);
    // 2026-09-28, where the fake's clock stands.
    let today = 20_724;
    let used = |day: i64, operation: &str, outcome: &str, from_ms: u64, to_ms: u64, calls: u64| {
        let (operation, outcome) = (operation.to_owned(), outcome.to_owned());
        fake.used(&id, sdk::ConnectionUse { day, operation, outcome, from_ms, to_ms, calls });
    };
    used(today, "domains.list", "ok", 0, 100, 90);
    used(today, "domains.list", "500", 100, 200, 10);
    used(today - 1, "connections.test", "timeout", 8_000, 9_000, 2);
    used(today - 30, "connections.test", "ok", 0, 1, 7);
    for (day, micros) in [(today, 1_250_000), (today - 1, 10), (today - 40, 7)] {
        fake.spend(&id, sdk::ConnectionSpending { day, currency: "USD".to_owned(), micros });
    }
    let usage = fake.call("connections.usage.get", json!({ "connection_ref": id })).unwrap();
    assert_eq!(usage["spent"], json!([{ "amount": "1.250010", "currency": "USD" }]));
    assert_eq!(usage["days"].as_array().unwrap().len(), 2);
    assert_eq!(
        usage["days"][1],
        json!({ "day": "2026-09-28", "calls": 100, "errors": 10, "p50_ms": 55.6, "p95_ms": 150.0,
            "spent": [{ "amount": "1.250000", "currency": "USD" }] })
    );
    assert_eq!(usage["by_operation"][0]["operation_id"], "domains.list");
    assert_eq!(usage["error_codes"], json!([{ "code": "500", "calls": 10 }, { "code": "timeout", "calls": 2 }]));
    let backwards = json!({ "connection_ref": id, "from": "2026-09-28", "to": "2026-09-27" });
    assert_eq!(fake.refusal("connections.usage.get", backwards).code, "invalid_range");
    let long = json!({ "connection_ref": id, "from": "2024-09-28", "to": "2026-09-27" });
    assert_eq!(fake.refusal("connections.usage.get", long).code, "range_too_long");
}
