//! The scheduler: paced, capped, honest, and the same when a step runs again.

use std::collections::BTreeMap;

use campaign::hours::Hours;

use super::*;

/// Invitations by day.
fn by_day(fake: &Fake) -> BTreeMap<i32, u32> {
    let mut days = BTreeMap::new();
    for task in tasks(fake) {
        *days.entry(task.day).or_default() += task.quantity;
    }
    days
}

#[test]
fn a_campaign_invites_its_share_each_day_in_the_daytime_and_then_ends() {
    let fake = world().with(audience(100, 7));
    let campaign = bought(&fake, &[OAK, LAMP]);
    fake.work();
    let view = get(&fake, &campaign);
    assert_eq!((&view["state"], &view["actions"]["delivered"]), (&json!("completed"), &json!(30)));
    let days = by_day(&fake);
    assert!(days.values().all(|invited| *invited <= 10), "{days:?}");
    let hours = Hours::of(Some("GB"));
    for task in tasks(&fake) {
        assert_eq!(hours.open_at(task.at).map(Day::since_epoch), Some(task.day));
        assert!(task.disclosure.contains("shop.example"));
    }
    let handed: Vec<u64> = links(&fake).iter().map(|link| link.delivered).collect();
    assert!(handed.iter().all(|people| (13..=17).contains(people)), "both links, about as often: {handed:?}");
    assert_eq!(view["to_share"][0]["short_url"].as_str().map(|url| url.contains("/l/")), Some(true));
}

#[test]
fn invitations_of_a_day_are_spread_over_its_hours() {
    let fake = world().with(audience(5_000, 7));
    let mut arguments = asked(&[OAK]);
    arguments["daily_actions"] = json!(100);
    let created = fake.call("ux_signals.viral.campaign.create", quoted(&fake, arguments)).unwrap();
    scheduled(&fake, created["campaign_ref"].as_str().unwrap());
    hours(&fake, 14);
    let each: Vec<u32> = tasks(&fake).iter().map(|task| task.quantity).collect();
    assert!(each.len() >= 9, "nearly every hour of ten: {each:?}");
    assert!(each.iter().all(|people| *people <= 25), "no burst: {each:?}");
}

#[test]
fn nobody_is_invited_more_often_in_seven_days_than_the_cap_says() {
    let fake = world().with(audience(6, 1));
    let campaign = bought(&fake, &[OAK]);
    scheduled(&fake, &campaign);
    hours(&fake, 24 * 10);
    let days = by_day(&fake);
    for day in days.keys() {
        let week: u32 = days.range(day - 6..=*day).map(|(_, people)| people).sum();
        assert!(week <= 6, "{days:?}");
    }
    let view = get(&fake, &campaign);
    assert_eq!(view["problems"][0]["code"], "audience_caps");
    assert_eq!(view["state"], "completed", "three times the planned days are over");
}

#[test]
fn a_host_that_was_down_for_days_does_not_catch_up_in_a_burst() {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK]);
    scheduled(&fake, &campaign);
    hours(&fake, 24);
    let before = stored(&fake, &campaign).left;
    let later = fake.now().plus(2 * 86_400_000 + 8 * 3_600_000);
    fake.set_now(later);
    fake.work_one_step();
    let burst = before - stored(&fake, &campaign).left;
    assert!(burst <= 6, "two of ten hours of ten people: {burst}");
    fake.work();
    assert!(by_day(&fake).values().all(|people| *people <= 10));
    assert_eq!(stored(&fake, &campaign).delivered, 30, "the end moved instead");
}

#[test]
fn a_step_that_runs_again_plans_the_same() {
    let run = || {
        let fake = world().with_as("aud", audience(1_000, 7));
        let campaign = bought(&fake, &[OAK]);
        scheduled(&fake, &campaign);
        hours(&fake, 30);
        tasks(&fake).into_iter().map(|task| (task.at, task.quantity)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_panel_gets_tasks_with_disclosure_and_is_asked_what_became_of_them() {
    let fake = with_panel();
    let campaign = bought(&fake, &[OAK]);
    fake.work();
    let view = get(&fake, &campaign);
    assert_eq!((&view["state"], &view["actions"]["delivered"]), (&json!("completed"), &json!(30)));
    let sent = fake.sent();
    let made = sent.iter().filter(|line| *line == "POST /v1/tasks").count();
    assert_eq!(made, tasks(&fake).len());
    assert!(tasks(&fake).iter().all(|task| task.panel && task.open == 0 && task.delivered == task.quantity));
    assert!(view["to_share"].as_array().unwrap().is_empty(), "nothing for the customer to do");
}

#[test]
fn what_a_panel_refuses_moves_on_and_is_told() {
    let fake = with_panel();
    let campaign = bought(&fake, &[OAK]);
    let error = json!({ "error": { "code": "invalid_field", "message": "text is not allowed.", "field": "text" } });
    fake.provider_answers("POST", "/v1/tasks", 422, &error);
    scheduled(&fake, &campaign);
    hours(&fake, 12);
    let view = get(&fake, &campaign);
    assert_eq!((&view["actions"]["left"], &view["actions"]["delivered"]), (&json!(30), &json!(0)));
    assert!(view["problems"][0]["message"].as_str().unwrap().contains("invalid_field"));
    assert!(tasks(&fake).is_empty() && links(&fake)[0].asked == 0);
}

#[test]
fn when_nobody_knows_whether_a_task_was_made_the_step_runs_again_and_keeps_nothing() {
    let fake = with_panel();
    let campaign = bought(&fake, &[OAK]);
    fake.provider_fails("POST", "/v1/tasks", sdk::SendFailure::UnknownOutcome);
    scheduled(&fake, &campaign);
    hours(&fake, 6);
    assert!(tasks(&fake).is_empty());
    assert_eq!(stored(&fake, &campaign).left, 30);
}

#[test]
fn a_panel_that_reaches_nobody_gives_the_people_back() {
    let fake = with_panel();
    let campaign = bought(&fake, &[OAK]);
    let expired =
        json!({ "task_ref": "task_1", "state": "expired", "quantity": 9, "offered": 0, "accepted": 0, "done": 0 });
    fake.provider_answers("GET", "/v1/tasks/task_1", 200, &expired);
    scheduled(&fake, &campaign);
    hours(&fake, 24);
    let stored = stored(&fake, &campaign);
    let open: u32 = tasks(&fake).iter().filter(|task| task.open == 1).map(|task| task.quantity).sum();
    assert_eq!((stored.left + open, stored.delivered), (30, 0));
}
