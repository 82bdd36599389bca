//! The public edges: addresses without a bearer token. What stands in the address is the right, or there is none.
//!
//! They run no module. They write flags and counters that a module reads later through a capability.

pub mod links;
pub mod recipients;
pub mod shares;
mod unsubscribe;
pub mod uploads;
pub(crate) mod visits;

mod agents;

use crate::Core;
use crate::limits::Limits;
use crate::limits::Standing;
use crate::oauth::throttle::network;

/// A surface of the edges; each is counted by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// `/uploads/{token}`.
    Uploads,
    /// `/l/{code}`.
    Links,
    /// `/r/{share}`.
    Shares,
    /// `/u/{token}`.
    Unsubscribe,
    /// `/c/{token}`.
    Recipients,
    /// `/connect/callback`.
    Connect,
}

impl Surface {
    fn word(self) -> &'static str {
        match self {
            Surface::Uploads => "uploads",
            Surface::Links => "links",
            Surface::Shares => "shares",
            Surface::Unsubscribe => "unsubscribe",
            Surface::Recipients => "recipients",
            Surface::Connect => "connect",
        }
    }
}

/// What strangers reach without a token: uploads, links, shares and unsubscribing.
#[derive(Clone)]
pub struct Edges {
    pub(crate) core: Core,
}

impl Edges {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Counts one request of an address: an IPv4 address, or a /64 of IPv6.
    ///
    /// # Errors
    /// Where the full window stands.
    pub fn admit_visitor(&self, surface: Surface, address: &str) -> Result<(), Standing> {
        let key = format!("{} {}", surface.word(), network(address));
        Limits::of(&self.core).limiter().edge(&key, self.core.clock().now()).map(drop)
    }
}
