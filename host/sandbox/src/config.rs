//! Configuration of the sandbox.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use store::edges::turns::Pace;

use crate::egress::Cidr;
use crate::tokens::Clients;

/// Settings that do not change while the process runs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Concurrent runs of all customers: the size of the instance pool.
    pub concurrent: usize,
    /// Concurrent runs of one customer.
    pub concurrent_per_customer: usize,
    /// Runs that may wait for a slot. Beyond that, a run is refused as busy.
    pub queue: usize,
    /// Runs of one customer that may wait for a slot.
    pub queue_per_customer: usize,
    /// Bytes that all runs may hold together: linear memories, and what the host keeps for them. A run that needs more
    /// than is left ends as busy, and one customer holds half at most.
    pub memory: usize,
    /// Threads of the guests' own runtime.
    pub threads: usize,
    /// Where compiled components are cached between starts. Without it, every start compiles.
    pub artefacts: Option<Artefacts>,
    /// How components are compiled to machine code.
    pub compile: Compile,
    /// Which hosts guests may reach.
    pub outbound: OutboundPolicy,
    /// The OAuth clients of this service at the providers.
    pub clients: Clients,
}

/// How components are compiled to machine code. The answers and the fuel that they take do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    /// Optimised, for serving calls. Loading a component that was never compiled here takes seconds.
    #[default]
    Optimised,
    /// Optimised, but nobody waits for it: a component that was never compiled here runs the baseline compiler's code until
    /// the optimised code is there. For trying things out on one's own machine: a second compiler is a second thing that
    /// the sandbox depends on.
    Behind,
    /// For an author who waits after each save. The engine's baseline compiler takes a fifth of the time and generates
    /// slower code. Components of such builds are not optimised either, so runs may take more fuel.
    Quickly,
}

/// A folder of compiled components. Anyone who can write to it and knows the key can run code in the host.
#[derive(Clone)]
pub struct Artefacts {
    /// The folder, created if it is missing and readable only by its owner.
    pub folder: PathBuf,
    /// The key that authenticates the files.
    pub key: [u8; 32],
}

impl std::fmt::Debug for Artefacts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Artefacts").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Default for Config {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self {
            concurrent: 128,
            concurrent_per_customer: 16,
            queue: 1_024,
            queue_per_customer: 128,
            memory: 640 << 20,
            threads,
            artefacts: None,
            compile: Compile::default(),
            outbound: OutboundPolicy::default(),
            clients: Clients::default(),
        }
    }
}

/// Which hosts guests may reach. The default is every public address on ports 80 and 443, and nothing else.
#[derive(Clone, Debug)]
pub struct OutboundPolicy {
    /// Non-public address ranges that are allowed nevertheless, on any port. For tests and development.
    pub allow_private: Vec<Cidr>,
    /// Hosts that are reached at this address, whatever DNS and the port of the URL say, like curl's `--connect-to`.
    /// For tests and development.
    pub resolve: BTreeMap<String, SocketAddr>,
    /// Ports that are allowed besides 80 and 443.
    pub ports: Vec<u16>,
    /// The `User-Agent` of requests; [`agent`] makes one.
    pub agent: String,
    /// The request rate per host, for all customers and nodes together.
    pub pace: Pace,
    /// Resolvers for guests' DNS queries; if empty, the system's. They may be on any address and should not serve
    /// internal zones.
    pub dns: Vec<SocketAddr>,
    /// Public resolvers that say what the world is told of a name, each with its own name; at most thirteen are asked.
    pub public_resolvers: Vec<(String, SocketAddr)>,
    /// Zones of DNS lists of bad names and addresses (RFC 5782) that the operator has leave to ask.
    pub blocklists: Vec<String>,
    /// DNSSEC trust anchors, as DNSKEY records in zone file syntax; if `None`, those of the root. For tests.
    pub anchor: Option<String>,
    /// Certificate authorities that are trusted besides the system's, in DER. For tests and development.
    pub authorities: Vec<Vec<u8>>,
}

/// The product token of requests. Sites find it in their logs and name it in their robots.txt.
pub const PRODUCT: &str = robots::AGENT;

/// The `User-Agent` of requests: the product and the operator's contact (RFC 9110, 10.1.5).
pub fn agent(contact: &str) -> String {
    format!("{PRODUCT}/1.0 (+{contact})")
}

/// Well-known public resolvers, each in the variant that leaves nothing out.
fn public_resolvers() -> Vec<(String, SocketAddr)> {
    let known: [(&str, [u8; 4]); 8] = [
        ("Google Public DNS", [8, 8, 8, 8]),
        ("Cloudflare", [1, 1, 1, 1]),
        ("Quad9", [9, 9, 9, 10]),
        ("Cisco OpenDNS", [208, 67, 222, 222]),
        ("AdGuard", [94, 140, 14, 140]),
        ("Control D", [76, 76, 2, 0]),
        ("DNS.SB", [185, 222, 222, 222]),
        ("AliDNS", [223, 5, 5, 5]),
    ];
    known.map(|(name, address)| (name.to_owned(), SocketAddr::from((address, 53)))).into()
}

impl Default for OutboundPolicy {
    fn default() -> Self {
        Self {
            allow_private: Vec::new(),
            resolve: BTreeMap::new(),
            ports: Vec::new(),
            agent: format!("{PRODUCT}/1.0"),
            pace: Pace { every: Duration::from_secs(1), burst: 8 },
            dns: Vec::new(),
            public_resolvers: public_resolvers(),
            blocklists: Vec::new(),
            anchor: None,
            authorities: Vec::new(),
        }
    }
}
