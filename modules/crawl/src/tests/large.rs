//! Pages of more links than one step holds: none is lost, and what a bound leaves out is counted.

use super::*;

/// A start page that links to so many pages, which link nowhere.
fn fan(fake: &Fake, pages: usize) {
    let links: String = (0..pages).map(|at| format!("<a href=/p{at}>{at}</a>")).collect();
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let html = [("content-type", "text/html")];
    fake.serve("https://shop.example/", 200, &html, format!("<title>Start</title>{links}").as_bytes());
    for at in 0..pages {
        fake.serve(&format!("https://shop.example/p{at}"), 200, &html, b"<title>Page</title>");
    }
}

#[test]
fn a_page_of_more_links_than_a_step_holds_loses_none_of_them() {
    let fake = fake();
    fan(&fake, 3_300);
    let run = crawl(&fake, json!({ "max_pages": 4_000 }));
    assert_eq!(paths(&fake).len(), 3_301);
    let ended = get(&fake, &run);
    assert_eq!((&ended["stop_reason"], &ended["totals"]["skipped"]), (&json!("completed"), &json!(0)), "{ended}");
    assert_eq!((&ended["totals"]["links"], &ended["totals"]["links_dropped"]), (&json!(3_300), &json!(0)));
    let mut targets: Vec<String> = fake.rows::<crate::stored::Linked>().iter().map(|it| it.0.target.clone()).collect();
    targets.sort();
    targets.dedup();
    assert_eq!(targets.len(), 3_300, "each link is recorded once");
}

#[test]
fn twenty_thousand_links_of_one_page_are_all_known_after_it() {
    let fake = fake();
    fan(&fake, 20_000);
    let run = crawl(&fake, json!({ "max_pages": 520 }));
    let ended = get(&fake, &run);
    assert_eq!((&ended["stop_reason"], &ended["totals"]["fetched"]), (&json!("page_limit"), &json!(520)), "{ended}");
    assert_eq!(fake.rows::<crate::stored::Frontier>().len(), 20_001);
    assert_eq!(ended["totals"]["links"], 20_000);
}

#[test]
fn what_is_beyond_a_bound_is_counted_by_its_name_and_the_crawl_is_not_complete() {
    let fake = fake();
    fan(&fake, 23_000);
    let run = crawl(&fake, json!({ "max_pages": 30_000, "max_depth": 0 }));
    let ended = get(&fake, &run);
    assert_eq!(ended["totals"]["links_dropped"], 1_000, "{ended}");
    assert_eq!(
        (&ended["stop_reason"], &ended["totals"]["too_deep"]),
        (&json!("known_limit"), &json!(22_000)),
        "{ended}"
    );
}

#[test]
fn a_link_that_holds_another_does_not_make_a_crawl_incomplete() {
    let fake = fake();
    let html = "<a href=/a>a<svg><a href=/b>b</a></svg></a><a href=/c>";
    serve(&fake, &[("/", html), ("/a", ""), ("/b", ""), ("/c", "")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    let ended = get(&fake, &run);
    assert_eq!((&ended["stop_reason"], &ended["totals"]["links_dropped"]), (&json!("completed"), &json!(0)), "{ended}");
}
