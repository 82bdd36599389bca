//! The only room that knows SQLite from PostgreSQL; everywhere else there is one SQL text.

use std::path::PathBuf;
use std::str::FromStr as _;

use model::id::CustomerId;
use sqlx::AnyConnection;
use sqlx::any::AnyConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Any, AssertSqlSafe, ConnectOptions as _, Executor as _, Row as _};

use crate::StoreError;
use crate::database::mutant::{self, Mutant};
use crate::database::rows::Column;

/// SQLite before this can lose committed writes in WAL mode when two connections meet at a checkpoint.
const SQLITE_LEAST: u32 = 3_051_003;

/// How a migration begins that mends how SQLite keeps something, and has nothing to do elsewhere.
const SQLITE_ALONE: &str = "-- SQLite alone.";

/// Which database this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// A database address, read once.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) dialect: Dialect,
    url: String,
    durability: Durability,
}

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    Full,
    /// For databases that live no longer than a test.
    None,
}

impl Address {
    /// Reads `sqlite:///path/file.db` or `postgres://…`.
    pub(crate) fn read(url: &str, durability: Durability) -> Result<Self, StoreError> {
        let (dialect, url) = if url.starts_with("sqlite:") {
            let separator = if url.contains('?') { '&' } else { '?' };
            (Dialect::Sqlite, if url.contains("mode=") { url.to_owned() } else { format!("{url}{separator}mode=rwc") })
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            (Dialect::Postgres, url.to_owned())
        } else {
            return Err(StoreError::Unavailable("a database address starts with sqlite: or postgres:".to_owned()));
        };
        Ok(Self { dialect, url, durability })
    }

    /// The file that SQLite keeps the database in.
    pub(crate) fn file(&self) -> Result<Option<PathBuf>, StoreError> {
        match self.dialect {
            Dialect::Sqlite => Ok(Some(SqliteConnectOptions::from_str(&self.url)?.get_filename().to_owned())),
            Dialect::Postgres => Ok(None),
        }
    }

    /// A connection that may write. SQLite gets exactly one of these.
    pub(crate) async fn writer(&self) -> Result<AnyConnection, StoreError> {
        let mut connection = self.connect(Role::Writer).await?;
        if self.dialect == Dialect::Sqlite {
            let row = connection.fetch_one("SELECT sqlite_version()").await?;
            refuse_old_sqlite(&row.try_get::<String, _>(0)?)?;
        }
        Ok(connection)
    }

    /// A connection that only reads.
    pub(crate) async fn reader(&self) -> Result<AnyConnection, StoreError> {
        self.connect(Role::Reader).await
    }

    async fn connect(&self, role: Role) -> Result<AnyConnection, StoreError> {
        // sqlx would weigh each statement for its own log; the host logs what a call came to.
        let options = AnyConnectOptions::from_str(&self.url)?.disable_statement_logging();
        let mut connection = options.connect().await?;
        for statement in self.session(role) {
            connection.execute(statement).await?;
        }
        Ok(connection)
    }

    fn session(&self, role: Role) -> Vec<&'static str> {
        match (self.dialect, role) {
            (Dialect::Sqlite, Role::Writer) => vec![
                "PRAGMA journal_mode = WAL",
                match self.durability {
                    Durability::Full => "PRAGMA synchronous = FULL",
                    Durability::None => "PRAGMA synchronous = OFF",
                },
                "PRAGMA busy_timeout = 1500",
                "PRAGMA foreign_keys = ON",
                "PRAGMA mmap_size = 0",
                // What a statement would undo is kept in memory: in a file, each page that it touches is written twice.
                "PRAGMA temp_store = MEMORY",
                "PRAGMA cache_size = -65536",
                "PRAGMA wal_autocheckpoint = 8000",
            ],
            (Dialect::Sqlite, Role::Reader) => vec![
                "PRAGMA query_only = ON",
                "PRAGMA busy_timeout = 1500",
                "PRAGMA mmap_size = 0",
                "PRAGMA cache_size = -16384",
            ],
            (Dialect::Postgres, Role::Writer) => {
                vec![
                    "SET lock_timeout = '1500ms'",
                    "SET statement_timeout = '30s'",
                    "SET idle_in_transaction_session_timeout = '60s'",
                ]
            }
            (Dialect::Postgres, Role::Reader) => {
                vec!["SET default_transaction_read_only = on", "SET statement_timeout = '10s'"]
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Role {
    Writer,
    Reader,
}

fn refuse_old_sqlite(version: &str) -> Result<(), StoreError> {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let number = next() * 1_000_000 + next() * 1_000 + next();
    if number < SQLITE_LEAST || libsqlite3_sys::SQLITE_VERSION_NUMBER < SQLITE_LEAST as i32 {
        return Err(StoreError::Unavailable(format!(
            "SQLite {version} can lose committed writes; 3.51.3 or newer is needed"
        )));
    }
    Ok(())
}

impl Dialect {
    /// Which database a connection leads to.
    pub(crate) fn of(connection: &AnyConnection) -> Self {
        if connection.backend_name() == "PostgreSQL" { Dialect::Postgres } else { Dialect::Sqlite }
    }

    /// Whether all writing goes through this process's one connection while a transaction is open.
    pub(crate) fn has_one_writer(self) -> bool {
        self == Dialect::Sqlite
    }

    /// Whether several statements with parameters go in one exchange.
    pub(crate) fn takes_scripts(self) -> bool {
        self == Dialect::Sqlite
    }

    /// The rows of a JSON array of arrays, which is the parameter of this number.
    pub(crate) fn tuples(self, columns: &[Column], number: usize) -> String {
        let mut at = 0;
        let mut places = Vec::with_capacity(columns.len());
        for column in columns {
            places.push(match (self, column) {
                (_, Column::Same(value)) => (*value).to_owned(),
                (_, Column::Text) | (Dialect::Sqlite, Column::Whole) => format!("value ->> {at}"),
                (Dialect::Postgres, Column::Whole) => format!("(value ->> {at})::bigint"),
                (Dialect::Sqlite, Column::Bytes) => format!("unhex(value ->> {at})"),
                (Dialect::Postgres, Column::Bytes) => format!("decode(value ->> {at}, 'hex')"),
            });
            at += usize::from(!matches!(column, Column::Same(_)));
        }
        let source = match self {
            Dialect::Sqlite => format!("jsonb_each(${number})"),
            Dialect::Postgres => format!("jsonb_array_elements(${number}::jsonb)"),
        };
        // Without a condition SQLite would read a following ON CONFLICT as a join.
        format!("SELECT {} FROM {source} WHERE true", places.join(", "))
    }

    /// Opens a transaction that may write from its first statement on. Returns a number that changes when somebody else has
    /// written since this connection last asked; none: nobody can tell.
    pub(crate) async fn open(self, connection: &mut AnyConnection) -> Result<Option<i64>, StoreError> {
        match self {
            Dialect::Sqlite => {
                // Whoever asks for one row gets the answer of the first statement, which has none.
                let rows = connection.fetch_all("BEGIN IMMEDIATE; PRAGMA data_version").await?;
                rows.first().map(|row| row.try_get(0)).transpose().map_err(Into::into)
            }
            Dialect::Postgres => {
                connection.execute("BEGIN").await?;
                Ok(None)
            }
        }
    }

    /// Keeps other nodes away from these customers until the transaction ends; one order, so no deadlock.
    /// SQLite has one writer, which is lock enough.
    pub(crate) async fn lock(self, connection: &mut AnyConnection, customers: &[CustomerId]) -> Result<(), StoreError> {
        match self {
            Dialect::Sqlite => {}
            Dialect::Postgres if mutant::is(Mutant::Lock) => {}
            Dialect::Postgres => {
                let mut sorted: Vec<&CustomerId> = customers.iter().collect();
                sorted.sort_unstable();
                sorted.dedup();
                for customer in sorted {
                    // Nobody declares an index meanwhile either.
                    let sql = "SELECT 1 FROM pg_advisory_xact_lock_shared(7355609), \
                               pg_advisory_xact_lock(hashtextextended($1, 0))";
                    sqlx::query::<Any>(sql).bind(customer.as_str()).execute(&mut *connection).await?;
                }
            }
        }
        Ok(())
    }

    /// Waits for every transaction that has locked a customer, and keeps others from it until this one ends.
    pub(crate) async fn lock_indexes(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        if self == Dialect::Postgres {
            connection.execute("SELECT 1 FROM pg_advisory_xact_lock(7355609)").await?;
        }
        Ok(())
    }

    /// Keeps two nodes from migrating at once.
    pub(crate) async fn lock_schema(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        if self == Dialect::Postgres {
            connection.execute("SELECT 1 FROM pg_advisory_xact_lock(7355608)").await?;
        }
        Ok(())
    }

    /// Ends a subquery that picks rows which other nodes are picking at the same time.
    pub(crate) fn skip_locked(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// As [`Dialect::skip_locked`], for a subquery that picks rows of the table of jobs in the order of something else.
    pub(crate) fn skip_locked_jobs(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => " FOR UPDATE OF job SKIP LOCKED",
        }
    }

    /// A migration's text for this database. Text compares by bytes on both, as SQLite does by nature. A table marked
    /// `clustered` is kept in the order of its key where the database can do that: one tree to write instead of two.
    /// A file that begins with [`SQLITE_ALONE`] is empty for any other database.
    pub(crate) fn translate(self, migration: &str) -> String {
        let unchecked = mutant::is(Mutant::Check).then(|| {
            migration
                .replace("CHECK (limited = 0 OR debits_pending + debits_posted <= credits_posted)", "CHECK (1 = 1)")
        });
        let migration = unchecked.as_deref().unwrap_or(migration);
        match self {
            Dialect::Sqlite => migration.replace("); -- clustered", ") WITHOUT ROWID;"),
            Dialect::Postgres if migration.starts_with(SQLITE_ALONE) => String::new(),
            Dialect::Postgres => {
                let mut text = String::with_capacity(migration.len() + 1024);
                for line in migration.lines() {
                    let (code, comment) = line.split_at(line.find("--").unwrap_or(line.len()));
                    text.push_str(&code.replace(" TEXT", " TEXT COLLATE \"C\"").replace(" BLOB", " BYTEA"));
                    text.push_str(comment);
                    text.push('\n');
                }
                text
            }
        }
    }

    /// Makes a table refuse every change of a row that it has.
    pub(crate) fn append_only(self, table: &str) -> Vec<AssertSqlSafe<String>> {
        let statements = match self {
            Dialect::Sqlite => ["UPDATE", "DELETE"]
                .iter()
                .map(|change| {
                    format!(
                        "CREATE TRIGGER IF NOT EXISTS {table}_no_{change} BEFORE {change} ON {table} \
                         BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                    )
                })
                .collect::<Vec<_>>(),
            Dialect::Postgres => vec![
                format!(
                    "CREATE OR REPLACE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS \
                     'BEGIN RAISE EXCEPTION ''{table} is append-only''; END'"
                ),
                format!("DROP TRIGGER IF EXISTS {table}_append_only ON {table}"),
                format!(
                    "CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} \
                     FOR EACH ROW EXECUTE FUNCTION {table}_append_only()"
                ),
            ],
        };
        statements.into_iter().map(AssertSqlSafe).collect()
    }
}

#[cfg(test)]
mod tests;
