//! Scans over time.

use sdk::json;

use crate::stored::Annotation;
use crate::trial::{BUSINESS, SITE, actions_fit, at, scanned, shop};

const WEEK: u64 = 7 * 86_400_000;

#[test]
fn comparable_scans_are_a_series_with_the_first_change_that_is_no_chance() {
    let fake = shop();
    let mut runs = Vec::new();
    for rank in [9, 9, 8, 3, 3] {
        // One pin moves by chance between the second and the third scan.
        runs.push(scanned(&fake, json!({}), |_, spot| {
            at(if rank == 8 && spot.row + spot.column > 0 { 9 } else { rank }, "")
        }));
        fake.set_now(fake.now().plus(WEEK));
    }
    scanned(&fake, json!({ "keywords": ["lamp repair"] }), |_, _| at(1, ""));
    let day = |weeks: u64| fake.now().plus(0).millis() - (5 - weeks) * WEEK;
    let on = |weeks: u64, title: &str| Annotation {
        site_id: SITE.into(),
        date: sdk::value::Moment::from_millis(day(weeks)).day(),
        title: title.into(),
    };
    fake.put(on(3, "New profile photos"));
    fake.put(Annotation { site_id: "7".into(), ..on(3, "Somebody else") });
    let trend =
        fake.call("local_grid.trend.report", json!({ "business_ref": BUSINESS, "keyword": "Lamp Shop" })).unwrap();
    let series: Vec<_> =
        trend["series"].as_array().unwrap().iter().map(|it| it["run_ref"].as_str().unwrap().to_owned()).collect();
    assert_eq!((series, &trend["other_scans"]), (runs.clone(), &json!(0)));
    let changes = trend["change_points"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{trend}");
    assert_eq!(
        (&changes[0]["from_run"], &changes[0]["to_run"], &changes[0]["verdict"]),
        (&json!(runs[2]), &json!(runs[3]), &json!("improved"))
    );
    assert_eq!(trend["annotations"].as_array().unwrap().len(), 1);
    assert_eq!(trend["annotations"][0]["title"], "New profile photos");
    assert_eq!(actions_fit(&trend), 1);
    let from = sdk::value::Moment::from_millis(day(3)).day();
    let late = json!({ "business_ref": BUSINESS, "keyword": "lamp shop", "from": from, "to": from });
    assert_eq!(fake.call("local_grid.trend.report", late).unwrap()["series"].as_array().unwrap().len(), 1);
}

#[test]
fn scans_of_another_grid_are_left_out_and_counted() {
    let fake = shop();
    scanned(&fake, json!({ "spacing_m": 500 }), |_, _| at(5, ""));
    fake.set_now(fake.now().plus(WEEK));
    let last = scanned(&fake, json!({}), |_, _| at(5, ""));
    let trend =
        fake.call("local_grid.trend.report", json!({ "business_ref": BUSINESS, "keyword": "lamp shop" })).unwrap();
    assert_eq!((&trend["series"][0]["run_ref"], &trend["other_scans"]), (&json!(last), &json!(1)));
    assert!(trend["degraded"][0]["why"].as_str().unwrap().contains("one scan"), "{trend}");
}

#[test]
fn without_a_scan_it_says_what_starts_one_and_days_the_wrong_way_round_are_refused() {
    let fake = shop();
    let trend =
        fake.call("local_grid.trend.report", json!({ "business_ref": BUSINESS, "keyword": "lamp shop" })).unwrap();
    assert_eq!((&trend["series"], &trend["next"][0]["operation_id"]), (&json!([]), &json!("local_grid.run.start")));
    assert_eq!(actions_fit(&trend), 1);
    let days = json!({ "business_ref": BUSINESS, "keyword": "lamps", "from": "2026-09-02", "to": "2026-09-01" });
    let fault = fake.refusal("local_grid.trend.report", days);
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("days_reversed", Some("/to")));
}
