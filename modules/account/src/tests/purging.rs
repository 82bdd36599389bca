//! Raw data that goes for good.

use sdk::serde_json::{self, Value};
use sdk::{Fault, PlatformAction, json};
use site::Site;

fn counts(rows: u64) -> Value {
    json!({ "counts": { "crawl.page_bodies": { "rows": rows, "blobs": 4 } }, "more": false })
}

#[test]
fn it_acts_when_it_is_called_and_says_what_went() {
    let fake = crate::fake();
    fake.platform("raw-data", Ok(counts(9)));
    fake.platform("purge", Ok(json!({ "counts": { "crawl.page_bodies": { "rows": 5, "blobs": 4 } }, "more": true })));
    let purged = fake
        .call("account.retention.purge", json!({ "collections": ["crawl.page_bodies"], "older_than": "2026-09-01" }))
        .unwrap();
    assert_eq!(purged["would_delete"], json!({ "crawl.page_bodies": { "rows": 9, "blobs": 4 } }));
    assert_eq!(purged["deleted"], json!({ "crawl.page_bodies": { "rows": 5, "blobs": 4 } }));
    assert_eq!(purged["more"], true);
    let said = fake.done_by_platform();
    let [PlatformAction::Purge(raw)] = &said[..] else { panic!("one purge") };
    assert_eq!(
        (raw.names.join(" "), raw.older_than, &raw.site),
        ("crawl.page_bodies".to_owned(), 1_788_220_800_000, &None)
    );
}

#[test]
fn a_preview_takes_nothing_and_its_hash_holds_while_the_counts_do() {
    let fake =
        crate::fake().with_as("81", Site { domain: "shop.example".into(), order: "1".into(), ..Site::default() });
    fake.platform("raw-data", Ok(counts(9)));
    fake.platform("raw-data", Ok(counts(9)));
    fake.platform("raw-data", Ok(counts(10)));
    fake.platform("purge", Ok(counts(9)));
    let arguments = |more: Value| {
        let mut arguments =
            json!({ "collections": ["crawl.page_bodies"], "older_than": "2026-09-01", "site_id": "81" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let shown = fake.call("account.retention.purge", arguments(json!({ "preview": true }))).unwrap();
    assert_eq!(shown["deleted"], json!({}));
    assert!(fake.done_by_platform().is_empty());
    let guard = json!({ "confirm_hash": shown["confirm_hash"] });
    let purged = fake.call("account.retention.purge", arguments(guard.clone())).unwrap();
    assert_eq!(purged["deleted"]["crawl.page_bodies"]["rows"], 9);
    let fault = fake.refusal("account.retention.purge", arguments(guard));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("confirm_hash_changed", Some("/confirm_hash")));
    let detail: Value = serde_json::from_str(&fault.detail.unwrap()).unwrap();
    assert_eq!(detail["counts"], json!({ "crawl.page_bodies rows": 10, "crawl.page_bodies blobs": 4 }));
    assert_eq!(fake.done_by_platform().len(), 1);
}

#[test]
fn the_hash_is_of_the_names_in_any_order_of_the_day_and_of_the_website() {
    let hash = |arguments: Value| {
        let fake =
            crate::fake().with_as("81", Site { domain: "shop.example".into(), order: "1".into(), ..Site::default() });
        fake.platform("raw-data", Ok(counts(9)));
        fake.call("account.retention.purge", arguments).unwrap()["confirm_hash"].clone()
    };
    let first = hash(json!({ "collections": ["a", "b"], "older_than": "2026-09-01", "preview": true }));
    assert_eq!(first, hash(json!({ "collections": ["b", "a"], "older_than": "2026-09-01", "preview": true })));
    assert_ne!(first, hash(json!({ "collections": ["a"], "older_than": "2026-09-01", "preview": true })));
    assert_ne!(first, hash(json!({ "collections": ["a", "b"], "older_than": "2026-09-02", "preview": true })));
    assert_ne!(
        first,
        hash(json!({ "collections": ["a", "b"], "older_than": "2026-09-01", "site_id": "81", "preview": true }))
    );
}

#[test]
fn unknown_names_websites_and_days_to_come_are_refused_and_nothing_goes() {
    let fake = crate::fake();
    fake.platform("raw-data", Err(Fault::invalid("/collections/1", "unknown_raw_data", "there is no such raw data")));
    for (arguments, code, pointer) in [
        (
            json!({ "collections": ["crawl.page_bodies", "x"], "older_than": "2026-09-01" }),
            "unknown_raw_data",
            "/collections/1",
        ),
        (json!({ "collections": ["x"], "older_than": "2026-09-29" }), "cutoff_in_future", "/older_than"),
        (json!({ "collections": ["x"], "older_than": "2026-09-01", "site_id": "99" }), "website_not_found", "/site_id"),
        (json!({ "collections": ["x", "y", "x"], "older_than": "2026-09-01" }), "named_twice", "/collections/2"),
        (json!({ "collections": [], "older_than": "2026-09-01" }), "invalid_arguments", "/collections"),
    ] {
        let fault = fake.refusal("account.retention.purge", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert!(fake.done_by_platform().is_empty());
}
