//! What a plan of removal promises.

use sdk::json;

use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, of_site, refused, text, website};

fn plan(reason: &str, paths: &[&str]) -> sdk::serde_json::Value {
    let fake = website();
    Crawl::begin(&fake, RUN, 1)
        .html("/", &format!("<a href=/linked>x</a>{}", text("home")))
        .html("/linked", &text("linked"))
        .html("/alone", &text("alone"))
        .html("/stays", &text("twin"))
        .listed("/twin", &text("twin"))
        .answer("/gone", "link", 410, HTML, "");
    let urls: Vec<String> = paths.iter().map(|path| format!("{ORIGIN}{path}")).collect();
    call(&fake, "indexing.removal.plan", of_site(json!({ "urls": urls, "reason": reason })))
}

fn steps(plan: &sdk::serde_json::Value) -> Vec<String> {
    let shown = |it: &sdk::serde_json::Value| {
        let target = it["target"].as_str().map(|it| format!(" {}", it.replace(ORIGIN, ""))).unwrap_or_default();
        format!(
            "{} {} {}{target}",
            it["order"],
            it["url"].as_str().unwrap().replace(ORIGIN, ""),
            it["method"].as_str().unwrap()
        )
    };
    plan["steps"].as_array().unwrap().iter().map(shown).collect()
}

#[test]
fn the_method_follows_from_reason_links_and_twins() {
    assert_eq!(
        steps(&plan("outdated", &["/alone", "/linked", "/gone"])),
        ["2 /alone gone", "2 /gone none", "2 /linked gone", "3 /linked unlink"]
    );
    assert_eq!(steps(&plan("outdated", &["/twin"])), ["2 /twin redirect /stays", "3 /twin unlink"]);
    assert_eq!(
        steps(&plan("duplicate", &["/twin", "/alone"])),
        ["2 /alone noindex", "2 /twin redirect /stays", "3 /twin unlink"]
    );
    assert_eq!(
        steps(&plan("low_value", &["/linked", "/alone"])),
        ["2 /alone gone", "2 /linked noindex", "3 /linked unlink"]
    );
    let private = plan("private", &["/alone"]);
    assert_eq!(steps(&private), ["2 /alone password"]);
    assert!(private["warnings"].to_string().contains("temporary removal"), "{private}");
}

#[test]
fn a_page_that_robots_txt_hides_is_opened_before_its_noindex() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN, 1);
    crawl.html("/", &text("home"));
    fake.put(addresses::Row {
        run: RUN.to_owned(),
        seq: 9,
        url: format!("{ORIGIN}/blocked"),
        indexability_reason: "robots_blocked".to_owned(),
        ..addresses::Row::default()
    });
    let urls = [format!("{ORIGIN}/blocked")];
    let made = call(&fake, "indexing.removal.plan", of_site(json!({ "urls": urls, "reason": "duplicate" })));
    assert_eq!(steps(&made), ["1 /blocked allow_crawling", "2 /blocked noindex"]);
}

#[test]
fn unknown_addresses_are_warned_of_and_others_refused() {
    let made = plan("outdated", &["/never-seen"]);
    assert!(made["warnings"][0].as_str().unwrap().contains("not in the newest crawl"), "{made}");
    let fake = website();
    let arguments = of_site(json!({ "urls": [ORIGIN], "reason": "outdated" }));
    assert_eq!(refused(&fake, "indexing.removal.plan", arguments).0, "crawl_required");
    let foreign = of_site(json!({ "urls": ["https://other.example/"], "reason": "outdated" }));
    assert_eq!(
        refused(&fake, "indexing.removal.plan", foreign),
        ("url_not_of_site".to_owned(), Some("/urls/0".to_owned()))
    );
}
