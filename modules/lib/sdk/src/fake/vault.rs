//! The fake vault: credentials in memory, the kinds of the catalog, and providers that answer what a test said.

use std::collections::BTreeMap;

use serde_json::Value;

use super::World;
use super::consents::Consents;
use super::providers::word;
use crate::Operation;
use crate::bindings::wit::connections::{Connection, Failure, Request, Response, State};
use crate::bindings::wit::vault::{Change, Details, Field, Kind, Place, Spent, Used, VaultError};

/// What stands at a provider's path.
type Said = Result<(u16, Vec<(String, String)>, String), Failure>;

/// A status, headers and a body, as a test writes them.
type Spoken<'a> = (u16, &'a [(&'a str, &'a str)], &'a str);

/// All accounts of the one customer.
#[derive(Default, Clone)]
pub(super) struct Accounts {
    held: Vec<Account>,
    secrets: BTreeMap<String, Value>,
    answers: Vec<Rule>,
    uses: Vec<(String, Used)>,
    spending: Vec<(String, Spent)>,
    pub(super) consents: Consents,
}

#[derive(Clone)]
struct Account {
    details: Details,
    credentials: Value,
    before: Option<(Value, State, Option<String>)>,
}

#[derive(Clone)]
struct Rule {
    kind: String,
    line: String,
    credential: Option<String>,
    said: Said,
}

pub(super) fn table() -> toml::Table {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../catalog/connections.toml"));
    text.expect("the catalog has its kinds").parse().expect("the kinds are TOML")
}

/// Whether a kind takes mail.
pub(super) fn takes_mail(kind: &str) -> bool {
    table().get(kind).is_some_and(is_mail)
}

fn is_mail(kind: &toml::Value) -> bool {
    kind.get("auth").and_then(toml::Value::as_array).is_some_and(|all| all.iter().any(|it| it.get("smtp").is_some()))
}

/// The kinds of the catalog.
pub(super) fn kinds() -> Vec<Kind> {
    let text = |it: &toml::Value, name: &str| it.get(name).and_then(toml::Value::as_str).map(str::to_owned);
    let flag = |it: &toml::Value, name: &str| it.get(name).and_then(toml::Value::as_bool) == Some(true);
    let list = |it: &toml::Value, name: &str| it.get(name).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let kind = |(name, it): (String, toml::Value)| Kind {
        title: text(&it, "title").unwrap_or_default(),
        group: text(&it, "group"),
        documentation: text(&it, "documentation").unwrap_or_default(),
        auth: list(&it, "auth").iter().filter_map(|it| Some(it.as_table()?.keys().next()?.clone())).collect(),
        fields: list(&it, "fields")
            .iter()
            .map(|field| Field {
                name: text(field, "name").unwrap_or_default(),
                secret: flag(field, "secret"),
                optional: flag(field, "optional"),
                words: text(field, "words").unwrap_or_default(),
            })
            .collect(),
        permissions: list(&it, "permissions").iter().filter_map(|it| it.as_str().map(str::to_owned)).collect(),
        endpoint: match text(&it, "endpoint").as_deref() {
            Some("own") => Place::Own,
            Some("optional") => Place::Either,
            _ => Place::Provider,
        },
        can_be_probed: it.get("probe").is_some() || is_mail(&it),
        name,
    };
    table().into_iter().map(kind).collect()
}

impl World {
    pub(super) fn speak(&self, kind: &str, line: &str, credential: Option<&str>, said: Result<Spoken<'_>, Failure>) {
        let own = |(status, headers, body): Spoken<'_>| {
            let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            (status, headers, body.to_owned())
        };
        let (kind, line, credential) = (kind.to_owned(), line.to_owned(), credential.map(str::to_owned));
        self.state.borrow_mut().accounts.answers.push(Rule { kind, line, credential, said: said.map(own) });
    }

    pub(super) fn used(&self, reference: &str, used: Used) {
        self.state.borrow_mut().accounts.uses.push((reference.to_owned(), used));
    }

    pub(super) fn spend(&self, reference: &str, spent: Spent) {
        self.state.borrow_mut().accounts.spending.push((reference.to_owned(), spent));
    }

    pub(super) fn credentials(&self, reference: &str) -> Option<Value> {
        self.state.borrow().accounts.credentials(reference)
    }

    /// Puts a handle in the place of each secret argument.
    pub(super) fn without_secrets(&self, operation: &Operation, arguments: &Value) -> Value {
        let mut state = self.state.borrow_mut();
        let mut arguments = arguments.clone();
        for pointer in operation.secret_arguments() {
            let handle = format!("secret_{}", state.make_id());
            if let Some(place) = arguments.pointer_mut(&pointer) {
                let value = std::mem::replace(place, Value::String(handle.clone()));
                state.accounts.secrets.insert(handle, value);
            }
        }
        arguments
    }
}

impl Accounts {
    /// The text behind a handle.
    pub(super) fn secret(&self, handle: &str) -> Option<&str> {
        self.secrets.get(handle)?.as_str()
    }

    pub(super) fn credentials(&self, reference: &str) -> Option<Value> {
        self.held.iter().find(|it| it.details.reference == reference).map(|it| it.credentials.clone())
    }

    fn find(&mut self, reference: &str) -> Result<&mut Account, VaultError> {
        self.held.iter_mut().find(|it| it.details.reference == reference).ok_or(VaultError::Missing)
    }

    pub(super) fn all(&self) -> Vec<Details> {
        self.held.iter().map(|it| it.details.clone()).collect()
    }

    pub(super) fn get(&self, reference: &str) -> Option<Details> {
        self.held.iter().find(|it| it.details.reference == reference).map(|it| it.details.clone())
    }

    pub(super) fn list(&self, kind: Option<&str>) -> Vec<Connection> {
        let fits = |it: &&Account| super::providers::is_of(&it.details.kind, kind);
        let shown = |it: &Account| Connection {
            reference: it.details.reference.clone(),
            kind: it.details.kind.clone(),
            name: it.details.name.clone(),
            state: it.details.state,
        };
        self.held.iter().filter(fits).map(shown).collect()
    }

    fn entered(&self, kind: &str, endpoint: Option<&str>, handle: &str) -> Result<Value, VaultError> {
        let invalid = |part: Option<&str>, why: &str| VaultError::Invalid((part.map(str::to_owned), why.to_owned()));
        let kinds = kinds();
        let kind = kinds.iter().find(|it| it.name == kind).ok_or(VaultError::NoSuchKind)?;
        if kind.endpoint == Place::Own && endpoint.is_none() {
            return Err(invalid(Some("endpoint"), "this kind needs the address of the customer's own endpoint"));
        }
        let value = self.secrets.get(handle).ok_or_else(|| invalid(None, "that is no handle"))?;
        let given = value.as_object().ok_or_else(|| invalid(None, "credentials are an object"))?;
        if let Some(field) = kind.fields.iter().find(|it| !it.optional && !given.contains_key(&it.name)) {
            return Err(invalid(Some(&field.name), "it is missing"));
        }
        if kind.fields.is_empty() || given.keys().any(|name| !kind.fields.iter().any(|it| it.name == *name)) {
            return Err(invalid(None, "credentials of this kind have other members"));
        }
        Ok(value.clone())
    }

    pub(super) fn put(
        &mut self,
        id: &str,
        now: u64,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        handle: &str,
    ) -> Result<String, VaultError> {
        let credentials = self.entered(kind, endpoint, handle)?;
        if self.held.len() >= 100 {
            return Err(VaultError::Full);
        }
        self.hold(id, now, kind, name, endpoint, credentials);
        Ok(id.to_owned())
    }

    pub(super) fn hold(
        &mut self,
        id: &str,
        now: u64,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        credentials: Value,
    ) {
        let details = Details {
            reference: id.to_owned(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            endpoint: endpoint.map(str::to_owned),
            state: State::Untested,
            pace: None,
            settings: "{}".to_owned(),
            created: now,
            changed: now,
            answered: None,
        };
        self.held.push(Account { details, credentials, before: None });
    }

    pub(super) fn replace(&mut self, id: &str, endpoint: Option<&str>, handle: &str) -> Result<(), VaultError> {
        let Details { kind, endpoint: old, .. } = self.get(id).ok_or(VaultError::Missing)?;
        let endpoint = endpoint.map(str::to_owned).or(old);
        let credentials = self.entered(&kind, endpoint.as_deref(), handle)?;
        let account = self.find(id)?;
        let before = std::mem::replace(&mut account.credentials, credentials);
        account.before = Some((before, account.details.state, account.details.endpoint.clone()));
        (account.details.state, account.details.endpoint) = (State::Untested, endpoint);
        Ok(())
    }

    pub(super) fn withdraw(&mut self, id: &str) -> Result<(), VaultError> {
        let account = self.find(id)?;
        let (credentials, state, endpoint) = account.before.take().ok_or(VaultError::Missing)?;
        account.credentials = credentials;
        (account.details.state, account.details.endpoint) = (state, endpoint);
        Ok(())
    }

    pub(super) fn update(&mut self, id: &str, change: &Change, now: u64) -> Result<Details, VaultError> {
        let details = &mut self.find(id)?.details;
        let Change { name, endpoint, pace, settings, state } = change.clone();
        if let Some(endpoint) = endpoint {
            let host = |it: &str| it.split('/').nth(2).map(str::to_owned);
            if details.endpoint.as_deref().and_then(host) != host(&endpoint) {
                let words = "a credential does not follow to another host".to_owned();
                return Err(VaultError::Invalid((Some("endpoint".to_owned()), words)));
            }
            details.endpoint = Some(endpoint);
        }
        details.name = name.unwrap_or_else(|| details.name.clone());
        details.pace = pace.or(details.pace);
        details.settings = settings.unwrap_or_else(|| details.settings.clone());
        if state == Some(State::Ok) {
            details.answered = Some(now);
        }
        details.state = state.unwrap_or(details.state);
        details.changed = now;
        Ok(details.clone())
    }

    pub(super) fn remove(&mut self, id: &str) -> Result<(), VaultError> {
        self.find(id)?;
        self.held.retain(|it| it.details.reference != id);
        Ok(())
    }

    pub(super) fn probe(&mut self, id: &str) -> Result<Response, Failure> {
        let account = self.find(id).map_err(|_| Failure::NotConnected)?.clone();
        if takes_mail(&account.details.kind) {
            return self.answer(&account, "AUTH /");
        }
        let probe = table().get(&account.details.kind).and_then(|it| it.get("probe")).cloned();
        let probe = probe.ok_or(Failure::Refused)?;
        let text = |name: &str, or: &str| probe.get(name).and_then(toml::Value::as_str).unwrap_or(or).to_owned();
        self.answer(&account, &format!("{} {}", text("method", "GET"), text("path", "/")))
    }

    pub(super) fn send(&mut self, request: &Request) -> Result<Response, Failure> {
        let account = self.find(&request.connection).map_err(|_| Failure::NotConnected)?.clone();
        let method = word(request.method);
        let query: Vec<_> = request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let line = format!("{method} {}", request.path);
        let whole = format!("{line}?{}", query.join("&"));
        let known = |it: &Rule| it.kind == account.details.kind && it.line == whole;
        let line = if self.answers.iter().any(known) { whole } else { line };
        self.answer(&account, &line)
    }

    fn answer(&self, account: &Account, line: &str) -> Result<Response, Failure> {
        let credentials = account.credentials.to_string();
        let fits = |it: &&Rule| {
            let wanted = it.credential.as_ref().is_none_or(|text| credentials.contains(text));
            it.kind == account.details.kind && it.line == line && wanted
        };
        let rule = self.answers.iter().rev().find(fits);
        let (status, headers, body) = rule.map_or(Err(Failure::Unreachable), |it| it.said.clone())?;
        match status {
            401 => Err(Failure::ExpiredCredential),
            429 => Err(Failure::RateLimited(None)),
            _ => Ok(Response { status, headers, body: body.into_bytes(), truncated: false, total_ms: 12 }),
        }
    }

    pub(super) fn spending(&self, reference: &str, from: i64, to: i64) -> Vec<Spent> {
        let fits = |(id, it): &&(String, Spent)| id == reference && (from..=to).contains(&it.day);
        self.spending.iter().filter(fits).map(|(_, it)| it.clone()).collect()
    }

    pub(super) fn usage(&self, reference: &str, from: i64, to: i64) -> Vec<Used> {
        let fits = |(id, it): &&(String, Used)| id == reference && (from..=to).contains(&it.day);
        self.uses.iter().filter(fits).map(|(_, it)| it.clone()).collect()
    }
}
