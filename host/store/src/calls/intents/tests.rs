//! How long a reference lives, and for whom; a search is kept with its charge.

use std::time::Duration;

use model::clock::Moment;
use model::id::IntentRef;

use super::{Intent, IntentLink};
use crate::fixture::{Fixture, NOON as NOW, fixture};
use crate::{Changes, Noted, SettleError, Settlement, Store};

fn intent(fixture: &Fixture, reference: &str) -> Intent {
    Intent {
        reference: reference.into(),
        customer: fixture.customer.clone(),
        grant: "gra_a".into(),
        query: Some("list my 'authors'".to_owned()),
        best: None,
        at: NOW,
        expires_at: NOW.plus(Duration::from_secs(60)),
    }
}

/// A read of this many points that notes something.
async fn noting(fixture: &Fixture, request: &str, points: u64, noted: Noted) -> Result<(), SettleError> {
    let call = Settlement { changes: Changes::noting(noted), ..fixture.call(request, points) };
    fixture.store.calls.settle(call).await.map(drop)
}

async fn lives(store: &Store, customer: &str, grant: &str, reference: &str, now: Moment) -> bool {
    store.calls.intent_lives(&customer.into(), &grant.into(), &IntentRef::from(reference), now).await.unwrap()
}

async fn rows(store: &Store, table: &str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM {table}");
    let row = store.database.reader().fetch_one(sqlx::query::<sqlx::Any>(sqlx::AssertSqlSafe(sql))).await.unwrap();
    sqlx::Row::get(&row, 0)
}

#[tokio::test]
async fn a_reference_lives_for_its_own_grant_until_it_expires() {
    let fixture = fixture().await;
    noting(&fixture, "req_1", 1, Noted::Search(intent(&fixture, "int_1"))).await.unwrap();
    let (store, own) = (&fixture.store, fixture.customer.as_str());
    assert!(lives(store, own, "gra_a", "int_1", NOW).await);
    assert!(lives(store, own, "gra_a", "int_1", NOW.plus(Duration::from_millis(59_999))).await);
    assert!(!lives(store, own, "gra_a", "int_1", NOW.plus(Duration::from_secs(60))).await);
    assert!(!lives(store, own, "gra_b", "int_1", NOW).await);
    assert!(!lives(store, "cus_other", "gra_a", "int_1", NOW).await);
    assert!(!lives(store, own, "gra_a", "int_2", NOW).await);
}

#[tokio::test]
async fn a_search_that_cannot_be_paid_is_not_kept() {
    let fixture = fixture().await;
    let refused = noting(&fixture, "req_1", 1_000_000, Noted::Search(intent(&fixture, "int_1"))).await;
    assert!(matches!(refused, Err(SettleError::OutOfPoints { .. })), "{refused:?}");
    assert_eq!(rows(&fixture.store, "intent").await, 0);
}

#[tokio::test]
async fn old_searches_are_forgotten_with_what_they_led_to() {
    let fixture = fixture().await;
    noting(&fixture, "req_1", 1, Noted::Search(intent(&fixture, "int_old"))).await.unwrap();
    let link = IntentLink {
        customer: fixture.customer.clone(),
        reference: "int_old".into(),
        what: "contract",
        subject: "authors.list".to_owned(),
        at: NOW,
    };
    noting(&fixture, "req_2", 1, Noted::Followed(link)).await.unwrap();
    for (days, left) in [(89, 1), (91, 0)] {
        fixture.store.sweep(NOW.plus(Duration::from_secs(days * 24 * 3_600))).await.unwrap();
        for table in ["intent", "intent_link"] {
            assert_eq!(rows(&fixture.store, table).await, left, "{table} after {days} days");
        }
    }
}

#[tokio::test]
async fn a_sweep_says_when_it_has_not_taken_all_old_searches() {
    let fixture = fixture().await;
    let old: Vec<Noted> = (0..501).map(|at| Noted::Search(intent(&fixture, &format!("int_{at}")))).collect();
    let changes = Changes { noted: old, ..Changes::default() };
    fixture.store.calls.settle(Settlement { changes, ..fixture.call("req_1", 1) }).await.unwrap();
    let later = NOW.plus(Duration::from_secs(91 * 24 * 3_600));
    assert!(fixture.store.sweep(later).await.unwrap().more);
    assert_eq!(rows(&fixture.store, "intent").await, 1);
    assert!(!fixture.store.sweep(later).await.unwrap().more);
    assert_eq!(rows(&fixture.store, "intent").await, 0);
}
