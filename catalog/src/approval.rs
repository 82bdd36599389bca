//! What a reviewer has said yes to: one change from one revision to another, by the digest of its report. An approval is
//! a file in the revision's folder with a signature beside it; what nobody has approved is not served from a folder
//! that was shipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use model::canonical;
use serde::{Deserialize, Serialize};

use crate::contracts;
use crate::error::CatalogError;
use crate::lock::Lock;
use crate::review::{Report, Side, review};
use crate::revision::Revision;
use crate::trust::{self, Power, SigningKey, Trust};

/// The folder of approvals in that of a revision.
const FOLDER: &str = "approvals";

/// A revision as an approval names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its date.
    pub revision: String,
    /// Its hash, which covers every lock and by them the digest of every component.
    pub hash: String,
}

impl Named {
    /// This one.
    pub fn of(revision: &Revision) -> Self {
        Self { revision: revision.date.clone(), hash: revision.hash() }
    }
}

/// A change that somebody says yes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// What is in force before; absent where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Named>,
    /// What may be in force then.
    pub new: Named,
    /// `sha256:` and the hex of the reports' canonical JSON.
    pub report: String,
    /// Names of what somebody had to say yes to.
    pub stops: BTreeSet<String>,
}

/// The reports of all modules, and what they come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// One for each module of either side, in the order of their names.
    pub reports: Vec<Report>,
}

impl Reviewed {
    /// Compares the modules of two versions.
    pub fn of(old: &BTreeMap<String, Side>, new: &BTreeMap<String, Side>) -> Self {
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        Self { reports: names.into_iter().filter_map(|name| review(old.get(name), new.get(name))).collect() }
    }

    /// Compares two revisions by their locks, and by their contracts where these stand beside them.
    ///
    /// # Errors
    /// Contracts cannot be read, or are not the locked ones.
    pub fn of_revisions(old: Option<&Revision>, new: &Revision) -> Result<Self, CatalogError> {
        Ok(Self::of(&old.map(sides).transpose()?.unwrap_or_default(), &sides(new)?))
    }

    /// What an approval speaks of.
    pub fn digest(&self) -> String {
        canonical::digest(&self.reports)
    }

    /// Names of what somebody has to say yes to, each once.
    pub fn stops(&self) -> BTreeSet<&'static str> {
        self.reports.iter().flat_map(Report::stops).collect()
    }
}

/// The modules of a revision as they are compared.
///
/// # Errors
/// Contracts beside the locks cannot be read, or are not the locked ones.
pub fn sides(revision: &Revision) -> Result<BTreeMap<String, Side>, CatalogError> {
    let side = |(name, lock): (&String, &Lock)| {
        let contracts = revision.folder.as_deref().map(|folder| contracts::read(folder, lock));
        let manifest = contracts.transpose()?.flatten();
        Ok((name.clone(), Side { manifest, ..Side::of_lock(lock.clone()) }.within(revision)))
    };
    revision.locks.iter().map(side).collect()
}

impl Approval {
    /// What would have to be approved for one revision to follow the other.
    ///
    /// # Errors
    /// Contracts cannot be read, or are not the locked ones.
    pub fn of(old: Option<&Revision>, new: &Revision) -> Result<Self, CatalogError> {
        let reviewed = Reviewed::of_revisions(old, new)?;
        Ok(Self {
            old: old.map(Named::of),
            new: Named::of(new),
            report: reviewed.digest(),
            stops: reviewed.stops().into_iter().map(str::to_owned).collect(),
        })
    }

    /// Writes it into the new revision's folder, signed.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, catalog: &Path, key: &SigningKey) -> Result<PathBuf, CatalogError> {
        let folder = catalog.join(&self.new.revision).join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(CatalogError::file(&folder))?;
        let text = canonical::write(self);
        let name = canonical::digest(self);
        let short = name.trim_start_matches("sha256:").get(..16).unwrap_or_default().to_owned();
        let file = folder.join(format!("{short}.json"));
        std::fs::write(&file, text).map_err(CatalogError::file(&file))?;
        key.sign_file(&file)?;
        Ok(file)
    }
}

/// An approval that counts, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// What was approved.
    pub approval: Approval,
    /// By whom.
    pub signer: String,
}

/// All approvals of this very revision that count: signed by who may, over exactly these locks.
///
/// # Errors
/// There are none, with the reason for each file that does not count.
pub fn of(catalog: &Path, revision: &Revision, trust: &Trust) -> Result<Vec<Signed>, CatalogError> {
    let folder = catalog.join(&revision.date).join(FOLDER);
    let (mut signed, mut refused) = (Vec::new(), Vec::new());
    let hash = revision.hash();
    for file in files(&folder)? {
        match read(&file, trust) {
            Ok(it) if it.approval.new.hash == hash => signed.push(it),
            Ok(_) => refused.push(format!("{}: it is of other locks", called(&file))),
            Err(error) => refused.push(error.to_string()),
        }
    }
    if signed.is_empty() {
        let date = &revision.date;
        refused.insert(
            0,
            format!(
                "nobody has approved revision {date} as it stands; read `espalier review OLD {date}`, where OLD is what is \
                 in force or `none`, then `espalier catalog approve OLD {date} --report DIGEST --key KEY`"
            ),
        );
        return Err(CatalogError::Unapproved(refused.join("\n")));
    }
    Ok(signed)
}

/// The approval of the step from what is in force to this revision.
///
/// # Errors
/// There is none that counts; the message names the command that a reviewer would use.
pub fn of_step(catalog: &Path, old: Option<&Revision>, new: &Revision, trust: &Trust) -> Result<Signed, CatalogError> {
    let wanted = Approval::of(old, new)?;
    let found = of(catalog, new, trust)?.into_iter().find(|it| it.approval == wanted);
    found.ok_or_else(|| {
        let before = old.map_or("none", |old| &old.date);
        let stops = wanted.stops.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        CatalogError::Unapproved(format!(
            "nobody has approved the step from {before} to {}{}{stops}; read `espalier review {before} {0}`, then \
             `espalier catalog approve {before} {0} --report {} --key KEY`",
            new.date,
            if stops.is_empty() { "" } else { ", which has " },
            wanted.report,
        ))
    })
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CatalogError::file(folder)(error)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(CatalogError::file(folder)));
    let mut files = paths.collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}

/// What messages call an approval: its revision, its folder and its name.
fn called(file: &Path) -> String {
    let revision = file.ancestors().nth(2).and_then(Path::file_name).unwrap_or_default();
    Path::new(revision).join(trust::called(file)).display().to_string()
}

fn read(file: &Path, trust: &Trust) -> Result<Signed, CatalogError> {
    let bytes = crate::files::read(file, crate::files::TEXT).map_err(CatalogError::file(file))?;
    let signature = trust::beside(file)?;
    let called = called(file);
    let signer = trust.verify(Power::Approvals, None, &called, &bytes, signature.as_deref())?.to_owned();
    let approval = serde_json::from_slice(&bytes).map_err(|error| CatalogError::Malformed {
        file: called,
        line: error.line(),
        message: error.to_string(),
    })?;
    Ok(Signed { approval, signer })
}

#[cfg(test)]
mod tests;
