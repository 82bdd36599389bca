//! Tests of `account.profile.*`.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::{Settings, codes};

fn host() -> Fake {
    let fake = crate::fake();
    fake.platform("account", Ok(crate::tests::account(&json!(1_790_000_000_000_u64))));
    fake
}

fn profile(fake: &Fake) -> Value {
    fake.call("account.profile.get", json!({})).unwrap()["profile"].clone()
}

#[test]
fn a_new_workspace_has_defaults_a_plan_and_its_limits() {
    let fake = host();
    let workspace = fake.call("account.profile.get", json!({})).unwrap();
    assert_eq!(
        workspace["profile"],
        json!({ "timezone": "UTC", "country": null, "language": null, "currency": null, "week_start": "mon", "postal_address": null })
    );
    assert_eq!(workspace["plan"], json!({ "name": "standard", "upcoming": null }));
    assert_eq!(workspace["limits"]["window_seconds"], 60);
}

#[test]
fn a_plan_that_is_to_come_is_shown_with_its_day() {
    let fake = crate::fake();
    let mut account = crate::tests::account(&json!(null));
    account["next_plan"] = json!({ "plan": "agency", "effective_at": 1_790_812_800_000_u64 });
    fake.platform("account", Ok(account));
    let plan = fake.call("account.profile.get", json!({})).unwrap()["plan"].clone();
    assert_eq!(plan["upcoming"], json!({ "name": "agency", "effective_at": "2026-10-01T00:00:00.000Z" }));
}

#[test]
fn what_is_set_is_kept_as_the_lists_write_it_and_what_is_not_stays() {
    let fake = host();
    let first = json!({ "timezone": "europe/BERLIN", "country": "de", "language": "DE", "currency": "eur", "week_start": "sun" });
    let updated = fake.call("account.profile.update", first).unwrap();
    assert_eq!(updated["changed"], json!(["timezone", "country", "language", "currency", "week_start"]));
    let again = json!({ "currency": "EUR", "postal_address": " Lamp Shop\n10115 Berlin " });
    let updated = fake.call("account.profile.update", again).unwrap();
    assert_eq!(updated["changed"], json!(["postal_address"]));
    let wanted = json!({ "timezone": "Europe/Berlin", "country": "DE", "language": "de", "currency": "EUR", "week_start": "sun", "postal_address": "Lamp Shop\n10115 Berlin" });
    assert_eq!((&updated["profile"], &profile(&fake)), (&wanted, &wanted));
    assert_eq!(fake.rows::<Settings>().len(), 1);
}

#[test]
fn an_empty_address_takes_the_address_away() {
    let fake = host();
    fake.call("account.profile.update", json!({ "postal_address": "Hauptstr. 1" })).unwrap();
    let updated = fake.call("account.profile.update", json!({ "postal_address": "" })).unwrap();
    assert_eq!(
        (&updated["changed"], &updated["profile"]["postal_address"]),
        (&json!(["postal_address"]), &json!(null))
    );
}

#[test]
fn nothing_new_writes_nothing() {
    let fake = host();
    for arguments in [json!({}), json!({ "timezone": "UTC", "week_start": "mon" })] {
        assert_eq!(fake.call("account.profile.update", arguments).unwrap()["changed"], json!([]));
    }
    assert!(fake.rows::<Settings>().is_empty());
}

#[test]
fn names_and_codes_that_nobody_uses_are_refused_with_their_place() {
    let fake = host();
    for (arguments, code, pointer) in [
        (json!({ "timezone": "Germany/Berlin" }), "unknown_timezone", "/timezone"),
        (json!({ "timezone": "Factory" }), "unknown_timezone", "/timezone"),
        (json!({ "country": "ZZ" }), "invalid_arguments", "/country"),
        (json!({ "language": "xx" }), "unknown_language", "/language"),
        (json!({ "language": "deu" }), "unknown_language", "/language"),
        (json!({ "currency": "DEM" }), "unknown_currency", "/currency"),
        (json!({ "currency": "XXX" }), "unknown_currency", "/currency"),
        (json!({ "postal_address": "a\tb" }), "invalid_address", "/postal_address"),
    ] {
        let fault = fake.refusal("account.profile.update", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    let fault = fake.refusal("account.profile.update", json!({ "timezone": "Germany/Berlin" }));
    let detail: Value = sdk::serde_json::from_str(&fault.detail.unwrap()).unwrap();
    assert_eq!(detail["similar"], json!(["Europe/Berlin"]));
    assert!(fake.rows::<Settings>().is_empty());
}

#[test]
fn the_lists_have_what_their_sources_have() {
    assert!(
        ["UTC", "Asia/Kolkata", "Asia/Calcutta", "America/Argentina/Ushuaia", "Etc/GMT+12"]
            .iter()
            .all(|it| codes::time_zone(it).is_some())
    );
    assert!(["de", "zh", "zu", "aa", "he"].iter().all(|it| codes::is_language(it)));
    assert!(["iw", "bh", "mo"].iter().all(|it| !codes::is_language(it)), "withdrawn ones are left out");
    assert!(["USD", "eur", "ZWG", "XCG"].iter().all(|it| codes::currency(it).is_some()));
    assert!(["HRK", "BGN", "ANG", "E U"].iter().all(|it| codes::currency(it).is_none()), "former ones are left out");
}
