//! Metrics are asked for once, by the cheapest question, and unknown is not zero.

use super::*;

const OVERVIEW: &str = "dataforseo_labs/google/keyword_overview/live";
const HISTORY: &str = "dataforseo_labs/google/historical_search_volume/live";
const ADS: &str = "keywords_data/google_ads/search_volume/live";

#[test]
fn labs_is_asked_first_and_google_ads_for_the_rest() {
    let provider = Provider::of(&[("desk lamp", 900), ("reading lamp", 300)]);
    provider.ads.borrow_mut().insert("brass lamp".to_owned(), 70);
    let fake = fake(&provider);
    let reference = set(
        &fake,
        &["desk lamp", "reading lamp", "brass lamp", "nobody's lamp", "what (lamp) is 10% off", &"x".repeat(90)],
    );
    let done = job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    assert_eq!(
        (done["refreshed"].as_u64(), done["not_found"].as_u64(), done["skipped_total"].as_u64()),
        (Some(4), Some(1), Some(2))
    );
    let mut reasons = texts(list(&done, "skipped"), "reason");
    reasons.sort();
    assert_eq!(reasons, ["characters_refused", "too_long"]);
    assert_eq!((provider.count(OVERVIEW), provider.count(HISTORY), provider.count(ADS)), (1, 1, 1));
    assert_eq!(done["provider_cost"], json!({ "amount": "0.030000", "currency": "USD" }));
    let rows = call(&fake, "keywords.item.list", &json!({ "set_ref": reference }));
    let volume = |name: &str| {
        list(&rows, "keywords").iter().find(|it| it["keyword"] == name).map(|it| it["volume"].clone()).expect("a row")
    };
    assert_eq!(
        (volume("desk lamp"), volume("brass lamp"), volume("nobody's lamp")),
        (json!(900), json!(70), json!(null))
    );
    let sets = call(&fake, "keywords.set.list", &json!({ "site_id": SITE }));
    assert_eq!(sets["sets"][0]["volume_total"].as_u64(), Some(1_270));
    let again = job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    assert_eq!((again["refreshed"].as_u64(), again["young"].as_u64(), provider.count(OVERVIEW)), (Some(0), Some(4), 1));
    let anew = job(
        &fake,
        "keywords.metric.refresh",
        &json!({ "set_ref": reference, "max_age_days": 0, "with_history": false }),
    );
    assert_eq!((anew["refreshed"].as_u64(), provider.count(OVERVIEW)), (Some(4), 2), "one question for all of them");
}

#[test]
fn a_refresh_waits_for_the_provider_and_ends_with_what_it_has() {
    let provider = Provider::of(&[("desk lamp", 900)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["desk lamp"]);
    provider.failing.set((2, 50_301));
    let done = job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    assert_eq!((done["refreshed"].as_u64(), done["stopped_by"].is_null()), (Some(1), true));
    provider.failing.set((1, 40_200));
    fake.set_now(fake.now().plus(60_000));
    let done = job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference, "max_age_days": 0 }));
    assert!(text(&done, "stopped_by").starts_with("provider_quota_exhausted"), "{done}");
    fake.set_now(fake.now().plus(60_000));
    let started = call(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference, "max_age_days": 0 }));
    let busy = fake.refusal("keywords.metric.refresh", json!({ "set_ref": reference }));
    assert_eq!(
        (busy.code.as_str(), busy.detail.is_some_and(|it| it.contains(text(&started, "job_ref")))),
        ("set_busy", true)
    );
}

#[test]
fn a_refresh_is_repeated_until_it_is_told_to_end_or_its_set_is_gone() {
    let fake = fake(&Provider::of(&[("desk lamp", 90)]));
    let reference = set(&fake, &["desk lamp"]);
    let next = || call(&fake, "keywords.set.list", &json!({ "site_id": SITE }))["sets"][0]["next_refresh_at"].clone();
    assert!(next().is_null());
    let monthly = json!({ "set_ref": reference, "every": "monthly" });
    let started = call(&fake, "keywords.metric.refresh", &monthly);
    assert!(next().is_string() && next() == started["next_refresh_at"]);
    fake.work();
    call(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    assert!(next().is_null(), "a refresh that says nothing of it ends the repetition");
    fake.work();
    call(&fake, "keywords.metric.refresh", &monthly);
    fake.work();
    call(&fake, "keywords.set.delete", &json!({ "set_ref": reference }));
    assert!(fake.schedules().get(&format!("refresh-{reference}")).is_none());
}

#[test]
fn a_market_without_keyword_data_and_a_missing_account_are_refused_before() {
    let fake = fake(&Provider::default());
    let asked = json!({ "site_id": SITE, "name": "South", "country": "AQ", "language": "en" });
    let south = call(&fake, "keywords.set.create", &asked)["set_ref"].clone();
    call(&fake, "keywords.item.import", &json!({ "set_ref": south, "lines": ["penguin"] }));
    let refused = fake.refusal("keywords.metric.refresh", json!({ "set_ref": south }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("market_not_covered", Some("/set_ref")));
    let bare = crate::fake();
    bare.put_as(
        SITE,
        site::Site { domain: "shop.example".to_owned(), origin: SHOP.to_owned(), ..site::Site::default() },
    );
    let reference = set(&bare, &["desk lamp"]);
    assert_eq!(bare.refusal("keywords.metric.refresh", json!({ "set_ref": reference })).code, "connection_required");
}

#[test]
fn seasons_come_from_months_and_tell_when_to_publish() {
    let provider = Provider::of(&[("advent wreath", 500)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["advent wreath", "desk lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let found = call(&fake, "keywords.seasonality.analyze", &json!({ "set_ref": reference }));
    let row = &found["rows"][0];
    assert_eq!((text(row, "keyword"), text(row, "basis"), list(row, "months").len()), ("advent wreath", "volume", 48));
    assert_eq!((row["peaks"][0]["month"].as_u64(), text(row, "publish_by")), (Some(12), "2026-10-06"));
    assert!(of(row, "strength") > 0.95);
    assert_eq!(
        (found["unknown"].clone(), found["degraded"][0]["operation_id"].clone()),
        (json!(["desk lamp"]), json!("keywords.metric.refresh"))
    );
}

#[test]
fn intents_of_a_set_are_compared_with_the_provider() {
    let provider = Provider::of(&[("best desk lamp", 90), ("desk lamp price", 40)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["best desk lamp", "desk lamp price", "lamp shop login", "desk lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let found = call(&fake, "keywords.intent.classify", &json!({ "set_ref": reference }));
    let intent = |name: &str| {
        list(&found, "rows").iter().find(|it| it["keyword"] == name).map(|it| it["intent"].clone()).expect("a row")
    };
    assert_eq!(
        (intent("best desk lamp"), intent("desk lamp price"), intent("lamp shop login"), intent("desk lamp")),
        (json!("commercial"), json!("transactional"), json!("navigational"), json!(null))
    );
    assert_eq!((found["agreement"].as_f64(), found["agreement_n"].as_u64()), (Some(0.5), Some(2)));
    assert_eq!(
        fake.refusal("keywords.intent.classify", json!({ "keywords": ["a lamp"] })).pointer.as_deref(),
        Some("/language")
    );
}
