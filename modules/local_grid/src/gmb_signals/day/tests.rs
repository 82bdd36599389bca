//! Days of a campaign.

use campaign::State;
use campaign::fulfilment::PanelAudience;
use campaign::hours::Hours;
use sdk::value::Day;
use sdk::{SendFailure, json};

use crate::gmb_signals::plan;
use crate::gmb_signals::stored::Campaign;
use crate::gmb_signals::trial::{call, panel, quoted, ready};

fn created(seen: u32) -> sdk::Fake {
    let (fake, source) = ready(seen);
    call(&fake, "campaign.create", quoted(&fake, &source));
    fake
}

fn state(fake: &sdk::Fake) -> Campaign {
    fake.rows::<Campaign>().remove(0).it
}

#[test]
fn every_day_delivers_its_share_and_no_more_until_all_is_delivered() {
    let fake = created(1);
    fake.work();
    let campaign = state(&fake);
    assert_eq!(campaign.state, State::Completed);
    let days: Vec<(i32, u32, u32)> =
        campaign.days.iter().map(|it| (it.day - campaign.first_day, it.planned, it.delivered)).collect();
    assert_eq!(days, (0..7).map(|day| (day, 10, 10)).collect::<Vec<_>>());
    let states: Vec<State> = campaign.history.iter().map(|it| it.state).collect();
    assert_eq!(states, [State::PreparingLinks, State::Charging, State::Scheduled, State::Running, State::Completed]);
}

#[test]
fn what_people_have_not_seen_moves_the_end_and_is_not_caught_up_in_a_burst() {
    let fake = created(0);
    fake.work();
    let campaign = state(&fake);
    // Nobody has seen anything: two weeks more, and then the rest goes back.
    assert_eq!((campaign.state, campaign.days.len(), campaign.delivered()), (State::Completed, 21, 0));
    assert!(campaign.days.iter().all(|it| it.planned <= 10));
}

#[test]
fn days_on_which_nobody_was_there_are_left_out() {
    let fake = created(1);
    while state(&fake).days.len() < 2 {
        assert!(fake.work_one_step());
    }
    fake.set_now(fake.now().plus(5 * 86_400_000));
    fake.work();
    let campaign = state(&fake);
    assert_eq!((campaign.state, campaign.delivered()), (State::Completed, 70));
    assert!(campaign.days.iter().all(|it| it.delivered <= 10), "{:?}", campaign.days);
    let last = campaign.days.last().unwrap().day - campaign.first_day;
    assert!((11..=13).contains(&last), "{last}");
}

#[test]
fn a_panel_that_is_away_is_asked_again_until_the_day_is_over() {
    let fake = created(1);
    fake.provider_fails("GET", "/v1/audiences", SendFailure::Unreachable);
    while state(&fake).days.is_empty() {
        assert!(fake.work_one_step());
    }
    assert_eq!((state(&fake).days[0].planned, state(&fake).state), (0, State::Scheduled));
    assert!(fake.sent().iter().filter(|it| it.contains("audiences")).count() > 50, "every ten minutes");
}

#[test]
fn a_panel_that_does_not_tell_its_counts_is_asked_for_days_so_that_nobody_is_invited_beyond_what_was_bought() {
    let fake = created(1);
    while fake.sent().iter().all(|it| !it.ends_with("POST /v1/tasks")) {
        assert!(fake.work_one_step());
    }
    fake.provider_fails("GET", "/v1/tasks/task_1", SendFailure::Unreachable);
    let evening = fake.now().plus(86_400_000 * 3 / 2);
    while fake.now() < evening {
        assert!(fake.work_one_step());
    }
    assert!(state(&fake).days.is_empty(), "the next morning is no reason to give up");
    panel(&fake, 400, 1);
    fake.work();
    let campaign = state(&fake);
    assert_eq!((campaign.state, campaign.delivered()), (State::Completed, 70));
    assert_eq!(campaign.days.iter().map(|it| it.planned).sum::<u32>(), 70, "everybody was asked once");
}

#[test]
fn a_panel_that_refuses_the_tasks_ends_the_campaign_and_says_why() {
    let fake = created(1);
    fake.provider_answers("POST", "/v1/tasks", 422, &json!({ "error": { "code": "invalid_field", "message": "no" } }));
    fake.work();
    let campaign = state(&fake);
    assert_eq!(
        (campaign.state, campaign.trouble.as_deref()),
        (State::Failed, Some("the panel refuses the tasks: invalid_field"))
    );
    let got = call(&fake, "campaign.get", json!({ "campaign_ref": fake.rows::<Campaign>()[0].id }));
    assert_eq!(
        (&got["charged_credits"], &got["degraded"][0]["why"]),
        (&json!(0.0), &json!("the panel refuses the tasks: invalid_field"))
    );
}

#[test]
fn a_day_that_is_planned_again_is_the_same_within_hours_caps_and_places() {
    let fake = created(1);
    let campaign = fake.rows::<Campaign>().remove(0);
    let audience = |name: &str, people: u64| PanelAudience {
        audience_ref: name.into(),
        name: name.into(),
        people,
        countries: vec!["GB".into()],
        topics: Vec::new(),
        consent_basis: "opt-in".into(),
        weekly_cap: 1,
        acceptance_28d: None,
    };
    let audiences = [audience("one", 90), audience("two", 3)];
    let day = Day::from_epoch(campaign.first_day);
    let planned = plan::day(&campaign, &audiences, day);
    let again = plan::day(&campaign, &audiences, day);
    assert!(planned.iter().zip(&again).all(|(one, other)| one.task == other.task && one.place == other.place));
    let all: u32 = planned.iter().map(|it| it.task.quantity).sum();
    assert_eq!(all, 10);
    let hours = Hours::of(Some("GB"));
    for it in &planned {
        let from = it.task.not_before.unwrap();
        assert!(from >= hours.opens(day) && from < hours.closes(day) && it.task.expires_at == Some(hours.closes(day)));
        assert!(campaign.places.contains(&it.place) && it.place.radius_m >= 1_000);
        assert!(campaign::wording::lint(&it.task.text).is_empty() && !it.task.disclosure.is_empty());
    }
    let two: u32 = planned.iter().filter(|it| it.task.audience_ref == "two").map(|it| it.task.quantity).sum();
    assert!(two <= 3);
    let tomorrow = plan::day(&campaign, &audiences, day.plus(1));
    assert_ne!(
        tomorrow[0].task.not_before.map(|it| it.millis() % 86_400_000),
        planned[0].task.not_before.map(|it| it.millis() % 86_400_000)
    );
    assert!(planned.len() <= 12 && plan::audiences(audiences.to_vec(), Some("two"), Some("DE")).is_empty());
}
