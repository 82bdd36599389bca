//! Which features a page gets, which are blocked, and which are gone.

use sdk::json;

use crate::tests::{PAGE, actions_fit, host};

#[test]
fn a_blocked_feature_names_the_property_and_a_retired_one_its_day() {
    let fake = host();
    let checked = fake.call("schema.eligibility.check", json!({ "url": PAGE })).unwrap();
    assert_eq!(checked["eligible"], json!([]), "{checked:#}");
    let listing = checked["blocked"].as_array().unwrap().iter().find(|it| it["feature"] == "merchant_listing").unwrap();
    assert!(listing["missing"].to_string().contains("offers.price"), "{listing}");
    assert!(actions_fit(&checked) >= 1);
    let html =
        |json: sdk::serde_json::Value| format!("<title>a</title><script type='application/ld+json'>{json}</script>");
    let faq = json!({ "@context": "https://schema.org", "@graph": [
        { "@type": "FAQPage", "mainEntity": [{ "@type": "Question", "name": "Why?", "acceptedAnswer": { "@type": "Answer", "text": "So." } }] },
        { "@type": "BreadcrumbList", "itemListElement": [
            { "@type": "ListItem", "position": 1, "name": "A", "item": "https://shop.example/" }, { "@type": "ListItem", "position": 2, "name": "B" }] }] });
    let fake = fake.serving("https://shop.example/faq", &html(faq));
    let checked = fake.call("schema.eligibility.check", json!({ "url": "https://shop.example/faq" })).unwrap();
    assert_eq!(checked["retired"][0]["feature"], "faq");
    assert_eq!(checked["retired"][0]["since"], "2026-05-07");
    assert_eq!(checked["eligible"][0]["feature"], "breadcrumb");
}

#[test]
fn a_page_that_may_not_be_indexed_says_so() {
    let fake = host().serving("https://shop.example/n", "<meta name=robots content=noindex><title>a</title>");
    let checked = fake.call("schema.eligibility.check", json!({ "url": "https://shop.example/n" })).unwrap();
    assert_eq!(checked["degraded"][0]["what"], "index");
    assert_eq!(checked["next"][0]["operation_id"], "schema.type.suggest");
}
