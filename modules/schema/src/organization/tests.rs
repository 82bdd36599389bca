//! Who stands behind a website.

use std::collections::BTreeMap;

use sdk::json;

use crate::tests::{actions_fit, host};
use site::Site;

#[test]
fn facts_of_the_website_make_its_organization_under_stable_ids() {
    let fake = host();
    let plain = fake.call("schema.organization.generate", json!({ "site_id": "81" })).unwrap();
    let graph = plain["jsonld"]["@graph"].as_array().unwrap().clone();
    assert_eq!(
        (&graph[0]["@type"], &graph[0]["@id"]),
        (&json!("Organization"), &json!("https://shop.example/#organization"))
    );
    assert_eq!(graph[1]["publisher"]["@id"], graph[0]["@id"]);
    assert!(plain["missing"].to_string().contains("telephone") && plain["valid"] == true, "{plain:#}");
    assert_eq!(plain["degraded"][0]["what"], "locations");
    assert_eq!(actions_fit(&plain), 2);
    let facts = json!({ "Street": "Lampstreet 1", "city": "Berlin", "country": "DE", "phone": "+49 30 1", "same_as": ["https://github.com/lampshop"], "business_type": "HomeGoodsStore" });
    let facts: BTreeMap<String, _> = serde_json::from_value(facts).unwrap();
    let site = Site { origin: "https://lamps.example".to_owned(), facts: Some(facts), ..Site::default() };
    let fake = host().with_as("82", site);
    let local = fake.call("schema.organization.generate", json!({ "site_id": "82" })).unwrap();
    let node = &local["jsonld"]["@graph"][0];
    assert_eq!((&node["@type"], &node["address"]["addressLocality"]), (&json!("HomeGoodsStore"), &json!("Berlin")));
    assert_eq!((&node["sameAs"][0], &node["name"]), (&json!("https://github.com/lampshop"), &json!("lamps.example")));
    let refused = fake.refusal("schema.organization.generate", json!({ "site_id": "82", "location_ref": "loc_1" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("location_not_found", Some("/location_ref")));
}
