//! Notifications: what is set, what is refused, and what reaches a channel.

use sdk::serde_json::Value;
use sdk::value::Moment;
use sdk::{Fake, PlatformAction, SendFailure, json};

fn fake() -> Fake {
    let fake = crate::fake().connected("con_mail", "smtp").connected("con_hook", "signed_webhook");
    fake.platform("tell-jobs", Ok(json!({})));
    fake
}

fn set(fake: &Fake, arguments: Value) -> Value {
    fake.call("account.notification.update", arguments).unwrap()
}

fn refused(fake: &Fake, arguments: Value) -> (String, Option<String>) {
    let fault = fake.refusal("account.notification.update", arguments);
    (fault.code, fault.pointer)
}

/// Runs the job of a notice to its end; its outcome.
fn told(fake: &Fake, notice: &Value) -> Value {
    let job = fake.started_by_host("notify", notice);
    fake.work();
    fake.jobs().get(&job).unwrap().result::<Value>().unwrap()
}

fn failed() -> Value {
    json!({
        "kind": "job_failed", "severity": "warning", "at": 1_790_553_600_000_u64, "operation_id": "crawl.run.start",
        "job_ref": "job_7", "site_id": "81", "code": "robots_forbids",
    })
}

#[test]
fn what_is_set_is_shown_and_what_is_left_out_stays() {
    let fake = fake();
    let channels =
        json!([{ "kind": "email", "target": "ops@shop.example" }, { "kind": "webhook", "target": "con_hook" }]);
    let first = set(&fake, json!({ "channels": channels, "min_severity": "warning" }));
    assert_eq!(first["settings"]["channels"][0]["connection_ref"], "con_mail");
    assert_eq!(first["settings"]["min_severity"], "warning");
    assert_eq!(first["webhook_secret_hint"], "signing_secret of the connection con_hook");
    let second = set(&fake, json!({ "quiet_from": "22:00", "quiet_to": "07:00" }));
    assert_eq!(second["settings"]["channels"], first["settings"]["channels"]);
    assert_eq!(second["settings"]["quiet_to"], "07:00");
    assert_eq!(second["settings"]["timezone"], "UTC");
    let off = set(&fake, json!({ "channels": [] }));
    assert_eq!(off["webhook_secret_hint"], Value::Null);
    let wished: Vec<bool> =
        fake.done_by_platform().iter().map(|action| matches!(action, PlatformAction::TellJobs(true))).collect();
    assert_eq!(wished, [true, true, false], "the service is told whether anything is to be told");
}

#[test]
fn an_alert_of_a_module_says_what_was_seen_and_the_call_that_shows_more() {
    let fake = fake();
    set(&fake, json!({ "channels": [{ "kind": "email", "target": "ops@shop.example" }] }));
    let alert = json!({
        "kind": "alert", "severity": "critical", "at": 1_790_553_600_000_u64, "title": "Shop is down",
        "words": "It answers with status 503.", "site_id": "81", "module": "monitoring",
        "see": { "operation_id": "monitoring.event.list", "arguments": { "site_id": "81" } },
    });
    assert_eq!(told(&fake, &alert)["channels"][0]["delivered"], true);
    let letter = fake.mailed()[0].clone();
    let text = format!("{letter:?}");
    for part in [
        "Alert: Shop is down",
        "It answers with status 503.",
        "Module: monitoring",
        "See more with monitoring.event.list",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_channel_that_cannot_be_used_is_refused_where_it_stands() {
    let fake = fake();
    let one = |kind: &str, target: &str| json!({ "channels": [{ "kind": kind, "target": target }] });
    let at = Some("/channels/0/target".to_owned());
    assert_eq!(refused(&fake, one("email", "not an address")), ("not_an_address".to_owned(), at.clone()));
    assert_eq!(refused(&fake, one("webhook", "con_other")), ("connection_required".to_owned(), at.clone()));
    let bare = crate::fake();
    assert_eq!(refused(&bare, one("email", "a@shop.example")), ("connection_required".to_owned(), at));
    let twice = json!({ "kind": "webhook", "target": "con_hook" });
    let twice = refused(&fake, json!({ "channels": [twice, twice] }));
    assert_eq!(twice, ("named_twice".to_owned(), Some("/channels/1/target".to_owned())));
    let half = refused(&fake, json!({ "quiet_from": "22:00" }));
    assert_eq!(half, ("quiet_hours_incomplete".to_owned(), Some("/quiet_to".to_owned())));
    assert_eq!(refused(&fake, one("pigeon", "x")).0, "invalid_arguments");
    assert_eq!(fake.done_by_platform(), [], "nothing was set");
}

#[test]
fn mail_and_webhook_are_told_of_a_job_that_failed() {
    let fake = fake();
    let channels =
        json!([{ "kind": "email", "target": "ops@shop.example" }, { "kind": "webhook", "target": "con_hook" }]);
    set(&fake, json!({ "channels": channels }));
    fake.provider_answers("POST", "/", 204, &json!({}));
    let done = told(&fake, &failed());
    assert_eq!(done["channels"].as_array().map(Vec::len), Some(2));
    assert!(done["channels"].as_array().unwrap().iter().all(|it| it["delivered"] == true));
    let mail = fake.mailed();
    assert_eq!((mail[0].subject(), mail[0].to()), ("Failed: crawl.run.start", &["ops@shop.example".to_owned()][..]));
    assert!(mail[0].text().contains("robots_forbids") && mail[0].text().contains("job_7"));
    assert_eq!(fake.sent(), ["POST /"]);
}

#[test]
fn what_matters_less_is_not_told_and_nothing_is_without_a_channel() {
    let fake = fake();
    assert_eq!(told(&fake, &failed())["skipped"], "no_channel");
    set(&fake, json!({ "channels": [{ "kind": "email", "target": "a@shop.example" }], "min_severity": "critical" }));
    assert_eq!(told(&fake, &failed())["skipped"], "below_severity");
    assert!(fake.mailed().is_empty());
}

#[test]
fn in_quiet_hours_it_waits_until_they_are_over() {
    let fake = fake();
    let channels = json!([{ "kind": "email", "target": "a@shop.example" }]);
    set(&fake, json!({ "channels": channels, "quiet_from": "22:00", "quiet_to": "07:00" }));
    // 23:30 UTC.
    fake.set_now(Moment::from_millis(1_790_638_200_000));
    told(&fake, &failed());
    assert_eq!(fake.mailed().len(), 1);
    assert_eq!(fake.now().to_string(), "2026-09-29T07:00:00.000Z");
}

#[test]
fn a_receiver_that_is_away_is_asked_again_for_about_a_day_and_then_given_up() {
    let fake = fake();
    set(&fake, json!({ "channels": [{ "kind": "webhook", "target": "con_hook" }] }));
    fake.provider_fails("POST", "/", SendFailure::Unreachable);
    let begun = fake.now();
    let done = told(&fake, &failed());
    assert_eq!(done["channels"][0]["delivered"], false);
    assert_eq!(done["channels"][0]["reason"], "unreachable");
    assert_eq!(fake.sent().len(), 10);
    let hours = (fake.now().millis() - begun.millis()) / 3_600_000;
    assert_eq!(hours, 21);
}
