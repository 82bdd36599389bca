//! A name server on loopback. `example.` is signed and trusted. Below it, `good` is signed, `bogus` is signed with a
//! key that does not match its DS record, and `plain` is unsigned.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hickory_net::proto::dnssec::crypto::EcdsaSigningKey;
use hickory_net::proto::dnssec::rdata::{DNSKEY, DNSSECRData, DS};
use hickory_net::proto::dnssec::{Algorithm, DigestType, DnssecSigner, SigningKey as _};
use hickory_net::proto::rr::rdata::svcb::{Alpn, SVCB, SvcParamKey, SvcParamValue};
use hickory_net::proto::rr::rdata::{A, CNAME, HTTPS, MX, NS, SOA, TXT};
use hickory_net::proto::rr::{Name, RData, Record, RecordType};
use hickory_net::runtime::{Time, TokioRuntimeProvider};
use hickory_server::Server;
use hickory_server::dnssec::NxProofKind;
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::store::in_memory::InMemoryZoneHandler;
use hickory_server::zone_handler::{AxfrPolicy, Catalog, ZoneType};
use tokio::net::{TcpListener, UdpSocket};

/// A running server and its trust anchor.
pub(super) struct Zones {
    pub(super) address: SocketAddr,
    /// In zone file syntax.
    pub(super) anchor: String,
    _server: Server<Zoned>,
}

/// The zones, and those that have delegations below them. The DS records of a delegation belong to the parent (RFC
/// 4035, 3.1.4.1), which the library's catalog does not handle.
struct Zoned {
    all: Catalog,
    parents: Catalog,
}

impl RequestHandler for Zoned {
    // The signature that the trait's `async_trait` macro generates.
    fn handle_request<'me, 'request, 'handling, R, T>(
        &'me self,
        request: &'request Request,
        answer: R,
    ) -> Pin<Box<dyn Future<Output = ResponseInfo> + Send + 'handling>>
    where
        R: ResponseHandler + 'handling,
        T: Time + 'handling,
        'me: 'handling,
        'request: 'handling,
        Self: 'handling,
    {
        let of_parent = request.queries.queries().iter().all(|query| query.query_type() == RecordType::DS);
        let catalog = if of_parent { &self.parents } else { &self.all };
        catalog.handle_request::<R, T>(request, answer)
    }
}

struct Key {
    pkcs8: Vec<u8>,
    public: DNSKEY,
}

impl Key {
    fn new() -> Self {
        let pkcs8 = EcdsaSigningKey::generate_pkcs8(Algorithm::ECDSAP256SHA256).expect("a key");
        let key = EcdsaSigningKey::from_pkcs8(&pkcs8, Algorithm::ECDSAP256SHA256).expect("a key");
        let public = DNSKEY::from_key(&key.to_public_key().expect("a public key"));
        Self { pkcs8: pkcs8.secret_pkcs8_der().to_vec(), public }
    }

    fn signer(&self, zone: &Name) -> DnssecSigner {
        let pkcs8 = self.pkcs8.as_slice().into();
        let key = EcdsaSigningKey::from_pkcs8(&pkcs8, Algorithm::ECDSAP256SHA256).expect("a key");
        DnssecSigner::new(self.public.clone(), Box::new(key), zone.clone(), Duration::from_secs(86_400))
    }

    /// The DS record for a zone with this key.
    fn delegation(&self, zone: &str) -> RData {
        let digest = self.public.to_digest(&name(zone), DigestType::SHA256).expect("a digest");
        let tag = self.public.calculate_key_tag().expect("a tag");
        let ds = DS::new(tag, Algorithm::ECDSAP256SHA256, DigestType::SHA256, digest.as_ref().to_vec());
        RData::DNSSEC(DNSSECRData::DS(ds))
    }
}

fn name(text: &str) -> Name {
    Name::from_ascii(text).expect("a name")
}

/// A zone with these records, signed if there is a key.
fn zone(
    origin: &str,
    key: Option<&Key>,
    records: Vec<(&str, RData)>,
) -> Arc<InMemoryZoneHandler<TokioRuntimeProvider>> {
    let proof = key.map(|_| NxProofKind::Nsec);
    let mut zone = InMemoryZoneHandler::empty(name(origin), ZoneType::Primary, AxfrPolicy::Deny, proof);
    let soa = SOA::new(name("ns1.example."), name("admin.example."), 7, 3_600, 600, 86_400, 300);
    let apex = [(origin, RData::SOA(soa)), (origin, RData::NS(NS(name("ns1.example."))))];
    for (owner, data) in apex.into_iter().chain(records) {
        zone.upsert_mut(Record::from_rdata(name(owner), 300, data), 7);
    }
    if let Some(key) = key {
        zone.add_zone_signing_key_mut(key.signer(&name(origin))).expect("a key is taken");
        zone.secure_zone_mut().expect("the zone is signed");
    }
    Arc::new(zone)
}

/// A binding with a list, a number and a key without a value.
fn service() -> SVCB {
    let alpn = SvcParamValue::Alpn(Alpn(vec!["h2".to_owned(), "h3".to_owned()]));
    let parameters = vec![
        (SvcParamKey::Alpn, alpn),
        (SvcParamKey::NoDefaultAlpn, SvcParamValue::NoDefaultAlpn),
        (SvcParamKey::Port, SvcParamValue::Port(8_443)),
    ];
    SVCB::new(1, Name::root(), parameters)
}

/// Starts a server; `www` is the address of `www.good.example`.
pub(super) async fn start(www: [u8; 4]) -> Zones {
    let (top, good, bogus, other) = (Key::new(), Key::new(), Key::new(), Key::new());
    let [a, b, c, d] = www;
    let delegated = |child: &'static str| (child, RData::NS(NS(name("ns1.example."))));
    let parent = vec![
        delegated("good.example."),
        ("good.example.", good.delegation("good.example.")),
        delegated("bogus.example."),
        ("bogus.example.", other.delegation("bogus.example.")),
        delegated("plain.example."),
        ("ns1.example.", RData::A(A::new(192, 0, 9, 53))),
    ];
    let long: Vec<String> = (0..40).map(|at| format!("{at:03}{}", "x".repeat(97))).collect();
    let records = vec![
        ("www.good.example.", RData::A(A::new(a, b, c, d))),
        ("alias.good.example.", RData::CNAME(CNAME(name("www.good.example.")))),
        ("good.example.", RData::MX(MX::new(10, name("mail.good.example.")))),
        ("good.example.", RData::NS(NS(name("ns2.example.")))),
        ("text.good.example.", RData::TXT(TXT::new(vec!["v=spf1 -all".to_owned(), "say \"hi\"".to_owned()]))),
        ("long.good.example.", RData::TXT(TXT::new(long))),
        ("svc.good.example.", RData::HTTPS(HTTPS(service()))),
        ("old.com.good.example.", RData::A(A::new(127, 0, 1, 2))),
        ("inside.good.example.", RData::A(A::new(10, 1, 2, 3))),
        ("inside.good.example.", RData::A(A::new(192, 0, 9, 80))),
    ];
    let plain = vec![("www.plain.example.", RData::A(A::new(192, 0, 9, 3)))];
    let broken = vec![("www.bogus.example.", RData::A(A::new(192, 0, 9, 4)))];
    let (mut all, mut parents) = (Catalog::new(), Catalog::new());
    for (origin, handler) in [
        ("example.", zone("example.", Some(&top), parent)),
        ("good.example.", zone("good.example.", Some(&good), records)),
        ("bogus.example.", zone("bogus.example.", Some(&bogus), broken)),
        ("plain.example.", zone("plain.example.", None, plain)),
    ] {
        if origin == "example." {
            parents.upsert(name(origin).into(), vec![handler.clone()]);
        }
        all.upsert(name(origin).into(), vec![handler]);
    }
    let (socket, listener) = both().await;
    let address = socket.local_addr().expect("it has an address");
    let mut server = Server::new(Zoned { all, parents });
    server.register_socket(socket);
    server.register_listener(listener, Duration::from_secs(5), 65_535);
    Zones { address, anchor: format!("example. 300 IN DNSKEY {}", top.public), _server: server }
}

/// One port by UDP and by TCP. The system gives one that is free by UDP; by TCP another test may have it.
async fn both() -> (UdpSocket, TcpListener) {
    for _ in 0..100 {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
        if let Ok(listener) = TcpListener::bind(socket.local_addr().expect("it has an address")).await {
            return (socket, listener);
        }
    }
    panic!("no port is free both ways");
}
