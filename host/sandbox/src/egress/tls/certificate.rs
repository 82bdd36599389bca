//! Facts of a certificate (RFC 5280).

use std::net::IpAddr;

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{GeneralName, ParsedExtension};
use x509_parser::oid_registry::Oid;
use x509_parser::prelude::FromDer as _;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

/// Alternative names that are returned.
const MOST_NAMES: usize = 500;
/// The shortest RSA key that is still safe (CA/Browser Forum baseline requirements, 6.1.5).
const LEAST_RSA: u32 = 2_048;

/// The facts of one certificate. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The DER bytes as sent.
    pub der: Vec<u8>,
    /// The subject.
    pub subject: String,
    /// The issuer.
    pub issuer: String,
    /// The serial number in hex.
    pub serial: String,
    /// The start of the validity.
    pub not_before: i64,
    /// The end of the validity.
    pub not_after: i64,
    /// DNS names and addresses.
    pub names: Vec<String>,
    /// The type of the key.
    pub key: String,
    /// The bits of the key.
    pub key_bits: u32,
    /// The signature algorithm.
    pub signature: String,
    /// The number of embedded signed certificate timestamps.
    pub timestamps: u32,
    /// Whether it is signed with its own key.
    pub self_signed: bool,
    /// Whether it is a certificate authority.
    pub authority: bool,
}

impl Certificate {
    /// Parses a certificate; `None` if it is not one.
    pub(super) fn read(der: &[u8]) -> Option<Self> {
        let (_, read) = X509Certificate::from_der(der).ok()?;
        let names = read.subject_alternative_name().ok().flatten();
        let names = names.iter().flat_map(|extension| &extension.value.general_names).filter_map(name);
        let (key, key_bits) = key(read.public_key());
        Some(Self {
            der: der.to_vec(),
            subject: read.subject().to_string(),
            issuer: read.issuer().to_string(),
            serial: model::token::hex(read.raw_serial()),
            not_before: read.validity().not_before.timestamp().saturating_mul(1_000),
            not_after: read.validity().not_after.timestamp().saturating_mul(1_000),
            names: names.take(MOST_NAMES).collect(),
            key,
            key_bits,
            signature: signature(&read.signature_algorithm.algorithm),
            timestamps: timestamps(&read),
            self_signed: read.subject().as_raw() == read.issuer().as_raw() && read.verify_signature(None).is_ok(),
            authority: read.is_ca(),
        })
    }

    /// Whether its key or signature is no longer safe. The signature of a root proves nothing and may be old.
    pub(super) fn is_weak(&self) -> bool {
        let old = self.signature.starts_with("md5") || self.signature.to_ascii_lowercase().contains("sha1");
        (self.key == "RSA" && self.key_bits < LEAST_RSA) || (old && !self.self_signed)
    }
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => {
            let address = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            address.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from)).ok().map(|address| address.to_string())
        }
        _ => None,
    }
}

fn timestamps(read: &X509Certificate<'_>) -> u32 {
    let found = read.extensions().iter().find_map(|extension| match extension.parsed_extension() {
        ParsedExtension::SCT(timestamps) => u32::try_from(timestamps.len()).ok(),
        _ => None,
    });
    found.unwrap_or(0)
}

/// The type and bits of a key (RFC 3279, RFC 5480, RFC 8410).
fn key(info: &SubjectPublicKeyInfo<'_>) -> (String, u32) {
    let kind = info.algorithm.algorithm.to_id_string();
    let curve =
        info.algorithm.parameters.as_ref().and_then(|any| any.as_oid().ok()).map(|oid: Oid<'_>| oid.to_id_string());
    match (kind.as_str(), curve.as_deref()) {
        ("1.2.840.113549.1.1.1" | "1.2.840.113549.1.1.10", _) => {
            let bits = match info.parsed() {
                Ok(PublicKey::RSA(key)) => key.key_size(),
                _ => 0,
            };
            ("RSA".to_owned(), u32::try_from(bits).unwrap_or(0))
        }
        ("1.2.840.10045.2.1", Some("1.2.840.10045.3.1.7")) => ("EC P-256".to_owned(), 256),
        ("1.2.840.10045.2.1", Some("1.3.132.0.34")) => ("EC P-384".to_owned(), 384),
        ("1.2.840.10045.2.1", Some("1.3.132.0.35")) => ("EC P-521".to_owned(), 521),
        ("1.3.101.112", _) => ("Ed25519".to_owned(), 256),
        ("1.3.101.113", _) => ("Ed448".to_owned(), 456),
        (other, _) => (other.to_owned(), 0),
    }
}

/// The name of a signature algorithm in RFC 3279, RFC 4055, RFC 5758 and RFC 8410.
fn signature(algorithm: &Oid<'_>) -> String {
    let id = algorithm.to_id_string();
    let known = match id.as_str() {
        "1.2.840.113549.1.1.4" => "md5WithRSAEncryption",
        "1.2.840.113549.1.1.5" => "sha1WithRSAEncryption",
        "1.2.840.113549.1.1.10" => "rsassaPss",
        "1.2.840.113549.1.1.11" => "sha256WithRSAEncryption",
        "1.2.840.113549.1.1.12" => "sha384WithRSAEncryption",
        "1.2.840.113549.1.1.13" => "sha512WithRSAEncryption",
        "1.2.840.10045.4.1" => "ecdsa-with-SHA1",
        "1.2.840.10045.4.3.2" => "ecdsa-with-SHA256",
        "1.2.840.10045.4.3.3" => "ecdsa-with-SHA384",
        "1.2.840.10045.4.3.4" => "ecdsa-with-SHA512",
        "1.3.101.112" => "Ed25519",
        "1.3.101.113" => "Ed448",
        other => other,
    };
    known.to_owned()
}
