//! The MCP endpoint: one JSON-RPC message by POST, one answer, no session. What is offered there is [`offer`]; the
//! product's own answers are single JSON messages, never streams.
//!
//! It serves 2025-03-26, 2025-06-18 and 2025-11-25 through `initialize`, and 2026-07-28 without it. The answer is
//! always `application/json`, whatever `Accept` says: a client that lists less than the protocol asks for, or
//! nothing at all, is served all the same. `Mcp-Session-Id` and `Last-Event-ID` are ignored.
//!
//! Order: 405, 401, 429, then the origin, the message (400), the revision (400), the scope (403), the tool.

mod call;
mod events;
mod fault;
mod hello;
mod message;
pub mod offer;
mod product;
mod revision;
mod tools;

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::{ALLOW, CONTENT_TYPE, EXPECT, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use model::grant::Grant;
use model::refusal::{Refusal, codes};
use model::scope::ScopeSet;
use rmcp::model::RequestId;
use serde::Serialize;
use serde_json::value::RawValue;
use service::Service;

use crate::bearer;
use crate::context::{BODY_AT_MOST, Context, json_body};
use crate::cors::origin_is_known;
use crate::problem;
use fault::Fault;
use message::{Asked, Message};
use offer::{Call, Miss, Offer, Reply, raw};
pub(crate) use product::Product;
use revision::Era;

/// How long the body of a refused message may take to come.
const AT_ONCE: Duration = Duration::from_millis(250);
/// What a GET is told; clients take it for what it is, not for a failure.
const NO_STREAM: &str = "Standalone SSE is not enabled";

/// Answers everything at `{mcp_url}` with what is offered there.
pub(crate) async fn serve(service: &Service, offer: &impl Offer, request: Request) -> Response {
    let mut context = Context::new(service);
    if *request.method() == Method::GET {
        return no_stream(&context);
    }
    if *request.method() != Method::POST {
        return refused(&context, None, Refusal::method_not_allowed("POST"));
    }
    match answer(&mut context, offer, request).await {
        Ok(response) => response,
        Err(End::Refused(id, refusal)) => refused(&context, id, *refusal),
        Err(End::Fault(id, fault)) => {
            let status = fault.status;
            context.json(status, fault.text(id))
        }
    }
}

/// How a message ends that gets no result: as a refusal of HTTP, or as a JSON-RPC error.
enum End {
    Refused(Option<RequestId>, Box<Refusal>),
    Fault(Option<RequestId>, Fault),
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> Self {
        End::Refused(None, Box::new(refusal))
    }
}

async fn answer(context: &mut Context<'_>, offer: &impl Offer, request: Request) -> Result<Response, End> {
    let (parts, body) = request.into_parts();
    let grant = match context.enter(&parts.headers, &parts.uri).await {
        Ok(grant) => grant,
        Err(refusal) => {
            // Who may not come in is still told which message it was.
            return Err(End::Refused(id_of(&parts.headers, body).await, Box::new(refusal)));
        }
    };
    if !origin_is_known(context.service.core.config(), &parts.headers) {
        return Err(Refusal::of(&codes::ORIGIN_NOT_ALLOWED, "pages of this origin may not call this service").into());
    }
    let bytes = json_body(&parts.headers, body, BODY_AT_MOST).await?;
    let asked = match message::read(&bytes) {
        Ok(Message::Request(asked)) => asked,
        Ok(Message::Notification) => return accepted(context, &parts.headers),
        Ok(Message::Answer(heard)) => {
            let id = heard.id.clone();
            if offer.hear(&grant, heard) {
                return accepted(context, &parts.headers);
            }
            let fault = Fault::not_a_message("this server has asked nothing of this id, so it takes no answer");
            return Err(End::Fault(Some(id), fault));
        }
        Err((id, fault)) => return Err(End::Fault(id, fault)),
    };
    let id = asked.id.clone();
    let here = |fault| End::Fault(Some(id.clone()), fault);
    let era = revision::judge(&parts.headers, &asked).map_err(here)?;
    if era != Era::Modern {
        // Since 2026-07-28 a client adds what a challenge names to what it has; before, it takes it for all.
        context.keeps(&grant.scopes);
    }
    let result = match dispatch(context, offer, &grant, &era, &asked).await {
        Ok(Reply::Whole(result)) => result,
        Ok(Reply::Parts(parts)) => return Ok(events::respond(context, id, parts)),
        Err(Miss::Refused(refusal)) => return Err(End::Refused(Some(id), Box::new(refusal))),
        Err(Miss::Fault(fault)) => return Err(here(fault)),
    };
    let text = serde_json::to_string(&Answer { jsonrpc: "2.0", id: &id, result: &result })
        .expect("an id and a text can be written");
    Ok(context.json(StatusCode::OK, text))
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    result: &'a RawValue,
}

async fn dispatch(
    context: &Context<'_>,
    offer: &impl Offer,
    grant: &Grant,
    era: &Era,
    asked: &Asked,
) -> Result<Reply, Miss> {
    let Asked { method, params, .. } = asked;
    Ok(Reply::Whole(match (method.as_str(), era) {
        ("initialize", Era::Handshake) => hello::initialize(offer.hello(era), params)?,
        ("ping", Era::Legacy(_)) => raw(&serde_json::json!({})),
        ("server/discover", Era::Modern) => hello::discover(offer.hello(era)),
        ("initialize" | "ping" | "server/discover", _) => return Err(Fault::unknown_method(era, method).into()),
        (method, era) => return offer.answer(Call { grant, request: &context.request, era, method, params }).await,
    }))
}

/// A notification is taken note of; there is none that we act on.
fn accepted(context: &Context<'_>, headers: &HeaderMap) -> Result<Response, End> {
    revision::judge_notification(headers).map_err(|fault| End::Fault(None, fault))?;
    let mut response = Response::default();
    *response.status_mut() = StatusCode::ACCEPTED;
    context.mark(response.headers_mut());
    Ok(response)
}

/// The id of a message that is refused before it is read: where the body comes at once. Who asks before sending one, or
/// sends none, is not waited for.
async fn id_of(headers: &HeaderMap, body: Body) -> Option<RequestId> {
    if headers.contains_key(EXPECT) {
        return None;
    }
    let bytes = tokio::time::timeout(AT_ONCE, json_body(headers, body, BODY_AT_MOST)).await.ok()?.ok()?;
    message::id(&bytes)
}

/// A refusal as a JSON-RPC error, which is what clients show to the model: status and headers are those of every door,
/// the code is the status, and `data` is what the envelope says.
fn refused(context: &Context<'_>, id: Option<RequestId>, refusal: Refusal) -> Response {
    let envelope = problem::tell(&refusal, &context.request).body;
    let (message, data) = (refusal.message.clone(), serde_json::from_str(&envelope).unwrap_or_default());
    let mut response = context.refuse(refusal);
    *response.body_mut() = Fault::refused(response.status(), &message, data).text(id).into();
    response
}

fn no_stream(context: &Context<'_>) -> Response {
    let mut response = Response::new(NO_STREAM.into());
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(ALLOW, HeaderValue::from_static("POST"));
    // Clients that probe with GET before they sign in find the metadata from here.
    if let Some(challenge) =
        bearer::challenge(context.service.core.config(), &Refusal::unauthenticated(), &ScopeSet::default())
    {
        headers.insert(WWW_AUTHENTICATE, challenge);
    }
    context.mark(headers);
    response
}

#[cfg(test)]
mod tests;
