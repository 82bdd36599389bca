//! A search finds what fits, in order, page by page.

use std::time::Duration;

use super::*;
use crate::fixture::{NOON, fixture};

const MINUTE: Duration = Duration::from_secs(60);

fn seqs(found: &Lines) -> Vec<u64> {
    found.lines.iter().map(|line| line.seq).collect()
}

#[tokio::test]
async fn lines_are_found_by_event_subject_grant_outcome_and_time() {
    let fixture = fixture().await;
    let start =
        fixture.store.trail.audit_lines(&fixture.customer, None, 1).await.unwrap().first().map_or(0, |line| line.seq);
    let grant = GrantId::from("gra_a");
    for (minute, (event, subject, grant, outcome)) in [
        ("operation.executed", "authors.list", Some(&grant), "ok"),
        ("operation.refused", "authors.create", Some(&grant), "insufficient_scope"),
        ("oauth.grant.revoked", "gra_a", None, "ok"),
        ("operation.executed", "audit_x.run", None, "ok"),
    ]
    .into_iter()
    .enumerate()
    {
        let line = Audit {
            at: NOON.plus(MINUTE * u32::try_from(minute).unwrap()),
            event: event.to_owned(),
            subject: subject.to_owned(),
            grant: grant.cloned(),
            ..fixture.line(outcome)
        };
        fixture.store.calls.audit(line).await.unwrap();
    }
    let text = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (Filter::default(), vec![4, 3, 2, 1]),
        (Filter { event: text("operation.executed"), ..Filter::default() }, vec![4, 1]),
        (Filter { event: text("operation."), ..Filter::default() }, vec![4, 2, 1]),
        (Filter { subject: text("authors."), ..Filter::default() }, vec![2, 1]),
        // An underscore is a letter here, not whatever a pattern takes it for.
        (Filter { subject: text("audit_x.run"), ..Filter::default() }, vec![4]),
        (Filter { subject: text("audit-x.run"), ..Filter::default() }, vec![]),
        (Filter { subject: text("%"), ..Filter::default() }, vec![]),
        (Filter { grant: Some(grant.clone()), ..Filter::default() }, vec![2, 1]),
        (Filter { outcome: Some(Ended::Badly), ..Filter::default() }, vec![2]),
        (Filter { outcome: Some(Ended::With("insufficient_scope".to_owned())), ..Filter::default() }, vec![2]),
        (Filter { outcome: Some(Ended::Well), event: text("operation."), ..Filter::default() }, vec![4, 1]),
        (Filter { from: Some(NOON.plus(MINUTE)), until: Some(NOON.plus(MINUTE * 3)), ..Filter::default() }, vec![3, 2]),
        (Filter { until: Some(NOON), ..Filter::default() }, vec![]),
        (Filter { from: Some(NOON.plus(MINUTE * 9)), ..Filter::default() }, vec![]),
    ] {
        let found = fixture.store.trail.search_trail(&fixture.customer, &filter, None, 50).await.unwrap();
        let expected: Vec<u64> = expected.into_iter().map(|number: u64| start + number).collect();
        let known: Vec<u64> = seqs(&found).into_iter().filter(|seq| *seq > start).collect();
        assert_eq!(known, expected, "{filter:?}");
    }
    let nobody = CustomerId::from("cus_other");
    let found = fixture.store.trail.search_trail(&nobody, &Filter::default(), None, 50).await.unwrap();
    assert_eq!((found.lines.len(), found.next), (0, None));
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let fixture = fixture().await;
    for minute in 0..7 {
        let line = Audit { at: NOON.plus(MINUTE * minute), ..fixture.line("ok") };
        fixture.store.calls.audit(line).await.unwrap();
    }
    let (mut seen, mut below) = (Vec::new(), None);
    loop {
        let page = fixture.store.trail.search_trail(&fixture.customer, &Filter::default(), below, 3).await.unwrap();
        assert!(page.lines.len() <= 3 && page.stopped_at.is_none());
        seen.extend(seqs(&page));
        below = page.next;
        if below.is_none() {
            break;
        }
    }
    let all = fixture.store.trail.audit_lines(&fixture.customer, None, 100).await.unwrap();
    assert_eq!(seen, all.iter().map(|line| line.seq).collect::<Vec<_>>());
}
