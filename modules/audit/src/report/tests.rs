//! Reports on a small stored crawl, with an audit and without one.

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{Crawl, ORIGIN, SITE, audit, crawl, website};

const REPORTS: [&str; 8] =
    ["metadata", "heading", "canonical", "thin_content", "security", "url_hygiene", "indexability", "image"];

fn rows<'a>(report: &'a Value, problem: &str) -> Vec<&'a str> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["problem"] == problem || row["reason"] == problem)
        .map(|row| row["url"].as_str().unwrap())
        .collect()
}

fn urls(report: &Value, problem: &str) -> u64 {
    let sums = report["summary"].as_array().unwrap();
    sums.iter().find(|sum| sum["problem"] == problem).map_or(0, |sum| sum["urls"].as_u64().unwrap())
}

#[test]
fn a_crawl_without_an_audit_is_judged_in_the_call_and_the_report_says_so() {
    let fake = website();
    crawl(&fake, "run-1");
    for report in REPORTS {
        let report = fake.call(&format!("audit.{report}.report"), json!({ "run_ref": "run-1" })).unwrap();
        assert_eq!(report["pages"], 4, "{report}");
        assert!(report["audit_ref"].is_null());
        assert!(report["degraded"][0]["why"].as_str().unwrap().contains("no audit"), "{report}");
    }
    let report = fake.call("audit.metadata.report", json!({ "run_ref": "run-1" })).unwrap();
    assert_eq!(rows(&report, "title.duplicate"), [format!("{ORIGIN}/"), format!("{ORIGIN}/lamps")]);
}

#[test]
fn with_an_audit_a_report_is_what_the_audit_found() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let report = fake.call("audit.metadata.report", json!({ "run_ref": "run-1", "limit": 100 })).unwrap();
    assert_eq!(report["audit_ref"], audit["audit_ref"]);
    assert_eq!(urls(&report, "title.duplicate"), 2);
    assert_eq!(rows(&report, "title.duplicate"), [format!("{ORIGIN}/"), format!("{ORIGIN}/lamps")]);
    assert!(rows(&report, "description.missing").is_empty(), "titles were asked for");
    let group = &report["duplicate_groups"][0];
    assert_eq!((&group["text"], &group["count"]), (&json!("Lamps"), &json!(2)));
    let described = json!({ "run_ref": "run-1", "element": "description" });
    let report = fake.call("audit.metadata.report", described).unwrap();
    assert_eq!(urls(&report, "description.missing"), 2);
}

#[test]
fn pages_of_a_report_together_are_the_report_with_an_audit_and_without() {
    let fake = website();
    crawl(&fake, "run-1");
    for _ in 0..2 {
        for report in REPORTS {
            let operation = format!("audit.{report}.report");
            let whole = fake.call(&operation, json!({ "run_ref": "run-1", "limit": 100 })).unwrap();
            let mut paged = Vec::new();
            let mut arguments = json!({ "run_ref": "run-1", "limit": 1 });
            loop {
                let page = fake.call(&operation, arguments.clone()).unwrap();
                paged.extend(page["rows"].as_array().unwrap().clone());
                let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
                arguments["cursor"] = next.clone();
            }
            assert_eq!(&paged, whole["rows"].as_array().unwrap(), "{report}");
        }
        audit(&fake, json!({ "run_ref": "run-1" }));
    }
}

#[test]
fn a_canonical_is_shown_with_what_its_target_answers() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    let page =
        |to: &str| format!("<title>A lamp</title><link rel=canonical href={ORIGIN}{to}><a href=/>Home of lamps</a>");
    pages
        .html("/", &page("/"))
        .html("/a", &page("/gone"))
        .html("/b", &page("/old"))
        .html("/c", &page("/elsewhere"))
        .page("/gone", 404, &[("content-type", "text/html")], "")
        .page("/old", 301, &[("location", "/")], "");
    audit(&fake, json!({ "run_ref": "run-1" }));
    let report = fake.call("audit.canonical.report", json!({ "run_ref": "run-1" })).unwrap();
    let state = |problem: &str| {
        let rows = report["rows"].as_array().unwrap();
        rows.iter().find(|row| row["problem"] == problem).unwrap_or_else(|| panic!("{problem}: {report}"))["target_state"].clone()
    };
    assert_eq!(state("canonical.target_error"), "404");
    assert_eq!(state("canonical.target_redirects"), "301");
    let one = json!({ "run_ref": "run-1", "problem": "canonical.target_error" });
    let one = fake.call("audit.canonical.report", one).unwrap();
    assert_eq!(one["rows"].as_array().unwrap().len(), 1);
    assert_eq!(one["summary"], report["summary"], "the summary is of all problems");
}

#[test]
fn every_address_has_one_reason_and_conflicts_are_named() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    pages
        .html("/", "<title>Lamps</title>")
        .html("/hidden", "<meta name=robots content=noindex><title>Hidden</title>")
        .html("/copy", &format!("<title>Copy</title><link rel=canonical href={ORIGIN}/>"))
        .html(
            "/torn",
            &format!("<title>Torn</title><meta name=robots content=noindex><link rel=canonical href={ORIGIN}/>"),
        )
        .page("/old", 301, &[("location", "/")], "")
        .page("/gone", 404, &[], "")
        .page("/members", 401, &[], "")
        .page("/broken", 503, &[], "")
        .page("/list.pdf", 200, &[("content-type", "application/pdf")], "");
    audit(&fake, json!({ "run_ref": "run-1" }));
    let report = fake.call("audit.indexability.report", json!({ "run_ref": "run-1" })).unwrap();
    let expected = json!({
        "indexable": 1, "noindex": 2, "canonicalised": 1, "redirect": 1, "client_error": 1, "login": 1,
        "server_error": 1, "not_html": 1
    });
    assert_eq!(report["summary"], expected);
    assert_eq!(report["rows"].as_array().unwrap().len(), 8, "what can be indexed is no row");
    assert_eq!(rows(&report, "redirect"), [format!("{ORIGIN}/old")]);
    let conflicts = report["conflicts"].as_array().unwrap();
    assert!(conflicts.iter().any(|row| row["url"] == format!("{ORIGIN}/torn")), "{conflicts:?}");
    let login = fake.call("audit.indexability.report", json!({ "run_ref": "run-1", "reason": "login" })).unwrap();
    assert_eq!(rows(&login, "login"), [format!("{ORIGIN}/members")]);
}

#[test]
fn a_page_is_thin_beside_its_like_not_beside_the_whole_site() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    let text = |words: usize, own: &str| {
        let words: Vec<String> = (0..words).map(|at| format!("{own}{at}")).collect();
        format!("<title>{own}</title><main><h1>{own}</h1><p>{}</p></main>", words.join(" "))
    };
    for at in 0..6 {
        pages.html(&format!("/guides/{at}"), &text(900, &format!("guide{at}n")));
        pages.html(&format!("/lamps/{at}"), &text(150, &format!("lamp{at}n")));
    }
    pages.html("/guides/short", &text(160, "short")).html("/lamps/bare", &text(20, "bare"));
    pages.html("/lamps/lorem", "<title>New</title><main><p>Lorem ipsum dolor sit amet.</p></main>");
    audit(&fake, json!({ "run_ref": "run-1" }));
    let report = fake.call("audit.thin_content.report", json!({ "run_ref": "run-1" })).unwrap();
    assert_eq!(rows(&report, "below_its_type"), [format!("{ORIGIN}/guides/short")]);
    assert_eq!(rows(&report, "few_words"), [format!("{ORIGIN}/lamps/bare")]);
    assert_eq!(rows(&report, "placeholder"), [format!("{ORIGIN}/lamps/lorem")]);
    assert_eq!(report["rows"].as_array().unwrap().len(), 3, "a lamp of 150 words is like the others: {report}");
    let short = report["rows"].as_array().unwrap().iter().find(|row| row["reason"] == "below_its_type").unwrap();
    assert_eq!(short["type"], "/guides/*");
    assert!(short["median"].as_u64().unwrap() >= 900);
}

#[test]
fn what_cannot_be_reported_on_is_refused() {
    let fake = website();
    crawl(&fake, "run-1");
    for report in REPORTS {
        let operation = format!("audit.{report}.report");
        assert_eq!(fake.refusal(&operation, json!({ "run_ref": "none" })).code, "run_not_found", "{report}");
        for cursor in ["x", "title.of_no_rule 1"] {
            let arguments = json!({ "run_ref": "run-1", "cursor": cursor });
            assert_eq!(fake.refusal(&operation, arguments).code, "invalid_cursor", "{report} {cursor}");
        }
    }
    for report in ["heading", "canonical", "url_hygiene", "image"] {
        let arguments = json!({ "run_ref": "run-1", "problem": "title.missing" });
        let refusal = fake.refusal(&format!("audit.{report}.report"), arguments);
        assert_eq!(refusal.code, "unknown_problem");
        assert_eq!(refusal.pointer.as_deref(), Some("/problem"));
    }
}

#[test]
fn a_disabled_rule_and_a_suppressed_page_are_in_no_report() {
    let fake = website();
    crawl(&fake, "run-1");
    let report = || fake.call("audit.metadata.report", json!({ "run_ref": "run-1" })).unwrap();
    assert_eq!(urls(&report(), "title.duplicate"), 2);
    let suppress = json!({ "site_id": SITE, "rule": "title.duplicate", "pattern": "/lamps$", "reason": "Known." });
    fake.call("audit.issue.suppress", suppress).unwrap();
    assert_eq!(urls(&report(), "title.duplicate"), 1);
    let off = json!({ "site_id": SITE, "settings": [{ "rule": "title.duplicate", "enabled": false }] });
    fake.call("audit.rule.configure", off).unwrap();
    assert_eq!(urls(&report(), "title.duplicate"), 0);
}
