//! A provider's own requests: a key file that is looked up, a callback that is delivered. HTTP/1.1, one request each.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;

use crate::lock;
use crate::provider::Sites;

/// The longest answer that is read.
const ANSWER: u64 = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(10);

/// The status and body of an address; `None` when nobody answered.
pub(crate) async fn send(
    sites: &Sites,
    method: &str,
    url: &str,
    headers: &[(&str, String)],
    body: &[u8],
) -> Option<(u16, String)> {
    timeout(PATIENCE, exchange(sites, method, url, headers, body)).await.ok()?.ok()
}

async fn exchange(
    sites: &Sites,
    method: &str,
    url: &str,
    headers: &[(&str, String)],
    body: &[u8],
) -> std::io::Result<(u16, String)> {
    let wrong = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidInput, what.to_owned());
    let url = Url::parse(url).map_err(|_| wrong("no address"))?;
    let host = url.host_str().filter(|_| url.scheme() == "http").ok_or_else(|| wrong("only http"))?;
    let port = url.port().unwrap_or(80);
    let mapped = lock(sites).get(host).copied();
    let mut stream = match mapped {
        Some(address) => TcpStream::connect(address).await?,
        None => TcpStream::connect((host, port)).await?,
    };
    let query = url.query().map_or(String::new(), |query| format!("?{query}"));
    let shown = if port == 80 { host.to_owned() } else { format!("{host}:{port}") };
    let mut head = format!("{method} {}{query} HTTP/1.1\r\nHost: {shown}\r\nConnection: close\r\n", url.path());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    let mut answer = Vec::new();
    stream.take(ANSWER).read_to_end(&mut answer).await?;
    let text = String::from_utf8_lossy(&answer);
    let status = text.get(9..12).and_then(|code| code.parse().ok()).ok_or_else(|| wrong("no HTTP"))?;
    Ok((status, text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()))
}
