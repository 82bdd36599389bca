//! `cache`: derived data that may be evicted at any time. The only store that a `read` function may write to.

use crate::bindings::cache;
use crate::state::State;
use crate::stop::{LimitKind, Stop};

const MOST_VALUE: usize = 1 << 20;
/// Bytes that one run may write.
const MOST_BYTES: u64 = 16 << 20;
/// Seven days in seconds.
const LONGEST: u32 = 7 * 24 * 3_600;
const MOST_KEY: usize = 256;

impl cache::Host for State {
    async fn get(&mut self, key: String) -> wasmtime::Result<Option<Vec<u8>>> {
        self.enter()?;
        let got = self.span.bound(self.workspace.cache_get(&key)).await;
        Ok(self.known(got)?.ok().flatten())
    }

    async fn put(&mut self, key: String, value: Vec<u8>, seconds: u32) -> wasmtime::Result<()> {
        self.enter()?;
        self.used.cache_bytes += value.len() as u64;
        if value.len() > MOST_VALUE || self.used.cache_bytes > MOST_BYTES || key.len() > MOST_KEY {
            return Err(self.end(Stop::Limit(LimitKind::CacheBytes)));
        }
        self.weigh_with(value.len())?;
        let put = self.span.bound(self.workspace.cache_put(&key, value, seconds.min(LONGEST))).await;
        self.known(put)?.ok();
        Ok(())
    }
}
