//! What `claims` has to do, sentence by sentence.

use super::*;
use crate::fixture::{Fixture, NOON, answer, fixture};
use crate::{Begun, Repeat, Right, SendIntent, Sends};

const KEY: &str = "key-of-a-call";
const LEASE: Duration = Duration::from_secs(60);

fn wanted(fixture: &Fixture, request: &str, now: Moment) -> Wanted {
    Wanted {
        customer: fixture.customer.clone(),
        key: KEY.to_owned(),
        fingerprint: "same".to_owned(),
        operation: "cms.post.create".to_owned(),
        request: RequestId::from(request),
        now,
        lease: LEASE,
    }
}

async fn ours(fixture: &Fixture, request: &str, now: Moment) -> KeyClaim {
    match fixture.store.calls.claim(wanted(fixture, request, now)).await.unwrap() {
        Claimed::Ours(claim) => claim,
        other => panic!("{other:?}"),
    }
}

async fn send(fixture: &Fixture, claim: &KeyClaim, now: Moment) -> Begun {
    let right = Right::Key(claim.clone());
    let sends = Sends::open(&fixture.store, &fixture.customer, right, now, [1; 32]).await.unwrap();
    sends.begin(SendIntent { connection: "con_1", digest: "d", repeat: Repeat::Never, now }).await.unwrap()
}

fn settlement(fixture: &Fixture, claim: &KeyClaim) -> Settlement {
    Settlement { answer: Some(answer(KEY, "same")), claim: Some(claim.clone()), ..fixture.call("req_9", 1) }
}

#[tokio::test]
async fn a_key_is_held_by_one_run_until_its_lease_ends() {
    let fixture = fixture().await;
    let first = ours(&fixture, "req_1", NOON).await;
    assert_eq!(fixture.store.calls.claim(wanted(&fixture, "req_2", NOON)).await.unwrap(), Claimed::Running);
    let second = ours(&fixture, "req_2", NOON.plus(LEASE)).await;
    assert_eq!(second.run, first.run, "what the first run sent is found by the second");
    assert_ne!(second.token, first.token);
}

#[tokio::test]
async fn a_key_that_is_held_belongs_to_its_arguments() {
    let fixture = fixture().await;
    ours(&fixture, "req_1", NOON).await;
    let other = Wanted { fingerprint: "other".to_owned(), ..wanted(&fixture, "req_2", NOON.plus(LEASE)) };
    let first = RequestId::from("req_1");
    assert_eq!(fixture.store.calls.claim(other).await.unwrap(), Claimed::Other { first });
}

#[tokio::test]
async fn the_commit_of_the_answer_ends_the_claim_and_its_journal() {
    let fixture = fixture().await;
    let claim = ours(&fixture, "req_1", NOON).await;
    assert!(matches!(send(&fixture, &claim, NOON).await, Begun::Send { .. }));
    fixture.store.calls.settle(settlement(&fixture, &claim)).await.unwrap();
    let twin = fixture.store.calls.claim(wanted(&fixture, "req_2", NOON)).await.unwrap();
    assert!(matches!(twin, Claimed::Ended(_)), "{twin:?}");
    for table in ["claim", "send"] {
        let rows = fixture
            .store
            .database
            .reader()
            .fetch_all(sqlx::query(sqlx::AssertSqlSafe(format!("SELECT 1 FROM {table}"))));
        assert_eq!(rows.await.unwrap().len(), 0, "{table}");
    }
}

#[tokio::test]
async fn a_run_whose_key_was_taken_over_commits_nothing_and_sends_nothing_more() {
    let fixture = fixture().await;
    let late = ours(&fixture, "req_1", NOON).await;
    let claim = ours(&fixture, "req_2", NOON.plus(LEASE)).await;
    assert_eq!(send(&fixture, &late, NOON.plus(LEASE)).await, Begun::Lost);
    let lost = fixture.store.calls.settle(settlement(&fixture, &late)).await;
    assert!(matches!(lost, Err(SettleError::ClaimLost)), "{lost:?}");
    fixture.store.calls.settle(settlement(&fixture, &claim)).await.unwrap();
    fixture.holds().await;
}

#[tokio::test]
async fn each_send_makes_the_lease_last_longer() {
    let fixture = fixture().await;
    let claim = ours(&fixture, "req_1", NOON).await;
    let late = NOON.plus(LEASE / 2);
    assert!(matches!(send(&fixture, &claim, late).await, Begun::Send { .. }));
    assert_eq!(fixture.store.calls.claim(wanted(&fixture, "req_2", NOON.plus(LEASE))).await.unwrap(), Claimed::Running);
}

#[tokio::test]
async fn a_key_with_nothing_sent_is_free_at_once_and_one_with_something_sent_goes_to_its_twin() {
    let fixture = fixture().await;
    let nothing = ours(&fixture, "req_1", NOON).await;
    fixture.store.calls.unclaim(&fixture.customer, &nothing).await.unwrap();
    let something = ours(&fixture, "req_2", NOON).await;
    assert_eq!(something.run, RequestId::from("req_2"), "the first left no trace");
    send(&fixture, &something, NOON).await;
    fixture.store.calls.unclaim(&fixture.customer, &something).await.unwrap();
    let next = ours(&fixture, "req_3", NOON).await;
    assert_eq!(next.run, something.run);
    assert_eq!(send(&fixture, &next, NOON).await, Begun::Unknown, "it may have arrived");
}

#[tokio::test]
async fn a_call_that_nobody_repeats_for_a_day_ends_with_an_unknown_outcome() {
    let fixture = fixture().await;
    let claim = ours(&fixture, "req_1", NOON).await;
    send(&fixture, &claim, NOON).await;
    let later = NOON.plus(LEASE * 3);
    assert_eq!(fixture.store.calls.sweep_claims(later).await.unwrap(), 0, "its customer may still ask again");
    let tomorrow = NOON.plus(UNKNOWN_AFTER + LEASE * 3);
    assert_eq!(fixture.store.calls.sweep_claims(tomorrow).await.unwrap(), 1);
    match fixture.store.calls.claim(wanted(&fixture, "req_2", tomorrow)).await.unwrap() {
        Claimed::Ended(earlier) => assert_eq!(earlier.outcome, Stored::Refused(unknown_outcome())),
        other => panic!("{other:?}"),
    }
    fixture.holds().await;
}

#[tokio::test]
async fn a_claim_whose_host_died_before_it_sent_anything_leaves_no_trace() {
    let fixture = fixture().await;
    ours(&fixture, "req_1", NOON).await;
    assert_eq!(fixture.store.calls.sweep_claims(NOON).await.unwrap(), 0);
    assert_eq!(fixture.store.calls.sweep_claims(NOON.plus(LEASE)).await.unwrap(), 1);
    assert_eq!(ours(&fixture, "req_2", NOON).await.run, RequestId::from("req_2"));
}
