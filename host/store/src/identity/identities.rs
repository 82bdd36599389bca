//! Who an upstream OpenID provider says somebody is: its name for the person, linked once to a customer.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// A person, as a provider names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedIdentity {
    /// `iss`.
    pub issuer: String,
    /// `sub`: unique at that issuer, and never given to anybody else.
    pub subject: String,
}

impl Identity {
    /// The customer that this identity is linked to.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn identified(&self, identity: &LinkedIdentity) -> Result<Option<CustomerId>, StoreError> {
        let sql = "SELECT customer FROM identity WHERE issuer = $1 AND subject = $2";
        let query = sqlx::query::<Any>(sql).bind(identity.issuer.as_str()).bind(identity.subject.as_str());
        let row = self.database.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get::<String, _>(0)).transpose()?.map(CustomerId::from))
    }

    /// Links an identity to a customer, unless it is linked; returns whom it belongs to now.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn link_identity(
        &self,
        identity: LinkedIdentity,
        customer: CustomerId,
        now: Moment,
    ) -> Result<CustomerId, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO identity (issuer, subject, customer, linked_at) VALUES ($1, $2, $3, $4) \
                           ON CONFLICT (issuer, subject) DO UPDATE SET issuer = excluded.issuer RETURNING customer";
                    let insert = sqlx::query::<Any>(sql).bind(identity.issuer).bind(identity.subject);
                    let row = insert.bind(customer.as_str()).bind(now.0).fetch_one(tx.connection()).await?;
                    Ok(CustomerId::from(row.try_get::<String, _>(0)?))
                })
            })
            .await
    }
}
