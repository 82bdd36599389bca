//! What `language` has to do, sentence by sentence.

use sdk::json;

use crate::tests::host;

#[test]
fn a_german_text_under_an_english_declaration_is_in_conflict() {
    let body = "<main><p>Der Zug nach Hamburg fährt heute leider erst eine Stunde später ab, weil ein Signal gestört ist und die Techniker noch daran arbeiten. Bitte achten Sie auf die Durchsagen am Bahnsteig.</p></main>";
    let page = format!(
        "<!doctype html><html lang=en><head><title>x</title><link rel=alternate hreflang=en href='https://shop.example/en/zug'></head><body>{body}</body></html>"
    );
    let fake = host();
    fake.serve(
        "https://shop.example/en/zug",
        200,
        &[("content-type", "text/html; charset=utf-8"), ("content-language", "de")],
        page.as_bytes(),
    );
    let data = fake.call("onpage.language.detect", json!({ "url": "https://shop.example/en/zug" })).unwrap();
    assert_eq!((&data["language"], &data["name"]), (&json!("de"), &json!("German")));
    let sources: Vec<&str> =
        data["conflicts"].as_array().unwrap().iter().map(|it| it["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["html_lang", "hreflang_self", "url_marker"]);
    assert_eq!(data["declared"]["content_language"], "de");
}

#[test]
fn a_text_has_alternatives_and_declares_nothing() {
    let data =
        host().call("onpage.language.detect", json!({ "text": "La lumière du matin entre par la fenêtre." })).unwrap();
    assert_eq!((&data["language"], &data["declared"], &data["conflicts"]), (&json!("fr"), &json!(null), &json!([])));
    assert_eq!(data["alternatives"].as_array().unwrap().len(), 3);
    assert_eq!(
        host().refusal("onpage.language.detect", json!({ "text": "1 2 3 4 5 6 7 8 9 10 11" })).code,
        "too_little_text"
    );
}
