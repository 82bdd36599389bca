//! Removing for good: what would go, and a hash that says that it is still what was shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::value::Text;
use crate::{Fault, Result, Stored};

/// What a removal takes, counted. The hash is an optional guard: without it the operation acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// Rows that would go, by collection.
    pub counts: BTreeMap<String, u64>,
    /// Stands for these counts and this state of the thing: 32 hexadecimal digits.
    pub hash: String,
}

impl Confirmation {
    /// Of a thing as it is now.
    pub fn of<T>(thing: &Stored<T>, counts: BTreeMap<String, u64>) -> Self {
        let terms = json!({ "id": thing.id, "version": thing.version, "counts": counts }).to_string();
        let mut hash = String::with_capacity(32);
        for byte in &Sha256::digest(terms.as_bytes())[..16] {
            write!(hash, "{byte:02x}").expect("a string grows");
        }
        Self { counts, hash }
    }

    /// Whether the hash of an earlier preview, if one was given as `confirm_hash`, is still true.
    ///
    /// # Errors
    /// 409 `confirm_hash_changed` with the new counts and their hash; `what` is the thing in a word.
    pub fn check(&self, given: Option<&Text<1, 64>>, what: &str) -> Result<()> {
        if given.is_none_or(|it| it.as_str() == self.hash) {
            return Ok(());
        }
        let message = format!("the {what} has changed since the hash was made; look at the new counts and call again");
        Err(Fault::conflict("confirm_hash_changed", message)
            .at("/confirm_hash")
            .detail(json!({ "counts": self.counts, "confirm_hash": self.hash })))
    }
}
