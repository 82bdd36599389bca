//! The products that people use, as DataForSEO reads them: ChatGPT's own answers and Google's AI Mode.
//!
//! Sources: docs.dataforseo.com/v3/ai_optimization/chat_gpt/llm_scraper and v3/serp/google/ai_mode (`task_post`, `task_get/advanced`).

use sdk::serde_json::Value;
use sdk::{Answered, Cited, Finish, json};

use crate::stored::{Question, Run};

/// The name of ChatGPT's own answers as a model.
pub(crate) const CHAT_GPT: &str = "chatgpt";
/// The name of Google's AI Mode as a model.
pub(crate) const AI_MODE: &str = "google ai mode";

/// The endpoint of a product.
pub(super) fn endpoint(model: &str) -> &'static str {
    if model == AI_MODE { "serp/google/ai_mode" } else { "ai_optimization/chat_gpt/llm_scraper" }
}

/// The task of a question.
pub(super) fn task(question: &Question, run: &Run, country: Option<&str>, tag: &str) -> Value {
    let country = question.country.as_deref().or(country).and_then(|it| it.parse().ok());
    let location = country.map_or(2_840, dataforseo::location_code);
    let language = question.language.as_deref().and_then(|it| it.parse().ok());
    let language = language.map_or_else(|| "en".to_owned(), |it| dataforseo::language_code(&it));
    let keyword = dataforseo::escaped(&question.text);
    let mut task = json!({ "keyword": keyword, "location_code": location, "language_code": language, "tag": tag });
    if run.web_search && run.asked.iter().any(|it| it.model == CHAT_GPT) {
        task["force_web_search"] = json!(true);
    }
    task
}

/// What a product said, of the results of a task; none where it shows nothing that can be read.
pub(super) fn said(model: &str, results: &[Value]) -> Option<Answered> {
    let result = results.first()?;
    let (text, cited, name, searched_for) = if model == AI_MODE {
        let item = result["items"].as_array()?.iter().find(|it| it["type"] == "ai_overview")?;
        (item["markdown"].as_str()?, &item["references"], AI_MODE.to_owned(), &Value::Null)
    } else {
        let name = result["model"].as_str().map_or_else(|| CHAT_GPT.to_owned(), |it| format!("{CHAT_GPT} ({it})"));
        (result["markdown"].as_str()?, &result["sources"], name, &result["fan_out_queries"])
    };
    let source = |it: &Value| {
        let url = it["url"].as_str()?.to_owned();
        Some(Cited { url, title: it["title"].as_str().map(str::to_owned), span: None })
    };
    let citations: Vec<Cited> = cited.as_array().into_iter().flatten().filter_map(source).collect();
    let searched_for: Vec<String> =
        searched_for.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect();
    Some(Answered {
        text: text.to_owned(),
        searched: Some(!citations.is_empty() || !searched_for.is_empty()),
        citations,
        searched_for,
        model: name,
        tokens_in: 0,
        tokens_out: 0,
        finish: Finish::Stop,
    })
}
