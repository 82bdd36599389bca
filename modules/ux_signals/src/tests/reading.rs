//! What customers read: aggregates, never people; own links; audiences.

use sdk::{Device, LinkState};

use super::*;

/// A campaign that runs, and the code of its first link.
fn running() -> (Fake, String, String) {
    let fake = world().with(audience(1_000, 14));
    let campaign = bought(&fake, &[OAK]);
    scheduled(&fake, &campaign);
    while tasks(&fake).is_empty() {
        hours(&fake, 1);
    }
    let code = links(&fake)[0].code.clone().unwrap();
    (fake, campaign, code)
}

#[test]
fn fewer_than_five_visitors_are_withheld() {
    let (fake, campaign, code) = running();
    let metrics =
        |fake: &Fake| fake.call("ux_signals.campaign.metric.get", json!({ "campaign_ref": campaign })).unwrap();
    for number in 0..4 {
        fake.set_now(fake.now().plus(60_000));
        fake.follow(&code, &format!("visitor {number}"), Device::Mobile).unwrap();
    }
    let few = metrics(&fake);
    assert_eq!(
        (&few["visits"], &few["unique"], &few["series"][0]["visits"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert!(few["by_referrer"].as_array().unwrap().is_empty());
    fake.set_now(fake.now().plus(60_000));
    fake.follow(&code, "visitor 4", Device::Mobile).unwrap();
    fake.follow(&code, "robot", Device::Program).unwrap();
    let enough = metrics(&fake);
    assert_eq!((&enough["visits"], &enough["unique"]), (&json!(5), &json!(5)));
    assert_eq!(enough["by_referrer"], json!([{ "name": "direct", "unique": 5 }]));
    assert_eq!(enough["filtered_share"], 0.1667);
    assert!(enough["median_minutes_to_visit"].as_u64().is_some_and(|minutes| minutes <= 70));
}

#[test]
fn integrity_counts_what_was_filtered_by_rule_and_proves_the_opt_in() {
    let (fake, campaign, code) = running();
    for number in 0..6 {
        fake.set_now(fake.now().plus(60_000));
        fake.follow(&code, &format!("visitor {number}"), Device::Desktop).unwrap();
    }
    fake.follow(&code, "robot", Device::Program).unwrap();
    let integrity = fake.call("ux_signals.campaign.integrity.get", json!({ "campaign_ref": campaign })).unwrap();
    assert_eq!(integrity["filtered"]["known_agent"], 1);
    assert_eq!((&integrity["optin_coverage"], &integrity["disclosure_ok"]), (&json!(1.0), &json!(true)));
    assert_eq!(integrity["valid_share"], 0.8571);
}

#[test]
fn days_are_listed_in_aggregate_with_those_to_come() {
    let (fake, campaign, _) = running();
    let list = |arguments: Value| fake.call("ux_signals.campaign.action.list", arguments).unwrap();
    let all = list(json!({ "campaign_ref": campaign }));
    let days = all["days"].as_array().unwrap();
    assert!(days[0]["delivered"].as_u64() > Some(0) && days.len() >= 3);
    assert!(days[1..].iter().all(|day| day["delivered"] == 0 && day["planned"].as_u64() <= Some(10)));
    let first = list(json!({ "campaign_ref": campaign, "limit": 1 }));
    assert_eq!(first["days"][0], days[0]);
    let next = list(json!({ "campaign_ref": campaign, "limit": 1, "cursor": first["next_cursor"] }));
    assert_eq!(next["days"][0]["date"], days[1]["date"]);
    let wrong = json!({ "campaign_ref": campaign, "from": "2026-12-02", "to": "2026-12-01" });
    assert_eq!(fake.refusal("ux_signals.campaign.action.list", wrong).code, "range_backwards");
}

#[test]
fn campaigns_are_listed_by_website_and_state() {
    let (fake, campaign, _) = running();
    let list = |arguments: Value| fake.call("ux_signals.campaign.list", arguments).unwrap()["campaigns"].clone();
    assert_eq!(list(json!({}))[0]["campaign_ref"], json!(campaign));
    assert_eq!(list(json!({ "site_id": SITE, "state": "running" }))[0]["charged_credits"], 5.0);
    assert_eq!(list(json!({ "state": "paused" })), json!([]));
    assert_eq!(list(json!({ "state": "quoted" })), json!([]));
    let links = fake.call("ux_signals.campaign.link.list", json!({ "campaign_ref": campaign })).unwrap();
    assert_eq!((&links["links"][0]["target"], &links["links"][0]["state"]), (&json!(OAK), &json!("ready")));
}

#[test]
fn an_audience_is_usable_only_with_a_consent_page_of_the_website_that_answers() {
    let page = "https://shop.example/newsletter";
    let fake = world().serving(page, "<p>You get two letters a week.</p>");
    let register = |change: Value| {
        let mut arguments = json!({
            "site_id": SITE, "name": "Newsletter", "channel": "newsletter", "size": 1200,
            "consent_basis": "Signed up with double opt-in since 2024.", "consent_url": page
        });
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        arguments.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        fake.call("ux_signals.audience.register", arguments)
    };
    let missing = |change| register(change).unwrap()["missing"][0].clone();
    assert_eq!(missing(json!({ "consent_url": null })), "consent_url");
    assert_eq!(missing(json!({ "consent_url": "https://other.example/" })), "consent_url_elsewhere");
    assert_eq!(missing(json!({ "consent_url": "https://shop.example/gone" })), "consent_url_unreachable");
    assert_eq!(missing(json!({ "consent_basis": "they agreed" })), "consent_basis_unclear");
    let usable = register(json!({})).unwrap();
    assert_eq!((&usable["usable"], &usable["missing"]), (&json!(true), &json!([])));
    assert_eq!(fake.rows::<Audience>().len(), 1, "one name is one audience");
    let asking = register(json!({ "disclosure": "Rate us and you win." })).unwrap_err();
    assert_eq!((asking.code.as_str(), asking.pointer.as_deref()), ("wording_refused", Some("/disclosure")));
}

#[test]
fn own_audiences_and_those_of_a_panel_are_listed_together() {
    let fake = with_panel().with(audience(100, 2));
    let all = fake.call("ux_signals.audience.list", json!({})).unwrap();
    let sources: Vec<&str> =
        all["audiences"].as_array().unwrap().iter().filter_map(|it| it["source"].as_str()).collect();
    assert_eq!(sources, ["own", "panel"]);
    fake.provider_fails("GET", "/v1/audiences", sdk::SendFailure::Timeout);
    let own = fake.call("ux_signals.audience.list", json!({})).unwrap();
    assert_eq!(own["audiences"].as_array().unwrap().len(), 1);
    assert!(own["degraded"][0]["why"].as_str().unwrap().contains("provider_error"));
}

#[test]
fn a_link_for_own_sharing_carries_its_parameters_and_says_what_people_will_see() {
    let html = "<title>Sale</title><meta property=og:title content='Big sale'><meta property=og:image content=/a.png>";
    let fake = world().serving("https://shop.example/sale?utm_source=old&x=1", html);
    let made = fake
        .call("ux_signals.link.create", json!({
            "site_id": SITE, "url": "https://shop.example/sale?utm_source=old&x=1", "source": "flyer", "medium": "print",
            "expires_at": "2026-12-31"
        }))
        .unwrap();
    assert_eq!(made["target"], "https://shop.example/sale?x=1&utm_source=flyer&utm_medium=print");
    assert_eq!(
        (&made["preview"]["title"], &made["expires_at"]),
        (&json!("Big sale"), &json!("2027-01-01T00:00:00.000Z"))
    );
    assert_eq!(made["preview"]["missing"], json!(["og:description", "twitter:card"]));
    assert!(made["qr_svg_ref"].as_str().unwrap().starts_with("http"));
    let code = links(&fake)[0].code.clone().unwrap();
    for number in 0..5 {
        fake.set_now(fake.now().plus(60_000));
        fake.follow(&code, &format!("visitor {number}"), Device::Mobile).unwrap();
    }
    let report = fake.call("ux_signals.link.report", json!({ "site_id": SITE })).unwrap();
    assert_eq!((&report["links"][0]["visits"], &report["series"][0]["unique"]), (&json!(5), &json!(5)));
    assert_eq!(fake.links().get(&code).unwrap().state, LinkState::Active);
    let past = json!({ "site_id": SITE, "url": OAK, "expires_at": "2026-11-22" });
    assert_eq!(fake.refusal("ux_signals.link.create", past).code, "expires_in_the_past");
    fake.serve(LAMP, 404, &[], b"");
    assert_eq!(fake.refusal("ux_signals.link.create", json!({ "site_id": SITE, "url": LAMP })).code, "url_unreachable");
}
