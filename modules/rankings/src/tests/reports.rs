//! Reports with planted truth: movers, distribution, visibility, shares, rivals, features and volatility.

use kit::chance::Chance;

use super::*;

/// A history of positions by keyword, a check a day from the first day on.
fn imported(
    fake: &sdk::Fake,
    tracker: &str,
    days: i32,
    position: &mut dyn FnMut(&str, i32) -> u32,
    keywords: &[String],
) {
    let first = day(FIRST);
    let mut csv = "keyword,date,position\n".to_owned();
    for at in 0..days {
        for keyword in keywords {
            let place = position(keyword, at);
            let place = if place > 100 { ">100".to_owned() } else { place.to_string() };
            csv += &format!("{keyword},{},{place}\n", first.plus(at));
        }
    }
    on(fake, first.plus(days - 1));
    let rows = csv.lines().count();
    let mut from = 1;
    while from < rows {
        let done =
            call(fake, "rankings.check.import", &json!({ "tracker_ref": tracker, "csv": csv, "from_row": from }));
        let Some(next) = done["next_row"].as_u64() else { break };
        from = usize::try_from(next).expect("small");
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|it| format!("lamp {it:03}")).collect()
}

fn ready(count: usize) -> (Provider, sdk::Fake, String, Vec<String>) {
    tagged(count, |_| (1_000, ""))
}

/// The same with searches and a tag for each keyword.
fn tagged(count: usize, of: impl Fn(usize) -> (u64, &'static str)) -> (Provider, sdk::Fake, String, Vec<String>) {
    let provider = Provider::default();
    let fake = fake(&provider);
    let names = names(count);
    put_set(&fake, count as u64, 0);
    for (at, name) in names.iter().enumerate() {
        let (volume, tag) = of(at);
        let tags: Vec<&str> = Some(tag).filter(|it| !it.is_empty()).into_iter().collect();
        keyword_of(&fake, name, Some(volume), &tags);
    }
    let reference = tracker(&fake, &json!({ "every": "daily" }));
    (provider, fake, reference, names)
}

/// About normal: the sum of twelve uniform values.
fn noise(chance: &mut Chance) -> f64 {
    (0..12).map(|_| chance.unit()).sum::<f64>() - 6.0
}

#[test]
fn noise_is_no_mover_and_a_planted_fall_is() {
    for spread in [0.5, 2.0, 5.0] {
        let (_, fake, reference, names) = ready(100);
        let mut chance = Chance::of(&format!("noise {spread}"));
        let mut place = |keyword: &str, at: i32| {
            let base = if keyword == "lamp 007" && at >= 24 { 70.0 } else { 30.0 };
            let position = (base + spread * noise(&mut chance)).round().clamp(1.0, 100.0);
            position.to_string().parse().expect("a position")
        };
        imported(&fake, &reference, 30, &mut place, &names);
        let from = day(FIRST).plus(22).to_string();
        let report = call(&fake, "rankings.mover.report", &json!({ "tracker_ref": reference, "from": from }));
        assert_eq!(report["tested_keywords"].as_u64(), Some(100), "{}", report["degraded"]);
        let (won, lost) = (list(&report, "winners"), list(&report, "losers"));
        assert!(won.len() + lost.len() <= 6, "{spread}: {} of 99 keywords without a change", won.len() + lost.len());
        assert_eq!(text(&lost[0], "keyword"), "lamp 007");
        assert!(of(&lost[0], "q") < 0.1 && of(&lost[0], "places") < -30.0 && of(&lost[0], "clicks") < 0.0);
    }
}

#[test]
fn keywords_that_come_and_go_are_listed_apart_and_short_histories_are_told() {
    let (_, fake, reference, names) = ready(20);
    let mut place = |keyword: &str, at: i32| match (keyword, at) {
        ("lamp 001", 0..=9) | ("lamp 002", 10..) => 101,
        _ => 12,
    };
    imported(&fake, &reference, 14, &mut place, &names);
    let from = day(FIRST).plus(9).to_string();
    let report = call(&fake, "rankings.mover.report", &json!({ "tracker_ref": reference, "from": from }));
    assert_eq!(
        (text(&report["entered"][0], "keyword"), text(&report["dropped"][0], "keyword")),
        ("lamp 001", "lamp 002")
    );
    assert_eq!((report["entered_total"].as_u64(), report["tested_keywords"].as_u64()), (Some(1), Some(18)));
    let (_, fake, reference, names) = ready(20);
    imported(&fake, &reference, 4, &mut |_, _| 5, &names);
    let early = json!({ "tracker_ref": reference, "from": day(FIRST).plus(1).to_string() });
    let early = call(&fake, "rankings.mover.report", &early);
    assert!(list(&early, "degraded").iter().any(|it| it["what"] == "significance"), "{early}");
    let none = json!({ "tracker_ref": reference, "from": "2026-01-01", "to": "2026-02-01" });
    assert_eq!(fake.refusal("rankings.mover.report", none).code, "not_checked");
}

#[test]
fn ranges_beyond_the_depth_are_unknown_and_not_empty() {
    let (provider, fake, reference, names) = tagged(25, |at| if at == 0 { (5_000, "brand") } else { (1_000, "") });
    names.iter().enumerate().for_each(|(at, it)| provider.places(it, if at < 5 { 2 } else { at % 2 * 30 }));
    check(&fake, &reference);
    let report = call(&fake, "rankings.distribution.report", &json!({ "tracker_ref": reference, "by": "tag" }));
    let bucket = |range: &str| list(&report, "buckets").iter().find(|it| it["range"] == range).expect("a range");
    assert_eq!((bucket("1-3")["keywords"].as_u64(), bucket("not_found")["keywords"].as_u64()), (Some(5), Some(20)));
    assert_eq!((&bucket("11-20")["keywords"], &bucket("21-50")["keywords"]), (&json!(0), &Value::Null));
    assert!((of(bucket("1-3"), "demand_share") - 9_000.0 / 29_000.0).abs() < 1e-6);
    assert_eq!(
        (of(&bucket("1-3")["keyword_share"], "value"), bucket("1-3")["keyword_share"]["n"].as_u64()),
        (0.2, Some(25))
    );
    assert_eq!(
        (text(&report["by_group"][0], "name"), report["by_group"][0]["keywords_total"].as_u64()),
        ("brand", Some(1))
    );
}

#[test]
fn visibility_is_the_demand_that_positions_win_with_an_interval() {
    let (provider, fake, reference, names) = ready(40);
    call(&fake, "rankings.tracker.update", &json!({ "tracker_ref": reference, "competitors": ["site-1.example"] }));
    names.iter().enumerate().for_each(|(at, it)| provider.places(it, at % 4 + 1));
    check(&fake, &reference);
    let report = call(&fake, "rankings.visibility.report", &json!({ "tracker_ref": reference }));
    let expected = (1..=4).map(|it| kit::ctr::expected(f64::from(it))).sum::<f64>() / 4.0 / kit::ctr::expected(1.0);
    assert!((of(&report, "index") - expected).abs() < 1e-6, "{report}");
    let ci = list(&report, "ci95");
    assert!(ci[0].as_f64() < report["index"].as_f64() && report["index"].as_f64() < ci[1].as_f64());
    // The competitor is second where the website is first, and first elsewhere.
    let theirs = (0.75 * kit::ctr::expected(1.0) + 0.25 * kit::ctr::expected(2.0)) / kit::ctr::expected(1.0);
    assert!((of(&report["competitors"][0], "index") - theirs).abs() < 1e-6);
    assert_eq!((text(&report, "weighted_by"), list(&report, "series").len()), ("volume", 1));
    let listed = call(&fake, "rankings.tracker.list", &json!({ "site_id": SITE }));
    assert!((of(&listed["trackers"][0], "visibility") - expected).abs() < 1e-4);
    // An imported position says nothing of rivals: they are compared where a page is kept, and nothing else of them changes.
    keyword_of(&fake, "oil lamp", Some(1_000), &[]);
    let csv = format!("keyword,date,position\noil lamp,{FIRST},1\n");
    call(&fake, "rankings.check.import", &json!({ "tracker_ref": reference, "csv": csv }));
    let mixed = call(&fake, "rankings.visibility.report", &json!({ "tracker_ref": reference }));
    assert_eq!((mixed["n"].as_u64(), mixed["competitors"][0]["n"].as_u64()), (Some(41), Some(40)));
    assert!((of(&mixed["competitors"][0], "index") - theirs).abs() < 1e-6, "{mixed}");
    assert!(list(&mixed, "degraded").iter().any(|it| it["what"] == "competitors"), "{mixed}");
    let (provider, fake, reference, names) = ready(19);
    names.iter().for_each(|it| provider.places(it, 1));
    check(&fake, &reference);
    let few = call(&fake, "rankings.visibility.report", &json!({ "tracker_ref": reference }));
    assert!(few["index"].is_null() && few["ci95"].is_null() && few["n"] == 19);
}

#[test]
fn shares_of_all_domains_and_of_nobody_add_up_to_one() {
    let (provider, fake, reference, names) = tagged(20, |at| (1_000, if at < 10 { "desk" } else { "oil" }));
    names.iter().for_each(|it| provider.places(it, 2));
    provider.elements.borrow_mut().insert(
        "lamp 000".to_owned(),
        vec![
            json!({ "type": "ai_overview", "rank_absolute": 1, "references": [{ "url": "https://site-9.example/" }] }),
        ],
    );
    // The first result is the third element here, so an overview in the seventh place takes nothing from it.
    let below = json!({ "type": "ai_overview", "rank_absolute": 7 });
    provider.elements.borrow_mut().insert("lamp 001".to_owned(), vec![below]);
    check(&fake, &reference);
    let report = json!({ "tracker_ref": reference, "by": "topic", "limit": 5 });
    let report = call(&fake, "rankings.share_of_voice.report", &report);
    let shown: f64 = list(&report, "shares").iter().map(|it| of(it, "share")).sum();
    assert!((shown + of(&report, "other") + of(&report, "nobody") - 1.0).abs() < 1e-4, "{report}");
    let own = list(&report, "shares").iter().find(|it| it["own"] == true).expect("the website");
    assert!((of(own, "share") - kit::ctr::expected(2.0)).abs() < 1e-6);
    let left = kit::ctr::expected(2.0) * (19.0 + 0.655) / 20.0;
    assert!((of(own, "share_with_features") - left).abs() < 1e-6, "{own}");
    let topics = list(&report, "by_topic");
    assert_eq!(
        (texts(topics, "topic"), topics[0]["keywords"].as_u64()),
        (vec!["desk".to_owned(), "oil".to_owned()], Some(10))
    );
    assert!((of(&topics[1], "own_share") - kit::ctr::expected(2.0)).abs() < 1e-6);
}

#[test]
fn a_rival_is_compared_where_either_was_found() {
    let (provider, fake, reference, _) = ready(4);
    provider.shows("lamp 000", &["https://rival.example/a", "https://shop.example/a"]);
    provider.shows("lamp 001", &["https://shop.example/b", "https://blog.rival.example/b"]);
    provider.shows("lamp 002", &["https://x.example/", "https://rival.example/c"]);
    provider.shows("lamp 003", &["https://x.example/"]);
    check(&fake, &reference);
    let report = json!({ "tracker_ref": reference, "domain": "www.rival.example" });
    let report = call(&fake, "rankings.competitor.report", &report);
    assert_eq!((report["win_rate"]["n"].as_u64(), report["won_keywords"].as_u64()), (Some(3), Some(1)));
    assert_eq!((report["only_rival_keywords"].as_u64(), report["total"].as_u64()), (Some(1), Some(2)));
    // 2 − 1, 1 − 2 and 21 − 2.
    assert!((of(&report, "gap") - 19.0 / 3.0).abs() < 1e-3);
    assert_eq!(texts(list(&report, "lost_keywords"), "keyword"), ["lamp 002", "lamp 000"]);
    assert_eq!(text(&report["lost_keywords"][1]["fix"], "operation_id"), "onpage.page.score");
    assert_eq!(texts(list(&report, "beating_pages"), "url"), ["https://rival.example/c", "https://rival.example/a"]);
    let own = fake.refusal("rankings.competitor.report", json!({ "tracker_ref": reference, "domain": "shop.example" }));
    assert_eq!((own.code.as_str(), own.pointer.as_deref()), ("own_domain", Some("/domain")));
}

#[test]
fn features_tell_their_owners_and_what_can_be_won_from_the_first_page() {
    let (provider, fake, reference, _) = ready(3);
    let snippet = |url: &str| json!({ "type": "featured_snippet", "rank_absolute": 1, "url": url });
    for (keyword, place, owner) in [
        ("lamp 000", 4, "https://rival.example/"),
        ("lamp 001", 1, "https://shop.example/b"),
        ("lamp 002", 0, "https://rival.example/"),
    ] {
        provider.places(keyword, place);
        provider
            .elements
            .borrow_mut()
            .insert(keyword.to_owned(), vec![snippet(owner), json!({ "type": "video", "rank_absolute": 2 })]);
    }
    check(&fake, &reference);
    let report = json!({ "tracker_ref": reference, "feature": "featured snippet" });
    let report = call(&fake, "rankings.serp_feature.report", &report);
    let rows = list(&report, "features");
    assert_eq!(
        rows.iter().map(|it| it["winnable"].as_bool()).collect::<Vec<_>>(),
        [Some(true), Some(false), Some(false)]
    );
    assert_eq!((&rows[0]["owners"], &rows[1]["owned"]), (&json!(["rival.example"]), &json!(true)));
    let opportunity = &report["opportunities"][0];
    assert_eq!(
        (text(opportunity, "keyword"), text(opportunity, "owner"), report["opportunities_total"].as_u64()),
        ("lamp 000", "rival.example", Some(1))
    );
    assert_eq!(opportunity["fix"]["arguments"]["keyword"], "lamp 000");
    let all = call(&fake, "rankings.serp_feature.report", &json!({ "tracker_ref": reference, "limit": 2 }));
    assert_eq!((all["total"].as_u64(), all["next_cursor"].is_string()), (Some(6), true));
    let of_video = list(&all, "by_feature").iter().find(|it| it["feature"] == "video").expect("videos");
    assert_eq!((of_video["keywords"].as_u64(), of_video["winnable_keywords"].as_u64()), (Some(3), Some(0)));
    let unknown =
        fake.refusal("rankings.serp_feature.report", json!({ "tracker_ref": reference, "feature": "hologram" }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("unknown_feature", Some("/feature")));
}

#[test]
fn a_day_on_which_results_shake_is_unusual_and_calm_days_are_not() {
    let (provider, fake, reference, names) = ready(12);
    let mut chance = Chance::new(7);
    let mut order: Vec<Vec<usize>> = names.iter().map(|_| (0..20).collect()).collect();
    for at in 0..14 {
        on(&fake, day(FIRST).plus(at));
        for (name, order) in names.iter().zip(&mut order) {
            // Two neighbours change places on each day; on the twelfth all results are others.
            let swap = chance.below(19);
            order.swap(swap, swap + 1);
            let shift = if at >= 12 { 100 } else { 0 };
            let urls: Vec<String> = order.iter().map(|it| format!("https://site-{}.example/", it + shift)).collect();
            provider.shows(name, &urls.iter().map(String::as_str).collect::<Vec<_>>());
        }
        check(&fake, &reference);
    }
    let report = call(&fake, "rankings.volatility.report", &json!({ "tracker_ref": reference }));
    let unusual = list(&report, "unusual_days");
    assert_eq!(texts(unusual, "date"), [day(FIRST).plus(12).to_string()], "{report}");
    assert!((of(&unusual[0], "volatility") - 1.0).abs() < 1e-9);
    let series = list(&report, "series");
    assert!(series[0]["volatility"].is_null() && series[0]["n"] == 0, "nothing was before");
    assert!(of(&series[1], "volatility") < 0.2 && series[1]["band"].is_null());
}
