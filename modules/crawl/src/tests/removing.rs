//! What deleting a crawl promises, as tests.

use super::*;
use crate::stored::{Audit, Extracted, Folder, Frontier, Host, Resource, Row, Summary};

fn crawled(pages: usize) -> (Fake, String) {
    let fake = fake();
    let home: String = (0..pages).map(|n| format!("<a href=/p{n}>p</a><img src=/i.png alt=x>")).collect();
    serve(&fake, &[("/", &home)]);
    for n in 0..pages {
        serve(&fake, &[(&format!("/p{n}"), &format!("<p>page {n}<a href=/>home</a>"))]);
    }
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    (fake, run)
}

fn left(fake: &Fake) -> usize {
    fake.rows::<Page>().len()
        + fake.rows::<Row>().len()
        + fake.rows::<Linked>().len()
        + fake.rows::<External>().len()
        + fake.rows::<Frontier>().len()
        + fake.rows::<Host>().len()
        + fake.rows::<Resource>().len()
        + fake.rows::<Folder>().len()
        + fake.rows::<Summary>().len()
        + fake.rows::<Extracted>().len()
        + fake.rows::<Run>().len()
}

#[test]
fn nothing_of_a_deleted_crawl_is_left() {
    let (fake, run) = crawled(5);
    let blob = fake.rows::<Page>()[0].0.html_blob.clone().expect("kept");
    let deleted = fake.call("crawl.run.delete", json!({ "run_ref": run })).expect("it goes");
    assert_eq!((deleted["deleted"].as_bool(), deleted["counts"]["pages"].as_u64()), (Some(true), Some(6)), "{deleted}");
    assert!(deleted["remaining"].is_null());
    assert_eq!(left(&fake), 0);
    assert_eq!(fake.blobs().read(&blob, 0, 10), None, "the stored page is gone");
    assert_eq!(fake.blobs().read(&format!("text/{run}/0"), 0, 10), None);
    assert_eq!(fake.refusal("crawl.run.get", json!({ "run_ref": run })).code, "run_not_found");
}

#[test]
fn another_crawl_of_the_same_website_keeps_everything() {
    let (fake, first) = crawled(3);
    let second = crawl(&fake, json!({}));
    let before = fake.call("crawl.page.list", json!({ "run_ref": second })).expect("pages");
    fake.call("crawl.run.delete", json!({ "run_ref": first })).expect("it goes");
    assert_eq!(fake.call("crawl.page.list", json!({ "run_ref": second })).expect("pages"), before);
    let content = json!({ "run_ref": second, "url": "https://shop.example/p1" });
    assert!(fake.call("crawl.page.content.get", content).expect("content")["content"].to_string().contains("page 1"));
}

#[test]
fn a_crawl_that_is_too_large_for_one_call_is_gone_at_once_and_removed_in_parts() {
    let (fake, run) = crawled(1);
    let link =
        |n: usize| Linked(kit::crawled::LinkRecord { run: run.clone(), source: format!("s{n}"), ..Default::default() });
    (0..12_000).for_each(|n| drop(fake.put(link(n))));
    let first = fake.call("crawl.run.delete", json!({ "run_ref": run })).expect("a part goes");
    assert_eq!(first["deleted"], false);
    let remaining = first["remaining"].as_u64().expect("a number");
    assert!((3_000..4_000).contains(&remaining), "{first}");
    assert_eq!(fake.refusal("crawl.run.get", json!({ "run_ref": run })).code, "run_not_found");
    assert_eq!(fake.refusal("crawl.page.list", json!({ "run_ref": run })).code, "run_not_found");
    let runs = fake.call("crawl.run.list", json!({ "site_id": "81" })).expect("runs");
    assert_eq!(runs["runs"][0]["deleting"], true);
    let second = fake.call("crawl.run.delete", json!({ "run_ref": run })).expect("the rest goes");
    assert_eq!(second["deleted"], true);
    assert_eq!(left(&fake), 0);
}

#[test]
fn a_preview_counts_and_its_hash_guards_the_call() {
    let (fake, run) = crawled(2);
    let preview = fake.call("crawl.run.delete", json!({ "run_ref": run, "preview": true })).expect("counts");
    assert_eq!((preview["deleted"].as_bool(), preview["counts"]["pages"].as_u64()), (Some(false), Some(3)));
    fake.put(Linked(kit::crawled::LinkRecord { run: run.clone(), ..Default::default() }));
    let guarded = json!({ "run_ref": run, "confirm_hash": preview["confirm_hash"] });
    let fault = fake.refusal("crawl.run.delete", guarded);
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("confirm_hash_changed", Some("/confirm_hash")));
    let fresh = fake.call("crawl.run.delete", json!({ "run_ref": run, "preview": true })).expect("counts");
    let guarded = json!({ "run_ref": run, "confirm_hash": fresh["confirm_hash"] });
    assert_eq!(fake.call("crawl.run.delete", guarded).expect("it goes")["deleted"], true);
}

#[test]
fn a_crawl_that_somebody_stands_on_stays() {
    let (fake, run) = crawled(1);
    let audit = |run: &str, state: &str, baseline: Option<&str>| Audit {
        run_ref: run.to_owned(),
        site_id: "81".into(),
        created_ms: 1,
        state: state.into(),
        baseline: baseline.map(str::to_owned),
    };
    let own = fake.put(audit(&run, "succeeded", None));
    fake.put(audit("another", "succeeded", Some(own.id.as_str())));
    assert_eq!(fake.refusal("crawl.run.delete", json!({ "run_ref": run })).code, "crawl_is_baseline");
    let (other, read) = crawled(1);
    other.put(audit(&read, "running", None));
    assert_eq!(other.refusal("crawl.run.delete", json!({ "run_ref": read })).code, "crawl_in_use");
    let running = start(&fake, json!({}));
    let fault = fake.refusal("crawl.run.delete", json!({ "run_ref": running }));
    assert_eq!(fault.code, "crawl_running");
    assert!(fault.detail.expect("a detail").contains("crawl.run.stop"));
}
