//! Result pages: stored, live, compared, and histories of addresses.

use super::*;

#[test]
fn a_live_page_is_kept_for_serp_get_and_serp_compare() {
    let provider = Provider::of(&[("desk lamp", &["https://a.example/", "https://b.example/"])]);
    let fake = fake(&provider);
    let missing = fake.refusal("rankings.serp.get", json!({ "keyword": "desk lamp" }));
    assert_eq!(
        (missing.code.as_str(), text(&detail(&missing), "operation_id")),
        ("serp_not_kept", "rankings.serp.live")
    );
    let live = |location: &str| {
        call(&fake, "rankings.serp.live", &json!({ "keyword": "Desk lamp", "location": location, "language": "en" }))
    };
    provider.shows("Desk lamp", &["https://a.example/", "https://www.b.example/?utm_source=x"]);
    let one = live("gb");
    assert_eq!(
        (text(&one["serp"], "market"), text(&one["provider_cost"], "amount")),
        ("google|GB|en|mobile", "0.002000")
    );
    assert_eq!(provider.asked.borrow()[0]["location_code"], 2_826);
    provider.shows("Desk lamp", &["https://b.example/", "https://c.example/", "https://a.example/"]);
    let two = live("London,England,United Kingdom");
    assert_eq!(provider.asked.borrow()[1]["location_name"], "London,England,United Kingdom");
    let got = call(&fake, "rankings.serp.get", &json!({ "keyword": "desk  LAMP" }));
    assert_eq!(got["snapshot_ref"], two["snapshot_ref"]);
    let pair = json!({ "a": one["snapshot_ref"], "b": two["snapshot_ref"] });
    let compared = call(&fake, "rankings.serp.compare", &pair);
    assert_eq!(texts(list(&compared, "entered"), "url"), ["https://c.example/"]);
    let moved: Vec<(&str, i64)> =
        list(&compared, "moved").iter().map(|it| (text(it, "url"), it["places"].as_i64().expect("places"))).collect();
    assert_eq!(moved, [("https://a.example/", -2), ("https://b.example/", 1)], "www. and tracking make no other page");
    assert!(of(&compared, "rbo") > 0.0 && of(&compared, "rbo") < 1.0 && list(&compared, "left").is_empty());
    let same = call(&fake, "rankings.serp.compare", &json!({ "a": one["snapshot_ref"], "b": one["snapshot_ref"] }));
    assert_eq!((of(&same, "rbo"), same["unchanged_results"].as_u64()), (1.0, Some(2)));
    let nowhere =
        fake.refusal("rankings.serp.live", json!({ "keyword": "x", "location": "Nowhere", "language": "en" }));
    assert_eq!((nowhere.code.as_str(), nowhere.pointer.as_deref()), ("unknown_location", Some("/location")));
}

#[test]
fn pages_of_two_days_are_compared_by_the_references_of_lists() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900))]);
    let reference = tracker(&fake, &json!({ "every": "daily" }));
    let mut references = Vec::new();
    for at in 0..2 {
        on(&fake, day(FIRST).plus(at));
        provider.places("desk lamp", usize::try_from(at * 4 + 1).expect("small"));
        let questions = json!({ "type": "people_also_ask", "rank_absolute": 1, "items": [{ "title": "Which lamp?" }] });
        provider
            .elements
            .borrow_mut()
            .insert("desk lamp".to_owned(), if at == 1 { vec![questions] } else { Vec::new() });
        check(&fake, &reference);
        let listed = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference }));
        references.push(listed["rows"][0]["snapshot_ref"].clone());
    }
    let compared = call(&fake, "rankings.serp.compare", &json!({ "a": references[0], "b": references[1] }));
    assert_eq!(compared["moved"][0]["places"], -4, "the website fell from 1 to 5");
    assert_eq!(
        (text(&compared["features_changed"][0], "feature"), text(&compared["features_changed"][0], "change")),
        ("people_also_ask", "appeared")
    );
    let first = json!({ "tracker_ref": reference, "keyword": "Desk Lamp", "date": FIRST });
    let first = call(&fake, "rankings.serp.get", &first);
    assert_eq!((text(&first["serp"], "date"), &first["serp"]["items"][0]["owned"]), (FIRST, &json!(true)));
    assert_eq!(text(&first["serp"], "provider_task"), "task-0");
    for unknown in ["tracker_9:x:2026-01-01", "nonsense", "live:0:2026-01-01"] {
        let refused = fake.refusal("rankings.serp.compare", json!({ "a": references[0], "b": unknown }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("serp_not_kept", Some("/b")), "{unknown}");
    }
    let early = json!({ "tracker_ref": reference, "keyword": "desk lamp", "date": "2026-01-01" });
    assert_eq!(fake.refusal("rankings.serp.get", early).code, "serp_not_kept");
}

#[test]
fn a_page_that_comes_back_goes_back_and_forth() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900))]);
    let reference = tracker(&fake, &json!({ "every": "daily", "competitors": ["rival.example"] }));
    let urls = ["/a", "/a?utm_source=x", "/b", "/a", "/c"];
    for (at, url) in (0..).zip(urls) {
        on(&fake, day(FIRST).plus(at));
        let own = format!("{SHOP}{url}");
        provider.shows("desk lamp", &["https://rival.example/", &own]);
        check(&fake, &reference);
    }
    let event = crate::stored::Annotation {
        site_id: sdk::value::Id::new(SITE),
        date: day(FIRST).plus(2),
        title: "New shop".to_owned(),
        kind: "release".to_owned(),
    };
    fake.put_as("an_1", event);
    let history = json!({ "tracker_ref": reference, "keywords": ["desk lamp", "oil lamp"] });
    let history = call(&fake, "rankings.position.history.get", &history);
    let switches: Vec<(String, bool)> = list(&history, "url_switches")
        .iter()
        .map(|it| (text(it, "to_url").replace(SHOP, ""), it["back_and_forth"] == true))
        .collect();
    assert_eq!(switches, [("/b".to_owned(), false), ("/a".to_owned(), true), ("/c".to_owned(), false)]);
    assert_eq!(history["series"][0]["competitors"][0]["points"][4]["position"], 1);
    assert_eq!(text(&history["annotations"][0], "title"), "New shop");
    assert!(list(&history["series"][1], "points").is_empty());
    assert!(list(&history, "degraded").iter().any(|it| it["what"] == "history"), "nobody looked at it");
}
