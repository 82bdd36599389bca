//! A revision: a folder of locks with a date, its counts and the hash of the whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use model::manifest::{Collection, FIRST_FORM};
use model::token::hex;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::error::CatalogError;
use crate::line::text;
use crate::lock::Lock;
use crate::trust::{self, Power, Trust};

/// The name of the file beside the locks.
const HEAD: &str = "revision.toml";

/// Whether a revision may still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It serves and counts what exists, and may change.
    Draft,
    /// Its contracts never change; a new one is cut instead.
    Final,
}

/// A folder of locks.
#[derive(Clone, Debug, PartialEq)]
pub struct Revision {
    /// `2026-09-28`: also `meta.api_version`.
    pub date: String,
    /// Whether it may still change.
    pub status: Status,
    /// The locks by module.
    pub locks: BTreeMap<String, Lock>,
    /// The folder that it was read from, with its contracts where these were written down.
    pub folder: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    date: String,
    status: Status,
    modules: usize,
    operations: usize,
    routes: usize,
    hash: String,
}

/// Whether a text can be a revision's date: four, two and two digits, with a month and a day that there are.
pub fn is_date(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10
        && text.bytes().enumerate().all(fits)
        && ("01"..="12").contains(&&text[5..7])
        && ("01"..="31").contains(&&text[8..])
}

impl Revision {
    /// A draft without locks.
    pub fn draft(date: &str) -> Self {
        Self { date: date.to_owned(), status: Status::Draft, locks: BTreeMap::new(), folder: None }
    }

    /// How many operations it offers.
    pub fn operations(&self) -> usize {
        self.locks.values().map(|lock| lock.operations.len()).sum()
    }

    /// How many routes it shows.
    pub fn routes(&self) -> usize {
        self.locks.values().map(|lock| lock.routes.len()).sum()
    }

    /// `sha256:` and the hex over every lock's name and text, in order.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (module, lock) in &self.locks {
            let text = lock.text();
            hash.update(module.as_bytes());
            hash.update([0]);
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
        format!("sha256:{}", hex(&hash.finalize()))
    }

    /// The revisions under the catalog's folder, oldest first, by date.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn dates(catalog: &Path) -> Result<Vec<String>, CatalogError> {
        let mut dates = Vec::new();
        for entry in std::fs::read_dir(catalog).map_err(CatalogError::file(catalog))? {
            let entry = entry.map_err(CatalogError::file(catalog))?;
            if entry.path().join(HEAD).is_file() {
                dates.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        dates.sort();
        Ok(dates)
    }

    /// Reads `catalog/<date>` and checks that nothing was changed since it was locked.
    ///
    /// # Errors
    /// A file cannot be read, is not what it should be, or is not the one that was locked.
    pub fn read(catalog: &Path, date: &str) -> Result<Self, CatalogError> {
        let folder = catalog.join(date);
        let head = head(&folder)?;
        let locks = locks(&folder)?;
        let revision = Self { date: head.date, status: head.status, locks, folder: Some(folder) };
        let (found, stated) = (revision.hash(), head.hash);
        if found != stated {
            return Err(CatalogError::Changed { revision: date.to_owned(), found, stated });
        }
        let counts = (revision.locks.len(), revision.operations(), revision.routes());
        if counts != (head.modules, head.operations, head.routes) || revision.date != date {
            return Err(CatalogError::Malformed {
                file: format!("{date}/{HEAD}"),
                line: 1,
                message: format!(
                    "the locks are {} modules, {} operations, {} routes of {date}",
                    counts.0, counts.1, counts.2
                ),
            });
        }
        Ok(revision)
    }

    /// The locks of `catalog/<date>` as they stand, whatever revision.toml says: what `lock` starts from.
    ///
    /// # Errors
    /// A file cannot be read or is not a lock.
    pub fn standing(catalog: &Path, date: &str) -> Result<Self, CatalogError> {
        let folder = catalog.join(date);
        let locks = if folder.is_dir() { locks(&folder)? } else { BTreeMap::new() };
        let status = if folder.join(HEAD).is_file() { head(&folder)?.status } else { Status::Draft };
        Ok(Self { date: date.to_owned(), status, locks, folder: Some(folder) })
    }

    /// Writes `catalog/<date>`: the locks, and revision.toml last.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, catalog: &Path) -> Result<(), CatalogError> {
        let folder = catalog.join(&self.date);
        std::fs::create_dir_all(&folder).map_err(CatalogError::file(&folder))?;
        for lock in self.locks.values() {
            lock.write(&folder)?;
        }
        let path = folder.join(HEAD);
        std::fs::write(&path, self.head_text()).map_err(CatalogError::file(path))
    }

    /// Where its own file stands, which is what is signed: the hash in it covers every lock.
    pub fn file(&self, catalog: &Path) -> PathBuf {
        catalog.join(&self.date).join(HEAD)
    }

    /// The name of who has signed it. What is checked are the locks that were read, and not the file once more.
    ///
    /// # Errors
    /// Nobody who may has signed exactly this.
    pub fn signed<'a>(&self, catalog: &Path, trust: &'a Trust) -> Result<&'a str, CatalogError> {
        let file = self.file(catalog);
        let signature = trust::beside(&file)?;
        let text = self.head_text();
        Ok(trust.verify(Power::Revisions, None, &trust::called(&file), text.as_bytes(), signature.as_deref())?)
    }

    fn head_text(&self) -> String {
        let status = match self.status {
            Status::Draft => "draft",
            Status::Final => "final",
        };
        format!(
            "# Written by `espalier catalog lock`. A draft serves and counts what exists.\n\
             date = {}\nstatus = {}\nmodules = {}\noperations = {}\nroutes = {}\nhash = {}\n",
            text(&self.date),
            text(status),
            self.locks.len(),
            self.operations(),
            self.routes(),
            text(&self.hash()),
        )
    }

    /// The collections of other modules that this lock reads, as `module.collection`, with their indexes. A name that ends
    /// in `/`, such as `crawl.text/`, stands for the blobs of that module whose keys begin so, and has none.
    ///
    /// # Errors
    /// One of them is in no lock of the revision.
    pub fn foreign(&self, lock: &Lock) -> Result<BTreeMap<String, Collection>, CatalogError> {
        let find = |name: &String| {
            let (module, collection) = name.split_once('.')?;
            let owner = self.locks.get(module)?;
            if collection.len() > 1 && collection.ends_with('/') {
                let blobs = Collection { name: collection.to_owned(), indexes: Vec::new(), form: FIRST_FORM };
                return Some((name.clone(), blobs));
            }
            Some((name.clone(), owner.own_collections().into_iter().find(|it| it.name == collection)?))
        };
        let missing = |name: &String| CatalogError::Dangling {
            file: lock.place(),
            message: format!("reads {name}, which no lock of {} declares", self.date),
        };
        lock.reads.iter().map(|name| find(name).ok_or_else(|| missing(name))).collect()
    }
}

fn head(folder: &Path) -> Result<Head, CatalogError> {
    let path: PathBuf = folder.join(HEAD);
    let text = crate::files::read_text(&path).map_err(CatalogError::file(&path))?;
    toml::from_str(&text).map_err(|error| CatalogError::Malformed {
        file: path.display().to_string(),
        line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
        message: error.message().to_owned(),
    })
}

fn locks(folder: &Path) -> Result<BTreeMap<String, Lock>, CatalogError> {
    let mut locks = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(CatalogError::file(folder))? {
        let path = entry.map_err(CatalogError::file(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == HEAD || !name.ends_with(".toml") {
            continue;
        }
        let lock = Lock::read(&path)?;
        if name != format!("{}.toml", lock.module) {
            let message = format!("the lock of {} stands in {name}", lock.module);
            return Err(CatalogError::Malformed {
                file: trust::called(&path),
                line: lock.line_of(None, "module"),
                message,
            });
        }
        locks.insert(lock.module.clone(), lock);
    }
    Ok(locks)
}

#[cfg(test)]
mod tests;
