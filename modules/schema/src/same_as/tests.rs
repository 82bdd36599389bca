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
