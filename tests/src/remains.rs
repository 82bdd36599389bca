//! All that a deployment keeps, as bytes: to look for what should not be there.

use std::path::Path;

use sqlx::{Connection as _, PgConnection, SqliteConnection};

/// Every byte of the database of this data folder, and of the files beside it.
///
/// # Panics
/// When it cannot be read.
pub async fn of(data: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(data).expect("a folder").flatten().filter(|entry| entry.path().is_file()) {
        bytes.extend(std::fs::read(entry.path()).expect("a file"));
    }
    if let Some(url) = crate::database::of(data) {
        bytes.extend(rows(&url).await.into_bytes());
    }
    bytes
}

/// What the tables hold now, without the bytes of deleted rows that SQLite has not overwritten yet.
///
/// # Panics
/// When it cannot be read.
pub async fn of_tables(data: &Path) -> Vec<u8> {
    if let Some(url) = crate::database::of(data) {
        return rows(&url).await.into_bytes();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (file, whole) = (data.join("espalier.db"), folder.path().join("whole.db"));
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("it opens");
    let sql = format!("VACUUM INTO '{}'", whole.display());
    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.expect("copied");
    std::fs::read(whole).expect("a file")
}

/// Every row of every table, as text.
async fn rows(url: &str) -> String {
    let mut connection = PgConnection::connect(url).await.expect("the database answers");
    let tables: Vec<String> = sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
        .fetch_all(&mut connection)
        .await
        .expect("tables");
    let mut text = String::new();
    for table in tables {
        let sql = format!("SELECT t::text FROM \"{table}\" t");
        let rows: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("rows");
        text.extend(rows);
    }
    text
}

/// Whether these bytes are among the others.
pub fn hold(kept: &[u8], wanted: &str) -> bool {
    kept.windows(wanted.len()).any(|window| window == wanted.as_bytes())
}
