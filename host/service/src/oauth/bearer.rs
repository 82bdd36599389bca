//! From a bearer token to the grant it stands for: the first thing every request asks.
//!
//! Good answers are kept for two seconds. A revocation in this process is effective at once: it moves the epoch,
//! and an answer that was looked up under an earlier epoch counts no more. On other nodes it is effective when
//! their two seconds are over.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::refusal::Refusal;
use model::token::{Purpose, Secret, SecretHash};
use moka::sync::Cache;
use store::tokens::{StoredToken, TokenKind, TokenState};

use crate::oauth::Authority;

/// How long an answer may be kept.
const KEPT: Duration = Duration::from_secs(2);
/// Tokens that are kept at a time.
const MOST: u64 = 100_000;
/// How often it is noted that a grant is in use, in milliseconds.
const NOTED: i64 = 60 * 60 * 1000;
/// The longest bearer token that is looked up; ours have 50 bytes.
const LONGEST: usize = 128;

/// Answers of a moment ago.
pub(crate) struct Bearers {
    known: Cache<SecretHash, Known>,
    epoch: AtomicU64,
}

#[derive(Clone)]
struct Known {
    epoch: u64,
    expires_at: Moment,
    grant: Grant,
}

impl Default for Bearers {
    fn default() -> Self {
        let known = Cache::builder().max_capacity(MOST).time_to_live(KEPT).build();
        Self { known, epoch: AtomicU64::new(0) }
    }
}

impl Bearers {
    /// Makes every kept answer worthless. To be called after the commit of anything that takes access away.
    pub(crate) fn forget(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
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
        let now = self.clock().now();
        let hash = token.hash();
        // Read before the lookup: a revocation that commits meanwhile makes the answer too old to be used again.
        let epoch = self.bearers().epoch.load(Ordering::SeqCst);
        if let Some(known) = self.bearers().known.get(&hash)
            && known.epoch == epoch
            && now < known.expires_at
        {
            return Ok(known.grant);
        }
        let found = self.store().token(&hash, now).await.map_err(|error| {
            tracing::error!(error = %error, "a bearer token could not be looked up");
            Refusal::unavailable("access cannot be checked at the moment; try again")
        })?;
        let stored = found.ok_or_else(Refusal::invalid_token)?;
        judge(&stored, &self.config().mcp_url())?;
        self.note_use(&stored, now);
        let StoredToken { grant, expires_at, .. } = stored;
        self.bearers().known.insert(hash, Known { epoch, expires_at, grant: grant.clone() });
        Ok(grant)
    }

    fn note_use(&self, stored: &StoredToken, now: Moment) {
        if stored.used_at.is_some_and(|at| now.0 - at.0 < NOTED) {
            return;
        }
        let (store, grant) = (self.store().clone(), stored.grant.id.clone());
        tokio::spawn(async move {
            if let Err(error) = store.touch_grant(grant, now).await {
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
