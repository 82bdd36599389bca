//! Scans that are started, and what the provider is asked.

use sdk::value::Id;
use sdk::{SendFailure, json};

use crate::stored::{Pin, Run, Stage};
use crate::trial::{BUSINESS, actions_fit, at, pins, provide, result, scanned, shop, start, taken, unconnected};

const READY: &str = "/v3/serp/google/maps/tasks_ready";
const ORDER: &str = "/v3/serp/google/maps/task_post";

#[test]
fn a_scan_asks_every_pin_once_and_comes_to_the_figures_of_its_definitions() {
    let fake = shop();
    // North of the business third, beside it tenth, south of it nowhere.
    let run = scanned(&fake, json!({}), |_, spot| match spot.row {
        0 => at(3, "Famous Lamps"),
        1 => at(10, "Famous Lamps"),
        _ => at(0, "Famous Lamps"),
    });
    let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert_eq!(
        (&got["state"], &got["pins"], &got["pins_done"], &got["found_pins"]),
        (&json!("succeeded"), &json!(9), &json!(9), &json!(6))
    );
    assert_eq!((&got["arp"], &got["atrp"], &got["solv"]), (&json!(6.5), &json!(11.33), &json!(0.3333)));
    assert_eq!(
        (&got["charge"], &got["provider_cost_usd"], &got["degraded"]),
        (&json!(0.36), &json!(0.0054), &json!([]))
    );
    assert_eq!(got["match_evidence"], json!([{ "by": "place_id", "pins": 6 }]));
    assert!(got["definitions"]["atrp"].as_str().unwrap().contains("21 where"), "{got}");
    assert_eq!(actions_fit(&got), 3);
    let orders = fake.sent().iter().filter(|it| it.ends_with("task_post")).count();
    assert_eq!((orders, fake.sent().len()), (1, 10), "{:?}", fake.sent());
}

#[test]
fn a_start_says_what_is_set_aside_and_refuses_a_second_scan_until_the_first_has_ended() {
    let fake = shop();
    let arguments = json!({ "business_ref": BUSINESS, "keywords": ["Lamp  Shop", "lamp repair"], "language": "en" });
    let replied = fake.reply("local_grid.run.start", arguments.clone()).unwrap();
    let started = &replied.data;
    assert_eq!(
        (&started["state"], &started["pins"], &started["reserved_credits"]),
        (&json!("queued"), &json!(98), &json!(3.92))
    );
    assert_eq!(replied.units, 98, "no more than these pins is held");
    let run = started["run_ref"].as_str().unwrap();
    assert_eq!(fake.records::<Run>().get(&Id::new(run)).unwrap().keywords, ["lamp shop", "lamp repair"]);
    let fault = fake.refusal("local_grid.run.start", arguments.clone());
    assert_eq!(fault.code, "scan_running");
    assert!(fault.detail.unwrap().contains("local_grid.run.stop"));
    provide(&fake, run, |_, _| at(1, ""));
    fake.work();
    fake.call("local_grid.run.start", arguments).unwrap();
}

#[test]
fn what_cannot_be_scanned_is_refused_before_anything_is_asked() {
    let fake = shop();
    let refused = |more: sdk::serde_json::Value| {
        let mut arguments = json!({ "business_ref": BUSINESS, "keywords": ["lamps"], "language": "en" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let fault = fake.refusal("local_grid.run.start", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let at = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "keywords": ["lamps", " LAMPS "] })), at("keyword_repeated", "/keywords/1"));
    assert_eq!(refused(json!({ "keywords": ["lamps", "site:shop.example"] })), at("keyword_operator", "/keywords/1"));
    assert_eq!(refused(json!({ "keywords": ["  "] })).0, "keyword_empty");
    for more in [
        json!({ "keywords": [] }),
        json!({ "depth": 19 }),
        json!({ "depth": 101 }),
        json!({ "language": "english language" }),
    ] {
        assert_eq!(refused(more.clone()).0, "invalid_arguments", "{more}");
    }
    assert!(fake.sent().is_empty() && fake.rows::<Run>().is_empty());
    let arguments = json!({ "business_ref": BUSINESS, "keywords": ["lamps"], "language": "en" });
    let fault = unconnected().refusal("local_grid.run.start", arguments);
    assert_eq!(fault.code, "connection_required");
    assert!(fault.detail.unwrap().contains("\"connections.add\""));
}

#[test]
fn a_scan_that_is_young_enough_is_not_repeated_when_that_is_asked_for() {
    let fake = shop();
    let first = scanned(&fake, json!({}), |_, _| at(1, ""));
    let again = json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "language": "en", "size": 3, "unless_within_days": 13 });
    let fault = fake.refusal("local_grid.run.start", again.clone());
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("scanned_recently", Some("/unless_within_days")));
    assert!(fault.detail.unwrap().contains(&first));
    let mut other = again.clone();
    other["spacing_m"] = json!(500);
    let other = fake.call("local_grid.run.start", other).unwrap();
    fake.provider_fails("POST", ORDER, SendFailure::ExpiredCredential);
    fake.work();
    assert_eq!(fake.call("local_grid.run.get", json!({ "run_ref": other["run_ref"] })).unwrap()["state"], "failed");
    fake.set_now(fake.now().plus(14 * 86_400_000));
    fake.call("local_grid.run.start", again).unwrap();
}

#[test]
fn a_task_that_comes_to_nothing_is_ordered_anew_twice_and_its_pin_is_not_charged() {
    let fake = shop();
    let run = start(&fake, json!({}));
    provide(&fake, &run, |_, _| at(1, ""));
    result(&fake, &run, 0, 4, 40_501, &json!(null));
    // An empty map is a result: the business is not there.
    result(&fake, &run, 0, 5, 40_102, &json!(null));
    fake.work();
    let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert_eq!((&got["pins_done"], &got["failed_pins"], &got["found_pins"]), (&json!(8), &json!(1), &json!(7)));
    assert_eq!(got["degraded"].as_array().map(Vec::len), Some(1));
    assert_eq!(got["degraded"][0]["why"], "1 of 9 pins have no result");
    let failed: Vec<Pin> =
        fake.rows::<Pin>().into_iter().map(|it| it.it).filter(|it| it.stage == Stage::Failed).collect();
    assert_eq!((failed.len(), failed[0].tries, failed[0].error.as_deref()), (1, 2, Some("provider_40501")));
    assert_eq!(fake.sent().iter().filter(|it| it.ends_with("task_post")).count(), 3);
}

#[test]
fn an_order_that_nobody_knows_of_is_looked_for_at_the_provider_and_not_given_again() {
    let fake = shop();
    let run = start(&fake, json!({}));
    fake.provider_fails("POST", ORDER, SendFailure::UnknownOutcome);
    fake.work_one_step();
    fake.work_one_step();
    assert!(fake.rows::<Pin>().iter().all(|it| it.stage == Stage::Lost));
    provide(&fake, &run, |_, _| at(2, ""));
    let ready: Vec<_> =
        (0..9).map(|at| json!({ "id": format!("task-{run}-0-{at}"), "tag": format!("{run}-0-{at}-0") })).collect();
    fake.provider_answers(
        "GET",
        READY,
        200,
        &json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "result": ready }] }),
    );
    fake.work();
    let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert_eq!((&got["pins_done"], &got["arp"]), (&json!(9), &json!(2.0)));
    assert_eq!(fake.sent().iter().filter(|it| it.ends_with("task_post")).count(), 1, "{:?}", fake.sent());
}

#[test]
fn the_wait_grows_only_when_every_pin_was_looked_after_in_vain() {
    let fake = shop();
    let run = start(&fake, json!({ "size": 15 }));
    taken(&fake, &run);
    for (keyword, number, _) in pins(&fake, &run) {
        result(&fake, &run, keyword, number, 40_602, &json!(null));
    }
    // It is laid and ordered; six steps look after all 225 pins.
    (0..2).for_each(|_| assert!(fake.work_one_step()));
    let before = fake.now();
    let waits: Vec<u64> = (0..12)
        .map(|_| {
            let before = fake.now();
            fake.work_one_step();
            fake.now().since(before)
        })
        .collect();
    assert_eq!(waits, [1_200, 1_200, 1_200, 1_200, 1_200, 2_000, 1_200, 1_200, 1_200, 1_200, 1_200, 4_000]);
    assert!(fake.rows::<Pin>().iter().all(|it| it.looked_ms >= before.millis()));
}

#[test]
fn an_order_that_the_provider_has_never_received_is_given_again_after_an_hour() {
    let fake = shop();
    let run = start(&fake, json!({}));
    fake.provider_fails("POST", ORDER, SendFailure::UnknownOutcome);
    fake.work_one_step();
    fake.work_one_step();
    fake.provider_answers(
        "GET",
        READY,
        200,
        &json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "result": null }] }),
    );
    provide(&fake, &run, |_, _| at(2, ""));
    let before = fake.now();
    fake.work();
    assert!(fake.now().since(before) >= 3_600_000);
    assert_eq!(fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap()["pins_done"], 9);
    assert_eq!(fake.sent().iter().filter(|it| it.ends_with("task_post")).count(), 2);
}

#[test]
fn a_provider_that_cannot_be_asked_ends_the_scan_with_the_pins_that_are_there() {
    for (failure, code) in [
        (SendFailure::ExpiredCredential, "connection_expired"),
        (SendFailure::RateLimited(Some(3)), "provider_quota_exhausted"),
        (SendFailure::Unreachable, "provider_error"),
    ] {
        let fake = shop();
        let run = start(&fake, json!({}));
        fake.provider_fails("POST", ORDER, failure);
        fake.work();
        let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
        assert_eq!((&got["state"], &got["charge"]), (&json!("failed"), &json!(0.0)), "{code}");
        assert!(got["degraded"][0]["why"].as_str().unwrap().starts_with(code), "{got}");
        assert_eq!(actions_fit(&got), 1);
    }
    let fake = shop();
    let run = start(&fake, json!({}));
    taken(&fake, &run);
    let used_up = json!({ "status_code": 40_200, "tasks": null });
    fake.provider_answers("POST", ORDER, 402, &used_up);
    fake.work();
    let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert!(got["degraded"][0]["why"].as_str().unwrap().starts_with("provider_quota_exhausted"), "{got}");
}
