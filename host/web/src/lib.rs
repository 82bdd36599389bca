//! All axum: two doors to one service, the authorization server's pages, and what browsers may do.

mod bearer;
mod context;
mod cors;
mod edge;
mod health;
pub mod listen;
pub mod mcp;
mod oauth;
mod portal;
mod problem;
mod rest;
mod unread;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware;
use axum::response::{Redirect, Response};
use service::Service;

use crate::context::Context;
use crate::mcp::offer::Offer;

/// Everything that the binary serves.
pub fn router(service: Service) -> Router {
    router_with(service.clone(), mcp::Product(service))
}

/// The same with something else offered over MCP, for what tries the transport rather than the product.
pub fn router_with(service: Service, offer: impl Offer) -> Router {
    let offer = Arc::new(offer);
    let mcp =
        async move |State(service): State<Service>, request: Request| mcp::serve(&service, &*offer, request).await;
    let authority = service.core.authority().clone();
    let doors = Router::new()
        .route("/v1", axum::routing::any(rest::serve))
        .route("/v1/{*path}", axum::routing::any(rest::serve))
        .route("/mcp", axum::routing::any(mcp))
        .route("/mcp/", axum::routing::any(async || Redirect::permanent("/mcp")))
        .layer(middleware::from_fn_with_state(service.clone(), cors::cors));
    let health = Router::new()
        .route("/healthz", axum::routing::any(health::alive))
        .route("/readyz", axum::routing::any(health::ready));
    Router::new()
        .merge(doors)
        .merge(health)
        .fallback(unknown)
        .with_state(service.clone())
        .merge(edge::router(service.clone()))
        .merge(oauth::router(authority.clone()))
        .merge(portal::router(authority))
        .merge(portal::library(service))
        .layer(middleware::from_fn(unread::take_in))
}

/// An address that leads nowhere: a page for a browser, the envelope for a program.
async fn unknown(State(service): State<Service>, request: Request) -> Response {
    let accepts = request.headers().get(axum::http::header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let is_program =
        ["/v1/", "/mcp/", "/oauth/", "/.well-known/"].iter().any(|it| request.uri().path().starts_with(it));
    if accepts.contains("text/html") && !is_program {
        return portal::page::nowhere();
    }
    Context::new(&service).refuse(model::refusal::Refusal::route_not_found())
}

#[cfg(test)]
mod tests;
