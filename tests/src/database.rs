//! Which database a host of a test uses: an SQLite in its data folder, or, with `DATABASE_URL=postgres://…`, a
//! database of its own on that server.

use std::path::Path;
use std::sync::Arc;

use model::clock::{SystemClock, SystemEntropy};
use sqlx::{AnyConnection, Connection as _, PgConnection};
use store::Store;

/// Where the address is noted.
const NOTE: &str = "database.url";

/// The address for this data folder; none: SQLite. The same folder gets the same database again.
///
/// # Panics
/// When no database can be made.
#[expect(clippy::disallowed_methods, reason = "which database a test runs on is the tester's choice")]
pub fn of(data: &Path) -> Option<String> {
    let noted = std::fs::read_to_string(data.join(NOTE)).ok();
    noted.or_else(|| std::env::var("DATABASE_URL").ok().map(|server| on(&server, data)))
}

/// A database of its own on this server.
///
/// # Panics
/// When no database can be made.
pub fn on(server: &str, data: &Path) -> String {
    let note = data.join(NOTE);
    // Another node of the same service has made it.
    if let Ok(known) = std::fs::read_to_string(&note) {
        return known;
    }
    let url = postgres_cluster::new_database(server);
    std::fs::write(note, &url).expect("a file");
    url
}

/// Makes this the database of a data folder.
///
/// # Panics
/// When it cannot be noted.
pub fn use_for(data: &Path, url: &str) {
    std::fs::write(data.join(NOTE), url).expect("a file");
}

/// The server of this process's own cluster, or the reason to skip.
pub fn server() -> Option<String> {
    let cluster = postgres_cluster::shared();
    if cluster.is_none() {
        crate::needs::skip("PostgreSQL", postgres_cluster::HOW);
    }
    cluster.map(|cluster| cluster.url.clone())
}

/// The database of a data folder, past any host.
///
/// # Panics
/// When it cannot be opened.
pub async fn open(data: &Path) -> Store {
    let url = of(data).unwrap_or_else(|| format!("sqlite://{}", data.join("espalier.db").display()));
    Store::open(&url, Arc::new(SystemClock), Arc::new(SystemEntropy)).await.expect("opened")
}

/// A connection to it, past any store.
///
/// # Panics
/// When it does not answer.
pub async fn connection(data: &Path) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = of(data).unwrap_or_else(|| format!("sqlite://{}", data.join("espalier.db").display()));
    AnyConnection::connect(&url).await.expect("the database answers")
}

/// Ends the leases of keys in PostgreSQL, as minutes do: its hosts follow the server's clock, which no test can move. A
/// host on SQLite follows its machine's, and is told another time instead.
///
/// # Panics
/// When the database does not answer.
pub async fn end_leases(data: &Path) {
    let Some(url) = of(data) else { return };
    let mut connection = PgConnection::connect(&url).await.expect("the database answers");
    sqlx::query("UPDATE claim SET lease_until = 0").execute(&mut connection).await.expect("ended");
}
