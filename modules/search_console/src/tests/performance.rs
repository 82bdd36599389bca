//! Questions about performance and the comparison of periods.

use super::*;

#[test]
fn a_question_by_page_and_country_is_answered_exactly() {
    let google = steady();
    let fake = synced(&google);
    let asked = json!({ "from": "2026-08-01", "to": "2026-09-10", "dimensions": ["page", "country"], "limit": 100,
        "filters": [{ "dimension": "device", "op": "eq", "value": "mobile" }] });
    let answer = called(&fake, "search_console.performance.query", asked);
    let holds = |it: &Shown| it.device == "MOBILE" && it.day >= day("2026-08-01") && it.day <= day("2026-09-10");
    let wanted = google.sums(holds, |it| format!("{} {}", it.page, if it.country == "gbr" { "GB" } else { "DE" }));
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!((rows.len(), answer["total"].as_u64()), (wanted.len(), Some(wanted.len() as u64)));
    for row in rows {
        let it = wanted[&format!("{} {}", row["keys"][0].as_str().unwrap(), row["keys"][1].as_str().unwrap())];
        assert_eq!((row["clicks"].as_u64(), row["impressions"].as_u64()), (Some(it.clicks), Some(it.impressions)));
        assert!((of(row, "position") - number(it.positions) / number(it.impressions)).abs() < 1e-3);
    }
    assert!(answer["property_totals"].is_null() && answer["totals"]["clicks"].as_u64() > Some(0));
}

#[test]
fn pages_of_an_answer_follow_each_other_and_a_cursor_of_another_question_is_refused() {
    let fake = synced(&steady());
    let asked = json!({ "dimensions": ["query"], "limit": 4 });
    let first = called(&fake, "search_console.performance.query", asked.clone());
    let mut next = asked;
    next["cursor"] = first["next_cursor"].clone();
    let second = called(&fake, "search_console.performance.query", next.clone());
    let key = |answer: &Value, at: usize| answer["rows"][at]["keys"][0].clone();
    assert_ne!(key(&first, 3), key(&second, 0));
    assert!(of(&first["rows"][3], "clicks") >= of(&second["rows"][0], "clicks"));
    next["sort"] = json!("impressions");
    next["site_id"] = json!(SITE);
    assert_eq!(fake.refusal("search_console.performance.query", next).code, "invalid_cursor");
}

#[test]
fn brand_filters_expressions_and_segments_hold_and_wrong_ones_are_refused_at_their_place() {
    let fake = synced(&steady());
    let queries = |more: Value| -> Vec<String> {
        let mut asked = json!({ "dimensions": ["query"], "limit": 100 });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = called(&fake, "search_console.performance.query", asked);
        let mut keys: Vec<String> =
            answer["rows"].as_array().unwrap().iter().map(|it| it["keys"][0].as_str().unwrap().to_owned()).collect();
        keys.sort();
        keys
    };
    assert_eq!(queries(json!({ "brand": "brand" })), ["lamp shop", "lamp sohp", "lampshop"]);
    let regex = json!({ "filters": [{ "dimension": "query", "op": "regex", "value": "^(which|led)" }] });
    assert_eq!(queries(regex), ["led or halogen", "which bulb fits"]);
    let page = json!({ "filters": [{ "dimension": "page", "op": "contains", "value": "/OIL" }] });
    assert_eq!(queries(page), ["oil lamp wick"]);
    for (more, code, pointer) in [
        (json!({ "dimensions": ["query", "country"] }), "dimensions_not_stored_together", "/dimensions"),
        (json!({ "dimensions": ["page", "page"] }), "dimension_twice", "/dimensions/1"),
        (
            json!({ "dimensions": ["page"], "filters": [{ "dimension": "page", "op": "regex", "value": "(" }] }),
            "invalid_expression",
            "/filters/0/value",
        ),
        (
            json!({ "dimensions": ["page"], "filters": [{ "dimension": "segment", "op": "eq", "value": "seg_9" }] }),
            "segment_not_found",
            "/filters/0/value",
        ),
    ] {
        let mut asked = more;
        asked["site_id"] = json!(SITE);
        let fault = fake.refusal("search_console.performance.query", asked);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
}

#[test]
fn the_parts_of_a_change_add_up_and_hidden_queries_have_a_row() {
    let fake = synced(&falling("2026-08-29"));
    for by in ["query", "page", "country", "device"] {
        let answer = called(&fake, "search_console.performance.compare", json!({ "by": by, "limit": 100 }));
        let mut sum = 0.0;
        for row in answer["rows"].as_array().unwrap() {
            let parts = of(row, "demand") + of(row, "mix") + of(row, "rank") + of(row, "ctr");
            assert!((parts - of(row, "delta")).abs() < 1e-4, "{row}");
            let clicks = of(&row["after"], "clicks") - of(&row["before"], "clicks");
            assert!((clicks - of(row, "delta")).abs() < 1e-4, "{row}");
            sum += of(row, "delta");
        }
        assert!((sum - of(&answer["totals"], "delta")).abs() < 1e-3, "{by}");
        let hidden = answer["rows"].as_array().unwrap().iter().any(|row| row["key"] == "(hidden)");
        assert_eq!(hidden, by == "query");
    }
    let by_page = called(&fake, "search_console.performance.compare", json!({}));
    let guide = &by_page["rows"][0];
    assert!(
        text(guide, "key").contains("/guides/") && of(guide, "ctr") < 0.0 && guide["q"].as_f64() < Some(0.01),
        "{guide}"
    );
    assert!(of(guide, "ctr").abs() > 5.0 * of(guide, "rank").abs(), "positions stood: {guide}");
    let custom = json!({ "site_id": SITE, "compare": "custom" });
    assert_eq!(fake.refusal("search_console.performance.compare", custom).code, "period_needed");
}
