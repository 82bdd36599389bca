//! Checks of a guest's request. Every part is checked against the kind and the lock file before a credential is opened.

use std::time::Duration;

use bytes::Bytes;
use catalog::kinds::{Auth, DEFAULT, Endpoint, Kind};
use catalog::lock::Entry;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use model::clock::Moment;
use model::outside::{Line, Method, Path, Pattern};
use sha2::{Digest as _, Sha256};
use store::Connection;
use url::Url;

use super::answer;
use super::credential::Credential;
use super::inject::{self, Parts};
use crate::egress::Send;
use crate::secrets::Sealed;

const MOST_BODY: usize = 8 << 20;
/// Bytes of one header value.
const MOST_VALUE: usize = 4 * 1024;
const MOST_QUERY: usize = 8 * 1024;
/// Request headers that a guest may set.
const HEADERS: [&str; 6] =
    ["accept", "accept-language", "content-type", "if-match", "if-none-match", "if-modified-since"];
/// Query parameters that a guest may never set: they carry a credential or override the method.
const PARAMETERS: [&str; 4] = ["access_token", "_method", "x-http-method-override", "x_http_method_override"];

/// A request as the guest made it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) service: Option<String>,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) max_bytes: usize,
    pub(crate) timeout: Duration,
}

/// Why a request is refused, for the audit trail and the module's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) String);

/// A checked request without its credential.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    asked: Asked,
    headers: HeaderMap,
    url: Url,
    /// Scheme, host and port of the endpoint; `None` for the provider's own.
    origin: Option<String>,
}

impl Asked {
    /// Checks that the request is well formed. Returns the path that a line of the lock file must permit.
    pub(crate) fn path(&self, kind: &Kind) -> Result<Path, Refused> {
        let path: Path = self.path.parse().map_err(|error| Refused(format!("{error}")))?;
        if path.has_encoded_slash() && !kind.encoded_slashes {
            return Err(Refused("a slash is encoded in the path, which this provider may decode".to_owned()));
        }
        if kind.closes(&path, self.method) {
            return Err(Refused("whatever a line says, this path of the kind is closed".to_owned()));
        }
        Ok(path)
    }

    /// The line of the lock file that permits the request.
    pub(crate) fn line<'a>(&self, entry: &'a Entry, kind: &str, path: &Path) -> Result<&'a Line, Refused> {
        let service = self.service.as_deref().filter(|name| *name != DEFAULT);
        line(entry, kind, service, self.method, path)
    }

    /// Resolves the request's address and checks every part.
    pub(crate) fn check(self, kind: &Kind, connection: &Connection, auth: &Auth) -> Result<Checked, Refused> {
        let refuse = |what: &str| Err(Refused(what.to_owned()));
        let (base, origin) = base(kind, self.service.as_deref(), connection.endpoint.as_deref())?;
        let mut url = Url::parse(&format!("{base}{}", self.path)).map_err(|_| Refused("no address".to_owned()))?;
        let kept = Url::parse(&base).is_ok_and(|base| {
            let path = format!("{}{}", base.path().trim_end_matches('/'), self.path);
            url.origin() == base.origin() && url.path() == path
        });
        if !kept || url.query().is_some() || url.fragment().is_some() {
            return refuse("the path makes another address of it");
        }
        for (name, _) in &self.query {
            if says_otherwise(name, kind, auth) {
                return refuse("a parameter of the query says another method, another route or a credential");
            }
        }
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        if url.query().is_some_and(|query| query.len() > MOST_QUERY) {
            return refuse("the query is longer than 8 KiB");
        }
        if self.body.len() > MOST_BODY {
            return refuse("the body is longer than 8 MiB");
        }
        if !self.body.is_empty() && matches!(self.method, Method::Get | Method::Head) {
            return refuse("GET and HEAD have no body");
        }
        let headers = headers(&self.headers, !self.body.is_empty(), kind)?;
        Ok(Checked { asked: self, headers, url, origin })
    }
}

impl Checked {
    /// Whether a credential was entered for this destination.
    pub(crate) fn is_for(&self, credential: &Credential) -> bool {
        credential.is_for(self.origin.as_deref())
    }

    /// A digest of method, address and body that identifies the request. Excludes the credential and secret arguments.
    pub(crate) fn digest(&self, sealed: &Sealed) -> String {
        let body = sealed.closed(&self.asked.body);
        let mut hash = Sha256::new();
        let content_type = self.headers.get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
        for part in [self.asked.method.as_str().as_bytes(), self.url.as_str().as_bytes(), content_type, &body] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        format!("sha256:{}", model::token::hex(&hash.finalize()))
    }

    /// Adds the credential, the secret arguments that the body names, and the idempotency key if the provider supports one.
    pub(crate) fn authorised(
        &self,
        kind: &Kind,
        auth: &Auth,
        credential: &Credential,
        sealed: &Sealed,
        key: &str,
        now: Moment,
    ) -> Option<Send> {
        let (mut url, mut headers, mut body) =
            (self.url.clone(), self.headers.clone(), sealed.opened(&self.asked.body));
        let parts = Parts { url: &mut url, headers: &mut headers, body: &mut body, now, message: key };
        inject::inject(auth, credential, parts)?;
        if let Some(name) = &kind.idempotency {
            headers.insert(HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(key).ok()?);
        }
        if !body.is_empty() && !headers.contains_key(CONTENT_TYPE) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        Some(Send {
            method: http::Method::from_bytes(self.asked.method.as_str().as_bytes()).ok()?,
            url,
            headers,
            body: Bytes::from(body),
            // Extra bytes, so that no secret is cut in half.
            max_bytes: self.asked.max_bytes.saturating_add(answer::margin(kind, credential, sealed)),
            timeout: self.asked.timeout,
        })
    }
}

/// The line of the lock file that permits a request.
pub(crate) fn line<'a>(
    entry: &'a Entry,
    kind: &str,
    service: Option<&str>,
    method: Method,
    path: &Path,
) -> Result<&'a Line, Refused> {
    let about = |line: &&Line| line.permits(kind, service, method, path);
    match entry.outside.iter().find(about) {
        Some(line) if entry.may(line) => Ok(line),
        Some(line) => Err(Refused(format!("`{line}` is not permitted to a {}", entry.kind.as_str()))),
        None => {
            // The path may contain personal data, so show only what a line spells out.
            let shared = |pattern: &Pattern| pattern.shared(path);
            let shapes = entry.outside.iter().filter(|line| line.kind == kind).map(|line| shared(&line.path));
            let shape = shapes.min_by_key(|shape| shape.matches('*').count()).unwrap_or_else(|| "/*".to_owned());
            Err(Refused(format!("no line permits {kind} {method} {shape}")))
        }
    }
}

/// The base address of the service, and the origin of the endpoint if the connection has one.
fn base(kind: &Kind, service: Option<&str>, endpoint: Option<&str>) -> Result<(String, Option<String>), Refused> {
    let Some(service) = kind.service(service) else { return Err(Refused("the kind has no such service".to_owned())) };
    match (endpoint, &service.base) {
        (Some(endpoint), _) => {
            let origin = origin(endpoint).ok_or_else(|| Refused("the endpoint is no address".to_owned()))?;
            Ok((endpoint.trim_end_matches('/').to_owned(), Some(origin)))
        }
        (None, Some(base)) => Ok((base.clone(), None)),
        (None, None) => Err(Refused("the connection has no endpoint".to_owned())),
    }
}

/// Scheme, host and port of an address.
pub(crate) fn origin(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let port = url.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{}{port}", url.scheme(), url.host_str()?))
}

/// The host of an address.
pub(crate) fn host(address: &str) -> Option<String> {
    Url::parse(address).ok()?.host_str().map(str::to_owned)
}

/// Validates and normalises an endpoint that a customer entered.
pub(crate) fn endpoint(kind: &Kind, given: Option<&str>) -> Result<Option<String>, String> {
    let Some(given) = given else {
        return match kind.endpoint {
            Endpoint::Own => Err("this kind needs the address of the customer's own endpoint".to_owned()),
            Endpoint::Provider | Endpoint::Optional => Ok(None),
        };
    };
    let Ok(url) = Url::parse(given) else { return Err("it is not an address".to_owned()) };
    let web = url.scheme() == "http" && !kind.takes_mail();
    let scheme = web || kind.schemes.iter().any(|scheme| scheme == url.scheme());
    let plain =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    if !scheme || !plain || url.host_str().is_none_or(str::is_empty) || given.len() > 2_048 {
        let schemes = kind.schemes.join(" or ");
        return Err(format!(
            "an endpoint begins with {schemes} and has a host and a path, and no user, query or fragment"
        ));
    }
    // Only web addresses get "/" for a missing path; `smtps` does not (WHATWG URL, 4.4).
    let path = url.path().trim_end_matches('/');
    if kind.takes_mail() && !path.is_empty() {
        return Err("a server of mail has a host, perhaps a port, and no path".to_owned());
    }
    if !path.is_empty() && path.parse::<Path>().is_err() {
        return Err("the path of the endpoint leads elsewhere".to_owned());
    }
    Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
}

/// Whether a parameter could be read as something other than data. Some parsers, such as PHP's, turn a dot or a space
/// in a name into an underscore, or end the name at a bracket.
fn says_otherwise(name: &str, kind: &Kind, auth: &Auth) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let read = name.split(['[', '\0']).next().unwrap_or_default().replace(['.', ' ', '-'], "_");
    let is = |refused: &str| {
        let refused = refused.to_ascii_lowercase();
        name == refused || read == refused
    };
    PARAMETERS.into_iter().any(is)
        || kind.refused_parameters.iter().any(|refused| is(refused))
        || matches!(auth, Auth::Query { parameter, .. } if is(parameter))
}

fn headers(given: &[(String, String)], has_body: bool, kind: &Kind) -> Result<HeaderMap, Refused> {
    let refuse = |what: &str| Err(Refused(what.to_owned()));
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let name = name.to_ascii_lowercase();
        if !HEADERS.contains(&name.as_str()) && !kind.headers.contains(&name) {
            return refuse("a header that this kind does not take");
        }
        let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) else {
            return refuse("a header that HTTP cannot carry");
        };
        if value.len() > MOST_VALUE || headers.insert(name, value).is_some() {
            return refuse("a header that is there twice or has more than 4 KiB");
        }
    }
    let content_type = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let media = content_type.map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    match media {
        Some(media) if has_body && !kind.bodies.contains(&media) => refuse("a media type that this kind does not take"),
        _ => Ok(headers),
    }
}

#[cfg(test)]
mod tests;
