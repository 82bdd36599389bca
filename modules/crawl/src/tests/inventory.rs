//! What lists of resources and redirects, the tree of folders and the look for traps promise, as tests.

use super::*;

#[test]
fn everything_that_pages_load_is_listed_with_its_size_status_and_use() {
    let fake = fake();
    let head = "<link rel=stylesheet href=/s.css><script src=/a.js></script>";
    serve(
        &fake,
        &[
            ("/", &format!("{head}<img src=/big.png alt=x><a href=/b>b</a><a href=/list.pdf>pdf</a>")),
            (
                "/b",
                &format!(
                    "{head}<img src=/big.png alt=x><img src=/gone.png alt=y><img src=https://cdn.example/c.png alt=z>"
                ),
            ),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /a.js\n");
    fake.serve("https://cdn.example/robots.txt", 404, &[], b"");
    let sized = |url: &str, kind: &str, bytes: &str| {
        fake.serve(
            url,
            200,
            &[
                ("content-type", kind),
                ("content-length", bytes),
                ("cache-control", "public, max-age=60"),
                ("etag", "\"1\""),
            ],
            b"",
        );
    };
    sized("https://shop.example/big.png", "image/png", "900000");
    sized("https://shop.example/s.css", "text/css", "1200");
    sized("https://cdn.example/c.png", "image/png", "10");
    sized("https://shop.example/list.pdf", "application/pdf", "5000");
    fake.serve("https://shop.example/gone.png", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    let list = |more: Value| {
        let mut arguments = json!({ "run_ref": run });
        for (name, value) in more.as_object().expect("an object") {
            arguments[name] = value.clone();
        }
        fake.call("crawl.resource.list", arguments).expect("resources")
    };
    let urls = |list: &Value| -> Vec<String> {
        list["resources"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it["url"].as_str().expect("a url").to_owned())
            .collect()
    };
    let all = list(json!({}));
    assert_eq!(all["total"], 6, "{all}");
    assert!(all["degraded"].to_string().contains("robots.txt"), "{all}");
    let heavy = list(json!({ "min_bytes": 1000 }));
    assert_eq!(
        urls(&heavy),
        ["https://shop.example/big.png", "https://shop.example/list.pdf", "https://shop.example/s.css"]
    );
    let big = &heavy["resources"][0];
    assert_eq!(
        (big["used_by"].as_u64(), big["bytes"].as_u64(), big["type"].as_str()),
        (Some(2), Some(900_000), Some("image"))
    );
    assert_eq!((big["cache"]["max_age"].as_u64(), big["cache"]["etag"].as_str()), (Some(60), Some("\"1\"")));
    assert_eq!(big["pages"], json!(["https://shop.example/", "https://shop.example/b"]));
    assert_eq!(heavy["resources"][1]["used_by"], 1, "a document is used by the pages that link to it");
    assert_eq!(heavy["resources"][2]["blocking"], true);
    assert_eq!(urls(&list(json!({ "status": 404 }))), ["https://shop.example/gone.png"]);
    assert_eq!(urls(&list(json!({ "type": "pdf" }))), ["https://shop.example/list.pdf"]);
    let both = list(json!({ "type": "image", "min_bytes": 100 }));
    assert_eq!((urls(&both), both["total"].as_u64()), (vec!["https://shop.example/big.png".to_owned()], Some(1)));
    let script = list(json!({ "type": "script" }));
    assert_eq!(script["resources"][0]["state"], "robots");
    assert!(!fake.requested().contains(&"https://shop.example/a.js".to_owned()));
    let asked = fake.requested();
    assert_eq!(asked.iter().filter(|url| url.ends_with("/big.png")).count(), 1);
}

#[test]
fn a_long_list_of_resources_goes_on_with_its_cursor() {
    let fake = fake();
    let html: String = (0..90).map(|n| format!("<img src=/{n}.png alt=x>")).collect();
    serve(&fake, &[("/", &html)]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    for n in 0..90 {
        let bytes = (n * 10).to_string();
        fake.serve(&format!("https://shop.example/{n}.png"), 200, &[("content-length", &bytes)], b"");
    }
    let run = crawl(&fake, json!({}));
    for wish in [json!({}), json!({ "type": "image", "min_bytes": 200 })] {
        let mut arguments = json!({ "run_ref": run, "limit": 20 });
        wish.as_object().expect("an object").iter().for_each(|(name, value)| arguments[name] = value.clone());
        let mut seen = std::collections::BTreeSet::new();
        let mut total = None;
        loop {
            let list = fake.call("crawl.resource.list", arguments.clone()).expect("resources");
            total = total.or(list["total"].as_u64());
            for it in list["resources"].as_array().expect("a list") {
                assert!(seen.insert(it["url"].as_str().expect("a url").to_owned()));
            }
            let Some(next) = list.get("next_cursor").filter(|it| !it.is_null()) else { break };
            arguments["cursor"] = next.clone();
        }
        assert_eq!(Some(seen.len() as u64), total, "{wish}");
    }
    assert_eq!(
        fake.refusal("crawl.resource.list", json!({ "run_ref": run, "type": "image", "status": 200, "cursor": "zz" }))
            .code,
        "invalid_cursor"
    );
}

fn redirecting() -> (Fake, String) {
    let fake = fake();
    serve(
        &fake,
        &[
            (
                "/",
                "<a href=/single>1</a><a href=/chain>2</a><a href=/chain>2</a><a href=/round>3</a><a href=/dead>4</a><a href=/meta>5</a>",
            ),
            ("/new", "new"),
            ("/meta", "<meta http-equiv=refresh content='0; url=/new'>"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    for (from, status, to) in [
        ("/single", 301, "/new"),
        ("/chain", 301, "/chain2"),
        ("/chain2", 302, "/new"),
        ("/round", 301, "/round2"),
        ("/round2", 301, "/round"),
        ("/dead", 308, "/gone"),
    ] {
        fake.serve(&format!("{ORIGIN}{from}"), status, &[("location", to)], b"");
    }
    fake.serve("https://shop.example/gone", 404, &[("content-type", "text/html")], b"");
    let run = crawl(&fake, json!({ "check_external": false }));
    (fake, run)
}

#[test]
fn redirects_are_told_apart_and_say_which_links_still_point_at_them() {
    let (fake, run) = redirecting();
    let froms = |kind: Option<&str>| -> Vec<String> {
        let mut arguments = json!({ "run_ref": run, "limit": 100 });
        if let Some(kind) = kind {
            arguments["kind"] = kind.into();
        }
        let list = fake.call("crawl.redirect.list", arguments).expect("redirects");
        assert_eq!(list["total"].as_u64(), kind.is_none().then_some(7));
        let of = |it: &Value| it["from"].as_str().expect("a url").replace(ORIGIN, "");
        let mut froms: Vec<String> = list["redirects"].as_array().expect("a list").iter().map(of).collect();
        froms.sort();
        froms
    };
    assert_eq!(froms(None), ["/chain", "/chain2", "/dead", "/meta", "/round", "/round2", "/single"]);
    assert_eq!(froms(Some("single")), ["/chain2", "/dead", "/meta", "/single"]);
    assert_eq!(froms(Some("chain")), ["/chain"]);
    assert_eq!(froms(Some("loop")), ["/round", "/round2"]);
    assert_eq!(froms(Some("temporary")), ["/chain", "/chain2"]);
    assert_eq!(froms(Some("meta_refresh")), ["/meta"]);
    assert_eq!(froms(Some("to_error")), ["/dead"]);
    let chain = fake.call("crawl.redirect.list", json!({ "run_ref": run, "kind": "chain" })).expect("redirects");
    let chain = &chain["redirects"][0];
    assert_eq!(
        (chain["final"].as_str(), chain["status"].as_u64(), chain["mixed"].as_bool()),
        (Some("https://shop.example/new"), Some(200), Some(true))
    );
    assert_eq!((chain["inlinks"].as_u64(), chain["hops"].as_array().map(Vec::len)), (Some(2), Some(2)));
    let fix = &chain["fix"];
    let links =
        fake.call(fix["operation_id"].as_str().expect("an operation"), fix["arguments"].clone()).expect("links");
    assert_eq!(links["total"], 2);
}

#[test]
fn a_list_of_redirects_goes_on_with_its_cursor_from_one_kind_to_the_next() {
    let (fake, run) = redirecting();
    let mut seen = Vec::new();
    let mut arguments = json!({ "run_ref": run, "limit": 2 });
    loop {
        let list = fake.call("crawl.redirect.list", arguments.clone()).expect("redirects");
        seen.extend(list["redirects"].as_array().expect("a list").iter().map(|it| it["from"].to_string()));
        let Some(next) = list.get("next_cursor").filter(|it| !it.is_null()) else { break };
        arguments["cursor"] = next.clone();
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 7);
    assert_eq!(fake.refusal("crawl.redirect.list", json!({ "run_ref": run, "cursor": "x:1:" })).code, "invalid_cursor");
}

#[test]
fn folders_sum_up_what_is_below_them() {
    let fake = fake();
    serve(
        &fake,
        &[
            ("/", "<a href=/blog/>b</a><a href=/blog/a/one>1</a><a href=/blog/a/two>2</a><a href=/gone>g</a>"),
            ("/blog/", "<p>one two three<a href=/blog/a/one>1</a>"),
            ("/blog/a/one", "<p>four words are here"),
            ("/blog/a/two", "<meta name=robots content=noindex>x"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example/gone", 404, &[("content-type", "text/html")], b"");
    let run = crawl(&fake, json!({}));
    let tree = fake.call("crawl.structure.get", json!({ "run_ref": run })).expect("a tree");
    let branch = |tree: &Value, path: &str| {
        tree["tree"].as_array().expect("a tree").iter().find(|it| it["path"] == path).cloned().expect("a folder")
    };
    let root = branch(&tree, "/");
    assert_eq!(
        (root["pages"].as_u64(), root["indexable"].as_u64(), root["errors"].as_u64()),
        (Some(5), Some(3), Some(1))
    );
    assert!((root["authority"].as_f64().expect("a share") - 1.0).abs() < 1e-4, "{root}");
    let blog = branch(&tree, "/blog/");
    assert_eq!(
        (blog["pages"].as_u64(), blog["indexable"].as_u64(), blog["depth_avg"].as_f64()),
        (Some(3), Some(2), Some(1.0))
    );
    assert!(blog["authority"].as_f64() > branch(&tree, "/blog/a/")["authority"].as_f64());
    assert!(tree["degraded"].to_string().contains("clicks"));
    let day = fake.now().day().plus(-3);
    let figures = |clicks| kit::pack::Search { impressions: 100, clicks, positions: 300 };
    let row = |page: &str, clicks| (day, format!("https://shop.example{page}"), figures(clicks));
    let rows = [row("/", 9), row("/blog/", 4), row("/blog/a/one", 2), row("/blogger", 1)];
    search::trial::store_pages(&fake, "81", &rows);
    let clicked = fake.call("crawl.structure.get", json!({ "run_ref": run })).expect("a tree");
    let clicks = ["/", "/blog/", "/blog/a/"].map(|path| branch(&clicked, path)["clicks"].as_u64());
    assert_eq!(clicks, [Some(16), Some(6), Some(2)]);
    assert!(!clicked["degraded"].to_string().contains("clicks"), "{}", clicked["degraded"]);
    let narrow =
        fake.call("crawl.structure.get", json!({ "run_ref": run, "path": "blog", "depth": 1 })).expect("a tree");
    let paths: Vec<&str> =
        narrow["tree"].as_array().expect("a tree").iter().filter_map(|it| it["path"].as_str()).collect();
    assert_eq!(paths, ["/blog/", "/blog/a/"]);
    let fault = fake.refusal("crawl.structure.get", json!({ "run_ref": run, "path": "/none/" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("folder_not_found", Some("/path")));
}

#[test]
fn traps_name_a_crawl_that_leaves_them_out() {
    let fake = fake();
    let home: String =
        (0..20).map(|n| format!("<a href=/cart?sid=a8f3c0d1e2b4a6c{n:03}x>c</a><a href=/p/{n}>p</a>")).collect();
    serve(&fake, &[("/", &home)]);
    for n in 0..20 {
        serve(
            &fake,
            &[
                (&format!("/p/{n}"), &format!("<p>product number {n} of many")),
                (&format!("/cart?sid=a8f3c0d1e2b4a6c{n:03}x"), "<p>your cart is empty"),
            ],
        );
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = start(&fake, json!({ "exclude": ["/tag/"] }));
    let early = fake.call("crawl.trap.detect", json!({ "run_ref": run })).expect("a report");
    assert!(early["degraded"].to_string().contains("not been summarised") && early["summarised_at"].is_null());
    fake.work();
    let report = fake.call("crawl.trap.detect", json!({ "run_ref": run })).expect("a report");
    let traps = report["traps"].as_array().expect("traps");
    assert_eq!(
        (traps.len(), traps[0]["reason"].as_str(), traps[0]["urls"].as_u64()),
        (1, Some("session"), Some(20)),
        "{report}"
    );
    assert_eq!(report["parameters"][0], json!({ "name": "sid", "effect": "nothing", "distinct": 20, "urls": 20 }));
    let fix = &traps[0]["fix"];
    assert_eq!(fix["arguments"]["exclude"][0], "/tag/", "what was left out before stays out");
    let second =
        fake.call(fix["operation_id"].as_str().expect("an operation"), fix["arguments"].clone()).expect("it starts");
    fake.work();
    assert_eq!(get(&fake, second["run_ref"].as_str().expect("a reference"))["totals"]["fetched"], 21);
}
