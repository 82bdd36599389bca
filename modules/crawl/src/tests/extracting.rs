//! What extraction rules promise, as tests.

use super::*;

fn shop() -> Fake {
    let fake = fake();
    let product = |n: usize| {
        let sku = if n == 2 {
            String::new()
        } else {
            format!("<script type='application/ld+json'>{{\"@type\":\"Product\",\"sku\":\"S{}\"}}</script>", n % 2)
        };
        format!("<h1>Lamp {n}</h1><b class=price>{n},00 €</b><i class=tag>a</i><i class=tag>b</i>{sku}")
    };
    serve(&fake, &[("/", "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/none>n</a>")]);
    for n in 1..=3 {
        serve(&fake, &[(&format!("/{n}"), &product(n))]);
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake
}

fn rules() -> Value {
    json!([
        { "name": "price", "kind": "css", "expr": ".price" },
        { "name": "sku", "kind": "jsonld", "expr": "Product.sku" },
        { "name": "tags", "kind": "css", "expr": "i", "attr": "class", "multiple": true },
        { "name": "number", "kind": "regex", "expr": "Lamp (\\d+)" }
    ])
}

#[test]
fn every_later_crawl_takes_the_values_out_of_every_page() {
    let fake = shop();
    let saved = fake.call("crawl.extraction.set", json!({ "site_id": "81", "rules": rules() })).expect("saved");
    assert_eq!((saved["saved"].as_bool(), saved["invalid"].as_array().map(Vec::len)), (Some(true), Some(0)));
    let run = crawl(&fake, json!({}));
    assert_eq!(get(&fake, &run)["extraction"], json!(["price", "sku", "tags", "number"]));
    let list = fake.call("crawl.extraction.result.list", json!({ "run_ref": run })).expect("rows");
    assert_eq!(list["pages"], 4);
    let row = list["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["url"] == "https://shop.example/1")
        .expect("a row");
    assert_eq!(row["values"], json!({ "price": ["1,00 €"], "sku": ["S1"], "tags": ["tag", "tag"], "number": ["1"] }));
    assert_eq!(
        list["coverage"][1],
        json!({ "name": "sku", "pages": 4, "with_value": 2, "distinct": 1 }),
        "{}",
        list["coverage"]
    );
    let missing = fake
        .call("crawl.extraction.result.list", json!({ "run_ref": run, "name": "sku", "missing_only": true }))
        .expect("rows");
    let urls: Vec<&str> =
        missing["rows"].as_array().expect("rows").iter().filter_map(|row| row["url"].as_str()).collect();
    assert_eq!(urls, ["https://shop.example/", "https://shop.example/2"]);
    assert_eq!(missing["coverage"].as_array().map(Vec::len), Some(1));
}

#[test]
fn extracted_values_are_paged() {
    let fake = shop();
    fake.call("crawl.extraction.set", json!({ "site_id": "81", "rules": rules() })).expect("saved");
    let run = crawl(&fake, json!({}));
    for missing_only in [false, true] {
        let mut seen = Vec::new();
        let mut arguments = json!({ "run_ref": run, "limit": 1, "missing_only": missing_only });
        loop {
            let list = fake.call("crawl.extraction.result.list", arguments.clone()).expect("rows");
            seen.extend(list["rows"].as_array().expect("rows").iter().map(|row| row["url"].to_string()));
            let Some(next) = list.get("next_cursor").filter(|it| !it.is_null()) else { break };
            arguments["cursor"] = next.clone();
        }
        let all = seen.len();
        seen.dedup();
        assert_eq!((all, seen.len()), if missing_only { (2, 2) } else { (4, 4) });
    }
}

#[test]
fn rules_that_cannot_be_asked_are_named_and_nothing_is_saved() {
    let fake = shop();
    fake.call(
        "crawl.extraction.set",
        json!({ "site_id": "81", "rules": [{ "name": "old", "kind": "css", "expr": "h1" }] }),
    )
    .expect("saved");
    let wrong = json!([
        { "name": "a", "kind": "css", "expr": "p[" },
        { "name": "b", "kind": "regex", "expr": "(" },
        { "name": "c", "kind": "jsonld", "expr": "$." },
        { "name": "d", "kind": "css", "expr": "h1" },
        { "name": "D", "kind": "css", "expr": "h2" }
    ]);
    let saved = fake.call("crawl.extraction.set", json!({ "site_id": "81", "rules": wrong })).expect("an answer");
    assert_eq!(saved["saved"], false);
    let at: Vec<u64> =
        saved["invalid"].as_array().expect("a list").iter().filter_map(|it| it["index"].as_u64()).collect();
    assert_eq!(at, [0, 1, 2, 4]);
    let run = crawl(&fake, json!({}));
    assert_eq!(get(&fake, &run)["extraction"], json!(["old"]));
    assert_eq!(
        fake.refusal("crawl.extraction.set", json!({ "site_id": "82", "rules": rules() })).code,
        "website_not_found"
    );
    assert_eq!(fake.refusal("crawl.extraction.set", json!({ "site_id": "81", "rules": [] })).code, "invalid_arguments");
    let fault = fake.refusal("crawl.extraction.result.list", json!({ "run_ref": run, "name": "none" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("rule_not_found", Some("/name")));
}

#[test]
fn a_crawl_without_rules_says_where_they_are_saved() {
    let fake = shop();
    let run = crawl(&fake, json!({}));
    let fault = fake.refusal("crawl.extraction.result.list", json!({ "run_ref": run }));
    assert_eq!(fault.code, "no_extraction");
    assert!(fault.detail.expect("a detail").contains("crawl.extraction.set"));
}

#[test]
fn rules_are_tried_on_a_live_page_with_the_places_of_their_matches() {
    let fake = shop();
    let mut tried = rules();
    tried.as_array_mut().expect("a list").push(json!({ "name": "wrong", "kind": "css", "expr": "[" }));
    let tested =
        fake.call("crawl.extraction.test", json!({ "url": "https://shop.example/1", "rules": tried })).expect("values");
    assert_eq!(tested["values"][0]["matches"][0]["value"], "1,00 €");
    assert!(tested["values"][0]["matches"][0]["position"].as_str().expect("a place").ends_with("b:nth-child(2)"));
    assert_eq!(tested["values"][1]["matches"][0], json!({ "value": "S1", "position": "1/sku" }));
    assert_eq!((tested["values"].as_array().map(Vec::len), tested["errors"][0]["index"].as_u64()), (Some(4), Some(4)));
    fake.serve("https://closed.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /");
    let closed = json!({ "url": "https://closed.example/a", "rules": rules() });
    assert_eq!(fake.refusal("crawl.extraction.test", closed).code, "robots_disallowed");
    assert!(!fake.requested().contains(&"https://closed.example/a".to_owned()));
    let dead = json!({ "url": "https://dead.example/a", "rules": rules() });
    assert_eq!(fake.refusal("crawl.extraction.test", dead).code, "url_unanswered");
}
