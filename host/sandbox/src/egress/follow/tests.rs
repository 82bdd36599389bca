//! Tests of the guard against a misbehaving server and against every notation of an internal address.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use catalog::reach::Reach;

use crate::config::OutboundPolicy;
use crate::egress::{Decision, Failure, Fetch, Fetched, Freshness, Guard, Verdict};

fn asked(url: &str) -> Fetch {
    Fetch {
        head: false,
        url: url.to_owned(),
        headers: Vec::new(),
        follow: 5,
        max_bytes: 8 << 20,
        timeout: Duration::from_secs(5),
        freshness: Freshness::Fresh,
        within: None,
    }
}

fn guard() -> Guard {
    Guard::new(OutboundPolicy::default()).expect("a guard")
}

/// A guard that reaches `shop.example` at this address.
fn mapped(address: SocketAddr) -> Guard {
    let resolve = [("shop.example".to_owned(), address), ("other.example".to_owned(), address)].into();
    Guard::new(OutboundPolicy { resolve, ..OutboundPolicy::default() }).expect("a guard")
}

async fn fetched(guard: &Guard, fetch: Fetch) -> (Result<Fetched, Failure>, Vec<Decision>) {
    let mut trail = Vec::new();
    (guard.fetch(fetch, &mut trail).await, trail)
}

/// A server that picks its response by path.
async fn server(answer: fn(&str) -> Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it has an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                let mut buffer = [0; 4_096];
                while !request.windows(4).any(|window| window == b"\r\n\r\n") {
                    match stream.read(&mut buffer).await {
                        // 22 is the first byte of a TLS handshake (RFC 8446, 5.1); this server is plaintext.
                        Ok(1..) if buffer[0] == 22 && request.is_empty() => {
                            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.ok();
                            return;
                        }
                        Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
                        _ => return,
                    }
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let path = request.split(' ').nth(1).unwrap_or("/");
                match path {
                    "/endless" => {
                        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
                        let mut sent = stream.write_all(head).await;
                        while sent.is_ok() {
                            sent = stream.write_all(&[b'a'; 16_384]).await;
                        }
                    }
                    "/slow" => {
                        for byte in b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n" {
                            if stream.write_all(&[*byte]).await.is_err() {
                                return;
                            }
                            tokio::time::sleep(Duration::from_millis(50)).await;
                        }
                    }
                    "/echo" => {
                        let answer = plain(200, "", request.as_bytes());
                        stream.write_all(&answer).await.ok();
                    }
                    path => {
                        stream.write_all(&answer(path)).await.ok();
                    }
                }
            });
        }
    });
    address
}

fn plain(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\n\r\n", body.len()).into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn to(location: &str) -> Vec<u8> {
    plain(302, &format!("location: {location}\r\n"), b"")
}

#[tokio::test]
async fn a_page_comes_with_its_headers_its_redirects_and_its_times() {
    let address = server(|path| match path {
        "/" => to("/second"),
        "/second" => to("http://other.example/page?x=1"),
        _ => plain(200, "X-Thing: Yes\r\nx-thing: again\r\n", b"hello"),
    })
    .await;
    let (page, trail) = fetched(&mapped(address), asked("http://Shop.Example/#fragment")).await;
    let page = page.expect("a page");
    assert_eq!((page.status, page.body.as_slice(), page.truncated), (200, &b"hello"[..], false));
    assert_eq!(page.url, "http://other.example/page?x=1");
    assert_eq!(page.hops.len(), 2);
    assert_eq!((page.hops[1].status, page.hops[1].location.as_str()), (302, "http://other.example/page?x=1"));
    assert_eq!(page.headers.iter().filter(|(name, _)| name == "x-thing").count(), 2);
    assert!(page.timing.total >= page.timing.first_byte);
    assert_eq!(trail.len(), 3);
    assert!(trail.iter().all(|decision| decision.verdict == Verdict::Permitted));
}

#[tokio::test]
async fn the_bounds_of_an_operation_hold_at_each_redirect() {
    let address = server(|path| match path {
        "/out" => to("http://other.example/page"),
        "/in" => to("/page"),
        _ => plain(200, "", b"hello"),
    })
    .await;
    let guard = mapped(address);
    let within: Reach = toml::from_str("hosts = [\"shop.example\"]\npaths = [\"/*\"]").expect("a reach");
    let within = |url: &str| Fetch { within: Some(Arc::new(within.clone())), ..asked(url) };
    let (page, _) = fetched(&guard, within("http://shop.example/in")).await;
    assert_eq!(page.expect("a page").body, b"hello");
    for (url, asked, member) in [
        ("http://shop.example/out", 2, "hosts"),
        ("http://other.example/page", 1, "hosts"),
        ("http://shop.example/deep/page", 1, "paths"),
    ] {
        let (page, trail) = fetched(&guard, within(url)).await;
        assert_eq!(page.expect_err("refused"), Failure::Refused, "{url}");
        assert_eq!((trail.len(), trail.last().expect("a decision").verdict), (asked, Verdict::Reach(member)), "{url}");
    }
}

#[tokio::test]
async fn without_following_the_redirect_itself_is_the_page() {
    let address = server(|_| to("/elsewhere")).await;
    let page = fetched(&mapped(address), Fetch { follow: 0, ..asked("http://shop.example/") }).await.0.expect("a page");
    assert_eq!(page.status, 302);
    assert!(page.hops.is_empty());
}

#[tokio::test]
async fn a_circle_and_a_chain_that_is_too_long_end() {
    let address = server(|path| match path {
        "/a" => to("/b"),
        "/b" => to("/a"),
        path => to(&format!("{path}x")),
    })
    .await;
    for path in ["/a", "/long"] {
        let (page, _) = fetched(&mapped(address), asked(&format!("http://shop.example{path}"))).await;
        assert_eq!(page.expect_err("no page"), Failure::Redirects, "{path}");
    }
}

#[tokio::test]
async fn a_redirect_to_the_inside_is_refused() {
    let address = server(|path| match path {
        "/metadata" => to("http://169.254.169.254/latest/"),
        "/loopback" => to("http://127.0.0.1/"),
        "/mapped" => to("http://[::ffff:10.0.0.1]/"),
        "/user" => to("http://user:secret@other.example/"),
        "/file" => to("file:///etc/passwd"),
        "/name" => to("http://localhost/"),
        _ => to("//0x7f.1/"),
    })
    .await;
    for path in ["/metadata", "/loopback", "/mapped", "/user", "/file", "/name", "/hex"] {
        let (page, trail) = fetched(&mapped(address), asked(&format!("http://shop.example{path}"))).await;
        assert_eq!(page.expect_err("no page"), Failure::Refused, "{path}");
        assert_ne!(trail.last().expect("a decision").verdict, Verdict::Permitted, "{path}");
    }
}

#[tokio::test]
async fn an_endless_page_is_read_to_the_wanted_length_only() {
    let address = server(|_| Vec::new()).await;
    let page = fetched(&mapped(address), Fetch { max_bytes: 100_000, ..asked("http://shop.example/endless") }).await.0;
    let page = page.expect("a page");
    assert_eq!((page.body.len(), page.truncated), (100_000, true));
}

#[tokio::test]
async fn a_page_that_drips_ends_at_its_time() {
    let address = server(|_| Vec::new()).await;
    let fetch = Fetch { timeout: Duration::from_millis(300), ..asked("http://shop.example/slow") };
    assert_eq!(fetched(&mapped(address), fetch).await.0.expect_err("no page"), Failure::Timeout);
}

#[tokio::test]
async fn a_bomb_is_malformed() {
    let address = server(|_| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; 32 << 20]).expect("memory takes it");
        plain(200, "content-encoding: gzip\r\n", &encoder.finish().expect("memory takes it"))
    })
    .await;
    let (page, _) = fetched(&mapped(address), asked("http://shop.example/")).await;
    assert_eq!(page.expect_err("no page"), Failure::Malformed);
}

#[tokio::test]
async fn heads_beyond_the_caps_and_answers_that_are_not_http_are_malformed() {
    let address = server(|path| match path {
        "/many" => plain(200, &"x: 1\r\n".repeat(100), b""),
        "/long" => plain(200, &format!("x: {}\r\n", "a".repeat(60_000)), b""),
        "/both" => b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab".to_vec(),
        _ => b"220 mail.example ESMTP\r\n".to_vec(),
    })
    .await;
    for path in ["/many", "/long", "/both", "/smtp"] {
        let (page, _) = fetched(&mapped(address), asked(&format!("http://shop.example{path}"))).await;
        assert_eq!(page.expect_err("no page"), Failure::Malformed, "{path}");
    }
}

#[tokio::test]
async fn limits_hold_at_their_edge() {
    // The server adds a `Content-Length`, one header more than the limit.
    let address = server(|path| match path {
        "/most" => plain(200, &"x: 1\r\n".repeat(63), b"12345"),
        _ => plain(200, &"x: 1\r\n".repeat(64), b"12345"),
    })
    .await;
    let guard = mapped(address);
    for (most, body, truncated) in [(6, &b"12345"[..], false), (5, b"12345", false), (4, b"1234", true), (0, b"", true)]
    {
        let page =
            fetched(&guard, Fetch { max_bytes: most, ..asked("http://shop.example/most") }).await.0.expect("a page");
        assert_eq!((page.headers.len(), page.body.as_slice(), page.truncated), (64, body, truncated), "{most}");
    }
    let (page, _) = fetched(&guard, asked("http://shop.example/more")).await;
    assert_eq!(page.expect_err("no page"), Failure::Malformed);
    for (length, passes) in [(1_024, true), (1_025, false)] {
        let headers = vec![("accept".to_owned(), "a".repeat(length))];
        let (page, trail) = fetched(&guard, Fetch { headers, ..asked("http://shop.example/most") }).await;
        assert_eq!((page.is_ok(), trail[0].verdict == Verdict::Permitted), (passes, passes), "{length}");
    }
    let page = |hops: u8| Fetch { follow: hops, ..asked("http://shop.example/most") };
    assert_eq!(fetched(&guard, page(u8::MAX)).await.0.expect("a page").hops, []);
}

#[tokio::test]
async fn only_harmless_headers_are_sent() {
    let address = server(|_| Vec::new()).await;
    let guard = mapped(address);
    let with = |name: &str, value: &str| Fetch {
        headers: vec![(name.to_owned(), value.to_owned())],
        ..asked("http://shop.example/echo")
    };
    let page = fetched(&guard, with("Accept-Language", "de")).await.0.expect("a page");
    let request = String::from_utf8(page.body).expect("text").to_ascii_lowercase();
    assert!(request.contains("accept-language: de\r\n") && request.contains("host: shop.example\r\n"), "{request}");
    for (name, value) in [
        ("authorization", "Bearer x"),
        ("cookie", "a=b"),
        ("host", "inside"),
        ("x-forwarded-for", "127.0.0.1"),
        ("content-length", "5"),
        ("accept", "a\r\nx: y"),
        ("metadata-flavor", "Google"),
    ] {
        let (page, trail) = fetched(&guard, with(name, value)).await;
        assert_eq!(page.expect_err("no page"), Failure::Refused, "{name}");
        assert_eq!(trail[0].verdict, Verdict::Header, "{name}");
    }
}

#[tokio::test]
async fn a_secure_page_needs_a_certificate_for_its_name() {
    let address = server(|_| plain(200, "", b"not tls")).await;
    let (page, _) = fetched(&mapped(address), asked("https://shop.example/")).await;
    assert_eq!(page.expect_err("no page"), Failure::Tls);
}

#[tokio::test]
async fn an_opened_range_is_reached_on_any_port_and_nothing_else_is() {
    let address = server(|_| plain(200, "", b"demo")).await;
    let policy =
        OutboundPolicy { allow_private: vec!["127.0.0.0/8".parse().expect("a range")], ..OutboundPolicy::default() };
    let guard = Guard::new(policy).expect("a guard");
    let (page, _) = fetched(&guard, asked(&format!("http://{address}/"))).await;
    assert_eq!(page.expect("a page").body, b"demo");
    for url in ["http://10.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/"] {
        assert_eq!(fetched(&guard, asked(url)).await.0.expect_err("no page"), Failure::Refused, "{url}");
    }
}

#[test]
fn one_private_address_among_public_ones_spoils_the_name() {
    let guard = guard();
    let target = crate::egress::target::parse("http://rebinding.example/").expect("a target");
    let judge = |addresses: &[&str]| {
        guard.judge(&target, &addresses.iter().map(|text| text.parse().expect("an address")).collect::<Vec<_>>())
    };
    assert!(judge(&["93.184.215.14", "2606:4700::1111"]).is_ok());
    let refused = judge(&["93.184.215.14", "10.0.0.1"]).expect_err("refused");
    assert_eq!(
        (refused.address, refused.verdict),
        (Some("10.0.0.1".parse().expect("an address")), Verdict::Address("private"))
    );
}

#[test]
fn a_redirect_never_leaves_a_secure_connection() {
    let guard = guard();
    let from = crate::egress::target::parse("https://shop.example/a/b").expect("a target");
    let next = |location: &str| {
        let mut trail = Vec::new();
        let outcome = guard.next(&from, from.url.join(location), &mut trail);
        (outcome.map(|target| target.url.to_string()), trail.last().map(|decision| decision.verdict))
    };
    for (location, url) in [
        ("c", "https://shop.example/a/c"),
        ("/c", "https://shop.example/c"),
        ("?c", "https://shop.example/a/b?c"),
        ("//other.example/", "https://other.example/"),
        ("https://other.example/", "https://other.example/"),
        ("https:c", "https://shop.example/a/c"),
    ] {
        assert_eq!(next(location), (Ok(url.to_owned()), None), "{location}");
    }
    for location in
        ["http://shop.example/a/b", "HTTP://other.example/", "http:c", "http:////other.example", "http://10.0.0.1/"]
    {
        assert_eq!(next(location), (Err(Failure::Refused), Some(Verdict::Downgrade)), "{location}");
    }
    for (location, verdict) in [
        ("ftp://shop.example/", Verdict::Scheme),
        ("//user@other.example/", Verdict::User),
        ("//other..example/", Verdict::Url),
        ("https://[::1%25lo]/", Verdict::Url),
    ] {
        assert_eq!(next(location), (Err(Failure::Refused), Some(verdict)), "{location}");
    }
}
