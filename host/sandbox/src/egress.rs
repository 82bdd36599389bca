//! The one way out: every request of every guest is checked here before a packet leaves, and again at each redirect.
//!
//! The order is fixed: the URL is parsed once (WHATWG rules, so that `0x7f.1` is already an address), its scheme,
//! port, user part and name are checked, the name is resolved, every address is classified, and the connection is made
//! to a classified address and to nothing else. A guest learns one word, `refused`; the reason is in [`Decision`].
//!
//! A fetch follows at most 10 redirects and lasts at most 30 seconds. Both are more than a guard needs: an audit has to
//! see a chain of redirects to its end to report it, and a slow page is a finding and not a danger, since every hop
//! passes every check again and the call's own wall limit ends what is too long.

pub mod address;
mod connect;
pub mod dns;
mod exchange;
mod follow;
mod inflate;
mod kept;
mod manners;
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
pub use self::manners::{Manners, Obey};
pub use self::send::{Lost, Send};
pub use self::submit::{Account, Envelope, Greeting, Reply, Undelivered};
use crate::config::OutboundPolicy;

/// The guard of the outside: the policy and the trust in certificate authorities.
pub struct Guard {
    policy: OutboundPolicy,
    tls: TlsConnector,
    /// For mail, which has no protocol to negotiate.
    mail: TlsConnector,
    roots: Arc<RootCertStore>,
    names: dns::Names,
    robots: robots::Known,
}

/// Why the guard cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// The TLS library refuses its own defaults.
    #[error("secure connections cannot be set up: {0}")]
    Tls(String),
    /// The trust anchor of the policy cannot be read.
    #[error("names cannot be validated: {0}")]
    Names(String),
}

/// A page that is asked for.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// HEAD in place of GET.
    pub head: bool,
    /// The address, in any form that a browser takes.
    pub url: String,
    /// `accept`, `accept-language`, `if-none-match`, `if-modified-since` only.
    pub headers: Vec<(String, String)>,
    /// Redirects to follow; with 0 the redirect itself is the response.
    pub follow: u8,
    /// Bytes of the decoded body to keep; what goes beyond is not read.
    pub max_bytes: usize,
    /// For everything together.
    pub timeout: Duration,
    /// Whether what is kept is good enough.
    pub freshness: Freshness,
    /// Bounds that its lock puts on the operation; none: any public page.
    pub within: Option<Arc<Reach>>,
}

/// Which answers are good enough; the words of `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// The site is asked now, with the validators of what is kept.
    #[default]
    Fresh,
    /// What is kept is an answer as long as it is fresh.
    Any,
}

/// Where a page came from; the words of `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cached {
    /// From the site.
    #[default]
    None,
    /// Kept and still fresh.
    Fresh,
    /// Kept, and the site said that it is unchanged.
    Revalidated,
}

/// A page that was had.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// The address that answered.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// Its headers, names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    /// The redirects on the way.
    pub hops: Vec<Hop>,
    /// The decoded body.
    pub body: Vec<u8>,
    /// Whether the body was longer than was to be kept.
    pub truncated: bool,
    /// How long each part took; of the last exchange, and the total of all.
    pub timing: Timing,
    /// Where it came from.
    pub cached: Cached,
    /// Since the site confirmed it.
    pub age: Duration,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Who sent it on.
    pub url: String,
    /// With which status.
    pub status: u16,
    /// To where, as written.
    pub location: String,
}

/// Times of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Resolving the name.
    pub dns: Duration,
    /// Connecting, with the TLS handshake.
    pub connect: Duration,
    /// From the request to the first byte of the answer.
    pub first_byte: Duration,
    /// Everything, redirects included.
    pub total: Duration,
}

/// Why there is no page; the words of `wit/v1/web.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Not an address that may be asked.
    #[error("refused")]
    Refused,
    /// The name does not resolve.
    #[error("unresolved")]
    Unresolved,
    /// No connection, or it broke off.
    #[error("unreachable")]
    Unreachable,
    /// Too slow.
    #[error("timeout")]
    Timeout,
    /// More redirects than were asked for, or a circle.
    #[error("redirects")]
    Redirects,
    /// No secure connection.
    #[error("tls")]
    Tls,
    /// Not HTTP, or beyond a cap on headers or inflation.
    #[error("malformed")]
    Malformed,
    /// The host's next turn comes only after so long, later than could be waited for. Nothing was sent to it.
    #[error("paced")]
    Paced(Duration),
    /// The place's robots.txt forbids it. Nothing was sent to it.
    #[error("disallowed")]
    Disallowed,
}

/// What was decided on one address, for the audit trail: the host and never the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The host that was asked for; empty when there is none.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The address it was pinned to, or the one that spoilt it.
    pub address: Option<IpAddr>,
    /// What was decided.
    pub verdict: Verdict,
    /// The line of a lock that decided, with its file, for who may change it.
    pub line: Option<String>,
}

/// Permitted, or the rule that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every check passed; the connection was tried.
    Permitted,
    /// Not an absolute URL, or longer than 8 KiB.
    Url,
    /// Neither http nor https.
    Scheme,
    /// A user name or password in the URL.
    User,
    /// A port that is not open.
    Port,
    /// A name that stands for the inside of a network.
    Name,
    /// An address that is not public; the range.
    Address(&'static str),
    /// A request header that guests may not send.
    Header,
    /// A redirect from https to http.
    Downgrade,
    /// The name does not resolve.
    Unresolved,
    /// A page that the robots.txt of its place forbids.
    Robots,
    /// A page outside what the lock leaves to the operation; the member of `web`.
    Reach(&'static str),
    /// A request to a provider that no line of the lock permits, or that says two things at once.
    Undeclared,
}

impl Verdict {
    /// Stable, for the audit trail.
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
    /// A guard with this policy, trusting the system's certificate authorities.
    ///
    /// # Errors
    /// The TLS library refuses its own defaults, or the policy's trust anchor is none.
    pub fn new(policy: OutboundPolicy) -> Result<Self, GuardError> {
        let roots = connect::roots(&policy);
        let trust = |protocols: &[&[u8]]| -> Result<TlsConnector, GuardError> {
            Ok(TlsConnector::from(Arc::new(connect::trust(Arc::clone(&roots), protocols)?)))
        };
        let (tls, mail) = (trust(&[b"http/1.1"])?, trust(&[])?);
        let names = dns::Names::new(&policy).map_err(GuardError::Names)?;
        Ok(Self { tls, mail, roots, names, robots: robots::known(), policy })
    }
}

#[cfg(test)]
mod site;
#[cfg(test)]
mod tests;
