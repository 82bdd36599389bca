//! The transport of an SMTP session: dialled, pinned and secured here, so that the library never connects by itself.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use lettre::transport::smtp::client::AsyncTokioStream;
use lettre::transport::smtp::commands::{Ehlo, Starttls};
use lettre::transport::smtp::extension::ClientId;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, ReadBuf,
};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

use super::super::resolve::Place;
use super::super::{Failure, Guard};

/// Bytes that a server may send in one session. A reply has a few hundred, and the library parses each reply from its
/// start again with every line.
const MOST_SAID: usize = 24 * 1024;
/// Bytes of one reply line (RFC 5321, 4.5.3.1.5 has 512).
const LONGEST_LINE: u64 = 2_048;
const MOST_LINES: usize = 64;
/// Timeout of each reply before the session starts.
const PATIENCE: Duration = Duration::from_secs(20);
/// The greeting that the library receives. The server's own was read before.
const GREETING: &[u8] = b"220 \r\n";

enum Inner {
    Plain(TcpStream),
    Secure(Box<TlsStream<TcpStream>>),
}

/// A connection that reads at most a fixed number of bytes.
pub(super) struct Wire {
    inner: Inner,
    /// Bytes to deliver before those of the server.
    ahead: &'static [u8],
    left: usize,
}

impl Wire {
    fn new(inner: Inner, ahead: &'static [u8]) -> Self {
        Self { inner, ahead, left: MOST_SAID }
    }

    pub(super) fn is_secure(&self) -> bool {
        matches!(self.inner, Inner::Secure(_))
    }
}

impl Guard {
    /// Starts TLS at once.
    pub(super) async fn wrap(&self, place: &Place, stream: TcpStream) -> Result<Wire, Failure> {
        let secured = self.handshake_as_mail(&place.host, stream).await?;
        Ok(Wire::new(Inner::Secure(Box::new(secured)), b""))
    }

    /// Starts TLS with STARTTLS (RFC 3207). Without it, the server is used in plaintext only if the operator allowed
    /// that.
    pub(super) async fn start_tls(
        &self,
        place: &Place,
        stream: TcpStream,
        hello: &ClientId,
        opened: bool,
    ) -> Result<Wire, Failure> {
        let mut stream = BufReader::new(stream);
        said(&mut stream, 220).await?;
        ask(&mut stream, &Ehlo::new(hello.clone()).to_string()).await?;
        let offers = said(&mut stream, 250).await?;
        if !offers.iter().any(|line| line.eq_ignore_ascii_case("STARTTLS")) {
            return if opened { Ok(Wire::new(Inner::Plain(stream.into_inner()), GREETING)) } else { Err(Failure::Tls) };
        }
        ask(&mut stream, &Starttls.to_string()).await?;
        said(&mut stream, 220).await.map_err(|failure| match failure {
            Failure::Malformed => Failure::Tls,
            other => other,
        })?;
        // Bytes after this reply can come from a man in the middle (CVE-2011-0411).
        if !stream.buffer().is_empty() {
            return Err(Failure::Tls);
        }
        let secured = self.handshake_as_mail(&place.host, stream.into_inner()).await?;
        Ok(Wire::new(Inner::Secure(Box::new(secured)), GREETING))
    }
}

async fn ask(stream: &mut BufReader<TcpStream>, command: &str) -> Result<(), Failure> {
    stream.write_all(command.as_bytes()).await.map_err(|_| Failure::Unreachable)
}

/// The lines of a reply with this code, without the code (RFC 5321, 4.2).
async fn said(stream: &mut BufReader<TcpStream>, code: u16) -> Result<Vec<String>, Failure> {
    timeout(PATIENCE, reply(stream, &code.to_string())).await.unwrap_or(Err(Failure::Timeout))
}

async fn reply(stream: &mut BufReader<TcpStream>, code: &str) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        let read = stream.take(LONGEST_LINE).read_until(b'\n', &mut line).await;
        let line = String::from_utf8(line).map_err(|_| Failure::Malformed)?;
        match read {
            Ok(0) | Err(_) => return Err(Failure::Unreachable),
            Ok(_) if !line.ends_with('\n') || lines.len() == MOST_LINES => return Err(Failure::Malformed),
            Ok(_) => {}
        }
        let Some(rest) = line.trim_end().strip_prefix(code) else { return Err(Failure::Malformed) };
        let is_last = !rest.starts_with('-');
        lines.push(rest.get(1..).unwrap_or_default().to_owned());
        if is_last {
            return Ok(lines);
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.ahead.is_empty() {
            let (now, later) = this.ahead.split_at(this.ahead.len().min(buf.remaining()));
            buf.put_slice(now);
            this.ahead = later;
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        let polled = match &mut this.inner {
            Inner::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Inner::Secure(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        let said = buf.filled().len() - before;
        match this.left.checked_sub(said) {
            Some(left) => this.left = left,
            None => return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, "the server says too much"))),
        }
        polled
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.inner {
            Inner::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Inner::Secure(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.inner {
            Inner::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Inner::Secure(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.inner {
            Inner::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Inner::Secure(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        match &self.inner {
            Inner::Plain(stream) => stream.peer_addr(),
            Inner::Secure(stream) => stream.get_ref().0.peer_addr(),
        }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wire({})", if self.is_secure() { "secure" } else { "plain" })
    }
}
