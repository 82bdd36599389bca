//! What the world publishes over HTTPS, on loopback under a test authority: the address ranges of bots.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::IntoResponse;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

/// Hosts of operators of bots, and the range of documentation addresses (RFC 5737) that their lists hold.
const LISTS: [(&str, &str); 5] = [
    ("developers.google.com", "192.0.2.0/24"),
    ("openai.com", "198.51.100.0/24"),
    ("www.bing.com", "203.0.113.224/28"),
    ("claude.com", "203.0.113.240/28"),
    ("www.perplexity.com", "203.0.113.208/28"),
];

/// The lists, served.
#[derive(Debug)]
pub struct Publications {
    /// Where they are.
    pub address: SocketAddr,
    /// The authority, in PEM.
    pub authority: PathBuf,
}

impl Publications {
    /// Names that lead there.
    pub fn hosts() -> impl Iterator<Item = &'static str> {
        LISTS.iter().map(|(host, _)| *host)
    }

    /// Serves until the process ends; the authority is written into `folder`.
    ///
    /// # Panics
    /// When loopback cannot be listened on, or the folder cannot be written.
    pub async fn serve(folder: &Path) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "Test Root");
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority");
        let authority = folder.join("authority.pem");
        std::fs::write(&authority, root.pem()).expect("a file");
        let names: Vec<String> = Self::hosts().map(str::to_owned).collect();
        let params = CertificateParams::new(names).expect("names");
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &root).expect("signed");
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let config = config.expect("versions").with_no_client_auth();
        let config = config.with_single_cert(vec![certificate.der().clone()], key).expect("a certificate");
        let tcp = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = tcp.local_addr().expect("an address");
        let listener = Secure { tcp, acceptor: TlsAcceptor::from(Arc::new(config)) };
        let router = Router::new().fallback(|uri: Uri, headers: axum::http::HeaderMap| async move {
            let host = headers.get(header::HOST).and_then(|it| it.to_str().ok()).or(uri.host()).unwrap_or_default();
            answer(host.split(':').next().unwrap_or_default(), uri.path())
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, authority }
    }
}

fn answer(host: &str, path: &str) -> axum::response::Response {
    let range = LISTS.iter().find(|(it, _)| *it == host).map(|(_, range)| *range);
    match range.filter(|_| path.ends_with(".json")) {
        Some(range) => {
            let list =
                serde_json::json!({ "creationTime": "2026-11-01T00:00:00", "prefixes": [{ "ipv4Prefix": range }] });
            ([(header::CONTENT_TYPE, "application/json")], list.to_string()).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A listener that speaks TLS.
struct Secure {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
}

impl axum::serve::Listener for Secure {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, from)) = self.tcp.accept().await else { continue };
            if let Ok(secure) = self.acceptor.accept(stream).await {
                return (secure, from);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}
