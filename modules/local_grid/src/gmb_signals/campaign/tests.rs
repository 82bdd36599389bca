//! Campaigns that are priced, bought once and refused.

use sdk::serde_json::Value;
use sdk::{Device, json};

use crate::gmb_signals::stored::Campaign;
use crate::gmb_signals::trial::{call, panel, quoted, ready};
use crate::gmb_signals::view::withheld;
use crate::stored::Business;
use crate::trial::{BUSINESS, CENTRE, actions_fit, at, business, scanned, shop, start};

const QUOTE: &str = "local_grid.gmb_signals.campaign.quote";
const CREATE: &str = "local_grid.gmb_signals.campaign.create";

fn with(arguments: &Value, name: &str, value: Value) -> Value {
    let mut changed = arguments.clone();
    changed[name] = value;
    changed
}

#[test]
fn a_quote_is_a_fifth_of_a_credit_for_each_action_and_the_same_for_the_same_terms() {
    let (fake, source) = ready(1);
    let arguments = json!({ "source_refs": [source], "daily_actions": 25, "duration_days": 30 });
    let quote = call(&fake, "campaign.quote", arguments.clone());
    assert_eq!(
        (&quote["actions_total"], &quote["total_credits"], &quote["credits_per_action"]),
        (&json!(750), &json!(150.0), &json!(0.2))
    );
    assert_eq!((&quote["weak_zones"], &quote["eligible_evidence"][0]["keyword"]), (&json!(1), &json!("lamp shop")));
    assert_eq!(quote["quote_hash"], call(&fake, "campaign.quote", arguments.clone())["quote_hash"]);
    assert_eq!(actions_fit(&quote), 1);
    for (name, value) in
        [("daily_actions", json!(26)), ("duration_days", json!(31)), ("audience_ref", json!("aud_near"))]
    {
        let other = call(&fake, "campaign.quote", with(&arguments, name, value));
        assert_ne!(quote["quote_hash"], other["quote_hash"], "{name}");
    }
}

#[test]
fn neither_pins_nor_coordinates_nor_routes_are_taken() {
    let (fake, source) = ready(1);
    let create = quoted(&fake, &source);
    let quote = json!({ "source_refs": [source], "daily_actions": 10, "duration_days": 7 });
    for (name, value) in [
        ("pins", json!([{ "latitude": 51.5, "longitude": -0.1 }])),
        ("coordinates", json!([51.5, -0.1])),
        ("latitude", json!(51.5)),
        ("route", json!("from A to B")),
        ("route_url", json!("https://maps.example/dir/A/B")),
    ] {
        assert_eq!(fake.refusal(QUOTE, with(&quote, name, value.clone())).code, "invalid_arguments", "{name}");
        assert_eq!(fake.refusal(CREATE, with(&create, name, value)).code, "invalid_arguments", "{name}");
    }
}

#[test]
fn a_scan_that_is_no_evidence_is_refused_with_a_code_for_each_reason_at_its_place_in_the_list() {
    let fake = shop();
    let old = scanned(&fake, json!({}), |_, _| at(9, ""));
    fake.set_now(fake.now().plus(46 * 86_400_000));
    let fit = scanned(&fake, json!({}), |_, _| at(9, ""));
    let few = scanned(&fake, json!({ "shape": "circle" }), |_, _| at(9, ""));
    let nowhere = scanned(&fake, json!({}), |_, _| at(0, ""));
    let strong = scanned(&fake, json!({}), |_, _| at(1, ""));
    let other = fake.put_as("bus-2", Business { name: "Other".into(), ..business(CENTRE) });
    let others = scanned(&fake, json!({ "business_ref": other.id }), |_, _| at(9, ""));
    let running = start(&fake, json!({}));
    fake.work_one_step();
    for (second, code) in [
        (old, "source_too_old"),
        (few, "source_too_few_pins"),
        (nowhere, "source_business_not_matched"),
        (strong, "source_no_weak_zone"),
        (running, "source_not_completed"),
        (others, "sources_of_several_businesses"),
        ("somebody-elses".to_owned(), "source_not_found"),
        (fit.clone(), "source_repeated"),
    ] {
        let sources = json!([format!("{fit}-0"), format!("{second}-0")]);
        let fault = fake.refusal(QUOTE, json!({ "source_refs": sources, "daily_actions": 10, "duration_days": 7 }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some("/source_refs/1")));
    }
    for (name, value) in [("daily_actions", 0), ("daily_actions", 101), ("duration_days", 6), ("duration_days", 91)] {
        let arguments = json!({ "source_refs": [format!("{fit}-0")], "daily_actions": 10, "duration_days": 7 });
        assert_eq!(fake.refusal(QUOTE, with(&arguments, name, json!(value))).code, "invalid_arguments", "{name}");
    }
}

#[test]
fn a_native_key_buys_one_campaign_and_gives_it_back_whatever_happens_since() {
    let (fake, source) = ready(1);
    let arguments = quoted(&fake, &source);
    let first = call(&fake, "campaign.create", arguments.clone());
    assert_eq!(
        (&first["state"], &first["actions_total"], &first["replayed"]),
        (&json!("queued"), &json!(70), &json!(false))
    );
    assert_eq!(first["first_action_day"], json!(fake.now().day().plus(1)));
    // The quote has expired and the scan is too old: the campaign is bought all the same.
    fake.set_now(fake.now().plus(60 * 86_400_000));
    let second = call(&fake, "campaign.create", arguments.clone());
    assert_eq!((&second["campaign_ref"], &second["replayed"]), (&first["campaign_ref"], &json!(true)));
    assert_eq!(fake.rows::<Campaign>().len(), 1);
    for (name, value) in [
        ("daily_actions", json!(11)),
        ("duration_days", json!(8)),
        ("expected_quote_hash", json!("other")),
        ("audience_ref", json!("aud_near")),
    ] {
        let fault = fake.refusal(CREATE, with(&arguments, name, value));
        assert_eq!(fault.code, "native_idempotency_key_conflict", "{name}");
        assert_eq!(fault.pointer.as_deref(), Some("/native_idempotency_key"));
    }
}

#[test]
fn what_differs_from_the_quote_buys_nothing() {
    let (fake, source) = ready(1);
    let arguments = quoted(&fake, &source);
    for (name, value) in
        [("daily_actions", json!(11)), ("duration_days", json!(8)), ("audience_ref", json!("aud_near"))]
    {
        let fault = fake.refusal(CREATE, with(&arguments, name, value));
        assert_eq!(
            (fault.code.as_str(), fault.pointer.as_deref()),
            ("quote_changed", Some("/expected_quote_hash")),
            "{name}"
        );
    }
    fake.set_now(fake.now().plus(3 * 86_400_000));
    assert_eq!(fake.refusal(CREATE, arguments).code, "quote_expired");
    assert!(fake.rows::<Campaign>().is_empty());
}

#[test]
fn without_people_who_may_be_asked_nothing_is_bought() {
    let (fake, source) = ready(1);
    let arguments = quoted(&fake, &source);
    panel(&fake, 30, 1);
    let fault = fake.refusal(CREATE, arguments.clone());
    // Thirty people, twice a week: eight a day.
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("audience_too_small", Some("/daily_actions")));
    assert!(fault.detail.unwrap().contains("\"daily_room\":8"));
    fake.provider_answers("GET", "/v1/audiences", 200, &json!({ "audiences": [], "next_cursor": null }));
    assert_eq!(fake.refusal(CREATE, arguments).code, "audience_not_found");
    let alone = shop();
    let run = scanned(&alone, json!({}), |_, _| at(9, ""));
    let fault = alone.refusal(CREATE, quoted(&alone, &format!("{run}-0")));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/audience_ref")));
    assert!(alone.rows::<Campaign>().is_empty() && fake.rows::<Campaign>().is_empty());
}

#[test]
fn a_scan_that_a_campaign_stands_on_is_not_deleted_until_the_campaign_is_over() {
    let (fake, source) = ready(1);
    let campaign = call(&fake, "campaign.create", quoted(&fake, &source));
    let run = json!({ "run_ref": source.trim_end_matches("-0") });
    let fault = fake.refusal("local_grid.run.delete", run.clone());
    assert_eq!(fault.code, "scan_is_evidence");
    assert!(fault.detail.unwrap().contains(campaign["campaign_ref"].as_str().unwrap()));
    fake.work();
    fake.call("local_grid.run.delete", run).unwrap();
    let got = call(&fake, "campaign.get", json!({ "campaign_ref": campaign["campaign_ref"] }));
    assert_eq!(got["scan_trend"], json!([]), "the evidence is gone and the campaign is still told of");
}

#[test]
fn counts_are_told_week_by_week_with_later_scans_and_few_people_are_withheld() {
    let (fake, source) = ready(1);
    let campaign = call(&fake, "campaign.create", quoted(&fake, &source));
    let reference = json!({ "campaign_ref": campaign["campaign_ref"] });
    let before = call(&fake, "campaign.get", reference.clone());
    assert_eq!(
        (&before["state"], &before["days_run"], &before["delivered"]),
        (&json!("preparing_links"), &json!(0), &json!(0))
    );
    // Into its first day.
    while fake.rows::<Campaign>()[0].state != campaign::State::Running {
        assert!(fake.work_one_step());
    }
    let code = fake.rows::<Campaign>()[0].link.clone().unwrap();
    for visitor in 0..4 {
        let target = fake.follow(&code, &format!("visitor-{visitor}"), Device::Mobile);
        assert!(target.unwrap().starts_with("https://shop.example"));
    }
    let few = call(&fake, "campaign.get", reference.clone());
    assert_eq!((&few["opened"], &few["by_week"][0]["opened"]), (&json!(null), &json!(null)), "{few}");
    assert!(few["degraded"].to_string().contains("fewer than 5"), "{few}");
    fake.follow(&code, "visitor-5", Device::Mobile);
    fake.work();
    let later = scanned(&fake, json!({}), |_, _| at(4, ""));
    let done = call(&fake, "campaign.get", reference);
    assert_eq!(
        (&done["state"], &done["days_run"], &done["delivered"], &done["charged_credits"]),
        (&json!("completed"), &json!(7), &json!(70), &json!(14.0))
    );
    assert_eq!((&done["opened"], &done["by_week"][0]["delivered"]), (&json!(5), &json!(70)));
    let trend = done["scan_trend"].as_array().unwrap();
    assert_eq!(
        (trend.len(), &trend[0]["evidence"], &trend[1]["figures"]["arp"]),
        (2, &json!(true), &json!(4.0)),
        "{later}"
    );
    assert_eq!(actions_fit(&done), 1);
    let fault = fake.refusal("local_grid.gmb_signals.campaign.get", json!({ "campaign_ref": "no" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("campaign_not_found", Some("/campaign_ref")));
    assert!(done["business_ref"] == BUSINESS);
}

#[test]
fn a_single_withheld_week_cannot_be_told_from_the_sum() {
    assert_eq!(withheld(&[40, 3, 9]), [Some(40), None, None]);
    assert_eq!(withheld(&[40, 3, 2, 9]), [Some(40), None, None, Some(9)]);
    assert_eq!(withheld(&[40, 0, 9]), [Some(40), Some(0), Some(9)]);
    assert_eq!(withheld(&[3]), [None]);
}
