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
use store::clients::Client;
use store::tokens::{Rotation, TokenKind, TokenState};
use tokio::sync::watch;

use crate::oauth::Authority;
use crate::oauth::authorize::check_resource;
use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;
use crate::oauth::token::Issued;

const SPENT: &str = "reuse detected: the refresh token has been used before; \
                     for safety the whole connection was revoked, sign in again";

/// An answer, once there is one.
type Answer = Option<Result<Issued, Fault>>;

/// Rotations under way, by the hash of all that was asked.
#[derive(Default)]
pub(crate) struct Rotations(Mutex<HashMap<SecretHash, watch::Receiver<Answer>>>);

impl Rotations {
    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, watch::Receiver<Answer>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Authority {
    /// Answers a refresh, once for all who ask the same meanwhile.
    pub(super) async fn refresh_together(&self, parameters: Parameters) -> Result<Issued, Fault> {
        let key = parameters.fingerprint();
        let mut answered = {
            let mut under_way = self.rotations().lock();
            match under_way.get(&key) {
                Some(answered) => answered.clone(),
                None => {
                    let (answer, answered) = watch::channel(None);
                    under_way.insert(key.clone(), answered.clone());
                    // In a task of its own: a client that goes away must not take the others' answer with it.
                    tokio::spawn(self.clone().rotate(parameters, key, answer));
                    answered
                }
            }
        };
        let lost = || Fault::new(Code::TemporarilyUnavailable, "the answer was lost; sign in again").retry_after(2);
        let answer = answered.wait_for(Option::is_some).await.map(|answer| answer.clone());
        answer.ok().flatten().unwrap_or_else(|| Err(lost()))
    }

    async fn rotate(self, parameters: Parameters, key: SecretHash, answer: watch::Sender<Answer>) {
        let rotated = self.answer(&parameters).await;
        // Whoever comes from here on comes after the answer, with a spent token.
        self.rotations().lock().remove(&key);
        answer.send_replace(Some(rotated));
    }

    /// Spends a refresh token of this client for the next pair.
    pub(super) async fn refresh(&self, parameters: &Parameters, client: &Client) -> Result<Issued, Fault> {
        let token = Secret::received(parameters.required("refresh_token")?);
        let asked = parameters.one("scope")?;
        let now = self.clock().now();
        let hash = token.hash();
        let dead = || Fault::new(Code::InvalidGrant, "the refresh token is unknown, expired or revoked; sign in again");
        let stored = self.store().token(&hash, now).await?.ok_or_else(dead)?;
        if stored.kind != TokenKind::Refresh || stored.grant.client.as_ref() != Some(&client.id) {
            return Err(dead());
        }
        let (issued, next) = match stored.state {
            TokenState::Revoked { .. } | TokenState::Expired => return Err(dead()),
            TokenState::Valid => {
                check_resource(parameters, &stored.resource)?;
                self.pair(client, &narrower(asked, &stored.granted)?, &stored.granted, now)
            }
            // The compare-and-set below sees that it is spent, and ends the family.
            TokenState::Rotated { .. } => self.pair(client, &stored.granted, &stored.granted, now),
        };
        match self.store().rotate(hash, stored.grant.id.clone(), next, now).await? {
            Rotation::Done => Ok(issued),
            Rotation::Dead => Err(dead()),
            Rotation::Reused => {
                let (customer, grant) = (&stored.grant.customer, &stored.grant.id);
                let line = self.line("oauth.refresh.reused", customer, Some(grant), client.id.as_str(), now);
                self.store().audit(line).await?;
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
