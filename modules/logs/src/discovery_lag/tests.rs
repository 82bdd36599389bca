//! How long new pages wait: visits end the wait, and pages without one are censored, not left out.

use sdk::json;

use crate::trial::{self, GOOGLE, GOOGLEBOT, STRANGER, crawled, line, report};

#[test]
fn the_median_counts_pages_that_were_never_visited() {
    // Lines from the first to the tenth; twelve pages of the second day, visited after 1, 2, … 8 hours, and four not at all.
    let mut lines = vec![
        line(GOOGLE, "01/Sep/2026:00:00:00", "/", 200, GOOGLEBOT),
        line(GOOGLE, "10/Sep/2026:23:59:59", "/", 200, GOOGLEBOT),
    ];
    lines.extend((1..=8).map(|hour| {
        line(GOOGLE, &format!("02/Sep/2026:{:02}:00:00", 8 + hour), &format!("/new-{hour}"), 200, GOOGLEBOT)
    }));
    // An impostor is no visit.
    lines.push(line(STRANGER, "02/Sep/2026:08:01:00", "/new-9", 200, GOOGLEBOT));
    let fake = trial::with(&lines);
    let paths: Vec<String> = (1..=12).map(|at| format!("/new-{at}")).collect();
    let mut pages: Vec<(&str, &str, Option<&str>)> =
        paths.iter().map(|it| (it.as_str(), "ok", Some("2026-09-02T08:00:00Z"))).collect();
    pages.push(("/old", "ok", Some("2026-08-20")));
    pages.push(("/undated", "ok", None));
    pages.push(("/hidden", "noindex", Some("2026-09-02T08:00:00Z")));
    crawled(&fake, &pages);
    let told = report(&fake, "logs.discovery_lag.report", &json!({}));
    assert_eq!((&told["n"], &told["visited"], &told["left_out"]), (&json!(12), &json!(8), &json!(1)), "{told}");
    assert_eq!(told["median_hours"], 6.0, "half of twelve pages were visited after six hours");
    assert_eq!(told["curve"].as_array().map(Vec::len), Some(8));
    assert_eq!(told["curve"][5]["unvisited"], 0.5);
    assert_eq!(told["not_yet_visited"].as_array().map(Vec::len), Some(4));
    assert_eq!(told["date_precision"], json!({ "to_the_second": 12, "to_the_day": 0 }));
    assert_eq!((&told["by_month"][0]["name"], &told["by_month"][0]["n"]), (&json!("2026-09"), &json!(12)));
    assert!(told["not_yet_visited"][0]["hours"].as_f64().is_some_and(|it| (it - 208.0).abs() < 0.01), "{told}");
}

#[test]
fn a_few_pages_make_no_curve() {
    let fake = trial::with(&[
        line(GOOGLE, "01/Sep/2026:00:00:00", "/a", 200, GOOGLEBOT),
        line(GOOGLE, "05/Sep/2026:00:00:00", "/b", 200, GOOGLEBOT),
    ]);
    assert_eq!(fake.refusal("logs.discovery_lag.report", json!({ "site_id": trial::SITE })).code, "crawl_required");
    crawled(&fake, &[("/b", "ok", Some("2 September 2026"))]);
    let told = report(&fake, "logs.discovery_lag.report", &json!({}));
    assert_eq!((&told["n"], &told["median_hours"], &told["curve"]), (&json!(1), &json!(null), &json!([])), "{told}");
    assert_eq!(told["date_precision"]["to_the_day"], 1);
    assert!(told["degraded"].to_string().contains("a curve needs 10"), "{told}");
}
