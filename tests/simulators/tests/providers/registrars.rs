//! Registrars: lists, prices, orders that are charged once each, settings.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{name_com, porkbun, with_keys, world};

#[tokio::test]
async fn name_com_sells_what_is_free_and_keeps_its_settings() {
    let world = world().await;
    let door = name_com(&world);
    let first = door.get("/core/v1/domains?perPage=3").await;
    let second = door.get("/core/v1/domains?perPage=3&page=2").await;
    assert_eq!(
        (first.at("/nextPage"), first.at("/lastPage"), second.at("/nextPage")),
        (&json!(2), &json!(2), &json!(null))
    );
    let asked = json!({ "domainNames": ["lamps-of-bristol.com", "taken-lamps.com", "abc.com"] });
    let free = door.post("/core/v1/domains:checkAvailability", &asked).await;
    assert_eq!(
        (free.at("/results/0/purchasable"), free.at("/results/1/purchasable"), free.at("/results/2/premium")),
        (&json!(true), &json!(false), &json!(true))
    );
    let order = json!({ "domain": { "domainName": "lamps-of-bristol.com" }, "years": 2 });
    assert_eq!(door.post("/core/v1/domains", &order).await.at("/totalPaid"), &json!(25.98));
    assert_eq!(door.post("/core/v1/domains", &order).await.status, 400, "it is ours already");
    let place = "/core/v1/domains/lamps-of-bristol.com";
    assert_eq!(door.post(&format!("{place}:unlock"), &json!({})).await.at("/locked"), false);
    assert_eq!(
        door.post(&format!("{place}:setNameservers"), &json!({ "nameservers": ["ns1.a.example"] })).await.status,
        400
    );
    door.post(&format!("{place}:setNameservers"), &json!({ "nameservers": ["ns1.a.example", "ns2.a.example"] })).await;
    assert_eq!(door.get(place).await.at("/nameservers/1"), "ns2.a.example");
    let digest = "a".repeat(64);
    door.post(&format!("{place}/dnssec"), &json!({ "keyTag": 7, "algorithm": 13, "digestType": 2, "digest": digest }))
        .await;
    door.send(Method::DELETE, &format!("{place}/dnssec/{digest}"), &json!({})).await;
    assert_eq!(door.get(&format!("{place}/dnssec")).await.at("/dnssec"), &json!([]));
    assert_eq!(door.get("/core/v1/domains/none.example").await.at("/message"), "Not Found");
    assert_eq!(door.effects("domain.registered"), 1);
}

#[tokio::test]
async fn porkbun_sells_only_at_the_price_it_quoted() {
    let world = world().await;
    let door = porkbun(&world);
    let ask = async |path: &str, body: Value| door.post(&format!("/api/json/v3{path}"), &with_keys(&world, body)).await;
    assert_eq!(ask("/ping", json!({})).await.at("/status"), "SUCCESS");
    assert_eq!(ask("/domain/listAll", json!({ "start": "2" })).await.at("/domains").as_array().map(Vec::len), Some(2));
    let quote = ask("/domain/checkDomain/lamps-of-bristol.com", json!({})).await;
    assert_eq!((quote.at("/response/avail"), quote.at("/response/price")), (&json!("yes"), &json!("12.99")));
    let order = |cost: u64| json!({ "cost": cost, "agreeToTerms": "yes" });
    assert_eq!(ask("/domain/create/lamps-of-bristol.com", order(1)).await.at("/status"), "ERROR");
    assert_eq!(ask("/domain/create/lamps-of-bristol.com", order(1_299)).await.at("/status"), "SUCCESS");
    ask("/domain/updateNs/lamps-of-bristol.com", json!({ "ns": ["ns1.a.example", "ns2.a.example"] })).await;
    assert_eq!(ask("/domain/getNs/lamps-of-bristol.com", json!({})).await.at("/ns/0"), "ns1.a.example");
    assert_eq!(ask("/domain/updateAutoRenew/lamps-of-bristol.com", json!({ "status": "maybe" })).await.status, 400);
    assert_eq!(door.effects("domain.registered"), 1);
    let stranger = door.post("/api/json/v3/domain/listAll", &json!({ "apikey": "x", "secretapikey": "y" })).await;
    assert_eq!((stranger.status, stranger.at("/message")), (400, &json!("Invalid API key. (001)")));
}
