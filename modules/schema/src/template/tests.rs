//! Templates: saved, refused, and rendered on the pages of their segment.

use sdk::json;
use sdk::serde_json::Value;

use crate::template::Template;
use crate::tests::{PAGE, actions_fit, host};

fn template(mapping: Value) -> Value {
    json!({ "site_id": "81", "name": "Lamps", "segment_ref": "seg_1", "type": "Product", "mapping": mapping })
}

pub(crate) fn whole() -> Value {
    template(json!({
        "name": { "selector": "h1", "required": true }, "image": { "field": "picture" },
        "offers.@type": { "constant": "Offer" }, "offers.price": { "selector": ".price", "filters": ["price"], "required": true },
        "offers.priceCurrency": { "selector": ".price", "filters": ["currency"] }
    }))
}

#[test]
fn a_template_is_saved_once_under_its_name_and_says_what_it_lacks() {
    let fake = host();
    let saved = fake.call("schema.template.save", whole()).unwrap();
    assert_eq!((&saved["replaced"], &saved["warnings"]), (&json!(false), &json!([])));
    assert_eq!(actions_fit(&saved), 1);
    let poor = fake.call("schema.template.save", template(json!({ "nmae": { "selector": "h1" } }))).unwrap();
    assert_eq!((&poor["replaced"], &poor["template_ref"]), (&json!(true), &saved["template_ref"]));
    assert!(poor["warnings"].to_string().contains("no property nmae"), "{poor}");
    assert_eq!(fake.rows::<Template>().len(), 1);
}

#[test]
fn a_mapping_that_cannot_be_read_is_refused_where_it_stands() {
    let fake = host();
    for (mapping, pointer) in [
        (json!({ "name": {} }), "/mapping/name"),
        (json!({ "name": { "selector": "h1", "field": "title" } }), "/mapping/name"),
        (json!({ "name": { "selector": "h1[" } }), "/mapping/name/selector"),
        (json!({ "name": { "field": "title", "attribute": "x" } }), "/mapping/name/attribute"),
    ] {
        let refused = fake.refusal("schema.template.save", template(mapping.clone()));
        assert_eq!(
            (refused.code.as_str(), refused.pointer.as_deref()),
            ("mapping_unreadable", Some(pointer)),
            "{mapping}"
        );
    }
    assert_eq!(fake.refusal("schema.template.save", template(json!({}))).code, "mapping_size");
    let mut other = whole();
    other["segment_ref"] = json!("seg_2");
    assert_eq!(fake.refusal("schema.template.save", other).code, "segment_not_found");
    let mut unknown = whole();
    unknown["type"] = json!("Prodct");
    assert_eq!(fake.refusal("schema.template.save", unknown).code, "unknown_type");
    assert!(fake.rows::<Template>().is_empty());
}

#[test]
fn a_preview_renders_pages_of_the_segment_and_says_what_was_not_found() {
    let fake = host().serving("https://shop.example/products/lamp-2", "<title>a</title><h1>Oak lamp</h1>");
    let saved = fake.call("schema.template.save", whole()).unwrap();
    let urls = [PAGE, "https://shop.example/products/lamp-2", "https://shop.example/products/gone"];
    let shown =
        fake.call("schema.template.preview", json!({ "template_ref": saved["template_ref"], "urls": urls })).unwrap();
    let first = &shown["results"][0];
    assert_eq!(
        (&first["jsonld"]["offers"]["price"], &first["jsonld"]["offers"]["priceCurrency"]),
        (&json!("89.00"), &json!("EUR"))
    );
    assert!(
        first["eligible_for"].to_string().contains("merchant_listing") && first["errors"] == json!([]),
        "{first:#}"
    );
    assert_eq!(shown["results"][1]["not_found"], json!(["offers.price"]));
    assert!(shown["results"][2]["failure"].as_str().unwrap().contains("did not answer"));
    assert_eq!((&shown["eligible_share"], actions_fit(&shown)), (&json!(0.333), 1));
    let outside = json!({ "template_ref": saved["template_ref"], "urls": ["https://shop.example/about"] });
    let refused = fake.refusal("schema.template.preview", outside);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("url_not_in_segment", Some("/urls/0")));
}
