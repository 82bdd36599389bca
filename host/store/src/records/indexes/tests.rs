//! Tests of `indexes`.

use std::sync::Arc;

use model::clock::{FixedClock, SeededEntropy};
use model::id::CustomerId;
use model::manifest::{Collection, FIRST_FORM, Index};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Store;
use crate::database::Database;
use crate::fixture::{Fixture, NOON, addressed, fixture, schema};
use crate::{ModuleSchema, Query, RecordsError, SettleError, Workspace};

/// A revision of the module, with these indexes over its authors.
fn revision(indexes: &[(&str, &[&str])]) -> Arc<ModuleSchema> {
    let index = |(name, fields): &(&str, &[&str])| Index {
        name: (*name).to_owned(),
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
    };
    let authors =
        Collection { name: "authors".to_owned(), indexes: indexes.iter().map(index).collect(), form: FIRST_FORM };
    Arc::new(ModuleSchema { collections: vec![authors], ..schema() })
}

fn first() -> Arc<ModuleSchema> {
    revision(&[("by_status", &["status"])])
}

fn second() -> Arc<ModuleSchema> {
    revision(&[("by_status", &["status"]), ("by_age", &["age"])])
}

/// A revision whose authors have their second form: `status` is called `state` there.
fn later() -> Arc<ModuleSchema> {
    let by_state = Index { name: "by_state".to_owned(), fields: vec!["state".to_owned()] };
    let authors = Collection { name: "authors".to_owned(), indexes: vec![by_state], form: 2 };
    Arc::new(ModuleSchema { collections: vec![authors], ..schema() })
}

/// What the module of that revision makes of older authors.
#[derive(Debug)]
struct Renamed;

impl Upgrades for Renamed {
    fn form(&self, collection: &str) -> Option<u32> {
        (collection == "authors.authors").then_some(2)
    }

    fn upgrade<'a>(
        &'a self,
        _: &'a Store,
        _: &'a str,
        records: Vec<Older>,
    ) -> crate::BoxFuture<'a, Result<Vec<String>, String>> {
        let one = |older: &Older| {
            let old: Value = serde_json::from_str(&older.record).unwrap();
            assert_eq!(older.form, 1);
            old["status"].as_str().map(of_second_form).ok_or_else(|| "not_upgraded".to_owned())
        };
        let all = records.iter().map(one).collect();
        Box::pin(async move { all })
    }
}

fn of_second_form(state: &str) -> String {
    format!("{{\"_form\":2,\"state\":\"{state}\"}}")
}

/// A run of a revision whose indexes are ready: a busy machine takes longer for that than a run would wait.
async fn under(fixture: &Fixture, schema: &Arc<ModuleSchema>) -> Workspace {
    fixture.store.records.known_indexes(&schema.named()).await.unwrap();
    while fixture.store.records.index_more().await.unwrap().is_some() {}
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
    fixture.store.records.add_indexes(&schema.named(), false).await.unwrap();
    let begun = fixture.store.records.index_more().await.unwrap().unwrap();
    let more = fixture.store.records.index_more().await.unwrap().unwrap();
    assert!(begun.rows <= more.rows && more.rows < rows && !more.ready, "{more:?}");
    let known = fixture.store.records.learn_indexes().await.unwrap();
    assert_eq!(known.place("authors.authors", by_age, 1), None, "older rows would be missing");
    // Another host goes on, as after a kill.
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([8; 32])));
    let other = Store::of(Database::connect(address, clock, entropy, None).await.unwrap());
    while other.records.index_more().await.unwrap().is_some() {}
    let all = fixture.store.records.indexing().await.unwrap();
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
    let newer = Store::of(Database::connect(address, clock, entropy, None).await.unwrap());
    let schema = second();
    newer.records.add_indexes(&schema.named(), true).await.unwrap();
    let known = newer.records.learn_indexes().await.unwrap();
    let [by_status, by_age] = schema.collections[0].indexes.as_slice() else { panic!("two indexes") };
    let is_ready = |known: &Indexes, index| known.place("authors.authors", index, 1).is_some();
    assert_eq!((is_ready(&known, by_status), is_ready(&known, by_age)), (true, false));
    while newer.records.index_more().await.unwrap().is_some() {}
    assert!(is_ready(&newer.records.learn_indexes().await.unwrap(), by_age));
}

#[tokio::test]
async fn an_index_that_is_not_ready_says_so_in_place_of_an_answer_without_older_rows() {
    let (fixture, _address) = addressed().await;
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": "live", "age": 7 })).await;
    fixture.commit(before, "req_1").await.unwrap();
    let schema = second();
    fixture.store.records.add_indexes(&schema.named(), false).await.unwrap();
    fixture.store.records.learn_indexes().await.unwrap();
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

#[tokio::test]
async fn records_of_an_older_form_are_found_by_what_their_module_makes_of_them() {
    let fixture = fixture().await;
    let mut before = under(&fixture, &first()).await;
    for (id, status) in [("a1", "live"), ("a2", "draft"), ("a3", "live"), ("a4", "live")] {
        put(&mut before, id, json!({ "status": status })).await;
    }
    fixture.commit(before, "req_1").await.unwrap();
    fixture.store.records.upgrade_with(Arc::new(Renamed));
    let mut after = under(&fixture, &later()).await;
    assert_eq!(ids(&mut after, "by_state", json!("live")).await, ["a1", "a3", "a4"]);
    // Within a run and after it: what is changed or removed is where it is now, and nowhere else.
    let row = after.get("authors", "a1").await.unwrap().unwrap();
    assert_eq!(&*row.body, json!({ "status": "live" }).to_string(), "records that are there stay as they are");
    after.update("authors", "a1", row.version, of_second_form("draft")).await.unwrap();
    after.remove("authors", "a3", 1).await.unwrap();
    assert_eq!(ids(&mut after, "by_state", json!("live")).await, ["a4"]);
    assert_eq!(after.count("authors", &asked("by_state", json!("draft"))).await.unwrap(), 2);
    fixture.commit(after, "req_2").await.unwrap();
    let mut after = under(&fixture, &later()).await;
    assert_eq!(ids(&mut after, "by_state", json!("live")).await, ["a4"]);
    assert_eq!(ids(&mut after, "by_state", json!("draft")).await, ["a1", "a2"]);
    let refused = after.put_many("authors", vec![(None, json!({ "status": "live" }).to_string())]).await;
    assert!(matches!(refused, Err(RecordsError::Malformed(_))), "a revision writes its own form: {refused:?}");
    let later = later();
    let stored = [("authors.authors".to_owned(), later.collections[0].clone())];
    assert!(fixture.store.records.of_later_forms(&stored).await.unwrap().is_empty());
    let stored = [("authors.authors".to_owned(), first().collections[0].clone())];
    let strand = fixture.store.records.of_later_forms(&stored).await.unwrap();
    assert_eq!(strand.into_iter().collect::<Vec<_>>(), [("authors.authors".to_owned(), 1)], "a rollback is told");
}

#[tokio::test]
async fn what_an_older_revision_writes_meanwhile_is_found_once_its_module_has_seen_it() {
    let fixture = fixture().await;
    fixture.store.records.upgrade_with(Arc::new(Renamed));
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": "live" })).await;
    fixture.commit(before, "req_1").await.unwrap();
    let mut after = under(&fixture, &later()).await;
    assert_eq!(ids(&mut after, "by_state", json!("live")).await, ["a1"]);
    let mut older = under(&fixture, &first()).await;
    put(&mut older, "a1", json!({ "status": "draft" })).await;
    put(&mut older, "a2", json!({ "status": "draft" })).await;
    fixture.commit(older, "req_2").await.unwrap();
    let open = || Workspace::open(&fixture.store, fixture.customer.clone(), later(), NOON);
    let early = open().find("authors", &asked("by_state", json!("draft"))).await;
    assert!(matches!(early, Err(RecordsError::Preparing)), "a row would be missing: {early:?}");
    assert_eq!(open().get("authors", "a2").await.unwrap().map(|row| row.id), Some("a2".to_owned()));
    while fixture.store.records.index_more().await.unwrap().is_some() {}
    assert_eq!(ids(&mut open(), "by_state", json!("draft")).await, ["a1", "a2"]);
    assert!(ids(&mut open(), "by_state", json!("live")).await.is_empty(), "the key of before is gone");
    // Removed by the older revision, and written by the later one: no key is left behind.
    let mut older = under(&fixture, &first()).await;
    older.remove("authors", "a2", 1).await.unwrap();
    fixture.commit(older, "req_3").await.unwrap();
    let mut after = under(&fixture, &later()).await;
    put_form(&mut after, "a1", "live").await;
    fixture.commit(after, "req_4").await.unwrap();
    let mut after = under(&fixture, &later()).await;
    assert!(ids(&mut after, "by_state", json!("draft")).await.is_empty());
    assert_eq!(ids(&mut after, "by_state", json!("live")).await, ["a1"]);
}

#[tokio::test]
async fn an_index_over_a_form_that_nobody_knows_the_way_to_waits_and_one_that_fails_says_so() {
    let fixture = fixture().await;
    let mut before = under(&fixture, &first()).await;
    put(&mut before, "a1", json!({ "status": 5 })).await;
    fixture.commit(before, "req_1").await.unwrap();
    let later = later();
    fixture.store.records.known_indexes(&later.named()).await.unwrap();
    assert_eq!(fixture.store.records.index_more().await.unwrap(), None, "this host has no module that could");
    let mut waiting = Workspace::open(&fixture.store, fixture.customer.clone(), later, NOON);
    let refused = waiting.find("authors", &asked("by_state", json!("live"))).await;
    assert!(matches!(refused, Err(RecordsError::Preparing)), "{refused:?}");
    fixture.store.records.upgrade_with(Arc::new(Renamed));
    let failed = fixture.store.records.index_more().await.unwrap_err();
    assert!(failed.to_string().contains("authors.authors"), "{failed}");
}

#[tokio::test]
async fn a_record_that_its_module_refuses_holds_up_its_own_customer_and_no_index_of_others() {
    let fixture = fixture().await;
    fixture.store.records.upgrade_with(Arc::new(Renamed));
    let (bob, later) = (CustomerId::from("cus_bob"), later());
    crate::fixture::add(&fixture.store, &bob).await;
    under(&fixture, &later).await;
    let mut refused = under(&fixture, &first()).await;
    put(&mut refused, "a1", json!({ "status": 5 })).await;
    fixture.commit(refused, "req_1").await.unwrap();
    let rows = vec![("b1".to_owned(), 1, json!({ "status": "live" }).to_string())];
    fixture.store.records.restore_rows(&bob, &first(), "authors", rows).await.unwrap();
    while fixture.store.records.index_more().await.unwrap().is_some() {}
    let open = |customer: &CustomerId| Workspace::open(&fixture.store, customer.clone(), later.clone(), NOON);
    let waits = open(&fixture.customer).find("authors", &asked("by_state", json!("live"))).await;
    assert!(matches!(waits, Err(RecordsError::Preparing)), "{waits:?}");
    let found = open(&bob).find("authors", &asked("by_state", json!("live"))).await.unwrap();
    assert_eq!(found.rows.len(), 1, "another customer's are found");
}

async fn put_form(workspace: &mut Workspace, id: &str, state: &str) {
    workspace.put_many("authors", vec![(Some(id.to_owned()), of_second_form(state))]).await.unwrap();
}
