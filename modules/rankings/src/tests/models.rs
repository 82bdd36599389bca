//! Click curves and forecasts.

use kit::pack::Search;
use search::trial::store_queries;

use super::*;

#[test]
fn click_rates_fall_and_are_compared_with_the_published_ones() {
    let fake = fake(&Provider::default());
    let unknown = fake.refusal("rankings.ctr_model.fit", json!({ "site_id": SITE }));
    assert_eq!(
        (unknown.code.as_str(), text(&detail(&unknown), "operation_id")),
        ("not_synced", "search_console.sync.run")
    );
    let figures = search::Figures::of(&fake, &sdk::value::Id::new(SITE), search::SearchType::Web);
    let mut counts = search::Counts::default();
    // Keys of 1,000 impressions each; brand searches are clicked three times as often.
    for (segment, times) in [("all", 1.0), ("brand", 3.0), ("non_brand", 1.0)] {
        for position in 1..=20_u32 {
            for _ in 0..20 {
                let rate = 0.3 / f64::from(position) * times / 3.0;
                let clicks = kit::number::as_count(rate * 1_000.0);
                counts.add(segment, Search { clicks, impressions: 1_000, positions: 1_000 * u64::from(position) });
            }
        }
    }
    figures.keep_counts(search::Month::of(day("2026-05-10")), &counts).expect("kept");
    let model = json!({ "site_id": SITE, "from": "2026-05-01", "to": "2026-05-31" });
    let model = call(&fake, "rankings.ctr_model.fit", &model);
    let curve = |segment: &str| list(&model, "curves").iter().find(|it| it["segment"] == segment).expect("a curve");
    let first = |segment: &str| curve(segment)["ctr"][0].as_f64().expect("a rate");
    assert!((first("all") - 0.1).abs() < 1e-9 && (first("brand") - 0.3).abs() < 1e-9, "{model}");
    assert!(list(curve("all"), "ctr").windows(2).all(|pair| pair[0].as_f64() >= pair[1].as_f64()));
    assert_eq!(
        (curve("all")["n"].as_u64(), curve("mobile")["own"].as_bool(), text(curve("mobile"), "fitted_to")),
        (Some(400_000), Some(false), "all")
    );
    assert!(of(&model, "fit_error") < 1e-3 && of(curve("all"), "dispersion") < 0.1, "{}", curve("all"));
    let ratio = &curve("all")["versus_published"][0];
    assert!((of(ratio, "ratio") - 0.1 / kit::ctr::expected(1.0)).abs() < 1e-3);
    let period = json!({ "site_id": SITE, "from": "2026-05-02", "to": "2026-05-01" });
    assert_eq!(fake.refusal("rankings.ctr_model.fit", period).pointer.as_deref(), Some("/from"));
}

#[test]
fn a_forecast_is_searches_times_click_rates_by_season_with_an_interval_around_it() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(1_200)), ("oil lamp", Some(600)), ("wall lamp", None)]);
    provider.places("desk lamp", 5);
    provider.places("oil lamp", 0);
    let reference = tracker(&fake, &json!({}));
    check(&fake, &reference);
    // December has three times the searches of another month.
    let values = (0..36).map(|at| Some(if at % 12 == 11 { 3_000 } else { 1_000 })).collect();
    fake.put_as(&serps::snapshot_id(SET, "desk lamp"), crate::stored::Months { first: 2023 * 12, values });
    let scenario = json!([{ "keyword": "Desk lamp", "position": 1 }, { "keyword": "oil lamp", "position": 3 }, { "keyword": "wall lamp", "position": 1 }]);
    let wanted = json!({ "tracker_ref": reference, "scenario": scenario, "months": 12 });
    let outlook = call(&fake, "rankings.traffic.forecast", &wanted);
    let rate = |position: u32| kit::ctr::expected(f64::from(position));
    let year = 12.0 * (1_200.0 * rate(1) + 600.0 * rate(3));
    assert!((of(&outlook, "scenario_total") - year).abs() < year * 0.01, "{outlook}");
    assert!((of(&outlook, "baseline") - 12.0 * 1_200.0 * rate(5)).abs() < year * 0.01);
    assert!(
        of(&outlook, "low") < year && of(&outlook, "low") > 0.3 * year && of(&outlook, "high") > of(&outlook, "low")
    );
    let months = list(&outlook, "by_month");
    assert_eq!((text(&months[0], "starts_on"), months.len()), ("2026-07-01", 12));
    let december = months.iter().find(|it| text(it, "starts_on").contains("-12-")).expect("December");
    assert!(of(december, "scenario") > 1.8 * of(&months[0], "scenario"));
    assert_eq!(outlook["uncounted_keywords"], json!(["wall lamp"]));
    assert_eq!(call(&fake, "rankings.traffic.forecast", &wanted), outlook, "the same question has the same answer");
    for (scenario, code, pointer) in [
        (json!([{ "keyword": "garden chair", "position": 1 }]), "keyword_not_tracked", "/scenario/0/keyword"),
        (
            json!([{ "keyword": "oil lamp", "position": 1 }, { "keyword": "Oil lamp", "position": 2 }]),
            "keyword_repeated",
            "/scenario/1/keyword",
        ),
    ] {
        let refused =
            fake.refusal("rankings.traffic.forecast", json!({ "tracker_ref": reference, "scenario": scenario }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)));
    }
}

#[test]
fn clicks_that_are_known_are_the_baseline() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(1_200))]);
    provider.places("desk lamp", 5);
    let reference = tracker(&fake, &json!({}));
    check(&fake, &reference);
    let shown = |at: i32| {
        (
            day(FIRST).plus(-3 - at),
            format!("{SHOP}/desk"),
            "Desk lamp".to_owned(),
            Search { clicks: 2, impressions: 20, positions: 100 },
        )
    };
    store_queries(&fake, SITE, &(0..28).map(shown).collect::<Vec<_>>());
    let wanted =
        json!({ "tracker_ref": reference, "scenario": [{ "keyword": "desk lamp", "position": 5 }], "months": 1 });
    let outlook = call(&fake, "rankings.traffic.forecast", &wanted);
    let row = &outlook["by_keyword"][0];
    assert_eq!(text(row, "baseline_basis"), "clicks");
    assert!((of(row, "baseline") - 56.0 / 28.0 * 365.25 / 12.0).abs() < 0.1, "{row}");
    // The clicks were had at position 5: staying there brings the same, whatever the searches are said to be.
    assert!((of(row, "scenario") - of(row, "baseline")).abs() < 0.2, "{row}");
    let first =
        json!({ "tracker_ref": reference, "scenario": [{ "keyword": "desk lamp", "position": 1 }], "months": 1 });
    let first = call(&fake, "rankings.traffic.forecast", &first);
    let times = kit::ctr::expected(1.0) / kit::ctr::expected(5.0);
    assert!((of(&first, "scenario_total") - times * of(&first, "baseline")).abs() < 0.5, "{first}");
}
