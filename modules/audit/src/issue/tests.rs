//! Suppressions, settings and comparisons of audits, against the fake host.

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{Crawl, ORIGIN, SITE, audit, crawl, urls, website};

fn score(audit: &Value) -> f64 {
    audit["score"].as_f64().unwrap()
}

/// Rules that leave something of the score of the small crawl.
const FEW: [&str; 3] = ["response.client_error", "title.duplicate", "description.missing"];

fn rules(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_suppressed_finding_leaves_the_score_at_once_and_stays_listed() {
    let fake = website();
    crawl(&fake, "run-1");
    let first = audit(&fake, json!({ "run_ref": "run-1", "rules": FEW }));
    let suppress =
        json!({ "site_id": SITE, "rule": "response.client_error", "pattern": "/gone", "reason": "Sold out." });
    let hidden = fake.call("audit.issue.suppress", suppress.clone()).unwrap();
    assert_eq!(hidden["hidden_urls"], 1);
    let now = fake.call("audit.run.get", json!({ "audit_ref": first["audit_ref"] })).unwrap();
    assert!(score(&now) > score(&first), "{} is not above {}", score(&now), score(&first));
    assert_eq!(hidden["score"], now["score"]);
    assert!(urls(&fake, &first, "response.client_error").is_empty());
    let arguments = json!({ "audit_ref": first["audit_ref"], "rule": "response.client_error", "suppressed": true });
    let listed = fake.call("audit.issue.url.list", arguments).unwrap();
    assert_eq!(listed["urls"][0]["url"], format!("{ORIGIN}/gone"));
    let issues = fake.call("audit.issue.list", json!({ "audit_ref": first["audit_ref"], "limit": 100 })).unwrap();
    assert!(!rules(&issues["issues"]).contains(&"response.client_error"));
    assert_eq!(rules(&issues["suppressed"]), ["response.client_error"]);

    let again = fake.call("audit.issue.suppress", suppress).unwrap();
    assert_eq!(
        again["suppression_ref"], hidden["suppression_ref"],
        "the same rule and pattern is the same suppression"
    );
    assert_eq!((&again["hidden_urls"], &again["score"]), (&json!(1), &hidden["score"]), "nothing is counted twice");
}

#[test]
fn an_audit_made_later_scores_as_the_one_that_was_rescored() {
    let fake = website();
    crawl(&fake, "run-1");
    let first = audit(&fake, json!({ "run_ref": "run-1", "rules": FEW }));
    let suppress = json!({ "site_id": SITE, "rule": "title.duplicate", "pattern": "/", "reason": "One shop." });
    let hidden = fake.call("audit.issue.suppress", suppress).unwrap();
    assert_eq!(hidden["hidden_urls"], 2);
    fake.set_now(fake.now().plus(1_000));
    let second = audit(&fake, json!({ "run_ref": "run-1", "rules": FEW }));
    assert_eq!(second["score"], hidden["score"]);
    assert_ne!(second["score"], first["score"]);
    assert!(urls(&fake, &second, "title.duplicate").is_empty());
    let delta = &second["delta"];
    assert_eq!((&delta["new"], &delta["fixed"], &delta["score"]), (&json!([]), &json!([]), &json!(0.0)), "{delta}");
}

#[test]
fn a_suppression_ends_with_its_day() {
    let fake = website();
    crawl(&fake, "run-1");
    let today = fake.now().day();
    let suppress = json!({
        "site_id": SITE, "rule": "response.client_error", "pattern": "/gone", "reason": "Back soon.", "until": today
    });
    fake.call("audit.issue.suppress", suppress.clone()).unwrap();
    let held = audit(&fake, json!({ "run_ref": "run-1" }));
    assert!(urls(&fake, &held, "response.client_error").is_empty());
    fake.set_now(fake.now().plus(86_400_000));
    let open = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(urls(&fake, &open, "response.client_error"), [format!("{ORIGIN}/gone")]);
    let refusal = fake.refusal("audit.issue.suppress", suppress);
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("day_passed", Some("/until")));
}

#[test]
fn settings_change_thresholds_and_severities_and_turn_rules_off() {
    let fake = website();
    crawl(&fake, "run-1");
    let configured = fake
        .call(
            "audit.rule.configure",
            json!({ "site_id": SITE, "settings": [
                { "rule": "title.too_short", "threshold": 3 },
                { "rule": "title.duplicate", "severity": "error" },
                { "rule": "response.client_error", "enabled": false }
            ] }),
        )
        .unwrap();
    let settings = configured["settings"].as_array().unwrap();
    let setting = |rule: &str| settings.iter().find(|it| it["rule"] == rule).unwrap();
    assert_eq!(setting("title.too_short")["threshold"], "3 characters");
    assert_eq!(setting("title.duplicate")["severity"], "error");
    assert_eq!(setting("response.client_error")["enabled"], false);
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let issues = fake.call("audit.issue.list", json!({ "audit_ref": audit["audit_ref"], "limit": 100 })).unwrap();
    let found = rules(&issues["issues"]);
    assert!(!found.contains(&"title.too_short") && !found.contains(&"response.client_error"), "{found:?}");
    let duplicate = issues["issues"].as_array().unwrap().iter().find(|it| it["rule"] == "title.duplicate").unwrap();
    assert_eq!(duplicate["severity"], "error");

    let back = json!({ "site_id": SITE, "settings": [{ "rule": "title.duplicate" }] });
    let settings = fake.call("audit.rule.configure", back).unwrap();
    let duplicate = settings["settings"].as_array().unwrap().iter().find(|it| it["rule"] == "title.duplicate").unwrap();
    assert_eq!((&duplicate["usual"], &duplicate["severity"]), (&json!(true), &json!("warning")));
    assert_eq!(settings["settings"].as_array().unwrap().len(), 3, "the others stay");
}

#[test]
fn settings_that_make_no_sense_are_refused_and_nothing_is_written() {
    let fake = website();
    let refusals = [
        (json!({ "rule": "title.of_no_rule" }), "unknown_rule", "/settings/1/rule"),
        (json!({ "rule": "title.missing", "threshold": 5 }), "no_threshold", "/settings/1/threshold"),
        (json!({ "rule": "title.too_long", "threshold": 1_000_000 }), "threshold_too_far", "/settings/1/threshold"),
        (json!({ "rule": "url.uppercase" }), "rule_twice", "/settings/1/rule"),
    ];
    for (change, code, pointer) in refusals {
        let arguments = json!({ "site_id": SITE, "settings": [{ "rule": "url.uppercase", "enabled": false }, change] });
        let refusal = fake.refusal("audit.rule.configure", arguments.clone());
        assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), (code, Some(pointer)), "{arguments}");
    }
    assert!(fake.rows::<crate::settings::Settings>().is_empty());
    for (operation, arguments) in [
        ("audit.rule.configure", json!({ "site_id": "1", "settings": [{ "rule": "url.uppercase" }] })),
        ("audit.issue.suppress", json!({ "site_id": "1", "rule": "url.uppercase", "pattern": "/", "reason": "No." })),
    ] {
        assert_eq!(fake.refusal(operation, arguments).code, "website_not_found");
    }
}

#[test]
fn two_audits_are_compared_rule_by_rule_and_page_by_page() {
    let fake = website();
    let page = |title: &str| format!("<title>{title}</title><a href=/>Home of lamps</a>");
    let mut runs = Vec::new();
    let titles = [
        ["A lamp of brass", "A lamp of brass"],
        ["A lamp of brass", "A lamp of tin"],
        ["A lamp of tin", "A lamp of tin"],
    ];
    for (at, [one, other]) in titles.into_iter().enumerate() {
        let run = ["run-1", "run-2", "run-3"][at];
        Crawl::begin(&fake, run).html("/", &page("The home of lamps")).html("/a", &page(one)).html("/b", &page(other));
        runs.push(audit(&fake, json!({ "run_ref": run })));
        fake.set_now(fake.now().plus(1_000));
    }
    let compare = |a: usize, b: usize| {
        let arguments = json!({ "audit_a": runs[a]["audit_ref"], "audit_b": runs[b]["audit_ref"] });
        fake.call("audit.run.compare", arguments).unwrap()
    };
    let first = compare(0, 1);
    assert!(rules(&first["fixed"]).contains(&"title.duplicate"), "{first}");
    assert_eq!(first["new"], json!([]));
    let missing =
        first["persisting"].as_array().unwrap().iter().find(|it| it["rule"] == "description.missing").unwrap();
    assert_eq!(missing["pages"], json!({ "new": 0, "fixed": 0, "persisting": 3 }));
    let second = compare(1, 2);
    assert_eq!(rules(&second["reappeared"]), ["title.duplicate"], "it was there before and had gone");
    let whole = compare(0, 2);
    assert!(rules(&whole["persisting"]).contains(&"title.duplicate"));

    let reversed = json!({ "audit_a": runs[1]["audit_ref"], "audit_b": runs[0]["audit_ref"] });
    assert_eq!(fake.refusal("audit.run.compare", reversed).code, "audits_reversed");
    let none = json!({ "audit_a": runs[1]["audit_ref"], "audit_b": "none" });
    let refusal = fake.refusal("audit.run.compare", none);
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("audit_not_found", Some("/audit_b")));
}
