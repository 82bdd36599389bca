//! Reports by brand, segment, market and appearance, and forecasts.

use super::*;

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
        deployed_at: sdk::value::Moment::from_millis(
            u64::from(day("2026-08-20").since_epoch().unsigned_abs()) * 86_400_000,
        ),
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
