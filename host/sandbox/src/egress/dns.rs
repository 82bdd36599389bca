//! DNS queries: through the host's own resolver, with DNSSEC validated here, or directly to a zone's servers.
//!
//! The resolver is the operator's, from the settings or the system, and may be on any address. It must pass DNSSEC
//! records on. It may know internal names, so records with non-public addresses are removed from its answers. Servers
//! that a guest or a zone names go through the guard like any other target.

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

/// The system's resolver configuration.
const SYSTEM: &str = "/etc/resolv.conf";
/// The time limit of one query, including its validation.
const LONGEST: Duration = Duration::from_secs(8);
/// The DNS port (RFC 1035, 4.2).
const PORT: u16 = 53;

/// A DNS question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// With or without the trailing dot, in Unicode or as `xn--`.
    pub name: String,
    /// The record type: `A`, `TLSA`, `TYPE65280`.
    pub kind: String,
}

/// A record of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The owner name.
    pub name: String,
    /// The record type, as in a question.
    pub kind: String,
    /// The time to live in seconds.
    pub ttl: u32,
    /// The data in presentation form.
    pub text: String,
    /// The data in wire format, names uncompressed.
    pub data: Vec<u8>,
}

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are records.
    Found,
    /// The name exists but has no such record.
    NoData,
    /// The name does not exist.
    NoName,
    /// The server refused or failed.
    Failed,
}

/// The DNSSEC validation state (RFC 4035, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A chain of signatures leads from the root to the records.
    Secure,
    /// The records are proven to be outside any signed zone.
    Insecure,
    /// The records should be signed, but validation failed.
    Bogus,
    /// The state cannot be determined.
    Indeterminate,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result.
    pub outcome: Outcome,
    /// The response code.
    pub code: u16,
    /// The records.
    pub entries: Vec<Entry>,
    /// The number of records removed because of their addresses.
    pub withheld: u32,
    /// The validation state; `None` if validation was not attempted.
    pub trust: Option<Trust>,
    /// Whether the server is authoritative for the zone.
    pub authoritative: bool,
    /// How long the query took.
    pub took: Duration,
}

/// The answer of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The server's name.
    pub server: String,
    /// The address that was queried.
    pub address: Option<SocketAddr>,
    /// The answer.
    pub answer: Result<Answer, Failure>,
}

/// The answers of several servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The zone, if the servers are its own.
    pub zone: Option<String>,
    /// The answer of each server.
    pub servers: Vec<Told>,
    /// The number of servers that were not queried.
    pub more: usize,
}

/// Why there is no answer, as in `wit/v1/dns.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Not a valid question.
    #[error("malformed")]
    Malformed,
    /// A name or a server that may not be queried.
    #[error("refused")]
    Refused,
    /// No such server, or no zone.
    #[error("unresolved")]
    Unresolved,
    /// The connection failed.
    #[error("unreachable")]
    Unreachable,
    /// The time limit was reached.
    #[error("timeout")]
    Timeout,
    /// The response does not match the question.
    #[error("garbled")]
    Garbled,
}

/// The host's resolver and its DNSSEC validation.
pub(super) struct Names {
    resolver: Wire,
    validating: DnssecDnsHandle<Wire>,
}

impl Names {
    /// Uses the resolver of the policy, or else the system's.
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

/// The system's resolvers. Without any, every query is unreachable.
fn system() -> Vec<SocketAddr> {
    let text = std::fs::read(SYSTEM).unwrap_or_default();
    let Ok(config) = resolv_conf::Config::parse(&text) else { return Vec::new() };
    config.nameservers.iter().map(|server| SocketAddr::new(server.into(), PORT)).collect()
}

impl Guard {
    /// Queries the host's resolver and validates the answer.
    ///
    /// # Errors
    /// A [`Failure`]. A server failure is an answer.
    pub async fn lookup(&self, question: &Question, trail: &mut Vec<Decision>) -> Result<Answer, Failure> {
        let query = self.question(question, trail)?;
        let began = Instant::now();
        let mut options = DnsRequestOptions::default();
        options.edns_set_dnssec_ok = true;
        let asked = self.names.validating.lookup(query.clone(), options).first_answer();
        let said = timeout(LONGEST, asked).await.map_err(|_| Failure::Timeout)?;
        let (message, trust) = answer::validated(said)?;
        // A list of bad names answers with loopback addresses, which are words and lead nowhere (RFC 5782, 2.3).
        let listed = self.is_listed(query.name());
        let is_open = |address: std::net::IpAddr| {
            (listed && address.is_loopback()) || self.policy.allow_private.iter().any(|range| range.contains(address))
        };
        let mut answer = answer::of(&message, &query, Some(&is_open));
        answer.trust = Some(trust);
        answer.took = began.elapsed();
        Ok(answer)
    }

    /// How many public resolvers [`Guard::resolvers`] queries.
    pub fn public_resolvers(&self) -> usize {
        self.policy.public_resolvers.len()
    }

    /// The zones of DNS lists of bad names and addresses that may be queried.
    pub fn blocklists(&self) -> &[String] {
        &self.policy.blocklists
    }

    /// Whether a name is below one of the lists that may be queried.
    fn is_listed(&self, name: &hickory_net::proto::rr::Name) -> bool {
        let name = name.to_ascii().trim_end_matches('.').to_ascii_lowercase();
        let is_below = |zone: &String| {
            let zone = zone.trim_matches('.').to_ascii_lowercase();
            name.strip_suffix(&zone).is_some_and(|it| it.ends_with('.'))
        };
        self.policy.blocklists.iter().any(is_below)
    }

    /// Parses a question into a query, if it is allowed.
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
