//! Renewal of access tokens that expired or were rejected. One node renews a token while all other callers wait for it.

use std::sync::Arc;
use std::time::Duration;

use catalog::kinds::{Auth, Kind};
use model::id::{Claim, CustomerId};
use model::keys::KeyRing;
use store::{Connection, Sealed, Store, StoreError};
use tokio::time::Instant;

use super::consent::Denied;
use super::{Tokens, consent::Received};
use crate::egress::Decision;
use crate::provider::answer::Trouble;
use crate::provider::credential::{ACCESS_TOKEN, Credential, REFRESH_TOKEN};

/// How long a request waits for another one to renew the token.
const PATIENCE: Duration = Duration::from_secs(20);
/// The polling interval while waiting.
const LOOK: Duration = Duration::from_millis(100);
/// How often, and at which interval, storing a new token is retried.
const TRIES: u32 = 20;
/// See [`TRIES`].
const AGAIN: Duration = Duration::from_millis(500);

/// Renews the access tokens of one customer's connections.
#[derive(Clone)]
pub(crate) struct Renewal {
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) store: Store,
    pub(crate) keys: KeyRing,
    pub(crate) customer: CustomerId,
}

impl Renewal {
    /// Whether a credential with this scheme has an access token that can be renewed.
    pub(crate) fn can(auth: &Auth) -> bool {
        matches!(auth, Auth::Oauth(_) | Auth::ServiceAccount { .. })
    }

    /// The credential with an access token that stays valid for a while.
    pub(crate) async fn fresh(
        &self,
        connection: &Connection,
        kind: &'static Kind,
        auth: &'static Auth,
        credential: Credential,
        trail: &mut Vec<Decision>,
    ) -> Result<Credential, Trouble> {
        match auth {
            Auth::Oauth(_) if credential.is_stale(self.store.database.now()) => {
                self.renewed(connection, kind, auth, &credential, trail).await
            }
            Auth::ServiceAccount { .. } => self.minted(connection, auth, credential, None, trail).await,
            _ => Ok(credential),
        }
    }

    /// The credential with a newer access token than this one.
    pub(crate) async fn renewed(
        &self,
        connection: &Connection,
        kind: &'static Kind,
        auth: &'static Auth,
        used: &Credential,
        trail: &mut Vec<Decision>,
    ) -> Result<Credential, Trouble> {
        if let Auth::ServiceAccount { .. } = auth {
            let refused = used.field(ACCESS_TOKEN).map(str::to_owned);
            let same = Credential::opened(&used.bytes()).ok_or(Trouble::NotConnected)?;
            return self.minted(connection, auth, same, refused.as_deref(), trail).await;
        }
        let used = used.field(ACCESS_TOKEN).unwrap_or_default().to_owned();
        let (this, connection) = (self.clone(), connection.clone());
        // A separate task, which must survive the end of the run: the provider may have invalidated the old token
        // already.
        let task = tokio::spawn(async move {
            let mut trail = Vec::new();
            let renewed = this.in_turn(&connection, kind, &used, &mut trail).await;
            (renewed, trail)
        });
        let (renewed, decided) = task.await.map_err(|_| Trouble::Unreachable)?;
        trail.extend(decided);
        renewed
    }

    async fn minted(
        &self,
        connection: &Connection,
        auth: &Auth,
        credential: Credential,
        refused: Option<&str>,
        trail: &mut Vec<Decision>,
    ) -> Result<Credential, Trouble> {
        let token = self.tokens.minted(connection, auth, &credential, refused, self.store.database.now(), trail).await;
        Ok(credential.with_access(&token.map_err(trouble)?))
    }

    /// Waits until another caller has refreshed the token, or takes the refresh lease and does it here.
    async fn in_turn(
        &self,
        connection: &Connection,
        kind: &'static Kind,
        used: &str,
        trail: &mut Vec<Decision>,
    ) -> Result<Credential, Trouble> {
        let holder = Claim::new(self.store.database.chance());
        let until = Instant::now() + PATIENCE;
        loop {
            let (stored, sealed, credential) = self.stored(connection).await?;
            if credential.field(ACCESS_TOKEN) != Some(used) && !credential.is_stale(self.store.database.now()) {
                return Ok(credential);
            }
            let begun =
                self.store.connections.begin_refresh(&self.customer, &stored, &holder, self.store.database.now()).await;
            if begun.map_err(unavailable)? {
                let refreshed = self.at_turn(&stored, &sealed, kind, used, trail).await;
                if let Err(error) = self.store.connections.end_refresh(&self.customer, &stored, &holder).await {
                    tracing::warn!(error = %error, "a turn to refresh a token ends by itself");
                }
                return refreshed;
            }
            if Instant::now() >= until {
                return Err(Trouble::Unreachable);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Refreshes while holding the lease.
    async fn at_turn(
        &self,
        connection: &Connection,
        seen: &Sealed,
        kind: &'static Kind,
        used: &str,
        trail: &mut Vec<Decision>,
    ) -> Result<Credential, Trouble> {
        // Read again: the previous holder may have finished between our read and our lease.
        let (connection, sealed, credential) = self.stored(connection).await?;
        let is_another = credential.field(ACCESS_TOKEN) != Some(used);
        if sealed != *seen && is_another && !credential.is_stale(self.store.database.now()) {
            return Ok(credential);
        }
        let received = match self.asked(&connection, &credential, trail).await {
            Ok(received) => received,
            Err(Denied::Grant) => {
                tracing::info!(connection = %connection.id, "the consent behind a connection is over");
                self.store.connections.expire_connection(&self.customer, &connection).await.map_err(unavailable)?;
                return Err(Trouble::Expired);
            }
            Err(denied) => return Err(trouble(denied)),
        };
        let refreshed = credential.refreshed(received, self.store.database.now());
        let after = Sealed::seal(
            &self.keys,
            connection.place(&self.customer),
            &refreshed.bytes(),
            self.store.database.chance(),
        );
        let after = after.map_err(|error| {
            tracing::error!(error = %error, "a refreshed token could not be sealed");
            Trouble::Unreachable
        })?;
        // Store the token before its first use: the old one may no longer be valid.
        match self.kept(&connection, &sealed, after).await? {
            true => Ok(refreshed),
            false => self.stored(&connection).await.map(|(_, _, credential)| credential).and_then(|credential| {
                // The customer has replaced the credential. The next request checks what the new one is for.
                if credential.auth(kind).is_some_and(Self::can) { Ok(credential) } else { Err(Trouble::Unreachable) }
            }),
        }
    }

    /// Stores a refreshed credential, with many retries: it may be the only valid one.
    async fn kept(&self, connection: &Connection, before: &Sealed, after: Sealed) -> Result<bool, Trouble> {
        let mut tries = 0;
        loop {
            match self.store.connections.put_refreshed(&self.customer, connection, before, after.clone()).await {
                Ok(is_kept) => return Ok(is_kept),
                Err(error) if tries == TRIES => return Err(unavailable(error)),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Requests a token, and retries once if the outcome is unknown. Many providers accept an old refresh token for a
    /// while if its successor was never used.
    async fn asked(
        &self,
        connection: &Connection,
        credential: &Credential,
        trail: &mut Vec<Decision>,
    ) -> Result<Received, Denied> {
        // Without a refresh token, the consent ends with its access token.
        let token = credential.field(REFRESH_TOKEN).ok_or(Denied::Grant)?;
        match self.tokens.refresh(&connection.kind, token, trail).await {
            Err(denied) if denied.may_be_done() => {
                tracing::warn!(connection = %connection.id, error = %denied, "the answer to a refresh was lost");
                self.tokens.refresh(&connection.kind, token, trail).await
            }
            other => other,
        }
    }

    async fn stored(&self, connection: &Connection) -> Result<(Connection, Sealed, Credential), Trouble> {
        let found = self.store.connections.connection_with_secret(&self.customer, connection.id.as_str()).await;
        let (connection, sealed) = found.map_err(unavailable)?.ok_or(Trouble::NotConnected)?;
        let opened = sealed.open(&self.keys, connection.place(&self.customer));
        let credential = opened.ok().and_then(|bytes| Credential::opened(&bytes)).ok_or(Trouble::NotConnected)?;
        Ok((connection, sealed, credential))
    }
}

fn unavailable(error: StoreError) -> Trouble {
    tracing::warn!(error = %error, "a token could not be refreshed for want of the store");
    Trouble::Unreachable
}

/// The guest's view of a failure. Only an invalid grant is for the customer to fix; the others are temporary or for the
/// operator.
fn trouble(denied: Denied) -> Trouble {
    match denied {
        Denied::Grant => Trouble::Expired,
        Denied::Lost(lost) => lost.failure.into(),
        Denied::Malformed => Trouble::Malformed,
        Denied::Nobody(_) | Denied::Client | Denied::Refused => {
            tracing::error!(error = %denied, "a provider gives this service no tokens: check its OAuth client");
            Trouble::Unreachable
        }
    }
}
