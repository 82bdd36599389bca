//! What consents promise, as tests.

use model::keys::{Key, KeyRing};
use model::token::Secret;

use super::*;
use crate::fixture::{Fixture, NOON, add, fixture};
use crate::{ConnectionState, RecordsError};

fn ring() -> KeyRing {
    KeyRing::new(vec![Key::new("a", "", [1; 32])]).unwrap()
}

fn new(id: &str, renews: Option<&str>) -> NewConsent {
    NewConsent {
        id: id.into(),
        kind: "ga4".to_owned(),
        name: "Shop".to_owned(),
        scopes: vec!["read".to_owned(), "write".to_owned()],
        connection: renews.map(ConnectionId::from),
        created_at: NOON,
    }
}

async fn asked(fixture: &Fixture, id: &str, renews: Option<&str>) -> Consent {
    let mut workspace = fixture.workspace();
    let consent = workspace.ask_consent(new(id, renews)).await.unwrap();
    fixture.commit(workspace, &format!("req_{id}")).await.unwrap();
    consent
}

fn sealed(fixture: &Fixture, connection: &str, version: u64, secret: &str) -> Sealed {
    let connection = ConnectionId::from(connection);
    let place = Place { customer: &fixture.customer, connection: &connection, kind: "ga4", version };
    Sealed::seal(&ring(), place, secret.as_bytes(), fixture.store.database.entropy()).unwrap()
}

fn trip(fixture: &Fixture, id: &str, state: &str) -> Trip {
    let verifier = sealed(fixture, id, 0, "verifier");
    Trip { session: "ses_1".into(), state: Secret::received(state).hash(), verifier }
}

async fn left(fixture: &Fixture, id: &str, state: &str) -> bool {
    let trip = trip(fixture, id, state);
    fixture.store.identity.leave_for_consent(&fixture.customer, &id.into(), trip, NOON).await.unwrap()
}

async fn back(fixture: &Fixture, state: &str) -> Option<Returned> {
    fixture.store.identity.returned_from_consent(&Secret::received(state).hash()).await.unwrap()
}

fn completion(fixture: &Fixture, consent: &str, connection: &str, secret: u64) -> Completion {
    Completion {
        customer: fixture.customer.clone(),
        consent: consent.into(),
        connection: connection.into(),
        kind: "ga4".to_owned(),
        name: "Shop".to_owned(),
        endpoint: None,
        secret,
        sealed: sealed(fixture, connection, secret + 1, "tokens"),
    }
}

async fn completed(fixture: &Fixture, consent: &str, connection: &str, secret: u64) -> Completed {
    fixture.store.identity.complete_consent(completion(fixture, consent, connection, secret), NOON).await.unwrap()
}

async fn opened(fixture: &Fixture, connection: &str) -> String {
    let found = fixture.store.connections.connection_with_secret(&fixture.customer, connection).await.unwrap();
    let (connection, sealed) = found.unwrap();
    let opened = sealed.open(&ring(), connection.place(&fixture.customer)).unwrap();
    String::from_utf8(opened.to_vec()).unwrap()
}

#[tokio::test]
async fn a_consent_becomes_a_connection_and_its_state_is_good_for_one_answer() {
    let fixture = fixture().await;
    let consent = asked(&fixture, "flw_1", None).await;
    assert_eq!(consent.expires_at, NOON.plus(LIFE));
    assert!(left(&fixture, "flw_1", "state-1").await);
    let returned = back(&fixture, "state-1").await.unwrap();
    assert_eq!((&returned.customer, returned.session.as_str()), (&fixture.customer, "ses_1"));
    let place = ConnectionId::from("flw_1");
    let place = trip_place(&fixture.customer, &place, "ga4");
    assert_eq!(returned.verifier.as_ref().unwrap().open(&ring(), place).unwrap().as_slice(), b"verifier");
    assert!(fixture.store.identity.take_consent(&returned, NOON).await.unwrap());
    assert!(!fixture.store.identity.take_consent(&returned, NOON).await.unwrap(), "the second answer");
    assert!(!left(&fixture, "flw_1", "state-2").await, "it was answered");
    assert_eq!(completed(&fixture, "flw_1", "con_1", 0).await, Completed::Done);
    assert_eq!(opened(&fixture, "con_1").await, "tokens");
    let done = fixture.store.identity.consent(&fixture.customer, "flw_1").await.unwrap().unwrap();
    assert_eq!((done.state, done.connection.as_ref().unwrap().as_str()), (ConsentState::Completed, "con_1"));
    assert!(back(&fixture, "state-1").await.unwrap().verifier.is_none(), "nothing of it is kept");
    assert_eq!(completed(&fixture, "flw_1", "con_2", 0).await, Completed::Gone);
    assert_eq!(fixture.store.connections.connections(&fixture.customer).await.unwrap().len(), 1);
}

#[tokio::test]
async fn going_to_the_provider_again_makes_the_first_trip_worthless() {
    let fixture = fixture().await;
    asked(&fixture, "flw_1", None).await;
    assert!(left(&fixture, "flw_1", "state-1").await && left(&fixture, "flw_1", "state-2").await);
    assert!(back(&fixture, "state-1").await.is_none());
    assert!(back(&fixture, "state-2").await.is_some());
}

#[tokio::test]
async fn nothing_comes_of_a_consent_after_its_ten_minutes_and_it_is_forgotten_after_a_day() {
    let fixture = fixture().await;
    let consent = asked(&fixture, "flw_1", None).await;
    let (before, over) = (Moment(NOON.plus(LIFE).0 - 1), NOON.plus(LIFE));
    assert!(!consent.is_expired(before) && consent.is_expired(over));
    let late = trip(&fixture, "flw_1", "late");
    assert!(!fixture.store.identity.leave_for_consent(&fixture.customer, &"flw_1".into(), late, over).await.unwrap());
    assert!(left(&fixture, "flw_1", "state-1").await);
    let returned = back(&fixture, "state-1").await.unwrap();
    assert!(!fixture.store.identity.take_consent(&returned, over).await.unwrap());
    let day = Duration::from_secs(86_400);
    fixture.store.sweep(Moment(over.plus(day).0 - 1)).await.unwrap();
    assert!(fixture.store.identity.consent(&fixture.customer, "flw_1").await.unwrap().is_some());
    fixture.store.sweep(over.plus(day)).await.unwrap();
    assert!(fixture.store.identity.consent(&fixture.customer, "flw_1").await.unwrap().is_none());
}

#[tokio::test]
async fn an_ended_consent_stays_as_it_ended_and_nobody_else_sees_it() {
    let fixture = fixture().await;
    asked(&fixture, "flw_1", None).await;
    let (customer, id) = (&fixture.customer, ConsentId::from("flw_1"));
    fixture.store.identity.end_consent(customer, &id, ConsentState::Refused, "access_denied").await.unwrap();
    fixture.store.identity.end_consent(customer, &id, ConsentState::Failed, "other").await.unwrap();
    let ended = fixture.store.identity.consent(customer, "flw_1").await.unwrap().unwrap();
    assert_eq!((ended.state, ended.error.as_deref()), (ConsentState::Refused, Some("access_denied")));
    assert!(!left(&fixture, "flw_1", "state").await);
    let eve = CustomerId::from("cus_eve");
    add(&fixture.store, &eve).await;
    assert!(fixture.store.identity.consent(&eve, "flw_1").await.unwrap().is_none());
    fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap();
    assert!(fixture.store.identity.consent(&fixture.customer, "flw_1").await.unwrap().is_none());
}

#[tokio::test]
async fn only_so_many_consents_of_a_customer_wait_at_once() {
    let fixture = fixture().await;
    for number in 0..WAITING {
        asked(&fixture, &format!("flw_{number}"), None).await;
    }
    let one_more = fixture.workspace().ask_consent(new("flw_more", None)).await;
    assert!(matches!(one_more, Err(RecordsError::Malformed(_))));
    let id = ConsentId::from("flw_0");
    fixture.store.identity.end_consent(&fixture.customer, &id, ConsentState::Refused, "cancelled").await.unwrap();
    asked(&fixture, "flw_more", None).await;
}

async fn answered(fixture: &Fixture, consent: &str, renews: Option<&str>) {
    asked(fixture, consent, renews).await;
    assert!(left(fixture, consent, consent).await);
    let returned = back(fixture, consent).await.unwrap();
    assert!(fixture.store.identity.take_consent(&returned, NOON).await.unwrap());
}

#[tokio::test]
async fn an_expired_connection_is_renewed_under_its_reference_unless_it_is_another_one_by_then() {
    let fixture = fixture().await;
    answered(&fixture, "flw_1", None).await;
    completed(&fixture, "flw_1", "con_1", 0).await;
    let connection = fixture.store.connections.connection(&fixture.customer, "con_1").await.unwrap().unwrap();
    fixture.store.connections.expire_connection(&fixture.customer, &connection).await.unwrap();
    answered(&fixture, "flw_2", Some("con_1")).await;
    assert_eq!(completed(&fixture, "flw_2", "con_1", 1).await, Completed::Done);
    let renewed = fixture.store.connections.connection(&fixture.customer, "con_1").await.unwrap().unwrap();
    assert_eq!((renewed.state, renewed.secret, renewed.version), (ConnectionState::Untested, 2, 2));
    assert_eq!(opened(&fixture, "con_1").await, "tokens");
    answered(&fixture, "flw_3", Some("con_1")).await;
    assert_eq!(completed(&fixture, "flw_3", "con_1", 1).await, Completed::Gone);
    assert_eq!(opened(&fixture, "con_1").await, "tokens", "what was half written is not there");
}

#[tokio::test]
async fn one_holder_refreshes_at_a_time_and_what_it_was_given_replaces_what_it_had() {
    let fixture = fixture().await;
    let (store, customer) = (&fixture.store, &fixture.customer);
    answered(&fixture, "flw_1", None).await;
    completed(&fixture, "flw_1", "con_1", 0).await;
    let (connection, before) = store.connections.connection_with_secret(customer, "con_1").await.unwrap().unwrap();
    let (one, two) = (model::id::Claim::from("one"), model::id::Claim::from("two"));
    let minute = NOON.plus(Duration::from_secs(60));
    assert!(store.connections.begin_refresh(customer, &connection, &one, NOON).await.unwrap());
    assert!(!store.connections.begin_refresh(customer, &connection, &two, NOON).await.unwrap());
    assert!(
        store.connections.begin_refresh(customer, &connection, &two, minute).await.unwrap(),
        "the first says nothing any more"
    );
    store.connections.end_refresh(customer, &connection, &one).await.unwrap();
    assert!(
        !store.connections.begin_refresh(customer, &connection, &one, minute).await.unwrap(),
        "it is not the first's to give"
    );
    store.connections.end_refresh(customer, &connection, &two).await.unwrap();
    assert!(store.connections.begin_refresh(customer, &connection, &one, minute).await.unwrap());
    let after = sealed(&fixture, "con_1", 1, "fresh");
    assert!(store.connections.put_refreshed(customer, &connection, &before, after.clone()).await.unwrap());
    assert!(
        !store.connections.put_refreshed(customer, &connection, &before, after).await.unwrap(),
        "it was not made from this one"
    );
    assert_eq!(opened(&fixture, "con_1").await, "fresh");
    let same = store.connections.connection(customer, "con_1").await.unwrap().unwrap();
    assert_eq!((same.version, same.secret), (connection.version, connection.secret), "no call notices");
}

#[tokio::test]
async fn a_rotation_of_keys_never_mixes_what_was_refreshed_meanwhile() {
    let fixture = fixture().await;
    answered(&fixture, "flw_1", None).await;
    completed(&fixture, "flw_1", "con_1", 0).await;
    let (connection, before) =
        fixture.store.connections.connection_with_secret(&fixture.customer, "con_1").await.unwrap().unwrap();
    let two = KeyRing::new(vec![Key::new("a", "", [1; 32]), Key::new("b", "", [2; 32])]).unwrap();
    let after = sealed(&fixture, "con_1", 1, "fresh");
    fixture.store.connections.put_refreshed(&fixture.customer, &connection, &before, after).await.unwrap();
    assert_eq!(fixture.store.connections.rewrap_secrets(&two).await.unwrap().done, 1);
    let (connection, sealed) =
        fixture.store.connections.connection_with_secret(&fixture.customer, "con_1").await.unwrap().unwrap();
    assert_eq!(sealed.open(&two, connection.place(&fixture.customer)).unwrap().as_slice(), b"fresh");
}
