//! What requests were spent on: one kind for each, and what frees the most first.

use sdk::json;

use crate::trial::{self, GOOGLE, GOOGLEBOT, STRANGER, crawled, line, report};

fn hit(minute: u32, target: &str, status: u16) -> String {
    line(GOOGLE, &format!("01/Sep/2026:10:{minute:02}:00"), target, status, GOOGLEBOT)
}

#[test]
fn each_request_is_of_one_kind_and_the_largest_waste_comes_first() {
    let mut lines = vec![
        hit(0, "/lamps/desk", 200),
        hit(1, "/lamps/desk", 304),
        hit(2, "/old", 301),
        hit(3, "/gone-1", 404),
        hit(4, "/gone-2", 410),
        hit(5, "/style.css", 200),
        hit(6, "/cart", 200),
        hit(7, "/lamps/desk-copy", 200),
        hit(8, "/nobody-links", 200),
        line(STRANGER, "01/Sep/2026:10:20:00", "/lamps/desk", 200, GOOGLEBOT),
    ];
    lines.extend((0..30).map(|at| hit(10 + at, &format!("/lamps?sort={at}&color=red"), 200)));
    let fake = trial::with(&lines);
    crawled(
        &fake,
        &[
            ("/lamps/desk", "ok", None),
            ("/lamps", "ok", None),
            ("/cart", "noindex", None),
            ("/lamps/desk-copy", "canonicalised", None),
        ],
    );
    let told = report(&fake, "logs.crawl_budget.report", &json!({}));
    assert_eq!(told["hits"], 39, "only verified visits count: {told}");
    let of = |kind: &str| told["waste"][kind]["hits"].clone();
    let kinds = ["useful", "redirect", "error", "resource", "non_indexable", "duplicate", "unknown_page", "parameter"];
    assert_eq!(kinds.map(of), [2, 1, 2, 1, 1, 1, 1, 30].map(|it| json!(it)), "{told}");
    assert_eq!(told["useful_share"], json!(0.0526), "2 of 38, resources aside");
    let first = &told["fixes"][0];
    assert_eq!(
        (&first["pattern"], &first["cause"], &first["hits"]),
        (&json!("/lamps?color&sort"), &json!("parameter"), &json!(30))
    );
    assert_eq!(first["fix"]["operation_id"], "indexing.robots.compose");
    assert_eq!(first["fix"]["arguments"]["policy"]["blocked_parameters"], json!(["color", "sort"]));
    let gone = told["fixes"].as_array().expect("fixes").iter().find(|it| it["cause"] == "error").expect("errors");
    assert_eq!((&gone["pattern"], &gone["hits"]), (&json!("/gone-{n}"), &json!(2)));
    assert_eq!(gone["fix"]["operation_id"], "cms.redirect.map.build");
    assert!(told["degraded"].to_string().contains("could not be verified"), "{told}");
}

#[test]
fn without_a_crawl_only_what_answers_say_is_told() {
    let fake = trial::with(&[hit(0, "/a", 200), hit(1, "/a?x=1", 200), hit(2, "/b", 500)]);
    let told = report(&fake, "logs.crawl_budget.report", &json!({}));
    assert_eq!(told["crawl"], json!(null));
    assert_eq!(
        (&told["waste"]["useful"]["hits"], &told["waste"]["parameter"]["hits"], &told["waste"]["error"]["hits"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert!(told["degraded"].to_string().contains("crawl.run.start"), "{told}");
    let error = told["fixes"].as_array().expect("fixes").iter().find(|it| it["cause"] == "error").expect("an error");
    assert_eq!(error["fix"]["operation_id"], "logs.status.report");
}

#[test]
fn history_frequency_and_what_is_never_visited_are_told_from_the_same_visits() {
    let at = |day: u32, target: &str| line(GOOGLE, &format!("{day:02}/Sep/2026:10:00:00"), target, 200, GOOGLEBOT);
    let mut lines: Vec<String> = (1..=10).map(|day| at(day, "/daily")).collect();
    lines.extend([1, 4, 7, 10].map(|day| at(day, "/seldom")));
    lines.push(at(3, "/daily?page=2"));
    let fake = trial::with(&lines);
    crawled(
        &fake,
        &[("/daily", "ok", None), ("/seldom", "ok", None), ("/never", "ok", None), ("/hidden", "noindex", None)],
    );
    let history = report(&fake, "logs.url.history.get", &json!({ "url": "https://shop.example/daily" }));
    assert_eq!(
        (&history["visits_total"], &history["visits"][0]["date"]),
        (&json!(10), &json!("2026-09-10")),
        "{history}"
    );
    assert_eq!(
        (&history["visits"][0]["verified"], &history["visits"][0]["by_status"]),
        (&json!(true), &json!({ "200": 1 }))
    );
    assert_eq!(history["median_gap_days"], json!({ "googlebot": 1.0 }));
    assert_eq!(history["last_visit"], json!({ "googlebot": "2026-09-10T10:00:00.000Z" }));
    assert_eq!(history["with_query"], json!([{ "url": "https://shop.example/daily?page=2", "hits": 1 }]));
    let foreign =
        fake.refusal("logs.url.history.get", json!({ "site_id": trial::SITE, "url": "https://other.example/" }));
    assert_eq!((foreign.code.as_str(), foreign.pointer.as_deref()), ("url_not_of_site", Some("/url")));
    let often = report(&fake, "logs.frequency.report", &json!({}));
    assert_eq!(
        (&often["overall"]["pages"], &often["overall"]["visited"], &often["overall"]["n"]),
        (&json!(3), &json!(2), &json!(2)),
        "{often}"
    );
    assert_eq!(often["overall"]["median_interval_days"], 2.0, "the median of 1 and 3");
    assert!(often["degraded"].to_string().contains("links.graph.build"), "{often}");
    let never = report(&fake, "logs.uncrawled.list", &json!({ "days": 7 }));
    assert_eq!(
        (&never["total"], &never["pages"][0]["url"], &never["pages"][0]["last_visit_at"]),
        (&json!(1), &json!("https://shop.example/never"), &json!(null)),
        "{never}"
    );
    assert_eq!((&never["indexable"], &never["covered_days"]), (&json!(3), &json!(7)));
}

#[test]
fn addresses_that_nothing_links_are_grouped_with_their_likely_origin() {
    let mut lines: Vec<String> = (0..6).map(|at| hit(at, &format!("/product/{at}"), 404)).collect();
    lines.extend([
        hit(10, "/wp-login.php", 404),
        hit(11, "/lamps?utm_x=1", 200),
        hit(12, "/feed/", 200),
        hit(13, "/assets/app.3f9a2b1c.js", 404),
        hit(14, "/style.css", 200),
        hit(15, "/robots.txt", 200),
        hit(16, "/lamps", 200),
        hit(17, "/secret", 200),
    ]);
    let fake = trial::with(&lines);
    crawled(&fake, &[("/lamps", "ok", None)]);
    let told = report(&fake, "logs.unlinked.list", &json!({}));
    let origin = |pattern: &str| {
        told["patterns"]
            .as_array()
            .expect("patterns")
            .iter()
            .find(|it| it["pattern"] == pattern)
            .map(|it| it["origin"].clone())
            .unwrap_or_default()
    };
    assert_eq!(
        (&told["patterns"][0]["pattern"], &told["patterns"][0]["hits"], &told["patterns"][0]["urls"]),
        (&json!("/product/{n}"), &json!(6), &json!(6)),
        "{told}"
    );
    assert_eq!(origin("/product/{n}"), "old_address");
    assert_eq!(origin("/wp-login.php"), "scanner");
    assert_eq!(origin("/lamps?utm_x"), "known_page");
    assert_eq!(origin("/feed/"), "feed");
    assert_eq!(origin("/secret"), "unknown");
    assert_eq!((&told["hits"], &told["all_hits"]), (&json!(11), &json!(14)));
    assert_eq!(told["next"][0]["operation_id"], "cms.redirect.map.build");
    let page = report(&fake, "logs.unlinked.list", &json!({ "limit": 2 }));
    let rest = report(&fake, "logs.unlinked.list", &json!({ "limit": 100, "cursor": page["next_cursor"] }));
    assert_eq!(page["patterns"].as_array().map_or(0, Vec::len) + rest["patterns"].as_array().map_or(0, Vec::len), 6);
}
