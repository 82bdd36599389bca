//! Tests of `uploads`.

use model::edges::UploadLimits;
use model::token::Secret;

use super::*;
use crate::fixture::{Fixture, NOON, fixture};
use crate::{OpenError, UploadState, WantedUpload};

const ROOM: u64 = 1 << 32;

fn wanted() -> WantedUpload {
    WantedUpload {
        purpose: "access log".to_owned(),
        most_bytes: 4 << 20,
        media_types: vec!["text/csv".to_owned()],
        life: Duration::from_secs(600),
    }
}

async fn opened(fixture: &Fixture) -> (UploadId, Secret) {
    let mut workspace = fixture.workspace();
    let (id, secret, _) = workspace.open_upload(wanted(), &UploadLimits::default()).await.unwrap();
    fixture.commit(workspace, &format!("req_{id}")).await.unwrap();
    (id, secret)
}

async fn place(fixture: &Fixture, secret: &Secret) -> UploadPlace {
    fixture.store.edges.upload_at(&secret.hash()).await.unwrap().unwrap()
}

async fn begun(fixture: &Fixture, secret: &Secret, now: Moment) -> Receipt {
    match fixture.store.edges.begin_upload(&place(fixture, secret).await, ROOM, now).await.unwrap() {
        Begun::Ours(receipt) => receipt,
        other => panic!("{other:?}"),
    }
}

fn handed(bytes: u64) -> Handed {
    Handed { media_type: "text/csv".to_owned(), encoding: None, bytes, sha256: "00".repeat(32) }
}

async fn chunks(fixture: &Fixture) -> i64 {
    let query = sqlx::query::<Any>("SELECT COUNT(*) FROM upload_chunk");
    fixture.store.database.reader().fetch_one(query).await.unwrap().try_get(0).unwrap()
}

#[tokio::test]
async fn an_address_leads_somewhere_only_once_the_call_that_opened_it_is_committed() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let (id, secret, closes) = workspace.open_upload(wanted(), &UploadLimits::default()).await.unwrap();
    assert_eq!(closes, NOON.plus(Duration::from_secs(600)));
    assert_eq!(workspace.upload(id.as_str()).await.unwrap().unwrap().state, UploadState::Waiting);
    assert!(fixture.store.edges.upload_at(&secret.hash()).await.unwrap().is_none());
    fixture.commit(workspace, "req_1").await.unwrap();
    assert_eq!(place(&fixture, &secret).await.upload, id);
    assert_eq!(fixture.workspace().upload(id.as_str()).await.unwrap().unwrap().purpose, "access log");
}

#[tokio::test]
async fn a_file_is_read_across_its_chunks_once_it_is_whole_and_not_before() {
    let fixture = fixture().await;
    let (id, secret) = opened(&fixture).await;
    let receipt = begun(&fixture, &secret, NOON).await;
    let first: Vec<u8> = (0..CHUNK).map(|at| (at % 251) as u8).collect();
    assert!(fixture.store.edges.add_chunk(&receipt, 0, first.clone(), NOON).await.unwrap());
    assert!(fixture.store.edges.add_chunk(&receipt, 1, b"the end".to_vec(), NOON).await.unwrap());
    let mut workspace = fixture.workspace();
    assert_eq!(workspace.upload_read(id.as_str(), 0, 10).await.unwrap(), None);
    let later = NOON.plus(Duration::from_secs(86_400));
    assert!(fixture.store.edges.complete_upload(&receipt, handed(CHUNK as u64 + 7), NOON, later).await.unwrap());
    let mut workspace = fixture.workspace();
    assert_eq!(workspace.upload_read(id.as_str(), 0, 3).await.unwrap().unwrap(), first[..3]);
    let over = workspace.upload_read(id.as_str(), CHUNK as u64 - 2, 100).await.unwrap().unwrap();
    assert_eq!(over, first[CHUNK - 2..], "it ends with its chunk");
    assert_eq!(workspace.upload_read(id.as_str(), CHUNK as u64, 100).await.unwrap().unwrap(), b"the end");
    assert_eq!(workspace.upload_read(id.as_str(), 1 << 40, 100).await.unwrap().unwrap(), b"");
    let view = workspace.upload(id.as_str()).await.unwrap().unwrap();
    assert_eq!((view.state, view.bytes, view.kept), (UploadState::Complete, CHUNK as u64 + 7, later));
}

#[tokio::test]
async fn nothing_stays_of_an_attempt_that_broke_off_and_the_address_waits_again() {
    let fixture = fixture().await;
    let (id, secret) = opened(&fixture).await;
    let receipt = begun(&fixture, &secret, NOON).await;
    fixture.store.edges.add_chunk(&receipt, 0, vec![1; 10], NOON).await.unwrap();
    fixture.store.edges.abandon_upload(&receipt).await.unwrap();
    assert_eq!(chunks(&fixture).await, 0);
    assert!(!fixture.store.edges.add_chunk(&receipt, 1, vec![1; 10], NOON).await.unwrap());
    assert!(!fixture.store.edges.complete_upload(&receipt, handed(10), NOON, NOON).await.unwrap());
    assert_eq!(fixture.workspace().upload(id.as_str()).await.unwrap().unwrap().state, UploadState::Waiting);
    begun(&fixture, &secret, NOON).await;
}

#[tokio::test]
async fn one_attempt_at_a_time_and_one_file_for_ever() {
    let fixture = fixture().await;
    let (_, secret) = opened(&fixture).await;
    let at = place(&fixture, &secret).await;
    let first = begun(&fixture, &secret, NOON).await;
    assert!(matches!(fixture.store.edges.begin_upload(&at, ROOM, NOON).await.unwrap(), Begun::Busy));
    // A host that died says nothing any more: another attempt takes over, and the first one is fenced out.
    let later = NOON.plus(Duration::from_secs(61));
    let second = begun(&fixture, &secret, later).await;
    assert!(!fixture.store.edges.add_chunk(&first, 0, vec![1], later).await.unwrap());
    fixture.store.edges.add_chunk(&second, 0, vec![2], later).await.unwrap();
    assert!(fixture.store.edges.complete_upload(&second, handed(1), later, later).await.unwrap());
    assert!(matches!(fixture.store.edges.begin_upload(&at, ROOM, later).await.unwrap(), Begun::Complete));
    assert!(!fixture.store.edges.complete_upload(&second, handed(1), later, later).await.unwrap());
}

#[tokio::test]
async fn an_attempt_begins_in_time_and_where_there_is_room() {
    let fixture = fixture().await;
    let (id, secret) = opened(&fixture).await;
    let at = place(&fixture, &secret).await;
    let late = NOON.plus(Duration::from_secs(600));
    assert!(matches!(fixture.store.edges.begin_upload(&at, ROOM, late).await.unwrap(), Begun::Closed));
    assert!(matches!(fixture.store.edges.begin_upload(&at, (4 << 20) - 1, NOON).await.unwrap(), Begun::Full));
    let (_, other) = opened(&fixture).await;
    begun(&fixture, &other, NOON).await;
    assert!(
        matches!(fixture.store.edges.begin_upload(&at, 6 << 20, NOON).await.unwrap(), Begun::Full),
        "with the other one"
    );
    let after = crate::Workspace::open(
        &fixture.store,
        fixture.customer.clone(),
        std::sync::Arc::new(crate::fixture::schema()),
        late,
    );
    let mut after = after;
    assert_eq!(after.upload(id.as_str()).await.unwrap().unwrap().state, UploadState::Expired);
}

#[tokio::test]
async fn what_cannot_be_opened_is_refused_and_says_why() {
    let fixture = fixture().await;
    let limits = UploadLimits { waiting: 2, ..UploadLimits::default() };
    let mut workspace = fixture.workspace();
    for wrong in [
        WantedUpload { purpose: String::new(), ..wanted() },
        WantedUpload { most_bytes: 0, ..wanted() },
        WantedUpload { most_bytes: limits.file_bytes + 1, ..wanted() },
        WantedUpload { life: Duration::from_secs(86_401), ..wanted() },
        WantedUpload { media_types: Vec::new(), ..wanted() },
        WantedUpload { media_types: vec!["Text/CSV".to_owned()], ..wanted() },
        WantedUpload { media_types: vec!["text/csv; charset=utf-8".to_owned()], ..wanted() },
    ] {
        let refused = workspace.open_upload(wrong.clone(), &limits).await;
        assert!(matches!(refused, Err(OpenError::Malformed(_))), "{wrong:?}");
    }
    opened(&fixture).await;
    workspace.open_upload(wanted(), &limits).await.unwrap();
    assert!(matches!(workspace.open_upload(wanted(), &limits).await, Err(OpenError::Waiting(2))));
    let little = UploadLimits { customer_bytes: 1 << 20, ..limits };
    assert!(matches!(fixture.workspace().open_upload(wanted(), &little).await, Err(OpenError::Full(0))));
}

#[tokio::test]
async fn a_sweep_takes_what_went_silent_and_what_was_kept_long_enough() {
    let fixture = fixture().await;
    let (id, secret) = opened(&fixture).await;
    let silent = begun(&fixture, &secret, NOON).await;
    fixture.store.edges.add_chunk(&silent, 0, vec![1; 10], NOON).await.unwrap();
    fixture.store.sweep(NOON).await.unwrap();
    assert_eq!(chunks(&fixture).await, 1, "it is under way");
    let minute = NOON.plus(Duration::from_secs(60));
    fixture.store.sweep(minute).await.unwrap();
    assert_eq!(chunks(&fixture).await, 0);
    let receipt = begun(&fixture, &secret, minute).await;
    fixture.store.edges.add_chunk(&receipt, 0, vec![1; 10], minute).await.unwrap();
    let kept = minute.plus(Duration::from_secs(3_600));
    fixture.store.edges.complete_upload(&receipt, handed(10), minute, kept).await.unwrap();
    fixture.store.sweep(Moment(kept.0 - 1)).await.unwrap();
    assert_eq!(chunks(&fixture).await, 1);
    fixture.store.sweep(kept).await.unwrap();
    assert_eq!(chunks(&fixture).await, 0);
    assert!(fixture.workspace().upload(id.as_str()).await.unwrap().is_none());
}

#[tokio::test]
async fn another_customer_another_module_and_a_forgotten_person_have_no_upload() {
    let fixture = fixture().await;
    let (id, secret) = opened(&fixture).await;
    let other = CustomerId::from("cus_bob");
    crate::fixture::add(&fixture.store, &other).await;
    let schema = std::sync::Arc::new(crate::fixture::schema());
    let mut of_bob = crate::Workspace::open(&fixture.store, other, schema, NOON);
    assert!(of_bob.upload(id.as_str()).await.unwrap().is_none());
    let elsewhere = crate::ModuleSchema { module: "crawl".to_owned(), ..crate::fixture::schema() };
    let customer = fixture.customer.clone();
    let mut of_crawl = crate::Workspace::open(&fixture.store, customer, std::sync::Arc::new(elsewhere), NOON);
    assert!(of_crawl.upload(id.as_str()).await.unwrap().is_none());
    let receipt = begun(&fixture, &secret, NOON).await;
    fixture.store.edges.add_chunk(&receipt, 0, vec![1; 10], NOON).await.unwrap();
    fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap();
    assert!(fixture.store.edges.upload_at(&secret.hash()).await.unwrap().is_none());
    assert_eq!(chunks(&fixture).await, 0);
}
