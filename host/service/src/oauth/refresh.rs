//! The refresh token grant, RFC 6749 6: each refresh token is good once, and who shows it again ends its family
//! (RFC 9700 4.14.2). There is no grace.
//!
//! Programs that share one token ask several times within a moment. Those who come while the first is not answered
//! yet wait for its answer and get the same one: the token was not spent when they asked. That holds on one node;
//! between nodes the database decides, and the second ends the family.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use model::scope::ScopeSet;
use model::token::{Secret, SecretHash};
use serde_json::json;
use store::identity::tokens::{self, TokenKind, TokenState};
use tokio::sync::watch;

use crate::oauth::Authority;
use crate::oauth::authorize::check_resource;
use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;
use crate::oauth::token::Issued;
use crate::oauth::token_request::GrantType;

const SPENT: &str = "reuse detected: the refresh token has been used before; \
                     for safety the whole connection was revoked, sign in again";

/// An answer, once there is one.
type Answer = Option<Result<Issued, Fault>>;

/// A rotation under way.
struct Rotation {
    answered: watch::Receiver<Answer>,
    /// Requests that asked the same while it was under way.
    twins: u32,
}

/// Rotations under way, by the hash of all that was asked.
#[derive(Default)]
pub(crate) struct Rotations(Mutex<HashMap<SecretHash, Rotation>>);

impl Rotations {
    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, Rotation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Authority {
    /// Answers a refresh, once for all who ask the same meanwhile.
    pub(super) async fn refresh_together(
        &self,
        parameters: Parameters,
        brought: (Secret, Option<String>),
    ) -> Result<Issued, Fault> {
        let key = parameters.fingerprint();
        let mut answered = {
            let mut under_way = self.rotations().lock();
            match under_way.get_mut(&key) {
                Some(rotation) => {
                    rotation.twins = rotation.twins.saturating_add(1);
                    rotation.answered.clone()
                }
                None => {
                    let (answer, answered) = watch::channel(None);
                    under_way.insert(key.clone(), Rotation { answered: answered.clone(), twins: 0 });
                    // In a task of its own: a client that goes away must not take the others' answer with it.
                    tokio::spawn(self.clone().rotate(parameters, brought, key, answer));
                    answered
                }
            }
        };
        let lost = || Fault::new(Code::TemporarilyUnavailable, "the answer was lost; sign in again").retry_after(2);
        let answer = answered.wait_for(Option::is_some).await.map(|answer| answer.clone());
        answer.ok().flatten().unwrap_or_else(|| Err(lost()))
    }

    async fn rotate(
        self,
        parameters: Parameters,
        (token, scope): (Secret, Option<String>),
        key: SecretHash,
        answer: watch::Sender<Answer>,
    ) {
        let rotated = self.refresh(&parameters, &token, scope.as_deref()).await;
        // Whoever comes from here on comes after the answer, with a spent token.
        let twins = self.rotations().lock().remove(&key).map_or(0, |rotation| rotation.twins);
        if rotated.is_ok() && twins > 0 {
            self.note_twins(&token, twins).await;
        }
        answer.send_replace(Some(rotated));
    }

    /// Records that one refresh token was shown by several at once. Programs that share it do so, and so does a thief
    /// beside its owner: the customer can see it in the activity.
    async fn note_twins(&self, token: &Secret, twins: u32) {
        let now = self.clock().now();
        let noted = async {
            let Some(stored) = self.store().identity.token(&token.hash(), now).await? else { return Ok(()) };
            let grant = &stored.grant;
            let client = grant.client.as_ref().map_or("", |client| client.as_str());
            let mut line = self.line("oauth.refresh.twins", &grant.customer, Some(&grant.id), client, now);
            line.detail = json!({ "requests": u64::from(twins) + 1 });
            self.store().calls.audit(line).await
        };
        if let Err(error) = noted.await {
            tracing::error!(error = %error, "twin refreshes could not be recorded");
        }
    }

    /// Spends a refresh token of this client for the next pair.
    async fn refresh(&self, parameters: &Parameters, token: &Secret, asked: Option<&str>) -> Result<Issued, Fault> {
        let client = self.client_for(parameters, GrantType::RefreshToken).await?;
        let now = self.clock().now();
        let hash = token.hash();
        let dead = || Fault::new(Code::InvalidGrant, "the refresh token is unknown, expired or revoked; sign in again");
        let stored = self.store().identity.token(&hash, now).await?.ok_or_else(dead)?;
        if stored.kind != TokenKind::Refresh || stored.grant.client.as_ref() != Some(&client.id) {
            return Err(dead());
        }
        let (issued, next) = match stored.state {
            TokenState::Revoked { .. } | TokenState::Expired => return Err(dead()),
            TokenState::Valid => {
                check_resource(parameters, &stored.resource)?;
                self.pair(&client, &narrower(asked, &stored.granted)?, &stored.granted, now)
            }
            // The compare-and-set below sees that it is spent, and ends the family.
            TokenState::Rotated { .. } => self.pair(&client, &stored.granted, &stored.granted, now),
        };
        match self.store().identity.rotate(hash, stored.grant.id.clone(), next, now).await? {
            tokens::Rotation::Done => Ok(issued),
            tokens::Rotation::Dead => Err(dead()),
            tokens::Rotation::Reused => {
                let (customer, grant) = (&stored.grant.customer, &stored.grant.id);
                let line = self.line("oauth.refresh.reused", customer, Some(grant), client.id.as_str(), now);
                self.store().calls.audit(line).await?;
                Err(Fault::new(Code::InvalidGrant, SPENT))
            }
        }
    }
}

fn narrower(asked: Option<&str>, granted: &ScopeSet) -> Result<ScopeSet, Fault> {
    let Some(text) = asked else { return Ok(granted.clone()) };
    let asked: ScopeSet = text.parse().map_err(|unknown| Fault::new(Code::InvalidScope, format!("{unknown}")))?;
    if asked.is_empty() {
        return Ok(granted.clone());
    }
    if !granted.covers(&asked) {
        let missing = asked.missing_from(granted);
        return Err(Fault::new(
            Code::InvalidScope,
            format!("{missing} was not granted; ask for it in a new authorization"),
        ));
    }
    Ok(asked)
}
