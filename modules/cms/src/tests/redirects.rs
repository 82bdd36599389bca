//! Redirects: shown with what is wrong with them, made without harm, removed knowingly, brought back.

use sdk::json;
use sdk::serde_json::Value;
use simulators::Blog;

use crate::trial::{SITE, Trial, crawl};

fn upsert(trial: &Trial, redirects: Value) -> Value {
    trial.call("cms.redirect.upsert", &json!({ "redirects": redirects }))
}

fn leads(trial: &Trial, path: &str) -> (u16, Option<String>) {
    let (status, headers, _) = trial.blog.see(path, "");
    (status, headers.into_iter().find(|(name, _)| name == "location").map(|(_, value)| value))
}

#[test]
fn redirects_are_listed_with_their_circles_first_and_a_call_that_breaks_them() {
    let trial = Trial::new(Blog::of_editor());
    let listed = trial.call("cms.redirect.list", &json!({}));
    let rows = listed["redirects"].as_array().expect("redirects");
    assert_eq!((rows.len(), &listed["are_live"], &listed["total"]), (4, &json!(true), &json!(4)));
    assert!(rows[0]["in_loop"] == true && rows[1]["in_loop"] == true && rows[2]["in_loop"] == false);
    assert_eq!((&rows[2]["hits"], &rows[2]["hops"]), (&json!(41), &json!(1)));
    let fix = &rows[0]["fix"];
    let name = fix["operation_id"].as_str().expect("an operation").to_owned();
    trial.call(&name, &fix["arguments"]);
    let left = trial.call("cms.redirect.list", &json!({ "search": "ere/" }));
    assert_eq!((&left["total"], &left["redirects"][0]["in_loop"]), (&json!(1), &json!(false)));
}

#[test]
fn chains_are_flattened_circles_and_dead_targets_refused_and_visitors_are_sent_there() {
    let trial = Trial::new(Blog::of_editor());
    let first = upsert(
        &trial,
        json!([{ "from": "/summer", "to": "/lamp-1/" }, { "from": "https://shop.example/sold-out?x=1", "code": 410 }]),
    );
    assert_eq!((first["saved"].as_array().map(Vec::len), &first["refused"]), (Some(2), &json!([])), "{first}");
    assert_eq!(first["saved"][0]["verified"], true);
    assert_eq!(leads(&trial, "/summer"), (301, Some("/lamp-1/".to_owned())));
    // What led to the source leads to its end, and what is asked leads to the end of its chain.
    let flat = upsert(&trial, json!([{ "from": "/spring", "to": "https://shop.example/summer/" }]));
    assert_eq!(
        flat["flattened"][0],
        json!({ "from": "/spring", "instead_of": "https://shop.example/summer/", "to": "/lamp-1/" })
    );
    assert_eq!(leads(&trial, "/spring"), (301, Some("/lamp-1/".to_owned())));
    trial.ask("POST", "/wp-json/wp/v2/posts", &json!({ "title": "New lamp", "status": "publish", "slug": "new-lamp" }));
    let all = upsert(
        &trial,
        json!([
            { "from": "/a", "to": "/a/" }, { "from": "/lamp-2/", "to": "/lamp-1/" }, { "from": "https://mall.example/x", "to": "/lamp-1/" },
            { "from": "/b", "to": "/no-such-page" }, { "from": "/c", "to": "/here/" }, { "from": "/d" }, { "from": "/e", "to": "/lamp-1/", "code": 410 },
            { "from": "/f", "to": "/lamp-3/" }, { "from": "/F/", "to": "/lamp-4/" }, { "from": "/g", "to": "/sold-out?x=1" }
        ]),
    );
    let reasons: Vec<(&str, &str)> = all["refused"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["from"].as_str().expect("a source"), it["reason"].as_str().expect("a reason")))
        .collect();
    let has = |from: &str, reason: &str| assert!(reasons.contains(&(from, reason)), "{from} {reason}: {reasons:?}");
    has("/a", "itself");
    has("/lamp-2/", "is_live_page");
    has("https://mall.example/x", "not_of_site");
    has("/b", "target_status");
    has("/c", "loop");
    has("/d", "target_and_code");
    has("/e", "target_and_code");
    has("/F/", "named_twice");
    assert!(reasons.iter().any(|it| it.0 == "/g"), "{reasons:?}");
    assert_eq!(all["saved"].as_array().map(Vec::len), Some(1));
    // One source has one redirect, however often it is saved.
    upsert(&trial, json!([{ "from": "/Summer/", "to": "/new-lamp/" }]));
    let listed = trial.call("cms.redirect.list", &json!({ "search": "summer" }));
    assert_eq!(listed["total"], 1);
    assert_eq!(leads(&trial, "/summer"), (301, Some("/new-lamp/".to_owned())));
}

#[test]
fn what_a_crawl_of_this_week_says_of_addresses_is_believed() {
    let trial = Trial::new(Blog::of_editor());
    let page = |path: &str, status: u16, head: &str| {
        (path.to_owned(), status, format!("<html><head><title>A page</title>{head}</head><body>Words.</body></html>"))
    };
    let pages = [
        page("/sound", 200, ""),
        page("/hidden", 200, "<meta name=\"robots\" content=\"noindex\">"),
        page("/lost", 404, ""),
    ];
    crawl(&trial.fake, "run_1", SITE, &Blog::home(), &pages);
    let all = upsert(
        &trial,
        json!([
            { "from": "/a", "to": "/sound" }, { "from": "/b", "to": "/hidden" }, { "from": "/c", "to": "/lost" },
            { "from": "/sound", "to": "/lamp-1/" }, { "from": "/hidden", "to": "/lamp-2/" }
        ]),
    );
    let saved: Vec<&str> =
        all["saved"].as_array().expect("a list").iter().filter_map(|it| it["from"].as_str()).collect();
    assert_eq!(saved, ["/a", "/hidden"], "{all}");
    let refused = all["refused"].as_array().expect("a list").iter();
    let refused: Vec<(&str, &str)> =
        refused.filter_map(|it| Some((it["from"].as_str()?, it["reason"].as_str()?))).collect();
    for one in [("/b", "target_noindex"), ("/c", "target_status"), ("/sound", "is_live_page")] {
        assert!(refused.contains(&one), "{one:?} {refused:?}");
    }
}

#[test]
fn what_visitors_use_is_deleted_only_knowingly_and_can_be_made_again() {
    let trial = Trial::new(Blog::of_editor());
    let source = json!(["/old-lamps/", "/nothing"]);
    let refused = trial.refusal("cms.redirect.delete", &json!({ "sources": source }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("has_hits", Some("/acknowledge_hits")));
    assert!(refused.detail.as_deref().is_some_and(|it| it.contains("\"hits_total\":41")));
    assert_eq!(leads(&trial, "/old-lamps").0, 301);
    let done = trial.call("cms.redirect.delete", &json!({ "sources": source, "acknowledge_hits": true }));
    assert_eq!(
        (&done["deleted"], &done["not_found"], &done["rows"][0]["hits_28d"]),
        (&json!(1), &json!(["/nothing"]), &json!(null))
    );
    assert_eq!(leads(&trial, "/old-lamps").0, 404);
    let back = trial.call("cms.change.rollback", &json!({ "batch_ref": done["batch_ref"] }));
    assert_eq!((&back["restored"], &back["conflicts"]), (&json!(1), &json!([])));
    assert_eq!(leads(&trial, "/old-lamps"), (301, Some("/products/".to_owned())));
    assert_eq!(trial.refusal("cms.redirect.delete", &json!({ "sources": ["/never"] })).code, "redirect_not_found");
    // What was made goes, what was changed comes back.
    let made =
        upsert(&trial, json!([{ "from": "/old-lamps", "to": "/lamp-2/" }, { "from": "/brand-new", "to": "/lamp-3/" }]));
    assert_eq!(leads(&trial, "/old-lamps").1.as_deref(), Some("/lamp-2/"));
    trial.call("cms.change.rollback", &json!({ "batch_ref": made["batch_ref"] }));
    assert_eq!((leads(&trial, "/old-lamps").1.as_deref(), leads(&trial, "/brand-new").0), (Some("/products/"), 404));
}

#[test]
fn without_the_plugin_redirects_are_kept_and_said_to_do_nothing() {
    let trial = Trial::new(Blog::of_editor());
    trial.switch("redirection/redirection", false);
    let kept = upsert(&trial, json!([{ "from": "/summer", "to": "/lamp-1/" }]));
    assert_eq!((&kept["are_live"], &kept["saved"][0]["verified"]), (&json!(false), &json!(null)));
    assert!(kept["degraded"].as_array().expect("a list").iter().any(|it| it["what"] == "are_live"));
    let listed = trial.call("cms.redirect.list", &json!({}));
    assert_eq!(
        (&listed["redirects"][0]["from"], &listed["redirects"][0]["is_live"]),
        (&json!("/summer"), &json!(false))
    );
    trial.call("cms.redirect.delete", &json!({ "sources": ["/summer"] }));
    assert_eq!(trial.call("cms.redirect.list", &json!({}))["total"], 0);
    // A website without any WordPress keeps its redirects in the same way.
    let none = crate::fake();
    let website = site::Site {
        domain: "shop.example".to_owned(),
        origin: "https://shop.example".to_owned(),
        ..site::Site::default()
    };
    none.put_as(SITE, website);
    let saved = none
        .call("cms.redirect.upsert", json!({ "site_id": SITE, "redirects": [{ "from": "/a", "code": 410 }] }))
        .expect("an answer");
    assert_eq!(saved["saved"][0]["code"], 410);
    let back = none
        .call("cms.change.rollback", json!({ "site_id": SITE, "batch_ref": saved["batch_ref"] }))
        .expect("an answer");
    assert_eq!(back["restored"], 1);
}

#[test]
fn a_long_call_saves_what_it_can_and_names_the_rest() {
    let trial = Trial::new(Blog::of_editor());
    let all: Vec<Value> = (0..130).map(|it| json!({ "from": format!("/old-{it}"), "to": "/lamp-1/" })).collect();
    let first = upsert(&trial, json!(all));
    assert_eq!(
        (first["saved"].as_array().map(Vec::len), &first["left"]),
        (Some(100), &json!(30)),
        "{}",
        first["refused"]
    );
    let next = &first["next"][0];
    let rest = trial.call("cms.redirect.upsert", &next["arguments"]);
    assert_eq!((rest["saved"].as_array().map(Vec::len), &rest["left"]), (Some(30), &json!(0)));
    assert_eq!(trial.call("cms.redirect.list", &json!({ "search": "old-" }))["total"], 131);
}
