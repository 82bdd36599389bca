//! Runs: what is asked, what is stored, and what is never asked.

use super::*;

#[test]
fn a_run_asks_every_prompt_of_every_model_as_often_as_was_said_and_nothing_else_goes_with_it() {
    let models = Models::default();
    models.looks.set(2);
    let fake = models.fake();
    prepared(&fake, &["lamps", "chairs", "desks"]);
    let outcome = ran(&fake, &[MODEL, OTHER], 3);
    assert_eq!(
        (&outcome["answers"], &outcome["failed"], &outcome["state"]),
        (&json!(18), &json!(0), &json!("succeeded"))
    );
    assert_eq!(outcome["ended_by"], "all");
    assert_eq!(models.count(), 18);
    let first = models.bodies.borrow()[0].clone();
    assert_eq!(
        first,
        json!({ "model": "sim-large", "input": "What are the best chairs?", "background": true,
        "tools": [{ "type": "web_search", "user_location": { "type": "approximate", "country": "GB" } }] })
    );
    let run = fake.call("ai_visibility.run.get", json!({ "run_ref": outcome["run_ref"] })).unwrap();
    assert_eq!(run["by_model"][0]["model"], "sim-large-2026", "the model that answered");
    assert_eq!(run["by_model"][0]["asked_model"], "sim-large");
    assert_eq!(run["by_model"][0]["spending"], json!({ "amount": "0.018000", "currency": "USD" }));
    assert_eq!(fake.spent_at(MODEL), 18_000);
    assert_eq!((&run["tokens"]["input_tokens"], &run["tokens"]["output_tokens"]), (&json!(18_000), &json!(4_500)));
    let listed = called(&fake, "ai_visibility.run.list", json!({}));
    assert_eq!((&listed["runs"][0]["answers"], &listed["runs"][0]["state"]), (&json!(18), &json!("succeeded")));
}

#[test]
fn an_answer_is_shown_with_its_mentions_sources_and_parameters() {
    let models = Models::default();
    models.shares.borrow_mut().insert("lamps".to_owned(), 10);
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    ran(&fake, &[MODEL], 1);
    let listed = called(&fake, "ai_visibility.answer.list", json!({ "brand": "lamp shop" }));
    let row = &listed["answers"][0];
    assert_eq!(row["brands"][0]["brand"], "Bright Ltd");
    assert_eq!((&row["brands"][1]["brand"], &row["brands"][1]["rank"]), (&json!("Lamp Shop"), &json!(2)));
    assert_eq!((&row["searched"], &row["measured"], &row["finish"]), (&json!(true), &json!("api"), &json!("stop")));
    let answer = fake.call("ai_visibility.answer.get", json!({ "answer_ref": row["answer_ref"] })).unwrap();
    let text = answer["text"].as_str().unwrap();
    for span in answer["mentions"].as_array().unwrap() {
        let (start, end) = (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
        let words: String = text.chars().skip(start).take(end - start).collect();
        assert!(span["brand"].as_str().unwrap().starts_with(&words), "{words}");
    }
    let sources: Vec<(&str, &str, bool)> = answer["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["url"].as_str().unwrap(), it["kind"].as_str().unwrap(), it["own"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        sources,
        [("https://journal.example/lamps", "cited", false), ("https://shop.example/guide", "linked", true)]
    );
    assert_eq!(answer["searched_for"], json!(["What are the best lamps? reviews"]));
    assert_eq!(
        (&answer["parameters"]["temperature"], &answer["parameters"]["question"]),
        (&json!("default"), &json!("What are the best lamps?"))
    );
    assert_eq!(answer["unknown_brands"], json!(["Glow & Co"]));
    assert_eq!(
        called(&fake, "ai_visibility.answer.list", json!({ "brand": "Lamp Shop", "present": false }))["total"],
        0
    );
    assert_eq!(
        refused(&fake, "ai_visibility.answer.list", json!({ "brand": "Nobody" })),
        at("unknown_brand", "/brand")
    );
}

#[test]
fn a_run_never_goes_beyond_its_cap_and_says_so() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps", "chairs", "desks", "shelves"]);
    // An answer costs 0.002; the first is taken to cost 0.03.
    let start = json!({ "connections": [MODEL], "samples": 10, "cost_cap": 0.04 });
    let started = called(&fake, "ai_visibility.run.start", start);
    let outcome = ended(&fake, &started);
    assert_eq!((&outcome["ended_by"], &outcome["state"]), (&json!("cost_cap"), &json!("succeeded")));
    let answers = outcome["answers"].as_u64().unwrap();
    assert!((15..=20).contains(&answers), "{answers}");
    assert!(fake.spent_at(MODEL) <= 40_000, "{}", fake.spent_at(MODEL));
    assert!(outcome["degraded"].to_string().contains("cost_cap"));
    let small = called(&fake, "ai_visibility.run.start", json!({ "connections": [MODEL], "token_cap": 10_000 }));
    assert_eq!(ended(&fake, &small)["answers"], 0, "a first answer may need more than that");
    fake.set_account(MODEL, &json!({ "defaults": { "model": "sim-large" } }));
    let unpriced = json!({ "connections": [MODEL], "cost_cap": 1 });
    assert_eq!(refused(&fake, "ai_visibility.run.start", unpriced), at("price_unknown", "/connections/0"));
}

#[test]
fn the_cap_of_a_day_ends_a_connection_and_not_the_other() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps", "chairs"]);
    fake.set_account(
        MODEL,
        &json!({ "daily_cost_cap": 0.003, "defaults": { "model": "sim-large", "price_in": 1.0, "price_out": 4.0 } }),
    );
    // What is under way together is begun before it is known what it costs.
    assert_eq!(ran(&fake, &[MODEL], 10)["answers"], 20);
    let outcome = ran(&fake, &[MODEL, OTHER], 10);
    let run = fake.call("ai_visibility.run.get", json!({ "run_ref": outcome["run_ref"] })).unwrap();
    assert_eq!(run["by_model"][0]["failures"], json!({ "daily_cost_cap": 20 }), "{run}");
    assert_eq!(run["by_model"][1]["answers"], 20);
}

#[test]
fn what_passes_is_asked_again_and_what_does_not_is_counted_by_its_code() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps", "chairs"]);
    *models.failing.borrow_mut() = Some((2, 503, "overloaded"));
    let outcome = ran(&fake, &[MODEL], 2);
    assert_eq!((&outcome["answers"], &outcome["failed"]), (&json!(4), &json!(0)), "{outcome}");
    *models.failing.borrow_mut() = Some((1, 404, "model_not_found"));
    let outcome = ran(&fake, &[MODEL], 2);
    let run = fake.call("ai_visibility.run.get", json!({ "run_ref": outcome["run_ref"] })).unwrap();
    assert!(run["by_model"][0]["failures"]["model_not_found"].as_u64().unwrap() >= 1, "{run}");
    assert_eq!(run["answers"].as_u64().unwrap() + run["failed"].as_u64().unwrap(), 4);
}

#[test]
fn an_answer_that_takes_minutes_is_waited_for_and_one_that_never_comes_is_not() {
    let models = Models::default();
    models.looks.set(200);
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    assert_eq!(ran(&fake, &[MODEL], 2)["answers"], 2, "five minutes of looks");
    models.looks.set(u64::MAX);
    let outcome = ran(&fake, &[MODEL], 2);
    let run = fake.call("ai_visibility.run.get", json!({ "run_ref": outcome["run_ref"] })).unwrap();
    assert_eq!((&outcome["state"], &run["by_model"][0]["failures"]), (&json!("failed"), &json!({ "timeout": 2 })));
}

#[test]
fn a_provider_that_is_always_too_busy_ends_the_run_instead_of_going_on_for_ever() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    *models.failing.borrow_mut() = Some((u64::MAX, 429, "rate_limit_exceeded"));
    let outcome = ran(&fake, &[MODEL], 2);
    assert_eq!((&outcome["state"], &outcome["failed"]), (&json!("failed"), &json!(2)), "{outcome}");
    assert!(models.bodies.borrow().len() < 60, "{}", models.bodies.borrow().len());
}

#[test]
fn a_provider_without_responses_is_asked_over_the_older_interface() {
    let models = Models::default();
    models.chat_only.set(true);
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    let outcome = ran(&fake, &[MODEL], 3);
    assert_eq!(outcome["answers"], 3);
    let answers = called(&fake, "ai_visibility.answer.list", json!({}));
    assert_eq!(answers["answers"][0]["searched"], Value::Null, "nobody tells");
    assert!(outcome["degraded"].to_string().contains("searched the web for none"));
}

#[test]
fn a_product_is_read_by_its_provider_and_told_apart_from_a_model() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    let outcome = ran(&fake, &[PRODUCT], 2);
    assert_eq!(outcome["answers"], 2, "{outcome}");
    let run = fake.call("ai_visibility.run.get", json!({ "run_ref": outcome["run_ref"] })).unwrap();
    assert_eq!(
        (&run["by_model"][0]["measured"], &run["by_model"][0]["model"]),
        (&json!("product"), &json!("chatgpt (gpt-5-2)"))
    );
    assert_eq!(run["by_model"][0]["spending"]["amount"], "0.008000");
}

#[test]
fn answers_are_read_anew_when_brands_change_and_left_out_until_then() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps", "chairs"]);
    ran(&fake, &[MODEL], 3);
    let brands = json!([{ "name": "Lamp Shop", "own": true }, { "name": "Glow & Co" }]);
    let set = called(&fake, "ai_visibility.brand.set", json!({ "brands": brands }));
    assert_eq!((&set["set_version"], &set["redetect_pending"]), (&json!(2), &json!(1)));
    let before = called(&fake, "ai_visibility.mention.report", json!({}));
    assert_eq!((before["rows"].as_array().unwrap().len(), &before["sampling"]["redetect_pending"]), (0, &json!(6)));
    for operation in ["accuracy.check", "citation_gap.analyze", "sentiment.report"] {
        let told = called(&fake, &format!("ai_visibility.{operation}"), json!({}))["degraded"].to_string();
        assert!(told.contains("6 answers were read with earlier brands"), "{operation}: {told}");
        assert!(!told.contains("no answer"), "{operation} tells the unknown as a verdict: {told}");
    }
    fake.set_now("2026-09-29T00:00:00Z".parse().unwrap());
    ran(&fake, &[MODEL], 1);
    let after = called(&fake, "ai_visibility.mention.report", json!({}));
    assert_eq!((&after["sampling"]["answers"], &after["sampling"]["redetect_pending"]), (&json!(8), &json!(0)));
    let glow = after["rows"].as_array().unwrap().iter().find(|it| it["brand"] == "Glow & Co").unwrap().clone();
    assert_eq!((&glow["rate"], &glow["order"]), (&json!(1.0), &json!(3.0)));
    assert_eq!(models.count(), 8, "old answers are read anew and not asked again");
}

#[test]
fn a_run_is_refused_where_there_is_nothing_to_ask_or_nobody() {
    let fake = Models::default().fake();
    let start = |arguments: Value| refused(&fake, "ai_visibility.run.start", arguments);
    assert_eq!(start(json!({ "connections": [MODEL] })), at("brands_required", "/site_id"));
    prepared(&fake, &["lamps"]);
    assert_eq!(start(json!({ "connections": ["con_none"] })), at("connection_required", "/connections/0"));
    assert_eq!(start(json!({ "connections": [MODEL, MODEL] })), at("connection_repeated", "/connections/1"));
    assert_eq!(start(json!({ "connections": [MODEL], "topic": "boats" })), at("prompts_required", "/topic"));
    assert_eq!(
        start(json!({ "connections": [MODEL], "prompt_refs": ["prm_none"] })),
        at("prompt_not_found", "/prompt_refs/0")
    );
    called(&fake, "ai_visibility.run.start", json!({ "connections": [MODEL] }));
    assert_eq!(start(json!({ "connections": [MODEL] })), at("run_under_way", "/site_id"));
}

#[test]
fn a_schedule_begins_runs_and_ends_itself_after_three_that_failed() {
    let models = Models::default();
    let fake = models.fake();
    prepared(&fake, &["lamps"]);
    let set =
        called(&fake, "ai_visibility.schedule.set", json!({ "every": "weekly", "connections": [MODEL], "samples": 2 }));
    assert_eq!((&set["schedule"]["every"], &set["schedule"]["samples"]), (&json!("weekly"), &json!(2)));
    assert!(set["next_run"].is_string());
    for _ in 0..3 {
        *models.failing.borrow_mut() = Some((1_000, 401, "invalid_api_key"));
        ran(&fake, &[MODEL], 1);
    }
    let off = called(&fake, "ai_visibility.schedule.set", json!({ "every": "off", "connections": [MODEL] }));
    assert!(off["stopped_at"].is_string(), "{off}");
    let strange = json!({ "every": "weekly", "connections": ["con_none"] });
    assert_eq!(refused(&fake, "ai_visibility.schedule.set", strange), at("connection_required", "/connections/0"));
}
