//! How the sandbox is set up.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use store::turns::Pace;

use crate::egress::Cidr;
use crate::tokens::Clients;

/// Settings of the sandbox that do not change while the process lives.
#[derive(Clone, Debug)]
pub struct Config {
    /// Runs at the same time, all customers together: the size of the pool.
    pub concurrent: usize,
    /// Runs at the same time for one customer.
    pub concurrent_per_customer: usize,
    /// Runs that may wait for a place; one more is refused as busy.
    pub queue: usize,
    /// Runs that may wait for one customer.
    pub queue_per_customer: usize,
    /// Threads that guests compute on.
    pub threads: usize,
    /// Where compiled components are kept between starts; none compiles at each start.
    pub artefacts: Option<Artefacts>,
    /// How components become machine code.
    pub compile: Compile,
    /// Who may be asked outside.
    pub outbound: OutboundPolicy,
    /// What the service is called at providers that customers consent at.
    pub clients: Clients,
}

/// How components become machine code. Answers and what they take of fuel are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    /// For calls: optimised.
    #[default]
    Optimised,
    /// For an author who waits for each save: by the engine's baseline compiler, in a fifth of the time, to code that takes
    /// longer. What is built for this is not optimised either, so runs may take more fuel.
    Quickly,
}

/// A folder of compiled components. Whoever can write there and knows the key can run code in the host.
#[derive(Clone)]
pub struct Artefacts {
    /// The folder; made when it is missing, readable by its owner only.
    pub folder: PathBuf,
    /// The key of the codes over the files.
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
            threads,
            artefacts: None,
            compile: Compile::default(),
            outbound: OutboundPolicy::default(),
            clients: Clients::default(),
        }
    }
}

/// Whom guests may ask. The default is every public address on ports 80 and 443, and nothing else.
#[derive(Clone, Debug)]
pub struct OutboundPolicy {
    /// Address ranges that are not public and are permitted all the same, on any port. For tests and development.
    pub allow_private: Vec<Cidr>,
    /// Hosts that are reached at this address whatever the name server and the URL's port say,
    /// in the manner of curl's `--connect-to`. For tests and development.
    pub resolve: BTreeMap<String, SocketAddr>,
    /// Ports beside 80 and 443.
    pub ports: Vec<u16>,
    /// How requests introduce themselves; [`agent`] makes one.
    pub agent: String,
    /// How fast one host is asked by all customers and nodes together.
    pub pace: Pace,
    /// Resolvers that answer guests' questions to the name system; none: the system's. They may stand anywhere, and
    /// should know no zone of the inside.
    pub dns: Vec<SocketAddr>,
    /// Keys that DNSSEC is validated from, as DNSKEY records of a zone file; none: those of the root. For tests.
    pub anchor: Option<String>,
    /// Certificate authorities that are trusted beside the system's, in DER. For tests and development.
    pub authorities: Vec<Vec<u8>>,
}

/// The product token of requests, which sites look for in their logs and write into their robots.txt.
pub const PRODUCT: &str = robots::AGENT;

/// How requests introduce themselves: the product, and where its people can be reached (RFC 9110, 10.1.5).
pub fn agent(contact: &str) -> String {
    format!("{PRODUCT}/1.0 (+{contact})")
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
            anchor: None,
            authorities: Vec::new(),
        }
    }
}
