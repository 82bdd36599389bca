//! A request to a provider, with a method, a body and a credential: to one address, and never on to another.

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

/// Bytes of a response's body.
const MOST_BODY: usize = 8 << 20;
/// The whole exchange: a language model takes its time.
const LONGEST: Duration = Duration::from_secs(50);

/// A request that is ready to go, its credential in it. Has no `Debug`.
pub struct Send {
    /// How.
    pub method: Method,
    /// To where.
    pub url: Url,
    /// What is said beside; the host made every one of these or let it through.
    pub headers: HeaderMap,
    /// What is sent.
    pub body: Bytes,
    /// Bytes of the decoded response to keep.
    pub max_bytes: usize,
    /// For everything together.
    pub timeout: Duration,
}

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What happened.
    pub failure: Failure,
    /// Whether the provider may have had the request all the same.
    pub sent: bool,
}

impl Guard {
    /// Sends once. A redirect is the response: a credential is for one origin, and so is a permission.
    ///
    /// # Errors
    /// One of the failures of a fetch, and whether the request may have arrived.
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

    /// Whether the operator opened the way, to a private range or a mapped host: only there a credential travels
    /// without TLS.
    pub(super) fn is_opened(&self, place: &Place, addresses: &[SocketAddr]) -> bool {
        let opened = |at: &SocketAddr| self.policy.allow_private.iter().any(|range| range.contains(at.ip()));
        self.policy.resolve.contains_key(&place.host.text()) || addresses.iter().all(opened)
    }
}

#[cfg(test)]
mod tests;
