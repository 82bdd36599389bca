//! Tests of `: listing`.

use super::*;

fn crawled() -> (Fake, String) {
    let fake = fake();
    serve(
        &fake,
        &[
            (
                "/",
                "<title>Home of the shop</title><nav><a href=/a rel=nofollow>A</a></nav><a href=/b>B</a><a href=/gone>G</a><a href=https://other.example/dead>D</a>",
            ),
            ("/a", "<title>A</title><meta name=robots content=noindex><a href=/gone>again</a>"),
            ("/b", "<title>A longer title</title><p>one two three four"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/gone", 404, &[("content-type", "text/html")], b"<a href=/unseen>not followed</a>");
    fake.serve("https://other.example/robots.txt", 404, &[], b"");
    fake.serve("https://other.example/dead", 410, &[], b"");
    let run = crawl(&fake, json!({}));
    (fake, run)
}

fn urls(list: &Value) -> Vec<&str> {
    list["pages"].as_array().expect("pages").iter().map(|page| page["url"].as_str().expect("a url")).collect()
}

#[test]
fn pages_are_listed_in_the_order_of_fetching_a_page_at_a_time() {
    let (fake, run) = crawled();
    let first = fake.call("crawl.page.list", json!({ "run_ref": run, "limit": 3 })).expect("a list");
    assert_eq!(urls(&first), ["https://shop.example/", "https://shop.example/a", "https://shop.example/b"]);
    assert_eq!(first["total"], 4);
    assert_eq!(first["pages"][0]["title"], "Home of the shop");
    let second = fake
        .call("crawl.page.list", json!({ "run_ref": run, "limit": 3, "cursor": first["next_cursor"] }))
        .expect("a list");
    assert_eq!(urls(&second), ["https://shop.example/gone"]);
    assert!(second["next_cursor"].is_null());
}

#[test]
fn a_filter_sees_every_kind_of_field() {
    let (fake, run) = crawled();
    let matching = |filter: Value| {
        let list = fake.call("crawl.page.list", json!({ "run_ref": run, "filter": filter })).expect("a list");
        let found = urls(&list).iter().map(|url| url.replace(ORIGIN, "")).collect::<Vec<_>>();
        assert_eq!(list["total"].as_u64(), Some(found.len() as u64));
        found
    };
    assert_eq!(matching(json!([{ "field": "status", "op": "eq", "value": 404 }])), ["/gone"]);
    assert_eq!(matching(json!([{ "field": "status", "op": "ne", "value": 404 }])), ["/", "/a", "/b"]);
    assert_eq!(matching(json!([{ "field": "title", "op": "contains", "value": "LONGER" }])), ["/b"]);
    assert_eq!(matching(json!([{ "field": "title", "op": "regex", "value": "^(A|Home)" }])), ["/", "/a", "/b"]);
    assert_eq!(matching(json!([{ "field": "title", "op": "empty" }])), ["/gone"]);
    assert_eq!(
        matching(
            json!([{ "field": "word_count", "op": "gt", "value": 2 }, { "field": "indexable", "op": "eq", "value": true }])
        ),
        ["/b"]
    );
    assert_eq!(matching(json!([{ "field": "indexability_reason", "op": "eq", "value": "noindex" }])), ["/a"]);
    assert_eq!(
        matching(
            json!([{ "field": "depth", "op": "eq", "value": 1 }, { "field": "status", "op": "lt", "value": 300 }])
        ),
        ["/a", "/b"]
    );
}

#[test]
fn a_list_is_sorted_either_way_and_missing_values_stay_last() {
    let (fake, run) = crawled();
    let sorted = |sort: &str| {
        let list = fake
            .call("crawl.page.list", json!({ "run_ref": run, "sort": sort, "columns": ["title_length"] }))
            .expect("a list");
        urls(&list).iter().map(|url| url.replace(ORIGIN, "")).collect::<Vec<_>>()
    };
    assert_eq!(sorted("-title_length"), ["/", "/b", "/a", "/gone"]);
    assert_eq!(sorted("title"), ["/a", "/b", "/", "/gone"]);
    assert_eq!(sorted("-title"), ["/", "/b", "/a", "/gone"]);
    let page = |cursor: Value| {
        let mut arguments = json!({ "run_ref": run, "sort": "-title_length", "limit": 3 });
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        fake.call("crawl.page.list", arguments).expect("a list")
    };
    let first = page(Value::Null);
    assert_eq!(urls(&page(first["next_cursor"].clone())), ["https://shop.example/gone"]);
}

#[test]
fn only_chosen_columns_are_shown() {
    let (fake, run) = crawled();
    let list = fake
        .call("crawl.page.list", json!({ "run_ref": run, "columns": ["status", "h1"], "limit": 1 }))
        .expect("a list");
    assert_eq!(list["pages"][0], json!({ "url": "https://shop.example/", "status": 200 }));
}

#[test]
fn a_page_is_given_whole_with_its_verdict_and_inlinks() {
    let (fake, run) = crawled();
    let page = fake
        .call("crawl.page.get", json!({ "run_ref": run, "url": "https://shop.example/a?utm_source=mail" }))
        .expect("the page");
    assert_eq!(page["indexability"], json!({ "verdict": "not_indexable", "reason": "noindex" }));
    assert_eq!((page["inlinks"].as_u64(), page["head"]["title"].as_str()), (Some(1), Some("A")));
    assert_eq!(page["referrer"], "https://shop.example/");
    let latest = fake.call("crawl.page.get", json!({ "url": "https://shop.example/gone" })).expect("the page");
    assert_eq!((latest["page"]["status"].as_u64(), latest["inlinks"].as_u64()), (Some(404), Some(2)));
}

#[test]
fn links_are_found_by_each_of_their_sides() {
    let (fake, run) = crawled();
    let links = |more: Value| {
        let mut arguments = json!({ "run_ref": run });
        for (name, value) in more.as_object().expect("an object") {
            arguments[name] = value.clone();
        }
        let list = fake.call("crawl.link.list", arguments).expect("links");
        let found: Vec<String> = list["links"]
            .as_array()
            .expect("links")
            .iter()
            .map(|link| link["anchor"].as_str().expect("text").to_owned())
            .collect();
        assert_eq!(list["total"].as_u64(), Some(found.len() as u64), "{more}");
        found
    };
    assert_eq!(links(json!({})), ["A", "B", "G", "D", "again"]);
    assert_eq!(links(json!({ "source": "https://shop.example/a" })), ["again"]);
    assert_eq!(links(json!({ "target": "https://shop.example/gone#x" })), ["G", "again"]);
    assert_eq!(links(json!({ "status": 404 })), ["G", "again"]);
    assert_eq!(links(json!({ "status": 410 })), ["D"]);
    assert_eq!(links(json!({ "status": 404, "scope": "external" })), Vec::<String>::new());
    assert_eq!(links(json!({ "source": "https://shop.example/", "status": 404 })), ["G"]);
    assert_eq!(links(json!({ "rel": "NoFollow" })), ["A"]);
    assert_eq!(links(json!({ "placement": "nav" })), ["A"]);
    assert_eq!(links(json!({ "scope": "external" })), ["D"]);
}

#[test]
fn a_long_selection_of_links_goes_on_with_its_cursor() {
    let fake = fake();
    let home: String = (0..1_300)
        .map(|n| format!("<a href=/p{} {}>{n}</a>", n % 5, if n % 3 == 0 { "rel=nofollow" } else { "" }))
        .collect();
    serve(&fake, &[("/", &home)]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut arguments = json!({ "run_ref": run, "rel": "nofollow", "limit": 100 });
        if !cursor.is_null() {
            arguments["cursor"] = cursor.clone();
        }
        let list = fake.call("crawl.link.list", arguments).expect("links");
        if cursor.is_null() {
            assert_eq!(list["total"], 434);
        }
        seen.extend(
            list["links"]
                .as_array()
                .expect("links")
                .iter()
                .map(|link| link["anchor"].as_str().expect("text").to_owned()),
        );
        match list.get("next_cursor").filter(|it| !it.is_null()) {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    let wanted: Vec<String> = (0..1_300).step_by(3).map(|n| n.to_string()).collect();
    assert_eq!(seen, wanted);
}

#[test]
fn crawls_are_listed_newest_first_with_how_long_they_took() {
    let (fake, first) = crawled();
    let second = crawl(&fake, json!({ "max_pages": 1 }));
    let list = fake.call("crawl.run.list", json!({ "site_id": "81" })).expect("a list");
    let runs = list["runs"].as_array().expect("runs");
    assert_eq!(
        (runs[0]["run_ref"].as_str(), runs[1]["run_ref"].as_str()),
        (Some(second.as_str()), Some(first.as_str()))
    );
    assert_eq!((runs[0]["stop_reason"].as_str(), runs[0]["totals"]["fetched"].as_u64()), (Some("page_limit"), Some(1)));
    assert!(runs[1]["duration_ms"].as_u64() > Some(0));
}

#[test]
fn the_condition_at_fault_is_named_also_behind_one_that_an_index_answers() {
    let (fake, run) = crawled();
    let filter =
        json!([{ "field": "status", "op": "eq", "value": 200 }, { "field": "nonsense", "op": "eq", "value": 1 }]);
    let fault = fake.refusal("crawl.page.list", json!({ "run_ref": run, "filter": filter }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("unknown_field", Some("/filter/1/field")));
}
