//! What Bing's operations promise.

use sdk::json;

use crate::stored::Submission;
use crate::trial::{Crawl, ORIGIN, RUN, call, of_site, refused, text, website};

const API: &str = "/webmaster/api.svc/json";

fn connected() -> sdk::Fake {
    let fake = website().connected("con_1", "bing_webmaster");
    let path = |method: &str| format!("{API}/{method}");
    fake.provider_answers(
        "GET",
        &path("GetUrlSubmissionQuota"),
        200,
        &json!({ "d": { "DailyQuota": 2, "MonthlyQuota": 90 } }),
    );
    fake.provider_answers("POST", &path("SubmitUrlbatch"), 200, &json!({ "d": null }));
    fake.provider_answers(
        "GET",
        &path("GetCrawlIssues"),
        200,
        &json!({ "d": [{ "HttpCode": 404, "Issues": 20, "Url": format!("{ORIGIN}/x"), "InLinks": 3 }] }),
    );
    fake.provider_answers("GET", &path("GetCrawlStats"), 200, &json!({ "d": [
        { "Date": "/Date(1767571200000-0800)/", "CrawledPages": 5, "CrawlErrors": 1, "InIndex": 31, "BlockedByRobotsTxt": 2 },
        { "Date": "/Date(1767484800000)/", "CrawledPages": 4, "CrawlErrors": 0, "InIndex": 30, "BlockedByRobotsTxt": 2 },
    ] }));
    fake.provider_answers("GET", &path("GetUrlInfo"), 200, &json!({ "d": { "HttpStatus": 200, "LastCrawledDate": "/Date(1767571200000)/", "DocumentSize": 900, "DiscoveryDate": "/Date(-62135568000000)/" } }));
    fake
}

#[test]
fn addresses_are_handed_over_within_the_quota_and_the_rest_is_rejected() {
    let fake = connected();
    Crawl::begin(&fake, RUN, 1)
        .html("/a", &text("a"))
        .html("/b", &text("b"))
        .html("/c", &text("c"))
        .html("/n", "<meta name=robots content=noindex>");
    let urls = ["/a", "/n", "/b", "/c"].map(|path| format!("{ORIGIN}{path}"));
    let sent = call(&fake, "indexing.bing.submit", of_site(json!({ "urls": urls })));
    assert_eq!((&sent["submitted"], &sent["quota_left"]), (&json!(2), &json!(0)));
    assert_eq!(
        sent["rejected"],
        json!([{ "url": urls[1], "reason": "noindex" }, { "url": urls[3], "reason": "over_quota" }])
    );
    assert_eq!(fake.rows::<Submission>().len(), 2);
}

#[test]
fn refusals_of_bing_are_told_in_the_words_of_the_catalog_and_nothing_is_kept() {
    for (code, expected) in
        [(3, "connection_expired"), (4, "provider_quota_exhausted"), (14, "missing_permission"), (7, "provider_error")]
    {
        let fake = connected();
        Crawl::begin(&fake, RUN, 1).html("/a", &text("a"));
        let body = json!({ "ErrorCode": code, "Message": "ERROR!!! Something" });
        fake.provider_answers("POST", &format!("{API}/SubmitUrlbatch"), 400, &body);
        let refusal = refused(&fake, "indexing.bing.submit", of_site(json!({ "urls": [format!("{ORIGIN}/a")] })));
        assert_eq!(refusal.0, expected);
        assert!(fake.rows::<Submission>().is_empty());
    }
    assert_eq!(
        refused(&website(), "indexing.bing.submit", of_site(json!({ "urls": [ORIGIN] }))).0,
        "connection_required"
    );
}

#[test]
fn what_bing_knows_is_read_with_its_flags_and_dates() {
    let fake = connected();
    let status = call(&fake, "indexing.bing.status.get", of_site(json!({ "url": format!("{ORIGIN}/a") })));
    assert_eq!(status["crawl_issues"][0]["issues"], json!(["code_4xx", "blocked_by_robots_txt"]));
    assert_eq!((&status["in_index"], &status["stats"][1]["day"]), (&json!(31), &json!("2026-01-05")));
    let info = &status["url_info"];
    assert_eq!((&info["known"], &info["last_crawled_at"]), (&json!(true), &json!("2026-01-05T00:00:00.000Z")));
    assert_eq!(info["discovered_at"], sdk::serde_json::Value::Null, "the year 1 is never");
    fake.provider_answers(
        "GET",
        &format!("{API}/GetUrlInfo"),
        400,
        &json!({ "ErrorCode": 11, "Message": "ERROR!!! NotFound" }),
    );
    let status = call(&fake, "indexing.bing.status.get", of_site(json!({ "url": format!("{ORIGIN}/new") })));
    assert_eq!(status["url_info"]["known"], false);
    let foreign = refused(&fake, "indexing.bing.status.get", of_site(json!({ "url": "https://other.example/" })));
    assert_eq!(foreign, ("url_not_of_site".to_owned(), Some("/url".to_owned())));
}
