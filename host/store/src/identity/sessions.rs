//! Sessions of the portal: a cookie's hash, whose it is, and until when.

use model::clock::Moment;
use model::id::{CustomerId, SessionId};
use model::token::SecretHash;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// A signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its public name.
    pub id: SessionId,
    /// Who signed in.
    pub customer: CustomerId,
    /// Their e-mail, for the page's head.
    pub email: String,
    /// Its last moment.
    pub expires_at: Moment,
}

impl Identity {
    /// Opens a session under a new secret; the one the browser had before, if any, ends in the same transaction.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn open_session(
        &self,
        id: SessionId,
        customer: CustomerId,
        hash: SecretHash,
        before: Option<SecretHash>,
        now: Moment,
        expires_at: Moment,
    ) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    if let Some(before) = before {
                        let end = sqlx::query::<Any>("DELETE FROM session WHERE hash = $1").bind(before.as_str());
                        end.execute(tx.connection()).await?;
                    }
                    let sql = "INSERT INTO session (hash, session, customer, created_at, expires_at) \
                           VALUES ($1, $2, $3, $4, $5)";
                    let insert = sqlx::query::<Any>(sql).bind(hash.as_str()).bind(id.as_str()).bind(customer.as_str());
                    insert.bind(now.0).bind(expires_at.0).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// The live session of this secret, if its customer may come in.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn session(&self, hash: &SecretHash, now: Moment) -> Result<Option<Session>, StoreError> {
        let sql = "SELECT session.session, session.customer, customer.email, session.expires_at FROM session \
                   JOIN customer ON customer.customer = session.customer \
                   WHERE session.hash = $1 AND session.expires_at > $2 \
                   AND customer.suspended_at IS NULL AND customer.erased_at IS NULL";
        let query = sqlx::query::<Any>(sql).bind(hash.as_str()).bind(now.0);
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        Ok(Some(Session {
            id: SessionId::from(row.try_get::<String, _>("session")?),
            customer: CustomerId::from(row.try_get::<String, _>("customer")?),
            email: row.try_get("email")?,
            expires_at: Moment(row.try_get("expires_at")?),
        }))
    }

    /// Ends the session of this secret.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn close_session(&self, hash: SecretHash) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let end = sqlx::query::<Any>("DELETE FROM session WHERE hash = $1").bind(hash.as_str());
                    end.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}
