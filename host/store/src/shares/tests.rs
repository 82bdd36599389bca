//! Tests of `shares`.

use std::time::Duration;

use model::token::Secret;

use super::*;
use crate::RecordsError;
use crate::fixture::{Fixture, NOON, fixture};

const HOUR: Duration = Duration::from_secs(3_600);

async fn published(fixture: &Fixture) -> (ShareId, Secret) {
    let mut workspace = fixture.workspace();
    workspace.blob_write("report", b"<p>hello</p>".to_vec()).await.unwrap();
    let (share, secret) = workspace.publish("report", "text/html", None, HOUR).await.unwrap();
    fixture.commit(workspace, "req_share").await.unwrap();
    (share.reference, secret)
}

async fn bytes(fixture: &Fixture, secret: &Secret, now: Moment) -> Option<Vec<u8>> {
    fixture.store.show(&secret.hash(), now).await.unwrap().map(|shown| shown.bytes)
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
    fixture.store.add_views(vec![(fixture.customer.clone(), id.clone(), 3)]).await.unwrap();
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
    let missing = fixture.workspace().publish("nothing", "text/html", None, HOUR).await;
    assert!(matches!(missing, Err(RecordsError::Missing)));
    let (id, _) = published(&fixture).await;
    let schema = crate::ModuleSchema { module: "crawl".to_owned(), ..crate::fixture::schema() };
    let mut other = crate::Workspace::open(&fixture.store, fixture.customer.clone(), std::sync::Arc::new(schema), NOON);
    assert!(matches!(other.publish("report", "text/html", None, HOUR).await, Err(RecordsError::Missing)));
    assert!(other.share(id.as_str()).await.unwrap().is_none());
    assert!(matches!(other.end_share(id.as_str()).await, Err(RecordsError::Missing)));
}
