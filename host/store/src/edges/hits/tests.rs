//! Tests of `hits`.

use std::sync::Arc;

use model::clock::FixedClock;

use super::*;
use crate::fixture::{Fixture, NOON, add, empty, schema};
use crate::{ModuleSchema, Redirect, Workspace};

/// A store whose clock can be moved.
async fn world() -> (Fixture, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::at(NOON));
    let fixture = Fixture { store: empty(clock.clone()).await, customer: CustomerId::from("cus_ann") };
    add(&fixture.store, &fixture.customer).await;
    (fixture, clock)
}

/// What a module sees once everything is settled.
fn later(fixture: &Fixture, module: &str) -> Workspace {
    let schema = ModuleSchema { module: module.to_owned(), ..schema() };
    let now = NOON.plus(Duration::from_secs(3_600));
    Workspace::open(&fixture.store, fixture.customer.clone(), Arc::new(schema), now)
}

async fn link(fixture: &Fixture) -> String {
    let mut workspace = fixture.workspace();
    let (target, context) = ("https://shop.example/".to_owned(), String::new());
    let made = workspace.create_link(Redirect { target, context, code: None, keeps_query: false, expires: None }).await;
    fixture.commit(workspace, "req_link").await.unwrap();
    made.unwrap().code
}

fn hit(fixture: &Fixture, code: &str, at: Moment, signs: Signs) -> Hit {
    Hit {
        customer: fixture.customer.clone(),
        code: code.to_owned(),
        at,
        visitor: "aa".to_owned(),
        device: "mobile".to_owned(),
        signs,
        referrer: Some("news.example".to_owned()),
    }
}

#[tokio::test]
async fn hits_are_counted_by_day_and_kind_and_read_in_their_order() {
    let (fixture, clock) = world().await;
    let code = link(&fixture).await;
    let tomorrow = NOON.plus(Duration::from_secs(86_400));
    let plain = Signs::default();
    let signs = [
        plain,
        Signs { bare: true, ..plain },
        Signs { head: true, agent: true, ..plain },
        Signs { prefetch: true, ..plain },
        Signs { agent: true, bare: true, ..plain },
    ];
    let today: Vec<Hit> = signs.into_iter().map(|signs| hit(&fixture, &code, NOON, signs)).collect();
    fixture.store.edges.add_hits(today.clone()).await.unwrap();
    assert!(fixture.workspace().link_hits(&code, None, 5).await.unwrap().hits.is_empty(), "they are not settled");
    clock.advance(Duration::from_secs(1));
    fixture
        .store
        .edges
        .add_hits(vec![hit(&fixture, &code, NOON, plain), hit(&fixture, &code, tomorrow, plain)])
        .await
        .unwrap();
    let mut workspace = later(&fixture, "authors");
    let day = crate::money::book::day(NOON);
    let counted = workspace.link_days(&code, day, day + 1).await.unwrap();
    assert_eq!(
        counted,
        [
            LinkDay { day, visits: 3, probes: 1, prefetches: 1, agents: 1 },
            LinkDay { day: day + 1, visits: 1, ..LinkDay::default() }
        ]
    );
    assert_eq!(workspace.link_days(&code, day + 1, day + 1).await.unwrap().len(), 1);
    let first = workspace.link_hits(&code, None, 5).await.unwrap();
    assert_eq!(first.hits, today);
    let rest = workspace.link_hits(&code, first.next.as_deref(), 5).await.unwrap();
    assert_eq!((rest.hits.len(), rest.next), (2, None));
    assert_eq!(rest.hits[1].at, tomorrow);
}

#[tokio::test]
async fn another_module_reads_no_hits_of_this_one() {
    let (fixture, _) = world().await;
    let code = link(&fixture).await;
    fixture.store.edges.add_hits(vec![hit(&fixture, &code, NOON, Signs::default())]).await.unwrap();
    let mut other = later(&fixture, "crawl");
    let day = day(NOON);
    assert!(other.link_days(&code, day, day).await.unwrap().is_empty());
    assert!(other.link_hits(&code, None, 10).await.unwrap().hits.is_empty());
}

#[tokio::test]
async fn a_salt_is_one_for_all_nodes_in_a_day_and_is_forgotten_with_it() {
    let (fixture, _) = world().await;
    let tomorrow = NOON.plus(Duration::from_secs(86_400));
    let salt = fixture.store.edges.visit_salt(NOON).await.unwrap();
    assert_eq!(fixture.store.edges.visit_salt(NOON).await.unwrap(), salt);
    assert_ne!(fixture.store.edges.visit_salt(tomorrow).await.unwrap(), salt);
    fixture.store.sweep(NOON).await.unwrap();
    assert_eq!(fixture.store.edges.visit_salt(NOON).await.unwrap(), salt);
    fixture.store.sweep(tomorrow).await.unwrap();
    assert_ne!(fixture.store.edges.visit_salt(NOON).await.unwrap(), salt, "nobody can make yesterday's names again");
}

#[tokio::test]
async fn single_hits_are_forgotten_after_ninety_days_and_their_counts_are_not() {
    let (fixture, _) = world().await;
    let code = link(&fixture).await;
    fixture.store.edges.add_hits(vec![hit(&fixture, &code, NOON, Signs::default())]).await.unwrap();
    let old = NOON.plus(KEPT);
    fixture.store.sweep(Moment(old.0 - 1)).await.unwrap();
    assert_eq!(later(&fixture, "authors").link_hits(&code, None, 10).await.unwrap().hits.len(), 1);
    fixture.store.sweep(old).await.unwrap();
    assert!(later(&fixture, "authors").link_hits(&code, None, 10).await.unwrap().hits.is_empty());
    assert_eq!(fixture.workspace().link_days(&code, day(NOON), day(NOON)).await.unwrap()[0].visits, 1);
}

#[test]
fn signs_come_back_as_they_were_written() {
    for bits in 0..16 {
        assert_eq!(Signs::of_bits(bits).bits(), bits);
    }
}
