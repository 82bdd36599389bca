//! A submission server: SMTP (RFC 5321) with AUTH PLAIN and LOGIN (RFC 4954), PIPELINING, SIZE, 8BITMIME and enhanced
//! status codes (RFC 3463).
//!
//! Whom a message goes to says what happens, beside what [`crate::post_office`] does: a local part that begins with
//! `refuse` is no such user (550), `full` has no room (452), `grey` is told to come back the first time (450).

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use crate::fault::{Fault, Faults};
use crate::lock;
use crate::post_office::PostOffice;
use crate::provider::Effect;

const USER: &str = "hello@shop.example";
const PASSWORD: &str = "simulated-smtp-password";
/// The largest message, as announced.
const SIZE: usize = 10 << 20;

/// A message that was taken.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Message {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients that were not refused.
    pub to: Vec<String>,
    /// Headers and body as sent, dots unstuffed.
    pub raw: String,
}

/// The running server. Clones are the same server.
#[derive(Clone, Debug)]
pub struct Smtp(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    address: SocketAddr,
    post: PostOffice,
    faults: Faults,
    messages: Mutex<Vec<Message>>,
    effects: Mutex<Vec<Effect>>,
    /// Recipients that were told to come back.
    grey: Mutex<BTreeSet<String>>,
}

/// What a session knows of its client.
#[derive(Default)]
struct Session {
    known: bool,
    from: Option<String>,
    to: Vec<String>,
}

impl Smtp {
    pub(crate) async fn start(port: u16, post: PostOffice) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let inner = Inner {
            address: listener.local_addr()?,
            post,
            faults: Faults::default(),
            messages: Mutex::default(),
            effects: Mutex::default(),
            grey: Mutex::default(),
        };
        let this = Self(Arc::new(inner));
        let server = this.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = server.clone();
                // A client that hangs up ends its own session and nothing else.
                tokio::spawn(async move { server.session(stream).await.ok() });
            }
        });
        Ok(this)
    }

    /// `smtp`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        "smtp"
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// `smtp://` and the address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}", self.0.address)
    }

    /// What to paste as the credential.
    #[must_use]
    pub fn credentials(&self) -> Value {
        json!({ "username": USER, "password": PASSWORD })
    }

    /// Lets the next transactions fail, as many as said, from `MAIL` on (a wrong credential: at `AUTH`).
    pub fn fault(&self, fault: Fault, times: u32) {
        self.fault_until(fault, Some(times));
    }

    /// Lets the next messages fail at their last dot, as many as said: with [`Fault::AnswerLost`] a message is taken and
    /// nothing is ever said, with [`Fault::Truncated`] half of it, and what refuses does not take it.
    pub fn fault_at_the_end(&self, fault: Fault, times: u32) {
        self.0.faults.plan(fault, Some(times), ".");
    }

    pub(crate) fn fault_until(&self, fault: Fault, times: Option<u32>) {
        let when = if fault == Fault::Unauthorized { "AUTH" } else { "MAIL" };
        self.0.faults.plan(fault, times, when);
    }

    /// Forgets all planned faults.
    pub fn clear_faults(&self) {
        self.0.faults.clear();
    }

    /// The messages taken so far, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        lock(&self.0.messages).clone()
    }

    /// A `message.sent` for each message taken, with its recipients.
    #[must_use]
    pub fn effects(&self) -> Vec<Effect> {
        lock(&self.0.effects).clone()
    }

    async fn session(&self, stream: TcpStream) -> std::io::Result<()> {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read);
        let mut session = Session::default();
        say(&mut write, "220 mail.shop.example ESMTP simulator").await?;
        loop {
            let Some(line) = next(&mut lines).await? else { return Ok(()) };
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
            if let Some(fault) = self.0.faults.take(&verb) {
                if fault == Fault::AnswerLost {
                    // The dialogue goes on; only the last word is missing.
                    say(&mut write, "250 2.1.0 Ok").await?;
                    session.from = Some(angle(&line));
                    return self.silent(&mut lines, &mut write, &mut session).await;
                }
                // A slow answer is an answer.
                if fault == Fault::SlowDrip && verb == "MAIL" {
                    session.from = Some(angle(&line));
                }
                if failed(&mut write, fault).await? {
                    continue;
                }
                return Ok(());
            }
            match verb.as_str() {
                "EHLO" => {
                    write.write_all(format!("250-mail.shop.example\r\n250-PIPELINING\r\n250-SIZE {SIZE}\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 AUTH PLAIN LOGIN\r\n").as_bytes()).await?;
                }
                "HELO" => say(&mut write, "250 mail.shop.example").await?,
                "AUTH" => session.known = self.authenticate(&line, &mut lines, &mut write).await?,
                "MAIL" if !session.known => say(&mut write, "530 5.7.0 Authentication required").await?,
                "MAIL" if session.from.is_some() => say(&mut write, "503 5.5.1 Nested MAIL command").await?,
                "MAIL" => {
                    session.from = Some(angle(&line));
                    say(&mut write, "250 2.1.0 Ok").await?;
                }
                "RCPT" if session.from.is_none() => say(&mut write, "503 5.5.1 MAIL first").await?,
                "RCPT" => {
                    let to = angle(&line).to_lowercase();
                    let answer = self.recipient(&to);
                    if answer.starts_with("250") {
                        session.to.push(to);
                    }
                    say(&mut write, &answer).await?;
                }
                "DATA" if session.to.is_empty() => say(&mut write, "554 5.5.1 No valid recipients").await?,
                "DATA" => {
                    say(&mut write, "354 End data with <CR><LF>.<CR><LF>").await?;
                    match message(&mut lines).await? {
                        Some(raw) => match self.0.faults.take(".") {
                            Some(fault @ (Fault::RateLimited | Fault::ServerError)) => {
                                failed(&mut write, fault).await?;
                                return Ok(());
                            }
                            Some(Fault::AnswerLost) => {
                                self.take(&mut session, raw);
                                return std::future::pending().await;
                            }
                            Some(fault) => {
                                self.take(&mut session, raw);
                                failed(&mut write, fault).await?;
                                return Ok(());
                            }
                            None => say(&mut write, &self.take(&mut session, raw)).await?,
                        },
                        None => say(&mut write, "552 5.3.4 Message too big").await?,
                    }
                }
                "RSET" => {
                    (session.from, session.to) = (None, Vec::new());
                    say(&mut write, "250 2.0.0 Ok").await?;
                }
                "NOOP" => say(&mut write, "250 2.0.0 Ok").await?,
                "QUIT" => return say(&mut write, "221 2.0.0 Bye").await,
                "STARTTLS" => say(&mut write, "454 4.7.0 TLS not available").await?,
                _ => say(&mut write, "500 5.5.2 Error: command not recognized").await?,
            }
        }
    }

    fn recipient(&self, to: &str) -> String {
        let local = to.split('@').next().unwrap_or_default();
        match local {
            _ if !to.contains('@') => "501 5.1.3 Bad recipient address syntax".to_owned(),
            it if it.starts_with("refuse") => format!("550 5.1.1 <{to}>: Recipient address rejected: User unknown"),
            it if it.starts_with("full") => format!("452 4.2.2 <{to}>: Mailbox full"),
            it if it.starts_with("grey") && lock(&self.0.grey).insert(to.to_owned()) => {
                format!("450 4.7.1 <{to}>: Greylisted, see you in 60 seconds")
            }
            _ => "250 2.1.5 Ok".to_owned(),
        }
    }

    /// Keeps the message and says so.
    fn take(&self, session: &mut Session, raw: String) -> String {
        let (from, to) = (session.from.take().unwrap_or_default(), std::mem::take(&mut session.to));
        let mail = self.0.post.send(&raw, &to);
        lock(&self.0.effects).push(Effect {
            name: "message.sent".to_owned(),
            subject: to.join(","),
            key: mail.header("Message-ID"),
        });
        lock(&self.0.messages).push(Message { from, to, raw });
        format!("250 2.0.0 Ok: queued as {}", mail.id)
    }

    /// Takes a message like any other, and hangs up instead of saying so.
    async fn silent(
        &self,
        lines: &mut BufReader<OwnedReadHalf>,
        write: &mut OwnedWriteHalf,
        session: &mut Session,
    ) -> std::io::Result<()> {
        while let Some(line) = next(lines).await? {
            match line.split([' ', ':']).next().unwrap_or_default().to_uppercase().as_str() {
                "RCPT" => {
                    session.to.push(angle(&line).to_lowercase());
                    say(write, "250 2.1.5 Ok").await?;
                }
                "DATA" => {
                    say(write, "354 End data with <CR><LF>.<CR><LF>").await?;
                    if let Some(raw) = message(lines).await? {
                        self.take(session, raw);
                    }
                    return Ok(());
                }
                _ => say(write, "250 2.0.0 Ok").await?,
            }
        }
        Ok(())
    }

    async fn authenticate(
        &self,
        line: &str,
        lines: &mut BufReader<OwnedReadHalf>,
        write: &mut OwnedWriteHalf,
    ) -> std::io::Result<bool> {
        let mut words = line.split_whitespace().skip(1);
        let decoded = |text: &str| {
            BASE64_STANDARD.decode(text.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
        };
        let (name, password) = match (words.next().map(str::to_uppercase).as_deref(), words.next()) {
            (Some("PLAIN"), given) => {
                let given = match given {
                    Some(given) => given.to_owned(),
                    None => {
                        say(write, "334 ").await?;
                        next(lines).await?.unwrap_or_default()
                    }
                };
                let text = decoded(&given);
                let mut parts = text.split('\0').skip(1);
                (parts.next().unwrap_or_default().to_owned(), parts.next().unwrap_or_default().to_owned())
            }
            (Some("LOGIN"), given) => {
                let name = match given {
                    Some(given) => decoded(given),
                    None => {
                        say(write, "334 VXNlcm5hbWU6").await?;
                        decoded(&next(lines).await?.unwrap_or_default())
                    }
                };
                say(write, "334 UGFzc3dvcmQ6").await?;
                (name, decoded(&next(lines).await?.unwrap_or_default()))
            }
            _ => {
                say(write, "504 5.5.4 Unrecognized authentication type").await?;
                return Ok(false);
            }
        };
        let right = name == USER && password == PASSWORD;
        say(
            write,
            if right { "235 2.7.0 Authentication successful" } else { "535 5.7.8 Error: authentication failed" },
        )
        .await?;
        Ok(right)
    }
}

async fn say(write: &mut OwnedWriteHalf, line: &str) -> std::io::Result<()> {
    write.write_all(format!("{line}\r\n").as_bytes()).await
}

async fn next(lines: &mut BufReader<OwnedReadHalf>) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = lines.read_line(&mut line).await?;
    Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The address between angle brackets.
fn angle(line: &str) -> String {
    line.split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(address, _)| address.to_owned())
        .unwrap_or_default()
}

/// Lines up to the lone dot; `None` when they are more than was announced.
async fn message(lines: &mut BufReader<OwnedReadHalf>) -> std::io::Result<Option<String>> {
    let (mut raw, mut fits) = (String::new(), true);
    while let Some(line) = next(lines).await? {
        if line == "." {
            break;
        }
        fits &= raw.len() + line.len() <= SIZE;
        if fits {
            raw += line.strip_prefix('.').unwrap_or(&line);
            raw += "\r\n";
        }
    }
    Ok(fits.then_some(raw))
}

/// Fails a transaction; whether the session goes on.
async fn failed(write: &mut OwnedWriteHalf, fault: Fault) -> std::io::Result<bool> {
    match fault {
        Fault::Timeout => std::future::pending().await,
        Fault::RateLimited => say(write, "451 4.7.1 Too many messages, slow down").await.map(|()| true),
        Fault::ServerError => say(write, "421 4.3.2 Service not available, closing channel").await.map(|()| false),
        Fault::Unauthorized => say(write, "535 5.7.8 Error: authentication failed").await.map(|()| true),
        // Half a line and the end.
        Fault::Truncated => write.write_all(b"250 2.").await.map(|()| false),
        // SMTP has neither JSON nor a date: what is no answer stands for both kinds of wrong body.
        Fault::WrongJson | Fault::NotJson | Fault::ClockSkew | Fault::AnswerLost => {
            say(write, "<html>Please wait</html>").await.map(|()| false)
        }
        Fault::SlowDrip => {
            for byte in b"250 2.1.0 Ok\r\n" {
                tokio::time::sleep(Duration::from_millis(200)).await;
                write.write_all(&[*byte]).await?;
            }
            Ok(true)
        }
    }
}
