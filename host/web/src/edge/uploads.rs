//! `/uploads/{token}`: one file by one PUT, taken piece by piece and never held whole.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use http_body_util::BodyExt as _;
use model::refusal::{Refusal, codes};
use serde_json::json;
use service::Service;
use service::edges::Surface;
use service::edges::uploads::{Declared, Received};

use crate::context::{Context, rate_headers};
use crate::oauth::address::address;

const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");
/// How long a sender may say nothing.
const SILENCE: Duration = Duration::from_secs(30);

pub(super) async fn put(State(service): State<Service>, Path(token): Path<String>, request: Request) -> Response {
    let context = Context::new(&service);
    if let Err(standing) = service.edges.admit_visitor(Surface::Uploads, &address(service.core.config(), &request)) {
        let refusal = Refusal::of(&codes::RATE_LIMITED, "too many requests came from this network");
        let mut response = context.refuse(refusal.retry_after(standing.reset));
        rate_headers(response.headers_mut(), standing);
        return response;
    }
    match receive(&service, &token, request).await {
        Ok(Received { reference, bytes, sha256 }) => {
            let data = json!({ "data": { "upload_ref": reference, "bytes": bytes, "sha256": sha256 } });
            context.json(StatusCode::CREATED, data.to_string())
        }
        Err(refusal) => {
            let mut response = context.refuse(refusal);
            // What is left of the body is not read, so nothing else can come over this connection.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

/// The address is not asked for anything: a wrong method tells nobody whether it leads somewhere.
pub(super) async fn other_method(State(service): State<Service>) -> Response {
    Context::new(&service).refuse(Refusal::method_not_allowed("PUT"))
}

async fn receive(service: &Service, token: &str, request: Request) -> Result<Received, Refusal> {
    let declared = declared(request.headers())?;
    let mut reception = service.edges.receive(token, declared).await?;
    let mut body: Body = request.into_body();
    loop {
        let frame = tokio::time::timeout(SILENCE, body.frame()).await;
        match frame.map_err(|_| Refusal::malformed("nothing came for 30 seconds"))? {
            None => return reception.finish().await,
            Some(Ok(frame)) => {
                if let Some(bytes) = frame.data_ref() {
                    reception.push(bytes).await?;
                }
            }
            Some(Err(_)) => return Err(Refusal::malformed("the body broke off before its end")),
        }
    }
}

fn declared(headers: &HeaderMap) -> Result<Declared, Refusal> {
    let one = |name: HeaderName| -> Result<Option<String>, Refusal> {
        let mut values = headers.get_all(&name).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return match headers.contains_key(&name) {
                true => Err(Refusal::malformed(format!("{name} is given more than once"))),
                false => Ok(None),
            };
        };
        let text = value.to_str().map_err(|_| Refusal::malformed(format!("{name} is not text")))?;
        Ok(Some(text.trim().to_ascii_lowercase()))
    };
    let media_type = one(CONTENT_TYPE)?.and_then(|text| Some(text.split(';').next()?.trim().to_owned()));
    let length = one(CONTENT_LENGTH)?.and_then(|text| text.parse().ok());
    Ok(Declared { media_type, encoding: one(CONTENT_ENCODING)?, length, sha256: digest(headers)? })
}

/// The SHA-256 of `Content-Digest`, a dictionary of RFC 9651 3.2 (RFC 9530 2); other algorithms are not ours to check.
fn digest(headers: &HeaderMap) -> Result<Option<[u8; 32]>, Refusal> {
    let wrong = || Refusal::malformed("Content-Digest is sha-256=: the digest in base 64 :");
    let mut found = None;
    for line in headers.get_all(CONTENT_DIGEST) {
        for member in line.to_str().map_err(|_| wrong())?.split(',') {
            let Some(value) = member.trim().strip_prefix("sha-256=") else { continue };
            let bytes = value.split(';').next().and_then(|it| it.strip_prefix(':')?.strip_suffix(':'));
            let bytes = STANDARD.decode(bytes.ok_or_else(wrong)?).map_err(|_| wrong())?;
            found = Some(bytes.try_into().map_err(|_| wrong())?);
        }
    }
    Ok(found)
}
