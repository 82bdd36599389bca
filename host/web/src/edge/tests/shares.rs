//! What a share with a passcode answers: the question, the wrong ones, the right one, and too many.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use model::audit::Audit;
use model::id::{CustomerId, RequestId, ShareId};
use sandbox::passcode::Passcode;
use serde_json::json;
use store::{ModuleSchema, Settlement, Store, Workspace};

use super::{ask, post};
use crate::tests::{Answer, World};

const FORM: &str = "application/x-www-form-urlencoded";
const HOUR: Duration = Duration::from_secs(3_600);
const NAME: &str = "secret-plan.xlsx";
const CONTENT: &[u8] = b"PK rows of the plan";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

fn workspace(store: &Store, customer: &CustomerId) -> Workspace {
    let schema = ModuleSchema { module: "edges".to_owned(), collections: Vec::new(), foreign: [].into() };
    Workspace::open(store, customer.clone(), Arc::new(schema), store.database.now())
}

/// Shares a blob of this customer, and commits that as a call does that costs nothing.
pub(crate) async fn publish(
    store: &Store,
    customer: &CustomerId,
    media: &str,
    name: &str,
    passcode: Option<&str>,
) -> (ShareId, String) {
    let mut workspace = workspace(store, customer);
    workspace.blob_write("plan", CONTENT.to_vec()).await.unwrap();
    let hash = match passcode {
        Some(passcode) => Some(Passcode::of(passcode).unwrap().hashed([9; 16]).await),
        None => None,
    };
    let sharing = workspace.publish_guarded("plan", media, Some(name.to_owned()), HOUR, false, hash);
    let (share, secret) = sharing.await.unwrap();
    let (customer, now) = (customer.clone(), store.database.now());
    let request = RequestId::at(now, store.database.chance());
    let audit = Audit {
        at: now,
        customer: customer.clone(),
        request: Some(request.clone()),
        grant: None,
        event: "operation.executed".to_owned(),
        subject: "edges.test".to_owned(),
        outcome: "ok".to_owned(),
        points: 0,
        detail: json!({}),
    };
    let settlement = Settlement {
        customer,
        grant: None,
        request,
        operation: "edges.test".to_owned(),
        site: None,
        now,
        api_version: "2026-09-28".into(),
        points: 0,
        hold: None,
        hold_for_job: None,
        changes: workspace.into_changes(),
        answer: None,
        claim: None,
        audit,
    };
    store.calls.settle(settlement).await.unwrap();
    (share.reference, format!("/r/{}", secret.reveal()))
}

async fn shared(world: &World, media: &str, name: &str, passcode: Option<&str>) -> (ShareId, String) {
    publish(world.service.core.store(), &world.customer, media, name, passcode).await
}

async fn views(world: &World, share: &ShareId) -> u64 {
    world.service.edges.flush_visits().await;
    workspace(world.service.core.store(), &world.customer).share(share.as_str()).await.unwrap().unwrap().views
}

async fn enter(world: &World, path: &str, passcode: &str) -> Answer {
    post(world, path, FORM, &format!("passcode={passcode}")).await
}

#[track_caller]
fn asks(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow, noarchive");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'") && policy.contains("form-action 'self'"), "{policy}");
    assert!(!policy.contains("script") && !answer.headers.contains_key("content-disposition"));
    assert!(!answer.headers.contains_key("set-cookie") && !answer.headers.contains_key("location"));
    assert!(
        answer.text.contains("<label for=\"passcode\">")
            && answer.text.contains("<form class=\"stack\" method=\"post\">")
    );
    for told in ["<script", "plan", "xlsx", "sheet.xml", "esp_sh_", "PK rows", "open sesame", "edges"] {
        assert!(!answer.text.contains(told), "{told}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_guarded_share_asks_and_tells_nothing_and_the_right_passcode_is_answered_with_the_content() {
    let world = World::new().await;
    let (share, path) = shared(&world, SHEET, NAME, Some("open sesame")).await;
    asks(&ask(&world, Method::GET, &path).await, 200);
    let head = ask(&world, Method::HEAD, &path).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    asks(&enter(&world, &path, "open+barley").await, 403);
    assert_eq!(views(&world, &share).await, 0, "asking and guessing is no view");
    let answer = enter(&world, &path, "open+sesame").await;
    assert_eq!((answer.status.as_u16(), answer.text.as_bytes()), (200, CONTENT));
    assert_eq!(answer.header("content-type"), SHEET);
    assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{NAME}\""));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(!answer.headers.contains_key("set-cookie") && !answer.headers.contains_key("location"));
    assert_eq!(views(&world, &share).await, 1);
    // Nothing remembers who knew it, and an address carries no passcode.
    asks(&ask(&world, Method::GET, &format!("{path}?passcode=open+sesame")).await, 200);
}

#[tokio::test]
async fn five_tries_a_minute_and_share_then_even_the_right_one_waits() {
    let world = World::new().await;
    let (share, path) = shared(&world, "text/csv", "plan.csv", Some("open sesame")).await;
    let (_, other) = shared(&world, "text/csv", "plan.csv", Some("open sesame")).await;
    for _ in 0..6 {
        assert_eq!(enter(&world, &path, "open+sesame").await.status, 200, "who knows it uses up no try");
    }
    for wrong in ["open+barley", "x", "", "open+sesame&passcode=open+sesame", &"a".repeat(10_000)] {
        asks(&enter(&world, &path, wrong).await, 403);
    }
    let answer = enter(&world, &path, "open+sesame").await;
    asks(&answer, 429);
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=61).contains(&wait), "{wait}");
    assert_eq!(enter(&world, &other, "open+sesame").await.status, 200, "another share has tries of its own");
    world.clock.advance(Duration::from_secs(wait));
    assert_eq!(enter(&world, &path, "open+sesame").await.status, 200);
    assert_eq!(views(&world, &share).await, 7);
}

#[tokio::test]
async fn only_a_form_is_read_and_a_share_without_a_passcode_takes_none() {
    let world = World::new().await;
    let (_, path) = shared(&world, "text/csv", "plan.csv", Some("open sesame")).await;
    asks(&post(&world, &path, "application/json", "{\"passcode\":\"open sesame\"}").await, 403);
    let (_, plain) = shared(&world, "text/csv", "plan.csv", None).await;
    assert_eq!(ask(&world, Method::GET, &plain).await.status, 200);
    let answer = enter(&world, &plain, "open+sesame").await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "GET, HEAD"));
}

#[tokio::test]
async fn a_share_that_is_over_or_never_was_says_the_same_to_every_question() {
    let world = World::new().await;
    let (_, path) = shared(&world, SHEET, NAME, Some("open sesame")).await;
    world.clock.advance(HOUR);
    let mut pages = Vec::new();
    for path in [path.as_str(), "/r/esp_sh_unknown"] {
        for answer in [ask(&world, Method::GET, path).await, enter(&world, path, "open+sesame").await] {
            assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (404, "no-store"), "{path}");
            pages.push(answer.text);
        }
    }
    assert!(pages.iter().all(|page| *page == pages[0]));
}

#[tokio::test]
async fn text_markdown_sheets_and_archives_are_handed_over_as_files_of_their_kind() {
    let world = World::new().await;
    for (media, sent, name) in [
        ("text/plain", "text/plain; charset=utf-8", "notes.txt"),
        ("text/markdown", "text/markdown; charset=utf-8", "report.md"),
        (SHEET, SHEET, "pages.xlsx"),
        ("application/zip", "application/zip", "pages.zip"),
    ] {
        let (_, path) = shared(&world, media, name, None).await;
        let answer = ask(&world, Method::GET, &path).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, sent));
        assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{name}\""));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}
