//! Proposals for small crawls: what they say, that their rules accept them, and what is refused.

mod law;
mod written;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::trial::{Crawl, ORIGIN, SITE, audit, website};

/// A page with everything in order, so that a test breaks one thing.
fn page(title: &str, more: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title><meta name=viewport content='width=device-width'></head>\
         <body><main><h1>{title}</h1>{more}<p>Lamps of brass are made to last. Their cords can be changed by hand.</p>\
         <a href=/>Home of lamps</a></main></body></html>"
    )
}

/// Audits the run and asks for fixes of one rule.
fn suggest(fake: &Fake, rule: &str, paths: &[&str]) -> Value {
    let audit = audit(fake, json!({ "run_ref": "run-1" }));
    let urls: Vec<String> = paths.iter().map(|path| format!("{ORIGIN}{path}")).collect();
    let asked = json!({ "audit_ref": audit["audit_ref"], "rule": rule, "urls": urls });
    fake.call("audit.fix.suggest", asked).unwrap()
}

fn proposed(fixes: &Value) -> Vec<&str> {
    fixes["fixes"].as_array().unwrap().iter().map(|fix| fix["proposed"].as_str().unwrap()).collect()
}

#[test]
fn a_title_that_is_too_long_loses_the_website_first() {
    let fake = website();
    let long = "Brass lamps for the desk that can be mended by hand at home | The old lamp shop by the harbour";
    Crawl::begin(&fake, "run-1").html("/", &page(long, ""));
    let fixes = suggest(&fake, "title.too_long", &["/"]);
    assert_eq!(proposed(&fixes), ["Brass lamps for the desk that can be mended by hand at home"]);
    let fix = &fixes["fixes"][0];
    assert_eq!((&fix["current"], &fix["apply_operation"]), (&json!(long), &json!("cms.seo_meta.update")));
    assert_eq!(fix["apply_args"]["item_ref"], fix["url"]);
    assert_eq!(fix["apply_args"]["title"], fix["proposed"]);
    assert_eq!((&fix["apply_missing"], &fix["applies"]), (&json!([]), &json!(true)));
}

#[test]
fn pages_with_the_same_title_get_titles_of_their_own() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    for path in ["/desk-lamps", "/wall-lamps", "/x/1", "/x/2"] {
        pages.html(path, &page("Brass lamps", "").replace("<h1>Brass lamps</h1>", "<h1>Lamps</h1>"));
    }
    let fixes = suggest(&fake, "title.duplicate", &["/desk-lamps", "/wall-lamps", "/x/1", "/x/2"]);
    let mut titles = proposed(&fixes);
    assert!(titles.contains(&"Wall lamps"), "{titles:?}");
    let count = titles.len();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), count, "no two are the same");
    assert!(!titles.contains(&"Brass lamps"));
    assert_eq!(count + fixes["skipped"].as_array().unwrap().len(), 4);
}

#[test]
fn descriptions_are_whole_sentences_of_the_page() {
    let fake = website();
    Crawl::begin(&fake, "run-1").html("/lamps", &page("Brass lamps", ""));
    let fixes = suggest(&fake, "description.missing", &["/lamps"]);
    let text = proposed(&fixes)[0];
    assert!(text.ends_with("Their cords can be changed by hand."), "{text}");
}

#[test]
fn canonicals_become_absolute_lead_to_the_end_and_never_to_an_error() {
    let fake = website();
    let canonical = |href: &str| format!("<link rel=canonical href={href}>");
    let with = |href: &str| page("Brass lamps", "").replace("</head>", &format!("{}</head>", canonical(href)));
    let mut pages = Crawl::begin(&fake, "run-1");
    pages
        .html("/", &page("Home of lamps", ""))
        .html("/relative", &with("/relative"))
        .html("/moved", &with(&format!("{ORIGIN}/old")))
        .html("/hidden", "<meta name=robots content=noindex><title>Hidden lamps</title>")
        .page("/to-hidden", 301, &[("location", "/hidden")], "")
        .html("/shy", &with(&format!("{ORIGIN}/to-hidden")))
        .html("/lost", &with(&format!("{ORIGIN}/new_lamps.html")))
        .html("/new-lamps", &with(&format!("{ORIGIN}/new-lamps")))
        .page("/old", 301, &[("location", "/older")], "")
        .page("/older", 301, &[("location", "/")], "")
        .page("/new_lamps.html", 404, &[("content-type", "text/html")], "");
    let one = |rule: &str, path: &str| proposed(&suggest(&fake, rule, &[path]))[0].to_owned();
    assert_eq!(one("canonical.missing", "/"), format!("{ORIGIN}/"));
    assert_eq!(one("canonical.relative", "/relative"), format!("{ORIGIN}/relative"));
    assert_eq!(one("canonical.target_redirects", "/moved"), format!("{ORIGIN}/"));
    assert_eq!(one("canonical.target_redirects", "/shy"), format!("{ORIGIN}/shy"), "what is hidden stands for nobody");
    assert_eq!(one("canonical.target_error", "/lost"), format!("{ORIGIN}/new-lamps"));
}

#[test]
fn links_lead_past_redirects_and_broken_ones_where_the_page_has_moved() {
    let fake = website();
    Crawl::begin(&fake, "run-1")
        .html(
            "/",
            &page(
                "Home of lamps",
                "<a href=/old>Old lamps</a><a href=/Desk_Lamps.html>Desk</a><a href=/nowhere>No</a>",
            ),
        )
        .html("/desk-lamps", &page("Desk lamps", ""))
        .page("/old", 301, &[("location", "/desk-lamps")], "")
        .page("/Desk_Lamps.html", 404, &[("content-type", "text/html")], "")
        .page("/nowhere", 404, &[("content-type", "text/html")], "");
    let past = suggest(&fake, "links.to_redirect", &["/"]);
    let pair = json!([{ "from": format!("{ORIGIN}/old"), "to": format!("{ORIGIN}/desk-lamps") }]);
    assert_eq!(past["fixes"][0]["apply_args"]["pairs"], pair);
    let broken = suggest(&fake, "links.broken_internal", &["/"]);
    assert_eq!(proposed(&broken), [format!("{ORIGIN}/desk-lamps")], "nobody knows where /nowhere went");
    let gone = suggest(&fake, "response.client_error", &["/Desk_Lamps.html", "/nowhere"]);
    assert!(gone["fixes"][0]["apply_args"]["redirects"].is_array(), "{gone}");
    assert_eq!(gone["skipped"], json!([{ "url": format!("{ORIGIN}/nowhere"), "why": "nothing_fits" }]));
}

#[test]
fn pictures_are_named_after_what_their_files_say_and_templates_after_the_standard() {
    let fake = website();
    let images = "<img src=/brass-desk-lamp-1024x768.jpg><img src=/IMG_0042.jpg>";
    let bare = page("Brass lamps", images)
        .replace(" lang=en", "")
        .replace("<meta name=viewport content='width=device-width'>", "");
    Crawl::begin(&fake, "run-1").html("/lamps", &bare);
    let alts = suggest(&fake, "image.alt_missing", &["/lamps"]);
    assert_eq!(proposed(&alts), ["Brass desk lamp", "Brass lamps"]);
    let fixes = alts["fixes"].as_array().unwrap();
    assert!(fixes[0]["confidence"].as_f64() > fixes[1]["confidence"].as_f64(), "what the page is about is a guess");
    assert_eq!(fixes[1]["target"], format!("{ORIGIN}/IMG_0042.jpg"));
    let lang = suggest(&fake, "content.lang_missing", &["/lamps"]);
    assert_eq!((proposed(&lang), &lang["fixes"][0]["applies"]), (vec!["en"], &json!(false)));
    assert_eq!(
        proposed(&suggest(&fake, "mobile.viewport_missing", &["/lamps"])),
        ["width=device-width, initial-scale=1"]
    );
}

#[test]
fn a_heading_is_the_title_without_the_website() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    for name in ["Brass", "Steel", "Glass"] {
        let title = format!("{name} lamps | Lamp shop");
        pages.html(&format!("/{name}"), &page(&title, "").replace(&format!("<h1>{title}</h1>"), ""));
    }
    assert_eq!(proposed(&suggest(&fake, "heading.h1_missing", &["/Brass", "/Glass"])), ["Brass lamps", "Glass lamps"]);
}

#[test]
fn what_has_no_fix_is_refused_and_what_is_not_at_fault_is_left_out() {
    let fake = website();
    Crawl::begin(&fake, "run-1").html("/", &page("Home", "")).html("/lamps", &page("Brass lamps of the shop", ""));
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let ask =
        |audit: &Value, rule: &str| json!({ "audit_ref": audit, "rule": rule, "urls": [format!("{ORIGIN}/lamps")] });
    let refusals = [
        (ask(&json!("none"), "title.missing"), "audit_not_found"),
        (ask(&audit["audit_ref"], "title.of_no_rule"), "unknown_rule"),
        (ask(&audit["audit_ref"], "content.thin"), "no_fixer"),
        (ask(&audit["audit_ref"], "title.missing"), "issue_not_found"),
        (json!({ "audit_ref": audit["audit_ref"], "rule": "title.missing", "urls": [] }), "invalid_arguments"),
    ];
    for (arguments, code) in refusals {
        assert_eq!(fake.refusal("audit.fix.suggest", arguments.clone()).code, code, "{arguments}");
    }
    let refusal = fake.refusal("audit.fix.suggest", ask(&audit["audit_ref"], "content.thin"));
    assert_eq!(refusal.pointer.as_deref(), Some("/rule"));
    assert!(
        refusal
            .message
            .ends_with("title, description, heading, canonical, image, links, redirect, response, content, mobile")
    );
    let detail: Value = sdk::serde_json::from_str(refusal.detail.as_deref().unwrap()).unwrap();
    assert!(detail["rules"].as_array().unwrap().contains(&json!("title.missing")));
    let fixes = fake.call("audit.fix.suggest", ask(&audit["audit_ref"], "title.placeholder")).unwrap();
    assert_eq!((&fixes["fixes"], &fixes["skipped"][0]["why"]), (&json!([]), &json!("not_affected")));
}

#[test]
fn without_addresses_the_first_pages_at_fault_are_taken_and_suppressed_ones_are_not() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    for at in 0..53 {
        pages.html(&format!("/{at:02}"), &page("", "").replace("<h1></h1>", &format!("<h1>Lamps of kind {at}</h1>")));
    }
    let hidden = json!({ "site_id": SITE, "rule": "title.missing", "pattern": "/00", "reason": "a test" });
    fake.call("audit.issue.suppress", hidden).unwrap();
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let asked = json!({ "audit_ref": audit["audit_ref"], "rule": "title.missing" });
    let fixes = fake.call("audit.fix.suggest", asked).unwrap();
    let urls: Vec<&str> = fixes["fixes"].as_array().unwrap().iter().map(|fix| fix["url"].as_str().unwrap()).collect();
    assert_eq!((urls.len(), urls[0]), (50, "https://shop.example/01"));
    assert!(fixes["degraded"].to_string().contains("the first 50 of 52 pages at fault"), "{}", fixes["degraded"]);
}

#[test]
fn an_answer_holds_what_the_host_lets_through_and_names_the_rest() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    let images: String = (0..300).map(|at| format!("<img src=/{}lamp-{at}.jpg>", "long-".repeat(40))).collect();
    for at in 0..4 {
        pages.html(&format!("/{at}"), &page("Brass lamps", &images));
    }
    let fixes = suggest(&fake, "image.alt_missing", &["/0", "/1", "/2", "/3"]);
    assert!(fixes.to_string().len() < 1 << 20);
    let told = fixes["fixes"].as_array().unwrap().len();
    let full = fixes["skipped"].as_array().unwrap().iter().filter(|it| it["why"] == "answer_full").count();
    assert!(told.is_multiple_of(300) && told / 300 + full == 4 && full > 0, "{told} {full}");
}
