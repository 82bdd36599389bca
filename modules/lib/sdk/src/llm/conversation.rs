//! Free answers of a language model: the prompt is the whole conversation, and what comes back is text, sources and tokens.
//!
//! Source: platform.openai.com/docs/api-reference/responses (create, get), guides/tools-web-search, guides/background, and
//! api-reference/chat; docs.perplexity.ai (`citations`, `search_results` beside the choices). An operation that uses
//! this lists `llm POST /responses query`, `llm GET /responses/*` and `llm POST /chat/completions query` under `outside`.

use serde_json::{Value, json};

use crate::connections::{Send, SendFailure, Sent};

/// Milliseconds for one exchange; a web search takes longer than that, and is therefore asked for in the background.
const TIMEOUT_MS: u32 = 50_000;

/// One prompt, put to a model as a person would put it: nothing of ours stands before or after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation<'a> {
    /// The model that is asked.
    pub model: &'a str,
    /// What is asked.
    pub prompt: &'a str,
    /// Whether the model may search the web.
    pub web_search: bool,
    /// The country that it searches from, as two letters of ISO 3166-1.
    pub country: Option<&'a str>,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer.
    pub text: String,
    /// Sources that the provider names, in its order.
    pub citations: Vec<Cited>,
    /// What the model searched the web for.
    pub searched_for: Vec<String>,
    /// Whether it searched the web; unknown where the provider does not tell.
    pub searched: Option<bool>,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// Tokens of the prompt and of what was searched.
    pub tokens_in: u64,
    /// Tokens of the answer, thinking included.
    pub tokens_out: u64,
    /// How it ended.
    pub finish: Finish,
}

/// A source that a provider names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The address, as the provider writes it.
    pub url: String,
    /// What the page is called.
    pub title: Option<String>,
    /// The span of the answer's text that it stands for, in characters.
    pub span: Option<(usize, usize)>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model said all that it had to say.
    Stop,
    /// It was cut at the most tokens.
    Length,
    /// The provider's filter stopped it.
    Filter,
    /// The model declined.
    Refused,
}

/// Where a conversation stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// The model has answered.
    Answered(Box<Answered>),
    /// It is at work: to be asked for again with [`Conversation::collect`].
    Waiting(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum TalkFailure {
    /// The provider has no `/responses`: ask with [`Conversation::chat`].
    NoResponses,
    /// The provider refuses: its status, and its code where it gives one.
    Refused(u16, Option<String>),
    /// The provider gave up on it, with its code.
    Failed(Option<String>),
    /// Nothing came that can be used.
    Unsent(SendFailure),
}

impl TalkFailure {
    /// A word for it, for counts: the provider's code where it gives one.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::NoResponses => "no_responses".to_owned(),
            Self::Refused(_, Some(code)) | Self::Failed(Some(code)) => code.clone(),
            Self::Refused(status, None) => status.to_string(),
            Self::Failed(None) => "failed".to_owned(),
            Self::Unsent(SendFailure::RateLimited(_)) => "rate_limited".to_owned(),
            Self::Unsent(SendFailure::ExpiredCredential) => "expired_credential".to_owned(),
            Self::Unsent(SendFailure::NotConnected) => "not_connected".to_owned(),
            Self::Unsent(SendFailure::Refused) => "refused".to_owned(),
            Self::Unsent(SendFailure::Unreachable) => "unreachable".to_owned(),
            Self::Unsent(SendFailure::Timeout) => "timeout".to_owned(),
            Self::Unsent(SendFailure::Tls) => "tls".to_owned(),
            Self::Unsent(SendFailure::Malformed) => "malformed_answer".to_owned(),
            Self::Unsent(SendFailure::UnknownOutcome) => "unknown_outcome".to_owned(),
        }
    }
}

impl Conversation<'_> {
    /// Asks for an answer in the background. Temperature and seed are left to the provider.
    pub fn respond(&self, connection: &str) -> Send {
        let mut body = json!({ "model": self.model, "input": self.prompt, "background": true });
        if self.web_search {
            let mut tool = json!({ "type": "web_search" });
            if let Some(country) = self.country {
                tool["user_location"] = json!({ "type": "approximate", "country": country });
            }
            body["tools"] = json!([tool]);
        }
        Send::post(connection, "/responses").timeout(TIMEOUT_MS).json(&body)
    }

    /// Asks over the older interface, which has no web search that every provider knows.
    pub fn chat(&self, connection: &str) -> Send {
        let body = json!({ "model": self.model, "messages": [{ "role": "user", "content": self.prompt }] });
        Send::post(connection, "/chat/completions").timeout(TIMEOUT_MS).json(&body)
    }

    /// Asks for an answer that was waited for.
    pub fn collect(connection: &str, id: &str) -> Send {
        Send::get(connection, format!("/responses/{id}")).timeout(TIMEOUT_MS)
    }

    /// Reads what came of [`Conversation::respond`] or [`Conversation::collect`].
    ///
    /// # Errors
    /// See [`TalkFailure`].
    pub fn responded(sent: Result<Sent, SendFailure>) -> Result<Turn, TalkFailure> {
        let body = accepted(sent, true)?;
        match body["status"].as_str() {
            Some("queued" | "in_progress") => {
                let id = body["id"].as_str().filter(|it| is_id(it));
                Ok(Turn::Waiting(id.ok_or(TalkFailure::Unsent(SendFailure::Malformed))?.to_owned()))
            }
            Some("completed" | "incomplete") | None => Ok(Turn::Answered(Box::new(response(&body)))),
            _ => Err(TalkFailure::Failed(word(&body["error"]["code"]))),
        }
    }

    /// Reads what came of [`Conversation::chat`].
    ///
    /// # Errors
    /// See [`TalkFailure`].
    pub fn chatted(sent: Result<Sent, SendFailure>) -> Result<Answered, TalkFailure> {
        completion(&accepted(sent, false)?).ok_or(TalkFailure::Unsent(SendFailure::Malformed))
    }
}

/// The body of an answer that is none of the refusals.
fn accepted(sent: Result<Sent, SendFailure>, responses: bool) -> Result<Value, TalkFailure> {
    let sent = sent.map_err(TalkFailure::Unsent)?;
    if sent.is_success() {
        return sent.json().map_err(TalkFailure::Unsent);
    }
    let body: Value = sent.json().unwrap_or(Value::Null);
    let code = word(&body["error"]["code"]);
    match (sent.status, code) {
        (404 | 405, None) if responses => Err(TalkFailure::NoResponses),
        (status, code) => Err(TalkFailure::Refused(status, code)),
    }
}

/// Whether a provider's id can stand in a path.
fn is_id(id: &str) -> bool {
    (1..=200).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
}

/// A short word of a provider.
fn word(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
    (!text.is_empty() && text.len() <= 64 && text.chars().all(plain)).then(|| text.to_owned())
}

fn response(body: &Value) -> Answered {
    let items = || body["output"].as_array().into_iter().flatten();
    let (mut text, mut citations, mut refused) = (String::new(), Vec::new(), false);
    for part in items().filter_map(|item| item["content"].as_array()).flatten() {
        match part["type"].as_str() {
            Some("output_text") => {
                let before = text.chars().count();
                text.push_str(part["text"].as_str().unwrap_or_default());
                citations.extend(cited(&part["annotations"], before));
            }
            Some("refusal") => refused = true,
            _ => {}
        }
    }
    let calls: Vec<&Value> = items().filter(|it| it["type"] == "web_search_call").collect();
    let queries = |call: &&Value| {
        let action = &call["action"];
        let many = action["queries"].as_array().into_iter().flatten();
        many.chain(std::iter::once(&action["query"])).filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut searched_for: Vec<String> = calls.iter().flat_map(queries).collect();
    searched_for.dedup();
    let finish = match body["incomplete_details"]["reason"].as_str() {
        _ if refused => Finish::Refused,
        Some("content_filter") => Finish::Filter,
        Some(_) => Finish::Length,
        None => Finish::Stop,
    };
    Answered {
        text,
        citations,
        searched_for,
        searched: Some(!calls.is_empty()),
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        tokens_in: body["usage"]["input_tokens"].as_u64().unwrap_or(0),
        tokens_out: body["usage"]["output_tokens"].as_u64().unwrap_or(0),
        finish,
    }
}

fn completion(body: &Value) -> Option<Answered> {
    let choice = body["choices"].get(0)?;
    let message = &choice["message"];
    let mut citations: Vec<Cited> = cited(&message["annotations"], 0).collect();
    let listed = |list: &Value| {
        let one = |it: &Value| {
            let url = it.as_str().or_else(|| it["url"].as_str())?;
            Some(Cited { url: url.to_owned(), title: it["title"].as_str().map(str::to_owned), span: None })
        };
        list.as_array().into_iter().flatten().filter_map(one).collect::<Vec<_>>()
    };
    if citations.is_empty() {
        citations = listed(&body["search_results"]);
    }
    if citations.is_empty() {
        citations = listed(&body["citations"]);
    }
    let finish = match choice["finish_reason"].as_str() {
        _ if message["refusal"].is_string() => Finish::Refused,
        Some("length") => Finish::Length,
        Some("content_filter") => Finish::Filter,
        _ => Finish::Stop,
    };
    // Only a source shows that the web was searched; without one nobody can tell.
    let searched = (!citations.is_empty()).then_some(true);
    Some(Answered {
        text: message["content"].as_str().unwrap_or_default().to_owned(),
        citations,
        searched_for: Vec::new(),
        searched,
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        tokens_in: body["usage"]["prompt_tokens"].as_u64().unwrap_or(0),
        tokens_out: body["usage"]["completion_tokens"].as_u64().unwrap_or(0),
        finish,
    })
}

/// Annotations of the type `url_citation`; the chat interface nests what the newer one does not.
fn cited(annotations: &Value, before: usize) -> impl Iterator<Item = Cited> {
    let one = move |it: &Value| {
        let inner = if it["url_citation"].is_object() { &it["url_citation"] } else { it };
        let at = |name: &str| inner[name].as_u64().and_then(|it| usize::try_from(it).ok()).map(|it| it + before);
        (it["type"] == "url_citation").then_some(())?;
        Some(Cited {
            url: inner["url"].as_str()?.to_owned(),
            title: inner["title"].as_str().map(str::to_owned),
            span: at("start_index").zip(at("end_index")),
        })
    };
    annotations.as_array().map(|all| all.iter().filter_map(one).collect::<Vec<_>>()).unwrap_or_default().into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Answered, Conversation, Finish, TalkFailure, Turn};
    use crate::connections::{SendFailure, Sent};

    fn sent(status: u16, body: &Value) -> Result<Sent, SendFailure> {
        Ok(Sent { status, headers: Vec::new(), body: body.to_string().into_bytes(), truncated: false, total_ms: 1 })
    }

    fn answered(body: &Value) -> Answered {
        match Conversation::responded(sent(200, body)) {
            Ok(Turn::Answered(answered)) => *answered,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_prompt_is_the_whole_conversation() {
        let asked = Conversation { model: "m", prompt: "Which lamp?", web_search: true, country: Some("DE") };
        let body: Value = serde_json::from_slice(&asked.respond("con_1").0.body).unwrap();
        let tool = json!({ "type": "web_search", "user_location": { "type": "approximate", "country": "DE" } });
        assert_eq!(body, json!({ "model": "m", "input": "Which lamp?", "background": true, "tools": [tool] }));
        let body: Value = serde_json::from_slice(&asked.chat("con_1").0.body).unwrap();
        assert_eq!(body, json!({ "model": "m", "messages": [{ "role": "user", "content": "Which lamp?" }] }));
    }

    #[test]
    fn a_response_is_read_with_its_sources_searches_and_tokens() {
        let note = |url: &str, from: u64| json!({ "type": "url_citation", "url": url, "title": "T", "start_index": from, "end_index": from + 3 });
        let part = |text: &str, notes: Value| json!({ "type": "output_text", "text": text, "annotations": notes });
        let body = json!({ "id": "resp_1", "status": "completed", "model": "gpt-5-mini-2026",
            "output": [
                { "type": "web_search_call", "action": { "type": "search", "query": "best lamp" } },
                { "type": "message", "content": [part("Grüße. ", json!([note("https://a.example/", 0)])),
                    part("Zwei.", json!([note("https://b.example/", 1), { "type": "file_citation" }]))] },
            ],
            "usage": { "input_tokens": 12, "output_tokens": 30 } });
        let answer = answered(&body);
        assert_eq!((answer.text.as_str(), answer.model.as_str()), ("Grüße. Zwei.", "gpt-5-mini-2026"));
        assert_eq!(answer.citations.iter().map(|it| it.span).collect::<Vec<_>>(), [Some((0, 3)), Some((8, 11))]);
        assert_eq!((answer.searched_for.as_slice(), answer.searched), (&["best lamp".to_owned()][..], Some(true)));
        assert_eq!((answer.tokens_in, answer.tokens_out, answer.finish), (12, 30, Finish::Stop));
    }

    #[test]
    fn what_is_at_work_is_collected_and_what_ends_otherwise_says_how() {
        let waiting = json!({ "id": "resp_9", "status": "in_progress" });
        assert_eq!(Conversation::responded(sent(200, &waiting)), Ok(Turn::Waiting("resp_9".to_owned())));
        let strange = json!({ "id": "../models", "status": "queued" });
        assert_eq!(Conversation::responded(sent(200, &strange)), Err(TalkFailure::Unsent(SendFailure::Malformed)));
        let cut = json!({ "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" } });
        assert_eq!(answered(&cut).finish, Finish::Length);
        let declined = json!({ "status": "completed", "output": [{ "content": [{ "type": "refusal" }] }] });
        assert_eq!(answered(&declined).finish, Finish::Refused);
        let failed = json!({ "status": "failed", "error": { "code": "server_error" } });
        let failure = Conversation::responded(sent(200, &failed)).unwrap_err();
        assert_eq!(failure.code(), "server_error");
    }

    #[test]
    fn a_provider_without_responses_is_told_from_one_without_the_model() {
        assert_eq!(Conversation::responded(sent(404, &json!({}))), Err(TalkFailure::NoResponses));
        let missing = json!({ "error": { "code": "model_not_found" } });
        let failure = Conversation::responded(sent(404, &missing)).unwrap_err();
        assert_eq!(failure.code(), "model_not_found");
    }

    #[test]
    fn a_completion_names_its_sources_in_any_of_three_places() {
        let of = |extra: Value, annotations: Value| {
            let mut body = json!({ "model": "m", "choices": [{ "finish_reason": "stop",
                "message": { "content": "A lamp.", "annotations": annotations } }] });
            body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            let answer = Conversation::chatted(sent(200, &body)).unwrap();
            (answer.citations.into_iter().map(|it| it.url).collect::<Vec<_>>(), answer.searched)
        };
        let nested = json!([{ "type": "url_citation", "url_citation": { "url": "https://a.example/" } }]);
        assert_eq!(of(json!({}), nested), (vec!["https://a.example/".to_owned()], Some(true)));
        let results =
            json!({ "citations": ["https://c.example/"], "search_results": [{ "url": "https://b.example/" }] });
        assert_eq!(of(results, Value::Null), (vec!["https://b.example/".to_owned()], Some(true)));
        let plain = json!({ "citations": ["https://c.example/"] });
        assert_eq!(of(plain, Value::Null), (vec!["https://c.example/".to_owned()], Some(true)));
        assert_eq!(of(json!({}), Value::Null), (Vec::new(), None));
    }
}
