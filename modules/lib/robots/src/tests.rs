//! Tests of `robots`.

use super::{LONGEST_LINE, MOST_BYTES, Robots, matches};

fn allowed(file: &str, agent: &str, url: &str) -> bool {
    Robots::parse(file.as_bytes(), agent).allows(url)
}

/// Each line: a pattern, a path, whether it matches. From RFC 9309 sections 2.2.2 and 2.2.3 and Google's documentation.
#[test]
fn patterns_match_as_the_documents_show() {
    for (pattern, path, expected) in [
        ("/", "/anything", true),
        ("/fish", "/fish.html", true),
        ("/fish", "/fishheads/yummy.html", true),
        ("/fish", "/Fish.asp", false),
        ("/fish", "/catfish", false),
        ("/fish*", "/fish", true),
        ("/fish/", "/fish", false),
        ("/fish/", "/fish/?id=1", true),
        ("/*.php", "/folder/any.php.file.html", true),
        ("/*.php", "/windows.PHP", false),
        ("/*.php$", "/filename.php", true),
        ("/*.php$", "/filename.php?x", false),
        ("/*.php$", "/filename.php/", false),
        ("/fish*.php", "/fishheads/catfish.php?x", true),
        ("/fish*.php", "/Fish.PHP", false),
        ("/a*b*c$", "/axxbxxbxc", true),
        ("/a*b*c$", "/axxbxxbxcx", false),
        ("/$", "/", true),
        ("/$", "/page", false),
        ("*/foo", "/a/foo", true),
        ("/a$b", "/a$b", true),
        ("/**/x", "/q/x", true),
    ] {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }
}

#[test]
fn a_pattern_of_many_stars_costs_no_more_than_a_short_one() {
    let pattern = format!("/{}b$", "*a".repeat(200));
    assert!(!matches(&pattern, &format!("/{}", "a".repeat(10_000))));
}

#[test]
fn the_longest_rule_wins_and_allow_wins_a_tie() {
    let on = "http://foo.bar/x/page.html";
    assert!(!allowed("user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n", "FooBot", on));
    assert!(allowed("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", "FooBot", on));
    assert!(!allowed("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", "FooBot", "http://foo.bar/x/"));
    assert!(allowed("user-agent: FooBot\ndisallow: \nallow: \n", "FooBot", on));
    assert!(allowed("user-agent: FooBot\ndisallow: /\nallow: /\n", "FooBot", on));
    assert!(allowed("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "FooBot", "http://foo.bar/x/"));
    assert!(!allowed("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", "FooBot", "http://foo.bar/x"));
    assert!(!allowed("user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", "FooBot", "http://foo.bar/page.html"));
    assert!(allowed("user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", "FooBot", on));
    assert!(!allowed(
        "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n",
        "FooBot",
        "http://foo.bar/y/page"
    ));
}

#[test]
fn a_named_group_replaces_the_general_one_and_same_names_are_merged() {
    let file =
        "User-agent: *\nDisallow: /all\n\nUser-agent: FooBot\nDisallow: /one\n\nUser-agent: foobot\nDisallow: /two\n";
    for (path, expected) in [("/all", true), ("/one", false), ("/two", false), ("/three", true)] {
        assert_eq!(allowed(file, "FooBot", &format!("http://foo.bar{path}")), expected, "{path}");
    }
    assert!(!allowed(file, "BarBot", "http://foo.bar/all"));
    assert!(allowed(file, "BarBot", "http://foo.bar/one"));
}

#[test]
fn several_agents_share_the_rules_that_follow_and_other_lines_between_do_not_part_them() {
    let file = "User-agent: a\nSitemap: http://foo.bar/s.xml\nUser-agent: FooBot\nCrawl-delay: 2.5\n\n\nDisallow: /x\nUser-agent: c\nDisallow: /y\n";
    assert!(!allowed(file, "FooBot", "http://foo.bar/x"));
    assert!(!allowed(file, "a", "http://foo.bar/x"));
    assert!(allowed(file, "FooBot", "http://foo.bar/y"));
    let robots = Robots::parse(file.as_bytes(), "FooBot");
    assert_eq!((robots.crawl_delay_ms, robots.sitemaps), (Some(2_500), vec!["http://foo.bar/s.xml".to_owned()]));
}

#[test]
fn rules_before_any_agent_belong_to_nobody() {
    assert!(allowed("Disallow: /\nUser-agent: other\nDisallow: /\n", "FooBot", "http://foo.bar/x"));
}

#[test]
fn an_agent_line_is_matched_by_its_product_token_alone() {
    for (line, is_ours) in [
        ("FooBot", true),
        ("foobot/2.1", true),
        ("FOOBOT (+http://foo.bar)", true),
        ("FooBot *", true),
        ("Foo", false),
        ("FooBotNews", false),
        ("FooBot-News", false),
        ("Mozilla FooBot", false),
    ] {
        assert_eq!(
            !allowed(&format!("User-agent: {line}\nDisallow: /\n"), "FooBot", "http://foo.bar/"),
            is_ours,
            "{line}"
        );
    }
    assert!(!allowed("User-agent: * baz\nDisallow: /\n", "FooBot", "http://foo.bar/"));
    assert!(allowed("User-agent: *baz\nDisallow: /\n", "FooBot", "http://foo.bar/"));
}

/// As Google, Apple and Bing document their crawlers.
#[test]
fn a_crawler_without_a_group_obeys_the_one_that_its_operator_names() {
    let file = "User-agent: *\nDisallow: /all\n\nUser-agent: Googlebot\nDisallow: /google\n\nUser-agent: Bingbot\nDisallow: /bing\n\nUser-agent: GoogleOther\nDisallow: /other\n\nUser-agent: Googlebot-News\nDisallow: /news\n";
    for (agent, forbidden) in [
        ("Googlebot", "/google"),
        ("googlebot-image", "/google"),
        ("Googlebot-Video/1.0", "/google"),
        ("Googlebot-News", "/news"),
        ("Google-InspectionTool", "/google"),
        ("GoogleOther-Image", "/other"),
        ("Applebot", "/google"),
        ("BingPreview", "/bing"),
        ("Googlebot-Imaginary", "/all"),
        ("Google-Extended", "/all"),
        ("Applebot-Extended", "/all"),
        ("GPTBot", "/all"),
        ("*", "/all"),
        ("", "/all"),
        ("AdsBot-Google", ""),
        ("Mediapartners-Google", ""),
    ] {
        for path in ["/all", "/google", "/bing", "/other", "/news"] {
            let expected = path != forbidden;
            assert_eq!(allowed(file, agent, &format!("http://foo.bar{path}")), expected, "{agent} {path}");
        }
    }
    let for_ads = "User-agent: AdsBot-Google\nDisallow: /\n";
    assert!(!allowed(for_ads, "AdsBot-Google", "http://foo.bar/"));
}

#[test]
fn percent_encodings_are_compared_in_normal_form() {
    let file = |pattern: &str| format!("User-agent: FooBot\nDisallow: /\nAllow: {pattern}\n");
    for (pattern, url, expected) in [
        (
            "/foo/bar?qux=taz&baz=http://foo.bar?tar&par",
            "http://foo.bar/foo/bar?qux=taz&baz=http://foo.bar?tar&par",
            true,
        ),
        ("/foo/bar/ツ", "http://foo.bar/foo/bar/%E3%83%84", true),
        ("/foo/bar/%e3%83%84", "http://foo.bar/foo/bar/%E3%83%84", true),
        ("/foo/bar/%E3%83%84", "http://foo.bar/foo/bar/ツ", true),
        ("/foo/bar/%62%61%7A", "http://foo.bar/foo/bar/baz", true),
        ("/foo/bar/baz", "http://foo.bar/foo/bar/%62%61%7A", true),
        ("/foo%2Fbar", "http://foo.bar/foo/bar", false),
    ] {
        assert_eq!(allowed(&file(pattern), "FooBot", url), expected, "{pattern} {url}");
    }
}

#[test]
fn common_slips_are_read_as_meant() {
    for file in [
        "user-agent: FooBot\ndisallow: /\n",
        "USER-AGENT: FooBot\nDISALLOW: /\n",
        "user agent: FooBot\ndissallow: /\n",
        "user-agent FooBot\ndisallow /\n",
        "useragent: FooBot # us\r\ndisalow: / # all\r\n",
        "\u{feff}User-agent: FooBot\rDisallow: /\r",
        "   User-agent : FooBot\n\t disallow:/\n",
    ] {
        assert!(!allowed(file, "FooBot", "http://foo.bar/x"), "{file:?}");
    }
    for file in ["", "\n\n", "<html>not found</html>", "user-agent: FooBot\ndisallow: / allow\nallow it / now\n"] {
        assert!(allowed(file, "FooBot", "http://foo.bar/x"), "{file:?}");
    }
}

#[test]
fn the_index_page_of_an_allowed_folder_allows_the_folder() {
    let file = "User-agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n";
    assert!(allowed(file, "FooBot", "http://foo.bar/allowed-slash/index.html"));
    assert!(allowed(file, "FooBot", "http://foo.bar/allowed-slash/"));
    assert!(!allowed(file, "FooBot", "http://foo.bar/allowed-slash/index.htm"));
    assert!(!allowed(file, "FooBot", "http://foo.bar/anyother-url"));
}

#[test]
fn long_lines_and_long_files_are_cut() {
    let long = "a".repeat(LONGEST_LINE);
    let file = format!("user-agent: FooBot\ndisallow: /{long}/qux\n");
    let cut = &long[..LONGEST_LINE - "disallow: /".len()];
    assert!(!allowed(&file, "FooBot", &format!("http://foo.bar/{cut}fux")));
    assert!(allowed(&file, "FooBot", "http://foo.bar/fux"));
    let padded = format!("{}\nuser-agent: FooBot\ndisallow: /\n", "#".repeat(MOST_BYTES));
    assert!(allowed(&padded, "FooBot", "http://foo.bar/"));
}

#[test]
fn the_answer_to_the_request_decides_as_section_2_3_1_says() {
    let rules = b"user-agent: *\ndisallow: /x\n";
    let allows = |status| Robots::of_answer(status, rules, "FooBot").allows("http://foo.bar/x");
    assert!(!allows(200));
    assert!(allows(404) && allows(403) && allows(401) && allows(410));
    assert!(!allows(500) && !allows(503) && !allows(0) && !allows(429));
    assert!(Robots::forbid_all().allows("http://foo.bar/robots.txt"));
}

#[test]
fn an_address_without_a_path_is_the_root() {
    assert!(!allowed("user-agent: *\ndisallow: /$\n", "FooBot", "http://foo.bar"));
    assert!(!allowed("user-agent: *\ndisallow: /?\n", "FooBot", "http://foo.bar?a"));
}
