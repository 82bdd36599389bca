//! Arguments that a contract marks secret. For one call, the guest gets a handle of each and the host keeps the value.

use std::collections::BTreeMap;
use std::fmt;

use model::clock::Entropy;
use model::id::base32;
use zeroize::Zeroizing;

/// The secret arguments of one call by their handles. `Debug` shows none of them, and they are zeroed on drop.
#[derive(Clone, Default)]
pub struct Secrets(BTreeMap<String, Zeroizing<String>>);

impl Secrets {
    /// Stores a value, as JSON text unless it is a string. Returns the handle that replaces it.
    pub fn keep(&mut self, value: Zeroizing<String>, entropy: &dyn Entropy) -> String {
        let handle = format!("secret_{}", base32(&entropy.array::<16>()));
        self.0.insert(handle.clone(), value);
        handle
    }

    pub(crate) fn get(&self, handle: &str) -> Option<&str> {
        self.0.get(handle).map(|value| value.as_str())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}
