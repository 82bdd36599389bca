//! One provider on one listener: takes requests, records them, bends answers by the planned faults.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as Incoming, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp, fmt::rfc2822};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::fault::{Fault, Faults};
use crate::lock;
use crate::provider::{Desk, Effect, Provider, Sites};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;

/// The longest body that is read.
const BODY: usize = 32 << 20;
/// Headers and parameters whose value is a credential: only whether it was right is recorded.
const SECRET: [&str; 9] =
    ["authorization", "cookie", "x-api-key", "x-auth-key", "apikey", "key", "access_token", "secretapikey", "code"];

/// A request that came.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    /// The method.
    pub method: String,
    /// The path and, without credentials, the query.
    pub path: String,
    /// Lower-case names and values, without the credential's.
    pub headers: Vec<(String, String)>,
    /// What the provider thought of the credential.
    pub auth: Auth,
    /// The value of `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// Bytes of the body.
    pub body_bytes: usize,
    /// What went wrong with it, as planned.
    pub fault: Option<Fault>,
}

/// A running provider, as a test holds it. Clones are the same provider.
#[derive(Clone)]
pub struct Simulator(Arc<Inner>);

struct Inner {
    name: &'static str,
    address: SocketAddr,
    provider: Box<dyn Provider>,
    desk: Desk,
    faults: Faults,
    requests: Mutex<Vec<Recorded>>,
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.0.name, self.0.address)
    }
}

impl Simulator {
    pub(crate) async fn start(
        name: &'static str,
        port: u16,
        seed: Seed,
        sites: Sites,
        provider: Box<dyn Provider>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let desk = Desk::new(format!("http://{address}"), seed, sites);
        let requests = Mutex::default();
        let this = Self(Arc::new(Inner { name, address, provider, desk, faults: Faults::default(), requests }));
        let router = Router::new().fallback(take).with_state(this.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(this)
    }

    /// The connection kind, such as `wordpress`; kinds with several providers name the provider, such as `cloudflare`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// The address to use in place of the provider's origin, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        self.0.desk.url.clone()
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// What to paste as the credential. All of it is made up.
    #[must_use]
    pub fn credentials(&self) -> Value {
        self.0.provider.credentials()
    }

    /// Lets the next requests fail, as many as said.
    pub fn fault(&self, fault: Fault, times: u32) {
        self.0.faults.plan(fault, Some(times), "");
    }

    /// Lets the next requests fail whose path begins so; without a number, until [`Simulator::clear_faults`].
    pub fn fault_on(&self, path: &str, fault: Fault, times: Option<u32>) {
        self.0.faults.plan(fault, times, path);
    }

    /// Forgets all planned faults.
    pub fn clear_faults(&self) {
        self.0.faults.clear();
    }

    /// Every request so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.0.requests).clone()
    }

    /// Everything that took effect so far, oldest first.
    #[must_use]
    pub fn effects(&self) -> Vec<Effect> {
        self.0.desk.effects()
    }
}

async fn take(State(simulator): State<Simulator>, incoming: Incoming) -> Response {
    let inner = &*simulator.0;
    let (head, body) = incoming.into_parts();
    let Ok(body) = axum::body::to_bytes(body, BODY).await else {
        return plain(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let query = head.uri.query().unwrap_or_default();
    let request = Request::new(head.method.as_str(), head.uri.path(), query, head.headers, body);
    let auth = inner.provider.auth(&request);
    let fault = inner.faults.take(&request.path);
    lock(&inner.requests).push(recorded(&request, auth, fault));
    let answer = || match auth {
        Auth::Right | Auth::NotNeeded => inner.provider.answer(&request, &inner.desk),
        Auth::Missing | Auth::Wrong => inner.provider.refused(&request),
    };
    match fault {
        None => whole(answer()),
        Some(Fault::Timeout) => std::future::pending().await,
        Some(Fault::AnswerLost) => {
            answer();
            std::future::pending().await
        }
        Some(Fault::RateLimited) => whole(inner.provider.rate_limited(&request)),
        Some(Fault::ServerError) => whole(inner.provider.broken(&request)),
        Some(Fault::Unauthorized) => whole(inner.provider.refused(&request)),
        Some(Fault::Truncated) => truncated(answer()),
        Some(Fault::SlowDrip) => drip(answer()),
        Some(Fault::WrongJson) => {
            answer();
            whole(Reply::ok(&json!({ "unexpected": [true, { "shape": 7 }] })))
        }
        Some(Fault::NotJson) => {
            answer();
            whole(Reply::text(200, "text/html", "<html><head><title>Gateway</title></head><body>Please wait.</body>"))
        }
        Some(Fault::ClockSkew) => {
            let ahead = Timestamp::now() + SignedDuration::from_hours(24);
            let date = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&ahead).unwrap_or_default();
            whole(answer().header("date", date))
        }
    }
}

fn recorded(request: &Request, auth: Auth, fault: Option<Fault>) -> Recorded {
    let open: Vec<String> = request
        .query
        .iter()
        .filter(|(name, _)| !SECRET.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let query = if open.is_empty() { String::new() } else { format!("?{}", open.join("&")) };
    let headers = request.headers.iter().filter(|(name, _)| !SECRET.contains(&name.as_str()));
    Recorded {
        method: request.method.clone(),
        path: format!("{}{query}", request.path),
        headers: headers
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        auth,
        idempotency_key: request.header("idempotency-key").map(str::to_owned),
        body_bytes: request.body.len(),
        fault,
    }
}

fn plain(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

fn with(reply: Reply, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in reply.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().append(HeaderName::from_static(name), value);
        }
    }
    response
}

fn whole(mut reply: Reply) -> Response {
    let body = std::mem::take(&mut reply.body);
    with(reply, Body::from(body))
}

/// The length of the whole body is announced, half of it is sent, and the connection is closed.
fn truncated(mut reply: Reply) -> Response {
    let mut body = std::mem::take(&mut reply.body);
    if body.len() < 2 {
        body = b"{}".to_vec();
        reply.status = 200;
    }
    let announced = body.len();
    body.truncate(announced / 2);
    // The half goes out on its own before the end comes.
    let cut = stream::once(async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
    });
    let parts = stream::iter([Ok(Bytes::from(body))]).chain(cut);
    with(reply.header("content-length", announced), Body::from_stream(parts))
}

/// One byte each 200 ms.
fn drip(mut reply: Reply) -> Response {
    let mut body = std::mem::take(&mut reply.body);
    if body.is_empty() {
        body = vec![b' '; 64];
    }
    let bytes = stream::iter(body).then(|byte| async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok::<_, std::io::Error>(Bytes::from(vec![byte]))
    });
    with(reply, Body::from_stream(bytes))
}
