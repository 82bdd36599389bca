//! REST: ten routes under `/v1`. A path leads to a door, the parts of the request become its arguments,
//! and the answer is an envelope around what the service says.

pub(crate) mod openapi;
mod parts;
mod published;
mod routing;

use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderValue, StatusCode};
use model::call::Outcome;
use model::refusal::Refusal;
use serde_json::{Map, Value};
use service::Service;
use service::routes::{Ask, Route};

use crate::context::{BODY_AT_MOST, Context, IDEMPOTENT_REPLAYED};
use routing::Place;

/// Answers everything under `{base_url}`.
pub(crate) async fn serve(State(service): State<Service>, request: Request) -> Response {
    let mut context = Context::new(&service);
    match answer(&mut context, request).await {
        Ok(response) => response,
        Err(refusal) => context.refuse(refusal),
    }
}

async fn answer(context: &mut Context<'_>, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().strip_prefix("/v1").unwrap_or_default();
    // 404 and 405 come before anything that depends on who asks.
    let place = routing::resolve(path)?.ok_or_else(Refusal::route_not_found)?;
    // RFC 9110, 9.3.2: what answers GET answers HEAD, without the content.
    let asked = if parts.method == http::Method::HEAD { http::Method::GET } else { parts.method.clone() };
    if asked != place.method() {
        return Err(Refusal::method_not_allowed(place.method().as_str()));
    }
    let (route, named) = match place {
        Place::OpenApi => return Ok(published::contract(context, &parts.headers)),
        Place::Door { route, named } => (route, named),
    };
    let grant = context.enter(&parts.headers, &parts.uri).await?;
    let mut arguments = Map::new();
    if let Some((name, value)) = named {
        arguments.insert(name.to_owned(), Value::String(value));
    }
    context.service.routes.authorize(&grant, &context.request, route, &arguments).await?;
    parts::query(&parts, route, &mut arguments)?;
    parts::headers(&parts, route, &mut arguments)?;
    let most = body_bound(context.service, route, &arguments);
    parts::body(&parts, body, route, most, &mut arguments).await?;
    let ask = Ask { request: context.request.clone(), route, arguments };
    let outcome = context.service.routes.answer(&grant, ask).await?;
    Ok(success(context, &outcome))
}

/// Bytes that a body may have: as many as the arguments of the operation that the path names, and not less than usual.
fn body_bound(service: &Service, route: Route, arguments: &Map<String, Value>) -> usize {
    let named = arguments.get("operation_id").and_then(Value::as_str).filter(|_| route == Route::Execute);
    let generation = service.core.catalog().current();
    let own: usize = named.and_then(|id| generation.operation(id)).map_or(0, |operation| operation.limits.arguments);
    BODY_AT_MOST.max(own.saturating_add(4 << 10))
}

fn success(context: &Context<'_>, outcome: &Outcome) -> Response {
    let mut response = context.json(StatusCode::OK, envelope(outcome));
    if outcome.replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// The success envelope. The result goes in as the text it is, so that a replay is equal to the byte.
pub(crate) fn envelope(outcome: &Outcome) -> String {
    let usage = serde_json::to_string(&outcome.usage).expect("numbers can be written");
    let degraded = degraded(&outcome.data).map_or_else(String::new, |what| format!(",\"degraded\":{what}"));
    let untrusted = outcome.untrusted.as_ref().map_or_else(String::new, |what| format!(",\"untrusted\":{what}"));
    format!(
        "{{\"data\":{},\"meta\":{{\"request_id\":{},\"api_version\":{},\"usage\":{usage}{degraded}{untrusted}}}}}",
        outcome.data,
        Value::from(outcome.request.as_str()),
        Value::from(&*outcome.api_version),
    )
}

/// What a result says that it could not consider: its own member `degraded`, where it is a list with something in it.
/// It is repeated in `meta`, so that a client finds it at one place for every operation.
fn degraded(data: &str) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Says {
        #[serde(default)]
        degraded: Value,
    }
    // Most results have no such member, and are not read a second time.
    if !data.contains("\"degraded\":[") {
        return None;
    }
    let says: Says = serde_json::from_str(data).ok()?;
    says.degraded.as_array().is_some_and(|what| !what.is_empty()).then_some(says.degraded)
}

impl Place {
    fn method(&self) -> http::Method {
        match self {
            Place::OpenApi => http::Method::GET,
            Place::Door { route, .. } => method(*route),
        }
    }
}

/// The one method of each door.
pub(crate) fn method(route: Route) -> http::Method {
    match route {
        Route::Account | Route::Usage | Route::Websites | Route::Website | Route::Search | Route::Contract => {
            http::Method::GET
        }
        Route::Audit | Route::Execute | Route::Feedback => http::Method::POST,
    }
}

#[cfg(test)]
mod tests;
