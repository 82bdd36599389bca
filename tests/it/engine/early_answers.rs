//! Answers that are there before the request was sent whole: what becomes of the connection.

use std::time::Duration;

use tests::host::Host;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The head and body of one answer whose length is told.
async fn answer(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let mut some = [0; 4_096];
        let count = stream.read(&mut some).await.expect("readable");
        assert_ne!(count, 0, "the connection ended: {:?}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&some[..count]);
        let shown = String::from_utf8_lossy(&text).into_owned();
        let Some((head, body)) = shown.split_once("\r\n\r\n") else { continue };
        let lower = head.to_ascii_lowercase();
        let length = lower.split_once("content-length: ").and_then(|(_, rest)| rest.lines().next()?.parse().ok());
        if length == Some(body.len()) {
            return shown;
        }
    }
}

async fn connect(host: &Host) -> (TcpStream, String) {
    let authority = host.mcp.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    (TcpStream::connect(&authority).await.expect("a connection"), authority)
}

fn head(path: &str, authority: &str, length: usize, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {authority}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{more}\r\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_serves_on_when_a_body_comes_after_the_refusal_was_decided() {
    let host = Host::start().await;
    let (mut stream, authority) = connect(&host).await;
    for path in ["/mcp", "/v1/operations/authors.list", "/nowhere"] {
        stream.write_all(head(path, &authority, 12, "").as_bytes()).await.expect("sent");
        tokio::time::sleep(Duration::from_millis(50)).await;
        stream.write_all(br#"{"limit":10}"#).await.expect("sent");
        let refused = answer(&mut stream).await;
        let status = if path == "/nowhere" { "404" } else { "401" };
        assert!(refused.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {refused}");
        assert!(!refused.to_ascii_lowercase().contains("connection: close"), "{path}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_send_what_was_announced_is_told_that_the_connection_ends() {
    let host = Host::start().await;
    for (length, more) in [(12, ""), (50_000_000, ""), (12, "expect: 100-continue\r\n")] {
        let (mut stream, authority) = connect(&host).await;
        stream.write_all(head("/mcp", &authority, length, more).as_bytes()).await.expect("sent");
        let refused = answer(&mut stream).await;
        assert!(refused.starts_with("HTTP/1.1 401"), "{length} {more}: {refused}");
        assert!(refused.to_ascii_lowercase().contains("connection: close"), "{length} {more}: {refused}");
    }
}
