//! What can be wrong with a catalog on disk.

use std::path::PathBuf;

use crate::trust::TrustError;

/// A catalog that cannot be used, and where.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A file or folder cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{file}:{line}: {message}")]
    Malformed {
        /// The file's name.
        file: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong, and with which value.
        message: String,
    },
    /// The folder was changed after it was locked.
    #[error(
        "{revision}: the locks hash to {found}, revision.toml says {stated}: a lock was changed, added or removed since they \
         were locked. What was shipped has to come again from who signed it; a draft of this workspace is locked anew by \
         `espalier catalog lock {revision}`"
    )]
    Changed {
        /// Which revision.
        revision: String,
        /// What the files hash to.
        found: String,
        /// What revision.toml says.
        stated: String,
    },
    /// A signing key cannot be made, read or used.
    #[error("the signing key: {cause}")]
    Key {
        /// Why; never the key.
        cause: String,
    },
    /// A signature does not count.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// Nobody who may has said yes to a revision.
    #[error("{0}")]
    Unapproved(String),
    /// Something a lock names is in no lock of the revision.
    #[error("{file}: {message}")]
    Dangling {
        /// The file's name.
        file: String,
        /// What is named and missing.
        message: String,
    },
}

impl CatalogError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |cause| Self::File { path, cause }
    }
}
