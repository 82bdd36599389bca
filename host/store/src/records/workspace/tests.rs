//! Tests of `workspace`.

use serde_json::json;
use sqlx::{Any, Row as _};

use super::*;
use crate::SettleError;
use crate::fixture::{Fixture, fixture};

async fn add(workspace: &mut Workspace, id: &str, status: &str, age: i64) -> Row {
    let body = json!({ "status": status, "age": age }).to_string();
    workspace.insert("authors", Some(id.to_owned()), body).await.unwrap()
}

/// Five authors, stored: a1 to a5, every second one a draft, younger and younger.
async fn with_authors() -> Fixture {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    for at in 1..=5 {
        add(&mut workspace, &format!("a{at}"), if at % 2 == 0 { "draft" } else { "live" }, 50 - at).await;
    }
    fixture.commit(workspace, "req_authors").await.unwrap();
    fixture
}

fn by_status(status: &str) -> Query {
    Query { index: Some("by_status".into()), equals: vec![json!(status)], ..Query::default() }
}

async fn ids(workspace: &mut Workspace, query: &Query) -> Vec<String> {
    workspace.find("authors", query).await.unwrap().rows.into_iter().map(|row| row.id).collect()
}

/// All pages of a query, one after the other.
async fn walk(workspace: &mut Workspace, mut query: Query) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        let page = workspace.find("authors", &query).await.unwrap();
        assert!(page.rows.len() <= query.limit as usize);
        found.extend(page.rows.into_iter().map(|row| row.id));
        match page.next {
            Some(next) => query.after = Some(next),
            None => return found,
        }
    }
}

#[tokio::test]
async fn a_run_reads_what_it_has_written_and_nobody_else_does_before_the_commit() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let row = workspace.insert("authors", None, r#"{"status":"live"}"#.to_owned()).await.unwrap();
    assert_eq!(row.version, 1);
    assert_eq!(workspace.get("authors", &row.id).await.unwrap().unwrap(), row);
    assert_eq!(ids(&mut workspace, &by_status("live")).await, [row.id.as_str()]);
    assert_eq!(workspace.count("authors", &by_status("live")).await.unwrap(), 1);
    assert_eq!(fixture.workspace().get("authors", &row.id).await.unwrap(), None);
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut later = fixture.workspace();
    assert_eq!(later.get("authors", &row.id).await.unwrap().unwrap(), row);
    assert_eq!(later.count("authors", &by_status("live")).await.unwrap(), 1);
}

#[tokio::test]
async fn an_index_finds_by_equality_range_and_order() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    assert_eq!(ids(&mut workspace, &by_status("live")).await, ["a1", "a3", "a5"]);
    let by_age = |at_least, below, descending| Query {
        index: Some("by_status_age".into()),
        equals: vec![json!("live")],
        at_least,
        below,
        descending,
        ..Query::default()
    };
    assert_eq!(ids(&mut workspace, &by_age(None, None, false)).await, ["a5", "a3", "a1"]);
    assert_eq!(ids(&mut workspace, &by_age(None, None, true)).await, ["a1", "a3", "a5"]);
    assert_eq!(ids(&mut workspace, &by_age(Some(json!(46)), Some(json!(49)), false)).await, ["a3"]);
    let above = Query { index: Some("by_status".into()), at_least: Some(json!("e")), ..Query::default() };
    assert_eq!(ids(&mut workspace, &above).await, ["a1", "a3", "a5"]);
    let ids_between = Query { at_least: Some(json!("a2")), below: Some(json!("a4")), ..Query::default() };
    assert_eq!(ids(&mut workspace, &ids_between).await, ["a2", "a3"]);
}

#[tokio::test]
async fn pages_go_on_where_they_ended_in_both_directions() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    for limit in 1..=6 {
        for descending in [false, true] {
            for index in [None, Some("by_status".to_owned()), Some("by_status_age".to_owned())] {
                let query = Query { index, descending, ..Query::default() };
                let whole = ids(&mut workspace, &query).await;
                assert_eq!(whole.len(), 5);
                assert_eq!(walk(&mut workspace, Query { limit, ..query }).await, whole);
            }
        }
    }
}

#[tokio::test]
async fn pages_merge_stored_rows_with_changed_added_and_removed_ones() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    workspace.update("authors", "a1", 1, r#"{"status":"draft","age":1}"#.to_owned()).await.unwrap();
    workspace.remove("authors", "a3", 1).await.unwrap();
    add(&mut workspace, "a0", "live", 30).await;
    add(&mut workspace, "a9", "draft", 60).await;
    for (status, expected) in [("live", vec!["a0", "a5"]), ("draft", vec!["a1", "a2", "a4", "a9"])] {
        let mut query = by_status(status);
        assert_eq!(ids(&mut workspace, &query).await, expected);
        assert_eq!(workspace.count("authors", &query).await.unwrap(), expected.len() as u64);
        query.limit = 1;
        assert_eq!(walk(&mut workspace, query.clone()).await, expected);
        query.descending = true;
        let reversed: Vec<_> = expected.iter().rev().copied().collect();
        assert_eq!(walk(&mut workspace, query).await, reversed);
    }
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut later = fixture.workspace();
    assert_eq!(ids(&mut later, &by_status("live")).await, ["a0", "a5"]);
    assert_eq!(ids(&mut later, &by_status("draft")).await, ["a1", "a2", "a4", "a9"]);
}

#[tokio::test]
async fn an_update_names_the_version_it_read() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    let body = || r#"{"status":"live"}"#.to_owned();
    assert!(matches!(workspace.update("authors", "a1", 2, body()).await, Err(RecordsError::Conflict)));
    assert!(matches!(workspace.update("authors", "zz", 1, body()).await, Err(RecordsError::Missing)));
    assert_eq!(workspace.update("authors", "a1", 1, body()).await.unwrap().version, 2);
    assert!(matches!(workspace.remove("authors", "a1", 1).await, Err(RecordsError::Conflict)));
    workspace.remove("authors", "a1", 2).await.unwrap();
    assert!(matches!(workspace.remove("authors", "a1", 2).await, Err(RecordsError::Missing)));
    assert!(matches!(workspace.update("authors", "a1", 2, body()).await, Err(RecordsError::Missing)));
}

#[tokio::test]
async fn of_two_runs_that_change_one_record_the_second_is_refused_whole() {
    let fixture = with_authors().await;
    let (mut one, mut two) = (fixture.workspace(), fixture.workspace());
    one.update("authors", "a1", 1, r#"{"status":"one"}"#.to_owned()).await.unwrap();
    two.update("authors", "a1", 1, r#"{"status":"two"}"#.to_owned()).await.unwrap();
    add(&mut two, "b1", "two", 1).await;
    fixture.commit(one, "req_1").await.unwrap();
    assert!(matches!(fixture.commit(two, "req_2").await, Err(SettleError::RecordConflict)));
    let mut later = fixture.workspace();
    assert_eq!(ids(&mut later, &by_status("two")).await, [] as [&str; 0]);
    assert_eq!(ids(&mut later, &by_status("one")).await, ["a1"]);
    fixture.holds().await;
}

#[tokio::test]
async fn of_two_runs_that_add_one_id_the_second_is_refused() {
    let fixture = fixture().await;
    let (mut one, mut two) = (fixture.workspace(), fixture.workspace());
    add(&mut one, "a1", "one", 1).await;
    add(&mut two, "a1", "two", 1).await;
    let (one, two) = tokio::join!(fixture.commit(one, "req_1"), fixture.commit(two, "req_2"));
    assert!(one.is_ok() ^ two.is_ok());
    let mut later = fixture.workspace();
    assert!(matches!(later.insert("authors", Some("a1".into()), "{}".into()).await, Err(RecordsError::Conflict)));
}

#[tokio::test]
async fn a_record_that_was_removed_and_comes_back_counts_on() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    workspace.remove("authors", "a1", 1).await.unwrap();
    assert_eq!(add(&mut workspace, "a1", "draft", 1).await.version, 2);
    fixture.commit(workspace, "req_1").await.unwrap();
    assert_eq!(ids(&mut fixture.workspace(), &by_status("draft")).await, ["a1", "a2", "a4"]);
}

#[tokio::test]
async fn many_records_are_put_at_once_new_and_old() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    let mut rows: Vec<_> = (0..300).map(|at| (Some(format!("a{at}")), r#"{"status":"put"}"#.to_owned())).collect();
    rows.push((None, r#"{"status":"put"}"#.to_owned()));
    assert_eq!(workspace.put_many("authors", rows).await.unwrap(), 301);
    assert_eq!(workspace.count("authors", &by_status("put")).await.unwrap(), 301);
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut later = fixture.workspace();
    assert_eq!(later.count("authors", &by_status("put")).await.unwrap(), 301);
    assert_eq!(later.count("authors", &by_status("live")).await.unwrap(), 0);
    assert_eq!(later.get("authors", "a1").await.unwrap().unwrap().version, 2);
    assert_eq!(later.get("authors", "a200").await.unwrap().unwrap().version, 1);
}

#[tokio::test]
async fn everything_under_an_index_value_is_removed_at_once() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    let rows: Vec<_> = (0..2500).map(|_| (None, r#"{"status":"old"}"#.to_owned())).collect();
    workspace.put_many("authors", rows).await.unwrap();
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut workspace = fixture.workspace();
    add(&mut workspace, "b1", "old", 1).await;
    assert_eq!(workspace.remove_where("authors", "by_status", vec![json!("old")]).await.unwrap(), 2501);
    assert_eq!(workspace.count("authors", &by_status("old")).await.unwrap(), 0);
    fixture.commit(workspace, "req_2").await.unwrap();
    assert_eq!(
        walk(&mut fixture.workspace(), Query { limit: 2, ..Query::default() }).await,
        ["a1", "a2", "a3", "a4", "a5"]
    );
}

#[tokio::test]
async fn made_ids_grow_in_the_order_of_insertion() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let mut made = Vec::new();
    for _ in 0..50 {
        made.push(workspace.insert("authors", None, "{}".to_owned()).await.unwrap().id);
    }
    assert!(made.is_sorted());
    assert_eq!(ids(&mut workspace, &Query::default()).await, made);
}

#[tokio::test]
async fn only_declared_collections_and_indexes_can_be_asked_and_foreign_ones_only_read() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    assert!(matches!(workspace.get("books", "1").await, Err(RecordsError::Undeclared(_))));
    assert!(matches!(workspace.get("websites.pages", "1").await, Err(RecordsError::Undeclared(_))));
    let unknown = Query { index: Some("by_name".into()), ..Query::default() };
    assert!(matches!(workspace.find("authors", &unknown).await, Err(RecordsError::Undeclared(_))));
    assert_eq!(workspace.get("websites.sites", "1").await.unwrap(), None);
    let foreign = workspace.insert("websites.sites", None, "{}".to_owned()).await;
    assert!(matches!(foreign, Err(RecordsError::Undeclared(_))));
}

#[tokio::test]
async fn another_modules_records_are_read_where_that_is_granted() {
    let fixture = fixture().await;
    let owner = ModuleSchema {
        module: "websites".into(),
        collections: vec![crate::fixture::schema().foreign["websites.sites"].clone()],
        foreign: Default::default(),
    };
    let mut sites = Workspace::open(&fixture.store, fixture.customer.clone(), Arc::new(owner), crate::fixture::NOON);
    sites.insert("sites", Some("42".into()), r#"{"domain":"example.com"}"#.into()).await.unwrap();
    fixture.commit(sites, "req_1").await.unwrap();
    let query = Query { index: Some("by_domain".into()), equals: vec![json!("example.com")], ..Query::default() };
    let page = fixture.workspace().find("websites.sites", &query).await.unwrap();
    assert_eq!(page.rows[0].id, "42");
}

#[tokio::test]
async fn another_modules_blobs_are_read_where_their_keys_begin_as_granted_and_never_written() {
    let fixture = fixture().await;
    let schema = |module: &str, reads: &[&str]| {
        let none = || Collection { name: String::new(), indexes: Vec::new(), form: 1 };
        let nothing = |name: &&str| ((*name).to_owned(), none());
        let foreign = reads.iter().map(nothing).collect();
        Arc::new(ModuleSchema { module: module.into(), collections: Vec::new(), foreign })
    };
    let open = |schema, customer: &str| Workspace::open(&fixture.store, customer.into(), schema, crate::fixture::NOON);
    let mut crawl = open(schema("crawl", &[]), fixture.customer.as_str());
    for key in ["text/1", "html/1"] {
        crawl.blob_write(key, b"theirs".to_vec()).await.unwrap();
    }
    fixture.commit(crawl, "req_1").await.unwrap();
    let granted = schema("links", &["crawl.text/", "crawl.runs"]);
    let mut links = open(granted.clone(), fixture.customer.as_str());
    assert_eq!(links.blob_read("crawl.text/1", 1, 4).await.unwrap().as_deref(), Some(&b"heir"[..]));
    for hidden in ["crawl.html/1", "crawl.text", "text/1", "crawl.runs/1", "other.text/1"] {
        assert_eq!(links.blob_read(hidden, 0, 9).await.unwrap(), None, "{hidden}");
    }
    assert!(matches!(links.blob_write("crawl.text/1", vec![1]).await, Err(RecordsError::Undeclared(_))));
    assert!(matches!(links.get("crawl.text/", "1").await, Err(RecordsError::Undeclared(_))));
    links.blob_write("crawl.html/1", b"ours".to_vec()).await.unwrap();
    assert_eq!(links.blob_read("crawl.html/1", 0, 9).await.unwrap().as_deref(), Some(&b"ours"[..]));
    assert_eq!(open(granted, "cus_bob").blob_read("crawl.text/1", 0, 9).await.unwrap(), None);
    let mut ungranted = open(schema("links", &[]), fixture.customer.as_str());
    assert_eq!(ungranted.blob_read("crawl.text/1", 0, 9).await.unwrap(), None);
}

#[tokio::test]
async fn a_customer_never_sees_anothers_records() {
    let fixture = with_authors().await;
    let schema = Arc::new(crate::fixture::schema());
    let mut other = Workspace::open(&fixture.store, "cus_bob".into(), schema, crate::fixture::NOON);
    assert_eq!(other.get("authors", "a1").await.unwrap(), None);
    assert_eq!(ids(&mut other, &Query::default()).await, [] as [&str; 0]);
    assert_eq!(other.count("authors", &by_status("live")).await.unwrap(), 0);
}

#[tokio::test]
async fn what_is_not_a_record_is_malformed() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    for body in ["", "[]", "1", "{", "null"] {
        let refused = workspace.insert("authors", None, body.to_owned()).await;
        assert!(matches!(refused, Err(RecordsError::Malformed(_))), "{body}");
    }
    for id in ["", "a\tb", "a\nb", &"x".repeat(201)] {
        let refused = workspace.insert("authors", Some(id.to_owned()), "{}".to_owned()).await;
        assert!(matches!(refused, Err(RecordsError::Malformed(_))), "{id:?}");
    }
    let too_many = Query { limit: PAGE + 1, ..Query::default() };
    assert!(matches!(workspace.find("authors", &too_many).await, Err(RecordsError::Malformed(_))));
    assert!(fixture.workspace().into_changes().is_empty());
}

#[tokio::test]
async fn the_tally_counts_rows_and_bytes() {
    let fixture = with_authors().await;
    let mut workspace = fixture.workspace();
    let row = workspace.get("authors", "a1").await.unwrap().unwrap();
    workspace.find("authors", &by_status("live")).await.unwrap();
    let body = row.body.to_string();
    let bytes = body.len() as u64;
    workspace.update("authors", "a1", 1, body).await.unwrap();
    let tally = Tally { rows_read: 4, bytes_read: 4 * bytes, rows_written: 1, bytes_written: bytes };
    assert_eq!(workspace.tally(), tally);
}

#[tokio::test]
async fn blobs_are_read_in_pieces_and_equal_bytes_are_kept_once() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let bytes: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
    for key in ["one", "two"] {
        workspace.blob_write(key, bytes.clone()).await.unwrap();
    }
    assert_eq!(workspace.blob_read("one", 99_990, 100).await.unwrap().unwrap(), bytes[99_990..]);
    assert!(matches!(
        workspace.blob_write("big", vec![0; crate::BLOB_BYTES + 1]).await,
        Err(RecordsError::Malformed(_))
    ));
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut workspace = fixture.workspace();
    assert_eq!(workspace.blob_read("two", 10, 20).await.unwrap().unwrap(), bytes[10..30]);
    assert!(workspace.blob_read("two", 1 << 40, 20).await.unwrap().unwrap().is_empty());
    assert_eq!(workspace.blob_read("three", 0, 1).await.unwrap(), None);
    let count = fixture
        .store
        .database
        .reader()
        .fetch_one(sqlx::query::<Any>("SELECT COUNT(*) FROM blob_content"))
        .await
        .unwrap();
    assert_eq!(count.get::<i64, _>(0), 1);
    workspace.blob_write("one", b"other".to_vec()).await.unwrap();
    workspace.blob_write("two", b"other".to_vec()).await.unwrap();
    fixture.commit(workspace, "req_2").await.unwrap();
    assert_eq!(fixture.store.sweep(crate::fixture::NOON).await.unwrap().contents, 1);
    assert_eq!(fixture.workspace().blob_read("two", 0, 9).await.unwrap().unwrap(), b"other");
}

#[tokio::test]
async fn blobs_are_listed_in_order_with_what_the_run_writes_and_without_what_it_removes() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    for key in ["a/1", "a/2", "a/3", "a_", "b/1"] {
        workspace.blob_write(key, key.as_bytes().to_vec()).await.unwrap();
    }
    assert_eq!(workspace.blob_keys("a/", None, 9).await.unwrap(), ["a/1", "a/2", "a/3"]);
    fixture.commit(workspace, "req_1").await.unwrap();
    let mut workspace = fixture.workspace();
    workspace.blob_remove("a/1").unwrap();
    workspace.blob_remove("none").unwrap();
    assert_eq!(workspace.blob_read("a/1", 0, 9).await.unwrap(), None);
    workspace.blob_write("a/0", b"new".to_vec()).await.unwrap();
    assert_eq!(workspace.blob_keys("a/", None, 2).await.unwrap(), ["a/0", "a/2"]);
    assert_eq!(workspace.blob_keys("a/", Some("a/2"), 2).await.unwrap(), ["a/3"]);
    assert_eq!(workspace.blob_keys("", None, 9).await.unwrap(), ["a/0", "a/2", "a/3", "a_", "b/1"]);
    assert!(workspace.blob_keys("c", None, 9).await.unwrap().is_empty());
    fixture.commit(workspace, "req_2").await.unwrap();
    let mut workspace = fixture.workspace();
    assert_eq!(workspace.blob_keys("a/", None, 9).await.unwrap(), ["a/0", "a/2", "a/3"]);
    assert_eq!(workspace.blob_read("a/1", 0, 9).await.unwrap(), None);
    assert_eq!(fixture.store.sweep(crate::fixture::NOON).await.unwrap().contents, 1);
    // What was removed and is written again is there again.
    workspace.blob_remove("a/2").unwrap();
    workspace.blob_write("a/2", b"again".to_vec()).await.unwrap();
    fixture.commit(workspace, "req_3").await.unwrap();
    assert_eq!(fixture.workspace().blob_read("a/2", 0, 9).await.unwrap().unwrap(), b"again");
}

#[tokio::test]
async fn cached_data_lives_as_long_as_it_was_given() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    workspace.cache_put("robots", b"allow".to_vec(), 60).await.unwrap();
    assert_eq!(workspace.cache_get("robots").await.unwrap().unwrap(), b"allow");
    assert!(matches!(
        workspace.cache_put("x", vec![0; crate::CACHE_BYTES + 1], 1).await,
        Err(RecordsError::Malformed(_))
    ));
    fixture.commit(workspace, "req_1").await.unwrap();
    assert_eq!(fixture.workspace().cache_get("robots").await.unwrap().unwrap(), b"allow");
    let later = crate::fixture::NOON.plus(std::time::Duration::from_secs(60));
    let schema = Arc::new(crate::fixture::schema());
    let mut stale = Workspace::open(&fixture.store, fixture.customer.clone(), schema, later);
    assert_eq!(stale.cache_get("robots").await.unwrap(), None);
    assert_eq!(fixture.store.sweep(later).await.unwrap().cached, 1);
}
