//! What `markup` has to do, sentence by sentence.

use sdk::json;
use sdk::serde_json::Value;

use crate::tests::{GUIDE, host};

fn kinds(html: &str) -> Vec<(String, u64)> {
    let data = host().call("onpage.markup.validate", json!({ "url": "https://shop.example/x", "html": html })).unwrap();
    data["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["kind"].as_str().unwrap().to_owned(), it["line"].as_u64().unwrap()))
        .collect()
}

fn one(kind: &str, line: u64) -> Vec<(String, u64)> {
    vec![(kind.to_owned(), line)]
}

/// A sound page around a head and a body.
fn page(head: &str, body: &str) -> String {
    format!("<!doctype html>\n<html><head>\n<title>T</title>\n{head}\n</head>\n<body>\n{body}\n</body></html>")
}

#[test]
fn a_sound_page_has_no_faults() {
    let data = host().call("onpage.markup.validate", json!({ "url": GUIDE })).unwrap();
    assert_eq!((&data["faults"], &data["head_closed_by"]), (&json!([]), &json!(null)));
    assert_eq!(
        kinds(&page(
            "<meta charset=utf-8><base href='/a/'><link rel=canonical href='/x'>",
            "<ul><li>a<li>b</ul><svg><title>x</title><path d=''/></svg><p>c"
        )),
        []
    );
}

#[test]
fn each_fault_is_found_on_its_line() {
    for (head, body, kind, line) in [
        ("", "<title>Second</title>", "title_in_body", 7),
        ("<title>Second</title>", "", "duplicate_title", 4),
        ("<meta name=description content=a>\n<meta name=description content=b>", "", "duplicate_description", 5),
        ("<link rel=canonical href=/a>\n<link rel=canonical href=/b>", "", "duplicate_canonical", 5),
        ("", "<meta name=robots content=noindex>", "meta_in_body", 7),
        ("", "\n<link rel=canonical href=/a>", "canonical_in_body", 8),
        ("", "<link rel=alternate hreflang=de href=/de>", "hreflang_in_body", 7),
        ("", "<p id=a>x</p>\n<p id=a>y</p>", "duplicate_id", 8),
        ("", "<a href=/a><button>x</button></a>", "invalid_nesting", 7),
        ("", "<ul><p>x</p></ul>", "invalid_nesting", 7),
        ("", "<div><li>x</li></div>", "invalid_nesting", 7),
        ("", "<div>\n<span>x</div>", "unclosed", 8),
        ("", "x</section>", "unclosed", 7),
        ("<base href='javascript:x'>", "", "bad_base", 4),
        ("<base href='/a/'>\n<base href='/b/'>", "", "bad_base", 5),
        ("<link rel=icon href=/i>\n<base href='/a/'>", "", "late_base", 5),
    ] {
        assert_eq!(kinds(&page(head, body)), one(kind, line), "{head} {body}");
    }
}

#[test]
fn an_element_that_closes_the_head_is_named_with_what_it_costs() {
    let html = "<!doctype html>\n<html><head>\n<title>T</title>\n<div>x</div>\n<link rel=canonical href=/a>\n</head><body></body></html>";
    assert_eq!(kinds(html), [("head_closed_early".to_owned(), 4), ("canonical_in_body".to_owned(), 5)]);
    let data = host().call("onpage.markup.validate", json!({ "url": "https://shop.example/x", "html": html })).unwrap();
    assert_eq!(
        (&data["head_closed_by"], &data["next"][0]["operation_id"]),
        (&json!("div"), &json!("audit.page.check"))
    );
}

#[test]
fn a_page_without_doctype_or_title_and_a_late_charset_are_faults() {
    assert_eq!(
        kinds("<html><head></head><body></body></html>"),
        [("missing_title".to_owned(), 1), ("missing_doctype".to_owned(), 1)]
    );
    let late = page(&format!("<!-- {} -->\n<meta charset=utf-8>", "x".repeat(1_100)), "");
    assert_eq!(kinds(&late), one("late_charset", 5));
    let deep = page("", &format!("{}x{}", "<b>".repeat(600), "</b>".repeat(600)));
    assert_eq!(kinds(&deep), one("too_deep", 1));
}

/// `markup.json` was made by `tests/references/onpage/markup.py`, which asked the Nu HTML checker.
#[test]
fn forty_files_have_the_faults_that_were_planted_and_no_others() {
    let files: Vec<Value> = sdk::serde_json::from_str(include_str!("../../fixtures/markup.json")).unwrap();
    assert_eq!(files.len(), 40);
    let mut wrong = Vec::new();
    for file in files {
        let found = kinds(file["html"].as_str().unwrap());
        let planted = file["faults"].as_array().unwrap().iter();
        let planted: Vec<_> = planted.map(|it| (it[0].as_str().unwrap().to_owned(), it[1].as_u64().unwrap())).collect();
        if found != planted {
            wrong.push(format!("{}: {found:?}, not {planted:?}", file["name"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
