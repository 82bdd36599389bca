//! Consents at providers: asked for by a call, given by a person in a browser, and turned into a connection.
//!
//! A trip to the provider is bound to the customer and to the session that it began in. Its `state` is good for one
//! answer, and nothing of a trip is good after [`LIFE`].

use std::time::Duration;

use model::clock::Moment;
use model::id::{ConnectionId, ConsentId, CustomerId, SessionId};
use model::token::SecretHash;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::connections::{MOST, Place, Sealed, sealed};
use crate::edges::change::EdgeChange;
use crate::records::{RecordsError, Workspace};
use crate::tables::Identity;

mod complete;

pub use complete::{Completed, Completion};

/// How long a person has, from the call that asks to the provider's answer.
pub const LIFE: Duration = Duration::from_secs(10 * 60);
/// Consents of one customer that wait at the same time.
pub const WAITING: i64 = 20;

/// A consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Its reference.
    pub id: ConsentId,
    /// Of `catalog/connections.toml`.
    pub kind: String,
    /// What the connection is to be called.
    pub name: String,
    /// What is asked for.
    pub scopes: Vec<String>,
    /// The connection that came of it or, before, that is to be renewed.
    pub connection: Option<ConnectionId>,
    /// How far it is.
    pub state: ConsentState,
    /// A word for what went wrong.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Moment,
    /// Until when it can be given.
    pub expires_at: Moment,
}

/// How far a consent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentState {
    /// The person has not gone to the provider yet.
    Started,
    /// The person is at the provider.
    Away,
    /// The provider's answer is being exchanged.
    Answered,
    /// There is a connection.
    Completed,
    /// The person said no, here or there.
    Refused,
    /// The provider, or what it said, was at fault.
    Failed,
}

impl ConsentState {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ConsentState::Started => "started",
            ConsentState::Away => "away",
            ConsentState::Answered => "answered",
            ConsentState::Completed => "completed",
            ConsentState::Refused => "refused",
            ConsentState::Failed => "failed",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        Ok(match text {
            "started" => ConsentState::Started,
            "away" => ConsentState::Away,
            "answered" => ConsentState::Answered,
            "completed" => ConsentState::Completed,
            "refused" => ConsentState::Refused,
            "failed" => ConsentState::Failed,
            _ => return Err(StoreError::Inconsistent("the state of a consent")),
        })
    }

    /// Whether something can still come of it.
    pub fn is_open(self) -> bool {
        matches!(self, ConsentState::Started | ConsentState::Away | ConsentState::Answered)
    }
}

/// A consent that a run asks for.
#[derive(Clone, Debug)]
pub struct NewConsent {
    /// Its reference.
    pub id: ConsentId,
    /// Of `catalog/connections.toml`.
    pub kind: String,
    /// What the connection is to be called.
    pub name: String,
    /// What is asked for.
    pub scopes: Vec<String>,
    /// The connection that is to be renewed; none: there will be a new one.
    pub connection: Option<ConnectionId>,
    /// When it is asked for.
    pub created_at: Moment,
}

/// A trip to the provider.
#[derive(Clone, Debug)]
pub struct Trip {
    /// The session that it begins in.
    pub session: SessionId,
    /// Of the parameter `state`.
    pub state: SecretHash,
    /// The PKCE verifier, sealed for [`trip_place`].
    pub verifier: Sealed,
}

/// A trip that somebody has come back from.
#[derive(Clone, Debug)]
pub struct Returned {
    /// Whose.
    pub customer: CustomerId,
    /// Of which consent.
    pub consent: Consent,
    /// The session that it began in.
    pub session: SessionId,
    /// Of the parameter `state`.
    pub state: SecretHash,
    /// The PKCE verifier; none: the consent has ended.
    pub verifier: Option<Sealed>,
}

/// Where the verifier of a trip belongs: to its consent, in the place of a connection.
pub fn trip_place<'a>(customer: &'a CustomerId, consent: &'a ConnectionId, kind: &'a str) -> Place<'a> {
    Place { customer, connection: consent, kind, version: 0 }
}

impl NewConsent {
    pub(crate) async fn insert(&self, connection: &mut AnyConnection, customer: &CustomerId) -> Result<(), StoreError> {
        let sql = "INSERT INTO consent (customer, consent, kind, name, scopes, connection, state, created_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, 'started', $7, $8)";
        let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.id.as_str()).bind(self.kind.as_str());
        let insert = insert.bind(self.name.as_str()).bind(self.scopes.join(" "));
        let insert = insert.bind(self.connection.as_ref().map(ConnectionId::as_str)).bind(self.created_at.0);
        insert.bind(self.created_at.plus(LIFE).0).execute(connection).await?;
        Ok(())
    }

    fn view(&self) -> Consent {
        Consent {
            id: self.id.clone(),
            kind: self.kind.clone(),
            name: self.name.clone(),
            scopes: self.scopes.clone(),
            connection: self.connection.clone(),
            state: ConsentState::Started,
            error: None,
            created_at: self.created_at,
            expires_at: self.created_at.plus(LIFE),
        }
    }
}

impl Consent {
    fn of(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get::<String, _>("consent")?.into(),
            kind: row.try_get("kind")?,
            name: row.try_get("name")?,
            scopes: row.try_get::<String, _>("scopes")?.split_whitespace().map(str::to_owned).collect(),
            connection: row.try_get::<Option<String>, _>("connection")?.map(ConnectionId::from),
            state: ConsentState::read(&row.try_get::<String, _>("state")?)?,
            error: row.try_get("error")?,
            created_at: Moment(row.try_get("created_at")?),
            expires_at: Moment(row.try_get("expires_at")?),
        })
    }

    /// Whether its time ran out before anything came of it.
    pub fn is_expired(&self, now: Moment) -> bool {
        self.state.is_open() && self.expires_at <= now
    }
}

impl Workspace {
    /// Asks for a consent.
    ///
    /// # Errors
    /// `Malformed` when [`WAITING`] of them wait already, or the database is not there.
    pub async fn ask_consent(&mut self, new: NewConsent) -> Result<Consent, RecordsError> {
        let sql = "SELECT CAST(COUNT(*) AS BIGINT) FROM consent WHERE customer = $1 AND expires_at > $2 \
                   AND state IN ('started', 'away', 'answered')";
        let query = sqlx::query::<Any>(sql).bind(self.customer().as_str()).bind(new.created_at.0);
        let waiting: i64 = self.store().database.reader().fetch_one(query).await?.try_get(0)?;
        if waiting >= WAITING {
            return Err(RecordsError::Malformed(format!("{WAITING} consents wait already")));
        }
        self.count_written(new.name.len());
        let consent = new.view();
        self.want_edge(EdgeChange::AskConsent(new));
        Ok(consent)
    }

    /// A consent of this customer.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn consent(&mut self, id: &str) -> Result<Option<Consent>, RecordsError> {
        self.count_read(1);
        Ok(self.store().identity.consent(self.customer(), id).await?)
    }
}

impl Identity {
    /// A consent of a customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn consent(&self, customer: &CustomerId, id: &str) -> Result<Option<Consent>, StoreError> {
        let sql = "SELECT * FROM consent WHERE customer = $1 AND consent = $2";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id);
        self.database.reader().fetch_optional(query).await?.as_ref().map(Consent::of).transpose()
    }

    /// Begins a trip; one that was begun before is worth nothing then. False: its time is over, or it was answered.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn leave_for_consent(
        &self,
        customer: &CustomerId,
        id: &ConsentId,
        trip: Trip,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let (customer, id) = (customer.clone(), id.clone());
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let sql = "UPDATE consent SET state = 'away', session = $3, state_hash = $4, kek = $5, wrapped = $6, \
                           sealed = $7 WHERE customer = $1 AND consent = $2 AND state IN ('started', 'away') \
                           AND expires_at > $8";
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str());
                let query = query.bind(trip.session.as_str()).bind(trip.state.as_str()).bind(trip.verifier.kek);
                let query = query.bind(trip.verifier.wrapped).bind(trip.verifier.sealed).bind(now.0);
                Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
            })
        })
        .await
    }

    /// The trip of this `state`, whatever became of it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn returned_from_consent(&self, state: &SecretHash) -> Result<Option<Returned>, StoreError> {
        let query = sqlx::query::<Any>("SELECT * FROM consent WHERE state_hash = $1").bind(state.as_str());
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        let is_sealed = row.try_get::<Option<String>, _>("kek")?.is_some();
        Ok(Some(Returned {
            customer: row.try_get::<String, _>("customer")?.into(),
            consent: Consent::of(&row)?,
            session: row.try_get::<String, _>("session")?.into(),
            state: state.clone(),
            verifier: is_sealed.then(|| sealed(&row)).transpose()?,
        }))
    }

    /// Uses the `state` up. False: it was used before, or its time is over.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn take_consent(&self, returned: &Returned, now: Moment) -> Result<bool, StoreError> {
        let (customer, id) = (returned.customer.clone(), returned.consent.id.clone());
        let state = returned.state.clone();
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE consent SET state = 'answered' WHERE customer = $1 AND consent = $2 \
                           AND state_hash = $3 AND state = 'away' AND expires_at > $4";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str()).bind(state.as_str());
                    Ok(query.bind(now.0).execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// Ends a consent without a connection; one that has ended before stays as it is.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn end_consent(
        &self,
        customer: &CustomerId,
        id: &ConsentId,
        state: ConsentState,
        error: &str,
    ) -> Result<(), StoreError> {
        let (customer, id, error) = (customer.clone(), id.clone(), error.to_owned());
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE consent SET state = $3, error = $4, kek = NULL, wrapped = NULL, sealed = NULL \
                           WHERE customer = $1 AND consent = $2 AND state IN ('started', 'away', 'answered')";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str());
                    query.bind(state.as_str()).bind(error).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests;
