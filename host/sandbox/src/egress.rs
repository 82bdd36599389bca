//! The egress guard: every request of every guest is checked here before a packet leaves, and again at each redirect.
//!
//! The order is fixed. The URL is parsed once, by WHATWG rules, so that `0x7f.1` is already an address. Its scheme,
//! port, user part and name are checked, the name is resolved, and every address is classified. The connection is made
//! to a classified address and to nothing else. A guest learns only `refused`; the reason is in [`Decision`].
//!
//! A fetch follows at most 10 redirects and lasts at most 30 seconds. Both bounds are generous on purpose: an audit
//! must see a chain of redirects to its end to report it, and a slow page is a finding. They are safe, since every hop
//! passes every check again and the call's own wall limit ends a fetch that takes too long.

pub mod address;
mod connect;
pub mod dns;
mod exchange;
mod follow;
mod inflate;
mod kept;
mod manners;
mod queues;
mod resolve;
mod robots;
mod send;
mod submit;
mod target;
pub mod tls;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use catalog::reach::Reach;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::RootCertStore;

pub use self::address::Cidr;
pub use self::connect::authorities;
pub use self::manners::{Lane, Manners, Obey};
pub use self::send::{Lost, Send};
pub use self::submit::{Account, Envelope, Greeting, Reply, Undelivered};
use crate::config::OutboundPolicy;

/// The egress guard: the policy and the trusted certificate authorities.
pub struct Guard {
    policy: OutboundPolicy,
    tls: TlsConnector,
    /// Without ALPN, for mail.
    mail: TlsConnector,
    roots: Arc<RootCertStore>,
    names: dns::Names,
    robots: robots::Known,
    queues: queues::Queues,
}

/// Why the guard cannot be constructed.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// The TLS library rejected its own defaults.
    #[error("secure connections cannot be set up: {0}")]
    Tls(String),
    /// The policy's trust anchor cannot be parsed.
    #[error("names cannot be validated: {0}")]
    Names(String),
}

/// A page fetch.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// HEAD instead of GET.
    pub head: bool,
    /// The address, in any form that a browser accepts.
    pub url: String,
    /// Only `accept`, `accept-language`, `if-none-match` and `if-modified-since`.
    pub headers: Vec<(String, String)>,
    /// Redirects to follow; with 0 the redirect itself is the response.
    pub follow: u8,
    /// Bytes of the decoded body to keep; the rest is not read.
    pub max_bytes: usize,
    /// The time limit of the whole fetch.
    pub timeout: Duration,
    /// Whether a cached response is acceptable.
    pub freshness: Freshness,
    /// The bounds that the lock file sets for the operation; `None` allows any public page.
    pub within: Option<Arc<Reach>>,
}

/// Which responses are acceptable, as in `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Ask the site now, with the validators of the cached response.
    #[default]
    Fresh,
    /// Use the cached response while it is fresh.
    Any,
}

/// Where a page came from, as in `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cached {
    /// From the site.
    #[default]
    None,
    /// From the cache, still fresh.
    Fresh,
    /// From the cache, after the site confirmed that it is unchanged.
    Revalidated,
}

/// A fetched page.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// The address of the final response.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The headers in the order received, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The redirects that were followed.
    pub hops: Vec<Hop>,
    /// The decoded body.
    pub body: Vec<u8>,
    /// Whether the body was longer than the bytes to keep.
    pub truncated: bool,
    /// The timing of the last exchange, and the total of all.
    pub timing: Timing,
    /// Where the page came from.
    pub cached: Cached,
    /// The time since the site sent or confirmed the page.
    pub age: Duration,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The address that redirected.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The `Location` header as received.
    pub location: String,
}

/// The timing of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Name resolution.
    pub dns: Duration,
    /// Connection setup, including the TLS handshake.
    pub connect: Duration,
    /// From the request to the first byte of the response.
    pub first_byte: Duration,
    /// Everything, including redirects.
    pub total: Duration,
}

/// Why there is no page, as in `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The address is not allowed.
    #[error("refused")]
    Refused,
    /// The name does not resolve.
    #[error("unresolved")]
    Unresolved,
    /// The connection failed or was lost.
    #[error("unreachable")]
    Unreachable,
    /// The time limit was reached.
    #[error("timeout")]
    Timeout,
    /// More redirects than allowed, or a redirect loop.
    #[error("redirects")]
    Redirects,
    /// No TLS connection.
    #[error("tls")]
    Tls,
    /// Not HTTP, or beyond a limit on headers or decompression.
    #[error("malformed")]
    Malformed,
    /// The host's next rate-limit slot is only after this time, which is too long to wait. Nothing was sent.
    #[error("paced")]
    Paced(Duration),
    /// The origin's robots.txt forbids it. Nothing was sent.
    #[error("disallowed")]
    Disallowed,
}

/// The decision on one address, for the audit trail. Names the host and never the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The requested host; empty if there is none.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The address that was pinned, or the one that caused the refusal.
    pub address: Option<IpAddr>,
    /// The verdict.
    pub verdict: Verdict,
    /// The file and line of the lock that decided, for whoever maintains it.
    pub line: Option<String>,
}

/// Permitted, or the rule that was violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every check passed, and a connection was attempted.
    Permitted,
    /// Not an absolute URL, or longer than 8 KiB.
    Url,
    /// Neither http nor https.
    Scheme,
    /// A user name or password in the URL.
    User,
    /// A port that is not open.
    Port,
    /// A name reserved for internal networks.
    Name,
    /// An address that is not public; names the range.
    Address(&'static str),
    /// A request header that guests may not send.
    Header,
    /// A redirect from https to http.
    Downgrade,
    /// The name does not resolve.
    Unresolved,
    /// A page that the robots.txt of its origin forbids.
    Robots,
    /// A page outside the bounds that the lock file sets for the operation; names the member of `web`.
    Reach(&'static str),
    /// A request to a provider that no line of the lock file permits, or that is ambiguous.
    Undeclared,
}

impl Verdict {
    /// The code in the audit trail. Stable.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Permitted => "permitted",
            Verdict::Url => "url",
            Verdict::Scheme => "scheme",
            Verdict::User => "user",
            Verdict::Port => "port",
            Verdict::Name => "name",
            Verdict::Address(_) => "address",
            Verdict::Header => "header",
            Verdict::Downgrade => "downgrade",
            Verdict::Unresolved => "unresolved",
            Verdict::Robots => "robots",
            Verdict::Reach(_) => "reach",
            Verdict::Undeclared => "undeclared",
        }
    }
}

impl Guard {
    /// Constructs a guard with this policy, which trusts the system's certificate authorities.
    ///
    /// # Errors
    /// The TLS library rejects its own defaults, or the policy's trust anchor cannot be parsed.
    pub fn new(policy: OutboundPolicy) -> Result<Self, GuardError> {
        let roots = connect::roots(&policy);
        let trust = |protocols: &[&[u8]]| -> Result<TlsConnector, GuardError> {
            Ok(TlsConnector::from(Arc::new(connect::trust(Arc::clone(&roots), protocols)?)))
        };
        let (tls, mail) = (trust(&[b"http/1.1"])?, trust(&[])?);
        let names = dns::Names::new(&policy).map_err(GuardError::Names)?;
        Ok(Self { tls, mail, roots, names, robots: robots::known(), queues: queues::Queues::default(), policy })
    }
}

#[cfg(test)]
mod site;
#[cfg(test)]
mod tests;
