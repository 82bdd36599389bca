//! Configuration: flags, then the environment, then `espalier.toml`.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use catalog::trust::{Signer, Trust};
use model::billing::Billing;
use model::edges::UploadLimits;
use model::token::Secret;
use sandbox::Compile;
use sandbox::tokens::Client;
use serde::Deserialize;
use service::config::{Off, Rates, Replay, Work};
use web::listen::Bounds;

use crate::cli::Place;
use crate::keys::Source;

/// The file `espalier.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// As `--data-dir`.
    pub data_dir: Option<PathBuf>,
    /// As `--database`.
    pub database: Option<String>,
    /// As `--key-ring`.
    pub key_ring: Option<PathBuf>,
    /// Origins that browsers may call from.
    #[serde(default)]
    pub cors_origins: Vec<String>,
    /// Whether a client's id may be the https address of a document that describes it. It is then fetched, as modules
    /// fetch pages: from public addresses only.
    #[serde(default)]
    pub client_documents: bool,
    /// An OpenID provider that customers may sign in with, beside their password.
    pub sign_in: Option<SignIn>,
    /// Mebibytes that all runs of modules may hold together: their memories, and what the host keeps for them. 640 unless
    /// said otherwise. A run that needs more than is left is refused with 503.
    pub memory_mib: Option<u32>,
    /// Networks of the proxies in front of this host, such as `127.0.0.1/32` or `10.0.0.0/8`: where a request comes
    /// from is then read from their `X-Forwarded-For`.
    #[serde(default)]
    pub trusted_proxies: Vec<String>,
    /// How many connections this node takes.
    #[serde(default)]
    pub listener: Bounds,
    /// As `--connect-clients`.
    pub connect_clients: Option<PathBuf>,
    /// What modules may reach.
    #[serde(default)]
    pub outbound: Outbound,
    /// Rates in a window of 60 seconds.
    pub limits: Option<Rates>,
    /// Plans and prices.
    #[serde(default)]
    pub billing: Billing,
    /// How much customers may hand over at the public edges.
    #[serde(default)]
    pub uploads: UploadLimits,
    /// How this node works on jobs.
    #[serde(default)]
    pub work: Work,
    /// Which runs are kept so that they can be had again.
    #[serde(default)]
    pub replay: Replay,
    /// Families of operations that this service does not offer, such as `ux_signals.viral`.
    #[serde(default)]
    pub off: Off,
    /// Whose signatures count on components, revisions and approvals that were shipped here.
    #[serde(default)]
    pub signer: Vec<Signer>,
}

impl File {
    /// Reads the file: the one that was named, or the one that stands here.
    ///
    /// # Errors
    /// When the file is there and is not what it should be.
    pub fn read(place: &Place) -> anyhow::Result<Self> {
        let path = place.config.clone().unwrap_or_else(|| PathBuf::from("espalier.toml"));
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).with_context(|| format!("{} is not a configuration", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && place.config.is_none() => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Whose signatures count on what is shipped here.
    ///
    /// # Errors
    /// When a signer's key is none.
    pub fn trust(&self) -> anyhow::Result<Arc<Trust>> {
        Ok(Arc::new(Trust::new(self.signer.clone()).context("espalier.toml")?))
    }
}

/// An upstream OpenID provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// What the button says.
    pub name: String,
    /// The issuer, exactly as its discovery document says it.
    pub issuer: String,
    /// The client that is registered there, with the redirect URI `{public_url}/sign-in/callback`.
    pub client_id: String,
    /// A file with the client's secret; `ESPALIER_SIGN_IN_SECRET` is the other way to give one. None: a public client.
    pub client_secret_file: Option<PathBuf>,
    /// Whether somebody with a verified e-mail that is not known here becomes a customer.
    #[serde(default)]
    pub add_customers: bool,
}

impl SignIn {
    /// The client's secret, if it has one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn client_secret(&self) -> anyhow::Result<Option<String>> {
        if let Some(text) = from_environment("ESPALIER_SIGN_IN_SECRET") {
            return Ok(Some(text.trim().to_owned()));
        }
        let Some(path) = &self.client_secret_file else { return Ok(None) };
        let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(Some(text.trim().to_owned()))
    }
}

/// This service as an OAuth client of a provider that customers connect their accounts of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConnectClient {
    /// The client that is registered there, with the redirect URI `{public_url}/connect/callback`.
    client_id: String,
    /// Its secret, or none for a public client.
    client_secret: Option<String>,
    /// A file with the secret, beside this one, in the place of `client_secret`.
    client_secret_file: Option<PathBuf>,
    /// What is asked in the provider's place, also by the connections that come of it. For tests and development.
    endpoint: Option<String>,
}

/// Reads the file of `--connect-clients`.
///
/// # Errors
/// When it cannot be read or is not what it must be. A secret in it is not repeated.
pub fn connect_clients(path: &Path) -> anyhow::Result<BTreeMap<String, Client>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let read: Result<BTreeMap<String, ConnectClient>, toml::de::Error> = toml::from_str(&text);
    // The error itself would show what stands there, which may be a secret.
    let read = read.map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        anyhow::anyhow!(
            "{}:{line}: a table for each provider has client_id, client_secret or client_secret_file, and endpoint",
            path.display()
        )
    })?;
    let client = |(name, it): (String, ConnectClient)| {
        let secret = match (it.client_secret, it.client_secret_file) {
            (Some(_), Some(_)) => {
                anyhow::bail!("{name}: client_secret and client_secret_file are both given; keep one")
            }
            (None, Some(file)) => {
                let file = path.parent().unwrap_or(Path::new(".")).join(file);
                let text = std::fs::read_to_string(&file);
                Some(text.with_context(|| format!("{} cannot be read", file.display()))?.trim().to_owned())
            }
            (given, None) => given,
        };
        let secret = secret.map(Secret::received);
        Ok((name, Client { id: it.client_id, secret, endpoint: it.endpoint }))
    };
    read.into_iter().map(client).collect()
}

/// How modules reach the outside. The holes in the guard are for development and tests only: each is explicit.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbound {
    /// Where the people behind the requests can be reached, as sites see it in each: an address of a page or a
    /// `mailto:`. None: `/bot` at the public address, which says what a site has to know.
    pub contact: Option<String>,
    /// How fast one host is asked, all customers together. None: one request a second, after a rest 8 at once.
    pub pace: Option<Pace>,
    /// Resolvers that answer modules' questions to the name system, such as `9.9.9.9:53`. They should know no zone of
    /// the inside, and pass DNSSEC records on. None: those of the system.
    #[serde(default)]
    pub dns: Vec<SocketAddr>,
    /// Public resolvers that say what the world is told of a name, by name, such as `Quad9 = "9.9.9.10:53"`; at most
    /// thirteen. None: eight well-known ones.
    pub public_resolvers: Option<BTreeMap<String, SocketAddr>>,
    /// Zones of DNS lists of bad names and addresses (RFC 5782) that you have leave to ask for customers: most public
    /// lists forbid it, or answer no questions that come through large resolvers. None are asked unless named here.
    #[serde(default)]
    pub blocklists: Vec<String>,
    /// Files of certificate authorities, in PEM, that are trusted beside the system's.
    #[serde(default)]
    pub authorities: Vec<PathBuf>,
    /// Networks that would be refused as private, such as `127.0.0.0/8`.
    #[serde(default)]
    pub allow_private: Vec<String>,
    /// Names that lead to a fixed address and port, in the manner of curl.
    #[serde(default)]
    pub resolve: BTreeMap<String, SocketAddr>,
}

/// How fast one host is asked.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Milliseconds between two requests in the long run, 1,000 or more; less only beside a hole in the guard.
    pub every_ms: u32,
    /// Requests at once after a rest, from 1.
    pub burst: u32,
}

/// Where the data is and what the file says.
#[derive(Debug)]
pub struct Settings {
    /// The data folder.
    pub data_dir: PathBuf,
    /// The database's address.
    pub database: String,
    /// Where the key ring is.
    pub key_ring: Source,
    /// This service at the providers that customers consent at, by kind or by the host of a token endpoint.
    pub clients: BTreeMap<String, Client>,
    /// How components are compiled: `dev` has an author who waits.
    pub compile: Compile,
    /// The rest of the file.
    pub file: File,
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// When the file is there and is not what it should be, or the data folder cannot be made.
    pub fn read(place: &Place) -> anyhow::Result<Self> {
        Self::of(place, File::read(place)?)
    }

    /// Whether nothing was ever stored here: the database is a file that is not there.
    pub fn is_new(&self) -> bool {
        self.database.strip_prefix("sqlite://").is_some_and(|file| !Path::new(file).exists())
    }

    /// The settings of a file that was read.
    ///
    /// # Errors
    /// As [`Settings::read`].
    pub fn of(place: &Place, file: File) -> anyhow::Result<Self> {
        let data_dir =
            place.data_dir.clone().or_else(|| file.data_dir.clone()).unwrap_or_else(|| PathBuf::from("data"));
        make_private(&data_dir)?;
        let database = place
            .database
            .clone()
            .or_else(|| file.database.clone())
            .unwrap_or_else(|| format!("sqlite://{}", data_dir.join("espalier.db").display()));
        let named = place.key_ring.clone().or_else(|| file.key_ring.clone());
        let key_ring = match (from_environment("ESPALIER_KEYS"), named) {
            (Some(_), Some(path)) => {
                anyhow::bail!("ESPALIER_KEYS and {} are both given; keep one key ring", path.display())
            }
            (Some(text), None) => Source::Text(text),
            (None, Some(path)) => Source::File(path),
            (None, None) => Source::Folder(data_dir.clone()),
        };
        let clients = file.connect_clients.as_deref().map(connect_clients).transpose()?.unwrap_or_default();
        Ok(Self { data_dir, database, key_ring, clients, compile: Compile::default(), file })
    }

    /// Whose signatures count on what is shipped here.
    ///
    /// # Errors
    /// When a signer's key is none.
    pub fn trust(&self) -> anyhow::Result<Arc<Trust>> {
        self.file.trust()
    }

    /// Puts the clients of a flag in the place of the file's.
    ///
    /// # Errors
    /// As [`connect_clients`].
    pub fn connect(&mut self, path: Option<&Path>) -> anyhow::Result<()> {
        if let Some(path) = path {
            self.clients = connect_clients(path)?;
        }
        Ok(())
    }

    /// A key of this node alone, such as that of compiled artefacts: 32 bytes, made at the first start, readable by the
    /// owner only.
    ///
    /// # Errors
    /// When the file cannot be read or made.
    pub fn key(&self, name: &str) -> anyhow::Result<[u8; 32]> {
        let path = self.data_dir.join(format!("{name}.key"));
        if let Ok(bytes) = std::fs::read(&path) {
            return bytes.try_into().map_err(|_| anyhow::anyhow!("{} is not 32 bytes", path.display()));
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
        write_private(&path, &key)?;
        Ok(key)
    }
}

/// A setting that is not a flag, because whoever may list processes can read flags.
#[expect(clippy::disallowed_methods, reason = "settings are read here")]
pub(crate) fn from_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.trim().is_empty())
}

/// Makes a folder that only its owner may enter; one that is there stays as it is.
pub(crate) fn make_private(folder: &Path) -> anyhow::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// Writes a file that only its owner may read, over the one that is there: whole or not at all.
pub(crate) fn replace_private(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let make = || -> std::io::Result<()> {
        let mut beside = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut beside, bytes)?;
        beside.as_file().sync_all()?;
        beside.persist(path)?;
        Ok(())
    };
    make().with_context(|| format!("{} cannot be made", path.display()))
}

pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).with_context(|| format!("{} cannot be made", path.display()))?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.sync_all()?;
    Ok(())
}
