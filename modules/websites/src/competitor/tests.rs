//! Competitors through their operation, against the fake host.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::tests::added;

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    (fake, site)
}

fn set(fake: &Fake, site: &str, domains: Value) -> Value {
    fake.call("websites.competitor.set", json!({ "site_id": site, "domains": domains })).unwrap()
}

#[test]
fn hosts_become_registrable_domains_and_duplicates_become_one() {
    let (fake, site) = shop();
    let tracked = set(&fake, &site, json!(["www.Rival.co.uk", "rival.co.uk", "blog.rival.co.uk", "lämpen.example"]));
    assert_eq!(tracked["competitors"], json!(["rival.co.uk", "xn--lmpen-gra.example"]));
    let merged: Vec<_> = tracked["merged"].as_array().unwrap().iter().map(|it| it["given"].as_str().unwrap()).collect();
    assert_eq!(merged, ["www.rival.co.uk", "rival.co.uk", "blog.rival.co.uk"]);
    assert_eq!(tracked["added"], tracked["competitors"]);
}

#[test]
fn the_list_is_replaced_and_the_result_says_what_went() {
    let (fake, site) = shop();
    set(&fake, &site, json!(["a.example", "b.example"]));
    let tracked = set(&fake, &site, json!(["b.example", "c.example"]));
    assert_eq!((&tracked["added"], &tracked["removed"]), (&json!(["c.example"]), &json!(["a.example"])));
    let shown = fake.call("websites.profile.get", json!({ "site_id": site })).unwrap();
    assert_eq!(shown["competitors"], json!(["b.example", "c.example"]));
    let none = set(&fake, &site, json!([]));
    assert_eq!((&none["competitors"], &none["removed"]), (&json!([]), &json!(["b.example", "c.example"])));
    let shown = fake.call("websites.profile.get", json!({ "site_id": site })).unwrap();
    assert_eq!(shown["competitors"], json!([]));
}

#[test]
fn two_websites_on_one_shared_host_are_rivals_and_the_own_domain_is_none() {
    let fake = crate::fake().serving("https://ada.github.io/", "");
    let site = added(&fake, "ada.github.io");
    assert_eq!(set(&fake, &site, json!(["bob.github.io"]))["competitors"], json!(["bob.github.io"]));
    let own = fake
        .refusal("websites.competitor.set", json!({ "site_id": site, "domains": ["a.example", "www.ada.github.io"] }));
    assert_eq!((own.code.as_str(), own.pointer.as_deref()), ("own_domain", Some("/domains/1")));
    let suffix = fake.refusal("websites.competitor.set", json!({ "site_id": site, "domains": ["github.io"] }));
    assert_eq!((suffix.code.as_str(), suffix.pointer.as_deref()), ("not_registrable", Some("/domains/0")));
    let shown = fake.call("websites.profile.get", json!({ "site_id": site })).unwrap();
    assert_eq!(shown["competitors"], json!(["bob.github.io"]), "a refused call changes nothing");
}

#[test]
fn what_is_no_domain_more_than_twenty_and_an_unknown_website_are_refused() {
    let (fake, site) = shop();
    for (domains, pointer) in
        [(json!(["ftp://rival.example/"]), "/domains/0"), (json!(["a.example", "127.0.0.1"]), "/domains/1")]
    {
        let refusal = fake.refusal("websites.competitor.set", json!({ "site_id": site, "domains": domains }));
        assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("invalid_arguments", Some(pointer)));
    }
    let pasted = set(&fake, &site, json!(["https://rival.example/lamps?page=2"]));
    assert_eq!(pasted["competitors"], json!(["rival.example"]));
    let many: Vec<String> = (0..21).map(|n| format!("rival-{n}.example")).collect();
    let refusal = fake.refusal("websites.competitor.set", json!({ "site_id": site, "domains": many }));
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("invalid_arguments", Some("/domains")));
    assert_eq!(set(&fake, &site, json!(many[..20]))["competitors"].as_array().unwrap().len(), 20);
    let unknown = fake.refusal("websites.competitor.set", json!({ "site_id": "17", "domains": [] }));
    assert_eq!(unknown.code, "website_not_found");
}
