//! `espalier backup`: database and keys in one file, while a host may be serving.

use std::path::Path;

use anyhow::{Context as _, bail};
use model::clock::{Clock as _, SystemClock};
use serde_json::json;
use store::database::backup::{self, Place as Where};

use super::Say;
use crate::archive;
use crate::cli::Place;
use crate::keys::Source;
use crate::settings::Settings;

/// The database, as a backup calls it.
pub(super) const DATABASE: &str = "espalier.db";
/// Whether a file of the data folder goes with the database.
pub(super) fn is_companion(name: &str) -> bool {
    is_key(name) || name == NOTES
}

/// The key ring of a data folder.
pub(super) const RING: &str = "keys.toml";

/// Whether a file of the data folder is a key without which the database is of less use: what was sealed would not
/// open, what is signed would be signed by another. The key of compiled components stays where it is: they are made
/// again, and whoever has it can make a host run native code.
fn is_key(name: &str) -> bool {
    let key = name.strip_suffix(".key").is_some_and(|stem| {
        !stem.is_empty() && stem != "artefacts" && stem.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    });
    key || name == RING
}

/// The signed notes about the audit trail. They belong to the database: another's would call it forged.
pub(super) const NOTES: &str = "audit-checkpoints.txt";

/// The names of the files in a folder that go with its database.
pub(super) fn companions(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        names.extend(name.to_str().filter(|name| is_companion(name)).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

pub(super) async fn run(place: &Place, file: &Path, say: Say) -> anyhow::Result<()> {
    let settings = Settings::read(place)?;
    let database = match backup::place(&settings.database)? {
        Where::File(database) => database,
        Where::Server(server) => bail!(
            "a database on a server is saved by its own tools: pg_dump --format=custom --exclude-table-data=transcript {server} --file={}; \
             and keep {} with it",
            quoted(file),
            settings.data_dir.join(RING).display()
        ),
    };
    let folder = archive::folder_of(file);
    // The database writes its copy with the rights that it likes; the folder is the owner's alone.
    let half = tempfile::Builder::new()
        .prefix(".espalier-backup-")
        .tempdir_in(folder)
        .with_context(|| format!("{} cannot be written to", folder.display()))?;
    let made_at = SystemClock.now().rfc3339();
    let copy = half.path().join(DATABASE);
    // The notes before the database: what they say was committed before.
    let notes = half.path().join(NOTES);
    match std::fs::copy(settings.data_dir.join(NOTES), &notes) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).context("the notes about the audit trail cannot be read"),
    }
    backup::copy(&database, &copy).await.context("the database cannot be copied")?;
    // The keys after the database: whatever it holds was sealed by a key that is there by now.
    let mut keys = companions(&settings.data_dir)?;
    keys.retain(|name| is_key(name));
    let mut parts = vec![(DATABASE, copy)];
    parts.extend(keys.iter().map(|name| (name.as_str(), settings.data_dir.join(name))));
    if notes.is_file() {
        parts.push((NOTES, notes));
    }
    let elsewhere = match settings.key_ring {
        Source::Folder(_) => "",
        Source::File(_) | Source::Text(_) => " The key ring is kept elsewhere: save it as well.",
    };
    let bytes = archive::pack(file, made_at.clone(), &parts)?;
    let value = json!({ "file": file, "bytes": bytes, "made_at": made_at, "keys": keys });
    let words = format!("saved {bytes} bytes in {}. Keep it like a password.{elsewhere}", file.display());
    say.value(&value, &words);
    Ok(())
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
