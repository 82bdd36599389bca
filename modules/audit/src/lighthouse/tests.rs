//! The audits of the category, one by one, and the score they make; and the pages that Lighthouse itself has judged.

mod judged;

use sdk::json;
use sdk::serde_json::Value;

use super::links::is_language;

const PAGE: &str = "https://shop.example/lamps";

/// A page that fails nothing, with one thing changed.
fn page(from: &str, to: &str) -> String {
    let whole = "<!doctype html><html lang=en><head><title>Lamps</title><meta name=description content='Lamps of brass.'>\
<link rel=canonical href=https://shop.example/lamps><link rel=alternate hreflang=de href=https://shop.example/de></head>\
<body><img src=/lamp.jpg alt='A lamp'><a href=/desk>Lamps for the desk</a></body></html>";
    assert!(whole.contains(from), "{from}");
    whole.replacen(from, to, 1)
}

fn check(html: &str, robots: Option<&str>) -> Value {
    let fake = crate::fake().serving(PAGE, html);
    let fake = match robots {
        Some(text) => fake.serving("https://shop.example/robots.txt", text),
        None => fake,
    };
    fake.call("audit.lighthouse_seo.check", json!({ "url": PAGE })).unwrap()
}

fn failed(checked: &Value) -> Vec<&str> {
    let audits = checked["audits"].as_array().unwrap().iter();
    audits.filter(|it| it["pass"] == false).map(|it| it["id"].as_str().unwrap()).collect()
}

const OPEN: Option<&str> = Some("User-agent: *\nDisallow: /cart\n");

#[test]
fn a_page_that_fails_nothing_has_a_hundred() {
    let checked = check(&page("Lamps", "Lamps"), OPEN);
    assert_eq!(failed(&checked), Vec::<&str>::new(), "{checked}");
    assert_eq!(checked["score"], 100);
    assert_eq!(checked["audits"].as_array().unwrap().len(), 10);
}

#[test]
fn each_fault_fails_its_audit_and_no_other() {
    let cases = [
        ("<title>Lamps</title>", "", "document-title"),
        ("<title>Lamps</title>", "<title> </title>", "document-title"),
        ("content='Lamps of brass.'", "content=' '", "meta-description"),
        ("<title>", "<meta name=robots content='NoIndex, follow'><title>", "is-crawlable"),
        ("alt='A lamp'", "", "image-alt"),
        ("alt='A lamp'", "alt=' '", "image-alt"),
        ("Lamps for the desk", "Read more", "link-text"),
        ("Lamps for the desk", "<span>click</span> here", "link-text"),
        ("href=/desk", "href='javascript:void(0)'", "crawlable-anchors"),
        ("href=/desk", "href=file:///desk", "crawlable-anchors"),
        ("href=/desk", "onclick='go()'", "crawlable-anchors"),
        ("href=/desk", "target=_blank", "crawlable-anchors"),
        ("href=/desk", "href='http://'", "crawlable-anchors"),
        ("hreflang=de", "hreflang=deutsch", "hreflang"),
        ("hreflang=de href=https://shop.example/de", "hreflang=de href=/de", "hreflang"),
        ("rel=canonical href=https://shop.example/lamps", "rel=canonical href=/lamps", "canonical"),
        ("rel=canonical href=https://shop.example/lamps", "rel=canonical href='https://'", "canonical"),
        ("rel=canonical href=https://shop.example/lamps", "rel=canonical href=https://shop.example/", "canonical"),
        ("<title>", "<link rel=canonical href=https://shop.example/other><title>", "canonical"),
    ];
    for (from, to, audit) in cases {
        let checked = check(&page(from, to), OPEN);
        assert_eq!(failed(&checked), [audit], "{to}");
        let items = checked["audits"].as_array().unwrap().iter().find(|it| it["id"] == audit).unwrap()["items"].clone();
        assert!(!items[0]["reason"].as_str().unwrap().is_empty());
    }
}

#[test]
fn what_looks_like_a_fault_and_is_none_passes() {
    let cases = [
        ("alt='A lamp'", "alt=''"),
        ("alt='A lamp'", "role=presentation"),
        ("alt='A lamp'", "aria-label='A lamp'"),
        ("alt='A lamp'", "hidden"),
        ("Lamps for the desk", "Hier"),
        ("<a href=/desk>Lamps for the desk", "<a href=/desk rel=nofollow>here"),
        ("<a href=/desk>Lamps for the desk", "<a href=#desk>here"),
        ("<a href=/desk>Lamps for the desk", "<a href=mailto:a@shop.example>here"),
        ("<a href=/desk>", "<a role=button onclick='go()'>"),
        ("<a href=/desk>", "<a id=desk>"),
        ("<a href=/desk>", "<a>"),
        ("<a href=/desk>", "<a href=''>"),
        ("hreflang=de", "hreflang=x-default"),
        ("<link rel=canonical href=https://shop.example/lamps>", ""),
        ("<title>", "<meta name=robots content=noindex><meta name=googlebot content=all><title>"),
        ("<body>", "<body><meta name=robots content=noindex>"),
        ("<body>", "<body><link rel=canonical href=https://shop.example/other>"),
    ];
    for (from, to) in cases {
        let checked = check(&page(from, to), OPEN);
        assert_eq!(failed(&checked), Vec::<&str>::new(), "{to}");
        assert_eq!(checked["score"], 100, "{to}");
    }
}

#[test]
fn the_language_of_a_link_decides_which_texts_say_nothing() {
    let german = |attribute: &str| {
        check(&page("<a href=/desk>Lamps for the desk", &format!("<a href=/desk {attribute}>Hier")), OPEN)
    };
    assert_eq!(failed(&german("lang=de")), ["link-text"]);
    assert_eq!(failed(&german("lang=fr")), Vec::<&str>::new());
    let without = page("<html lang=en>", "<html>").replace("Lamps for the desk", "Hier");
    assert_eq!(failed(&check(&without, OPEN)), ["link-text"], "without a language every list counts");
}

#[test]
fn a_robots_txt_is_valid_line_by_line() {
    let valid = [
        "User-agent: *\nDisallow:\n",
        "# nothing\n",
        "Sitemap: https://shop.example/sitemap.xml",
        "host: a\r\ncrawl-delay: 1",
    ];
    for text in valid {
        assert_eq!(failed(&check(&page("Lamps", "Lamps"), Some(text))), Vec::<&str>::new(), "{text}");
    }
    let faults = [
        ("Disallow: /cart", "no user-agent"),
        ("User-agent:\nDisallow: /cart", "names no crawler"),
        ("User-agent: *\nDisallow: cart", "begins with"),
        ("User-agent: *\nDisallow: /*.pdf$x", "at the end"),
        ("Sitemap: /sitemap.xml", "absolute"),
        ("<!doctype html>", "colon"),
        ("Foo: bar", "not known"),
    ];
    for (text, reason) in faults {
        let checked = check(&page("Lamps", "Lamps"), Some(text));
        assert_eq!(failed(&checked), ["robots-txt"], "{text}");
        assert!(checked["audits"].to_string().contains(reason), "{text}: {checked}");
    }
}

#[test]
fn a_page_that_robots_txt_forbids_is_not_crawlable_and_loses_most() {
    let checked = check(&page("Lamps", "Lamps"), Some("User-agent: *\nDisallow: /lamps\n"));
    assert_eq!(failed(&checked), ["is-crawlable"]);
    assert_eq!(checked["score"], 69);
    let one = "User-agent: *\nDisallow: /lamps\n\nUser-agent: bingbot\nDisallow:\n";
    assert_eq!(failed(&check(&page("Lamps", "Lamps"), Some(one))), Vec::<&str>::new(), "one crawler may");
}

#[test]
fn what_does_not_apply_does_not_count() {
    let bare = page("<img src=/lamp.jpg alt='A lamp'>", "")
        .replace("<link rel=canonical href=https://shop.example/lamps>", "");
    let checked = check(&bare, OPEN);
    let outcome = |id: &str| {
        let audits = checked["audits"].as_array().unwrap();
        audits.iter().find(|it| it["id"] == id).unwrap()["outcome"].clone()
    };
    assert_eq!((outcome("image-alt"), outcome("canonical")), (json!("not_applicable"), json!("not_applicable")));
    let worse = bare.replace("<title>Lamps</title>", "");
    // One of the 11.04 that apply: 93/23 for is-crawlable, and seven more.
    assert_eq!(check(&worse, OPEN)["score"], 91);
}

#[test]
fn languages_are_those_of_the_registry() {
    for code in ["en", "de-AT", "zh-Hant-TW", "gsw", "x-default", "EN-us", "haw"] {
        assert!(is_language(code), "{code}");
    }
    for code in ["xx", "english", "", "e", "en_US", "eng", "日本"] {
        assert!(!is_language(code), "{code}");
    }
}

#[test]
fn a_page_that_is_not_public_or_does_not_answer_is_refused() {
    let fake = crate::fake();
    let refusal = fake.refusal("audit.lighthouse_seo.check", json!({ "url": "https://shop.example/none" }));
    assert!(["url_refused", "page_unavailable"].contains(&refusal.code.as_str()), "{}", refusal.code);
}
