//! Public pages over HTTP, by the host's guarded path.

use crate::bindings::wit::web as wit;
use crate::host::Host;
use crate::value::Url;
use crate::{Cx, Fault};

/// Where a response came from.
pub use crate::bindings::wit::web::Cached;
/// Why there is no answer; `.name()` is one word for a record or a result, such as `timeout`.
pub use crate::bindings::wit::web::Failure;
/// One exchange: the address that answered, its status, headers, redirects, body and timing.
pub use crate::bindings::wit::web::Response;

/// One request for a public page. Defaults: GET, 5 redirects, 2 MiB, 10 seconds, and the site is really asked.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Request(wit::Request);

impl Request {
    /// Asks for a page.
    pub fn get(url: &Url) -> Self {
        Self::new(wit::Method::Get, url)
    }

    /// Asks for a page's headers only.
    pub fn head(url: &Url) -> Self {
        Self::new(wit::Method::Head, url)
    }

    /// One of `accept`, `accept-language`, `if-none-match`, `if-modified-since`; the host refuses others.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.0.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Redirects to follow, at most 10.
    pub fn follow(mut self, redirects: u8) -> Self {
        self.0.follow = redirects;
        self
    }

    /// Body bytes to keep after decoding, at most 8 MiB.
    pub fn max_bytes(mut self, bytes: u32) -> Self {
        self.0.max_bytes = bytes;
        self
    }

    /// Milliseconds for the whole exchange, at most 30,000.
    pub fn timeout(mut self, milliseconds: u32) -> Self {
        self.0.timeout_ms = milliseconds;
        self
    }

    /// What the host kept is good enough while it is fresh; the response says so in `cached` and `age`.
    pub fn any_age(mut self) -> Self {
        self.0.freshness = wit::Freshness::Any;
        self
    }

    fn new(method: wit::Method, url: &Url) -> Self {
        Self(wit::Request {
            method,
            url: url.as_str().to_owned(),
            headers: Vec::new(),
            follow: 5,
            max_bytes: 2 << 20,
            timeout_ms: 10_000,
            freshness: wit::Freshness::Fresh,
        })
    }
}

impl Response {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Whether the status is 200 to 299.
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// The body as text, in the encoding that browsers would read it in: by its byte order mark, its `content-type`,
    /// what its first 1,024 bytes declare, or else by a guess. Bytes that are none in that encoding are replaced.
    pub fn text(&self) -> String {
        charset::decode(&self.body, self.header("content-type")).0.into_owned()
    }
}

impl Failure {
    /// One word for a record or a result, such as `timeout`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Unresolved => "unresolved",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Redirects => "redirects",
            Self::Tls => "tls",
            Self::Malformed => "malformed",
            Self::Paced(_) => "paced",
            Self::Disallowed => "disallowed",
        }
    }

    /// The refusal of an operation that stands and falls with one page, where the host was not asked for it at all:
    /// it asked for a pause, or forbids the page. None for what is the page's own failure.
    pub fn unasked(self, pointer: &str) -> Option<Fault> {
        match self {
            Self::Paced(seconds) => {
                let message = format!("the page's host wants to be left alone for {seconds} seconds; ask again then");
                let fault = Fault::unavailable("host_paced", message).at(pointer);
                Some(fault.detail(serde_json::json!({ "retry_after": seconds })))
            }
            Self::Disallowed => {
                let message = "the robots.txt of the page's host forbids it to EspalierBot, or does not answer; \
                               who runs the host can allow it there";
                Some(Fault::conflict("robots_disallowed", message).at(pointer))
            }
            _ => None,
        }
    }
}

/// Public pages. Made by `Cx::web`.
pub struct Web<'a> {
    pub(crate) cx: &'a Cx,
}

impl Web<'_> {
    /// Fetches one page.
    pub fn fetch(&self, request: &Request) -> Result<Response, Failure> {
        self.cx.host.fetch(&request.0)
    }

    /// Fetches many, at most 8 at a time; answers in the order of the requests.
    pub fn fetch_many(&self, requests: impl IntoIterator<Item = Request>) -> Vec<Result<Response, Failure>> {
        let requests: Vec<_> = requests.into_iter().map(|it| it.0).collect();
        self.cx.host.fetch_many(&requests)
    }
}
