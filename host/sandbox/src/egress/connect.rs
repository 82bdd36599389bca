//! Connections to pinned addresses, plain or with TLS.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::{self, CryptoProvider};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::target::{Name, Target};
use super::{Failure, Guard, GuardError};
use crate::config::OutboundPolicy;

/// Connect timeout per address.
const CONNECT: Duration = Duration::from_secs(3);
/// Timeout of the TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Addresses of one name that are tried.
const TRIES: usize = 3;

/// The transport of an exchange.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The cryptography provider of all TLS connections.
pub(super) fn provider() -> Arc<CryptoProvider> {
    static PROVIDER: OnceLock<Arc<CryptoProvider>> = OnceLock::new();
    Arc::clone(PROVIDER.get_or_init(|| Arc::new(crypto::aws_lc_rs::default_provider())))
}

/// The system's certificate authorities and those of the policy.
pub(super) fn roots(policy: &OutboundPolicy) -> Arc<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, _ignored) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        tracing::warn!("the system has no certificate authorities; no secure page can be fetched");
    }
    let own = policy.authorities.iter().map(|der| CertificateDer::from(der.as_slice()));
    let (_, unread) = roots.add_parsable_certificates(own);
    if unread > 0 {
        tracing::warn!(unread, "some of the configured certificate authorities cannot be read");
    }
    Arc::new(roots)
}

/// Parses the certificates of a PEM text into DER. Skips what is not a certificate.
pub fn authorities(pem: &[u8]) -> Vec<Vec<u8>> {
    CertificateDer::pem_slice_iter(pem).filter_map(|found| Some(found.ok()?.to_vec())).collect()
}

/// A TLS configuration that trusts these authorities and offers these ALPN protocols (RFC 7301); none if the list is
/// empty.
pub(super) fn trust(roots: Arc<RootCertStore>, protocols: &[&[u8]]) -> Result<ClientConfig, GuardError> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| GuardError::Tls(error.to_string()))?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|it| it.to_vec()).collect();
    Ok(config)
}

/// Dials the pinned addresses in order, and no others.
pub(super) async fn dial(addresses: &[SocketAddr]) -> Result<TcpStream, Failure> {
    let mut failure = Failure::Unreachable;
    for address in addresses.iter().take(TRIES) {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) if stream.peer_addr().is_ok_and(|peer| peer.ip() == address.ip()) => {
                // Small requests should not be delayed. A socket without the option still works.
                stream.set_nodelay(true).ok();
                return Ok(stream);
            }
            Ok(_) => failure = Failure::Unreachable,
            Err(_) => failure = Failure::Timeout,
        }
    }
    Err(failure)
}

impl Guard {
    /// Connects to the target at one of its pinned addresses.
    pub(super) async fn connect(&self, target: &Target, addresses: &[SocketAddr]) -> Result<Box<dyn Stream>, Failure> {
        let stream = dial(addresses).await?;
        self.secure(target, stream).await
    }

    async fn secure(&self, target: &Target, stream: TcpStream) -> Result<Box<dyn Stream>, Failure> {
        if !target.tls {
            return Ok(Box::new(stream));
        }
        Ok(Box::new(handshake(&self.tls, &target.host, stream).await?))
    }

    /// The TLS handshake with a mail server.
    pub(super) async fn handshake_as_mail(
        &self,
        host: &Name,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, Failure> {
        handshake(&self.mail, host, stream).await
    }
}

/// TLS to the requested host, with its certificate verified.
async fn handshake(connector: &TlsConnector, host: &Name, stream: TcpStream) -> Result<TlsStream<TcpStream>, Failure> {
    let name = match host {
        Name::Domain(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::Tls)?,
        Name::Address(address) => ServerName::from(*address),
    };
    match timeout(HANDSHAKE, connector.connect(name, stream)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(_)) => Err(Failure::Tls),
        Err(_) => Err(Failure::Timeout),
    }
}
