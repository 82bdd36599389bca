//! Entities of a crawl: merged, contradicting, dangling, homeless.

use sdk::json;

use crate::entity_graph::Node;
use crate::tests::{actions_fit, crawled, host};

#[test]
fn nodes_that_share_an_identity_are_one_and_what_they_contradict_is_told() {
    let fake = host();
    let context = "https://schema.org";
    crawled(
        &fake,
        1,
        "/",
        &[
            json!({ "@context": context, "@type": "Organization", "@id": "https://shop.example/#org", "name": "Lampshop", "telephone": "+49 30 123", "url": "https://shop.example/" }),
        ],
    );
    crawled(
        &fake,
        2,
        "/about",
        &[
            json!({ "@context": context, "@type": "Organization", "@id": "#us", "name": "Lamp Shop", "telephone": "0049 30 999", "sameAs": ["https://shop.example"] }),
        ],
    );
    crawled(
        &fake,
        3,
        "/blog/a",
        &[
            json!({ "@context": context, "@type": "Article", "@id": "#a", "headline": "A", "publisher": { "@id": "https://shop.example/#org" }, "author": { "@type": "Person", "name": "Ada" }, "isPartOf": { "@id": "https://shop.example/#gone" } }),
        ],
    );
    crawled(
        &fake,
        4,
        "/contact",
        &[json!({ "@context": context, "@type": "Organization", "@id": "#other", "name": "LampShop" })],
    );
    let started = fake.call("schema.entity_graph.build", json!({ "run_ref": "run1" })).unwrap();
    assert_eq!(started["state"], "queued");
    let twin = fake.call("schema.entity_graph.build", json!({ "run_ref": "run1" })).unwrap();
    assert_eq!(twin["job_ref"], started["job_ref"]);
    fake.work();
    let built = fake.call("schema.entity_graph.build", json!({ "run_ref": "run1" })).unwrap();
    assert_eq!(
        (&built["state"], &built["pages"], &built["entities"]),
        (&json!("succeeded"), &json!(4), &json!(4)),
        "{built:#}"
    );
    assert_eq!(built["dangling"][0]["id"], "https://shop.example/#gone");
    let conflicts: Vec<&str> =
        built["conflicts"].as_array().unwrap().iter().map(|it| it["property"].as_str().unwrap()).collect();
    assert_eq!(conflicts, ["telephone", "@id"], "{built:#}");
    let orphans: Vec<&str> =
        built["orphan_entities"].as_array().unwrap().iter().map(|it| it["entity"].as_str().unwrap()).collect();
    assert_eq!(orphans, ["Ada", "LampShop"]);
    assert!(actions_fit(&built) >= 5);
    assert_eq!(fake.rows::<Node>().len(), 4);
}
