//! Prompts: suggested, added, listed and removed.

use super::*;

fn add(fake: &Fake, prompts: Value) -> Value {
    called(fake, "ai_visibility.prompt.add", json!({ "prompts": prompts }))
}

#[test]
fn the_same_question_is_added_once_and_another_market_is_another_prompt() {
    let fake = Models::default().fake();
    let first = add(
        &fake,
        json!([{ "text": "What are the best lamps?", "country": "GB" }, { "text": "what are the BEST lamps", "country": "GB" }]),
    );
    assert_eq!((&first["added"], &first["merged"][0]["prompt"]), (&json!(1), &json!(1)));
    assert_eq!(first["prompt_refs"][0], first["prompt_refs"][1]);
    assert_eq!(first["merged"][0]["similarity"], 1.0);
    let other = add(
        &fake,
        json!([{ "text": "What are the best lamps?", "country": "DE" }, { "text": "What are the best lamps?", "country": "GB", "persona": "I am a student." }]),
    );
    assert_eq!((&other["added"], other["merged"].as_array().unwrap().len()), (&json!(2), 0));
    assert_eq!(
        refused(&fake, "ai_visibility.prompt.add", json!({ "prompts": [{ "text": "?????" }] })),
        at("no_words", "/prompts/0/text")
    );
}

#[test]
fn suggestions_are_sentences_of_the_topic_in_turns_of_stages() {
    let fake = Models::default().fake();
    prepared(&fake, &["brass lamps"]);
    let found = called(&fake, "ai_visibility.prompt.suggest", json!({ "topic": "reading lamps", "limit": 12 }));
    let prompts = found["prompts"].as_array().unwrap();
    assert_eq!(prompts.len(), 12);
    let stages: std::collections::BTreeSet<&str> = prompts.iter().map(|it| it["stage"].as_str().unwrap()).collect();
    assert_eq!(stages.len(), 4, "{prompts:?}");
    assert!(prompts.iter().all(|it| it["text"].as_str().unwrap().contains("reading lamps")
        || it["text"].as_str().unwrap().contains("Lamp Shop")));
    assert!(found["degraded"].to_string().contains("search_console.sync.run"), "{}", found["degraded"]);
    let next = &found["next"][0];
    fake.call(next["operation_id"].as_str().unwrap(), next["arguments"].clone()).expect("a valid call");
    let german = called(
        &fake,
        "ai_visibility.prompt.suggest",
        json!({ "topic": "Leselampen", "language": "de", "stages": ["choose"] }),
    );
    assert!(
        german["prompts"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["stage"] == "choose" && it["text"].as_str().unwrap().ends_with('?'))
    );
    assert!(german["prompts"].to_string().contains("Wo kann ich Leselampen kaufen?"));
    let tracked = called(&fake, "ai_visibility.prompt.suggest", json!({ "topic": "reading lamps", "limit": 12 }));
    assert_eq!(tracked["already_tracked"], 12, "what is tracked is left out");
    let missing = json!({ "topic": "lamps", "set_ref": "set_none" });
    assert_eq!(refused(&fake, "ai_visibility.prompt.suggest", missing), at("set_not_found", "/set_ref"));
}

#[test]
fn a_prompt_has_its_rate_and_goes_with_its_answers_only_when_asked() {
    let models = Models::default();
    let fake = models.fake();
    let prompts = prepared(&fake, &["lamps", "chairs"]);
    ran(&fake, &[MODEL], 5);
    let listed = called(&fake, "ai_visibility.prompt.list", json!({}));
    assert_eq!((&listed["total"], &listed["prompts"][0]["n"]), (&json!(2), &json!(5)));
    let rate = listed["prompts"][0]["mention_rate"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&rate) && listed["prompts"][0]["ci95"][0].as_f64().unwrap() < rate + 1e-9);
    assert_eq!(called(&fake, "ai_visibility.prompt.list", json!({ "topic": "LAMPS" }))["total"], 1);
    let removed = called(&fake, "ai_visibility.prompt.remove", json!({ "prompt_refs": [prompts[0]] }));
    assert_eq!((&removed["removed"], &removed["answers_deleted"]), (&json!(1), &json!(0)));
    let answers =
        |fake: &Fake| called(fake, "ai_visibility.answer.list", json!({ "limit": 100 }))["total"].as_u64().unwrap();
    assert_eq!(answers(&fake), 10, "answers stay for reports");
    let removed =
        called(&fake, "ai_visibility.prompt.remove", json!({ "prompt_refs": [prompts[1]], "delete_answers": true }));
    assert_eq!(
        (&removed["removed"], &removed["answers_deleted"], &removed["answers_left"]),
        (&json!(1), &json!(5), &json!(false))
    );
    assert_eq!(answers(&fake), 5);
    assert!(fake.rows::<crate::stored::Tally>().iter().all(|it| it.prompt == prompts[0].as_str().unwrap()));
    let gone = json!({ "prompt_refs": [prompts[1]] });
    assert_eq!(refused(&fake, "ai_visibility.prompt.remove", gone), at("prompt_not_found", "/prompt_refs/0"));
}
