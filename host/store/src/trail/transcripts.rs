//! Transcripts of runs, by which a run can be had again: sealed, for seven days, the newest of each customer.

use std::time::Duration;

use model::clock::{Entropy, Moment};
use model::id::{ConnectionId, CustomerId};
use model::keys::KeyRing;
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};
use zeroize::Zeroizing;

use crate::StoreError;
use crate::connections::{Place, SealError, Sealed};
use crate::tables::Trail;

/// How long one is kept.
pub const LIFE: Duration = Duration::from_secs(7 * 86_400);
/// Bytes of one, sealed; a larger one is not kept.
pub const MOST_BYTES: usize = 4 << 20;
/// How many are kept of one customer, the newest: who faults all day fills no disk.
const MOST: i64 = 64;
/// How many are taken away in one go.
const MANY: i64 = 500;
/// What is sealed, as a place names it; no connection is of this kind.
const KIND: &str = "transcript";

/// A transcript as it is stored and written to files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedTranscript {
    /// Whose run.
    pub customer: CustomerId,
    /// Which run: a request, or a job with step and attempt.
    pub run: String,
    /// Of which operation.
    pub operation: String,
    /// Of which component: `sha256:` and hex.
    pub digest: String,
    /// By which engine.
    pub engine: String,
    /// How it ended: `ok`, `guest.fault`, or why it was stopped.
    pub ending: String,
    /// When it was made.
    pub made_at: Moment,
    /// The rest.
    pub sealed: Sealed,
}

/// What is told of a transcript without opening it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which run.
    pub run: String,
    /// Of which operation.
    pub operation: String,
    /// How it ended.
    pub ending: String,
    /// When it was made.
    pub made_at: Moment,
}

/// Seals a transcript to its customer and its run: it opens as that one and as no other.
///
/// # Errors
/// When the cryptographic library refuses.
pub fn seal(
    ring: &KeyRing,
    customer: &CustomerId,
    run: &str,
    plain: &[u8],
    entropy: &dyn Entropy,
) -> Result<Sealed, SealError> {
    let run = ConnectionId::from(run);
    Sealed::seal(ring, place(customer, &run), plain, entropy)
}

/// The run stands in the place of a connection.
fn place<'a>(customer: &'a CustomerId, run: &'a ConnectionId) -> Place<'a> {
    Place { customer, connection: run, kind: KIND, version: 1 }
}

impl SealedTranscript {
    /// The transcript's bytes.
    ///
    /// # Errors
    /// The key is not in the ring, or these are not the bytes that were sealed for this customer and run.
    pub fn open(&self, ring: &KeyRing) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let run = ConnectionId::from(self.run.as_str());
        self.sealed.open(ring, place(&self.customer, &run))
    }
}

const COLUMNS: &str = "SELECT customer, run, operation, digest, engine, ending, kek, wrapped, sealed, made_at \
                       FROM transcript";

impl Trail {
    /// Keeps a transcript, in the place of an earlier one of the same run, and lets the customer's oldest go.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn keep_transcript(&self, it: SealedTranscript) -> Result<(), StoreError> {
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO transcript (customer, run, operation, digest, engine, ending, kek, wrapped, sealed, \
                           made_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                           ON CONFLICT (customer, run) DO UPDATE SET operation = excluded.operation, \
                           digest = excluded.digest, engine = excluded.engine, ending = excluded.ending, \
                           kek = excluded.kek, wrapped = excluded.wrapped, sealed = excluded.sealed, \
                           made_at = excluded.made_at, ends_at = excluded.ends_at";
                let customer = it.customer.as_str().to_owned();
                let insert = sqlx::query::<Any>(sql).bind(customer.clone()).bind(it.run).bind(it.operation);
                let insert = insert.bind(it.digest).bind(it.engine).bind(it.ending).bind(it.sealed.kek);
                let insert = insert.bind(it.sealed.wrapped).bind(it.sealed.sealed);
                insert.bind(it.made_at.0).bind(it.made_at.plus(LIFE).0).execute(tx.connection()).await?;
                let oldest = "DELETE FROM transcript WHERE (customer, run) IN (SELECT customer, run FROM transcript \
                              WHERE customer = $1 ORDER BY made_at DESC, run LIMIT $2 OFFSET $3)";
                let oldest = sqlx::query::<Any>(oldest).bind(customer).bind(MANY).bind(MOST);
                oldest.execute(tx.connection()).await?;
                Ok(())
            })
        })
        .await
    }

    /// The transcript of a run, for the people who run the service.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn transcript(&self, run: &str) -> Result<Option<SealedTranscript>, StoreError> {
        let sql = format!("{COLUMNS} WHERE run = $1 AND ends_at > $2");
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(run).bind(self.database.now().0);
        self.database.reader().fetch_optional(query).await?.as_ref().map(read).transpose()
    }

    /// The newest transcripts of everybody, for the people who run the service.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn transcripts(&self, limit: u32) -> Result<Vec<Listed>, StoreError> {
        let sql = "SELECT run, operation, ending, made_at FROM transcript WHERE ends_at > $1 \
                   ORDER BY made_at DESC, run LIMIT $2";
        let query = sqlx::query::<Any>(sql).bind(self.database.now().0).bind(i64::from(limit));
        let listed = |row: &AnyRow| {
            Ok(Listed {
                run: row.try_get("run")?,
                operation: row.try_get("operation")?,
                ending: row.try_get("ending")?,
                made_at: Moment(row.try_get("made_at")?),
            })
        };
        self.database.reader().fetch_all(query).await?.iter().map(listed).collect()
    }
}

fn read(row: &AnyRow) -> Result<SealedTranscript, StoreError> {
    Ok(SealedTranscript {
        customer: row.try_get::<String, _>("customer")?.into(),
        run: row.try_get("run")?,
        operation: row.try_get("operation")?,
        digest: row.try_get("digest")?,
        engine: row.try_get("engine")?,
        ending: row.try_get("ending")?,
        made_at: Moment(row.try_get("made_at")?),
        sealed: Sealed { kek: row.try_get("kek")?, wrapped: row.try_get("wrapped")?, sealed: row.try_get("sealed")? },
    })
}

#[cfg(test)]
mod tests;
