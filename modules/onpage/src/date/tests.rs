//! What `date` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html};

#[test]
fn dates_that_agree_are_believed_without_conflict() {
    let data = host().call("onpage.date.extract", json!({ "url": GUIDE })).unwrap();
    assert_eq!(
        (&data["published"], &data["modified"], &data["conflicts"]),
        (&json!("2026-03-01"), &json!("2026-09-01"), &json!([]))
    );
    assert_eq!(data["age_days"], 27);
    assert_eq!(data["candidates"][0]["source"], "json_ld");
}

#[test]
fn dates_that_differ_or_lie_ahead_are_conflicts() {
    let head = r#"<meta property="article:published_time" content="2026-03-01"><meta property="article:modified_time" content="2025-01-01">
        <script type="application/ld+json">{"@type":"BlogPosting","datePublished":"2026-02-01"}</script>"#;
    let fake = host()
        .serving("https://shop.example/a", &html(head, "<time itemprop=dateModified datetime=2031-01-01>x</time>"));
    let data = fake.call("onpage.date.extract", json!({ "url": "https://shop.example/a" })).unwrap();
    let kinds: Vec<&str> =
        data["conflicts"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["differs", "differs", "modified_before_published", "future"]);
    assert_eq!((&data["published"], &data["modified"]), (&json!("2026-02-01"), &json!("2025-01-01")));
}

#[test]
fn a_date_that_only_the_address_says_is_not_in_markup() {
    let fake = host().serving("https://shop.example/2026/05/04/a", &html("", "<p>Text</p>"));
    let data = fake.call("onpage.date.extract", json!({ "url": "https://shop.example/2026/05/04/a" })).unwrap();
    assert_eq!((&data["published"], &data["conflicts"][0]["kind"]), (&json!("2026-05-04"), &json!("not_in_markup")));
    assert_eq!(data["conflicts"][0]["fix"]["operation_id"], "schema.markup.generate");
}
