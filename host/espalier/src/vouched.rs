//! Whether a shipped folder is whole and whose word stands for it, without loading any of it: what is asked before it is
//! published, and before it is put where a host would find it.

use anyhow::{Context as _, bail};
use catalog::approval;
use catalog::revision::Revision;
use catalog::trust::{self, Trust};

use crate::catalogs::{Sources, believed};
use crate::registry::digest;

/// A revision in a folder, and whose word stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// Its date.
    pub date: String,
    /// Who has signed it.
    pub signer: String,
    /// Who has approved it as it stands. Only the newest must have somebody: it is what a host serves.
    pub approved: Vec<String>,
}

/// Checks every signature in a folder, and the approval of what a host would serve out of it.
///
/// # Errors
/// One does not count, something is missing, or the newest revision locks other components.
pub fn vouched(sources: &Sources, trust: &Trust) -> anyhow::Result<Vec<Vouched>> {
    let mut vouched = Vec::new();
    let revisions = revisions(sources)?;
    for built in &sources.built {
        believed(trust, &built.name, &built.path)?;
    }
    for (at, revision) in revisions.iter().enumerate() {
        let signer = revision.signed(&sources.catalog, trust)?.to_owned();
        let newest = at + 1 == revisions.len();
        let approved = match approval::of(&sources.catalog, revision, trust) {
            Ok(approvals) => approvals.into_iter().map(|it| it.signer).collect(),
            Err(error) if newest => return Err(error.into()),
            Err(_) => Vec::new(),
        };
        let mut approved: Vec<String> = approved;
        approved.sort();
        approved.dedup();
        vouched.push(Vouched { date: revision.date.clone(), signer, approved });
    }
    complete(sources, &revisions)?;
    Ok(vouched)
}

/// Whether a folder could be believed anywhere: everything has a signature, whosever it is, and the newest revision an
/// approval.
///
/// # Errors
/// Something is missing, or the newest revision locks other components; the message names the command that helps.
pub fn publishable(sources: &Sources) -> anyhow::Result<()> {
    let revisions = revisions(sources)?;
    let heads = revisions.iter().map(|revision| revision.file(&sources.catalog));
    for file in sources.built.iter().map(|built| built.path.clone()).chain(heads) {
        if trust::beside(&file)?.is_none() {
            return Err(trust::TrustError::Unsigned { file: file.display().to_string() }.into());
        }
    }
    complete(sources, &revisions)?;
    let newest = revisions.last().map(|it| it.date.as_str()).unwrap_or_default();
    let approvals = sources.catalog.join(newest).join("approvals");
    if !approvals.is_dir() {
        bail!(
            "nobody has approved revision {newest}, so no host would take it; `espalier catalog approve OLD {newest} \
             --modules FOLDER` does"
        );
    }
    Ok(())
}

fn revisions(sources: &Sources) -> anyhow::Result<Vec<Revision>> {
    let folder = &sources.catalog;
    if !folder.is_dir() {
        bail!(
            "{} is not there; it holds the revisions, and `cp -r catalog/20* FOLDER/catalog/` puts them",
            folder.display()
        );
    }
    let dates = Revision::dates(folder)?;
    if dates.is_empty() {
        bail!("{} holds no revision; `espalier catalog lock` writes them", folder.display());
    }
    Ok(dates.iter().map(|date| Revision::read(folder, date)).collect::<Result<_, _>>()?)
}

/// Whether the newest revision locks the very components that are beside it.
fn complete(sources: &Sources, revisions: &[Revision]) -> anyhow::Result<()> {
    let Some(newest) = revisions.last() else { return Ok(()) };
    for (name, lock) in &newest.locks {
        let found = sources.built.iter().find(|built| built.name == *name);
        let path = &found.with_context(|| format!("revision {} locks {name}, which is not there", newest.date))?.path;
        let bytes = catalog::files::read(path, catalog::files::COMPONENT)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let (is, locked) = (digest(&bytes), &lock.component);
        if is != *locked {
            bail!(
                "{}: it is {is}, and revision {} locks {locked}; run `espalier catalog lock` where it was built",
                path.display(),
                newest.date
            );
        }
    }
    Ok(())
}
