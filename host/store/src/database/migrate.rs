//! The schema: numbered files, embedded, applied forward and once.

use model::clock::Moment;
use sqlx::AnyConnection;
use sqlx::{Any, AssertSqlSafe, Executor as _, Row as _};

use crate::StoreError;
use crate::database::dialect::Dialect;

/// One file of `migrations/`.
struct Migration {
    name: &'static str,
    text: &'static str,
    /// Tables whose rows never change once written.
    append_only: &'static [&'static str],
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "0001_ledger",
        text: include_str!("../../../../migrations/0001_ledger.sql"),
        append_only: &["transfer", "audit"],
    },
    Migration { name: "0002_records", text: include_str!("../../../../migrations/0002_records.sql"), append_only: &[] },
    Migration { name: "0003_jobs", text: include_str!("../../../../migrations/0003_jobs.sql"), append_only: &[] },
    Migration { name: "0004_clock", text: include_str!("../../../../migrations/0004_clock.sql"), append_only: &[] },
    Migration { name: "0005_limits", text: include_str!("../../../../migrations/0005_limits.sql"), append_only: &[] },
    Migration { name: "0006_truth", text: include_str!("../../../../migrations/0006_truth.sql"), append_only: &[] },
    Migration {
        name: "0100_identity",
        text: include_str!("../../../../migrations/0100_identity.sql"),
        append_only: &[],
    },
    Migration {
        name: "0101_upstream",
        text: include_str!("../../../../migrations/0101_upstream.sql"),
        append_only: &[],
    },
    Migration { name: "0102_orders", text: include_str!("../../../../migrations/0102_orders.sql"), append_only: &[] },
    Migration {
        name: "0103_disclosures",
        text: include_str!("../../../../migrations/0103_disclosures.sql"),
        append_only: &[],
    },
    Migration { name: "0200_intents", text: include_str!("../../../../migrations/0200_intents.sql"), append_only: &[] },
    Migration { name: "0610_sends", text: include_str!("../../../../migrations/0610_sends.sql"), append_only: &[] },
    Migration { name: "0501_serving", text: include_str!("../../../../migrations/0501_serving.sql"), append_only: &[] },
    Migration { name: "0500_budgets", text: include_str!("../../../../migrations/0500_budgets.sql"), append_only: &[] },
    Migration {
        name: "0300_checkpoints",
        text: include_str!("../../../../migrations/0300_checkpoints.sql"),
        append_only: &["checkpoint", "checkpoint_leaf"],
    },
    Migration {
        name: "0600_connections",
        text: include_str!("../../../../migrations/0600_connections.sql"),
        append_only: &[],
    },
    Migration { name: "0400_usage", text: include_str!("../../../../migrations/0400_usage.sql"), append_only: &[] },
    Migration { name: "0620_turns", text: include_str!("../../../../migrations/0620_turns.sql"), append_only: &[] },
    Migration { name: "0630_uploads", text: include_str!("../../../../migrations/0630_uploads.sql"), append_only: &[] },
    Migration { name: "0631_links", text: include_str!("../../../../migrations/0631_links.sql"), append_only: &[] },
    Migration { name: "0632_shares", text: include_str!("../../../../migrations/0632_shares.sql"), append_only: &[] },
    Migration {
        name: "0633_unsubscribes",
        text: include_str!("../../../../migrations/0633_unsubscribes.sql"),
        append_only: &[],
    },
    Migration { name: "0650_robots", text: include_str!("../../../../migrations/0650_robots.sql"), append_only: &[] },
    Migration { name: "0651_answers", text: include_str!("../../../../migrations/0651_answers.sql"), append_only: &[] },
    Migration { name: "0660_account", text: include_str!("../../../../migrations/0660_account.sql"), append_only: &[] },
    Migration {
        name: "0661_schedules",
        text: include_str!("../../../../migrations/0661_schedules.sql"),
        append_only: &[],
    },
    Migration {
        name: "0662_transcripts",
        text: include_str!("../../../../migrations/0662_transcripts.sql"),
        append_only: &[],
    },
    Migration {
        name: "0663_untrusted",
        text: include_str!("../../../../migrations/0663_untrusted.sql"),
        append_only: &[],
    },
    Migration {
        name: "0664_records_apart",
        text: include_str!("../../../../migrations/0664_records_apart.sql"),
        append_only: &[],
    },
    Migration {
        name: "0640_consents",
        text: include_str!("../../../../migrations/0640_consents.sql"),
        append_only: &[],
    },
    Migration {
        name: "0670_turns_of_jobs",
        text: include_str!("../../../../migrations/0670_turns_of_jobs.sql"),
        append_only: &[],
    },
    Migration {
        name: "0671_in_force",
        text: include_str!("../../../../migrations/0671_in_force.sql"),
        append_only: &[],
    },
    Migration {
        name: "0672_shares_of_grants",
        text: include_str!("../../../../migrations/0672_shares_of_grants.sql"),
        append_only: &[],
    },
    Migration {
        name: "0680_stored_indexes",
        text: include_str!("../../../../migrations/0680_stored_indexes.sql"),
        append_only: &[],
    },
    Migration {
        name: "0690_forms_of_records",
        text: include_str!("../../../../migrations/0690_forms_of_records.sql"),
        append_only: &[],
    },
    Migration {
        name: "0691_served_bytes",
        text: include_str!("../../../../migrations/0691_served_bytes.sql"),
        append_only: &[],
    },
    Migration {
        name: "0692_began_with",
        text: include_str!("../../../../migrations/0692_began_with.sql"),
        append_only: &[],
    },
    Migration {
        name: "0693_background_jobs",
        text: include_str!("../../../../migrations/0693_background_jobs.sql"),
        append_only: &[],
    },
    Migration {
        name: "0694_connection_spending",
        text: include_str!("../../../../migrations/0694_connection_spending.sql"),
        append_only: &[],
    },
    Migration {
        name: "0695_guarded_shares",
        text: include_str!("../../../../migrations/0695_guarded_shares.sql"),
        append_only: &[],
    },
    Migration {
        name: "0696_recipients",
        text: include_str!("../../../../migrations/0696_recipients.sql"),
        append_only: &[],
    },
    Migration {
        name: "0697_spending_noted",
        text: include_str!("../../../../migrations/0697_spending_noted.sql"),
        append_only: &[],
    },
];

/// The end of the name of a migration that takes away what an older host needs.
const CONTRACTS: &str = "_contract";

/// The tables, each with its columns.
#[cfg(test)]
pub(crate) fn tables() -> Vec<(String, Vec<String>)> {
    let mut tables = Vec::new();
    for text in MIGRATIONS.iter().flat_map(|migration| migration.text.split("CREATE TABLE ").skip(1)) {
        let (name, rest) = text.split_once(" (").expect("a table has columns");
        let body = rest.split("\n)").next().unwrap_or_default();
        let columns = body.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
        tables.push((name.to_owned(), columns.collect()));
    }
    tables
}

/// Whether a migration of this name belongs to this version.
pub(crate) fn knows(name: &str) -> bool {
    MIGRATIONS.iter().any(|migration| migration.name == name)
}

/// Applies what is missing, all of it or nothing.
pub(crate) async fn migrate(connection: &mut AnyConnection, dialect: Dialect, now: Moment) -> Result<(), StoreError> {
    dialect.open(connection).await?;
    match apply(connection, dialect, now).await {
        Ok(()) => {
            connection.execute("COMMIT").await?;
            Ok(())
        }
        Err(error) => {
            connection.execute("ROLLBACK").await?;
            Err(error)
        }
    }
}

async fn apply(connection: &mut AnyConnection, dialect: Dialect, now: Moment) -> Result<(), StoreError> {
    dialect.lock_schema(connection).await?;
    let table = "CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)";
    connection.execute(table).await?;
    let rows = connection.fetch_all("SELECT name FROM migration").await?;
    let applied = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<Vec<_>, _>>()?;
    for name in &applied {
        // While nodes are replaced one by one, an older one may start again on a schema that a newer one expanded.
        if name.ends_with(CONTRACTS) && !knows(name) {
            return Err(StoreError::Unavailable(format!(
                "the database is newer than this host: it has migration {name}"
            )));
        }
    }
    for migration in MIGRATIONS {
        if applied.iter().any(|name| name == migration.name) {
            continue;
        }
        let text = dialect.translate(migration.text);
        for statement in statements(&text) {
            connection.execute(AssertSqlSafe(statement)).await?;
        }
        for table in migration.append_only {
            for statement in dialect.append_only(table) {
                connection.execute(statement).await?;
            }
        }
        let insert = sqlx::query::<Any>("INSERT INTO migration (name, applied_at) VALUES ($1, $2)");
        insert.bind(migration.name).bind(now.0).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The statements of a file: comments dropped, ends at a semicolon. The files have no text literal with either.
fn statements(text: &str) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    code.split(';').map(str::trim).filter(|statement| !statement.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
