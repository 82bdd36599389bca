//! A certificate verifier that accepts every certificate and records what it saw. Never send anything over such a
//! connection. The recorded chain is verified afterwards and reported.

use std::sync::{Mutex, PoisonError};

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{DigitallySignedStruct, Error, SignatureScheme};

/// What a server presented.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Its certificates, its own first.
    pub(super) chain: Vec<CertificateDer<'static>>,
    /// Whether it stapled an OCSP response.
    pub(super) ocsp_stapled: bool,
    /// Whether it signed the handshake with the certificate's key.
    pub(super) proven: bool,
}

/// The recording verifier.
#[derive(Debug)]
pub(super) struct Witness {
    algorithms: WebPkiSupportedAlgorithms,
    seen: Mutex<Seen>,
}

impl Witness {
    pub(super) fn new(algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self { algorithms, seen: Mutex::default() }
    }

    pub(super) fn seen(&self) -> Seen {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn signed(&self, checked: Result<HandshakeSignatureValid, Error>) -> Result<HandshakeSignatureValid, Error> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).proven = checked.is_ok();
        Ok(HandshakeSignatureValid::assertion())
    }
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = std::iter::once(end_entity).chain(intermediates);
        seen.chain = shown.map(|certificate| certificate.clone().into_owned()).collect();
        seen.ocsp_stapled = !ocsp.is_empty();
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(verify_tls12_signature(message, certificate, signature, &self.algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(verify_tls13_signature(message, certificate, signature, &self.algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
