//! What a recurring crawl promises, as tests.

use sdk::{Every, Fake, json};
use serde_json::Value;

use crate::stored::Site;

fn fake() -> Fake {
    let site = Site { origin: "https://shop.example".into(), domain: "shop.example".into(), ..Site::default() };
    crate::fake().with_as("81", site)
}

fn refused(arguments: Value) -> (String, Option<String>) {
    let fault = fake().refusal("crawl.schedule.set", arguments);
    (fault.code, fault.pointer)
}

#[test]
fn a_weekly_crawl_is_followed_by_an_audit_of_all_its_pages_and_watches_the_score() {
    let fake = fake();
    let set = fake.call(
        "crawl.schedule.set",
        json!({
            "site_id": "81", "every": "weekly", "at": "03:30", "weekday": 4,
            "settings": { "max_pages": 300, "exclude": ["/tag/"] }, "alert_score_drop": 5,
        }),
    );
    let set = set.unwrap();
    assert_eq!(set["schedule"]["every"], "weekly");
    assert_eq!(set["schedule"]["at"], "03:30");
    assert_eq!(set["schedule"]["weekday"], 4);
    assert_eq!(set["schedule"]["settings"], json!({ "max_pages": 300, "exclude": ["/tag/"] }));
    assert!(set["next_run"].is_string());
    let kept = fake.schedules().get("81").unwrap();
    assert_eq!((kept.cadence.every, kept.cadence.minute, kept.cadence.weekday), (Every::Week, 210, 4));
    let calls: Vec<(String, Value)> = kept
        .calls
        .iter()
        .map(|call| (call.operation.clone(), serde_json::from_str(&call.arguments).unwrap()))
        .collect();
    let crawl = json!({ "site_id": "81", "max_pages": 300, "exclude": ["/tag/"] });
    let audit = json!({ "run_ref": { "$result": "run_ref" }, "max_pages": 300 });
    assert_eq!(calls, [("crawl.run.start".to_owned(), crawl), ("audit.run.start".to_owned(), audit)]);
    let watch = kept.watch.unwrap();
    assert_eq!((watch.read.operation.as_str(), watch.pointer.as_str(), watch.falls_by), ("audit.run.get", "/score", 5));
}

#[test]
fn what_is_scheduled_is_shown_with_the_crawls_until_it_is_switched_off() {
    let fake = fake();
    let list = || fake.call("crawl.run.list", json!({ "site_id": "81" })).unwrap();
    assert_eq!(list()["schedule"], Value::Null);
    fake.call("crawl.schedule.set", json!({ "site_id": "81", "every": "daily", "audit": false })).unwrap();
    assert_eq!(list()["schedule"]["schedule"]["every"], "daily");
    assert_eq!(list()["schedule"]["schedule"]["at"], "02:00");
    assert_eq!(list()["schedule"]["schedule"]["audit"], false);
    let off = fake.call("crawl.schedule.set", json!({ "site_id": "81", "every": "off" })).unwrap();
    assert_eq!(off, json!({ "schedule": null, "next_run": null }));
    assert_eq!(list()["schedule"], Value::Null);
}

#[test]
fn a_schedule_that_cannot_be_is_refused_where_it_is_wrong() {
    assert_eq!(refused(json!({ "site_id": "82", "every": "daily" })).0, "website_not_found");
    let weekday = refused(json!({ "site_id": "81", "every": "daily", "weekday": 3 }));
    assert_eq!(weekday, ("weekday_unfit".to_owned(), Some("/weekday".to_owned())));
    let alert = refused(json!({ "site_id": "81", "every": "daily", "audit": false, "alert_score_drop": 3 }));
    assert_eq!(alert, ("alert_without_audit".to_owned(), Some("/alert_score_drop".to_owned())));
    let seeds = json!({ "seeds": ["https://shop.example/a", "https://evil.example/"] });
    let seed = refused(json!({ "site_id": "81", "every": "daily", "settings": seeds }));
    assert_eq!(seed, ("seed_off_site".to_owned(), Some("/settings/seeds/1".to_owned())));
    for wrong in [
        json!({ "every": "hourly" }),
        json!({ "every": "weekly", "weekday": 7 }),
        json!({ "every": "daily", "at": "24:00" }),
        json!({ "every": "daily", "settings": { "max_pages": 0 } }),
        json!({ "every": "daily", "settings": { "site_id": "82" } }),
        json!({ "every": "daily", "alert_score_drop": 101 }),
    ] {
        let mut arguments = wrong.clone();
        arguments["site_id"] = json!("81");
        assert_eq!(refused(arguments).0, "invalid_arguments", "{wrong}");
    }
}
