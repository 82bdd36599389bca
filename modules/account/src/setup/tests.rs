//! Tests of `account.setup.get`.

use std::collections::BTreeSet;

use kit::crawled::{RunRecord, RunState};
use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::known::Audit;
use site::{Run, Site, Verification};

/// The table of record: ids and what operations take.
const TABLE: &str = include_str!("../../../../catalog/operations.tsv");

fn host(activated: bool, connections: &Value) -> Fake {
    let fake = crate::fake();
    let activated_at = activated.then_some(1_790_000_000_000_u64);
    fake.platform("account", Ok(crate::tests::account(&json!(activated_at))));
    fake.platform("balance", Ok(crate::tests::balance(5_000)));
    fake.platform("connected", Ok(json!({ "connections": connections })));
    fake
}

fn site(fake: &Fake, id: &str, verified: Option<bool>) {
    let verification = verified.map(|verified| Verification { verified });
    fake.put_as(
        id,
        Site { domain: format!("shop{id}.example"), order: id.to_owned(), verification, ..Site::default() },
    );
}

fn crawl(fake: &Fake, id: &str, site: &str, state: RunState) {
    fake.put_as(id, Run(RunRecord { site_id: site.to_owned(), state, ..RunRecord::default() }));
}

fn steps(setup: &Value) -> Vec<String> {
    let missing = setup["missing"].as_array().unwrap();
    missing.iter().map(|it| it["step"].as_str().unwrap().to_owned()).collect()
}

fn missing<'a>(setup: &'a Value, step: &str) -> &'a Value {
    setup["missing"].as_array().unwrap().iter().find(|it| it["step"] == step).unwrap()
}

#[test]
fn a_new_customer_misses_everything_in_the_order_to_do_it() {
    let setup = host(false, &json!([])).call("account.setup.get", json!({})).unwrap();
    assert_eq!(setup["completed"], json!([]));
    assert_eq!(setup["percent"], 0);
    let order = [
        "activation",
        "website",
        "verification",
        "search_console",
        "first_sync",
        "first_crawl",
        "first_audit",
        "mail_sender",
    ];
    assert_eq!(steps(&setup), order);
    assert_eq!(missing(&setup, "verification")["fill_in"], json!(["/site_id"]));
    assert_eq!(missing(&setup, "first_audit")["fill_in"], json!(["/run_ref"]));
}

#[test]
fn every_step_names_an_operation_of_the_catalog_and_arguments_that_it_takes() {
    let setup = host(false, &json!([])).call("account.setup.get", json!({})).unwrap();
    for step in setup["missing"].as_array().unwrap() {
        let id = step["operation_id"].as_str().unwrap();
        let row: Vec<&str> =
            TABLE.lines().map(|it| it.split('\t').collect()).find(|it: &Vec<&str>| it[0] == id).unwrap();
        let taken: Vec<&str> = row[9].split(", ").collect();
        let name = |it: &&str| it.split(':').next().unwrap_or_default().to_owned();
        let all: BTreeSet<String> = taken.iter().map(name).collect();
        let needed: BTreeSet<String> = taken.iter().filter(|it| it.contains('!')).map(name).collect();
        let given: BTreeSet<String> = step["example_args"].as_object().unwrap().keys().cloned().collect();
        assert!(given.is_subset(&all) && needed.is_subset(&given), "{id}: {given:?} of {all:?}, needs {needed:?}");
        for pointer in step["fill_in"].as_array().unwrap() {
            assert!(step["example_args"].pointer(pointer.as_str().unwrap()).is_some(), "{id}: {pointer}");
        }
    }
}

#[test]
fn what_is_known_is_filled_in() {
    let fake = host(true, &json!([{ "kind": "google_search_console", "group": null, "state": "expired" }]));
    site(&fake, "81", None);
    site(&fake, "82", Some(true));
    crawl(&fake, "run_7", "82", RunState::Finished);
    let setup = fake.call("account.setup.get", json!({})).unwrap();
    assert_eq!(setup["completed"], json!(["activation", "website", "verification", "first_crawl"]));
    assert_eq!(setup["percent"], 50);
    assert!(missing(&setup, "first_sync")["reason"].as_str().unwrap().contains("step before"));
    assert_eq!(missing(&setup, "first_audit")["example_args"], json!({ "run_ref": "run_7" }));
    assert_eq!(missing(&setup, "first_audit")["fill_in"], json!([]));
    assert!(missing(&setup, "search_console")["reason"].as_str().unwrap().contains("renews"));
}

#[test]
fn one_website_can_be_looked_at_alone() {
    let fake = host(true, &json!([]));
    site(&fake, "81", Some(false));
    site(&fake, "82", Some(true));
    crawl(&fake, "run_7", "82", RunState::Finished);
    let setup = fake.call("account.setup.get", json!({ "site_id": "81" })).unwrap();
    assert_eq!(
        steps(&setup),
        ["verification", "search_console", "first_sync", "first_crawl", "first_audit", "mail_sender"]
    );
    assert_eq!(missing(&setup, "verification")["example_args"], json!({ "site_id": "81", "method": "dns_txt" }));
    assert_eq!(missing(&setup, "first_crawl")["example_args"], json!({ "site_id": "81" }));
    let fault = fake.refusal("account.setup.get", json!({ "site_id": "99" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("website_not_found", Some("/site_id")));
}

#[test]
fn work_on_its_way_is_said_so_that_nobody_starts_it_twice() {
    let fake = host(true, &json!([]));
    site(&fake, "81", None);
    crawl(&fake, "run_1", "81", RunState::Failed);
    crawl(&fake, "run_2", "81", RunState::Running);
    fake.put(Audit { site_id: "81".into(), created_ms: 5, state: "running".into() });
    let setup = fake.call("account.setup.get", json!({})).unwrap();
    for step in ["first_crawl", "first_audit"] {
        assert!(missing(&setup, step)["reason"].as_str().unwrap().contains("on its way"), "{step}");
    }
}

#[test]
fn nothing_is_missing_in_the_end() {
    let connections = json!([
        { "kind": "smtp", "group": null, "state": "failing" },
        { "kind": "smtp", "group": null, "state": "untested" },
        { "kind": "google_search_console", "group": null, "state": "ok" },
    ]);
    let fake = host(true, &connections);
    site(&fake, "81", Some(true));
    crawl(&fake, "run_1", "81", RunState::Stopped);
    fake.put(Audit { site_id: "81".into(), created_ms: 5, state: "succeeded".into() });
    let mut without_figures = fake.call("account.setup.get", json!({})).unwrap();
    assert_eq!((&without_figures["percent"], steps(&without_figures)), (&json!(87), vec!["first_sync".to_owned()]));
    let sync = without_figures["missing"][0].take();
    assert_eq!(
        (&sync["operation_id"], &sync["example_args"]),
        (&json!("search_console.sync.run"), &json!({ "site_id": "81" }))
    );
    let figures = kit::pack::Search { clicks: 1, impressions: 10, positions: 30 };
    let day = "2026-09-20".parse().unwrap();
    search::trial::store_pages(&fake, "81", &[(day, "https://shop81.example/".to_owned(), figures)]);
    let setup = fake.call("account.setup.get", json!({})).unwrap();
    assert_eq!((&setup["percent"], &setup["missing"]), (&json!(100), &json!([])));
}
