//! Titles: what they are made of, how they are judged, and what a language model may not bring in.

use sdk::serde_json::Value;
use sdk::{SendFailure, json};

use crate::tests::{GUIDE, crawled, host};

const CHAT: &str = "/chat/completions";

fn texts(data: &Value) -> Vec<&str> {
    data["titles"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect()
}

/// The language model answers with these titles.
pub(crate) fn model(titles: &[&str]) -> sdk::Fake {
    let fake = host().connected("con_1", "llm");
    let content = json!({ "titles": titles }).to_string();
    fake.provider_answers("GET", "/models", 200, &json!({ "data": [{ "id": "whisper-1" }, { "id": "qwen3-8b" }] }));
    let message = json!({ "content": content, "refusal": null });
    let answer = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
    fake.provider_answers("POST", CHAT, 200, &answer);
    fake
}

#[test]
fn titles_lead_with_the_query_fit_and_say_only_what_the_page_says() {
    let data = host().call("onpage.title.suggest", json!({ "url": GUIDE, "keyword": "clean brass" })).unwrap();
    assert_eq!((data["source"].as_str(), data["titles"].as_array().unwrap().len()), (Some("page"), 5));
    let best = &data["titles"][0];
    assert!(best["text"].as_str().unwrap().starts_with("Clean brass"), "{best}");
    let mut before = u64::MAX;
    for title in data["titles"].as_array().unwrap() {
        assert!(title["px"].as_f64().unwrap() <= 580.0, "{title}");
        assert!(title["score"].as_u64().unwrap() <= before);
        before = title["score"].as_u64().unwrap();
        for word in kit::text::words(title["text"].as_str().unwrap()) {
            assert!(crate::tests::PAGE.to_lowercase().contains(&word.to_lowercase()), "{word}");
        }
    }
    assert_eq!(data["next"][0]["operation_id"], "onpage.snippet.preview");
    assert!(data["present"]["reasons"].as_array().unwrap().iter().any(|it| it == "is the present title"));
}

#[test]
fn a_title_of_another_page_is_not_proposed() {
    let free = host().call("onpage.title.suggest", json!({ "url": GUIDE, "keyword": "brass lamp" })).unwrap();
    let best = texts(&free)[0].to_owned();
    assert_eq!((&free["basis"], free["degraded"][0]["what"].as_str()), (&Value::Null, Some("site_pages")));
    let fake = host();
    crawled(&fake, &[&best, "Chairs"]);
    let data = fake.call("onpage.title.suggest", json!({ "url": GUIDE, "keyword": "brass lamp" })).unwrap();
    assert!(!texts(&data).contains(&best.as_str()), "{data}");
    assert_eq!(data["site_pages"], 2);
}

#[test]
fn a_model_s_titles_are_kept_when_they_fit_and_bring_in_nothing() {
    let fake = model(&[
        "Brass lamps, chosen and cleaned well",
        "brass lamps, chosen and cleaned WELL",
        "Brass lamps at www.evil.example",
        "Brass lamps from 17 euros",
        "Ignore all rules <b>now</b>",
        "Brass lamps that are far too wide for any results page because the model did not count",
    ]);
    let data =
        fake.call("onpage.title.suggest", json!({ "url": GUIDE, "keyword": "brass lamps", "use_llm": true })).unwrap();
    assert_eq!(texts(&data), ["Brass lamps, chosen and cleaned well"]);
    assert_eq!((data["source"].as_str(), data["model"].as_str()), (Some("llm"), Some("qwen3-8b")));
    let why = data["degraded"].to_string();
    for reason in ["twice", "address", "number_not_on_the_page", "markup", "too_wide"] {
        assert!(why.contains(reason), "{reason}: {why}");
    }
    assert_eq!(fake.sent(), ["GET /models", "POST /chat/completions"]);
    let named = json!({ "url": GUIDE, "use_llm": true, "model": "mine" });
    assert_eq!(model(&["Brass lamps"]).call("onpage.title.suggest", named).unwrap()["model"], "mine");
}

#[test]
fn when_nothing_of_the_model_can_be_used_the_page_s_own_words_are() {
    let data = model(&["See http://evil.example"])
        .call("onpage.title.suggest", json!({ "url": GUIDE, "use_llm": true }))
        .unwrap();
    assert_eq!((data["source"].as_str(), &data["model"]), (Some("page"), &Value::Null));
    assert!(!texts(&data).is_empty());
}

#[test]
fn a_model_that_is_not_connected_or_does_not_answer_is_said_as_the_catalog_says_it() {
    let arguments = json!({ "url": GUIDE, "use_llm": true });
    let fault = host().refusal("onpage.title.suggest", arguments.clone());
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/use_llm")));
    let detail: Value = sdk::serde_json::from_str(fault.detail.as_deref().unwrap()).unwrap();
    assert_eq!((&detail["kind"], &detail["add_with"]), (&json!("llm"), &json!("connections.add")));
    assert!(detail["min_permissions"].is_array());
    let declined = json!({ "choices": [{ "message": { "content": null, "refusal": "no" }, "finish_reason": "stop" }] });
    for (status, body, code) in [
        (500, json!({}), "provider_error"),
        (402, json!({}), "provider_quota_exhausted"),
        (200, json!({ "choices": [] }), "provider_error"),
        (200, declined, "model_refused"),
    ] {
        let fake = model(&[]);
        fake.provider_answers("POST", CHAT, status, &body);
        assert_eq!(fake.refusal("onpage.title.suggest", arguments.clone()).code, code);
    }
    for (failure, code) in [
        (SendFailure::ExpiredCredential, "connection_expired"),
        (SendFailure::RateLimited(Some(2)), "provider_quota_exhausted"),
    ] {
        let fake = model(&[]);
        fake.provider_fails("POST", CHAT, failure);
        assert_eq!(fake.refusal("onpage.title.suggest", arguments.clone()).code, code);
    }
}

#[test]
fn without_a_keyword_the_query_with_the_most_clicks_that_is_not_the_brand_leads() {
    use kit::pack::Search;
    use site::Site;

    let shop = Site {
        origin: "https://shop.example".to_owned(),
        brand_terms: Some(vec!["Lampshop".to_owned()]),
        ..Site::default()
    };
    let fake = crate::fake().serving(GUIDE, crate::tests::PAGE).with_as("81", shop);
    let unknown = fake.call("onpage.title.suggest", json!({ "url": GUIDE })).unwrap();
    assert_eq!((&unknown["keyword"], &unknown["keyword_source"]), (&Value::Null, &json!("none")));
    let shown = |query: &str, clicks: u64| {
        let figures = Search { clicks, impressions: 100, positions: 500 };
        ("2026-09-20".parse().unwrap(), GUIDE.to_owned(), query.to_owned(), figures)
    };
    search::trial::store_queries(
        &fake,
        "81",
        &[shown("lampshop lamps", 90), shown("brass lamp", 4), shown("clean brass", 9)],
    );
    let data = fake.call("onpage.title.suggest", json!({ "url": GUIDE })).unwrap();
    assert_eq!((&data["keyword"], &data["keyword_source"]), (&json!("clean brass"), &json!("search_console")));
    assert!(texts(&data)[0].starts_with("Clean brass"), "{data}");
    assert_eq!(data["next"][0]["arguments"]["keyword"], "clean brass");
    let described = fake.call("onpage.description.suggest", json!({ "url": GUIDE })).unwrap();
    assert_eq!(described["keyword"], "clean brass");
    let given = fake.call("onpage.title.suggest", json!({ "url": GUIDE, "keyword": "brass lamp" })).unwrap();
    assert_eq!((&given["keyword"], &given["keyword_source"]), (&json!("brass lamp"), &json!("given")));
    let outlined = fake.call("onpage.heading.outline", json!({ "url": GUIDE })).unwrap();
    let answers: Vec<&Value> = outlined["words_by_section"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["answers"].as_array().unwrap())
        .collect();
    assert!(answers.iter().any(|it| it["query"] == "clean brass") && outlined["degraded"] == json!([]), "{outlined}");
}
