//! Functions that the engine has compiled, kept for whoever saves a module again and again: of a save most are as they
//! were. In memory only, and gone with the process.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use wasmtime::CacheStore;

/// Bytes that are kept; a large module's functions are some forty million of them.
const MOST: usize = 512 << 20;

/// Compiled functions by what they were compiled from.
#[derive(Default)]
pub(crate) struct Functions(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by_key: HashMap<Box<[u8]>, Vec<u8>>,
    bytes: usize,
}

impl Functions {
    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl CacheStore for Functions {
    fn get(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        self.with(|kept| kept.by_key.get(key).cloned()).map(Cow::Owned)
    }

    fn insert(&self, key: &[u8], value: Vec<u8>) -> bool {
        self.with(|kept| {
            // What was saved hours ago has no use; all of it goes, since the next save makes the rest again.
            if kept.bytes + value.len() > MOST {
                *kept = Kept::default();
            }
            kept.bytes += value.len();
            kept.by_key.insert(key.into(), value);
        });
        true
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Functions")
    }
}
