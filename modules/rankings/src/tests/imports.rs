//! Imports of other tools' exports.

use super::*;

fn import(fake: &sdk::Fake, tracker: &str, more: &Value) -> Value {
    let mut arguments = json!({ "tracker_ref": tracker });
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    call(fake, "rankings.check.import", &arguments)
}

fn ready() -> (Provider, sdk::Fake, String) {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900)), ("oil lamp", Some(300))]);
    let reference = tracker(&fake, &json!({}));
    (provider, fake, reference)
}

#[test]
fn exports_of_three_tools_are_read_as_they_are() {
    for (csv, dates) in [
        ("Keyword,Date,Position,URL\ndesk lamp,2026-05-01,4,https://shop.example/desk\noil lamp,2026-05-01,>100,\n", 1),
        ("Keyword;2026-05-01;2026-05-08\ndesk lamp;4;3\nOil  Lamp;-;\n", 2),
        (
            "Keyword,Tags,*.shop.example/*_20260501,*.shop.example/*_20260501_landing,*.rival.example/*_20260501,Search Volume\n\
             desk lamp,a,4,https://shop.example/desk,9,900\noil lamp,a,-,,2,300\n",
            1,
        ),
    ] {
        let (_, fake, reference) = ready();
        let done = import(&fake, &reference, &json!({ "csv": csv }));
        assert_eq!(list(&done, "dates").len(), dates, "{done}");
        assert_eq!(done["rejected_total"].as_u64(), Some(0), "{done}");
        let history = json!({ "tracker_ref": reference, "keywords": ["desk lamp", "oil lamp"], "from": "2026-04-01" });
        let history = call(&fake, "rankings.position.history.get", &history);
        let point = |at: usize| &history["series"][at]["points"][0];
        assert_eq!((&point(0)["position"], &point(0)["imported"]), (&json!(4), &json!(true)), "{csv}");
        assert_eq!((&point(1)["position"], &point(1)["beyond"]), (&Value::Null, &json!(100)), "{csv}");
    }
}

#[test]
fn what_was_measured_stays_and_a_later_import_replaces_an_earlier_one() {
    let (provider, fake, reference) = ready();
    provider.places("desk lamp", 3);
    provider.places("oil lamp", 7);
    ran(&fake, &json!({ "tracker_ref": reference, "keywords": ["desk lamp"] }));
    let csv = "keyword,date,position\ndesk lamp,2026-06-01,40\noil lamp,2026-06-01,41\noil lamp,2026-05-01,12\n";
    import(&fake, &reference, &json!({ "csv": csv }));
    import(&fake, &reference, &json!({ "csv": csv.replace("41", "39") }));
    let listed = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference }));
    let positions: Vec<(&str, &Value)> =
        list(&listed, "rows").iter().map(|it| (text(it, "keyword"), &it["position"])).collect();
    assert_eq!(positions, [("desk lamp", &json!(3)), ("oil lamp", &json!(39))]);
    let oil = &listed["rows"][1];
    assert_eq!(
        (&oil["previous_position"], &oil["change"], &oil["best_position"], text(oil, "best_on")),
        (&json!(12), &json!(-27), &json!(12), "2026-05-01")
    );
    assert_eq!(fake.rows::<crate::stored::Check>().len(), 2, "a day has one check");
}

#[test]
fn rows_that_say_nothing_are_told_with_their_line_and_reason() {
    let (_, fake, reference) = ready();
    let csv = "keyword,date,position,device\ndesk lamp,2026-05-01,red,\ndesk lamp,never,3,\n,2026-05-01,3,\noil lamp,2027-05-01,3,\noil lamp,2026-05-01,3,Desktop\n\
               garden chair,2026-05-01,5,Mobile phone\n";
    let done = import(&fake, &reference, &json!({ "csv": csv }));
    let rejected: Vec<(u64, &str)> =
        list(&done, "rejected").iter().map(|it| (it["line"].as_u64().unwrap_or(0), text(it, "reason"))).collect();
    assert_eq!(
        rejected,
        [(2, "not_a_position"), (3, "not_a_date"), (4, "empty"), (5, "future_date"), (6, "other_device")]
    );
    assert_eq!((done["imported"].as_u64(), &done["unknown_keywords"]), (Some(1), &json!(["garden chair"])));
    let next = list(&done, "next")
        .iter()
        .find(|it| it["operation_id"] == "keywords.item.import")
        .expect("the call that adds it");
    assert_eq!((text(&next["arguments"], "set_ref"), &next["arguments"]["lines"]), (SET, &json!(["garden chair"])));
    for (more, code, pointer) in [
        (json!({ "csv": "a,b\n1,2\n" }), "no_header", "/csv"),
        (json!({ "csv": "keyword,note\ndesk lamp,2\n" }), "no_position_column", "/csv"),
        (json!({ "csv": "keyword,date,position\ndesk lamp,03/04/2026,2\n" }), "ambiguous_dates", "/csv"),
        (json!({ "csv": "x", "upload_ref": "up_1" }), "one_source", "/csv"),
        (json!({ "csv": "{", "format": "dataforseo_json" }), "not_json", "/csv"),
    ] {
        let mut arguments = more.clone();
        arguments["tracker_ref"] = json!(reference);
        let refused = fake.refusal("rankings.check.import", arguments);
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)), "{more}");
    }
    let day_first = json!({ "csv": "keyword,date,position\ndesk lamp,03/04/2026,2\n", "day_first": true });
    assert_eq!(import(&fake, &reference, &day_first)["dates"], json!(["2026-04-03"]));
}

#[test]
fn pages_of_the_provider_and_of_tables_are_whole_pages_afterwards() {
    let (_, fake, reference) = ready();
    let item = |at: u32, url: &str| json!({ "type": "organic", "rank_group": at, "rank_absolute": at, "url": url });
    let result = json!({ "keyword": "desk lamp", "location_code": 2_826, "datetime": "2026-05-01 08:00:00 +00:00",
        "items": [item(1, "https://rival.example/"), item(2, "https://www.shop.example/desk")] });
    let other =
        json!({ "keyword": "oil lamp", "location_code": 2_840, "datetime": "2026-05-01 08:00:00 +00:00", "items": [] });
    let answer = json!([{ "tasks": [{ "result": [result] }, { "result": [other] }] }]);
    let done = import(&fake, &reference, &json!({ "csv": answer.to_string(), "format": "dataforseo_json" }));
    assert_eq!(
        (done["pages_total"].as_u64(), text(&done["rejected"][0], "reason")),
        (Some(1), "other_market"),
        "{done}"
    );
    let csv = "keyword,date,position,url,title,type\noil lamp,2026-05-01,1,https://shop.example/oil,Oil,organic\n\
               oil lamp,2026-05-01,2,https://rival.example/oil,Oil too,\noil lamp,2026-05-01,1,https://video.example/,,video\n";
    let done = import(&fake, &reference, &json!({ "csv": csv, "format": "generic_serp" }));
    assert_eq!((done["pages_total"].as_u64(), done["rejected_total"].as_u64()), (Some(1), Some(0)), "{done}");
    let got = call(&fake, "rankings.serp.get", &json!({ "tracker_ref": reference, "keyword": "oil lamp" }));
    assert_eq!(text(&got["serp"], "date"), "2026-05-01");
    assert_eq!((list(&got["serp"], "items").len(), text(&got["serp"]["features"][0], "feature")), (3, "video"));
    let rival = json!({ "tracker_ref": reference, "domain": "rival.example" });
    let rival = call(&fake, "rankings.competitor.report", &rival);
    assert_eq!((rival["win_rate"]["n"].as_u64(), rival["won_keywords"].as_u64()), (Some(2), Some(1)));
    assert_eq!(text(&rival["beating_pages"][0], "url"), "https://rival.example/");
}

#[test]
fn a_call_without_a_file_opens_an_upload_and_a_long_file_goes_on() {
    let (_, fake, reference) = ready();
    let opened = import(&fake, &reference, &json!({}));
    assert!(opened["upload"]["url"].is_string() && opened["imported"] == 0);
    let rows: String = (0..10_050).map(|it| format!("lamp {it},2026-05-01,{}\n", it % 90 + 1)).collect();
    let file = fake.hand_over("text/csv", format!("keyword,date,position\n{rows}").as_bytes());
    let first = import(&fake, &reference, &json!({ "upload_ref": file }));
    assert_eq!((first["imported"].as_u64(), first["next_row"].as_u64()), (Some(10_000), Some(10_001)));
    assert_eq!(first["next"][0]["arguments"]["from_row"], 10_001);
    let rest = import(&fake, &reference, &json!({ "upload_ref": file, "from_row": 10_001 }));
    assert_eq!((rest["imported"].as_u64(), rest["next_row"].is_null()), (Some(50), true));
}
