//! Derived data of the own module and customer: can vanish at any time, never the only copy of anything.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Cx;
use crate::host::Host;

/// The cache. Made by `Cx::cache`.
pub struct Cache<'a> {
    pub(crate) cx: &'a Cx,
}

impl Cache<'_> {
    /// What was put under the key, unless it has vanished or no longer reads as `T`.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_slice(&self.cx.host.cache_get(key)?).ok()
    }

    /// Keeps a value for at most `seconds`, which are at most 7 days; at most 1 MiB.
    pub fn put(&self, key: &str, value: &impl Serialize, seconds: u32) {
        self.cx.host.cache_put(key, crate::entry::written(value).as_bytes(), seconds);
    }
}
