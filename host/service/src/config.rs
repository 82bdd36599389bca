//! How the service is set up: addresses, keys, limits.

use std::sync::Arc;
use std::time::Duration;

use model::billing::Billing;
use model::edges::UploadLimits;
use model::keys::Keys;
use serde::Deserialize;
use store::Share;

pub use sandbox::egress::Cidr as Network;

use crate::oauth::client_document::ClientDocuments;
use crate::oauth::upstream::Provider;

/// Settings that do not change while the process lives.
#[derive(Clone)]
pub struct Config {
    /// Scheme and authority that clients use, without a trailing slash: the OAuth issuer.
    /// Every link and every metadata document comes from here, never from a request's `Host`.
    pub public_url: Arc<str>,
    /// Origins that browsers may call from.
    pub cors_origins: Vec<String>,
    /// Clients that are described by a document at their id; none: such clients are unknown.
    pub client_documents: Option<Arc<ClientDocuments>>,
    /// An OpenID provider that customers may sign in with.
    pub upstream: Option<Arc<Provider>>,
    /// Proxies in front of this host, whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// The keys of seals (quotes, forms): the only setting here that changes, by rotation.
    pub keys: Keys,
    /// Rates.
    pub limits: Rates,
    /// Plans and prices.
    pub billing: Arc<Billing>,
    /// How much customers may hand over at the public edges.
    pub uploads: UploadLimits,
    /// How this node works on jobs.
    pub work: Work,
    /// Which runs are kept so that they can be had again.
    pub replay: Replay,
    /// Which families of operations this service does not offer.
    pub off: Off,
}

impl Config {
    /// `{base_url}`.
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.public_url)
    }

    /// `{mcp_url}`: also the audience of every token.
    pub fn mcp_url(&self) -> String {
        format!("{}/mcp", self.public_url)
    }
}

/// Families of operations that an operator has switched off, by the beginning of their ids: `ux_signals.viral` is
/// `ux_signals.viral.campaign.create` and its like, and not `ux_signals.virality.get`. Destructive operations of a family
/// still run, so that customers can stop what they have.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Off(Vec<String>);

impl From<Vec<String>> for Off {
    fn from(families: Vec<String>) -> Self {
        Self(families)
    }
}

impl Off {
    /// The family that an operation belongs to, if it is switched off.
    pub fn family(&self, operation: &str) -> Option<&str> {
        let within = |family: &&String| {
            operation.strip_prefix(family.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.0.iter().find(within).map(String::as_str)
    }

    /// One that no operation's id can begin with.
    pub fn fault(&self) -> Option<&str> {
        let named = |name: &String| {
            !name.is_empty()
                && name
                    .split('.')
                    .all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_lowercase() || it == b'_'))
        };
        self.0.iter().find(|name| !named(name)).map(String::as_str)
    }
}

/// Requests in a window of 60 seconds, per grant; all grants of a customer together have four times as many.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    /// Any authenticated request.
    pub requests: u32,
    /// Operations that start work or ask the outside.
    pub heavy: u32,
    /// Reads of contracts and searches.
    pub enumeration: u32,
    /// Records of feedback.
    pub feedback: u32,
    /// Sign-ins per account, in 15 minutes.
    pub sign_in: u32,
    /// Registrations per address, in an hour.
    pub registration: u32,
    /// Registrations from everywhere, in a day: what the table of clients can grow by.
    pub registrations: u32,
    /// Requests to the token and revocation endpoints per address, in 60 seconds. Generous: all customers of a hosted
    /// agent come from few addresses, and nobody guesses 256 bits.
    pub token: u32,
    /// Of those, how many may fail.
    pub token_failures: u32,
    /// Requests to one kind of public edge per address, in 60 seconds. Generous: mail proxies and offices share theirs.
    pub edge: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            requests: 600,
            heavy: 60,
            enumeration: 120,
            feedback: 10,
            sign_in: 5,
            registration: 60,
            registrations: 20_000,
            token: 600,
            token_failures: 120,
            edge: 300,
        }
    }
}

/// How a node works on jobs.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Work {
    /// Seconds for which a job belongs to a node that says nothing, 1 to 80; then another takes it up. A node that
    /// lives says so three times in that time.
    pub lease_seconds: u64,
    /// Steps that compute at once on this node.
    pub width: usize,
    /// Steps on this node that may wait for the outside beside those that compute.
    pub waiting: usize,
    /// Of one customer's steps at most this many are on this node at once, waiting ones included. Less than `width`, so
    /// that no customer can hold all of it.
    pub per_customer: usize,
    /// Of one module's steps at most this many are on this node at once, waiting ones included.
    pub per_module: usize,
}

impl Work {
    /// How long a claim is good for without renewal.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.lease_seconds.clamp(1, 80))
    }

    /// What a node that has this many steps under way may take.
    pub fn share(&self, under_way: usize) -> Share {
        let few = |count: usize| u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        Share {
            free: u32::try_from((self.width + self.waiting).saturating_sub(under_way)).unwrap_or(u32::MAX),
            per_customer: few(self.per_customer),
            per_module: few(self.per_module),
            lease: self.lease(),
        }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self { lease_seconds: 30, width: 8, waiting: 24, per_customer: 6, per_module: 24 }
    }
}

/// Which runs are kept so that they can be had again. Of every fault there is a transcript, whatever stands here.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Replay {
    /// The share of the other runs, from 0 (none, unless it is said otherwise) to 1 (all).
    pub sample: f64,
}
