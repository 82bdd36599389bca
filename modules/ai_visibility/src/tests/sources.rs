//! Sources, gaps, facts, overviews and visits.

use super::*;

/// Ten prompts whose answers name the brand, ten that do not.
fn asked(models: &Models) -> Fake {
    models.shares.borrow_mut().insert("lamps".to_owned(), 10);
    models.shares.borrow_mut().insert("chairs".to_owned(), 0);
    let fake = models.fake();
    let things: Vec<String> =
        (0..6).map(|at| format!("{} number {at}", if at < 3 { "lamps" } else { "chairs" })).collect();
    prepared(&fake, &things.iter().map(String::as_str).collect::<Vec<_>>());
    ran(&fake, &[MODEL], 2);
    fake
}

#[test]
fn sources_are_listed_by_domain_and_page_with_whose_they_are() {
    let fake = asked(&Models::default());
    let domains = called(&fake, "ai_visibility.citation.list", json!({}));
    assert_eq!((&domains["total"], &domains["citations"][0]["key"]), (&json!(2), &json!("journal.example")));
    assert_eq!((&domains["citations"][0]["count"], &domains["citations"][0]["prompts"]), (&json!(12), &json!(6)));
    let own = called(&fake, "ai_visibility.citation.list", json!({ "by": "page", "own": true }));
    let row = &own["citations"][0];
    assert_eq!(
        (&row["key"], &row["type"], &row["count"]),
        (&json!("https://shop.example/guide"), &json!("own"), &json!(6))
    );
    assert_eq!((&row["still_live"], &row["title"]), (&Value::Null, &json!("guide")));
}

#[test]
fn a_gap_is_what_answers_without_the_brand_cite_with_a_step_that_is_served() {
    let models = Models::default();
    models.texts.borrow_mut().insert(
        "chairs number 3".to_owned(),
        "**Bright Ltd** is often named on [Reddit](https://www.reddit.com/r/chairs) and [Yelp](https://www.yelp.com/biz/bright).".to_owned(),
    );
    let fake = asked(&models);
    fake.serve("https://www.yelp.com/biz/bright", 200, &[("content-type", "text/html")], b"ok");
    fake.serve("https://www.reddit.com/r/chairs", 404, &[], b"");
    let found = called(&fake, "ai_visibility.citation_gap.analyze", json!({}));
    assert_eq!((&found["answers_with"], &found["answers_without"]), (&json!(6), &json!(6)));
    let of = |url: &str| found["sources"].as_array().unwrap().iter().find(|it| it["url"] == url).unwrap().clone();
    let journal = of("https://journal.example/lamps");
    assert_eq!((&journal["lift"], &journal["prompts"]), (&json!(1.0), &json!(3)));
    let reddit = of("https://www.reddit.com/r/chairs");
    assert_eq!(
        (&reddit["type"], &reddit["still_live"], &reddit["fix"]),
        (&json!("forum"), &json!(false), &Value::Null)
    );
    let yelp = of("https://www.yelp.com/biz/bright");
    assert_eq!(
        (&yelp["type"], &yelp["still_live"], &yelp["competitors"]),
        (&json!("directory"), &json!(true), &json!(["Bright Ltd"]))
    );
    assert!(!found.to_string().to_lowercase().contains("buy link"));
    let listed = called(&fake, "ai_visibility.citation.list", json!({ "by": "page", "own": false }));
    let gone = listed["citations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["key"] == "https://www.reddit.com/r/chairs")
        .unwrap();
    assert_eq!((&gone["still_live"], &gone["status"]), (&json!(false), &json!(404)), "a list knows what was seen last");
}

#[test]
fn statements_are_compared_with_the_facts_and_point_at_their_source() {
    let models = Models::default();
    models.texts.borrow_mut().insert(
        "lamps".to_owned(),
        "Lamp Shop was founded in 2005. It is based in London. Lamps at Lamp Shop cost 39 EUR. Bright Ltd was founded in 1900.".to_owned(),
    );
    let fake = asked(&models);
    let facts = json!({ "founded": 1998, "city": "London", "price": { "value": "49 EUR", "earlier": ["39 EUR"] } });
    let found = called(&fake, "ai_visibility.accuracy.check", json!({ "facts": facts }));
    let wrong = &found["wrong"][0];
    assert_eq!(
        (&wrong["fact"], &wrong["said"], &wrong["truth"], &wrong["answers"]),
        (&json!("founded"), &json!("2005"), &json!("1998"), &json!(6))
    );
    assert_eq!(wrong["source_url"], "https://journal.example/lamps");
    assert_eq!((&found["outdated"][0]["fact"], found["correct"].as_u64()), (&json!("price"), Some(6)));
    assert_eq!(
        found["wrong"].as_array().unwrap().len(),
        1,
        "what is said of a competitor is no statement about the brand"
    );
    let none = called(&fake, "ai_visibility.accuracy.check", json!({ "facts": {} }));
    assert!(!none["degraded"].as_array().unwrap().is_empty() && !none["unsupported"].as_array().unwrap().is_empty());
}

#[test]
fn an_overview_tells_who_is_cited_and_one_that_cannot_be_read_is_unknown() {
    let fake = Models::default().fake();
    prepared(&fake, &["lamps"]);
    let answer = |items: Value| json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "cost": 0.004, "result": [{ "items": items }] }] });
    let organic = json!({ "type": "organic", "rank_group": 3, "rank_absolute": 4, "url": "https://shop.example/guide", "domain": "shop.example", "title": "Guide" });
    let path = "/v3/serp/google/organic/live/advanced";
    let check = |keyword: &str| {
        called(
            &fake,
            "ai_visibility.ai_overview.check",
            json!({ "keywords": [keyword], "location": "United Kingdom", "language": "en" }),
        )
    };
    fake.provider_serves({
        let (shown, unread, none) = (
            answer(json!([{ "type": "ai_overview", "asynchronous_ai_overview": true, "references": [{ "url": "https://shop.example/guide", "domain": "shop.example", "title": "Guide" }, { "url": "https://bright.example/a", "domain": "bright.example", "title": "B" }] }, organic.clone()])),
            answer(json!([{ "type": "ai_overview", "asynchronous_ai_overview": true, "references": null }, organic.clone()])),
            answer(json!([organic])),
        );
        move |_, asked, body| {
            assert_eq!(asked, path);
            let task: Value = sdk::serde_json::from_slice(body).unwrap();
            assert_eq!(task[0]["load_async_ai_overview"], true);
            let answer = match task[0]["keyword"].as_str().unwrap() {
                "shown" => &shown,
                "unread" => &unread,
                _ => &none,
            };
            Some((200, answer.to_string().into_bytes()))
        }
    });
    let shown = check("shown");
    let row = &shown["rows"][0];
    assert_eq!((&row["present"], &row["own_cited"], &row["own_position"]), (&json!(true), &json!(true), &json!(3)));
    assert_eq!((&row["cited"][0]["position"], &row["cited"][1]["competitor_brand"]), (&json!(3), &json!("Bright Ltd")));
    assert_eq!(shown["provider_cost"], json!({ "amount": "0.004000", "currency": "USD" }));
    assert_eq!(fake.spent_at(PRODUCT), 4_000);
    let unread = check("unread");
    assert_eq!(
        (&unread["rows"][0]["present"], &unread["rows"][0]["cited"], &unread["rows"][0]["own_cited"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    let none = check("none");
    assert_eq!((&none["rows"][0]["present"], &none["rows"][0]["cited"]), (&json!(false), &json!([])));
}

#[test]
fn visits_of_assistants_stand_beside_the_citations_of_the_same_pages() {
    let models = Models::default();
    let fake = asked(&models).connected("con_ga", "ga4");
    fake.put(site::Property {
        connection_ref: "con_ga".to_owned(),
        remote_id: "properties/31".to_owned(),
        site_id: SITE.to_owned(),
        kind: "ga4".to_owned(),
    });
    let row = |date: &str, source: &str, page: &str, sessions: &str| json!({ "dimensionValues": [{ "value": date }, { "value": source }, { "value": "referral" }, { "value": page }], "metricValues": [{ "value": sessions }, { "value": "2" }, { "value": "1" }] });
    let report = json!({ "rows": [row("20260926", "chatgpt.com", "/guide?utm_source=chatgpt.com", "5"), row("20260927", "perplexity.ai", "/", "3")], "rowCount": 2, "metadata": { "subjectToThresholding": true } });
    fake.provider_serves(move |_, _, body| {
        let asked: Value = sdk::serde_json::from_slice(body).unwrap();
        let whole = asked["dimensions"].as_array().unwrap().len() == 4;
        let answer = if whole { report.clone() } else { json!({ "rows": [] }) };
        Some((200, answer.to_string().into_bytes()))
    });
    let found = called(&fake, "ai_visibility.referral.report", json!({ "to": "2026-09-28" }));
    assert_eq!((&found["products"][0]["product"], &found["products"][0]["sessions"]), (&json!("ChatGPT"), &json!(5)));
    let page = &found["pages"][0];
    assert_eq!(
        (&page["url"], &page["visits"], &page["citations"]),
        (&json!("https://shop.example/guide"), &json!(5), &json!(6))
    );
    assert_eq!((&found["total"]["sessions"], &found["ai_channel"]), (&json!(8), &Value::Null));
    assert!(found["degraded"].to_string().contains("few people"));
    let unmapped = asked(&Models::default()).connected("con_ga", "ga4");
    assert_eq!(refused(&unmapped, "ai_visibility.referral.report", json!({})), at("property_not_mapped", "/site_id"));
}
