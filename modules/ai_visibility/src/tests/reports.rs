//! Reports of answers whose rates are known.

use super::*;

/// Twenty prompts: ten whose answers always name the brand, ten that never do.
fn halves(models: &Models) -> Fake {
    let things: Vec<String> =
        (0..20).map(|at| format!("{} number {at}", if at < 10 { "lamps" } else { "chairs" })).collect();
    models.shares.borrow_mut().insert("lamps".to_owned(), 10);
    models.shares.borrow_mut().insert("chairs".to_owned(), 0);
    let fake = models.fake();
    prepared(&fake, &things.iter().map(String::as_str).collect::<Vec<_>>());
    fake
}

#[test]
fn a_rate_has_the_interval_of_the_answers_that_its_repeats_are_worth() {
    let models = Models::default();
    let fake = halves(&models);
    ran(&fake, &[MODEL], 3);
    let shown = called(&fake, "ai_visibility.mention.report", json!({}));
    let own = &shown["own"];
    assert_eq!((&own["rate"], &own["agreement"]), (&json!(0.5), &json!(1.0)));
    assert_eq!(own["n"], json!({ "answers": 60, "prompts": 20, "n_eff": 20.0 }));
    let low = own["ci95"][0].as_f64().unwrap();
    assert!((low - 0.299_298).abs() < 1e-4, "Wilson of 10 of 20: {low}");
    let bright = shown["rows"].as_array().unwrap().iter().find(|it| it["brand"] == "Bright Ltd").unwrap();
    assert_eq!((&bright["rate"], &bright["order"], &bright["few"]), (&json!(1.0), &json!(1.0), &json!(false)));
    assert_eq!(shown["sampling"]["measured"], json!(["api"]));
    let by_stage = called(&fake, "ai_visibility.mention.report", json!({ "by": "stage" }));
    assert_eq!(by_stage["rows"][0]["key"], "compare");
    let backwards = json!({ "from": "2026-09-28", "to": "2026-09-01" });
    assert_eq!(refused(&fake, "ai_visibility.mention.report", backwards), at("reversed_period", "/from"));
}

#[test]
fn nothing_asked_is_unknown_and_not_zero() {
    let fake = Models::default().fake();
    prepared(&fake, &["lamps"]);
    for report in ["mention", "share_of_voice", "trend", "consistency", "sentiment"] {
        let shown = called(&fake, &format!("ai_visibility.{report}.report"), json!({}));
        assert!(!shown["degraded"].as_array().unwrap().is_empty(), "{report}");
    }
    let shown = called(&fake, "ai_visibility.mention.report", json!({}));
    assert_eq!((&shown["own"], shown["rows"].as_array().unwrap().len()), (&Value::Null, 0));
}

#[test]
fn a_brand_that_gains_in_every_prompt_gains_significantly() {
    let models = Models::default();
    let fake = halves(&models);
    fake.set_now("2026-08-01T00:00:00Z".parse().unwrap());
    ran(&fake, &[MODEL], 3);
    fake.set_now("2026-09-20T00:00:00Z".parse().unwrap());
    models.shares.borrow_mut().insert("chairs".to_owned(), 10);
    ran(&fake, &[MODEL], 3);
    let shown =
        called(&fake, "ai_visibility.share_of_voice.report", json!({ "from": "2026-07-25", "to": "2026-09-28" }));
    let change = &shown["change"].as_array().unwrap().iter().find(|it| it["brand"] == "Lamp Shop").unwrap().clone();
    assert!(change["delta"].as_f64().unwrap() > 0.15, "{change}");
    assert!(change["p"].as_f64().unwrap() < 0.01 && change["q"].as_f64().unwrap() < 0.02, "{change}");
    assert_eq!((&change["n"], &shown["unpaired"]), (&json!(20), &json!(0)));
    assert_eq!(shown["unknown_brands"][0], json!({ "name": "Glow & Co", "answers": 120, "share": 1.0 }));
    assert_eq!(shown["next"][0]["operation_id"], "ai_visibility.brand.set");
    let shares: f64 = shown["shares"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["key"] == "lamps number 0")
        .map(|it| it["share"].as_f64().unwrap())
        .sum();
    assert!((shares - 1.0).abs() < 1e-5, "{shares}");
    let half =
        called(&fake, "ai_visibility.share_of_voice.report", json!({ "from": "2026-09-01", "to": "2026-09-28" }));
    assert_eq!(half["change"], json!([]));
}

#[test]
fn a_level_that_jumps_is_a_change_point_with_what_changed_beside_it() {
    let models = Models::default();
    let fake = halves(&models);
    models.shares.borrow_mut().insert("lamps".to_owned(), 2);
    for week in 0..10_i32 {
        if week == 5 {
            models.shares.borrow_mut().insert("lamps".to_owned(), 10);
            models.shares.borrow_mut().insert("chairs".to_owned(), 8);
        }
        let day = sdk::value::Day::from_civil(2026, 6, 1).unwrap().plus(week * 7);
        fake.set_now(format!("{day}T06:00:00Z").parse().unwrap());
        ran(&fake, &[MODEL], 3);
    }
    fake.put_as(
        "note",
        crate::trend::Annotation {
            site_id: SITE.to_owned(),
            date: sdk::value::Day::from_civil(2026, 7, 4).unwrap(),
            title: "New guide".to_owned(),
        },
    );
    let shown = called(&fake, "ai_visibility.trend.report", json!({ "from": "2026-06-01", "to": "2026-08-31" }));
    assert_eq!((shown["series"][0]["points"].as_array().unwrap().len(), &shown["common_prompts"]), (10, &json!(20)));
    let point = &shown["change_points"][0];
    assert_eq!(point["date"], "2026-07-06", "{point}");
    assert!(point["after"].as_f64().unwrap() > 0.8 && point["before"].as_f64().unwrap() < 0.2, "{point}");
    assert_eq!(point["near"][0]["detail"], "New guide");
    let tone = called(
        &fake,
        "ai_visibility.trend.report",
        json!({ "metric": "tone", "from": "2026-06-01", "to": "2026-08-31" }),
    );
    assert_eq!(tone["series"][0]["points"][0]["ci95"], Value::Null);
}

#[test]
fn stability_and_the_samples_that_a_margin_needs_are_told() {
    let models = Models::default();
    let fake = halves(&models);
    models.shares.borrow_mut().insert("lamps".to_owned(), 5);
    ran(&fake, &[MODEL, OTHER], 4);
    let shown = called(&fake, "ai_visibility.consistency.report", json!({ "margin": 0.1 }));
    let stable = shown["rows"].as_array().unwrap().iter().filter(|it| it["stability"] == 1.0).count();
    assert_eq!(stable, 10, "chairs always have the same brands");
    assert!(shown["rows"][0]["stability"].as_f64().unwrap() < 0.9);
    assert_eq!(shown["rows"][0]["needed_samples"], 97);
    assert_eq!(shown["by_model"].as_array().unwrap().len(), 2);
    assert!(shown["pairs"][0]["divergence"].as_f64().unwrap() < 0.05, "{}", shown["pairs"]);
    assert!(shown["needed_prompts"].as_u64().unwrap() > 20);
    assert_eq!(shown["next"][0]["operation_id"], "ai_visibility.prompt.suggest");
}

#[test]
fn tone_and_themes_are_those_of_the_clauses_that_name_the_brand() {
    let models = Models::default();
    let fake = halves(&models);
    ran(&fake, &[MODEL], 1);
    let own = called(&fake, "ai_visibility.sentiment.report", json!({}));
    assert_eq!(
        (&own["tone"]["positive"], &own["tone"]["negative"], &own["answers"]),
        (&json!(10), &json!(0), &json!(10))
    );
    let labels: Vec<&str> = own["themes"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"service") || labels.contains(&"brass lamps"), "{labels:?}");
    let rival = called(&fake, "ai_visibility.sentiment.report", json!({ "brand": "bright", "use_llm": true }));
    assert!(rival["tone"]["negative"].as_u64().unwrap() > 0, "{}", rival["tone"]);
    assert_eq!(rival["brands"], json!(["Bright Ltd"]));
    assert!(rival["labels"]["n"].as_u64().unwrap() >= 1);
    let sent = models.bodies.borrow().last().unwrap().to_string();
    assert!(sent.contains("<data>") && !sent.contains("Lamp Shop"), "only the sentences about the brand are sent");
}
