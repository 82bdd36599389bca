//! A consented access token in the place of the one before. A refresh token may be good for one use, so one node asks
//! at a time, and what it was given is durable before anybody uses it.

use std::time::Duration;

use model::clock::Moment;
use model::id::{Claim, CustomerId};
use sqlx::Any;

use super::{Connection, Sealed};
use crate::StoreError;
use crate::tables::Connections;

/// How long a turn lasts when its holder says nothing: longer than a refresh with its repetition.
const TURN: Duration = Duration::from_secs(45);

impl Connections {
    /// Takes the turn to refresh a connection's token. False: another holder has it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn begin_refresh(
        &self,
        customer: &CustomerId,
        connection: &Connection,
        holder: &Claim,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let (customer, connection, holder) = (customer.clone(), connection.id.clone(), holder.clone());
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO refresh_turn (customer, connection, holder, until) VALUES ($1, $2, $3, $4) \
                           ON CONFLICT (customer, connection) DO UPDATE SET holder = excluded.holder, \
                           until = excluded.until WHERE refresh_turn.until <= $5";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(connection.as_str());
                    let query = query.bind(holder.as_str()).bind(now.plus(TURN).0).bind(now.0);
                    Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// Gives the turn back.
    ///
    /// # Errors
    /// When the store cannot be reached; the turn ends by itself then.
    pub async fn end_refresh(
        &self,
        customer: &CustomerId,
        connection: &Connection,
        holder: &Claim,
    ) -> Result<(), StoreError> {
        let (customer, connection, holder) = (customer.clone(), connection.id.clone(), holder.clone());
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM refresh_turn WHERE customer = $1 AND connection = $2 AND holder = $3";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(connection.as_str());
                    query.bind(holder.as_str()).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Puts a refreshed credential in the place of the one that it was made from. It is sealed for the same version:
    /// it is the same account, and a call that changes the connection meanwhile does not notice. False: the customer
    /// has replaced or removed it since.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn put_refreshed(
        &self,
        customer: &CustomerId,
        connection: &Connection,
        before: &Sealed,
        after: Sealed,
    ) -> Result<bool, StoreError> {
        let (customer, id, before) = (customer.clone(), connection.id.clone(), before.sealed.clone());
        let version = i64::try_from(connection.secret).unwrap_or(i64::MAX);
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE connection_secret SET kek = $5, wrapped = $6, sealed = $7 \
                           WHERE customer = $1 AND connection = $2 AND version = $3 AND sealed = $4";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str()).bind(version);
                    let query = query.bind(before).bind(after.kek).bind(after.wrapped).bind(after.sealed);
                    Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// Notes that the provider does not accept a connection's credential any more, if it is still the same one.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn expire_connection(&self, customer: &CustomerId, connection: &Connection) -> Result<(), StoreError> {
        let (customer, id) = (customer.clone(), connection.id.clone());
        let version = i64::try_from(connection.secret).unwrap_or(i64::MAX);
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let sql =
                    "UPDATE connection SET state = 'expired' WHERE customer = $1 AND connection = $2 AND secret = $3";
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str()).bind(version);
                query.execute(tx.connection()).await?;
                Ok(())
            })
        })
        .await
    }
}
