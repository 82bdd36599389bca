//! What results advise can be done: every operation that they name is served, and its contract takes the arguments that
//! are named with it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;

const SCOPES: &str =
    "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute";
/// Members under which a result names an operation, those that may hold its arguments, and the one that names
/// arguments which only another operation knows.
const NAMES: [(&str, &[&str], &str); 3] = [
    ("operation_id", &["arguments", "args", "example_args"], ""),
    ("apply_operation", &["apply_args"], "apply_missing"),
    ("result_operation", &["result_arguments"], ""),
];

/// The calls that results name: by operation, the arguments that come with it.
#[derive(Default)]
pub(super) struct Named(BTreeMap<String, BTreeSet<String>>);

impl Named {
    pub(super) fn collect(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, arguments, missing) in NAMES {
                    let Some(operation) = members.get(name).and_then(Value::as_str) else { continue };
                    let given = self.0.entry(operation.to_owned()).or_default();
                    for found in arguments.iter().filter_map(|it| members.get(*it)?.as_object()) {
                        let mut whole: Map<String, Value> = found.clone();
                        for name in members.get(missing).and_then(Value::as_array).into_iter().flatten() {
                            whole.insert(name.as_str().unwrap_or_default().to_owned(), "given by the caller".into());
                        }
                        given.insert(Value::Object(whole).to_string());
                    }
                }
                members.values().for_each(|member| self.collect(member));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            _ => {}
        }
    }

    /// Asks and collects.
    async fn ask(&mut self, ada: &Customer, operation: &str, arguments: Value) -> Value {
        let data = ada.run(operation, arguments).await.data();
        self.collect(&data);
        data
    }

    /// How many calls there are, and those that could not be made, each with the reason.
    pub(super) async fn wrong(&self, ada: &Customer) -> (usize, Vec<String>) {
        let (mut wrong, mut calls) = (Vec::new(), 0);
        for (operation, arguments) in &self.0 {
            if ada.get(&format!("/capabilities/{operation}")).await.status != 200 {
                wrong.push(format!("{operation}: it is not served"));
                continue;
            }
            for arguments in arguments.iter().take(20) {
                calls += 1;
                let given: Value = serde_json::from_str(arguments).expect("JSON");
                if let Err(why) = could_be_made(ada, operation, &given).await {
                    wrong.push(format!("{operation} {arguments}: {why}"));
                }
            }
        }
        (calls, wrong)
    }
}

/// Whether a call could be made.
async fn could_be_made(ada: &Customer, operation: &str, arguments: &Value) -> Result<(), String> {
    let priced = json!({ "target_operation": operation, "arguments": arguments });
    let answer = ada.run("account.cost.estimate", priced).await;
    match answer.status.as_u16() {
        200 => Ok(()),
        _ => Err(answer.json()["error"].to_string()),
    }
}

/// A host beside the demo shop, and a customer with points to spare.
async fn shop() -> (Host, Customer) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 60).await;
    (host, ada)
}

/// The website of the shop with an ended crawl of a part of it.
async fn crawled(ada: &Customer, named: &mut Named) -> (Value, Value) {
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 60, "rate_rps": 10, "check_external": false });
    let started = named.ask(ada, "crawl.run.start", crawl).await;
    let run = started["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    named.ask(ada, "account.job.get", json!({ "job_ref": started["job_ref"] })).await;
    (site, run)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_that_onboarding_and_a_job_name_could_be_made_as_it_stands() {
    let (_host, ada) = shop().await;
    let mut named = Named::default();
    named.ask(&ada, "account.setup.get", json!({})).await;
    let (site, _) = crawled(&ada, &mut named).await;
    named.ask(&ada, "account.setup.get", json!({ "site_id": site })).await;
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 2, "only {calls} calls are named with arguments: {:?}", named.0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_that_a_diagnosis_names_could_be_made_as_it_stands() {
    let (_host, ada) = shop().await;
    let mut named = Named::default();
    let (site, run) = crawled(&ada, &mut named).await;
    let of_site = json!({ "site_id": site });
    named.ask(&ada, "websites.health.get", of_site.clone()).await;
    named.ask(&ada, "audit.opportunities.analyze", json!({ "site_id": site, "max_pages": 2 })).await;
    for report in ["metadata", "canonical"] {
        named.ask(&ada, &format!("audit.{report}.report"), json!({ "run_ref": run })).await;
    }
    let audit = ada.run("audit.run.start", json!({ "run_ref": run })).await.data()["audit_ref"].clone();
    ada.wait_for("audit.run.get", json!({ "audit_ref": audit }), 120).await;
    let issues = named.ask(&ada, "audit.issue.list", json!({ "audit_ref": audit, "limit": 100 })).await;
    let mut mended = 0;
    for issue in issues["issues"].as_array().expect("issues") {
        named.ask(&ada, "audit.issue.get", json!({ "audit_ref": audit, "rule": issue["rule"] })).await;
        if issue["fix"]["operation_id"] == "audit.fix.suggest" {
            mended += 1;
            named.ask(&ada, "audit.fix.suggest", issue["fix"]["arguments"].clone()).await;
        }
    }
    assert!(mended > 5, "{issues}");
    let reports = [
        "metadata",
        "heading",
        "canonical",
        "duplicate",
        "thin_content",
        "image",
        "security",
        "url_hygiene",
        "indexability",
    ];
    for report in reports {
        named.ask(&ada, &format!("audit.{report}.report"), json!({ "run_ref": run, "limit": 100 })).await;
    }
    named.ask(&ada, "audit.opportunities.list", json!({ "site_id": site, "limit": 100 })).await;
    named.ask(&ada, "audit.opportunities.analyze", json!({ "site_id": site, "max_pages": 2 })).await;
    for page in ["http://shop.example/", "http://shop.example/none-at-all"] {
        named.ask(&ada, "audit.page.check", json!({ "url": page })).await;
        named.ask(&ada, "audit.lighthouse_seo.check", json!({ "url": page })).await;
    }
    for list in ["crawl.redirect.list", "crawl.trap.detect", "crawl.structure.get"] {
        named.ask(&ada, list, json!({ "run_ref": run })).await;
    }
    named.ask(&ada, "websites.health.get", of_site.clone()).await;
    let plan = named.ask(&ada, "websites.plan.generate", json!({ "site_id": site, "weekly_hours": 40 })).await;
    let plan = json!({ "site_id": site, "plan_ref": plan["plan_ref"] });
    for _ in tries(100) {
        let shown = named.ask(&ada, "websites.plan.get", plan.clone()).await;
        if shown["plan"]["state"] == "succeeded" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 60, "only {calls} calls are named with arguments: {:?}", named.0.keys());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
