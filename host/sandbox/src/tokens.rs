//! Access tokens of customers' accounts: obtained by consent, refreshed, minted for a service account, revoked. Every
//! token request goes through the egress guard, and no token ever reaches a guest.

mod address;
mod assertion;
mod clients;
mod consent;
mod door;
mod renew;
mod revoke;

use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use moka::future::Cache;
use zeroize::Zeroizing;

use crate::egress::Guard;

pub(crate) use self::assertion::is_key_file;
pub use self::clients::{Client, Clients};
pub(crate) use self::consent::Received;
pub use self::consent::{Answer, Consented, Denied, NoConsent};
pub(crate) use self::renew::Renewal;

/// Minted tokens that are cached in memory.
const MOST_MINTED: u64 = 10_000;
/// The longest that a minted token is cached; those of the providers are valid for an hour.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// The source of tokens, one per process.
pub struct Tokens {
    guard: Arc<Guard>,
    clients: Clients,
    /// By a digest of the key file, the connection and the token endpoint.
    minted: Cache<[u8; 32], Minted>,
}

#[derive(Clone)]
struct Minted {
    token: Arc<Zeroizing<String>>,
    until: Moment,
}

impl Tokens {
    pub(crate) fn new(guard: Arc<Guard>, clients: Clients) -> Self {
        Self { guard, clients, minted: Cache::builder().max_capacity(MOST_MINTED).time_to_live(KEPT).build() }
    }

    /// The operator's OAuth client for a kind; `None` if no consent is possible here.
    pub fn client(&self, kind: &str) -> Option<&Client> {
        self.clients.of(kind)
    }
}
