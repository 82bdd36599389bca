//! Customers' servers of mail, as a guest sees them that sends what it may not.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use model::audit::Audit;
use model::clock::{FixedClock, SeededEntropy};
use model::id::{ConnectionId, CustomerId, RequestId};
use model::keys::{Key, KeyRing};
use sandbox::egress::Verdict;
use sandbox::{Config, Denial, Invocation, LimitKind, Module, OutboundPolicy, Run, Sandbox, Stop};
use store::{Claimed, NewConnection, Place, Right, Sealed, Sends, Settlement, Store, Wanted, Workspace};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};

use crate::guest::{NOW, component, invocation, lock, manifest, text};

const CANARY: &str = "canary-mail-password";
const SERVER: &str = "smtp://mail.example";

/// A server that keeps what it was told, a sandbox that reaches it, and two customers with a connection to it.
struct Office {
    sandbox: Sandbox,
    module: Arc<Module>,
    store: Store,
    heard: Arc<Mutex<Vec<String>>>,
}

fn ring() -> KeyRing {
    KeyRing::new(vec![Key::new("a", "", [9; 32])]).expect("a ring")
}

async fn session(stream: TcpStream, heard: Arc<Mutex<Vec<String>>>) -> std::io::Result<()> {
    let mut stream = BufStream::new(stream);
    let (mut answer, mut in_text) = ("220 ready\r\n", false);
    loop {
        stream.write_all(answer.as_bytes()).await?;
        stream.flush().await?;
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        heard.lock().expect("no panic").push(line.trim_end().to_owned());
        answer = match line.split([' ', ':', '\r']).next().unwrap_or_default() {
            "." if in_text => {
                in_text = false;
                "250 queued\r\n"
            }
            _ if in_text => "",
            "EHLO" => "250-mail\r\n250 AUTH PLAIN\r\n",
            "AUTH" => "235 ok\r\n",
            "DATA" => {
                in_text = true;
                "354 go on\r\n"
            }
            _ => "250 ok\r\n",
        };
    }
}

impl Office {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(session(stream, Arc::clone(&kept)));
            }
        });
        let resolve = [("mail.example".to_owned(), address), ("evil.example".to_owned(), address)].into();
        let outbound = OutboundPolicy { resolve, ..OutboundPolicy::default() };
        let sandbox = Sandbox::new(Config { concurrent: 4, outbound, ..Config::default() }).expect("a sandbox");
        let text = text("mail");
        let component = component(&text, &manifest(&text));
        let module = sandbox.load(&component, &lock(&component), BTreeMap::new()).expect("the guest loads");
        let entropy = Arc::new(SeededEntropy::new([3; 32]));
        let store = Store::memory(Arc::new(FixedClock::at(NOW)), entropy).await.expect("a store in memory");
        let office = Self { sandbox, module, store, heard };
        for (customer, reference, kind) in
            [("cus_test", "con_mine", "smtp"), ("cus_bob", "con_other", "smtp"), ("cus_test", "con_blog", "wordpress")]
        {
            office.connect(customer, reference, kind, SERVER).await;
        }
        office
    }

    /// A connection whose credential was entered for the server, whatever its endpoint says.
    async fn connect(&self, customer: &str, reference: &str, kind: &str, endpoint: &str) {
        let customer = CustomerId::from(customer);
        self.store.add_customer(customer.clone(), format!("{customer}@example.com"), None, NOW).await.ok();
        let mut workspace = Workspace::open(&self.store, customer.clone(), self.module.schema.clone(), NOW);
        let id = ConnectionId::from(reference);
        let secret = serde_json::json!({
            "fields": { "username": "hello@shop.example", "password": CANARY },
            "origin": SERVER,
        });
        let place = Place { customer: &customer, connection: &id, kind, version: 1 };
        let sealed = Sealed::seal(&ring(), place, secret.to_string().as_bytes(), &SeededEntropy::new([5; 32]));
        let (kind, name) = (kind.to_owned(), "Mail".to_owned());
        let new = NewConnection { id, kind, name, endpoint: Some(endpoint.to_owned()) };
        workspace.add_connection(new, sealed.expect("it seals")).await.expect("it is added");
        self.settle(customer, &format!("{reference}_{endpoint}"), workspace).await;
    }

    /// Commits what a workspace has collected.
    async fn settle(&self, customer: CustomerId, request: &str, workspace: Workspace) {
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
            customer,
            grant: None,
            request,
            operation: "connections.add".to_owned(),
            site: None,
            now: NOW,
            api_version: "2026-09-28".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes: workspace.into_changes(),
            answer: None,
            claim: None,
            audit,
        };
        self.store.settle(settlement).await.expect("it settles");
    }

    async fn invocation(&self, operation: &str) -> Invocation {
        let customer = CustomerId::from("cus_test");
        let workspace = Workspace::open(&self.store, customer, self.module.schema.clone(), NOW);
        Invocation { workspace, keys: ring(), ..invocation(&self.module, operation).await }
    }

    /// Runs with a journal, as a call under a key of its own does.
    async fn run(&self, operation: &str) -> Run {
        let wanted = Wanted {
            customer: CustomerId::from("cus_test"),
            key: format!("key-of-{operation}"),
            fingerprint: "same".to_owned(),
            operation: format!("hostile.{operation}"),
            request: RequestId::from(format!("req_{operation}")),
            now: NOW,
            lease: Duration::from_secs(60),
        };
        let Ok(Claimed::Ours(claim)) = self.store.claim(wanted).await else { panic!("the key is free") };
        let mut invocation = self.invocation(operation).await;
        let journal = Sends::open(&self.store, &invocation.customer, Right::Key(claim), NOW, [7; 32]).await;
        invocation.sends = Some(journal.expect("a journal"));
        self.sandbox.run(invocation).await
    }

    fn heard(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.lock().expect("no panic"))
    }
}

fn said(run: &Run) -> &str {
    run.outcome.as_ref().map(|answer| answer.data.as_str()).unwrap_or_else(|stop| panic!("{stop:?}"))
}

#[tokio::test]
async fn what_a_line_permits_goes_out_from_the_connections_own_address() {
    let office = Office::open().await;
    let run = office.run("fine").await;
    assert_eq!(said(&run), "{}");
    assert_eq!((run.receipt.requests, run.receipt.uses[0].outcome.as_str()), (1, "ok"));
    let heard = office.heard();
    for line in ["MAIL FROM:<hello@shop.example>", "RCPT TO:<bob@shop.example>", "From: hello@shop.example", "Hello"] {
        assert!(heard.contains(&line.to_owned()), "{line} {heard:?}");
    }
    assert_eq!(heard.iter().filter(|line| line.starts_with("RCPT")).count(), 1);
}

#[tokio::test]
async fn what_no_line_permits_is_refused_in_one_word_and_nobody_is_asked() {
    let office = Office::open().await;
    for operation in ["no_line", "other_class"] {
        let run = office.run(operation).await;
        assert_eq!(said(&run), r#"{"failure":0}"#, "{operation}");
        let decision = run.receipt.egress.last().expect("a decision");
        assert_eq!(decision.verdict, Verdict::Undeclared, "{operation}");
        let line = decision.line.as_deref().expect("a line");
        assert!(line.contains(&format!("operations.\"hostile.{operation}\".outside: ")), "{line}");
    }
    let unwritten = office.sandbox.run(office.invocation("fine").await).await;
    assert_eq!(said(&unwritten), r#"{"failure":0}"#, "a run without a journal changes nothing outside");
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_read_sends_no_mail() {
    let office = Office::open().await;
    let run = office.run("in_read").await;
    assert!(matches!(run.outcome, Err(Stop::Denied(Denial::WriteInRead))), "{:?}", run.outcome);
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn another_customers_server_one_that_is_not_needed_and_one_of_another_kind_do_not_exist() {
    let office = Office::open().await;
    for operation in ["needless", "stranger", "other_kind"] {
        assert_eq!(said(&office.run(operation).await), r#"{"failure":2}"#, "{operation}");
    }
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_part_that_would_be_a_header_or_a_command_makes_no_message() {
    let office = Office::open().await;
    for operation in ["crlf_subject", "crlf_recipient", "crlf_name", "two_of_a_list"] {
        assert_eq!(said(&office.run(operation).await), r#"{"failure":1}"#, "{operation}");
    }
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_password_that_was_entered_for_another_server_is_not_sent() {
    let office = Office::open().await;
    // As if somebody had changed the endpoint in the database.
    let customer = CustomerId::from("cus_test");
    let mut changed = Workspace::open(&office.store, customer.clone(), office.module.schema.clone(), NOW);
    changed.remove_connection("con_mine").await.expect("it was there");
    office.settle(customer, "gone", changed).await;
    office.connect("cus_test", "con_mine", "smtp", "smtp://evil.example").await;
    assert_eq!(said(&office.run("fine").await), r#"{"failure":0}"#);
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn mail_ends_at_the_limit_of_all_requests() {
    let office = Office::open().await;
    let run = office.run("flood").await;
    assert!(matches!(run.outcome, Err(Stop::Limit(LimitKind::Requests))), "{:?}", run.outcome);
    assert_eq!((run.receipt.requests, run.receipt.uses.len()), (8, 8));
    assert_eq!(office.heard().iter().filter(|line| line.starts_with("DATA")).count(), 8);
}
