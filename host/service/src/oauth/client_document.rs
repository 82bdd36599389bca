//! Clients that register nothing: their id is the https address of a document that describes them
//! (draft-ietf-oauth-client-id-metadata-document). Off unless the operator turns it on.
//!
//! The address comes from anybody, so it is fetched by the guard of the outside, which goes to public addresses only;
//! no redirect is followed, and every size and time is bounded.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use model::id::{ClientId, CustomerId};
use moka::sync::Cache;
pub use sandbox::egress::{Decision, Failure, Fetch, Fetched, Verdict};
use sandbox::egress::{Freshness, Guard};
use serde_json::{Value, json};
use store::StoreError;
use store::identity::attempts::{Admission, Counter};
use store::identity::clients::{Client, ClientMetadata};
use tokio::sync::Semaphore;
use url::Url;

use crate::oauth::{Authority, register};

/// Bytes of a document.
const LONGEST: usize = 10 * 1024;
/// Bytes of an address.
const LONGEST_ADDRESS: usize = 2_048;
/// For one fetch, everything included.
const PATIENCE: Duration = Duration::from_secs(5);
/// Fetches at a time.
const AT_ONCE: usize = 8;
/// Documents that are kept.
const MOST: u64 = 10_000;
/// How long a document is kept that says nothing about it, and how long at most.
const USUALLY: Duration = Duration::from_secs(5 * 60);
const AT_MOST: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an address that led to none is not asked again, so that nobody can make us ask a stranger all day.
const REFUSED: Duration = Duration::from_secs(30);

/// Whose trail has what concerns no customer. No id of a customer looks like this.
const HOST: &str = "host";
/// Refused addresses that are written into that trail, in an hour of all nodes.
const MOST_REFUSALS: u32 = 200;
const REFUSALS: &str = "client_document.refused";
const REFUSALS_WINDOW: Duration = Duration::from_secs(60 * 60);

/// A page, or why there is none.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Fetched, Failure>> + Send + 'a>>;

/// Where documents come from.
pub trait Documents: Send + Sync {
    /// Fetches one, without following anything, and says what was decided on its address.
    fn fetch<'a>(&'a self, request: Fetch, trail: &'a mut Vec<Decision>) -> Fetching<'a>;
}

impl Documents for Guard {
    fn fetch<'a>(&'a self, request: Fetch, trail: &'a mut Vec<Decision>) -> Fetching<'a> {
        Box::pin(Guard::fetch(self, request, trail))
    }
}

/// The documents of clients, and those that were read a while ago.
pub struct ClientDocuments {
    source: Box<dyn Documents>,
    kept: Cache<ClientId, (Option<Client>, Moment)>,
    turns: Semaphore,
}

impl ClientDocuments {
    /// Documents from this source.
    pub fn new(source: impl Documents + 'static) -> Arc<Self> {
        let kept = Cache::builder().max_capacity(MOST).time_to_live(AT_MOST).build();
        Arc::new(Self { source: Box::new(source), kept, turns: Semaphore::new(AT_ONCE) })
    }

    /// The client that this address describes; none when it describes none, or is not an address to ask.
    async fn client(&self, id: &ClientId, now: Moment, trail: &mut Vec<Decision>) -> Option<Client> {
        let address = address(id.as_str())?;
        if let Some((client, _)) = self.kept.get(id).filter(|(_, until)| now < *until) {
            return client;
        }
        let _turn = self.turns.acquire().await.ok()?;
        let fetch = Fetch {
            head: false,
            url: address.to_string(),
            headers: vec![("accept".to_owned(), "application/json".to_owned())],
            follow: 0,
            max_bytes: LONGEST,
            timeout: PATIENCE,
            freshness: Freshness::Fresh,
            within: None,
        };
        let read = self.source.fetch(fetch, trail).await.map_err(|_| "it cannot be fetched").and_then(|page| {
            let metadata = read(id.as_str(), &page)?;
            Ok((metadata, life(&page)))
        });
        match read {
            Ok((metadata, life)) => {
                let client = Client { id: id.clone(), metadata, created_at: now };
                self.kept.insert(id.clone(), (Some(client.clone()), now.plus(life)));
                Some(client)
            }
            Err(what) => {
                tracing::info!(host = address.host_str(), what, "a client's document was refused");
                self.kept.insert(id.clone(), (None, now.plus(REFUSED)));
                None
            }
        }
    }
}

impl Authority {
    /// A client: registered, or, where that is turned on, described by the document that its id is the address of.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub(crate) async fn find_client(&self, id: &ClientId) -> Result<Option<Client>, StoreError> {
        match &self.config().client_documents {
            Some(documents) if id.as_str().starts_with("https://") => {
                let mut trail = Vec::new();
                let client = documents.client(id, self.clock().now(), &mut trail).await;
                for refused in trail.into_iter().filter(|decision| decision.verdict != Verdict::Permitted) {
                    self.record_refused(refused).await;
                }
                Ok(client)
            }
            _ => self.store().identity.client(id).await,
        }
    }

    /// Records an address that the guard refused, in the host's own trail: nobody has signed in yet. Anybody can cause
    /// such lines, so only so many are written, and the log has the others.
    async fn record_refused(&self, refused: Decision) {
        let now = self.clock().now();
        let counter = Counter { key: REFUSALS.to_owned(), most: MOST_REFUSALS, window: REFUSALS_WINDOW };
        let recorded = async {
            if self.store().identity.attempt(vec![counter], now).await? != Admission::Open {
                tracing::warn!(code = refused.verdict.code(), "a client's document was refused, and many before it");
                return Ok(());
            }
            let mut line = self.line("egress.refused", &CustomerId::from(HOST), None, "client_document", now);
            refused.verdict.code().clone_into(&mut line.outcome);
            line.detail = json!({ "port": refused.port, "address": refused.address });
            self.store().trail.audit_committed(line, "host", refused.host).await
        };
        if let Err(error) = recorded.await {
            tracing::error!(error = %error, "a refused address could not be recorded");
        }
    }
}

/// The address, if it may be one of a document: https, with a path, and written in its one normal form.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok().filter(|_| text.len() <= LONGEST_ADDRESS)?;
    let is_bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    let has_path = url.path() != "/" && !text.contains("/./") && !text.contains("/../");
    (url.scheme() == "https" && is_bare && has_path && url.as_str() == text).then_some(url)
}

/// Reads a document.
fn read(id: &str, page: &Fetched) -> Result<ClientMetadata, &'static str> {
    if page.status != 200 {
        return Err("its status is not 200");
    }
    if page.truncated {
        return Err("it is longer than 10 KiB");
    }
    let media = header(page, "content-type").unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if media != "application/json" && !(media.starts_with("application/") && media.ends_with("+json")) {
        return Err("it is not JSON");
    }
    let document: Value = serde_json::from_slice(&page.body).map_err(|_| "it is not JSON")?;
    if document["client_id"] != id {
        return Err("its client_id is another");
    }
    if document.get("client_secret").is_some() {
        return Err("it has a client_secret");
    }
    register::read(&page.body).map_err(|_| "its metadata cannot be registered")
}

/// How long a document may be kept (RFC 9111 5.2.2): as long as it says, and a day at most.
fn life(page: &Fetched) -> Duration {
    let Some(said) = header(page, "cache-control") else { return USUALLY };
    let directives: Vec<String> = said.split(',').map(|one| one.trim().to_ascii_lowercase()).collect();
    if directives.iter().any(|one| matches!(one.as_str(), "no-store" | "no-cache")) {
        return Duration::ZERO;
    }
    let age = directives.iter().find_map(|one| one.strip_prefix("max-age=")?.parse().ok());
    age.map_or(USUALLY, Duration::from_secs).min(AT_MOST)
}

fn header<'a>(page: &'a Fetched, name: &str) -> Option<&'a str> {
    page.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests;
