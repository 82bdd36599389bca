//! What `image` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html, png};

#[test]
fn a_large_png_says_what_it_could_save() {
    let data = host().call("onpage.image.check", json!({ "url": GUIDE })).unwrap();
    let image = &data["images"][0];
    assert_eq!(
        (&image["format"], &image["width"], &image["bytes"], &image["shown_width"]),
        (&json!("png"), &json!(1200), &json!(40_000), &json!(600))
    );
    assert_eq!(image["problems"], json!(["old_format", "no_srcset"]));
    assert_eq!((&image["saving"], &data["bytes_saved"]), (&json!(10_400), &json!(10_400)));
}

#[test]
fn each_fault_of_a_picture_is_named() {
    let body = "<img src=/IMG_0001.png><img src=/big.png alt='big.png' width=100 height=100 loading=lazy><img alt='' src=/gone.png width=1 height=1>\
        <img src=/page alt=x width=10 height=10><img src='' alt=x width=1 height=1><img src='data:image/gif;base64,x' alt='' width=1 height=1>";
    let fake = host().serving("https://shop.example/i", &html("", body));
    fake.serve("https://shop.example/IMG_0001.png", 200, &[("cache-control", "no-cache")], &png(50, 50, 100));
    fake.serve("https://shop.example/big.png", 200, &[], &png(2_000, 1_000, 60_000));
    fake.serve("https://shop.example/gone.png", 404, &[], b"");
    fake.serve("https://shop.example/page", 200, &[], b"<html>this is a page and not a picture</html>");
    let data = fake.call("onpage.image.check", json!({ "url": "https://shop.example/i" })).unwrap();
    let problems: Vec<serde_json::Value> =
        data["images"].as_array().unwrap().iter().map(|it| it["problems"].clone()).collect();
    assert_eq!(problems[0], json!(["alt_missing", "file_name", "size_missing", "old_format", "short_cache"]));
    assert_eq!(
        problems[1],
        json!(["alt_is_file_name", "lazy_at_top", "oversized", "distorted", "old_format", "no_srcset"])
    );
    assert_eq!(problems[2], json!(["unreachable"]));
    assert_eq!(problems[3], json!(["not_a_picture"]));
    assert_eq!(problems[4], json!(["no_source", "not_lazy"]));
    assert_eq!(problems[5], json!([]));
    assert_eq!(data["counts"]["old_format"], 2);
    assert_eq!(data["next"][0]["operation_id"], "onpage.alt_text.suggest");
}

#[test]
fn no_more_pictures_are_asked_for_than_was_allowed() {
    let fake = host();
    let data = fake.call("onpage.image.check", json!({ "url": GUIDE, "max_images": 1 })).unwrap();
    assert_eq!((fake.requested().len(), &data["images"][0]["status"]), (1, &json!(null)));
    assert_eq!(data["degraded"][0]["what"], "image_files");
}
