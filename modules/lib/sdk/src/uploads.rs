//! Files that the customer hands over outside of a call: logs and tables too large for arguments.

use crate::bindings::wit::{uploads as wit, uploads_write as write};
use crate::host::Edges as _;
use crate::value::{Id, Moment};
use crate::{Cx, Fault, Result};

/// Where an upload stands.
pub use crate::bindings::wit::uploads::State as UploadState;

/// What is asked for. Defaults: 100 MiB, any of the types given, an hour.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct UploadRequest(write::Request);

impl UploadRequest {
    /// Asks for a file of one of these media types, in lower case; `purpose` is the module's own word for it.
    pub fn new(purpose: &str, media_types: &[&str]) -> Self {
        Self(write::Request {
            purpose: purpose.to_owned(),
            max_bytes: 100 << 20,
            media_types: media_types.iter().map(|it| (*it).to_owned()).collect(),
            life_seconds: 3_600,
        })
    }

    /// Bytes that the file may have.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.0.max_bytes = bytes;
        self
    }

    /// Seconds for which the address can be used, at most 86,400.
    pub fn seconds(mut self, seconds: u32) -> Self {
        self.0.life_seconds = seconds;
        self
    }
}

/// An upload that was just opened.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenedUpload {
    /// For records and later calls.
    pub id: Id<Upload>,
    /// Where the file is put, once, by PUT. For the customer only; it is not kept, so put it into no record.
    pub url: String,
    /// Until when.
    pub expires: Moment,
}

/// An upload of the own module and customer.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload {
    /// Where it stands.
    pub state: UploadState,
    /// The module's own word.
    pub purpose: String,
    /// Bytes as they were sent; 0 before the file is here.
    pub bytes: u64,
    /// SHA-256 of them, in lower-case hex.
    pub sha256: Option<String>,
    /// What the sender says it is.
    pub media_type: Option<String>,
    /// Whether the bytes are gzip, as they came.
    pub is_gzip: bool,
    /// Until when the file is kept.
    pub kept: Moment,
}

/// The uploads. Made by `Cx::uploads`.
pub struct Uploads<'a> {
    pub(crate) cx: &'a Cx,
}

impl Uploads<'_> {
    /// Asks for a file; committed with the call. 409 `uploads_full` when the customer has too many.
    pub fn open(&self, request: &UploadRequest) -> Result<OpenedUpload> {
        let opened = self.cx.host.upload_open(&request.0).map_err(|error| match error {
            write::OpenError::Malformed(reason) => Fault::refused("upload_refused", reason),
            write::OpenError::Full(reason) => Fault::conflict("uploads_full", reason),
        })?;
        Ok(OpenedUpload {
            id: Id::new(opened.reference),
            url: opened.url,
            expires: Moment::from_millis(opened.expires),
        })
    }

    /// The upload with this reference; 404 `upload_not_found` without one.
    pub fn get(&self, id: &Id<Upload>) -> Result<Upload> {
        self.find(id).ok_or_else(|| Fault::not_found("upload_not_found", "there is no such upload"))
    }

    /// The upload with this reference, if there is one.
    pub fn find(&self, id: &Id<Upload>) -> Option<Upload> {
        self.cx.host.upload_info(id.as_str()).map(|it| {
            let wit::Upload { state, purpose, bytes, sha256, media_type, encoding, closes: _, kept } = it;
            let is_gzip = encoding.as_deref() == Some("gzip");
            Upload { state, purpose, bytes, sha256, media_type, is_gzip, kept: Moment::from_millis(kept) }
        })
    }

    /// Some bytes from `offset`, at most `length` and 1 MiB; none: the file is not here. Nothing: it ends before.
    pub fn read(&self, id: &Id<Upload>, offset: u64, length: u32) -> Option<Vec<u8>> {
        self.cx.host.upload_read(id.as_str(), offset, length)
    }
}
