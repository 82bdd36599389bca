//! Monitors: what they may be, what checks make of them, and what they cost.

use sdk::serde_json::{Value, json};
use sdk::{Acceptance, Certificate, Distrust, Fake, TlsReport, TlsVersion};

use super::stored::{Every, Monitor};
use crate::trial::{SITE, website};

const PAGE: &str = "https://shop.example/lamps";

fn create(fake: &Fake, arguments: &Value) -> String {
    let mut all = json!({ "site_id": SITE });
    all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
    let created = fake.call("monitoring.monitor.create", all).expect("created");
    created["monitor_ref"].as_str().expect("a reference").to_owned()
}

fn monitor(fake: &Fake) -> Value {
    fake.call("monitoring.monitor.list", json!({ "site_id": SITE })).expect("a list")["monitors"][0].clone()
}

fn round(fake: &Fake, every: &str) {
    assert!(fake.come_due(&format!("every_{every}")), "nothing is checked every {every}");
    fake.work();
}

fn events(fake: &Fake) -> Vec<Value> {
    let listed = fake.call("monitoring.event.list", json!({ "site_id": SITE })).expect("a list");
    listed["events"].as_array().expect("events").clone()
}

fn page(title: &str, robots: &str, canonical: &str, text: &str) -> String {
    format!(
        "<html lang=en><head><title>{title}</title><meta name=robots content='{robots}'>\
         <link rel=canonical href='{canonical}'></head><body><main><p>{text}</p></main></body></html>"
    )
}

#[test]
fn what_a_kind_cannot_be_is_refused_with_what_it_can() {
    let fake = website();
    let refused = |arguments: Value| {
        let mut all = json!({ "site_id": SITE, "kind": "uptime", "target": PAGE, "every": "1d" });
        all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
        let fault = fake.refusal("monitoring.monitor.create", all);
        (fault.code.clone(), fault.pointer.clone().unwrap_or_default())
    };
    for (arguments, code, pointer) in [
        (json!({ "kind": "content", "every": "5m" }), "every_too_fine", "/every"),
        (json!({ "kind": "cwv" }), "every_too_fine", "/every"),
        (json!({ "threshold": { "days_left": 9 } }), "threshold_of_other_kind", "/threshold/days_left"),
        (json!({ "kind": "metric", "target": "search.clicks" }), "threshold_missing", "/threshold"),
        (json!({ "kind": "rank", "target": "lamps" }), "threshold_missing", "/threshold/tracker_ref"),
        (json!({ "target": "https://other.example/" }), "other_website", "/target"),
        (json!({ "target": "no address" }), "target_invalid", "/target"),
        (json!({ "kind": "tls", "target": "other.example" }), "other_website", "/target"),
        (json!({ "selector": "main" }), "selector_of_other_kind", "/selector"),
        (json!({ "kind": "content", "selector": "p[" }), "selector_invalid", "/selector"),
        (json!({ "kind": "metric", "target": "sales", "threshold": { "above": 1 } }), "metric_not_stored", "/target"),
    ] {
        assert_eq!(refused(arguments), (code.to_owned(), pointer.to_owned()));
    }
    assert!(!fake.come_due("every_1d"), "nothing was scheduled");
}

#[test]
fn a_page_is_down_after_two_failing_rounds_and_the_incident_ends_with_the_first_good_one() {
    let fake = website();
    let id = create(
        &fake,
        &json!({ "kind": "uptime", "target": PAGE, "every": "5m", "threshold": { "contains": "Lamps" } }),
    );
    fake.serve(PAGE, 200, &[], b"Lamps");
    round(&fake, "5m");
    assert_eq!((&monitor(&fake)["state"], &monitor(&fake)["daily_cost"]), (&json!("ok"), &json!(0.288)));
    fake.serve(PAGE, 503, &[], b"");
    round(&fake, "5m");
    assert_eq!((monitor(&fake)["state"].clone(), events(&fake).len()), (json!("ok"), 0), "once is not yet down");
    round(&fake, "5m");
    let failing = monitor(&fake);
    assert_eq!(failing["state"], "failing");
    let event = &events(&fake)[0];
    assert_eq!(
        (&event["kind"], &event["severity"], &event["message"]),
        (&json!("down"), &json!("critical"), &json!("status 503"))
    );
    assert_eq!(event["monitor_ref"], json!(id));
    assert_eq!(event["resolved_at"], Value::Null);
    fake.serve(PAGE, 200, &[], b"no such text");
    round(&fake, "5m");
    assert_eq!(events(&fake).len(), 1, "it goes on");
    fake.serve(PAGE, 200, &[], b"Lamps");
    round(&fake, "5m");
    let event = &events(&fake)[0];
    // From the first failing check to the first good one: three rounds of five minutes, and the waits of repeated checks.
    let seconds = event["duration_seconds"].as_u64().expect("a duration");
    assert!((880..=960).contains(&seconds), "{seconds}");
    assert_eq!(monitor(&fake)["state"], "ok");
    let report = fake.call("monitoring.uptime.report", json!({ "site_id": SITE })).expect("a report");
    assert_eq!(report["monitors"][0]["checks"], 5);
    assert_eq!(report["incidents_total"], 1);
    let availability = report["availability"].as_f64().expect("an availability");
    assert!((0.2..0.3).contains(&availability), "{availability}: three of four intervals were down");
}

#[test]
fn a_failure_that_is_gone_after_a_moment_counts_for_nothing_and_a_pause_of_the_host_is_no_outage() {
    let fake = website();
    create(&fake, &json!({ "kind": "uptime", "target": PAGE, "every": "5m", "threshold": { "down_after": 1 } }));
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let count = asked.clone();
    fake.web_plays(move |_| {
        count.set(count.get() + 1);
        Some((if count.get() == 1 { 503 } else { 200 }, Vec::new(), b"well".to_vec()))
    });
    round(&fake, "5m");
    assert_eq!((asked.get(), monitor(&fake)["state"].clone()), (2, json!("ok")));
    fake.fail(PAGE, sdk::Failure::Paced(60));
    round(&fake, "5m");
    let paced = monitor(&fake);
    assert_eq!((&paced["state"], &paced["reason"]), (&json!("ok"), &json!("paced")));
    let report = fake.call("monitoring.uptime.report", json!({ "site_id": SITE })).expect("a report");
    assert_eq!(report["monitors"][0]["checks"], 1, "a check that was not made is a gap");
}

#[test]
fn a_head_that_changes_is_one_event_of_its_worst_part_with_every_field() {
    let fake = website();
    create(&fake, &json!({ "kind": "head", "target": PAGE, "every": "1h" }));
    let html = [("content-type", "text/html")];
    fake.serve(PAGE, 200, &html, page("Lamps", "index", PAGE, "text").as_bytes());
    round(&fake, "1h");
    assert_eq!(events(&fake), Vec::<Value>::new(), "the first look is what others are held against");
    fake.serve(PAGE, 200, &html, page("All lamps", "noindex", "https://other.example/", "text").as_bytes());
    round(&fake, "1h");
    let event = events(&fake)[0].clone();
    assert_eq!((&event["kind"], &event["severity"]), (&json!("noindex_added"), &json!("critical")));
    let names: Vec<&str> =
        event["fields"].as_array().expect("fields").iter().map(|it| it["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["canonical", "robots", "title"]);
    assert_eq!(monitor(&fake)["state"], "changed");
    round(&fake, "1h");
    assert_eq!(events(&fake).len(), 1, "what is known is not told again");
    let judged = json!({ "event_refs": [event["event_ref"]], "verdict": "intended" });
    assert_eq!(fake.call("monitoring.event.acknowledge", judged).expect("acknowledged")["updated"], 1);
    assert_eq!(monitor(&fake)["state"], "ok");
    fake.serve(PAGE, 404, &html, b"");
    round(&fake, "1h");
    assert_eq!((&events(&fake)[0]["kind"], &monitor(&fake)["state"]), (&json!("status_error"), &json!("failing")));
}

#[test]
fn a_robots_file_that_shuts_the_site_out_is_critical_and_any_other_change_is_not() {
    let fake = website();
    let robots = "https://shop.example/robots.txt";
    create(&fake, &json!({ "kind": "robots", "target": "https://shop.example/any/page", "every": "1h" }));
    fake.serve(robots, 200, &[], b"User-agent: *\nDisallow: /cart\n");
    round(&fake, "1h");
    fake.serve(robots, 200, &[], b"User-agent: *\nDisallow: /cart\nDisallow: /search\n");
    round(&fake, "1h");
    assert_eq!((&events(&fake)[0]["kind"], &events(&fake)[0]["severity"]), (&json!("robots_changed"), &json!("info")));
    fake.serve(robots, 200, &[], b"User-agent: *\nDisallow: /\n");
    round(&fake, "1h");
    assert_eq!(
        (&events(&fake)[0]["kind"], &events(&fake)[0]["severity"]),
        (&json!("robots_blocked"), &json!("critical"))
    );
}

#[test]
fn a_sitemap_that_loses_many_addresses_or_is_gone_is_told() {
    let fake = website();
    let url = "https://shop.example/sitemap.xml";
    let file = |count: usize| {
        let urls: String = (0..count).map(|at| format!("<url><loc>https://shop.example/{at}</loc></url>")).collect();
        format!("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
    };
    create(&fake, &json!({ "kind": "sitemap", "target": url, "every": "1h" }));
    fake.serve(url, 200, &[], file(100).as_bytes());
    round(&fake, "1h");
    fake.serve(url, 200, &[], file(101).as_bytes());
    round(&fake, "1h");
    assert_eq!(events(&fake)[0]["kind"], "sitemap_changed");
    fake.serve(url, 200, &[], file(40).as_bytes());
    round(&fake, "1h");
    let fields = json!([{ "name": "addresses", "before": "101", "after": "40" }]);
    assert_eq!((&events(&fake)[0]["kind"], &events(&fake)[0]["fields"]), (&json!("sitemap_shrunk"), &fields));
    fake.serve(url, 404, &[], b"");
    round(&fake, "1h");
    assert_eq!(events(&fake)[0]["kind"], "sitemap_missing");
}

#[test]
fn monitors_pause_change_their_interval_and_go_with_all_that_they_recorded() {
    let fake = website();
    let id = create(&fake, &json!({ "kind": "uptime", "target": PAGE, "every": "5m" }));
    let same = json!({ "site_id": SITE, "kind": "uptime", "target": PAGE, "every": "1h" });
    assert_eq!(fake.refusal("monitoring.monitor.create", same).code, "monitor_exists");
    fake.serve(PAGE, 500, &[], b"");
    round(&fake, "5m");
    round(&fake, "5m");
    let update = |arguments: Value| {
        let mut all = json!({ "monitor_ref": id });
        all.as_object_mut().expect("an object").extend(arguments.as_object().expect("an object").clone());
        fake.call("monitoring.monitor.update", all).expect("updated")["monitor"].clone()
    };
    assert_eq!(update(json!({ "paused": true }))["state"], "paused");
    assert!(!fake.come_due("every_5m"), "nothing else is checked so often");
    let slower = update(json!({ "paused": false, "every": "6h" }));
    assert_eq!((&slower["state"], &slower["daily_cost"]), (&json!("failing"), &json!(0.004)));
    round(&fake, "6h");
    let deleted = fake.call("monitoring.monitor.delete", json!({ "monitor_ref": id })).expect("deleted");
    assert_eq!(deleted, json!({ "deleted": true, "events": 1, "remaining": null }));
    assert!(!fake.come_due("every_6h"));
    assert_eq!(fake.refusal("monitoring.monitor.delete", json!({ "monitor_ref": id })).code, "monitor_not_found");
}

#[test]
fn a_check_at_once_records_like_any_other_and_says_what_it_saw() {
    let fake = website();
    let id = create(&fake, &json!({ "kind": "uptime", "target": PAGE, "every": "1d" }));
    fake.serve(PAGE, 200, &[], b"well");
    let started = fake.call("monitoring.monitor.check_now", json!({ "monitor_ref": id })).expect("queued");
    assert_eq!(started["state"], "queued");
    fake.work();
    let job = sdk::value::Id::new(started["job_ref"].as_str().expect("a job"));
    let result: Value = fake.jobs().get(&job).expect("the job").result().expect("a result");
    assert_eq!((&result["outcome"]["verdict"], &result["outcome"]["status"]), (&json!("ok"), &json!(200)));
    let report = fake.call("monitoring.uptime.report", json!({ "site_id": SITE })).expect("a report");
    assert_eq!(report["monitors"][0]["checks"], 1);
}

#[test]
fn monitors_of_a_website_that_was_deleted_are_neither_checked_nor_charged() {
    let fake = website();
    let of_gone = Monitor {
        site_id: "82".to_owned(),
        target: "https://gone.example/".to_owned(),
        every: Every::FiveMinutes,
        ..Monitor::default()
    };
    fake.put(of_gone);
    create(&fake, &json!({ "kind": "uptime", "target": PAGE, "every": "5m" }));
    fake.serve(PAGE, 200, &[], b"well");
    for rounds in 1..3 {
        round(&fake, "5m");
        assert_eq!(fake.requested(), vec![PAGE; rounds]);
    }
    assert_eq!(fake.schedules().work("every_5m").expect("the schedule").work.units, 1);
}

#[test]
fn many_monitors_are_checked_in_steps_each_once() {
    let fake = website();
    fake.web_plays(|_| Some((200, Vec::new(), b"well".to_vec())));
    for at in 0..40 {
        create(&fake, &json!({ "kind": "uptime", "target": format!("https://shop.example/{at}"), "every": "15m" }));
    }
    round(&fake, "15m");
    assert_eq!(fake.requested().len(), 40);
    let report = fake.call("monitoring.uptime.report", json!({ "site_id": SITE })).expect("a report");
    let checks: u64 =
        report["monitors"].as_array().expect("monitors").iter().map(|it| it["checks"].as_u64().expect("a count")).sum();
    assert_eq!(checks, 40);
}

/// The secure side of the shop shows a certificate that ends after so many days.
fn secured(fake: &Fake, days: i64, distrust: Vec<Distrust>) {
    let now = i64::try_from(fake.now().millis()).expect("a moment");
    let certificate = Certificate {
        der: Vec::new(),
        subject: "CN=shop.example".to_owned(),
        issuer: "CN=An Authority".to_owned(),
        serial: "01".to_owned(),
        not_before: 0,
        not_after: now + days * 86_400_000,
        names: vec!["shop.example".to_owned()],
        key: "EC P-256".to_owned(),
        key_bits: 256,
        signature: "ecdsa-with-SHA256".to_owned(),
        timestamps: 2,
        self_signed: false,
        authority: false,
    };
    let report = TlsReport {
        address: "192.0.2.7".to_owned(),
        version: TlsVersion::Tls13,
        cipher: "TLS13_AES_128_GCM_SHA256".to_owned(),
        alpn: None,
        chain: vec![certificate],
        distrust,
        ocsp_stapled: false,
        tls12: Acceptance::Accepted,
        tls13: Acceptance::Accepted,
        milliseconds: 12,
    };
    fake.secure("shop.example", 443, Ok(report));
}

#[test]
fn a_certificate_is_told_before_it_ends_and_when_browsers_refuse_it_and_a_silent_host_says_nothing_of_it() {
    let fake = website();
    create(&fake, &json!({ "kind": "tls", "target": "shop.example", "every": "1d" }));
    secured(&fake, 60, Vec::new());
    round(&fake, "1d");
    assert_eq!(monitor(&fake)["state"], "ok");
    fake.secure("shop.example", 443, Err(sdk::TlsFailure::Timeout));
    round(&fake, "1d");
    assert_eq!((&monitor(&fake)["state"], &monitor(&fake)["reason"]), (&json!("ok"), &json!("timeout")));
    secured(&fake, 13, Vec::new());
    round(&fake, "1d");
    assert_eq!(
        (&events(&fake)[0]["kind"], &events(&fake)[0]["severity"]),
        (&json!("certificate_expires"), &json!("warning"))
    );
    secured(&fake, 90, Vec::new());
    round(&fake, "1d");
    assert_eq!(monitor(&fake)["state"], "ok", "it was renewed");
    secured(&fake, 90, vec![Distrust::WrongName]);
    round(&fake, "1d");
    let event = events(&fake)[0].clone();
    assert_eq!((&event["kind"], &event["message"]), (&json!("certificate_invalid"), &json!("it is for other names")));
}
