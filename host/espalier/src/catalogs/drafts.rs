//! Drafts of the catalog: how one begins, how what was built is locked in it, and what was locked, kept for comparing.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use catalog::contracts;
use catalog::lock::Lock;
use catalog::revision::{Revision, Status, is_date};
use catalog::table;
use sandbox::inspect::{self, Inspection};

use super::Sources;
use crate::modules::{self, Built};

/// Which revisions are locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// The newest alone: what is served stays as it was reviewed.
    Newest,
    /// The one of this date.
    Of(&'a str),
    /// Every draft: for a project whose drafts are to offer the same components.
    All,
}

/// The dates of those revisions, before anything is built.
///
/// # Errors
/// There is no such revision, or the one that is meant is final.
pub fn chosen(catalog: &Path, which: Which<'_>) -> anyhow::Result<Vec<String>> {
    let dates = if catalog.is_dir() { Revision::dates(catalog)? } else { Vec::new() };
    let date = match (which, dates.last()) {
        (Which::All, None) => return Ok(vec![table::FIRST.to_owned(), table::SECOND.to_owned()]),
        (Which::All, Some(_)) => return Ok(dates),
        (Which::Newest, None) => return Ok(vec![table::SECOND.to_owned()]),
        (Which::Newest, Some(newest)) => newest.clone(),
        (Which::Of(date), _) if dates.iter().any(|known| known == date) => date.to_owned(),
        (Which::Of(date), _) => bail!("there is no revision {date}; `espalier catalog cut {date}` begins it"),
    };
    if Revision::standing(catalog, &date)?.status == Status::Final {
        bail!("{date} is final, left as it is; `espalier catalog cut DATE` begins the next one");
    }
    Ok(vec![date])
}

/// Writes the lock files of these revisions from built components. A final one among several is given back as it is.
///
/// # Errors
/// When a component cannot be read, there is no such revision, or that one is final.
pub fn lock(sources: &Sources, which: Which<'_>) -> anyhow::Result<Vec<Revision>> {
    let dates = chosen(&sources.catalog, which)?;
    let inspected = sources
        .built
        .iter()
        .map(|built| {
            let bytes = catalog::files::read(&built.path, catalog::files::COMPONENT)?;
            Ok(inspect::inspect(&bytes).with_context(|| built.name.clone())?.built)
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let locked = |date: String| {
        let mut revision = Revision::standing(&sources.catalog, &date)?;
        if revision.status == Status::Final {
            return Ok(revision);
        }
        let earlier = std::mem::take(&mut revision.locks);
        for built in &inspected {
            let name = built.manifest.module.clone();
            let lock = Lock::of(built, earlier.get(&name), |id| table::offers(&date, id));
            contracts::write(&sources.catalog.join(&date), &lock, &built.manifest)?;
            revision.locks.insert(name, lock);
        }
        revision.write(&sources.catalog)?;
        Ok(revision)
    };
    dates.into_iter().map(locked).collect()
}

/// Begins a revision: a draft with the locks of the newest one.
///
/// # Errors
/// The date is none or is not later than the newest, the newest is not as it was locked, or nothing can be written.
pub fn cut(catalog: &Path, date: &str) -> anyhow::Result<Revision> {
    if !is_date(date) {
        bail!("{date:?} is no date; a revision is called by its day, as 2026-11-23");
    }
    let dates = Revision::dates(catalog)?;
    let newest =
        dates.last().context("there is no revision to begin from; `espalier catalog lock` writes the first")?;
    if date <= newest.as_str() {
        bail!("{date} is not later than {newest}, which is the newest revision");
    }
    let mut revision = Revision::read(catalog, newest)?;
    revision.status = Status::Draft;
    date.clone_into(&mut revision.date);
    revision.write(catalog)?;
    for (name, lock) in &revision.locks {
        if let Some(manifest) = contracts::read(&catalog.join(newest), lock).with_context(|| name.clone())? {
            contracts::write(&catalog.join(date), lock, &manifest)?;
        }
    }
    Ok(revision)
}

/// Keeps the components that a workspace has locked in a revision, so that what is built next can be compared with them
/// contract by contract: a lock has only the hash of each.
///
/// # Errors
/// A file cannot be written.
pub fn keep(workspace: &Path, built: &[Built], date: &str) -> anyhow::Result<()> {
    for it in built {
        let to = kept_at(workspace, date, &it.name);
        let folder = to.parent().context("a folder is above it")?;
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        std::fs::copy(&it.path, &to).with_context(|| format!("{} cannot be written", to.display()))?;
    }
    Ok(())
}

/// The component that a revision locks, where it was kept here.
pub fn kept(workspace: &Path, date: &str, lock: &Lock) -> Option<Inspection> {
    let bytes = catalog::files::read(&kept_at(workspace, date, &lock.module), catalog::files::COMPONENT).ok()?;
    inspect::inspect(&bytes).ok().filter(|shown| shown.built.component == lock.component)
}

fn kept_at(workspace: &Path, date: &str, module: &str) -> PathBuf {
    modules::locked(workspace, date).join(format!("{module}.wasm"))
}
