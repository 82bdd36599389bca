//! `mail`: the host composes messages and submits them to the customer's own server, once each and within what the lock
//! file permits.

use std::sync::Arc;
use std::time::Duration;

use catalog::kinds::{self, Auth};
use model::id::base32;
use model::outside::{Method, Path};
use store::{Begun, Connection, Repeat, SendIntent, Sends, Use};
use tokio::time::Instant;
use url::Url;

use super::connections::take_turn;
use crate::bindings::mail;
use crate::egress::{Account, Envelope, Greeting, Undelivered};
use crate::mail::invitation::Invitation;
use crate::mail::letter::{self, Class, Draft, File, Invalid, LARGEST, Letter, Stamp};
use crate::mail::outcome::{Delivered, Trouble};
use crate::provider::answer;
use crate::provider::credential::Credential;
use crate::provider::request::{self, Refused};
use crate::state::State;
use crate::stop::Stop;

/// The longest session. A server may take minutes after the final dot (RFC 5321, 4.5.3.2.6), which is longer than a run
/// lasts.
const LONGEST: Duration = Duration::from_secs(50);
/// Time reserved for the run to finish after a session.
const AFTERWARDS: Duration = Duration::from_secs(1);

impl mail::Host for State {
    async fn send(&mut self, message: mail::Message) -> wasmtime::Result<Result<mail::Sent, mail::Failure>> {
        self.enter_changing()?;
        self.count_requests(1)?;
        let reference = message.connection.clone();
        let sent = match draft(message).check() {
            Ok(letter) => self.mail(&reference, Outgoing::Message(&letter)).await?,
            Err(invalid) => Err(Trouble::Invalid(invalid)),
        };
        Ok(sent.map(shown).map_err(failure))
    }
}

pub(super) type Mailed = wasmtime::Result<Result<Delivered, Trouble>>;

/// The connection and sender of a message, with the credential opened.
pub(super) struct Through {
    connection: Connection,
    credential: Credential,
    pub(super) from: lettre::Address,
}

/// What is to be sent, before what the host adds to it for its recipient.
#[derive(Clone, Copy)]
pub(super) enum Outgoing<'a> {
    Message(&'a Letter),
    Invitation(&'a Invitation),
}

impl Outgoing<'_> {
    fn class(self) -> Class {
        match self {
            Outgoing::Message(letter) => letter.class(),
            Outgoing::Invitation(_) => Class::Transactional,
        }
    }

    fn digest(self, from: &lettre::Address) -> Result<String, Invalid> {
        match self {
            Outgoing::Message(letter) => Ok(letter.digest(from)),
            Outgoing::Invitation(invitation) => invitation.digest(from),
        }
    }
}

impl State {
    /// Sends once, and keeps in the journal what came of it.
    pub(super) async fn mail(&mut self, reference: &str, outgoing: Outgoing<'_>) -> Mailed {
        let found = self.span.bound(self.workspace.connection(reference)).await;
        let Some(connection) = self.known(found)?.ok().flatten() else { return Ok(Err(Trouble::NotConnected)) };
        let kind = kinds::kind(&connection.kind).filter(|_| self.rights.connects(&connection.kind));
        if !kind.is_some_and(kinds::Kind::takes_mail) {
            return Ok(Err(Trouble::NotConnected));
        }
        let sends = match self.permitted_mail(&connection.kind, outgoing.class()) {
            Ok(sends) => sends,
            Err(refused) => {
                self.refuse(&connection.kind, refused);
                return Ok(Err(Trouble::Refused));
            }
        };
        let through = match self.through(connection).await? {
            Ok(through) => through,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let digest = match outgoing.digest(&through.from) {
            Ok(digest) => digest,
            Err(invalid) => return Ok(Err(Trouble::Invalid(invalid))),
        };
        let intent = SendIntent {
            connection: through.connection.id.as_str(),
            digest: &digest,
            repeat: Repeat::Never,
            now: self.workspace.store().database.now(),
        };
        // Check the journal first: an earlier run may already have the outcome, even if conditions have changed since.
        let number = match self.span.bound(sends.begin(intent)).await {
            Ok(Ok(Begun::Send { number, .. })) => number,
            Ok(Ok(Begun::Answered(text))) => return Ok(Delivered::read(&text).ok_or(Trouble::Unknown)),
            Ok(Ok(Begun::Unknown)) => return Ok(Err(Trouble::Unknown)),
            Ok(Ok(Begun::Lost)) => return Err(self.end(Stop::Cancelled)),
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let id = base32(&sends.name(number, &digest));
        let outcome = match outgoing {
            Outgoing::Message(letter) => self.hand_over(&through, letter, &id).await,
            Outgoing::Invitation(invitation) => self.ask_by_mail(&through, invitation, &id).await,
        };
        let kept = match &outcome {
            Ok(Ok(delivered)) => sends.answered(number, &delivered.text()).await,
            // A run that ends during submission leaves the journal entry open, which means that the outcome is unknown.
            Err(_) => return outcome,
            Ok(Err(Trouble::Unknown)) => sends.unknown(number).await,
            Ok(Err(_)) => sends.not_sent(number).await,
        };
        if let Err(error) = kept {
            tracing::error!(error = %error, "what came of a message could not be kept");
        }
        outcome
    }

    /// The journal, if this run may send mail of this class.
    fn permitted_mail(&self, kind: &str, class: Class) -> Result<Sends, Refused> {
        let Some(granted) = &self.rights.granted else { return Err(Refused("nothing is granted to it".to_owned())) };
        let path: Path = class.path().parse().map_err(|error| Refused(format!("{error}")))?;
        request::line(&granted.entry, kind, None, Method::Send, &path)?;
        self.sends.clone().ok_or_else(|| Refused("this run may change nothing outside".to_owned()))
    }

    async fn through(&mut self, connection: Connection) -> wasmtime::Result<Result<Through, Trouble>> {
        let (connection, credential) = match self.credential(connection).await? {
            Ok(opened) => opened,
            Err(answer::Trouble::Expired) => return Ok(Err(Trouble::Expired)),
            Err(_) => return Ok(Err(Trouble::NotConnected)),
        };
        let origin = connection.endpoint.as_deref().and_then(request::origin);
        if !credential.is_for(origin.as_deref()) {
            let refused = Refused("the credential was entered for another endpoint".to_owned());
            self.refuse(&connection.kind, refused);
            return Ok(Err(Trouble::Refused));
        }
        let Some(from) = credential.sender() else { return Ok(Err(Trouble::NotConnected)) };
        Ok(Ok(Through { connection, credential, from }))
    }

    /// Composes a letter and submits it.
    async fn hand_over(&mut self, through: &Through, letter: &Letter, id: &str) -> Mailed {
        let unsubscribe = match (letter.class(), letter.to()) {
            (Class::List, [recipient]) => match self.way_out(recipient.as_ref()).await? {
                Some(address) => Some(address),
                None => return Ok(Err(Trouble::Unsubscribed)),
            },
            _ => None,
        };
        // An unsubscribe address must be https (RFC 8058, 3.1). Any other goes only to servers that the operator
        // allowed.
        let opened_only = unsubscribe.as_ref().is_some_and(|address| !address.starts_with("https://"));
        self.deliver(through, letter, id, unsubscribe.as_deref(), opened_only).await
    }

    /// Writes a letter and submits it; `opened_only`: to a server that the operator allowed.
    pub(super) async fn deliver(
        &mut self,
        through: &Through,
        letter: &Letter,
        id: &str,
        unsubscribe: Option<&str>,
        opened_only: bool,
    ) -> Mailed {
        let stamp = Stamp { from: &through.from, id, date: self.now, unsubscribe };
        let Some(message) = letter.write(&stamp).filter(|message| message.len() <= LARGEST) else {
            return Ok(Err(Trouble::TooLarge(LARGEST as u64)));
        };
        let envelope = Envelope { from: &through.from, to: letter.to(), message: &message };
        let began = Instant::now();
        let refused = match self.submit(through, &envelope, opened_only).await? {
            Ok(refused) => refused,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let is_refused = |at: &usize| refused.iter().any(|(it, _)| it == at);
        let accepted = letter.to().iter().enumerate().filter(|(at, _)| !is_refused(at));
        Ok(Ok(Delivered {
            message_id: letter::message_id(id, &through.from),
            accepted: accepted.map(|(_, address)| address.to_string()).collect(),
            refused: refused
                .into_iter()
                .map(|(at, reply)| (letter.to()[at].to_string(), reply.code, reply.enhanced))
                .collect(),
            total: began.elapsed(),
        }))
    }

    /// The unsubscribe address of a recipient, created before the mail is sent; `None` if they have unsubscribed.
    async fn way_out(&mut self, recipient: &str) -> wasmtime::Result<Option<String>> {
        let (store, now) = (self.workspace.store().clone(), self.workspace.store().database.now());
        let (customer, module) = (self.customer.clone(), self.module.name.clone());
        let asked = async {
            if store.edges.unsubscribed(&customer, &module, recipient).await?.is_some() {
                return Ok(None);
            }
            store.edges.offer_unsubscribe(&customer, &module, recipient, now).await.map(Some)
        };
        match self.span.outside(asked).await {
            Ok(Ok(secret)) => Ok(secret.map(|secret| self.edges.unsubscribe(secret.reveal()))),
            Ok(Err(error)) => Err(self.end(Stop::Unavailable(error))),
            Err(stop) => Err(self.end(stop)),
        }
    }

    async fn submit(
        &mut self,
        through: &Through,
        envelope: &Envelope<'_>,
        opened_only: bool,
    ) -> wasmtime::Result<Result<Vec<(usize, crate::egress::Reply)>, Trouble>> {
        let id = through.connection.id.as_str();
        if let Some(pace) = through.connection.pace {
            let (store, until) = (self.workspace.store().clone(), self.span.deadline());
            match self.span.outside(take_turn(&store, until, id, pace)).await {
                Ok(Ok(())) => {}
                Ok(Err(answer::Trouble::Limited(_))) => return Ok(Err(Trouble::Limited(None))),
                Ok(Err(_)) => return Ok(Err(Trouble::Unreachable)),
                Err(stop) => return Err(self.end(stop)),
            }
        }
        let Some(account) = self.account(through, opened_only) else { return Ok(Err(Trouble::NotConnected)) };
        let (guard, mut trail, began) = (Arc::clone(&self.guard), Vec::new(), Instant::now());
        let submitted = self.span.outside(guard.submit(&account, envelope, &mut trail)).await;
        self.decisions.extend(trail);
        let submitted = submitted.map_err(|stop| self.end(stop))?.map_err(Trouble::from);
        let outcome = submitted.as_ref().map_or_else(Trouble::code, |_| "ok".to_owned());
        self.uses.push(Use { connection: id.to_owned(), outcome, latency: began.elapsed(), probe: false });
        Ok(submitted)
    }

    /// Logs in to a connection's server and quits, as a health check.
    pub(super) async fn greet(
        &mut self,
        connection: Connection,
        patience: Duration,
    ) -> wasmtime::Result<Result<Greeting, Trouble>> {
        let through = match self.through(connection).await? {
            Ok(through) => through,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let Some(account) = self.account(&through, false) else { return Ok(Err(Trouble::NotConnected)) };
        let account = Account { timeout: account.timeout.min(patience), ..account };
        let (guard, mut trail, began) = (Arc::clone(&self.guard), Vec::new(), Instant::now());
        let greeted = self.span.outside(guard.greet(&account, &mut trail)).await;
        self.decisions.extend(trail);
        let greeted: Result<Greeting, Undelivered> = greeted.map_err(|stop| self.end(stop))?;
        let greeted = greeted.map_err(Trouble::from);
        let outcome = greeted.as_ref().map_or_else(Trouble::code, |_| "ok".to_owned());
        let connection = through.connection.id.as_str().to_owned();
        self.uses.push(Use { connection, outcome, latency: began.elapsed(), probe: true });
        Ok(greeted)
    }

    fn account<'a>(&self, through: &'a Through, opened_only: bool) -> Option<Account<'a>> {
        let Some(Auth::Smtp { user, password }) = through.credential.auth(kinds::kind(&through.connection.kind)?)
        else {
            return None;
        };
        let left = self.span.deadline().saturating_duration_since(Instant::now()).saturating_sub(AFTERWARDS);
        Some(Account {
            endpoint: through.connection.endpoint.as_deref()?,
            user: through.credential.field(user)?,
            password: through.credential.field(password)?,
            hello: host(&self.edges.public_url),
            opened_only,
            timeout: left.min(LONGEST),
        })
    }
}

/// The host name of this service, from its public URL.
fn host(public_url: &str) -> String {
    let url = Url::parse(public_url).ok();
    let name = url.as_ref().and_then(Url::host_str).unwrap_or("localhost");
    name.trim_matches(['[', ']']).to_owned()
}

fn draft(message: mail::Message) -> Draft {
    let file = |it: mail::Attachment| File { name: it.name, media_type: it.media_type, bytes: it.bytes };
    Draft {
        class: match message.class {
            mail::Class::Transactional => Class::Transactional,
            mail::Class::List => Class::List,
        },
        from_name: message.from_name,
        to: message.to,
        reply_to: message.reply_to,
        subject: message.subject,
        text: message.text,
        html: message.html,
        in_reply_to: message.in_reply_to,
        references: message.references,
        attachments: message.attachments.into_iter().map(file).collect(),
    }
}

fn shown(delivered: Delivered) -> mail::Sent {
    let refused = |(address, code, enhanced)| mail::RefusedRecipient { address, reply: mail::Reply { code, enhanced } };
    mail::Sent {
        message_id: delivered.message_id,
        accepted: delivered.accepted,
        refused: delivered.refused.into_iter().map(refused).collect(),
        total_ms: u32::try_from(delivered.total.as_millis()).unwrap_or(u32::MAX),
    }
}

pub(super) fn failure(trouble: Trouble) -> mail::Failure {
    let reply = |it: crate::egress::Reply| mail::Reply { code: it.code, enhanced: it.enhanced };
    match trouble {
        // Of an invitation that is not sent, more is said than this.
        Trouble::Refused | Trouble::Known(_) => mail::Failure::Refused,
        Trouble::Invalid(it) => mail::Failure::Invalid(mail::Invalid { member: it.member, why: it.why.to_owned() }),
        Trouble::NotConnected => mail::Failure::NotConnected,
        Trouble::Unsubscribed => mail::Failure::Unsubscribed,
        Trouble::Unreachable => mail::Failure::Unreachable,
        Trouble::Timeout => mail::Failure::Timeout,
        Trouble::Tls => mail::Failure::Tls,
        Trouble::Malformed => mail::Failure::Malformed,
        Trouble::Expired => mail::Failure::ExpiredCredential,
        Trouble::Limited(it) => mail::Failure::RateLimited(it.map(reply)),
        Trouble::Rejected(it) => mail::Failure::Rejected(reply(it)),
        Trouble::TooLarge(most) => mail::Failure::TooLarge(most),
        Trouble::Unknown => mail::Failure::UnknownOutcome,
    }
}
