//! The outside world for tests and for trying out: one simulator for each connection kind, on loopback.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use simulators::{Fault, Seed};
//! let world = simulators::start(Seed(1)).await?;
//! world.wordpress.fault(Fault::RateLimited, 2);
//! println!("{} {}", world.wordpress.url(), world.wordpress.credentials());
//! # Ok(()) }
//! ```

mod control;
mod fault;
mod google;
mod post_office;
mod provider;
mod reply;
mod request;
mod seed;
mod shop;
mod simulator;
mod wordpress;

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use fault::Fault;
pub use provider::Effect;
pub use request::Auth;
pub use seed::Seed;
pub use simulator::{Recorded, Simulator};

use provider::{Provider, Sites};

/// All providers of one seed, each on a listener of its own.
#[derive(Debug)]
pub struct World {
    /// WordPress with its REST interface, SEO plugins and the Redirection plugin.
    pub wordpress: Simulator,
    /// Google: Search Console, Indexing, Business Profile, PageSpeed, CrUX, Analytics and Gmail behind one origin.
    pub google: Simulator,
    /// Where faults are planned and records are read over HTTP.
    control: SocketAddr,
    sites: Sites,
}

/// Starts the world on free ports.
///
/// # Errors
/// When loopback cannot be listened on.
pub async fn start(seed: Seed) -> std::io::Result<World> {
    start_from(seed, 0).await
}

/// Starts the world on ports that follow each other; 0 takes free ones. The control listener has the first.
///
/// # Errors
/// When a port is taken.
pub async fn start_from(seed: Seed, first: u16) -> std::io::Result<World> {
    let sites = Sites::default();
    let one = |nth: u16, name: &'static str, provider: Box<dyn Provider>| {
        let port = if first == 0 { 0 } else { first + nth };
        Simulator::start(name, port, seed, sites.clone(), provider)
    };
    let post = post_office::PostOffice::new();
    let mut world = World {
        wordpress: one(1, "wordpress", Box::new(wordpress::WordPress::new(seed))).await?,
        google: one(2, "google", Box::new(google::Google::new(seed, post.clone()))).await?,
        control: SocketAddr::from(([127, 0, 0, 1], 0)),
        sites: sites.clone(),
    };
    world.control = control::serve(first, world.simulators()).await?;
    Ok(world)
}

impl World {
    /// The providers that speak HTTP, in a fixed order.
    #[must_use]
    pub fn simulators(&self) -> Vec<Simulator> {
        vec![self.wordpress.clone(), self.google.clone()]
    }

    /// Where `POST /__faults` and its kin are.
    #[must_use]
    pub fn control(&self) -> String {
        format!("http://{}", self.control)
    }

    /// Says where the site of a host name really listens, for providers that visit sites themselves.
    pub fn site(&self, host: &str, address: SocketAddr) {
        lock(&self.sites).insert(host.to_owned(), address);
    }
}

/// The data, also when a test panicked while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
