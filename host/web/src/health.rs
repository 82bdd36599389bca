//! Whether the process lives and whether it can serve, for what watches over it.

use axum::extract::{Request, State};
use axum::response::Response;
use http::{Method, StatusCode};
use model::refusal::Refusal;
use service::Service;

use crate::context::Context;

/// The process answers.
pub(crate) async fn alive(State(service): State<Service>, request: Request) -> Response {
    let context = Context::new(&service);
    if let Some(refusal) = refuse_method(&request) {
        return context.refuse(refusal);
    }
    context.json(StatusCode::OK, r#"{"status":"alive"}"#)
}

/// The database answers, a catalog is in force, and the node stays for a while. `coming` names the modules that are still
/// being built, where `up` serves the first before the last.
pub(crate) async fn ready(State(service): State<Service>, request: Request) -> Response {
    let context = Context::new(&service);
    if let Some(refusal) = refuse_method(&request) {
        return context.refuse(refusal);
    }
    if service.core.is_leaving() {
        return context.refuse(Refusal::unavailable("this node is about to stop; another one answers").retry_after(1));
    }
    match service.core.store().database.ping().await {
        Ok(()) => {
            let generation = service.core.catalog().current();
            let operations = generation.operations().count();
            let mut body = serde_json::json!({
                "status": "ready",
                "api_version": &*generation.api_version,
                "operations": operations,
            });
            let coming = generation.coming();
            if !coming.is_empty() {
                body["coming"] = serde_json::json!(coming);
            }
            context.json(StatusCode::OK, body.to_string())
        }
        Err(error) => {
            tracing::error!(error = %error, "not ready: the store does not answer");
            context.refuse(Refusal::unavailable("the store does not answer"))
        }
    }
}

fn refuse_method(request: &Request) -> Option<Refusal> {
    (request.method() != Method::GET).then(|| Refusal::method_not_allowed("GET"))
}
