//! Alerts: each tells once, ends by itself, and is held back by its debounce.

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use search::{DayRecord, Days, SearchType};

use crate::trial::{SITE, website};

const PAGE: &str = "https://shop.example/";

fn rule(fake: &Fake, arguments: &Value) -> Value {
    let mut all = json!({ "site_id": SITE, "name": "A rule", "severity": "warning" });
    all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
    fake.call("monitoring.alert_rule.set", all).expect("a rule")
}

fn alerts(fake: &Fake) -> Vec<Value> {
    let listed = fake.call("monitoring.alert.list", json!({ "site_id": SITE })).expect("a list");
    listed["alerts"].as_array().expect("alerts").clone()
}

/// Clicks of each day to 2026-09-18, the newest last.
fn clicks(fake: &Fake, of: impl Fn(i32) -> u64, days: i32) {
    let last: Day = "2026-09-18".parse().expect("a day");
    for at in 0..days {
        put(fake, last.plus(at + 1 - days), of(at));
    }
}

fn put(fake: &Fake, day: Day, clicks: u64) {
    let row = DayRecord {
        site_id: SITE.to_owned(),
        kind: SearchType::Web.name().to_owned(),
        date: day.to_string(),
        clicks,
        impressions: 10 * clicks.max(1),
        ..DayRecord::default()
    };
    fake.put_as(&DayRecord::id(SITE, SearchType::Web, day), Days(row));
}

#[test]
fn an_outage_is_told_once_and_its_alert_ends_with_it() {
    let fake = website();
    let create =
        json!({ "site_id": SITE, "kind": "uptime", "target": PAGE, "every": "5m", "threshold": { "down_after": 1 } });
    fake.call("monitoring.monitor.create", create).expect("created");
    rule(
        &fake,
        &json!({ "on": "event.any", "condition": { "is": "event", "min_severity": "critical" }, "severity": "critical" }),
    );
    let check = |status: u16| {
        fake.serve(PAGE, status, &[], b"");
        fake.come_due("every_5m");
        fake.work();
    };
    check(503);
    check(503);
    let open = alerts(&fake);
    assert_eq!((open.len(), &open[0]["state"], &open[0]["delivery"]), (1, &json!("open"), &json!("waiting")));
    assert_eq!(fake.told().len(), 1);
    assert!(fake.told()[0].1.starts_with("A rule: down: https://shop.example/ (status 503)"), "{:?}", fake.told());
    check(200);
    let resolved = alerts(&fake);
    assert_eq!((&resolved[0]["state"], &resolved[0]["ending"]), (&json!("resolved"), &json!("by_itself")));
    // It flaps within the debounce: the same alert goes on.
    check(503);
    assert_eq!((alerts(&fake).len(), &alerts(&fake)[0]["state"], fake.told().len()), (1, &json!("open"), 1));
    check(200);
    fake.set_now(Moment::from_millis(fake.now().millis() + 2 * 3_600_000));
    check(503);
    assert_eq!((alerts(&fake).len(), fake.told().len()), (2, 2), "after the debounce it is another");
    fake.notice_becomes(&fake.told()[0].0, None);
    fake.notice_becomes(&fake.told()[1].0, Some("unreachable"));
    let told = alerts(&fake);
    assert_eq!((&told[1]["delivery"], &told[0]["delivery"]), (&json!("told"), &json!("failed")));
    assert_eq!(told[0]["delivery_reason"], "unreachable");
}

#[test]
fn rules_on_figures_are_held_once_a_day_and_look_back_by_the_same_code() {
    let fake = website();
    // 100 clicks a day, and 50 from the last week on.
    clicks(&fake, |at| if at < 53 { 100 } else { 50 }, 60);
    let set = rule(&fake, &json!({ "on": "search.clicks", "condition": { "is": "change", "percent": 30, "days": 7 } }));
    assert_eq!(set["would_have_fired_30d"], 1);
    let below =
        json!({ "name": "Few", "on": "search.clicks", "condition": { "is": "below", "value": 60, "for_days": 3 } });
    assert_eq!(rule(&fake, &below)["would_have_fired_30d"], 1);
    let never = json!({ "name": "Many", "on": "search.clicks", "condition": { "is": "above", "value": 1000 } });
    assert_eq!(rule(&fake, &never)["would_have_fired_30d"], 0);
    assert!(fake.come_due("rules"));
    fake.work();
    let fired = alerts(&fake);
    let names: Vec<&str> = fired.iter().map(|it| it["rule_name"].as_str().expect("a name")).collect();
    assert_eq!((fired.len(), fake.told().len()), (2, 2), "{names:?}");
    let change = fired.iter().find(|it| it["rule_name"] == "A rule").expect("the change");
    assert_eq!(change["evidence"], "search.clicks: -50.0 % to 2026-09-18");
    fake.come_due("rules");
    fake.work();
    assert_eq!((alerts(&fake).len(), fake.told().len()), (2, 2), "they are open already");
    // A week later all is well.
    let later = ["2026-09-19", "2026-09-20", "2026-09-21", "2026-09-22", "2026-09-23", "2026-09-24", "2026-09-25"];
    for day in later {
        put(&fake, day.parse().expect("a day"), 62);
    }
    fake.come_due("rules");
    fake.work();
    assert!(alerts(&fake).iter().all(|it| it["ending"] == "by_itself"));
    rule(&fake, &json!({ "on": "search.clicks", "condition": { "is": "change", "percent": 30 }, "enabled": false }));
    for name in ["Few", "Many"] {
        let off = json!({ "name": name, "on": "search.clicks", "condition": { "is": "above", "value": 1 }, "enabled": false });
        rule(&fake, &off);
    }
    assert!(!fake.come_due("rules"), "no rule is on");
}

#[test]
fn an_anomaly_of_the_newest_day_fires_and_missing_figures_do() {
    let fake = website();
    let wave = |at: i32| 200 + u64::try_from(at % 7).unwrap_or(0) * 10 + u64::try_from((at * 37) % 11).unwrap_or(0);
    clicks(&fake, |at| if at == 89 { 20 } else { wave(at) }, 90);
    let anomaly = rule(&fake, &json!({ "on": "search.clicks", "condition": { "is": "anomaly", "score": 4 } }));
    assert_eq!(anomaly["would_have_fired_30d"], 1);
    let missing = json!({ "name": "No figures", "on": "search.clicks", "condition": { "is": "missing", "days": 2 } });
    assert_eq!(rule(&fake, &missing)["would_have_fired_30d"], 1, "figures end two days before");
    fake.come_due("rules");
    fake.work();
    assert_eq!(alerts(&fake).len(), 2);
}

#[test]
fn a_condition_that_does_not_fit_is_refused_at_its_member() {
    let fake = website();
    let refused = |arguments: Value| {
        let mut all = json!({ "site_id": SITE, "name": "A rule", "severity": "info" });
        all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
        let fault = fake.refusal("monitoring.alert_rule.set", all);
        (fault.code.clone(), fault.pointer.clone().unwrap_or_default())
    };
    for (arguments, code, pointer) in [
        (json!({ "on": "event.fire", "condition": { "is": "event" } }), "event_unknown", "/on"),
        (json!({ "on": "sales", "condition": { "is": "above", "value": 1 } }), "metric_not_stored", "/on"),
        (
            json!({ "on": "event.down", "condition": { "is": "above", "value": 1 } }),
            "condition_of_other_kind",
            "/condition/is",
        ),
        (json!({ "on": "search.clicks", "condition": { "is": "above" } }), "condition_missing", "/condition/value"),
        (
            json!({ "on": "search.clicks", "condition": { "is": "missing", "value": 1 } }),
            "condition_of_other_kind",
            "/condition/value",
        ),
    ] {
        assert_eq!(refused(arguments), (code.to_owned(), pointer.to_owned()));
    }
    assert_eq!(alerts(&fake), Vec::<Value>::new());
    for operation in ["monitoring.alert.list", "monitoring.event.list"] {
        let fault = fake.refusal(operation, json!({ "from": "2026-09-02", "to": "2026-09-01" }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("period_reversed", Some("/from")));
    }
}

#[test]
fn another_kind_of_event_on_the_same_page_is_told_within_the_debounce_too() {
    let fake = website();
    let create = json!({ "site_id": SITE, "kind": "head", "target": PAGE, "every": "1h" });
    fake.call("monitoring.monitor.create", create).expect("created");
    rule(&fake, &json!({ "on": "event.any", "condition": { "is": "event" }, "debounce_minutes": 1440 }));
    let html = [("content-type", "text/html")];
    for (title, robots) in [("Lamps", "index"), ("All lamps", "index"), ("All lamps", "noindex"), ("Lamps", "noindex")]
    {
        let head = format!(
            "<html><head><title>{title}</title><meta name=robots content={robots}></head><body>x</body></html>"
        );
        fake.serve(PAGE, 200, &html, head.as_bytes());
        fake.come_due("every_1h");
        fake.work();
    }
    let kinds: Vec<&str> =
        fake.told().iter().map(|it| if it.1.contains("noindex_added") { "noindex" } else { "title" }).collect();
    assert_eq!(kinds, ["title", "noindex"], "the second change of the title is within the debounce");
}

#[test]
fn of_more_alerts_than_one_run_may_tell_the_others_are_told_together() {
    let fake = website();
    fake.web_plays(|_| Some((503, Vec::new(), Vec::new())));
    for at in 0..8 {
        let target = format!("https://shop.example/{at}");
        let create = json!({ "site_id": SITE, "kind": "uptime", "target": target, "every": "5m", "threshold": { "down_after": 1 } });
        fake.call("monitoring.monitor.create", create).expect("created");
    }
    for name in ["A", "B", "C"] {
        rule(&fake, &json!({ "name": name, "on": "event.down", "condition": { "is": "event" } }));
    }
    fake.come_due("every_5m");
    fake.work();
    let (told, fired) = (fake.told(), alerts(&fake));
    assert_eq!((fired.len(), told.len()), (24, 20));
    assert!(fired.iter().all(|it| it["delivery"] == "waiting"), "each is told of: {fired:?}");
    fake.notice_becomes(&told[19].0, None);
    assert_eq!(alerts(&fake).iter().filter(|it| it["delivery"] == "told").count(), 5);
}
