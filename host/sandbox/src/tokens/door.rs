//! How the OAuth client asks: through the guard, once, following nothing.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use url::Url;

use crate::egress::{Decision, Failure, Guard, Lost, Send};

/// For one answer of a token endpoint.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of one answer.
const LONGEST: usize = 64 * 1024;

/// The guard, as the OAuth client wants it, with what was decided on the way.
pub(super) struct Door<'a> {
    guard: &'a Guard,
    trail: Mutex<Vec<Decision>>,
}

/// There was no answer that can be read.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no answer: {}", .0.failure)]
pub(super) struct NoAnswer(pub(super) Lost);

impl<'a> Door<'a> {
    pub(super) fn new(guard: &'a Guard) -> Self {
        Self { guard, trail: Mutex::default() }
    }

    /// What was decided on each address.
    pub(super) fn into_trail(self) -> Vec<Decision> {
        self.trail.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks, and gives back whatever is answered but a failure of the server's own.
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
        // What the server says of its own trouble is not what it says of the grant.
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
