//! How long a reference lives, and for whom.

use std::sync::Arc;
use std::time::Duration;

use model::clock::{FixedClock, Moment, SeededEntropy};
use model::id::IntentRef;

use super::{Intent, IntentLink};
use crate::Store;

const NOW: Moment = Moment(1_790_000_000_000);

async fn store() -> Store {
    Store::memory(Arc::new(FixedClock::at(NOW)), Arc::new(SeededEntropy::new([5; 32]))).await.unwrap()
}

fn intent(reference: &str, at: Moment) -> Intent {
    Intent {
        reference: reference.into(),
        customer: "cus_a".into(),
        grant: "gra_a".into(),
        query: Some("list my authors".to_owned()),
        best: None,
        at,
        expires_at: at.plus(Duration::from_secs(60)),
    }
}

async fn lives(store: &Store, customer: &str, grant: &str, reference: &str, now: Moment) -> bool {
    store.intent_lives(&customer.into(), &grant.into(), &IntentRef::from(reference), now).await.unwrap()
}

#[tokio::test]
async fn a_reference_lives_for_its_own_grant_until_it_expires() {
    let store = store().await;
    store.add_intent(intent("int_1", NOW)).await.unwrap();
    assert!(lives(&store, "cus_a", "gra_a", "int_1", NOW).await);
    assert!(lives(&store, "cus_a", "gra_a", "int_1", NOW.plus(Duration::from_millis(59_999))).await);
    assert!(!lives(&store, "cus_a", "gra_a", "int_1", NOW.plus(Duration::from_secs(60))).await);
    assert!(!lives(&store, "cus_a", "gra_b", "int_1", NOW).await);
    assert!(!lives(&store, "cus_b", "gra_a", "int_1", NOW).await);
    assert!(!lives(&store, "cus_a", "gra_a", "int_2", NOW).await);
}

#[tokio::test]
async fn old_searches_are_forgotten_with_what_they_led_to() {
    let store = store().await;
    store.add_intent(intent("int_old", NOW)).await.unwrap();
    let link = IntentLink {
        customer: "cus_a".into(),
        reference: "int_old".into(),
        what: "contract",
        subject: "authors.list".to_owned(),
        at: NOW,
    };
    store.link_intent(link).await.unwrap();
    let later = NOW.plus(Duration::from_secs(91 * 24 * 3_600));
    store.add_intent(intent("int_new", later)).await.unwrap();
    for (table, left) in [("intent", 1_i64), ("intent_link", 0)] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let row = store.reader().fetch_one(sqlx::query::<sqlx::Any>(sqlx::AssertSqlSafe(sql))).await.unwrap();
        let count: i64 = sqlx::Row::get(&row, 0);
        assert_eq!(count, left, "{table}");
    }
}
