//! Files that customers hand over, as a run opens and reads them.

use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use model::edges::UploadLimits;
use model::id::UploadId;
use model::token::{Purpose, Secret};
use sqlx::{Any, Row as _};

use super::RecordsError;
use super::workspace::Workspace;
use crate::edges::change::EdgeChange;
use crate::edges::uploads::{CHUNK, NewUpload};

/// The longest that an address can be used.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);
/// Media types that one upload may name.
const MOST_TYPES: usize = 10;

/// What a run wants to have handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedUpload {
    /// The module's own word for it.
    pub purpose: String,
    /// Bytes that it may have.
    pub most_bytes: u64,
    /// What it may be, such as `text/csv`.
    pub media_types: Vec<String>,
    /// How long the address can be used.
    pub life: Duration,
}

/// Why nothing was opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// What was asked for cannot be; the reason.
    #[error("{0}")]
    Malformed(String),
    /// So many addresses of the customer wait already.
    #[error("{0} uploads wait for their file already")]
    Waiting(u64),
    /// The customer's files have so many bytes together.
    #[error("the files that are kept have {0} bytes together")]
    Full(u64),
    /// The database.
    #[error(transparent)]
    Store(#[from] RecordsError),
}

/// Where an upload stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadState {
    /// Nothing was handed over yet.
    Waiting,
    /// The file is here.
    Complete,
    /// Nothing was handed over in time.
    Expired,
}

/// An upload as its module sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadView {
    /// Where it stands.
    pub state: UploadState,
    /// The module's own word.
    pub purpose: String,
    /// Bytes that the file has; 0 before it is here.
    pub bytes: u64,
    /// SHA-256 of them in hex.
    pub sha256: Option<String>,
    /// What the file says it is.
    pub media_type: Option<String>,
    /// `gzip`, where it came so.
    pub encoding: Option<String>,
    /// Until when it can be handed over.
    pub closes: Moment,
    /// Until when it is kept.
    pub kept: Moment,
}

/// The chunk that was read last: a file is usually read from its beginning to its end.
#[derive(Debug)]
pub(super) struct OpenChunk {
    upload: String,
    bytes: u64,
    receipt: String,
    place: u64,
    chunk: Arc<[u8]>,
}

impl Workspace {
    /// Opens an upload: a name for the module, and the secret of the address, which is shown this once.
    ///
    /// # Errors
    /// `Malformed`; `Waiting` or `Full` where the customer has too much already.
    pub async fn open_upload(
        &mut self,
        wanted: WantedUpload,
        limits: &UploadLimits,
    ) -> Result<(UploadId, Secret, Moment), OpenError> {
        check(&wanted, limits).map_err(OpenError::Malformed)?;
        let (waiting, bytes) = self.uploads_together().await?;
        if waiting >= limits.waiting {
            return Err(OpenError::Waiting(waiting));
        }
        if bytes.saturating_add(wanted.most_bytes) > limits.customer_bytes {
            return Err(OpenError::Full(bytes));
        }
        let id = UploadId::new(self.store.database.entropy());
        let secret = Secret::new(Purpose::Upload, self.store.database.entropy());
        let closes_at = self.now.plus(wanted.life);
        self.tally.rows_written += 1;
        self.edges.push(EdgeChange::OpenUpload(NewUpload {
            id: id.clone(),
            token: secret.hash(),
            purpose: wanted.purpose,
            media_types: wanted.media_types,
            most_bytes: wanted.most_bytes,
            opened_at: self.now,
            closes_at,
        }));
        Ok((id, secret, closes_at))
    }

    /// Where an upload of this customer and module stands.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn upload(&mut self, reference: &str) -> Result<Option<UploadView>, RecordsError> {
        self.tally.rows_read += 1;
        let opened = self.edges.iter().find_map(|change| match change {
            EdgeChange::OpenUpload(upload) if upload.id.as_str() == reference => Some(upload),
            _ => None,
        });
        if let Some(upload) = opened {
            return Ok(Some(UploadView {
                state: UploadState::Waiting,
                purpose: upload.purpose.clone(),
                bytes: 0,
                sha256: None,
                media_type: None,
                encoding: None,
                closes: upload.closes_at,
                kept: upload.closes_at,
            }));
        }
        let sql = "SELECT state, purpose, bytes, sha256, media_type, encoding, closes_at, kept_until \
                   FROM upload WHERE customer = $1 AND upload = $2 AND module = $3";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(reference);
        let row = self.reader().fetch_optional(query.bind(self.schema.module.as_str())).await?;
        let Some(row) = row else { return Ok(None) };
        let closes = Moment(row.try_get("closes_at")?);
        Ok(Some(UploadView {
            state: match row.try_get::<String, _>("state")?.as_str() {
                "complete" => UploadState::Complete,
                "waiting" if closes <= self.now => UploadState::Expired,
                _ => UploadState::Waiting,
            },
            purpose: row.try_get("purpose")?,
            bytes: row.try_get::<Option<i64>, _>("bytes")?.unwrap_or(0).unsigned_abs(),
            sha256: row.try_get("sha256")?,
            media_type: row.try_get("media_type")?,
            encoding: row.try_get("encoding")?,
            closes,
            kept: Moment(row.try_get("kept_until")?),
        }))
    }

    /// At most `length` bytes of a file from `offset`, and at most to the end of a chunk; none: it is not here.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn upload_read(
        &mut self,
        reference: &str,
        offset: u64,
        length: u32,
    ) -> Result<Option<Vec<u8>>, RecordsError> {
        let place = offset / CHUNK as u64;
        let at_hand = self.stash.chunk.as_ref().filter(|open| open.upload == reference);
        let known = at_hand.map(|open| (open.bytes, open.receipt.clone()));
        let (bytes, receipt) = match known {
            Some(known) => known,
            None => match self.complete(reference).await? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        if offset >= bytes {
            return Ok(Some(Vec::new()));
        }
        let at_hand = self.stash.chunk.as_ref().filter(|open| open.upload == reference && open.place == place);
        let chunk = match at_hand {
            Some(open) => open.chunk.clone(),
            None => self.chunk(reference, &receipt, place).await?.into(),
        };
        let from = usize::try_from(offset % CHUNK as u64).unwrap_or(CHUNK).min(chunk.len());
        let to = from.saturating_add(length as usize).min(chunk.len());
        self.tally.bytes_read += (to - from) as u64;
        let read = chunk[from..to].to_vec();
        self.stash.chunk = Some(OpenChunk { upload: reference.to_owned(), bytes, receipt, place, chunk });
        Ok(Some(read))
    }

    async fn complete(&mut self, reference: &str) -> Result<Option<(u64, String)>, RecordsError> {
        let sql = "SELECT bytes, receipt FROM upload \
                   WHERE customer = $1 AND upload = $2 AND module = $3 AND state = 'complete'";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(reference);
        let row = self.reader().fetch_optional(query.bind(self.schema.module.as_str())).await?;
        row.map(|row| Ok((row.try_get::<i64, _>("bytes")?.unsigned_abs(), row.try_get("receipt")?))).transpose()
    }

    async fn chunk(&self, reference: &str, receipt: &str, place: u64) -> Result<Vec<u8>, RecordsError> {
        let sql = "SELECT bytes FROM upload_chunk WHERE customer = $1 AND upload = $2 AND receipt = $3 AND place = $4";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(reference).bind(receipt);
        let row = self.reader().fetch_one(query.bind(crate::edges::uploads::whole(place))).await?;
        Ok(row.try_get("bytes")?)
    }

    /// Uploads that wait, with those of this run, and the bytes of all files of the customer.
    async fn uploads_together(&self) -> Result<(u64, u64), RecordsError> {
        let sql = "SELECT COUNT(CASE WHEN state <> 'complete' AND closes_at > $2 THEN 1 END) AS waiting, \
                   CAST(COALESCE(SUM(CASE WHEN state = 'complete' THEN bytes END), 0) AS BIGINT) AS together \
                   FROM upload WHERE customer = $1";
        let query = sqlx::query::<Any>(sql).bind(self.customer.as_str()).bind(self.now.0);
        let row = self.reader().fetch_one(query).await?;
        let ours = self.edges.iter().filter(|change| matches!(change, EdgeChange::OpenUpload(_))).count();
        let waiting = row.try_get::<i64, _>("waiting")?.unsigned_abs() + ours as u64;
        Ok((waiting, row.try_get::<i64, _>("together")?.unsigned_abs()))
    }
}

fn check(wanted: &WantedUpload, limits: &UploadLimits) -> Result<(), String> {
    if wanted.purpose.is_empty() || wanted.purpose.len() > 64 || wanted.purpose.chars().any(char::is_control) {
        return Err("a purpose has 1 to 64 bytes and no control characters".to_owned());
    }
    if wanted.most_bytes == 0 || wanted.most_bytes > limits.file_bytes {
        return Err(format!("a file has 1 to {} bytes", limits.file_bytes));
    }
    if wanted.life.is_zero() || wanted.life > LONGEST {
        return Err("an address can be used for 1 second to 24 hours".to_owned());
    }
    if wanted.media_types.is_empty() || wanted.media_types.len() > MOST_TYPES {
        return Err(format!("1 to {MOST_TYPES} media types say what a file may be"));
    }
    match wanted.media_types.iter().find(|text| !is_media_type(text)) {
        Some(wrong) => Err(format!("{wrong:?} is not a media type such as text/csv, in lower case")),
        None => Ok(()),
    }
}

/// A type and a subtype of RFC 6838 4.2, in lower case.
pub(crate) fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        (1..=127).contains(&name.len())
            && name.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
            && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || b"!#$&-^_.+".contains(&it))
    };
    text.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype))
}
