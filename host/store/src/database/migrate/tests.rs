//! Tests of `migrate`.

use sqlx::{Any, AssertSqlSafe, Executor as _, Row as _};

use crate::database::dialect::Dialect;
use crate::fixture::{NOON, fixture};
use crate::{Store, StoreError};

/// Starts once more on a schema that has this migration of another version.
async fn start_on(store: &Store, name: &'static str) -> Result<(), StoreError> {
    store
        .database
        .write(move |tx| {
            Box::pin(async move {
                let dialect = tx.dialect;
                let insert = sqlx::query::<sqlx::Any>("INSERT INTO migration (name, applied_at) VALUES ($1, 0)");
                insert.bind(name).execute(tx.connection()).await?;
                super::apply(tx.connection(), dialect, NOON).await
            })
        })
        .await
}

#[tokio::test]
async fn an_older_host_starts_on_a_schema_that_a_newer_one_expanded() {
    let fixture = fixture().await;
    start_on(&fixture.store, "9000_wider").await.unwrap();
    fixture.store.calls.settle(fixture.call("req_1", 1)).await.unwrap();
    fixture.holds().await;
}

#[tokio::test]
async fn a_host_refuses_a_schema_that_lacks_what_it_needs() {
    let fixture = fixture().await;
    let refused = start_on(&fixture.store, "9001_narrower_contract").await.unwrap_err();
    assert!(refused.to_string().contains("9001_narrower_contract"), "{refused}");
    fixture.store.calls.settle(fixture.call("req_1", 1)).await.unwrap();
}

#[tokio::test]
async fn what_modules_kept_is_there_when_records_have_moved_out_of_the_tree_of_their_keys() {
    let fixture = fixture().await;
    let moved = fixture.store.database.write(|tx| {
        Box::pin(async move {
            let dialect = tx.dialect;
            let connection = tx.connection();
            if dialect == Dialect::Sqlite {
                // As a host of before left it.
                connection.execute("DROP TABLE record").await?;
                let records = super::MIGRATIONS.iter().find(|it| it.name == "0002_records").expect("it is there");
                connection
                    .execute(AssertSqlSafe(super::statements(&dialect.translate(records.text)).remove(0)))
                    .await?;
            }
            let long = "x".repeat(10_000);
            let insert =
                "INSERT INTO record (customer, collection, id, version, body) VALUES ('cus_a', 'a.b', $1, 7, $2) \
                 ON CONFLICT (customer, collection, id) DO NOTHING";
            for id in ["1", "2"] {
                sqlx::query::<Any>(insert).bind(id).bind(long.as_str()).execute(&mut *connection).await?;
            }
            connection.execute("DELETE FROM migration WHERE name = '0664_records_apart'").await?;
            super::apply(connection, dialect, NOON).await?;
            if dialect == Dialect::Sqlite {
                // Only a table whose rows lie beside their keys has this column.
                connection.execute("SELECT rowid FROM record").await?;
            }
            // It is there once, as before.
            sqlx::query::<Any>(insert).bind("1").bind("").execute(&mut *connection).await?;
            let rows = connection.fetch_all("SELECT id, version, length(body) FROM record ORDER BY id").await?;
            let kept = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)));
            Ok::<Vec<(String, i64, i64)>, StoreError>(kept.collect::<Result<_, sqlx::Error>>()?)
        })
    });
    assert_eq!(moved.await.unwrap(), [("1".to_owned(), 7, 10_000), ("2".to_owned(), 7, 10_000)]);
}
