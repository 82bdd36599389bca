//! Files that customers hand over: rows that wait for one, and the chunks of what came.
//!
//! Each attempt to hand a file over has a receipt of its own. Its chunks count only once the upload is complete under
//! that receipt, so that what broke off is never read, and goes.

use std::time::Duration;

use model::clock::Moment;
use model::id::{Claim, CustomerId, UploadId};
use model::token::SecretHash;
use sqlx::{Any, AnyConnection, Row as _};

use crate::tables::Edges;
use crate::{StoreError, Tx};

/// Bytes of one chunk; only the last one of a file may have fewer.
pub const CHUNK: usize = 1 << 20;

/// How long an attempt belongs to whoever last added a chunk to it.
const LEASE: Duration = Duration::from_secs(60);
/// Chunks that are taken away in one commit, so that the writer is soon free again.
const MANY: i64 = 64;
/// How long it can be asked what became of an address that nobody used.
const REMEMBERED: Duration = Duration::from_secs(7 * 86_400);

/// An upload that a run opens.
#[derive(Clone, Debug)]
pub(crate) struct NewUpload {
    pub(crate) id: UploadId,
    pub(crate) token: SecretHash,
    pub(crate) purpose: String,
    pub(crate) media_types: Vec<String>,
    pub(crate) most_bytes: u64,
    pub(crate) opened_at: Moment,
    pub(crate) closes_at: Moment,
}

/// Where an address leads.
#[derive(Clone, Debug)]
pub struct UploadPlace {
    /// Whose.
    pub customer: CustomerId,
    /// Which upload.
    pub upload: UploadId,
    /// What the file may be.
    pub media_types: Vec<String>,
    /// Bytes that it may have.
    pub most_bytes: u64,
    /// Until when it can be handed over.
    pub closes_at: Moment,
    /// Whether it was handed over.
    pub complete: bool,
}

/// One attempt to hand a file over.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// Whose.
    pub customer: CustomerId,
    /// Of which upload.
    pub upload: UploadId,
    claim: Claim,
}

/// Whether an attempt may begin.
#[derive(Clone, Debug)]
pub enum Begun {
    /// It may; under this receipt.
    Ours(Receipt),
    /// Somebody else is handing it over.
    Busy,
    /// It was handed over.
    Complete,
    /// It is too late.
    Closed,
    /// The customer has no room for it.
    Full,
}

/// A file as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    /// What it says it is, without parameters.
    pub media_type: String,
    /// `gzip`, where it came so.
    pub encoding: Option<String>,
    /// How many.
    pub bytes: u64,
    /// SHA-256 of them, in lower-case hex.
    pub sha256: String,
}

impl NewUpload {
    pub(crate) async fn insert(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO upload (customer, upload, module, token, purpose, media_types, most_bytes, state, \
                   opened_at, closes_at, kept_until) VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10)";
        let media_types = serde_json::to_string(&self.media_types);
        let media_types = media_types.map_err(|_| StoreError::Inconsistent("a list of media types"))?;
        let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.id.as_str()).bind(module);
        let insert = insert.bind(self.token.as_str()).bind(self.purpose.as_str()).bind(media_types);
        let insert = insert.bind(whole(self.most_bytes)).bind(self.opened_at.0).bind(self.closes_at.0);
        insert.bind(self.closes_at.plus(REMEMBERED).0).execute(connection).await?;
        Ok(())
    }
}

impl Edges {
    /// Where a token leads; none: nowhere.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn upload_at(&self, token: &SecretHash) -> Result<Option<UploadPlace>, StoreError> {
        let sql = "SELECT customer, upload, media_types, most_bytes, closes_at, state FROM upload WHERE token = $1";
        let Some(row) = self.database.reader().fetch_optional(sqlx::query::<Any>(sql).bind(token.as_str())).await?
        else {
            return Ok(None);
        };
        let media_types = serde_json::from_str(&row.try_get::<String, _>("media_types")?);
        Ok(Some(UploadPlace {
            customer: CustomerId::from(row.try_get::<String, _>("customer")?),
            upload: UploadId::from(row.try_get::<String, _>("upload")?),
            media_types: media_types.map_err(|_| StoreError::Inconsistent("a list of media types"))?,
            most_bytes: row.try_get::<i64, _>("most_bytes")?.unsigned_abs(),
            closes_at: Moment(row.try_get("closes_at")?),
            complete: row.try_get::<String, _>("state")? == "complete",
        }))
    }

    /// Begins an attempt. All files of the customer together, with this one at its largest, may have `room` bytes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn begin_upload(&self, place: &UploadPlace, room: u64, now: Moment) -> Result<Begun, StoreError> {
        let claim = Claim::new(self.database.entropy());
        let receipt = Receipt { customer: place.customer.clone(), upload: place.upload.clone(), claim };
        self.database.write_patiently(move |tx| Box::pin(async move { begin(tx, receipt, room, now).await })).await
    }

    /// Adds the chunk of this place; false: the attempt is not ours any more.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn add_chunk(
        &self,
        receipt: &Receipt,
        place: u64,
        bytes: Vec<u8>,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let receipt = receipt.clone();
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let sql = "UPDATE upload SET lease_until = $4 \
                           WHERE customer = $1 AND upload = $2 AND receipt = $3 AND state = 'receiving'";
                let update = receipt.named(sql).bind(now.plus(LEASE).0);
                if update.execute(tx.connection()).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                let sql =
                    "INSERT INTO upload_chunk (customer, upload, receipt, place, bytes) VALUES ($1, $2, $3, $4, $5)";
                receipt.named(sql).bind(whole(place)).bind(bytes).execute(tx.connection()).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Says that the file is whole: from now on it is there, until `kept_until`. False: the attempt is not ours any
    /// more.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn complete_upload(
        &self,
        receipt: &Receipt,
        handed: Handed,
        now: Moment,
        kept_until: Moment,
    ) -> Result<bool, StoreError> {
        let receipt = receipt.clone();
        self.database.write_patiently(move |tx| {
            Box::pin(async move {
                let sql = "UPDATE upload SET state = 'complete', lease_until = NULL, media_type = $4, encoding = $5, \
                           bytes = $6, sha256 = $7, completed_at = $8, kept_until = $9 \
                           WHERE customer = $1 AND upload = $2 AND receipt = $3 AND state = 'receiving'";
                let update = receipt.named(sql).bind(handed.media_type).bind(handed.encoding);
                let update = update.bind(whole(handed.bytes)).bind(handed.sha256).bind(now.0).bind(kept_until.0);
                Ok(update.execute(tx.connection()).await?.rows_affected() == 1)
            })
        })
        .await
    }

    /// Ends an attempt that did not come to its end: nothing of it stays, and the address waits again.
    ///
    /// # Errors
    /// When the store cannot be reached; then the next sweep does it.
    pub async fn abandon_upload(&self, receipt: &Receipt) -> Result<(), StoreError> {
        let ended = receipt.clone();
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE upload SET state = 'waiting', receipt = NULL, lease_until = NULL \
                           WHERE customer = $1 AND upload = $2 AND receipt = $3 AND state = 'receiving'";
                    ended.named(sql).execute(tx.connection()).await?;
                    Ok::<_, StoreError>(())
                })
            })
            .await?;
        while self.sweep_chunks().await? == MANY.unsigned_abs() {}
        Ok(())
    }

    /// Takes away what has had its time: attempts that went silent, files that were kept long enough, and chunks that
    /// count for nothing.
    pub(crate) async fn sweep_uploads(&self, now: Moment) -> Result<(), StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let silent = "UPDATE upload SET state = 'waiting', receipt = NULL, lease_until = NULL \
                              WHERE state = 'receiving' AND lease_until <= $1";
                    sqlx::query::<Any>(silent).bind(now.0).execute(tx.connection()).await?;
                    let old = "DELETE FROM upload WHERE kept_until <= $1 AND state <> 'receiving'";
                    sqlx::query::<Any>(old).bind(now.0).execute(tx.connection()).await?;
                    Ok::<_, StoreError>(())
                })
            })
            .await?;
        self.sweep_chunks().await?;
        Ok(())
    }

    async fn sweep_chunks(&self) -> Result<u64, StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM upload_chunk WHERE (customer, upload, receipt, place) IN ( \
                           SELECT c.customer, c.upload, c.receipt, c.place FROM upload_chunk c LEFT JOIN upload u \
                           ON u.customer = c.customer AND u.upload = c.upload AND u.receipt = c.receipt \
                           WHERE u.upload IS NULL LIMIT $1)";
                    Ok::<_, StoreError>(
                        sqlx::query::<Any>(sql).bind(MANY).execute(tx.connection()).await?.rows_affected(),
                    )
                })
            })
            .await
    }
}

impl Receipt {
    /// A statement about this attempt: its first three parameters.
    fn named(&self, sql: &'static str) -> crate::database::rows::Question {
        let query = sqlx::query::<Any>(sql).bind(self.customer.to_string()).bind(self.upload.to_string());
        query.bind(self.claim.to_string())
    }
}

async fn begin(tx: &mut Tx, receipt: Receipt, room: u64, now: Moment) -> Result<Begun, StoreError> {
    let dialect = tx.dialect;
    let connection = tx.connection();
    // Two files of one customer must not both take the last room.
    dialect.lock(connection, std::slice::from_ref(&receipt.customer)).await?;
    let sql = "SELECT state, lease_until, closes_at, most_bytes FROM upload WHERE customer = $1 AND upload = $2";
    let ask = sqlx::query::<Any>(sql).bind(receipt.customer.as_str()).bind(receipt.upload.as_str());
    let Some(row) = ask.fetch_optional(&mut *connection).await? else { return Ok(Begun::Closed) };
    let lease: Option<i64> = row.try_get("lease_until")?;
    match row.try_get::<String, _>("state")?.as_str() {
        "complete" => return Ok(Begun::Complete),
        "receiving" if lease.is_some_and(|until| until > now.0) => return Ok(Begun::Busy),
        _ if row.try_get::<i64, _>("closes_at")? <= now.0 => return Ok(Begun::Closed),
        _ => {}
    }
    let taken = taken(connection, &receipt.customer).await?;
    if taken.saturating_add(row.try_get::<i64, _>("most_bytes")?.unsigned_abs()) > room {
        return Ok(Begun::Full);
    }
    let sql =
        "UPDATE upload SET state = 'receiving', lease_until = $4, receipt = $3 WHERE customer = $1 AND upload = $2";
    receipt.named(sql).bind(now.plus(LEASE).0).execute(connection).await?;
    Ok(Begun::Ours(receipt))
}

/// Bytes of a customer's files, those that are coming at their largest.
async fn taken(connection: &mut AnyConnection, customer: &CustomerId) -> Result<u64, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(CASE state WHEN 'complete' THEN bytes ELSE most_bytes END), 0) AS BIGINT) \
               FROM upload WHERE customer = $1 AND state <> 'waiting'";
    let row = sqlx::query::<Any>(sql).bind(customer.as_str()).fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
}

pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
