//! What a page holds, and what is wrong with it.

use sdk::json;

use crate::tests::{PAGE, actions_fit, host};

#[test]
fn nodes_are_listed_with_what_acts_on_them() {
    let found = host().call("schema.page.extract", json!({ "url": PAGE })).unwrap();
    assert_eq!(found["nodes"][0]["types"], json!(["Product"]));
    assert_eq!((&found["nodes"].as_array().unwrap().len(), &found["page"]["status"]), (&2, &json!(200)));
    assert_eq!(actions_fit(&found), 1);
}

#[test]
fn source_that_is_given_is_read_without_a_request() {
    let fake = host();
    let html = "<div itemscope itemtype='https://schema.org/Person'><b itemprop=name>Ada</b></div>";
    let found = fake.call("schema.page.extract", json!({ "url": "https://else.example/", "html": html })).unwrap();
    assert_eq!((&found["nodes"][0]["properties"]["name"], &found["page"]), (&json!("Ada"), &json!(null)));
    assert!(fake.requested().is_empty());
    let nothing = fake.call("schema.page.extract", json!({ "url": PAGE, "html": "" })).unwrap();
    assert_eq!(nothing["next"][0]["operation_id"], "schema.type.suggest");
}

#[test]
fn a_missing_price_is_an_error_of_google_and_none_of_schema_org() {
    let fake = host();
    let of = |profile: &str| fake.call("schema.page.validate", json!({ "url": PAGE, "profile": profile })).unwrap();
    let google = of("google");
    let item = &google["items"][0];
    assert_eq!(item["errors"][0]["pointer"], "/offers");
    assert_eq!(item["errors"][0]["properties"], json!(["price", "priceSpecification.price"]));
    assert_eq!((&google["valid"], &item["fix"]["operation_id"]), (&json!(false), &json!("schema.markup.generate")));
    assert!(actions_fit(&google) > 0);
    let vocabulary = of("schema_org");
    assert_eq!((&vocabulary["valid"], &vocabulary["items"][0]["errors"]), (&json!(true), &json!([])));
    assert_eq!(of("both")["items"][0]["errors"].as_array().unwrap().len(), 1);
}
