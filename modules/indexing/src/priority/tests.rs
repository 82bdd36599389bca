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

#[test]
fn what_people_search_for_comes_first_where_keywords_are_mapped_to_pages() {
    use crate::demand::{Keyword, Mapped, Set};

    let fake = website();
    Crawl::begin(&fake, RUN, 1).html("/", &text("home")).html("/asked", &text("asked")).html("/never", &text("never"));
    inspected(&fake, "/", "PASS", "Submitted and indexed", 1);
    for path in ["/asked", "/never"] {
        inspected(&fake, path, "NEUTRAL", "URL is unknown to Google", 1);
    }
    let rows = || call(&fake, "indexing.priority.list", of_site(json!({})));
    let before = rows();
    assert!(
        before["urls"][0]["demand"].is_null() && before["urls"][0]["score"] == before["urls"][1]["score"],
        "{before}"
    );
    let told = before["degraded"].as_array().unwrap().iter().find(|it| it["what"] == "demand").expect("told");
    assert_eq!(told["operation_id"], "keywords.set.list");
    fake.put_as("set_1", Set { site_id: crate::trial::SITE.to_owned(), folded: "lamps".to_owned() });
    fake.put_as("set_2", Set { site_id: crate::trial::SITE.to_owned(), folded: "other".to_owned() });
    let keyword = |set: &str, normal: &str, path: &str, volume: u64, excluded: bool| Keyword {
        set: set.to_owned(),
        normal: normal.to_owned(),
        mapped: Some(Mapped { url: format!("{ORIGIN}{path}") }),
        volume: Some(volume),
        excluded,
        ..Keyword::default()
    };
    fake.put_as("k1", keyword("set_1", "desk lamp", "/asked", 900, false));
    fake.put_as("k2", keyword("set_2", "desk lamp", "/asked", 700, false));
    fake.put_as("k3", keyword("set_1", "oil lamp", "/asked", 100, false));
    fake.put_as("k4", keyword("set_1", "chair", "/never", 5_000, true));
    let after = rows();
    assert_eq!(
        (&after["urls"][0]["url"], &after["urls"][0]["demand"]),
        (&json!(format!("{ORIGIN}/asked")), &json!(1_000))
    );
    assert_eq!(after["urls"][1]["demand"], 0, "a keyword that is excluded is no demand");
    assert!(after["degraded"].as_array().unwrap().iter().all(|it| it["what"] != "demand"));
}
