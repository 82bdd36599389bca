//! Larger bytes: stored pages, files of an export.

use crate::host::Host;
use crate::{Cx, Fault, Result};

/// The blobs. Made by `Cx::blobs`.
pub struct Blobs<'a> {
    pub(crate) cx: &'a Cx,
}

impl Blobs<'_> {
    /// At most `length` bytes from `offset`; none when there is no such blob.
    pub fn read(&self, key: &str, offset: u64, length: u32) -> Option<Vec<u8>> {
        self.cx.host.blob_read(key, offset, length)
    }

    /// Keeps bytes, at most 8 MiB; committed with the call.
    pub fn write(&self, key: &str, bytes: &[u8]) -> Result<()> {
        self.cx.host.blob_write(key, bytes).map_err(|reason| Fault::refused("blob_refused", reason))
    }

    /// Takes a blob away, with the call; where there is none, nothing happens.
    pub fn remove(&self, key: &str) -> Result<()> {
        self.cx.host.blob_remove(key).map_err(|reason| Fault::refused("blob_refused", reason))
    }

    /// Keys that begin so, in the order of their bytes, from the first one past `after`: at most `limit`, and at most 1,000.
    pub fn keys(&self, prefix: &str, after: Option<&str>, limit: u32) -> Vec<String> {
        self.cx.host.blob_keys(prefix, after, limit)
    }
}
