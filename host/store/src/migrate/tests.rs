//! What `migrate` promises, as tests.

use crate::fixture::{NOON, fixture};
use crate::{Store, StoreError};

/// Starts once more on a schema that has this migration of another version.
async fn start_on(store: &Store, name: &'static str) -> Result<(), StoreError> {
    store
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
    fixture.store.settle(fixture.call("req_1", 1)).await.unwrap();
    fixture.holds().await;
}

#[tokio::test]
async fn a_host_refuses_a_schema_that_lacks_what_it_needs() {
    let fixture = fixture().await;
    let refused = start_on(&fixture.store, "9001_narrower_contract").await.unwrap_err();
    assert!(refused.to_string().contains("9001_narrower_contract"), "{refused}");
    fixture.store.settle(fixture.call("req_1", 1)).await.unwrap();
}
