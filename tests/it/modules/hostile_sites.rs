//! Sites that mean harm: they cost time and points up to a bound, and never more.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tests::host::Host;
use tokio::net::TcpListener;

/// A site with a page for each kind of harm.
async fn hostile() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(|uri: Uri| async move { answer(uri.path()) });
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn answer(path: &str) -> Response {
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    match path {
        "/" => {
            let links =
                "<a href=/turn/1>turn</a> <a href=/huge>huge</a> <a href=/endless>endless</a> <a href=/fine>fine</a>";
            (html, format!("<!doctype html><html lang=en><title>Start</title><h1>Start</h1>{links}")).into_response()
        }
        "/fine" => (html, "<!doctype html><html lang=en><title>Fine</title><h1>Fine</h1>").into_response(),
        // 2 GB, announced and sent as long as anybody reads.
        "/huge" => {
            let chunk = bytes(64 * 1024);
            let body = futures_stream(chunk, 2 * 1024 * 1024 * 1024 / (64 * 1024));
            (html, body).into_response()
        }
        // A byte now and then, without an end.
        "/endless" => (html, slow()).into_response(),
        "/robots.txt" | "/sitemap.xml" => StatusCode::NOT_FOUND.into_response(),
        path => match path.strip_prefix("/turn/").and_then(|number| number.parse::<u64>().ok()) {
            Some(number) => (StatusCode::FOUND, [(header::LOCATION, format!("/turn/{}", number + 1))]).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
    }
}

fn bytes(count: usize) -> Vec<u8> {
    vec![b'x'; count]
}

fn futures_stream(chunk: Vec<u8>, count: usize) -> Body {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Vec<u8>>(1);
    tokio::spawn(async move {
        for _ in 0..count {
            if sender.send(chunk.clone()).await.is_err() {
                return;
            }
        }
    });
    stream(receiver)
}

fn slow() -> Body {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Vec<u8>>(1);
    tokio::spawn(async move {
        while sender.send(b" ".to_vec()).await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    });
    stream(receiver)
}

fn stream(receiver: tokio::sync::mpsc::Receiver<Vec<u8>>) -> Body {
    Body::from_stream(futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|chunk| (Ok::<_, std::io::Error>(chunk), receiver))
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_of_a_hostile_site_ends_and_keeps_what_was_fine() {
    let address = hostile().await;
    let host = Host::start_with(|options| options.map("hostile.example", address)).await;
    let ada = host.customer("websites:read assets:read assets:write seo:execute").await;
    host.buy_points(&ada, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "hostile.example" })).await.data();
    let arguments = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
    let started = ada.run("crawl.run.start", arguments).await.data();
    let run = json!({ "run_ref": started["run_ref"] });
    let ended = ada.wait_for("crawl.run.get", run.clone(), 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let page = |url: &str| json!({ "run_ref": started["run_ref"], "url": format!("http://hostile.example{url}") });
    let fine = ada.read("crawl.page.get", page("/fine")).await.data();
    assert_eq!(fine["page"]["status"], 200, "{fine}");
    let huge = ada.read("crawl.page.get", page("/huge")).await.data();
    assert_eq!(huge["page"]["truncated"], true, "{huge}");
    let endless = ada.read("crawl.page.get", page("/endless")).await.data();
    assert_ne!(endless["page"]["status"], 200, "{endless}");
    host.verify_ledger().await;
}
