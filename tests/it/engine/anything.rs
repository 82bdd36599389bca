//! Whatever a schema takes is answered or refused: no argument makes a failure of ours.

use std::collections::BTreeMap;
use std::time::Duration;

use model::contract::{Contract, Kind};
use serde_json::{Value, json};
use tests::arguments::Maker;
use tests::customer::Customer;
use tests::host::Host;

/// Calls of each operation.
const CALLS: usize = 4;

/// Refusals that say of another host that it does not answer.
const OUTSIDE: [&str; 2] = ["page_unavailable", "provider_error"];

struct Failed {
    operation: String,
    status: u16,
    code: String,
    arguments: String,
}

async fn calls(ada: &Customer, contract: &Contract, known: &BTreeMap<String, Value>) -> (usize, usize, Vec<Failed>) {
    let seed = contract.id.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut maker = Maker::new(seed, known.clone());
    let validator = jsonschema::validator_for(&contract.arguments).expect("a schema");
    let (mut fitting, mut failed) = (0, Vec::new());
    for n in 0..CALLS {
        let example = contract.examples.get(n % contract.examples.len().max(1)).cloned().unwrap_or_else(|| json!({}));
        let arguments = maker.arguments(&contract.arguments, &example);
        fitting += usize::from(validator.is_valid(&arguments));
        let answer = ada.run(&contract.id, arguments.clone()).await;
        let status = answer.status.as_u16();
        let is_outside = status == 503 && OUTSIDE.contains(&answer.refusal().1.as_str());
        if status >= 500 && !is_outside {
            let arguments: String = arguments.to_string().chars().take(400).collect();
            failed.push(Failed { operation: contract.id.clone(), status, code: answer.refusal().1, arguments });
        }
    }
    (CALLS, fitting, failed)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_argument_that_a_schema_takes_makes_a_failure_of_ours() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(&model::scope::ScopeSet::all().to_string()).await;
    host.buy_points(&ada, 90).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 20, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    let audit = ada.run("audit.run.start", json!({ "run_ref": run })).await;
    let audit = audit.json()["data"]["audit_ref"].clone();
    let author = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
    let known: BTreeMap<String, Value> = [
        ("site_id", site),
        ("run_ref", run),
        ("audit_ref", audit),
        ("author_ref", author.data()["author_ref"].clone()),
        ("url", json!("http://shop.example/")),
    ]
    .into_iter()
    .filter(|(_, value)| value.is_string())
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let generation = host.service.core.catalog().current();
    let mut contracts: Vec<std::sync::Arc<Contract>> = generation.operations().map(|it| it.contract.clone()).collect();
    // What destroys comes last, so that there is something to read until then.
    contracts.sort_by_key(|it| (it.kind == Kind::Destructive, it.id.clone()));
    let (mut made, mut fitting, mut failed) = (0, 0, Vec::new());
    for few in contracts.chunks(6) {
        let asked = few.iter().map(|contract| calls(&ada, contract, &known));
        for (calls, fit, mut broke) in futures_util::future::join_all(asked).await {
            made += calls;
            fitting += fit;
            failed.append(&mut broke);
        }
    }
    let lines: Vec<String> =
        failed.iter().map(|it| format!("{} {} {} {}", it.operation, it.status, it.code, it.arguments)).collect();
    assert!(lines.is_empty(), "{} of {made} calls failed:\n{}", lines.len(), lines.join("\n"));
    assert!(fitting * 3 > made, "only {fitting} of {made} arguments fit their schemas");
    host.clock.advance(Duration::from_secs(1));
    host.verify_ledger().await;
}
