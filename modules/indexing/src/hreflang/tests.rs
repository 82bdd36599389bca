//! What validating and generating language versions promises.

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, refused, text, website};

fn links(of: &[(&str, &str)]) -> String {
    of.iter().map(|(lang, path)| format!("<link rel=alternate hreflang={lang} href={path}>")).collect()
}

fn told(result: &Value) -> Vec<String> {
    let shown = |it: &Value| {
        let target = it["target"].as_str().map(|it| format!(" {}", it.replace(ORIGIN, ""))).unwrap_or_default();
        format!("{} {}{target}", it["url"].as_str().unwrap().replace(ORIGIN, ""), it["code"].as_str().unwrap())
    };
    result["problems"].as_array().unwrap().iter().map(shown).collect()
}

#[test]
fn a_right_set_has_no_problem_and_each_mistake_is_told() {
    let fake = website();
    let set = links(&[("en", "/en"), ("de", "/de"), ("x-default", "/en")]);
    let page = |head: &str, words: &str| format!("<html>{head}{}", text(words));
    Crawl::begin(&fake, RUN, 1)
        .html("/en", &page(&set, "hello"))
        .html("/de", &page(&set, "hallo"))
        .html(
            "/fr",
            &page(
                &links(&[
                    ("fr", "/fr"),
                    ("en-UK", "/en"),
                    ("es", "/es"),
                    ("it", "/gone"),
                    ("pt", "/hidden"),
                    ("nl", "/never"),
                ]),
                "bonjour",
            ),
        )
        .html("/es", &page(&links(&[("es", "/es-other"), ("es", "/es"), ("iw", "/fr")]), "hola"))
        .answer("/gone", "link", 404, HTML, "")
        .html("/hidden", "<meta name=robots content=noindex>");
    let result = call(&fake, "indexing.hreflang.validate", json!({ "run_ref": RUN, "limit": 100 }));
    let found = told(&result);
    assert!(!found.iter().any(|it| it.starts_with("/en ") || it.starts_with("/de ")), "{found:?}");
    for expected in [
        "/fr invalid_code /en",
        "/fr no_return_link /en",
        "/fr target_status /gone",
        "/fr target_not_indexable /hidden",
        "/fr no_return_link /hidden",
        "/fr target_unknown /never",
        "/fr missing_x_default",
        "/es duplicate_language /es",
        "/es retired_code /fr",
        "/es target_unknown /es-other",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected} in {found:?}");
    }
    assert!(
        !found.contains(&"/es no_return_link /fr".to_owned()) && !found.contains(&"/fr no_return_link /es".to_owned())
    );
    let whole =
        result["clusters"].as_array().unwrap().iter().find(|it| it["pages"].as_array().unwrap().len() == 2).unwrap();
    assert_eq!((&whole["complete"], &whole["x_default"], &whole["problems"]), (&json!(true), &json!(true), &json!(0)));
    let some = call(&fake, "indexing.hreflang.validate", json!({ "run_ref": RUN, "problem": "retired_code" }));
    assert_eq!(told(&some), ["/es retired_code /fr"]);
    let first = call(&fake, "indexing.hreflang.validate", json!({ "run_ref": RUN, "limit": 3 }));
    let rest = call(
        &fake,
        "indexing.hreflang.validate",
        json!({ "run_ref": RUN, "limit": 3, "cursor": first["next_cursor"] }),
    );
    assert_eq!(told(&first).len() + told(&rest).len(), found.len());
    // What is wrong is counted over all pages, and the pages where most is wrong come first.
    let totals = &first["totals"];
    assert_eq!((&totals["pages"], &totals["with_problems"]), (&json!(4), &json!(2)), "{totals}");
    let counts = totals["problems"].as_object().unwrap().values().map(|it| it.as_u64().unwrap());
    assert_eq!(counts.sum::<u64>(), found.len() as u64);
    let alone = call(&fake, "indexing.hreflang.validate", json!({ "run_ref": RUN, "limit": 1 }));
    assert!(told(&alone).len() > 4 && told(&alone).iter().all(|it| it.starts_with("/fr ")), "{alone}");
}

#[test]
fn versions_of_sitemaps_and_headers_count_like_those_of_pages_and_live_pages_are_read() {
    let fake = website();
    let link = format!("<{ORIGIN}/en>; rel=alternate; hreflang=en, <{ORIGIN}/de>; rel=alternate; hreflang=de");
    fake.serve(&format!("{ORIGIN}/en"), 200, &[HTML[0], ("link", &link)], text("hello").as_bytes());
    fake.serve(&format!("{ORIGIN}/de"), 200, HTML, text("hallo").as_bytes());
    let arguments = json!({ "urls": [format!("{ORIGIN}/en")] });
    let before = call(&fake, "indexing.hreflang.validate", arguments.clone());
    assert!(told(&before).contains(&"/en no_return_link /de".to_owned()), "{before}");
    let sitemap = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"http://www.w3.org/1999/xhtml\"><url><loc>{ORIGIN}/de</loc><x:link rel=\"alternate\" hreflang=\"en\" href=\"{ORIGIN}/en\"/><x:link rel=\"alternate\" hreflang=\"de\" href=\"{ORIGIN}/de\"/></url></urlset>"
    );
    fake.serve(&format!("{ORIGIN}/sitemap.xml"), 200, &[("content-type", "application/xml")], sitemap.as_bytes());
    let after = call(&fake, "indexing.hreflang.validate", arguments);
    assert_eq!(told(&after), ["/en missing_x_default"]);
}

#[test]
fn what_names_no_pages_or_no_problem_is_refused() {
    let fake = website();
    assert_eq!(refused(&fake, "indexing.hreflang.validate", json!({})).0, "nothing_to_validate");
    let both = json!({ "run_ref": RUN, "urls": [ORIGIN] });
    assert_eq!(
        refused(&fake, "indexing.hreflang.validate", both),
        ("urls_or_crawl".to_owned(), Some("/urls".to_owned()))
    );
    let unknown = json!({ "urls": [ORIGIN], "problem": "bad" });
    assert_eq!(
        refused(&fake, "indexing.hreflang.validate", unknown),
        ("unknown_problem".to_owned(), Some("/problem".to_owned()))
    );
    assert_eq!(refused(&fake, "indexing.hreflang.validate", json!({ "run_ref": "none" })).0, "run_not_found");
}

fn versions() -> Value {
    json!([{ "lang": "en", "prefix_or_host": "/" }, { "lang": "de", "prefix_or_host": "/de/" }])
}

#[test]
fn pages_of_two_versions_are_paired_and_the_markup_is_written() {
    let fake = website();
    let page = |words: &str, image: &str, price: &str| {
        format!("<main><h1>{words}</h1><p>{price} EUR</p><img src=/img/{image}.jpg></main>")
    };
    Crawl::begin(&fake, RUN, 1)
        .html("/products/brass-lamp-4711", &page("Brass lamp", "brass-lamp", "129.50"))
        .html("/products/oak-desk-4712", &page("Oak desk", "oak-desk", "899.00"))
        .html("/about", &page("About us", "team-photo", "1999"))
        .html("/only-english", &page("News", "news-picture", "12345"))
        .html("/de/produkte/messinglampe-4711", &page("Messinglampe", "brass-lamp", "129,50"))
        .html("/de/produkte/eichentisch-4712", &page("Eichentisch", "oak-desk", "899,00"))
        .html("/de/ueber-uns", &page("Über uns", "team-photo", "1999"));
    let made = call(&fake, "indexing.hreflang.generate", json!({ "run_ref": RUN, "versions": versions() }));
    let mut pairs: Vec<String> = made["clusters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{} {}",
                it["pages"][0]["url"].as_str().unwrap().replace(ORIGIN, ""),
                it["pages"][1]["url"].as_str().unwrap().replace(ORIGIN, "")
            )
        })
        .collect();
    pairs.sort();
    assert_eq!(
        pairs,
        [
            "/about /de/ueber-uns",
            "/products/brass-lamp-4711 /de/produkte/messinglampe-4711",
            "/products/oak-desk-4712 /de/produkte/eichentisch-4712"
        ]
    );
    assert_eq!(made["unmatched"], json!([{ "url": format!("{ORIGIN}/only-english"), "lang": "en" }]));
    let markup = made["clusters"][0]["markup"].as_str().unwrap();
    assert!(
        markup.contains("hreflang=\"x-default\"") && markup.contains("hreflang=\"de\"") && markup.lines().count() == 3,
        "{markup}"
    );
    let sitemap = call(
        &fake,
        "indexing.hreflang.generate",
        json!({ "run_ref": RUN, "versions": versions(), "output": "sitemap" }),
    );
    let read = crate::sitemap::xml::read(sitemap["sitemap"].as_str().unwrap());
    assert!(read.faults.is_empty() && read.items.len() == 6, "{:?}", read.faults.told());
    assert_eq!(made["markup_ref"], sitemap["markup_ref"], "the same pairs have the same fingerprint");
}

#[test]
fn versions_that_are_none_are_refused_where_they_stand() {
    let fake = website();
    Crawl::begin(&fake, RUN, 1).html("/a", &text("a"));
    let given = |first: &str, second: &str, place: &str| json!({ "run_ref": RUN, "versions": [{ "lang": first, "prefix_or_host": "/" }, { "lang": second, "prefix_or_host": place }] });
    for (arguments, code, pointer) in [
        (given("en", "en-UK", "/uk/"), "invalid_code", "/versions/1/lang"),
        (given("en", "EN", "/en/"), "version_repeated", "/versions/1/lang"),
        (given("en", "de", "/de/"), "version_empty", "/versions/1/prefix_or_host"),
        (given("x-default", "de", "/de/"), "invalid_code", "/versions/0/lang"),
    ] {
        assert_eq!(
            refused(&fake, "indexing.hreflang.generate", arguments),
            (code.to_owned(), Some(pointer.to_owned()))
        );
    }
}
