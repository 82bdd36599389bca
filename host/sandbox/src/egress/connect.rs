//! A connection to a pinned address, plain or with TLS.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

use super::target::{Name, Target};
use super::{Failure, Guard, GuardError};

/// For one address.
const CONNECT: Duration = Duration::from_secs(3);
/// For the TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Addresses of one name that are tried.
const TRIES: usize = 3;

/// What an exchange runs over.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The system's certificate authorities; HTTP/1.1 only.
pub(super) fn trust() -> Result<ClientConfig, GuardError> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, _ignored) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        tracing::warn!("the system has no certificate authorities; no secure page can be fetched");
    }
    let config = ClientConfig::builder_with_provider(Arc::new(crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| GuardError::Tls(error.to_string()))?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

impl Guard {
    /// Dials the pinned addresses in turn, and none but them.
    pub(super) async fn connect(&self, target: &Target, addresses: &[SocketAddr]) -> Result<Box<dyn Stream>, Failure> {
        let mut failure = Failure::Unreachable;
        for address in addresses.iter().take(TRIES) {
            match timeout(CONNECT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) if stream.peer_addr().is_ok_and(|peer| peer.ip() == address.ip()) => {
                    // Small requests should not wait for company; a socket without the option still works.
                    stream.set_nodelay(true).ok();
                    return self.secure(target, stream).await;
                }
                Ok(_) => failure = Failure::Unreachable,
                Err(_) => failure = Failure::Timeout,
            }
        }
        Err(failure)
    }

    async fn secure(&self, target: &Target, stream: TcpStream) -> Result<Box<dyn Stream>, Failure> {
        if !target.tls {
            return Ok(Box::new(stream));
        }
        let name = match &target.host {
            Name::Domain(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::Tls)?,
            Name::Address(address) => ServerName::from(*address),
        };
        match timeout(HANDSHAKE, self.tls.connect(name, stream)).await {
            Ok(Ok(stream)) => Ok(Box::new(stream)),
            Ok(Err(_)) => Err(Failure::Tls),
            Err(_) => Err(Failure::Timeout),
        }
    }
}
