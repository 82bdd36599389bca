//! What ranking pages that could be indexed promises.

use sdk::json;

use crate::trial::{Crawl, ORIGIN, RUN, call, inspected, of_site, refused, text, website};

#[test]
fn indexable_pages_that_are_not_indexed_are_ranked_with_cause_and_next_action() {
    let fake = website();
    let long = format!("<main><p>{}</p></main>", "words and more words of a long text ".repeat(60));
    Crawl::begin(&fake, RUN, 1)
        .html("/", &text("home"))
        .listed("/unasked", &text("unasked"))
        .listed("/a/b/c/d/deep", &text("deep"))
        .listed("/thin", &text("thin"))
        .listed("/good", &long)
        .lost("/lost", &text("lost"))
        .html("/unlisted", &text("unlisted"))
        .listed("/twin-1", &text("twin"))
        .listed("/twin-2", &text("twin"))
        .listed("/chosen", &text("chosen"))
        .html("/hidden", "<meta name=robots content=noindex>");
    inspected(&fake, "/", "PASS", "Submitted and indexed", 1);
    inspected(&fake, "/a/b/c/d/deep", "NEUTRAL", "Discovered - currently not indexed", 1);
    inspected(&fake, "/thin", "NEUTRAL", "Crawled - currently not indexed", 1);
    inspected(&fake, "/good", "NEUTRAL", "Crawled - currently not indexed", 1);
    inspected(&fake, "/lost", "NEUTRAL", "URL is unknown to Google", 1);
    inspected(&fake, "/unlisted", "NEUTRAL", "URL is unknown to Google", 1);
    inspected(&fake, "/twin-1", "NEUTRAL", "Crawled - currently not indexed", 1);
    inspected(&fake, "/twin-2", "PASS", "Submitted and indexed", 1);
    inspected(&fake, "/chosen", "NEUTRAL", "Duplicate, Google chose different canonical than user", 1);
    let list = call(&fake, "indexing.priority.list", of_site(json!({})));
    let rows = list["urls"].as_array().unwrap();
    let cause = |path: &str| {
        rows.iter().find(|it| it["url"] == format!("{ORIGIN}{path}")).map(|it| it["cause"].as_str().unwrap())
    };
    for (path, expected) in [
        ("/unasked", "not_inspected"),
        ("/a/b/c/d/deep", "too_deep"),
        ("/thin", "thin_content"),
        ("/good", "quality"),
        ("/lost", "no_internal_links"),
        ("/unlisted", "not_in_sitemap"),
        ("/twin-1", "duplicate"),
        ("/chosen", "other_canonical"),
    ] {
        assert_eq!(cause(path), Some(expected), "{path}: {list}");
    }
    assert_eq!(list["total"], 8, "indexed and closed pages are not among them");
    let place = |path: &str| rows.iter().position(|it| it["url"] == format!("{ORIGIN}{path}")).unwrap();
    assert!(place("/unasked") < place("/a/b/c/d/deep"), "{list}");
    let short = call(&fake, "indexing.priority.list", of_site(json!({ "limit": 2 })));
    assert_eq!((short["urls"].as_array().unwrap().len(), &short["total"]), (2, &json!(8)));
    assert_eq!(refused(&website(), "indexing.priority.list", of_site(json!({}))).0, "crawl_required");
}
