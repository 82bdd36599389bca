//! What `term` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, crawled, host};

#[test]
fn the_phrases_that_a_page_is_about_come_first() {
    let data = host().call("onpage.term.extract", json!({ "url": GUIDE, "limit": 5 })).unwrap();
    let phrases: Vec<&str> =
        data["terms"].as_array().unwrap().iter().map(|it| it["phrase"].as_str().unwrap()).collect();
    assert_eq!(phrases.len(), 5);
    assert!(phrases[..3].iter().any(|it| it.starts_with("brass lamp")), "{phrases:?}");
    assert_eq!(data["degraded"][0]["what"], "site_pages");
    assert_eq!(data["next"][0]["operation_id"], "onpage.keyword.usage");
}

#[test]
fn what_every_page_of_the_website_says_weighs_less() {
    let text = "Lampshop is open. Verdigris is on brass. Lampshop is here. Verdigris is green. Lampshop is it.";
    let fake = host();
    crawled(&fake, &["Lampshop tables", "Lampshop rugs", "Lampshop beds", "Lampshop chairs"]);
    let weight = |arguments| {
        let data = fake.call("onpage.term.extract", arguments).unwrap();
        let term = data["terms"].as_array().unwrap().iter().find(|it| it["stem"] == "verdigri").cloned();
        (term.unwrap()["tf_idf"].as_f64().unwrap(), json!([data["basis"], data["site_pages"]]))
    };
    let (alone, none) = weight(json!({ "text": text, "language": "en" }));
    let (beside, site) = weight(json!({ "text": text, "language": "en", "site_id": "81" }));
    assert!(beside > alone, "{beside} {alone}");
    assert_eq!(none, json!([null, 0]));
    assert_eq!((&site[0]["run_ref"], &site[1], &site[0]["age_seconds"]), (&json!("run1"), &json!(4), &json!(3_600)));
}

#[test]
fn a_text_without_words_is_refused() {
    let fault = host().refusal("onpage.term.extract", json!({ "text": "…" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("too_little_text", Some("/text")));
}
