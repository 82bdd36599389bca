//! One DNS exchange: over UDP, and over TCP if the response is truncated (RFC 7766).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use hickory_net::proto::op::{DnsRequest, DnsResponse, Message};
use hickory_net::runtime::TokioRuntimeProvider;
use hickory_net::{DnsHandle, NetError};
use model::clock::{Entropy, SystemEntropy};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

/// Timeout of one attempt.
const PATIENCE: Duration = Duration::from_millis(2_500);
/// Attempts per server.
const TRIES: usize = 2;
/// Bytes of a UDP response.
const DATAGRAM: usize = 4_096;

/// Servers that are queried in order until one answers.
#[derive(Clone)]
pub(super) struct Wire {
    servers: Arc<[SocketAddr]>,
    recursive: bool,
    /// Whether the server is told to leave validation to us.
    unchecked: bool,
}

impl Wire {
    /// Recursive resolvers.
    pub(super) fn recursive(servers: Vec<SocketAddr>) -> Self {
        Self { servers: servers.into(), recursive: true, unchecked: true }
    }

    /// One server, queried without recursion.
    pub(super) fn direct(server: SocketAddr) -> Self {
        Self { servers: [server].into(), recursive: false, unchecked: false }
    }

    /// A public resolver, queried as anybody queries it.
    pub(super) fn public(server: SocketAddr) -> Self {
        Self { servers: [server].into(), recursive: true, unchecked: false }
    }

    async fn ask(self, request: DnsRequest) -> Result<DnsResponse, NetError> {
        let (mut message, _options) = request.into_parts();
        message.metadata.recursion_desired = self.recursive;
        // Validation happens here (RFC 4035, 3.2.2). A resolver that validates too would hide what is bogus.
        message.metadata.checking_disabled = self.unchecked;
        let entropy: &dyn Entropy = &SystemEntropy;
        let mut error = NetError::NoConnections;
        for _ in 0..TRIES {
            for server in self.servers.iter() {
                message.metadata.id = u16::from_be_bytes(entropy.array());
                match timeout(PATIENCE, exchange(*server, &message)).await {
                    Ok(Ok(response)) => return Ok(response),
                    Ok(Err(failed)) => error = failed,
                    Err(_) => error = NetError::Timeout,
                }
            }
        }
        Err(error)
    }
}

impl DnsHandle for Wire {
    type Response = Pin<Box<dyn Stream<Item = Result<DnsResponse, NetError>> + Send>>;
    type Runtime = TokioRuntimeProvider;

    fn send(&self, request: DnsRequest) -> Self::Response {
        Box::pin(futures_util::stream::once(self.clone().ask(request)))
    }
}

async fn exchange(server: SocketAddr, message: &Message) -> Result<DnsResponse, NetError> {
    let bytes = message.to_vec()?;
    let response = datagram(server, &bytes, message).await?;
    if !response.metadata.truncation {
        return Ok(response);
    }
    let mut stream = TcpStream::connect(server).await?;
    let length = u16::try_from(bytes.len()).map_err(|_| NetError::Message("a question is short"))?;
    stream.write_all(&[&length.to_be_bytes()[..], &bytes].concat()).await?;
    let mut answer = vec![0; usize::from(stream.read_u16().await?)];
    stream.read_exact(&mut answer).await?;
    let response = DnsResponse::from_buffer(answer)?;
    if answers(&response, message) { Ok(response) } else { Err(NetError::Message("not the answer")) }
}

/// Ignores every datagram that does not match the question: anyone can send one (RFC 5452, 9.1).
async fn datagram(server: SocketAddr, bytes: &[u8], question: &Message) -> Result<DnsResponse, NetError> {
    let any: IpAddr = if server.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await?;
    socket.connect(server).await?;
    socket.send(bytes).await?;
    let mut buffer = vec![0; DATAGRAM];
    loop {
        let length = socket.recv(&mut buffer).await?;
        match DnsResponse::from_buffer(buffer[..length].to_vec()) {
            Ok(response) if answers(&response, question) => return Ok(response),
            Ok(_) | Err(_) => {}
        }
    }
}

fn answers(response: &DnsResponse, question: &Message) -> bool {
    response.metadata.id == question.metadata.id && response.queries == question.queries
}
