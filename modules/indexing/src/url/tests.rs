//! What looking at one address promises: the chain link by link, and Google's word beside it.

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{HTML, ORIGIN, call, of_site, refused, text, website};

const PAGE: &str = "https://shop.example/lamps";

/// The verdict on a page that answers so; a made-up address answers with 404.
fn checked(status: u16, headers: &[(&str, &str)], html: &str, robots: &str) -> Value {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], robots.as_bytes());
    fake.serve(PAGE, status, headers, html.as_bytes());
    call(&fake, "indexing.url.check", json!({ "url": PAGE }))
}

/// Status, headers, HTML, and what robots.txt says.
type Answer = (u16, Vec<(String, String)>, String, String);

#[test]
fn forty_pages_get_the_verdict_and_the_first_block_that_they_should() {
    let html = HTML;
    let good = text("brass lamps");
    let with = |head: &str| format!("{head}{good}");
    let page = |status: u16, headers: &[(&str, &str)], html: &str| {
        (
            status,
            headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>(),
            html.to_owned(),
            String::new(),
        )
    };
    let robots =
        |rules: &str| (200, vec![("content-type".to_owned(), "text/html".to_owned())], good.clone(), rules.to_owned());
    let header = |value: &str| {
        (
            200,
            vec![("content-type".to_owned(), "text/html".to_owned()), ("x-robots-tag".to_owned(), value.to_owned())],
            good.clone(),
            String::new(),
        )
    };
    let cases: Vec<(Answer, Option<&str>)> = vec![
        (page(200, html, &good), None),
        (page(200, html, &with("<meta name=robots content='index, follow'>")), None),
        (page(200, html, &with("<meta name=robots content='max-snippet:20'>")), None),
        (page(200, html, &with("<meta name=robots content='nofollow'>")), None),
        (page(200, html, &with("<meta name=bingbot content='noindex'>")), None),
        (page(200, html, &with("<link rel=canonical href=/lamps>")), None),
        (page(200, html, &with("<link rel=canonical href=https://shop.example/lamps?utm_source=x>")), None),
        (page(200, html, &with("<link rel=canonical href=/a><link rel=canonical href=/b>")), None),
        (page(200, html, &with("<meta http-equiv=refresh content='30'>")), None),
        (page(200, html, &with("<meta name=robots content='unavailable_after: 2999-01-01'>")), None),
        (
            page(
                200,
                html,
                &format!("{good}<form><input type=password></form><p>{}</p>", "many words of text ".repeat(40)),
            ),
            None,
        ),
        (page(200, &[("content-type", "application/pdf")], "%PDF"), None),
        (page(200, &[("content-type", "text/plain")], "plain words"), None),
        (
            page(
                200,
                html,
                &with("<title>What to do about error 404</title>")
                    .replace("</main>", &format!("{}</main>", "an article of many words on this matter ".repeat(40))),
            ),
            None,
        ),
        (header("bingbot: noindex"), None),
        (header("noarchive"), None),
        (robots("User-agent: *\nDisallow: /private"), None),
        (robots("User-agent: Bingbot\nDisallow: /"), None),
        (robots("User-agent: *\nDisallow: /\nAllow: /lamps"), None),
        (page(200, html, &with("<meta name=robots content=noindex>")), Some("meta")),
        (page(200, html, &with("<meta name=ROBOTS content='NoIndex, follow'>")), Some("meta")),
        (page(200, html, &with("<meta name=robots content=none>")), Some("meta")),
        (page(200, html, &with("<meta name=googlebot content=noindex>")), Some("meta")),
        (page(200, html, &with("<meta name=robots content='unavailable_after: 2020-01-01'>")), Some("meta")),
        (header("noindex"), Some("header")),
        (header("googlebot: noindex"), Some("header")),
        (header("otherbot: none, noindex"), None),
        (header("nofollow, noindex"), Some("header")),
        (page(200, html, &with("<link rel=canonical href=/others>")), Some("canonical")),
        (page(200, html, &with("<meta http-equiv=refresh content='0; url=/others'>")), Some("redirect")),
        (page(404, html, &good), Some("status")),
        (page(410, html, &good), Some("status")),
        (page(403, html, &good), Some("status")),
        (page(401, html, &good), Some("status")),
        (page(500, html, &good), Some("status")),
        (page(503, html, &good), Some("status")),
        (page(200, html, "<title>Page not found</title><h1>Oops</h1><p>Try the home page.</p>"), Some("soft_404")),
        (page(200, html, "<title>Seite nicht gefunden</title><p>Leider.</p>"), Some("soft_404")),
        (page(200, html, "<div id=root></div>"), Some("soft_404")),
        (page(200, html, "<title>Sign in</title><form><input type=password></form>"), Some("login_wall")),
        (page(200, &[("content-type", "application/zip")], "PK"), Some("document")),
        (robots("User-agent: *\nDisallow: /lamps"), Some("robots")),
        (robots("User-agent: Googlebot\nDisallow: /*mps$"), Some("robots")),
    ];
    assert!(cases.len() >= 40);
    for ((status, headers, html, rules), expected) in cases {
        let headers: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let result = checked(status, &headers, &html, &rules);
        assert_eq!(result["first_block"].as_str(), expected, "{html}\n{rules}\n{result}");
        assert_eq!(result["indexable"], expected.is_none());
    }
}

/// A website without robots.txt.
fn open() -> sdk::Fake {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 404, &[], b"");
    fake
}

#[test]
fn a_page_that_says_what_any_made_up_address_says_is_a_soft_404() {
    let shell = format!(
        "<title>Shop</title><main><h1>Shop</h1><p>{}</p></main>",
        "The shop of lamps and desks for all who read at night. ".repeat(5)
    );
    let fake = open().serving(PAGE, &shell);
    let first = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!(first["first_block"], Value::Null, "{first}");
    let asked: Vec<String> = fake.requested().into_iter().filter(|it| it.contains("/espalier-")).collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
    // Another fake draws the same chance: now the made-up address answers too.
    let made_up = asked[0].trim_start_matches("GET ");
    let fake = open().serving(PAGE, &shell).serving(made_up, &shell);
    let second = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!(second["first_block"], "soft_404", "{second}");
    let fake = open().serving(PAGE, &text("brass lamps")).serving(made_up, &shell);
    let other = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!(other["first_block"], Value::Null, "a page with a text of its own is none: {other}");
}

#[test]
fn a_redirect_is_told_hop_by_hop_and_a_page_without_an_answer_as_such() {
    let fake = open();
    fake.serve(PAGE, 301, &[("location", "/lamps/")], b"");
    fake.serve(&format!("{ORIGIN}/lamps/"), 200, HTML, text("lamps").as_bytes());
    let result = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!(
        (&result["first_block"], &result["final_url"]),
        (&json!("redirect"), &json!("https://shop.example/lamps/"))
    );
    fake.fail(PAGE, sdk::Failure::Timeout);
    let result = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!((&result["first_block"], &result["status"]), (&json!("fetch"), &json!(0)));
    fake.fail(PAGE, sdk::Failure::Refused);
    assert_eq!(
        refused(&fake, "indexing.url.check", json!({ "url": PAGE })),
        ("url_refused".to_owned(), Some("/url".to_owned()))
    );
}

fn inspection(verdict: &str, canonical: &str) -> Value {
    json!({ "inspectionResult": { "indexStatusResult": {
        "verdict": verdict, "coverageState": "Crawled - currently not indexed", "robotsTxtState": "ALLOWED",
        "indexingState": "INDEXING_ALLOWED", "pageFetchState": "SUCCESSFUL", "googleCanonical": canonical,
        "userCanonical": PAGE, "lastCrawlTime": "2026-01-05T10:00:00Z", "crawledAs": "MOBILE",
    } } })
}

#[test]
fn googles_word_is_held_against_what_the_page_declares() {
    let fake = website().connected("con_1", "google_search_console");
    let sites = json!({ "siteEntry": [
        { "siteUrl": "https://other.example/", "permissionLevel": "siteOwner" },
        { "siteUrl": "sc-domain:shop.example", "permissionLevel": "siteFullUser" },
    ] });
    fake.provider_answers("GET", "/webmasters/v3/sites", 200, &sites);
    fake.provider_answers(
        "POST",
        "/v1/urlInspection/index:inspect",
        200,
        &inspection("NEUTRAL", "https://shop.example/others"),
    );
    fake.serve(PAGE, 200, HTML, format!("<link rel=canonical href=/lamps>{}", text("lamps")).as_bytes());
    let result = call(&fake, "indexing.url.inspect", of_site(json!({ "url": PAGE })));
    assert_eq!(
        (&result["google"]["verdict"], &result["property"]),
        (&json!("NEUTRAL"), &json!("sc-domain:shop.example"))
    );
    assert_eq!(result["google"]["last_crawled_at"], "2026-01-05T10:00:00.000Z");
    let about: Vec<&str> =
        result["disagreements"].as_array().unwrap().iter().map(|it| it["about"].as_str().unwrap()).collect();
    assert!(about.contains(&"canonical"), "{result}");
    assert!(fake.sent().iter().any(|it| it.contains("/v1/urlInspection/index:inspect")), "{:?}", fake.sent());
}

#[test]
fn inspection_needs_a_connection_a_property_and_a_page_of_the_website() {
    let arguments = of_site(json!({ "url": PAGE }));
    assert_eq!(refused(&website(), "indexing.url.inspect", arguments.clone()).0, "connection_required");
    let fake = website().connected("con_1", "google_search_console");
    fake.provider_answers(
        "GET",
        "/webmasters/v3/sites",
        200,
        &json!({ "siteEntry": [{ "siteUrl": "https://other.example/", "permissionLevel": "siteOwner" }] }),
    );
    assert_eq!(refused(&fake, "indexing.url.inspect", arguments).0, "property_not_found");
    let other = of_site(json!({ "url": "https://other.example/" }));
    assert_eq!(refused(&fake, "indexing.url.inspect", other), ("url_not_of_site".to_owned(), Some("/url".to_owned())));
}

#[test]
fn nothing_is_said_of_a_page_that_was_not_looked_at() {
    let fake = website();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], b"User-agent: EspalierBot\nDisallow: /");
    fake.fail(PAGE, sdk::Failure::Disallowed);
    let result = call(&fake, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!(
        (&result["indexable"], &result["first_block"], &result["status"]),
        (&Value::Null, &Value::Null, &json!(0))
    );
    assert_eq!(result["degraded"][0]["what"], "page", "{result}");
    let both = website();
    both.serve(&format!("{ORIGIN}/robots.txt"), 200, &[], b"User-agent: *\nDisallow: /");
    both.fail(PAGE, sdk::Failure::Disallowed);
    let result = call(&both, "indexing.url.check", json!({ "url": PAGE }));
    assert_eq!((&result["indexable"], &result["first_block"]), (&json!(false), &json!("robots")), "{result}");
}
