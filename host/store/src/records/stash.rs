//! What a run keeps beside records: blobs, cached data, and the jobs that it starts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use model::clock::Moment;
use model::id::JobId;
use model::token::hex;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _};

use super::changes::{Content, NewJob};
use super::uploads::OpenChunk;
use super::workspace::Workspace;
use super::{PAGE, RecordsError, identify};
use crate::StoreError;
use crate::jobs::{self, JobState, JobView, MOST_OPEN};

/// Bytes of one blob.
pub const BLOB_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of one cached value.
pub const CACHE_BYTES: usize = 1024 * 1024;
/// Seconds that cached data may live.
pub const CACHE_SECONDS: u32 = 7 * 86_400;

/// Blobs and cached data of a run.
#[derive(Debug, Default)]
pub(super) struct Stash {
    /// What the run leaves under a key; none: nothing.
    blobs: BTreeMap<String, Option<Content>>,
    cached: BTreeMap<String, (Arc<[u8]>, Moment)>,
    /// The blob that was read last: it is usually read on in pieces.
    open: Option<(String, Arc<[u8]>)>,
    /// The chunk of an upload that was read last.
    pub(super) chunk: Option<OpenChunk>,
}

/// Values and the moments at which they are forgotten, by key.
type Cached = BTreeMap<String, (Arc<[u8]>, Moment)>;

impl Stash {
    /// What is to be written: blobs and cached values by key.
    pub(super) fn into_changes(self) -> (BTreeMap<String, Option<Content>>, Cached) {
        (self.blobs, self.cached)
    }
}

impl Workspace {
    /// At most `length` bytes of a blob from `offset`; none when there is no such blob. A blob of another module is
    /// written `module.key`, where it may be read.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn blob_read(&mut self, key: &str, offset: u64, length: u32) -> Result<Option<Vec<u8>>, RecordsError> {
        let Some(bytes) = self.blob(key).await? else { return Ok(None) };
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let to = from.saturating_add(length as usize).min(bytes.len());
        self.tally.bytes_read += (to - from) as u64;
        Ok(Some(bytes[from..to].to_vec()))
    }

    /// Puts or replaces a blob.
    ///
    /// # Errors
    /// `Malformed` when it is larger than [`BLOB_BYTES`], `Undeclared` when the key means another module's blob.
    pub async fn blob_write(&mut self, key: &str, bytes: Vec<u8>) -> Result<(), RecordsError> {
        self.own_blob(key)?;
        if bytes.len() > BLOB_BYTES {
            return Err(RecordsError::Malformed(format!("a blob has at most {BLOB_BYTES} bytes")));
        }
        self.tally.rows_written += 1;
        self.tally.bytes_written += bytes.len() as u64;
        let content =
            Content { hash: hex(&Sha256::digest(&bytes)), size: bytes.len() as u64, deflated: deflate(&bytes)? };
        self.stash.blobs.insert(key.to_owned(), Some(content));
        self.stash.open = Some((key.to_owned(), bytes.into()));
        Ok(())
    }

    /// Takes a blob away; where there is none, nothing happens.
    ///
    /// # Errors
    /// `Undeclared` when the key means another module's blob.
    pub fn blob_remove(&mut self, key: &str) -> Result<(), RecordsError> {
        self.own_blob(key)?;
        self.tally.rows_written += 1;
        self.stash.blobs.insert(key.to_owned(), None);
        self.stash.open.take_if(|(open, _)| open == key);
        Ok(())
    }

    /// Keys of the module's own blobs that begin so, in the order of their bytes, from the first one past `after`: at most
    /// `limit`, and at most [`PAGE`].
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn blob_keys(
        &mut self,
        prefix: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<String>, RecordsError> {
        let limit = limit.min(PAGE) as usize;
        let after = after.unwrap_or_default();
        // Keys are compared by their bytes, and none holds the last letter there is. Each key that the run took away may
        // take the place of one that is to be told.
        let end = format!("{prefix}\u{10ffff}");
        let gone = self.stash.blobs.values().filter(|it| it.is_none()).count();
        let most = i64::try_from(limit + gone).unwrap_or(i64::MAX);
        let sql = "SELECT key FROM blob WHERE customer = $1 AND module = $2 AND key >= $3 AND key < $4 AND key > $5 \
                   ORDER BY key LIMIT $6";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.schema.module.as_str());
        let query = query.bind(prefix).bind(end.as_str()).bind(after).bind(most);
        let rows = self.reader().fetch_all(query).await?;
        let mut keys = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<BTreeSet<_>, _>>()?;
        let among = |key: &&String| key.starts_with(prefix) && key.as_str() > after;
        for (key, content) in self.stash.blobs.iter().filter(|(key, _)| among(key)) {
            match content {
                Some(_) => keys.insert(key.clone()),
                None => keys.remove(key),
            };
        }
        let keys: Vec<String> = keys.into_iter().take(limit).collect();
        self.tally.rows_read += keys.len() as u64;
        self.tally.bytes_read += keys.iter().map(|key| key.len() as u64).sum::<u64>();
        Ok(keys)
    }

    /// Cached data, when it is still there.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn cache_get(&mut self, key: &str) -> Result<Option<Vec<u8>>, RecordsError> {
        let value = match self.stash.cached.get(key) {
            Some((value, _)) => Some(value.to_vec()),
            None => {
                let sql =
                    "SELECT value FROM cache WHERE customer = $1 AND module = $2 AND key = $3 AND expires_at > $4";
                let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.schema.module.as_str());
                let row = self.reader().fetch_optional(query.bind(key).bind(self.now.0)).await?;
                row.map(|row| row.try_get::<Vec<u8>, _>(0)).transpose()?
            }
        };
        self.tally.bytes_read += value.as_ref().map_or(0, |value| value.len() as u64);
        Ok(value)
    }

    /// Caches data for a while.
    ///
    /// # Errors
    /// `Malformed` when it is larger than [`CACHE_BYTES`] or is to live longer than [`CACHE_SECONDS`].
    pub async fn cache_put(&mut self, key: &str, value: Vec<u8>, seconds: u32) -> Result<(), RecordsError> {
        identify::check(key)?;
        if value.len() > CACHE_BYTES || seconds > CACHE_SECONDS {
            return Err(RecordsError::Malformed(format!(
                "cached data has at most {CACHE_BYTES} bytes and {CACHE_SECONDS} seconds"
            )));
        }
        self.tally.bytes_written += value.len() as u64;
        let expires_at = self.now.plus(Duration::from_secs(u64::from(seconds)));
        self.stash.cached.insert(key.to_owned(), (value.into(), expires_at));
        Ok(())
    }

    /// A job of this customer and module; one that this run starts is queued.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn job(&mut self, reference: &str) -> Result<Option<JobView>, RecordsError> {
        if let Some(job) = self.jobs.iter().find(|job| job.id.as_str() == reference) {
            return Ok(Some(JobView {
                reference: job.id.clone(),
                state: JobState::Queued,
                progress: "{}".to_owned(),
                outcome: None,
                created: job.created_at,
                changed: job.created_at,
            }));
        }
        self.tally.rows_read += 1;
        let view = jobs::view(&self.store.database, &self.customer, Some(&self.schema.module), &JobId::from(reference))
            .await?;
        self.tally.bytes_read +=
            view.as_ref().and_then(|view| view.outcome.as_ref()).map_or(0, |text| text.len() as u64);
        Ok(view)
    }

    /// Starts work that goes on after the answer, when the call commits.
    ///
    /// # Errors
    /// `Malformed` when the payload is not a JSON object, `TooManyJobs` when the customer has [`MOST_OPEN`] already.
    pub async fn enqueue(&mut self, step: &str, payload: String) -> Result<JobId, RecordsError> {
        let object = payload.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(&payload).is_ok();
        if !object {
            return Err(RecordsError::Malformed("a payload is a JSON object".to_owned()));
        }
        let open = self.store.jobs.open_jobs(&self.customer).await?;
        if open + self.jobs.len() as u64 >= MOST_OPEN {
            return Err(RecordsError::TooManyJobs);
        }
        let id = JobId::new(self.store.database.entropy());
        self.tally.rows_written += 1;
        self.tally.bytes_written += payload.len() as u64;
        self.jobs.push(NewJob {
            id: id.clone(),
            step: step.to_owned(),
            payload,
            created_at: self.now,
            result_arguments: None,
            began_with: None,
            background: false,
        });
        Ok(id)
    }

    fn own_blob(&self, key: &str) -> Result<(), RecordsError> {
        identify::check(key)?;
        if self.schema.blob(key).0 != self.schema.module {
            return Err(RecordsError::Undeclared(format!("blob {key}: it is another module's")));
        }
        Ok(())
    }

    async fn blob(&mut self, key: &str) -> Result<Option<Arc<[u8]>>, RecordsError> {
        if let Some((open, bytes)) = &self.stash.open
            && open == key
        {
            return Ok(Some(bytes.clone()));
        }
        let deflated = match self.stash.blobs.get(key) {
            Some(content) => content.as_ref().map(|it| it.deflated.clone()),
            None => {
                let schema = self.schema.clone();
                let (module, key) = schema.blob(key);
                let sql = "SELECT c.deflated FROM blob b JOIN blob_content c ON c.customer = b.customer AND c.content = b.content \
                           WHERE b.customer = $1 AND b.module = $2 AND b.key = $3";
                let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(module);
                let row = self.reader().fetch_optional(query.bind(key)).await?;
                row.map(|row| row.try_get::<Vec<u8>, _>(0)).transpose()?
            }
        };
        let Some(deflated) = deflated else { return Ok(None) };
        let bytes: Arc<[u8]> = inflate(&deflated)?.into();
        self.stash.open = Some((key.to_owned(), bytes.clone()));
        Ok(Some(bytes))
    }
}

/// Bytes as they are stored.
pub(crate) fn deflate(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::fast());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map_err(|_| StoreError::Inconsistent("bytes that do not deflate"))
}

/// The bytes of a blob as they were given.
pub(crate) fn inflate(deflated: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let mut decoder = DeflateDecoder::new(deflated).take(BLOB_BYTES as u64 + 1);
    decoder.read_to_end(&mut bytes).map_err(|_| StoreError::Inconsistent("a blob that does not inflate"))?;
    Ok(bytes)
}
