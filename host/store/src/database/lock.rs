//! Who has an SQLite file: hosts and commands share it, a restore has it alone. PostgreSQL looks after itself.
//!
//! The lock is the operating system's, on a file beside the database, so it ends with whoever holds it. What a
//! restore has begun and not finished stands in that file as text, and keeps everybody else out.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::database::dialect::Address;

/// The right to use a database that others use too.
pub(crate) struct Shared {
    _file: File,
}

impl Shared {
    /// Takes it, for as long as this value lives. None where the database looks after itself.
    pub(crate) fn take(address: &Address) -> Result<Option<Self>, StoreError> {
        let Some(database) = address.file()? else { return Ok(None) };
        let mut file = open(&database)?;
        match file.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(refuse("a restore is replacing this database")),
            Err(TryLockError::Error(error)) => return Err(refuse(&error.to_string())),
        }
        let mut unfinished = String::new();
        file.read_to_string(&mut unfinished).map_err(|error| refuse(&error.to_string()))?;
        if !unfinished.is_empty() {
            return Err(refuse("a restore broke off here; run `espalier restore` again, with --force"));
        }
        Ok(Some(Self { _file: file }))
    }
}

/// A database that nobody else has open.
pub struct Alone {
    file: File,
}

impl Alone {
    /// Takes it, for as long as this value lives.
    ///
    /// # Errors
    /// When somebody has it open.
    pub fn take(database: &Path) -> Result<Self, StoreError> {
        let file = open(database)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(refuse("a host or a command has this database open; stop it first")),
            Err(TryLockError::Error(error)) => Err(refuse(&error.to_string())),
        }
    }

    /// Keeps everybody out, beyond the end of this process, until [`Alone::finish`].
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn begin(&mut self) -> std::io::Result<()> {
        self.file.write_all(b"a restore has begun here\n")?;
        self.file.sync_all()
    }

    /// Lets others in again.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn finish(self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.sync_all()
    }
}

fn open(database: &Path) -> Result<File, StoreError> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let path = PathBuf::from(path);
    options.open(&path).map_err(|error| refuse(&format!("{} cannot be opened: {error}", path.display())))
}

fn refuse(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

#[cfg(test)]
mod tests;
