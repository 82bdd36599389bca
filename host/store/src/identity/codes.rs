//! Authorization codes: made at consent, exchanged once within a minute, kept a while to notice a second try.

use model::clock::Moment;
use model::id::{ClientId, CustomerId, GrantId};
use model::scope::ScopeSet;
use model::token::SecretHash;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::identity::grants::{self, Ended};
use crate::identity::tokens::{self, NewToken};
use crate::tables::Identity;

/// A code, as it was bound at consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// What it stands for.
    pub grant: GrantId,
    /// Whose approval.
    pub customer: CustomerId,
    /// Who may exchange it.
    pub client: ClientId,
    /// Where it was sent.
    pub redirect_uri: String,
    /// Whether the authorization request named that address.
    pub redirect_given: bool,
    /// What the verifier has to answer.
    pub challenge: String,
    /// The audience.
    pub resource: String,
    /// What was approved.
    pub scopes: ScopeSet,
    /// Whether it can still be exchanged.
    pub state: CodeState,
}

/// The life of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeState {
    /// Not exchanged; good until then.
    Fresh {
        /// Its last moment.
        until: Moment,
    },
    /// Exchanged, or spoiled by a wrong verifier.
    Used {
        /// When.
        at: Moment,
    },
}

/// How an exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redemption {
    /// The tokens stand.
    Done,
    /// It was used before: everything issued from it has been revoked.
    Reused,
}

impl Identity {
    /// The code with this hash.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn code(&self, hash: &SecretHash) -> Result<Option<Code>, StoreError> {
        let sql = "SELECT code.grant_id, access_grant.customer, code.client, code.redirect_uri, code.redirect_given, \
                   code.challenge, code.resource, access_grant.scopes, code.expires_at, code.used_at \
                   FROM code JOIN access_grant ON access_grant.grant_id = code.grant_id WHERE code.hash = $1";
        let query = sqlx::query::<Any>(sql).bind(hash.as_str());
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        let state = match row.try_get::<Option<i64>, _>("used_at")? {
            Some(at) => CodeState::Used { at: Moment(at) },
            None => CodeState::Fresh { until: Moment(row.try_get("expires_at")?) },
        };
        Ok(Some(Code {
            grant: GrantId::from(row.try_get::<String, _>("grant_id")?),
            customer: CustomerId::from(row.try_get::<String, _>("customer")?),
            client: ClientId::from(row.try_get::<String, _>("client")?),
            redirect_uri: row.try_get("redirect_uri")?,
            redirect_given: row.try_get::<i64, _>("redirect_given")? == 1,
            challenge: row.try_get("challenge")?,
            resource: row.try_get("resource")?,
            scopes: grants::scopes(&row)?,
            state,
        }))
    }

    /// Exchanges a fresh code for tokens: one compare-and-set. The loser of a race has used it twice.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn redeem_code(
        &self,
        hash: SecretHash,
        grant: GrantId,
        tokens: Vec<NewToken>,
        now: Moment,
    ) -> Result<Redemption, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE code SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
                    let query = sqlx::query::<Any>(sql).bind(hash.as_str()).bind(now.0);
                    if query.execute(tx.connection()).await?.rows_affected() == 0 {
                        grants::end(tx.connection(), &grant, Ended::CodeReused, now).await?;
                        return Ok(Redemption::Reused);
                    }
                    for token in &tokens {
                        tokens::insert(tx.connection(), &grant, token, now).await?;
                    }
                    Ok(Redemption::Done)
                })
            })
            .await
    }

    /// Uses up a code without giving anything for it: its verifier was wrong. Its grant ends.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn spoil_code(&self, hash: SecretHash, grant: GrantId, now: Moment) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE code SET used_at = COALESCE(used_at, $2) WHERE hash = $1";
                    sqlx::query::<Any>(sql).bind(hash.as_str()).bind(now.0).execute(tx.connection()).await?;
                    grants::end(tx.connection(), &grant, Ended::ProofFailed, now).await?;
                    Ok(())
                })
            })
            .await
    }
}
