//! What every simulated provider is: a credential, answers, and its own words for saying no.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde_json::Value;

use crate::lock;
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;

/// A provider of one connection kind. State is its own, behind a lock; nothing outlives the process.
pub(crate) trait Provider: Send + Sync + 'static {
    /// What a user pastes as the credential, in the provider's own words.
    fn credentials(&self) -> Value;

    /// What the provider thinks of the credential of a request.
    fn auth(&self, request: &Request) -> Auth;

    /// The answer to a request whose credential is right or not needed.
    fn answer(&self, request: &Request, desk: &Desk) -> Reply;

    /// A missing, wrong or expired credential.
    fn refused(&self, request: &Request) -> Reply;

    /// Too many requests, or over quota.
    fn rate_limited(&self, request: &Request) -> Reply;

    /// The provider's own failure.
    fn broken(&self, request: &Request) -> Reply;
}

/// Something that took effect at a provider and that a client could not take back unnoticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Effect {
    /// What happened, such as `post.created`.
    pub name: String,
    /// To what: an identifier or an address.
    pub subject: String,
    /// The idempotency key of the request, where it had one.
    pub key: Option<String>,
}

/// Names of sites and where they really listen, in the manner of curl's `--resolve`.
pub(crate) type Sites = Arc<Mutex<BTreeMap<String, SocketAddr>>>;

/// What a provider works with: its address, the seed, the list of effects, the sites of the world.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) url: String,
    pub(crate) seed: Seed,
    pub(crate) sites: Sites,
    effects: Mutex<Vec<Effect>>,
}

impl Desk {
    pub(crate) fn new(url: String, seed: Seed, sites: Sites) -> Self {
        Self { url, seed, sites, effects: Mutex::default() }
    }

    /// Notes that something took effect.
    pub(crate) fn effect(&self, name: &str, subject: impl ToString, request: &Request) {
        let key =
            ["idempotency-key", "x-idempotency-key"].into_iter().find_map(|it| request.header(it)).map(str::to_owned);
        lock(&self.effects).push(Effect { name: name.to_owned(), subject: subject.to_string(), key });
    }

    pub(crate) fn effects(&self) -> Vec<Effect> {
        lock(&self.effects).clone()
    }
}

/// One page of a list, and how many pages there are. Pages count from 1.
pub(crate) fn page<T>(list: &[T], page: usize, size: usize) -> (&[T], usize) {
    let size = size.max(1);
    let from = page.saturating_sub(1).saturating_mul(size).min(list.len());
    (&list[from..(from + size).min(list.len())], list.len().div_ceil(size))
}
