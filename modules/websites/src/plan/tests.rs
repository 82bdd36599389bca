//! Plans through their operations, against the fake host.

mod arguments;

use kit::crawled::{RunRecord, RunState, StopReason, Totals};
use sdk::Fix;
use sdk::Severity;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::Plan;
use super::sources::{Opportunity, Said};
use crate::audits::Audited;
use crate::plan::Effort;
use crate::task::source::{Issue, IssueUrl};
use crate::task::stored::Evidence;
use crate::tests::added;
use site::Run;

/// A million milliseconds after the fake's first moment is later than everything that is put here.
fn later(fake: &Fake) {
    fake.set_now(fake.now().plus(1_000_000));
}

fn crawl(fake: &Fake, site: &str, reason: StopReason) {
    let totals = Totals { fetched: 9, html: 8, indexable: 8, ..Totals::default() };
    fake.put_as(
        "run-1",
        Run(RunRecord {
            site_id: site.into(),
            state: RunState::Finished,
            stop_reason: Some(reason),
            created_ms: fake.now().millis(),
            finished_ms: Some(fake.now().millis()),
            totals,
            ..RunRecord::default()
        }),
    );
}

pub(crate) fn audit(fake: &Fake, id: &str, site: &str, rules: &[(&str, &str, u32, Effort, &str)]) {
    let now = fake.now().millis();
    fake.put_as(
        id,
        Audited {
            site_id: site.into(),
            run_ref: "run-1".into(),
            created_ms: now,
            finished_ms: Some(now),
            score: Some(70.0),
            rules: Vec::new(),
            by_area: std::collections::BTreeMap::new(),
        },
    );
    for (rank, (rule, area, impact, effort, operation)) in (1..).zip(rules) {
        let url = format!("https://shop.example/{rank}");
        let said = Said {
            rule: (*rule).into(),
            title: format!("Fault {rule}"),
            area: (*area).into(),
            urls: vec![url.clone()],
            affected: 1,
            share: 0.25,
            severity: if *impact >= 40 { Severity::Error } else { Severity::Warning },
            impact: *impact,
            confidence: 90,
            effort: *effort,
            fix: Fix::new(operation, json!({ "audit_ref": id, "rule": rule })),
        };
        fake.put(Opportunity { audit: id.into(), rank, opportunity: said });
        fake.put(Issue { audit: id.into(), rule: (*rule).into(), affected: 1 });
        let evidence = Evidence { element: "<title>".into(), value: String::new(), expected: None, count: None };
        fake.put(IssueUrl { audit: id.into(), rule: (*rule).into(), url, evidence, suppressed: false });
    }
}

const FOUND: &[(&str, &str, u32, Effort, &str)] = &[
    ("title.missing", "metadata", 30, Effort::Medium, "audit.fix.suggest"),
    ("links.to_redirect", "links", 15, Effort::Low, "audit.fix.suggest"),
    ("redirect.chain", "response", 20, Effort::Low, "audit.fix.suggest"),
    ("links.broken_internal", "links", 12, Effort::Medium, "audit.fix.suggest"),
    ("security.csp_missing", "security", 8, Effort::Medium, "audit.issue.get"),
    ("content.thin", "content", 25, Effort::High, "audit.issue.get"),
];

/// A website with a crawl and an audit of it.
fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    crawl(&fake, &site, StopReason::Completed);
    audit(&fake, "audit-1", &site, FOUND);
    later(&fake);
    (fake, site)
}

fn plan(fake: &Fake, arguments: Value) -> Value {
    let started = fake.call("websites.plan.generate", arguments.clone()).unwrap();
    assert_eq!((&started["state"], &started["steps"]), (&json!("queued"), &json!([])));
    let get = json!({ "site_id": arguments["site_id"], "plan_ref": started["plan_ref"] });
    assert_eq!(fake.call("websites.plan.get", get.clone()).unwrap()["plan"]["state"], "queued");
    fake.work();
    fake.call("websites.plan.get", get).unwrap()
}

fn step<'a>(plan: &'a Value, cause: &str) -> &'a Value {
    let steps = plan["steps"].as_array().unwrap();
    steps.iter().find(|it| it["root_cause"] == cause).unwrap_or_else(|| panic!("no step {cause} in {plan}"))
}

fn causes_of(plan: &Value) -> Vec<&str> {
    plan["steps"].as_array().unwrap().iter().filter_map(|it| it["root_cause"].as_str()).collect()
}

#[test]
fn a_website_of_which_nothing_is_known_is_planned_to_be_crawled_first() {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    let plan = plan(&fake, json!({ "site_id": site }));
    assert_eq!(plan["plan"]["state"], "succeeded");
    assert_eq!(plan["steps"][0]["operation_id"], "crawl.run.start");
    assert_eq!(plan["steps"][0]["args"], json!({ "site_id": site }));
    let degraded = plan["degraded"].to_string();
    assert!(degraded.contains("no whole audit has ended yet") && degraded.contains("no search data"), "{degraded}");
    assert_eq!(causes_of(&plan), ["reach.crawl", "reach.verify", "reach.search_data", "reach.competitors"]);
    for step in plan["steps"].as_array().unwrap() {
        assert!(sdk::served(step["operation_id"].as_str().unwrap()), "{step}");
    }
}

#[test]
fn findings_of_one_root_cause_are_one_step_with_the_reasons_of_all() {
    let (fake, site) = shop();
    let plan = plan(&fake, json!({ "site_id": site }));
    let redirects = step(&plan, "redirects");
    assert_eq!(redirects["sources"], json!(["audit-1:redirect.chain", "audit-1:links.to_redirect"]));
    assert_eq!(redirects["why"].as_array().unwrap().len(), 2);
    // 100 × (1 − 0.80 × 0.85)
    assert_eq!((&redirects["impact"], &redirects["effort"]), (&json!(32), &json!("low")));
    assert_eq!(redirects["operation_id"], "audit.fix.suggest");
    assert_eq!(redirects["args"], json!({ "audit_ref": "audit-1", "rule": "redirect.chain" }));
    // What is gone is mended before what leads to it in a roundabout way.
    assert_eq!(redirects["depends_on"], json!([step(&plan, "broken")["rank"]]));
}

#[test]
fn a_plan_fits_its_hours_and_says_what_does_not() {
    let (fake, site) = shop();
    let shown = kit::pack::Search { impressions: 1, clicks: 0, positions: 1 };
    let day = "2026-09-01".parse().unwrap();
    ::search::trial::store_pages(&fake, &site, &[(day, "https://shop.example/".to_owned(), shown)]);
    let small = plan(&fake, json!({ "site_id": site, "horizon_weeks": 1, "weekly_hours": 4 }));
    assert!(small["plan"]["hours"].as_u64().unwrap() <= 4, "{small}");
    assert!(small["plan"]["left_over"].to_string().contains("content.thin"), "{small}");
    let large = plan(&fake, json!({ "site_id": site, "horizon_weeks": 26, "weekly_hours": 4 }));
    let thin = step(&large, "content.thin");
    let (week, last) = (thin["week"].as_u64().unwrap(), thin["last_week"].as_u64().unwrap());
    assert_eq!(last - week, 2, "twelve hours take three weeks of four");
    assert_eq!(large["plan"]["left_over"], json!([]));
    for step in large["steps"].as_array().unwrap() {
        for before in step["depends_on"].as_array().unwrap() {
            assert!(before.as_u64() < step["rank"].as_u64(), "{step}");
        }
    }
}

#[test]
fn the_same_data_gives_the_same_plan() {
    let (fake, site) = shop();
    let (one, other) = (plan(&fake, json!({ "site_id": site })), plan(&fake, json!({ "site_id": site })));
    let steps = |plan: &Value| {
        let mut steps = plan["steps"].clone();
        steps.as_array_mut().unwrap().iter_mut().for_each(|it| it["step_ref"] = Value::Null);
        steps
    };
    assert_eq!(steps(&one), steps(&other));
    assert_ne!(one["plan"]["plan_ref"], other["plan"]["plan_ref"]);
    let newest = fake.call("websites.plan.get", json!({ "site_id": site })).unwrap();
    assert_eq!(newest["plan"]["plan_ref"], other["plan"]["plan_ref"]);
}

#[test]
fn a_focus_leaves_other_findings_out_and_keeps_what_all_stand_on() {
    let (fake, site) = shop();
    let content = plan(&fake, json!({ "site_id": site, "focus": "content" }));
    let causes = causes_of(&content);
    assert!(causes.contains(&"title") && causes.contains(&"content.thin") && causes.contains(&"reach.verify"));
    assert!(!causes.contains(&"redirects") && !causes.contains(&"security_headers"), "{causes:?}");
    let local = plan(&fake, json!({ "site_id": site, "focus": "local" }));
    assert!(local["degraded"].to_string().contains("local_grid.run.start"));
}

#[test]
fn with_search_data_a_finding_counts_by_the_clicks_on_its_pages() {
    let (fake, site) = shop();
    let day: Day = "2026-09-01".parse().unwrap();
    let row =
        |page: &str, clicks| (day, page.to_owned(), kit::pack::Search { impressions: 100, clicks, positions: 300 });
    let rows = [row("https://shop.example/1", 1), row("https://shop.example/6", 99)];
    ::search::trial::store_pages(&fake, &site, &rows);
    let plan = plan(&fake, json!({ "site_id": site, "weekly_hours": 40 }));
    // 25 ÷ √0.25 × √0.99, and 30 ÷ √0.25 × √0.01.
    let (thin, title) = (step(&plan, "content.thin"), step(&plan, "title"));
    assert_eq!((&thin["clicks"], &thin["impact"]), (&json!(99), &json!(50)));
    assert_eq!((&title["clicks"], &title["impact"]), (&json!(1), &json!(6)));
    assert!(!causes_of(&plan).contains(&"reach.search_data"));
    assert_eq!(plan["degraded"], json!([]));
}

#[test]
fn the_state_of_a_step_follows_its_work_item_and_then_a_newer_audit() {
    let (fake, site) = shop();
    let get = |fake: &Fake| fake.call("websites.plan.get", json!({ "site_id": site })).unwrap();
    let first = plan(&fake, json!({ "site_id": site }));
    assert!(first["steps"].as_array().unwrap().iter().all(|it| it["state"] == "open"), "{first}");
    let title = step(&first, "title")["step_ref"].clone();
    let task = json!({ "site_id": site, "title": "Titles", "source_ref": title });
    let task = fake.call("websites.task.create", task).unwrap();
    assert_eq!((&task["verifiable"], &task["urls"]), (&json!(true), &json!(1)));
    fake.call("websites.task.update", json!({ "task_ref": task["task_ref"], "state": "doing" })).unwrap();
    assert_eq!(step(&get(&fake), "title")["state"], "doing");
    // Also by the finding behind it.
    let thin = json!({ "site_id": site, "title": "Texts", "source_ref": "audit-1:content.thin" });
    let thin = fake.call("websites.task.create", thin).unwrap();
    fake.call("websites.task.update", json!({ "task_ref": thin["task_ref"], "state": "dropped" })).unwrap();
    let shown = get(&fake);
    assert_eq!(step(&shown, "content.thin")["state"], "dropped");
    assert_eq!((&shown["plan"]["steps_done"], &shown["plan"]["hours_done"]), (&json!(1), &json!(12)));
    later(&fake);
    audit(&fake, "audit-2", &site, &FOUND[..2]);
    let shown = get(&fake);
    assert_eq!(step(&shown, "broken")["state"], "verified");
    assert_eq!(step(&shown, "broken")["state_from"], "audit audit-2");
    assert_eq!(step(&shown, "redirects")["state"], "open", "one of its two findings is still there");
}

#[test]
fn a_step_without_a_finding_is_done_when_the_website_no_longer_lacks_it() {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    let before = plan(&fake, json!({ "site_id": site }));
    let task = json!({ "site_id": site, "title": "Crawl", "source_ref": step(&before, "reach.crawl")["step_ref"] });
    assert_eq!(fake.call("websites.task.create", task).unwrap()["verifiable"], false);
    let competitors = json!({ "site_id": site, "domains": ["rival.example"] });
    fake.call("websites.competitor.set", competitors).unwrap();
    let shown = fake.call("websites.plan.get", json!({ "site_id": site })).unwrap();
    assert_eq!(step(&shown, "reach.competitors")["state"], "verified");
    assert_eq!(step(&shown, "reach.crawl")["state"], "open");
    let other = json!({ "site_id": site, "title": "A", "source_ref": "17#1" });
    assert_eq!(fake.refusal("websites.task.create", other).code, "source_not_found");
}

#[test]
fn a_fix_that_did_not_hold_is_planned_again() {
    let (fake, site) = shop();
    fake.serve("https://shop.example/1", 200, &[("content-type", "text/html")], b"<title></title><p>Lamp");
    let task = json!({ "site_id": site, "title": "Titles", "source_ref": "audit-1:title.missing" });
    let task = fake.call("websites.task.create", task).unwrap();
    fake.call("websites.task.update", json!({ "task_ref": task["task_ref"], "state": "done" })).unwrap();
    let verified = fake.call("websites.task.verify", json!({ "task_ref": task["task_ref"] })).unwrap();
    assert_eq!(verified["state"], "regressed");
    let plan = plan(&fake, json!({ "site_id": site }));
    let title = step(&plan, "title");
    assert!(title["why"].to_string().contains("did not hold"), "{title}");
    assert_eq!(title["state"], "regressed");
}

#[test]
fn robots_that_forbid_all_come_before_the_next_crawl() {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    crawl(&fake, &site, StopReason::RobotsDisallowed);
    fake.set_now(fake.now().plus(60 * 86_400_000));
    let plan = plan(&fake, json!({ "site_id": site }));
    let (robots, crawl) = (step(&plan, "reach.robots"), step(&plan, "reach.crawl"));
    assert_eq!(robots["operation_id"], "indexing.robots.lint");
    assert!(robots["rank"].as_u64() < crawl["rank"].as_u64());
}

#[test]
fn what_is_not_there_is_not_found() {
    let (fake, site) = shop();
    assert_eq!(fake.refusal("websites.plan.generate", json!({ "site_id": "17" })).code, "website_not_found");
    let refusal = fake.refusal("websites.plan.get", json!({ "site_id": site }));
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("plan_not_found", Some("/plan_ref")));
    fake.call("websites.plan.generate", json!({ "site_id": site })).unwrap();
    let mut foreign = fake.rows::<Plan>()[0].it.clone();
    foreign.site_id = Id::new("17");
    let foreign = fake.put(foreign).id;
    let refusal = fake.refusal("websites.plan.get", json!({ "site_id": site, "plan_ref": foreign }));
    assert_eq!(refusal.code, "plan_not_found");
    let none = json!({ "site_id": site, "horizon_weeks": 0 });
    assert_eq!(fake.refusal("websites.plan.generate", none).pointer.as_deref(), Some("/horizon_weeks"));
}
