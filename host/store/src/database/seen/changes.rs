//! The database's own count of its changes, by whomever: SQLite keeps it where all processes see it, in the file beside
//! the write-ahead log that they share.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Where the count stands: `iChange` of the first `WalIndexHdr` (SQLite, "WAL-mode File Format", 2.1). Each commit that
/// writes adds one, in the moment in which its pages can be seen, while it still holds the write lock.
const AT: u64 = 8;

/// The count of one database.
pub(super) struct Changes {
    /// Never closed: to close any handle of a file gives up all locks that the process has on it (POSIX, fcntl), those
    /// of SQLite's own connections among them. There is one for each database that a process opens.
    shared: ManuallyDrop<File>,
}

impl Changes {
    /// Of the database in this file, while it is open; none where it has no such count.
    pub(super) fn of(database: &Path) -> Option<Self> {
        let mut name = database.as_os_str().to_owned();
        name.push("-shm");
        let changes = Self { shared: ManuallyDrop::new(File::open(name).ok()?) };
        changes.count().is_some().then_some(changes)
    }

    /// The count as it stands; none when it cannot be read.
    pub(super) fn count(&self) -> Option<u32> {
        let mut bytes = [0; 4];
        self.shared.read_exact_at(&mut bytes, AT).ok()?;
        Some(u32::from_ne_bytes(bytes))
    }
}
