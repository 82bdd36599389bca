//! Whole audits of a small stored crawl, against the fake host.

use std::collections::BTreeSet;

use kit::crawled::{RobotsSummary, RunRecord, RunState};
use sdk::json;
use sdk::serde_json::Value;

mod planted;

use super::{Checkpoint, Phase};
use crate::stored::{Audit, Issue, IssueUrl, Kept, Part};
use crate::trial::{Crawl, ORIGIN, SITE, audit, crawl, urls, urls_of, website};
use site::Run;

#[test]
fn an_audit_of_a_crawl_ends_with_a_score_and_its_issues() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(audit["state"], "succeeded", "{audit}");
    assert_eq!(audit["pages"], 4);
    let score = audit["score"].as_f64().unwrap();
    assert!((0.0..100.0).contains(&score), "{score}");
    assert!(audit["by_severity"]["error"].as_u64().unwrap() > 0);
    assert!(audit["delta"].is_null());
    assert_eq!(urls(&fake, &audit, "title.duplicate"), [format!("{ORIGIN}/"), format!("{ORIGIN}/lamps")]);
    assert_eq!(urls(&fake, &audit, "response.client_error"), [format!("{ORIGIN}/gone")]);
}

#[test]
fn links_are_judged_by_what_they_lead_to() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    for rule in ["links.broken_internal", "links.broken_external", "links.to_redirect", "links.generic_anchor"] {
        assert_eq!(urls(&fake, &audit, rule), [format!("{ORIGIN}/")], "{rule}");
    }
    let issue = fake
        .call("audit.issue.get", json!({ "audit_ref": audit["audit_ref"], "rule": "links.broken_internal" }))
        .unwrap();
    assert_eq!(issue["examples"][0]["evidence"]["value"], format!("{ORIGIN}/gone"));
    assert_eq!(issue["fix_operation"], "cms.link.replace");
}

#[test]
fn a_link_through_a_redirect_keeps_a_page_from_being_an_orphan() {
    let fake = website();
    crawl(&fake, "run-1").html("/lost", "<title>Lost lamps</title>");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(urls(&fake, &audit, "links.orphan"), [format!("{ORIGIN}/lost")]);
}

#[test]
fn an_audit_in_single_steps_finds_what_one_without_a_break_finds() {
    let fake = website();
    let mut pages = crawl(&fake, "run-1");
    for number in 0..250 {
        pages.html(&format!("/lamp-{number}"), &format!("<title>Lamp {}</title><a href=/gone>Gone</a>", number / 2));
    }
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(audit["pages"], 254);
    let duplicate =
        fake.call("audit.issue.get", json!({ "audit_ref": audit["audit_ref"], "rule": "title.duplicate" })).unwrap();
    assert_eq!(duplicate["issue"]["urls"], 252);
    let broken = fake
        .call("audit.issue.get", json!({ "audit_ref": audit["audit_ref"], "rule": "links.broken_internal" }))
        .unwrap();
    assert_eq!(broken["issue"]["urls"], 251);
    let listed: usize = fake.rows::<IssueUrl>().iter().filter(|row| row.rule == "title.duplicate").count();
    assert_eq!(listed, 252);
}

#[test]
fn only_the_rules_asked_for_are_asked() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1", "rules": ["title.duplicate", "response.client_error"] }));
    let issues = fake.call("audit.issue.list", json!({ "audit_ref": audit["audit_ref"] })).unwrap();
    let rules: Vec<_> = issues["issues"].as_array().unwrap().iter().map(|issue| issue["rule"].clone()).collect();
    assert_eq!(rules, ["response.client_error", "title.duplicate"], "pages that are not there come first");
}

#[test]
fn an_audit_reads_no_more_pages_than_it_was_told_and_says_so_in_its_units() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1", "max_pages": 2 }));
    assert_eq!(audit["pages"], 2);
    assert!(fake.rows::<Issue>().iter().all(|issue| issue.rule != "links.orphan"), "half a site has no orphans");
}

#[test]
fn the_second_audit_says_what_changed_since_the_first() {
    let fake = website();
    crawl(&fake, "run-1");
    let first = audit(&fake, json!({ "run_ref": "run-1" }));
    let mut second = Crawl::begin(&fake, "run-2");
    second.html("/", "<title>Lamps</title>").html("/lamps", "<title>Other lamps</title><a href=/>Home of lamps</a>");
    fake.set_now(fake.now().plus(1_000));
    let audit = audit(&fake, json!({ "run_ref": "run-2" }));
    let delta = &audit["delta"];
    assert_eq!(delta["baseline_audit"], first["audit_ref"]);
    let has = |member: &str, rule: &str| delta[member].as_array().unwrap().iter().any(|it| it == rule);
    assert!(
        has("fixed", "title.duplicate") && has("new", "links.none") && has("persisting", "description.missing"),
        "{delta}"
    );
    let listed = fake.call("audit.opportunities.list", json!({ "site_id": SITE, "limit": 100 })).unwrap();
    let trends = listed["opportunities"].as_array().unwrap();
    let trend = |rule: &str| trends.iter().find(|it| it["rule"] == rule).unwrap()["trend"].clone();
    assert_eq!(trend("links.none"), "new");
    assert_eq!(trend("description.missing"), "unchanged");
    assert!(trends.iter().all(|it| it["audit_ref"] == audit["audit_ref"]));
}

#[test]
fn stored_opportunities_are_ranked_filtered_and_paged() {
    let fake = website();
    crawl(&fake, "run-1");
    audit(&fake, json!({ "run_ref": "run-1" }));
    let all = fake.call("audit.opportunities.list", json!({ "site_id": SITE, "limit": 100 })).unwrap();
    let all = all["opportunities"].as_array().unwrap();
    let value = |it: &Value| it["impact"].as_u64().unwrap() * it["confidence"].as_u64().unwrap();
    assert!(all.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])));
    assert_eq!(all.len(), fake.rows::<Kept>().len());
    let mut paged = Vec::new();
    let mut arguments = json!({ "site_id": SITE, "limit": 7 });
    loop {
        let page = fake.call("audit.opportunities.list", arguments.clone()).unwrap();
        paged.extend(page["opportunities"].as_array().unwrap().clone());
        let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
        arguments["cursor"] = next.clone();
    }
    assert_eq!(&paged, all);
    let links =
        fake.call("audit.opportunities.list", json!({ "site_id": SITE, "area": "links", "min_impact": 10 })).unwrap();
    let links = links["opportunities"].as_array().unwrap();
    assert!(!links.is_empty());
    assert!(links.iter().all(|it| it["area"] == "links" && it["impact"].as_u64().unwrap() >= 10));
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let fake = website();
    crawl(&fake, "run-1");
    fake.put_as("running", Run(RunRecord { state: RunState::Running, ..RunRecord::default() }));
    let refusals = [
        (json!({ "run_ref": "none" }), "run_not_found"),
        (json!({ "run_ref": "running" }), "run_unfinished"),
        (json!({ "run_ref": "run-1", "rules": ["title.missing", "title.of_no_rule"] }), "unknown_rule"),
        (json!({ "run_ref": "run-1", "baseline_audit": "none" }), "audit_not_found"),
        (json!({ "run_ref": "run-1", "max_pages": 0 }), "invalid_arguments"),
    ];
    for (arguments, code) in refusals {
        assert_eq!(fake.refusal("audit.run.start", arguments.clone()).code, code, "{arguments}");
    }
    assert!(fake.rows::<Audit>().is_empty());
    for operation in ["audit.run.get", "audit.issue.list"] {
        assert_eq!(fake.refusal(operation, json!({ "audit_ref": "none" })).code, "audit_not_found");
    }
    for operation in ["audit.run.list", "audit.opportunities.list"] {
        assert_eq!(fake.refusal(operation, json!({ "site_id": "1" })).code, "website_not_found");
    }
}

#[test]
fn the_baseline_is_an_audit_of_the_same_website() {
    let fake = website();
    crawl(&fake, "run-1");
    let own = audit(&fake, json!({ "run_ref": "run-1" }));
    fake.put_as("run-9", Run(RunRecord { site_id: "9".to_owned(), state: RunState::Finished, ..RunRecord::default() }));
    let refusal = fake.refusal("audit.run.start", json!({ "run_ref": "run-9", "baseline_audit": own["audit_ref"] }));
    assert_eq!(refusal.code, "baseline_unfit");
}

#[test]
fn issues_are_the_worst_first_and_their_pages_can_be_paged() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let issues = fake.call("audit.issue.list", json!({ "audit_ref": audit["audit_ref"], "limit": 100 })).unwrap();
    let rules = |list: &Value, key: &str| -> Vec<String> {
        list[key].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap().to_owned()).collect()
    };
    let listed = rules(&issues, "issues");
    let worth = fake.call("audit.opportunities.list", json!({ "site_id": SITE, "limit": 100 })).unwrap();
    let ranked = rules(&worth, "opportunities");
    let hygiene = listed.iter().position(|rule| !ranked.contains(rule)).unwrap_or(listed.len());
    assert_eq!(listed[..hygiene].iter().collect::<BTreeSet<_>>(), ranked.iter().collect::<BTreeSet<_>>());
    assert!(listed[hygiene..].iter().all(|rule| rule.starts_with("security.")), "{listed:?}");
    let first = fake
        .call("audit.issue.url.list", json!({ "audit_ref": audit["audit_ref"], "rule": "title.duplicate", "limit": 1 }))
        .unwrap();
    let arguments =
        json!({ "audit_ref": audit["audit_ref"], "rule": "title.duplicate", "cursor": first["next_cursor"] });
    let second = fake.call("audit.issue.url.list", arguments).unwrap();
    assert_ne!(first["urls"][0]["url"], second["urls"][0]["url"]);
    let none =
        fake.refusal("audit.issue.url.list", json!({ "audit_ref": audit["audit_ref"], "rule": "title.missing" }));
    assert_eq!(none.code, "issue_not_found");
}

#[test]
fn a_checkpoint_from_the_middle_reads_back_as_it_was_written() {
    let checkpoint = Checkpoint { phase: Phase::Links, pages: 7, inlinks: vec![1, 0, 3], ..Checkpoint::default() };
    let text = sdk::serde_json::to_string(&checkpoint).unwrap();
    let read: Checkpoint = sdk::serde_json::from_str(&text).unwrap();
    assert_eq!(sdk::serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn an_analysis_of_an_audited_website_stands_on_the_whole_audit() {
    let fake = website();
    crawl(&fake, "run-1");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    let fake =
        fake.serving("https://shop.example/", "<title>Lamps</title>").serving("https://shop.example/lamps", "<p>Soon.");
    let analysis = fake.call("audit.opportunities.analyze", json!({ "site_id": SITE, "max_pages": 2 })).unwrap();
    assert_eq!(analysis["audit_ref"], audit["audit_ref"]);
    assert_eq!(analysis["crawled_pages"], 4);
    let opportunities = analysis["opportunities"].as_array().unwrap();
    let found = |rule: &str| opportunities.iter().find(|it| it["rule"] == rule);
    assert_eq!(found("links.broken_internal").unwrap()["affected"], 1, "what only a crawl can know is there");
    assert_eq!(found("title.missing").unwrap()["affected"], 1, "what is new since the crawl is there too");
    assert_eq!(analysis["checked"].as_array().unwrap().len(), 2);
}

#[test]
fn a_crawl_of_heavy_pages_is_indexed_in_rows_that_the_host_takes() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    let versions: String = (0..200)
        .map(|number| format!("<link rel=alternate hreflang=de href='/{}-{number}'>", "long-".repeat(350)))
        .collect();
    for number in 0..8 {
        pages.html(&format!("/{number}"), &format!("<title>{}</title>{versions}", "word ".repeat(20_000)));
    }
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(audit["state"], "succeeded", "{audit}");
    for part in fake.rows::<Part>() {
        let size = sdk::serde_json::to_string(&*part).unwrap().len();
        assert!(size <= 256 << 10, "{size} bytes");
    }
}

#[test]
fn a_batch_of_pages_that_break_every_rule_fits_into_a_step() {
    let worst = super::pages::BATCH as usize * (crate::rules::all().count() + 1);
    assert!(2 * worst <= super::ROWS, "{worst} rows");
}

#[test]
fn what_robots_txt_says_is_judged_at_the_home_page() {
    let fake = website();
    let robots = RobotsSummary { status: 503, state: "unreachable".to_owned(), ..RobotsSummary::default() };
    Crawl::begin_with(&fake, "run-1", robots).html("/", "<title>Lamps</title>");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(urls(&fake, &audit, "robots.unreachable"), [format!("{ORIGIN}/")]);
}

#[test]
fn links_are_counted_by_whether_they_are_followed_and_what_they_say() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    pages
        .html("/", "<title>Lamps</title><a href=/silent>Read more</a><a href=/copy>Copy of lamps</a>")
        .html("/silent", "<title>A lamp</title><a href=/>Home of lamps</a><a href=/lone>A lone lamp</a>")
        .html("/copy", "<title>A copy</title><link rel=canonical href=/silent><a href=/hidden>Hidden lamps</a>")
        .html("/hidden", "<title>Hidden lamps</title>");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(urls(&fake, &audit, "links.only_unnamed"), [format!("{ORIGIN}/silent")]);
    assert_eq!(urls(&fake, &audit, "links.only_from_hidden"), [format!("{ORIGIN}/hidden")]);
    assert_eq!(urls(&fake, &audit, "links.to_canonicalised"), [format!("{ORIGIN}/")]);
}

#[test]
fn a_page_that_keeps_crawlers_out_is_not_called_gone() {
    let fake = website();
    crawl(&fake, "run-1").page("/shy", 403, &[("content-type", "text/html")], "").page("/odd", 999, &[], "");
    let audit = audit(&fake, json!({ "run_ref": "run-1" }));
    assert_eq!(urls(&fake, &audit, "response.client_error"), [format!("{ORIGIN}/gone")]);
    assert!(urls_of(&fake, &audit, "response.server_error").is_empty());
}
