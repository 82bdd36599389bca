//! What `link` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html};

#[test]
fn sound_links_have_no_problems_and_each_target_is_asked_once() {
    let fake = host();
    let data = fake.call("onpage.link.check", json!({ "url": GUIDE })).unwrap();
    assert_eq!(
        (&data["counts"]["with_problems"], &data["counts"]["checked"], &data["counts"]["broken"]),
        (&json!(0), &json!(8), &json!(0)),
        "{data}"
    );
    assert_eq!(data["counts"]["links"], 9);
    let asked = fake.requested();
    assert_eq!(asked.len(), 9);
    assert_eq!(data["degraded"], json!([]));
}

#[test]
fn each_fault_of_a_link_is_named() {
    let body = "<a href=/gone>Gone lamp</a><a href=/moved>Moved lamp</a><a href=/twice>Twice moved</a><a href=/lamps>click here</a><a href=/about></a>\
        <a href='javascript:go()'>Script</a><a href='#nothing'>Fragment</a><a href='#top'>Top</a><a href='http://shop.example/plain'>Plain</a>\
        <a href='https://localhost/x'>Local</a><a rel=nofollow href=/contact>Contact us</a><a rel='nofolow' href=/terms>Terms</a>\
        <a href='mailto:a@b.example'>Mail</a><a name=x>anchor</a><a href='https://dead.example/'>Dead site</a>";
    let fake = host().serving("https://shop.example/l", &html("", body));
    fake.serve("https://shop.example/gone", 404, &[], b"");
    fake.serve("https://shop.example/moved", 301, &[("location", "/lamps")], b"");
    fake.serve("https://shop.example/twice", 302, &[("location", "/moved")], b"");
    fake.serve("http://shop.example/plain", 200, &[], b"");
    let data = fake.call("onpage.link.check", json!({ "url": "https://shop.example/l" })).unwrap();
    let problems: Vec<serde_json::Value> =
        data["links"].as_array().unwrap().iter().map(|it| it["problems"].clone()).collect();
    let wanted = [
        json!(["broken"]),
        json!(["redirect"]),
        json!(["redirect_chain"]),
        json!(["generic_anchor"]),
        json!(["empty_anchor"]),
        json!(["uncrawlable"]),
        json!(["fragment_missing"]),
        json!([]),
        json!(["insecure"]),
        json!(["local"]),
        json!(["internal_nofollow"]),
        json!(["unknown_rel"]),
        json!([]),
        json!(["unreachable"]),
    ];
    assert_eq!(problems, wanted);
    assert_eq!((&data["counts"]["broken"], &data["counts"]["redirected"]), (&json!(3), &json!(2)));
    assert_eq!(data["links"][1]["final_url"], "https://shop.example/lamps");
}

#[test]
fn no_more_is_asked_than_was_allowed_and_it_says_so() {
    let fake = host();
    let data = fake.call("onpage.link.check", json!({ "url": GUIDE, "max_links": 4 })).unwrap();
    assert_eq!((fake.requested().len(), &data["counts"]["checked"]), (4, &json!(3)));
    assert!(data["degraded"][0]["why"].as_str().unwrap().starts_with("5 targets"));
}

#[test]
fn a_server_that_does_not_know_head_is_asked_for_the_page() {
    let fake = host().serving("https://shop.example/l", &html("", "<a href='/nohead'>No head</a>"));
    fake.serve("https://shop.example/nohead", 405, &[], b"");
    let data = fake.call("onpage.link.check", json!({ "url": "https://shop.example/l" })).unwrap();
    assert_eq!((fake.requested().len(), &data["links"][0]["status"]), (3, &json!(405)));
}

#[test]
fn a_target_that_keeps_programs_out_is_blocked_and_not_broken() {
    let body = "<a href=/shy>Shy lamp</a><a href=/busy>Busy lamp</a><a href=/odd>Odd lamp</a><a href=/gone>Gone lamp</a>\
                <a href=https://nowhere.example/>Nowhere</a>";
    let fake = host().serving("https://shop.example/l", &html("", body));
    for (path, status) in [("shy", 403), ("busy", 429), ("odd", 999), ("gone", 410)] {
        fake.serve(&format!("https://shop.example/{path}"), status, &[], b"");
    }
    let data = fake.call("onpage.link.check", json!({ "url": "https://shop.example/l" })).unwrap();
    let told: Vec<_> =
        data["links"].as_array().unwrap().iter().map(|it| it["outcome"].as_str().unwrap_or("none")).collect();
    assert_eq!(told, ["blocked", "blocked", "blocked", "broken", "unresolved"], "{data}");
    assert_eq!((&data["counts"]["broken"], &data["counts"]["blocked"]), (&json!(2), &json!(3)));
    assert_eq!(data["links"][0]["problems"], json!([]));
}
