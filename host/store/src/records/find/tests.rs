//! Tests of `find`: rows that are large, and pages.

use sqlx::{Any, Row as _};

use super::cursor::{self, Position};
use super::{BY_ID, BY_ID_DESCENDING, BY_INDEX, BY_INDEX_DESCENDING};
use crate::fixture::{Fixture, fixture};
use crate::records::{Page, Query, RecordsError};

/// Sixty rows of 200 KB, which no single statement reads.
async fn with_large_rows(fixture: &Fixture) {
    let body = |n: usize| format!(r#"{{"status":"live","age":{n},"text":"{}"}}"#, "x".repeat(200_000));
    for from in [0, 20, 40] {
        let mut workspace = fixture.workspace();
        let rows = (from..from + 20).map(|n| (Some(format!("r{n:02}")), body(n))).collect();
        workspace.put_many("authors", rows).await.unwrap();
        fixture.commit(workspace, &format!("req_{from}")).await.unwrap();
    }
}

#[tokio::test]
async fn a_page_of_large_rows_is_whole_and_in_order_although_it_is_read_in_pieces() {
    let fixture = fixture().await;
    with_large_rows(&fixture).await;
    let ids = |page: &Page| page.rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
    let up: Vec<String> = (0..60).map(|n| format!("r{n:02}")).collect();
    let down: Vec<String> = up.iter().rev().cloned().collect();
    for (index, equals) in [(None, vec![]), (Some("by_status_age".to_owned()), vec!["live".into()])] {
        let query = Query { index, equals, limit: 1_000, ..Query::default() };
        assert_eq!(ids(&fixture.workspace().find("authors", &query).await.unwrap()), up);
        let query = Query { descending: true, limit: 50, ..query };
        let page = fixture.workspace().find("authors", &query).await.unwrap();
        assert_eq!(ids(&page), down[..50]);
        let query = Query { after: page.next, ..query };
        let rest = fixture.workspace().find("authors", &query).await.unwrap();
        assert_eq!((ids(&rest), rest.next), (down[50..].to_vec(), None));
    }
}

#[tokio::test]
async fn more_than_a_run_may_read_is_refused_and_not_kept() {
    let fixture = fixture().await;
    with_large_rows(&fixture).await;
    let limits = model::limits::Limits { bytes_read: 4 << 20, ..model::limits::Limits::step() };
    let mut workspace = fixture.workspace().within(&limits);
    let all = Query { limit: 1_000, ..Query::default() };
    assert!(matches!(workspace.find("authors", &all).await, Err(RecordsError::TooMuchRead)));
    assert_eq!(workspace.kept(), 0);
    let some = Query { limit: 10, ..Query::default() };
    assert_eq!(workspace.find("authors", &some).await.unwrap().rows.len(), 10);
    assert!(workspace.kept() > 2_000_000);
}

#[tokio::test]
async fn removing_by_an_index_stops_at_the_rows_that_may_be_changed() {
    let fixture = fixture().await;
    with_large_rows(&fixture).await;
    let limits = model::limits::Limits { rows_written: 30, ..model::limits::Limits::step() };
    let removed = fixture.workspace().within(&limits).remove_where("authors", "by_status", vec!["live".into()]).await;
    assert!(matches!(removed, Err(RecordsError::TooMuchWritten)), "{removed:?}");
}

/// Whatever the page, it is one range of an index, and its cursor is an end of that range. Of a hundred thousand links of
/// one crawl, all under one key, each page had walked over all pages before it.
#[tokio::test]
async fn a_page_begins_at_its_cursor_and_not_at_the_first_row() {
    let fixture = fixture().await;
    let database = &fixture.store.records.database;
    if !database.0.dialect.has_one_writer() {
        // What PostgreSQL plans depends on how many rows there are.
        return;
    }
    let ranges = [
        (BY_INDEX, "customer=? AND place=? AND (key,id)>(?,?) AND key<?"),
        (BY_INDEX_DESCENDING, "customer=? AND place=? AND key>? AND (key,id)<(?,?)"),
        (BY_ID, "customer=? AND collection=? AND id>? AND id<?"),
        (BY_ID_DESCENDING, "customer=? AND collection=? AND id>? AND id<?"),
    ];
    for (statements, range) in ranges {
        for sql in statements {
            let explained = format!("EXPLAIN QUERY PLAN {sql}");
            let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(explained));
            let plan = database.reader().fetch_all(query).await.unwrap();
            let plan: Vec<String> = plan.iter().map(|row| row.try_get("detail").unwrap()).collect();
            assert!(plan.iter().any(|it| it.contains(range)), "{sql}: {plan:#?}");
            assert!(!plan.iter().any(|it| it.contains("TEMP B-TREE")), "{sql}: {plan:#?}");
        }
    }
}

#[tokio::test]
async fn pages_of_rows_that_share_a_key_are_all_rows_once_in_either_order() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    // Ids of which one is the beginning of another.
    let ids = ["a", "a ", "aa", "a~", "b", "ba", "c", "é", "日"];
    let rows = ids.iter().map(|id| (Some((*id).to_owned()), r#"{"status":"live","age":1}"#.to_owned())).collect();
    workspace.put_many("authors", rows).await.unwrap();
    fixture.commit(workspace, "req_1").await.unwrap();
    for (index, equals) in [(None, vec![]), (Some("by_status_age".to_owned()), vec!["live".into()])] {
        for descending in [false, true] {
            for limit in 1..=4 {
                let mut query =
                    Query { index: index.clone(), equals: equals.clone(), descending, limit, ..Query::default() };
                let mut seen = Vec::new();
                loop {
                    let page = fixture.workspace().find("authors", &query).await.unwrap();
                    seen.extend(page.rows.into_iter().map(|row| row.id));
                    query.after = page.next;
                    if query.after.is_none() {
                        break;
                    }
                }
                let mut all = ids.to_vec();
                all.sort_unstable();
                if descending {
                    all.reverse();
                }
                assert_eq!(seen, all, "{index:?}, {limit} a page");
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_that_was_made_up_leads_to_no_row_outside_of_its_query() {
    let fixture = fixture().await;
    let mut workspace = fixture.workspace();
    let row = |id: &str, age: u32| (Some(id.to_owned()), format!(r#"{{"status":"live","age":{age}}}"#));
    workspace.put_many("authors", vec![row("a", 1), row("b", 2), row("c", 3)]).await.unwrap();
    fixture.commit(workspace, "req_1").await.unwrap();
    let by_age = Query { index: Some("by_status_age".to_owned()), equals: vec!["live".into()], ..Query::default() };
    let by_age = Query { at_least: Some(2.into()), below: Some(3.into()), ..by_age };
    let by_id = Query { at_least: Some("b".into()), below: Some("c".into()), ..Query::default() };
    for (query, descending) in [(&by_age, false), (&by_age, true), (&by_id, false), (&by_id, true)] {
        let query = Query { descending, limit: 10, ..query.clone() };
        let edge = if descending { super::HIGHEST } else { "" }.to_owned();
        let seal = cursor::seal("authors.authors", &query);
        let after = Some(cursor::write(seal, &Position { key: edge.clone(), id: edge }));
        let page = fixture.workspace().find("authors", &Query { after, ..query }).await.unwrap();
        assert_eq!(page.rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["b"], "descending: {descending}");
    }
}
