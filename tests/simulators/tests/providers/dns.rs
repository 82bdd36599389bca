//! DNS providers: records written and read, what is refused, batches that are whole or nothing.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Door, cloudflare, powerdns, world};

async fn zone(door: &Door) -> String {
    let zones = door.get("/client/v4/zones?name=shop.example").await;
    format!("/client/v4/zones/{}/dns_records", zones.at("/result/0/id").as_str().expect("a zone"))
}

#[tokio::test]
async fn cloudflare_keeps_records_and_pages_them() {
    let world = world().await;
    let door = cloudflare(&world);
    let records = zone(&door).await;
    let made = door
        .post(&records, &json!({ "type": "A", "name": "new", "content": "192.0.2.77", "ttl": 300, "proxied": true }))
        .await;
    assert_eq!((made.at("/success"), made.at("/result/name")), (&json!(true), &json!("new.shop.example")));
    let one = format!("{records}/{}", made.at("/result/id").as_str().expect("an id"));
    assert_eq!(door.send(Method::PATCH, &one, &json!({ "content": "192.0.2.78" })).await.at("/result/proxied"), true);
    assert_eq!(door.get(&one).await.at("/result/content"), "192.0.2.78");
    let first = door.get(&format!("{records}?per_page=4")).await;
    let (pages, total) = (
        first.at("/result_info/total_pages").as_u64().expect("pages"),
        first.at("/result_info/total_count").as_u64().expect("a total"),
    );
    let mut ids: Vec<Value> = Vec::new();
    for page in 1..=pages {
        ids.extend(
            door.get(&format!("{records}?per_page=4&page={page}"))
                .await
                .at("/result")
                .as_array()
                .expect("records")
                .iter()
                .map(|it| it["id"].clone()),
        );
    }
    ids.sort_by_key(Value::to_string);
    ids.dedup();
    assert_eq!(ids.len() as u64, total);
    assert_eq!(door.send(Method::DELETE, &one, &json!({})).await.status, 200);
    let gone = door.get(&one).await;
    assert_eq!((gone.status, gone.at("/errors/0/code")), (404, &json!(81_044)));
}

#[tokio::test]
async fn cloudflare_refuses_what_cannot_stand_and_does_a_batch_whole_or_not() {
    let world = world().await;
    let door = cloudflare(&world);
    let records = zone(&door).await;
    for (record, pointer, code) in [
        (json!({ "type": "A", "name": "x", "content": "not an address" }), "/errors/0/error_chain/0/code", 9_005),
        (json!({ "type": "CNAME", "name": "blog", "content": "elsewhere.example" }), "/errors/0/code", 81_053),
        (json!({ "type": "A", "name": "blog", "content": "192.0.2.11" }), "/errors/0/code", 81_058),
        (json!({ "type": "MX", "name": "@", "content": "mx3.mail.example" }), "/errors/0/error_chain/0/code", 9_010),
        (json!({ "type": "A", "name": "x", "content": "192.0.2.1", "ttl": 10 }), "/errors/0/error_chain/0/code", 9_021),
    ] {
        assert_eq!(door.post(&records, &record).await.at(pointer), code, "{record}");
    }
    let before = door.get(&records).await.at("/result_info/total_count").clone();
    let half = json!({ "posts": [{ "type": "A", "name": "one", "content": "192.0.2.1" }, { "type": "A", "name": "two", "content": "wrong" }] });
    assert_eq!(door.post(&format!("{records}/batch"), &half).await.at("/success"), false);
    assert_eq!(
        (door.get(&records).await.at("/result_info/total_count"), world.cloudflare.effects().len()),
        (&before, 0)
    );
    let good = json!({ "posts": [{ "type": "A", "name": "one", "content": "192.0.2.1" }, { "type": "TXT", "name": "two", "content": "v=1" }] });
    assert_eq!(
        door.post(&format!("{records}/batch"), &good).await.at("/result/posts").as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(door.effects("record.created"), 2);
}

#[tokio::test]
async fn powerdns_replaces_record_sets_whole_or_not() {
    let world = world().await;
    let door = powerdns(&world);
    let zone = "/api/v1/servers/localhost/zones/shop.example.";
    let patch = async |sets: Value| door.send(Method::PATCH, zone, &json!({ "rrsets": sets })).await;
    let set = |name: &str, kind: &str, content: &str| json!({ "name": name, "type": kind, "ttl": 300, "changetype": "REPLACE", "records": [{ "content": content, "disabled": false }] });
    assert_eq!(patch(json!([set("new.shop.example.", "A", "192.0.2.9")])).await.status, 204);
    let read = door.get(&format!("{zone}?rrset_name=new.shop.example.&rrset_type=A")).await;
    assert_eq!(read.at("/rrsets/0/records/0/content"), "192.0.2.9");
    for (set, words) in [
        (set("new.shop.example", "A", "192.0.2.9"), "not canonical"),
        (set("new.other.example.", "A", "192.0.2.9"), "out of zone"),
        (set("blog.shop.example.", "CNAME", "x.example."), "Conflicts with pre-existing"),
        (set("t.shop.example.", "TXT", "without quotes"), "Not in expected format"),
    ] {
        let refused = patch(json!([{ "name": "good.shop.example.", "type": "A", "ttl": 300, "changetype": "REPLACE", "records": [{ "content": "192.0.2.1" }] }, set])).await;
        assert!(
            refused.status == 422 && refused.at("/error").as_str().is_some_and(|it| it.contains(words)),
            "{refused:?}"
        );
    }
    assert_eq!(
        door.get(&format!("{zone}?rrset_name=good.shop.example.")).await.at("/rrsets"),
        &json!([]),
        "nothing of a refused change"
    );
    assert_eq!(patch(json!([{ "name": "new.shop.example.", "type": "A", "changetype": "DELETE" }])).await.status, 204);
    assert_eq!(door.effects("rrset.deleted"), 1);
}

#[tokio::test]
async fn powerdns_signs_with_a_key_whose_delegation_fits() {
    let world = world().await;
    let door = powerdns(&world);
    let keys = "/api/v1/servers/localhost/zones/shop.example./cryptokeys";
    let made = door.post(keys, &json!({ "keytype": "csk", "active": true })).await;
    assert_eq!(made.status, 201);
    let ds = made.at("/ds/0").as_str().expect("a DS").to_owned();
    let parts: Vec<&str> = ds.split(' ').collect();
    assert!(parts.len() == 4 && parts[1..3] == ["13", "2"] && parts[3].len() == 64, "{ds}");
    assert_eq!(door.get("/api/v1/servers/localhost/zones/shop.example.").await.at("/dnssec"), true);
    assert_eq!(door.send(Method::PUT, &format!("{keys}/1"), &json!({ "active": false })).await.status, 204);
    assert_eq!(door.get("/api/v1/servers/localhost/zones/shop.example.").await.at("/dnssec"), false);
    assert_eq!(door.get("/api/v1/servers/localhost/zones/none.example.").await.status, 404);
}
