//! What keeping transcripts promises, as tests.

use super::*;
use crate::fixture::{Fixture, NOON, add, fixture};

const KEYS: [u8; 32] = [9; 32];

fn sealed(fixture: &Fixture, run: &str, at: Moment) -> SealedTranscript {
    let sealed =
        seal(&KeyRing::of(KEYS), &fixture.customer, run, run.as_bytes(), fixture.store.database.chance()).unwrap();
    SealedTranscript {
        customer: fixture.customer.clone(),
        run: run.to_owned(),
        operation: "authors.list".to_owned(),
        digest: "sha256:00".to_owned(),
        engine: "an engine".to_owned(),
        ending: "limit.fuel".to_owned(),
        made_at: at,
        sealed,
    }
}

#[tokio::test]
async fn what_was_kept_opens_as_its_own_run_and_as_no_other() {
    let fixture = fixture().await;
    let kept = sealed(&fixture, "req_1", NOON);
    fixture.store.trail.keep_transcript(kept.clone()).await.unwrap();
    let found = fixture.store.trail.transcript("req_1").await.unwrap().unwrap();
    assert_eq!(found, kept);
    assert_eq!(&**found.open(&KeyRing::of(KEYS)).unwrap(), b"req_1");
    let moved = SealedTranscript { run: "req_2".to_owned(), ..found.clone() };
    assert_eq!(moved.open(&KeyRing::of(KEYS)), Err(SealError::Broken));
    let anothers = SealedTranscript { customer: CustomerId::from("cus_eve"), ..found.clone() };
    assert_eq!(anothers.open(&KeyRing::of(KEYS)), Err(SealError::Broken));
    for at in 0..found.sealed.sealed.len() {
        let mut changed = found.clone();
        changed.sealed.sealed[at] ^= 1;
        assert_eq!(changed.open(&KeyRing::of(KEYS)), Err(SealError::Broken), "byte {at}");
    }
    assert_eq!(fixture.store.trail.transcript("req_2").await.unwrap(), None);
}

#[tokio::test]
async fn after_seven_days_nothing_is_left() {
    let fixture = fixture().await;
    let early = Moment(NOON.0 - i64::try_from(LIFE.as_millis()).unwrap());
    fixture.store.trail.keep_transcript(sealed(&fixture, "req_early", early)).await.unwrap();
    fixture.store.trail.keep_transcript(sealed(&fixture, "req_late", NOON)).await.unwrap();
    assert_eq!(fixture.store.trail.transcript("req_early").await.unwrap(), None, "not even before a sweep");
    assert_eq!(count(&fixture).await, 2);
    fixture.store.sweep(NOON).await.unwrap();
    assert_eq!(count(&fixture).await, 1);
    fixture.store.sweep(Moment(NOON.plus(LIFE).0 - 1)).await.unwrap();
    assert_eq!(count(&fixture).await, 1);
    fixture.store.sweep(NOON.plus(LIFE)).await.unwrap();
    assert_eq!(count(&fixture).await, 0);
}

#[tokio::test]
async fn an_erasure_takes_the_customers_own_and_no_other() {
    let fixture = fixture().await;
    let other = Fixture { store: fixture.store.clone(), customer: CustomerId::from("cus_other") };
    add(&other.store, &other.customer).await;
    fixture.store.trail.keep_transcript(sealed(&fixture, "req_1", NOON)).await.unwrap();
    fixture.store.trail.keep_transcript(sealed(&other, "req_2", NOON)).await.unwrap();
    assert!(fixture.store.identity.erase(other.customer.clone(), NOON).await.unwrap());
    let left: Vec<String> = fixture.store.trail.transcripts(10).await.unwrap().into_iter().map(|it| it.run).collect();
    assert_eq!(left, ["req_1"]);
    assert!(fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap());
    assert_eq!(count(&fixture).await, 0);
}

#[tokio::test]
async fn of_one_customer_the_newest_are_kept() {
    let fixture = fixture().await;
    for number in 0..70 {
        let at = NOON.plus(Duration::from_secs(number));
        fixture.store.trail.keep_transcript(sealed(&fixture, &format!("req_{number}"), at)).await.unwrap();
    }
    assert_eq!(count(&fixture).await, MOST);
    assert_eq!(fixture.store.trail.transcript("req_5").await.unwrap(), None);
    assert!(fixture.store.trail.transcript("req_6").await.unwrap().is_some());
}

async fn count(fixture: &Fixture) -> i64 {
    let query = sqlx::query::<Any>("SELECT COUNT(*) FROM transcript");
    fixture.store.database.reader().fetch_optional(query).await.unwrap().unwrap().try_get(0).unwrap()
}
