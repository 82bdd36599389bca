//! Scans that are stopped, listed and deleted, and their pins.

use sdk::json;

use crate::stored::{Pin, Place, Run, Stop, Tally};
use crate::trial::{BUSINESS, actions_fit, at, provide, result, scanned, shop, start};

#[test]
fn a_stopped_scan_keeps_its_finished_pins_and_costs_those_alone() {
    let fake = shop();
    let run = start(&fake, json!({ "size": 7 }));
    provide(&fake, &run, |_, _| at(4, ""));
    // Lay, order, collect the first 40.
    (0..3).for_each(|_| assert!(fake.work_one_step()));
    let running = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert_eq!((&running["state"], &running["pins_done"]), (&json!("running"), &json!(40)));
    assert_eq!(actions_fit(&running), 1);
    let stopped = fake.call("local_grid.run.stop", json!({ "run_ref": run })).unwrap();
    assert_eq!(stopped, json!({ "state": "running", "pins_done": 40, "charge": 1.6 }));
    fake.work();
    let got = fake.call("local_grid.run.get", json!({ "run_ref": run })).unwrap();
    assert_eq!((&got["state"], &got["pins_done"], &got["charge"]), (&json!("cancelled"), &json!(40), &json!(1.6)));
    let incomplete: Vec<_> = got["degraded"].as_array().unwrap().iter().map(|it| &it["why"]).collect();
    assert_eq!(incomplete, ["9 of 49 pins have no result", "the scan was stopped before its end"]);
    assert_eq!(fake.refusal("local_grid.run.stop", json!({ "run_ref": run })).code, "scan_ended");
}

#[test]
fn results_of_a_scan_that_has_not_ended_are_refused_and_say_what_to_call() {
    let fake = shop();
    let run = start(&fake, json!({}));
    let only = json!({ "run_ref": run });
    for operation in ["competitor.report", "zone.detect", "proximity.fit", "heatmap.render"] {
        let fault = fake.refusal(&format!("local_grid.{operation}"), only.clone());
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("scan_running", Some("/run_ref")), "{operation}");
        assert!(fault.detail.unwrap().contains("local_grid.run.get"));
    }
    let fault = fake.refusal("local_grid.run.delete", only.clone());
    assert_eq!(fault.code, "scan_running");
    fake.call("local_grid.run.stop", only.clone()).unwrap();
    fake.work();
    assert_eq!(fake.refusal("local_grid.zone.detect", only).code, "scan_empty");
}

#[test]
fn nothing_of_a_deleted_scan_is_left_and_others_keep_everything() {
    let fake = shop();
    let kept = scanned(&fake, json!({}), |_, _| at(4, ""));
    let gone = scanned(&fake, json!({}), |_, _| at(5, ""));
    assert_eq!(
        fake.call("local_grid.run.delete", json!({ "run_ref": gone })).unwrap(),
        json!({ "deleted": true, "pins": 9 })
    );
    assert!(fake.rows::<Run>().iter().all(|it| it.id.as_str() == kept));
    assert!(fake.rows::<Pin>().iter().all(|it| it.run == kept) && fake.rows::<Pin>().len() == 9);
    assert!(fake.rows::<Place>().iter().all(|it| it.run == kept) && fake.rows::<Tally>().len() == 1);
    assert!(fake.rows::<Stop>().is_empty());
    assert_eq!(fake.refusal("local_grid.run.get", json!({ "run_ref": gone })).code, "run_not_found");
}

#[test]
fn scans_are_listed_newest_first_and_by_keyword_with_the_figures_of_that_keyword() {
    let fake = shop();
    let first =
        scanned(&fake, json!({ "keywords": ["lamp shop", "lamp repair"] }), |keyword, _| at(2 + keyword * 4, ""));
    fake.set_now(fake.now().plus(1_000));
    let second = scanned(&fake, json!({}), |_, _| at(1, ""));
    let list = |more| fake.call("local_grid.run.list", more).unwrap();
    let all = list(json!({ "business_ref": BUSINESS, "limit": 1 }));
    assert_eq!(all["runs"][0]["run_ref"], json!(second));
    let rest = list(json!({ "business_ref": BUSINESS, "limit": 1, "cursor": all["next_cursor"] }));
    assert_eq!((&rest["runs"][0]["run_ref"], &rest["runs"][0]["figures"]["arp"]), (&json!(first), &json!(4.0)));
    let repair = list(json!({ "business_ref": BUSINESS, "keyword": "Lamp  Repair" }));
    assert_eq!(repair["runs"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&repair["runs"][0]["figures"]["arp"], &repair["runs"][0]["keywords"]),
        (&json!(6.0), &json!(["lamp repair"]))
    );
    assert_eq!(list(json!({ "business_ref": BUSINESS, "keyword": "other" }))["runs"], json!([]));
}

#[test]
fn pins_are_listed_with_who_is_there_and_weak_ones_on_request() {
    let fake = shop();
    let run = start(&fake, json!({}));
    provide(&fake, &run, |_, spot| at(spot.row * 10 + 1, "Famous Lamps"));
    result(&fake, &run, 0, 0, 40_501, &json!(null));
    fake.work();
    let list = |more: sdk::serde_json::Value| {
        let mut arguments = json!({ "run_ref": run });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fake.call("local_grid.pin.list", arguments).unwrap()["pins"].as_array().unwrap().clone()
    };
    let all = list(json!({}));
    assert_eq!(all.len(), 9);
    let middle = all.iter().find(|it| it["row"] == 1 && it["column"] == 1).unwrap();
    assert_eq!(
        (&middle["rank"], &middle["distance_km"], &middle["matched_by"]),
        (&json!(11), &json!(0.0), &json!("place_id"))
    );
    assert!(
        middle["direction"].is_null() && middle["top"][0]["name"] == "Famous Lamps" && middle["top"][0]["votes"] == 900
    );
    let south = all.iter().find(|it| it["row"] == 2 && it["column"] == 1).unwrap();
    assert_eq!(
        (&south["direction"], &south["bearing"], &south["distance_km"], &south["rank"]),
        (&json!("south"), &json!(180.0), &json!(1.0), &json!(null))
    );
    assert_eq!(all.last().unwrap()["error"], "provider_40501");
    let weak = list(json!({ "min_rank": 11 }));
    assert_eq!(
        weak.iter().map(|it| it["rank"].as_u64()).collect::<Vec<_>>(),
        [Some(11), Some(11), Some(11), None, None, None]
    );
    assert_eq!(list(json!({ "keyword": "LAMP shop", "min_rank": 21, "limit": 2 })).len(), 2);
    let fault = fake.refusal("local_grid.pin.list", json!({ "run_ref": run, "keyword": "sofas" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("keyword_not_scanned", Some("/keyword")));
}
