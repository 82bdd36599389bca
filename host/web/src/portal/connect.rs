//! The page before a provider's own: what is about to be connected, and to whose account. Nobody is sent to a provider
//! who has not seen it, signed in as the customer who asked.

use askama::Template;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use service::Service;
use service::connect::Asking;

use super::page::{Leads, page, problem, see_other};
use super::{Sent, broken, either, enter, receive};
use crate::edge::connect::nothing;

#[derive(Template)]
#[template(path = "connect.html")]
struct Connect {
    asking: Asking,
    flow: String,
    viewer: String,
    csrf: String,
}

pub(super) async fn get(State(service): State<Service>, Path(flow): Path<String>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(service.core.authority(), &headers, &here(&flow)).await?;
        let asking =
            service.consents.asked_consent(&inside.session.customer, &flow).await.map_err(|reason| nothing(&reason))?;
        let template = Connect { asking, flow, viewer: inside.session.email, csrf: inside.csrf };
        Ok(page(StatusCode::OK, &template, &Leads::Away))
    };
    either(shown.await)
}

pub(super) async fn post(State(service): State<Service>, Path(flow): Path<String>, request: Request) -> Response {
    let sent = async {
        let Sent { inside, fields } = receive(service.core.authority(), request, &here(&flow)).await?;
        if fields.one("decision").ok().flatten() != Some("continue") {
            service.consents.cancel_consent(&inside.session.customer, &flow).await.map_err(broken)?;
            return Ok(problem(StatusCode::OK, "Cancelled", "Nothing was connected. You can close this page."));
        }
        let address = service.consents.leave_for_consent(&inside.session, &flow).await;
        Ok(see_other(&address.map_err(|reason| nothing(&reason))?))
    };
    either(sent.await)
}

fn here(flow: &str) -> String {
    format!("/connect/{flow}")
}
