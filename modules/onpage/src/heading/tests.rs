//! What `heading` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html};

#[test]
fn the_outline_is_a_tree_with_words_under_each_heading() {
    let data = host()
        .call(
            "onpage.heading.outline",
            json!({ "url": GUIDE, "queries": ["clean a brass lamp with soap", "cable and socket", "wooden tables"] }),
        )
        .unwrap();
    let outline = data["outline"].as_array().unwrap();
    assert_eq!(outline.len(), 4);
    assert_eq!((&outline[0]["parent"], &outline[2]["parent"]), (&json!(null), &json!(0)));
    assert_eq!(data["problems"], json!([]));
    let sections = data["words_by_section"].as_array().unwrap();
    assert_eq!(sections[2]["heading"], 2);
    assert_eq!(sections[2]["answers"][0]["query"], "clean a brass lamp with soap");
    assert_eq!(sections[1]["answers"][0]["query"], "cable and socket");
    assert!(!data.to_string().contains("wooden tables"));
    assert!(sections[1]["words"].as_u64().unwrap() > 30);
}

#[test]
fn faults_of_the_outline_are_named_with_their_heading() {
    let body = "<main><h2>First</h2><p>text</p><h1>One</h1><h1>Two</h1><p>x</p><h4>Deep</h4><p>y</p><h4></h4><p>z</p><h4>Deep</h4><p>w</p><h2>Nothing below</h2></main>";
    let fake = host().serving("https://shop.example/h", &html("", body));
    let data =
        fake.call("onpage.heading.outline", json!({ "url": "https://shop.example/h", "site_id": "81" })).unwrap();
    let found: Vec<(String, serde_json::Value)> = data["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["kind"].as_str().unwrap().to_owned(), it["heading"].clone()))
        .collect();
    let wanted = [
        ("several_h1", json!(null)),
        ("starts_lower", json!(0)),
        ("skipped_level", json!(3)),
        ("empty", json!(4)),
        ("repeated", json!(5)),
        ("empty_section", json!(1)),
        ("empty_section", json!(6)),
    ];
    let wanted: Vec<_> = wanted.into_iter().map(|(kind, at)| (kind.to_owned(), at)).collect();
    assert_eq!(found, wanted);
    assert_eq!(data["problems"][0]["fix"]["operation_id"], "audit.page.check");
    assert_eq!(data["degraded"][0]["what"], "queries");
}

#[test]
fn a_page_without_headings_says_so() {
    let fake = host().serving("https://shop.example/n", &html("", "<p>Only text.</p>"));
    let data = fake.call("onpage.heading.outline", json!({ "url": "https://shop.example/n" })).unwrap();
    assert_eq!(data["problems"][0]["kind"], "no_headings");
}
