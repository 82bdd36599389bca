//! Tests of `shares`.

use std::time::Duration;

use model::id::SessionId;
use model::token::Secret;

use super::*;
use crate::RecordsError;
use crate::fixture::{Fixture, NOON, fixture};
use crate::identity::grants::{self, Ended, NewGrant};
use crate::identity::lockout::EndedAccess;

const HOUR: Duration = Duration::from_secs(3_600);

async fn published(fixture: &Fixture) -> (ShareId, Secret) {
    let mut workspace = fixture.workspace();
    workspace.blob_write("report", b"<p>hello</p>".to_vec()).await.unwrap();
    let (share, secret) = workspace.publish("report", "text/html", None, HOUR, false).await.unwrap();
    fixture.commit(workspace, "req_share").await.unwrap();
    (share.reference, secret)
}

async fn bytes(fixture: &Fixture, secret: &Secret, now: Moment) -> Option<Vec<u8>> {
    match fixture.store.edges.show(&secret.hash(), now).await.unwrap()? {
        Found::Shown(shown) => Some(shown.bytes),
        Found::Guarded(guard) => panic!("{guard:?}"),
    }
}

#[tokio::test]
async fn a_share_shows_its_blob_as_it_is_now_until_its_time_is_over() {
    let fixture = fixture().await;
    let (_, secret) = published(&fixture).await;
    assert_eq!(bytes(&fixture, &secret, NOON).await.unwrap(), b"<p>hello</p>");
    let mut workspace = fixture.workspace();
    workspace.blob_write("report", b"<p>again</p>".to_vec()).await.unwrap();
    fixture.commit(workspace, "req_again").await.unwrap();
    assert_eq!(bytes(&fixture, &secret, NOON).await.unwrap(), b"<p>again</p>");
    assert!(bytes(&fixture, &secret, Moment(NOON.plus(HOUR).0 - 1)).await.is_some());
    assert_eq!(bytes(&fixture, &secret, NOON.plus(HOUR)).await, None);
    assert_eq!(bytes(&fixture, &Secret::received("esp_sh_other"), NOON).await, None);
}

#[tokio::test]
async fn a_share_that_was_taken_back_shows_nothing_and_can_be_taken_back_again() {
    let fixture = fixture().await;
    let (id, secret) = published(&fixture).await;
    fixture.store.edges.add_views(vec![(fixture.customer.clone(), id.clone(), 3)]).await.unwrap();
    for request in ["req_1", "req_2"] {
        let mut workspace = fixture.workspace();
        let ended = workspace.end_share(id.as_str()).await.unwrap();
        assert_eq!((ended.ended, ended.views), (Some(NOON), 3));
        fixture.commit(workspace, request).await.unwrap();
        assert_eq!(bytes(&fixture, &secret, NOON).await, None);
    }
}

#[tokio::test]
async fn only_a_blob_of_the_own_module_that_is_there_is_shared_and_nobody_else_has_the_share() {
    let fixture = fixture().await;
    let missing = fixture.workspace().publish("nothing", "text/html", None, HOUR, false).await;
    assert!(matches!(missing, Err(RecordsError::Missing)));
    let (id, _) = published(&fixture).await;
    let schema = crate::ModuleSchema { module: "crawl".to_owned(), ..crate::fixture::schema() };
    let mut other = crate::Workspace::open(&fixture.store, fixture.customer.clone(), std::sync::Arc::new(schema), NOON);
    assert!(matches!(other.publish("report", "text/html", None, HOUR, false).await, Err(RecordsError::Missing)));
    assert!(other.share(id.as_str()).await.unwrap().is_none());
    assert!(matches!(other.end_share(id.as_str()).await, Err(RecordsError::Missing)));
}

/// A grant of the fixture's customer.
async fn grant(fixture: &Fixture) -> GrantId {
    let grant = NewGrant {
        id: GrantId::from("gra_1"),
        customer: fixture.customer.clone(),
        client: None,
        name: "Agent".to_owned(),
        scopes: "assets:read".parse().unwrap(),
        resource: "https://host.example".to_owned(),
    };
    let id = grant.id.clone();
    let inserted: Result<(), StoreError> = fixture
        .store
        .database
        .write(move |tx| Box::pin(async move { grants::insert(tx.connection(), &grant, NOON).await }))
        .await;
    inserted.unwrap();
    id
}

/// Shares under a grant: one that ends with it and one that does not.
async fn published_under(fixture: &Fixture, grant: &GrantId) -> [Secret; 2] {
    let mut workspace = fixture.workspace().under(Some(grant));
    workspace.blob_write("export", b"{}".to_vec()).await.unwrap();
    let (_, bound) = workspace.publish("export", "application/json", None, HOUR, true).await.unwrap();
    let (_, free) = workspace.publish("export", "application/json", None, HOUR, false).await.unwrap();
    fixture.commit(workspace, "req_export").await.unwrap();
    [bound, free]
}

#[tokio::test]
async fn a_share_that_is_bound_to_a_grant_ends_with_it_and_another_one_does_not() {
    let fixture = fixture().await;
    let grant = grant(&fixture).await;
    let [bound, free] = published_under(&fixture, &grant).await;
    assert!(bytes(&fixture, &bound, NOON).await.is_some());
    assert!(fixture.store.identity.end_grant(fixture.customer.clone(), grant, Ended::Revoked, NOON).await.unwrap());
    assert_eq!(bytes(&fixture, &bound, NOON).await, None);
    assert!(bytes(&fixture, &free, NOON).await.is_some());
    let left = fixture.store.edges.open_shares(&fixture.customer, NOON, None, 10).await.unwrap();
    assert_eq!(left.iter().map(|it| it.ends_with.as_deref()).collect::<Vec<_>>(), [None]);
}

#[tokio::test]
async fn a_customer_reads_all_open_shares_page_by_page_and_ends_the_own_ones_only() {
    let fixture = fixture().await;
    let grant = grant(&fixture).await;
    published_under(&fixture, &grant).await;
    let (id, secret) = published(&fixture).await;
    let all = fixture.store.edges.open_shares(&fixture.customer, NOON, None, 10).await.unwrap();
    assert_eq!(all.len(), 3);
    assert_eq!(all.iter().filter(|it| it.ends_with.as_deref() == Some("Agent")).count(), 1);
    let mut paged = Vec::new();
    while paged.len() < 3 {
        let before = paged.last().map(|it: &HeldShare| (it.created, it.reference.clone()));
        paged.extend(fixture.store.edges.open_shares(&fixture.customer, NOON, before.as_ref(), 1).await.unwrap());
    }
    assert_eq!(paged, all);
    let bob = CustomerId::from("cus_bob");
    crate::fixture::add(&fixture.store, &bob).await;
    assert!(!fixture.store.edges.end_share(bob, id.clone(), NOON).await.unwrap());
    assert!(bytes(&fixture, &secret, NOON).await.is_some());
    assert!(fixture.store.edges.end_share(fixture.customer.clone(), id.clone(), NOON).await.unwrap());
    assert!(!fixture.store.edges.end_share(fixture.customer.clone(), id, NOON).await.unwrap());
    assert_eq!(bytes(&fixture, &secret, NOON).await, None);
    assert_eq!(fixture.store.edges.open_shares(&fixture.customer, NOON.plus(HOUR), None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn ending_all_access_ends_grants_sessions_and_shares_of_one_customer_alone() {
    let fixture = fixture().await;
    let grant = grant(&fixture).await;
    published_under(&fixture, &grant).await;
    let session = Secret::received("esp_ss_one").hash();
    let (id, customer) = (SessionId::from("ses_1"), fixture.customer.clone());
    fixture.store.identity.open_session(id, customer, session.clone(), None, NOON, NOON.plus(HOUR)).await.unwrap();
    let bob = CustomerId::from("cus_bob");
    crate::fixture::add(&fixture.store, &bob).await;
    assert_eq!(fixture.store.identity.end_access(bob, NOON).await.unwrap(), EndedAccess::default());
    let ended = fixture.store.identity.end_access(fixture.customer.clone(), NOON).await.unwrap();
    assert_eq!(ended, EndedAccess { grants: 1, sessions: 1, shares: 2 });
    assert!(fixture.store.identity.session(&session, NOON).await.unwrap().is_none());
    assert_eq!(fixture.store.edges.open_shares(&fixture.customer, NOON, None, 10).await.unwrap(), []);
    assert!(!fixture.store.identity.end_grant(fixture.customer.clone(), grant, Ended::Revoked, NOON).await.unwrap());
}

/// What the store keeps of a passcode; it does not look into it.
const KEPT: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";

async fn guarded(fixture: &Fixture) -> (ShareId, Secret, Guard) {
    let mut workspace = fixture.workspace();
    workspace.blob_write("report", b"a,b".to_vec()).await.unwrap();
    let name = Some("pages.csv".to_owned());
    let sharing = workspace.publish_guarded("report", "text/csv", name, HOUR, false, Some(KEPT.to_owned()));
    let (share, secret) = sharing.await.unwrap();
    fixture.commit(workspace, "req_guarded").await.unwrap();
    let found = fixture.store.edges.show(&secret.hash(), NOON).await.unwrap();
    let Some(Found::Guarded(guard)) = found else { panic!("{found:?}") };
    (share.reference, secret, guard)
}

#[tokio::test]
async fn a_share_with_a_passcode_shows_its_blob_past_its_own_guard_alone() {
    let fixture = fixture().await;
    let (id, secret, guard) = guarded(&fixture).await;
    assert_eq!((guard.share.clone(), guard.passcode.as_str()), (id.clone(), KEPT));
    assert!(!format!("{guard:?}").contains("argon2id"));
    let token = secret.hash();
    let shown = fixture.store.edges.show_past(&guard, &token, NOON).await.unwrap().unwrap();
    assert_eq!((shown.share, shown.bytes.as_slice()), (id, b"a,b".as_slice()));
    for passcode in ["", "another"] {
        let other = Guard { passcode: passcode.to_owned(), ..guard.clone() };
        assert_eq!(fixture.store.edges.show_past(&other, &token, NOON).await.unwrap(), None, "{passcode}");
    }
}

#[tokio::test]
async fn a_share_with_a_passcode_that_is_over_or_was_ended_does_not_even_ask() {
    let fixture = fixture().await;
    let (id, secret, guard) = guarded(&fixture).await;
    let edges = &fixture.store.edges;
    let over = NOON.plus(HOUR);
    assert_eq!(edges.show(&secret.hash(), over).await.unwrap(), None);
    assert_eq!(edges.show_past(&guard, &secret.hash(), over).await.unwrap(), None);
    assert!(edges.end_share(fixture.customer.clone(), id, NOON).await.unwrap());
    assert_eq!(edges.show(&secret.hash(), NOON).await.unwrap(), None);
    assert_eq!(edges.show_past(&guard, &secret.hash(), NOON).await.unwrap(), None);
}

#[tokio::test]
async fn a_host_that_knows_nothing_of_passcodes_finds_no_share_that_has_one() {
    let fixture = fixture().await;
    let (_, secret, _) = guarded(&fixture).await;
    let (_, plain) = published(&fixture).await;
    for (secret, found) in [(secret, 0), (plain, 1)] {
        // As every host asked before there were passcodes.
        let (sql, token) = ("SELECT share FROM share WHERE token = $1", secret.hash());
        let rows = fixture.store.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(token.as_str()));
        assert_eq!(rows.await.unwrap().len(), found);
    }
}

#[tokio::test]
async fn a_customer_sees_which_shares_ask_for_a_passcode_and_nothing_of_it_stays_after_them() {
    let fixture = fixture().await;
    let (id, ..) = guarded(&fixture).await;
    published(&fixture).await;
    let open = fixture.store.edges.open_shares(&fixture.customer, NOON, None, 10).await.unwrap();
    assert_eq!(open.len(), 2);
    assert!(open.iter().all(|it| it.is_guarded == (it.reference == id)));
    assert!(fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap());
    let all = sqlx::query::<Any>("SELECT share FROM share WHERE passcode IS NOT NULL");
    assert!(fixture.store.database.reader().fetch_all(all).await.unwrap().is_empty());
}
