//! Customers' servers of mail, as a guest sees them that sends what it may not.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use sandbox::egress::Verdict;
use sandbox::{Denial, LimitKind, Run, Stop};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};

use crate::connected::{CUSTOMER, Connected, Entered, said};

const CANARY: &str = "canary-mail-password";
const SERVER: &str = "smtp://mail.example";

/// A server that keeps what it was told, a sandbox that reaches it, and two customers with a connection to it.
pub(crate) struct Office {
    pub(crate) guest: Connected,
    heard: Arc<Mutex<Vec<String>>>,
}

/// A credential for the server.
fn entered(kind: &str) -> Entered<'_> {
    Entered { kind, fields: [("username", "hello@shop.example"), ("password", CANARY)], origin: SERVER }
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
        Self::with("mail").await
    }

    /// The same for another guest that sends.
    pub(crate) async fn with(guest: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(session(stream, Arc::clone(&kept)));
            }
        });
        let guest = Connected::open(guest, ["mail.example", "evil.example"], address).await;
        for (customer, reference, kind) in
            [(CUSTOMER, "con_mine", "smtp"), ("cus_bob", "con_other", "smtp"), (CUSTOMER, "con_blog", "wordpress")]
        {
            guest.connect(customer, reference, SERVER, entered(kind)).await;
        }
        Self { guest, heard }
    }

    /// Runs with a journal, as a call under a key of its own does.
    pub(crate) async fn run(&self, operation: &str) -> Run {
        let mut invocation = self.guest.invocation(operation).await;
        invocation.sends = Some(self.guest.journal(self.guest.claim(operation).await).await);
        self.guest.sandbox.run(invocation).await
    }

    pub(crate) fn heard(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.lock().expect("no panic"))
    }
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
    let unwritten = office.guest.run("fine").await;
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
    office.guest.lead_astray("con_mine", "smtp://evil.example", entered("smtp")).await;
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
