//! Reports on a property whose truth is known.

use kit::crawled::{PageRecord, page_id};
use sdk::Fake;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::trial::{self, Google, SITE, Shown, day, number, shop, synced};

const SHOP: &str = "https://shop.example";

/// A page as the crawl stores it.
#[foreign(collection = "crawl.pages", thing = "page")]
struct Page(PageRecord);

/// A property whose guides lose half of their clicks on mobile from a day on.
fn falling(from: &str) -> Google {
    let from = day(from);
    shop("2026-05-01", "2026-09-25", move |it: &Shown| {
        if it.day >= from && it.device == "MOBILE" && it.page.contains("/guides") { 0.4 } else { 1.0 }
    })
}

fn steady() -> Google {
    shop("2026-05-01", "2026-09-25", |_| 1.0)
}

fn called(fake: &Fake, operation: &str, mut arguments: Value) -> Value {
    arguments["site_id"] = json!(SITE);
    fake.call(operation, arguments).unwrap_or_else(|fault| panic!("{operation}: {} {}", fault.code, fault.message))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn of(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn detail(fault: &Fault) -> Value {
    sdk::serde_json::from_str(fault.detail.as_deref().expect("a detail")).expect("JSON")
}

/// A crawl of the shop with a page of this title, headings and text.
fn crawled(fake: &Fake, path: &str, title: &str, words: &str) {
    if fake.rows::<site::Run>().is_empty() {
        fake.put_as("run_1", site::Run(site::trial::ended(SITE, fake.now().millis())));
    }
    let html = format!(
        "<html lang=en><title>{title}</title><meta name=description content=\"About lamps\"><main><h1>{title}</h1><p>{words}</p></main></html>"
    );
    let url = format!("{SHOP}{path}");
    let text = json!({ "url": url, "title": title, "headings": title, "plain": words }).to_string();
    let offset = fake.blobs().read("crawl.text/run_1/0", 0, 1 << 20).map_or(0, |it| it.len());
    let mut pack = fake.blobs().read("crawl.text/run_1/0", 0, 1 << 20).unwrap_or_default();
    pack.extend_from_slice(text.as_bytes());
    fake.blobs().write("crawl.text/run_1/0", &pack).expect("a pack");
    let record = PageRecord {
        run: "run_1".to_owned(),
        url: url.clone(),
        status: 200,
        facts: site::trial::facts(&url, 200, &[("content-type", "text/html")], &html),
        text: Some(kit::crawled::TextAt {
            pack: 0,
            offset: u32::try_from(offset).unwrap(),
            length: u32::try_from(text.len()).unwrap(),
        }),
        ..PageRecord::default()
    };
    fake.put_as(&page_id("run_1", &url), Page(record));
}

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

#[test]
fn a_planted_drop_is_dated_and_its_carrier_named_and_a_steady_site_has_none() {
    let fake = synced(&falling("2026-08-20"));
    let answer = called(&fake, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    let point = &answer["change_point"];
    let dated: Day = text(point, "date").parse().expect("a day");
    assert!((dated.since_epoch() - day("2026-08-20").since_epoch()).abs() <= 3, "{point}");
    assert_eq!(text(point, "direction"), "down");
    let drivers = answer["drivers"].as_array().unwrap();
    let leading: Vec<&str> =
        drivers.iter().filter(|it| it["leading"] == true).map(|it| text(it, "dimension")).collect();
    assert!(leading.iter().all(|it| ["page", "device", "query"].contains(it)) && !leading.is_empty(), "{drivers:?}");
    let device = drivers.iter().find(|it| text(it, "dimension") == "device").expect("the device carries it");
    assert_eq!((text(device, "key"), of(device, "share") > 0.9), ("mobile", true));
    assert!(drivers.iter().any(|it| it["inside"].is_string()), "{drivers:?}");
    assert_eq!(text(&answer, "kind"), "click_rate");
    assert!(text(&answer, "verdict").starts_with("Clicks a day went from"), "{answer}");
    let steady = synced(&steady());
    let answer = called(&steady, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    assert_eq!((text(&answer, "kind"), answer["change_point"].is_null()), ("no_break", true));
}

#[test]
fn events_near_a_change_are_named_with_their_distance() {
    let fake = synced(&falling("2026-08-20"));
    let note = |date: &str, title: &str| crate::drop::Annotation {
        site_id: Id::new(SITE),
        date: day(date),
        title: title.to_owned(),
        kind: "release".to_owned(),
    };
    fake.put_as("ann_1", note("2026-08-19", "New template"));
    fake.put_as("ann_2", note("2026-06-01", "Old news"));
    let answer = called(&fake, "search_console.drop.explain", json!({ "from": "2026-07-01" }));
    let events = answer["events"].as_array().unwrap();
    let own = events.iter().find(|it| it["title"] == "New template").expect("the annotation");
    assert!(own["days_from_change"].as_i64().is_some_and(|it| it.abs() <= 4), "{own}");
    assert!(!events.iter().any(|it| it["title"] == "Old news"));
}

#[test]
fn movers_are_those_beyond_chance_and_small_numbers_do_not_lead() {
    let fake = synced(&falling("2026-08-29"));
    let answer = called(&fake, "search_console.mover.report", json!({ "by": "page", "direction": "down" }));
    let rows = answer["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|it| text(it, "key").contains("/guides/")), "{rows:?}");
    assert!(rows.iter().all(|it| of(it, "q") < 0.05
        && it["delta"].as_i64() < Some(0)
        && it["fix"]["operation_id"] == "search_console.page.query.list"));
    let up = called(&fake, "search_console.mover.report", json!({ "by": "page", "direction": "up" }));
    assert_eq!(up["rows"], json!([]));
    let none = called(&synced(&steady()), "search_console.mover.report", json!({}));
    assert!(none["rows"].as_array().unwrap().len() <= 1, "{none}");
}

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
fn brand_and_other_parts_add_up_to_the_property() {
    let google = steady();
    let fake = synced(&google);
    let answer = called(&fake, "search_console.brand.split", json!({ "from": "2026-08-01" }));
    let sum: f64 = ["brand", "misspelled", "non_brand", "hidden"].iter().map(|it| of(&answer[*it], "clicks")).sum();
    assert!((sum - of(&answer["totals"], "clicks")).abs() < 0.5);
    let since = |it: &Shown| it.day >= day("2026-08-01");
    let named =
        google.sums(|it| since(it) && ["lamp shop", "lampshop"].contains(&it.query.as_str()), |_| String::new())[""];
    assert_eq!(answer["brand"]["clicks"].as_u64(), Some(named.clicks));
    assert_eq!(answer["misspellings"][0]["query"], "lamp sohp");
    let rare = google.sums(|it| since(it) && it.rare, |_| String::new())[""];
    assert_eq!(answer["hidden"]["clicks"].as_u64(), Some(rare.clicks));
    for week in answer["series"].as_array().unwrap() {
        assert!(of(week, "non_brand") > 0.0 && of(week, "hidden") > 0.0, "{week}");
    }
    let other = called(&fake, "search_console.brand.split", json!({ "terms": ["oil"] }));
    assert!(of(&other["brand"], "clicks") > 0.0 && of(&other["brand"], "clicks") < of(&answer["non_brand"], "clicks"));
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

#[test]
fn segments_have_shares_and_pages_of_none_are_told() {
    let fake = synced(&steady());
    let rule = sdk::serde_json::from_value(json!({ "match": "glob", "value": "/guides/*" })).expect("a rule");
    fake.put_as("seg_1", site::Segment { site_id: Id::new(SITE), name: "Guides".to_owned(), rules: vec![rule] });
    let answer = called(&fake, "search_console.segment.report", json!({ "from": "2026-08-01" }));
    let parts = answer["segments"].as_array().unwrap();
    assert_eq!((text(&parts[0], "name"), parts[1]["segment_ref"].is_null()), ("Guides", true));
    let sum: f64 = parts.iter().map(|it| of(it, "clicks")).sum();
    assert!((sum - of(&answer["totals"], "clicks")).abs() < 0.5);
    assert_eq!((parts[0]["pages"].as_u64(), parts[1]["pages"].as_u64()), (Some(2), Some(4)));
    let by_segment = json!({ "dimensions": ["segment"], "from": "2026-08-01" });
    let rows = called(&fake, "search_console.performance.query", by_segment);
    let clicks =
        |key: &str| rows["rows"].as_array().unwrap().iter().find(|it| it["keys"][0] == key).map(|it| of(it, "clicks"));
    assert_eq!((clicks("seg_1"), clicks("unassigned")), (Some(of(&parts[0], "clicks")), Some(of(&parts[1], "clicks"))));
}

#[test]
fn a_page_that_is_shown_where_another_version_belongs_is_found() {
    let google = steady();
    let fake = synced(&google);
    let at = fake.now().millis();
    fake.put_as("run_1", site::Run(site::trial::ended(SITE, at)));
    let html = format!(
        "<html lang=en><link rel=alternate hreflang=en href={SHOP}/lamps><link rel=alternate hreflang=de href={SHOP}/lampen><title>Lamps</title>"
    );
    let url = format!("{SHOP}/lamps");
    let facts = site::trial::facts(&url, 200, &[("content-type", "text/html")], &html);
    let record = PageRecord { run: "run_1".to_owned(), url: url.clone(), status: 200, facts, ..PageRecord::default() };
    fake.put_as(&page_id("run_1", &url), Page(record));
    let answer = called(&fake, "search_console.market.report", json!({}));
    assert_eq!((text(&answer["countries"][0], "key"), text(&answer["devices"][0], "key")), ("GB", "mobile"));
    let shares: f64 = answer["countries"].as_array().unwrap().iter().map(|it| of(it, "share")).sum();
    assert!((shares - 1.0).abs() < 1e-3);
    let found = answer["mismatches"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{answer}");
    assert_eq!((text(&found[0], "country"), text(&found[0], "better_url")), ("DE", format!("{SHOP}/lampen").as_str()));
    assert_eq!(found[0]["fix"]["arguments"], json!({ "run_ref": "run_1" }));
}

#[test]
fn appearances_have_their_names_and_deployed_markup_is_compared() {
    let google = shop("2026-05-01", "2026-09-25", |it| {
        if it.page.ends_with("/lamps") && it.day > day("2026-08-20") { 1.5 } else { 1.0 }
    });
    google.appearances.borrow_mut().extend([("PRODUCT_SNIPPETS", 40), ("NEW_THING", 5)]);
    let fake = synced(&google);
    let deployed = crate::drop::Deployment {
        site_id: Id::new(SITE),
        url: format!("{SHOP}/lamps"),
        state: "live".to_owned(),
        types: vec!["Product".to_owned()],
        deployed_at: sdk::value::Moment::from_millis(u64::from(day("2026-08-20").since_epoch().unsigned_abs()) * 86_400_000),
    };
    fake.put_as("dep_1", deployed);
    let answer = called(&fake, "search_console.appearance.report", json!({}));
    let rows = answer["appearances"].as_array().unwrap();
    assert_eq!((text(&rows[0], "name"), rows[1]["name"].is_null()), ("Product snippet", true));
    assert!(of(&rows[0], "impressions") > 5.0 * of(&rows[1], "impressions") && of(&rows[0], "pages") >= 5.0);
    let deployment = &answer["deployments"][0];
    assert!((of(deployment, "ctr_ratio") - 1.5).abs() < 0.1 && of(deployment, "p") < 0.001, "{deployment}");
}

#[test]
fn a_forecast_holds_what_comes_and_beats_the_week_before() {
    let google = shop("2025-11-01", "2026-09-25", |_| 1.0);
    let fake = synced(&google);
    let answer = called(&fake, "search_console.forecast.get", json!({ "days": 28 }));
    let days = answer["forecast"].as_array().unwrap();
    assert_eq!((days.len(), text(&days[0], "date"), text(&answer, "model")), (28, "2026-09-26", "ets"));
    assert!(days.iter().all(|it| of(it, "low95") <= of(it, "low")
        && of(it, "low") <= of(it, "value")
        && of(it, "value") <= of(it, "high")));
    let last_four = google.sums(|it| it.day > day("2026-08-28"), |_| String::new())[""];
    let total = &answer["total"];
    assert!(
        of(total, "low95") <= number(last_four.clicks) && number(last_four.clicks) <= of(total, "high95"),
        "{total}"
    );
    let backtest = &answer["backtest"];
    assert!(of(backtest, "smape") < of(backtest, "baseline") && backtest["n"].as_u64() == Some(8), "{backtest}");
    let refused = fake.refusal("search_console.forecast.get", json!({ "site_id": SITE, "segment_ref": "seg_9" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("segment_not_found", Some("/segment_ref")));
    let long = called(&fake, "search_console.forecast.get", json!({ "days": 180 }));
    assert!(long["degraded"].as_array().unwrap().iter().any(|it| it["what"] == "yearly season"));
}

#[test]
fn impressions_that_google_counted_wrong_are_named_and_not_forecast_from() {
    let fake = synced(&shop("2025-11-01", "2026-05-20", |_| 1.0));
    let asked = json!({ "from": "2026-04-01", "to": "2026-05-10", "dimensions": ["page"] });
    let answer = called(&fake, "search_console.performance.query", asked);
    assert_eq!(answer["measurement"][0]["to"], "2026-04-27");
    let fresh = trial::fake(&shop("2026-03-01", "2026-05-20", |_| 1.0));
    fresh.set_now(
        sdk::value::Moment::from_millis(day("2026-05-23").since_epoch().unsigned_abs().into()).max(fresh.now()),
    );
    fresh
        .call("search_console.sync.run", json!({ "site_id": SITE, "from": "2026-03-01", "to": "2026-05-20" }))
        .expect("a job");
    fresh.work();
    let refused = fresh.refusal("search_console.forecast.get", json!({ "site_id": SITE, "metric": "impressions" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("measurement_break", Some("/metric")));
    called(&fresh, "search_console.forecast.get", json!({}));
}

#[test]
fn reports_before_the_first_import_name_it() {
    let fake = trial::fake(&steady());
    for operation in [
        "search_console.sync.status.get",
        "search_console.performance.compare",
        "search_console.drop.explain",
        "search_console.mover.report",
        "search_console.striking_distance.list",
        "search_console.ctr_gap.list",
        "search_console.brand.split",
        "search_console.new_query.list",
        "search_console.segment.report",
        "search_console.market.report",
        "search_console.appearance.report",
        "search_console.forecast.get",
    ] {
        let fault = fake.refusal(operation, json!({ "site_id": SITE }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("not_synced", Some("/site_id")), "{operation}");
        assert_eq!(detail(&fault)["operation_id"], "search_console.sync.run");
        assert_eq!(fake.refusal(operation, json!({ "site_id": "82" })).code, "website_not_found", "{operation}");
    }
    let fake = synced(&steady());
    let late = json!({ "site_id": SITE, "from": "2027-01-01", "to": "2027-01-31", "dimensions": ["page"] });
    assert_eq!(fake.refusal("search_console.performance.query", late).code, "period_not_synced");
}

#[test]
fn what_was_not_imported_is_named_with_the_import_that_brings_it() {
    let google = steady();
    let fake = trial::fake(&google);
    let pages = json!({ "site_id": SITE, "from": "2026-08-01", "dimensions": ["page"] });
    fake.call("search_console.sync.run", pages).expect("a job");
    fake.work();
    let fault = fake.refusal("search_console.brand.split", json!({ "site_id": SITE }));
    assert_eq!(fault.code, "dimensions_not_synced");
    assert_eq!(detail(&fault)["arguments"]["dimensions"], json!(["query"]));
    let partly =
        called(&fake, "search_console.performance.query", json!({ "from": "2026-07-20", "dimensions": ["page"] }));
    assert_eq!(partly["degraded"][0]["operation_id"], "search_console.sync.run");
}

#[test]
fn sitemaps_are_listed_with_the_live_file_submitted_after_a_check_and_removed() {
    let fake = trial::fake(&steady());
    let base = "/webmasters/v3/sites/sc-domain%3Ashop.example/sitemaps";
    let known = json!({ "sitemap": [
        { "path": format!("{SHOP}/sitemap.xml"), "errors": "0", "warnings": "1", "isPending": false,
          "lastDownloaded": "2026-09-27T03:00:00Z", "contents": [{ "type": "web", "submitted": "12", "indexed": "0" }] },
        { "path": format!("{SHOP}/gone.xml"), "errors": "3", "contents": [] },
    ] });
    fake.provider_answers("GET", base, 200, &known);
    let file = format!(
        "<urlset><url><loc>{SHOP}/</loc><lastmod>2026-09-01</lastmod></url><url><loc>{SHOP}/oil</loc></url></urlset>"
    );
    fake.serve(&format!("{SHOP}/sitemap.xml"), 200, &[("content-type", "application/xml")], file.as_bytes());
    fake.serve(&format!("{SHOP}/page"), 200, &[("content-type", "text/html")], b"<html><p>no sitemap</p></html>");
    let listed = called(&fake, "search_console.sitemap.list", json!({}));
    let rows = listed["sitemaps"].as_array().unwrap();
    assert_eq!((rows[0]["errors"].as_u64(), rows[1]["submitted"].as_u64()), (Some(3), Some(12)));
    assert_eq!((rows[1]["live"]["urls"].as_u64(), text(&rows[1]["live"], "lastmod_max")), (Some(2), "2026-09-01"));
    assert!(!rows[0]["live"]["errors"].as_array().unwrap().is_empty());
    let encoded = "https%3A%2F%2Fshop.example%2Fsitemap.xml";
    fake.provider_answers("PUT", &format!("{base}/{encoded}"), 204, &json!({}));
    fake.provider_answers("DELETE", &format!("{base}/{encoded}"), 204, &json!({}));
    let submitted = called(&fake, "search_console.sitemap.submit", json!({ "url": format!("{SHOP}/sitemap.xml") }));
    assert_eq!((submitted["submitted"].as_bool(), submitted["validation"]["urls"].as_u64()), (Some(true), Some(2)));
    let bad = json!({ "site_id": SITE, "url": format!("{SHOP}/page") });
    let refused = fake.refusal("search_console.sitemap.submit", bad);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("invalid_sitemap", Some("/url")));
    let foreign = json!({ "site_id": SITE, "url": "https://other.example/sitemap.xml" });
    assert_eq!(fake.refusal("search_console.sitemap.submit", foreign).code, "url_not_of_property");
    assert!(!fake.sent().iter().any(|it| it.starts_with("PUT") && !it.contains(encoded)));
    called(&fake, "search_console.sitemap.delete", json!({ "url": format!("{SHOP}/sitemap.xml") }));
    let unknown = json!({ "site_id": SITE, "url": format!("{SHOP}/other.xml") });
    assert_eq!(fake.refusal("search_console.sitemap.delete", unknown).code, "sitemap_not_found");
}
