//! What the steps of plans name: operations of the catalog with arguments that these take.

use kit::crawled::StopReason;
use sdk::json;
use sdk::serde_json::Value;

use super::{crawl, plan, shop};
use crate::tests::added;

#[test]
fn every_step_names_an_operation_with_arguments_that_it_takes() {
    let table = include_str!("../../../../../catalog/operations.tsv");
    let check = |step: &Value| {
        let operation = step["operation_id"].as_str().unwrap();
        let mut rows = table.lines().map(|it| it.split('\t').collect::<Vec<_>>());
        let row = rows.find(|row| row[0] == operation).unwrap_or_else(|| panic!("no operation {operation}"));
        let arguments = step["args"].as_object().unwrap();
        kit::listed::fits(row[9], arguments).unwrap_or_else(|why| panic!("{operation}: {why}: {step}"));
    };
    let (fake, site) = shop();
    let made = plan(&fake, json!({ "site_id": site, "weekly_hours": 80 }));
    let steps = made["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["operation_id"] == "audit.fix.suggest"), "{made}");
    steps.iter().for_each(check);
    for reason in [StopReason::RobotsDisallowed, StopReason::BlockedByChallenge, StopReason::Unreachable] {
        let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
        let site = added(&fake, "shop.example");
        crawl(&fake, &site, reason);
        plan(&fake, json!({ "site_id": site }))["steps"].as_array().unwrap().iter().for_each(check);
    }
    // Those of this module can be asked at once.
    let started = fake.call("websites.verify.start", json!({ "site_id": site, "method": "dns_txt" }));
    assert!(started.is_ok());
}
