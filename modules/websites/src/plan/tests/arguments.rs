//! What the steps of plans name: operations of the catalog with arguments that these take.

use kit::crawled::StopReason;
use sdk::json;
use sdk::serde_json::Value;

use super::{audit, crawl, later, plan, shop};
use crate::plan::Effort;
use crate::tests::added;

/// `name:type[bounds]=default!` of the table, as far as a plan's arguments need it.
fn fits(row: &str, arguments: &Value) -> Result<(), String> {
    let members = arguments.as_object().ok_or("not an object")?;
    let takes: Vec<(&str, &str)> = row.split(", ").filter_map(|it| it.split_once(':')).collect();
    for (name, kind) in &takes {
        let Some(value) = members.get(*name) else {
            if kind.ends_with('!') {
                return Err(format!("{name} is needed"));
            }
            continue;
        };
        let kind = kind.trim_end_matches('!').split('=').next().unwrap_or_default();
        let url = |it: &Value| it.as_str().is_some_and(|it| it.starts_with("http"));
        let right = match kind.split('[').next().unwrap_or_default() {
            "str" => value.is_string(),
            "url" => url(value),
            "int" => value.is_u64(),
            "bool" => value.is_boolean(),
            "object" => value.is_object(),
            "list" if kind.starts_with("list[url]") => value.as_array().is_some_and(|it| it.iter().all(url)),
            "list" => value.is_array(),
            choice => choice.split('|').any(|it| value == it),
        };
        if !right {
            return Err(format!("{name} is not {kind}"));
        }
    }
    let unknown = members.keys().find(|name| !takes.iter().any(|(it, _)| it == name));
    unknown.map_or(Ok(()), |name| Err(format!("{name} is no argument")))
}

#[test]
fn every_step_of_every_rule_names_an_operation_with_arguments_that_it_takes() {
    let table = include_str!("../../../../../catalog/operations.tsv");
    let rows: Vec<Vec<&str>> = table.lines().map(|it| it.split('\t').collect()).collect();
    let check = |step: &Value| {
        let operation = step["operation_id"].as_str().unwrap();
        let row = rows.iter().find(|row| row[0] == operation).unwrap_or_else(|| panic!("no operation {operation}"));
        fits(row[9], &step["args"]).unwrap_or_else(|why| panic!("{operation}: {why}: {step}"));
    };
    // Every operation that a rule of the audit may name, with rules that have a fixer and rules that have none.
    let operations: Vec<&str> = rows
        .iter()
        .map(|row| row[0])
        .filter(|id| {
            [
                "cms.",
                "onpage.",
                "monitoring.",
                "indexing.",
                "schema.",
                "crawl.",
                "links.",
                "content.",
                "domains.",
                "authors.",
            ]
            .iter()
            .any(|module| id.starts_with(module))
        })
        .collect();
    let (fake, site) = shop();
    let mut steps = 0;
    for (at, some) in operations.chunks(25).enumerate() {
        let names: Vec<String> = (0..some.len()).map(|it| format!("odd.rule_{at}_{it}")).collect();
        let rules: Vec<_> = names
            .iter()
            .zip(some)
            .map(|(name, operation)| (name.as_str(), "content", 20, Effort::Low, *operation))
            .collect();
        later(&fake);
        audit(&fake, &format!("audit-of-{at}"), &site, &rules);
        let plan = plan(&fake, json!({ "site_id": site, "weekly_hours": 80 }));
        for step in plan["steps"].as_array().unwrap() {
            check(step);
            steps += 1;
        }
    }
    assert!(steps > operations.len(), "{steps}");
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
