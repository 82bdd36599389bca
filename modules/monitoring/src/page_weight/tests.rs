//! The weight of a page: each declared file once, with what it would save.

use sdk::serde_json::{Value, json};

use super::gather::{chosen, named};
use crate::trial::website;

#[test]
fn pictures_are_those_that_two_screens_would_choose() {
    assert_eq!(
        chosen("a-300.jpg 300w, a-600.jpg 600w, a-1200.jpg 1200w, a-2400.jpg 2400w"),
        ["a-600.jpg", "a-2400.jpg"]
    );
    assert_eq!(chosen("small.jpg 200w, big.jpg 800w"), ["big.jpg"]);
    assert_eq!(chosen("one.jpg 1x, two.jpg 2x"), ["one.jpg"]);
    assert_eq!(chosen("only.jpg"), ["only.jpg"]);
}

#[test]
fn style_sheets_name_files() {
    let base: sdk::prelude::Url = "https://shop.example/css/site.css".parse().expect("an address");
    let css = "@import 'more.css'; @import url(\"print.css\") print; @font-face { src: url(../f/a.woff2) format('woff2') } .x { background: url('data:image/png;base64,AA==') } .y { background: url(/bg.png) }";
    let mut urls: Vec<String> = named(css, &base).into_iter().map(|it| it.url).collect();
    urls.sort();
    assert_eq!(
        urls,
        [
            "https://shop.example/bg.png",
            "https://shop.example/css/more.css",
            "https://shop.example/css/print.css",
            "https://shop.example/f/a.woff2"
        ]
    );
}

#[test]
fn a_page_is_weighed_with_its_files_and_those_of_others() {
    let fake = website();
    let html = "<!doctype html><html><head><title>Lamps</title><link rel=stylesheet href=/site.css><script src=/app.js></script><script async src=https://www.google-analytics.com/ga.js></script><link rel=preload as=image href=/never.png></head>\
        <body><main><p>Lamps</p><img src=/big.jpg width=100 height=100 alt=x><img src=/gone.png alt=y></main></body></html>";
    let text = "body { color: black; margin: 0 } ".repeat(200);
    let serve = |url: &str, status: u16, kind: &str, body: &[u8], more: &[(&str, &str)]| {
        let length = body.len().to_string();
        let mut headers = vec![("content-type", kind), ("content-length", length.as_str())];
        headers.extend(more);
        fake.serve(url, status, &headers, body);
    };
    serve("https://shop.example/", 200, "text/html", html.as_bytes(), &[]);
    serve(
        "https://shop.example/site.css",
        200,
        "text/css",
        format!("{text} .x {{ background: url(/bg.png) }}").as_bytes(),
        &[("cache-control", "max-age=31536000")],
    );
    serve("https://shop.example/app.js", 200, "text/javascript", &[b'x'; 900], &[("cache-control", "max-age=60")]);
    serve("https://www.google-analytics.com/ga.js", 200, "text/javascript", &[b'y'; 1_000], &[]);
    serve("https://shop.example/big.jpg", 200, "image/jpeg", &[7; 90_000], &[("cache-control", "max-age=31536000")]);
    serve("https://shop.example/never.png", 200, "image/png", &[8; 5_000], &[("cache-control", "max-age=31536000")]);
    serve("https://shop.example/bg.png", 200, "image/png", &[9; 2_000], &[("cache-control", "max-age=31536000")]);
    serve("https://shop.example/gone.png", 404, "text/html", b"", &[]);
    let told = fake.call("monitoring.page_weight.check", json!({ "url": "https://shop.example/" })).expect("an answer");
    let style = (text.len() + 32) as u64;
    assert_eq!(told["total_bytes"], json!(html.len() as u64 + style + 900 + 1_000 + 90_000 + 5_000 + 2_000), "{told}");
    assert_eq!((&told["by_type"]["image"]["files"], &told["files"]), (&json!(4), &json!(8)), "{told}");
    let finding = |name: &str| -> Value {
        let all = told["findings"].as_array().expect("findings");
        all.iter().find(|it| it["problem"] == name).cloned().unwrap_or_else(|| panic!("{name}: {told}"))
    };
    assert_eq!(told["findings"][0]["problem"], "heavy_images", "what saves the most comes first");
    assert_eq!(
        (&finding("heavy_images")["urls"], &finding("heavy_images")["saved_bytes"]),
        (&json!(["https://shop.example/big.jpg"]), &json!(87_000))
    );
    assert_eq!(finding("not_compressed")["urls"], json!(["https://shop.example/site.css"]));
    let blocking = finding("render_blocking");
    assert_eq!(
        (&blocking["affected"], &finding("short_caching")["urls"]),
        (&json!(2), &json!(["https://shop.example/app.js"])),
        "{blocking}"
    );
    assert_eq!(
        (&finding("broken_files")["urls"], &finding("unused_preload")["urls"]),
        (&json!(["https://shop.example/gone.png"]), &json!(["https://shop.example/never.png"]))
    );
    let third = &told["third_parties"][0];
    assert_eq!(
        (&third["name"], &third["category"], &third["bytes"]),
        (&json!("Google Analytics"), &json!("analytics"), &json!(1_000))
    );
}
