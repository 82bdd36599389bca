//! Fake providers and a fake vault: connections by reference, answers by method and path, requests counted.

use std::collections::BTreeMap;

use super::World;
use crate::bindings::wit::accounts::About;
use crate::bindings::wit::connections::{Connection, Failure, Method, Request, Response, State};

/// What a provider answers: a status, headers and a body.
pub(super) type Given = Result<ProviderSaid, Failure>;

/// All that can be asked.
#[derive(Default)]
pub(super) struct Providers {
    connections: Vec<Connection>,
    answers: BTreeMap<(String, String), Given>,
    server: Option<Server>,
    sent: Vec<String>,
    settings: BTreeMap<String, String>,
    spent: BTreeMap<String, u64>,
}

/// A request to a provider, as the server of a test sees it.
#[derive(Debug)]
pub struct ProviderAsked<'a> {
    /// `GET` and the like.
    pub method: &'a str,
    /// As it is sent, without the query.
    pub path: &'a str,
    /// Not encoded.
    pub query: &'a [(String, String)],
    /// Those of the guest.
    pub headers: &'a [(String, String)],
    /// Empty for none.
    pub body: &'a [u8],
}

/// What a provider answers: a status, headers with names in small letters, and a body.
pub type ProviderSaid = (u16, Vec<(String, String)>, Vec<u8>);

/// Answers requests; `None` leaves one to the answers that were given.
pub(super) type Server = Box<dyn Fn(&ProviderAsked<'_>) -> Option<Given>>;

impl World {
    pub(super) fn connect(&self, reference: &str, kind: &str) {
        let (reference, kind, name) = (reference.to_owned(), kind.to_owned(), kind.to_owned());
        self.providers.borrow_mut().connections.push(Connection { reference, kind, name, state: State::Ok });
    }

    pub(super) fn provide(&self, method: &str, path: &str, given: Given) {
        self.providers.borrow_mut().answers.insert((method.to_owned(), path.to_owned()), given);
    }

    pub(super) fn serve_provider(&self, server: Server) {
        self.providers.borrow_mut().server = Some(server);
    }

    pub(super) fn sent(&self) -> Vec<String> {
        self.providers.borrow().sent.clone()
    }

    pub(super) fn set_account(&self, reference: &str, settings: String) {
        self.providers.borrow_mut().settings.insert(reference.to_owned(), settings);
    }

    pub(super) fn spent_at(&self, reference: &str) -> u64 {
        self.providers.borrow().spent.get(reference).copied().unwrap_or_default()
    }
}

/// Whether a kind of connection is the one that is wanted, or of the group that is.
pub(super) fn is_of(kind: &str, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| wanted == kind || group(kind) == Some(wanted))
}

/// The group of a kind, as the catalog has it.
fn group(kind: &str) -> Option<&'static str> {
    const KINDS: &str = include_str!("../../../../../catalog/connections.toml");
    let head = format!("\n[{kind}]\n");
    let of_kind = KINDS.split_once(&head)?.1.split("\n[").next()?;
    let line = of_kind.lines().find_map(|line| line.strip_prefix("group = "))?;
    Some(line.trim().trim_matches('"'))
}

impl Providers {
    pub(super) fn list(&self, kind: Option<&str>) -> Vec<Connection> {
        self.connections.iter().filter(|it| is_of(&it.kind, kind)).cloned().collect()
    }

    /// The kind of the connection that a request names.
    pub(super) fn kind(&self, reference: &str) -> Option<&str> {
        self.connections.iter().find(|it| it.reference == reference).map(|it| it.kind.as_str())
    }

    pub(super) fn about(&self, reference: &str) -> Option<About> {
        self.kind(reference)?;
        let settings = self.settings.get(reference).cloned().unwrap_or_else(|| "{}".to_owned());
        let spent_micros = self.spent.get(reference).copied().unwrap_or_default();
        Some(About { sender: None, endpoint_host: None, settings, spent_micros })
    }

    pub(super) fn note_spent(&mut self, reference: &str, micros: u64) -> bool {
        let known = self.kind(reference).is_some();
        if known {
            *self.spent.entry(reference.to_owned()).or_default() += micros;
        }
        known
    }

    /// Whether a connection has spent what it may spend today.
    fn is_capped(&self, reference: &str) -> bool {
        let settings = self.settings.get(reference).and_then(|it| serde_json::from_str::<serde_json::Value>(it).ok());
        let cap = settings.and_then(|it| it["daily_cost_cap"].as_f64());
        #[expect(clippy::cast_precision_loss, reason = "money of a test is far below 2^52 millionths")]
        cap.is_some_and(|cap| self.spent.get(reference).copied().unwrap_or_default() as f64 >= cap * 1e6)
    }

    pub(super) fn send(&mut self, request: &Request) -> Result<Response, Failure> {
        if self.kind(&request.connection).is_none() {
            return Err(Failure::NotConnected);
        }
        if !matches!(request.method, Method::Get | Method::Head) && self.is_capped(&request.connection) {
            return Err(Failure::RateLimited(Some(3_600)));
        }
        let method = word(request.method);
        self.sent.push(format!("{method} {}", request.path));
        let Request { path, query, headers, body, .. } = request;
        let asked = ProviderAsked { method, path, query, headers, body };
        let served = self.server.as_ref().and_then(|server| server(&asked));
        let known = || self.answers.get(&(method.to_owned(), path.clone())).cloned();
        let (status, headers, body) = served.or_else(known).unwrap_or_else(|| Ok((404, Vec::new(), Vec::new())))?;
        let most = request.max_bytes as usize;
        let truncated = body.len() > most;
        Ok(Response { status, headers, body: body.into_iter().take(most).collect(), truncated, total_ms: 3 })
    }
}

/// As a line of `outside` writes it.
pub(super) fn word(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    }
}

/// Whether a line permits a request, as the host reads it: `*` in a segment, `**` for the rest.
pub(super) fn permits(line: &str, kind: &str, service: Option<&str>, method: &str, path: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let [whom, how, pattern, ..] = words.as_slice() else { return false };
    let service = service.filter(|it| *it != "default");
    let whole = service.map_or_else(|| kind.to_owned(), |service| format!("{kind}.{service}"));
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    let like = |wanted: &str, given: &str| match wanted.split_once('*') {
        None => wanted == given,
        Some((before, after)) => given
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(|middle| !middle.is_empty() && !middle.contains(':')),
    };
    if *whom != whole || *how != method {
        return false;
    }
    loop {
        match (wanted.next(), given.next()) {
            (Some("**"), Some(first)) => return !first.is_empty(),
            (Some(wanted), Some(given)) if like(wanted, given) => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}
