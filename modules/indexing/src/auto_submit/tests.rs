//! What automatic submission promises.

use sdk::json;
use sdk::serde_json::Value;

use crate::stored::Submission;
use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, of_site, refused, text, website, with_key};

/// The call that the schedule makes.
fn round(fake: &sdk::Fake) -> Value {
    call(
        fake,
        "indexing.auto_submit.set",
        of_site(json!({ "enabled": true, "engines": ["indexnow"], "daily_cap": 2, "submit_now": true })),
    )
}

fn ready() -> sdk::Fake {
    let fake = with_key();
    fake.provider_answers("POST", "/indexnow", 200, &json!({}));
    Crawl::begin(&fake, RUN, 9)
        .html("/same", &text("same"))
        .html("/changed", &text("before"))
        .html("/removed", &text("removed"));
    let set = call(
        &fake,
        "indexing.auto_submit.set",
        of_site(json!({ "enabled": true, "engines": ["indexnow"], "daily_cap": 2 })),
    );
    assert_eq!((&set["settings"]["enabled"], &set["settings"]["run_ref"]), (&json!(true), &json!(RUN)));
    assert!(set["settings"]["next_run"].is_string(), "{set}");
    fake
}

fn submitted(fake: &sdk::Fake) -> Vec<String> {
    fake.rows::<Submission>()
        .iter()
        .map(|it| format!("{}{}", it.url.replace(ORIGIN, ""), if it.removed { " gone" } else { "" }))
        .collect()
}

#[test]
fn a_round_hands_over_what_changed_since_the_crawl_before_within_the_cap_of_a_day() {
    let fake = ready();
    assert_eq!(round(&fake)["handed_over"][0]["submitted"], 0, "nothing changed without a newer crawl");
    Crawl::begin(&fake, "run-2", 1)
        .html("/same", &text("same"))
        .html("/changed", &text("after"))
        .html("/new", &text("new"))
        .html("/hidden", "<meta name=robots content=noindex>")
        .answer("/removed", "link", 404, HTML, "");
    let first = round(&fake);
    let handed = &first["handed_over"][0];
    assert_eq!(
        (&handed["submitted"], &handed["waiting"], &handed["response_code"]),
        (&json!(2), &json!(1), &json!(200))
    );
    assert_eq!(submitted(&fake), ["/changed", "/new"]);
    assert_eq!(first["settings"]["waiting"], json!({ "indexnow": 1 }));
    assert_eq!(round(&fake)["handed_over"][0]["submitted"], 0, "the day is used up");
    fake.set_now(fake.now().plus(86_400_000));
    assert_eq!(round(&fake)["handed_over"][0]["submitted"], 1);
    assert_eq!(submitted(&fake), ["/changed", "/new", "/removed gone"]);
}

#[test]
fn an_engine_in_trouble_loses_nothing() {
    let fake = ready();
    Crawl::begin(&fake, "run-2", 1).html("/new", &text("new"));
    fake.provider_fails("POST", "/indexnow", sdk::SendFailure::Timeout);
    let failed = round(&fake);
    assert_eq!(
        (&failed["handed_over"][0]["failure"], &failed["handed_over"][0]["waiting"]),
        (&json!("provider_error"), &json!(1))
    );
    fake.provider_answers("POST", "/indexnow", 200, &json!({}));
    assert_eq!(round(&fake)["handed_over"][0]["submitted"], 1);
}

#[test]
fn it_is_turned_off_and_refused_where_nothing_could_be_told() {
    let fake = ready();
    let off = call(&fake, "indexing.auto_submit.set", of_site(json!({ "enabled": false, "engines": ["indexnow"] })));
    assert_eq!((&off["settings"]["enabled"], &off["settings"]["next_run"]), (&json!(false), &Value::Null));
    let on = |fake: &sdk::Fake, engine: &str| {
        refused(fake, "indexing.auto_submit.set", of_site(json!({ "enabled": true, "engines": [engine] })))
    };
    assert_eq!(on(&website(), "indexnow"), ("key_required".to_owned(), Some("/engines/0".to_owned())));
    assert_eq!(on(&website(), "bing"), ("connection_required".to_owned(), Some("/engines/0".to_owned())));
    let twice = json!({ "site_id": "1", "enabled": true, "engines": ["bing"] });
    assert_eq!(refused(&website(), "indexing.auto_submit.set", twice).0, "website_not_found");
}

#[test]
fn what_the_content_system_published_or_took_back_since_the_last_round_is_handed_over_too() {
    use super::pushes::Pushed;
    let fake = ready();
    let set = |cap: u64| {
        let arguments = json!({ "enabled": true, "engines": ["indexnow"], "daily_cap": cap, "submit_now": true });
        call(&fake, "indexing.auto_submit.set", of_site(arguments))
    };
    assert_eq!(set(10)["handed_over"][0]["submitted"], 0);
    let site_id = of_site(json!({}))["site_id"].as_str().unwrap().to_owned();
    let at_ms = fake.now().millis();
    let pushed = |path: &str, what: &str, status: Option<&str>| {
        let field = status.map(|it| json!({ "name": "status", "after": { "json": json!(it).to_string() } }));
        fake.put(Pushed {
            site_id: site_id.clone(),
            at_ms,
            url: format!("{ORIGIN}{path}"),
            what: what.to_owned(),
            pending: false,
            fields: field.into_iter().collect(),
        });
    };
    pushed("/fresh", "status", Some("publish"));
    pushed("/words", "content", None);
    pushed("/old", "status", Some("draft"));
    pushed("/?p=7", "content", None);
    pushed("/r", "redirect", None);
    // The newest state of a page counts.
    pushed("/old", "status", Some("publish"));
    pushed("/old", "status", Some("trash"));
    let told = set(10);
    assert_eq!((&told["handed_over"][0]["submitted"], &told["degraded"]), (&json!(3), &json!([])), "{told}");
    let mut all = submitted(&fake);
    all.sort();
    assert_eq!(all, ["/fresh", "/old gone", "/words"]);
}
