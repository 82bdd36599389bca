//! People who are asked by mail whether they want it, over a whole host.

use serde_json::json;
use tests::customer::Customer;

use super::{SCOPES, Scene, error, headers};

#[tokio::test(flavor = "multi_thread")]
async fn a_recipient_is_asked_once_says_yes_by_a_form_alone_and_is_not_asked_against_a_no() {
    let scene = Scene::set().await;
    let invite = async |address: &str, words: &str| {
        let arguments = json!({ "connection_ref": scene.mailbox, "address": address, "words": words });
        scene.ada.run("sender.ask.invite", arguments).await
    };
    let state = async |customer: &Customer, address: &str| {
        customer.read("sender.ask.who", json!({ "address": address })).await.data()["state"].clone()
    };
    let say = async |page: &str, answer: &str| {
        let sent = reqwest::Client::new().post(page).form(&[("answer", answer)]).send().await.expect("an answer");
        assert_eq!(sent.status(), 200);
    };
    assert_eq!(state(&scene.ada, "bob@shop.example").await, "unknown");
    let link = invite("bob@shop.example", "See evil.example").await;
    assert_eq!((link.refusal(), &error(&link)["at"]), ((422, "mail_invalid".to_owned()), &json!("words")));
    let refused = invite("refuse@shop.example", "The weekly report").await;
    assert_eq!(refused.refusal(), (503, "mail_rejected".to_owned()));
    assert_eq!(state(&scene.ada, "refuse@shop.example").await, "unknown", "no letter went out");
    assert_eq!(invite("bob@shop.example", "The weekly report").await.data()["state"], "invited");
    assert_eq!(invite("BOB@Shop.Example", "The weekly report").await.data()["state"], "already_invited");
    let [message] = scene.taken().try_into().expect("one letter");
    assert_eq!(headers(&message)["subject"], "Do you want this mail?");
    assert!(message.raw.contains("\"The weekly report\""), "{}", message.raw);
    let origin = scene.process.rest().trim_end_matches("/v1").to_owned();
    let text = message.raw.replace("=\r\n", "");
    let page = text.lines().find(|line| line.starts_with(&format!("{origin}/c/"))).expect("an address").to_owned();
    // A program that follows links says nothing.
    assert_eq!(reqwest::get(&page).await.expect("a page").status(), 200);
    assert_eq!(state(&scene.ada, "bob@shop.example").await, "invited");
    say(&page, "yes").await;
    assert_eq!(state(&scene.ada, "Bob@shop.example").await, "confirmed");
    assert_eq!(invite("bob@shop.example", "The weekly report").await.data()["state"], "confirmed");
    let carl = scene.process.customer("carl@example.com", 1_000, SCOPES).await;
    let his = carl.read("sender.ask.who", json!({ "address": "bob@shop.example" })).await.data();
    assert_eq!(his, json!({ "state": "unknown", "asked": [] }));
    say(&page, "no").await;
    let left = invite("bob@shop.example", "The weekly report").await.data();
    assert_eq!(left, json!({ "state": "left", "asked": ["bob@shop.example"] }));
    assert_eq!(scene.taken().len(), 1);
    scene.process.verify_ledger();
}
