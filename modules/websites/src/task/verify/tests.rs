//! Looking again at what was to be fixed, against the fake host.

use sdk::serde_json::Value;
use sdk::{Failure, Fake, json};

use crate::task::stored::{Finding, Task};
use crate::task::tests::{audit, create, issue, shop, update};
use crate::tests::added;

const TITLED: &str = "<title>Lamps of all kinds</title>";

fn page(fake: &Fake, path: &str, html: &str) {
    let url = format!("https://shop.example{path}");
    fake.serve(&url, 200, &[("content-type", "text/html")], html.as_bytes());
}

fn verify(fake: &Fake, task: &Value) -> Value {
    fake.call("websites.task.verify", json!({ "task_ref": task["task_ref"] })).unwrap()
}

/// A task about the titles of `/a` and `/b` that is said to be done.
fn done() -> (Fake, Value) {
    let (fake, site) = shop();
    let task = create(&fake, json!({ "site_id": site, "title": "Titles", "source_ref": "audit-1:title.missing" }));
    update(&fake, &task, json!({ "state": "done" }));
    (fake, task)
}

#[test]
fn a_task_whose_pages_have_no_fault_any_more_is_verified_with_before_and_after() {
    let (fake, task) = done();
    page(&fake, "/a", TITLED);
    page(&fake, "/b", "<title>B</title>");
    let verified = verify(&fake, &task);
    assert_eq!(
        (&verified["state"], &verified["passed"], &verified["failed"]),
        (&json!("verified"), &json!(2), &json!([]))
    );
    let fixed = &verified["fixed"][1];
    assert_eq!((&fixed["before"]["expected"], &fixed["after"]["value"]), (&json!("a title"), &json!("B")));
    let stored = &fake.rows::<Task>()[0];
    assert_eq!(stored.history.last().unwrap().to, "verified");
    assert_eq!(stored.last_verification.as_ref().map(|it| (it.passed, it.failed, it.remaining)), Some((2, 0, 0)));
}

#[test]
fn a_fault_that_is_still_there_or_comes_back_makes_the_task_regressed() {
    let (fake, task) = done();
    page(&fake, "/a", TITLED);
    page(&fake, "/b", "<h1>B</h1>");
    let regressed = verify(&fake, &task);
    assert_eq!((&regressed["state"], &regressed["passed"]), (&json!("regressed"), &json!(1)));
    let failed = json!([{
        "url": "https://shop.example/b",
        "evidence": { "element": "<title>", "value": "", "expected": "a title", "count": null },
        "before": { "element": "<title>", "value": "", "expected": "a title", "count": null },
    }]);
    assert_eq!(regressed["failed"], failed);
    page(&fake, "/b", TITLED);
    assert_eq!(verify(&fake, &task)["state"], "verified");
    page(&fake, "/a", "<h1>A</h1>");
    let back = verify(&fake, &task);
    assert_eq!((&back["state"], &back["failed"][0]["url"]), (&json!("regressed"), &json!("https://shop.example/a")));
    // Said to be done once more, every page is looked at once more.
    page(&fake, "/a", TITLED);
    update(&fake, &task, json!({ "state": "done" }));
    assert_eq!(verify(&fake, &task)["passed"], 2);
}

#[test]
fn a_page_that_is_gone_or_leads_to_another_website_is_not_fixed() {
    let (fake, task) = done();
    fake.serve("https://shop.example/a", 410, &[("content-type", "text/html")], TITLED.as_bytes());
    fake.serve("https://shop.example/b", 301, &[("location", "https://other.example/")], b"");
    let fake = fake.serving("https://other.example/", TITLED);
    let result = verify(&fake, &task);
    assert_eq!(result["state"], "regressed");
    assert_eq!(result["failed"][0]["evidence"]["value"], "410");
    assert_eq!(result["failed"][1]["evidence"]["element"], "Location");
}

#[test]
fn a_page_that_does_not_answer_is_not_judged_and_keeps_the_task_as_it_is() {
    let (fake, task) = done();
    page(&fake, "/a", TITLED);
    for (failure, why) in
        [(Failure::Timeout, "timeout"), (Failure::Disallowed, "robots"), (Failure::Paced(30), "paced")]
    {
        fake.fail("https://shop.example/b", failure);
        let result = verify(&fake, &task);
        assert_eq!((&result["state"], &result["remaining"]), (&json!("done"), &json!(1)));
        assert!(result["unseen"][0]["why"].as_str().unwrap().contains(why), "{result}");
    }
    fake.serve("https://shop.example/b", 503, &[], b"");
    assert_eq!(verify(&fake, &task)["remaining"], 1);
    page(&fake, "/b", TITLED);
    let last = verify(&fake, &task);
    assert_eq!((&last["state"], last["fixed"].as_array().unwrap().len()), (&json!("verified"), 1));
}

#[test]
fn many_pages_are_looked_at_in_several_calls_of_eight_requests_at_most() {
    let fake = crate::fake().serving("https://shop.example/", "");
    let site = added(&fake, "shop.example");
    audit(&fake, "audit-1", &site);
    let paths: Vec<String> = (0..20).map(|n| format!("/p/{n:02}")).collect();
    issue(&fake, "audit-1", "title.missing", &paths.iter().map(String::as_str).collect::<Vec<_>>());
    let task = create(&fake, json!({ "site_id": site, "title": "A", "source_ref": "audit-1:title.missing" }));
    update(&fake, &task, json!({ "state": "done" }));
    for path in &paths {
        page(&fake, path, TITLED);
    }
    // Pages without an answer do not keep the others waiting.
    for path in &paths[..8] {
        fake.fail(&format!("https://shop.example{path}"), Failure::Timeout);
    }
    let mut passed = Vec::new();
    for _ in 0..3 {
        let before = fake.requested().len();
        let result = verify(&fake, &task);
        assert!(fake.requested().len() - before <= 8);
        passed.push((result["passed"].as_u64().unwrap(), result["state"].as_str().unwrap().to_owned()));
    }
    assert_eq!(passed, [(0, "done".to_owned()), (8, "done".to_owned()), (12, "done".to_owned())]);
    for path in &paths {
        page(&fake, path, TITLED);
    }
    assert_eq!(verify(&fake, &task)["state"], "verified");
    assert!(fake.rows::<Finding>()[0].pages.iter().all(|page| page.after.as_ref().unwrap().passed));
    let few = json!({ "task_ref": task["task_ref"], "max_urls": 1 });
    assert_eq!(fake.call("websites.task.verify", few).unwrap()["remaining"], 19, "a verified task begins anew");
    assert_eq!(fake.rows::<Task>()[0].state.word(), "verified", "and stays verified until a page has the fault");
}

#[test]
fn a_status_is_judged_by_the_status() {
    let (fake, site) = shop();
    issue(&fake, "audit-1", "response.client_error", &["/gone"]);
    issue(&fake, "audit-1", "response.no_answer", &["/gone"]);
    let of = |rule: &str| {
        let source = format!("audit-1:{rule}");
        let task = create(&fake, json!({ "site_id": site, "title": "A", "source_ref": source }));
        update(&fake, &task, json!({ "state": "done" }));
        task
    };
    let (client, silent) = (of("response.client_error"), of("response.no_answer"));
    fake.serve("https://shop.example/gone", 404, &[], b"");
    let still = verify(&fake, &client);
    assert_eq!((&still["state"], &still["failed"][0]["evidence"]["value"]), (&json!("regressed"), &json!("404")));
    assert_eq!(verify(&fake, &silent)["state"], "verified");
    fake.fail("https://shop.example/gone", Failure::Unreachable);
    assert_eq!(verify(&fake, &silent)["failed"][0]["evidence"]["value"], "unreachable");
    assert_eq!(verify(&fake, &client)["unseen"].as_array().unwrap().len(), 1);
    fake.serve("https://shop.example/gone", 301, &[("location", "/")], b"");
    assert_eq!(verify(&fake, &client)["state"], "verified");
}

#[test]
fn a_page_that_is_longer_than_what_is_read_proves_nothing_that_its_rest_may_hold() {
    let (fake, site) = shop();
    issue(&fake, "audit-1", "heading.h1_missing", &["/a"]);
    issue(&fake, "audit-1", "image.alt_missing", &["/a"]);
    let of = |rule: &str| {
        let source = format!("audit-1:{rule}");
        let task = create(&fake, json!({ "site_id": site, "title": "A", "source_ref": source }));
        update(&fake, &task, json!({ "state": "done" }));
        verify(&fake, &task)
    };
    let rest = format!("<!--{}-->", "a".repeat(1 << 20));
    page(&fake, "/a", &format!("<img src=a.png>{rest}<h1>Lamps</h1>"));
    assert!(of("heading.h1_missing")["unseen"][0]["why"].as_str().unwrap().contains("max_urls"));
    assert_eq!(of("image.alt_missing")["state"], "regressed");
    page(&fake, "/a", &format!("<img src=a.png alt=a>{rest}<h1>Lamps</h1>"));
    assert_eq!(of("image.alt_missing")["remaining"], 1);
}

#[test]
fn a_task_that_is_not_done_or_not_verifiable_is_refused() {
    let (fake, site) = shop();
    let refused = |task: &Value| fake.refusal("websites.task.verify", json!({ "task_ref": task["task_ref"] }));
    let task = create(&fake, json!({ "site_id": site, "title": "Titles", "source_ref": "audit-1:title.missing" }));
    let open = refused(&task);
    assert_eq!((open.code.as_str(), open.pointer.as_deref()), ("task_not_done", Some("/task_ref")));
    assert_eq!(open.detail.as_deref(), Some(r#"{"state":"open"}"#));
    let plain = create(&fake, json!({ "site_id": site, "title": "Logo" }));
    update(&fake, &plain, json!({ "state": "done" }));
    let plain = refused(&plain);
    assert_eq!((plain.code.as_str(), plain.pointer.as_deref()), ("not_verifiable", Some("/task_ref")));
    assert_eq!(refused(&json!({ "task_ref": "17" })).code, "task_not_found");
    let wrong = fake.refusal("websites.task.verify", json!({ "task_ref": "17", "max_urls": 51 }));
    assert_eq!((wrong.code.as_str(), wrong.pointer.as_deref()), ("invalid_arguments", Some("/max_urls")));
    assert!(fake.requested().iter().all(|url| !url.ends_with("/a")), "a refused call asks for nothing");
}
