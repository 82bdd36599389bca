//! Work items through their operations, against the fake host; here making, changing and listing them.

use std::collections::BTreeMap;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::source::{Issue, IssueUrl};
use super::stored::{Evidence, Task};
use crate::stored::Audit;
use crate::tests::added;

pub(super) fn audit(fake: &Fake, id: &str, site: &str) {
    let by_severity = BTreeMap::new();
    fake.put_as(
        id,
        Audit { site_id: site.into(), created_ms: 1, finished_ms: Some(2), score: Some(80.0), pages: 9, by_severity },
    );
}

pub(super) fn issue(fake: &Fake, audit: &str, rule: &str, paths: &[&str]) {
    let affected = paths.len() as u32;
    fake.put(Issue { audit: audit.into(), rule: rule.into(), affected });
    for path in paths {
        let (url, element) = (format!("https://shop.example{path}"), "<title>".to_owned());
        let expected = Some("a title".to_owned());
        let evidence = Evidence { element, value: String::new(), expected, count: None };
        fake.put(IssueUrl {
            audit: audit.into(),
            rule: rule.into(),
            url,
            evidence,
            suppressed: path.ends_with("hidden"),
        });
    }
}

/// A website with an audit that found two pages without a title.
pub(super) fn shop() -> (Fake, String) {
    let fake = crate::fake().serving("https://shop.example/", "<title>Lamps</title>");
    let site = added(&fake, "shop.example");
    audit(&fake, "audit-1", &site);
    issue(&fake, "audit-1", "title.missing", &["/a", "/b", "/hidden"]);
    (fake, site)
}

pub(super) fn create(fake: &Fake, arguments: Value) -> Value {
    fake.call("websites.task.create", arguments).unwrap()
}

pub(super) fn update(fake: &Fake, task: &Value, change: Value) -> Value {
    let mut arguments = change;
    arguments["task_ref"] = task["task_ref"].clone();
    fake.call("websites.task.update", arguments).unwrap()["task"].clone()
}

#[test]
fn what_cannot_be_a_task_is_refused_with_its_place() {
    let (fake, site) = shop();
    let refused = |member: &str, value: Value| {
        let mut arguments = json!({ "site_id": site, "title": "A" });
        arguments[member] = value;
        let refusal = fake.refusal("websites.task.create", arguments);
        (refusal.code.clone(), refusal.pointer.unwrap_or_default())
    };
    let expect = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    let urls = json!(["https://shop.example/", "https://evil.example/"]);
    assert_eq!(refused("urls", urls), expect("foreign_url", "/urls/1"));
    assert_eq!(refused("title", json!(" \n ")), expect("empty_title", "/title"));
    assert_eq!(refused("due", json!("tomorrow")), expect("invalid_arguments", "/due"));
    assert_eq!(refused("owner", json!("Ada")).0, "invalid_arguments");
    assert_eq!(refused("site_id", json!("17")).0, "website_not_found");
}

#[test]
fn a_change_is_appended_to_the_history_with_what_was_there_before() {
    let (fake, site) = shop();
    let task = create(&fake, json!({ "site_id": site, "title": "A", "assignee": "Ada", "note": "first" }));
    fake.set_now(fake.now().plus(1_000));
    let now = fake.now().to_string();
    let changed =
        update(&fake, &task, json!({ "state": "doing", "assignee": "", "due": "2026-10-01", "note": "second" }));
    assert_eq!(
        (&changed["state"], &changed["assignee"], &changed["note"]),
        (&json!("doing"), &json!(""), &json!("second"))
    );
    let history = json!([
        { "at": changed["created_at"], "what": "state", "from": "", "to": "open" },
        { "at": now, "what": "state", "from": "open", "to": "doing" },
        { "at": now, "what": "due", "from": "", "to": "2026-10-01" },
        { "at": now, "what": "assignee", "from": "Ada", "to": "" },
        { "at": now, "what": "note", "from": "first", "to": "second" },
    ]);
    assert_eq!(changed["history"], history);
    let same = update(&fake, &task, json!({ "state": "doing", "note": "second" }));
    assert_eq!((&same["history"], &same["updated_at"]), (&history, &json!(now)));
}

#[test]
fn a_state_that_cannot_be_reached_is_refused_with_those_that_can() {
    let (fake, site) = shop();
    let task = create(&fake, json!({ "site_id": site, "title": "A" }));
    update(&fake, &task, json!({ "state": "dropped" }));
    let refused = |change: Value| {
        let mut arguments = change;
        arguments["task_ref"] = task["task_ref"].clone();
        fake.refusal("websites.task.update", arguments)
    };
    let refusal = refused(json!({ "state": "done" }));
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("transition_not_allowed", Some("/state")));
    let detail: Value = sdk::serde_json::from_str(&refusal.detail.unwrap()).unwrap();
    assert_eq!(detail, json!({ "from": "dropped", "to": "done", "allowed": ["open"] }));
    assert_eq!(refused(json!({})).code, "nothing_to_change");
    let verified = refused(json!({ "state": "verified" }));
    assert_eq!((verified.code.as_str(), verified.pointer.as_deref()), ("invalid_arguments", Some("/state")));
    let unknown = fake.refusal("websites.task.update", json!({ "task_ref": "17", "state": "done" }));
    assert_eq!(unknown.code, "task_not_found");
}

#[test]
fn a_history_keeps_its_beginning_and_its_last_changes() {
    let (fake, site) = shop();
    let task = create(&fake, json!({ "site_id": site, "title": "A" }));
    for n in 0..60 {
        update(&fake, &task, json!({ "note": format!("note {n}") }));
    }
    let task = &fake.rows::<Task>()[0];
    assert_eq!((task.history.len(), task.history_dropped), (50, 11));
    assert_eq!((task.history[0].to.as_str(), task.history[49].to.as_str()), ("open", "note 59"));
}

#[test]
fn a_list_is_of_one_website_and_keeps_to_state_and_person() {
    let (fake, site) = shop();
    let fake = fake.serving("https://other.example/", "");
    let other = added(&fake, "other.example");
    create(&fake, json!({ "site_id": other, "title": "Elsewhere", "assignee": "Ada" }));
    for (title, assignee, due) in [("A", "Ada", "2026-09-27"), ("B", "Bob", "2026-09-28"), ("C", "Ada", "2026-09-01")] {
        let task = create(&fake, json!({ "site_id": site, "title": title, "assignee": assignee, "due": due }));
        if title == "C" {
            update(&fake, &task, json!({ "state": "done" }));
        }
    }
    create(&fake, json!({ "site_id": site, "title": "D" }));
    let titles = |filter: Value| {
        let mut arguments = filter;
        arguments["site_id"] = json!(site);
        let page = fake.call("websites.task.list", arguments).unwrap();
        let tasks = page["tasks"].as_array().unwrap().clone();
        tasks.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("")
    };
    assert_eq!(titles(json!({})), "DCBA");
    assert_eq!(titles(json!({ "state": "open" })), "DBA");
    assert_eq!(titles(json!({ "assignee": "Ada" })), "CA");
    assert_eq!(titles(json!({ "assignee": "Ada", "state": "done" })), "C");
    assert_eq!(titles(json!({ "assignee": "" })), "D");
    let first = fake.call("websites.task.list", json!({ "site_id": site, "limit": 3 })).unwrap();
    let overdue: Vec<_> =
        first["tasks"].as_array().unwrap().iter().map(|it| it["overdue"].as_bool().unwrap()).collect();
    assert_eq!(overdue, [false, false, false], "done work and work of today is not overdue");
    let next = json!({ "site_id": site, "limit": 3, "cursor": first["next_cursor"] });
    let rest = fake.call("websites.task.list", next).unwrap();
    assert_eq!((&rest["tasks"][0]["title"], &rest["tasks"][0]["overdue"]), (&json!("A"), &json!(true)));
    assert!(rest["next_cursor"].is_null());
    assert_eq!(fake.refusal("websites.task.list", json!({ "site_id": "17" })).code, "website_not_found");
    let wrong = fake.refusal("websites.task.list", json!({ "site_id": site, "cursor": "elsewhere" }));
    assert_eq!(wrong.code, "invalid_cursor");
}

#[test]
fn a_website_has_at_most_five_thousand_tasks() {
    let (fake, site) = shop();
    create(&fake, json!({ "site_id": site, "title": "A" }));
    let task = fake.rows::<Task>()[0].it.clone();
    for _ in 1..5_000 {
        fake.put(task.clone());
    }
    let refusal = fake.refusal("websites.task.create", json!({ "site_id": site, "title": "One more" }));
    assert_eq!(refusal.code, "too_many_tasks");
}
