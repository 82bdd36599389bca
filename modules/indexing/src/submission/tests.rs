//! What the list of submissions promises.

use sdk::json;

use crate::stored::{Receiver, Submission};
use crate::trial::{ORIGIN, SITE, call, inspected, of_site, refused, website};

const DAY: u64 = 86_400_000;

#[test]
fn submissions_are_listed_newest_first_with_the_visit_that_followed() {
    let fake = website();
    let now = fake.now().millis();
    let put = |path: &str, engine: Receiver, days_ago: u64| {
        fake.put(Submission {
            site_id: SITE.to_owned(),
            engine,
            url: format!("{ORIGIN}{path}"),
            at_ms: now - days_ago * DAY,
            code: 200,
            text_sha256: String::new(),
            removed: false,
        });
    };
    put("/a", Receiver::IndexNow, 5);
    put("/b", Receiver::Bing, 3);
    put("/c", Receiver::IndexNow, 1);
    // Seen half a day before it was asked, two days ago: after the submission of /a.
    inspected(&fake, "/a", "PASS", "Submitted and indexed", 2);
    inspected(&fake, "/c", "PASS", "Submitted and indexed", 2);
    let list = call(&fake, "indexing.submission.list", of_site(json!({})));
    let rows = list["submissions"].as_array().unwrap();
    let urls: Vec<String> = rows.iter().map(|it| it["url"].as_str().unwrap().replace(ORIGIN, "")).collect();
    assert_eq!(urls, ["/c", "/b", "/a"]);
    assert_eq!((&rows[2]["delay_hours"], &rows[0]["first_crawl_after"]), (&json!(60.0), &sdk::serde_json::Value::Null));
    assert_eq!(list["median_delay_hours"], 60.0);
    // The logs know of an earlier visit, and of one that nobody could verify, which does not count.
    let second = |days: u64| now / 1_000 - days * 86_400;
    let (a, b) = (format!("{ORIGIN}/a"), format!("{ORIGIN}/b"));
    visits::trial::store(&fake, SITE, &[(&a, "bingbot", true, second(4)), (&b, "bingbot", false, second(2))]);
    let list = call(&fake, "indexing.submission.list", of_site(json!({})));
    assert_eq!(
        (&list["submissions"][2]["delay_hours"], &list["submissions"][1]["delay_hours"]),
        (&json!(24.0), &sdk::serde_json::Value::Null)
    );
    assert_eq!(list["median_delay_hours"], 24.0);
    let day = |days: u64| sdk::value::Moment::from_millis(now - days * DAY).day().to_string();
    let some =
        call(&fake, "indexing.submission.list", of_site(json!({ "engine": "indexnow", "from": day(6), "to": day(4) })));
    assert_eq!(some["submissions"].as_array().unwrap().len(), 1);
    let page = call(&fake, "indexing.submission.list", of_site(json!({ "limit": 2 })));
    let rest = call(&fake, "indexing.submission.list", of_site(json!({ "limit": 2, "cursor": page["next_cursor"] })));
    assert_eq!(rest["submissions"].as_array().unwrap().len(), 1);
    let wrong = of_site(json!({ "from": day(1), "to": day(3) }));
    assert_eq!(
        refused(&fake, "indexing.submission.list", wrong),
        ("range_reversed".to_owned(), Some("/to".to_owned()))
    );
}
