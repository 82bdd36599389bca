//! Tests of `find` over rows that are large.

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
