//! What is shipped goes by an OCI registry: a folder of components, locks, signatures and approvals is one artifact,
//! known by its digest.
//!
//! Pushing is `oci-client`'s. Reading is ours, over the same HTTP client: that crate reads a manifest, a token and a
//! refusal however long they are, and gives a password to any address that a registry names. Nothing that a registry
//! says is believed: bytes count by their digest, and what they are by the signatures in them.

mod address;
mod content;
mod door;
mod login;
mod pass;
mod pull;
mod push;

pub use address::Address;
pub use content::{Artifact, Files, Item};
pub use door::{Door, Purpose};
pub use login::Login;
pub use pull::pull;
pub use push::{Push, push};

use model::token::hex;
use sha2::{Digest as _, Sha256};

/// How a registry names bytes: `sha256:` and the hex of their hash.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// Whether a text is a digest in its one form: 64 hex digits, all of them small.
pub(crate) fn is_digest(text: &str) -> bool {
    let hex = text.strip_prefix("sha256:").unwrap_or_default();
    hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
