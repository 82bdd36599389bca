//! Mentions: names are found where they are meant, and what links already comes last.

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use super::names::Names;
use crate::trial::{SITE, call, website};

fn names(aliases: &[&str], context: &[&str], excluded: &[&str]) -> Names {
    let own = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    Names::new(&own(aliases), &own(context), &own(excluded))
}

#[test]
fn a_name_stands_between_the_borders_of_words() {
    let of = |text: &str| names(&["Lampadia", "Lampadia Pro", "燈屋"], &[], &[]).find(text).map(|it| it.alias);
    for (text, right) in [
        ("We tried the new Lampadia.", Some("Lampadia")),
        ("The LAMPADIA pro is brighter.", Some("Lampadia Pro")),
        ("Lampadias are fish.", None),
        ("A preLampadia thing.", None),
        ("(Lampadia's)", Some("Lampadia")),
        ("Lampadia, they say", Some("Lampadia")),
        ("我們喜歡燈屋的燈", Some("燈屋")),
        ("nothing", None),
    ] {
        assert_eq!(of(text).as_deref(), right, "{text}");
    }
}

#[test]
fn a_word_of_everyday_language_needs_something_beside_it() {
    let of = |text: &str| {
        names(&["Target", "Target Lamps"], &["desk lamp", "shop.example"], &["target audience"])
            .find(text)
            .map(|it| it.sentence)
    };
    assert_eq!(of("We missed the target. A desk lamp stood there."), None);
    assert_eq!(
        of("The desk lamp by Target is good. Others are not.").as_deref(),
        Some("The desk lamp by Target is good.")
    );
    assert_eq!(of("Target Lamps opened a shop.").as_deref(), Some("Target Lamps opened a shop."));
    assert_eq!(of("Who is the target audience of a desk lamp?"), None);
    assert_eq!(of("Target, at shop.example, says so.").as_deref(), Some("Target, at shop.example, says so."));
}

fn scanned(fake: &Fake, more: &Value) -> Value {
    let started = call(fake, "backlinks.mention.scan", more);
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    job.result().unwrap_or_else(|| panic!("{:?}", job.fault()))
}

fn page(text: &str, more: &str) -> String {
    let filler = "A text about other things, which goes on for a while and says little of note to anybody. ".repeat(6);
    format!(
        "<html lang=en><head><title>News</title></head><body><main><p>{filler}</p><p>{text}</p></main><footer>{more}</footer></body></html>"
    )
}

#[test]
fn feeds_sitemaps_and_pages_are_read_and_their_pages_too() {
    let fake = website();
    let feed = "<rss version='2.0'><channel><title>News</title>\
        <item><title>The Lamp Shop opens</title><link>https://news.example/opens</link><pubDate>Tue, 01 Sep 2026 10:00:00 GMT</pubDate></item>\
        <item><title>Weather</title><link>https://news.example/weather</link></item>\
        <item><title>Own news</title><link>https://shop.example/news</link></item></channel></rss>";
    fake.serve("https://news.example/feed", 200, &[("content-type", "application/rss+xml")], feed.as_bytes());
    let index = "<?xml version='1.0'?><sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>https://blog.example/posts.xml</loc></sitemap></sitemapindex>";
    let posts = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://blog.example/linked</loc><lastmod>2026-09-10</lastmod></url><url><loc>https://blog.example/gone</loc></url></urlset>";
    fake.serve("https://blog.example/sitemap.xml", 200, &[("content-type", "application/xml")], index.as_bytes());
    fake.serve("https://blog.example/posts.xml", 200, &[("content-type", "application/xml")], posts.as_bytes());
    let html = |url: &str, body: &str| fake.serve(url, 200, &[("content-type", "text/html")], body.as_bytes());
    html(
        "https://news.example/opens",
        &page(
            "Yesterday the Lamp Shop opened in Bristol. Many came.",
            "<a href='/about'>About</a> <a href='/write'>Contact us</a>",
        ),
    );
    html("https://news.example/weather", &page("It rains on a lamp and on a shop.", ""));
    html(
        "https://blog.example/linked",
        &page(
            "I like <a href='https://www.shop.example/lamps'>the Lamp Shop</a> best.",
            "<a href='/kontakt.html'>Impressum</a>",
        ),
    );
    html("https://one.example/page", &page("Nothing here names it.", ""));
    fake.serve("https://blog.example/gone", 404, &[("content-type", "text/html")], b"");
    let told = scanned(
        &fake,
        &json!({ "aliases": ["Lamp Shop"], "sources": ["https://news.example/feed", "https://blog.example/sitemap.xml", "https://one.example/page", "https://down.example/feed"] }),
    );
    let mentions = told["mentions"].as_array().expect("mentions");
    assert_eq!(
        (mentions.len(), &told["unlinked"], &told["unread_pages"], &told["pages"]),
        (2, &json!(1), &json!(1), &json!(4)),
        "{told}"
    );
    let first = &mentions[0];
    assert_eq!(
        (&first["url"], &first["sentence"], &first["linked"], &first["contact_url"], &first["published_on"]),
        (
            &json!("https://news.example/opens"),
            &json!("Yesterday the Lamp Shop opened in Bristol."),
            &json!(false),
            &json!("https://news.example/write"),
            &json!("2026-09-01")
        )
    );
    assert_eq!(
        (&mentions[1]["linked"], &mentions[1]["contact_url"]),
        (&json!(true), &json!("https://blog.example/kontakt.html"))
    );
    let whys: Vec<&str> =
        told["degraded"].as_array().into_iter().flatten().filter_map(|it| it["what"].as_str()).collect();
    assert_eq!(whys, ["sources", "pages"], "{told}");
}

#[test]
fn a_search_engine_is_asked_within_the_cap() {
    let fake = website().connected("con_1", "dataforseo");
    let asked = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let kept = asked.clone();
    fake.provider_serves(move |_, path, body| {
        assert!(path.ends_with("serp/google/organic/live/advanced"), "{path}");
        let task: Value = sdk::serde_json::from_slice::<Value>(body).ok()?[0].clone();
        kept.borrow_mut().push(task["keyword"].as_str()?.to_owned());
        let items = json!([{ "type": "organic", "rank_group": 1, "url": "https://found.example/a", "title": "Found" }]);
        let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "id": "1", "cost": 0.06, "result": [{ "items": items }] }] });
        Some((200, answer.to_string().into_bytes()))
    });
    fake.serve(
        "https://found.example/a",
        200,
        &[("content-type", "text/html")],
        page("The Lamp Shop again.", "").as_bytes(),
    );
    let told = scanned(
        &fake,
        &json!({ "aliases": ["Lamp Shop", "Lampshop"], "use_serp": true, "country": "GB", "cost_cap": 0.11 }),
    );
    assert_eq!(*asked.borrow(), ["\"Lamp Shop\" -site:shop.example"], "a second one would be 0.12");
    assert_eq!(
        (&told["unlinked"], &told["provider_cost"]["amount"], &told["degraded"][0]["what"]),
        (&json!(1), &json!("0.060000"), &json!("searches")),
        "{told}"
    );
    let refused = |more: Value| {
        let mut arguments = json!({ "site_id": SITE, "aliases": ["Lamp Shop"] });
        more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
        let fault = fake.refusal("backlinks.mention.scan", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    assert_eq!(refused(json!({})), ("no_source".to_owned(), "/sources".to_owned()));
    assert_eq!(refused(json!({ "use_serp": true })), ("country_required".to_owned(), "/country".to_owned()));
}
