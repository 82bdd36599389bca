//! One request under way: its id, who sent it, where it stands in the request limit.

use axum::body::{Body, to_bytes};
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use model::grant::Grant;
use model::id::RequestId;
use model::refusal::{Refusal, codes};
use model::scope::ScopeSet;
use service::Service;
use service::limits::Standing;

use crate::{bearer, problem};

/// The header of the request's id.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header of an answer that an earlier request made.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The header of the catalog that answered: the hash over all its locks.
const CATALOG_DIGEST: HeaderName = HeaderName::from_static("service-catalog-digest");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const NOSNIFF: HeaderName = HeaderName::from_static("x-content-type-options");

/// Bytes of a request body: arguments of the usual bound (256 KiB), escaped or indented, with an envelope around. Of an
/// operation with a higher bound of its own see `rest::body_bound`.
pub(crate) const BODY_AT_MOST: usize = 512 * 1024;

/// A request under way.
pub(crate) struct Context<'a> {
    pub(crate) service: &'a Service,
    pub(crate) request: RequestId,
    standing: Option<Standing>,
    /// Scopes that a challenge names beside those that are missing.
    held: ScopeSet,
}

impl<'a> Context<'a> {
    /// A new request.
    pub(crate) fn new(service: &'a Service) -> Self {
        Self {
            service,
            request: RequestId::at(service.core.clock().now(), service.core.entropy()),
            standing: None,
            held: ScopeSet::default(),
        }
    }

    /// 401 and 429: who sent it, and whether there is room for one request more.
    pub(crate) async fn enter(&mut self, headers: &HeaderMap, uri: &Uri) -> Result<Grant, Refusal> {
        let grant = bearer::authenticate(self.service, headers, uri).await?;
        self.standing = Some(self.service.limits.admit_request(&grant)?);
        Ok(grant)
    }

    /// The client asks for the scopes of a challenge alone, so what it holds has to be among them.
    pub(crate) fn keeps(&mut self, held: &ScopeSet) {
        self.held = held.clone();
    }

    /// The answer to a refusal.
    pub(crate) fn refuse(&self, refusal: Refusal) -> Response {
        let mut response = problem::respond(self.service.core.config(), refusal, &self.request, &self.held);
        self.mark(response.headers_mut());
        response
    }

    /// An answer of JSON text.
    pub(crate) fn json(&self, status: StatusCode, body: impl Into<Body>) -> Response {
        let mut response = Response::new(body.into());
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.mark(response.headers_mut());
        response
    }

    /// What every answer carries.
    pub(crate) fn mark(&self, headers: &mut HeaderMap) {
        if let Ok(id) = HeaderValue::from_str(self.request.as_str()) {
            headers.insert(X_REQUEST_ID, id);
        }
        if let Ok(digest) = HeaderValue::from_str(&self.service.core.catalog().current().digest) {
            headers.insert(CATALOG_DIGEST, digest);
        }
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        headers.insert(NOSNIFF, HeaderValue::from_static("nosniff"));
        if let Some(standing) = self.standing.filter(|_| !headers.contains_key(RATELIMIT)) {
            rate_headers(headers, standing);
        }
    }
}

/// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
pub(crate) fn rate_headers(headers: &mut HeaderMap, Standing { limit, quota, window, remaining, reset }: Standing) {
    rate_limit(headers, limit, (quota, window), (remaining, reset));
}

/// The same of a limit by its name: its requests and seconds, what is left of them and when they come back.
pub(crate) fn rate_limit(
    headers: &mut HeaderMap,
    limit: &str,
    (quota, window): (u32, u64),
    (remaining, reset): (u32, u64),
) {
    for (name, text) in [
        (RATELIMIT_POLICY, format!("\"{limit}\";q={quota};w={window}")),
        (RATELIMIT, format!("\"{limit}\";r={remaining};t={reset}")),
    ] {
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(name, value);
        }
    }
}

/// 415 and 413: the bytes of a JSON body, at most this many.
pub(crate) async fn json_body(headers: &HeaderMap, body: Body, most: usize) -> Result<bytes::Bytes, Refusal> {
    if !is_json(headers) {
        return Err(Refusal::of(
            &codes::UNSUPPORTED_MEDIA_TYPE,
            "the body must be JSON, sent as Content-Type: application/json",
        ));
    }
    if !is_plain(headers) {
        return Err(Refusal::of(
            &codes::UNSUPPORTED_MEDIA_TYPE,
            "the body must be sent as it is: Content-Encoding other than identity is not taken",
        ));
    }
    to_bytes(body, most).await.map_err(|error| {
        let error: Box<dyn std::error::Error> = error.into_inner();
        if error.is::<http_body_util::LengthLimitError>() {
            let message = format!("a body has at most {most} bytes; a larger file is handed over as an upload, where an operation takes `upload_ref`");
            Refusal::of(&codes::BODY_TOO_LARGE, message)
        } else {
            Refusal::malformed("the body broke off before its end")
        }
    })
}

/// Whether the body is not packed (RFC 9110, 8.4).
fn is_plain(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(CONTENT_ENCODING).iter().map(HeaderValue::to_str);
    codings
        .into_iter()
        .all(|line| line.is_ok_and(|line| line.split(',').all(|it| it.trim().eq_ignore_ascii_case("identity"))))
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(media)) = headers.get(CONTENT_TYPE).map(HeaderValue::to_str) else { return false };
    let essence = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}
