//! What the operations of robots.txt promise.

use kit::robots::Robots;
use sdk::json;

use super::lines::Written;
use crate::trial::{Crawl, HTML, ORIGIN, RUN, SITE, call, refused, text, website};

const FILE: &str = "\u{feff}# our rules\nUser-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\n\r\nUser-agent: Bingbot\nDissallow: /beta\nSitemap: https://shop.example/sitemap.xml\n";

#[test]
fn a_file_is_told_with_its_groups_sitemaps_and_effect() {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[("content-type", "text/plain")], FILE.as_bytes());
    let file = call(&fake, "indexing.robots.get", json!({ "origin": ORIGIN }));
    assert_eq!((&file["status"], &file["effect"]), (&json!(200), &json!("rules")));
    assert_eq!(file["groups"][0]["agents"], json!(["*"]));
    assert_eq!(file["groups"][0]["rules"][1], json!({ "line": 4, "allow": true, "path": "/private/open" }));
    assert_eq!(file["groups"][0]["crawl_delay"], "2");
    assert_eq!(file["groups"][1]["rules"][0], json!({ "line": 8, "allow": false, "path": "/beta" }));
    assert_eq!(file["sitemaps"], json!(["https://shop.example/sitemap.xml"]));
}

#[test]
fn a_missing_file_allows_everything_and_one_that_cannot_be_had_forbids_everything() {
    for (status, effect) in [(404, "allow_all"), (403, "allow_all"), (429, "disallow_all"), (503, "disallow_all")] {
        let fake = website();
        fake.serve(&format!("{ORIGIN}/robots.txt"), status, &[], b"Disallow: /");
        let file = call(&fake, "indexing.robots.get", json!({ "origin": ORIGIN }));
        assert_eq!((&file["effect"], &file["groups"]), (&json!(effect), &json!([])), "{status}");
    }
    let fake = website();
    fake.fail(&format!("{ORIGIN}/robots.txt"), sdk::Failure::Timeout);
    let file = call(&fake, "indexing.robots.get", json!({ "origin": ORIGIN }));
    assert_eq!((&file["effect"], &file["failure"]), (&json!("disallow_all"), &json!("timeout")));
}

#[test]
fn addresses_are_tested_for_each_crawler_and_the_deciding_line_is_shown() {
    let fake = website();
    let urls = ["/private/x", "/private/open", "/beta", "/"].map(|path| format!("{ORIGIN}{path}"));
    let arguments = json!({ "urls": urls, "agents": ["Googlebot", "bingbot/2.0"], "robots_txt": FILE });
    let tested = call(&fake, "indexing.robots.test", arguments);
    let told: Vec<(bool, Option<u64>)> = tested["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["allowed"].as_bool().unwrap(), it["line"].as_u64()))
        .collect();
    let google = [(false, Some(3)), (true, Some(4)), (true, None), (true, None)];
    let bing = [(true, None), (true, None), (false, Some(8)), (true, None)];
    assert_eq!(told, [google, bing].concat());
    assert_eq!(tested["results"][0]["rule"], "Disallow: /private/");
    assert!(fake.requested().is_empty(), "pasted rules need no request");
}

#[test]
fn an_address_of_another_origin_is_refused_where_it_stands() {
    let fake = website();
    let arguments = json!({ "urls": ["https://shop.example/", "https://other.example/"], "robots_txt": "" });
    let expected = ("other_origin".to_owned(), Some("/urls/1".to_owned()));
    assert_eq!(refused(&fake, "indexing.robots.test", arguments), expected);
}

#[test]
fn the_deciding_line_agrees_with_the_matcher_wherever_there_is_one() {
    let files = [
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n",
        "user-agent: FooBot\nallow: /page\ndisallow: /*.html\n",
        "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n",
        "user-agent: *\nallow: /folder/index.html\ndisallow: /folder/\ndisallow: /a%3cd\nallow: /föö\n",
        "foo bar\nuser agent: FooBot\r\rdisallow /z\n",
        "User-agent: a\nUser-agent: FooBot\nDisallow: /$\nDisallow: /fish*.php\n",
        "User-agent: Googlebot\nDisallow: /y/\nUser-agent: *\nDisallow: /x/\n",
    ];
    let paths = [
        "/",
        "/x/",
        "/x/page.html",
        "/y/",
        "/z",
        "/page.html",
        "/folder/",
        "/folder/index.html",
        "/a%3Cd",
        "/f%C3%B6%C3%B6",
        "/fish.php",
        "/fishy/x.php?a",
    ];
    for file in files {
        for agent in ["FooBot", "Other", "Googlebot-Image", "AdsBot-Google"] {
            let (rules, written) = (Robots::parse(file.as_bytes(), agent), Written::read(file.as_bytes()));
            for path in paths {
                let url = format!("http://foo.bar{path}");
                let decides = written.deciding(agent, &url);
                assert_eq!(decides.is_none_or(|it| it.allow), rules.allows(&url), "{agent} {path}\n{file}");
            }
        }
    }
}

fn codes(result: &sdk::serde_json::Value) -> Vec<(String, Option<u64>)> {
    let findings = result["findings"].as_array().unwrap().iter();
    findings.map(|it| (it["code"].as_str().unwrap().to_owned(), it["line"].as_u64())).collect()
}

#[test]
fn a_draft_is_told_every_mistake_with_its_line() {
    let fake = website();
    let draft = "Disallow: /before\nUser-agent: *\nDissallow: /cart\nDisallow: admin\nDisallow: /shop/\nAllow: /shop/\nnoindex: /x\nwhat is this\nSitemap: /sitemap.xml\nCrawl-delay: 3\nDisallow: /assets/";
    let linted = call(&fake, "indexing.robots.lint", json!({ "robots_txt": draft }));
    let found = codes(&linted);
    for expected in [
        ("rule_without_agent", 1),
        ("misspelt", 3),
        ("path_without_slash", 4),
        ("rule_shadowed", 5),
        ("unknown_field", 7),
        ("syntax", 8),
        ("sitemap_not_absolute", 9),
        ("crawl_delay", 10),
        ("assets_blocked", 11),
    ] {
        assert!(found.contains(&(expected.0.to_owned(), Some(expected.1))), "{expected:?} in {found:?}");
    }
    let clean = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nSitemap: https://shop.example/sitemap.xml\n";
    let linted = call(&fake, "indexing.robots.lint", json!({ "robots_txt": clean }));
    assert_eq!(linted["findings"], json!([]));
    for (draft, code) in [
        ("User-agent: *\nDisallow: /", "site_blocked"),
        ("\u{feff}User-agent: *\n", "byte_order_mark"),
        ("<html><body>Not found", "html"),
    ] {
        let linted = call(&fake, "indexing.robots.lint", json!({ "robots_txt": draft }));
        assert!(codes(&linted).iter().any(|(it, _)| it == code), "{code}: {linted}");
    }
}

#[test]
fn addresses_of_sitemaps_that_are_forbidden_are_found_in_the_newest_crawl() {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], b"User-agent: *\nDisallow: /sale/");
    Crawl::begin(&fake, RUN, 1).listed("/lamps", &text("lamps")).answer("/sale/a", "sitemap", 200, HTML, &text("a"));
    let linted = call(&fake, "indexing.robots.lint", json!({ "site_id": SITE }));
    assert_eq!(codes(&linted), [("sitemap_url_blocked".to_owned(), Some(2))]);
    assert_eq!(refused(&fake, "indexing.robots.lint", json!({})).0, "nothing_to_lint");
    assert_eq!(refused(&fake, "indexing.robots.lint", json!({ "site_id": "1" })).0, "website_not_found");
}

#[test]
fn a_composed_file_holds_the_policy_and_tells_what_changes() {
    let fake = website();
    let live = "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /old\n\nSitemap: https://shop.example/sitemap.xml\n";
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], live.as_bytes());
    Crawl::begin(&fake, RUN, 1)
        .html("/", &text("home"))
        .html("/lamps?sort=price", &text("lamps"))
        .html("/cart", &text("cart"));
    let policy =
        json!({ "ai_training_bots": "disallow", "blocked_parameters": ["sort"], "private_paths": ["/account"] });
    let made = call(&fake, "indexing.robots.compose", json!({ "site_id": SITE, "policy": policy }));
    let text = made["robots_txt"].as_str().unwrap();
    let allows = |agent: &str, path: &str| Robots::parse(text.as_bytes(), agent).allows(&format!("{ORIGIN}{path}"));
    assert!(!allows("GPTBot", "/") && !allows("CCBot", "/lamps"));
    assert!(
        allows("Googlebot", "/lamps")
            && !allows("Googlebot", "/lamps?sort=price")
            && !allows("Googlebot", "/lamps?a=1&sort=x")
    );
    assert!(!allows("Googlebot", "/account/7") && !allows("Googlebot", "/cart"), "what stood there stays");
    assert!(text.contains("Sitemap: https://shop.example/sitemap.xml"));
    let changed: Vec<String> = made["changed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {} {}", it["agent"].as_str().unwrap(), it["url"].as_str().unwrap(), it["after"]))
        .collect();
    assert!(changed.contains(&format!("Googlebot {ORIGIN}/lamps?sort=price false")), "{changed:?}");
    assert!(changed.contains(&format!("GPTBot {ORIGIN}/ false")), "{changed:?}");
    assert!(!changed.iter().any(|it| it.starts_with(&format!("Googlebot {ORIGIN}/cart"))), "{changed:?}");
    let anew = call(
        &fake,
        "indexing.robots.compose",
        json!({ "site_id": SITE, "policy": { "search_bots": "allow" }, "keep_existing": false }),
    );
    assert!(!anew["robots_txt"].as_str().unwrap().contains("/cart"), "{anew}");
    let wrong = json!({ "site_id": SITE, "policy": { "private_paths": ["account"] } });
    assert_eq!(
        refused(&fake, "indexing.robots.compose", wrong),
        ("invalid_path".to_owned(), Some("/policy/private_paths/0".to_owned()))
    );
}
