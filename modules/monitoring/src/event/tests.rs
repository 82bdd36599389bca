//! Changes of texts: their differences, and what is noise.

use kit::chance::Chance;
use sdk::serde_json::{Value, json};

use super::diff::{Does, Form, diff};
use super::noise::patterns;
use crate::trial::{SITE, website};

const PAGE: &str = "https://shop.example/lamps";

fn page(text: &str) -> String {
    format!("<html><head><title>Lamps</title></head><body><main><p>{text}</p></main></body></html>")
}

#[test]
fn the_parts_of_a_diff_give_both_texts() {
    let mut chance = Chance::new(7);
    let words = ["lamp", "desk", "brass", "oak,", "warm.", "light\n", "für", "灯具", "12"];
    let mut text = |length: usize| (0..length).map(|_| words[chance.below(words.len())]).collect::<Vec<_>>().join(" ");
    for at in 0..200 {
        let (before, after) = (text(at % 60), text((at * 7) % 60));
        for form in [Form::Words, Form::Unified] {
            let told = diff(&before, &after, form);
            let of = |without: &Does| {
                told.pieces.iter().filter(|it| it.does != *without).map(|it| it.text.as_str()).collect::<String>()
            };
            assert_eq!((of(&Does::Added), of(&Does::Removed)), (before.clone(), after.clone()));
        }
    }
}

#[test]
fn a_changed_text_is_shown_in_words_in_lines_and_whole() {
    let fake = website();
    let create = json!({ "site_id": SITE, "kind": "content", "target": PAGE, "every": "1h", "selector": "main p" });
    fake.call("monitoring.monitor.create", create).expect("created");
    let html = [("content-type", "text/html")];
    for price in ["10", "12"] {
        fake.serve(PAGE, 200, &html, page(&format!("A desk lamp for {price} euros, of brass.")).as_bytes());
        fake.come_due("every_1h");
        fake.work();
    }
    let events = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("events");
    let event = &events["events"][0];
    assert_eq!((&event["kind"], &event["has_diff"]), (&json!("content_changed"), &json!(true)));
    let get = |form: &str| {
        fake.call("monitoring.event.diff.get", json!({ "event_ref": event["event_ref"], "form": form }))
            .expect("a diff")
    };
    let words = get("words");
    assert_eq!((&words["diff"]["added"], &words["diff"]["removed"]), (&json!(1), &json!(1)));
    assert_eq!(words["snapshots"]["before"], "A desk lamp for 10 euros, of brass.");
    let unified = get("unified");
    let lines = unified["diff"]["unified"].as_str().expect("lines");
    assert!(lines.contains("-A desk lamp for 10 euros, of brass."), "{lines}");
    assert!(lines.contains("+A desk lamp for 12 euros, of brass."), "{lines}");
    // Called noise, the price is left aside from then on.
    let judged = json!({ "event_refs": [event["event_ref"]], "verdict": "noise" });
    let told = fake.call("monitoring.event.acknowledge", judged).expect("acknowledged");
    assert_eq!(told["ignored"][0]["patterns"], json!(["A desk lamp for \\d+"]));
    for price in ["12", "15"] {
        fake.serve(PAGE, 200, &html, page(&format!("A desk lamp for {price} euros, of brass.")).as_bytes());
        fake.come_due("every_1h");
        fake.work();
    }
    let events = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("events");
    assert_eq!(events["total"], 1, "{events:#}");
    fake.serve(PAGE, 200, &html, page("A desk lamp for 15 euros, of oak.").as_bytes());
    fake.come_due("every_1h");
    fake.work();
    let events = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("events");
    assert_eq!(events["total"], 2);
}

#[test]
fn dates_counters_and_tokens_become_classes_and_words_stay_words() {
    for (before, after, wanted) in [
        ("Updated 3 March 2026 by us", "Updated 14 April 2026 by us", vec![r"Updated \d+ \p{L}+"]),
        ("12 in stock", "9 in stock", vec![r"\d+"]),
        ("token=a8f3c2d1e9 end", "token=b7e2d1c0f8 end", vec![r"token=\w+"]),
        ("of brass", "of oak", vec!["of (?:brass|oak)"]),
        ("same", "same", vec![]),
    ] {
        assert_eq!(patterns(before, after), wanted, "{before} → {after}");
    }
}

#[test]
fn a_problem_gives_the_call_that_opens_its_task() {
    let fake = website();
    let create = json!({ "site_id": SITE, "kind": "head", "target": PAGE, "every": "1h" });
    fake.call("monitoring.monitor.create", create).expect("created");
    let html = [("content-type", "text/html")];
    for title in ["<title>Lamps</title>", ""] {
        fake.serve(PAGE, 200, &html, format!("<html><head>{title}</head><body>x</body></html>").as_bytes());
        fake.come_due("every_1h");
        fake.work();
    }
    let events = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("events");
    assert_eq!(events["events"][0]["kind"], "title_lost");
    let event = events["events"][0]["event_ref"].clone();
    let judged = json!({ "event_refs": [event], "verdict": "problem", "open_task": true });
    let told = fake.call("monitoring.event.acknowledge", judged).expect("acknowledged");
    assert_eq!((&told["next"][0]["operation_id"], &told["task_refs"]), (&json!("websites.task.create"), &json!([])));
    let unknown = json!({ "event_refs": ["event_none"], "verdict": "intended" });
    let fault = fake.refusal("monitoring.event.acknowledge", unknown);
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("event_not_found", Some("/event_refs/0")));
    let none: Value = fake.call("monitoring.event.list", json!({ "severity": "info" })).expect("events");
    assert_eq!(none["total"], 0);
}

#[test]
fn as_many_lines_change_as_the_smallest_difference_has() {
    let all: Vec<(String, String, u64, u64)> =
        sdk::serde_json::from_str(include_str!("lines.json")).expect("the references");
    assert_eq!(all.len(), 200);
    let lines =
        |text: &str| text.split(' ').filter(|it| !it.is_empty()).map(|it| format!("{it}\n")).collect::<String>();
    for (before, after, removed, added) in all {
        let told = diff(&lines(&before), &lines(&after), Form::Unified);
        assert_eq!((told.removed, told.added), (removed, added), "{before} → {after}");
    }
}
