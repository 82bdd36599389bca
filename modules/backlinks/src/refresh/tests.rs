//! Refreshes: what the provider has is stored once, and nothing is asked that the cap does not allow.

use std::cell::RefCell;
use std::rc::Rc;

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{self, Value, json};

use crate::trial::{SITE, ahrefs, call, import, website};

/// A provider with so many live and lost links; what it was asked.
fn provider(fake: &Fake, live: u64, lost: u64) -> Rc<RefCell<Vec<Value>>> {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let kept = asked.clone();
    fake.provider_serves(move |_, path, body| {
        let task: Value = serde_json::from_slice::<Value>(body).ok()?[0].clone();
        kept.borrow_mut().push(task.clone());
        let is_lost = task["backlinks_status_type"] == "lost";
        let count = if is_lost { lost } else { live };
        if path.ends_with("referring_domains/live") {
            let items = json!([{ "domain": "site0.example", "rank": 40, "backlinks": 3 }, { "domain": "beyond.example", "rank": 30, "backlinks": 7 }]);
            return said(&json!([{ "total_count": live, "items": items }]), 0.02);
        }
        // Offsets end at 20,000; behind them a token goes on.
        let from = match task["search_after_token"].as_str() {
            Some(token) => token.parse().ok()?,
            None => task["offset"].as_u64()?,
        };
        let limit = task["limit"].as_u64()?;
        let end = count.min(from + limit);
        let items: Vec<Value> = (from..end)
            .map(|at| {
                let number = if is_lost { live + at } else { at };
                json!({ "type": "backlink", "url_from": format!("https://site{number}.example/p"), "url_to": "http://shop.example/lamps", "anchor": "lamps",
                    "dofollow": at % 2 == 0, "attributes": if at % 2 == 0 { Value::Null } else { json!(["nofollow"]) }, "domain_from_rank": 100 - at.min(100), "is_lost": is_lost,
                    "first_seen": if at < 5 { "2026-09-19 00:00:00 +00:00" } else { "2025-01-01 00:00:00 +00:00" }, "last_seen": "2026-09-20 00:00:00 +00:00", "item_type": "anchor" })
            })
            .collect();
        said(&json!([{ "total_count": count, "items": items, "search_after_token": end.to_string() }]), 0.05)
    });
    asked
}

fn said(result: &Value, cost: f64) -> Option<(u16, Vec<u8>)> {
    let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "id": "1", "cost": cost, "result": result }] });
    Some((200, answer.to_string().into_bytes()))
}

fn refreshed(fake: &Fake, more: &Value) -> Result<Value, (String, String)> {
    let started = call(fake, "backlinks.refresh.run", more);
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    job.result().ok_or_else(|| job.fault().expect("a fault"))
}

fn connected() -> Fake {
    website().connected("con_1", "dataforseo")
}

#[test]
fn all_links_come_also_beyond_the_last_offset() {
    let fake = connected();
    let asked = provider(&fake, 21_500, 0);
    let told = refreshed(&fake, &json!({ "max_links": 50_000 })).expect("a refresh");
    assert_eq!(
        (&told["fetched"], &told["links"], &told["new"]),
        (&json!(21_500), &json!(21_500), &json!(21_500)),
        "{told}"
    );
    let tokens = asked.borrow().iter().filter(|it| it["search_after_token"].is_string()).count();
    assert_eq!(tokens, 2, "offsets end at 20,000");
    assert_eq!(told["provider_cost"]["amount"], "1.120000");
    assert_eq!(told["domains_beyond"], json!([{ "domain": "beyond.example", "rating": 30, "links": 7 }]));
    let listed = call(
        &fake,
        "backlinks.link.list",
        &json!({ "filter": [{ "field": "domain", "op": "eq", "value": "site3.example" }] }),
    );
    let link = &listed["links"][0];
    assert_eq!(
        (&link["tools"], &link["rating"], &link["rel_nofollow"]),
        (&json!(["dataforseo"]), &json!(97), &json!(true)),
        "{link}"
    );
}

#[test]
fn a_second_refresh_tells_what_is_new_and_what_is_lost() {
    let fake = connected();
    import(&fake, &ahrefs(&[("https://site1.example/p", "/lamps", "our lamps", "50,false,2024-01-05,2026-08-01,")]));
    provider(&fake, 1_200, 0);
    refreshed(&fake, &json!({ "max_links": 1_000 })).expect("a refresh");
    let links = call(&fake, "backlinks.profile.get", &json!({}))["totals"]["links"].clone();
    assert_eq!(links, 1_000, "the one that was imported under another scheme is the same link");
    fake.set_now(Moment::from_millis(fake.now().millis() + 7 * 86_400_000));
    let asked = provider(&fake, 1_200, 30);
    let told = refreshed(&fake, &json!({ "max_links": 1_000 })).expect("a refresh");
    assert_eq!((&told["lost"], &told["provider_total"]), (&json!(30), &json!(1_200)), "{told}");
    let lost = asked.borrow().iter().find(|it| it["backlinks_status_type"] == "lost").cloned().expect("the lost ones");
    assert_eq!(lost["filters"], json!([["last_seen", ">", "2026-09-20 00:00:00 +00:00"]]));
    let listed =
        call(&fake, "backlinks.link.list", &json!({ "filter": [{ "field": "lost", "op": "eq", "value": true }] }));
    assert_eq!(listed["total"], 30, "links beyond `max_links` are not lost");
    assert!(told["degraded"][0]["why"].as_str().is_some_and(|it| it.contains("1200 links")), "{told}");
}

#[test]
fn the_cap_is_held_against_what_questions_cost() {
    let fake = connected();
    let asked = provider(&fake, 21_500, 0);
    let told = refreshed(&fake, &json!({ "max_links": 50_000, "cost_cap": 0.12 })).expect("a refresh");
    assert_eq!((&told["fetched"], asked.borrow().len()), (&json!(2_000), 2), "a third one would be 0.15: {told}");
    let fake = connected();
    let asked = provider(&fake, 21_500, 0);
    let told = refreshed(&fake, &json!({ "cost_cap": 0.01 })).expect("a refresh");
    assert_eq!((&told["fetched"], asked.borrow().len()), (&json!(0), 0), "{told}");
}

#[test]
fn what_the_provider_refuses_is_told_as_it_is() {
    let fake = connected();
    fake.provider_serves(|_, _, _| {
        let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 40_204, "status_message": "Access denied.", "cost": 0 }] });
        Some((200, answer.to_string().into_bytes()))
    });
    let fault = refreshed(&fake, &json!({})).expect_err("a fault");
    assert_eq!(fault.0, "provider_plan_required");
    let fake = website();
    let fault = fake.refusal("backlinks.refresh.run", json!({ "site_id": SITE }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/site_id")));
}

#[test]
fn a_refresh_that_goes_on_is_planned_and_ended() {
    let fake = connected();
    provider(&fake, 10, 0);
    let started = call(&fake, "backlinks.refresh.run", &json!({ "every": "weekly", "cost_cap": 1 }));
    assert!(started["next_refresh_at"].is_string(), "{started}");
    let planned = fake.schedules().get("refresh:81").expect("a schedule").calls[0].clone();
    while fake.work_one_step() {}
    let arguments: Value = serde_json::from_str(&planned.arguments).expect("arguments");
    fake.call(&planned.operation, arguments).expect("the planned call is valid");
    while fake.work_one_step() {}
    assert!(fake.schedules().get("refresh:81").is_some(), "a round does not end its schedule");
    call(&fake, "backlinks.refresh.run", &json!({}));
    assert!(fake.schedules().get("refresh:81").is_none());
}
