//! Trust in a certificate chain, and every reason against it. Uses rustls' own verification, one aspect at a time.

use std::time::Duration;

use tokio_rustls::rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use tokio_rustls::rustls::pki_types::{ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, Error, RootCertStore};

use super::super::connect;
use super::certificate::Certificate;
use super::witness::Seen;

/// A reason not to trust a chain, as in `wit/v1/tls.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distrust {
    /// A certificate of the chain has expired.
    Expired,
    /// A certificate of the chain is not valid yet.
    NotYetValid,
    /// The certificate is for another host.
    WrongName,
    /// No chain leads to a trusted authority.
    UnknownIssuer,
    /// A key or signature is no longer safe.
    Weak,
    /// The certificate is not for servers.
    WrongPurpose,
    /// The server did not prove that it has the private key.
    Unproven,
    /// The chain violates another rule.
    Invalid,
}

/// All reasons, without duplicates.
pub(super) fn reasons(
    seen: &Seen,
    chain: &[Certificate],
    name: &ServerName<'_>,
    roots: &RootCertStore,
    now: UnixTime,
) -> Vec<Distrust> {
    let (Some(leaf), Some(first)) = (chain.first(), seen.chain.first()) else { return vec![Distrust::Invalid] };
    let Ok(parsed) = ParsedCertificate::try_from(first) else { return vec![Distrust::Invalid] };
    let mut reasons = Vec::new();
    let mut add = |reason| {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    };
    let millis = i64::try_from(now.as_secs().saturating_mul(1_000)).unwrap_or(i64::MAX);
    let algorithms = connect::provider().signature_verification_algorithms.all;
    let at = |moment: UnixTime| {
        let (parsed, rest) = (&parsed, seen.chain.get(1..).unwrap_or_default());
        verify_server_cert_signed_by_trust_anchor(parsed, roots, rest, moment, algorithms)
    };
    if millis > leaf.not_after {
        add(Distrust::Expired);
    } else if millis < leaf.not_before {
        add(Distrust::NotYetValid);
    }
    // Verify at a time when the leaf was valid, so that an expired leaf does not hide an unknown issuer.
    let seconds = (millis.clamp(leaf.not_before, leaf.not_after.max(leaf.not_before)) / 1_000).max(0);
    let then = UnixTime::since_unix_epoch(Duration::from_secs(seconds.unsigned_abs()));
    if let Err(error) = at(then) {
        add(reason(&error, leaf));
    }
    if let Err(error) = verify_server_name(&parsed, name) {
        add(reason(&error, leaf));
    }
    if chain.iter().any(Certificate::is_weak) {
        add(Distrust::Weak);
    }
    if !seen.proven && !leaf.is_weak() {
        add(Distrust::Unproven);
    }
    reasons
}

fn reason(error: &Error, leaf: &Certificate) -> Distrust {
    let Error::InvalidCertificate(error) = error else { return Distrust::Invalid };
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Distrust::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Distrust::NotYetValid,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => Distrust::WrongName,
        CertificateError::UnknownIssuer => Distrust::UnknownIssuer,
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => Distrust::WrongPurpose,
        _ if leaf.is_weak() => Distrust::Weak,
        // A self-signed CA certificate used as the server's own: its issuer is unknown.
        _ if leaf.self_signed => Distrust::UnknownIssuer,
        _ => Distrust::Invalid,
    }
}
