//! The public edges: where they are, how long their codes are, and how much they take.

use std::sync::Arc;

use serde::Deserialize;

/// What a run has to know of the edges.
#[derive(Clone, Debug)]
pub struct Edges {
    /// Scheme and authority that the public uses, without a trailing slash.
    pub public_url: Arc<str>,
    /// How much may be handed over.
    pub uploads: UploadLimits,
}

impl Edges {
    /// Where a file is put.
    pub fn upload(&self, token: &str) -> String {
        format!("{}/uploads/{token}", self.public_url)
    }

    /// Where a tracked redirect stands.
    pub fn link(&self, code: &str) -> String {
        format!("{}/l/{code}", self.public_url)
    }

    /// Where a recipient unsubscribes.
    pub fn unsubscribe(&self, token: &str) -> String {
        format!("{}/u/{token}", self.public_url)
    }

    /// Where a recipient says whether they want mail.
    pub fn confirm(&self, token: &str) -> String {
        format!("{}/c/{token}", self.public_url)
    }

    /// Where a customer is told what is about to be connected, and goes on to the provider.
    pub fn consent(&self, reference: &str) -> String {
        format!("{}/connect/{reference}", self.public_url)
    }

    /// Where a shared blob is seen.
    pub fn share(&self, token: &str) -> String {
        format!("{}/r/{token}", self.public_url)
    }
}

/// How much customers may hand over.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UploadLimits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files that are kept for one customer.
    pub customer_bytes: u64,
    /// Addresses of one customer that wait for a file at the same time.
    pub waiting: u64,
    /// Days for which a file is kept.
    pub kept_days: u64,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self { file_bytes: 1 << 30, customer_bytes: 4 << 30, waiting: 20, kept_days: 7 }
    }
}
