//! What search and content of crawled pages promise, as tests.

use super::*;

fn crawled() -> (Fake, String) {
    let fake = fake();
    serve(
        &fake,
        &[
            (
                "/",
                "<title>Lamps</title><nav>menu</nav><main><h1>Our lamps</h1><p>We sell <b>lamps</b> and <a href=/chairs>chairs</a>. Lamps shine.</main><script>gtag('a')</script>",
            ),
            (
                "/chairs",
                "<title>Chairs</title><main><h1>Chairs</h1><p>A chair beside a lamp, and many more chairs for sitting.<p><a href=/delivery>Delivery</a></main><script>gtag('a')</script>",
            ),
            ("/delivery", "<title>Delivery times</title><main><h1>How long</h1><p>Two days. Shipping is free.</main>"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    (fake, run)
}

fn search(fake: &Fake, run: &str, more: Value) -> (Vec<String>, Value) {
    let mut arguments = json!({ "run_ref": run });
    for (name, value) in more.as_object().expect("an object") {
        arguments[name] = value.clone();
    }
    let found = fake.call("crawl.page.search", arguments).expect("hits");
    let hits = found["hits"].as_array().expect("hits");
    let urls = hits.iter().map(|hit| hit["url"].as_str().expect("a url").replace(ORIGIN, "")).collect();
    (urls, found)
}

#[test]
fn words_are_ranked_by_how_much_they_say_of_a_page() {
    let (fake, run) = crawled();
    let (urls, found) = search(&fake, &run, json!({ "query": "lamp" }));
    assert_eq!(urls, ["/", "/chairs"]);
    assert_eq!((found["total"].as_u64(), found["looked_at"].as_u64()), (Some(2), Some(3)));
    assert!(found["hits"][0]["snippet"].as_str().expect("text").contains("lamps"), "{found}");
    assert_eq!(found["hits"][0]["count"], 4, "title, heading and text");
    assert_eq!(search(&fake, &run, json!({ "query": "sitting chairs" })).0[0], "/chairs");
    assert!(search(&fake, &run, json!({ "query": "elephants" })).0.is_empty());
    let first = search(&fake, &run, json!({ "query": "lamp", "limit": 1 })).1;
    let second = search(&fake, &run, json!({ "query": "lamp", "limit": 1, "cursor": first["next_cursor"] }));
    assert_eq!(second.0, ["/chairs"]);
    assert!(second.1["next_cursor"].is_null());
}

#[test]
fn a_piece_of_text_or_html_is_found_where_it_was_looked_for_and_where_it_lacks() {
    let (fake, run) = crawled();
    let urls = |more: Value| search(&fake, &run, more).0;
    assert_eq!(urls(json!({ "query": "Two days", "mode": "literal" })), ["/delivery"]);
    assert_eq!(urls(json!({ "query": "gtag(", "mode": "literal", "in": "html" })), ["/", "/chairs"]);
    assert_eq!(urls(json!({ "query": "gtag(", "mode": "absent", "in": "html" })), ["/delivery"]);
    assert_eq!(urls(json!({ "query": "(?i)^delivery", "mode": "regex", "in": "title" })), ["/delivery"]);
    assert_eq!(urls(json!({ "query": "How long", "mode": "literal", "in": "headings" })), ["/delivery"]);
    let found = search(&fake, &run, json!({ "query": "[Ll]amps", "mode": "regex" })).1;
    assert_eq!(found["hits"][0]["count"], 3);
    let mut seen = Vec::new();
    let mut arguments = json!({ "query": "gtag", "mode": "literal", "in": "html", "limit": 1 });
    loop {
        let (urls, found) = search(&fake, &run, arguments.clone());
        seen.extend(urls);
        let Some(next) = found.get("next_cursor").filter(|it| !it.is_null()) else { break };
        arguments["cursor"] = next.clone();
    }
    assert_eq!(seen, ["/", "/chairs"]);
}

#[test]
fn questions_that_cannot_be_asked_are_refused_where_they_stand() {
    let (fake, run) = crawled();
    for (arguments, code, pointer) in [
        (json!({ "run_ref": run, "query": "((", "mode": "regex" }), "wrong_pattern", "/query"),
        (json!({ "run_ref": run, "query": "lamp", "in": "html" }), "field_not_ranked", "/in"),
        (json!({ "run_ref": run, "query": "lamp", "cursor": "zz" }), "invalid_cursor", "/cursor"),
        (json!({ "run_ref": run, "query": "lamp", "mode": "literal", "cursor": "zz" }), "invalid_cursor", "/cursor"),
    ] {
        let fault = fake.refusal("crawl.page.search", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert_eq!(fake.refusal("crawl.page.search", json!({ "run_ref": "none", "query": "lamp" })).code, "run_not_found");
}

#[test]
fn a_crawl_that_has_not_ended_is_not_ranked_and_says_what_to_look_at() {
    let fake = fake();
    serve(&fake, &[("/", "x")]);
    let run = start(&fake, json!({}));
    let fault = fake.refusal("crawl.page.search", json!({ "run_ref": run, "query": "lamp" }));
    assert_eq!(fault.code, "crawl_not_summarised");
    assert!(fault.detail.expect("a detail").contains("crawl.run.get"));
}

#[test]
fn the_content_of_a_page_is_given_in_each_form_and_in_parts() {
    let (fake, run) = crawled();
    let content = |more: Value| {
        let mut arguments = json!({ "run_ref": run, "url": "https://shop.example/" });
        for (name, value) in more.as_object().expect("an object") {
            arguments[name] = value.clone();
        }
        fake.call("crawl.page.content.get", arguments).expect("content")
    };
    let markdown = content(json!({}));
    assert_eq!(
        markdown["content"],
        "# Our lamps\n\nWe sell **lamps** and [chairs](https://shop.example/chairs). Lamps shine."
    );
    assert_eq!((markdown["extracted_title"].as_str(), markdown["word_count"].as_u64()), (Some("Lamps"), Some(9)));
    let text = content(json!({ "form": "text", "offset": 1, "length": 3 }));
    assert_eq!((text["content"].as_str(), text["next_offset"].as_u64()), (Some("ur "), Some(4)));
    let html = content(json!({ "form": "html", "length": 12 }));
    assert_eq!((html["content"].as_str(), html["next_offset"].as_u64()), (Some("<title>Lamps"), Some(12)));
}

#[test]
fn a_crawl_that_kept_nothing_says_so() {
    let fake = fake();
    serve(&fake, &[("/", "<p>hello")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({ "store_html": false }));
    let fault = fake.refusal("crawl.page.content.get", json!({ "run_ref": run, "url": "https://shop.example/" }));
    assert_eq!(fault.code, "content_not_stored");
    let fault = fake.refusal("crawl.page.content.get", json!({ "run_ref": run, "url": "https://shop.example/none" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("page_not_found", Some("/url")));
    let found = search(&fake, &run, json!({ "query": "hello", "mode": "literal" })).1;
    assert!(found["degraded"].to_string().contains("store_html"), "{found}");
}
