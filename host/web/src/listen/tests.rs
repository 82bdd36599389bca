//! Tests of `listen`, over sockets, with patience of a fraction of a second.

use std::time::Instant;

use axum::routing::{get, post};
use http::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use super::*;

const SHORT: Duration = Duration::from_millis(300);

struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: tokio::task::JoinHandle<()>,
}

async fn server(bounds: Bounds) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let slow = || async {
        tokio::time::sleep(3 * SHORT).await;
        "slow"
    };
    let stream = || async {
        let parts = futures_util::stream::unfold(0, |at| async move {
            tokio::time::sleep(SHORT / 2).await;
            (at < 6).then(|| (Ok::<_, Infallible>(format!("part {at}")), at + 1))
        });
        Body::from_stream(parts)
    };
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route("/slow", get(slow))
        .route("/stream", get(stream))
        .route("/read", post(|body: axum::body::Bytes| async move { (StatusCode::OK, body.len().to_string()) }));
    let (stop, stopped) = oneshot::channel::<()>();
    let (scene, bounds) = (crate::tests::World::new().await.service, bounds);
    let ended = tokio::spawn(async move {
        serve(scene, router, listener, bounds, async move {
            let _ = stopped.await;
        })
        .await;
    });
    Server { address, stop: Some(stop), ended }
}

fn short() -> Bounds {
    let patience = Patience { head: SHORT, standstill: SHORT, idle: SHORT };
    Bounds { patience, ..Bounds::default() }
}

impl Server {
    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    /// All that comes until the connection ends.
    async fn ask(&self, text: &str) -> String {
        rest(self.send(text).await).await
    }
}

async fn rest(mut stream: TcpStream) -> String {
    let mut seen = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut seen)).await.expect("it ends");
    String::from_utf8(seen).unwrap()
}

#[tokio::test]
async fn a_head_that_does_not_end_ends_the_connection_however_slowly_it_goes_on() {
    let server = server(short()).await;
    for begun in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"] {
        let since = Instant::now();
        assert_eq!(server.ask(begun).await, "", "{begun:?}");
        assert!(since.elapsed() >= SHORT);
    }
    let mut stream = server.send("GET / HTTP/1.1\r\n").await;
    let dripped = async {
        for at in 0..200 {
            if stream.write_all(format!("X-{at}: 1\r\n").as_bytes()).await.is_err() {
                return at;
            }
            tokio::time::sleep(SHORT / 10).await;
        }
        200
    };
    assert!(dripped.await < 200, "each byte resets no clock");
}

#[tokio::test]
async fn a_body_that_stands_still_ends_the_connection_and_one_that_moves_may_take_long() {
    let server = server(short()).await;
    let seen = server.ask("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345").await;
    assert!(!seen.contains("200 OK"), "{seen}");
    let head = "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nConnection: close\r\n\r\n";
    let mut stream = server.send(head).await;
    for _ in 0..10 {
        tokio::time::sleep(SHORT / 3).await;
        stream.write_all(b"1").await.unwrap();
    }
    let seen = rest(stream).await;
    assert!(seen.starts_with("HTTP/1.1 200") && seen.ends_with("10"), "{seen}");
}

#[tokio::test]
async fn a_connection_that_asks_nothing_ends_and_an_answer_under_way_may_take_its_time() {
    let server = server(short()).await;
    let seen = server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(seen.starts_with("HTTP/1.1 200") && seen.ends_with("here"), "{seen}");
    let seen = server.ask("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(seen.starts_with("HTTP/1.1 200") && seen.ends_with("slow"), "{seen}");
    let seen = server.ask("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(seen.contains("part 0") && seen.contains("part 5"), "{seen}");
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_request() {
    let server = server(short()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    for _ in 0..5 {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let mut seen = [0; 1_024];
        let count = stream.read(&mut seen).await.unwrap();
        assert!(String::from_utf8_lossy(&seen[..count]).ends_with("here"));
        tokio::time::sleep(SHORT / 2).await;
    }
}

#[tokio::test]
async fn a_request_without_one_host_or_with_a_bare_line_feed_is_refused() {
    let server = server(short()).await;
    for text in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: me@a\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1GET / HTTP/1.1\nHost: a\r\n\r\n",
    ] {
        let seen = server.ask(text).await;
        let last = seen.rmatch_indices("HTTP/1.1 ").next().map(|(at, _)| &seen[at..]).unwrap_or_default();
        assert!(last.starts_with("HTTP/1.1 400"), "{text:?}: {seen}");
    }
    assert!(server.ask("GET / HTTP/1.0\r\n\r\n").await.starts_with("HTTP/1.0 200"));
    for host in ["a", "a:8080", "127.0.0.1:8080", "[::1]:8080"] {
        let seen = server.ask(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await;
        assert!(seen.starts_with("HTTP/1.1 200"), "{host}: {seen}");
    }
}

#[tokio::test]
async fn an_address_has_so_many_connections_and_those_that_are_there_go_on() {
    let server = server(Bounds { per_address: 3, ..short() }).await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut stream = server.send("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        stream.flush().await.unwrap();
        kept.push(stream);
    }
    tokio::time::sleep(SHORT / 3).await;
    let mut one_more = TcpStream::connect(server.address).await.unwrap();
    let mut seen = Vec::new();
    // Closed or reset, as the system has it.
    let _ = one_more.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let _ = one_more.read_to_end(&mut seen).await;
    assert!(seen.is_empty(), "{}", String::from_utf8_lossy(&seen));
    for stream in kept {
        assert!(rest(stream).await.ends_with("slow"));
    }
    assert!(server.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.ends_with("here"));
}

#[tokio::test]
async fn a_thousand_half_sent_requests_are_gone_in_time_and_others_are_served_meanwhile() {
    let server = server(Bounds { connections: 300, per_address: 200, ..short() }).await;
    let mut kept = Vec::new();
    for _ in 0..1_000 {
        let Ok(mut stream) = TcpStream::connect(server.address).await else { continue };
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHo").await;
        kept.push(stream);
    }
    tokio::time::sleep(2 * SHORT).await;
    let seen = server.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert!(seen.ends_with("here"), "{seen}");
    drop(kept);
}

#[tokio::test]
async fn who_stops_finishes_what_was_begun() {
    let mut server = server(short()).await;
    let stream = server.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").await;
    tokio::time::sleep(SHORT / 3).await;
    server.stop.take().unwrap().send(()).unwrap();
    assert!(rest(stream).await.ends_with("slow"));
    server.ended.await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}
