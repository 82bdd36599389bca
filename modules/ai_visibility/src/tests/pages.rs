//! llms.txt and the passages that answer questions.

use kit::crawled::{PageRecord, TextAt, page_id};
use kit::inverted::{Whole, Writer, vocabulary};
use site::{Crawled, Run};

use super::*;

/// A crawl of these pages: path, title, description and text.
fn crawled(fake: &Fake, pages: &[(&str, &str, &str, &str)]) {
    fake.put_as(
        "run_1",
        Run(kit::crawled::RunRecord { packs: 1, ..site::trial::ended(SITE, fake.now().millis() - 3_600_000) }),
    );
    let (mut pack, mut places, mut writer) = (Vec::<u8>::new(), Vec::<u8>::new(), Writer::new("en"));
    for (seq, (path, title, description, text)) in (1_u64..).zip(pages) {
        let url = format!("https://shop.example{path}");
        let html = format!(
            "<!doctype html><html lang=en><title>{title}</title><meta name=description content=\"{description}\"><main><h1>{title}</h1><p>{text}</p></main>"
        );
        let facts = site::trial::facts(&url, 200, &[("content-type", "text/html")], &html);
        let kept = texts::Text {
            url: url.clone(),
            title: (*title).to_owned(),
            plain: (*text).to_owned(),
            markdown: format!("{text}\n"),
            ..texts::Text::default()
        };
        let line = sdk::serde_json::to_vec(&kept).unwrap();
        let small = |it: usize| u32::try_from(it).unwrap();
        let at = TextAt { pack: 0, offset: small(pack.len()), length: small(line.len()) };
        for value in [0, pack.len(), line.len()] {
            places.extend_from_slice(&small(value).to_le_bytes());
        }
        pack.extend(line.into_iter().chain([b'\n']));
        writer.add(&format!("{title}\n{text}"));
        fake.put(crate::fanout::passages::Row { run: "run_1".to_owned(), seq, title: (*title).to_owned() });
        let record = PageRecord {
            run: "run_1".to_owned(),
            seq,
            url: url.clone(),
            status: 200,
            depth: 1,
            text: Some(at),
            facts,
            ..PageRecord::default()
        };
        fake.put_as(&page_id("run_1", &url), Crawled(record));
    }
    let count = small_len(pages.len());
    let segment = writer.finish();
    let search = Whole::of(u64::from(count), 1_000, vocabulary(&segment).map(|(_, count)| u64::from(count)));
    for (key, bytes) in
        [("crawl.text/run_1/0", &pack), ("crawl.index/run_1/0", &segment), ("crawl.places/run_1/0", &places)]
    {
        fake.blobs().write(key, bytes).unwrap();
    }
    fake.put_as("run_1", texts::Indexed { segments: vec![count], language: "en".to_owned(), search });
}

fn small_len(it: usize) -> u32 {
    u32::try_from(it).unwrap()
}

const PAGES: &[(&str, &str, &str, &str)] = &[
    ("/", "Lamp Shop", "Lamps for reading and work.", "Lamps for reading and work."),
    (
        "/guides/light",
        "How much light a desk needs",
        "Light for desks.",
        "A desk needs about five hundred lux of light. The best reading lamps have a shade that turns and a warm colour.",
    ),
    (
        "/guides/care",
        "How to clean brass lamps",
        "Care of brass.",
        "Clean brass lamps with a soft cloth and a little vinegar. Never use steel wool.",
    ),
    ("/guides/bulbs", "Which bulb fits", "Bulbs.", "Bulbs with a screw base fit most lamps. Watch the watts."),
    ("/cart", "Cart", "", "Your cart is empty."),
    (
        "/products/brass",
        "Brass lamp",
        "A lamp of brass.",
        "The brass lamp costs 49 EUR and has a warranty of five years.",
    ),
];

#[test]
fn llms_txt_names_the_pages_that_matter_and_says_why_others_are_left_out() {
    let fake = Models::default().fake();
    crawled(&fake, PAGES);
    let made = called(&fake, "ai_visibility.llms_txt.generate", json!({ "full": true }));
    let text = made["llms_txt"].as_str().unwrap();
    assert!(text.starts_with("# Lamp Shop\n\n> Lamps for reading and work.\n"), "{text}");
    assert!(
        text.contains("## Guides\n\n")
            && text.contains("- [How to clean brass lamps](https://shop.example/guides/care): Care of brass.\n"),
        "{text}"
    );
    assert!(text.find("## Guides") < text.find("## Optional"), "small sections come last");
    assert_eq!(made["excluded_reasons"], json!({ "account_or_legal": 1 }));
    assert_eq!(made["full_ref"], "run_1");
    let full = made["llms_full_txt"].as_str().unwrap();
    assert!(full.contains("soft cloth") && full.contains("Source: https://shop.example/guides/care"));
    assert_eq!(crate::llms_txt::format::File::read(text).faults, []);
    let none = Models::default().fake();
    assert_eq!(refused(&none, "ai_visibility.llms_txt.generate", json!({})), at("crawl_required", "/site_id"));
}

#[test]
fn an_llms_txt_is_checked_line_by_line_and_link_by_link() {
    let fake = Models::default().fake();
    let file = "# Lamp Shop\n\n> Lamps.\n\n## Guides\n\n- [Light](https://shop.example/light): Light.\n- [Gone](https://shop.example/gone)\n- [Moved](https://shop.example/moved)\n- [Hidden](https://shop.example/hidden)\n- [Relative](/x)\n- [Shut](https://shop.example/shut)\n";
    fake.serve("https://shop.example/llms.txt", 200, &[("content-type", "text/html")], file.as_bytes());
    fake.serve("https://shop.example/robots.txt", 200, &[], b"User-agent: PerplexityBot\nDisallow: /shut\n");
    fake.serve("https://shop.example/light", 200, &[("content-type", "text/html")], b"<p>ok");
    fake.serve("https://shop.example/gone", 404, &[], b"");
    fake.serve("https://shop.example/moved", 301, &[("location", "https://shop.example/light")], b"");
    fake.serve(
        "https://shop.example/hidden",
        200,
        &[("content-type", "text/html")],
        b"<meta name=robots content=noindex>",
    );
    fake.serve("https://shop.example/shut", 200, &[("content-type", "text/html")], b"<p>ok");
    let found = fake.call("ai_visibility.llms_txt.validate", json!({ "origin": "https://shop.example/any" })).unwrap();
    let problems: Vec<Value> = found["links"].as_array().unwrap().iter().map(|it| it["problem"].clone()).collect();
    assert_eq!(
        problems,
        [Value::Null, json!("broken"), json!("redirect"), json!("noindex"), json!("relative"), json!("blocked")]
    );
    assert_eq!(found["links"][5]["blocked_for"], json!(["PerplexityBot"]));
    assert_eq!((&found["valid"], &found["errors"][0]["code"]), (&json!(true), &json!("content_type")));
    let none = Models::default().fake();
    none.serve("https://shop.example/llms.txt", 404, &[], b"");
    let found = none.call("ai_visibility.llms_txt.validate", json!({ "origin": "https://shop.example" })).unwrap();
    assert_eq!((&found["present"], &found["valid"], &found["status"]), (&json!(false), &json!(false), &json!(404)));
}

#[test]
fn a_question_is_covered_by_the_passage_that_answers_it() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["reading lamps"]);
    ran(&fake, &[MODEL], 1);
    crawled(&fake, PAGES);
    let found =
        called(&fake, "ai_visibility.fanout.expand", json!({ "prompt": "How do I clean brass lamps?", "limit": 30 }));
    let first = &found["subqueries"][0];
    assert_eq!(found["kind"], "how");
    assert_eq!(first["best_url"], "https://shop.example/guides/care", "{first}");
    assert!(first["passage"].as_str().unwrap().contains("soft cloth"));
    let tracked = called(&fake, "ai_visibility.fanout.expand", json!({ "prompt": "What are the best reading lamps?" }));
    assert_eq!(
        (&tracked["subqueries"][0]["source"], &tracked["subqueries"][0]["text"]),
        (&json!("observed"), &json!("What are the best reading lamps? reviews"))
    );
    let asked = called(
        &fake,
        "ai_visibility.fanout.expand",
        json!({ "prompt": "What are the best reading lamps?", "use_llm": true }),
    );
    assert!(asked["subqueries"].as_array().unwrap().iter().any(|it| it["source"] == "model"));
    let none = Models::default().fake();
    let unknown = called(&none, "ai_visibility.fanout.expand", json!({ "prompt": "How do I clean brass lamps?" }));
    assert!(unknown["subqueries"].as_array().unwrap().iter().all(|it| it["covered"].is_null()));
    assert!(unknown["degraded"].to_string().contains("crawl.run.start"));
}
