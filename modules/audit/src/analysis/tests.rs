//! The read-only opportunity audit, with and without a crawl.

use kit::crawled::{PageRecord, RunRecord, RunState};
use kit::page::{self, Answer, Timing};
use sdk::serde_json::Value;
use sdk::{Failure, Fake, json};

use crate::stored::{Audit, Kept};
use site::{Crawled, Run, Site};

const SITE: &str = "4503599627370496";
const HOME: &str = "<!doctype html><html lang=en><title>Lamps of brass</title><h1>Lamps</h1>\
<a href=/a>Lamp a</a><a href=/b>Lamp b</a><a href=https://other.example/>Friend</a><a rel=nofollow href=/c>c</a>";

fn web() -> Fake {
    crate::fake()
        .serving("https://shop.example/", HOME)
        .serving("https://shop.example/a", "<title>Lamp a</title>")
        .serving("https://shop.example/b", "<title>Lamp b</title>")
        .with_as(
            SITE,
            Site { origin: "https://shop.example".to_owned(), domain: "shop.example".to_owned(), ..Site::default() },
        )
}

fn rules(analysis: &Value) -> Vec<&str> {
    analysis["opportunities"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_url_alone_is_read_with_the_pages_it_links_to() {
    let fake = web();
    let analysis = fake.call("audit.opportunities.analyze", json!({ "url": "https://shop.example/" })).unwrap();
    let checked: Vec<_> =
        analysis["checked"].as_array().unwrap().iter().map(|it| it["url"].as_str().unwrap()).collect();
    assert_eq!(checked, ["https://shop.example/", "https://shop.example/a", "https://shop.example/b"]);
    assert_eq!(analysis["live_pages"], 3);
    assert!(rules(&analysis).contains(&"description.missing"));
    assert!(analysis["degraded"][0]["why"].as_str().unwrap().contains("clicks"));
}

#[test]
fn opportunities_stand_in_the_order_of_impact_times_confidence() {
    let analysis = web().call("audit.opportunities.analyze", json!({ "url": "https://shop.example/" })).unwrap();
    let value = |it: &Value| it["impact"].as_u64().unwrap() * it["confidence"].as_u64().unwrap();
    let all = analysis["opportunities"].as_array().unwrap();
    assert!(all.len() > 5);
    assert!(all.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])));
    for it in all {
        assert!(
            it["fix"]["operation_id"].as_str().unwrap().contains('.') && it["evidence"]["element"].is_string(),
            "{it}"
        );
    }
}

#[test]
fn the_focus_leaves_the_rest_out() {
    let arguments = json!({ "url": "https://shop.example/", "focus": "structured_data" });
    let analysis = web().call("audit.opportunities.analyze", arguments).unwrap();
    assert_eq!(rules(&analysis), ["structured.none"]);
}

#[test]
fn no_more_pages_are_fetched_than_asked_for_and_never_more_than_eight() {
    let links: String = (0..30).map(|number| format!("<a href=/p{number}>Page {number}</a>")).collect();
    let fake = crate::fake().serving("https://shop.example/", &links);
    fake.call("audit.opportunities.analyze", json!({ "url": "https://shop.example/", "max_pages": 1 })).unwrap();
    assert_eq!(fake.requested().len(), 1);
    let many =
        fake.call("audit.opportunities.analyze", json!({ "url": "https://shop.example/", "max_pages": 20 })).unwrap();
    assert_eq!(fake.requested().len(), 1 + 8);
    assert!(many["degraded"].to_string().contains("8 live pages instead of 20"), "{many}");
}

#[test]
fn a_website_without_a_crawl_is_judged_by_its_live_pages_and_says_so() {
    let analysis = web().call("audit.opportunities.analyze", json!({ "site_id": SITE })).unwrap();
    assert_eq!(analysis["crawled_pages"], 0);
    assert!(analysis["degraded"].to_string().contains("crawl.run.start"), "{analysis}");
    assert_eq!(analysis["checked"][0]["url"], "https://shop.example/");
}

#[test]
fn a_crawl_adds_its_pages_and_a_live_page_takes_the_place_of_its_stored_one() {
    let fake = web();
    fake.put_as(
        "run-1",
        Run(RunRecord {
            site_id: SITE.to_owned(),
            origin: "https://shop.example".to_owned(),
            state: RunState::Finished,
            ..RunRecord::default()
        }),
    );
    for (seq, path) in (1..).zip(["/", "/x", "/y"]) {
        let url = format!("https://shop.example{path}");
        let headers = [("content-type".to_owned(), "text/html".to_owned())];
        let facts = page::read(&Answer {
            url: &url,
            final_url: &url,
            status: 200,
            hops: &[],
            headers: &headers,
            body: b"<title>The same lamps</title>",
            truncated: false,
            timing: Timing::default(),
        });
        fake.put(Crawled(PageRecord {
            run: "run-1".to_owned(),
            seq,
            url,
            status: 200,
            facts,
            ..PageRecord::default()
        }));
    }
    let analysis = fake.call("audit.opportunities.analyze", json!({ "site_id": SITE, "max_pages": 1 })).unwrap();
    assert_eq!(analysis["crawled_pages"], 3);
    assert_eq!(analysis["basis"]["run_ref"], "run-1");
    assert!(rules(&analysis).contains(&"title.duplicate"));
    let checked = analysis["checked"].as_array().unwrap();
    let sources: Vec<_> =
        checked.iter().map(|it| (it["url"].as_str().unwrap(), it["source"].as_str().unwrap())).collect();
    assert_eq!(
        sources,
        [("https://shop.example/x", "crawl"), ("https://shop.example/y", "crawl"), ("https://shop.example/", "live")]
    );
}

#[test]
fn the_route_runs_the_same_engine_and_allows_more_members() {
    let fake = web();
    let route = fake.route("audit.opportunities", json!({ "site_id": SITE, "max_pages": 2, "ticket": 7 })).unwrap();
    let operation = fake.call("audit.opportunities.analyze", json!({ "site_id": SITE, "max_pages": 2 })).unwrap();
    assert_eq!(route, operation);
}

#[test]
fn an_analysis_stores_nothing() {
    let fake = web();
    fake.call("audit.opportunities.analyze", json!({ "site_id": SITE })).unwrap();
    assert!(fake.rows::<Kept>().is_empty() && fake.rows::<Audit>().is_empty());
    assert_eq!(
        fake.call("audit.opportunities.list", json!({ "site_id": SITE })).unwrap(),
        json!({ "opportunities": [], "next_cursor": null })
    );
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let fake = web();
    fake.fail("http://10.0.0.1/", Failure::Refused);
    let refusals = [
        (json!({}), "nothing_to_audit"),
        (json!({ "site_id": "1" }), "website_not_found"),
        (json!({ "site_id": SITE, "url": "https://other.example/" }), "url_not_on_site"),
        (json!({ "url": "http://10.0.0.1/" }), "url_refused"),
        (json!({ "url": "https://shop.example/", "max_pages": 21 }), "invalid_arguments"),
        (json!({ "url": "https://shop.example/", "ticket": 7 }), "invalid_arguments"),
    ];
    for (arguments, code) in refusals {
        assert_eq!(fake.refusal("audit.opportunities.analyze", arguments.clone()).code, code, "{arguments}");
    }
}
