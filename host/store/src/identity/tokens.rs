//! Tokens: access and refresh, found by hash, each with its own short life inside its grant's.

use std::collections::HashMap;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::id::{ClientId, CustomerId, GrantId};
use model::scope::ScopeSet;
use model::token::SecretHash;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::database::Database;
use crate::database::rows::Column::Text;
use crate::database::rows::Listed;
use crate::database::writer::BoxFuture;
use crate::identity::grants::{self, Ended, GrantState};
use crate::tables::Identity;

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Shown with each request.
    Access,
    /// Exchanged for the next pair.
    Refresh,
}

impl TokenKind {
    fn as_str(self) -> &'static str {
        match self {
            TokenKind::Access => "access",
            TokenKind::Refresh => "refresh",
        }
    }
}

/// The life of a token. It only ever leaves `Valid`, and only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    /// Good until it expires.
    Valid,
    /// A refresh token that has been exchanged. Seeing it again ends the family.
    Rotated {
        /// When.
        at: Moment,
    },
    /// This token, or its whole family, was revoked.
    Revoked {
        /// When.
        at: Moment,
    },
    /// Past its time.
    Expired,
}

/// A token with the grant it belongs to.
#[derive(Clone, Debug)]
pub struct StoredToken {
    /// What it is good for.
    pub kind: TokenKind,
    /// What it stands for, with the token's own scopes.
    pub grant: Grant,
    /// What the grant permits; a refresh may ask for less, and later for all of it again.
    pub granted: ScopeSet,
    /// The audience.
    pub resource: String,
    /// Its last moment.
    pub expires_at: Moment,
    /// When its grant was last noted as used.
    pub used_at: Option<Moment>,
    /// Where it stands.
    pub state: TokenState,
}

impl StoredToken {
    /// The same at a later moment, if nothing else has become of it.
    pub(crate) fn at(mut self, now: Moment) -> Self {
        if self.state == TokenState::Valid && self.expires_at <= now {
            self.state = TokenState::Expired;
        }
        self
    }
}

/// A token that is about to be stored.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Of the secret.
    pub hash: SecretHash,
    /// What it is good for.
    pub kind: TokenKind,
    /// What it permits.
    pub scopes: ScopeSet,
    /// Its last moment.
    pub expires_at: Moment,
}

/// How a rotation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// The new pair stands, the old token is spent.
    Done,
    /// It had been spent before: its family has ended.
    Reused,
    /// It was expired or revoked.
    Dead,
}

const BY_HASH: Listed = Listed {
    before: "SELECT token.hash, token.kind, token.scopes, token.expires_at, token.rotated_at, token.revoked_at, \
             access_grant.grant_id, access_grant.customer, access_grant.client, access_grant.resource, \
             access_grant.scopes AS granted, access_grant.used_at, access_grant.ended_at, \
             access_grant.ended_because, customer.activated_at, customer.suspended_at, customer.erased_at \
             FROM token JOIN access_grant ON access_grant.grant_id = token.grant_id \
             JOIN customer ON customer.customer = access_grant.customer WHERE token.hash IN (",
    columns: &[Text],
    after: ")",
};

impl Identity {
    /// How many live tokens a grant has.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn live_tokens(&self, grant: &GrantId, now: Moment) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM token WHERE grant_id = $1 AND expires_at > $2 AND rotated_at IS NULL \
                   AND revoked_at IS NULL";
        let query = sqlx::query::<Any>(sql).bind(grant.as_str().to_owned()).bind(now.0);
        Ok(self.database.reader().fetch_one(query).await?.try_get::<i64, _>(0)?.unsigned_abs())
    }

    /// The token with this hash, whatever its state.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn token(&self, hash: &SecretHash, now: Moment) -> Result<Option<StoredToken>, StoreError> {
        Ok(self.tokens(std::slice::from_ref(hash), now).await?.remove(hash))
    }

    /// As [`Identity::token`], for who asks with every request: many of them go in one question, and where the answer is
    /// known and still holds, in none.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn bearer(&self, hash: SecretHash) -> Result<Option<StoredToken>, StoreError> {
        if let Some(token) = self.database.seen().bearer(&hash, self.database.clock().now()) {
            return Ok(Some(token));
        }
        let asked = self.database.seen().ask();
        let ask = |database: Database, hashes: Vec<SecretHash>| -> BoxFuture<'static, _> {
            Box::pin(async move { Self::of(&database).tokens(&hashes, database.clock().now()).await })
        };
        let token = self.database.ask_together(hash.clone(), |inner| &inner.bearers, ask).await?;
        if let Some(token) = &token {
            self.database.seen().keep_bearer(asked, hash, token);
        }
        Ok(token)
    }

    /// The tokens with these hashes, whatever their state, as they are now: one question for all of them.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn tokens(
        &self,
        hashes: &[SecretHash],
        now: Moment,
    ) -> Result<HashMap<SecretHash, StoredToken>, StoreError> {
        let mut found = HashMap::with_capacity(hashes.len());
        for question in BY_HASH.questions(self.database.0.dialect, hashes, |hash| (hash.as_str(),))? {
            for row in self.database.reader().fetch_all(question).await? {
                let hash: String = row.try_get("hash")?;
                found.insert(SecretHash::stored(hash), read(&row, now)?);
            }
        }
        Ok(found)
    }

    /// Spends a refresh token and stores the next pair: one compare-and-set, so that of any number of
    /// simultaneous tries exactly one gets the pair, and every other one ends the family.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn rotate(
        &self,
        hash: SecretHash,
        grant: GrantId,
        next: Vec<NewToken>,
        now: Moment,
    ) -> Result<Rotation, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE token SET rotated_at = $2 WHERE hash = $1 AND kind = 'refresh' \
                           AND rotated_at IS NULL AND revoked_at IS NULL AND expires_at > $2 \
                           AND EXISTS (SELECT 1 FROM access_grant WHERE access_grant.grant_id = token.grant_id \
                                       AND access_grant.ended_at IS NULL)";
                    let query = sqlx::query::<Any>(sql).bind(hash.as_str()).bind(now.0);
                    if query.execute(tx.connection()).await?.rows_affected() == 1 {
                        for token in &next {
                            insert(tx.connection(), &grant, token, now).await?;
                        }
                        return Ok(Rotation::Done);
                    }
                    let sql = "SELECT hash FROM token WHERE hash = $1 AND rotated_at IS NOT NULL";
                    let query = sqlx::query::<Any>(sql).bind(hash.as_str());
                    if query.fetch_optional(tx.connection()).await?.is_none() {
                        return Ok(Rotation::Dead);
                    }
                    grants::end(tx.connection(), &grant, Ended::RefreshReused, now).await?;
                    Ok(Rotation::Reused)
                })
            })
            .await
    }

    /// Revokes one token and leaves its family.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn revoke_token(&self, hash: SecretHash, now: Moment) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE token SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL";
                    let query = sqlx::query::<Any>(sql).bind(hash.as_str()).bind(now.0);
                    query.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Removes what has no further use: expired tokens, sessions and counters, codes of yesterday; ends grants
    /// that have no token left.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sweep_identity(&self, now: Moment) -> Result<(), StoreError> {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    for sql in [
                        "DELETE FROM token WHERE expires_at < $1",
                        "DELETE FROM session WHERE expires_at < $1",
                        "DELETE FROM attempt WHERE closes_at < $1",
                    ] {
                        sqlx::query::<Any>(sql).bind(now.0).execute(tx.connection()).await?;
                    }
                    let codes = sqlx::query::<Any>("DELETE FROM code WHERE expires_at < $1").bind(now.0 - DAY);
                    codes.execute(tx.connection()).await?;
                    let sql = "UPDATE access_grant SET ended_at = $1, ended_because = 'lapsed' WHERE ended_at IS NULL \
                           AND NOT EXISTS (SELECT 1 FROM token WHERE token.grant_id = access_grant.grant_id) \
                           AND NOT EXISTS (SELECT 1 FROM code WHERE code.grant_id = access_grant.grant_id)";
                    sqlx::query::<Any>(sql).bind(now.0).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Adds a token to a grant.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    grant: &GrantId,
    token: &NewToken,
    now: Moment,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO token (hash, grant_id, kind, scopes, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query::<Any>(sql)
        .bind(token.hash.as_str())
        .bind(grant.as_str())
        .bind(token.kind.as_str())
        .bind(token.scopes.to_string())
        .bind(now.0)
        .bind(token.expires_at.0)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &AnyRow, now: Moment) -> Result<StoredToken, StoreError> {
    let kind = match row.try_get::<String, _>("kind")?.as_str() {
        "access" => TokenKind::Access,
        "refresh" => TokenKind::Refresh,
        _ => return Err(StoreError::Inconsistent("the kind of a token")),
    };
    let moment =
        |column: &str| -> Result<Option<Moment>, StoreError> { Ok(row.try_get::<Option<i64>, _>(column)?.map(Moment)) };
    let expires_at = Moment(row.try_get("expires_at")?);
    // Rotation first: a spent refresh token stays recognisable however its family ended.
    let state = match (moment("rotated_at")?, moment("revoked_at")?, grants::state(row)?) {
        (Some(at), _, _) => TokenState::Rotated { at },
        (None, Some(at), _) | (None, None, GrantState::Ended { at, .. }) => TokenState::Revoked { at },
        (None, None, GrantState::Live) if expires_at <= now => TokenState::Expired,
        (None, None, GrantState::Live) => TokenState::Valid,
    };
    let access = match (moment("activated_at")?, moment("suspended_at")?, moment("erased_at")?) {
        (Some(_), None, None) => Access::Open,
        _ => Access::Closed,
    };
    let granted: String = row.try_get("granted")?;
    Ok(StoredToken {
        kind,
        grant: Grant {
            id: GrantId::from(row.try_get::<String, _>("grant_id")?),
            customer: CustomerId::from(row.try_get::<String, _>("customer")?),
            client: row.try_get::<Option<String>, _>("client")?.map(ClientId::from),
            scopes: grants::scopes(row)?,
            access,
        },
        granted: granted.parse().map_err(|_| StoreError::Inconsistent("the scopes of a grant"))?,
        resource: row.try_get("resource")?,
        expires_at,
        used_at: moment("used_at")?,
        state,
    })
}
