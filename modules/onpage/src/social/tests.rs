//! What `social` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html, png};

#[test]
fn a_card_that_is_whole_has_no_problems() {
    let fake = host();
    fake.serve("https://shop.example/lamp.png", 200, &[("content-type", "image/png")], &png(1_200, 630, 4_000));
    let data = fake.call("onpage.social.preview", json!({ "url": GUIDE })).unwrap();
    assert_eq!(
        (&data["problems"], &data["card"]["form"], &data["card"]["site"]),
        (&json!([]), &json!("summary_large_image"), &json!("shop.example"))
    );
    assert_eq!(
        (&data["image"]["width"], &data["image"]["height"], &data["image"]["bytes"]),
        (&json!(1200), &json!(630), &json!(4_000))
    );
}

#[test]
fn missing_tags_and_a_small_picture_are_problems() {
    let head = "<meta property='og:image' content='/small.png'><meta property='og:url' content='http://shop.example/other'><meta name='twitter:card' content='huge'>";
    let fake = host().serving("https://shop.example/p", &html(head, "<p>x</p>"));
    fake.serve("https://shop.example/small.png", 200, &[], &png(100, 90, 100));
    let data = fake.call("onpage.social.preview", json!({ "url": "https://shop.example/p" })).unwrap();
    let found: Vec<String> = data["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["property"].as_str().unwrap(), it["kind"].as_str().unwrap()))
        .collect();
    let wanted = [
        "og:title missing",
        "og:type missing",
        "og:description missing",
        "og:image not_absolute",
        "og:url insecure",
        "og:url wrong_address",
        "twitter:card unknown_value",
        "og:image too_small",
    ];
    assert_eq!(found, wanted);
    assert_eq!(data["card"]["title"], "A title");
}

#[test]
fn a_picture_that_is_gone_is_a_problem_and_no_picture_is_said() {
    let fake = host().serving(
        "https://shop.example/p",
        &html("<meta property='og:image' content='https://shop.example/gone.png'>", ""),
    );
    let data = fake.call("onpage.social.preview", json!({ "url": "https://shop.example/p" })).unwrap();
    assert!(data["problems"].to_string().contains("unreachable"), "{data}");
    let fake = host().serving("https://shop.example/q", &html("", ""));
    let data = fake.call("onpage.social.preview", json!({ "url": "https://shop.example/q" })).unwrap();
    assert_eq!((&data["image"], &data["degraded"][0]["what"]), (&json!(null), &json!("image")));
}
