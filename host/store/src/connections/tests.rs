//! Connections are changed with everything else that a call leaves, or not at all.

use std::time::Duration;

use model::keys::{Key, KeyRing};

use super::*;
use crate::fixture::{Fixture, NOON, add, fixture};
use crate::{RecordsError, SettleError, Workspace};

fn ring(keys: &[&str]) -> KeyRing {
    KeyRing::new(keys.iter().map(|id| Key::new(*id, "", [id.as_bytes()[0]; 32])).collect()).unwrap()
}

fn sealed(fixture: &Fixture, id: &str, version: u64, secret: &str) -> Sealed {
    let id = ConnectionId::from(id);
    let place = Place { customer: &fixture.customer, connection: &id, kind: "wordpress", version };
    Sealed::seal(&ring(&["a"]), place, secret.as_bytes(), fixture.store.database.entropy()).unwrap()
}

fn new(id: &str) -> NewConnection {
    NewConnection { id: id.into(), kind: "wordpress".to_owned(), name: "Blog".to_owned(), endpoint: None }
}

async fn added(fixture: &Fixture, id: &str) -> Connection {
    let mut workspace = fixture.workspace();
    let connection = workspace.add_connection(new(id), sealed(fixture, id, 1, "first")).await.unwrap();
    fixture.commit(workspace, &format!("req_{id}")).await.unwrap();
    connection
}

async fn opened(workspace: &mut Workspace, id: &str, keys: &KeyRing) -> String {
    let customer = workspace.customer().clone();
    let (connection, sealed) = workspace.connection_with_secret(id).await.unwrap().unwrap();
    let secret = sealed.open(keys, connection.place(&customer)).unwrap();
    String::from_utf8(secret.to_vec()).unwrap()
}

#[tokio::test]
async fn a_connection_is_seen_by_its_own_call_and_stored_with_it() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    workspace.add_connection(new("con_1"), sealed(&fixture, "con_1", 1, "first")).await.unwrap();
    assert_eq!(opened(&mut workspace, "con_1", &ring(&["a"])).await, "first");
    assert_eq!(workspace.connections(Some("wordpress")).await.unwrap().len(), 1);
    assert_eq!(workspace.connections(Some("llm")).await.unwrap().len(), 0);
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap(), []);
    fixture.commit(workspace, "req_1").await.unwrap();
    let stored = fixture.store.connections.connections(&fixture.customer).await.unwrap();
    assert_eq!((stored.len(), stored[0].name.as_str(), stored[0].state), (1, "Blog", ConnectionState::Untested));
    assert_eq!(opened(&mut fixture.workspace(), "con_1", &ring(&["a"])).await, "first");
}

#[tokio::test]
async fn a_dropped_call_leaves_nothing() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    workspace.add_connection(new("con_1"), sealed(&fixture, "con_1", 1, "first")).await.unwrap();
    drop(workspace);
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap(), []);
    assert_eq!(fixture.store.connections.wrapped_by().await.unwrap(), []);
}

#[tokio::test]
async fn another_customer_sees_nothing_of_it() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let bob = CustomerId::from("cus_bob");
    add(&fixture.store, &bob).await;
    let mut workspace =
        Workspace::open(&fixture.store, bob.clone(), std::sync::Arc::new(crate::fixture::schema()), NOON);
    assert_eq!(workspace.connections(None).await.unwrap(), []);
    assert_eq!(workspace.connection("con_1").await.unwrap(), None);
    assert!(workspace.connection_with_secret("con_1").await.unwrap().is_none());
    let patch = ConnectionPatch { name: Some("Mine".to_owned()), ..ConnectionPatch::default() };
    assert!(matches!(workspace.update_connection("con_1", patch).await, Err(RecordsError::Missing)));
    assert!(matches!(workspace.remove_connection("con_1").await, Err(RecordsError::Missing)));
    let stolen = fixture.store.connections.connection_with_secret(&fixture.customer, "con_1").await.unwrap().unwrap();
    assert_eq!(stolen.1.open(&ring(&["a"]), stolen.0.place(&bob)), Err(SealError::Broken));
}

#[tokio::test]
async fn a_replaced_secret_is_used_at_once_and_can_be_taken_back_before_the_commit() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let keys = ring(&["a"]);
    let mut workspace = fixture.workspace();
    let version = workspace.next_secret("con_1").await.unwrap();
    assert_eq!(version, 2);
    let second = sealed(&fixture, "con_1", version, "second");
    workspace.replace_secret("con_1", Some("https://new.example".to_owned()), second).await.unwrap();
    assert_eq!(opened(&mut workspace, "con_1", &keys).await, "second");
    let back = workspace.withdraw_secret("con_1").await.unwrap();
    assert_eq!((back.endpoint, back.secret), (None, 1));
    assert_eq!(opened(&mut workspace, "con_1", &keys).await, "first");
    assert!(matches!(workspace.withdraw_secret("con_1").await, Err(RecordsError::Missing)));
    fixture.commit(workspace, "req_2").await.unwrap();
    assert_eq!(opened(&mut fixture.workspace(), "con_1", &keys).await, "first");

    let mut workspace = fixture.workspace();
    workspace.replace_secret("con_1", None, sealed(&fixture, "con_1", 2, "second")).await.unwrap();
    fixture.commit(workspace, "req_3").await.unwrap();
    assert_eq!(opened(&mut fixture.workspace(), "con_1", &keys).await, "second");
}

#[tokio::test]
async fn two_calls_that_change_one_connection_do_not_both_commit() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let (mut one, mut two) = (fixture.workspace(), fixture.workspace());
    let named = |name: &str| ConnectionPatch { name: Some(name.to_owned()), ..ConnectionPatch::default() };
    one.update_connection("con_1", named("One")).await.unwrap();
    two.update_connection("con_1", named("Two")).await.unwrap();
    fixture.commit(one, "req_2").await.unwrap();
    assert!(matches!(fixture.commit(two, "req_3").await, Err(SettleError::RecordConflict)));
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap()[0].name, "One");
}

#[tokio::test]
async fn a_removed_connection_takes_its_secret_and_its_counts_with_it() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    fixture
        .store
        .connections
        .count_uses(fixture.customer.clone(), "cms.x".to_owned(), vec![used("ok", 10)], NOON)
        .await
        .unwrap();
    let mut workspace = fixture.workspace();
    workspace.remove_connection("con_1").await.unwrap();
    assert_eq!(workspace.connection("con_1").await.unwrap(), None);
    fixture.commit(workspace, "req_2").await.unwrap();
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap(), []);
    assert_eq!(fixture.store.connections.wrapped_by().await.unwrap(), []);
    assert_eq!(fixture.store.connections.connection_uses(&fixture.customer, "con_1", 0, 100_000).await.unwrap(), []);
}

fn used(outcome: &str, latency: u64) -> Use {
    let (connection, outcome) = ("con_1".to_owned(), outcome.to_owned());
    Use { connection, outcome, latency: Duration::from_millis(latency), probe: false }
}

#[tokio::test]
async fn requests_are_counted_by_day_operation_outcome_and_latency() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let count =
        |uses: Vec<Use>| fixture.store.connections.count_uses(fixture.customer.clone(), "cms.x".to_owned(), uses, NOON);
    let elsewhere = Use { connection: "con_none".to_owned(), ..used("ok", 1) };
    count(vec![used("ok", 100), used("ok", 101), used("503", 9_000), elsewhere]).await.unwrap();
    count(vec![used("ok", 100)]).await.unwrap();
    let day = NOON.0 / 86_400_000;
    let rows = fixture.store.connections.connection_uses(&fixture.customer, "con_1", day, day).await.unwrap();
    let shown: Vec<_> = rows.iter().map(|row| (row.outcome.as_str(), row.calls)).collect();
    assert_eq!(shown, [("503", 1), ("ok", 3)]);
    assert!(rows.iter().all(|row| row.operation == "cms.x" && row.day == day));
    let Span { from_ms, to_ms } = rows[1].latency;
    assert!(from_ms <= 100 && 101 < to_ms && to_ms - from_ms < 30, "{from_ms} to {to_ms}");
    assert_eq!(
        fixture.store.connections.connection_uses(&fixture.customer, "con_1", day + 1, day + 9).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn how_a_connection_does_follows_from_what_it_is_answered() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    for (outcome, state) in [
        ("ok", ConnectionState::Ok),
        ("429", ConnectionState::Ok),
        ("401", ConnectionState::Expired),
        ("ok", ConnectionState::Ok),
        ("535", ConnectionState::Expired),
        ("ok", ConnectionState::Ok),
    ] {
        let uses = vec![used(outcome, 5)];
        fixture.store.connections.count_uses(fixture.customer.clone(), "cms.x".to_owned(), uses, NOON).await.unwrap();
        let connection = fixture.store.connections.connection(&fixture.customer, "con_1").await.unwrap().unwrap();
        assert_eq!((connection.state, connection.version), (state, 1), "{outcome}");
        assert!(connection.answered_at.is_some());
    }
}

#[tokio::test]
async fn after_a_rotation_secrets_are_wrapped_anew_and_open_without_the_old_key() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    added(&fixture, "con_2").await;
    let wrapped = || fixture.store.connections.wrapped_by();
    assert_eq!(wrapped().await.unwrap(), [("a".to_owned(), 2)]);
    let lost = fixture.store.connections.rewrap_secrets(&ring(&["b"])).await.unwrap();
    assert_eq!(lost, Rewrapped { without_key: 2, ..Rewrapped::default() });
    let done = fixture.store.connections.rewrap_secrets(&ring(&["a", "b"])).await.unwrap();
    assert_eq!(done, Rewrapped { done: 2, ..Rewrapped::default() });
    assert_eq!(wrapped().await.unwrap(), [("b".to_owned(), 2)]);
    assert_eq!(fixture.store.connections.rewrap_secrets(&ring(&["a", "b"])).await.unwrap(), Rewrapped::default());
    assert_eq!(opened(&mut fixture.workspace(), "con_1", &ring(&["b"])).await, "first");
}

#[tokio::test]
async fn who_is_forgotten_has_no_connection_any_more() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap();
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap(), []);
    assert_eq!(fixture.store.connections.wrapped_by().await.unwrap(), []);
}

#[tokio::test]
async fn spending_is_summed_by_day_and_currency_and_goes_with_its_connection() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let spent = |connection: &str, currency: &str, micros: u64| Spent {
        connection: connection.to_owned(),
        currency: currency.to_owned(),
        micros,
    };
    let note = |spent: Vec<Spent>| fixture.store.connections.count_spent(fixture.customer.clone(), None, spent, NOON);
    note(vec![spent("con_1", "USD", 2_000), spent("con_1", "EUR", 5), spent("con_none", "USD", 9)]).await.unwrap();
    note(vec![spent("con_1", "USD", 500), spent("con_1", "USD", u64::MAX)]).await.unwrap();
    note(Vec::new()).await.unwrap();
    let day = NOON.0 / 86_400_000;
    let read = |from: i64, to: i64| fixture.store.connections.connection_spending(&fixture.customer, "con_1", from, to);
    let rows = read(day, day).await.unwrap();
    let shown: Vec<_> = rows.iter().map(|row| (row.day, row.currency.as_str(), row.micros)).collect();
    assert_eq!(shown, [(day, "EUR", 5), (day, "USD", 1_000_000_000_000_000)]);
    assert_eq!(read(day + 1, day + 9).await.unwrap(), []);
    let mut workspace = fixture.workspace();
    workspace.remove_connection("con_1").await.unwrap();
    fixture.commit(workspace, "req_2").await.unwrap();
    assert_eq!(read(0, 100_000).await.unwrap(), []);
}

#[tokio::test]
async fn what_an_attempt_notes_again_from_its_journal_is_counted_once() {
    let fixture = fixture().await;
    added(&fixture, "con_1").await;
    let note = |run: &str, micros: u64| {
        let spent = Spent { connection: "con_1".to_owned(), currency: "USD".to_owned(), micros };
        fixture.store.connections.count_spent(fixture.customer.clone(), Some(run.to_owned()), vec![spent], NOON)
    };
    let day = NOON.0 / 86_400_000;
    let sum = async || {
        let rows = fixture.store.connections.connection_spending(&fixture.customer, "con_1", day, day).await.unwrap();
        rows.iter().map(|row| row.micros).sum::<u64>()
    };
    let noted = async |run: &str| fixture.store.connections.noted(&fixture.customer, run, "con_1").await.unwrap();
    for (micros, so_far) in [(300, 300), (700, 700), (500, 700), (700, 700), (701, 701)] {
        note("run_1", micros).await.unwrap();
        assert_eq!((sum().await, noted("run_1").await), (so_far, so_far), "after {micros}");
    }
    note("run_2", 40).await.unwrap();
    assert_eq!((sum().await, noted("run_2").await), (741, 40), "another run is another matter");
    // Given up long ago: with the journal, what it noted is forgotten, and what was spent is not.
    let week = std::time::Duration::from_secs(7 * 24 * 3_600);
    fixture.store.sweep(NOON.plus(week)).await.unwrap();
    assert_eq!((sum().await, noted("run_1").await), (741, 0));
}
