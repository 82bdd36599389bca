//! Watched links: what was agreed is held against what is seen.

use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::trial::{SITE, call, website};

fn added(source: &str, more: &Value) -> Value {
    let mut link = json!({ "source": format!("https://{source}/p"), "target": "https://shop.example/lamps" });
    more.as_object().into_iter().flatten().for_each(|(name, value)| link[name] = value.clone());
    link
}

#[test]
fn watched_links_are_held_against_what_was_agreed() {
    let fake = website();
    let set = call(
        &fake,
        "backlinks.watch.set",
        &json!({ "add": [
            added("kept.example", &json!({ "anchor": "Desk  Lamps", "rel": ["sponsored"] })),
            added("changed.example", &json!({ "anchor": "desk lamps", "rel": ["follow"] })),
            added("gone.example", &json!({})),
            added("ended.example", &json!({ "until": "2026-09-20" })),
            added("silent.example", &json!({})),
        ] }),
    );
    assert_eq!((&set["watched"], &set["added"]), (&json!(5), &json!(5)), "{set}");
    assert!(set["next_check_at"].is_string());
    let planned = fake.schedules().get("watched:81").expect("a schedule");
    assert_eq!(
        (planned.calls[0].operation.as_str(), planned.watch.as_ref().map(|it| it.pointer.as_str())),
        ("backlinks.verify.run", Some("/standing"))
    );
    let html = |rel: &str, text: &str| {
        format!(
            "<html lang=en><title>x</title><body><main><p>{}</p><a rel='{rel}' href='https://shop.example/lamps'>{text}</a></main></body></html>",
            "A text that is long enough to be read. ".repeat(10)
        )
    };
    let serve = |domain: &str, status: u16, body: &str| {
        fake.serve(&format!("https://{domain}/p"), status, &[("content-type", "text/html")], body.as_bytes())
    };
    serve("kept.example", 200, &html("sponsored", "desk lamps"));
    serve("changed.example", 200, &html("nofollow", "lamps"));
    serve("gone.example", 410, "");
    fake.fail("https://silent.example/p", sdk::Failure::Timeout);
    for _ in 0..2 {
        let arguments: Value = sdk::serde_json::from_str(&planned.calls[0].arguments).expect("arguments");
        fake.call("backlinks.verify.run", arguments).expect("a verification");
        while fake.work_one_step() {}
        fake.set_now(Moment::from_millis(fake.now().millis() + 86_400_000));
    }
    let listed = call(&fake, "backlinks.watch.list", &json!({}));
    let states: Vec<String> = listed["links"]
        .as_array()
        .expect("links")
        .iter()
        .map(|it| format!("{} {}", it["source"].as_str().unwrap_or("?"), it["state"].as_str().unwrap_or("?")))
        .collect();
    assert_eq!(
        states,
        [
            "https://gone.example/p lost",
            "https://changed.example/p changed",
            "https://silent.example/p pending",
            "https://kept.example/p ok",
            "https://ended.example/p ended",
        ],
        "{listed}"
    );
    assert_eq!((&listed["standing"], &listed["links"][1]["differences"]), (&json!(3), &json!(["anchor", "rel"])));
    assert_eq!(listed["links"][0]["observed"]["status"], 410);
    let lost = call(&fake, "backlinks.watch.list", &json!({ "state": "lost" }));
    let id = lost["links"][0]["watch_id"].clone();
    let set = call(&fake, "backlinks.watch.set", &json!({ "remove": [id] }));
    assert_eq!((&set["watched"], &set["removed"]), (&json!(4), &json!(1)));
}

#[test]
fn what_cannot_be_watched_is_refused_at_its_place_and_nothing_is_kept() {
    let fake = website();
    let cases = [
        (
            json!({ "add": [added("a.example", &json!({})), { "source": "https://shop.example/x", "target": "https://shop.example/" }] }),
            "own_page",
            "/add/1/source",
        ),
        (
            json!({ "add": [{ "source": "https://a.example/", "target": "https://b.example/" }] }),
            "other_target",
            "/add/0/target",
        ),
        (json!({ "add": [added("a.example", &json!({ "until": "2026-01-01" }))] }), "day_passed", "/add/0/until"),
        (json!({ "add": [added("a.example", &json!({ "rel": ["follow", "ugc"] }))] }), "rel_contradicts", "/add/0/rel"),
        (json!({ "remove": ["4503599627370497"] }), "watch_not_found", "/remove/0"),
    ];
    for (mut arguments, code, pointer) in cases {
        arguments["site_id"] = json!(SITE);
        let fault = fake.refusal("backlinks.watch.set", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert_eq!(call(&fake, "backlinks.watch.list", &json!({}))["total"], 0);
    // The same link twice is one link with the later expectation, and the last one removed ends the schedule.
    call(
        &fake,
        "backlinks.watch.set",
        &json!({ "add": [added("a.example", &json!({})), added("www.a.example", &json!({ "anchor": "x" }))] }),
    );
    let listed = call(&fake, "backlinks.watch.list", &json!({}));
    assert_eq!((&listed["total"], &listed["links"][0]["expected"]["anchor"]), (&json!(1), &json!("x")), "{listed}");
    call(&fake, "backlinks.watch.set", &json!({ "remove": [listed["links"][0]["watch_id"]] }));
    assert!(fake.schedules().get("watched:81").is_none());
}
