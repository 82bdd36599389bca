//! Profiles: read, changed, guarded, and compared.

use super::*;

#[test]
fn locations_are_listed_with_what_a_person_looks_for() {
    let fake = Google::shop().fake();
    let listed = fake.call("listings.location.list", json!({})).unwrap();
    assert_eq!((&listed["total"], &listed["locations"][0]["location_ref"]), (&json!(1), &json!(LOCATION)));
    let row = &listed["locations"][0];
    assert_eq!(
        (&row["category"], &row["site_id"], &row["verified"]),
        (&json!("Lighting store"), &json!("81"), &json!(true))
    );
    let none = fake.call("listings.location.list", json!({ "search": "Bristol" })).unwrap();
    assert_eq!(none["total"], 0);
    let unknown = fake.refusal("listings.location.list", json!({ "connection_ref": "con_2" }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("connection_not_found", Some("/connection_ref")));
    let without = crate::fake().refusal("listings.location.list", json!({}));
    assert_eq!(without.code, "connection_required");
}

#[test]
fn references_of_others_do_not_exist() {
    let fake = Google::shop().fake();
    for wrong in ["108800001.4503600001.con_2", "nowhere", "a/b.c.con_1", "108800001.9.con_1"] {
        let fault = fake.refusal("listings.location.get", json!({ "location_ref": wrong }));
        assert!(matches!(fault.code.as_str(), "location_not_found" | "not_found_at_google"), "{wrong}: {fault:?}");
        assert_eq!(fault.pointer.as_deref(), Some("/location_ref"));
    }
}

#[test]
fn a_profile_is_changed_once_recorded_and_guarded_by_its_hash() {
    let google = Google::shop();
    let fake = google.fake();
    fake.serve(SHOP, 200, &[], b"<html>");
    let shown = called(&fake, "listings.location.get", json!({}));
    let hash = shown["edit_hash"].clone();
    let change = json!({ "edit_hash": hash, "changes": { "description": "Lamps since 1987.", "phones": { "primary": "+44 20 7946 0999" } } });
    let mut tried = change.clone();
    tried["validate_only"] = json!(true);
    let only = called(&fake, "listings.location.update", tried);
    assert_eq!(
        (&only["change_ref"], &only["location"]["phones"]["primary"]),
        (&Value::Null, &json!("+44 20 7946 0999"))
    );
    assert!(google.changes.borrow().is_empty(), "nothing was changed");
    let made = called(&fake, "listings.location.update", change.clone());
    assert!(made["change_ref"].is_string());
    assert_eq!(google.changes.borrow().len(), 1);
    assert_eq!(google.profile.borrow()["profile"]["description"], "Lamps since 1987.");
    assert_eq!(refused(&fake, "listings.location.update", change), at("edit_conflict", "/edit_hash"));
    let again = json!({ "edit_hash": made["edit_hash"], "changes": { "description": "Lamps since 1987." } });
    assert_eq!(called(&fake, "listings.location.update", again)["change_ref"], Value::Null, "it stands there already");
    let renamed = json!({ "edit_hash": made["edit_hash"], "changes": { "name": "Lamp shop" }, "validate_only": true });
    let warned = called(&fake, "listings.location.update", renamed);
    assert!(warned["warnings"][0].as_str().unwrap().starts_with("reverification_likely"));
}

#[test]
fn what_google_or_its_rules_refuse_is_told_and_changes_nothing() {
    let google = Google::shop();
    let fake = google.fake();
    let hash = called(&fake, "listings.location.get", json!({}))["edit_hash"].clone();
    let with =
        |changes: Value| refused(&fake, "listings.location.update", json!({ "edit_hash": hash, "changes": changes }));
    assert_eq!(with(json!({ "name": "refused" })), at("refused_by_google", "/changes"));
    assert_eq!(with(json!({})), at("nothing_to_change", "/changes"));
    assert_eq!(
        with(json!({ "description": "Call 020 7946 0101 now" })),
        at("description_refused", "/changes/description")
    );
    assert!(google.changes.borrow().is_empty());
    fake.provider_plays(|_| {
        let body = json!({ "error": { "code": 403, "details": [{ "reason": "SERVICE_DISABLED" }] } });
        Some(Ok((403, Vec::new(), body.to_string().into_bytes())))
    });
    let pending = fake.refusal("listings.location.get", json!({ "location_ref": LOCATION }));
    assert_eq!(pending.code, "provider_access_pending");
}

#[test]
fn a_change_whose_answer_was_lost_is_looked_for_and_not_sent_again() {
    let google = Google::shop();
    let fake = google.fake();
    google.loses_answer.set(true);
    let made = called(
        &fake,
        "listings.hours.update",
        json!({ "regular": [{ "day": "monday", "open": "10:00", "close": "16:00" }] }),
    );
    assert!(made["change_ref"].is_string());
    assert_eq!(google.changes.borrow().len(), 1, "sent once");
}

#[test]
fn hours_are_set_whole_with_the_holidays_that_were_forgotten() {
    let google = Google::shop();
    let fake = google.fake();
    fake.set_now("2026-12-01T09:00:00Z".parse().unwrap());
    let hours = json!({ "regular": [{ "day": "friday", "open": "18:00", "close": "02:00" }], "special": [{ "date": "2026-12-25", "closed": true }] });
    let set = called(&fake, "listings.hours.update", hours);
    assert_eq!(set["hours"]["regular"][0]["close"], "02:00");
    let warnings = set["warnings"].to_string();
    assert!(warnings.contains("2026-12-26") && !warnings.contains("2026-12-25"), "{warnings}");
    let next = &set["next"][0];
    assert_eq!(next["arguments"]["special"].as_array().unwrap().len(), 4);
    called(&fake, "listings.hours.update", next["arguments"].clone());
    let wrong = |special: Value| refused(&fake, "listings.hours.update", json!({ "special": special }));
    assert_eq!(wrong(json!([{ "date": "2026-11-01", "closed": true }])), at("date_passed", "/special/0"));
    assert_eq!(
        wrong(json!([{ "date": "2026-12-24", "closed": true, "open": "09:00" }])),
        at("closed_with_times", "/special/0")
    );
    assert_eq!(wrong(json!([{ "date": "2026-12-24" }])), at("invalid_hours", "/special/0"));
    let overlap = json!({ "regular": [{ "day": "monday", "open": "09:00", "close": "12:00" }, { "day": "monday", "open": "11:00", "close": "13:00" }] });
    assert_eq!(refused(&fake, "listings.hours.update", overlap), at("hours_overlap", "/regular/1"));
}

#[test]
fn edits_of_google_are_shown_and_answered_either_way() {
    let google = Google::shop();
    *google.edited.borrow_mut() =
        json!({ "phoneNumbers": { "primaryPhone": "+44 117 496 0999" }, "websiteUri": "https://other.example/" });
    let fake = google.fake();
    let shown = called(&fake, "listings.location.get", json!({}));
    assert_eq!(shown["google_edits"].as_array().unwrap().len(), 2);
    let next = &shown["next"][0];
    assert_eq!(next["operation_id"], "listings.google_edit.resolve");
    let decisions = json!([{ "field": "phoneNumbers", "keep": "ours" }, { "field": "websiteUri", "keep": "google" }, { "field": "title", "keep": "ours" }]);
    let resolved = called(&fake, "listings.google_edit.resolve", json!({ "decisions": decisions }));
    assert_eq!(resolved["resolved"][2]["became"], "already_gone");
    assert_eq!(google.profile.borrow()["websiteUri"], "https://other.example/");
    assert_eq!(google.profile.borrow()["phoneNumbers"]["primaryPhone"], "+44 20 7946 0101");
    assert!(called(&fake, "listings.location.get", json!({}))["google_edits"].as_array().unwrap().is_empty());
}

#[test]
fn categories_are_those_of_the_country_and_the_nearest_stand_in_the_refusal() {
    let google = Google::shop();
    let fake = google.fake();
    let set = json!({ "primary": "lamp_repair_service", "additional": ["gcid:gift_shop"] });
    let done = called(&fake, "listings.category.update", set);
    assert_eq!(done["categories"][0], json!({ "id": "gcid:lamp_repair_service", "name": "Lamp repair service" }));
    let unknown =
        fake.refusal("listings.category.update", json!({ "location_ref": LOCATION, "primary": "gcid:lighting_shop" }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("category_unknown", Some("/primary")));
    assert!(unknown.message.contains("gcid:lighting_store"), "{}", unknown.message);
    let twice = json!({ "primary": "gcid:gift_shop", "additional": ["gift_shop"] });
    assert_eq!(refused(&fake, "listings.category.update", twice), at("category_twice", "/additional/0"));
}

#[test]
fn categories_are_suggested_by_what_the_business_says_of_itself() {
    let google = Google::shop();
    google.profile.borrow_mut()["profile"] =
        json!({ "description": "We mend lamps: lamp repair and a lamp repair service for gift shops." });
    let fake = google.fake().serving(SHOP, "<title>Lamp repair</title><h1>Lamp repair service</h1><p>We repair.</p>");
    let found = called(&fake, "listings.category.suggest", json!({}));
    assert_eq!(found["categories"][0]["id"], "gcid:lamp_repair_service", "{found}");
    assert_eq!(
        (&found["categories"][0]["leaders_using"], &found["degraded"][0]["what"]),
        (&Value::Null, &json!("leaders_using"))
    );
}

#[test]
fn services_are_one_list_and_attributes_have_their_kinds() {
    let google = Google::shop();
    let fake = google.fake();
    let services = json!([{ "name": "Lamp repair", "price": { "amount": 15.5, "currency": "GBP" } }, { "name": "Rewiring", "category": "gcid:lamp_repair_service" }]);
    let set = called(
        &fake,
        "listings.service.update",
        json!({ "services": services, "attributes": { "has_in_store_pickup": true } }),
    );
    assert_eq!(set["services"][0]["price"], json!({ "amount": "15.50", "currency": "GBP" }));
    assert_eq!(set["attributes"], json!({ "has_in_store_pickup": true }));
    let one = called(&fake, "listings.service.update", json!({ "services": [{ "name": "Rewiring" }] }));
    assert_eq!(one["removed"], json!(["Lamp repair"]));
    let wrong = |attributes: Value| refused(&fake, "listings.service.update", json!({ "attributes": attributes }));
    assert_eq!(wrong(json!({ "has_pool": true })), at("attribute_unknown", "/attributes/has_pool"));
    assert_eq!(
        wrong(json!({ "has_in_store_pickup": "yes" })),
        at("attribute_value", "/attributes/has_in_store_pickup")
    );
    let cards = json!({ "pay_credit_card_types_accepted": ["visa", "gold"] });
    assert_eq!(wrong(cards), at("attribute_value", "/attributes/pay_credit_card_types_accepted"));
    let stranger = json!({ "services": [{ "name": "A", "category": "gcid:bakery" }] });
    assert_eq!(refused(&fake, "listings.service.update", stranger), at("category_unknown", "/services/0/category"));
}

#[test]
fn calls_are_counted_by_day_and_against_the_same_weekdays_a_year_before() {
    let fake = Google::shop().fake();
    let shown = called(&fake, "listings.performance.report", json!({ "from": "2026-09-01", "to": "2026-09-27" }));
    let calls = shown["series"].as_array().unwrap().iter().find(|it| it["metric"] == "calls").unwrap();
    let values = calls["values"].as_array().unwrap();
    assert_eq!((values.len(), &values[0], &values[5]), (27, &json!(12), &json!(0)), "6 September is a Sunday");
    assert_eq!(values[26], Value::Null, "a day that Google does not have yet is no 0");
    let yoy = &shown["yoy"]["calls"];
    assert_eq!((&yoy["days"], &yoy["change"]), (&json!(24), &json!(0.2)), "{yoy}");
    let messages = &shown["totals"]["messaging_clicks"];
    assert_eq!(messages["total"], Value::Null);
    assert_eq!(
        refused(&fake, "listings.performance.report", json!({ "from": "2024-01-01" })),
        at("too_far_back", "/from")
    );
    assert_eq!(
        refused(&fake, "listings.performance.report", json!({ "from": "2026-09-02", "to": "2026-09-01" })),
        at("reversed_period", "/from")
    );
}

#[test]
fn search_terms_say_whether_they_name_the_business_and_where_they_are_spoken_of() {
    let google = Google::shop();
    google.profile.borrow_mut()["serviceItems"] = json!([{ "freeFormServiceItem": { "category": "categories/gcid:lighting_store", "label": { "displayName": "Lamp repairs" } } }]);
    let shown = called(&google.fake(), "listings.search_term.report", json!({ "months": 3 }));
    let term =
        |wanted: &str| shown["terms"].as_array().unwrap().iter().find(|it| it["term"] == wanted).cloned().unwrap();
    assert_eq!(term("lamp shop")["brand"], true);
    assert_eq!(term("lamp repair")["covered_in"], json!(["services"]));
    assert_eq!((&term("oil wick")["impressions"], &term("oil wick")["below"]), (&Value::Null, &json!(15)));
    assert_eq!(shown["missing"], json!(["antique clock", "oil wick"]));
    assert_eq!(
        (&shown["from_month"], &shown["to_month"], &shown["n"]),
        (&json!("2026-06"), &json!("2026-08"), &json!(500))
    );
}

#[test]
fn the_record_is_normal_and_says_where_the_profile_differs() {
    let google = Google::shop();
    let fake = google.fake();
    let set = record(&fake);
    assert_eq!(
        (&set["nap"]["phone"], &set["nap"]["phone_national"]),
        (&json!("+442079460101"), &json!("020 7946 0101"))
    );
    assert_eq!(set["differs_from_profile"], json!([]));
    google.profile.borrow_mut()["storefrontAddress"]["addressLines"] = json!(["11 Lamp Lane"]);
    let differs = &record(&fake)["differs_from_profile"];
    assert_eq!((&differs[0]["field"], &differs[0]["grade"]), (&json!("address"), &json!("conflict")));
    let mut wrong = json!({ "name": "A", "address": { "lines": ["1 Lamp Lane"], "country": "GB" }, "phone": "12345" });
    assert_eq!(refused(&fake, "listings.nap.set", wrong.clone()), at("invalid_phone", "/phone"));
    wrong["phone"] = json!("030 90182000");
    wrong["address"]["country"] = json!("DE");
    assert_eq!(called(&fake, "listings.nap.set", wrong)["nap"]["phone"], "+493090182000");
}

#[test]
fn an_audit_finds_what_is_planted_and_names_calls_that_are_valid() {
    let google = Google::shop();
    let fake = google.fake().serving(SHOP, "<title>Lamps</title><h1>Lamps</h1><p>Lamp shop Lampton, 1 Lamp Lane, TW3 4EW. <a href='tel:+442079460101'>020 7946 0101</a></p>");
    record(&fake);
    google.profile.borrow_mut()["title"] = json!("BEST LAMPS LAMPTON");
    google.profile.borrow_mut()["phoneNumbers"] = json!({ "primaryPhone": "+44 117 496 0999", "additionalPhones": [] });
    *google.edited.borrow_mut() = json!({ "title": "Lamp shop" });
    let found = called(&fake, "listings.location.audit", json!({}));
    let check = |id: &str| {
        found["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["id"] == id)
            .cloned()
            .unwrap_or_else(|| panic!("no {id}"))
    };
    for id in [
        "no_google_edits",
        "name_equals_record",
        "name_without_advertising",
        "name_not_in_capitals",
        "phone_equals_record",
        "hours",
        "description",
        "post_of_30_days",
        "logo",
        "services",
    ] {
        let failing = id != "hours";
        assert_eq!(check(id)["pass"], json!(!failing), "{id}: {}", check(id));
        assert_eq!(check(id)["fix"].is_object(), failing, "{id}");
    }
    assert_eq!(check("rating")["pass"], Value::Null, "no review was looked at");
    let count = found["checks"].as_array().unwrap().len();
    assert!((38..=44).contains(&count), "{count}");
    assert_eq!(found["checks"][0]["weight"], 3, "the weightiest first");
    assert!(found["score"].as_f64().unwrap() < 75.0);
}

#[test]
fn what_the_record_knows_is_mended_by_the_call_that_the_audit_names() {
    let google = Google::shop();
    let fake = google.fake().serving(SHOP, "<h1>Lamp shop Lampton</h1>");
    record(&fake);
    google.profile.borrow_mut()["title"] = json!("BEST LAMPS");
    google.profile.borrow_mut()["phoneNumbers"] = json!({ "primaryPhone": "+44 117 496 0999", "additionalPhones": [] });
    google.profile.borrow_mut()["regularHours"] = json!({});
    for id in ["name_equals_record", "phone_equals_record"] {
        let check =
            |found: &Value| found["checks"].as_array().unwrap().iter().find(|it| it["id"] == id).cloned().unwrap();
        let before = check(&called(&fake, "listings.location.audit", json!({})));
        assert_eq!(
            (&before["pass"], &before["fix"]["operation_id"]),
            (&json!(false), &json!("listings.location.update")),
            "{before}"
        );
        called(&fake, "listings.location.update", before["fix"]["arguments"].clone());
        assert_eq!(check(&called(&fake, "listings.location.audit", json!({})))["pass"], json!(true), "{id}");
    }
    let found = called(&fake, "listings.location.audit", json!({}));
    let hours = found["checks"].as_array().unwrap().iter().find(|it| it["id"] == "hours").unwrap();
    assert_eq!(hours["fix"]["operation_id"], "listings.location.get", "hours that nobody gave are not made up");
}
