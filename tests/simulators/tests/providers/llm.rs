//! The language model: both interfaces, schemas, repeatability, and the end of an answer that is too long.

use serde_json::{Value, json};

use crate::client::{llm, world};

fn chat(extra: Value) -> Value {
    let mut body = json!({ "model": "sim-large", "messages": [{ "role": "user", "content": "Which shop is best for a brass lamp?" }] });
    body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    body
}

#[tokio::test]
async fn at_temperature_zero_a_prompt_has_one_answer_and_otherwise_several() {
    let (one, other) = (world().await, world().await);
    let ask = async |world: &simulators::World, body: Value| {
        llm(world).post("/v1/chat/completions", &body).await.at("/choices/0/message/content").clone()
    };
    let cold = chat(json!({ "temperature": 0 }));
    let first = ask(&one, cold.clone()).await;
    assert!(first == ask(&one, cold.clone()).await && first == ask(&other, cold).await);
    let warm = chat(json!({ "temperature": 0.7 }));
    let samples = [ask(&one, warm.clone()).await, ask(&one, warm.clone()).await, ask(&one, warm.clone()).await];
    assert!(samples[0] != samples[1] || samples[1] != samples[2]);
    assert_eq!(ask(&other, warm).await, samples[0], "in the same order in every world of the seed");
}

#[tokio::test]
async fn an_answer_follows_its_schema() {
    let world = world().await;
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["titles", "score", "intent"],
        "properties": { "titles": { "type": "array", "minItems": 3, "maxItems": 3, "items": { "type": "string", "maxLength": 30 } }, "score": { "type": "integer", "minimum": 5, "maximum": 9 }, "intent": { "enum": ["buy", "learn"] }, "link": { "$ref": "#/$defs/link" } },
        "$defs": { "link": { "type": "string", "format": "uri" } } });
    let format =
        json!({ "type": "json_schema", "json_schema": { "name": "titles", "strict": true, "schema": schema } });
    let said = llm(&world).post("/chat/completions", &chat(json!({ "response_format": format }))).await;
    let value: Value =
        serde_json::from_str(said.at("/choices/0/message/content").as_str().expect("text")).expect("JSON");
    let titles = value["titles"].as_array().expect("a list");
    assert!(
        titles.len() == 3 && titles.iter().all(|it| it.as_str().is_some_and(|it| it.chars().count() <= 30)),
        "{value}"
    );
    assert!(
        (5..=9).contains(&value["score"].as_i64().expect("a number"))
            && ["buy", "learn"].contains(&value["intent"].as_str().expect("text"))
    );
    assert!(value["link"].as_str().is_some_and(|link| link.starts_with("http")));
    let total = said.at("/usage/total_tokens").as_u64().expect("usage");
    assert_eq!(
        total,
        said.at("/usage/prompt_tokens").as_u64().expect("usage")
            + said.at("/usage/completion_tokens").as_u64().expect("usage")
    );
}

#[tokio::test]
async fn responses_cite_what_they_found_and_stop_where_they_are_told() {
    let world = world().await;
    let door = llm(&world);
    let said = door.post("/v1/responses", &json!({ "model": "gpt-5-mini", "input": "Where can I buy a brass lamp?", "tools": [{ "type": "web_search" }] })).await;
    assert_eq!(said.at("/output/0/type"), "web_search_call");
    let content = said.at("/output/1/content/0");
    let cited = &content["annotations"][0];
    let (from, to) = (
        cited["start_index"].as_u64().expect("a place") as usize,
        cited["end_index"].as_u64().expect("a place") as usize,
    );
    let text: String = content["text"].as_str().expect("text").chars().skip(from).take(to - from).collect();
    assert_eq!(text, cited["url"].as_str().expect("an address"));
    let short = door.post("/v1/chat/completions", &chat(json!({ "max_tokens": 5 }))).await;
    assert_eq!(short.at("/choices/0/finish_reason"), "length");
    assert_eq!(door.effects("answer.made"), 2);
}

#[tokio::test]
async fn an_answer_of_the_background_is_queued_then_made_then_there() {
    let world = world().await;
    let door = llm(&world);
    let body = json!({ "model": "gpt-5-mini", "input": "Which lamp shop is the best?", "background": true });
    let queued = door.post("/v1/responses", &body).await;
    assert_eq!((queued.at("/status"), queued.at("/output")), (&json!("queued"), &json!([])));
    let at = format!("/v1/responses/{}", queued.at("/id").as_str().expect("an id"));
    assert_eq!(door.get(&at).await.at("/status"), "in_progress");
    let there = door.get(&at).await;
    assert_eq!((there.at("/status"), there.at("/id")), (&json!("completed"), queued.at("/id")));
    assert_eq!((there.status, door.get("/v1/responses/resp_none").await.status), (200, 404));
    assert_eq!(door.effects("answer.made"), 1, "looking makes nothing");
}

#[tokio::test]
async fn how_often_a_model_names_the_shop_is_known() {
    let world = world().await;
    let door = llm(&world);
    let named = async |model: &str| {
        let mut times = 0;
        for n in 0..100 {
            let body = json!({ "model": model, "input": format!("Where can I buy the best lamp of kind {n}?") });
            let said = door.post("/v1/responses", &body).await;
            times +=
                u32::from(said.at("/output/0/content/0/text").as_str().is_some_and(|it| it.contains("shop.example")));
        }
        times
    };
    let (large, small) = (named("sim-large").await, named("sim-small").await);
    assert!((56..=84).contains(&large) && (16..=44).contains(&small), "7 and 3 in 10: {large}, {small}");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_refused_with_its_code() {
    let world = world().await;
    let door = llm(&world);
    let code = async |body: Value| door.post("/v1/chat/completions", &body).await.at("/error/code").clone();
    assert_eq!(code(chat(json!({ "model": "none" }))).await, "model_not_found");
    assert_eq!(
        code(chat(json!({ "messages": [{ "role": "user", "content": "lamp ".repeat(150_000) }] }))).await,
        "context_length_exceeded"
    );
    assert_eq!(
        door.post("/v1/chat/completions", &chat(json!({ "temperature": 3 }))).await.at("/error/param"),
        "temperature"
    );
    assert!(door.get("/v1/models").await.at("/data").as_array().is_some_and(|all| all.len() == 4));
}

#[tokio::test]
async fn a_streamed_answer_is_the_whole_answer() {
    let world = world().await;
    let door = llm(&world);
    let whole = door.post("/v1/chat/completions", &chat(json!({ "temperature": 0 }))).await;
    let request = door
        .request(&crate::client::client(), reqwest::Method::POST, "/v1/chat/completions")
        .json(&chat(json!({ "temperature": 0, "stream": true })));
    let text = request.send().await.expect("an answer").text().await.expect("text");
    assert!(text.ends_with("data: [DONE]\n\n"));
    let parts = text.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    let joined: String = parts
        .filter_map(|part| part.pointer("/choices/0/delta/content").and_then(Value::as_str).map(str::to_owned))
        .collect();
    assert_eq!(whole.at("/choices/0/message/content"), &json!(joined));
}
