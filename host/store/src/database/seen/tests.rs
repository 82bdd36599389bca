//! What is kept is never other than what the database says, whoever writes, as tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use model::id::{CustomerId, GrantId};
use model::scope::ScopeSet;
use model::token::SecretHash;
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Executor as _};

use crate::fixture::{Fixture, NOON, add, addressed};
use crate::identity::grants::{self, NewGrant};
use crate::identity::tokens::{self, NewToken, TokenKind, TokenState};
use crate::records::{Row, RowKey};
use crate::{SettleError, StoreError};

const HASH: &str = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";

fn key(fixture: &Fixture) -> RowKey {
    RowKey::new(fixture.customer.clone(), "authors.authors".to_owned(), "a1".to_owned())
}

/// Whether the record is known without asking; where nothing is kept, nobody can be wrong about it.
fn known(fixture: &Fixture) -> Option<Row> {
    fixture.store.database.seen().row(&key(fixture))
}

async fn read(fixture: &Fixture) -> Option<i64> {
    let row = fixture.workspace().get("authors", "a1").await.unwrap()?;
    serde_json::from_str::<Value>(&row.body).unwrap()["age"].as_i64()
}

/// Adds one to the age of the record, which is made where it is missing; what it is then.
async fn older(fixture: &Fixture, request: &str) -> Result<i64, SettleError> {
    let mut workspace = fixture.workspace();
    let body = |age: i64| json!({ "status": "live", "age": age }).to_string();
    let age = match workspace.get("authors", "a1").await.unwrap() {
        None => {
            workspace.insert("authors", Some("a1".to_owned()), body(1)).await.unwrap();
            1
        }
        Some(row) => {
            let age = serde_json::from_str::<Value>(&row.body).unwrap()["age"].as_i64().unwrap() + 1;
            workspace.update("authors", "a1", row.version, body(age)).await.unwrap();
            age
        }
    };
    fixture.commit(workspace, request).await.map(|()| age)
}

/// The same past the store, as another process would.
async fn older_elsewhere(other: &mut AnyConnection) -> i64 {
    let sql = "UPDATE record SET version = version + 1, body = json_set(body, '$.age', (body ->> 'age') + 1) \
               WHERE id = 'a1' RETURNING CAST(body ->> 'age' AS BIGINT)";
    let row = other.fetch_one(AssertSqlSafe(sql)).await.unwrap();
    sqlx::Row::try_get(&row, 0).unwrap()
}

async fn with_token(fixture: &Fixture) -> SecretHash {
    let hash = SecretHash::stored(HASH.to_owned());
    let (customer, stored) = (fixture.customer.clone(), hash.clone());
    let done: Result<(), StoreError> = fixture
        .store
        .database
        .write(move |tx| {
            Box::pin(async move {
                let grant = NewGrant {
                    id: GrantId::from("gra_one"),
                    customer,
                    client: None,
                    name: "by hand".to_owned(),
                    scopes: ScopeSet::all(),
                    resource: String::new(),
                };
                grants::insert(tx.connection(), &grant, NOON).await?;
                let expires_at = NOON.plus(std::time::Duration::from_secs(60));
                let token = NewToken { hash: stored, kind: TokenKind::Access, scopes: ScopeSet::all(), expires_at };
                tokens::insert(tx.connection(), &grant.id, &token, NOON).await
            })
        })
        .await;
    done.unwrap();
    hash
}

#[tokio::test]
async fn a_record_is_known_after_it_was_read_or_written_and_stays_so_while_others_are_charged() {
    let (fixture, address) = addressed().await;
    older(&fixture, "req_1").await.unwrap();
    if !address.dialect.has_one_writer() {
        assert_eq!(known(&fixture), None);
        return;
    }
    assert_eq!(known(&fixture).unwrap().version, 1);
    fixture.store.calls.settle(fixture.call("req_2", 3)).await.unwrap();
    assert_eq!(known(&fixture).unwrap().version, 1);
    older(&fixture, "req_3").await.unwrap();
    assert_eq!(known(&fixture).unwrap().version, 2);
    // Statements of any other kind may change anything.
    add(&fixture.store, &CustomerId::from("cus_bob")).await;
    assert_eq!(known(&fixture), None);
    assert_eq!(read(&fixture).await, Some(2));
    assert_eq!(known(&fixture).unwrap().version, 2);
    let mut workspace = fixture.workspace();
    workspace.remove("authors", "a1", 2).await.unwrap();
    fixture.commit(workspace, "req_4").await.unwrap();
    assert_eq!((known(&fixture), read(&fixture).await), (None, None));
}

#[tokio::test]
async fn what_another_process_commits_counts_from_the_next_question_on() {
    let (fixture, address) = addressed().await;
    older(&fixture, "req_1").await.unwrap();
    let hash = with_token(&fixture).await;
    let mut other = address.writer().await.unwrap();
    for age in 2..20 {
        assert_eq!(read(&fixture).await, Some(age - 1));
        assert_eq!(fixture.store.identity.bearer(hash.clone()).await.unwrap().unwrap().state, TokenState::Valid);
        if address.dialect.has_one_writer() {
            assert_eq!(older_elsewhere(&mut other).await, age);
            assert_eq!(known(&fixture), None);
        } else {
            older(&fixture, &format!("req_{age}")).await.unwrap();
        }
        assert_eq!(read(&fixture).await, Some(age));
    }
    other.execute("UPDATE token SET revoked_at = 7").await.unwrap();
    let state = fixture.store.identity.bearer(hash).await.unwrap().unwrap().state;
    assert!(matches!(state, TokenState::Revoked { .. }), "{state:?}");
}

#[tokio::test]
async fn a_token_that_is_known_still_expires_and_ends_with_its_grant() {
    let (fixture, _) = addressed().await;
    let hash = with_token(&fixture).await;
    let first = fixture.store.identity.bearer(hash.clone()).await.unwrap().unwrap();
    assert_eq!(first.state, TokenState::Valid);
    assert_eq!(first.clone().at(first.expires_at).state, TokenState::Expired);
    let mut workspace = fixture.workspace();
    workspace.want_account(crate::money::account::AccountChange::EndGrant(GrantId::from("gra_one")));
    fixture.commit(workspace, "req_end").await.unwrap();
    let state = fixture.store.identity.bearer(hash).await.unwrap().unwrap().state;
    assert!(matches!(state, TokenState::Revoked { .. }), "{state:?}");
}

#[tokio::test]
async fn after_the_writer_has_lost_its_connection_everything_is_asked_again() {
    let (fixture, _) = addressed().await;
    older(&fixture, "req_1").await.unwrap();
    fixture.store.database.seen().end();
    assert_eq!((known(&fixture), read(&fixture).await), (None, Some(1)));
    older(&fixture, "req_2").await.unwrap();
    assert_eq!((known(&fixture), read(&fixture).await, known(&fixture)), (None, Some(2), None));
}

/// The age only grows, and whoever writes says so when it is committed: a reader who began later must not see less.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_never_see_less_than_was_committed_before_they_asked_whoever_writes() {
    let (fixture, address) = addressed().await;
    older(&fixture, "req_first").await.unwrap();
    let (fixture, committed) = (Arc::new(fixture), Arc::new(AtomicI64::new(1)));
    let elsewhere = address.dialect.has_one_writer();
    let mut others = tokio::task::JoinSet::new();
    for writer in 0..2 {
        let (fixture, committed) = (fixture.clone(), committed.clone());
        others.spawn(async move {
            for number in 0..150 {
                // Who comes second, or finds that another process was faster, tries again.
                if let Ok(age) = older(&fixture, &format!("req_{writer}_{number}")).await {
                    committed.fetch_max(age, Ordering::SeqCst);
                }
                fixture.store.calls.settle(fixture.call(&format!("req_other_{writer}_{number}"), 0)).await.unwrap();
            }
        });
    }
    if elsewhere {
        let committed = committed.clone();
        others.spawn(async move {
            let mut other = address.writer().await.unwrap();
            // Two that write without pause may keep it waiting for long.
            other.execute("PRAGMA busy_timeout = 60000").await.unwrap();
            for _ in 0..60 {
                committed.fetch_max(older_elsewhere(&mut other).await, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_millis(3)).await;
            }
        });
    }
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (fixture, committed) = (fixture.clone(), committed.clone());
            tokio::spawn(async move {
                for _ in 0..2_000 {
                    let before = committed.load(Ordering::SeqCst);
                    let seen = read(&fixture).await.unwrap();
                    assert!(seen >= before, "{seen} after {before} was committed");
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for reader in readers {
        reader.await.unwrap();
    }
    others.join_all().await;
    assert!(read(&fixture).await.unwrap() >= committed.load(Ordering::SeqCst));
}
