//! Lists of queries and pages.

use super::*;

#[test]
fn queries_within_reach_come_with_what_their_page_lacks() {
    let fake = synced(&steady());
    crawled(&fake, "/lamps", "Desk lamps", "A reading lamp for every desk.");
    crawled(&fake, "/guides/bulbs", "Bulbs", "Halogen and LED are compared.");
    let answer = called(&fake, "search_console.striking_distance.list", json!({}));
    let rows = answer["rows"].as_array().unwrap();
    let queries: Vec<&str> = rows.iter().map(|it| text(it, "query")).collect();
    assert!(
        queries.contains(&"reading lamp") && queries.contains(&"which bulb fits") && queries.contains(&"oil lamp wick"),
        "{queries:?}"
    );
    assert!(
        !queries.contains(&"desk lamp") && !queries.contains(&"lamp sohp"),
        "beyond reach, or the brand: {queries:?}"
    );
    assert!(rows.windows(2).all(|pair| of(&pair[0], "potential_clicks") >= of(&pair[1], "potential_clicks")));
    let reading = rows.iter().find(|it| text(it, "query") == "reading lamp").unwrap();
    let gaps: Vec<&str> = reading["gaps"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(gaps, ["not_in_title", "not_in_headings", "few_inlinks"]);
    let wanted = of(reading, "impressions") * (kit::ctr::expected(3.0) - kit::ctr::expected(7.0));
    assert!((of(reading, "potential_clicks") - wanted).abs() < 0.2 * wanted, "{reading}");
    let oil = rows.iter().find(|it| text(it, "query") == "oil lamp wick").unwrap();
    assert_eq!(oil["gaps"], json!(["not_crawled"]));
}

#[test]
fn a_page_with_half_the_usual_click_rate_is_found_with_its_snippet_and_no_other() {
    let google = shop("2026-05-01", "2026-09-25", |it| if it.page.ends_with("/lamps") { 0.5 } else { 1.0 });
    let fake = synced(&google);
    crawled(&fake, "/lamps", "Lamps", "Lamps.");
    let answer = called(&fake, "search_console.ctr_gap.list", json!({ "from": "2026-08-01" }));
    let rows = answer["rows"].as_array().unwrap();
    let keys: Vec<&str> = rows.iter().map(|it| text(it, "key")).collect();
    assert_eq!(keys, [format!("{SHOP}/lamps")]);
    let row = &rows[0];
    assert!(of(row, "lost_clicks") > 100.0 && of(row, "q") < 0.001, "{row}");
    assert_eq!((text(row, "title"), text(row, "description")), ("Lamps", "About lamps"));
    let none = called(&synced(&steady()), "search_console.ctr_gap.list", json!({ "by": "query" }));
    assert_eq!(none["rows"], json!([]));
}

#[test]
fn the_queries_of_a_page_say_whether_its_text_has_them() {
    let fake = synced(&steady());
    crawled(&fake, "/oil", "Oil lamps", "The wick of an oil lamp is trimmed.");
    let asked = json!({ "url": format!("{SHOP}/oil"), "from": "2026-08-01", "to": "2026-09-25" });
    let answer = called(&fake, "search_console.page.query.list", asked);
    let rows = answer["queries"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "Google does not name the rare one");
    assert_eq!((text(&rows[0], "query"), text(&rows[0], "in_text")), ("oil lamp wick", "all"));
    assert!(rows[0]["trend"].is_number() && of(&rows[0], "trend_p") > 0.0);
    assert!(answer["page"]["impressions"].as_u64() > rows[0]["impressions"].as_u64());
    let unknown = json!({ "url": format!("{SHOP}/nowhere") });
    let none = called(&fake, "search_console.page.query.list", unknown);
    assert_eq!((none["queries"].as_array().unwrap().len(), none["page"].is_null()), (0, true));
    assert_eq!(none["degraded"][0]["what"], "in_text");
}

#[test]
fn queries_that_appear_and_vanish_are_found_with_page_and_topic() {
    let google = steady();
    google.rows.borrow_mut().retain(|it| it.query != "led or halogen" || it.day < day("2026-08-29"));
    google.rows.borrow_mut().retain(|it| it.query != "which bulb fits" || it.day >= day("2026-09-05"));
    let fake = synced(&google);
    let new = called(&fake, "search_console.new_query.list", json!({}));
    let rows = new["queries"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{new}");
    assert_eq!((text(&rows[0], "query"), text(&rows[0], "date")), ("which bulb fits", "2026-09-05"));
    assert_eq!(text(&rows[0], "page"), format!("{SHOP}/guides/bulbs"));
    assert!(of(&rows[0], "confidence") > 0.99);
    let gone = called(&fake, "search_console.new_query.list", json!({ "kind": "gone" }));
    let rows = gone["queries"].as_array().unwrap();
    assert_eq!((rows.len(), text(&rows[0], "query"), text(&rows[0], "date")), (1, "led or halogen", "2026-08-28"));
}
