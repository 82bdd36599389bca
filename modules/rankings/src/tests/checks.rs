//! Checks: what is ordered, stored, charged, and left out.

use super::*;

#[test]
fn a_check_orders_each_keyword_once_and_charges_the_pages_that_came() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900)), ("oil lamp", Some(300)), ("wall lamp", Some(100))]);
    provider.places("desk lamp", 3);
    provider.places("oil lamp", 0);
    provider.failing.borrow_mut().insert("wall lamp".to_owned());
    let reference = tracker(&fake, &json!({ "stop_when_found": true, "ai_overview": true, "pixels": true }));
    let done = check(&fake, &reference);
    assert_eq!(
        (done["checked"].as_u64(), done["found_keywords"].as_u64(), done["failed_total"].as_u64()),
        (Some(2), Some(1), Some(1))
    );
    assert_eq!((&done["failed"], text(&done["provider_cost"], "amount")), (&json!(["wall lamp"]), "0.001800"));
    let asked = provider.asked.borrow();
    assert_eq!(asked.len(), 3);
    let task = &asked[0];
    assert_eq!(
        (text(task, "keyword"), task["location_code"].as_u64(), task["depth"].as_u64()),
        ("desk lamp", Some(2_826), Some(20))
    );
    assert_eq!(task["stop_crawl_on_match"][0]["match_value"], "shop.example");
    assert!(task["load_async_ai_overview"] == true && task["calculate_rectangles"] == true);
    let listed = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference }));
    assert_eq!(texts(list(&listed, "rows"), "keyword"), ["desk lamp", "oil lamp"]);
    assert_eq!((&listed["rows"][0]["position"], &listed["rows"][1]["beyond"]), (&json!(3), &json!(20)));
    let missing = list(&listed, "degraded").iter().find(|it| it["what"] == "keywords").expect("told");
    assert_eq!(missing["operation_id"], "rankings.check.run", "{missing}");
    assert_eq!(listed["basis"]["complete"], false);
}

#[test]
fn keywords_that_were_checked_today_are_left_out_unless_forced() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900)), ("oil lamp", Some(300))]);
    provider.places("desk lamp", 3);
    provider.places("oil lamp", 8);
    let reference = tracker(&fake, &json!({}));
    let one = ran(&fake, &json!({ "tracker_ref": reference, "keywords": ["Desk  Lamp"] }));
    assert_eq!(one["checked"].as_u64(), Some(1));
    let reply = fake.reply("rankings.check.run", json!({ "tracker_ref": reference })).expect("a check");
    assert_eq!((reply.units, reply.data["skipped_keywords"].as_u64()), (1, Some(1)));
    fake.work();
    let again = fake.refusal("rankings.check.run", json!({ "tracker_ref": reference }));
    assert_eq!((again.code.as_str(), again.pointer.as_deref()), ("checked_today", Some("/force")));
    provider.places("desk lamp", 1);
    let forced = ran(&fake, &json!({ "tracker_ref": reference, "keywords": ["desk lamp"], "force": true }));
    assert_eq!(forced["checked"].as_u64(), Some(1));
    let listed = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference }));
    assert_eq!((listed["total"].as_u64(), &listed["rows"][0]["position"]), (Some(2), &json!(1)), "one check a day");
    let foreign = json!({ "tracker_ref": reference, "keywords": ["desk lamp", "garden chair"] });
    let foreign = fake.refusal("rankings.check.run", foreign);
    assert_eq!((foreign.code.as_str(), foreign.pointer.as_deref()), ("keyword_not_tracked", Some("/keywords/1")));
}

#[test]
fn one_check_runs_at_a_time_and_none_without_keywords_or_a_connection() {
    let fake = fake(&Provider::default());
    set(&fake, &[]);
    let reference = tracker(&fake, &json!({}));
    let empty = fake.refusal("rankings.check.run", json!({ "tracker_ref": reference }));
    assert_eq!((empty.code.as_str(), empty.pointer.as_deref()), ("set_empty", Some("/tracker_ref")));
    keyword_of(&fake, "desk lamp", Some(900), &[]);
    call(&fake, "rankings.check.run", &json!({ "tracker_ref": reference }));
    let busy = fake.refusal("rankings.check.run", json!({ "tracker_ref": reference }));
    assert_eq!(busy.code, "check_running");
    let busy = fake.refusal("rankings.tracker.delete", json!({ "tracker_ref": reference }));
    assert_eq!(busy.code, "check_running");
}

#[test]
fn many_keywords_come_in_parts_and_are_one_check() {
    let provider = Provider::default();
    let fake = fake(&provider);
    let names: Vec<String> = (0..130).map(|it| format!("lamp {it:03}")).collect();
    let keywords: Vec<(&str, Option<u64>)> = names.iter().map(|it| (it.as_str(), Some(100))).collect();
    set(&fake, &keywords);
    names.iter().enumerate().for_each(|(at, it)| provider.places(it, at % 25));
    let reference = tracker(&fake, &json!({}));
    let started = call(&fake, "rankings.check.run", &json!({ "tracker_ref": reference }));
    assert_eq!((started["keywords"].as_u64(), started["provider_pages"].as_u64()), (Some(130), Some(260)));
    for _ in 0..4 {
        fake.work_one_step();
    }
    let open = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference, "limit": 1 }));
    assert!(open["total"].as_u64().is_some_and(|it| (1..130).contains(&it)), "parts are read before the end: {open}");
    assert_eq!(open["basis"]["complete"], false);
    fake.work();
    let done = call(&fake, "rankings.position.list", &json!({ "tracker_ref": reference, "limit": 1 }));
    assert_eq!((done["total"].as_u64(), &done["basis"]["complete"]), (Some(130), &json!(true)));
    let check = &fake.rows::<crate::stored::Check>()[0];
    assert_eq!((check.rows, check.parts, check.merged), (130, check.merged, check.parts));
}

#[test]
fn a_tracker_of_bing_asks_bing_and_nothing_that_google_alone_has() {
    let provider = Provider::default();
    let fake = fake(&provider);
    set(&fake, &[("desk lamp", Some(900))]);
    provider.places("desk lamp", 3);
    let bing = json!({ "engine": "bing", "location": "London,England,United Kingdom", "device": "desktop", "ai_overview": true });
    let reference = tracker(&fake, &bing);
    let done = check(&fake, &reference);
    assert_eq!(done["found_keywords"], 1);
    let asked = provider.asked.borrow();
    assert_eq!((text(&asked[0], "engine"), asked[0]["location_code"].as_u64()), ("bing", Some(1_006_886)));
    assert!(asked[0]["load_async_ai_overview"].is_null(), "{}", asked[0]);
    let got = call(&fake, "rankings.serp.get", &json!({ "tracker_ref": reference, "keyword": "desk lamp" }));
    assert_eq!(text(&got["serp"], "market"), "bing|London,England,United Kingdom|en|desktop");
}

#[test]
fn a_check_that_was_stopped_keeps_what_it_has_and_the_next_one_merges_it() {
    let provider = Provider::default();
    let fake = fake(&provider);
    let names: Vec<String> = (0..130).map(|it| format!("lamp {it:03}")).collect();
    set(&fake, &names.iter().map(|it| (it.as_str(), Some(100))).collect::<Vec<_>>());
    names.iter().for_each(|it| provider.places(it, 4));
    let reference = tracker(&fake, &json!({ "every": "daily" }));
    call(&fake, "rankings.check.run", &json!({ "tracker_ref": reference }));
    for _ in 0..4 {
        fake.work_one_step();
    }
    let kept = fake.rows::<crate::stored::Check>()[0].parts;
    assert!(kept > 0, "some pages came before the job was stopped");
    let row = fake.rows::<crate::stored::Tracker>().remove(0);
    // What a job that was cancelled leaves: nothing that works on the tracker.
    fake.records::<crate::stored::Tracker>().update(&row.id, |it| it.job_ref = None).expect("stored");
    on(&fake, day(FIRST).plus(1));
    check(&fake, &reference);
    let checks = fake.rows::<crate::stored::Check>();
    let first = checks.iter().find(|it| it.date == FIRST).expect("the first day");
    assert!(!first.open && first.merged == first.parts, "its parts are one blob now");
    let early = json!({ "tracker_ref": reference, "date": FIRST, "limit": 1 });
    let early = call(&fake, "rankings.position.list", &early);
    assert!(early["total"].as_u64().is_some_and(|it| (1..130).contains(&it)), "{}", early["total"]);
}
