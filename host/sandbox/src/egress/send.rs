//! Requests to providers, with a method, a body and a credential. Sent to one address and never redirected to another.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use http_body_util::Full;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::exchange::Wanted;
use super::follow::kept;
use super::resolve::{Place, decision};
use super::target;
use super::{Decision, Failure, Fetched, Guard, Verdict};

const MOST_BODY: usize = 8 << 20;
/// The time limit of the whole exchange. Language models are slow.
const LONGEST: Duration = Duration::from_secs(50);

/// A request that is ready to send and holds a credential. Deliberately without `Debug`.
pub struct Send {
    /// The method.
    pub method: Method,
    /// The address.
    pub url: Url,
    /// The headers; the host set or checked each one.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Bytes of the decoded response to keep.
    pub max_bytes: usize,
    /// The time limit of the whole exchange.
    pub timeout: Duration,
}

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The failure.
    pub failure: Failure,
    /// Whether the provider may have received the request nevertheless.
    pub sent: bool,
}

impl Guard {
    /// Sends once. A redirect is returned as the response: a credential is for one origin, and so is a permission.
    ///
    /// # Errors
    /// A failure as for a fetch, and whether the request may have arrived.
    pub async fn send(&self, send: Send, trail: &mut Vec<Decision>) -> Result<Fetched, Lost> {
        let began = Instant::now();
        let sent = AtomicBool::new(false);
        let deadline = began + send.timeout.min(LONGEST);
        let answer = timeout_at(deadline, self.once(send, &sent, trail)).await.unwrap_or(Err(Failure::Timeout));
        let mut fetched = answer.map_err(|failure| Lost { failure, sent: sent.load(Ordering::SeqCst) })?;
        fetched.timing.total = Instant::now() - began;
        Ok(fetched)
    }

    async fn once(&self, send: Send, sent: &AtomicBool, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        let target = kept(target::check(send.url), trail)?;
        let addresses = self.resolve(&target, trail).await?;
        if !target.tls && !self.is_opened(&target, &addresses) {
            trail.push(decision(&target, None, Verdict::Scheme));
            return Err(Failure::Refused);
        }
        let mut request = self.head(&target, send.method);
        for (name, value) in &send.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(send.body)).map_err(|_| Failure::Malformed)?;
        let wanted = Wanted { most: send.max_bytes.min(MOST_BODY), follows: false, first_byte: LONGEST };
        self.ask(&target, &addresses, request, wanted, sent).await
    }

    /// Whether the operator allowed this destination explicitly, by a private range or a mapped host. Only there may a
    /// credential be sent without TLS.
    pub(super) fn is_opened(&self, place: &Place, addresses: &[SocketAddr]) -> bool {
        let opened = |at: &SocketAddr| self.policy.allow_private.iter().any(|range| range.contains(at.ip()));
        self.policy.resolve.contains_key(&place.host.text()) || addresses.iter().all(opened)
    }
}

#[cfg(test)]
mod tests;
