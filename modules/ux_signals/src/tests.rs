//! What the module promises, as tests: one website, an own audience, and a panel where a test connects one.

mod buying;
mod delivering;
mod month;
mod reading;
mod steering;

use campaign::State;
use sdk::prelude::*;
use sdk::{Fake, json};
use serde_json::Value;

use crate::stored::{Audience, Campaign, Channel, Link, Task};
use site::Site;

/// The website.
pub(crate) const SITE: &str = "8123456789012345";
/// Its pages.
pub(crate) const OAK: &str = "https://shop.example/guides/oak";
/// Another one of its pages.
pub(crate) const LAMP: &str = "https://shop.example/lamp";
/// A page of somebody else.
pub(crate) const ELSEWHERE: &str = "https://magazine.example/lamps";

/// A website in Britain whose pages answer, at eight in the morning of a Monday.
pub(crate) fn world() -> Fake {
    let site = Site { domain: "shop.example".into(), order: "1".into(), country: Some("GB".into()), ..Site::default() };
    let page = "<title>Oak</title>";
    let fake = crate::fake().with_as(SITE, site).serving(OAK, page).serving(LAMP, page).serving(ELSEWHERE, page);
    let monday = Day::from_civil(2026, 11, 23).unwrap();
    fake.set_now(Moment::from_millis(u64::try_from(monday.since_epoch()).unwrap() * 86_400_000 + 8 * 3_600_000));
    fake.priced(crate::viral::PER_URL_MILLI)
}

/// An own audience whose consent is proven.
pub(crate) fn audience(size: u64, max_per_week: u32) -> Audience {
    Audience {
        site_id: SITE.into(),
        name: "Newsletter".into(),
        created_ms: 1,
        channel: Channel::Newsletter,
        size,
        consent_basis: "Signed up with double opt-in since 2024.".into(),
        consent_url: Some("https://shop.example/newsletter".into()),
        proven_at: Some(Moment::from_millis(1)),
        disclosure: None,
        max_per_week,
        topics: Vec::new(),
    }
}

/// The same world with a panel of 480 people that takes every task and reaches everybody.
pub(crate) fn with_panel() -> Fake {
    let fake = world().connected("con_panel", "fulfilment");
    fake.provider_answers("GET", "/v1/audiences", 200, &panel_audiences());
    let task = |state: &str, offered: u32| json!({ "task_ref": "task_1", "state": state, "quantity": 9, "offered": offered, "accepted": 2, "declined": 1, "done": 0 });
    fake.provider_answers("POST", "/v1/tasks", 201, &task("open", 0));
    fake.provider_answers("GET", "/v1/tasks/task_1", 200, &task("done", 1_000));
    fake.provider_answers("POST", "/v1/tasks/task_1/cancel", 200, &task("cancelled", 0));
    fake
}

fn panel_audiences() -> Value {
    json!({ "next_cursor": null, "audiences": [{
        "audience_ref": "aud_friends", "name": "Lamp friends", "people": 480, "countries": ["GB"], "topics": ["home"],
        "consent_basis": "opt-in", "weekly_cap": 2, "acceptance_28d": 0.4
    }] })
}

/// What is asked for, without a hash.
pub(crate) fn asked(urls: &[&str]) -> Value {
    json!({ "site_id": SITE, "urls": urls, "duration_days": 3, "daily_actions": 10 })
}

/// The arguments of `create`, with the hash of a quote for them.
pub(crate) fn quoted(fake: &Fake, mut arguments: Value) -> Value {
    let quote = fake.call("ux_signals.viral.campaign.quote", arguments.clone()).unwrap();
    arguments["expected_quote_hash"] = quote["quote_hash"].clone();
    arguments
}

/// A campaign for these pages, just bought.
pub(crate) fn bought(fake: &Fake, urls: &[&str]) -> String {
    let created = fake.call("ux_signals.viral.campaign.create", quoted(fake, asked(urls))).unwrap();
    created["campaign_ref"].as_str().unwrap().to_owned()
}

/// Runs the steps that prepare and charge.
pub(crate) fn scheduled(fake: &Fake, campaign: &str) {
    while !matches!(stored(fake, campaign).state, State::Scheduled | State::Failed | State::Stopped) {
        assert!(fake.work_one_step());
    }
}

/// Runs the delivering job for so many hours.
pub(crate) fn hours(fake: &Fake, hours: u32) {
    (0..hours).for_each(|_| {
        fake.work_one_step();
    });
}

/// The campaign as it is stored.
pub(crate) fn stored(fake: &Fake, campaign: &str) -> Campaign {
    let all = fake.rows::<Campaign>();
    all.into_iter().find(|it| it.id.as_str() == campaign).unwrap().into_inner()
}

/// Its links.
pub(crate) fn links(fake: &Fake) -> Vec<Link> {
    let mut links: Vec<Link> = fake.rows::<Link>().into_iter().map(Stored::into_inner).collect();
    links.sort_by_key(|link| link.seq);
    links
}

/// Its tasks.
pub(crate) fn tasks(fake: &Fake) -> Vec<Task> {
    fake.rows::<Task>().into_iter().map(Stored::into_inner).collect()
}

/// Reads a campaign through the public door.
pub(crate) fn get(fake: &Fake, campaign: &str) -> Value {
    fake.call("ux_signals.campaign.get", json!({ "campaign_ref": campaign })).unwrap()
}
