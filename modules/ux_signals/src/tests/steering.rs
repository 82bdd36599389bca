//! Pausing, resuming, stopping, and what goes back.

use super::*;
use crate::stored::Charge;

fn pause(fake: &Fake, campaign: &str, paused: bool) -> Value {
    let arguments = json!({ "campaign_ref": campaign, "paused": paused });
    fake.call("ux_signals.viral.campaign.pause", arguments).unwrap()
}

fn stop(fake: &Fake, campaign: &str) -> Value {
    fake.call("ux_signals.viral.campaign.stop", json!({ "campaign_ref": campaign })).unwrap()
}

#[test]
fn a_paused_campaign_invites_nobody_and_moves_its_end() {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK]);
    scheduled(&fake, &campaign);
    hours(&fake, 26);
    let first = pause(&fake, &campaign, true);
    let left = first["actions_left"].as_u64().unwrap();
    assert_eq!(first["state"], "paused");
    hours(&fake, 48);
    let resumed = pause(&fake, &campaign, false);
    assert_eq!((&resumed["state"], resumed["actions_left"].as_u64()), (&json!("running"), Some(left)));
    assert!(resumed["new_end_date"].as_str() > first["new_end_date"].as_str());
    fake.work();
    let end = stored(&fake, &campaign);
    assert_eq!((end.state, end.delivered), (State::Completed, 30));
    let most = |day: i32| tasks(&fake).iter().filter(|task| task.day == day).map(|task| task.quantity).sum::<u32>();
    assert!(tasks(&fake).iter().all(|task| most(task.day) <= 10), "what the pause missed is not caught up");
}

#[test]
fn pausing_twice_changes_nothing_and_an_ended_campaign_cannot_be_paused() {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK]);
    let arguments = json!({ "campaign_ref": campaign, "paused": true });
    assert_eq!(fake.refusal("ux_signals.viral.campaign.pause", arguments.clone()).code, "campaign_state");
    scheduled(&fake, &campaign);
    pause(&fake, &campaign, true);
    let version = stored(&fake, &campaign).timeline.len();
    pause(&fake, &campaign, true);
    assert_eq!(stored(&fake, &campaign).timeline.len(), version);
    stop(&fake, &campaign);
    assert_eq!(fake.refusal("ux_signals.viral.campaign.pause", arguments).code, "campaign_state");
    let unknown = json!({ "campaign_ref": "camp_unknown", "paused": true });
    assert_eq!(fake.refusal("ux_signals.viral.campaign.pause", unknown).code, "campaign_not_found");
}

#[test]
fn a_campaign_that_is_stopped_before_it_is_charged_costs_nothing() {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK, LAMP]);
    fake.work_one_step();
    let stopped = stop(&fake, &campaign);
    assert_eq!((&stopped["state"], &stopped["refunded_credits"]), (&json!("stopped"), &json!(0.0)));
    fake.work();
    assert!(fake.refunded().is_empty() && tasks(&fake).is_empty());
    let charges = fake.call("ux_signals.campaign.charge.list", json!({ "campaign_ref": campaign })).unwrap();
    assert_eq!(
        (&charges["charges"][0]["state"], &charges["charges"][1]["state"]),
        (&json!("released"), &json!("released"))
    );
    assert_eq!(charges["total"], 0.0);
}

#[test]
fn links_of_which_nothing_was_delivered_are_refunded_once() {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK, LAMP, ELSEWHERE]);
    scheduled(&fake, &campaign);
    while tasks(&fake).is_empty() {
        hours(&fake, 1);
    }
    let begun = links(&fake).iter().filter(|link| link.asked > 0).count();
    let stopped = stop(&fake, &campaign);
    assert_eq!(begun, 1);
    assert_eq!(stopped["refunded_credits"], 10.0);
    assert_eq!(fake.refunded(), [(stored(&fake, &campaign).prepare_job, 2)]);
    let charge: Vec<Charge> = links(&fake).iter().map(|link| link.charge).collect();
    assert_eq!(charge, [Charge::Charged, Charge::Refunded, Charge::Refunded]);
    let again = fake.refusal("ux_signals.viral.campaign.stop", json!({ "campaign_ref": campaign }));
    assert_eq!(again.code, "campaign_state");
    let charges = fake.call("ux_signals.campaign.charge.list", json!({ "campaign_ref": campaign })).unwrap();
    assert_eq!(charges["total"], 5.0);
    assert!(charges["charges"][1]["ledger_ref"].as_str().unwrap().ends_with(":refund"));
}

#[test]
fn open_tasks_are_withdrawn_and_a_link_that_reached_nobody_counts_as_not_begun() {
    let fake = with_panel();
    let campaign = bought(&fake, &[OAK]);
    let open = json!({ "task_ref": "task_1", "state": "open", "quantity": 9, "offered": 0, "accepted": 0, "done": 0 });
    fake.provider_answers("GET", "/v1/tasks/task_1", 200, &open);
    scheduled(&fake, &campaign);
    while tasks(&fake).is_empty() {
        hours(&fake, 1);
    }
    let stopped = stop(&fake, &campaign);
    assert_eq!((&stopped["withdrawn_tasks"], &stopped["withdrawing_tasks"]), (&json!(1), &json!(0)));
    assert_eq!(stopped["refunded_credits"], 5.0);
    assert!(fake.sent().contains(&"POST /v1/tasks/task_1/cancel".to_owned()));
    fake.work();
    assert_eq!(stored(&fake, &campaign).state, State::Stopped);
}
