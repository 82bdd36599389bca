//! Questions to the name system: by the host's own resolver with DNSSEC validated here, or by a zone's servers directly.
//!
//! The resolver is the operator's, from the settings or the system, and may stand anywhere. It must pass DNSSEC records
//! on. What it alone can know of the inside, non-public addresses, is left out of its answers. Servers that a guest
//! names, or a zone, go through the guard like any other target.

mod answer;
mod authority;
mod question;
mod wire;

use std::net::SocketAddr;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use hickory_net::dnssec::DnssecDnsHandle;
use hickory_net::proto::dnssec::TrustAnchors;
use hickory_net::proto::op::DnsRequestOptions;
use hickory_net::xfer::{DnsHandle as _, FirstAnswer as _};
use tokio::time::{Instant, timeout};

use self::wire::Wire;
use super::{Decision, Guard, Verdict};
use crate::config::OutboundPolicy;

/// Where the system says which resolver it has.
const SYSTEM: &str = "/etc/resolv.conf";
/// For one question with all that its validation asks.
const LONGEST: Duration = Duration::from_secs(8);
/// The port of the protocol (RFC 1035, 4.2).
const PORT: u16 = 53;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// With or without the last dot, in Unicode or as `xn--`.
    pub name: String,
    /// `A`, `TLSA`, `TYPE65280`.
    pub kind: String,
}

/// A record of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose it is.
    pub name: String,
    /// Its kind, as in a question.
    pub kind: String,
    /// Seconds.
    pub ttl: u32,
    /// In presentation form.
    pub text: String,
    /// As on the wire, names uncompressed.
    pub data: Vec<u8>,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are records.
    Found,
    /// The name has no such record.
    NoData,
    /// There is no such name.
    NoName,
    /// The server refused or failed.
    Failed,
}

/// What validation came to (RFC 4035, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A chain of signatures leads from the root to it.
    Secure,
    /// It is proven to be outside of any signed zone.
    Insecure,
    /// It should be signed, and the signatures do not hold.
    Bogus,
    /// Nobody can tell.
    Indeterminate,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it says.
    pub outcome: Outcome,
    /// The response code.
    pub code: u16,
    /// The records.
    pub entries: Vec<Entry>,
    /// Records left out for their addresses.
    pub withheld: u32,
    /// What validation came to; none when it was not tried.
    pub trust: Option<Trust>,
    /// Whether the server says that the zone is its own.
    pub authoritative: bool,
    /// How long it took.
    pub took: Duration,
}

/// What one server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its name.
    pub server: String,
    /// The address that was asked.
    pub address: Option<SocketAddr>,
    /// What it said.
    pub answer: Result<Answer, Failure>,
}

/// What servers said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The zone, when the servers are its own.
    pub zone: Option<String>,
    /// Each of them.
    pub servers: Vec<Told>,
    /// Servers that were not asked.
    pub more: usize,
}

/// Why there is no answer; the words of `wit/v1/dns.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Not a question that can be asked.
    #[error("malformed")]
    Malformed,
    /// A name or a server that may not be asked.
    #[error("refused")]
    Refused,
    /// No such server, or no zone.
    #[error("unresolved")]
    Unresolved,
    /// No connection.
    #[error("unreachable")]
    Unreachable,
    /// Too slow.
    #[error("timeout")]
    Timeout,
    /// Not an answer to the question.
    #[error("garbled")]
    Garbled,
}

/// The resolver of this host, and what it is trusted by.
pub(super) struct Names {
    resolver: Wire,
    validating: DnssecDnsHandle<Wire>,
}

impl Names {
    /// The resolver of the policy, or the system's.
    pub(super) fn new(policy: &OutboundPolicy) -> Result<Self, String> {
        let servers = if policy.dns.is_empty() { system() } else { policy.dns.clone() };
        let anchors = match &policy.anchor {
            Some(text) => TrustAnchors::from_str(text).map_err(|error| format!("not a trust anchor: {error}"))?,
            None => TrustAnchors::default(),
        };
        let resolver = Wire::recursive(servers);
        Ok(Self { validating: DnssecDnsHandle::with_trust_anchor(resolver.clone(), Arc::new(anchors)), resolver })
    }
}

/// The system's resolver; without one every question is unreachable.
fn system() -> Vec<SocketAddr> {
    let text = std::fs::read(SYSTEM).unwrap_or_default();
    let Ok(config) = resolv_conf::Config::parse(&text) else { return Vec::new() };
    config.nameservers.iter().map(|server| SocketAddr::new(server.into(), PORT)).collect()
}

impl Guard {
    /// Asks the host's resolver and validates what it says.
    ///
    /// # Errors
    /// A [`Failure`]; a server that fails is an answer.
    pub async fn lookup(&self, question: &Question, trail: &mut Vec<Decision>) -> Result<Answer, Failure> {
        let query = self.question(question, trail)?;
        let began = Instant::now();
        let mut options = DnsRequestOptions::default();
        options.edns_set_dnssec_ok = true;
        let asked = self.names.validating.lookup(query.clone(), options).first_answer();
        let said = timeout(LONGEST, asked).await.map_err(|_| Failure::Timeout)?;
        let (message, trust) = answer::validated(said)?;
        let is_open = |address| self.policy.allow_private.iter().any(|range| range.contains(address));
        let mut answer = answer::of(&message, &query, Some(&is_open));
        answer.trust = Some(trust);
        answer.took = began.elapsed();
        Ok(answer)
    }

    /// The query of a question, if it may be asked.
    fn question(
        &self,
        question: &Question,
        trail: &mut Vec<Decision>,
    ) -> Result<hickory_net::proto::op::Query, Failure> {
        let read = question::read(question, self.policy.allow_private.is_empty());
        let verdict = match read {
            Ok(_) => Verdict::Permitted,
            Err(Failure::Refused) => Verdict::Name,
            Err(failure) => return Err(failure),
        };
        let host = question.name.chars().take(253).collect();
        trail.push(Decision { host, port: PORT, address: None, verdict, line: None });
        read
    }
}

#[cfg(test)]
mod tests;
