//! What the customer's language model writes, and what becomes of it.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::page;
use crate::trial::{Crawl, ORIGIN, audit, website};

const CHAT: &str = "/chat/completions";

fn model(texts: &[(usize, &str)]) -> Fake {
    let fake = website().connected("con_1", "llm");
    let texts: Vec<Value> = texts.iter().map(|(number, text)| json!({ "number": number, "text": text })).collect();
    let message = json!({ "content": json!({ "texts": texts }).to_string(), "refusal": null });
    fake.provider_answers("GET", "/models", 200, &json!({ "data": [{ "id": "qwen3-8b" }] }));
    fake.provider_answers("POST", CHAT, 200, &json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }));
    fake
}

fn ask(fake: &Fake, rule: &str, model: Option<&str>) -> Value {
    let mut pages = Crawl::begin(fake, "run-1");
    pages.html("/a", &page("", "<img src=/brass-lamp.jpg>")).html("/b", &page("", "<h2>Steel lamps</h2>"));
    let audit = audit(fake, json!({ "run_ref": "run-1" }));
    let urls = [format!("{ORIGIN}/a"), format!("{ORIGIN}/b")];
    let mut asked = json!({ "audit_ref": audit["audit_ref"], "rule": rule, "urls": urls, "use_llm": true });
    if let Some(model) = model {
        asked["model"] = json!(model);
    }
    asked
}

#[test]
fn what_the_model_writes_is_proposed_when_the_rule_accepts_it() {
    let fake = model(&[(0, "Brass lamps made to last"), (1, "Lamps"), (7, "Of no page")]);
    let fixes = fake.call("audit.fix.suggest", ask(&fake, "title.missing", None)).unwrap();
    let (first, second) = (&fixes["fixes"][0], &fixes["fixes"][1]);
    assert_eq!((&first["proposed"], &first["source"]), (&json!("Brass lamps made to last"), &json!("llm")));
    assert_ne!(second["source"], "llm", "a title of five letters is too short: {second}");
    assert_eq!(fixes["model"], "qwen3-8b");
    assert_eq!(fake.sent(), ["GET /models", "POST /chat/completions"], "one question for all pages");
}

#[test]
fn addresses_markup_and_numbers_of_the_model_are_left_out() {
    for text in ["Lamps at shop.example today", "Lamps with <b>bold</b> shades", "Lamps that save 90 percent", " "] {
        let fake = model(&[(0, text)]);
        let fixes = fake.call("audit.fix.suggest", ask(&fake, "title.missing", None)).unwrap();
        assert!(fixes["fixes"].as_array().unwrap().iter().all(|fix| fix["source"] != "llm"), "{text}");
        assert!(fixes["degraded"].to_string().contains("1 texts of the language model were left out"), "{fixes}");
    }
}

#[test]
fn two_pages_never_get_the_same_text_of_the_model() {
    let fake = model(&[(0, "Brass lamps made to last"), (1, "Brass lamps made to last")]);
    let fixes = fake.call("audit.fix.suggest", ask(&fake, "title.missing", Some("mine"))).unwrap();
    assert_ne!(fixes["fixes"][0]["proposed"], fixes["fixes"][1]["proposed"]);
    assert_eq!(fixes["model"], "mine");
}

#[test]
fn without_a_connection_the_model_is_refused_and_for_addresses_it_is_not_asked() {
    let fake = website();
    let asked = ask(&fake, "title.missing", None);
    let refusal = fake.refusal("audit.fix.suggest", asked);
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("connection_required", Some("/use_llm")));
    let fake = model(&[]);
    let fixes = fake.call("audit.fix.suggest", ask(&fake, "canonical.missing", None)).unwrap();
    assert_eq!(fixes["fixes"].as_array().unwrap().len(), 2);
    assert!(fixes["model"].is_null() && fake.sent().is_empty());
    assert!(fixes["degraded"].to_string().contains("no language model was asked"), "{fixes}");
}
