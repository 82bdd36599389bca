//! What `content` has to do, sentence by sentence.

use sdk::json;

use super::{clip, without_brand};
use crate::tests::{GUIDE, host, html};

#[test]
fn content_is_markdown_with_its_author_and_dates() {
    let data = host().call("onpage.content.extract", json!({ "url": GUIDE })).unwrap();
    assert_eq!(data["title"], "Brass lamps: how to choose and clean them");
    assert_eq!(
        (&data["author"], &data["published"], &data["modified"]),
        (&json!("Ada Lovelace"), &json!("2026-03-01"), &json!("2026-09-01"))
    );
    let content = data["content"].as_str().unwrap();
    assert!(content.starts_with("# Brass lamps: how to choose and clean them"), "{content}");
    assert!(content.contains("## How to clean brass") && content.contains("- Unplug the lamp."), "{content}");
    assert!(content.contains("[museum of metal explains the patina](https://museum.example/brass)"), "{content}");
    assert!(!content.contains("Contact") && !content.contains('©'), "{content}");
    assert_eq!((&data["language"], &data["cut"], &data["found_by"]), (&json!("en"), &json!(false), &json!("landmark")));
}

#[test]
fn text_is_cut_where_it_was_asked_to() {
    let data =
        host().call("onpage.content.extract", json!({ "url": GUIDE, "form": "text", "max_chars": 500 })).unwrap();
    assert_eq!(data["cut"], true);
    assert!(data["content"].as_str().unwrap().chars().count() <= 500);
    assert!(data["words"].as_u64().unwrap() > 150);
    assert_eq!(clip("abc", 3), ("abc".to_owned(), false));
}

#[test]
fn a_page_that_scripts_fill_says_so() {
    let fake =
        host().serving("https://shop.example/app", &html("<script src=/app.js></script>", "<div id=root></div>"));
    let data = fake.call("onpage.content.extract", json!({ "url": "https://shop.example/app" })).unwrap();
    assert_eq!(data["degraded"][0]["what"], "rendered_content");
}

#[test]
fn a_brand_after_the_last_separator_is_no_title() {
    assert_eq!(without_brand("Desk lamps - all models | Lampshop"), "Desk lamps - all models");
    assert_eq!(without_brand("A - B"), "A - B");
}
