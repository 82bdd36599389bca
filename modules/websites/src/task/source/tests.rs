//! Freezing findings of audits, against the fake host.

use std::collections::BTreeMap;

use sdk::json;
use sdk::serde_json::Value;

use super::*;
use crate::task::stored::{Finding, Task};
use crate::task::tests::{create, issue, shop};
use crate::tests::added;

#[test]
fn an_issue_is_frozen_with_its_rule_its_evidence_and_its_pages() {
    let (fake, site) = shop();
    let task = create(&fake, json!({ "site_id": site, "title": "Titles", "source_ref": "audit-1:title.missing" }));
    assert_eq!((&task["verifiable"], &task["urls"], &task["affected"]), (&json!(true), &json!(2), &json!(3)));
    let finding = &fake.rows::<Finding>()[0];
    let urls: Vec<&str> = finding.pages.iter().map(|page| page.url.as_str()).collect();
    assert_eq!(urls, ["https://shop.example/a", "https://shop.example/b"], "what its owner suppressed is left out");
    assert_eq!(finding.pages[0].before.as_ref().unwrap().expected.as_deref(), Some("a title"));
    let source = fake.rows::<Task>()[0].source.clone().unwrap();
    assert_eq!(
        (source.audit_ref.as_ref().map(Id::as_str), source.rule.as_str(), source.affected),
        (Some("audit-1"), "title.missing", 3)
    );
}

#[test]
fn an_opportunity_names_its_finding_and_pages_narrow_it() {
    let (fake, site) = shop();
    let behind = Behind { rule: "title.missing".into() };
    fake.put_as("opp-1", Opportunity { audit: "audit-1".into(), opportunity: behind });
    let arguments = json!({ "site_id": site, "title": "Titles", "source_ref": "opp-1", "urls": ["https://shop.example/b#top", "https://SHOP.example/b"] });
    assert_eq!(create(&fake, arguments)["urls"], 1);
    assert_eq!(fake.rows::<Finding>()[0].pages[0].url, "https://shop.example/b");
    let other = json!({ "site_id": site, "title": "Titles", "source_ref": "opp-1", "urls": ["https://shop.example/b", "https://shop.example/c"] });
    let refusal = fake.refusal("websites.task.create", other);
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("not_in_finding", Some("/urls/1")));
}

#[test]
fn the_number_in_force_is_frozen_with_the_finding() {
    let (fake, site) = shop();
    issue(&fake, "audit-1", "title.too_long", &["/a"]);
    let arguments = json!({ "site_id": site, "title": "Shorter", "source_ref": "audit-1:title.too_long" });
    create(&fake, arguments.clone());
    let moved = BTreeMap::from([("title.too_long".to_owned(), Moved { threshold: Some(600) })]);
    fake.put_as(&site, RuleSettings { rules: moved });
    create(&fake, arguments);
    let frozen: Vec<_> = fake.rows::<Finding>().iter().map(|it| it.threshold).collect();
    assert_eq!(frozen, [Some(580), Some(600)]);
}

#[test]
fn a_task_that_no_check_stands_behind_says_so() {
    let (fake, site) = shop();
    issue(&fake, "audit-1", "links.orphan", &["/a"]);
    issue(&fake, "audit-1", "title.multiple", &[]);
    fake.put(Issue { audit: "audit-1".into(), rule: "heading.h1_missing".into(), affected: 7 });
    let because = |arguments: Value| {
        let task = create(&fake, arguments);
        assert_eq!(task["verifiable"], false);
        task["not_verifiable_because"].as_str().unwrap().to_owned()
    };
    let plain = json!({ "site_id": site, "title": "Logo", "urls": ["https://www.shop.example/"] });
    assert!(because(plain).contains("without a finding"));
    let of = |rule: &str| json!({ "site_id": site, "title": "A", "source_ref": format!("audit-1:{rule}") });
    assert!(because(of("links.orphan")).contains("one page alone"));
    assert!(because(of("heading.h1_missing")).contains("keeps no page"));
    assert_eq!(fake.refusal("websites.task.create", of("title.multiple")).code, "source_not_found");
}

#[test]
fn a_finding_of_another_website_and_one_that_is_none_are_not_found_alike() {
    let (fake, site) = shop();
    let fake = fake.serving("https://other.example/", "");
    let other = added(&fake, "other.example");
    let refused = |site: &str, source: &str| {
        fake.refusal("websites.task.create", json!({ "site_id": site, "title": "A", "source_ref": source }))
    };
    let foreign = refused(&other, "audit-1:title.missing");
    assert_eq!((foreign.code.as_str(), foreign.pointer.as_deref()), ("source_not_found", Some("/source_ref")));
    for source in ["audit-2:title.missing", "audit-1:title.nothing", "opp-9", ":"] {
        assert_eq!(refused(&site, source), foreign, "{source}");
    }
    assert!(fake.rows::<Task>().is_empty() && fake.rows::<Finding>().is_empty());
}

#[test]
fn of_a_large_finding_five_hundred_pages_are_frozen_and_the_result_tells_how_many_there_are() {
    let (fake, site) = shop();
    let paths: Vec<String> = (0..600).map(|n| format!("/p/{n:03}")).collect();
    issue(&fake, "audit-1", "title.too_short", &paths.iter().map(String::as_str).collect::<Vec<_>>());
    let task = create(&fake, json!({ "site_id": site, "title": "A", "source_ref": "audit-1:title.too_short" }));
    assert_eq!((&task["urls"], &task["affected"]), (&json!(500), &json!(600)));
    let frozen: Vec<_> = fake.rows::<Finding>().iter().map(|it| (it.threshold, it.pages.len())).collect();
    assert_eq!(frozen, [(Some(10), 500)]);
}
