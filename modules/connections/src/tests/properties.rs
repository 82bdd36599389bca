//! Properties: listed as each provider documents it, bound where domains agree.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::{cloudflare, connected, host, site};

fn listed(fake: &Fake, id: &str) -> Vec<Value> {
    let page = fake.call("connections.property.list", json!({ "connection_ref": id, "limit": 100 })).unwrap();
    page["properties"].as_array().unwrap().clone()
}

fn ids(properties: &[Value]) -> Vec<&str> {
    properties.iter().map(|it| it["remote_id"].as_str().unwrap()).collect()
}

#[test]
fn each_kind_lists_what_its_provider_documents() {
    let fake = host();
    for (kind, endpoint, credentials, line, body, wanted) in [
        (
            "bing_webmaster",
            None,
            json!({ "api_key": "canary-1" }),
            "GET /webmaster/api.svc/json/GetUserSites",
            r#"{"d":[{"Url":"https://www.shop.example/","IsVerified":true}]}"#,
            "https://www.shop.example/",
        ),
        (
            "wordpress",
            Some("https://shop.example"),
            json!({ "username": "editor", "application_password": "canary-1" }),
            "GET /wp-json",
            r#"{"name":"Lamps","home":"https://shop.example","namespaces":["wp/v2"]}"#,
            "https://shop.example",
        ),
        (
            "powerdns",
            Some("https://dns.example"),
            json!({ "api_key": "canary-1" }),
            "GET /api/v1/servers/localhost/zones",
            r#"[{"name":"shop.example.","kind":"Native"}]"#,
            "shop.example",
        ),
        (
            "cloudflare",
            None,
            json!({ "api_token": "canary-1" }),
            "GET /client/v4/zones",
            r##"{"success":true,"result":[{"name":"shop.example","permissions":["#zone:read"]}],"result_info":{"total_pages":1}}"##,
            "shop.example",
        ),
        (
            "name_com",
            None,
            json!({ "username": "lampshop", "token": "canary-1" }),
            "GET /core/v1/domains",
            r#"{"domains":[{"domainName":"shop.example"}],"lastPage":1}"#,
            "shop.example",
        ),
        (
            "porkbun",
            None,
            json!({ "api_key": "canary-1", "secret_api_key": "canary-2" }),
            "POST /api/json/v3/domain/listAll",
            r#"{"status":"SUCCESS","domains":[{"domain":"shop.example"}]}"#,
            "shop.example",
        ),
    ] {
        let id = connected(&fake, kind, endpoint, credentials);
        fake.provide(kind, line, 200, &[], body);
        let found = listed(&fake, &id);
        assert_eq!(ids(&found), [wanted], "{kind}");
        assert_eq!(found[0]["suggested_site_id"], "81", "{kind}");
        fake.provide(kind, line, 200, &[], r#"{"unexpected":[true]}"#);
        let fault = fake.refusal("connections.property.list", json!({ "connection_ref": id }));
        assert_eq!(fault.code, "provider_error", "{kind}");
        fake.provide(kind, line, 401, &[], "");
        let fault = fake.refusal("connections.property.list", json!({ "connection_ref": id }));
        assert_eq!(fault.code, "connection_expired", "{kind}");
    }
}

#[test]
fn models_have_no_domain_and_a_mailbox_has_one() {
    let fake = host();
    let llm = connected(&fake, "llm", None, json!({ "api_key": "sk-canary" }));
    fake.provide("llm", "GET /models", 200, &[], r#"{"data":[{"id":"small"},{"id":"large"}]}"#);
    let models = listed(&fake, &llm);
    assert_eq!(ids(&models), ["small", "large"]);
    assert_eq!((&models[0]["domain"], &models[0]["suggested_site_id"]), (&json!(null), &json!(null)));
    let jmap = connected(&fake, "jmap", Some("https://mail.example"), json!({ "token": "canary-1" }));
    let session = r#"{"accounts":{"a":{"name":"hello@shop.example","isReadOnly":false}}}"#;
    fake.provide("jmap", "GET /.well-known/jmap", 302, &[("location", "/jmap/session")], "");
    fake.provide("jmap", "GET /jmap/session", 200, &[], session);
    let mailboxes = listed(&fake, &jmap);
    assert_eq!(ids(&mailboxes), ["hello@shop.example"]);
    assert_eq!(mailboxes[0]["suggested_site_id"], "81");
    let data = connected(&fake, "dataforseo", None, json!({ "login": "a@shop.example", "password": "canary-1" }));
    assert!(listed(&fake, &data).is_empty());
}

#[test]
fn a_long_list_is_paged_without_losing_or_repeating_a_row() {
    let fake = host();
    let id = cloudflare(&fake);
    let name = |number: usize| format!("shop{number}.example");
    for page in 0..3 {
        let zones: Vec<_> = (page * 50..((page + 1) * 50).min(120)).map(|it| json!({ "name": name(it) })).collect();
        let body = json!({ "success": true, "result": zones, "result_info": { "total_pages": 3 } }).to_string();
        let line = format!("GET /client/v4/zones?per_page=50&page={}", page + 1);
        fake.provide("cloudflare", &line, 200, &[], &body);
    }
    for limit in [7, 50, 100] {
        let (mut seen, mut arguments) = (Vec::new(), json!({ "connection_ref": id, "limit": limit }));
        loop {
            let page = fake.call("connections.property.list", arguments.clone()).unwrap();
            let found = page["properties"].as_array().unwrap();
            assert!(found.len() <= limit);
            seen.extend(found.iter().map(|it| it["remote_id"].as_str().unwrap().to_owned()));
            match page.get("next_cursor").filter(|it| !it.is_null()) {
                Some(next) => arguments["cursor"] = next.clone(),
                None => break,
            }
        }
        assert_eq!(seen, (0..120).map(name).collect::<Vec<_>>(), "{limit}");
    }
    let strange = json!({ "connection_ref": id, "cursor": "zones" });
    assert_eq!(fake.refusal("connections.property.list", strange).code, "invalid_cursor");
}

#[test]
fn the_website_of_the_same_host_is_suggested_before_others_of_the_domain() {
    let fake = host().with_as("82", site("blog.shop.example")).with_as("83", site("other.example"));
    let id = connected(&fake, "bing_webmaster", None, json!({ "api_key": "canary-1" }));
    let sites = r#"{"d":[{"Url":"https://blog.shop.example/"},{"Url":"https://www.shop.example/"},{"Url":"https://de.shop.example/"},{"Url":"https://strange.example/"}]}"#;
    fake.provide("bing_webmaster", "GET /webmaster/api.svc/json/GetUserSites", 200, &[], sites);
    let suggested: Vec<_> = listed(&fake, &id).iter().map(|it| it["suggested_site_id"].clone()).collect();
    assert_eq!(suggested, [json!("82"), json!("81"), json!("81"), json!(null)]);
}

#[test]
fn a_property_of_another_domain_is_bound_only_by_force() {
    let fake = host().with_as("82", site("strange.example"));
    let id = cloudflare(&fake);
    let map = |remote: &str, site: &str, force: bool| json!({ "connection_ref": id, "remote_id": remote, "site_id": site, "force": force });
    let fault = fake.refusal("connections.property.map", map("shop.example", "82", false));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("domain_mismatch", Some("/remote_id")));
    assert!(fake.rows::<crate::stored::Mapping>().is_empty());
    let forced = fake.call("connections.property.map", map("shop.example", "82", true)).unwrap();
    assert_eq!((&forced["mapping"]["forced"], forced["warnings"].as_array().unwrap().len()), (&json!(true), 1));
    let fault = fake.refusal("connections.property.map", map("shop.example", "99", false));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("website_not_found", Some("/site_id")));
}

#[test]
fn a_website_has_one_property_of_a_kind_and_is_told_what_it_replaces() {
    let fake = host();
    let id = cloudflare(&fake);
    let map = |remote: &str| json!({ "connection_ref": id, "remote_id": remote, "site_id": "81" });
    let first = fake.call("connections.property.map", map("shop.example")).unwrap();
    assert_eq!(first["warnings"], json!([]));
    assert_eq!(fake.call("connections.property.map", map("shop.example")).unwrap()["warnings"], json!([]));
    let second = fake.call("connections.property.map", map("blog.shop.example")).unwrap();
    assert_eq!(second["warnings"].as_array().unwrap().len(), 2, "{second}");
    assert_eq!(fake.rows::<crate::stored::Mapping>().len(), 1);
    let listed = fake.call("connections.list", json!({})).unwrap();
    assert_eq!(listed["connections"][0]["websites"], json!(["81"]));
    let key = connected(&fake, "indexnow", None, json!({ "key": "0123456789abcdef" }));
    let bound = json!({ "connection_ref": key, "remote_id": "shop.example", "site_id": "81" });
    assert_eq!(fake.refusal("connections.property.map", bound).code, "no_properties");
}

#[test]
fn a_model_goes_with_every_website() {
    let fake = host();
    let id = connected(&fake, "llm", None, json!({ "api_key": "sk-canary" }));
    let bound = json!({ "connection_ref": id, "remote_id": "gpt-5-mini", "site_id": "81" });
    let mapped = fake.call("connections.property.map", bound).unwrap();
    assert_eq!((&mapped["mapping"]["remote_id"], &mapped["warnings"]), (&json!("gpt-5-mini"), &json!([])));
}
