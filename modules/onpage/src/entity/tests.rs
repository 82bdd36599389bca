//! Named things: what is found, how much it matters, and what a language model may say of it.

use sdk::json;
use sdk::serde_json::Value;

use crate::tests::{GUIDE, host};

const CHAT: &str = "/chat/completions";

fn entity<'a>(data: &'a Value, name: &str) -> &'a Value {
    let all = data["entities"].as_array().unwrap();
    all.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name}: {data:#}"))
}

#[test]
fn what_structured_data_names_and_the_text_mentions_is_one_thing() {
    let data = host().call("onpage.entity.extract", json!({ "url": GUIDE })).unwrap();
    let ada = entity(&data, "Ada Lovelace");
    assert_eq!(ada["type"], "person");
    let evidence = ada["evidence"].to_string();
    assert!(evidence.contains("structured_data") && evidence.contains("link_text"), "{evidence}");
    assert_eq!(entity(&data, "Lampshop Ltd")["type"], "organization");
    let berlin = entity(&data, "Berlin");
    assert_eq!((&berlin["type"], &berlin["evidence"]), (&json!("place"), &json!(["capitalisation", "gazetteer"])));
    let salience: f64 = data["entities"].as_array().unwrap().iter().map(|it| it["salience"].as_f64().unwrap()).sum();
    assert!((salience - 1.0).abs() < 0.01, "{salience}");
}

#[test]
fn more_mentions_and_earlier_ones_weigh_more() {
    let text = "Paris is on the river. In Paris the towers of London are told of, and Paris is old.";
    let data = crate::fake().call("onpage.entity.extract", json!({ "text": text, "limit": 5 })).unwrap();
    assert_eq!(data["entities"][0]["name"], "Paris");
    assert_eq!((&data["entities"][0]["mentions"], &data["page"]), (&json!(3), &Value::Null));
    let none = crate::fake().call("onpage.entity.extract", json!({ "text": "lamps are heavy." })).unwrap();
    assert_eq!(none["entities"], json!([]));
}

#[test]
fn a_model_says_what_names_are_and_brings_in_none() {
    let text = "The Acme Rocket was sold to Wile Coyote in Berlin.";
    let fake = crate::fake().connected("con_1", "llm");
    let said = json!({ "entities": [
        { "number": 0, "type": "place" }, { "number": 1, "type": "product" }, { "number": 2, "type": "person" },
        { "number": 7, "type": "person" }
    ] });
    let answer = json!({ "choices": [{ "message": { "content": said.to_string() }, "finish_reason": "stop" }] });
    fake.provider_answers("POST", CHAT, 200, &answer);
    let arguments = json!({ "text": text, "use_llm": true, "model": "m" });
    let data = fake.call("onpage.entity.extract", arguments).unwrap();
    let names: Vec<&str> = data["entities"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let kinds: Vec<&str> = data["entities"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["place", "product", "person"]);
    assert_eq!((&data["model"], &data["degraded"][0]["what"]), (&json!("m"), &json!("llm_types")));
    let broken =
        json!({ "choices": [{ "message": { "content": "{\"entities\":[{\"number\":0,\"type\":\"ghost\"}]}" } }] });
    fake.provider_answers("POST", CHAT, 200, &broken);
    let fault = fake.refusal("onpage.entity.extract", json!({ "text": text, "use_llm": true, "model": "m" }));
    assert_eq!(fault.code, "provider_error");
}

#[test]
fn a_text_or_a_page_is_needed_and_for_the_model_a_connection() {
    let fault = crate::fake().refusal("onpage.entity.extract", json!({}));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("text_or_url", Some("/url")));
    let fault = crate::fake().refusal("onpage.entity.extract", json!({ "text": "Paris", "use_llm": true }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/use_llm")));
}
