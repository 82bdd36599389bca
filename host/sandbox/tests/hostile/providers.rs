//! Customers' providers, as a guest sees them that asks for what it may not.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use model::audit::Audit;
use model::clock::{FixedClock, SeededEntropy};
use model::id::{ConnectionId, CustomerId, RequestId};
use model::keys::{Key, KeyRing};
use sandbox::egress::Verdict;
use sandbox::{Config, Invocation, LimitKind, Module, OutboundPolicy, Run, Sandbox, Stop};
use store::{Changes, Claimed, NewConnection, Place, Right, Sealed, Sends, Settlement, Store, Wanted, Workspace};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::guest::{NOW, component, invocation, lock, manifest, text};

const CANARY: &str = "canary-application-password";

/// A WordPress that keeps what it was sent, a sandbox that reaches it, and a customer with a connection to it.
struct Site {
    sandbox: Sandbox,
    module: Arc<Module>,
    store: Store,
    had: Arc<Mutex<Vec<String>>>,
}

fn ring(id: &str) -> KeyRing {
    KeyRing::new(vec![Key::new(id, "", [9; 32])]).expect("a ring")
}

/// What is sealed: the fields, and the origin that they were entered for.
fn sealed(customer: &CustomerId, id: &str, origin: &str) -> Sealed {
    let secret = serde_json::json!({
        "fields": { "username": "ada", "application_password": CANARY },
        "origin": origin,
    });
    let id = ConnectionId::from(id);
    let place = Place { customer, connection: &id, kind: "wordpress", version: 1 };
    let entropy = SeededEntropy::new([5; 32]);
    Sealed::seal(&ring("a"), place, secret.to_string().as_bytes(), &entropy).expect("it seals")
}

fn new(id: &str, endpoint: &str) -> NewConnection {
    let (kind, name) = ("wordpress".to_owned(), "Blog".to_owned());
    NewConnection { id: id.into(), kind, name, endpoint: Some(endpoint.to_owned()) }
}

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
        let resolve = [("shop.example".to_owned(), address), ("evil.example".to_owned(), address)].into();
        let outbound = OutboundPolicy { resolve, ..OutboundPolicy::default() };
        let sandbox = Sandbox::new(Config { concurrent: 4, outbound, ..Config::default() }).expect("a sandbox");
        let text = text("providers");
        let component = component(&text, &manifest(&text));
        let module = sandbox.load(&component, &lock(&component), BTreeMap::new()).expect("the guest loads");
        let entropy = Arc::new(SeededEntropy::new([3; 32]));
        let store = Store::memory(Arc::new(FixedClock::at(NOW)), entropy).await.expect("a store in memory");
        let site = Self { sandbox, module, store, had };
        for (customer, reference) in [("cus_test", "con_mine"), ("cus_bob", "con_other")] {
            site.connect(&CustomerId::from(customer), reference, "http://shop.example", "http://shop.example:80").await;
        }
        site
    }

    async fn connect(&self, customer: &CustomerId, reference: &str, endpoint: &str, entered_for: &str) {
        let email = format!("{customer}@example.com");
        self.store.add_customer(customer.clone(), email, None, NOW).await.expect("a store").ok();
        let mut workspace = Workspace::open(&self.store, customer.clone(), self.module.schema.clone(), NOW);
        let secret = sealed(customer, reference, entered_for);
        workspace.add_connection(new(reference, endpoint), secret).await.expect("it is added");
        self.commit(customer, reference, workspace.into_changes()).await;
    }

    async fn commit(&self, customer: &CustomerId, request: &str, changes: Changes) {
        let request = RequestId::from(format!("req_{request}"));
        let audit = Audit {
            at: NOW,
            customer: customer.clone(),
            request: Some(request.clone()),
            grant: None,
            event: "operation.executed".to_owned(),
            subject: "connections.add".to_owned(),
            outcome: "ok".to_owned(),
            points: 0,
            detail: serde_json::Value::Null,
        };
        let settlement = Settlement {
            customer: customer.clone(),
            grant: None,
            request,
            operation: "connections.add".to_owned(),
            site: None,
            now: NOW,
            api_version: "2026-09-28".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes,
            answer: None,
            claim: None,
            audit,
        };
        self.store.settle(settlement).await.expect("it settles");
    }

    async fn invocation(&self, operation: &str) -> Invocation {
        let customer = CustomerId::from("cus_test");
        let workspace = Workspace::open(&self.store, customer, self.module.schema.clone(), NOW);
        Invocation { workspace, keys: ring("a"), ..invocation(&self.module, operation).await }
    }

    async fn run(&self, operation: &str) -> Run {
        self.sandbox.run(self.invocation(operation).await).await
    }

    /// What the site was sent.
    fn had(&self) -> Vec<String> {
        std::mem::take(&mut self.had.lock().expect("no panic"))
    }
}

fn said(run: &Run) -> &str {
    run.outcome.as_ref().map(|answer| answer.data.as_str()).unwrap_or_else(|stop| panic!("{stop:?}"))
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
async fn a_secret_that_was_entered_for_another_host_is_not_sent() {
    let site = Site::start().await;
    let customer = CustomerId::from("cus_test");
    let mut invocation = site.invocation("get").await;
    // As if somebody had changed the endpoint in the database.
    invocation.workspace.remove_connection("con_mine").await.expect("it was there");
    site.commit(&customer, "gone", invocation.workspace.into_changes()).await;
    site.connect(&customer, "con_mine", "http://evil.example", "http://shop.example:80").await;
    let run = site.run("get").await;
    assert_eq!(said(&run), r#"{"failure":0}"#);
    assert_eq!(site.had(), Vec::<String>::new());
}

#[tokio::test]
async fn without_the_key_a_connection_does_not_open_and_the_run_says_so() {
    let site = Site::start().await;
    let invocation = Invocation { keys: ring("b"), ..site.invocation("get").await };
    let run = site.sandbox.run(invocation).await;
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
    let wanted = Wanted {
        customer: CustomerId::from("cus_test"),
        key: "key-of-a-late-call".to_owned(),
        fingerprint: "same".to_owned(),
        operation: "hostile.late".to_owned(),
        request: RequestId::from("req_late"),
        now: NOW,
        lease: Duration::from_secs(60),
    };
    let Ok(Claimed::Ours(claim)) = site.store.claim(wanted).await else { panic!("the key is free") };
    for (sent, unknown) in [(1, 1), (0, 1)] {
        let mut invocation = site.invocation("late").await;
        let right = Right::Key(claim.clone());
        let journal = Sends::open(&site.store, &invocation.customer, right, NOW, [7; 32]).await.expect("a journal");
        invocation.sends = Some(journal.clone());
        assert_eq!(said(&site.sandbox.run(invocation).await), r#"{"failure":8}"#);
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
