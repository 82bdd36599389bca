//! What `page` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, crawled, host, html};

#[test]
fn a_page_made_for_a_query_scores_high_and_one_that_is_not_scores_low() {
    let of = |keyword: &str| host().call("onpage.page.score", json!({ "url": GUIDE, "keyword": keyword })).unwrap();
    let (good, bad) = (of("brass lamp"), of("wooden kitchen table"));
    let score = |data: &serde_json::Value| data["score"].as_u64().unwrap();
    assert!(score(&good) >= 85, "{good}");
    assert!(score(&bad) + 30 <= score(&good), "{bad}");
    assert!(good["checks"].as_array().unwrap().len() >= 30);
    assert_eq!((&bad["top_fixes"][0]["id"], &bad["top_fixes"][0]["wins"]), (&json!("title_has_keyword"), &json!(10)));
    assert_eq!(bad["top_fixes"][0]["fix"]["arguments"], json!({ "url": GUIDE, "keyword": "wooden kitchen table" }));
}

#[test]
fn points_and_losses_add_up_to_the_score() {
    let data = host().call("onpage.page.score", json!({ "url": GUIDE, "keyword": "lamp shades" })).unwrap();
    let sum = |name: &str| data["checks"].as_array().unwrap().iter().map(|it| it[name].as_u64().unwrap()).sum::<u64>();
    let (points, lost) = (sum("points"), sum("lost"));
    assert_eq!(data["score"].as_u64().unwrap(), (100 * (points - lost) + points / 2) / points);
    for check in data["checks"].as_array().unwrap() {
        assert_eq!(check["fix"].is_null(), check["lost"] == 0, "{check}");
    }
}

#[test]
fn a_title_that_another_page_has_loses_points_when_the_website_is_known() {
    let fake = host();
    crawled(&fake, &["Brass lamps: how to choose and clean them | Lampshop", "Other"]);
    let data =
        fake.call("onpage.page.score", json!({ "url": GUIDE, "keyword": "brass lamp", "site_id": "81" })).unwrap();
    let unique = data["checks"].as_array().unwrap().iter().find(|it| it["id"] == "title_unique").unwrap().clone();
    assert_eq!((&unique["lost"], &data["site_pages"]), (&json!(3), &json!(2)));
    let fault = fake.refusal("onpage.page.score", json!({ "url": GUIDE, "keyword": "…?" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("no_words", Some("/keyword")));
    let fault = fake.refusal("onpage.page.score", json!({ "url": GUIDE, "keyword": "x y", "site_id": "9" }));
    assert_eq!(fault.code, "website_not_found");
}

fn other(extra: &str) -> String {
    html(
        "",
        &format!(
            "<main><h1>Lamps</h1><h2>Verdigris and how to stop it</h2><p>Verdigris grows on brass lamps in damp rooms. Verdigris is green. {extra}</p></main>"
        ),
    )
}

#[test]
fn terms_and_sections_that_the_others_share_are_missing() {
    let fake = host()
        .serving("https://a.example/", &other("Lacquer stops verdigris."))
        .serving("https://b.example/", &other("Wax stops verdigris."));
    let arguments =
        json!({ "url": GUIDE, "competitors": ["https://a.example/", "https://b.example/", "https://gone.example/"] });
    let data = fake.call("onpage.page.compare", arguments).unwrap();
    assert_eq!(data["table"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&data["table"][0]["page"]["final_url"], &data["table"][0]["fresh"]),
        (&json!(GUIDE), &json!("2026-09-01"))
    );
    assert_eq!(
        (&data["missing_terms"][0]["term"], &data["missing_terms"][0]["documents"]),
        (&json!("verdigris"), &json!(2))
    );
    assert!(!data["missing_terms"].to_string().contains("brass lamp"), "{data}");
    assert_eq!(
        data["missing_sections"],
        json!([{ "heading": "Verdigris and how to stop it", "url": "https://a.example/" }])
    );
    assert!(data["degraded"][0]["why"].as_str().unwrap().starts_with("https://gone.example/"));
    assert_eq!(data["next"][0]["operation_id"], "onpage.keyword.usage");
}

#[test]
fn without_the_page_or_any_competitor_there_is_nothing_to_compare() {
    let fault =
        host().refusal("onpage.page.compare", json!({ "url": GUIDE, "competitors": ["https://gone.example/"] }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("no_competitor", Some("/competitors")));
    let fault =
        host().refusal("onpage.page.compare", json!({ "url": "https://gone.example/", "competitors": [GUIDE] }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("page_unreachable", Some("/url")));
}
