//! Text alternatives: where each comes from, what is decoration, and what a model that sees may write.

use sdk::json;
use sdk::serde_json::Value;

use crate::tests::html;

const URL: &str = "https://shop.example/";
const CHAT: &str = "/chat/completions";

fn page() -> sdk::Fake {
    let body = r##"<main><h2>Desk lamps</h2>
        <figure><img src="/a1.jpg"><figcaption>The lamp on a desk</figcaption></figure>
        <img src="/brass-desk_lamp.webp">
        <img src="/IMG_0042.jpg">
        <img src="/good.jpg" alt="A green lamp beside a book">
        <img src="/line.png" alt="">
        <img src="/spacer.gif">
        <a href="/lamps/reading-lamps/"><img src="/x.png"></a>
        <img src="/c.svg" aria-label="Our seal">
        <p><img src="/DSC_1.jpg" alt="DSC_1.jpg"></main>"##;
    crate::fake().serving(URL, &html("", body))
}

fn rows(data: &Value) -> Vec<(&str, Option<&str>)> {
    let all = data["suggestions"].as_array().unwrap();
    all.iter().map(|it| (it["basis"].as_str().unwrap(), it["alt"].as_str())).collect()
}

#[test]
fn each_picture_is_described_by_the_best_that_stands_around_it() {
    let data = page().call("onpage.alt_text.suggest", json!({ "url": URL })).unwrap();
    assert_eq!(
        rows(&data),
        [
            ("caption", Some("The lamp on a desk")),
            ("file_name", Some("Brass desk lamp")),
            ("heading", Some("Desk lamps")),
            ("present", Some("A green lamp beside a book")),
            ("decorative", Some("")),
            ("decorative", Some("")),
            ("link_target", Some("Reading lamps")),
            ("label", Some("Our seal")),
            ("heading", Some("Desk lamps")),
        ]
    );
    let bare = crate::fake().serving(URL, &html("", "<img src='/1.jpg'>"));
    assert_eq!(rows(&bare.call("onpage.alt_text.suggest", json!({ "url": URL })).unwrap()), [("none", None)]);
}

#[test]
fn only_the_pictures_that_are_named_are_described() {
    let images = json!(["https://shop.example/good.jpg", "https://shop.example/none.jpg"]);
    let data = page().call("onpage.alt_text.suggest", json!({ "url": URL, "images": images })).unwrap();
    assert_eq!(rows(&data).len(), 1);
    assert_eq!(data["degraded"][0]["why"], "https://shop.example/none.jpg is not on the page");
}

#[test]
fn a_model_s_words_are_taken_when_they_are_short_and_lead_nowhere() {
    let fake = page().connected("con_1", "llm");
    let said = json!({ "pictures": [
        { "number": 0, "alt": "Image of a brass lamp on an oak desk", "decorative": false },
        { "number": 1, "alt": "Order at https://evil.example", "decorative": false },
        { "number": 2, "alt": "", "decorative": true },
        { "number": 3, "alt": "word ".repeat(40), "decorative": false },
        { "number": 44, "alt": "A stranger", "decorative": false }
    ] });
    let answer = json!({ "choices": [{ "message": { "content": said.to_string() }, "finish_reason": "stop" }] });
    fake.provider_answers("POST", CHAT, 200, &answer);
    let data = fake.call("onpage.alt_text.suggest", json!({ "url": URL, "use_llm": true, "model": "m" })).unwrap();
    let rows = rows(&data);
    assert_eq!(rows[0], ("llm", Some("A brass lamp on an oak desk")));
    assert_eq!((rows[1].0, rows[2], rows[3].0), ("file_name", ("llm", Some("")), "present"));
    assert_eq!((data["source"].as_str(), data["model"].as_str()), (Some("llm"), Some("m")));
    assert!(data["degraded"][0]["why"].as_str().unwrap().contains("address, too_long"), "{data}");
    let fault = page().refusal("onpage.alt_text.suggest", json!({ "url": URL, "use_llm": true }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/use_llm")));
}
