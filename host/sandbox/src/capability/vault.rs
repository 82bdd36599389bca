//! `vault`: creates, replaces and destroys credentials, for the module `connections` only.

use std::sync::Arc;
use std::time::Duration;

use catalog::kinds::{self, Endpoint};
use model::clock::Entropy;
use model::id::{ConnectionId, base32};
use store::{Connection, ConnectionPatch, ConnectionState, NewConnection, Place, RecordsError, Sealed};

use super::connections::{failure, response, state};
use crate::bindings::{connections, vault};
use crate::egress::Greeting;
use crate::mail::outcome as mail;
use crate::provider::answer::Trouble;
use crate::provider::credential::{Credential, Invalid};
use crate::provider::request::{self, Asked};
use crate::state::State;
use crate::stop::Stop;

const LONGEST_NAME: usize = 80;
const MOST_SETTINGS: usize = 16 * 1024;
/// The time limit of a probe.
const PROBE: Duration = Duration::from_secs(8);
/// Bytes of a probe's response.
const MOST_PROBED: usize = 256 * 1024;

type Done<T> = wasmtime::Result<Result<T, vault::VaultError>>;

impl vault::Host for State {
    async fn kinds(&mut self) -> wasmtime::Result<Vec<vault::Kind>> {
        self.enter()?;
        Ok(kinds::kinds().iter().map(|(name, kind)| described(name, kind)).collect())
    }

    async fn all(&mut self) -> wasmtime::Result<Vec<vault::Details>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.connections(None)).await;
        Ok(self.known(found)?.unwrap_or_default().into_iter().map(details).collect())
    }

    async fn get(&mut self, reference: String) -> wasmtime::Result<Option<vault::Details>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.connection(&reference)).await;
        Ok(self.known(found)?.ok().flatten().map(details))
    }

    async fn put(&mut self, kind: String, name: String, endpoint: Option<String>, credentials: String) -> Done<String> {
        self.enter_changing()?;
        let Some(described) = kinds::kind(&kind) else { return Ok(Err(vault::VaultError::NoSuchKind)) };
        let entered = name_of(&name).and_then(|()| self.entered(described, endpoint.as_deref(), &credentials));
        let (credential, endpoint) = match entered {
            Ok(entered) => entered,
            Err(invalid) => return Ok(Err(refused(invalid))),
        };
        let id = format!("con_{}", base32(&(&self.entropy as &dyn Entropy).array::<16>()));
        let id = ConnectionId::from(id);
        let sealed = self.sealed(&id, &kind, 1, &credential)?;
        let new = NewConnection { id: id.clone(), kind, name, endpoint };
        let added = self.span.bound(self.workspace.add_connection(new, sealed)).await;
        Ok(match self.known(added)? {
            Ok(_) => Ok(id.as_str().to_owned()),
            Err(_) => Err(vault::VaultError::Full),
        })
    }

    async fn replace(&mut self, reference: String, endpoint: Option<String>, credentials: String) -> Done<()> {
        self.enter_changing()?;
        let Some(connection) = self.connection(&reference).await? else { return Ok(Err(vault::VaultError::Missing)) };
        let Some(kind) = kinds::kind(&connection.kind) else { return Ok(Err(vault::VaultError::NoSuchKind)) };
        let at = endpoint.as_deref().or(connection.endpoint.as_deref());
        let (credential, endpoint) = match self.entered(kind, at, &credentials) {
            Ok(entered) => entered,
            Err(invalid) => return Ok(Err(refused(invalid))),
        };
        let version = self.span.bound(self.workspace.next_secret(&reference)).await;
        let Ok(version) = self.known(version)? else { return Ok(Err(vault::VaultError::Missing)) };
        let sealed = self.sealed(&connection.id, &connection.kind, version, &credential)?;
        let replaced = self.span.bound(self.workspace.replace_secret(&reference, endpoint, sealed)).await;
        Ok(self.known(replaced)?.map(|_| ()).map_err(missing))
    }

    async fn withdraw(&mut self, reference: String) -> Done<()> {
        self.enter_changing()?;
        let withdrawn = self.span.bound(self.workspace.withdraw_secret(&reference)).await;
        Ok(self.known(withdrawn)?.map(|_| ()).map_err(missing))
    }

    async fn update(&mut self, reference: String, change: vault::Change) -> Done<vault::Details> {
        self.enter_changing()?;
        let Some(connection) = self.connection(&reference).await? else { return Ok(Err(vault::VaultError::Missing)) };
        let patch = match patch(&connection, change) {
            Ok(patch) => patch,
            Err(invalid) => return Ok(Err(refused(invalid))),
        };
        let updated = self.span.bound(self.workspace.update_connection(&reference, patch)).await;
        Ok(self.known(updated)?.map(details).map_err(missing))
    }

    async fn remove(&mut self, reference: String) -> Done<()> {
        self.enter_changing()?;
        let removed = self.span.bound(self.workspace.remove_connection(&reference)).await;
        Ok(self.known(removed)?.map_err(missing))
    }

    async fn probe(
        &mut self,
        reference: String,
    ) -> wasmtime::Result<Result<connections::Response, connections::Failure>> {
        self.enter()?;
        self.count_requests(1)?;
        let Some(connection) = self.connection(&reference).await? else {
            return Ok(Err(failure(Trouble::NotConnected)));
        };
        let kind = kinds::kind(&connection.kind);
        if kind.is_some_and(kinds::Kind::takes_mail) {
            return Ok(greeted(self.greet(connection, PROBE).await?));
        }
        let Some((kind, probe)) = kind.and_then(|kind| Some((kind, kind.probe.as_ref()?))) else {
            return Ok(Err(failure(Trouble::Refused)));
        };
        let asked = Asked {
            service: probe.service.clone(),
            method: probe.method(),
            path: probe.path.clone(),
            query: probe.query.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            headers: vec![("accept".to_owned(), "application/json".to_owned())],
            body: Vec::new(),
            max_bytes: MOST_PROBED,
            timeout: PROBE,
        };
        Ok(match self.opened(connection, kind, asked).await? {
            Ok(prepared) => self.exchange_probe(prepared).await?.map(response).map_err(failure),
            Err(trouble) => Err(failure(trouble)),
        })
    }

    async fn ask_consent(
        &mut self,
        kind: String,
        name: String,
        scopes: Vec<String>,
    ) -> wasmtime::Result<Result<vault::Consent, vault::ConsentError>> {
        self.enter_changing()?;
        self.consent_asked(kind, name, scopes).await
    }

    async fn get_consent(&mut self, reference: String) -> wasmtime::Result<Option<vault::Consent>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.consent(&reference)).await;
        Ok(self.known(found)?.ok().flatten().map(|consent| self.shown(consent)))
    }

    async fn lacking(&mut self, reference: String) -> wasmtime::Result<Vec<String>> {
        self.enter()?;
        Ok(self.consented(&reference).await?.map(|(_, credential)| credential.lacking()).unwrap_or_default())
    }

    async fn revoke(&mut self, reference: String) -> wasmtime::Result<bool> {
        self.enter_changing()?;
        let Some((connection, credential)) = self.consented(&reference).await? else { return Ok(false) };
        self.count_requests(1)?;
        let (tokens, mut trail) = (Arc::clone(&self.tokens), Vec::new());
        let revoked = self.span.outside(tokens.revoke(&connection.kind, &credential, &mut trail)).await;
        self.decisions.extend(trail);
        revoked.map_err(|stop| self.end(stop))
    }

    async fn usage(&mut self, reference: String, from_day: i64, to_day: i64) -> wasmtime::Result<Vec<vault::Used>> {
        self.enter()?;
        let store = self.workspace.store().clone();
        let rows =
            self.span.bound(store.connections.connection_uses(&self.customer, &reference, from_day, to_day)).await;
        let rows = match rows {
            Ok(Ok(rows)) => rows,
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let used = |row: store::UseRow| vault::Used {
            day: row.day,
            operation: row.operation,
            outcome: row.outcome,
            from_ms: row.latency.from_ms,
            to_ms: row.latency.to_ms,
            calls: row.calls,
        };
        Ok(rows.into_iter().map(used).collect())
    }

    async fn spending(&mut self, reference: String, from_day: i64, to_day: i64) -> wasmtime::Result<Vec<vault::Spent>> {
        self.enter()?;
        let store = self.workspace.store().clone();
        let rows =
            self.span.bound(store.connections.connection_spending(&self.customer, &reference, from_day, to_day)).await;
        let rows = match rows {
            Ok(Ok(rows)) => rows,
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let spent = |row: store::SpentRow| vault::Spent { day: row.day, currency: row.currency, micros: row.micros };
        Ok(rows.into_iter().map(spent).collect())
    }
}

impl State {
    async fn connection(&mut self, reference: &str) -> wasmtime::Result<Option<Connection>> {
        let found = self.span.bound(self.workspace.connection(reference)).await;
        Ok(self.known(found)?.ok().flatten())
    }

    /// A connection that was made by a consent, with its tokens.
    async fn consented(&mut self, reference: &str) -> wasmtime::Result<Option<(Connection, Credential)>> {
        let found = self.span.bound(self.workspace.connection_with_secret(reference)).await;
        let Ok(Some((connection, sealed))) = self.known(found)? else { return Ok(None) };
        let opened = sealed.open(&self.keys, connection.place(&self.customer)).ok();
        let credential = opened.and_then(|bytes| Credential::opened(&bytes));
        let is_consent = |it: &Credential| {
            let kind = kinds::kind(&connection.kind);
            matches!(kind.and_then(|kind| it.auth(kind)), Some(kinds::Auth::Oauth(_)))
        };
        Ok(credential.filter(is_consent).map(|credential| (connection, credential)))
    }

    /// A credential from the arguments, checked against this endpoint.
    fn entered(
        &self,
        kind: &kinds::Kind,
        endpoint: Option<&str>,
        handle: &str,
    ) -> Result<(Credential, Option<String>), Invalid> {
        let endpoint = request::endpoint(kind, endpoint).map_err(|what| Invalid::new(Some("endpoint"), what))?;
        let Some(text) = self.secrets.get(handle) else {
            return Err(Invalid::new(None, "that is no handle of a secret argument of this call"));
        };
        let credential = Credential::entered(kind, text, endpoint.as_deref().and_then(request::origin))?;
        Ok((credential, endpoint))
    }

    fn sealed(
        &mut self,
        id: &ConnectionId,
        kind: &str,
        version: u64,
        credential: &Credential,
    ) -> wasmtime::Result<Sealed> {
        let place = Place { customer: &self.customer, connection: id, kind, version };
        // Never use the run's own seed here: the guest can observe what it generates.
        let sealed = Sealed::seal(&self.keys, place, &credential.bytes(), self.workspace.store().database.chance());
        sealed.map_err(|error| {
            tracing::error!(error = %error, "a secret could not be sealed");
            self.end(Stop::Locked { key: self.keys.newest().id.clone() })
        })
    }
}

/// Translates the result of a mail login into the probe result of the other kinds.
fn greeted(greeted: Result<Greeting, mail::Trouble>) -> Result<connections::Response, connections::Failure> {
    let answered = |status, size: Option<u64>, total_ms| connections::Response {
        status,
        headers: size.map(|size| ("size".to_owned(), size.to_string())).into_iter().collect(),
        body: Vec::new(),
        truncated: false,
        total_ms,
    };
    match greeted {
        Ok(Greeting { size, total, .. }) => {
            Ok(answered(235, size, u32::try_from(total.as_millis()).unwrap_or(u32::MAX)))
        }
        Err(mail::Trouble::Limited(_)) => Err(connections::Failure::RateLimited(None)),
        Err(mail::Trouble::Rejected(reply)) => Ok(answered(reply.code, None, 0)),
        Err(mail::Trouble::Expired) => Err(connections::Failure::ExpiredCredential),
        Err(mail::Trouble::NotConnected) => Err(connections::Failure::NotConnected),
        Err(mail::Trouble::Unreachable) => Err(connections::Failure::Unreachable),
        Err(mail::Trouble::Timeout) => Err(connections::Failure::Timeout),
        Err(mail::Trouble::Tls) => Err(connections::Failure::Tls),
        Err(mail::Trouble::Malformed | mail::Trouble::Unknown) => Err(connections::Failure::Malformed),
        Err(
            mail::Trouble::Refused
            | mail::Trouble::Invalid(_)
            | mail::Trouble::Unsubscribed
            | mail::Trouble::Known(_)
            | mail::Trouble::TooLarge(_),
        ) => Err(connections::Failure::Refused),
    }
}

fn patch(connection: &Connection, change: vault::Change) -> Result<ConnectionPatch, Invalid> {
    let vault::Change { name, endpoint, pace, settings, state } = change;
    name.as_deref().map_or(Ok(()), name_of)?;
    let invalid = |field: &str, what: &str| Err(Invalid::new(Some(field), what));
    let endpoint = match (&endpoint, kinds::kind(&connection.kind)) {
        (None, _) | (_, None) => None,
        (Some(given), Some(kind)) => {
            let given = request::endpoint(kind, Some(given)).map_err(|what| Invalid::new(Some("endpoint"), what))?;
            let origin = |it: &Option<String>| it.as_deref().and_then(request::origin);
            if origin(&given) != origin(&connection.endpoint) {
                return invalid(
                    "endpoint",
                    "a credential does not follow to another host: enter it again with the address",
                );
            }
            given
        }
    };
    if pace == Some(0) {
        return invalid("pace", "a pace is more than nothing");
    }
    let object = |text: &String| {
        let read = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
        text.len() <= MOST_SETTINGS && read.is_ok()
    };
    if !settings.as_ref().is_none_or(object) {
        return invalid("settings", "settings are a JSON object of at most 16 KiB");
    }
    let state = state.map(|state| match state {
        connections::State::Untested => ConnectionState::Untested,
        connections::State::Ok => ConnectionState::Ok,
        connections::State::Failing => ConnectionState::Failing,
        connections::State::Expired => ConnectionState::Expired,
    });
    Ok(ConnectionPatch { name, endpoint, pace: pace.map(u64::from), settings, state })
}

pub(super) fn name_of(name: &str) -> Result<(), Invalid> {
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(Invalid::new(Some("name"), "a name has 1 to 80 characters")) }
}

fn refused(Invalid { field, message }: Invalid) -> vault::VaultError {
    vault::VaultError::Invalid((field, message))
}

/// The connection does not exist, or another call has just changed it. The guest sees which when it reads again.
fn missing(_error: RecordsError) -> vault::VaultError {
    vault::VaultError::Missing
}

fn details(connection: Connection) -> vault::Details {
    let millis = |moment: model::clock::Moment| u64::try_from(moment.0).unwrap_or(0);
    vault::Details {
        reference: connection.id.as_str().to_owned(),
        kind: connection.kind,
        name: connection.name,
        endpoint: connection.endpoint,
        state: state(connection.state),
        pace: connection.pace.map(|pace| u32::try_from(pace).unwrap_or(u32::MAX)),
        settings: connection.settings,
        created: millis(connection.created_at),
        changed: millis(connection.changed_at),
        answered: connection.answered_at.map(millis),
    }
}

fn described(name: &str, kind: &kinds::Kind) -> vault::Kind {
    let field = |field: &kinds::Field| vault::Field {
        name: field.name.clone(),
        secret: field.secret,
        optional: field.optional,
        words: field.words.clone(),
    };
    vault::Kind {
        name: name.to_owned(),
        title: kind.title.clone(),
        group: kind.group.clone(),
        documentation: kind.documentation.clone(),
        auth: kind.auth.iter().map(|auth| auth.as_str().to_owned()).collect(),
        fields: kind.fields.iter().map(field).collect(),
        permissions: kind.permissions.clone(),
        endpoint: match kind.endpoint {
            Endpoint::Provider => vault::Place::Provider,
            Endpoint::Optional => vault::Place::Either,
            Endpoint::Own => vault::Place::Own,
        },
        can_be_probed: kind.can_be_probed(),
    }
}
