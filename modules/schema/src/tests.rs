//! A shop with a product page, and what holds for every operation.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::crawled::Row;
use site::{Run, Segment, Site};

pub(crate) const PAGE: &str = "https://shop.example/products/lamp-1";
const TABLE: &str = include_str!("../../../catalog/operations.tsv");

/// A product page: markup that lacks a price, and facts that readers see.
pub(crate) const LAMP: &str = r##"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Brass lamp | Lampshop</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Brass lamp","image":"https://shop.example/lamp.png",
"sku":"L-1","gtin13":"4006381333931","offers":{"@type":"Offer","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><nav class="breadcrumb"><a href="/">Home</a> / <a href="/products">Lamps</a> / Brass lamp</nav>
<main><h1>Brass lamp</h1><p>A desk lamp of solid brass with a green shade, made to last for a lifetime on your desk.</p>
<img src="/lamp.png" alt="A brass lamp" width="600" height="400"><p class="price">89.00 EUR</p><p>In stock</p>
<dl><dt>Brand</dt><dd>Lampworks</dd><dt>SKU</dt><dd>L-1</dd></dl><button>Add to cart</button></main>
<footer><a href="https://www.linkedin.com/company/lampshop">LinkedIn</a></footer></body></html>"##;

/// A host with the shop, its product page, a segment and a crawl that has ended.
pub(crate) fn host() -> Fake {
    let site = Site {
        origin: "https://shop.example".to_owned(),
        name: Some("Lampshop".to_owned()),
        brand_terms: Some(vec!["Lamp Shop".to_owned()]),
        ..Site::default()
    };
    let rules = serde_json::from_value(json!([{ "match": "glob", "value": "/products/*" }])).unwrap();
    let fake = crate::fake().serving(PAGE, LAMP).with_as("81", site);
    fake.put_as("seg_1", Segment { site_id: sdk::value::Id::new("81"), name: "Lamps".to_owned(), rules });
    fake.put_as("run1", Run(site::trial::ended("81", fake.now().millis() - 3_600_000)));
    fake
}

/// Adds a crawled page with these blocks of JSON-LD.
pub(crate) fn crawled(fake: &Fake, seq: u64, path: &str, blocks: &[Value]) {
    let scripts: String =
        blocks.iter().map(|it| format!("<script type=\"application/ld+json\">{it}</script>")).collect();
    let url = format!("https://shop.example{path}");
    let html = format!("<!doctype html><title>A</title>{scripts}");
    let facts = site::trial::facts(&url, 200, &[("content-type", "text/html")], &html);
    let structured_types = facts.structured.json_ld.join(", ");
    let id = kit::crawled::page_id("run1", &url);
    let held = crate::crawled::Held { is_html: true, structured: facts.structured };
    let run = "run1".to_owned();
    fake.put_as(&id, crate::crawled::Crawled { run: run.clone(), seq, url: url.clone(), status: 200, facts: held });
    fake.put_as(&id, Row { run, seq, url, status: 200, is_html: true, structured_types });
}

/// Makes sure that every action anywhere in a result is one of the catalog, with arguments that it takes.
pub(crate) fn actions_fit(value: &Value) -> usize {
    let mut found = 0;
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(Value::Object(arguments))) =
                (members.get("operation_id"), members.get("arguments"))
            {
                let mut rows = TABLE.lines().map(|it| it.split('\t').collect::<Vec<_>>());
                let row = rows.find(|row| row[0] == id).unwrap_or_else(|| panic!("no operation {id}"));
                assert!(sdk::served(id), "{id}");
                kit::listed::fits(row[9], arguments).unwrap_or_else(|why| panic!("{why}: {id} {arguments:?}"));
                found += 1;
            }
            found += members.values().map(actions_fit).sum::<usize>();
        }
        Value::Array(all) => found += all.iter().map(actions_fit).sum::<usize>(),
        _ => {}
    }
    found
}

#[test]
fn a_website_that_is_not_there_and_a_page_that_fails_are_told_at_their_argument() {
    let fake = host();
    for (operation, arguments) in [
        ("schema.organization.generate", json!({ "site_id": "7" })),
        ("schema.sameas.verify", json!({ "site_id": "7" })),
        ("schema.deployment.list", json!({ "site_id": "7" })),
        ("schema.product_feed.check", json!({ "site_id": "7", "feed_url": "https://shop.example/feed" })),
        ("schema.markup.generate", json!({ "url": PAGE, "type": "Product", "site_id": "7" })),
    ] {
        let refused = fake.refusal(operation, arguments);
        assert_eq!(
            (refused.code.as_str(), refused.pointer.as_deref()),
            ("website_not_found", Some("/site_id")),
            "{operation}"
        );
    }
    for operation in ["page.extract", "page.validate", "eligibility.check", "type.suggest"] {
        let refused = fake.refusal(&format!("schema.{operation}"), json!({ "url": "https://shop.example/gone" }));
        assert_eq!(
            (refused.code.as_str(), refused.pointer.as_deref()),
            ("page_unreachable", Some("/url")),
            "{operation}"
        );
    }
    fake.serve("https://shop.example/a.pdf", 200, &[("content-type", "application/pdf")], b"x");
    assert_eq!(fake.refusal("schema.page.validate", json!({ "url": "https://shop.example/a.pdf" })).code, "not_html");
}
