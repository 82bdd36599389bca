//! Tests of `indexes`.

use std::sync::Arc;

use model::clock::{FixedClock, SeededEntropy};
use model::manifest::{Collection, Index};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::fixture::{Fixture, NOON, addressed, fixture, schema};
use crate::{ModuleSchema, Query, RecordsError, SettleError, Workspace};

/// A revision of the module, with these indexes over its authors.
fn revision(indexes: &[(&str, &[&str])]) -> Arc<ModuleSchema> {
    let index = |(name, fields): &(&str, &[&str])| Index {
        name: (*name).to_owned(),
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
    };
    let authors = Collection { name: "authors".to_owned(), indexes: indexes.iter().map(index).collect() };
    Arc::new(ModuleSchema { collections: vec![authors], ..schema() })
}

fn first() -> Arc<ModuleSchema> {
    revision(&[("by_status", &["status"])])
}

fn second() -> Arc<ModuleSchema> {
    revision(&[("by_status", &["status"]), ("by_age", &["age"])])
}

/// A run of a revision whose indexes are ready: a busy machine takes longer for that than a run would wait.
async fn under(fixture: &Fixture, schema: &Arc<ModuleSchema>) -> Workspace {
    fixture.store.known_indexes(&schema.named()).await.unwrap();
    while fixture.store.index_more().await.unwrap().is_some() {}
    Workspace::open(&fixture.store, fixture.customer.clone(), schema.clone(), NOON)
}

fn asked(index: &str, equals: Value) -> Query {
    Query { index: Some(index.to_owned()), equals: vec![equals], ..Query::default() }
}

async fn ids(workspace: &mut Workspace, index: &str, equals: Value) -> Vec<String> {
    let page = workspace.find("authors", &asked(index, equals)).await.unwrap();
    page.rows.into_iter().map(|row| row.id).collect()
}

async fn put(workspace: &mut Workspace, id: &str, body: Value) {
    workspace.put_many("authors", vec![(Some(id.to_owned()), body.to_string())]).await.unwrap();
}

#[tokio::test]
async fn an_index_that_a_revision_adds_finds_the_rows_of_the_one_before() {
    let fixture = fixture().await;
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": "live", "age": 40 })).await;
    put(&mut before, "a2", json!({ "status": "live", "age": [1] })).await;
    put(&mut before, "a3", json!({ "status": "live" })).await;
    fixture.commit(before, "req_1").await.unwrap();
    let mut after = under(&fixture, &second()).await;
    assert_eq!(ids(&mut after, "by_age", json!(40)).await, ["a1"]);
    assert_eq!(ids(&mut after, "by_age", Value::Null).await, ["a3"]);
    let all = Query { index: Some("by_age".into()), ..Query::default() };
    assert_eq!(after.count("authors", &all).await.unwrap(), 3, "what it cannot compare with is not lost either");
}

#[tokio::test]
async fn a_revision_and_the_one_before_it_keep_up_each_others_indexes() {
    let fixture = fixture().await;
    let other = revision(&[("by_status", &["age"])]);
    let mut one = under(&fixture, &first()).await;
    put(&mut one, "a1", json!({ "status": "live", "age": 1 })).await;
    fixture.commit(one, "req_1").await.unwrap();
    let mut two = under(&fixture, &other).await;
    assert_eq!(ids(&mut two, "by_status", json!(1)).await, ["a1"], "the same name over another field is another index");
    put(&mut two, "a1", json!({ "status": "draft", "age": 2 })).await;
    put(&mut two, "a2", json!({ "status": "draft", "age": 2 })).await;
    fixture.commit(two, "req_2").await.unwrap();
    let mut back = under(&fixture, &first()).await;
    assert_eq!(
        ids(&mut back, "by_status", json!("draft")).await,
        ["a1", "a2"],
        "a rollback finds what was written since"
    );
    assert!(ids(&mut back, "by_status", json!("live")).await.is_empty());
    put(&mut back, "a2", json!({ "status": "live", "age": 3 })).await;
    fixture.commit(back, "req_3").await.unwrap();
    let mut forward = under(&fixture, &other).await;
    assert_eq!(ids(&mut forward, "by_status", json!(2)).await, ["a1"]);
    assert_eq!(ids(&mut forward, "by_status", json!(3)).await, ["a2"]);
}

#[tokio::test]
async fn a_run_that_began_before_an_index_was_declared_meets_a_conflict_and_then_keeps_it_up() {
    let fixture = fixture().await;
    let mut late = under(&fixture, &first()).await;
    put(&mut late, "a1", json!({ "status": "live", "age": 7 })).await;
    let mut newer = under(&fixture, &second()).await;
    assert!(ids(&mut newer, "by_age", json!(7)).await.is_empty());
    let refused = fixture.commit(late, "req_1").await;
    assert!(matches!(refused, Err(SettleError::RecordConflict)), "{refused:?}");
    let mut again = under(&fixture, &first()).await;
    put(&mut again, "a1", json!({ "status": "live", "age": 7 })).await;
    fixture.commit(again, "req_2").await.unwrap();
    assert_eq!(ids(&mut under(&fixture, &second()).await, "by_age", json!(7)).await, ["a1"]);
}

#[tokio::test]
async fn building_goes_on_where_it_was_killed_and_answers_nothing_before_its_end() {
    let (fixture, address) = addressed().await;
    let rows = 1_000;
    let mut before = under(&fixture, &first()).await;
    for at in 0..rows {
        put(&mut before, &format!("a{at:04}"), json!({ "status": "live", "age": at % 10 })).await;
    }
    fixture.commit(before, "req_1").await.unwrap();
    let schema = second();
    let by_age = &schema.collections[0].indexes[1];
    fixture.store.add_indexes(&schema.named(), false).await.unwrap();
    let begun = fixture.store.index_more().await.unwrap().unwrap();
    let more = fixture.store.index_more().await.unwrap().unwrap();
    assert!(begun.rows <= more.rows && more.rows < rows && !more.ready, "{more:?}");
    let known = fixture.store.learn_indexes().await.unwrap();
    assert_eq!(known.place("authors.authors", by_age), None, "older rows would be missing");
    // Another host goes on, as after a kill.
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([8; 32])));
    let other = Store::connect(address, clock, entropy, None).await.unwrap();
    while other.index_more().await.unwrap().is_some() {}
    let all = fixture.store.indexing().await.unwrap();
    let last = all.last().unwrap();
    assert_eq!(
        (last.collection.as_str(), last.index.as_str(), last.rows, last.ready),
        ("authors.authors", "by_age", rows, true)
    );
    let mut after = under(&fixture, &schema).await;
    assert_eq!(after.count("authors", &asked("by_age", json!(3))).await.unwrap(), rows / 10);
}

#[tokio::test]
async fn what_hosts_of_before_this_table_kept_up_is_ready_at_once_and_what_they_did_not_is_built() {
    let (fixture, address) = addressed().await;
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": "live", "age": 7 })).await;
    fixture.commit(before, "req_1").await.unwrap();
    crate::fixture::force(&fixture.store, ["DELETE FROM stored_index".to_owned()]).await;
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([8; 32])));
    let newer = Store::connect(address, clock, entropy, None).await.unwrap();
    let schema = second();
    newer.add_indexes(&schema.named(), true).await.unwrap();
    let known = newer.learn_indexes().await.unwrap();
    let [by_status, by_age] = schema.collections[0].indexes.as_slice() else { panic!("two indexes") };
    let is_ready = |known: &Indexes, index| known.place("authors.authors", index).is_some();
    assert_eq!((is_ready(&known, by_status), is_ready(&known, by_age)), (true, false));
    while newer.index_more().await.unwrap().is_some() {}
    assert!(is_ready(&newer.learn_indexes().await.unwrap(), by_age));
}

#[tokio::test]
async fn an_index_that_is_not_ready_says_so_in_place_of_an_answer_without_older_rows() {
    let (fixture, _address) = addressed().await;
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": "live", "age": 7 })).await;
    fixture.commit(before, "req_1").await.unwrap();
    let schema = second();
    fixture.store.add_indexes(&schema.named(), false).await.unwrap();
    fixture.store.learn_indexes().await.unwrap();
    let mut early = Workspace::open(&fixture.store, fixture.customer.clone(), schema, NOON);
    let refused = early.find("authors", &asked("by_age", json!(7))).await;
    assert!(matches!(refused, Err(RecordsError::Preparing)), "{refused:?}");
}

#[tokio::test]
async fn an_index_that_nobody_declares_is_refused() {
    let fixture = fixture().await;
    let refused = under(&fixture, &first()).await.find("authors", &asked("by_age", json!(1))).await;
    assert!(matches!(refused, Err(RecordsError::Undeclared(_))), "{refused:?}");
}

/// What happens to one of four records under one of three revisions.
#[derive(Clone, Debug)]
struct Act {
    revision: usize,
    record: usize,
    /// Its status and age; none: it is removed.
    becomes: Option<(u8, u8)>,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = (0..3_usize, 0..4_usize, proptest::option::of((0..2_u8, 0..2_u8)));
    prop::collection::vec(act.prop_map(|(revision, record, becomes)| Act { revision, record, becomes }), 1..16)
}

async fn perform(acts: &[Act]) {
    let fixture = fixture().await;
    let revisions = [
        first(),
        second(),
        revision(&[("by_status", &["age", "status"]), ("by_age", &["age"]), ("by_both", &["status", "age"])]),
    ];
    for (at, Act { revision, record, becomes }) in acts.iter().enumerate() {
        let id = format!("a{record}");
        let mut workspace = under(&fixture, &revisions[*revision]).await;
        match becomes {
            Some((status, age)) => put(&mut workspace, &id, json!({ "status": status, "age": age })).await,
            None => match workspace.get("authors", &id).await.unwrap() {
                Some(row) => workspace.remove("authors", &id, row.version).await.unwrap(),
                None => continue,
            },
        }
        fixture.commit(workspace, &format!("req_{at}")).await.unwrap();
        for schema in &revisions[..=*revision] {
            let mut workspace = under(&fixture, schema).await;
            let all = workspace.find("authors", &Query::default()).await.unwrap().rows;
            for index in &schema.collections[0].indexes {
                for value in 0..2_u8 {
                    let fits = |body: &str| serde_json::from_str::<Value>(body).unwrap()[&index.fields[0]] == value;
                    let expected: Vec<_> = all.iter().filter(|row| fits(&row.body)).map(|row| row.id.clone()).collect();
                    let mut found = ids(&mut workspace, &index.name, json!(value)).await;
                    found.sort_unstable();
                    assert_eq!(found, expected, "{} of {:?} after {acts:?}", index.name, index.fields);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn whatever_revisions_write_in_whatever_order_each_index_finds_what_a_scan_finds(acts in acts()) {
        tokio::runtime::Runtime::new().unwrap().block_on(perform(&acts));
    }
}
