//! Arguments that a contract marks secret: the guest has a handle of each, the host has the value, for one call.

use std::collections::BTreeMap;
use std::fmt;

use model::clock::Entropy;
use model::id::base32;
use zeroize::Zeroizing;

/// The secret arguments of one call by their handles. Shows nothing of them, and overwrites them when it is dropped.
#[derive(Clone, Default)]
pub struct Secrets(BTreeMap<String, Zeroizing<String>>);

impl Secrets {
    /// Keeps a value, as JSON text unless it is a text itself. Returns the handle that stands in its place.
    pub fn keep(&mut self, value: Zeroizing<String>, entropy: &dyn Entropy) -> String {
        let handle = format!("secret_{}", base32(&entropy.array::<16>()));
        self.0.insert(handle.clone(), value);
        handle
    }

    /// The value behind a handle.
    pub(crate) fn get(&self, handle: &str) -> Option<&str> {
        self.0.get(handle).map(|value| value.as_str())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}
