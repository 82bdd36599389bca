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

mod account;
mod bing_webmaster;
mod cloudflare;
mod control;
mod dataforseo;
mod fault;
mod fulfilment;
mod google;
mod indexnow;
mod jmap;
mod llm;
mod name_com;
mod outcall;
mod porkbun;
mod post_office;
mod powerdns;
mod provider;
mod registry;
mod reply;
mod request;
mod seed;
mod shop;
mod simulator;
mod smtp;
mod wordpress;
mod zone;

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use account::Account;
pub use fault::Fault;
pub use provider::Effect;
pub use request::Auth;
pub use seed::Seed;
pub use simulator::{Recorded, Simulator};
pub use smtp::{Message, Smtp};
pub use wordpress::{Blog, Said};

use provider::{Provider, Sites};

/// All providers of one seed, each on a listener of its own.
#[derive(Debug)]
pub struct World {
    /// WordPress with its REST interface, SEO plugins and the Redirection plugin.
    pub wordpress: Simulator,
    /// Google: Search Console, Indexing, Business Profile, PageSpeed, CrUX, Analytics and Gmail behind one origin.
    pub google: Simulator,
    /// Bing Webmaster.
    pub bing_webmaster: Simulator,
    /// IndexNow. It visits the site whose pages are submitted: see [`World::site`].
    pub indexnow: Simulator,
    /// DataForSEO.
    pub dataforseo: Simulator,
    /// A language model.
    pub llm: Simulator,
    /// A mailbox by JMAP; Gmail and SMTP are doors to the same one.
    pub jmap: Simulator,
    /// DNS at Cloudflare.
    pub cloudflare: Simulator,
    /// DNS at one's own PowerDNS.
    pub powerdns: Simulator,
    /// The registrar Name.com.
    pub name_com: Simulator,
    /// The registrar Porkbun.
    pub porkbun: Simulator,
    /// The reference server of the fulfilment contract.
    pub fulfilment: Simulator,
    /// Mail submission.
    pub smtp: Smtp,
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

/// Starts the world on ports that follow each other, the control listener first and then in the order of [`World`];
/// 0 takes free ones.
///
/// # Errors
/// When a port is taken.
pub async fn start_from(seed: Seed, first: u16) -> std::io::Result<World> {
    let sites = Sites::default();
    let post = post_office::PostOffice::new();
    let port = |nth: u16| if first == 0 { 0 } else { first + nth };
    let one = |nth: u16, name: &'static str, provider: Box<dyn Provider>| {
        Simulator::start(name, port(nth), seed, sites.clone(), provider)
    };
    let mut world = World {
        wordpress: one(1, "wordpress", Box::new(wordpress::WordPress::new(seed))).await?,
        google: one(2, "google", Box::new(google::Google::new(seed, post.clone()))).await?,
        bing_webmaster: one(3, "bing_webmaster", Box::<bing_webmaster::BingWebmaster>::default()).await?,
        indexnow: one(4, "indexnow", Box::<indexnow::IndexNow>::default()).await?,
        dataforseo: one(5, "dataforseo", Box::new(dataforseo::DataForSeo::new())).await?,
        llm: one(6, "llm", Box::<llm::Llm>::default()).await?,
        jmap: one(7, "jmap", Box::new(jmap::Jmap::new(post.clone()))).await?,
        cloudflare: one(8, "cloudflare", Box::new(cloudflare::Cloudflare::new(seed))).await?,
        powerdns: one(9, "powerdns", Box::new(powerdns::PowerDns::new())).await?,
        name_com: one(10, "name_com", Box::new(name_com::NameCom::new())).await?,
        porkbun: one(11, "porkbun", Box::new(porkbun::Porkbun::new())).await?,
        fulfilment: one(12, "fulfilment", Box::<fulfilment::Fulfilment>::default()).await?,
        smtp: Smtp::start(port(13), post).await?,
        control: SocketAddr::from(([127, 0, 0, 1], 0)),
        sites: sites.clone(),
    };
    world.control = control::serve(first, world.simulators(), world.smtp.clone()).await?;
    Ok(world)
}

impl World {
    /// The providers that speak HTTP, in a fixed order.
    #[must_use]
    pub fn simulators(&self) -> Vec<Simulator> {
        [
            &self.wordpress,
            &self.google,
            &self.bing_webmaster,
            &self.indexnow,
            &self.dataforseo,
            &self.llm,
            &self.jmap,
            &self.cloudflare,
            &self.powerdns,
            &self.name_com,
            &self.porkbun,
            &self.fulfilment,
        ]
        .map(Clone::clone)
        .into()
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
