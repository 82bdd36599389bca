//! Customers' providers, as a guest sees them that asks for what it may not.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use sandbox::egress::Verdict;
use sandbox::{Invocation, LimitKind, Run, Stop};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::connected::{CUSTOMER, Connected, Entered, ring, said};

const CANARY: &str = "canary-application-password";

/// A WordPress that keeps what it was sent, a sandbox that reaches it, and a customer with a connection to it.
struct Site {
    guest: Connected,
    had: Arc<Mutex<Vec<String>>>,
}

const ENTERED: Entered<'_> = Entered {
    kind: "wordpress",
    fields: [("username", "ada"), ("application_password", CANARY)],
    origin: "http://shop.example:80",
};

async fn answer(listener: TcpListener, had: Arc<Mutex<Vec<String>>>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let mut request = [0; 8_192];
        let read = stream.read(&mut request).await.unwrap_or(0);
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        had.lock().expect("no panic").push(request.clone());
        let (head, body) = match path.as_str() {
            // Hangs up on whoever changes something.
            "/wp-json/wp/v2/posts" => continue,
            "/go" => ("307 X\r\nlocation: http://evil.example/take", "{\"went\":false}".to_owned()),
            "/echo" => {
                let sent = request.lines().find(|line| line.starts_with("authorization")).unwrap_or_default();
                ("200 OK", serde_json::json!({ "had": sent, "plain": CANARY, "json": [CANARY] }).to_string())
            }
            _ => ("200 OK", "{\"id\":7}".to_owned()),
        };
        let response = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(response.as_bytes()).await.ok();
    }
}

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        let had = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(answer(listener, Arc::clone(&had)));
        let guest = Connected::open("providers", ["shop.example", "evil.example"], address).await;
        for (customer, reference) in [(CUSTOMER, "con_mine"), ("cus_bob", "con_other")] {
            guest.connect(customer, reference, "http://shop.example", ENTERED).await;
        }
        Self { guest, had }
    }

    async fn run(&self, operation: &str) -> Run {
        self.guest.run(operation).await
    }

    /// What the site was sent.
    fn had(&self) -> Vec<String> {
        std::mem::take(&mut self.had.lock().expect("no panic"))
    }
}

#[tokio::test]
async fn what_a_line_permits_is_sent_with_the_credential_that_the_guest_never_has() {
    let site = Site::start().await;
    let run = site.run("get").await;
    assert_eq!(said(&run), r#"{"id":7}"#);
    assert_eq!((run.receipt.requests, run.receipt.uses.len()), (1, 1));
    assert_eq!((run.receipt.uses[0].connection.as_str(), run.receipt.uses[0].outcome.as_str()), ("con_mine", "ok"));
    let had = site.had();
    assert!(had[0].starts_with("GET /wp-json/wp/v2/posts/7 HTTP/1.1\r\nhost: shop.example\r\n"), "{had:?}");
    assert!(had[0].contains("\r\nauthorization: Basic YWRhOmNhbmFyeS1hcHBsaWNhdGlvbi1wYXNzd29yZA==\r\n"), "{had:?}");
}

#[tokio::test]
async fn whatever_no_line_permits_is_refused_in_one_word_and_nothing_is_sent() {
    let site = Site::start().await;
    for operation in [
        "post_in_read",
        "undeclared",
        "remove_in_write",
        "absolute",
        "protocol_relative",
        "dots",
        "encoded_dots",
        "encoded_slash",
        "crlf_path",
        "query_in_path",
        "crlf_header",
        "own_credential",
        "override_header",
        "override_query",
    ] {
        let run = site.run(operation).await;
        assert_eq!(said(&run), r#"{"failure":0}"#, "{operation}");
        let decision = run.receipt.egress.last().expect("a decision");
        assert_eq!(decision.verdict, Verdict::Undeclared, "{operation}");
        let line = decision.line.as_deref().expect("a line");
        assert!(line.contains(&format!("operations.\"hostile.{operation}\".outside: ")), "{line}");
        assert_eq!(site.had(), Vec::<String>::new(), "{operation}");
    }
}

#[tokio::test]
async fn another_customers_connection_and_one_that_is_not_needed_do_not_exist() {
    let site = Site::start().await;
    for operation in ["stranger", "needless"] {
        assert_eq!(said(&site.run(operation).await), r#"{"failure":1}"#, "{operation}");
    }
    assert_eq!(site.had(), Vec::<String>::new());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let site = Site::start().await;
    assert_eq!(said(&site.run("redirected").await), r#"{"went":false}"#);
    assert_eq!(site.had().len(), 1);
}

#[tokio::test]
async fn an_echoed_secret_does_not_reach_the_guest() {
    let site = Site::start().await;
    let run = site.run("echoed").await;
    let told = said(&run);
    assert!(!told.contains(CANARY) && told.matches("[redacted]").count() == 3, "{told}");
    assert!(!told.contains("Y2FuYXJ5") && !told.contains("hbmFyeS1"), "{told}");
}

#[tokio::test]
async fn an_echoed_secret_is_nowhere_in_the_whole_memory_of_the_guest() {
    let site = Site::start().await;
    // The redacted places show that the search finds what is there.
    assert_eq!(said(&site.run("searched").await), r#"{"plain":0,"encoded":0,"redacted":3}"#);
}

#[tokio::test]
async fn a_secret_that_was_entered_for_another_host_is_not_sent() {
    let site = Site::start().await;
    site.guest.lead_astray("con_mine", "http://evil.example", ENTERED).await;
    let run = site.run("get").await;
    assert_eq!(said(&run), r#"{"failure":0}"#);
    assert_eq!(site.had(), Vec::<String>::new());
}

#[tokio::test]
async fn without_the_key_a_connection_does_not_open_and_the_run_says_so() {
    let site = Site::start().await;
    let invocation = Invocation { keys: ring("b"), ..site.guest.invocation("get").await };
    let run = site.guest.sandbox.run(invocation).await;
    assert!(matches!(&run.outcome, Err(Stop::Locked { key }) if key == "a"), "{:?}", run.outcome);
    assert_eq!(site.had(), Vec::<String>::new());
}

#[tokio::test]
async fn a_change_without_a_journal_is_not_sent() {
    let site = Site::start().await;
    assert_eq!(said(&site.run("late").await), r#"{"failure":0}"#);
    assert_eq!(site.had(), Vec::<String>::new());
}

#[tokio::test]
async fn a_change_that_nobody_confirmed_is_not_sent_a_second_time() {
    let site = Site::start().await;
    let claim = site.guest.claim("late").await;
    for (sent, unknown) in [(1, 1), (0, 1)] {
        let mut invocation = site.guest.invocation("late").await;
        let journal = site.guest.journal(claim.clone()).await;
        invocation.sends = Some(journal.clone());
        assert_eq!(said(&site.guest.sandbox.run(invocation).await), r#"{"failure":8}"#);
        assert_eq!((journal.tally().sent, journal.tally().unknown), (sent, unknown));
        assert_eq!(site.had().len() as u64, sent);
    }
}

#[tokio::test]
async fn requests_to_providers_end_at_the_limit_of_all_requests() {
    let site = Site::start().await;
    let run = site.run("flood").await;
    assert!(matches!(run.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", run.outcome);
    assert_eq!((run.receipt.requests, run.receipt.uses.len(), site.had().len()), (8, 8, 8));
}
