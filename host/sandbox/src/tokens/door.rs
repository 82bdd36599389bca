//! The HTTP client of the OAuth library: one request through the egress guard, without following redirects.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use url::Url;

use crate::egress::{Decision, Failure, Guard, Lost, Send};

/// Timeout of one token request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of one response.
const LONGEST: usize = 64 * 1024;

/// Adapts the guard to the OAuth library and collects its decisions.
pub(super) struct Door<'a> {
    guard: &'a Guard,
    trail: Mutex<Vec<Decision>>,
}

/// There was no usable response.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no answer: {}", .0.failure)]
pub(super) struct NoAnswer(pub(super) Lost);

impl<'a> Door<'a> {
    pub(super) fn new(guard: &'a Guard) -> Self {
        Self { guard, trail: Mutex::default() }
    }

    pub(super) fn into_trail(self) -> Vec<Decision> {
        self.trail.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request. A server error counts as no response.
    pub(super) async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
        let malformed = |sent| NoAnswer(Lost { failure: Failure::Malformed, sent });
        let (head, body) = request.into_parts();
        let send = Send {
            method: head.method,
            url: Url::parse(&head.uri.to_string()).map_err(|_| malformed(false))?,
            headers: head.headers,
            body: body.into(),
            max_bytes: LONGEST,
            timeout: PATIENCE,
        };
        let mut trail = Vec::new();
        let answer = self.guard.send(send, &mut trail).await;
        self.trail.lock().unwrap_or_else(PoisonError::into_inner).extend(trail);
        let answer = answer.map_err(NoAnswer)?;
        if answer.truncated {
            return Err(malformed(true));
        }
        // A server error says nothing about the grant.
        if answer.status >= 500 || answer.status == 429 {
            return Err(NoAnswer(Lost { failure: Failure::Unreachable, sent: false }));
        }
        let mut response = http::Response::builder().status(answer.status);
        for (name, value) in &answer.headers {
            response = response.header(name, value);
        }
        response.body(answer.body).map_err(|_| malformed(true))
    }
}

impl<'c> AsyncHttpClient<'c> for Door<'_> {
    type Error = NoAnswer;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, NoAnswer>> + std::marker::Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.ask(request))
    }
}
