//! The job: what it compares, when it asks for results pages, and what a second question is answered.

use sdk::serde_json::Value;
use sdk::{SendFailure, json};

use crate::tests::html;

const OWN: &str = "https://shop.example/lamps";
const SERP: &str = "/v3/serp/google/organic/live/advanced";

/// Three pages about brass lamps with patina, and the own one without it and full of shades.
fn pages() -> sdk::Fake {
    let own = "<main><h1>Brass lamps</h1><p>A brass lamp stands on a desk. A shade is a shade, and a shade of a shade is a \
               shade for a shade with a shade.</p></main>";
    let other = |more: &str| {
        format!(
            "<main><h1>Brass lamps</h1><h2>What is patina?</h2><p>A brass lamp has a patina. The natural patina of a brass lamp \
             protects it, and polishing removes patina. A shade helps. {more}</p></main>"
        )
    };
    let fake = crate::fake().serving(OWN, &html("", own));
    for (name, more) in [("one", "Wires are old."), ("two", "Wires are new."), ("three", "Sockets differ.")] {
        fake.serve(&url(name), 200, &[("content-type", "text/html")], html("", &other(more)).as_bytes());
    }
    fake
}

fn url(name: &str) -> String {
    format!("https://{name}.example/lamps")
}

fn given() -> Value {
    json!({ "url": OWN, "keyword": "Brass lamp", "competitors": [url("one"), url("two"), url("three")] })
}

fn terms(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|it| it["term"].as_str().unwrap()).collect()
}

fn serp(fake: &sdk::Fake, answer: &Value) {
    fake.provider_answers("POST", SERP, 200, answer);
}

#[test]
fn what_the_others_share_and_the_page_lacks_is_found_and_what_it_overuses() {
    let fake = pages();
    let started = fake.call("onpage.term_gap.analyze", given()).unwrap();
    assert_eq!((&started["state"], &started["missing"]), (&json!("queued"), &json!([])));
    fake.work();
    let done = fake.call("onpage.term_gap.analyze", given()).unwrap();
    assert_eq!((&done["state"], &done["job_ref"]), (&json!("succeeded"), &started["job_ref"]));
    let missing = terms(&done["missing"]);
    assert!(missing.contains(&"natural patina") && missing.contains(&"polishing removes patina"), "{missing:?}");
    // Two of three pages have wires, one has sockets.
    assert!(missing.contains(&"wires") && !missing.iter().any(|it| it.contains("sockets")), "{missing:?}");
    let gap = &done["missing"][0];
    assert!(gap["target_range"]["low"].as_f64() > Some(0.0) && gap["own"] == 0 && gap["docs"] == 3, "{gap}");
    assert_eq!(terms(&done["overused"]), ["shade"]);
    assert_eq!(done["headings"][0]["heading"], "What is patina?");
    assert_eq!(
        (&done["questions"][0]["question"], &done["questions"][0]["answered"]),
        (&json!("What is patina?"), &json!(false))
    );
    assert_eq!(done["compared"].as_array().unwrap().len(), 3);
}

#[test]
fn the_same_question_is_one_job_until_it_is_old_or_asked_anew() {
    let fake = pages();
    let first = fake.call("onpage.term_gap.analyze", given()).unwrap();
    let turned =
        json!({ "url": OWN, "keyword": " brass  LAMP", "competitors": [url("three"), url("one"), url("two")] });
    assert_eq!(fake.call("onpage.term_gap.analyze", turned).unwrap()["job_ref"], first["job_ref"]);
    fake.work();
    let mut anew = given();
    anew["refresh"] = json!(true);
    let second = fake.call("onpage.term_gap.analyze", anew).unwrap();
    assert!(second["job_ref"] != first["job_ref"] && second["state"] == "queued");
    fake.work();
    fake.set_now("2026-09-30T00:00:00Z".parse().unwrap());
    let third = fake.call("onpage.term_gap.analyze", given()).unwrap();
    assert!(third["job_ref"] != second["job_ref"] && third["state"] == "queued");
}

#[test]
fn without_competitors_those_that_rank_are_compared_and_the_page_s_own_website_is_not() {
    let fake = pages().connected("con_1", "dataforseo");
    let organic = |at: u32, url: &str| json!({ "type": "organic", "rank_group": at, "url": url });
    let items = json!([
        organic(1, "https://shop.example/other"), organic(2, &url("one")), organic(3, "https://www.one.example/again"),
        { "type": "people_also_ask", "items": [{ "title": "How heavy is a brass lamp?" }] },
        organic(4, &url("two")), organic(5, &url("three")), organic(6, "javascript:x")
    ]);
    serp(
        &fake,
        &json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "result": [{ "items": items }] }] }),
    );
    let arguments = json!({ "url": OWN, "keyword": "brass lamp" });
    fake.call("onpage.term_gap.analyze", arguments.clone()).unwrap();
    fake.work();
    let done = fake.call("onpage.term_gap.analyze", arguments).unwrap();
    let compared: Vec<&str> =
        done["compared"].as_array().unwrap().iter().map(|it| it["url"].as_str().unwrap()).collect();
    assert_eq!(compared, [url("one"), url("two"), url("three")]);
    assert_eq!(done["questions"][0]["question"], "How heavy is a brass lamp?");
    assert_eq!(fake.sent(), [format!("POST {SERP}")]);
}

#[test]
fn a_job_that_fails_says_why_and_the_next_question_starts_another() {
    let arguments = json!({ "url": OWN, "keyword": "brass lamp" });
    let fault = pages().refusal("onpage.term_gap.analyze", arguments.clone());
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/competitors")));
    let task = |code: u32| json!({ "status_code": 20_000, "tasks": [{ "status_code": code, "result": null }] });
    for code in [40_200, 40_501, 40_100] {
        let fake = pages().connected("con_1", "dataforseo");
        serp(&fake, &task(code));
        let first = fake.call("onpage.term_gap.analyze", arguments.clone()).unwrap();
        fake.work();
        let second = fake.call("onpage.term_gap.analyze", arguments.clone()).unwrap();
        assert!(second["job_ref"] != first["job_ref"] && second["state"] == "queued", "{code}");
    }
    let fake = pages().connected("con_1", "dataforseo");
    fake.provider_fails("POST", SERP, SendFailure::Timeout);
    fake.call("onpage.term_gap.analyze", arguments).unwrap();
    fake.work();
    let few =
        json!({ "url": OWN, "keyword": "brass lamp", "competitors": ["https://no.example/", "https://none.example/"] });
    fake.call("onpage.term_gap.analyze", few.clone()).unwrap();
    fake.work();
    assert_eq!(
        fake.refusal("onpage.term_gap.analyze", json!({ "url": OWN, "keyword": "x" })).code,
        "invalid_arguments"
    );
    assert_eq!(fake.call("onpage.term_gap.analyze", few).unwrap()["state"], "queued");
}

#[test]
fn a_result_page_that_a_rank_tracker_has_stored_is_not_fetched_again() {
    use serps::{Shown, Snapshot, SnapshotRecord};

    let shop = site::Site { origin: "https://shop.example".to_owned(), ..site::Site::default() };
    let fake = pages();
    fake.put_as("81", shop);
    let today = fake.now().day();
    let mut urls = vec![url("one"), url("two"), url("three")];
    urls.extend((0..9).map(|at| format!("https://gone-{at}.example/")));
    let shown = |(position, url): (u32, &String)| Shown { position, url: url.clone(), title: String::new() };
    let snapshot = |market: &str, date: sdk::value::Day| SnapshotRecord {
        site_id: "81".to_owned(),
        tracker_ref: "tracker_1".to_owned(),
        keyword: "brass lamp".to_owned(),
        market: format!("google|{market}|mobile"),
        country: "US".to_owned(),
        date,
        volume: None,
        depth: 20,
        items: (1..).zip(&urls).map(shown).collect(),
        features: Vec::new(),
        questions: vec!["How heavy is a brass lamp?".to_owned()],
        above: 0,
    };
    fake.put_as("old", Snapshot(snapshot("US|en", today.plus(-31))));
    fake.put_as("other", Snapshot(snapshot("US|de", today)));
    let arguments = json!({ "url": OWN, "keyword": "Brass  Lamp", "country": "US", "language": "en" });
    let refused = fake.refusal("onpage.term_gap.analyze", arguments.clone());
    assert_eq!(refused.code, "connection_required", "one page is too old, and one of another language");
    fake.put_as("new", Snapshot(snapshot("US|en-GB", today.plus(-3))));
    fake.call("onpage.term_gap.analyze", arguments.clone()).unwrap();
    fake.work();
    let done = fake.call("onpage.term_gap.analyze", arguments).unwrap();
    assert_eq!((&done["serp_date"], done["compared"].as_array().unwrap().len()), (&json!(today.plus(-3)), 3), "{done}");
    assert!(fake.sent().is_empty());
}
