//! One HTTP exchange over one connection, with bounds on every size and time.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, HOST, USER_AGENT};
use http::{HeaderName, HeaderValue, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, timeout};

use super::inflate::Body;
use super::target::Target;
use super::{Failure, Fetch, Fetched, Guard, Timing};

/// Timeout until the first byte of the response.
const FIRST_BYTE: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 64;
/// Bytes of a response's status line and headers.
const MOST_HEAD: usize = 32 * 1024;

/// The `Accept-Encoding` of requests.
pub(super) const ENCODINGS: &str = "gzip, deflate";

/// Request headers that a guest may set.
const PERMITTED: [&str; 4] = ["accept", "accept-language", "if-none-match", "if-modified-since"];

/// Whether a guest may send every header, with a value that HTTP can carry.
pub(super) fn permitted(headers: &[(String, String)]) -> bool {
    headers.iter().all(|(name, value)| {
        PERMITTED.contains(&name.to_ascii_lowercase().as_str())
            && value.len() <= 1_024
            && HeaderValue::from_str(value).is_ok()
    })
}

impl Guard {
    /// One exchange at the pinned addresses, without following redirects. Skips the body of a redirect that will be
    /// followed.
    pub(super) async fn exchange(
        &self,
        target: &Target,
        addresses: &[SocketAddr],
        fetch: &Fetch,
        follows: bool,
    ) -> Result<Fetched, Failure> {
        let method = if fetch.head { Method::HEAD } else { Method::GET };
        let mut request = self.head(target, method);
        for (name, value) in &fetch.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Failure::Refused)?;
            request = request.header(name, value.as_str());
        }
        let request = request.body(Full::default()).map_err(|_| Failure::Malformed)?;
        let wanted = Wanted { most: fetch.max_bytes, follows, first_byte: FIRST_BYTE };
        self.ask(target, addresses, request, wanted, &AtomicBool::new(false)).await
    }

    /// One exchange over its own connection. `sent` tells whether the server may have received the request, also if
    /// this future was dropped before its end.
    pub(super) async fn ask(
        &self,
        target: &Target,
        addresses: &[SocketAddr],
        request: Request<Full<Bytes>>,
        wanted: Wanted,
        sent: &AtomicBool,
    ) -> Result<Fetched, Failure> {
        let began = Instant::now();
        let stream = self.connect(target, addresses).await?;
        let connected = Instant::now();
        let (mut sender, connection) = http1::Builder::new()
            .max_headers(MOST_HEADERS)
            .max_buf_size(MOST_HEAD)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|_| Failure::Unreachable)?;
        sent.store(true, Ordering::SeqCst);
        let speak = async {
            let response = timeout(wanted.first_byte, sender.send_request(request)).await;
            let response = response.map_err(|_| Failure::Timeout)?.map_err(|error| failure(&error))?;
            let first_byte = Instant::now();
            let mut fetched = head(&response);
            fetched.url = target.url.as_str().to_owned();
            if !(wanted.follows && location(&fetched).is_some()) {
                (fetched.body, fetched.truncated) = body(response, wanted.most).await?;
            }
            fetched.timing =
                Timing { connect: connected - began, first_byte: first_byte - connected, ..Timing::default() };
            Ok(fetched)
        };
        // The connection is driven here and dropped with the response, so that nothing continues after the call.
        tokio::pin!(connection);
        tokio::pin!(speak);
        let mut open = true;
        loop {
            tokio::select! {
                answer = &mut speak => return answer,
                _ended = &mut connection, if open => open = false,
            }
        }
    }

    /// The request line, and the headers of every request.
    pub(super) fn head(&self, target: &Target, method: Method) -> http::request::Builder {
        let path = match target.url.query() {
            Some(query) => format!("{}?{query}", target.url.path()),
            None => target.url.path().to_owned(),
        };
        let host = match target.url.port() {
            Some(port) => format!("{}:{port}", target.url.host_str().unwrap_or_default()),
            None => target.url.host_str().unwrap_or_default().to_owned(),
        };
        Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, host)
            .header(USER_AGENT, &self.policy.agent)
            .header(ACCEPT_ENCODING, ENCODINGS)
            .header(CONNECTION, "close")
    }
}

/// How to read a response.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Bytes of the decoded body to keep.
    pub(super) most: usize,
    /// Whether a redirect is followed, so that its body is not needed.
    pub(super) follows: bool,
    /// Timeout until the first byte of the response.
    pub(super) first_byte: Duration,
}

/// The target of a redirect (RFC 9110, 15.4), if this is one.
pub(super) fn location(fetched: &Fetched) -> Option<&str> {
    let redirect = matches!(fetched.status, 301 | 302 | 303 | 307 | 308);
    let header = fetched.headers.iter().find(|(name, _)| name == "location").filter(|_| redirect);
    header.map(|(_, value)| value.as_str())
}

fn head(response: &Response<Incoming>) -> Fetched {
    let text = |value: &HeaderValue| value.as_bytes().iter().copied().map(char::from).collect::<String>();
    let text = |value: &HeaderValue| String::from_utf8(value.as_bytes().to_vec()).unwrap_or_else(|_| text(value));
    Fetched {
        status: response.status().as_u16(),
        headers: response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect(),
        ..Fetched::default()
    }
}

async fn body(response: Response<Incoming>, most: usize) -> Result<(Vec<u8>, bool), Failure> {
    let encoding = response.headers().get(CONTENT_ENCODING).map(|value| value.to_str().map(str::to_owned));
    let encoding = encoding.transpose().map_err(|_| Failure::Malformed)?.unwrap_or_default();
    let mut body = Body::new(&encoding, most)?;
    let mut incoming = response.into_body();
    while let Some(frame) = incoming.frame().await {
        // The server had begun to respond, so a broken body is a malformed response and not an unreachable host.
        let frame = frame.map_err(|_| Failure::Malformed)?;
        if let Some(bytes) = frame.data_ref()
            && !body.push(bytes)?
        {
            break;
        }
    }
    body.finish()
}

fn failure(error: &hyper::Error) -> Failure {
    if error.is_parse() || error.is_parse_too_large() { Failure::Malformed } else { Failure::Unreachable }
}
