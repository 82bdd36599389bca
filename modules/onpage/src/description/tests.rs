//! Descriptions: sentences of the page that fit, the most fitting first.

use sdk::json;

use crate::tests::{GUIDE, PAGE, host, html};

#[test]
fn descriptions_are_whole_sentences_of_the_page_that_fit_and_hold_the_query() {
    let data = host().call("onpage.description.suggest", json!({ "url": GUIDE, "keyword": "clean brass" })).unwrap();
    let found = data["descriptions"].as_array().unwrap();
    assert_eq!((data["source"].as_str(), found.len()), (Some("page"), 3));
    for it in found {
        assert!(it["px"].as_f64().unwrap() <= 920.0, "{it}");
        for sentence in kit::sentence::sentences(it["text"].as_str().unwrap()) {
            assert!(kit::dom::Dom::parse(PAGE).text(0).contains(sentence), "{sentence}");
        }
    }
    let best = found[0]["text"].as_str().unwrap().to_lowercase();
    assert!(best.contains("clean") && best.contains("brass"), "{best}");
    assert!(data["present"]["score"].as_u64() > Some(0));
}

#[test]
fn a_sentence_that_is_too_wide_ends_at_a_clause_and_one_without_clauses_is_left() {
    let clause = "This lamp of solid brass stands on every desk, ".repeat(6);
    let long = format!("<main><p>{clause}and it lasts.</p><p>{}.</p></main>", "Words without any clause ".repeat(12));
    let fake = crate::fake().serving("https://shop.example/", &html("", &long));
    let data = fake.call("onpage.description.suggest", json!({ "url": "https://shop.example/" })).unwrap();
    let found = data["descriptions"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{data}");
    assert!(found[0]["text"].as_str().unwrap().ends_with("desk."));
}

#[test]
fn a_page_without_sentences_says_so() {
    let fake = crate::fake().serving("https://shop.example/", &html("", "<main>lamps</main>"));
    let data = fake.call("onpage.description.suggest", json!({ "url": "https://shop.example/" })).unwrap();
    assert_eq!((&data["descriptions"], data["degraded"][0]["what"].as_str()), (&json!([]), Some("descriptions")));
}

#[test]
fn a_model_s_descriptions_are_checked_against_the_page() {
    let content = json!({ "descriptions": [
        "Choose a brass lamp that lasts and keep it clean with warm water, soap and patience.",
        "Buy now at https://evil.example before all brass lamps are gone.",
        "Brass lamps with 99 years of guarantee, which no page ever promised to anybody."
    ] });
    let answer = json!({ "choices": [{ "message": { "content": content.to_string() }, "finish_reason": "stop" }] });
    let fake = host().connected("con_1", "llm");
    fake.provider_answers("POST", "/chat/completions", 200, &answer);
    let arguments = json!({ "url": GUIDE, "keyword": "brass lamp", "use_llm": true, "model": "m" });
    let data = fake.call("onpage.description.suggest", arguments).unwrap();
    assert_eq!((data["source"].as_str(), data["descriptions"].as_array().unwrap().len()), (Some("llm"), 1));
    assert!(data["degraded"][0]["why"].as_str().unwrap().contains("2 proposals"), "{data}");
    let fault = host().refusal("onpage.description.suggest", json!({ "url": GUIDE, "use_llm": true }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/use_llm")));
}
