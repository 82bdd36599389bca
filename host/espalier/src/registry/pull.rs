//! Fetching the files of an artifact: into a folder that nobody looks into yet, each by its digest.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::content::Item;
use super::door::Door;
use crate::archive;

/// Files on their way at once: as many are in memory.
const AT_ONCE: usize = 4;

/// Fetches these files into a folder that is there and empty. Bytes are written when their size and digest are right.
///
/// # Errors
/// A file cannot be had as the manifest describes it, or not be written. What the folder holds then is of no use.
pub async fn pull(door: &Door, items: &[Item], into: &Path) -> anyhow::Result<()> {
    let fetched = items.iter().map(|item| file(door, item, into));
    stream::iter(fetched).buffer_unordered(AT_ONCE).try_collect::<()>().await
}

async fn file(door: &Door, item: &Item, into: &Path) -> anyhow::Result<()> {
    let bytes = door.blob(&item.digest, item.size, &item.title).await?;
    write(&into.join(&item.title), &bytes)
}

/// Writes a file that is not there yet, with its folders.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let unwritten = || format!("{} cannot be written", path.display());
    std::fs::create_dir_all(archive::folder_of(path)).with_context(unwritten)?;
    let mut file = std::fs::File::create_new(path).with_context(unwritten)?;
    file.write_all(bytes).with_context(unwritten)?;
    file.sync_all().with_context(unwritten)
}
