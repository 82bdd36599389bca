//! TLS inspection of a host: handshakes that end before any request.

mod certificate;
mod trust;
mod witness;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{ServerName, UnixTime};
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ClientConfig, ProtocolVersion, SupportedProtocolVersion};

pub use self::certificate::Certificate;
pub use self::trust::Distrust;
use self::witness::Witness;
use super::resolve::Place;
use super::target::{self, Name};
use super::{Decision, Failure, Guard, Manners, Verdict, connect};

/// Ports with implicit TLS: two of the web, mail submission and mail access.
const PORTS: [u16; 4] = [443, 465, 993, 8443];
/// Timeout of one handshake, without connecting.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Certificates of a chain that are read.
const MOST_CHAIN: usize = 10;

/// A TLS version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// RFC 5246.
    Tls12,
    /// RFC 8446.
    Tls13,
}

impl Version {
    const ALL: [Version; 2] = [Version::Tls12, Version::Tls13];

    fn supported(self) -> &'static SupportedProtocolVersion {
        match self {
            Version::Tls12 => &TLS12,
            Version::Tls13 => &TLS13,
        }
    }
}

/// Whether the server accepts a TLS version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// The handshake succeeded.
    Accepted,
    /// The server rejected the version.
    Refused,
    /// The server did not respond this time.
    Unknown,
}

/// The result of an inspection.
#[derive(Clone, Debug)]
pub struct Report {
    /// The address that was connected to.
    pub address: SocketAddr,
    /// The version agreed on when both were offered.
    pub version: Version,
    /// The cipher suite, as IANA registers it.
    pub cipher: String,
    /// The ALPN protocol agreed on.
    pub alpn: Option<String>,
    /// The certificates as sent, the server's own first.
    pub chain: Vec<Certificate>,
    /// Why the chain is not trusted; empty if it is.
    pub distrust: Vec<Distrust>,
    /// Whether an OCSP response was stapled.
    pub ocsp_stapled: bool,
    /// Whether TLS 1.2 is accepted.
    pub tls12: Acceptance,
    /// Whether TLS 1.3 is accepted.
    pub tls13: Acceptance,
    /// How long the first handshake took.
    pub took: Duration,
}

/// The result of one handshake.
struct Handshake {
    address: SocketAddr,
    version: Version,
    cipher: String,
    alpn: Option<String>,
    witness: Arc<Witness>,
}

impl Guard {
    /// Inspects the TLS configuration of a host. Each handshake takes a rate-limit slot.
    ///
    /// # Errors
    /// A [`Failure`]. An untrusted chain is a report.
    pub async fn inspect(
        &self,
        host: &str,
        port: u16,
        manners: &Manners,
        trail: &mut Vec<Decision>,
    ) -> Result<Report, Failure> {
        let place = self.place(host, port, &PORTS, trail)?;
        let addresses = self.resolve(&place, trail).await?;
        self.take_turn(&place, self.policy.pace, manners).await?;
        let began = Instant::now();
        let first = self.handshake(&place, &addresses, &Version::ALL).await?;
        let took = began.elapsed();
        let other = if first.version == Version::Tls12 { Version::Tls13 } else { Version::Tls12 };
        let also = match self.take_turn(&place, self.policy.pace, manners).await {
            Ok(()) => match self.handshake(&place, &[first.address], &[other]).await {
                Ok(_) => Acceptance::Accepted,
                Err(Failure::Tls) => Acceptance::Refused,
                Err(_) => Acceptance::Unknown,
            },
            Err(_) => Acceptance::Unknown,
        };
        let (tls12, tls13) = match first.version {
            Version::Tls12 => (Acceptance::Accepted, also),
            Version::Tls13 => (also, Acceptance::Accepted),
        };
        let seen = first.witness.seen();
        let chain: Vec<Certificate> =
            seen.chain.iter().take(MOST_CHAIN).filter_map(|der| Certificate::read(der.as_ref())).collect();
        let now = UnixTime::since_unix_epoch(SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default());
        let name = server_name(&place)?;
        let distrust = trust::reasons(&seen, &chain, &name, &self.roots, now);
        let Handshake { address, version, cipher, alpn, .. } = first;
        let ocsp_stapled = seen.ocsp_stapled;
        Ok(Report { address, version, cipher, alpn, chain, distrust, ocsp_stapled, tls12, tls13, took })
    }

    /// Parses a host and port with the same parser as URLs.
    pub(super) fn place(
        &self,
        host: &str,
        port: u16,
        ports: &'static [u16],
        trail: &mut Vec<Decision>,
    ) -> Result<Place, Failure> {
        let bracketed =
            if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() };
        let plain = !bracketed.is_empty() && !bracketed.contains(['/', '?', '#', '@', '\\']);
        let parsed = if plain { target::parse(&format!("https://{bracketed}/")) } else { Err(target::unreadable()) };
        match parsed {
            // Any other port was part of the given host.
            Ok(found) if found.port == 443 => Ok(Place { host: found.host.clone(), port, ports }),
            Ok(found) => {
                let host = found.host.text();
                trail.push(Decision { host, port, address: None, verdict: Verdict::Url, line: None });
                Err(Failure::Refused)
            }
            Err(refused) => {
                trail.push(refused);
                Err(Failure::Refused)
            }
        }
    }

    async fn handshake(
        &self,
        place: &Place,
        addresses: &[SocketAddr],
        versions: &[Version],
    ) -> Result<Handshake, Failure> {
        let stream = connect::dial(addresses).await?;
        let address = stream.peer_addr().map_err(|_| Failure::Unreachable)?;
        let provider = connect::provider();
        let witness = Arc::new(Witness::new(provider.signature_verification_algorithms));
        let versions: Vec<_> = versions.iter().map(|version| version.supported()).collect();
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions)
            .map_err(|_| Failure::Tls)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&witness) as _);
        let mut config = config.with_no_client_auth();
        // Force a full handshake each time.
        config.resumption = tokio_rustls::rustls::client::Resumption::disabled();
        if matches!(place.port, 443 | 8443) {
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        }
        let connecting = TlsConnector::from(Arc::new(config)).connect(server_name(place)?, stream);
        let stream = timeout(HANDSHAKE, connecting).await.map_err(|_| Failure::Timeout)?.map_err(|_| Failure::Tls)?;
        let (_, session) = stream.get_ref();
        let version = match session.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => Version::Tls12,
            _ => Version::Tls13,
        };
        let cipher =
            session.negotiated_cipher_suite().map(|suite| suite.suite().as_str().unwrap_or("unknown").to_owned());
        let alpn = session.alpn_protocol().map(|protocol| String::from_utf8_lossy(protocol).into_owned());
        Ok(Handshake { address, version, cipher: cipher.unwrap_or_default(), alpn, witness })
    }
}

fn server_name(place: &Place) -> Result<ServerName<'static>, Failure> {
    match &place.host {
        Name::Domain(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::Refused),
        Name::Address(address) => Ok(ServerName::from(*address)),
    }
}

#[cfg(test)]
mod tests;
