//! What pages name beside their links, and what counts as broken.

use super::*;

#[test]
fn what_a_page_names_beside_its_links_is_asked_for_too() {
    let fake = fake();
    let html = "<link rel=alternate hreflang=de href=/de/><link rel=alternate hreflang=fr href=https://shop.example.fr/>\
                <link rel=next href=/page/2><link rel=amphtml href=/amp/>";
    serve(&fake, &[("/", html), ("/page/2", "<link rel=prev href=/>")]);
    fake.serve("https://shop.example/de/", 404, &[], b"");
    fake.serve("https://shop.example/amp/", 404, &[], b"");
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example.fr/robots.txt", 404, &[], b"");
    fake.serve("https://shop.example.fr/", 410, &[], b"");
    crawl(&fake, json!({}));
    let mut pages: Vec<_> = fake.rows::<Page>().into_iter().map(|page| page.into_inner().0).collect();
    pages.sort_by(|a, b| a.url.cmp(&b.url));
    let pages: Vec<_> = pages.iter().map(|page| (page.url.as_str(), page.status, page.found)).collect();
    assert_eq!(
        pages,
        [
            ("https://shop.example/", 200, Found::Seed),
            ("https://shop.example/amp/", 404, Found::Named),
            ("https://shop.example/de/", 404, Found::Named),
            ("https://shop.example/page/2", 200, Found::Named),
        ]
    );
    let elsewhere = fake.rows::<External>().remove(0).into_inner().0;
    assert_eq!((elsewhere.url.as_str(), elsewhere.status), ("https://shop.example.fr/", 410));
}

#[test]
fn a_head_that_fails_is_confirmed_before_a_link_counts_as_broken() {
    let fake = fake();
    serve(&fake, &[("/", "<a href=https://head.example/a>a</a><a href=https://head.example/b>b</a>")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.serve("https://head.example/robots.txt", 404, &[], b"");
    fake.serve("https://head.example/a", 404, &[], b"");
    fake.serve("https://head.example/b", 429, &[], b"");
    crawl(&fake, json!({}));
    let asked = fake.requested();
    let times = |url: &str| asked.iter().filter(|it| *it == url).count();
    assert_eq!(times("https://head.example/a"), 2, "headers, then the first bytes");
    assert_eq!(times("https://head.example/b"), 1, "who asks for a pause gets one");
}

#[test]
fn a_website_whose_name_does_not_exist_is_not_said_to_forbid_anything() {
    let fake = fake();
    let run = crawl(&fake, json!({}));
    let page = fake.rows::<Page>().remove(0).into_inner().0;
    assert_eq!((page.status, page.facts.failure.as_deref()), (0, Some("unresolved")));
    let run = get(&fake, &run);
    assert_eq!((&run["stop_reason"], &run["totals"]["blocked"]), (&json!("unreachable"), &json!(0)), "{run}");
}

#[test]
fn what_only_the_head_of_a_page_names_comes_after_what_links_reach() {
    let fake = fake();
    let versions: String = (0..5).map(|at| format!("<link rel=alternate hreflang=en href=/v{at}>")).collect();
    serve(
        &fake,
        &[
            ("/", &format!("{versions}<a href=/a>A</a><a href=/b>B</a><a href=/v4>linked too</a>")),
            ("/a", "<a href=/c>C</a>"),
            ("/b", ""),
            ("/c", ""),
            ("/v4", ""),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({ "max_pages": 5 }));
    let fetched: Vec<String> = paths(&fake).into_iter().map(|(path, _)| path).collect();
    assert_eq!(fetched, ["/", "/a", "/b", "/v4", "/c"]);
    assert_eq!(get(&fake, &run)["depth_histogram"], json!([1, 3, 1]), "clicks are counted by links");
}
