//! Mail submission (RFC 6409): the guard connects and secures the connection, and the library speaks SMTP.
//!
//! `smtps://` starts with TLS (RFC 8314, 3.3), `smtp://` uses STARTTLS (RFC 3207). A credential and a message are sent
//! without TLS only to a server that the operator allowed.

mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Noop, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::response::Response;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::resolve::{Place, decision};
use super::{Decision, Failure, Guard, Verdict, connect};

/// Submission ports: with implicit TLS (RFC 8314, 7.3), and with STARTTLS (RFC 6409, 3.1). Port 25 is for relays.
const PORTS: [u16; 2] = [465, 587];
/// Timeout of QUIT.
const QUIT: Duration = Duration::from_secs(2);

/// A server and its login. Deliberately without `Debug`.
pub struct Account<'a> {
    /// `smtps://mail.shop.example`, or `smtp://`, with a port if it is not the default.
    pub endpoint: &'a str,
    /// The login name.
    pub user: &'a str,
    /// The password.
    pub password: &'a str,
    /// The public name of this host, for EHLO.
    pub hello: String,
    /// Whether only a server that the operator allowed may be used.
    pub opened_only: bool,
    /// The time limit of the whole session.
    pub timeout: Duration,
}

/// A message with its envelope.
pub struct Envelope<'a> {
    /// The reverse-path.
    pub from: &'a Address,
    /// The forward-paths.
    pub to: &'a [Address],
    /// Headers and body, in ASCII, with CRLF.
    pub message: &'a [u8],
}

/// The reply of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The reply code (RFC 5321, 4.2).
    pub code: u16,
    /// The enhanced status code (RFC 3463).
    pub enhanced: Option<String>,
}

impl Reply {
    /// Whether a retry may succeed (RFC 5321, 4.2.1).
    pub fn is_temporary(&self) -> bool {
        (400..500).contains(&self.code)
    }
}

/// The capabilities of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The size limit of a message (RFC 1870), if the server states one.
    pub size: Option<u64>,
    /// Whether the connection uses TLS.
    pub secure: bool,
    /// From dialling to the last reply.
    pub total: Duration,
}

/// Why a message was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// The connection failed.
    Failure(Failure),
    /// The credential was rejected: 535 (RFC 4954, 6).
    Login,
    /// The server rejected the message, or every recipient.
    Said(Reply),
    /// The message is larger than the server accepts.
    TooLarge(u64),
    /// The server received the whole message, and the outcome is unknown.
    Unknown,
}

impl From<Failure> for Undelivered {
    fn from(failure: Failure) -> Self {
        Undelivered::Failure(failure)
    }
}

/// A session after the login.
struct Session {
    connection: AsyncSmtpConnection,
    size: Option<u64>,
    secure: bool,
}

impl Guard {
    /// Submits once. Returns each rejected recipient by index if at least one was accepted.
    ///
    /// # Errors
    /// Why nothing was accepted, or that the outcome is unknown.
    pub async fn submit(
        &self,
        account: &Account<'_>,
        envelope: &Envelope<'_>,
        trail: &mut Vec<Decision>,
    ) -> Result<Vec<(usize, Reply)>, Undelivered> {
        let deadline = Instant::now() + account.timeout;
        let whole = AtomicBool::new(false);
        let handing = async {
            let mut session = self.session(account, trail).await?;
            let refused = session.hand_over(envelope, &whole).await?;
            Ok((session, refused))
        };
        let outcome = timeout_at(deadline, handing).await.unwrap_or(Err(Failure::Timeout.into()));
        match outcome {
            Ok((session, refused)) => {
                session.leave();
                Ok(refused)
            }
            // Without a reply to the final dot, the message may have been accepted (RFC 1047).
            Err(Undelivered::Failure(_)) if whole.load(Ordering::SeqCst) => Err(Undelivered::Unknown),
            Err(undelivered) => Err(undelivered),
        }
    }

    /// Logs in and quits without sending anything.
    ///
    /// # Errors
    /// Why the login failed.
    pub async fn greet(&self, account: &Account<'_>, trail: &mut Vec<Decision>) -> Result<Greeting, Undelivered> {
        let began = Instant::now();
        let greeting = async {
            let mut session = self.session(account, trail).await?;
            session.connection.command(Noop).await.map_err(lost)?;
            session.connection.command(Rset).await.map_err(lost)?;
            Ok::<_, Undelivered>(session)
        };
        let session = timeout_at(began + account.timeout, greeting).await.unwrap_or(Err(Failure::Timeout.into()))?;
        let (size, secure) = (session.size, session.secure);
        session.leave();
        Ok(Greeting { size, secure, total: began.elapsed() })
    }

    async fn session(&self, account: &Account<'_>, trail: &mut Vec<Decision>) -> Result<Session, Undelivered> {
        let (place, secure) = self.server(account.endpoint, trail)?;
        let addresses = self.resolve(&place, trail).await?;
        let opened = self.is_opened(&place, &addresses);
        if account.opened_only && !opened {
            trail.push(decision(&place, None, Verdict::Scheme));
            return Err(Failure::Refused.into());
        }
        let hello = client(&account.hello);
        let stream = connect::dial(&addresses).await?;
        let wire = if secure {
            self.wrap(&place, stream).await?
        } else {
            self.start_tls(&place, stream, &hello, opened).await?
        };
        let secure = wire.is_secure();
        let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(wire), &hello).await.map_err(lost)?;
        // EHLO again: the library does not keep SIZE (RFC 1870).
        let said = connection.command(Ehlo::new(hello)).await.map_err(lost)?;
        let mut session = Session { size: size(&said), secure, connection };
        session.log_in(account).await?;
        Ok(session)
    }

    /// Parses an endpoint like any URL. Returns its host and port, and whether TLS comes first.
    fn server(&self, endpoint: &str, trail: &mut Vec<Decision>) -> Result<(Place, bool), Undelivered> {
        let url = Url::parse(endpoint).ok();
        let parts = url.as_ref().and_then(|url| Some((url.scheme(), url.host_str()?, url.port())));
        let (secure, host, port) = match parts {
            Some(("smtps", host, port)) => (true, host, port.unwrap_or(465)),
            Some(("smtp", host, port)) => (false, host, port.unwrap_or(587)),
            _ => {
                let host = String::new();
                trail.push(Decision { host, port: 0, address: None, verdict: Verdict::Scheme, line: None });
                return Err(Failure::Refused.into());
            }
        };
        Ok((self.place(host, port, &PORTS, trail)?, secure))
    }
}

impl Session {
    async fn log_in(&mut self, account: &Account<'_>) -> Result<(), Undelivered> {
        let info = self.connection.server_info();
        if !DEFAULT_MECHANISMS.iter().any(|it| info.supports_feature(Extension::Authentication(*it))) {
            return Err(Failure::Malformed.into());
        }
        let credentials = Credentials::new(account.user.to_owned(), account.password.to_owned());
        match self.connection.auth(DEFAULT_MECHANISMS, &credentials).await.map_err(lost) {
            Ok(_) => Ok(()),
            Err(Undelivered::Said(Reply { code: 535, .. })) => Err(Undelivered::Login),
            Err(other) => Err(other),
        }
    }

    /// One mail transaction (RFC 5321, 3.3). Sets `whole` just before the last byte is sent.
    async fn hand_over(
        &mut self,
        envelope: &Envelope<'_>,
        whole: &AtomicBool,
    ) -> Result<Vec<(usize, Reply)>, Undelivered> {
        let bytes = envelope.message.len();
        let mut parameters = Vec::new();
        if let Some(most) = self.size {
            if most > 0 && bytes as u64 > most {
                return Err(Undelivered::TooLarge(most));
            }
            parameters.push(MailParameter::Size(bytes));
        }
        let connection = &mut self.connection;
        connection.command(Mail::new(Some(envelope.from.clone()), parameters)).await.map_err(lost)?;
        let mut refused = Vec::new();
        for (at, address) in envelope.to.iter().enumerate() {
            match connection.command(Rcpt::new(address.clone(), Vec::new())).await.map_err(lost) {
                Ok(_) => {}
                // 421 concerns the session, not the recipient.
                Err(Undelivered::Said(reply)) if reply.code != 421 => refused.push((at, reply)),
                Err(other) => return Err(other),
            }
        }
        if refused.len() == envelope.to.len() {
            return Err(Undelivered::Said(best(refused)));
        }
        if !connection.command(Data).await.map_err(lost)?.has_code(354) {
            return Err(Failure::Malformed.into());
        }
        // The library asks for the next part once the previous one is sent. After the last part it sends the final dot.
        let end = std::iter::once_with(|| {
            whole.store(true, Ordering::SeqCst);
            &[][..]
        });
        let reply = connection.message_iter(std::iter::once(envelope.message).chain(end)).await.map_err(lost)?;
        if reply.code().severity == lettre::transport::smtp::response::Severity::PositiveCompletion {
            Ok(refused)
        } else {
            Err(Failure::Malformed.into())
        }
    }

    /// Sends QUIT in the background: every reply that matters has arrived.
    fn leave(mut self) {
        tokio::spawn(async move { timeout(QUIT, self.connection.quit()).await.ok() });
    }
}

/// Of several rejections, the one most likely to succeed on retry.
fn best(refused: Vec<(usize, Reply)>) -> Reply {
    let replies = refused.into_iter().map(|(_, reply)| reply);
    replies.min_by_key(|reply| reply.code).unwrap_or(Reply { code: 554, enhanced: None })
}

/// The client name in EHLO (RFC 5321, 4.1.1.1).
fn client(name: &str) -> ClientId {
    match name.parse() {
        Ok(std::net::IpAddr::V4(address)) => ClientId::Ipv4(address),
        Ok(std::net::IpAddr::V6(address)) => ClientId::Ipv6(address),
        Err(_) => ClientId::Domain(name.to_owned()),
    }
}

/// Translates the library's error. Never pass on text from the server.
fn lost(error: Error) -> Undelivered {
    if let Some(code) = error.status() {
        let words = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        return Undelivered::Said(Reply { code: code.into(), enhanced: enhanced(&words) });
    }
    let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    // Too much, or not text.
    let unreadable = cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::InvalidData);
    if error.is_timeout() {
        Failure::Timeout.into()
    } else if unreadable || error.is_response() || error.is_client() {
        Failure::Malformed.into()
    } else {
        Failure::Unreachable.into()
    }
}

/// The enhanced status code at the start of a reply (RFC 2034, 4).
fn enhanced(words: &str) -> Option<String> {
    let first = words.split_whitespace().next()?;
    let mut parts = first.split('.');
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_digit());
    let three = parts.by_ref().take(3).filter(|part| is_number(part)).count() == 3 && parts.next().is_none();
    three.then(|| first.to_owned())
}

/// The SIZE parameter of the EHLO reply; 0 means unlimited (RFC 1870, 3).
fn size(said: &Response) -> Option<u64> {
    let line = said.message().find(|line| line.to_ascii_uppercase().starts_with("SIZE"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests;
