//! Quotes, terms, and the charge for links that became ready.

use campaign::State;
use sdk::json;

use super::*;
use crate::stored::{Charge, Preparation};

#[test]
fn the_price_is_five_credits_for_each_page() {
    let fake = world().with(audience(100, 2));
    for urls in [&[OAK][..], &[OAK, LAMP], &[OAK, LAMP, ELSEWHERE]] {
        let quote = fake.call("ux_signals.viral.campaign.quote", asked(urls)).unwrap();
        assert_eq!(quote["per_url_credits"], 5.0);
        assert_eq!(quote["total_credits"], 5.0 * urls.len() as f64);
        assert_eq!(quote["schedule_preview"]["by_day"], json!([10, 10, 10]));
        assert_eq!(quote["degraded"], json!([]));
    }
}

#[test]
fn a_quote_says_which_pages_answer_and_whose_they_are() {
    let fake = world().with(audience(100, 2));
    fake.serve(LAMP, 404, &[], b"");
    let quote = fake.call("ux_signals.viral.campaign.quote", asked(&[OAK, LAMP, ELSEWHERE])).unwrap();
    let of = |at: usize| (quote["urls"][at]["own"].clone(), quote["urls"][at]["answered"].clone());
    assert_eq!(
        [of(0), of(1), of(2)],
        [(json!(true), json!("200")), (json!(true), json!("404")), (json!(false), json!("200"))]
    );
    assert!(quote["degraded"][0]["why"].as_str().unwrap().contains("not charged"));
}

#[test]
fn anything_that_differs_from_the_quote_is_refused_and_nothing_is_stored() {
    let fake = world().with(audience(100, 2));
    let arguments = quoted(&fake, asked(&[OAK]));
    let others = [
        ("urls", json!([LAMP])),
        ("urls", json!([OAK, LAMP])),
        ("duration_days", json!(4)),
        ("daily_actions", json!(11)),
        ("message", json!("Have a look at our lamps.")),
    ];
    for (name, value) in others {
        let mut changed = arguments.clone();
        changed[name] = value;
        let fault = fake.refusal("ux_signals.viral.campaign.create", changed);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("quote_changed", Some("/expected_quote_hash")));
    }
    assert!(fake.rows::<Campaign>().is_empty() && !fake.work_one_step());
    fake.call("ux_signals.viral.campaign.create", arguments).unwrap();
}

#[test]
fn terms_that_cannot_be_are_refused_at_what_is_wrong() {
    let fake = world().with(audience(100, 2));
    let eleven: Vec<String> = (0..11).map(|number| format!("https://shop.example/{number}")).collect();
    let cases = [
        (json!({ "urls": eleven }), "invalid_arguments", "/urls"),
        (json!({ "urls": [] }), "invalid_arguments", "/urls"),
        (json!({ "urls": [ELSEWHERE] }), "no_own_url", "/urls"),
        (json!({ "urls": [OAK, format!("{OAK}#top")] }), "url_twice", "/urls/1"),
        (json!({ "urls": [OAK, "http://192.168.0.1/"] }), "url_not_public", "/urls/1"),
        (json!({ "message": "Please search for us and click the result." }), "wording_refused", "/message"),
        (json!({ "message": "Bitte bewerten Sie uns mit fünf Sternen." }), "wording_refused", "/message"),
        (json!({ "site_id": "99" }), "website_not_found", "/site_id"),
        (json!({ "audience_refs": ["aud_unknown"] }), "audience_not_found", "/audience_refs/0"),
    ];
    for (change, code, pointer) in cases {
        let mut arguments = asked(&[OAK]);
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let fault = fake.refusal("ux_signals.viral.campaign.quote", arguments);
        assert_eq!(fault.code, code, "{change}");
        assert!(fault.pointer.as_deref().is_none_or(|it| it.starts_with(pointer)), "{change}: {:?}", fault.pointer);
    }
}

#[test]
fn nobody_to_invite_is_told_by_the_quote_and_refused_when_bought() {
    let fake = world().with(Audience { proven_at: None, ..audience(100, 2) });
    let arguments = quoted(&fake, asked(&[OAK]));
    let quote = fake.call("ux_signals.viral.campaign.quote", asked(&[OAK])).unwrap();
    assert!(quote["degraded"][0]["why"].as_str().unwrap().contains("ux_signals.audience.register"));
    let fault = fake.refusal("ux_signals.viral.campaign.create", arguments);
    assert_eq!(fault.code, "no_usable_audience");
    assert!(fake.rows::<Campaign>().is_empty());
}

#[test]
fn an_audience_without_proof_or_of_another_website_is_refused_by_name() {
    let fake = world()
        .with_as("aud_new", Audience { proven_at: None, ..audience(100, 2) })
        .with_as("aud_other", Audience { site_id: "7".into(), name: "Other".into(), ..audience(100, 2) });
    for (reference, code) in [("aud_new", "audience_unusable"), ("aud_other", "audience_of_another_site")] {
        let mut arguments = asked(&[OAK]);
        arguments["audience_refs"] = json!([reference]);
        assert_eq!(fake.refusal("ux_signals.viral.campaign.quote", arguments).code, code);
    }
}

#[test]
fn only_links_that_became_ready_are_charged_when_the_preparation_ends() {
    let fake = world().with(audience(100, 2));
    let campaign = bought(&fake, &[OAK, LAMP, ELSEWHERE]);
    assert_eq!(get(&fake, &campaign)["charge"]["state"], "reserved");
    fake.serve(LAMP, 500, &[], b"");
    fake.fail(ELSEWHERE, sdk::Failure::Timeout);
    scheduled(&fake, &campaign);
    let view = get(&fake, &campaign);
    let states: Vec<&str> = view["timeline"].as_array().unwrap().iter().filter_map(|it| it["state"].as_str()).collect();
    assert_eq!(states, ["preparing_links", "charging", "scheduled"]);
    assert_eq!((&view["links_ready"], &view["charge"]["charged_credits"]), (&json!(1), &json!(5.0)));
    assert_eq!(view["charge"]["reserved_credits"], 15.0);
    let dead: Vec<&str> = view["problems"].as_array().unwrap().iter().filter_map(|it| it["url"].as_str()).collect();
    assert_eq!(dead, [LAMP, ELSEWHERE]);
    let charges = fake.call("ux_signals.campaign.charge.list", json!({ "campaign_ref": campaign })).unwrap();
    let state: Vec<&str> =
        charges["charges"].as_array().unwrap().iter().filter_map(|it| it["state"].as_str()).collect();
    assert_eq!((state, &charges["total"]), (vec!["charged", "released", "released"], &json!(5.0)));
    let reference = charges["charges"][0]["ledger_ref"].as_str().unwrap();
    assert!(reference.starts_with("job_") && reference.ends_with(":hold:c!"));
    assert_eq!(links(&fake).iter().filter(|link| link.code.is_some()).count(), 1, "a dead page has no link");
}

#[test]
fn a_campaign_whose_own_pages_all_died_fails_and_nothing_is_charged() {
    let fake = world().with(audience(100, 2));
    let campaign = bought(&fake, &[OAK, ELSEWHERE]);
    fake.serve(OAK, 410, &[], b"");
    scheduled(&fake, &campaign);
    let view = get(&fake, &campaign);
    assert_eq!((&view["state"], &view["charge"]["state"]), (&json!("failed"), &json!("released")));
    assert_eq!(view["problems"][1]["code"], "no_own_link_ready");
    assert!(links(&fake).iter().all(|link| link.charge == Charge::Released));
    assert!(links(&fake).iter().any(|link| link.state == Preparation::Ready), "the other page was fine");
    assert!(!fake.work_one_step() && tasks(&fake).is_empty(), "nobody is invited");
}

#[test]
fn a_page_whose_host_wants_a_pause_is_asked_for_again() {
    let fake = world().with(audience(100, 2));
    let campaign = bought(&fake, &[OAK]);
    fake.fail(OAK, sdk::Failure::Paced(3));
    assert!(fake.work_one_step() && fake.work_one_step());
    assert_eq!(stored(&fake, &campaign).state, State::PreparingLinks);
    let fake = fake.serving(OAK, "<title>Oak</title>");
    scheduled(&fake, &campaign);
    assert_eq!(stored(&fake, &campaign).links_ready, 1);
}
