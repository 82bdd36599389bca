//! `connections`: requests to the customer's own accounts at providers, within what the lock file permits. No guest
//! ever holds the credential.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use catalog::kinds::{self, Auth, Kind};
use futures_util::StreamExt as _;
use model::clock::Moment;
use model::outside::{Effect, Line, Method};
use store::edges::turns::{Pace, Turn};
use store::{Begun, Connection, ConnectionState, Repeat, SealError, SendIntent, Sends, Store, Use};
use tokio::time::Instant;

use crate::bindings::connections;
use crate::egress::{Decision, Guard, Verdict};
use crate::provider::answer::{self, Answer, Trouble};
use crate::provider::credential::Credential;
use crate::provider::request::{Asked, Checked, Refused};
use crate::secrets::Sealed;
use crate::state::State;
use crate::stop::{LimitKind, Stop};
use crate::tokens::Renewal;

/// Concurrent requests of one call.
const TOGETHER: usize = 8;
/// The longest wait for a rate-limit slot of a connection.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest exchange, in milliseconds.
const LONGEST: u32 = 50_000;

type Answered = Result<connections::Response, connections::Failure>;

impl connections::Host for State {
    async fn list(&mut self, kind: Option<String>) -> wasmtime::Result<Vec<connections::Connection>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.connections(None)).await;
        let found = self.known(found)?.unwrap_or_default();
        let wanted = |it: &Connection| {
            let group = kinds::kind(&it.kind).and_then(|kind| kind.group.as_deref());
            kind.as_deref().is_none_or(|wanted| wanted == it.kind || Some(wanted) == group)
                && self.rights.connects(&it.kind)
        };
        Ok(found.into_iter().filter(wanted).map(shown).collect())
    }

    async fn send(&mut self, request: connections::Request) -> wasmtime::Result<Answered> {
        let mut answers = self.send_all(vec![request]).await?;
        Ok(answers.pop().unwrap_or(Err(connections::Failure::Refused)))
    }

    async fn send_many(&mut self, requests: Vec<connections::Request>) -> wasmtime::Result<Vec<Answered>> {
        self.send_all(requests).await
    }
}

/// A request to send, or one whose outcome is known already.
enum Ready {
    Known(Result<Answer, Trouble>),
    Send(Box<Prepared>),
}

/// A request with everything needed to send it.
pub(super) struct Prepared {
    checked: Checked,
    connection: Connection,
    kind: &'static Kind,
    auth: &'static Auth,
    credential: Credential,
    /// Secret arguments of the call that the request carries.
    sealed: Sealed,
    /// Bytes of the response that the guest gets.
    most: usize,
    /// Whether the request may change something at the provider.
    changes: bool,
    repeat: Repeat,
    /// Its number in the journal.
    number: Option<u64>,
    /// The idempotency key that the provider sees.
    key: String,
    /// Whether the request only checks the health of the connection.
    probe: bool,
}

impl State {
    async fn send_all(&mut self, requests: Vec<connections::Request>) -> wasmtime::Result<Vec<Answered>> {
        self.enter()?;
        self.count_requests(requests.len())?;
        let share = self.limits.memory / requests.len().max(1);
        let mut ready = Vec::with_capacity(requests.len());
        for request in requests {
            let reference = request.connection.clone();
            let asked = asked(request, share);
            ready.push(match self.prepare(&reference, asked).await? {
                Ok(prepared) => self.begin(prepared).await?,
                Err(trouble) => Ready::Known(Err(trouble)),
            });
        }
        let answers = self.exchange(ready).await?;
        Ok(answers.into_iter().map(|answer| answer.map(response).map_err(failure)).collect())
    }

    /// Counts requests before any of them is sent.
    pub(super) fn count_requests(&mut self, many: usize) -> wasmtime::Result<()> {
        self.used.requests += many as u64;
        if self.used.requests > self.limits.requests {
            self.used.requests -= many as u64;
            return Err(self.end(Stop::Limit(LimitKind::Requests)));
        }
        Ok(())
    }

    /// Checks a request against the lock file and opens the credential for it.
    async fn prepare(&mut self, reference: &str, asked: Asked) -> wasmtime::Result<Result<Prepared, Trouble>> {
        let found = self.span.bound(self.workspace.connection(reference)).await;
        let Some(connection) = self.known(found)?.ok().flatten() else { return Ok(Err(Trouble::NotConnected)) };
        let Some(kind) = kinds::kind(&connection.kind).filter(|_| self.rights.connects(&connection.kind)) else {
            return Ok(Err(Trouble::NotConnected));
        };
        let line = match self.permitted(&asked, kind, &connection) {
            Ok(line) => line,
            Err(refused) => return Ok(Err(self.refuse(&connection.kind, refused))),
        };
        if !matches!(asked.method, Method::Get | Method::Head)
            && let Some(trouble) = self.beyond_cap(&connection).await?
        {
            return Ok(Err(trouble));
        }
        let changes = line.effect.mutates();
        let repeat = match (&kind.idempotency, line.repeats()) {
            (Some(_), _) => Repeat::Key,
            (None, true) => Repeat::Idempotent,
            (None, false) => Repeat::Never,
        };
        Ok(self.opened(connection, kind, asked).await?.map(|prepared| Prepared { changes, repeat, ..prepared }))
    }

    /// The line of the lock file that permits a request.
    fn permitted(&self, asked: &Asked, kind: &Kind, connection: &Connection) -> Result<Line, Refused> {
        let path = asked.path(kind)?;
        let Some(granted) = &self.rights.granted else { return Err(Refused("nothing is granted to it".to_owned())) };
        let line = asked.line(&granted.entry, &connection.kind, &path)?;
        if line.effect != Effect::Read && line.effect.mutates() && self.sends.is_none() {
            return Err(Refused("this run may change nothing outside".to_owned()));
        }
        Ok(line.clone())
    }

    /// A request to a connection, with its credential opened. The caller has checked the lock file.
    pub(super) async fn opened(
        &mut self,
        connection: Connection,
        kind: &'static Kind,
        asked: Asked,
    ) -> wasmtime::Result<Result<Prepared, Trouble>> {
        let (connection, credential) = match self.credential(connection).await? {
            Ok(opened) => opened,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let Some(auth) = credential.auth(kind) else { return Ok(Err(Trouble::Expired)) };
        let (most, sealed) = (asked.max_bytes, self.secrets.within(&asked.body));
        let checked = match asked.check(kind, &connection, auth) {
            Ok(checked) if checked.is_for(&credential) => checked,
            Ok(_) => {
                let refused = Refused("the credential was entered for another endpoint".to_owned());
                return Ok(Err(self.refuse(&connection.kind, refused)));
            }
            Err(refused) => return Ok(Err(self.refuse(&connection.kind, refused))),
        };
        let credential = match self.authorised(&connection, kind, auth, credential).await? {
            Ok(credential) => credential,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let (changes, repeat) = (false, Repeat::Never);
        let key = format!("esp_{}", model::id::base32(&(&self.entropy as &dyn model::clock::Entropy).array::<20>()));
        Ok(Ok(Prepared {
            checked,
            connection,
            kind,
            auth,
            credential,
            sealed,
            most,
            changes,
            repeat,
            number: None,
            key,
            probe: false,
        }))
    }

    pub(super) async fn credential(
        &mut self,
        connection: Connection,
    ) -> wasmtime::Result<Result<(Connection, Credential), Trouble>> {
        let found = self.span.bound(self.workspace.connection_with_secret(connection.id.as_str())).await;
        let Ok(Some((connection, sealed))) = self.known(found)? else { return Ok(Err(Trouble::NotConnected)) };
        let credential = match sealed.open(&self.keys, connection.place(&self.customer)) {
            Ok(bytes) => Credential::opened(&bytes),
            Err(SealError::NoKey(key)) => return Err(self.end(Stop::Locked { key })),
            Err(SealError::Broken) => None,
        };
        let Some(credential) = credential else {
            tracing::error!(connection = %connection.id, "the sealed secret of a connection does not open");
            return Ok(Err(Trouble::NotConnected));
        };
        Ok(Ok((connection, credential)))
    }

    /// The credential with an access token that stays valid for a while, where the auth scheme uses one.
    async fn authorised(
        &mut self,
        connection: &Connection,
        kind: &'static Kind,
        auth: &'static Auth,
        credential: Credential,
    ) -> wasmtime::Result<Result<Credential, Trouble>> {
        let mut trail = Vec::new();
        let renewal = self.renewal();
        let fresh = self.span.outside(renewal.fresh(connection, kind, auth, credential, &mut trail)).await;
        self.decisions.extend(trail);
        fresh.map_err(|stop| self.end(stop))
    }

    /// The token renewal of this run.
    pub(super) fn renewal(&self) -> Renewal {
        Renewal {
            tokens: Arc::clone(&self.tokens),
            store: self.workspace.store().clone(),
            keys: self.keys.clone(),
            customer: self.customer.clone(),
        }
    }

    /// Refuses a request. The guest learns only that; the reason goes into the audit trail for the author.
    pub(super) fn refuse(&mut self, kind: &str, Refused(why): Refused) -> Trouble {
        let line = format!("{}: {why}", self.rights.line(&self.module, "outside"));
        let (host, address) = (kind.to_owned(), None);
        self.decisions.push(Decision { host, port: 0, address, verdict: Verdict::Undeclared, line: Some(line) });
        Trouble::Refused
    }

    /// Records a change in the journal before it is sent.
    async fn begin(&mut self, mut prepared: Prepared) -> wasmtime::Result<Ready> {
        let Some(sends) = self.sends.clone().filter(|_| prepared.changes) else {
            return Ok(Ready::Send(Box::new(prepared)));
        };
        let digest = prepared.checked.digest(&prepared.sealed);
        let intent = SendIntent {
            connection: prepared.connection.id.as_str(),
            digest: &digest,
            repeat: prepared.repeat,
            now: self.workspace.store().database.now(),
        };
        let begun = self.span.bound(sends.begin(intent)).await;
        match begun {
            Ok(Ok(Begun::Send { number, provider_key })) => {
                (prepared.number, prepared.key) = (Some(number), provider_key);
                Ok(Ready::Send(Box::new(prepared)))
            }
            Ok(Ok(Begun::Answered(text))) => Ok(Ready::Known(Answer::read(&text).ok_or(Trouble::Unknown))),
            Ok(Ok(Begun::Unknown)) => Ok(Ready::Known(Err(Trouble::Unknown))),
            Ok(Ok(Begun::Lost)) => Err(self.end(Stop::Cancelled)),
            Ok(Err(error)) => Err(self.end(Stop::Unavailable(error))),
            Err(stop) => Err(self.end(stop)),
        }
    }

    /// Sends what is ready, up to [`TOGETHER`] requests at a time.
    async fn exchange(&mut self, ready: Vec<Ready>) -> wasmtime::Result<Vec<Result<Answer, Trouble>>> {
        let told = Mutex::new((Vec::new(), Vec::new()));
        let outside = Outside {
            guard: Arc::clone(&self.guard),
            store: self.workspace.store().clone(),
            sends: self.sends.clone(),
            now: self.workspace.store().database.now(),
            until: self.span.deadline(),
            renewal: self.renewal(),
            told: &told,
        };
        let exchanges = ready.into_iter().map(|ready| outside.one(ready));
        let together = futures_util::stream::iter(exchanges).buffered(TOGETHER).collect::<Vec<_>>();
        let answers = self.span.outside(together).await;
        let (decisions, uses) = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.decisions.extend(decisions);
        self.uses.extend(uses);
        answers.map_err(|stop| self.end(stop))
    }

    /// Sends one request that checks the health of its connection.
    pub(super) async fn exchange_probe(&mut self, prepared: Prepared) -> wasmtime::Result<Result<Answer, Trouble>> {
        let mut answers = self.exchange(vec![Ready::Send(Box::new(Prepared { probe: true, ..prepared }))]).await?;
        Ok(answers.pop().unwrap_or(Err(Trouble::Refused)))
    }
}

/// State shared by the requests of one host call.
struct Outside<'a> {
    guard: Arc<Guard>,
    store: Store,
    sends: Option<Sends>,
    now: Moment,
    until: Instant,
    renewal: Renewal,
    told: &'a Mutex<(Vec<Decision>, Vec<Use>)>,
}

impl Outside<'_> {
    async fn one(&self, ready: Ready) -> Result<Answer, Trouble> {
        let mut prepared = match ready {
            Ready::Known(known) => return known,
            Ready::Send(prepared) => prepared,
        };
        if let Some(pace) = prepared.connection.pace {
            take_turn(&self.store, self.until, prepared.connection.id.as_str(), pace).await?;
        }
        let began = Instant::now();
        let answer = match self.send(&prepared).await {
            // Safe to retry: the idempotency key is the same, or the request changes nothing more. Often the retry
            // succeeds.
            Err(Trouble::Unknown) if prepared.repeat != Repeat::Never => self.send(&prepared).await,
            // The provider rejected the token before it did anything.
            Err(Trouble::Expired) if Renewal::can(prepared.auth) => match self.renew(&mut prepared).await {
                Ok(()) => self.send(&prepared).await,
                Err(trouble) => Err(trouble),
            },
            other => other,
        };
        let outcome = answer.as_ref().map_or_else(|trouble| trouble.code().to_owned(), Answer::code);
        let connection = prepared.connection.id.as_str().to_owned();
        let counted = Use { connection, outcome, latency: began.elapsed(), probe: prepared.probe };
        self.told.lock().unwrap_or_else(PoisonError::into_inner).1.push(counted);
        self.journal(prepared.number, &answer).await;
        answer
    }

    /// Replaces an access token that the provider rejects.
    async fn renew(&self, prepared: &mut Prepared) -> Result<(), Trouble> {
        let Prepared { connection, kind, auth, credential, .. } = prepared;
        let mut trail = Vec::new();
        let renewed = self.renewal.renewed(connection, kind, auth, credential, &mut trail).await;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).0.extend(trail);
        *credential = renewed?;
        Ok(())
    }

    async fn send(&self, prepared: &Prepared) -> Result<Answer, Trouble> {
        let Prepared { checked, kind, auth, credential, sealed, most, changes, key, .. } = prepared;
        let send = checked.authorised(kind, auth, credential, sealed, key, self.now).ok_or(Trouble::Refused)?;
        let mut trail = Vec::new();
        let answer = self.guard.send(send, &mut trail).await;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).0.extend(trail);
        match answer {
            Ok(fetched) => Answer::of(fetched, kind, credential, sealed, *most),
            Err(lost) => Err(answer::trouble(lost, *changes)),
        }
    }

    /// Records the outcome of a change. If that fails, the journal entry stays open, which means that the outcome is
    /// unknown.
    async fn journal(&self, number: Option<u64>, answer: &Result<Answer, Trouble>) {
        let (Some(sends), Some(number)) = (&self.sends, number) else { return };
        let kept = match answer {
            Ok(answer) => sends.answered(number, &answer.text()).await,
            Err(Trouble::Unknown) => sends.unknown(number).await,
            // The request was never sent, or the provider refused it before it did anything.
            Err(_) => sends.not_sent(number).await,
        };
        if let Err(error) = kept {
            tracing::error!(error = %error, "what came of a request could not be kept");
        }
    }
}

/// Waits for the next rate-limit slot of a connection. All nodes share the slots.
pub(super) async fn take_turn(store: &Store, until: Instant, connection: &str, pace: u64) -> Result<(), Trouble> {
    let pace = Pace { every: Duration::from_millis(1_000_000 / pace.max(1)), burst: 1 };
    let now = store.database.now();
    let patience = until.saturating_duration_since(Instant::now()).min(PATIENCE);
    match store.edges.take_turn(connection, pace, 0, now, now.plus(patience)).await {
        Ok(Turn::At(start)) => tokio::time::sleep(start.since(now)).await,
        Ok(Turn::NotBefore(start)) => {
            let seconds = start.since(now).as_secs().saturating_add(1);
            return Err(Trouble::Limited(Some(u32::try_from(seconds).unwrap_or(u32::MAX))));
        }
        Err(error) => {
            tracing::warn!(error = %error, "nobody can tell whose turn it is");
            return Err(Trouble::Unreachable);
        }
    }
    Ok(())
}

fn asked(request: connections::Request, share: usize) -> Asked {
    Asked {
        service: request.service,
        method: match request.method {
            connections::Method::Get => Method::Get,
            connections::Method::Head => Method::Head,
            connections::Method::Post => Method::Post,
            connections::Method::Put => Method::Put,
            connections::Method::Patch => Method::Patch,
            connections::Method::Delete => Method::Delete,
        },
        path: request.path,
        query: request.query,
        headers: request.headers,
        body: request.body,
        max_bytes: (request.max_bytes as usize).min(share).min(8 << 20),
        timeout: Duration::from_millis(u64::from(request.timeout_ms.min(LONGEST))),
    }
}

pub(super) fn response(answer: Answer) -> connections::Response {
    connections::Response {
        status: answer.status,
        headers: answer.headers,
        body: answer.body,
        truncated: answer.truncated,
        total_ms: u32::try_from(answer.total.as_millis()).unwrap_or(u32::MAX),
    }
}

pub(super) fn failure(trouble: Trouble) -> connections::Failure {
    match trouble {
        Trouble::Refused => connections::Failure::Refused,
        Trouble::NotConnected => connections::Failure::NotConnected,
        Trouble::Unreachable => connections::Failure::Unreachable,
        Trouble::Timeout => connections::Failure::Timeout,
        Trouble::Tls => connections::Failure::Tls,
        Trouble::Malformed => connections::Failure::Malformed,
        Trouble::Expired => connections::Failure::ExpiredCredential,
        Trouble::Limited(seconds) => connections::Failure::RateLimited(seconds),
        Trouble::Unknown => connections::Failure::UnknownOutcome,
    }
}

fn shown(connection: Connection) -> connections::Connection {
    connections::Connection {
        reference: connection.id.as_str().to_owned(),
        kind: connection.kind,
        name: connection.name,
        state: state(connection.state),
    }
}

pub(super) fn state(state: ConnectionState) -> connections::State {
    match state {
        ConnectionState::Untested => connections::State::Untested,
        ConnectionState::Ok => connections::State::Ok,
        ConnectionState::Failing => connections::State::Failing,
        ConnectionState::Expired => connections::State::Expired,
    }
}
