//! A month of a campaign with a pause and a host that was down, and a chart of it for whoever wants to look:
//! `target/campaigns/viral.svg`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

/// Pixels of a day, and of one invitation.
const DAY: i32 = 22;
const ONE: i32 = 6;

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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/campaigns");
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(format!("{folder}/viral.svg"), chart(&delivered)).unwrap();
}

/// Planned invitations as outlines, delivered ones as bars, day by day.
fn chart(delivered: &BTreeMap<i32, u32>) -> String {
    let days = delivered.keys().last().copied().unwrap_or(0).max(29) + 1;
    let (width, height) = (days * DAY + 60, 20 * ONE + 70);
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>\
         <rect width='{width}' height='{height}' fill='#fff'/>\
         <text x='40' y='18'>Invitations by day: planned (outline) and delivered (filled), 600 of 600</text>"
    );
    let base = height - 30;
    for day in 0..days {
        let x = 40 + day * DAY;
        if day < 30 {
            let top = base - 20 * ONE;
            let _ = write!(
                svg,
                "<rect x='{x}' y='{top}' width='{}' height='{}' fill='none' stroke='#56b4e9'/>",
                DAY - 4,
                20 * ONE
            );
        }
        let tall = i32::try_from(delivered.get(&day).copied().unwrap_or(0)).unwrap() * ONE;
        let _ = write!(
            svg,
            "<rect x='{}' y='{}' width='{}' height='{tall}' fill='#0072b2'/>",
            x + 3,
            base - tall,
            DAY - 10
        );
        if day % 5 == 0 {
            let _ = write!(svg, "<text x='{x}' y='{}'>{}</text>", base + 16, day + 1);
        }
    }
    svg + "</svg>"
}
