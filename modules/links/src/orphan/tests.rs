//! Tests of `links.orphan.list`.

use sdk::json;

use crate::trial::{RUN, SITE, built, searched, takes, website};

#[test]
fn a_page_that_only_the_sitemap_names_is_listed_and_what_is_not_known_is_said() {
    let fake = built();
    // One that only the sitemap names; and one that is linked, but not so that the link may be followed.
    let of_sitemap = json!({ "site_id": SITE, "run_ref": RUN, "source": "sitemap" });
    for (arguments, count) in [(json!({ "site_id": SITE }), 2), (of_sitemap, 1)] {
        let listed = fake.call("links.orphan.list", arguments).unwrap();
        let pages = listed["pages"].as_array().unwrap();
        assert_eq!((pages.len(), &pages[0]["url"]), (count, &json!("https://shop.example/lost")), "{listed}");
        assert_eq!(pages[0]["sources"], json!(["sitemap"]));
        pages.iter().for_each(takes);
    }
    let listed = fake.call("links.orphan.list", json!({ "site_id": SITE, "source": "logs" })).unwrap();
    assert_eq!(listed["total"], 0);
    assert!(listed["degraded"].as_array().unwrap().iter().any(|it| it["why"].as_str().unwrap().starts_with("logs:")));
}

#[test]
fn orphans_that_searches_show_come_first_with_their_clicks() {
    let fake = built();
    let lost = "https://shop.example/lost";
    assert!(
        fake.call("links.orphan.list", json!({ "site_id": SITE, "source": "search" })).unwrap()["pages"] == json!([])
    );
    searched(&fake, &[(lost, 12), ("https://shop.example/never-crawled", 3)]);
    let listed = fake.call("links.orphan.list", json!({ "site_id": SITE, "source": "search" })).unwrap();
    let pages = listed["pages"].as_array().unwrap();
    assert_eq!((pages.len(), &pages[0]["url"], &pages[0]["clicks"]), (1, &json!(lost), &json!(12)), "{listed}");
    assert_eq!(pages[0]["sources"], json!(["sitemap", "search"]));
    assert!(listed["degraded"].to_string().contains("1 pages that searches show are not in this crawl"), "{listed}");
}

#[test]
fn a_website_without_a_graph_is_told_what_comes_first_and_one_of_nobody_does_not_exist() {
    let fake = website();
    let refused = fake.refusal("links.orphan.list", json!({ "site_id": SITE }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("graph_not_built", Some("/site_id")));
    assert!(refused.detail.unwrap().contains("crawl.run.start"));
    assert_eq!(fake.refusal("links.orphan.list", json!({ "site_id": "7" })).code, "website_not_found");
    let fake = built();
    assert_eq!(fake.refusal("links.orphan.list", json!({ "site_id": SITE, "run_ref": "no" })).code, "run_not_found");
}

#[test]
fn orphans_that_search_engines_ask_for_are_known_from_logs() {
    let fake = built();
    let now = fake.now().millis() / 1_000;
    let visits = [
        ("https://shop.example/lost", "googlebot", true, now - 3_600),
        ("https://shop.example/lost", "bingbot", true, now - 7_200),
        ("https://shop.example/lost", "gptbot", true, now - 7_200),
        ("https://shop.example/elsewhere", "googlebot", true, now - 3_600),
    ];
    visits::trial::store(&fake, SITE, &visits);
    let listed = fake.call("links.orphan.list", json!({ "site_id": SITE, "source": "logs" })).unwrap();
    let pages = listed["pages"].as_array().unwrap();
    assert_eq!((pages.len(), &pages[0]["url"], &pages[0]["bot_hits"]), (1, &json!(visits[0].0), &json!(2)), "{listed}");
    assert_eq!(pages[0]["sources"], json!(["sitemap", "logs"]));
    assert!(listed["degraded"].to_string().contains("1 addresses that search engines ask for"), "{listed}");
}

#[test]
fn orphans_that_other_websites_link_to_are_known_from_imported_links() {
    let fake = built();
    fake.blobs().write(&format!("backlinks.targets/{SITE}"), br#"{"shop.example/lost":3}"#).expect("a blob");
    let listed = fake.call("links.orphan.list", json!({ "site_id": SITE, "source": "backlinks" })).unwrap();
    let pages = listed["pages"].as_array().unwrap();
    assert_eq!((pages.len(), &pages[0]["url"]), (1, &json!("https://shop.example/lost")), "{listed}");
    assert_eq!(pages[0]["sources"], json!(["sitemap", "backlinks"]));
}
