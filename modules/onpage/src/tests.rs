//! A shop with a guide to lamps, and what holds for every operation.

use sdk::serde_json::Value;
use sdk::{Failure, Fake, json};

use crate::siblings::Row;
use site::trial::ended;
use site::{Run, Site};

pub(crate) const GUIDE: &str = "https://shop.example/guides/brass-lamps";

/// A page without faults that matter, in English.
pub(crate) const PAGE: &str = r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Brass lamps: how to choose and clean them | Lampshop</title>
<meta name="description" content="Choose a brass lamp that lasts, and clean brass lamps without harm: what to look for, what it costs and which mistakes to avoid at home.">
<link rel="canonical" href="https://shop.example/guides/brass-lamps">
<meta property="og:title" content="Brass lamps: how to choose and clean them">
<meta property="og:type" content="article">
<meta property="og:image" content="https://shop.example/lamp.png">
<meta property="og:url" content="https://shop.example/guides/brass-lamps">
<meta property="og:description" content="Choose and clean brass lamps.">
<meta name="twitter:card" content="summary_large_image">
<meta property="article:published_time" content="2026-03-01">
<script type="application/ld+json">{"@type":"Article","headline":"Brass lamps","author":{"@type":"Person","name":"Ada Lovelace"},"publisher":{"@type":"Organization","name":"Lampshop Ltd"},"datePublished":"2026-03-01","dateModified":"2026-09-01"}</script>
</head>
<body>
<header><nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/contact">Contact</a></nav></header>
<main>
<h1>Brass lamps: how to choose and clean them</h1>
<p class="byline">By <a rel="author" href="/author/ada">Ada Lovelace</a>, <time datetime="2026-03-01" class="published">1 March 2026</time></p>
<p>A brass lamp lasts for a lifetime when it is made well. This guide says how to choose brass lamps, what they cost, and how to keep them clean.</p>
<h2 id="choose">How to choose a brass lamp</h2>
<p>Solid brass is heavy, and a magnet does not hold to it. Plated lamps are lighter, and their colour wears off at the edges after some years. Look at the switch, the cable and the socket before you look at the shade.</p>
<p><img src="/lamp.png" alt="A brass desk lamp with a green shade" width="600" height="400"></p>
<h2 id="clean">How to clean brass</h2>
<p>Brass is cleaned with warm water and soap, a soft cloth, and patience. Polish takes the patina away, which many people like. The <a href="https://museum.example/brass">museum of metal explains the patina</a> in detail.</p>
<ul><li>Unplug the lamp.</li><li>Wipe the dust off with a dry cloth.</li><li>Wash it, and dry it at once.</li></ul>
<h2 id="cost">What a brass lamp costs</h2>
<p>A good desk lamp of brass costs between 80 and 300 euros in Berlin or Paris. See <a href="/lamps">all our lamps</a> or <a href="#clean">clean the one you have</a>.</p>
</main>
<footer><a href="/privacy">Privacy</a> <a href="/terms">Terms</a> <p>© 2026 Lampshop Ltd</p></footer>
</body>
</html>"##;

/// A host that serves the guide, its picture and its links.
pub(crate) fn host() -> Fake {
    let fake = crate::fake()
        .serving(GUIDE, PAGE)
        .with_as("81", Site { origin: "https://shop.example".to_owned(), ..Site::default() });
    for path in ["/", "/about", "/contact", "/lamps", "/author/ada", "/privacy", "/terms"] {
        fake.serve(&format!("https://shop.example{path}"), 200, &[("content-type", "text/html")], b"<p>ok");
    }
    fake.serve("https://museum.example/brass", 200, &[("content-type", "text/html")], b"<p>ok");
    fake.serve(
        "https://shop.example/lamp.png",
        200,
        &[("content-type", "image/png"), ("cache-control", "max-age=31536000")],
        &png(1_200, 800, 40_000),
    );
    fake
}

/// The website's finished crawl, with these titles.
pub(crate) fn crawled(fake: &Fake, titles: &[&str]) {
    fake.put_as("run1", Run(ended("81", cx_ms(fake) - 3_600_000)));
    for (seq, title) in (1..).zip(titles) {
        let url = format!("https://shop.example/{seq}");
        let row = Row {
            run: "run1".to_owned(),
            seq,
            url,
            status: 200,
            is_html: true,
            title: (*title).to_owned(),
            ..Row::default()
        };
        fake.put_as(&format!("run1-{seq}"), row);
    }
}

fn cx_ms(fake: &Fake) -> u64 {
    fake.now().millis()
}

/// The beginning of a PNG of this size, filled up to `bytes`.
pub(crate) fn png(width: u32, height: u32, bytes: usize) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR".to_vec();
    out.extend(width.to_be_bytes());
    out.extend(height.to_be_bytes());
    out.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    out.resize(bytes.max(64), 0);
    out
}

/// A page of this body.
pub(crate) fn html(head: &str, body: &str) -> String {
    format!("<!doctype html><html lang=en><head><title>A title</title>{head}</head><body>{body}</body></html>")
}

/// The operations that fetch the page of their argument `url`, with what else they need.
const ON_A_PAGE: &[&str] = &[
    "onpage.title.suggest",
    "onpage.description.suggest",
    "onpage.entity.extract",
    "onpage.alt_text.suggest",
    "onpage.heading.outline",
    "onpage.content.extract",
    "onpage.readability.score",
    "onpage.language.detect",
    "onpage.term.extract",
    "onpage.image.check",
    "onpage.social.preview",
    "onpage.link.check",
    "onpage.markup.validate",
    "onpage.render_risk.check",
    "onpage.eeat.check",
    "onpage.date.extract",
];

#[test]
fn every_operation_on_a_page_says_when_it_saw_it_and_refuses_what_is_no_page() {
    for id in ON_A_PAGE {
        let fake = host();
        let data = fake.call(id, json!({ "url": GUIDE })).unwrap();
        assert_eq!(data["page"]["final_url"], GUIDE, "{id}");
        assert_eq!((&data["page"]["age_seconds"], &data["page"]["truncated"]), (&json!(0), &json!(false)), "{id}");
        fake.serve("https://shop.example/gone", 404, &[("content-type", "text/html")], b"gone");
        fake.serve("https://shop.example/data", 200, &[("content-type", "application/json")], b"{}");
        fake.fail("http://10.0.0.1/", Failure::Refused);
        for (url, code) in [
            ("https://shop.example/gone", "page_not_ok"),
            ("https://shop.example/data", "not_html"),
            ("https://nowhere.example/", "page_unreachable"),
            ("http://10.0.0.1/", "url_refused"),
        ] {
            let fault = fake.refusal(id, json!({ "url": url }));
            assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some("/url")), "{id} {url}");
        }
        assert_eq!(fake.refusal(id, json!({ "url": "ftp://shop.example/" })).code, "invalid_arguments", "{id}");
    }
}

#[test]
fn an_empty_page_is_read_without_harm() {
    for id in ON_A_PAGE {
        let fake = crate::fake().serving("https://shop.example/empty", "");
        fake.serve("https://shop.example/empty", 200, &[("content-type", "text/html")], b"");
        let _ = fake.call(id, json!({ "url": "https://shop.example/empty" }));
        let fake = crate::fake().serving("https://shop.example/", &html("", &"<div>".repeat(1_990)));
        let _ = fake.call(id, json!({ "url": "https://shop.example/" }));
    }
}

#[test]
fn a_website_of_somebody_else_is_not_found() {
    for id in ["onpage.heading.outline", "onpage.term.extract", "onpage.eeat.check"] {
        let fault = host().refusal(id, json!({ "url": GUIDE, "site_id": "82" }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("website_not_found", Some("/site_id")), "{id}");
    }
}

/// Every action anywhere in a result.
fn actions(value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(arguments)) = (members.get("operation_id"), members.get("arguments"))
            {
                out.push((id.clone(), arguments.clone()));
            }
            members.values().for_each(|it| actions(it, out));
        }
        Value::Array(items) => items.iter().for_each(|it| actions(it, out)),
        _ => {}
    }
}

#[test]
fn every_action_is_an_operation_of_the_catalog_with_arguments_that_it_takes() {
    let table = include_str!("../../../catalog/operations.tsv");
    let rows: Vec<Vec<&str>> = table.lines().map(|it| it.split('\t').collect()).collect();
    let bad = html(
        "<meta property='og:image' content='/no.png'>",
        "<div id=root></div><a href='javascript:x()'>here</a><a href='/gone'></a><img src='/IMG_1.jpg'><h3>x</h3><h5></h5><noscript>Please enable JavaScript</noscript><p>Updated 1 March 2020</p><li>x</li>",
    );
    let mut seen = 0;
    for id in ON_A_PAGE {
        for site in [false, true] {
            let fake = host().serving("https://shop.example/bad", &bad);
            let mut arguments = json!({ "url": "https://shop.example/bad" });
            if site && ["onpage.heading.outline", "onpage.term.extract", "onpage.eeat.check"].contains(id) {
                arguments["site_id"] = json!("81");
            }
            let Ok(data) = fake.call(id, arguments) else { continue };
            let mut found = Vec::new();
            actions(&data, &mut found);
            for (operation, arguments) in found {
                seen += 1;
                let row = rows.iter().find(|row| row[0] == operation).unwrap_or_else(|| panic!("{id}: no {operation}"));
                let takes: Vec<&str> = row[9].split(", ").map(|it| it.split(':').next().unwrap_or_default()).collect();
                let needs = row[9]
                    .split(", ")
                    .filter(|it| it.ends_with('!'))
                    .map(|it| it.split(':').next().unwrap_or_default());
                for name in arguments.as_object().unwrap().keys() {
                    assert!(takes.contains(&name.as_str()), "{id}: {operation} takes no {name}");
                }
                for name in needs {
                    assert!(arguments.get(name).is_some(), "{id}: {operation} needs {name}");
                }
                // What stands in this module can be asked at once: its contract takes the arguments as they are.
                if operation.starts_with("onpage.") {
                    let answered = fake.call(&operation, arguments.clone());
                    let code = answered.err().map(|it| it.code);
                    assert!(code.as_deref() != Some("invalid_arguments"), "{id}: {operation} {arguments}");
                }
            }
        }
    }
    assert!(seen > 10, "{seen}");
}
