//! From a bearer token to the grant it stands for: the first thing every request asks.
//!
//! Nothing is kept here from one request to the next, and the store answers from memory only while nobody has written
//! since; so what is revoked, wherever and by whom, is refused from the next request on.

use std::time::Duration;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::id::GrantId;
use model::refusal::Refusal;
use model::token::{Purpose, Secret};
use moka::sync::Cache;
use store::identity::tokens::{StoredToken, TokenKind, TokenState};

use crate::oauth::Authority;

/// How often it is noted that a grant is in use, in milliseconds.
const NOTED: i64 = 60 * 60 * 1000;
/// How long nobody else tries to note it.
const NOTING: Duration = Duration::from_secs(60);
/// Grants whose use is being noted at a time.
const MOST: u64 = 10_000;
/// The longest bearer token that is looked up; ours have 50 bytes.
const LONGEST: usize = 128;

/// Grants whose use is being noted.
pub(crate) struct Bearers(Cache<GrantId, ()>);

impl Default for Bearers {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MOST).time_to_live(NOTING).build())
    }
}

impl Authority {
    /// What the bearer of this token may do.
    ///
    /// # Errors
    /// 401 `invalid_token` for a token that is unknown, expired, revoked, or for another audience;
    /// 403 `access_inactive` when its customer's access is closed; 503 when that cannot be found out.
    pub async fn bearer(&self, token: &Secret) -> Result<Grant, Refusal> {
        let text = token.reveal();
        if text.len() > LONGEST || !text.starts_with(Purpose::Access.prefix()) {
            return Err(Refusal::invalid_token());
        }
        let found = self.store().identity.bearer(token.hash()).await.map_err(|error| {
            tracing::error!(error = %error, "a bearer token could not be looked up");
            Refusal::unavailable("access cannot be checked at the moment; try again")
        })?;
        let stored = found.ok_or_else(Refusal::invalid_token)?;
        judge(&stored, &self.config().mcp_url())?;
        self.note_use(&stored, self.clock().now());
        Ok(stored.grant)
    }

    fn note_use(&self, stored: &StoredToken, now: Moment) {
        let grant = stored.grant.id.clone();
        if stored.used_at.is_some_and(|at| now.0 - at.0 < NOTED) || self.bearers().0.contains_key(&grant) {
            return;
        }
        self.bearers().0.insert(grant.clone(), ());
        let store = self.store().clone();
        tokio::spawn(async move {
            if let Err(error) = store.identity.touch_grant(grant, now).await {
                tracing::warn!(error = %error, "the use of a grant was not noted");
            }
        });
    }
}

fn judge(stored: &StoredToken, audience: &str) -> Result<(), Refusal> {
    match (stored.kind, stored.state) {
        (TokenKind::Access, TokenState::Valid) => {}
        (TokenKind::Access, TokenState::Rotated { .. } | TokenState::Revoked { .. } | TokenState::Expired)
        | (TokenKind::Refresh, _) => return Err(Refusal::invalid_token()),
    }
    if !stored.resource.is_empty() && stored.resource != audience {
        return Err(Refusal::invalid_token());
    }
    match stored.grant.access {
        Access::Open => Ok(()),
        Access::Closed => Err(Refusal::access_inactive()),
    }
}
