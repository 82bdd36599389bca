//! Tests of mail submission to correct and faulty servers.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::*;
use crate::config::OutboundPolicy;

const HOST: &str = "mail.shop.example";

/// How a server differs from one that accepts everything.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Server {
    /// Implicit TLS.
    secure: bool,
    /// Offers STARTTLS.
    upgrades: bool,
    /// Injects extra bytes after its reply to STARTTLS.
    injects: bool,
    /// The reply to this command; with an empty reply it closes the connection, with `...` it never replies.
    at: Option<(&'static str, &'static str)>,
    /// Additional EHLO capabilities.
    offers: &'static str,
}

const AUTH: &str = "250-AUTH PLAIN LOGIN\r\n";

/// The lines that a server has received.
type Heard = Arc<Mutex<Vec<String>>>;

struct Scene {
    guard: Guard,
    heard: Heard,
    address: SocketAddr,
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "Test Root");
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority")
}

fn acceptor(authority: &CertifiedIssuer<'static, KeyPair>, name: &str) -> TlsAcceptor {
    let key = KeyPair::generate().expect("a key");
    let certificate = CertificateParams::new(vec![name.to_owned()]).expect("a name").signed_by(&key, authority);
    let chain = vec![certificate.expect("signed").der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(connect::provider()).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_no_client_auth().with_single_cert(chain, key);
    TlsAcceptor::from(Arc::new(config.expect("a certificate")))
}

async fn start(server: Server, certified: &str) -> Scene {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (heard, authority) = (Heard::default(), authority());
    let acceptor = acceptor(&authority, certified);
    let kept = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, server, acceptor.clone(), Arc::clone(&kept)));
        }
    });
    let policy = OutboundPolicy {
        resolve: [(HOST.to_owned(), address)].into(),
        authorities: vec![authority.der().to_vec()],
        ..OutboundPolicy::default()
    };
    Scene { guard: Guard::new(policy).expect("a guard"), heard, address }
}

async fn serve(stream: TcpStream, server: Server, acceptor: TlsAcceptor, heard: Heard) -> Option<()> {
    if server.secure {
        talk(BufStream::new(acceptor.accept(stream).await.ok()?), server, heard, true).await;
        return Some(());
    }
    let plain = talk(BufStream::new(stream), server, Arc::clone(&heard), true).await?;
    let secured = acceptor.accept(plain.into_inner()).await.ok()?;
    let server = Server { upgrades: false, ..server };
    talk(BufStream::new(secured), server, heard, false).await;
    Some(())
}

/// Runs one session. Returns the stream if the client asked for TLS.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: BufStream<S>,
    server: Server,
    heard: Heard,
    greets: bool,
) -> Option<BufStream<S>> {
    if greets {
        say(&mut stream, "220 mail.shop.example ESMTP\r\n").await?;
    }
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        heard.lock().expect("no panic").push(line.clone());
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_owned();
        match server.at {
            Some((at, "...")) if at == verb => std::future::pending().await,
            Some((at, "")) if at == verb => return None,
            Some((at, answer)) if at == verb => {
                say(&mut stream, answer).await?;
                continue;
            }
            _ => {}
        }
        match verb.as_str() {
            "EHLO" => {
                let upgrade = if server.upgrades { "250-STARTTLS\r\n" } else { "" };
                let said = format!("250-mail\r\n{upgrade}{AUTH}{}250 8BITMIME\r\n", server.offers);
                say(&mut stream, &said).await?;
            }
            "STARTTLS" => {
                let more = if server.injects { "250 injected\r\n" } else { "" };
                say(&mut stream, &format!("220 go on\r\n{more}")).await?;
                return Some(stream);
            }
            "AUTH" => say(&mut stream, "235 2.7.0 ok\r\n").await?,
            "RCPT" if line.contains("nobody") => say(&mut stream, "550 5.1.1 no such user\r\n").await?,
            "RCPT" if line.contains("later") => say(&mut stream, "450 4.2.0 come back\r\n").await?,
            "DATA" => {
                say(&mut stream, "354 go on\r\n").await?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    if stream.read_line(&mut text).await.ok()? == 0 {
                        return None;
                    }
                }
                heard.lock().expect("no panic").push(text);
                match server.at {
                    Some((".", "...")) => std::future::pending().await,
                    Some((".", "")) => return None,
                    Some((".", answer)) => say(&mut stream, answer).await?,
                    _ => say(&mut stream, "250 2.0.0 queued\r\n").await?,
                }
            }
            "QUIT" => return None,
            _ => say(&mut stream, "250 2.0.0 ok\r\n").await?,
        }
    }
}

async fn say<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>, text: &str) -> Option<()> {
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.flush().await.ok()
}

fn account(endpoint: &str) -> Account<'_> {
    Account {
        endpoint,
        user: "hello@shop.example",
        password: "canary-password",
        hello: "espalier.example".to_owned(),
        opened_only: false,
        timeout: Duration::from_secs(5),
    }
}

impl Scene {
    async fn submit_to(&self, endpoint: &str, to: &[&str]) -> Result<Vec<(usize, Reply)>, Undelivered> {
        let parse = |text: &str| text.parse::<Address>().expect("an address");
        let to: Vec<Address> = to.iter().map(|it| parse(it)).collect();
        let envelope = Envelope {
            from: &parse("hello@shop.example"),
            to: &to,
            message: b"Subject: a\r\n\r\nHello\r\n.hidden\r\n.\r\nend\r\n",
        };
        let account = Account { timeout: Duration::from_secs(2), ..account(endpoint) };
        self.guard.submit(&account, &envelope, &mut Vec::new()).await
    }

    async fn submit(&self) -> Result<Vec<(usize, Reply)>, Undelivered> {
        self.submit_to("smtp://mail.shop.example", &["bob@shop.example"]).await
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no panic").clone()
    }

    fn has_heard(&self, verb: &str) -> bool {
        self.heard().iter().any(|line| line.starts_with(verb))
    }
}

fn reply(code: u16, enhanced: &str) -> Reply {
    Reply { code, enhanced: (!enhanced.is_empty()).then(|| enhanced.to_owned()) }
}

#[tokio::test]
async fn a_message_arrives_as_it_is_and_a_dot_does_not_end_it() {
    let scene = start(Server { offers: "250-SIZE 1000\r\n", ..Server::default() }, HOST).await;
    assert_eq!(scene.submit().await, Ok(Vec::new()));
    let heard = scene.heard();
    assert_eq!(heard[0], "EHLO espalier.example");
    assert!(heard.contains(&"MAIL FROM:<hello@shop.example> SIZE=38".to_owned()), "{heard:?}");
    assert!(heard.contains(&"RCPT TO:<bob@shop.example>".to_owned()));
    let message = "Subject: a\r\n\r\nHello\r\n..hidden\r\n..\r\nend\r\n\r\n.\r\n";
    assert!(heard.contains(&message.to_owned()), "{heard:?}");
}

#[tokio::test]
async fn where_tls_is_to_be_had_the_credential_travels_in_it() {
    for (server, endpoint) in [
        (Server { secure: true, ..Server::default() }, "smtps://mail.shop.example"),
        (Server { upgrades: true, ..Server::default() }, "smtp://mail.shop.example"),
    ] {
        let scene = start(server, HOST).await;
        assert_eq!(scene.submit_to(endpoint, &["bob@shop.example"]).await, Ok(Vec::new()), "{server:?}");
        let greeting = scene.guard.greet(&account(endpoint), &mut Vec::new()).await.expect("it greets");
        assert!(greeting.secure, "{server:?}");
        let stranger = start(server, "mail.evil.example").await;
        assert_eq!(
            stranger.submit_to(endpoint, &["bob@shop.example"]).await,
            Err(Failure::Tls.into()),
            "a certificate for another name: {server:?}"
        );
        assert!(!stranger.has_heard("AUTH"));
    }
}

#[tokio::test]
async fn without_tls_nothing_is_said_but_where_the_operator_opened_the_way() {
    let scene = start(Server::default(), HOST).await;
    let place = scene.guard.place(HOST, 587, &PORTS, &mut Vec::new()).expect("a place");
    for (opened, is_fine) in [(false, false), (true, true)] {
        let stream = connect::dial(&[scene.address]).await.expect("it answers");
        let hello = client("espalier.example");
        let wire = scene.guard.start_tls(&place, stream, &hello, opened).await;
        assert_eq!(wire.is_ok(), is_fine, "{wire:?}");
    }
    assert!(!scene.has_heard("AUTH"));
}

#[tokio::test]
async fn what_comes_with_the_answer_to_starttls_ends_the_session() {
    let scene = start(Server { upgrades: true, injects: true, ..Server::default() }, HOST).await;
    assert_eq!(scene.submit().await, Err(Failure::Tls.into()));
    let refuses = Server { upgrades: true, at: Some(("STARTTLS", "454 4.7.0 no\r\n")), ..Server::default() };
    let scene = start(refuses, HOST).await;
    assert_eq!(scene.submit().await, Err(Failure::Tls.into()), "there is no way back to plain text");
    assert!(!scene.has_heard("AUTH"));
}

#[tokio::test]
async fn each_no_before_the_message_is_what_it_is_and_nothing_is_handed_over() {
    let said = |code, enhanced| Undelivered::Said(reply(code, enhanced));
    for (at, answer, comes_to) in [
        ("EHLO", "554 5.7.1 not you\r\n", Failure::Malformed.into()),
        ("EHLO", "", Failure::Unreachable.into()),
        ("AUTH", "535 5.7.8 wrong\r\n", Undelivered::Login),
        ("AUTH", "454 4.7.0 later\r\n", said(454, "4.7.0")),
        ("AUTH", "534 5.7.9 too weak\r\n", said(534, "5.7.9")),
        ("MAIL", "451 4.7.1 slow down\r\n", said(451, "4.7.1")),
        ("MAIL", "421 4.3.2 closing\r\n", said(421, "4.3.2")),
        ("MAIL", "553 not yours\r\n", said(553, "")),
        ("MAIL", "<html>\r\n", Failure::Malformed.into()),
        ("MAIL", "", Failure::Malformed.into()),
        ("MAIL", "...", Failure::Timeout.into()),
        ("RCPT", "550 5.1.1 nobody\r\n", said(550, "5.1.1")),
        ("RCPT", "421 4.3.2 closing\r\n", said(421, "4.3.2")),
        ("DATA", "554 5.5.1 no\r\n", said(554, "5.5.1")),
        ("DATA", "250 ok\r\n", Failure::Malformed.into()),
    ] {
        let scene = start(Server { at: Some((at, answer)), ..Server::default() }, HOST).await;
        assert_eq!(scene.submit().await, Err(comes_to), "{at} {answer:?}");
        assert!(!scene.has_heard("Subject"), "{at} {answer:?}");
    }
}

#[tokio::test]
async fn after_the_last_dot_only_a_reply_says_what_came_of_it() {
    for (answer, comes_to) in [
        ("", Undelivered::Unknown),
        ("...", Undelivered::Unknown),
        ("<html>\r\n", Undelivered::Unknown),
        ("25", Undelivered::Unknown),
        ("354 what\r\n", Undelivered::Unknown),
        ("452 4.2.2 full\r\n", Undelivered::Said(reply(452, "4.2.2"))),
        ("554 5.7.1 spam\r\n", Undelivered::Said(reply(554, "5.7.1"))),
    ] {
        let scene = start(Server { at: Some((".", answer)), ..Server::default() }, HOST).await;
        assert_eq!(scene.submit().await, Err(comes_to), "{answer:?}");
        assert!(scene.has_heard("Subject"), "{answer:?}");
    }
}

#[tokio::test]
async fn recipients_are_refused_one_by_one_and_all_of_them_are_a_refusal() {
    let scene = start(Server::default(), HOST).await;
    let to = ["nobody@shop.example", "bob@shop.example", "later@shop.example"];
    let refused = scene.submit_to("smtp://mail.shop.example", &to).await;
    assert_eq!(refused, Ok(vec![(0, reply(550, "5.1.1")), (2, reply(450, "4.2.0"))]));
    let all = scene.submit_to("smtp://mail.shop.example", &[to[0], to[2]]).await;
    assert_eq!(all, Err(Undelivered::Said(reply(450, "4.2.0"))), "what leaves most hope");
    assert_eq!(scene.heard().iter().filter(|line| line.starts_with("Subject")).count(), 1);
}

#[tokio::test]
async fn a_message_larger_than_the_server_takes_is_not_begun() {
    let scene = start(Server { offers: "250-SIZE 30\r\n", ..Server::default() }, HOST).await;
    assert_eq!(scene.submit().await, Err(Undelivered::TooLarge(30)));
    assert!(!scene.has_heard("MAIL"));
    let greeting = scene.guard.greet(&account("smtp://mail.shop.example"), &mut Vec::new()).await.expect("it greets");
    assert_eq!((greeting.size, greeting.secure), (Some(30), false));
    assert!(scene.has_heard("NOOP") && scene.has_heard("RSET") && !scene.has_heard("MAIL"));
    let unbounded = start(Server { offers: "250-SIZE 0\r\n", ..Server::default() }, HOST).await;
    assert_eq!(unbounded.submit().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_server_without_a_login_that_is_spoken_is_none() {
    let scene = start(Server { at: Some(("EHLO", "250 AUTH GSSAPI\r\n")), ..Server::default() }, HOST).await;
    assert_eq!(scene.submit().await, Err(Failure::Malformed.into()));
    assert!(!scene.has_heard("AUTH"));
}

#[tokio::test]
async fn a_server_that_goes_on_and_on_is_cut_off() {
    let line = format!("250-{}\r\n", "more".repeat(50));
    let endless: &'static str = Box::leak(line.repeat(1_000).into_boxed_str());
    let scene = start(Server { at: Some(("MAIL", endless)), ..Server::default() }, HOST).await;
    assert_eq!(scene.submit().await, Err(Failure::Malformed.into()));
    assert!(!scene.has_heard("Subject"));
}

#[tokio::test]
async fn only_places_where_mail_is_submitted_are_asked() {
    let guard = Guard::new(OutboundPolicy::default()).expect("a guard");
    for (endpoint, verdict) in [
        ("smtp://203.0.113.5:25", Verdict::Address("documentation")),
        ("smtp://127.0.0.1:587", Verdict::Address("loopback")),
        ("smtp://10.0.0.1", Verdict::Address("private")),
        ("smtps://[::1]", Verdict::Address("loopback")),
        ("smtp://0x7f.1", Verdict::Address("loopback")),
        ("smtp://9.9.9.9:25", Verdict::Port),
        ("smtp://localhost", Verdict::Name),
        ("smtps://mail.internal", Verdict::Name),
        ("smtp://mail.shop.example:25", Verdict::Port),
        ("https://mail.shop.example", Verdict::Scheme),
        ("http://mail.shop.example:587", Verdict::Scheme),
        ("mail.shop.example", Verdict::Scheme),
    ] {
        let mut trail = Vec::new();
        let refused = guard.greet(&account(endpoint), &mut trail).await;
        assert_eq!(refused, Err(Failure::Refused.into()), "{endpoint}");
        let found = trail.last().expect("a decision").verdict;
        let same = std::mem::discriminant(&found) == std::mem::discriminant(&verdict);
        assert!(same, "{endpoint}: {found:?}");
    }
}

#[tokio::test]
async fn what_may_not_leave_development_goes_to_opened_servers_only() {
    let scene = start(Server::default(), HOST).await;
    let account = Account { opened_only: true, ..account("smtp://mail.shop.example") };
    assert!(scene.guard.greet(&account, &mut Vec::new()).await.is_ok());
    let opened = scene.guard.is_opened(
        &scene.guard.place("mail.other.example", 587, &PORTS, &mut Vec::new()).expect("a place"),
        &["203.0.113.5:587".parse().expect("an address")],
    );
    assert!(!opened);
}
