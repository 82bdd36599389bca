//! The websites module in its real sandbox, on the demo shop: proof of ownership, segments, competitors, events and
//! work items over both doors.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str =
    "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute destructive:execute";

/// A host beside a site at this address, a customer, and the site as their website.
async fn owner(address: SocketAddr) -> (Host, Customer, Value) {
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    (host, ada, site)
}

async fn shop() -> SocketAddr {
    demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop")
}

/// A crawl of a part of the shop, and its audit.
async fn audited(ada: &Customer, site: &Value) -> Value {
    let crawl = json!({ "site_id": site, "max_pages": 40, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    let audit = ada.change("audit.run.start", json!({ "run_ref": run })).await["audit_ref"].clone();
    let ended = ada.wait_for("audit.run.get", json!({ "audit_ref": audit }), 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    audit
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_is_verified_by_what_its_owner_puts_there_and_no_longer_when_it_is_gone() {
    let head = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&head);
    let page = move || {
        let head = shown.lock().expect("no panic").clone();
        async move { Html(format!("<!doctype html><html><head><title>Shop</title>{head}</head><body>Lamps</body></html>")) }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(page))).await });
    let (host, ada, site) = owner(address).await;

    let early = ada.run("websites.verify.check", json!({ "site_id": site })).await;
    assert_eq!(early.refusal(), (409, "verification_not_started".to_owned()));
    let started = ada.change("websites.verify.start", json!({ "site_id": site, "method": "meta_tag" })).await;
    let missing = ada.run("websites.verify.check", json!({ "site_id": site })).await.data();
    assert_eq!(missing["verified"], false, "{missing}");
    *head.lock().expect("no panic") = started["content"].as_str().expect("a tag").to_owned();
    let found = ada.change("websites.verify.check", json!({ "site_id": site })).await;
    assert_eq!((found["verified"].as_bool(), found["method"].as_str()), (Some(true), Some("meta_tag")), "{found}");
    let profile = ada.both("websites.profile.get", json!({ "site_id": site })).await;
    assert!(profile.to_string().contains("\"verified\":true"), "{profile}");
    head.lock().expect("no panic").clear();
    let lost = ada.run("websites.verify.check", json!({ "site_id": site })).await.data();
    assert_eq!((lost["verified"].as_bool(), lost["lost_at"].is_string()), (Some(false), true), "{lost}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finding_becomes_a_work_item_whose_fix_is_judged_on_the_pages_themselves() {
    let (host, ada, site) = owner(shop().await).await;
    let audit = audited(&ada, &site).await;
    let issues = ada.read("audit.issue.list", json!({ "audit_ref": audit, "limit": 100 })).await.data();
    let rules = issues["issues"].as_array().expect("issues").iter().filter_map(|it| it["rule"].as_str());
    let mut verifiable = None;
    for rule in rules {
        let source = format!("{}:{rule}", audit.as_str().expect("a reference"));
        let task = json!({ "site_id": site, "title": format!("Mend {rule}"), "source_ref": source, "assignee": "Ada" });
        let task = ada.change("websites.task.create", task).await;
        if task["verifiable"] == true {
            verifiable = Some(task["task_ref"].clone());
            break;
        }
        let refused = ada.run("websites.task.verify", json!({ "task_ref": task["task_ref"] })).await;
        assert_eq!(refused.status, 409, "{}", refused.json());
    }
    let task = verifiable.expect("an issue of one page alone");
    ada.run("websites.task.update", json!({ "task_ref": task, "state": "done", "note": "said to be done" }))
        .await
        .data();
    // Nobody has changed the shop: the fault is still there.
    let judged = ada.change("websites.task.verify", json!({ "task_ref": task })).await;
    assert_eq!(judged["state"], "regressed", "{judged}");
    assert!(judged["failed"].as_array().is_some_and(|failed| !failed.is_empty()), "{judged}");
    let listed =
        ada.both("websites.task.list", json!({ "site_id": site, "state": "regressed", "assignee": "Ada" })).await;
    assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(1), "{listed}");
    let score = ada.both("websites.metric.series.get", json!({ "site_id": site, "metric": "score" })).await;
    let today = score["points"].as_array().and_then(|points| points.last()).expect("a day");
    assert!(today["value"].as_f64().is_some_and(|value| (0.0..=100.0).contains(&value)), "{score}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_competitors_and_events_are_kept_and_shown_over_both_doors() {
    let (host, ada, site) = owner(shop().await).await;
    audited(&ada, &site).await;
    let rules = json!([{ "match": "glob", "value": "/de/*" }, { "match": "param", "value": "page", "negate": true }]);
    let segment = json!({ "site_id": site, "name": "Blog", "rules": rules });
    let set = ada.change("websites.segment.set", segment.clone()).await;
    assert!(set["matched_urls"].as_u64() > Some(0), "{set}");
    let again = ada.run("websites.segment.set", segment).await.data();
    assert_eq!(again["segment_ref"], set["segment_ref"], "the same name is the same segment");
    let tested = ada.both("websites.segment.test", json!({ "site_id": site, "rules": rules })).await;
    assert_eq!(tested["matched"], set["matched_urls"], "{tested}");
    let rivals = json!({ "site_id": site, "domains": ["www.rival.example", "other.example"] });
    let rivals = ada.change("websites.competitor.set", rivals).await;
    assert_eq!(rivals["competitors"].as_array().map(Vec::len), Some(2), "{rivals}");
    let own = ada.run("websites.competitor.set", json!({ "site_id": site, "domains": ["shop.example"] })).await;
    assert_eq!((own.refusal().0, own.pointer()), (422, "/domains/0".to_owned()));
    let event = json!({ "site_id": site, "date": "2024-03-10", "title": "New shop", "kind": "release", "segment_ref": set["segment_ref"] });
    ada.change("websites.annotation.add", event).await;
    let period = json!({ "site_id": site, "from": "2024-03-01", "to": "2024-03-31" });
    let events = ada.both("websites.annotation.list", period).await.to_string();
    assert!(events.contains("New shop") && events.contains("March 2024 core update"), "{events}");
    let profile = ada.both("websites.profile.get", json!({ "site_id": site })).await.to_string();
    assert!(profile.contains("\"Blog\"") && profile.contains("rival.example"), "{profile}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_made_of_what_was_found_and_what_needs_other_modules_says_so() {
    let (host, ada, site) = owner(shop().await).await;
    let bare = ada.both("websites.health.get", json!({ "site_id": site })).await;
    assert!(bare["score"].is_null(), "nothing was measured yet: {bare}");
    audited(&ada, &site).await;
    let health = ada.both("websites.health.get", json!({ "site_id": site })).await;
    assert!(health["score"].as_f64().is_some_and(|score| (0.0..=100.0).contains(&score)), "{health}");
    let started = ada.change("websites.plan.generate", json!({ "site_id": site, "weekly_hours": 20 })).await;
    let job = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(job["state"], "succeeded", "{job}");
    let plan = ada.both("websites.plan.get", json!({ "site_id": site })).await;
    let steps = plan["steps"].as_array().expect("steps").clone();
    assert!(!steps.is_empty() && steps.iter().all(|step| step["operation_id"].is_string()), "{plan}");
    let ranks: Vec<u64> = steps.iter().filter_map(|step| step["rank"].as_u64()).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    let found = ada.read("websites.tech.detect", json!({ "url": "http://shop.example/" })).await.data();
    assert!(found["technologies"].is_array(), "{found}");
    let rivals = ada.run("websites.competitor.discover", json!({ "site_id": site })).await;
    assert!(rivals.status.as_u16() == 200 || rivals.refusal().0 == 409, "{}", rivals.json());
    let change = json!({ "site_id": site, "change_date": "2026-09-01", "treated_urls": ["http://shop.example/"] });
    let impact = ada.run("websites.impact.analyze", change).await;
    assert!(impact.status.as_u16() == 200 || matches!(impact.refusal().0, 409 | 422), "{}", impact.json());
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_customers_website_and_work_items_do_not_exist() {
    let (host, ada, site) = owner(shop().await).await;
    let task =
        ada.run("websites.task.create", json!({ "site_id": site, "title": "Mine" })).await.data()["task_ref"].clone();
    let eve = host.customer(SCOPES).await;
    host.buy_points(&eve, 20).await;
    let rules = json!([{ "match": "glob", "value": "/blog/*" }]);
    for (operation, arguments) in [
        ("websites.verify.start", json!({ "site_id": site, "method": "dns_txt" })),
        ("websites.verify.check", json!({ "site_id": site })),
        ("websites.segment.set", json!({ "site_id": site, "name": "Blog", "rules": rules })),
        ("websites.segment.test", json!({ "site_id": site, "rules": rules })),
        ("websites.competitor.set", json!({ "site_id": site, "domains": ["rival.example"] })),
        ("websites.annotation.add", json!({ "site_id": site, "date": "2024-03-10", "title": "A", "kind": "release" })),
        ("websites.annotation.list", json!({ "site_id": site })),
        ("websites.metric.series.get", json!({ "site_id": site, "metric": "score" })),
        ("websites.task.create", json!({ "site_id": site, "title": "Theirs" })),
        ("websites.task.list", json!({ "site_id": site })),
        ("websites.health.get", json!({ "site_id": site })),
        ("websites.plan.generate", json!({ "site_id": site })),
        ("websites.plan.get", json!({ "site_id": site })),
        ("websites.competitor.discover", json!({ "site_id": site })),
        (
            "websites.impact.analyze",
            json!({ "site_id": site, "change_date": "2026-09-01", "treated_urls": ["https://shop.example/a"] }),
        ),
        ("websites.tech.detect", json!({ "site_id": site })),
    ] {
        assert_eq!(eve.not_found(operation, arguments).await, "website_not_found", "{operation}");
    }
    for (operation, arguments) in [
        ("websites.task.update", json!({ "task_ref": task, "state": "doing" })),
        ("websites.task.verify", json!({ "task_ref": task })),
    ] {
        assert_eq!(eve.not_found(operation, arguments).await, "task_not_found", "{operation}");
    }
}
