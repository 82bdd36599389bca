//! What the registry of the tests answers, request by request.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::{Harm, LOGIN, Lock, READER, Registry, digest};

/// The longest upload.
const UPLOAD: usize = 32 << 20;

pub(super) async fn answer(State(registry): State<Registry>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, UPLOAD).await else { return StatusCode::PAYLOAD_TOO_LARGE.into_response() };
    let path = head.uri.path().to_owned();
    {
        let mut shelf = registry.shelf();
        shelf.requests.push(format!("{} {path}", head.method));
        shelf.shown += usize::from(head.headers.contains_key("authorization"));
    }
    if path == "/token" {
        return token(&head.headers, &head.uri);
    }
    if !registry.lets(&head.headers, !matches!(head.method, Method::GET | Method::HEAD)) {
        return registry.refusal();
    }
    if path == "/v2/" {
        return "{}".into_response();
    }
    let parts: Vec<&str> = path.split('/').collect();
    match (head.method.as_str(), parts.as_slice()) {
        ("POST", [_, "v2", .., "blobs", "uploads", ""]) => {
            (StatusCode::ACCEPTED, [("location", format!("{path}session?state=1"))]).into_response()
        }
        ("PUT", [_, "v2", .., "blobs", "uploads", "session"]) => registry.upload(&head.uri, body),
        ("PUT", [_, "v2", .., "manifests", tag]) => registry.tag(&path, tag, body),
        ("GET" | "HEAD", [_, "v2", .., "manifests", at]) => registry.give_manifest(at),
        ("GET" | "HEAD", [_, "v2", .., "blobs", digest]) => registry.give_blob(digest, &head.method),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

impl Registry {
    fn refusal(&self) -> Response {
        let shelf = self.shelf();
        let office = match &shelf.harm {
            Some(Harm::Office(office)) => office.clone(),
            _ => format!("http://{}/token", self.address),
        };
        let how = match shelf.lock {
            Some(Lock::Basic) => "Basic realm=\"tests\"".to_owned(),
            _ => format!("Bearer realm=\"{office}\",service=\"tests\""),
        };
        (StatusCode::UNAUTHORIZED, [("www-authenticate", how)], "{}").into_response()
    }

    /// Whether this may be done by whoever shows that.
    fn lets(&self, headers: &HeaderMap, writing: bool) -> bool {
        let shown = headers.get("authorization").and_then(|it| it.to_str().ok()).unwrap_or_default();
        match self.shelf().lock {
            None => true,
            Some(Lock::Token) => shown == "Bearer pull,push" || (shown == "Bearer pull" && !writing),
            Some(Lock::Basic) => shown == basic(LOGIN) || (shown == basic(READER) && !writing),
        }
    }

    fn upload(&self, uri: &Uri, body: Bytes) -> Response {
        let told = uri.query().unwrap_or_default().split('&').find_map(|it| it.strip_prefix("digest="));
        let found = digest(&body);
        if told.map(|told| told.replace("%3A", ":")) != Some(found.clone()) {
            return (StatusCode::BAD_REQUEST, json!({ "errors": [{ "code": "DIGEST_INVALID" }] }).to_string())
                .into_response();
        }
        let mut shelf = self.shelf();
        shelf.uploads += 1;
        shelf.blobs.insert(found.clone(), body);
        (StatusCode::CREATED, [("location", format!("/v2/blobs/{found}"))]).into_response()
    }

    fn tag(&self, path: &str, tag: &str, body: Bytes) -> Response {
        let found = digest(&body);
        let manifest: Value = serde_json::from_slice(&body).unwrap_or_default();
        let mut shelf = self.shelf();
        let layers = manifest["layers"].as_array().into_iter().flatten().chain([&manifest["config"]]);
        let known = |it: &Value| it["digest"].as_str().is_some_and(|digest| shelf.blobs.contains_key(digest));
        if !layers.into_iter().all(known) {
            return StatusCode::BAD_REQUEST.into_response();
        }
        shelf.manifests.insert(found.clone(), body);
        shelf.tags.insert(tag.to_owned(), found);
        (StatusCode::CREATED, [("location", path.to_owned())]).into_response()
    }

    fn give_manifest(&self, at: &str) -> Response {
        let shelf = self.shelf();
        let found = shelf.tags.get(at).map_or(at, String::as_str);
        let Some(bytes) = shelf.manifests.get(found) else { return StatusCode::NOT_FOUND.into_response() };
        let body = match &shelf.harm {
            Some(Harm::OtherManifest) => Body::from(flipped(bytes)),
            Some(Harm::Endless) => endless(),
            _ => Body::from(bytes.clone()),
        };
        ([("content-type", "application/vnd.oci.image.manifest.v1+json")], body).into_response()
    }

    fn give_blob(&self, digest: &str, method: &Method) -> Response {
        let shelf = self.shelf();
        let Some(bytes) = shelf.blobs.get(digest) else { return StatusCode::NOT_FOUND.into_response() };
        let half = bytes.slice(..bytes.len() / 2);
        let body = match shelf.harm.as_ref().filter(|_| method == Method::GET) {
            Some(Harm::OtherBytes) => Body::from(flipped(bytes)),
            Some(Harm::Short) => Body::from(half),
            Some(Harm::Broken) => broken(half),
            Some(Harm::Endless) => endless(),
            Some(Harm::Elsewhere(origin)) => {
                let place = format!("{origin}/v2/tests/blobs/{digest}");
                return (StatusCode::TEMPORARY_REDIRECT, [("location", place)]).into_response();
            }
            Some(Harm::Status(status)) => {
                return StatusCode::from_u16(*status).expect("a status").into_response();
            }
            _ => Body::from(bytes.clone()),
        };
        body.into_response()
    }
}

/// A token is the actions that it permits.
fn token(headers: &HeaderMap, uri: &Uri) -> Response {
    let shown = headers.get("authorization").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let write = uri.query().unwrap_or_default().contains("push");
    let given = match shown {
        it if it == basic(LOGIN) && write => "pull,push",
        it if it == basic(LOGIN) || it == basic(READER) => "pull",
        _ => return StatusCode::UNAUTHORIZED.into_response(),
    };
    json!({ "token": given }).to_string().into_response()
}

fn basic((user, password): (&str, &str)) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

fn flipped(bytes: &Bytes) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(last) = bytes.last_mut() {
        *last ^= 1;
    }
    bytes
}

/// Bytes, and the end of the connection once they have gone out.
fn broken(bytes: Bytes) -> Body {
    let end = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Err(std::io::Error::other("broken off"))
    };
    Body::from_stream(stream::iter([Ok(bytes)]).chain(stream::once(end)))
}

fn endless() -> Body {
    Body::from_stream(stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(&[b' '; 65_536]))))
}
