//! Tests that a request with a credential goes once to one address and nowhere else.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::config::OutboundPolicy;
use crate::egress::{Decision, Failure, Fetched, Guard, Lost, Send, Verdict};

/// A server that records requests and sends this response; with an empty one it closes the connection.
async fn server(answer: &'static str) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let (address, had) = (listener.local_addr().expect("an address"), Arc::new(Mutex::new(Vec::new())));
    let kept = Arc::clone(&had);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4_096];
            let read = stream.read(&mut request).await.unwrap_or(0);
            kept.lock().expect("no panic").push(String::from_utf8_lossy(&request[..read]).into_owned());
            stream.write_all(answer.as_bytes()).await.ok();
        }
    });
    (address, had)
}

fn guard(policy: OutboundPolicy) -> Guard {
    Guard::new(policy).expect("a guard")
}

fn mapped(address: SocketAddr) -> Guard {
    guard(OutboundPolicy {
        resolve: [("shop.example".to_owned(), address), ("evil.example".to_owned(), address)].into(),
        ..OutboundPolicy::default()
    })
}

async fn sent(guard: &Guard, url: &str) -> (Result<Fetched, Lost>, Vec<Decision>) {
    let headers = HeaderMap::from_iter([(http::header::AUTHORIZATION, HeaderValue::from_static("Bearer hush"))]);
    let send = Send {
        method: Method::POST,
        url: url.parse().expect("a URL"),
        headers,
        body: Bytes::from_static(b"{\"a\":1}"),
        max_bytes: 1_024,
        timeout: Duration::from_secs(5),
    };
    let mut trail = Vec::new();
    (guard.send(send, &mut trail).await, trail)
}

#[tokio::test]
async fn method_headers_and_body_arrive_as_they_are() {
    let (address, had) = server("HTTP/1.1 201 X\r\ncontent-length: 2\r\n\r\nok").await;
    let (answer, trail) = sent(&mapped(address), "http://shop.example/a/b?c=d").await;
    let answer = answer.expect("an answer");
    assert_eq!((answer.status, answer.body.as_slice()), (201, &b"ok"[..]));
    assert_eq!(trail.len(), 1);
    let had = had.lock().expect("no panic").concat();
    assert!(had.starts_with("POST /a/b?c=d HTTP/1.1\r\nhost: shop.example\r\n"), "{had}");
    assert!(had.contains("authorization: Bearer hush\r\n") && had.contains("content-length: 7\r\n"), "{had}");
    assert!(had.ends_with("\r\n\r\n{\"a\":1}"), "{had}");
}

#[tokio::test]
async fn a_redirect_is_the_answer_and_nobody_else_has_the_credential() {
    let (address, had) =
        server("HTTP/1.1 307 X\r\nlocation: http://evil.example/take\r\ncontent-length: 0\r\n\r\n").await;
    let answer = sent(&mapped(address), "http://shop.example/").await.0.expect("an answer");
    assert_eq!((answer.status, answer.url.as_str()), (307, "http://shop.example/"));
    assert_eq!(had.lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn without_tls_a_credential_goes_only_where_the_operator_opened_the_way() {
    let (address, had) = server("HTTP/1.1 200 X\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("http://{address}/");
    let opened = guard(OutboundPolicy {
        allow_private: vec!["127.0.0.0/8".parse().expect("a range")],
        ..OutboundPolicy::default()
    });
    assert!(sent(&opened, &url).await.0.is_ok());
    let (answer, trail) = sent(&guard(OutboundPolicy::default()), "http://192.0.66.2/").await;
    assert_eq!(answer.expect_err("refused"), Lost { failure: Failure::Refused, sent: false });
    assert_eq!(trail.last().expect("a decision").verdict, Verdict::Scheme);
    let (answer, trail) = sent(&guard(OutboundPolicy::default()), &url).await;
    assert_eq!(answer.expect_err("refused"), Lost { failure: Failure::Refused, sent: false });
    assert_eq!(trail.last().expect("a decision").verdict, Verdict::Address("loopback"));
    assert_eq!(had.lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn whether_the_provider_may_have_had_it_is_known() {
    let (address, _) = server("").await;
    let lost = sent(&mapped(address), "http://shop.example/").await.0.expect_err("no answer");
    assert_eq!(lost, Lost { failure: Failure::Unreachable, sent: true });
    let free = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
    let lost = sent(&mapped(free), "http://shop.example/").await.0.expect_err("no answer");
    assert_eq!(lost, Lost { failure: Failure::Unreachable, sent: false });
}
