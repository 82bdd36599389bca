//! `/connect/callback`: a browser comes back from a provider with a code. What is in its address is worth nothing
//! without the session that went there.

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use service::Service;
use service::connect::NotConnected;
use service::edges::Surface;

use super::{full, unavailable, unlisted};
use crate::portal::page::problem;
use crate::portal::visitor::Visitor;

pub(super) async fn get(State(service): State<Service>, request: Request) -> Response {
    if let Some(response) = full(&service, Surface::Connect, &request) {
        return response;
    }
    let Ok(visitor) = Visitor::read(service.core.authority(), request.headers()).await else { return unavailable() };
    let query = request.uri().query().unwrap_or_default();
    match service.consents.return_from_consent(query, visitor.session.as_ref()).await {
        Ok(connected) => {
            let words = format!("{} is connected as “{}”. You can close this page.", connected.title, connected.name);
            unlisted(problem(StatusCode::OK, "Connected", &words))
        }
        Err(NotConnected::Store(_)) => unavailable(),
        Err(reason) => unlisted(nothing(&reason)),
    }
}

/// The page for an account that was not connected.
pub(crate) fn nothing(reason: &NotConnected) -> Response {
    let status = match reason {
        NotConnected::Unknown => StatusCode::NOT_FOUND,
        NotConnected::Expired | NotConnected::Used => StatusCode::GONE,
        NotConnected::NotYours | NotConnected::Declined => StatusCode::FORBIDDEN,
        NotConnected::Issuer => StatusCode::BAD_REQUEST,
        NotConnected::Provider => StatusCode::BAD_GATEWAY,
        NotConnected::NoClient | NotConnected::Full | NotConnected::Changed => StatusCode::CONFLICT,
        NotConnected::Store(_) => return unavailable(),
    };
    problem(status, "Nothing was connected", &reason.to_string())
}
