//! `tools/call`: a tool is a door, its answer the envelope that REST gives.

use model::grant::Grant;
use model::refusal::Refusal;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use service::routes::Ask;

use super::Miss;
use super::fault::Fault;
use super::hello::server_info;
use super::raw;
use super::revision::Era;
use super::tools::{SERVER_INFO, route_of};
use crate::context::Context;
use crate::problem;
use crate::rest::envelope;

/// Calls a tool. A missing scope ends as 403 before the tool is called; every other refusal is a result
/// with `isError`, so that the agent reads it.
pub(super) async fn call(
    context: &Context<'_>,
    grant: &Grant,
    era: &Era,
    params: &Map<String, Value>,
) -> Result<Box<RawValue>, Miss> {
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
    context.service.authorize(grant, &context.request, route, &arguments).await?;
    let ask = Ask { request: context.request.clone(), route, arguments };
    Ok(match context.service.answer(grant, ask).await {
        Ok(outcome) => {
            let text = envelope(&outcome);
            let structured =
                RawValue::from_string(text.clone()).expect("an envelope is JSON around JSON that was checked");
            result(context, era, &text, Some(&structured), outcome.replayed)
        }
        Err(refusal) => refused(context, era, &refusal),
    })
}

/// The error envelope as text. Without structured content: some clients hold it against the output schema
/// even when it is an error.
fn refused(context: &Context<'_>, era: &Era, refusal: &Refusal) -> Box<RawValue> {
    let told = problem::tell(refusal, &context.request);
    result(context, era, &told.body, None, told.replayed)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: [Text<'a>; 1],
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
    context: &Context<'_>,
    era: &Era,
    text: &str,
    structured: Option<&RawValue>,
    replayed: bool,
) -> Box<RawValue> {
    let catalog = &context.service.catalog().current().digest;
    let mut meta = json!({ "requestId": context.request, "catalogDigest": catalog });
    if replayed {
        meta["idempotentReplayed"] = json!(true);
    }
    let result_type = match era {
        Era::Modern => {
            meta[SERVER_INFO] = json!(server_info());
            Some("complete")
        }
        Era::Handshake | Era::Legacy(_) => None,
    };
    raw(&ToolResult {
        result_type,
        content: [Text { r#type: "text", text }],
        structured_content: structured,
        is_error: structured.is_none(),
        meta,
    })
}
