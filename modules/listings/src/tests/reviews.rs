//! Reviews: synced, listed, reported, answered, and asked for.

use super::*;

fn synced(google: &Google) -> (Fake, Value) {
    let fake = google.fake();
    let job = sync(&fake);
    (fake, job)
}

fn sync(fake: &Fake) -> Value {
    let started = fake.call("listings.review.sync", json!({ "location_refs": [LOCATION] })).expect("a job");
    ended(fake, &started)
}

fn some(count: usize) -> Vec<Value> {
    (0..count)
        .map(|at| review(&format!("r{at}"), "FOUR", "2026-08-01", Some("Friendly staff, but we waited an hour.")))
        .collect()
}

#[test]
fn new_edited_and_removed_reviews_are_told_and_a_list_that_breaks_off_removes_nothing() {
    let google = Google::shop();
    google.reviews.borrow_mut().extend(some(120));
    let (fake, first) = synced(&google);
    assert_eq!((&first["new"], &first["edited"], &first["removed"]), (&json!(120), &json!(0), &json!(0)), "{first}");
    assert_eq!(first["locations"][0]["complete"], true);
    fake.set_now("2026-09-29T00:00:00Z".parse().unwrap());
    {
        let mut all = google.reviews.borrow_mut();
        all.remove(7);
        all[3]["starRating"] = json!("ONE");
        all.push(review("new", "FIVE", "2026-09-28", None));
    }
    google.breaks_at.set(Some(2));
    let broken = sync(&fake);
    assert_eq!((&broken["removed"], &broken["locations"][0]["complete"]), (&json!(0), &json!(false)), "{broken}");
    assert!(!broken["degraded"].as_array().unwrap().is_empty());
    google.breaks_at.set(None);
    fake.set_now("2026-09-30T00:00:00Z".parse().unwrap());
    let whole = sync(&fake);
    assert_eq!((&whole["removed"], &whole["new"]), (&json!(1), &json!(1)), "{whole}");
    let listed = called(&fake, "listings.review.list", json!({ "rating": 1 }));
    let row = &listed["reviews"][0];
    assert_eq!((&row["stars"], &row["stars_before"], &row["initials"]), (&json!(1), &json!(4), &json!("AL")));
}

#[test]
fn who_wrote_a_review_is_not_kept() {
    let google = Google::shop();
    google.reviews.borrow_mut().extend(some(3));
    let (fake, _) = synced(&google);
    let listed = called(&fake, "listings.review.list", json!({})).to_string();
    assert!(!listed.contains("Lovelace") && !listed.contains("lh3.example"));
    for row in fake.rows::<crate::review::stored::Review>() {
        let written = sdk::serde_json::to_string(&row.it).unwrap();
        assert!(!written.contains("Lovelace") && !written.contains("photo"), "{written}");
    }
}

#[test]
fn reviews_are_found_by_what_they_speak_of_and_whether_they_have_an_answer() {
    let google = Google::shop();
    {
        let mut all = google.reviews.borrow_mut();
        all.push(review("a", "FIVE", "2026-08-01", Some("The staff were very friendly and helpful.")));
        all.push(review("b", "TWO", "2026-08-05", Some("Waited twenty minutes at the counter, awful.")));
        all.push(review("c", "ONE", "2026-08-06", Some("Die Lieferung kam zu spät und die Lampe war kaputt.")));
        all.push(review("d", "FIVE", "2026-08-07", Some("とても良い店でした。また行きたいです。")));
        all[0]["reviewReply"] = json!({ "comment": "Thank you.", "updateTime": "2026-08-02T09:00:00Z" });
    }
    let (fake, _) = synced(&google);
    let listed = |arguments: Value| {
        let listed = called(&fake, "listings.review.list", arguments);
        let rows = listed["reviews"].as_array().unwrap().clone();
        rows.iter().map(|it| it["stars"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(listed(json!({ "theme": "wait" })), [2]);
    assert_eq!(listed(json!({ "theme": "delivery" })), [1]);
    assert_eq!(listed(json!({ "replied": true })), [5]);
    assert_eq!(listed(json!({ "from": "2026-08-06" })), [5, 1]);
    let everywhere = fake.call("listings.review.list", json!({ "limit": 2 })).unwrap();
    let newest: Vec<&Value> = everywhere["reviews"].as_array().unwrap().iter().map(|it| &it["stars"]).collect();
    assert_eq!(newest, [&json!(5), &json!(1)], "of all locations the ones that were changed last");
    let all = called(&fake, "listings.review.list", json!({}));
    let said = |at: usize| all["reviews"][at]["themes"].clone();
    assert_eq!(said(0), json!([]), "Japanese is not read");
    assert!(said(2).as_array().unwrap().contains(&json!({ "theme": "wait", "tone": "negative" })), "{}", said(2));
    assert!(said(3).as_array().unwrap().contains(&json!({ "theme": "staff", "tone": "positive" })), "{}", said(3));
    assert_eq!(all["next"][0]["operation_id"], "listings.review.reply.draft");
    assert_eq!(
        refused(&fake, "listings.review.list", json!({ "from": "2026-08-06", "to": "2026-08-01" })),
        at("reversed_period", "/from")
    );
}

#[test]
fn a_report_counts_themes_answers_and_a_burst_as_facts() {
    let google = Google::shop();
    {
        let mut all = google.reviews.borrow_mut();
        for at in 0..100 {
            let day = sdk::value::Day::from_civil(2026, 1, 1).unwrap().plus(at * 2);
            all.push(review(
                &format!("q{at}"),
                "FOUR",
                &day.to_string(),
                Some("Good quality, but the parking was terrible."),
            ));
        }
        for at in 0..14 {
            all.push(review(&format!("b{at}"), "FIVE", "2026-08-10", Some("Great")));
        }
        all[0]["reviewReply"] = json!({ "comment": "Thank you.", "updateTime": "2026-01-03T09:00:00Z" });
    }
    let (fake, _) = synced(&google);
    let shown = called(&fake, "listings.review.report", json!({ "from": "2026-01-01", "to": "2026-08-31" }));
    assert_eq!((&shown["summary"]["reviews"], &shown["summary"]["median_reply_hours"]), (&json!(114), &json!(48.0)));
    let burst = &shown["bursts"][0];
    assert_eq!(
        (&burst["reviews"], &burst["five_star_share"], &burst["one_word_share"]),
        (&json!(14), &json!(1.0), &json!(1.0)),
        "{burst}"
    );
    assert!(burst["p"].as_f64().unwrap() < 1e-4 && shown["bursts"].as_array().unwrap().len() == 1);
    let parking = shown["themes"].as_array().unwrap().iter().find(|it| it["theme"] == "parking").unwrap();
    assert_eq!((&parking["n"], &parking["negative"], &parking["positive"]), (&json!(100), &json!(100), &json!(0)));
    assert_eq!(shown["series"].as_array().unwrap().len(), 8);
    let [low, high] = [0, 1].map(|at| shown["summary"]["per_30_days_ci95"][at].as_f64().unwrap());
    let rate = shown["summary"]["per_30_days"].as_f64().unwrap();
    assert!(low < rate && rate < high, "{low} {rate} {high}");
    let never = Google::shop().fake();
    let none = called(&never, "listings.review.report", json!({}));
    assert_eq!(
        (&none["summary"]["average"], &none["degraded"][0]["operation_id"]),
        (&Value::Null, &json!("listings.review.sync"))
    );
}

#[test]
fn answers_name_the_point_in_the_language_of_the_guest_and_are_published_once() {
    let google = Google::shop();
    {
        let mut all = google.reviews.borrow_mut();
        all.push(review(
            "a",
            "TWO",
            "2026-08-05",
            Some("Die Lieferung war schrecklich langsam und das Paket beschädigt."),
        ));
        all.push(review("b", "FIVE", "2026-08-06", None));
    }
    let (fake, _) = synced(&google);
    let refs: Vec<Value> = called(&fake, "listings.review.list", json!({}))["reviews"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["review_ref"].clone())
        .collect();
    let drafts = fake.call("listings.review.reply.draft", json!({ "review_refs": refs })).unwrap();
    let german = drafts["drafts"].as_array().unwrap().iter().find(|it| it["language"] == "de").unwrap();
    assert!(german["theme"] == "delivery" || german["theme"] == "wait" || german["theme"] == "quality", "{german}");
    let arguments = json!({ "review_ref": german["review_ref"], "text": german["text"] });
    let done = fake.call("listings.review.reply.publish", arguments.clone()).unwrap();
    assert_eq!((&done["published"], &done["replaced"]), (&json!(true), &json!(false)));
    assert_eq!(
        fake.call("listings.review.reply.publish", arguments.clone()).unwrap()["published"],
        false,
        "it stands there"
    );
    assert_eq!(google.changes.borrow().len(), 1);
    let private = fake.refusal(
        "listings.review.reply.publish",
        json!({ "review_ref": refs[0], "text": "Call me at +44 20 7946 0101, please." }),
    );
    assert_eq!((private.code.as_str(), private.pointer.as_deref()), ("reply_refused", Some("/text")));
    let long =
        fake.refusal("listings.review.reply.publish", json!({ "review_ref": refs[0], "text": "ü".repeat(2_100) }));
    assert_eq!(long.code, "too_long");
    let unknown = fake.refusal("listings.review.reply.draft", json!({ "review_refs": ["nothing"] }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("review_not_found", Some("/review_refs/0")));
    google.loses_answer.set(true);
    let lost = fake
        .call("listings.review.reply.publish", json!({ "review_ref": refs[0], "text": "Thank you for the stars!" }))
        .unwrap();
    assert_eq!(lost["published"], true, "it is there");
}

#[test]
fn an_invitation_is_for_everybody_or_there_is_none() {
    let fake = Google::shop().fake();
    let made = called(&fake, "listings.review.invite.create", json!({ "language": "de" }));
    assert_eq!(made["link"], "https://search.google.com/local/writereview?placeid=ChIJlamp");
    assert!(made["qr_svg_ref"].is_string() && made["texts"].as_array().unwrap().len() == 2);
    let gated = called(
        &fake,
        "listings.review.invite.create",
        json!({ "language": "en", "text": "If you were happy, leave a review." }),
    );
    assert_eq!((&gated["link"], &gated["qr_svg_ref"]), (&Value::Null, &Value::Null));
    assert!(gated["refused_reason"].is_string());
    let other = called(&fake, "listings.review.invite.create", json!({ "language": "sv" }));
    assert!(other["warnings"][0].as_str().unwrap().starts_with("language_not_covered"));
}
