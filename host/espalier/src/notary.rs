//! The key that signs the audit trail, and the file of its notes: both in the data folder, neither in the database.

use std::path::PathBuf;

use model::note::NoteSigner;
use service::checkpoint::{Notary, SIGNED_AS};

use crate::settings::Settings;

/// The key's name: `audit.key`.
const KEY: &str = "audit";

/// Who signs. The key is made when it is first needed; nodes of one database need the same one.
///
/// # Errors
/// When the key cannot be read or made.
pub fn notary(settings: &Settings) -> anyhow::Result<Notary> {
    Ok(Notary { signer: NoteSigner::new(SIGNED_AS, &settings.key(KEY)?), file: notes(settings) })
}

/// Where the key is.
pub(crate) fn key(settings: &Settings) -> PathBuf {
    settings.data_dir.join(format!("{KEY}.key"))
}

/// Where the notes are.
pub(crate) fn notes(settings: &Settings) -> PathBuf {
    settings.data_dir.join("audit-checkpoints.txt")
}
