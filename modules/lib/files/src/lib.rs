//! Tables and other files that a customer hands over: opening an upload, and reading it whole.
//!
//! For files that fit into memory. Larger ones are read in steps by [`sdk::Upload`] alone.

use std::io::Read as _;

use sdk::prelude::*;
use sdk::{Upload, UploadRequest, UploadState};

/// Bytes of a file, packed and unpacked.
pub const MAX_BYTES: u64 = 20 << 20;
/// Bytes that are read at once.
const CHUNK: u32 = 1 << 20;

/// An upload to put a file to.
#[value]
pub struct Open {
    upload_ref: Id<Upload>,
    /// Where the file is put, once, by PUT.
    #[own]
    url: String,
    expires_at: Moment,
    #[own]
    media_types: Vec<String>,
}

impl Open {
    /// Opens an upload for a file of one of these kinds; `purpose` is the module's own word for it.
    ///
    /// # Errors
    /// 409 `uploads_full`.
    pub fn of(cx: &Cx, purpose: &str, media_types: &[&str]) -> Result<Self> {
        let opened = cx.uploads().open(&UploadRequest::new(purpose, media_types).max_bytes(MAX_BYTES))?;
        let media_types = media_types.iter().map(|it| (*it).to_owned()).collect();
        Ok(Self { upload_ref: opened.id, url: opened.url, expires_at: opened.expires, media_types })
    }

    /// The upload.
    #[must_use]
    pub fn reference(&self) -> &Id<Upload> {
        &self.upload_ref
    }
}

/// The whole file of the argument `upload_ref`, unpacked when it is gzip.
///
/// # Errors
/// 404 `upload_not_found`; 409 `upload_waiting` and `upload_gone`, also when the file cannot be read to its end; 422
/// `not_unpacked` and `file_too_large`.
pub fn read(cx: &Cx, reference: &Id<Upload>) -> Result<Vec<u8>> {
    whole(cx, reference).map_err(|fault| fault.at("/upload_ref"))
}

fn whole(cx: &Cx, reference: &Id<Upload>) -> Result<Vec<u8>> {
    let upload = cx.uploads().get(reference)?;
    let gone = || Fault::conflict("upload_gone", "the upload has ended; open another one");
    match upload.state {
        UploadState::Complete => {}
        UploadState::Waiting => {
            let message = "the file was not sent yet; put it to the upload's address first";
            return Err(Fault::conflict("upload_waiting", message));
        }
        _ => return Err(gone()),
    }
    let too_large = || {
        let message = format!("the file has more than {} MB; divide it", MAX_BYTES >> 20);
        Fault::invalid("", "file_too_large", message)
    };
    if upload.bytes > MAX_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < upload.bytes {
        // A part of a table would be taken for the whole of it.
        let chunk = cx.uploads().read(reference, bytes.len() as u64, CHUNK).filter(|it| !it.is_empty());
        bytes.extend(chunk.ok_or_else(gone)?);
    }
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let unpacked = flate2::read::MultiGzDecoder::new(bytes.as_slice()).take(MAX_BYTES + 1).read_to_end(&mut plain);
    unpacked.map_err(|_| Fault::invalid("", "not_unpacked", "the file is packed and cannot be unpacked"))?;
    if plain.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(plain) }
}
