//! What a copy promises, as tests.

use std::sync::Arc;

use model::clock::{FixedClock, SeededEntropy};
use model::id::CustomerId;
use sqlx::Executor as _;

use super::{check, copy, of, place};
use crate::connections::Sealed;
use crate::database::Folder;
use crate::database::dialect::Durability;
use crate::fixture::{Fixture, NOON, add};
use crate::trail::transcripts::SealedTranscript;
use crate::{Store, StoreError};

/// A database with a customer who called once, and the folder that it is in.
async fn called() -> (Fixture, Folder) {
    let folder = Folder::make().unwrap();
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([7; 32])));
    let url = format!("sqlite://{}/store.db", folder.0.display());
    let fixture =
        Fixture { store: Store::open(&url, clock, entropy).await.unwrap(), customer: CustomerId::from("cus_ann") };
    add(&fixture.store, &fixture.customer).await;
    fixture.store.calls.settle(fixture.call("req_1", 5)).await.unwrap();
    (fixture, folder)
}

/// What is wrong with a copy that these statements have gone over.
async fn flaws_after(statements: &[&'static str]) -> Result<Vec<String>, StoreError> {
    let (_fixture, folder) = called().await;
    let target = folder.0.join("copy.db");
    copy(&folder.0.join("store.db"), &target).await.unwrap();
    let mut connection = of(&target, Durability::Full).unwrap().writer().await.unwrap();
    for statement in statements {
        connection.execute(*statement).await.unwrap();
    }
    drop(connection);
    check(&target, Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([8; 32]))).await
}

#[tokio::test]
async fn a_copy_of_a_database_in_use_is_good() {
    assert_eq!(flaws_after(&[]).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_copy_holds_no_transcript_and_is_one_file() {
    let (fixture, folder) = called().await;
    let words = b"what a guest was told".repeat(200);
    let sealed = Sealed { kek: "key".to_owned(), wrapped: vec![1], sealed: words.clone() };
    let transcript = SealedTranscript {
        customer: fixture.customer.clone(),
        run: "req_1".to_owned(),
        operation: "authors.list".to_owned(),
        digest: "sha256:00".to_owned(),
        engine: "an engine".to_owned(),
        ending: "limit.fuel".to_owned(),
        made_at: NOON,
        sealed,
    };
    fixture.store.trail.keep_transcript(transcript).await.unwrap();
    let (database, target) = (folder.0.join("store.db"), folder.0.join("copy.db"));
    copy(&database, &target).await.unwrap();
    let bytes = std::fs::read(&target).unwrap();
    assert!(!bytes.windows(22).any(|part| part == &words[..22]));
    assert!(!folder.0.join("copy.db-wal").exists());
    assert!(fixture.store.trail.transcript("req_1").await.unwrap().is_some());
}

#[tokio::test]
async fn a_copy_whose_books_are_wrong_is_not() {
    let flaws = flaws_after(&["UPDATE account SET credits_posted = 1000 WHERE limited = 1"]).await.unwrap();
    assert!(flaws.iter().any(|flaw| flaw.starts_with("the ledger: I")), "{flaws:?}");
}

#[tokio::test]
async fn a_copy_whose_trail_was_changed_is_not() {
    let flaws = flaws_after(&["DROP TRIGGER audit_no_UPDATE", "UPDATE audit SET body = '{}'"]).await.unwrap();
    assert!(flaws.iter().any(|flaw| flaw.starts_with("the audit trail of cus_ann")), "{flaws:?}");
}

#[tokio::test]
async fn a_copy_of_a_newer_host_is_refused() {
    let flaws = flaws_after(&["INSERT INTO migration (name, applied_at) VALUES ('9999_later', 0)"]).await.unwrap();
    assert_eq!(flaws, ["it is newer than this host: it has migration 9999_later"]);
}

#[tokio::test]
async fn there_is_no_copy_of_nothing_and_none_is_made_on_the_way() {
    let folder = Folder::make().unwrap();
    let missing = folder.0.join("none.db");
    assert!(copy(&missing, &folder.0.join("copy.db")).await.is_err());
    assert!(!missing.exists() && !folder.0.join("copy.db").exists());
}

#[test]
fn a_server_is_named_without_its_password() {
    let server = place("postgres://ann:s3cret@db.example:5433/espalier").unwrap();
    let words = "--host=db.example --port=5433 --username=ann --dbname=espalier";
    assert_eq!(server, super::Place::Server(words.to_owned()));
}
