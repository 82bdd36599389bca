//! What a comparison of two crawls promises, as tests.

use super::*;

fn two() -> (Fake, String, String) {
    let fake = fake();
    let long =
        "the lamp is bright and stands on a table near the window where people like to read in the evening ".repeat(4);
    serve(
        &fake,
        &[
            (
                "/",
                "<title>Home</title><a href=/same>s</a><a href=/text>t</a><a href=/away>a</a><a href=/blog/moved>m</a>",
            ),
            ("/same", "<title>Same</title><p>same"),
            ("/text", &format!("<title>Text</title><p>{long}")),
            ("/away", "<title>Away</title>"),
            ("/blog/moved", "<title>Old</title><p>x"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let first = crawl(&fake, json!({}));
    serve(
        &fake,
        &[
            (
                "/",
                "<title>Home</title><a href=/same>s</a><a href=/text>t</a><a href=/blog/moved>m</a><a href=/new>n</a>",
            ),
            ("/text", &format!("<title>Text</title><p>{long} and more")),
            ("/blog/moved", "<title>New</title><meta name=robots content=noindex><link rel=canonical href=/same><p>x"),
            ("/new", "<title>New</title>"),
        ],
    );
    let second = crawl(&fake, json!({}));
    (fake, first, second)
}

#[test]
fn every_kind_of_change_is_counted_and_listed() {
    let (fake, first, second) = two();
    let compared = fake.call("crawl.run.compare", json!({ "run_a": first, "run_b": second })).expect("changes");
    let summary = &compared["summary"];
    assert_eq!((summary["common"].as_u64(), summary["unchanged"].as_u64()), (Some(4), Some(1)), "{summary}");
    assert_eq!(
        summary["changes"],
        json!({ "added": 1, "removed": 1, "indexability": 1, "title": 1, "canonical": 1, "content": 2 })
    );
    assert_eq!(summary["folders"], json!({ "/": 4, "/blog/": 1 }));
    assert_eq!(summary["indexable"], json!([5, 4]));
    let of = |path: &str| {
        let url = format!("{ORIGIN}{path}");
        compared["changes"].as_array().expect("changes").iter().find(|it| it["url"] == url).cloned().expect("a change")
    };
    assert_eq!(of("/blog/moved")["changes"], json!(["indexability", "title", "canonical"]));
    assert_eq!(of("/blog/moved")["before"]["title"], "Old");
    assert_eq!(of("/blog/moved")["after"]["indexability"], "noindex");
    assert!(of("/text")["similarity"].as_f64() > Some(0.8), "{}", of("/text"));
    assert!(of("/away")["after"].is_null() && of("/new")["before"].is_null());
}

#[test]
fn a_comparison_is_narrowed_and_paged() {
    let (fake, first, second) = two();
    let urls = |more: Value| -> Vec<String> {
        let mut seen = Vec::new();
        let mut arguments = json!({ "run_a": first, "run_b": second, "limit": 1 });
        more.as_object().expect("an object").iter().for_each(|(name, value)| arguments[name] = value.clone());
        loop {
            let page = fake.reply("crawl.run.compare", arguments.clone()).expect("changes");
            assert_eq!(page.units, page.data["changes"].as_array().map_or(0, |it| it.len() as u64));
            seen.extend(
                page.data["changes"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|it| it["url"].as_str().expect("a url").replace(ORIGIN, "")),
            );
            let Some(next) = page.data.get("next_cursor").filter(|it| !it.is_null()) else { break };
            arguments["cursor"] = next.clone();
        }
        seen.sort();
        seen
    };
    assert_eq!(urls(json!({})), ["/", "/away", "/blog/moved", "/new", "/text"]);
    assert_eq!(urls(json!({ "change": "title" })), ["/blog/moved"]);
    assert_eq!(urls(json!({ "change": "added" })), ["/new"]);
    assert_eq!(urls(json!({ "folder": "/blog/" })), ["/blog/moved"]);
    assert!(urls(json!({ "change": "status" })).is_empty());
}

#[test]
fn crawls_that_cannot_be_compared_are_refused() {
    let (fake, first, second) = two();
    let refused = |arguments: Value| {
        let fault = fake.refusal("crawl.run.compare", arguments);
        (fault.code, fault.pointer)
    };
    assert_eq!(refused(json!({ "run_a": first, "run_b": "none" })), ("run_not_found".into(), Some("/run_b".into())));
    assert_eq!(refused(json!({ "run_a": first, "run_b": second, "segment_ref": "x" })).0, "segment_not_found");
    assert_eq!(refused(json!({ "run_a": first, "run_b": second, "cursor": "x" })).0, "invalid_cursor");
    let running = start(&fake, json!({}));
    assert_eq!(refused(json!({ "run_a": first, "run_b": running })).0, "crawl_not_summarised");
}
