//! Durable claims of idempotency keys: for calls that may change something outside, where a commit comes too late to
//! decide between twins.
//!
//! A claim is held by whoever has its random token, until its lease ends. What its runs have sent stays with it, so
//! that whoever takes it over goes on from there. It ends with the commit of the answer, in the same transaction.

use std::time::Duration;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{Claim, CustomerId, RequestId};
use model::refusal::{Refusal, codes};
use serde_json::json;
use sqlx::{Any, AnyConnection, Row as _};

use crate::calls::answers;
use crate::calls::settlement::{Earlier, KeyedAnswer, SettleError, Settlement, Stored};
use crate::tables::Calls;
use crate::{Changes, StoreError};

/// How long a claim with something sent waits for its customer to ask again. Providers remember a key for a day.
pub const UNKNOWN_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Claims that a sweep looks at in one go.
const MANY: i64 = 200;

/// A key that a call wants to itself.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whose.
    pub customer: CustomerId,
    /// As sent.
    pub key: String,
    /// Of operation and arguments.
    pub fingerprint: String,
    /// What is to run.
    pub operation: String,
    /// The request that wants it.
    pub request: RequestId,
    /// When.
    pub now: Moment,
    /// For how long.
    pub lease: Duration,
}

/// A key that is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyClaim {
    /// As sent.
    pub key: String,
    /// Proves it.
    pub token: Claim,
    /// What is sent is found under this, by every run of the call.
    pub run: RequestId,
}

/// What became of the wish for a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// It is ours; an earlier run may have sent something.
    Ours(KeyClaim),
    /// A twin has it.
    Running,
    /// It belongs to a call with other arguments, which has not ended.
    Other {
        /// That call.
        first: RequestId,
    },
    /// A twin has ended meanwhile.
    Ended(Box<Earlier>),
}

impl Calls {
    /// Takes a key, also from a run whose lease is over.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn claim(&self, wanted: Wanted) -> Result<Claimed, StoreError> {
        let token = Claim::new(self.database.entropy());
        self.database.write(move |tx| {
            Box::pin(async move {
                let Wanted { customer, key, fingerprint, operation, request, now, lease } = wanted;
                let dialect = tx.dialect;
                let connection = tx.connection();
                // A twin that commits meanwhile has either ended before this, or not begun.
                dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                if let Some(earlier) = ended(connection, &customer, &key, now).await? {
                    return Ok(Claimed::Ended(Box::new(earlier)));
                }
                let sql = "SELECT fingerprint, run, lease_until FROM claim WHERE customer = $1 AND key = $2";
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(key.as_str());
                let run = match query.fetch_optional(&mut *connection).await? {
                    None => request,
                    Some(row) => {
                        let run = RequestId::from(row.try_get::<String, _>("run")?);
                        if row.try_get::<String, _>("fingerprint")? != fingerprint {
                            return Ok(Claimed::Other { first: run });
                        }
                        if row.try_get::<i64, _>("lease_until")? > now.0 {
                            return Ok(Claimed::Running);
                        }
                        run
                    }
                };
                let sql = "INSERT INTO claim (customer, key, fingerprint, operation, run, token, lease_until, began_at) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (customer, key) DO UPDATE SET \
                           token = excluded.token, lease_until = excluded.lease_until";
                let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(key.as_str()).bind(fingerprint);
                let insert = insert.bind(operation).bind(run.as_str()).bind(token.as_str());
                insert.bind(now.plus(lease).0).bind(now.0).execute(connection).await?;
                Ok(Claimed::Ours(KeyClaim { key, token, run }))
            })
        })
        .await
    }

    /// Gives a key back whose call came to nothing. What was sent stays with it, and the next run goes on from there;
    /// with nothing sent, the key is free.
    ///
    /// # Errors
    /// When the store cannot be reached; the lease ends by itself.
    pub async fn unclaim(&self, customer: &CustomerId, claim: &KeyClaim) -> Result<(), StoreError> {
        let (customer, claim) = (customer.clone(), claim.clone());
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let connection = tx.connection();
                    let free = "DELETE FROM claim WHERE customer = $1 AND key = $2 AND token = $3 AND NOT EXISTS \
                            (SELECT 1 FROM send WHERE send.customer = claim.customer AND send.run = claim.run)";
                    let keep = "UPDATE claim SET lease_until = 0 WHERE customer = $1 AND key = $2 AND token = $3";
                    for sql in [free, keep] {
                        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(claim.key.as_str());
                        query.bind(claim.token.as_str()).execute(&mut *connection).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Ends claims that nobody asks for any more: without a trace where nothing was sent, and after [`UNKNOWN_AFTER`]
    /// with the answer that nobody knows what came of it. Returns how many.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn sweep_claims(&self, now: Moment) -> Result<u64, StoreError> {
        let sql = "DELETE FROM claim WHERE lease_until <= $1 AND NOT EXISTS \
                   (SELECT 1 FROM send WHERE send.customer = claim.customer AND send.run = claim.run)";
        let freed = self.database.write_patiently(move |tx| {
            Box::pin(async move {
                Ok::<_, StoreError>(sqlx::query::<Any>(sql).bind(now.0).execute(tx.connection()).await?.rows_affected())
            })
        });
        let mut ended = freed.await?;
        let sql = "SELECT customer, key, fingerprint, operation, run FROM claim \
                   WHERE lease_until <= $1 AND began_at <= $2 LIMIT $3";
        let long_ago = now.0 - i64::try_from(UNKNOWN_AFTER.as_millis()).unwrap_or(i64::MAX);
        let query = sqlx::query::<Any>(sql).bind(now.0).bind(long_ago).bind(MANY);
        for row in self.database.reader().fetch_all(query).await? {
            let wanted = Wanted {
                customer: row.try_get::<String, _>("customer")?.into(),
                key: row.try_get("key")?,
                fingerprint: row.try_get("fingerprint")?,
                operation: row.try_get("operation")?,
                request: row.try_get::<String, _>("run")?.into(),
                now,
                lease: Duration::from_secs(60),
            };
            ended += u64::from(self.end_unknown(wanted).await?);
        }
        Ok(ended)
    }

    /// Answers for good that the outcome is not known. False: somebody has taken the claim up again.
    async fn end_unknown(&self, wanted: Wanted) -> Result<bool, StoreError> {
        let Claimed::Ours(claim) = self.claim(wanted.clone()).await? else { return Ok(false) };
        let Wanted { customer, key, fingerprint, operation, now, .. } = wanted;
        let sql = "SELECT connection, provider_key, state, sent_at FROM send WHERE customer = $1 AND run = $2 \
                   ORDER BY number";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(claim.run.as_str());
        let sent = self.database.reader().fetch_all(query).await?;
        let sent = sent.iter().map(|row| {
            Ok(json!({
                "connection": row.try_get::<String, _>("connection")?,
                "provider_key": row.try_get::<String, _>("provider_key")?,
                "answered": row.try_get::<String, _>("state")? == "answered",
                "sent_at": Moment(row.try_get("sent_at")?).rfc3339(),
            }))
        });
        let sent = sent.collect::<Result<Vec<_>, StoreError>>()?;
        let settlement = Settlement {
            customer: customer.clone(),
            grant: None,
            request: claim.run.clone(),
            operation: operation.clone(),
            site: None,
            now,
            api_version: "".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes: Changes::default(),
            answer: Some(KeyedAnswer { key, fingerprint, outcome: Stored::Refused(unknown_outcome()) }),
            audit: Audit {
                at: now,
                customer,
                request: Some(claim.run.clone()),
                grant: None,
                event: "operation.unknown".to_owned(),
                subject: operation,
                outcome: UNKNOWN_OUTCOME.to_owned(),
                points: 0,
                detail: json!({ "sent": sent }),
            },
            claim: Some(claim),
        };
        match self.settle(settlement).await {
            Ok(_) => Ok(true),
            Err(SettleError::Unavailable(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}

/// The code of [`unknown_outcome`].
pub const UNKNOWN_OUTCOME: &str = codes::OUTCOME_UNKNOWN.name;

/// What a call comes to whose changes may or may not have reached a provider.
pub fn unknown_outcome() -> Refusal {
    Refusal::of(
        &codes::OUTCOME_UNKNOWN,
        "the provider may have received what this call sent, and it was not sent again; look there first, and use a new idempotency key to do it once more",
    )
}

/// The answer of a twin that has ended.
async fn ended(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    key: &str,
    now: Moment,
) -> Result<Option<Earlier>, StoreError> {
    let name = (customer.clone(), key.to_owned());
    let mut found = answers::load(connection, std::slice::from_ref(&name)).await?;
    Ok(found.remove(&name).filter(|(_, expires_at)| *expires_at > now).map(|(earlier, _)| earlier))
}

#[cfg(test)]
mod tests;
