//! `blobs` and `blobs-write`: large values of this module and customer.

use crate::bindings::{blobs, blobs_write};
use crate::state::State;
use crate::stop::{LimitKind, Stop};

const MOST_BLOB: usize = 8 << 20;
/// Bytes of all blobs that one run may write.
const MOST_WRITTEN: u64 = 64 << 20;
const MOST_KEY: usize = 256;

impl blobs::Host for State {
    async fn read(&mut self, key: String, offset: u64, length: u32) -> wasmtime::Result<Option<Vec<u8>>> {
        self.enter()?;
        let read = self.span.bound(self.workspace.blob_read(&key, offset, length.min(MOST_BLOB as u32))).await;
        Ok(self.known(read)?.ok().flatten())
    }

    async fn keys(&mut self, prefix: String, after: Option<String>, limit: u32) -> wasmtime::Result<Vec<String>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.blob_keys(&prefix, after.as_deref(), limit)).await;
        Ok(self.known(found)?.unwrap_or_default())
    }
}

impl blobs_write::Host for State {
    async fn write(&mut self, key: String, bytes: Vec<u8>) -> wasmtime::Result<Result<(), String>> {
        self.enter_changing()?;
        if bytes.len() > MOST_BLOB {
            return Ok(Err("a blob has at most 8 MiB".to_owned()));
        }
        if key.is_empty() || key.len() > MOST_KEY {
            return Ok(Err("a blob's key has 1 to 256 bytes".to_owned()));
        }
        self.used.blob_written += bytes.len() as u64;
        if self.used.blob_written > MOST_WRITTEN {
            return Err(self.end(Stop::Limit(LimitKind::BytesWritten)));
        }
        self.weigh_with(bytes.len())?;
        let written = self.span.bound(self.workspace.blob_write(&key, bytes)).await;
        Ok(self.known(written)?.map(drop).map_err(|error| error.to_string()))
    }

    async fn remove(&mut self, key: String) -> wasmtime::Result<Result<(), String>> {
        self.enter_changing()?;
        let removed = self.workspace.blob_remove(&key);
        Ok(self.known(Ok(removed))?.map_err(|error| error.to_string()))
    }
}
