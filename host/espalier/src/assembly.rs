//! Puts the rooms together: store, sandbox, catalog and service, and the server around them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use model::billing::Billing;
use model::clock::{Clock, Entropy, SystemEntropy};
use model::keys::Keys;
use model::token::Secret;
use sandbox::egress::Guard;
use sandbox::tokens::Clients;
use sandbox::{Artefacts, OutboundPolicy, Pace, Sandbox};
use service::Service;
use service::config::{Config, Network, Off, Replay};
use service::generation::{Catalog, Generation, Loader};
use service::oauth::Authority;
use service::oauth::client_document::ClientDocuments;
use service::oauth::upstream::{Provider, Upstream};
use store::Store;
use store::serving::Served;
use tokio::net::TcpListener;
use tokio::sync::watch;
use web::listen::Bounds;

use crate::catalogs::Sources;
use crate::in_force;
use crate::kept::{self, Kept};
use crate::notary;
use crate::settings::{Outbound, Settings, SignIn};

/// Opens the database of the settings for a command of an operator, and brings it to this version; with it the time
/// that all hosts on it agree on.
///
/// # Errors
/// When it cannot be opened.
pub async fn store(settings: &Settings) -> anyhow::Result<(Store, Arc<dyn Clock>)> {
    let clock = clock(settings).await?;
    Ok((open_store(settings, clock.clone()).await?, clock))
}

async fn open_store(settings: &Settings, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    Store::open(&settings.database, clock, entropy).await.context("the database cannot be opened")
}

/// The time that all hosts on the database of the settings agree on.
///
/// # Errors
/// When the database cannot be reached.
pub async fn clock(settings: &Settings) -> anyhow::Result<Arc<dyn Clock>> {
    store::clock(&settings.database).await.context("the database cannot be opened")
}

/// Who may come in, without a catalog and a sandbox: for commands that look after customers and tokens.
///
/// # Errors
/// When the database or the keys cannot be opened.
pub async fn authority(settings: &Settings) -> anyhow::Result<Authority> {
    let (store, clock) = store(settings).await?;
    let config = config(settings, "http://127.0.0.1:8080")?;
    Ok(Authority::new(store, clock, Arc::new(SystemEntropy), config))
}

/// The service with the catalog of these sources: pinned to a revision, or the one that was activated for all hosts,
/// or the newest.
///
/// # Errors
/// When anything is not what the locks say.
pub async fn with_modules(
    settings: &Settings,
    public_url: &str,
    outbound: &Outbound,
    sources: Sources,
    revision: Option<&str>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Service> {
    let sandbox = sandbox(settings, outbound, public_url)?;
    let store = open_store(settings, clock.clone()).await?;
    let served = match revision {
        Some(_) => None,
        None => store.serving.served().await?,
    };
    let kept = Kept::of(&settings.data_dir);
    let folder = sources.clone();
    let (sources, first) = match &served {
        Some(served) => kept::in_force(&folder, &kept, served)?,
        None => {
            let first = sources.revision(revision)?;
            (sources, first)
        }
    };
    let is_shipped = sources.trust.is_some();
    if is_shipped {
        match revision.or(served.as_ref().map(|it| it.date.as_str())) {
            Some(_) => in_force::check(&store, &first).await?,
            None => in_force::check_newest(&store, &first).await?,
        }
    }
    let loader: Option<Loader> = revision.is_none().then(|| {
        let kept = kept.clone();
        Arc::new(move |sandbox: &Sandbox, served: &Served| {
            let loaded = kept::in_force(&folder, &kept, served).and_then(|(sources, revision)| {
                if served.digest.as_ref().is_some_and(|digest| *digest != revision.hash()) {
                    anyhow::bail!("this host has other bytes of it, and these are not kept here");
                }
                let generation = sources.load(sandbox, &revision)?;
                kept.keep_if_possible(&sources, &revision);
                Ok(generation)
            });
            loaded.map_err(|error| format!("{error:#}"))
        }) as Loader
    });
    let (date, digest) = (first.date.clone(), first.hash());
    // Compiling a component that was never compiled here takes seconds of a whole core.
    let (sandbox, generation) = tokio::task::spawn_blocking(move || {
        let generation = sources.load(&sandbox, &first)?;
        kept.keep_if_possible(&sources, &first);
        anyhow::Ok((sandbox, generation))
    })
    .await??;
    if is_shipped {
        store.serving.note_in_force(&date, &digest, clock.now()).await?;
    }
    store.records.declare_indexes(&generation.stored(), generation.upgrades(&sandbox)).await?;
    let service = with_generation(settings, public_url, outbound, (sandbox, generation), store, clock)?;
    if let Some(loader) = loader {
        service.revisions.follow(loader);
    }
    Ok(service)
}

/// The service with a generation that was loaded.
///
/// # Errors
/// When the settings cannot be used.
pub(crate) fn with_generation(
    settings: &Settings,
    public_url: &str,
    outbound: &Outbound,
    (sandbox, generation): (Sandbox, Generation),
    store: Store,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Service> {
    let mut config = config(settings, public_url)?;
    config.upstream = settings.file.sign_in.as_ref().map(upstream).transpose()?;
    if settings.file.client_documents {
        config.client_documents = Some(ClientDocuments::new(Guard::new(policy(outbound, public_url)?)?));
    }
    settings.key_ring.clone().watch(&config.keys);
    let service = Service::new(store, sandbox, Catalog::new(generation), clock, Arc::new(SystemEntropy), config);
    service.checkpoints.appoint(notary::notary(settings)?);
    Ok(service)
}

/// The plans and prices, if they can be used.
fn billing(settings: &Settings) -> anyhow::Result<Billing> {
    let billing = settings.file.billing.clone();
    match billing.fault() {
        None => Ok(billing),
        Some(fault) => anyhow::bail!("{fault}"),
    }
}

/// Which runs are kept, if it can be said so.
fn replay(settings: &Settings) -> anyhow::Result<Replay> {
    let replay = settings.file.replay;
    anyhow::ensure!(
        (0.0..=1.0).contains(&replay.sample),
        "replay.sample: {} is no share; write 0 for none, 0.001 for one run in a thousand, 1 for all",
        replay.sample
    );
    Ok(replay)
}

/// What is not offered, if it can be said so.
fn off(settings: &Settings) -> anyhow::Result<Off> {
    let off = settings.file.off.clone();
    if let Some(name) = off.fault() {
        anyhow::bail!("off: {name:?} begins no operation's id; write a family such as \"ux_signals.viral\"");
    }
    Ok(off)
}

fn config(settings: &Settings, public_url: &str) -> anyhow::Result<Config> {
    Ok(Config {
        public_url: public_url.trim_end_matches('/').into(),
        cors_origins: settings.file.cors_origins.clone(),
        trusted_proxies: networks("trusted_proxies", &settings.file.trusted_proxies)?,
        client_documents: None,
        upstream: None,
        keys: Keys::new(settings.key_ring.open()?),
        limits: settings.file.limits.clone().unwrap_or_default(),
        billing: Arc::new(billing(settings)?),
        uploads: settings.file.uploads.clone(),
        work: settings.file.work.clone(),
        replay: replay(settings)?,
        off: off(settings)?,
    })
}

fn upstream(file: &SignIn) -> anyhow::Result<Arc<Provider>> {
    let settings = Upstream {
        name: file.name.clone(),
        issuer: file.issuer.clone(),
        client_id: file.client_id.clone(),
        client_secret: file.client_secret()?.map(Secret::received),
        add_customers: file.add_customers,
    };
    Ok(Arc::new(Provider::new(settings).map_err(|what| anyhow::anyhow!("sign_in: {what}"))?))
}

/// Networks as the file writes them; an address alone is a network of one.
fn networks(setting: &str, texts: &[String]) -> anyhow::Result<Vec<Network>> {
    let read = |text: &String| {
        let alone = text.parse::<IpAddr>().map(|ip| format!("{ip}/{}", if ip.is_ipv4() { 32 } else { 128 }));
        let network = alone.unwrap_or_else(|_| text.clone()).parse();
        network.map_err(|_| anyhow::anyhow!("{setting}: {text} is not a network such as 127.0.0.0/8"))
    };
    texts.iter().map(read).collect()
}

/// The slowest long run of a pace that strangers' sites may be asked at.
const EVERY_MS: u32 = 1_000;

fn policy(outbound: &Outbound, public_url: &str) -> anyhow::Result<OutboundPolicy> {
    let allow_private = networks("outbound.allow_private", &outbound.allow_private)?;
    let closed = allow_private.is_empty() && outbound.resolve.is_empty();
    let page = format!("{}/bot", public_url.trim_end_matches('/'));
    let contact = outbound.contact.as_deref().unwrap_or(&page);
    anyhow::ensure!(
        contact.len() <= 256 && contact.bytes().all(|byte| byte.is_ascii_graphic() && !b"()\\".contains(&byte)),
        "outbound.contact: {contact:?} is not an address that a request can name"
    );
    let mut policy = OutboundPolicy {
        agent: sandbox::agent(contact),
        allow_private,
        resolve: outbound.resolve.clone(),
        dns: outbound.dns.clone(),
        blocklists: outbound.blocklists.clone(),
        ..OutboundPolicy::default()
    };
    for path in &outbound.authorities {
        let text = std::fs::read(path).with_context(|| format!("outbound.authorities: {}", path.display()))?;
        let found = sandbox::egress::authorities(&text);
        anyhow::ensure!(!found.is_empty(), "outbound.authorities: {} has no certificate in PEM", path.display());
        policy.authorities.extend(found);
    }
    if let Some(resolvers) = &outbound.public_resolvers {
        anyhow::ensure!(resolvers.len() <= 13, "outbound.public_resolvers: thirteen are the most");
        policy.public_resolvers = resolvers.iter().map(|(name, address)| (name.clone(), *address)).collect();
    }
    if let Some(pace) = outbound.pace {
        let fits = pace.burst >= 1 && (pace.every_ms >= EVERY_MS || !closed);
        anyhow::ensure!(fits, "outbound.pace: burst is 1 or more, and every_ms is 1000 or more on the open web");
        policy.pace = Pace { every: Duration::from_millis(u64::from(pace.every_ms)), burst: pace.burst };
    }
    Ok(policy)
}

pub(crate) fn sandbox(settings: &Settings, outbound: &Outbound, public_url: &str) -> anyhow::Result<Sandbox> {
    let usual = sandbox::Config::default();
    let memory = settings.file.memory_mib.map_or(usual.memory, |mib| (mib.max(64) as usize) << 20);
    let config = sandbox::Config {
        memory,
        artefacts: Some(Artefacts { folder: settings.data_dir.join("compiled"), key: settings.key("artefacts")? }),
        compile: settings.compile,
        outbound: policy(outbound, public_url)?,
        clients: Clients::new(settings.clients.clone()).map_err(|what| anyhow::anyhow!("connect clients: {what}"))?,
        ..usual
    };
    Ok(Sandbox::new(config)?)
}

/// Serves until a signal comes; requests and steps that run are finished. Told to terminate, it first goes on
/// for `drain`, not ready any more, so that whoever spreads requests over nodes sends the next ones elsewhere. An
/// interrupt, or a second signal, ends that.
///
/// # Errors
/// When a task of the host ends badly.
pub async fn serve(service: Service, listener: TcpListener, bounds: Bounds, drain: Duration) -> anyhow::Result<()> {
    let (stop, stopped) = watch::channel(false);
    let worker = tokio::spawn({
        let (service, stopped) = (service.clone(), stopped.clone());
        async move {
            tokio::join!(
                service.worker.work(stopped.clone()),
                service.limits.share_limits(stopped.clone()),
                service.books.watch_ledger(stopped.clone()),
                service.revisions.follow_catalog(stopped.clone()),
                service.checkpoints.keep_checkpoints(stopped.clone()),
                service.keys.follow_keys(stopped.clone()),
                service.schedules.keep_schedules(stopped.clone()),
                service.billing.bill_plans(stopped.clone()),
                service.edges.write_visits(stopped)
            )
        }
    });
    let (router, gathered, leaving) = (web::router(service.clone()), service.clone(), service.clone());
    let stopped = async move {
        let signal = signal().await;
        leaving.core.leave();
        stop.send_replace(true);
        if signal == Signal::Terminate {
            tokio::select! {
                () = tokio::time::sleep(drain) => {}
                _ = self::signal() => {}
            }
        }
    };
    web::listen::serve(service, router, listener, bounds, stopped).await;
    worker.await?;
    gathered.edges.flush_visits().await;
    Ok(())
}

/// What ends a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    /// A person at the terminal.
    Interrupt,
    /// Whoever runs hosts, for example to replace them one by one.
    Terminate,
}

async fn signal() -> Signal {
    let interrupt = async { tokio::signal::ctrl_c().await.ok() };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            interrupt.await;
            return Signal::Interrupt;
        };
        tokio::select! {
            _ = interrupt => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
        }
    }
    #[cfg(not(unix))]
    {
        interrupt.await;
        Signal::Interrupt
    }
}
