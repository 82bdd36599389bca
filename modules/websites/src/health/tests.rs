//! `websites.health.get` against the fake host.

use std::collections::BTreeMap;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::inputs::{Answers, Graph, Grid};
use crate::audits::{Area, Audited};
use crate::tests::added;

const DAY: u64 = 86_400_000;

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    (fake, site)
}

fn audit(fake: &Fake, site: &str, rules: &[&str], lost: &[(&str, f64)]) {
    let now = fake.now().millis();
    fake.put(Audited {
        site_id: site.into(),
        run_ref: "run-1".into(),
        created_ms: now,
        finished_ms: Some(now),
        score: Some(80.0),
        rules: rules.iter().map(|it| (*it).to_owned()).collect(),
        by_area: lost.iter().map(|(area, lost)| ((*area).to_owned(), Area { lost: *lost })).collect::<BTreeMap<_, _>>(),
    });
}

fn pillar<'a>(health: &'a Value, name: &str) -> &'a Value {
    health["pillars"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap()
}

fn ask(fake: &Fake, site: &str) -> Value {
    fake.call("websites.health.get", json!({ "site_id": site })).unwrap()
}

#[test]
fn the_score_is_the_weighted_mean_of_the_pillars_that_are_measured() {
    let (fake, site) = shop();
    audit(
        &fake,
        &site,
        &[],
        &[("response", 10.0), ("canonical", 5.0), ("metadata", 25.0), ("ai", 4.0), ("links", 9.0)],
    );
    let health = ask(&fake, &site);
    assert_eq!(pillar(&health, "technical")["score"], 85.0);
    assert_eq!(pillar(&health, "content")["score"], 75.0);
    assert_eq!(pillar(&health, "ai")["score"], 80.0);
    assert_eq!(
        (&pillar(&health, "local")["score"], &pillar(&health, "authority")["score"]),
        (&Value::Null, &Value::Null)
    );
    // (0.30 × 85 + 0.25 × 75 + 0.15 × 80) ÷ 0.70
    assert_eq!((&health["score"], &health["covered"]), (&json!(80.4), &json!(0.7)));
    assert_eq!(health["weakest"], json!(["content", "ai"]));
}

#[test]
fn what_is_not_measured_is_named_with_the_operation_that_measures_it_and_never_counts_as_nothing() {
    let (fake, site) = shop();
    let health = ask(&fake, &site);
    assert_eq!((&health["score"], &health["covered"], &health["weakest"]), (&Value::Null, &json!(0.0), &json!([])));
    let next = |name: &str| pillar(&health, name)["next"][0].clone();
    assert_eq!(next("technical")["operation_id"], "crawl.run.start");
    assert_eq!(next("technical")["arguments"], json!({ "site_id": site }));
    assert_eq!(next("authority")["operation_id"], "crawl.run.start", "links are read from a crawl");
    assert_eq!(next("local")["operation_id"], "local_grid.business.add");
    assert_eq!(pillar(&health, "ai")["missing"][1], "answers name the website");
    for lack in health["degraded"].as_array().unwrap() {
        assert!(lack["operation_id"].as_str().is_none_or(sdk::served), "{lack}");
    }
}

#[test]
fn other_modules_fill_their_pillars_and_each_input_has_its_age() {
    let (fake, site) = shop();
    let at = fake.now().millis();
    let row = |at| (site.clone(), Some(at));
    let (site_id, finished_ms) = row(at);
    fake.put(Graph { site_id, finished_ms, score: Some(60.0) });
    fake.put(Grid { site_id: site.clone(), finished_ms: None, solv: Some(0.9) });
    assert_eq!(pillar(&ask(&fake, &site), "local")["score"], Value::Null, "a scan that has not ended says nothing");
    let (site_id, finished_ms) = row(at);
    fake.put(Grid { site_id, finished_ms, solv: Some(0.25) });
    let (site_id, finished_ms) = row(at + 1);
    fake.put(Grid { site_id, finished_ms, solv: None });
    let (site_id, finished_ms) = row(at);
    fake.put(Answers { site_id, finished_ms, mention_rate: Some(0.4) });
    fake.put(Graph { site_id: "82".into(), finished_ms: Some(at + 1), score: Some(1.0) });
    let health = ask(&fake, &site);
    assert_eq!(pillar(&health, "local")["score"], 25.0);
    fake.set_now(fake.now().plus(70 * DAY));
    audit(&fake, &site, &[], &[]);
    let health = ask(&fake, &site);
    assert_eq!(
        (&pillar(&health, "authority")["score"], &pillar(&health, "local")["score"]),
        (&json!(60.0), &json!(25.0))
    );
    // Assistants can read it all, and name it in two of five answers.
    let ai = pillar(&health, "ai");
    assert_eq!((&ai["score"], &ai["age_days"], &ai["inputs"][0]["age_days"]), (&json!(70.0), &json!(70), &json!(0)));
    // 0.30 × 100 + 0.25 × 100 + 0.20 × 60 + 0.15 × 70 + 0.10 × 25
    assert_eq!((&health["score"], &health["covered"]), (&json!(80.0), &json!(1.0)));
    assert_eq!(health["weakest"], json!(["authority", "local", "ai"]));
    assert!(health["degraded"].to_string().contains("70 days ago"), "{}", health["degraded"]);
}

#[test]
fn an_audit_of_a_few_rules_says_nothing_of_the_whole() {
    let (fake, site) = shop();
    audit(&fake, &site, &["title.missing"], &[("metadata", 2.0)]);
    assert_eq!(ask(&fake, &site)["score"], Value::Null);
    assert_eq!(fake.refusal("websites.health.get", json!({ "site_id": "17" })).code, "website_not_found");
}
