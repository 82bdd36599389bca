//! Coverage of a crawl.

use sdk::json;

use crate::tests::{actions_fit, crawled, host};

#[test]
fn pages_are_counted_by_type_and_template_with_the_commonest_error() {
    let fake = host();
    let lamp = |price: Option<u32>| {
        let mut it = json!({ "@context": "https://schema.org", "@type": "Product", "name": "Lamp", "image": "/l.png", "offers": { "@type": "Offer", "priceCurrency": "EUR" } });
        if let Some(price) = price {
            it["offers"]["price"] = json!(price);
        }
        it
    };
    crawled(&fake, 1, "/", &[json!({ "@context": "https://schema.org", "@type": "Organization", "name": "Lampshop" })]);
    for seq in 2..8 {
        crawled(&fake, seq, &format!("/products/lamp-{seq}"), &[lamp((seq > 3).then_some(9))]);
    }
    crawled(&fake, 8, "/products/bare", &[]);
    let told = fake.call("schema.site.report", json!({ "run_ref": "run1" })).unwrap();
    let products = &told["templates"][0];
    assert_eq!(
        (&products["template"], &products["pages"], &products["with"], &products["without"]),
        (&json!("/products/*"), &json!(7), &json!(6), &json!(1))
    );
    assert_eq!((&products["inconsistent"], &products["invalid"]), (&json!(1), &json!(2)), "{products:#}");
    assert!(products["commonest_error"].as_str().unwrap().contains("price"), "{products:#}");
    assert_eq!((&told["errors"][0]["pages"], &told["types"][0]["pages"]), (&json!(2), &json!(6)), "{told:#}");
    assert_eq!(told["basis"]["age_seconds"], 3_600);
    assert!(actions_fit(&told) >= 4);
    let first = fake.call("schema.site.report", json!({ "run_ref": "run1", "limit": 1 })).unwrap();
    let next = fake
        .call("schema.site.report", json!({ "run_ref": "run1", "limit": 1, "cursor": first["next_cursor"] }))
        .unwrap();
    assert_eq!((&next["templates"][0]["template"], &next["next_cursor"]), (&json!("/"), &json!(null)));
    let only = fake.call("schema.site.report", json!({ "run_ref": "run1", "type": "Organization" })).unwrap();
    assert_eq!((only["templates"].as_array().unwrap().len(), &only["total"]), (1, &json!(1)));
    assert_eq!(fake.refusal("schema.site.report", json!({ "run_ref": "run1", "cursor": "x" })).code, "invalid_cursor");
    assert_eq!(fake.refusal("schema.site.report", json!({ "run_ref": "run9" })).code, "run_not_found");
}
