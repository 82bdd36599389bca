//! Every check: a page with the fault, what proves it, and a page without it.

use kit::page::{Answer, PageFacts, Timing, read, unanswered};

use super::*;

const URL: &str = "https://shop.example/lamps";

fn page(status: u16, headers: &[(&str, &str)], html: &str) -> PageFacts {
    let mut headers: Vec<(String, String)> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    headers.push(("content-type".to_owned(), "text/html; charset=utf-8".to_owned()));
    read(&Answer {
        url: URL,
        final_url: URL,
        status,
        hops: &[],
        headers: &headers,
        body: html.as_bytes(),
        truncated: false,
        timing: Timing::default(),
    })
}

fn html(html: &str) -> PageFacts {
    page(200, &[], html)
}

fn canonicals(hrefs: &[&str]) -> PageFacts {
    html(&hrefs.iter().map(|href| format!("<link rel=canonical href=\"{href}\">")).collect::<String>())
}

/// A page with the fault of a rule, the value that proves it, and a page without the fault.
fn pages(rule: &str) -> (PageFacts, String, PageFacts) {
    let described = |text: &str| html(&format!("<meta name=description content=\"{text}\">"));
    let titled = |text: &str| html(&format!("<title>{text}</title>"));
    let (long, own) = ("m".repeat(200), canonicals(&[URL]));
    let (bad, value, good) = match rule {
        "response.no_answer" => (unanswered(URL, "timeout"), "timeout", html("")),
        "response.server_error" => (page(503, &[], ""), "503", html("")),
        "response.client_error" => (page(404, &[], ""), "404", html("")),
        "indexability.noindex" => {
            (page(200, &[("x-robots-tag", "noindex")], ""), "noindex", html("<meta name=robots content=index>"))
        }
        "indexability.nofollow" => (html("<meta name=robots content=nofollow>"), "nofollow", html("")),
        "canonical.missing" => (html(""), "", own),
        "canonical.multiple" => (
            canonicals(&["https://shop.example/a", "https://shop.example/b"]),
            "https://shop.example/a, https://shop.example/b",
            own,
        ),
        "canonical.relative" => (canonicals(&["/lamps"]), "/lamps", own),
        "canonical.invalid" => (canonicals(&["https://"]), "https://", own),
        "canonical.misplaced" => (html(&format!("<body><p>a<link rel=canonical href={URL}>")), URL, own),
        "canonical.insecure" => (canonicals(&["http://shop.example/lamps"]), "http://shop.example/lamps", own),
        "canonical.fragment" => (canonicals(&["https://shop.example/lamps#a"]), "https://shop.example/lamps#a", own),
        "title.missing" => (titled(" "), "", titled("Lamps")),
        "title.multiple" => (html("<title>A</title><title>B</title>"), "A | B", titled("A")),
        "title.too_long" => (titled(&long), long.as_str(), titled("Lamps of all kinds")),
        "title.too_short" => (titled("Lamp"), "Lamp", titled("電灯電灯電灯")),
        "description.missing" => (html(""), "", described("Lamps.")),
        "description.multiple" => {
            (html("<meta name=description content=A><meta name=description content=B>"), "A | B", described("A"))
        }
        "description.too_long" => (described(&long), long.as_str(), described("Lamps of all kinds")),
        "description.too_short" => (described("Lamps."), "Lamps.", described(&long)),
        "heading.h1_missing" => (html("<h2>Lamps</h2>"), "", html("<h1>Lamps</h1>")),
        "heading.h1_multiple" => (html("<h1>A</h1><h1>B</h1>"), "A | B", html("<h1>A</h1>")),
        "heading.h1_empty" => (html("<h1> </h1>"), "", html("<h1>A</h1>")),
        "heading.h1_too_long" => (html(&format!("<h1>{long}</h1>")), long.as_str(), html("<h1>A</h1>")),
        "image.alt_missing" => (html("<img src=a.png>"), "", html("<img src=a.png alt=\"\">")),
        "image.alt_too_long" => {
            let (long, short) = ("a ".repeat(150), html("<img src=a.png alt=lamp>"));
            return (html(&format!("<img src=a.png alt=\"{long}\">")), long, short);
        }
        other => panic!("{other} has no pages here"),
    };
    (bad, value.to_owned(), good)
}

#[test]
fn every_check_finds_its_fault_with_its_value_and_nothing_on_a_page_without_it() {
    for check in CHECKS {
        let (bad, value, good) = pages(check.rule);
        let limit = check.threshold.unwrap_or_default();
        let found = (check.fault)(&bad, limit).unwrap_or_else(|| panic!("{} finds nothing", check.rule));
        assert_eq!(found.value.trim(), value.trim(), "{}", check.rule);
        assert!(found.expected.is_some(), "{} does not say what it expects", check.rule);
        assert_eq!((check.fault)(&good, limit), None, "{}", check.rule);
    }
}

#[test]
fn a_number_that_was_moved_is_the_one_that_speaks() {
    let title = html("<title>Lamps of all kinds</title>");
    let check = find("title.too_long").expect("a check");
    assert_eq!((check.fault)(&title, 580), None);
    let found = (check.fault)(&title, 100).expect("a fault");
    assert!(found.expected.is_some_and(|it| it.starts_with("100 px or less, not ")));
}

#[test]
fn what_stands_there_without_a_fault_is_shown() {
    let page = html("<title>Lamps</title><meta name=robots content=\"max-snippet:50, follow\"><h1>All</h1><img alt=a>");
    let shown = |rule: &str| (find(rule).expect("a check").shown)(&page);
    assert_eq!(shown("title.missing").value, "Lamps");
    assert_eq!(shown("heading.h1_missing").value, "All");
    assert_eq!(shown("indexability.noindex").value, "max-snippet:50, follow");
    assert_eq!(shown("image.alt_missing").count, Some(1));
    assert_eq!(shown("response.client_error").value, "200");
}

#[test]
fn rules_about_the_whole_site_have_no_check() {
    for rule in ["title.duplicate", "links.orphan", "sitemap.missing", "heading.h1_duplicate", "no.rule"] {
        assert!(find(rule).is_none(), "{rule}");
    }
}
