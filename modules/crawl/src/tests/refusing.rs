//! Tests of `: refusing`.

use super::*;

#[test]
fn a_crawl_of_a_website_that_is_not_there_is_not_found() {
    assert_eq!(fake().refusal("crawl.run.start", json!({ "site_id": "82" })).code, "website_not_found");
    assert_eq!(fake().refusal("crawl.run.get", json!({ "run_ref": "none" })).code, "run_not_found");
}

#[test]
fn arguments_off_by_a_bound_are_named() {
    for (member, value) in [
        ("max_pages", json!(0)),
        ("max_pages", json!(100_001)),
        ("max_depth", json!(51)),
        ("rate_rps", json!(0.05)),
        ("rate_rps", json!(11)),
        ("seeds", json!(["not an address"])),
        ("include", json!([""])),
        ("unknown", json!(1)),
    ] {
        let mut arguments = json!({ "site_id": "81" });
        arguments[member] = value;
        assert_eq!(fake().refusal("crawl.run.start", arguments).code, "invalid_arguments", "{member}");
    }
}

#[test]
fn a_seed_of_another_site_is_refused_with_its_pointer() {
    let fault = fake().refusal(
        "crawl.run.start",
        json!({ "site_id": "81", "seeds": ["https://www.shop.example/ok", "https://evil.example/"] }),
    );
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("seed_off_site", Some("/seeds/1")));
}

#[test]
fn a_second_crawl_waits_for_the_first() {
    let fake = fake();
    serve(&fake, &[("/", "x")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    start(&fake, json!({}));
    assert_eq!(fake.refusal("crawl.run.start", json!({ "site_id": "81" })).code, "crawl_running");
    fake.work();
    start(&fake, json!({}));
}

#[test]
fn filters_that_cannot_be_asked_are_refused_where_they_stand() {
    let fake = fake();
    serve(&fake, &[("/", "x")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    for (condition, code) in [
        (json!({ "field": "colour", "op": "eq", "value": 1 }), "unknown_field"),
        (json!({ "field": "status", "op": "contains", "value": "4" }), "wrong_value"),
        (json!({ "field": "title", "op": "gt", "value": 1 }), "wrong_value"),
        (json!({ "field": "title", "op": "eq", "value": 1 }), "wrong_value"),
        (json!({ "field": "title", "op": "regex", "value": "(" }), "wrong_pattern"),
    ] {
        let fault = fake.refusal("crawl.page.list", json!({ "run_ref": run, "filter": [condition.clone()] }));
        assert_eq!(fault.code, code, "{condition}");
        assert!(fault.pointer.is_some_and(|pointer| pointer.starts_with("/filter/0/")));
    }
    for (member, value, code) in [
        ("sort", json!("-colour"), "unknown_field"),
        ("columns", json!(["colour"]), "unknown_field"),
        ("cursor", json!("zz"), "invalid_cursor"),
    ] {
        let mut arguments = json!({ "run_ref": run });
        arguments[member] = value;
        assert_eq!(fake.refusal("crawl.page.list", arguments).code, code, "{member}");
    }
    assert_eq!(
        fake.refusal("crawl.page.get", json!({ "run_ref": run, "url": "https://shop.example/none" })).code,
        "page_not_found"
    );
}
