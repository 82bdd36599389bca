//! A copy of a database that is in use, and the proof that a copy is good. Only where the database is a file:
//! PostgreSQL has tools of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::clock::{Clock, Entropy};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Any, Connection as _, Executor as _, Row as _};

use crate::database::dialect::{Address, Durability};
use crate::database::lock::Shared;
use crate::database::{Database, migrate};
use crate::{Store, StoreError};

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// On a server: the arguments by which its own tools reach it, without a password.
    Server(String),
}

/// Where the database of this address is.
///
/// # Errors
/// When it is no address.
pub fn place(url: &str) -> Result<Place, StoreError> {
    let address = Address::read(url, Durability::Full)?;
    if let Some(file) = address.file()? {
        return Ok(Place::File(file));
    }
    let options: PgConnectOptions = url.parse()?;
    let host = match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => options.get_host().to_owned(),
    };
    let (port, user) = (options.get_port(), options.get_username());
    let database = options.get_database().unwrap_or(user);
    Ok(Place::Server(format!("--host={host} --port={port} --username={user} --dbname={database}")))
}

/// Writes a consistent copy of a database, as of one moment, while others write to it. Transcripts of runs stay out of
/// it: they are kept for seven days, and a copy may be kept for years.
///
/// # Errors
/// When there is no database, or the copy cannot be written.
pub async fn copy(database: &Path, target: &Path) -> Result<(), StoreError> {
    if !database.is_file() {
        return Err(StoreError::Unavailable(format!("there is no database at {}", database.display())));
    }
    let address = of(database, Durability::Full)?;
    let _shared = Shared::take(&address)?;
    sqlx::any::install_default_drivers();
    let mut connection = address.writer().await?;
    let target = target.to_str().ok_or_else(|| StoreError::Unavailable("a path that is not UTF-8".to_owned()))?;
    sqlx::query::<Any>("VACUUM INTO $1").bind(target).execute(&mut connection).await?;
    forget_transcripts(Path::new(target)).await
}

/// Takes the transcripts out of a copy that nobody else has open.
async fn forget_transcripts(copy: &Path) -> Result<(), StoreError> {
    let mut connection = of(copy, Durability::Full)?.writer().await?;
    let table = "SELECT name FROM sqlite_master WHERE name = 'transcript'";
    // The database of an older version, which had none.
    let has_any = connection.fetch_optional(table).await?.is_some();
    if has_any {
        // What is deleted is overwritten, too.
        connection.execute("PRAGMA secure_delete = ON").await?;
        connection.execute("DELETE FROM transcript").await?;
    }
    // One file again, without a log beside it.
    connection.execute("PRAGMA journal_mode = DELETE").await?;
    connection.close().await?;
    Ok(())
}

/// What is wrong with a copy, in words: nothing, if it can be served. Brings it to this version on the way, and
/// leaves files beside it: give it a copy of the copy.
///
/// # Errors
/// When it cannot be read.
pub async fn check(
    database: &Path,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Vec<String>, StoreError> {
    let address = of(database, Durability::None)?;
    sqlx::any::install_default_drivers();
    let mut connection = address.reader().await?;
    let mut flaws = Vec::new();
    for row in connection.fetch_all("PRAGMA integrity_check").await? {
        let said: String = row.try_get(0)?;
        if said != "ok" {
            flaws.push(said);
        }
    }
    let applied = connection.fetch_all("SELECT name FROM migration").await?;
    if applied.is_empty() {
        flaws.push("it holds no schema".to_owned());
    }
    for row in applied {
        let name: String = row.try_get(0)?;
        if !migrate::knows(&name) {
            flaws.push(format!("it is newer than this host: it has migration {name}"));
        }
    }
    drop(connection);
    if !flaws.is_empty() {
        return Ok(flaws);
    }
    let store = Store::of(Database::connect(address, clock, entropy, None).await?);
    let violations = store.money.verify_ledger().await?;
    flaws.extend(
        violations.iter().map(|violation| format!("the ledger: {} {}", violation.invariant, violation.subject)),
    );
    let breaks = store.trail.verify_audit().await?;
    flaws.extend(breaks.iter().map(|broken| format!("the audit trail of {}: {}", broken.customer, broken.what)));
    Ok(flaws)
}

fn of(database: &Path, durability: Durability) -> Result<Address, StoreError> {
    Address::read(&format!("sqlite://{}", database.display()), durability)
}

#[cfg(test)]
mod tests;
