//! Tests of TLS inspection: certificates with deliberate faults, on local servers.

use std::net::SocketAddr;

use model::clock::{FixedClock, Moment, SeededEntropy};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, date_time_ymd,
};
use store::Store;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::*;
use crate::config::OutboundPolicy;

const HOST: &str = "shop.example";

/// A test authority that no other trust store contains.
fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "Test Root");
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority")
}

/// The parameters of a valid certificate for these names.
fn params(names: &[&str]) -> CertificateParams {
    let mut params = CertificateParams::new(names.iter().map(|&it| it.to_owned()).collect::<Vec<_>>()).expect("names");
    params.distinguished_name.push(DnType::CommonName, names[0]);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params
}

struct Served {
    chain: Vec<CertificateDer<'static>>,
    key: KeyPair,
}

fn issued(params: CertificateParams, authority: &CertifiedIssuer<'static, KeyPair>) -> Served {
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, authority).expect("signed");
    Served { chain: vec![certificate.der().clone()], key }
}

/// A server that accepts handshakes with these versions.
async fn serve(served: Served, versions: &[&'static SupportedProtocolVersion]) -> SocketAddr {
    let config = ServerConfig::builder_with_provider(connect::provider()).with_protocol_versions(versions);
    let key = PrivateKeyDer::try_from(served.key.serialize_der()).expect("a key");
    let config = config.expect("versions").with_no_client_auth().with_single_cert(served.chain, key);
    let mut config = config.expect("a certificate");
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    listen(Some(TlsAcceptor::from(Arc::new(config)))).await
}

/// Without an acceptor the server is plaintext.
async fn listen(acceptor: Option<TlsAcceptor>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it has an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            match acceptor.clone() {
                Some(acceptor) => drop(tokio::spawn(async move { acceptor.accept(stream).await.map(drop) })),
                None => drop(stream.write_all(b"220 mail.example ESMTP\r\n").await),
            }
        }
    });
    address
}

async fn looked(address: SocketAddr, trusted: &[&CertifiedIssuer<'static, KeyPair>]) -> Result<Report, Failure> {
    let policy = OutboundPolicy {
        resolve: [(HOST.to_owned(), address)].into(),
        authorities: trusted.iter().map(|authority| authority.der().to_vec()).collect(),
        ..OutboundPolicy::default()
    };
    let guard = Guard::new(policy).expect("a guard");
    guard.inspect(HOST, 443, &manners().await, &mut Vec::new()).await
}

async fn manners() -> Manners {
    let clock = Arc::new(FixedClock::at(Moment(1_790_000_000_000)));
    let store = Store::memory(clock, Arc::new(SeededEntropy::new([3; 32]))).await.expect("a store in memory");
    Manners::new(store, Instant::now() + Duration::from_secs(20))
}

const BOTH: [&SupportedProtocolVersion; 2] = [&TLS12, &TLS13];

#[tokio::test]
async fn a_good_certificate_is_trusted_and_its_facts_are_told() {
    let authority = authority();
    let mut params = params(&[HOST, "*.shop.example"]);
    params.not_before = date_time_ymd(2025, 1, 2);
    params.not_after = date_time_ymd(2045, 1, 2);
    params.serial_number = Some(vec![0x0a, 0xbc, 0xde].into());
    let report = looked(serve(issued(params, &authority), &BOTH).await, &[&authority]).await.expect("a report");
    assert_eq!(report.distrust, []);
    assert_eq!(
        (report.version, report.tls12, report.tls13),
        (Version::Tls13, Acceptance::Accepted, Acceptance::Accepted)
    );
    assert!(report.cipher.starts_with("TLS13_"), "{}", report.cipher);
    assert_eq!(report.alpn.as_deref(), Some("http/1.1"));
    assert!(!report.ocsp_stapled);
    let leaf = &report.chain[0];
    assert_eq!((leaf.subject.as_str(), leaf.serial.as_str()), ("CN=shop.example", "0abcde"));
    assert!(leaf.issuer.contains("Test Root"), "{}", leaf.issuer);
    assert_eq!(leaf.names, [HOST, "*.shop.example"]);
    assert_eq!((leaf.not_before, leaf.not_after), (1_735_776_000_000, 2_366_928_000_000));
    assert_eq!((leaf.key.as_str(), leaf.key_bits), ("EC P-256", 256));
    assert_eq!(leaf.signature, "ecdsa-with-SHA256");
    assert!(!leaf.self_signed && !leaf.authority && leaf.timestamps == 0);
}

#[tokio::test]
async fn every_fault_is_named_and_two_are_named_both() {
    let authority = authority();
    let expired = |mut params: CertificateParams| {
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
        params
    };
    let mut early = params(&[HOST]);
    early.not_before = date_time_ymd(2090, 1, 1);
    early.not_after = date_time_ymd(2091, 1, 1);
    let mut other = params(&[HOST]);
    other.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    for (params, trusted, reasons) in [
        (params(&[HOST]), true, vec![]),
        (expired(params(&[HOST])), true, vec![Distrust::Expired]),
        (early, true, vec![Distrust::NotYetValid]),
        (params(&["other.example"]), true, vec![Distrust::WrongName]),
        (expired(params(&["other.example"])), true, vec![Distrust::Expired, Distrust::WrongName]),
        (params(&[HOST]), false, vec![Distrust::UnknownIssuer]),
        (expired(params(&[HOST])), false, vec![Distrust::Expired, Distrust::UnknownIssuer]),
        (other, true, vec![Distrust::WrongPurpose]),
    ] {
        let address = serve(issued(params, &authority), &BOTH).await;
        let known = if trusted { vec![&authority] } else { Vec::new() };
        let report = looked(address, &known).await.expect("a report");
        assert_eq!(report.distrust, reasons, "{:?}", report.chain[0]);
    }
}

#[tokio::test]
async fn a_certificate_that_signs_itself_has_an_unknown_issuer() {
    for is_ca in [IsCa::NoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let mut params = params(&[HOST]);
        params.is_ca = is_ca;
        let key = KeyPair::generate().expect("a key");
        let chain = vec![params.self_signed(&key).expect("signed").der().clone()];
        let report = looked(serve(Served { chain, key }, &BOTH).await, &[]).await.expect("a report");
        assert_eq!(report.distrust, [Distrust::UnknownIssuer]);
        assert!(report.chain[0].self_signed);
    }
}

#[tokio::test]
async fn the_versions_that_a_server_speaks_are_told() {
    let authority = authority();
    for (versions, first, tls12, tls13) in [
        (vec![&TLS12], Version::Tls12, Acceptance::Accepted, Acceptance::Refused),
        (vec![&TLS13], Version::Tls13, Acceptance::Refused, Acceptance::Accepted),
    ] {
        let address = serve(issued(params(&[HOST]), &authority), &versions).await;
        let report = looked(address, &[&authority]).await.expect("a report");
        assert_eq!((report.version, report.tls12, report.tls13), (first, tls12, tls13));
        assert_eq!(report.distrust, []);
    }
}

#[tokio::test]
async fn what_does_not_speak_tls_has_no_handshake_and_the_inside_is_refused() {
    assert_eq!(looked(listen(None).await, &[]).await.map(|_| ()), Err(Failure::Tls));
    let guard = Guard::new(OutboundPolicy::default()).expect("a guard");
    let manners = manners().await;
    for (host, port) in [
        ("127.0.0.1", 443),
        ("10.0.0.1", 8443),
        ("::ffff:127.0.0.1", 443),
        ("169.254.169.254", 443),
        ("db.internal", 443),
        ("93.184.215.14", 22),
        ("93.184.215.14", 80),
        ("user@93.184.215.14", 443),
        ("93.184.215.14:22", 443),
        ("93.184.215.14/x", 443),
        ("", 443),
    ] {
        let mut trail = Vec::new();
        let looked = guard.inspect(host, port, &manners, &mut trail).await;
        assert_eq!(looked.map(|_| ()), Err(Failure::Refused), "{host} {port}");
        assert!(trail.len() == 1 && trail[0].verdict != Verdict::Permitted, "{host} {port}: {trail:?}");
    }
}

/// RSA of 1,024 bits, self-signed with SHA-1. Stored as a file, since none of our libraries would generate it.
const WEAK: &str = include_str!("tests/weak.pem");

#[test]
fn a_key_and_a_signature_that_are_no_longer_safe_are_weak() {
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    let der = CertificateDer::from_pem_slice(WEAK.as_bytes()).expect("a certificate");
    let weak = Certificate::read(&der).expect("it can be read");
    assert_eq!((weak.key.as_str(), weak.key_bits), ("RSA", 1_024));
    assert_eq!(weak.signature, "sha1WithRSAEncryption");
    assert!(weak.is_weak());
    let strong = Certificate { key_bits: 2_048, ..weak.clone() };
    assert!(!strong.is_weak(), "an old signature by its own key proves nothing anyway");
    assert!(Certificate { self_signed: false, ..strong }.is_weak());
    assert_eq!(Certificate::read(b"nonsense"), None);
}
