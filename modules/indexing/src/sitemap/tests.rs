//! What finding and validating sitemaps promises, and how the schemas of sitemaps.org judge the same files.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use sdk::json;
use sdk::serde_json::Value;

use super::xml;
use crate::trial::{HTML, ORIGIN, call, refused, website};

const XML: &[(&str, &str)] = &[("content-type", "application/xml")];

fn urlset(inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{inner}</urlset>"
    )
}

fn validated(body: &[u8]) -> Value {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/sitemap.xml"), 200, XML, body);
    call(&fake, "indexing.sitemap.validate", json!({ "url": format!("{ORIGIN}/sitemap.xml"), "sample": 0 }))
}

fn codes(result: &Value) -> Vec<(String, u64)> {
    let errors = result["errors"].as_array().unwrap().iter();
    errors.map(|it| (it["code"].as_str().unwrap().to_owned(), it["line"].as_u64().unwrap())).collect()
}

#[test]
fn files_are_judged_as_the_schemas_of_sitemaps_org_judge_them() {
    let cases: Vec<(String, bool)> = serde_json::from_str(include_str!("../../fixtures/schemas.json")).unwrap();
    assert!(cases.len() >= 60);
    for (text, valid) in &cases {
        let read = xml::read(text);
        assert_eq!(!read.faults.breaks_schema(), *valid, "{text}\n{:?}", read.faults.told());
    }
}

#[test]
fn a_right_file_is_valid_and_counted_and_gzip_too() {
    let text = urlset(&format!(
        "<url><loc>{ORIGIN}/a?x=1&amp;y=2</loc><lastmod>2026-01-05</lastmod></url>\n<url><loc>{ORIGIN}/b</loc></url>\n"
    ));
    let plain = validated(text.as_bytes());
    assert_eq!((&plain["valid"], &plain["errors"], &plain["type"]), (&json!(true), &json!([]), &json!("urlset")));
    assert_eq!((&plain["counts"]["urls"], &plain["counts"]["lastmod"]), (&json!(2), &json!(1)));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let inflated = validated(&packed);
    assert_eq!((&inflated["valid"], &inflated["counts"]["gzip"]), (&json!(true), &json!(true)));
    assert_eq!(inflated["counts"]["bytes"], json!(text.len()));
    assert!(codes(&validated(&packed[..packed.len() / 2])).iter().any(|(code, _)| code == "bad_gzip"));
}

#[test]
fn each_mistake_is_told_with_its_code_and_line() {
    let inner = format!(
        "<url><loc>{ORIGIN}/a</loc></url>\n<url><loc>{ORIGIN}/A/../a</loc></url>\n<url><loc>/relative</loc></url>\n\
         <url><loc>https://other.example/x</loc></url>\n<url><loc>{ORIGIN}/d</loc><lastmod>05.01.2026</lastmod></url>\n\
         <url><loc>{ORIGIN}/e</loc><lastmod>2999-01-01</lastmod></url>\n<url><loc>{ORIGIN}/f</loc><priority>2</priority></url>\n\
         <url><lastmod>2026-01-05</lastmod></url>\n<url><loc>{ORIGIN}/g#x</loc></url>\n"
    );
    let result = validated(urlset(&inner).as_bytes());
    let found = codes(&result);
    for expected in [
        ("duplicate", 4),
        ("loc_invalid", 5),
        ("other_host", 6),
        ("lastmod_invalid", 7),
        ("lastmod_future", 8),
        ("priority_invalid", 9),
        ("missing_element", 10),
        ("loc_fragment", 11),
    ] {
        assert!(found.contains(&(expected.0.to_owned(), expected.1)), "{expected:?} in {found:?}");
    }
    assert_eq!(result["valid"], false);
    for (body, code) in [
        ("<urlset><url>", "not_well_formed"),
        ("<html><body>Not found</body></html>", "wrong_root"),
        (
            "<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\"><url><loc>https://shop.example/</loc></url></urlset>",
            "wrong_namespace",
        ),
        ("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>", "empty"),
        (
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://shop.example/?a=1&b=2</loc></url></urlset>",
            "not_well_formed",
        ),
    ] {
        let result = validated(body.as_bytes());
        assert!(codes(&result).iter().any(|(it, _)| it == code), "{code}: {result}");
        assert_eq!(result["valid"], false, "{body}");
    }
    let latin = validated(b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://shop.example/\xe9</loc></url></urlset>");
    assert!(codes(&latin).iter().any(|(it, _)| it == "not_utf8"), "{latin}");
}

#[test]
fn extensions_are_held_against_what_search_engines_document() {
    let head = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:x=\"http://www.w3.org/1999/xhtml\">";
    let url = |inner: &str| format!("{head}<url><loc>{ORIGIN}/a</loc>{inner}</url></urlset>");
    let right = url(
        "<x:link rel=\"alternate\" hreflang=\"de\" href=\"https://shop.example/de\"/><x:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://shop.example/a\"/><i:image><i:loc>https://cdn.example/a.jpg</i:loc></i:image><v:video><v:thumbnail_loc>https://cdn.example/t.jpg</v:thumbnail_loc><v:title>A</v:title><v:description>B</v:description><v:content_loc>https://cdn.example/v.mp4</v:content_loc><v:duration>60</v:duration></v:video>",
    );
    let result = validated(right.as_bytes());
    assert_eq!((&result["valid"], &result["errors"]), (&json!(true), &json!([])), "{result}");
    let counts = &result["counts"];
    assert_eq!((&counts["images"], &counts["videos"], &counts["alternates"]), (&json!(1), &json!(1), &json!(2)));
    for (inner, code) in [
        ("<x:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://shop.example/uk\"/>", "hreflang_invalid"),
        ("<x:link rel=\"alternate\" hreflang=\"de\" href=\"/de\"/>", "hreflang_invalid"),
        ("<i:image><i:title>no place</i:title></i:image>", "extension_invalid"),
        ("<v:video><v:title>A</v:title></v:video>", "extension_invalid"),
        ("<n:news><n:publication><n:name>A</n:name></n:publication></n:news>", "extension_invalid"),
        ("<o:other xmlns:o=\"https://other.example/ns\"/>", "unknown_extension"),
    ] {
        let result = validated(url(inner).as_bytes());
        assert!(codes(&result).iter().any(|(it, _)| it == code), "{inner}: {result}");
    }
}

#[test]
fn another_host_may_be_listed_where_its_robots_txt_names_the_file() {
    let fake = website();
    let text = urlset("<url><loc>https://blog.example/a</loc></url>");
    fake.serve(&format!("{ORIGIN}/sitemap.xml"), 200, XML, text.as_bytes());
    let arguments = json!({ "url": format!("{ORIGIN}/sitemap.xml"), "sample": 0 });
    let result = call(&fake, "indexing.sitemap.validate", arguments.clone());
    assert_eq!(codes(&result), [("other_host".to_owned(), 3)]);
    let named = format!("Sitemap: {ORIGIN}/sitemap.xml");
    fake.serve("https://blog.example/robots.txt", 200, &[], named.as_bytes());
    let result = call(&fake, "indexing.sitemap.validate", arguments);
    assert_eq!((&result["valid"], &result["errors"]), (&json!(true), &json!([])));
}

#[test]
fn a_sample_is_asked_how_it_answers_and_an_index_within_an_index_is_found() {
    let fake = website();
    let entries: String = ["a", "b", "c"].iter().map(|it| format!("<url><loc>{ORIGIN}/{it}</loc></url>")).collect();
    fake.serve(&format!("{ORIGIN}/sitemap.xml"), 200, XML, urlset(&entries).as_bytes());
    fake.serve(&format!("{ORIGIN}/a"), 200, HTML, b"<title>A</title><p>text</p>");
    fake.serve(&format!("{ORIGIN}/b"), 301, &[("location", "/a")], b"");
    fake.serve(&format!("{ORIGIN}/c"), 200, HTML, b"<meta name=robots content=noindex>");
    let result = call(&fake, "indexing.sitemap.validate", json!({ "url": format!("{ORIGIN}/sitemap.xml") }));
    let states: Vec<&str> =
        result["sample"].as_array().unwrap().iter().map(|it| it["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["ok", "redirect", "noindex"]);
    let index = format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>{ORIGIN}/sitemap.xml</loc></sitemap><sitemap><loc>{ORIGIN}/index.xml</loc></sitemap></sitemapindex>"
    );
    fake.serve(&format!("{ORIGIN}/index.xml"), 200, XML, index.as_bytes());
    let result = call(&fake, "indexing.sitemap.validate", json!({ "url": format!("{ORIGIN}/index.xml") }));
    assert_eq!((&result["type"], &result["counts"]["sitemaps"]), (&json!("index"), &json!(2)));
    assert_eq!(codes(&result), [("nested_index".to_owned(), 1)]);
    fake.serve(&format!("{ORIGIN}/none.xml"), 404, &[], b"");
    let refusal = refused(&fake, "indexing.sitemap.validate", json!({ "url": format!("{ORIGIN}/none.xml") }));
    assert_eq!(refusal, ("sitemap_not_ok".to_owned(), Some("/url".to_owned())));
}

#[test]
fn sitemaps_are_found_in_robots_txt_in_the_home_page_at_usual_places_and_as_feeds() {
    let fake = website();
    let home = "<link rel=sitemap href=/map.xml><link rel=alternate type=application/rss+xml href=/feed><p>shop</p>";
    fake.serve(ORIGIN, 200, HTML, home.as_bytes());
    fake.serve(&format!("{ORIGIN}/"), 200, HTML, home.as_bytes());
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], b"Sitemap: /named.xml");
    let file = |lastmod: &str| urlset(&format!("<url><loc>{ORIGIN}/a</loc><lastmod>{lastmod}</lastmod></url>"));
    for (path, date) in [("named", "2026-01-05"), ("map", "2026-02-05"), ("sitemap", "2026-03-05")] {
        fake.serve(&format!("{ORIGIN}/{path}.xml"), 200, XML, file(date).as_bytes());
    }
    fake.serve(&format!("{ORIGIN}/sitemap_index.xml"), 200, HTML, b"<html><body>Not here</body></html>");
    fake.serve(
        &format!("{ORIGIN}/feed"),
        200,
        XML,
        b"<rss><channel><item><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate></item><item></item></channel></rss>",
    );
    let result = call(&fake, "indexing.sitemap.discover", json!({ "origin": ORIGIN }));
    let found: Vec<(String, String, u64, Option<String>)> = result["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            (text("source"), text("type"), it["urls"].as_u64().unwrap(), it["lastmod"].as_str().map(str::to_owned))
        })
        .collect();
    let expected = [
        ("robots", "urlset", 1, "2026-01-05"),
        ("html", "urlset", 1, "2026-02-05"),
        ("usual", "urlset", 1, "2026-03-05"),
        ("feed", "rss", 2, "2026-01-05"),
    ];
    let expected = expected.map(|(a, b, c, d)| (a.to_owned(), b.to_owned(), c, Some(d.to_owned())));
    assert_eq!(found, expected);
}
