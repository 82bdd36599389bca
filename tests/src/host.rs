//! A whole host in this process, on a free port.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use catalog::lock::Lock;
use espalier::assembly;
use espalier::catalogs::Sources;
use espalier::cli::Place;
use espalier::modules::{Built, Profile};
use espalier::settings::{Outbound, Pace, Settings};
use model::id::CustomerId;
use model::scope::ScopeSet;
use model::token::Secret;
use sandbox::tokens::Client;
use service::Service;
use service::config::Rates;
use service::oauth::password::Password;
use simulators::Simulator;
use tempfile::TempDir;
use tokio::net::TcpListener;
use web::listen::Bounds;

use crate::clock::Ahead;
use crate::customer::Customer;
pub use crate::operator::{begin, operate, operate_as, operate_with};
pub use crate::process::Process;
use crate::shipped::share_compiled;
pub use crate::shipped::{guest, shipped, shipped_with};

/// The modules of this workspace, built once for all tests of a process.
pub fn modules() -> &'static [Built] {
    &sources().built
}

/// The locks of the newest revision, by module.
///
/// # Panics
/// When the catalog cannot be read.
pub fn locks() -> BTreeMap<String, Lock> {
    sources().revision(None).expect("a revision").locks
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

pub(crate) fn sources() -> &'static Sources {
    static SOURCES: OnceLock<Sources> = OnceLock::new();
    SOURCES.get_or_init(|| Sources::workspace(&workspace(), Profile::Test).expect("the modules build"))
}

/// Compiled components, kept between the hosts of all tests.
pub(crate) fn compiled() -> PathBuf {
    workspace().join("target/components/compiled")
}

/// How a host of a test differs from the usual one.
#[derive(Default)]
pub struct Options {
    outbound: Outbound,
    rates: Option<Rates>,
    profile: Option<Profile>,
    server: Option<String>,
    beside: Option<(Arc<TempDir>, String)>,
    public: Option<String>,
    trusted: Vec<String>,
    clients: BTreeMap<String, Client>,
    locked: Option<fn(&mut BTreeMap<String, Lock>)>,
    sample: f64,
    off: Vec<String>,
    sources: Option<Sources>,
}

impl Options {
    /// These components and locks in the place of the workspace's.
    pub fn serve(&mut self, sources: Sources) {
        self.sources = Some(sources);
    }

    /// An OAuth client at a simulated provider, for a kind or for all of the provider's.
    pub fn client(&mut self, name: &str, provider: &Simulator) {
        let known = provider.credentials();
        let text = |name: &str| known[name].as_str().unwrap_or_default().to_owned();
        let secret = Some(Secret::received(text("client_secret")));
        let client = Client { id: text("client_id"), secret, endpoint: Some(provider.url()) };
        self.clients.insert(name.to_owned(), client);
    }

    /// A name that leads to an address.
    pub fn map(&mut self, name: &str, address: SocketAddr) {
        self.outbound.resolve.insert(name.to_owned(), address);
    }

    /// A file of a certificate authority that is trusted beside the system's.
    pub fn authority(&mut self, pem: &Path) {
        self.outbound.authorities.push(pem.to_path_buf());
    }

    /// The resolver that answers modules' questions to the name system.
    pub fn resolver(&mut self, address: SocketAddr) {
        self.outbound.dns = vec![address];
    }

    /// Nothing on loopback but the mapped names, as where the service is really run.
    pub fn close(&mut self) {
        self.outbound.allow_private.clear();
        self.outbound.pace = None;
    }

    /// Modules built in another way.
    pub fn profile(&mut self, profile: Profile) {
        self.profile = Some(profile);
    }

    /// A database on this server of PostgreSQL.
    pub fn server(&mut self, server: &str) {
        self.server = Some(server.to_owned());
    }

    /// Another node of the same service: its database, keys and public address.
    pub fn beside(&mut self, other: &Host) {
        self.beside = Some((other.data.clone(), other.origin.clone()));
    }

    /// The address that clients use.
    pub fn public(&mut self, url: &str) {
        self.public = Some(url.to_owned());
    }

    /// A proxy in front.
    pub fn trust(&mut self, network: &str) {
        self.trusted.push(network.to_owned());
    }

    /// Other locks than those of the catalog.
    pub fn locks(&mut self, change: fn(&mut BTreeMap<String, Lock>)) {
        self.locked = Some(change);
    }

    /// The share of runs that are kept beside the faults.
    pub fn sample(&mut self, share: f64) {
        self.sample = share;
    }

    /// A family of operations that is not offered.
    pub fn off(&mut self, family: &str) {
        self.off.push(family.to_owned());
    }

    /// Other limits.
    pub fn rates(&mut self, rates: Rates) {
        self.rates = Some(rates);
    }
}

/// Limits that no test meets by accident.
pub fn wide() -> Rates {
    let most = 1_000_000;
    Rates {
        requests: most,
        heavy: most,
        enumeration: most,
        feedback: most,
        sign_in: most,
        registration: most,
        registrations: most,
        token: most,
        token_failures: most,
        edge: most,
    }
}

/// A host in this process.
pub struct Host {
    /// `{base_url}`.
    pub rest: String,
    /// `{mcp_url}`.
    pub mcp: String,
    /// The service itself, for what only an operator can do.
    pub service: Service,
    /// Its clock.
    pub clock: Arc<Ahead>,
    http: reqwest::Client,
    origin: String,
    data: Arc<TempDir>,
}

impl Host {
    /// Starts one.
    pub async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// Starts one that differs.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::default();
        options.outbound.allow_private.push("127.0.0.0/8".to_owned());
        options.outbound.pace = Some(Pace { every_ms: 0, burst: 1 });
        change(&mut options);
        let (data, public) = match options.beside {
            Some((data, public)) => (data, Some(public)),
            None => {
                let data = tempfile::tempdir().expect("a folder");
                share_compiled(data.path());
                (Arc::new(data), None)
            }
        };
        let database = match &options.server {
            Some(server) => Some(crate::database::on(server, data.path())),
            None => crate::database::of(data.path()),
        };
        let place = Place { data_dir: Some(data.path().to_path_buf()), database, ..Place::default() };
        let mut settings = Settings::read(&place).expect("settings");
        settings.file.trusted_proxies = options.trusted;
        settings.clients = options.clients;
        settings.file.limits = Some(options.rates.unwrap_or_else(wide));
        settings.file.replay.sample = options.sample;
        settings.file.off = options.off.into();
        let (profile, shipped) = (options.profile, options.sources);
        let mut sources = tokio::task::spawn_blocking(move || match (shipped, profile) {
            (Some(shipped), _) => shipped,
            (None, Some(profile)) => Sources::workspace(&workspace(), profile).expect("the modules build"),
            (None, None) => sources().clone(),
        })
        .await
        .expect("built");
        if let Some(change) = options.locked {
            let mut revision = sources.revision(None).expect("a revision");
            change(&mut revision.locks);
            sources.catalog = data.path().join("catalog");
            revision.write(&sources.catalog).expect("a catalog");
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let clock = Arc::new(Ahead::default());
        let origin = public.or(options.public).unwrap_or_else(|| url.clone());
        let service = assembly::with_modules(&settings, &origin, &options.outbound, sources, None, clock.clone())
            .await
            .expect("the host starts");
        tokio::spawn(assembly::serve(service.clone(), listener, Bounds::default(), Duration::ZERO));
        Self {
            rest: format!("{url}/v1"),
            mcp: format!("{url}/mcp"),
            service,
            clock,
            http: reqwest::Client::new(),
            origin,
            data,
        }
    }

    /// The data folder: for the commands of an operator.
    pub fn folder(&self) -> &Path {
        self.data.path()
    }

    /// Adds a customer who can sign in.
    ///
    /// # Panics
    /// When it cannot be added.
    pub async fn add_customer(&self, email: &str, password: &str, credits: u64) -> Customer {
        let password = Password::chosen(password).expect("a password");
        let added = self.service.core.authority().add_customer(email, Some(password), credits).await.expect("added");
        self.holder(added.id.as_str(), "")
    }

    /// An activated customer with a token of these scopes and 100 credits to spare.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn customer(&self, scopes: &str) -> Customer {
        let email = format!("{}@example.com", crate::customer::fresh_key());
        let added = self.service.core.authority().add_customer(&email, None, 200).await.expect("added");
        let holder = self.holder(added.id.as_str(), "");
        let token = self.token_for(&holder, scopes, Duration::from_secs(3_600)).await;
        holder.with_token(&token)
    }

    /// Another token for a customer.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn token_for(&self, customer: &Customer, scopes: &str, life: Duration) -> String {
        let scopes: ScopeSet = scopes.parse().expect("scopes");
        let authority = self.service.core.authority();
        let id = CustomerId::from(customer.id.as_str());
        let made = authority.issue_token(&id, scopes, "test", life).await.expect("a token");
        made.secret.reveal().to_owned()
    }

    /// A holder of a token that came from elsewhere.
    pub fn bearer(&self, customer: &Customer, token: &str) -> Customer {
        self.holder(&customer.id, token)
    }

    fn holder(&self, id: &str, token: &str) -> Customer {
        Customer {
            id: id.to_owned(),
            token: token.to_owned(),
            rest: self.rest.clone(),
            mcp: self.mcp.clone(),
            http: self.http.clone(),
        }
    }

    /// Turns credits into points.
    ///
    /// # Panics
    /// When there are too few.
    pub async fn buy_points(&self, customer: &Customer, credits: u64) {
        let id = CustomerId::from(customer.id.as_str());
        self.service.core.store().money.buy_points(&id, credits, &crate::customer::fresh_key()).await.expect("bought");
    }

    /// Adds credits.
    ///
    /// # Panics
    /// When the store fails.
    pub async fn credit(&self, customer: &Customer, credits: u64) {
        let id = CustomerId::from(customer.id.as_str());
        let reference = crate::customer::fresh_key();
        self.service.core.authority().credit(&id, credits * 1_000, &reference).await.expect("credited");
    }

    /// Checks the books.
    ///
    /// # Panics
    /// When an invariant is broken.
    pub async fn verify_ledger(&self) {
        let violations = self.service.core.store().money.verify_ledger().await.expect("readable");
        assert!(violations.is_empty(), "{violations:?}");
    }
}
