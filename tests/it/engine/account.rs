//! The account module in its real sandbox: what the service knows of a customer and does for them, over both doors.

use std::time::Duration;

use model::clock::Clock as _;
use model::id::{CustomerId, OrderId};
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read websites:read assets:read assets:write billing:read billing:manage \
                      destructive:execute seo:analyze seo:execute";

async fn owner() -> (Host, Customer) {
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    (host, ada)
}

/// A host beside the demo shop, a customer, the shop's website and an ended crawl of a part of it.
async fn crawled() -> (Host, Customer, Value, Value) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 30, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    let ended = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    (host, ada, site, run)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_in_is_shown_step_by_step_and_defaults_are_kept() {
    let (host, ada) = owner().await;
    let before = ada.both("account.setup.get", json!({})).await;
    let steps: Vec<&str> =
        before["missing"].as_array().expect("steps").iter().filter_map(|it| it["operation_id"].as_str()).collect();
    assert!(steps.contains(&"websites.create"), "{before}");
    let set = json!({ "timezone": "europe/berlin", "country": "de", "currency": "eur", "week_start": "mon" });
    let set = ada.change("account.profile.update", set).await;
    assert_eq!(set["profile"]["timezone"], "Europe/Berlin", "{set}");
    let profile = ada.both("account.profile.get", json!({})).await;
    assert_eq!((&profile["profile"]["country"], &profile["plan"]["name"]), (&json!("DE"), &json!("pay_as_you_go")));
    let wrong = ada.run("account.profile.update", json!({ "timezone": "Mars/Olympus" })).await;
    assert_eq!((wrong.refusal().0, wrong.pointer()), (422, "/timezone".to_owned()));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_in_is_listed_and_a_revoked_token_is_worth_nothing_at_once() {
    let (host, ada) = owner().await;
    let other = ada.with_token(&host.token_for(&ada, SCOPES, Duration::from_secs(3_600)).await);
    let listed = ada.read("account.grant.list", json!({})).await.data();
    let grants = listed["grants"].as_array().expect("grants").clone();
    assert_eq!(grants.len(), 2, "{listed}");
    assert!(!listed.to_string().contains(&other.token), "no token is shown");
    // The newest first.
    let newest = grants[0]["grant_ref"].clone();
    let eve = host.customer(SCOPES).await;
    assert_eq!(eve.not_found("account.grant.revoke", json!({ "grant_ref": newest })).await, "grant_not_found");
    assert_eq!(other.get("/account").await.status, 200);
    let revoked = ada.change("account.grant.revoke", json!({ "grant_ref": newest })).await;
    assert_eq!(revoked["tokens_revoked"], 1, "{revoked}");
    assert_eq!(other.get("/account").await.status, 401);
    assert_eq!(ada.not_found("account.grant.revoke", json!({ "grant_ref": newest })).await, "grant_not_found");
    let page = ada.both("account.grant.list", json!({ "limit": 1 })).await;
    assert_eq!(page["grants"].as_array().map(Vec::len), Some(1), "{page}");
    let made_up = ada.run("account.grant.list", json!({ "cursor": "made-up" })).await;
    assert_eq!((made_up.refusal().0, made_up.pointer()), (422, "/cursor".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_is_listed_with_the_names_of_its_arguments_and_never_their_values() {
    let (host, ada) = owner().await;
    ada.run("authors.create", json!({ "firstname": "Geheim", "lastname": "Lovelace" })).await.data();
    let refused = ada.run("authors.create", json!({ "firstname": "Ada" })).await;
    assert_eq!(refused.refusal().0, 422);
    let listed = ada.read("account.activity.list", json!({ "module": "authors" })).await.data();
    let entries = listed["entries"].as_array().expect("entries").clone();
    assert_eq!(entries.len(), 2, "{listed}");
    let done = entries.iter().find(|it| it["outcome"] == "ok").expect("the call");
    assert_eq!((&done["operation_id"], done["points"].as_u64()), (&json!("authors.create"), Some(3)), "{done}");
    assert!(!listed.to_string().contains("Geheim"), "{listed}");
    assert!(listed.to_string().contains("firstname"), "{listed}");
    let denied = ada.read("account.activity.list", json!({ "module": "authors", "outcome": "denied" })).await.data();
    assert_eq!(denied["entries"].as_array().map(Vec::len), Some(1), "{denied}");
    let reads = ada.read("account.activity.list", json!({ "module": "authors", "kind": "read" })).await.data();
    assert_eq!(reads["entries"], json!([]));
    let eve = host.customer(SCOPES).await;
    let nothing = eve.read("account.activity.list", json!({ "module": "authors" })).await.data();
    assert_eq!(nothing["entries"], json!([]), "nobody sees another's");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_every_module_are_followed_and_stopped_for_the_work_done() {
    let (host, ada, site, run) = crawled().await;
    let listed = ada.both("account.job.list", json!({ "module": "crawl", "site_id": site })).await;
    let job = listed["jobs"][0]["job_ref"].clone();
    let ended = ada.both("account.job.get", json!({ "job_ref": job })).await;
    assert_eq!((&ended["state"], &ended["result_operation"]), (&json!("succeeded"), &json!("crawl.run.get")));
    assert_eq!(ended["result_arguments"], json!({ "run_ref": run }), "{ended}");
    let over = ada.run("account.job.cancel", json!({ "job_ref": job })).await;
    assert_eq!(over.refusal(), (409, "job_ended".to_owned()));
    let credits = async || ada.read("account.credit.balance.get", json!({})).await.data()["credits"].clone();
    let before = credits().await;
    let crawl = json!({ "site_id": site, "max_pages": 2_000, "rate_rps": 1, "check_external": false });
    let started = ada.run("crawl.run.start", crawl).await.data();
    // A look at work that goes on is free; one at work that has ended is a read like others.
    let points = async |job: &Value| {
        let seen = ada.read("account.job.get", json!({ "job_ref": job })).await.json();
        seen["meta"]["usage"]["points"].clone()
    };
    assert_eq!((points(&started["job_ref"]).await, points(&job).await), (json!(0), json!(1)));
    let held = ada.read("account.credit.balance.get", json!({})).await.data();
    assert_eq!(held["reserved"], json!(2.0), "{held}");
    let job = started["job_ref"].clone();
    let eve = host.customer(SCOPES).await;
    for operation in ["account.job.get", "account.job.cancel"] {
        assert_eq!(eve.not_found(operation, json!({ "job_ref": job })).await, "job_not_found");
    }
    let stopped = ada.change("account.job.cancel", json!({ "job_ref": job })).await;
    assert_eq!(stopped["state"], "cancelled", "{stopped}");
    let charged = stopped["charge_settled"]["credits"].as_f64().expect("credits");
    let after = ada.read("account.credit.balance.get", json!({})).await.data();
    assert_eq!(after["reserved"], json!(0.0), "{after}");
    let spent = before.as_f64().expect("credits") - after["credits"].as_f64().expect("credits");
    assert!((spent - charged).abs() < 1e-9, "{spent} {charged}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn credits_become_points_and_orders_become_credits_when_they_are_paid() {
    let (host, ada) = owner().await;
    let before = ada.read("account.credit.balance.get", json!({})).await.data();
    let too_much = ada.run("account.points.buy", json!({ "credits": 5_000 })).await;
    assert_eq!(too_much.refusal(), (402, "credits_exhausted".to_owned()));
    let bought = ada.change("account.points.buy", json!({ "credits": 2 })).await;
    assert_eq!(bought["points_added"], 2_000, "{bought}");
    let after = ada.read("account.credit.balance.get", json!({})).await.data();
    let number = |it: &Value, name: &str| it[name].as_f64().expect("a number");
    assert!((number(&before, "credits") - number(&after, "credits") - 2.0).abs() < 1e-9, "{after}");
    assert!(number(&after, "points") > number(&before, "points") + 1_900.0, "{after}");
    let ordered = ada.change("account.credit.order.create", json!({ "credits": 250, "reference": "PO 7" })).await;
    assert_eq!((&ordered["state"], ordered["amount"].as_f64()), (&json!("open"), Some(250.0)), "{ordered}");
    let invoice = ada.both("account.invoice.list", json!({ "invoice_ref": ordered["invoice_ref"] })).await;
    assert_eq!(invoice["invoices"][0]["state"], "open", "{invoice}");
    let eve = host.customer(SCOPES).await;
    let foreign = json!({ "invoice_ref": ordered["invoice_ref"] });
    assert_eq!(eve.not_found("account.invoice.list", foreign).await, "invoice_not_found");
    let order = OrderId::from(ordered["order_ref"].as_str().expect("a reference"));
    host.service.core.authority().order_paid(&order).await.expect("paid");
    let paid = ada.both("account.invoice.list", json!({ "state": "paid" })).await;
    assert_eq!(paid["invoices"].as_array().map(Vec::len), Some(1), "{paid}");
    let lines = ada.read("account.credit.ledger.list", json!({ "type": "order" })).await.data();
    assert_eq!(lines["lines"][0]["amount"].as_f64(), Some(250.0), "{lines}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_changed_for_the_price_that_was_shown_and_for_no_other() {
    let (host, ada) = owner().await;
    let plans = ada.both("account.plan.list", json!({})).await;
    assert_eq!(plans["current"], "pay_as_you_go", "{plans}");
    let now = json!({ "plan_ref": "studio", "effective": "now", "expected_total": 0 });
    let changed = ada.run("account.plan.change", now).await;
    assert_eq!(changed.refusal(), (409, "total_changed".to_owned()));
    let total = changed.json()["error"]["total"].clone();
    assert!(total.as_f64() > Some(0.0), "{}", changed.json());
    let agreed = json!({ "plan_ref": "studio", "effective": "now", "expected_total": total });
    let agreed = ada.change("account.plan.change", agreed).await;
    assert_eq!(agreed["total"], total, "{agreed}");
    let plans = ada.both("account.plan.list", json!({})).await;
    assert_eq!(plans["current"], "studio", "{plans}");
    let order = ada.change("account.credit.order.create", json!({ "credits": 100 })).await;
    assert_eq!(order["amount"].as_f64(), Some(90.0), "at the plan's price: {order}");
    let again =
        ada.run("account.plan.change", json!({ "plan_ref": "studio", "effective": "now", "expected_total": 0 }));
    assert_eq!(again.await.refusal(), (409, "plan_in_force".to_owned()));
    let unknown = ada.run("account.plan.change", json!({ "plan_ref": "gold", "expected_total": 0 })).await;
    assert_eq!((unknown.refusal().0, unknown.pointer()), (422, "/plan_ref".to_owned()));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_holds_what_is_charged_and_a_cap_stops_before_any_work() {
    let (host, ada) = owner().await;
    let calls = [
        ("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })),
        ("authors.list", json!({ "limit": 100 })),
        ("account.activity.list", json!({ "limit": 60 })),
        ("account.points.buy", json!({ "credits": 3 })),
        ("account.profile.get", json!({})),
    ];
    for (operation, arguments) in calls {
        let asked = json!({ "target_operation": operation, "arguments": arguments });
        let priced = ada.read("account.cost.estimate", asked).await.data();
        assert_eq!(priced["affordable"], true, "{priced}");
        let credits = async || ada.read("account.credit.balance.get", json!({})).await.data()["credits"].clone();
        let before = credits().await.as_f64().expect("credits");
        let answer = ada.run(operation, arguments).await.json();
        let points = answer["meta"]["usage"]["points"].as_u64().expect("points");
        let (least, most) = (priced["points_min"].as_u64(), priced["points_max"].as_u64());
        assert!(least <= Some(points) && Some(points) <= most, "{operation}: {points} of {priced}");
        let spent = before - credits().await.as_f64().expect("credits");
        assert!((spent - priced["native_credits"].as_f64().expect("credits")).abs() < 1e-9, "{operation}: {priced}");
    }
    let wrong = json!({ "target_operation": "authors.create", "arguments": { "firstname": 7, "lastname": "x" } });
    let wrong = ada.run("account.cost.estimate", wrong).await;
    assert_eq!((wrong.refusal().0, wrong.pointer()), (422, "/arguments/firstname".to_owned()));
    let cap = json!({ "scope": "module", "target": "authors", "unit": "points", "daily": 1 });
    let capped = ada.change("account.budget.set", cap).await;
    assert!(capped["used_today"].as_f64() > Some(1.0), "{capped}");
    let asked = json!({ "target_operation": "authors.list", "arguments": {} });
    let priced = ada.read("account.cost.estimate", asked).await.data();
    assert_eq!((&priced["affordable"], &priced["blocking_cap"]["code"]), (&json!(false), &json!("budget_exhausted")));
    assert_eq!(ada.run("authors.list", json!({})).await.refusal(), (402, "budget_exhausted".to_owned()));
    let free = json!({ "scope": "module", "target": "authors", "unit": "points" });
    ada.change("account.budget.set", free).await;
    ada.read("authors.list", json!({})).await.data();
    let nobody = json!({ "scope": "site", "target": "4503599627370496", "unit": "points", "daily": 1 });
    assert_eq!(ada.run("account.budget.set", nobody).await.refusal().0, 404);
    let report = ada.read("account.cost.report", json!({ "group_by": "operation" })).await.data();
    assert!(report["rows"].as_array().is_some_and(|rows| rows.iter().any(|row| row["key"] == "authors.list")));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn raw_data_is_counted_first_if_one_likes_and_what_was_concluded_stays() {
    let (host, ada, site, run) = crawled().await;
    let pages = ada.read("crawl.page.list", json!({ "run_ref": run, "limit": 100 })).await.data();
    let url =
        pages["pages"].as_array().expect("pages").iter().find(|it| it["status"] == 200).expect("a page")["url"].clone();
    let content = json!({ "run_ref": run, "url": url, "form": "html" });
    assert_eq!(ada.read("crawl.page.content.get", content.clone()).await.status, 200);
    // Two days later, when the crawl is of the day before yesterday.
    let ada = ada.with_token(&host.token_for(&ada, SCOPES, Duration::from_secs(30 * 86_400)).await);
    host.clock.advance(Duration::from_secs(2 * 86_400));
    let today = host.clock.now().day();
    let wanted = json!({ "collections": ["crawl.page_bodies"], "older_than": today, "site_id": site });
    let with = |name: &str, value: Value| {
        let mut arguments = wanted.clone();
        arguments[name] = value;
        arguments
    };
    let counted = ada.change("account.retention.purge", with("preview", json!(true))).await;
    assert!(counted["would_delete"]["crawl.page_bodies"]["blobs"].as_u64() > Some(0), "{counted}");
    assert_eq!(ada.read("crawl.page.content.get", content.clone()).await.status, 200, "a preview takes nothing");
    let stale = ada.run("account.retention.purge", with("confirm_hash", json!("0000"))).await;
    assert_eq!(stale.refusal().0, 409, "{}", stale.json());
    let unknown = ada.run("account.retention.purge", with("collections", json!(["crawl.nothing"]))).await;
    assert_eq!((unknown.refusal().0, unknown.pointer()), (422, "/collections/0".to_owned()));
    let eve = host.customer(SCOPES).await;
    assert_eq!(eve.run("account.retention.purge", wanted.clone()).await.refusal().0, 404);
    let gone = ada.change("account.retention.purge", with("confirm_hash", counted["confirm_hash"].clone())).await;
    assert_eq!(gone["deleted"], counted["would_delete"], "{gone}");
    assert_ne!(ada.read("crawl.page.content.get", content).await.status, 200);
    let still = ada.read("crawl.page.list", json!({ "run_ref": run, "limit": 100 })).await.data();
    assert_eq!(still["total"], pages["total"], "lists stay");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_read_at_its_addresses_and_has_every_row() {
    let (host, ada, site, _run) = crawled().await;
    let eve = host.customer(SCOPES).await;
    assert_eq!(eve.not_found("account.export.create", json!({ "site_id": site })).await, "website_not_found");
    let started = ada.change("account.export.create", json!({})).await;
    let job = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(job["state"], "succeeded", "{job}");
    let address = job["result"]["download_ref"].as_str().expect("an address");
    let fetch = async |url: &str| reqwest::get(url).await.expect("an answer").bytes().await.expect("a body");
    let manifest: Value = serde_json::from_slice(&fetch(address).await).expect("JSON");
    let store = host.service.core.store();
    let held = store.records.held_rows(&CustomerId::from(ada.id.as_str())).await.expect("read");
    for holding in held {
        let files =
            manifest["files"].as_array().expect("files").iter().filter(|it| it["collection"] == holding.name.as_str());
        let rows: u64 = files.filter_map(|it| it["rows"].as_u64()).sum();
        assert_eq!(rows, holding.count, "{}", holding.name);
    }
    let file = &manifest["files"][0];
    let text = fetch(file["url"].as_str().expect("an address")).await;
    assert_eq!(text.len() as u64, file["bytes"].as_u64().expect("bytes"));
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count() as u64, file["rows"].as_u64().expect("rows"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_nothing_that_its_grant_could_not_read_one_by_one() {
    let (host, ada, ..) = crawled().await;
    ada.change("account.profile.update", json!({ "country": "de" })).await;
    let narrow = host.token_for(&ada, "assets:read", Duration::from_secs(3_600)).await;
    let narrow = host.bearer(&ada, &narrow);
    assert_eq!(narrow.get("/websites").await.status, 403);
    let started = narrow.run("account.export.create", json!({})).await.data();
    let planned: Vec<&str> =
        started["manifest"].as_array().expect("a manifest").iter().filter_map(|it| it["collection"].as_str()).collect();
    assert!(planned.contains(&"crawl.runs"), "what assets:read may read is there: {planned:?}");
    assert!(
        planned
            .iter()
            .all(|it| *it != "websites.sites" && !it.starts_with("account.") && !it.starts_with("connections.")),
        "{planned:?}"
    );
    let left_out: Vec<&str> =
        started["degraded"].as_array().expect("a list").iter().filter_map(|it| it["what"].as_str()).collect();
    assert!(left_out.contains(&"websites"), "{started}");
    let asked = narrow.run("account.export.create", json!({ "collections": ["websites.sites"] })).await;
    assert_eq!(asked.refusal(), (422, "collection_not_found".to_owned()));
    let job = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(job["state"], "succeeded", "{job}");
    let address = job["result"]["download_ref"].as_str().expect("an address");
    assert_eq!(reqwest::get(address).await.expect("an answer").status(), 200);
    let grants = ada.read("account.grant.list", json!({})).await.data();
    ada.change("account.grant.revoke", json!({ "grant_ref": grants["grants"][0]["grant_ref"] })).await;
    assert_eq!(reqwest::get(address).await.expect("an answer").status(), 404, "the address ends with its grant");
    let whole = ada.run("account.export.create", json!({})).await.data();
    assert!(whole["manifest"].to_string().contains("websites.sites"), "{whole}");
    host.verify_ledger().await;
}
