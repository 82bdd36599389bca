//! IndexNow and Bing Webmaster: notices of addresses, quotas, whose site it is.

use std::net::SocketAddr;

use axum::Router;
use serde_json::json;
use tokio::net::TcpListener;

use crate::client::{bing, indexnow, world};

/// A site that shows one text under every path.
async fn site(text: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(move || async move { text })).await });
    address
}

#[tokio::test]
async fn a_key_is_trusted_when_the_site_shows_it_and_not_when_it_shows_another() {
    for (shown, expected) in [(true, 200), (false, 403)] {
        let world = world().await;
        let door = indexnow(&world);
        let key = world.indexnow.credentials()["key"].as_str().expect("a key").to_owned();
        world.site("shop.example", site(if shown { key.clone() } else { "another".to_owned() }).await);
        let notice = json!({ "host": "shop.example", "key": key, "urlList": ["http://shop.example/products"] });
        assert_eq!(door.post("/indexnow", &notice).await.status, 202, "the key is still to be checked");
        let mut status = 202;
        while status == 202 {
            tokio::task::yield_now().await;
            status = door.post("/indexnow", &notice).await.status;
        }
        assert_eq!(status, expected);
    }
}

#[tokio::test]
async fn a_notice_is_refused_for_addresses_of_others_and_for_a_key_that_is_none() {
    let world = world().await;
    let door = indexnow(&world);
    let key = world.indexnow.credentials()["key"].clone();
    for (notice, status) in [
        (json!({ "host": "shop.example", "key": key, "urlList": ["http://lights.example/"] }), 422),
        (json!({ "host": "shop.example", "key": "short", "urlList": ["http://shop.example/"] }), 422),
        (
            json!({ "host": "shop.example", "key": key, "keyLocation": "http://lights.example/k.txt", "urlList": ["http://shop.example/"] }),
            422,
        ),
        (json!({ "host": "shop.example", "key": key, "urlList": [] }), 400),
        (json!({ "host": "shop.example", "key": key, "urlList": vec!["http://shop.example/"; 10_001] }), 400),
    ] {
        assert_eq!(door.post("/indexnow", &notice).await.status, status);
    }
    assert!(world.indexnow.effects().is_empty());
}

#[tokio::test]
async fn bing_takes_a_batch_whole_within_its_quota() {
    let world = world().await;
    let door = bing(&world);
    let batch = |count: usize| json!({ "siteUrl": "http://shop.example", "urlList": (0..count).map(|nth| format!("http://shop.example/p/{nth}")).collect::<Vec<_>>() });
    let submit = "/webmaster/api.svc/json/SubmitUrlbatch";
    assert!(door.post(submit, &batch(60)).await.at("/d").is_null());
    let over = door.post(submit, &batch(60)).await;
    assert_eq!((over.status, over.at("/ErrorCode")), (400, &json!(8)));
    let quota = door.get("/webmaster/api.svc/json/GetUrlSubmissionQuota?siteUrl=http://shop.example").await;
    assert_eq!((quota.at("/d/DailyQuota"), door.effects("url.submitted")), (&json!(40), 60));
    let foreign =
        json!({ "siteUrl": "http://shop.example", "urlList": ["http://shop.example/", "http://lights.example/"] });
    assert_eq!(door.post(submit, &foreign).await.at("/ErrorCode"), 7);
    let known = door
        .get("/webmaster/api.svc/json/GetUrlInfo?siteUrl=http://shop.example&url=http://shop.example/products")
        .await;
    assert!(known.at("/d/LastCrawledDate").as_str().is_some_and(|date| date.starts_with("/Date(")));
    assert_eq!(
        door.get("/webmaster/api.svc/json/GetCrawlIssues?siteUrl=http://shop.example").await.at("/d/0/HttpCode"),
        404
    );
    let stranger = door.get("/webmaster/api.svc/json/GetCrawlIssues?siteUrl=http://lights.example").await;
    assert_eq!(stranger.at("/ErrorCode"), 14);
    let recorded = world.bing_webmaster.requests();
    assert!(recorded.iter().all(|it| !it.path.contains("apikey")), "the key is in no record");
}
