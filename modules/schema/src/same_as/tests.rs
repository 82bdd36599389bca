//! Profiles elsewhere.

use sdk::json;

use crate::tests::{LAMP, actions_fit, host};

#[test]
fn a_profile_is_reachable_named_alike_and_links_back_or_not() {
    let fake = host().serving("https://shop.example/", LAMP);
    fake.serve(
        "https://github.com/lampshop",
        200,
        &[("content-type", "text/html")],
        b"<title>Lamp Shop</title><a href='https://www.shop.example/'>site</a>",
    );
    fake.serve("https://x.com/other", 200, &[("content-type", "text/html")], b"<title>Somebody else</title>");
    fake.serve("https://yelp.com/biz/gone", 404, &[], b"");
    let urls = ["https://github.com/lampshop", "https://x.com/other", "https://yelp.com/biz/gone"];
    let seen = fake.call("schema.sameas.verify", json!({ "site_id": "81", "urls": urls })).unwrap();
    let of = |url: &str| seen["profiles"].as_array().unwrap().iter().find(|it| it["url"] == url).unwrap().clone();
    assert_eq!((&of(urls[0])["name_match"], &of(urls[0])["links_back"]), (&json!(true), &json!(true)));
    assert_eq!((&of(urls[1])["name_match"], &of(urls[1])["links_back"]), (&json!(false), &json!(false)));
    assert_eq!((&of(urls[2])["reachable"], &of(urls[2])["name_match"]), (&json!(false), &json!(null)));
    assert_eq!(seen["proposed"], json!(["https://www.linkedin.com/company/lampshop"]));
    assert_eq!(actions_fit(&seen), 1);
    let made = fake.call("schema.organization.generate", json!({ "site_id": "81" })).unwrap();
    assert_eq!(made["jsonld"]["@graph"][0]["sameAs"], json!(["https://github.com/lampshop"]));
}

#[test]
fn a_name_is_matched_as_words_and_the_label_of_a_domain_is_none() {
    let said = |text: &str| super::words(text);
    assert!(super::has_name(&said("The Lamp Shop - Berlin"), "Lamp Shop"));
    assert!(super::has_name(&said("@lampshop on GitHub"), "Lamp Shop"));
    assert!(super::has_name(&said("LampShop"), "lampshop"));
    assert!(!super::has_name(&said("A lamp in a shop"), "Lamp Shop"));
    assert!(!super::has_name(&said("How I bake my own bread"), "Own Goods"));
    assert!(!super::has_name(&said("Downtown"), "Own"));
    let fake = host();
    fake.serve("https://own.example/", 200, &[("content-type", "text/html")], b"<title>Own</title>");
    let site = site::Site { origin: "https://own.example".to_owned(), ..site::Site::default() };
    fake.put_as("82", site);
    let page = b"<title>My own bread</title>";
    fake.serve("https://x.com/baker", 200, &[("content-type", "text/html")], page);
    let asked = json!({ "site_id": "82", "urls": ["https://x.com/baker"] });
    let seen = fake.call("schema.sameas.verify", asked).unwrap();
    assert_eq!((&seen["profiles"][0]["name_match"], &seen["names"]), (&json!(null), &json!([])), "{seen}");
}

#[test]
fn a_profile_that_the_customer_entered_stays_whatever_verifying_it_says() {
    let fake = host();
    let entered = "https://www.facebook.com/our-real-page";
    let facts = serde_json::from_value(json!({ "same_as": [entered] })).unwrap();
    let name = Some("Lamp Shop".to_owned());
    let site =
        site::Site { origin: "https://shop.example".to_owned(), name, facts: Some(facts), ..site::Site::default() };
    fake.put_as("83", site);
    fake.serve(entered, 200, &[("content-type", "text/html")], b"<title>Log in</title>");
    fake.serve("https://github.com/lampshop", 200, &[("content-type", "text/html")], b"<title>lampshop</title>");
    let urls = json!({ "site_id": "83", "urls": [entered, "https://github.com/lampshop"] });
    fake.call("schema.sameas.verify", urls).unwrap();
    let made = fake.call("schema.organization.generate", json!({ "site_id": "83" })).unwrap();
    assert_eq!(made["jsonld"]["@graph"][0]["sameAs"], json!([entered, "https://github.com/lampshop"]), "{made}");
    let told = made["degraded"].as_array().unwrap().iter().find(|it| it["what"] == "verified_profiles").unwrap();
    assert_eq!(told["operation_id"], "schema.sameas.verify");
}
