//! `tools/call`: a tool is a door, its answer the envelope that REST gives.

use model::refusal::Refusal;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use service::Service;
use service::routes::{Ask, Route, schema};

use super::fault::Fault;
use super::offer::{Call, Miss};
use super::product::server_info;
use super::raw;
use super::revision::Era;
use super::tools::{SERVER_INFO, route_of};
use crate::problem;
use crate::rest::envelope;

/// Calls a tool. A missing scope ends as 403 before the tool is called; every other refusal is a result
/// with `isError`, so that the agent reads it.
pub(super) async fn call(service: &Service, asked: &Call<'_>) -> Result<Box<RawValue>, Miss> {
    let Call { grant, request, params, .. } = *asked;
    let name = params
        .get("name")
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::wrong_params("name is a string and required"))?;
    let arguments = match params.get("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(Fault::wrong_params("arguments must be an object").into()),
    };
    let route = route_of(name).ok_or_else(|| Fault::wrong_params("there is no such tool"))?;
    let arguments = given(route, arguments);
    service.routes.authorize(grant, request, route, &arguments).await?;
    let ask = Ask { request: request.clone(), route, arguments };
    Ok(match service.routes.answer(grant, ask).await {
        Ok(outcome) => {
            let text = envelope(&outcome);
            let structured =
                RawValue::from_string(text.clone()).expect("an envelope is JSON around JSON that was checked");
            result(service, asked, &[&text], Some(&structured), outcome.replayed)
        }
        Err(refusal) => refused(service, asked, &refusal),
    })
}

/// What was given. Many clients fill every member of a tool: an optional one that is null or empty is not there.
fn given(route: Route, mut arguments: Map<String, Value>) -> Map<String, Value> {
    let required = schema::of(route).get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    arguments.retain(|name, value| {
        let is_absent = value.is_null() || value.as_str().is_some_and(str::is_empty);
        !is_absent || required.iter().any(|it| it == name)
    });
    arguments
}

/// A sentence for whoever reads the first text only, then the error envelope. Without structured content: some clients hold
/// it against the output schema even when it is an error.
fn refused(service: &Service, asked: &Call<'_>, refusal: &Refusal) -> Box<RawValue> {
    let told = problem::tell(refusal, asked.request);
    let sentence = format!("Refused ({}): {}", refusal.code, refusal.message);
    result(service, asked, &[&sentence, &told.body], None, told.replayed)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: Vec<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
    #[serde(rename = "_meta")]
    meta: Value,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

fn result(
    service: &Service,
    asked: &Call<'_>,
    texts: &[&str],
    structured: Option<&RawValue>,
    replayed: bool,
) -> Box<RawValue> {
    let catalog = &service.core.catalog().current().digest;
    let mut meta = json!({ "requestId": asked.request, "catalogDigest": catalog });
    if replayed {
        meta["idempotentReplayed"] = json!(true);
    }
    let result_type = match asked.era {
        Era::Modern => {
            meta[SERVER_INFO] = json!(server_info());
            Some("complete")
        }
        Era::Handshake | Era::Legacy(_) => None,
    };
    raw(&ToolResult {
        result_type,
        content: texts.iter().map(|text| Text { r#type: "text", text }).collect(),
        structured_content: structured,
        is_error: structured.is_none(),
        meta,
    })
}
