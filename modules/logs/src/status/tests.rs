//! Answers over time: who got them, where they differ, and when the server failed.

use sdk::json;

use crate::trial::{self, CHROME, GOOGLE, GOOGLEBOT, STRANGER, line, report};

#[test]
fn answers_are_told_by_day_and_visitor() {
    let fake = trial::with(&[
        line(GOOGLE, "01/Sep/2026:10:00:00", "/a", 200, GOOGLEBOT),
        line(GOOGLE, "01/Sep/2026:10:00:01", "/a", 503, GOOGLEBOT),
        line(GOOGLE, "01/Sep/2026:10:00:02", "/b", 304, GOOGLEBOT),
        line(GOOGLE, "01/Sep/2026:10:00:03", "/b", 200, GOOGLEBOT),
        line(STRANGER, "01/Sep/2026:10:00:04", "/a", 404, CHROME),
    ]);
    let told = report(&fake, "logs.status.report", &json!({}));
    let bots = json!({ "date": "2026-09-01", "to": "bots", "hits": 4, "by_class": { "2xx": 2, "3xx": 1, "5xx": 1 }, "error_share": 0.25 });
    let people =
        json!({ "date": "2026-09-01", "to": "people", "hits": 1, "by_class": { "4xx": 1 }, "error_share": 0.0 });
    assert_eq!(told["series"], json!([bots, people]));
    // That a page is unchanged is no other answer than the page.
    assert_eq!(told["inconsistent_total"], 1);
    let both = json!({ "url": "https://shop.example/a", "date": "2026-09-01", "hits": 2, "by_status": { "200": 1, "503": 1 } });
    assert_eq!(told["inconsistent"], json!([both]));
    let other = report(&fake, "logs.status.report", &json!({ "family": "bingbot" }));
    assert_eq!(other["series"].as_array().map(Vec::len), Some(1), "people are told in any case: {other}");
}

#[test]
fn an_outage_is_told_with_its_start_and_length() {
    // Two days with an error an hour, and an outage of 20 minutes.
    let mut lines: Vec<String> = Vec::new();
    for hour in 0..48 {
        let at = |minute: u32, second: u32| {
            format!("{:02}/Sep/2026:{:02}:{minute:02}:{second:02}", 1 + hour / 24, hour % 24)
        };
        for minute in 0..60 {
            let is_out = hour == 40 && (15..35).contains(&minute);
            for second in [0, 20, 40] {
                let status = if is_out || (minute, second) == (7, 0) { 502 } else { 200 };
                lines.push(line(STRANGER, &at(minute, second), "/", status, CHROME));
            }
        }
    }
    let told = report(&trial::with(&lines), "logs.status.report", &json!({}));
    assert_eq!(told["bursts_total"], 1, "{}", told["bursts"]);
    let burst = &told["bursts"][0];
    assert_eq!((&burst["started_at"], &burst["minutes"]), (&json!("2026-09-02T16:15:00.000Z"), &json!(20)));
    assert_eq!((&burst["errors"], &burst["requests"], &burst["share"]), (&json!(60), &json!(60), &json!(1.0)));
    assert_eq!(told["next"][0]["arguments"]["date"], "2026-09-02");
}
