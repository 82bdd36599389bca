//! What `readability` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host};

const EASY: &str =
    "The cat sat on the mat. The dog ran to the cat. They are good friends. They play in the sun all day.";

#[test]
fn an_easy_text_scores_easy_and_a_hard_one_hard() {
    let easy = host().call("onpage.readability.score", json!({ "text": EASY })).unwrap();
    assert_eq!((&easy["level"], &easy["language"], &easy["sentences"]), (&json!("very_easy"), &json!("en"), &json!(4)));
    assert!(easy["scores"]["flesch"].as_f64().unwrap() > 90.0, "{easy}");
    let hard = "Notwithstanding considerable organisational complications, the administrative responsibilities were immediately redistributed among international representatives, whose unanticipated deliberations unfortunately necessitated extraordinary interdepartmental communication.";
    let hard = host().call("onpage.readability.score", json!({ "text": hard, "language": "en" })).unwrap();
    assert!(hard["grade"].as_f64().unwrap() > 15.0 && hard["passive_share"] == json!(1.0), "{hard}");
    assert_eq!(hard["long_sentence_count"], 0);
    assert_eq!(hard["scores"]["smog"], json!(null));
}

#[test]
fn another_language_has_its_own_formula_and_no_english_grades() {
    let text = "Der Hund schläft im Garten. Die Katze wurde von dem Hund geweckt. Beide spielen jetzt im Gras.";
    let data = host().call("onpage.readability.score", json!({ "text": text })).unwrap();
    assert_eq!((&data["language"], &data["scores"]["flesch_version"]), (&json!("de"), &json!("Amstad 1978")));
    assert_eq!(data["scores"]["flesch_kincaid"], json!(null));
    assert!((data["passive_share"].as_f64().unwrap() - 0.333).abs() < 1e-9);
    let polish = "Lampa stoi na stole w kuchni. Kot śpi pod stołem przez cały dzień. Pada deszcz i jest zimno.";
    let data = host().call("onpage.readability.score", json!({ "text": polish, "language": "pl" })).unwrap();
    assert_eq!(data["degraded"].as_array().unwrap().len(), 2);
}

#[test]
fn a_page_is_scored_by_its_main_text_and_long_sentences_are_shown() {
    let data = host().call("onpage.readability.score", json!({ "url": GUIDE })).unwrap();
    assert!(data["words"].as_u64().unwrap() > 150, "{data}");
    assert_eq!(data["page"]["final_url"], GUIDE);
    let long = format!("It was {}. It was short.", "very ".repeat(30));
    let data = host().call("onpage.readability.score", json!({ "text": long, "language": "en" })).unwrap();
    assert_eq!((&data["long_sentence_count"], &data["long_sentences"][0]["words"]), (&json!(1), &json!(32)));
}

#[test]
fn both_or_neither_source_is_refused() {
    assert_eq!(host().refusal("onpage.readability.score", json!({})).code, "text_or_url");
    let both = host().refusal("onpage.readability.score", json!({ "text": EASY, "url": GUIDE }));
    assert_eq!((both.code.as_str(), both.pointer.as_deref()), ("text_or_url", Some("/text")));
    let signs = host().refusal("onpage.readability.score", json!({ "text": "* ".repeat(40) }));
    assert_eq!((signs.code.as_str(), signs.pointer.as_deref()), ("too_little_text", Some("/text")));
}
