//! Texts of links, and links that lead to nothing.

use kit::pack::Search;
use sdk::json;
use sdk::prelude::*;

use crate::trial::{SITE, ahrefs, call, crawled, import, website};

#[test]
fn each_text_is_of_one_kind() {
    let fake = website();
    let more = "50,false,2026-01-05,2026-08-01,";
    import(
        &fake,
        &ahrefs(&[
            ("https://a.example/", "/lamps", "Lamp Shop online", more),
            ("https://b.example/", "/lamps", "https://shop.example/lamps", more),
            ("https://c.example/", "/lamps", "shop.example", more),
            ("https://d.example/", "/lamps", "desk lamp", more),
            ("https://e.example/", "/lamps", "the best desk lamps of all", more),
            ("https://f.example/", "/lamps", "hier klicken", more),
            ("https://g.example/", "/lamps", "Grandma's garden", more),
        ]),
    );
    let day: Day = "2026-09-10".parse().expect("a day");
    let figures = Search { impressions: 100, clicks: 10, positions: 300 };
    search::trial::store_queries(
        &fake,
        SITE,
        &[(day, "https://shop.example/lamps".to_owned(), "desk lamp".to_owned(), figures)],
    );
    let told = call(&fake, "backlinks.anchor.report", &json!({}));
    let class = |text: &str| {
        told["anchors"]
            .as_array()
            .expect("anchors")
            .iter()
            .find(|it| it["anchor"] == text)
            .map(|it| it["class"].clone())
            .unwrap_or_default()
    };
    let texts = [
        "Lamp Shop online",
        "https://shop.example/lamps",
        "shop.example",
        "desk lamp",
        "the best desk lamps of all",
        "hier klicken",
        "Grandma's garden",
    ];
    assert_eq!(
        texts.map(class),
        ["brand", "url", "url", "exact", "partial", "generic", "other"].map(|it| json!(it)),
        "{told}"
    );
    assert_eq!(told["classes"]["url"]["domain_share"], 0.2857);
    assert_eq!(told["warnings"], json!([]), "seven domains say nothing");
}

#[test]
fn one_text_of_most_domains_is_unusual_and_said_with_its_interval() {
    let fake = website();
    let sources: Vec<String> = (0..40).map(|at| format!("https://site{at}.example/")).collect();
    let rows: Vec<(&str, &str, &str, &str)> = sources
        .iter()
        .enumerate()
        .map(|(at, it)| {
            (it.as_str(), "/", if at < 30 { "cheap lamps" } else { "Lamp Shop" }, "10,false,2026-01-05,2026-08-01,")
        })
        .collect();
    import(&fake, &ahrefs(&rows));
    let told = call(&fake, "backlinks.anchor.report", &json!({}));
    let warning = &told["warnings"][0];
    assert_eq!(
        (&warning["problem"], &warning["anchor"], &warning["share"], &warning["n"]),
        (&json!("one_text"), &json!("cheap lamps"), &json!(0.75), &json!(40)),
        "{told}"
    );
    assert!(told["degraded"].to_string().contains("search_console.sync.run"), "{told}");
}

#[test]
fn links_to_pages_that_are_gone_are_listed_with_what_took_their_place() {
    let fake = website();
    let more = "50,false,2026-01-05,2026-08-01,";
    import(
        &fake,
        &ahrefs(&[
            ("https://a.example/", "/brass-desk-lamp-old", "x", more),
            ("https://b.example/", "/brass-desk-lamp-old", "y", more),
            ("https://c.example/", "/moved", "z", more),
            ("https://d.example/", "/hidden", "z", more),
            ("https://e.example/", "/nowhere", "z", more),
            ("https://f.example/", "/brass-desk-lamp", "z", more),
        ]),
    );
    assert_eq!(fake.refusal("backlinks.broken.list", json!({ "site_id": SITE })).code, "crawl_required");
    crawled(
        &fake,
        &[
            ("/brass-desk-lamp-old", "client_error", 404, None),
            ("/brass-desk-lamp", "ok", 200, None),
            ("/moved", "redirect", 301, Some("/brass-desk-lamp")),
            ("/hidden", "noindex", 200, None),
        ],
    );
    let told = call(&fake, "backlinks.broken.list", &json!({}));
    let found: Vec<(String, String)> = told["targets"]
        .as_array()
        .expect("targets")
        .iter()
        .map(|it| {
            (
                it["url"].as_str().unwrap_or("").replace(crate::trial::SHOP, ""),
                it["problem"].as_str().unwrap_or("").to_owned(),
            )
        })
        .collect();
    let pair = |url: &str, problem: &str| (url.to_owned(), problem.to_owned());
    assert_eq!(
        found,
        [pair("/brass-desk-lamp-old", "gone"), pair("/hidden", "not_indexable"), pair("/nowhere", "not_crawled")],
        "{told}"
    );
    let first = &told["targets"][0];
    assert_eq!((&first["domains"], &first["replacement"]), (&json!(2), &json!("https://shop.example/brass-desk-lamp")));
    assert_eq!(first["fix"]["operation_id"], "cms.redirect.upsert");
    assert_eq!((&told["links"], &told["next"][0]["operation_id"]), (&json!(4), &json!("crawl.url.batch_check")));
}
