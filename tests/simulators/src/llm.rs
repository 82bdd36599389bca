//! A language model behind the interface that most vendors and local servers share.
//!
//! Source: platform.openai.com/docs/api-reference (chat/completions, responses, models) and guides/structured-outputs,
//! guides/rate-limits, guides/error-codes. The words are made, not thought: from the prompt's own sentences, the shop
//! and its rivals, by the seed. At temperature 0 a prompt has one answer; otherwise its answers differ from each other
//! in an order that is the same in every world of the seed. How often an answer to a question for the best names the shop is
//! `words::rate`, by model and prompt. An answer of the background is queued, then in progress, then there.

mod words;

use std::collections::BTreeMap;
use std::sync::Mutex;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::lock;
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};

const KEY: &str = "sk-simulated-lamp-shop-key";
const MODELS: [&str; 4] = ["sim-large", "sim-small", "gpt-4o-mini", "gpt-5-mini"];
/// Tokens that a model reads at most, prompt and answer together.
const CONTEXT: usize = 128_000;

/// How often each prompt was asked, and answers of the background.
#[derive(Default)]
pub(crate) struct Llm {
    asked: Mutex<BTreeMap<String, u64>>,
    /// By id: the looks after which it is there, and the answer.
    background: Mutex<BTreeMap<String, (u32, Value)>>,
}

/// Looks at an answer of the background before it is there.
const LOOKS: u32 = 1;

fn error(status: u16, kind: &str, code: Value, param: Value, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": { "message": message, "type": kind, "param": param, "code": code } }))
}

fn invalid(param: &str, message: &str) -> Reply {
    error(400, "invalid_request_error", Value::Null, json!(param), message)
}

/// About four characters are a token in English.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// All text of a message, whose content is text or a list of parts.
fn content(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

impl Provider for Llm {
    fn credentials(&self) -> Value {
        json!({ "api_key": KEY })
    }

    fn auth(&self, request: &Request) -> Auth {
        Request::check(request.bearer(), KEY)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        // With and without the version: both are in use as the base of such servers.
        let parts = if parts.first() == Some(&"v1") { &parts[1..] } else { &parts[..] };
        match (method, parts) {
            ("GET", ["models"]) => {
                let all: Vec<Value> = MODELS
                    .iter()
                    .map(|id| json!({ "id": id, "object": "model", "created": 1_760_000_000, "owned_by": "simulator" }))
                    .collect();
                Reply::ok(&json!({ "object": "list", "data": all }))
            }
            ("GET", ["models", id]) if MODELS.contains(id) => {
                Reply::ok(&json!({ "id": id, "object": "model", "created": 1_760_000_000, "owned_by": "simulator" }))
            }
            ("POST", ["chat", "completions"]) => self.complete(request, desk),
            ("POST", ["responses"]) => self.respond(request, desk),
            ("GET", ["responses", id]) => self.look(id),
            _ => error(
                404,
                "invalid_request_error",
                Value::Null,
                Value::Null,
                "Unknown request URL. Please check the URL for typos.",
            ),
        }
    }

    fn refused(&self, request: &Request) -> Reply {
        let message = if request.header("authorization").is_none() {
            "You didn't provide an API key."
        } else {
            "Incorrect API key provided."
        };
        error(401, "invalid_request_error", json!("invalid_api_key"), Value::Null, message)
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        error(
            429,
            "requests",
            json!("rate_limit_exceeded"),
            Value::Null,
            "Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 2s.",
        )
        .header("retry-after", 2)
        .header("x-ratelimit-limit-requests", 500)
        .header("x-ratelimit-remaining-requests", 0)
        .header("x-ratelimit-reset-requests", "2s")
    }

    fn broken(&self, _: &Request) -> Reply {
        error(
            500,
            "server_error",
            Value::Null,
            Value::Null,
            "The server had an error while processing your request. Sorry about that!",
        )
    }
}

/// What a request asks for, in either interface.
struct Asked {
    model: String,
    prompt: String,
    /// The schema that the answer must follow, if one.
    schema: Option<Value>,
    most: usize,
    sample: u64,
}

impl Llm {
    /// The parts that both interfaces share, or the refusal.
    fn asked(&self, body: &Value, prompt: String, format: &Value, most: &Value) -> Result<Asked, Box<Reply>> {
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        if model.is_empty() {
            return Err(Box::new(invalid("model", "you must provide a model parameter")));
        }
        if !MODELS.contains(&model.as_str()) {
            let message = format!("The model `{model}` does not exist or you do not have access to it.");
            return Err(Box::new(error(404, "invalid_request_error", json!("model_not_found"), Value::Null, &message)));
        }
        if prompt.trim().is_empty() {
            return Err(Box::new(invalid(
                "messages",
                "Invalid 'messages': empty array. Expected an array with minimum length 1.",
            )));
        }
        if tokens(&prompt) > CONTEXT {
            let message = format!(
                "This model's maximum context length is {CONTEXT} tokens. However, your messages resulted in {} tokens.",
                tokens(&prompt)
            );
            return Err(Box::new(error(
                400,
                "invalid_request_error",
                json!("context_length_exceeded"),
                json!("messages"),
                &message,
            )));
        }
        let temperature = body["temperature"].as_f64().unwrap_or(1.0);
        if !(0.0..=2.0).contains(&temperature) {
            return Err(Box::new(invalid(
                "temperature",
                "Invalid 'temperature': decimal above or below the allowed range of 0 to 2.",
            )));
        }
        let schema = match format["type"].as_str() {
            Some("json_schema") => {
                // chat/completions nests it, responses does not.
                let schema =
                    format.pointer("/json_schema/schema").or_else(|| format.get("schema")).filter(|it| it.is_object());
                Some(schema.cloned().ok_or_else(|| {
                    Box::new(invalid(
                        "response_format",
                        "Missing required parameter: 'response_format.json_schema.schema'.",
                    ))
                })?)
            }
            Some("json_object") => Some(json!({ "type": "object", "properties": { "answer": { "type": "string" } } })),
            _ => None,
        };
        let key = format!("{model}\n{prompt}");
        let sample = if temperature == 0.0 {
            0
        } else {
            *lock(&self.asked).entry(key).and_modify(|count| *count += 1).or_insert(1)
        };
        Ok(Asked {
            model,
            prompt,
            schema,
            most: most.as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(4_096),
            sample,
        })
    }

    fn complete(&self, request: &Request, desk: &Desk) -> Reply {
        let body = request.json();
        let prompt: Vec<String> = body["messages"].as_array().into_iter().flatten().map(content).collect();
        let most =
            if body["max_completion_tokens"].is_null() { &body["max_tokens"] } else { &body["max_completion_tokens"] };
        let asked = match self.asked(&body, prompt.join("\n\n"), &body["response_format"], most) {
            Ok(asked) => asked,
            Err(reply) => return *reply,
        };
        let wanted = body["n"].as_u64().unwrap_or(1).clamp(1, 8);
        let mut choices = Vec::new();
        let mut written = 0;
        for index in 0..wanted {
            let (text, whole) = words::answer(
                desk.seed,
                &asked.model,
                &asked.prompt,
                asked.sample * 8 + index,
                asked.schema.as_ref(),
                asked.most,
            );
            written += tokens(&text);
            choices.push(json!({ "index": index, "message": { "role": "assistant", "content": text, "refusal": null }, "logprobs": null, "finish_reason": if whole { "stop" } else { "length" } }));
        }
        desk.effect("answer.made", &asked.model, request);
        let read = tokens(&asked.prompt);
        let id =
            format!("chatcmpl-{}", desk.seed.dice(&[&asked.model, &asked.prompt, &asked.sample.to_string()]).hex(24));
        let usage = json!({ "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written });
        if body["stream"] == true {
            return streamed(&id, &asked.model, choices[0]["message"]["content"].as_str().unwrap_or_default(), &usage);
        }
        Reply::ok(&json!({ "id": id, "object": "chat.completion", "created": Timestamp::now().as_second(), "model": asked.model, "choices": choices, "usage": usage, "system_fingerprint": "fp_simulated" }))
            .header("x-ratelimit-limit-requests", 500)
            .header("x-ratelimit-remaining-requests", 499)
    }

    fn respond(&self, request: &Request, desk: &Desk) -> Reply {
        let body = request.json();
        let input = match &body["input"] {
            Value::String(text) => text.clone(),
            Value::Array(items) => items.iter().map(content).collect::<Vec<_>>().join("\n\n"),
            _ => String::new(),
        };
        let prompt = [body["instructions"].as_str().unwrap_or_default(), &input].join("\n\n");
        let asked = match self.asked(&body, prompt, &body["text"]["format"], &body["max_output_tokens"]) {
            Ok(asked) => asked,
            Err(reply) => return *reply,
        };
        let (text, whole) =
            words::answer(desk.seed, &asked.model, &asked.prompt, asked.sample, asked.schema.as_ref(), asked.most);
        desk.effect("answer.made", &asked.model, request);
        let searches = body["tools"].as_array().is_some_and(|all| {
            all.iter().any(|tool| tool["type"].as_str().is_some_and(|kind| kind.starts_with("web_search")))
        });
        let annotations = if searches { words::citations(&text) } else { Vec::new() };
        let (read, written) = (tokens(&asked.prompt), tokens(&text));
        let id = desk.seed.dice(&[&asked.model, &asked.prompt, &asked.sample.to_string()]).hex(24);
        let content = json!([{ "type": "output_text", "text": text, "annotations": annotations }]);
        let mut output = vec![
            json!({ "type": "message", "id": format!("msg_{id}"), "status": "completed", "role": "assistant", "content": content }),
        ];
        if searches {
            let query = words::searched(&asked.prompt);
            let action = json!({ "type": "search", "query": query, "queries": [query] });
            output.insert(
                0,
                json!({ "type": "web_search_call", "id": format!("ws_{id}"), "status": "completed", "action": action }),
            );
        }
        let answer = json!({ "id": format!("resp_{id}"), "object": "response", "created_at": Timestamp::now().as_second(), "status": if whole { "completed" } else { "incomplete" },
            "incomplete_details": if whole { Value::Null } else { json!({ "reason": "max_output_tokens" }) }, "error": null, "model": asked.model,
            "output": output, "background": body["background"] == true,
            "usage": { "input_tokens": read, "output_tokens": written, "total_tokens": read + written } });
        if body["background"] != true {
            return Reply::ok(&answer);
        }
        let id = format!("resp_{id}");
        let queued = under_way(&id, &asked.model, "queued");
        lock(&self.background).insert(id, (LOOKS, answer));
        Reply::ok(&queued)
    }

    /// An answer of the background, or how far it is.
    fn look(&self, id: &str) -> Reply {
        let mut background = lock(&self.background);
        match background.get_mut(id) {
            None => error(404, "invalid_request_error", Value::Null, json!("response_id"), "Response not found."),
            Some((left, answer)) if *left > 0 => {
                *left -= 1;
                let model = answer["model"].as_str().unwrap_or_default().to_owned();
                Reply::ok(&under_way(id, &model, "in_progress"))
            }
            Some((_, answer)) => Reply::ok(answer),
        }
    }
}

/// An answer that is not there yet.
fn under_way(id: &str, model: &str, status: &str) -> Value {
    json!({ "id": id, "object": "response", "created_at": Timestamp::now().as_second(), "status": status, "background": true,
        "error": null, "incomplete_details": null, "model": model, "output": [], "usage": null })
}

/// The answer as server-sent events, some words at a time.
fn streamed(id: &str, model: &str, text: &str, usage: &Value) -> Reply {
    let chunk = |delta: Value, end: Value| json!({ "id": id, "object": "chat.completion.chunk", "model": model, "choices": [{ "index": 0, "delta": delta, "finish_reason": end }] });
    let parts: Vec<&str> = text.split_inclusive(' ').collect();
    let mut events: Vec<Value> =
        parts.chunks(6).map(|words| chunk(json!({ "content": words.concat() }), Value::Null)).collect();
    events.push(chunk(json!({}), json!("stop")));
    events.push(json!({ "id": id, "object": "chat.completion.chunk", "model": model, "choices": [], "usage": usage }));
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Reply::text(200, "text/event-stream", &format!("{body}data: [DONE]\n\n"))
}
