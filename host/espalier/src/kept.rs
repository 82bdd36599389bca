//! What was in force on this machine, kept in the data folder: a restart serves it and a step back finds it, whatever was put
//! into the folder of the modules meanwhile.
//!
//! Components are kept once, by their digest. The rest of a folder, locks and signatures, is kept under the digest of the
//! revision that was in force, so that a kept folder is a shipped one like any other: signatures are checked as ever.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use catalog::revision::Revision;
use catalog::trust::Trust;
use store::serving::Served;

use crate::catalogs::Sources;
use crate::registry::digest;

/// Revisions that are kept: what is in force, what was before it, and two more.
const MOST: usize = 4;

/// A file in each.
const SINCE: &str = ".since";

/// What is kept in a data folder.
#[derive(Clone, Debug)]
pub(crate) struct Kept(PathBuf);

impl Kept {
    /// In this data folder.
    pub(crate) fn of(data: &Path) -> Self {
        Self(data.join("kept"))
    }

    /// Where the revision with this digest is, or would be.
    fn place(&self, revision: &str) -> PathBuf {
        self.0.join("revisions").join(revision.trim_start_matches("sha256:"))
    }

    /// The sources of the revision with this digest, if they are kept here.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn sources(&self, revision: &str, trust: Arc<Trust>) -> anyhow::Result<Option<Sources>> {
        let place = self.place(revision);
        if place.is_dir() { Sources::shipped(&place, trust).map(Some) } else { Ok(None) }
    }

    /// Keeps the folder that this revision was loaded from. What is kept already is kept on, as the newest.
    ///
    /// # Errors
    /// When nothing can be written.
    pub(crate) fn keep(&self, sources: &Sources, revision: &Revision) -> anyhow::Result<()> {
        let place = self.place(&revision.hash());
        if sources.catalog.starts_with(&place) {
            return Ok(());
        }
        let Some(folder) = sources.catalog.parent().filter(|_| sources.trust.is_some()) else { return Ok(()) };
        let revisions = self.0.join("revisions");
        fs::create_dir_all(&revisions).with_context(|| format!("{} cannot be made", revisions.display()))?;
        if !place.is_dir() {
            // Whole or not at all: a folder that has its name has everything.
            let partial = tempfile::Builder::new().prefix(".").tempdir_in(&revisions)?;
            self.copy(folder, partial.path())?;
            match fs::rename(partial.path(), &place) {
                Ok(()) => drop(partial.keep()),
                // Another process was faster.
                Err(_) if place.is_dir() => {}
                Err(error) => return Err(error).with_context(|| format!("{} cannot be made", place.display())),
            }
        }
        // The time of this file says when it came into force last.
        fs::write(place.join(SINCE), "").with_context(|| format!("{} cannot be written", place.display()))?;
        self.prune()
    }

    /// As [`Kept::keep`], where a host serves all the same: it says in the log what it could not keep.
    pub(crate) fn keep_if_possible(&self, sources: &Sources, revision: &Revision) {
        if let Err(error) = self.keep(sources, revision) {
            let (revision, error) = (&*revision.date, format!("{error:#}"));
            tracing::warn!(revision, error, "what is in force cannot be kept here; a step back will need its folder");
        }
    }

    fn copy(&self, from: &Path, to: &Path) -> anyhow::Result<()> {
        let entries = fs::read_dir(from).with_context(|| format!("{} cannot be read", from.display()))?;
        for entry in entries {
            let (path, kind) = entry.and_then(|it| Ok((it.path(), it.file_type()?)))?;
            let there = to.join(path.file_name().unwrap_or_default());
            if kind.is_dir() {
                fs::create_dir(&there)?;
                self.copy(&path, &there)?;
            } else if path.extension().is_some_and(|it| it == "wasm") {
                self.component(&path, &there)?;
            } else if kind.is_file() {
                fs::copy(&path, &there)?;
            }
        }
        Ok(())
    }

    /// Keeps a component once, and puts it there under its name.
    fn component(&self, path: &Path, there: &Path) -> anyhow::Result<()> {
        let bytes = catalog::files::read(path, catalog::files::COMPONENT)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let components = self.0.join("components");
        fs::create_dir_all(&components)?;
        let kept = components.join(format!("{}.wasm", digest(&bytes).trim_start_matches("sha256:")));
        if !kept.is_file() {
            let mut partial = tempfile::NamedTempFile::new_in(&components)?;
            std::io::Write::write_all(&mut partial, &bytes)?;
            partial.persist(&kept)?;
        }
        fs::hard_link(&kept, there).or_else(|_| fs::copy(&kept, there).map(drop))?;
        Ok(())
    }

    /// Forgets what was in force long ago, and the components that only that had.
    fn prune(&self) -> anyhow::Result<()> {
        let mut revisions = Vec::new();
        for entry in fs::read_dir(self.0.join("revisions"))? {
            let entry = entry?;
            if !entry.file_name().to_string_lossy().starts_with('.') {
                let since = fs::metadata(entry.path().join(SINCE)).and_then(|it| it.modified());
                // Without the file it was not kept to its end.
                revisions.push((since.ok(), entry.path()));
            }
        }
        revisions.sort();
        let old = revisions.len().saturating_sub(MOST);
        if old == 0 {
            return Ok(());
        }
        revisions.drain(..old).try_for_each(|(_, path)| fs::remove_dir_all(path))?;
        let mut wanted = BTreeSet::new();
        for (_, path) in &revisions {
            for entry in fs::read_dir(path)? {
                let path = entry?.path();
                if path.extension().is_some_and(|it| it == "wasm") {
                    wanted.insert(digest(&fs::read(path)?).trim_start_matches("sha256:").to_owned());
                }
            }
        }
        for entry in fs::read_dir(self.0.join("components"))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|it| it == "wasm") && !wanted.contains(&name) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// What is in force and where it is: in the folder of the modules where that has these very bytes, or kept here. Without
/// either it is what the folder has under that date.
///
/// # Errors
/// When the revision is nowhere, or was changed after it was locked.
pub(crate) fn in_force(sources: &Sources, kept: &Kept, served: &Served) -> anyhow::Result<(Sources, Revision)> {
    let there = sources.revision(Some(&served.date));
    let (Some(digest), Some(trust)) = (&served.digest, &sources.trust) else { return Ok((sources.clone(), there?)) };
    if let Ok(revision) = there.as_ref()
        && revision.hash() == *digest
    {
        return Ok((sources.clone(), there?));
    }
    match kept.sources(digest, Arc::clone(trust))? {
        Some(sources) => {
            let revision = sources.revision(Some(&served.date))?;
            Ok((sources, revision))
        }
        None => Ok((sources.clone(), there?)),
    }
}

#[cfg(test)]
mod tests;
