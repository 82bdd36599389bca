//! Tests of `links`.

use std::time::Duration;

use super::*;
use crate::fixture::{Fixture, NOON, fixture};
use crate::{RecordsError, Redirect};

fn to(target: &str) -> Redirect {
    let (target, context) = (target.to_owned(), "campaign:1".to_owned());
    Redirect { target, context, code: None, keeps_query: false, expires: None }
}

async fn made(fixture: &Fixture, redirect: Redirect) -> LinkView {
    let mut workspace = fixture.workspace();
    let link = workspace.create_link(redirect).await.unwrap();
    fixture.commit(workspace, &format!("req_{}", link.code)).await.unwrap();
    link
}

async fn set(fixture: &Fixture, code: &str, state: LinkState) -> Result<(), RecordsError> {
    let mut workspace = fixture.workspace();
    workspace.set_link(code, state).await?;
    fixture.commit(workspace, &format!("req_{code}_{state:?}")).await.unwrap();
    Ok(())
}

async fn leads(fixture: &Fixture, code: &str, now: Moment) -> Option<String> {
    fixture.store.edges.follow(code, now).await.unwrap().map(|followed| followed.target)
}

#[tokio::test]
async fn a_link_leads_to_its_target_from_its_commit_until_it_is_paused_or_over() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let link = workspace.create_link(to("https://shop.example/")).await.unwrap();
    assert_eq!(leads(&fixture, &link.code, NOON).await, None, "nothing is committed yet");
    assert_eq!(workspace.link(&link.code).await.unwrap().unwrap(), link);
    fixture.commit(workspace, "req_1").await.unwrap();
    assert_eq!(leads(&fixture, &link.code, NOON).await.as_deref(), Some("https://shop.example/"));
    set(&fixture, &link.code, LinkState::Paused).await.unwrap();
    assert_eq!(leads(&fixture, &link.code, NOON).await, None);
    set(&fixture, &link.code, LinkState::Active).await.unwrap();
    assert!(leads(&fixture, &link.code, NOON).await.is_some());
    set(&fixture, &link.code, LinkState::Expired).await.unwrap();
    assert!(matches!(set(&fixture, &link.code, LinkState::Active).await, Err(RecordsError::Conflict)));
    assert_eq!(leads(&fixture, &link.code, NOON).await, None);
}

#[tokio::test]
async fn a_link_with_an_end_leads_nowhere_from_that_moment_on() {
    let fixture = fixture().await;
    let end = NOON.plus(Duration::from_secs(60));
    let link = made(&fixture, Redirect { expires: Some(end), ..to("https://shop.example/") }).await;
    assert!(leads(&fixture, &link.code, Moment(end.0 - 1)).await.is_some());
    assert_eq!(leads(&fixture, &link.code, end).await, None);
}

#[tokio::test]
async fn a_code_is_given_once_to_anybody() {
    let fixture = fixture().await;
    let own = || Redirect { code: Some("spring-26".to_owned()), ..to("https://shop.example/") };
    made(&fixture, own()).await;
    let mut workspace = fixture.workspace();
    assert!(matches!(workspace.create_link(own()).await, Err(RecordsError::Conflict)));
    // Case counts: this one is free, until this run takes it.
    let upper = || Redirect { code: Some("Spring-26".to_owned()), ..to("https://shop.example/") };
    workspace.create_link(upper()).await.unwrap();
    assert!(matches!(workspace.create_link(upper()).await, Err(RecordsError::Conflict)));
}

#[tokio::test]
async fn of_two_calls_that_take_a_code_at_the_same_time_one_commits_and_the_other_leaves_nothing() {
    let fixture = fixture().await;
    let own = |target: &str| Redirect { code: Some("spring-26".to_owned()), ..to(target) };
    let (mut one, mut two) = (fixture.workspace(), fixture.workspace());
    one.create_link(own("https://one.example/")).await.unwrap();
    two.create_link(own("https://two.example/")).await.unwrap();
    two.insert("authors", Some("a1".to_owned()), "{}".to_owned()).await.unwrap();
    fixture.commit(one, "req_1").await.unwrap();
    fixture.commit(two, "req_2").await.unwrap_err();
    assert_eq!(leads(&fixture, "spring-26", NOON).await.as_deref(), Some("https://one.example/"));
    assert!(fixture.workspace().get("authors", "a1").await.unwrap().is_none());
    fixture.holds().await;
}

#[tokio::test]
async fn another_module_sees_and_changes_no_link_of_this_one() {
    let fixture = fixture().await;
    let link = made(&fixture, to("https://shop.example/")).await;
    let schema = crate::ModuleSchema { module: "crawl".to_owned(), ..crate::fixture::schema() };
    let mut other = crate::Workspace::open(&fixture.store, fixture.customer.clone(), std::sync::Arc::new(schema), NOON);
    assert!(other.link(&link.code).await.unwrap().is_none());
    assert!(matches!(other.set_link(&link.code, LinkState::Paused).await, Err(RecordsError::Missing)));
}

#[test]
fn codes_are_letters_and_digits_each_as_likely_as_any_other() {
    let entropy = model::clock::SeededEntropy::new([5; 32]);
    let codes: Vec<String> = (0..6_200).map(|_| make_code(&entropy)).collect();
    let distinct: std::collections::BTreeSet<&String> = codes.iter().collect();
    assert_eq!(distinct.len(), codes.len());
    let mut counts = std::collections::BTreeMap::<char, u32>::new();
    for letter in codes.iter().flat_map(|code| code.chars()) {
        *counts.entry(letter).or_default() += 1;
    }
    assert!(codes.iter().all(|code| code.len() == LETTERS));
    assert_eq!(counts.len(), 62);
    // 1,000 each; five standard deviations are 157.
    assert!(counts.values().all(|count| (840..=1_160).contains(count)), "{counts:?}");
}
