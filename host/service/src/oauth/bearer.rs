//! From a bearer token to the grant it stands for: the first thing every request asks.
//!
//! Nothing is kept from one request to the next, so what is revoked, wherever and by whom, is refused from the next
//! request on. Requests that come while a question is on its way go together in the one after it: the more there
//! are, the less each costs.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::id::GrantId;
use model::refusal::Refusal;
use model::token::{Purpose, Secret, SecretHash};
use moka::sync::Cache;
use store::StoreError;
use store::tokens::{StoredToken, TokenKind, TokenState};
use tokio::sync::oneshot;

use crate::oauth::Authority;

/// How often it is noted that a grant is in use, in milliseconds.
const NOTED: i64 = 60 * 60 * 1000;
/// How long nobody else tries to note it.
const NOTING: Duration = Duration::from_secs(60);
/// Grants whose use is being noted at a time.
const MOST: u64 = 10_000;
/// The longest bearer token that is looked up; ours have 50 bytes.
const LONGEST: usize = 128;
/// Tokens that go in one question.
const TOGETHER: usize = 256;

/// Tokens that wait to be looked up.
pub(crate) struct Bearers {
    waiting: Mutex<Waiting>,
    noting: Cache<GrantId, ()>,
}

#[derive(Default)]
struct Waiting {
    asked: Vec<Asked>,
    /// Whether somebody asks for them.
    is_asking: bool,
}

struct Asked {
    hash: SecretHash,
    answer: oneshot::Sender<Result<Option<StoredToken>, StoreError>>,
}

impl Default for Bearers {
    fn default() -> Self {
        let noting = Cache::builder().max_capacity(MOST).time_to_live(NOTING).build();
        Self { waiting: Mutex::default(), noting }
    }
}

impl Bearers {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next that are asked for together; none: whoever comes now has to begin.
    fn next(&self) -> Vec<Asked> {
        let mut waiting = self.waiting();
        let many = waiting.asked.len().min(TOGETHER);
        waiting.is_asking = many > 0;
        waiting.asked.drain(..many).collect()
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
        let found = self.look_up(token.hash()).await.map_err(|error| {
            tracing::error!(error = %error, "a bearer token could not be looked up");
            Refusal::unavailable("access cannot be checked at the moment; try again")
        })?;
        let stored = found.ok_or_else(Refusal::invalid_token)?;
        judge(&stored, &self.config().mcp_url())?;
        self.note_use(&stored, self.clock().now());
        Ok(stored.grant)
    }

    /// The token as it is at some moment after this was called.
    async fn look_up(&self, hash: SecretHash) -> Result<Option<StoredToken>, StoreError> {
        let (answer, answered) = oneshot::channel();
        let begins = {
            let mut waiting = self.bearers().waiting();
            waiting.asked.push(Asked { hash, answer });
            !std::mem::replace(&mut waiting.is_asking, true)
        };
        if begins {
            // Not in the caller's own task: a client that goes away must not leave the others waiting.
            tokio::spawn({
                let authority = self.clone();
                async move { authority.ask_for_bearers().await }
            });
        }
        let lost = || StoreError::Unavailable("the question for a token was lost".to_owned());
        answered.await.map_err(|_| lost())?
    }

    async fn ask_for_bearers(&self) {
        loop {
            let asked = self.bearers().next();
            if asked.is_empty() {
                return;
            }
            let hashes: Vec<SecretHash> = asked.iter().map(|asked| asked.hash.clone()).collect();
            let found = self.store().tokens(&hashes, self.clock().now()).await;
            for Asked { hash, answer } in asked {
                let told = found.as_ref().map(|found| found.get(&hash).cloned()).map_err(Clone::clone);
                // Whoever went away needs no answer.
                let _gone = answer.send(told);
            }
        }
    }

    fn note_use(&self, stored: &StoredToken, now: Moment) {
        let grant = stored.grant.id.clone();
        if stored.used_at.is_some_and(|at| now.0 - at.0 < NOTED) || self.bearers().noting.contains_key(&grant) {
            return;
        }
        self.bearers().noting.insert(grant.clone(), ());
        let store = self.store().clone();
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
