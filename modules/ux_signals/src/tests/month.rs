//! A month of a campaign with a pause and a host that was down. `tests/month` plays one on hosts that are killed, and
//! draws it.

use std::collections::BTreeMap;

use super::*;

fn pause(fake: &Fake, campaign: &str, paused: bool) {
    let arguments = json!({ "campaign_ref": campaign, "paused": paused });
    fake.call("ux_signals.viral.campaign.pause", arguments).unwrap();
}

#[test]
fn a_month_with_a_pause_and_an_outage_delivers_all_with_no_day_above_its_share() {
    let fake = world().with(audience(400, 2));
    let mut arguments = asked(&[OAK, LAMP]);
    (arguments["duration_days"], arguments["daily_actions"]) = (json!(30), json!(20));
    let created = fake.call("ux_signals.viral.campaign.create", quoted(&fake, arguments)).unwrap();
    let campaign = created["campaign_ref"].as_str().unwrap();
    scheduled(&fake, campaign);
    hours(&fake, 24 * 8);
    pause(&fake, campaign, true);
    hours(&fake, 24 * 4);
    pause(&fake, campaign, false);
    hours(&fake, 24 * 5);
    // The host is down for two days and a half.
    fake.set_now(fake.now().plus(60 * 3_600_000));
    fake.work();
    let first = stored(&fake, campaign).first_day.unwrap().since_epoch();
    let mut delivered: BTreeMap<i32, u32> = BTreeMap::new();
    for task in tasks(&fake) {
        *delivered.entry(task.day - first).or_default() += task.quantity;
    }
    assert!(delivered.values().all(|people| *people <= 20), "{delivered:?}");
    assert_eq!(delivered.values().sum::<u32>(), 600);
    assert_eq!(stored(&fake, campaign).state, State::Completed);
    let empty = (0..30).filter(|day| !delivered.contains_key(day)).count();
    assert!((5..=7).contains(&empty), "the pause and the outage: {empty}");
}
