//! What onboarding and jobs advise can be done: every call that they name is one of the catalog's,
//! and where its module stands the arguments are what its contract takes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:execute";
const TABLE: &str = include_str!("../../catalog/operations.tsv");
/// Members under which a result names an operation, each with those that may hold its arguments.
const NAMES: [(&str, &[&str]); 3] = [
    ("operation_id", &["arguments", "args", "example_args"]),
    ("apply_operation", &["apply_args"]),
    ("result_operation", &["result_arguments"]),
];

/// Collects what a result names: by operation, the arguments that come with it.
fn named(value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Object(members) => {
            for (name, arguments) in NAMES {
                let Some(operation) = members.get(name).and_then(Value::as_str) else { continue };
                let given = found.entry(operation.to_owned()).or_default();
                given.extend(
                    arguments
                        .iter()
                        .filter_map(|it| members.get(*it))
                        .filter(|it| it.is_object())
                        .map(Value::to_string),
                );
            }
            members.values().for_each(|member| named(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, found)),
        _ => {}
    }
}

/// Required and known names of the arguments of an operation that the table has.
fn listed(operation: &str) -> Option<(BTreeSet<&'static str>, BTreeSet<&'static str>)> {
    let row = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>()).find(|row| row[0] == operation)?;
    let (mut required, mut known) = (BTreeSet::new(), BTreeSet::new());
    let mut depth = 0;
    let parts = row[9].split(|letter| {
        depth += match letter {
            '[' | '{' | '(' => 1,
            ']' | '}' | ')' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    });
    for part in parts.filter(|part| part.contains(':')) {
        let name = part.split(':').next().unwrap_or_default().trim();
        known.insert(name);
        if part.trim_end().ends_with('!') {
            required.insert(name);
        }
    }
    Some((required, known))
}

/// Whether a call could be made: by its contract where it stands, by the table where it is to come.
async fn could_be_made(ada: &Customer, operation: &str, arguments: &Value) -> Result<(), String> {
    let priced = json!({ "target_operation": operation, "arguments": arguments });
    let answer = ada.run("account.cost.estimate", priced).await;
    match answer.status.as_u16() {
        200 => Ok(()),
        404 => {
            let (required, known) = listed(operation).ok_or("the catalog has no such operation")?;
            let given: BTreeSet<&str> =
                arguments.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
            let missing: Vec<_> = required.difference(&given).collect();
            let unknown: Vec<_> = given.difference(&known).collect();
            if missing.is_empty() && unknown.is_empty() { Ok(()) } else { Err(format!("{missing:?} {unknown:?}")) }
        }
        _ => Err(answer.json()["error"].to_string()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_that_onboarding_and_a_job_name_could_be_made_as_it_stands() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let mut found = BTreeMap::new();
    named(&ada.read("account.setup.get", json!({})).await.data(), &mut found);
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    named(&ada.read("account.setup.get", json!({ "site_id": site })).await.data(), &mut found);
    let crawl = json!({ "site_id": site, "max_pages": 40, "rate_rps": 10, "check_external": false });
    let started = ada.run("crawl.run.start", crawl).await.data();
    let run = started["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    let job = json!({ "job_ref": started["job_ref"] });
    named(&ada.read("account.job.get", job).await.data(), &mut found);
    let (mut wrong, mut calls) = (Vec::new(), 0);
    for (operation, arguments) in &found {
        if arguments.is_empty() && listed(operation).is_none() {
            wrong.push(format!("{operation}: the catalog has no such operation"));
        }
        for arguments in arguments.iter().take(20) {
            calls += 1;
            let given: Value = serde_json::from_str(arguments).expect("JSON");
            if let Err(why) = could_be_made(&ada, operation, &given).await {
                wrong.push(format!("{operation} {arguments}: {why}"));
            }
        }
    }
    assert!(calls > 2, "only {calls} calls are named with arguments: {found:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
