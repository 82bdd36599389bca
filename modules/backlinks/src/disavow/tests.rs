//! Disavow files: Google's rules line by line, and what is built by them.

use sdk::json;
use sdk::serde_json::Value;

use super::file::{Entry, Line, Wrong, line};
use crate::trial::{SITE, ahrefs, call, import, website};

#[test]
fn each_line_is_read_as_google_reads_it() {
    let domain = |text: &str| Line::Entry(Entry::Domain(text.to_owned()));
    let page = |text: &str| Line::Entry(Entry::Page(text.to_owned()));
    let cases = [
        ("", Line::Blank),
        ("   # domain:a.example", Line::Blank),
        ("domain:spam.example", domain("spam.example")),
        ("  DOMAIN:Spam.Example  ", domain("spam.example")),
        ("domain: spam.example", Line::Wrong(Wrong::SeveralOnALine)),
        ("domain:sub.spam.example.", domain("sub.spam.example")),
        ("domain:bücher.example", domain("xn--bcher-kva.example")),
        ("domain:192.0.2.7", domain("192.0.2.7")),
        ("domain:", Line::Wrong(Wrong::EmptyDomain)),
        ("domain:http://spam.example", Line::Wrong(Wrong::DomainWithScheme)),
        ("domain:spam.example/page", Line::Wrong(Wrong::DomainWithPath)),
        ("domain:*.spam.example", Line::Wrong(Wrong::DomainWithWildcard)),
        ("domain:com", Line::Wrong(Wrong::NotADomain)),
        ("domain:co.uk", Line::Wrong(Wrong::PublicSuffix)),
        ("domain:spam", Line::Wrong(Wrong::NotADomain)),
        ("spam.example", Line::Wrong(Wrong::NotAnAddress)),
        ("https://spam.example/a?b=1", page("https://spam.example/a?b=1")),
        ("https://spam.example/*", Line::Wrong(Wrong::PathWildcard)),
        ("ftp://spam.example/", Line::Wrong(Wrong::NotAnAddress)),
        ("https://a.example/ https://b.example/", Line::Wrong(Wrong::SeveralOnALine)),
    ];
    for (text, wanted) in cases {
        assert_eq!(line(text), wanted, "{text}");
    }
    assert_eq!(line(&format!("https://a.example/{}", "x".repeat(2_048))), Line::Wrong(Wrong::AddressTooLong));
}

#[test]
fn a_file_is_told_what_is_wrong_what_is_covered_and_what_it_gives_up() {
    let fake = website();
    import(
        &fake,
        &ahrefs(&[
            ("https://good.example/a", "/", "x", "75,false,2026-01-05,2026-08-01,"),
            ("https://bad.example/a", "/", "x", "3,false,2026-01-05,2026-08-01,"),
        ]),
    );
    let text = "\u{feff}# mine\ndomain:bad.example\nhttps://sub.bad.example/page\ndomain:good.example\ndomain:bad.example\nnonsense\ndomain:www.other.example\n";
    let told = call(&fake, "backlinks.disavow.validate", &json!({ "text": text }));
    assert_eq!(
        (&told["valid"], &told["lines"], &told["domains"], &told["urls"]),
        (&json!(false), &json!(7), &json!(4), &json!(1)),
        "{told}"
    );
    assert_eq!((&told["errors"][0]["line"], &told["errors"][0]["problem"]), (&json!(6), &json!("not_an_address")));
    let lines = |member: &str| {
        told[member].as_array().expect("a list").iter().map(|it| it["line"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(lines("redundant"), [json!(3), json!(5)]);
    assert_eq!(lines("warnings"), [json!(0), json!(7)]);
    assert_eq!((lines("risky"), &told["risky"][0]["rating"]), (vec![json!(4)], &json!(75)));
    let alone = fake.call("backlinks.disavow.validate", json!({ "text": "domain:bad.example" })).expect("an answer");
    assert_eq!((&alone["valid"], &alone["risky"]), (&json!(true), &json!([])));
}

#[test]
fn a_file_is_built_on_the_existing_one_and_each_new_line_is_explained() {
    let fake = website();
    import(
        &fake,
        &ahrefs(&[
            ("https://good.example/a", "/", "x", "75,false,2026-01-05,2026-08-01,"),
            ("https://bad.example/a", "/", "x", "3,true,2026-01-05,2026-08-01,"),
        ]),
    );
    let existing = "# of 2025\ndomain:old.example\nbroken line\n";
    let built = call(
        &fake,
        "backlinks.disavow.build",
        &json!({
            "domains": ["bad.example", "good.example", "old.example"],
            "urls": ["https://page.bad.example/x", "https://single.example/x"],
            "existing": existing,
        }),
    );
    assert_eq!(
        (&built["added"], &built["kept_entries"], &built["covered"]),
        (&json!(3), &json!(1), &json!(1)),
        "{built}"
    );
    let text = built["text"].as_str().expect("a text");
    let wanted = "# of 2025\ndomain:old.example\n\n# Added on 2026-09-20\n# 1 links, 0 of them followed, rated 3 of 100\ndomain:bad.example\n# 1 links, 1 of them followed, rated 75 of 100\ndomain:good.example\n# no link from here is among the imported ones\nhttps://single.example/x\n";
    assert_eq!(text, wanted);
    let problems: Vec<&str> =
        built["warnings"].as_array().expect("warnings").iter().filter_map(|it| it["problem"].as_str()).collect();
    assert_eq!(problems, ["several_on_a_line", "valuable"]);
    assert!(built["download_url"].as_str().is_some_and(|it| it.starts_with("http")));
    let valid = call(&fake, "backlinks.disavow.validate", &json!({ "text": text }));
    assert_eq!((&valid["valid"], &valid["redundant"]), (&json!(true), &json!([])), "what is built is valid: {valid}");
    let refused = |arguments: Value| {
        let fault = fake.refusal("backlinks.disavow.build", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let pair = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "site_id": SITE })), pair("nothing_to_disavow", "/domains"));
    assert_eq!(
        refused(json!({ "site_id": SITE, "domains": ["a.example", "co.uk"] })),
        pair("not_a_domain", "/domains/1")
    );
    assert_eq!(refused(json!({ "site_id": SITE, "domains": ["shop.example"] })), pair("own_domain", "/domains/0"));
}
