//! What a call would cost, and what all of them did.

use sdk::serde_json::Value;
use sdk::{Fake, Fault, Grouping, PlatformQuestion, json};
use site::Site;

/// 2026-09-28, a Monday: the day on which the fake stands.
const TODAY: i64 = 20_724;

fn row(day: i64, key: &str, points: i64, credits_milli: i64) -> Value {
    json!({ "day": day, "key": key, "name": null, "calls": 1, "points": points, "credits_milli": credits_milli })
}

/// The first answer is to the question for rows, the second to that for days.
fn host(rows: &[Value], days: &[Value]) -> Fake {
    let fake = crate::fake();
    fake.platform("account", Ok(crate::tests::account(&json!(null))));
    fake.platform("spending", Ok(json!({ "rows": rows })));
    fake.platform("spending", Ok(json!({ "rows": days })));
    fake
}

#[test]
fn an_estimate_has_a_least_and_a_most_and_what_would_stop_it() {
    let fake = crate::fake();
    fake.platform(
        "estimate",
        Ok(json!({
            "points_min": 10, "points_max": 110, "credits_min_milli": 0, "credits_max_milli": 5_000, "needs_activation": false,
            "affordable": false, "blocking": { "code": "over_budget", "message": "the daily cap is reached", "detail": { "cap": 20 } }
        })),
    );
    let arguments = json!({ "site_id": "81", "max_pages": 5_000 });
    let estimate = fake
        .call("account.cost.estimate", json!({ "target_operation": "crawl.run.start", "arguments": arguments }))
        .unwrap();
    assert_eq!((&estimate["points_min"], &estimate["points_max"]), (&json!(10), &json!(110)));
    assert_eq!((&estimate["native_credits_min"], &estimate["native_credits"]), (&json!(0.0), &json!(5.0)));
    assert_eq!(estimate["blocking_cap"]["code"], "over_budget");
    let said = fake.asked_platform();
    let [PlatformQuestion::Estimate(asked)] = &said[..] else { panic!("one question") };
    assert_eq!(asked.operation, "crawl.run.start");
    assert_eq!(sdk::serde_json::from_str::<Value>(&asked.arguments).unwrap(), arguments);
}

#[test]
fn arguments_that_the_operation_would_refuse_are_refused_below_their_own_pointer() {
    let fake = crate::fake();
    fake.platform("estimate", Err(Fault::invalid("/arguments/max_pages", "invalid_arguments", "must be at least 1")));
    let fault = fake.refusal(
        "account.cost.estimate",
        json!({ "target_operation": "crawl.run.start", "arguments": { "max_pages": 0 } }),
    );
    assert_eq!(fault.pointer.as_deref(), Some("/arguments/max_pages"));
    let fault =
        fake.refusal("account.cost.estimate", json!({ "target_operation": "crawl.run.start", "arguments": [] }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_arguments", Some("/arguments")));
}

#[test]
fn spending_is_added_up_over_the_days_the_largest_first() {
    let rows = [
        row(TODAY - 2, "crawl", 10, 2_000),
        row(TODAY - 1, "crawl", 5, 1_000),
        row(TODAY, "audit", 900, 0),
        row(TODAY, "links", 3_200, 0),
    ];
    let fake = host(&rows, &[]);
    let report = fake.call("account.cost.report", json!({ "group_by": "module" })).unwrap();
    let keys: Vec<&str> = report["rows"].as_array().unwrap().iter().map(|it| it["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["links", "crawl", "audit"], "a credit is worth 1,000 points");
    assert_eq!(report["rows"][1], json!({ "key": "crawl", "name": null, "calls": 2, "points": 15, "credits": 3.0 }));
    assert_eq!(report["total"], json!({ "calls": 4, "points": 4_115, "credits": 3.0 }));
    assert_eq!((&report["from"], &report["to"]), (&json!("2026-09-01"), &json!("2026-09-28")));
    let asked = fake.asked_platform();
    let PlatformQuestion::Spending(spending) = &asked[0] else { panic!("spending first") };
    assert_eq!((spending.by, spending.from, spending.to), (Grouping::Module, TODAY - 27, TODAY));
}

#[test]
fn websites_go_by_their_domains_and_one_that_is_gone_by_nothing() {
    let site = Site { domain: "shop.example".into(), order: "1".into(), ..Site::default() };
    let fake = host(&[row(TODAY, "81", 9, 0), row(TODAY, "82", 5, 0), row(TODAY, "", 1, 0)], &[]).with_as("81", site);
    let report = fake.call("account.cost.report", json!({ "group_by": "site" })).unwrap();
    let names: Vec<(&Value, &Value)> =
        report["rows"].as_array().unwrap().iter().map(|it| (&it["key"], &it["name"])).collect();
    let (known, none) = (json!("shop.example"), json!(null));
    assert_eq!(names, [(&json!("81"), &known), (&json!("82"), &none), (&none, &none)]);
}

#[test]
fn days_are_named_and_stay_in_their_order() {
    let rows = [row(TODAY - 1, "x", 50, 0), row(TODAY, "x", 10, 0), row(TODAY, "y", 7, 0)];
    let fake = host(&rows, &[]);
    let report = fake.call("account.cost.report", json!({ "group_by": "day", "from": "2026-09-27" })).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let days: Vec<(&str, i64)> =
        rows.iter().map(|it| (it["key"].as_str().unwrap(), it["points"].as_i64().unwrap())).collect();
    assert_eq!(days, [("2026-09-27", 50), ("2026-09-28", 17)]);
}

#[test]
fn the_month_ends_with_the_means_of_its_weekdays() {
    // Four weeks with 100 points on weekdays and 10 at weekends; today is a Monday that has brought 30 so far.
    let past =
        (TODAY - 28..TODAY).map(|day| row(day, "", if matches!(day.rem_euclid(7), 2 | 3) { 10 } else { 100 }, 0));
    let days: Vec<Value> = past.chain([row(TODAY, "", 30, 0)]).collect();
    let report = host(&[], &days).call("account.cost.report", json!({ "group_by": "module" })).unwrap();
    // 1 to 27 September: 19 weekdays and 8 days at weekends; 28, 29 and 30 are Monday to Wednesday.
    let wanted = json!({ "points": 19.0 * 100.0 + 8.0 * 10.0 + 3.0 * 100.0, "credits": 0.0 });
    let forecast = &report["forecast"];
    assert_eq!((&forecast["month_end"], &forecast["low"], &forecast["high"]), (&wanted, &wanted, &wanted));
    assert_eq!((&forecast["until"], &forecast["days_of_history"]), (&json!("2026-09-30"), &json!(28)));
}

#[test]
fn a_day_that_has_brought_more_already_counts_with_it_and_nothing_comes_back() {
    let past =
        (TODAY - 28..TODAY).map(|day| row(day, "", 0, if day % 7 == 0 { 40_000 } else { 1_000 + 100 * (day % 5) }));
    let days: Vec<Value> = past.chain([row(TODAY, "", 0, 500_000)]).collect();
    let forecast =
        host(&[], &days).call("account.cost.report", json!({ "group_by": "module" })).unwrap()["forecast"].clone();
    let credits = |name: &str| forecast[name]["credits"].as_f64().unwrap();
    let so_far: f64 = days
        .iter()
        .filter(|it| it["day"].as_i64().unwrap() > TODAY - 28)
        .map(|it| it["credits_milli"].as_f64().unwrap() / 1_000.0)
        .sum();
    assert!(credits("low") >= so_far && credits("low") <= credits("month_end"), "{forecast:#}");
    assert!(credits("month_end") > so_far && credits("high") >= credits("month_end"), "{forecast:#}");
}

#[test]
fn days_before_the_account_was_made_do_not_count() {
    let fake = crate::fake();
    let mut account = crate::tests::account(&json!(null));
    // Made five days ago: the mean is of five days, not of 28.
    account["created_at"] = json!((TODAY - 5) * 86_400_000);
    fake.platform("account", Ok(account.clone()));
    let days: Vec<Value> = (TODAY - 5..TODAY).map(|day| row(day, "", 100, 0)).collect();
    fake.platform("spending", Ok(json!({ "rows": days })));
    let forecast = fake.call("account.cost.report", json!({ "group_by": "day" })).unwrap()["forecast"].clone();
    assert_eq!((&forecast["month_end"]["points"], &forecast["days_of_history"]), (&json!(800.0), &json!(5)));

    let fake = crate::fake();
    account["created_at"] = json!(TODAY * 86_400_000);
    fake.platform("account", Ok(account));
    fake.platform("spending", Ok(json!({ "rows": [] })));
    let report = fake.call("account.cost.report", json!({ "group_by": "day" })).unwrap();
    assert_eq!(report["forecast"], json!(null), "a first day says nothing of a month");
}

#[test]
fn days_the_wrong_way_round_and_more_than_a_year_are_refused() {
    let fake = crate::fake();
    for (arguments, code) in [
        (json!({ "group_by": "day", "from": "2026-09-02", "to": "2026-09-01" }), "period_reversed"),
        (json!({ "group_by": "day", "from": "2025-09-01", "to": "2026-09-02" }), "period_too_long"),
        (json!({ "group_by": "site", "from": "2025-09-01", "to": "2026-09-02" }), "period_too_long"),
    ] {
        let fault = fake.refusal("account.cost.report", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some("/from")));
    }
    assert!(fake.asked_platform().is_empty());
}

#[test]
fn only_so_many_rows_are_shown_and_the_total_is_of_all() {
    let rows: Vec<Value> = (0..520).map(|at| row(TODAY, &format!("client {at:03}"), 1_000 - at, 0)).collect();
    let report = host(&rows, &[]).call("account.cost.report", json!({ "group_by": "client" })).unwrap();
    assert_eq!((report["rows"].as_array().unwrap().len(), &report["rows_left_out"]), (500, &json!(20)));
    assert_eq!(report["total"]["points"], (0..520).map(|at| 1_000 - at).sum::<i64>());
}
