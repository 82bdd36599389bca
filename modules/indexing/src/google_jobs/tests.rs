//! What notices to Google's Indexing API promise.

use sdk::json;

use crate::stored::{Receiver, Submission};
use crate::trial::{HTML, ORIGIN, SITE, call, of_site, refused, text, website};

const JOB: &str = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"JobPosting","title":"Lamp maker","description":"Makes lamps.","datePosted":"2026-01-05","hiringOrganization":{"@type":"Organization","name":"Shop"}}</script><p>A job</p>"#;
const LIVE: &str = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject","name":"Live","publication":{"@type":"BroadcastEvent","isLiveBroadcast":true,"startDate":"2026-01-05T10:00:00Z"}}</script><p>Live</p>"#;

fn connected() -> sdk::Fake {
    let fake = website().connected("con_1", "google_indexing");
    fake.provider_answers("POST", "/v3/urlNotifications:publish", 200, &json!({ "urlNotificationMetadata": {} }));
    for (path, html) in [
        ("/job", JOB.to_owned()),
        ("/live", LIVE.to_owned()),
        ("/half", JOB.replace("datePosted", "posted")),
        ("/plain", text("plain")),
        ("/hidden", format!("<meta name=robots content=noindex>{JOB}")),
    ] {
        fake.serve(&format!("{ORIGIN}{path}"), 200, HTML, html.as_bytes());
    }
    fake.serve(&format!("{ORIGIN}/gone"), 410, HTML, b"");
    fake
}

#[test]
fn only_pages_with_the_permitted_markup_are_reported() {
    let fake = connected();
    let urls = ["/job", "/live", "/half", "/plain", "/hidden", "/gone"].map(|path| format!("{ORIGIN}{path}"));
    let told = call(&fake, "indexing.google_jobs.notify", of_site(json!({ "urls": urls })));
    let accepted: Vec<&str> =
        told["accepted"].as_array().unwrap().iter().map(|it| it["markup"].as_str().unwrap()).collect();
    assert_eq!(accepted, ["JobPosting", "BroadcastEvent"]);
    let refused: Vec<&str> =
        told["refused"].as_array().unwrap().iter().map(|it| it["reason"].as_str().unwrap()).collect();
    assert_eq!(refused, ["no_permitted_markup", "no_permitted_markup", "not_indexable", "status"]);
    assert!(told["refused"][0]["message"].as_str().unwrap().contains("datePosted"));
    assert_eq!((&told["quota_left"], fake.sent().len()), (&json!(198), 2));
}

#[test]
fn a_removal_is_reported_when_the_page_is_gone_or_hidden() {
    let fake = connected();
    let urls = ["/gone", "/hidden", "/job"].map(|path| format!("{ORIGIN}{path}"));
    let told = call(&fake, "indexing.google_jobs.notify", of_site(json!({ "urls": urls, "type": "deleted" })));
    assert_eq!(told["accepted"].as_array().unwrap().len(), 2);
    assert_eq!(told["refused"][0]["reason"], "still_indexable");
    assert!(fake.rows::<Submission>().iter().all(|it| it.removed && it.engine == Receiver::GoogleJobs));
}

#[test]
fn the_quota_of_a_day_is_kept_and_a_connection_is_needed() {
    let fake = connected();
    for at in 0..199 {
        let url = format!("{ORIGIN}/{at}");
        fake.put(Submission {
            site_id: SITE.to_owned(),
            engine: Receiver::GoogleJobs,
            url,
            at_ms: fake.now().millis(),
            code: 200,
            text_sha256: String::new(),
            removed: false,
        });
    }
    let urls = ["/job", "/live"].map(|path| format!("{ORIGIN}{path}"));
    let told = call(&fake, "indexing.google_jobs.notify", of_site(json!({ "urls": urls })));
    assert_eq!(
        (told["accepted"].as_array().unwrap().len(), &told["refused"][0]["reason"], &told["quota_left"]),
        (1, &json!("quota"), &json!(0))
    );
    assert_eq!(
        refused(&website(), "indexing.google_jobs.notify", of_site(json!({ "urls": [ORIGIN] }))).0,
        "connection_required"
    );
}
