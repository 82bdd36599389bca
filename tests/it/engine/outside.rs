//! What a customer and what the trail learn when a module asks for an address of the inside.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use model::id::CustomerId;
use serde_json::{Value, json};
use tests::host::Host;
use tokio::net::TcpListener;
use url::form_urlencoded;

/// A public site that sends visitors on to the place that its query names.
async fn site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(|uri: Uri| async move {
        let place: String = form_urlencoded::parse(uri.query().unwrap_or("/").as_bytes()).map(|(key, _)| key).collect();
        (StatusCode::FOUND, [(header::LOCATION, place)])
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// A service of the inside that counts its visitors.
async fn inside() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let visitors = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&visitors);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (address, visitors)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refused_address_looks_the_same_to_the_customer_and_the_trail_has_the_reason() {
    let (public, (private, visitors)) = (site().await, inside().await);
    let host = Host::start_with(|options| {
        options.close();
        options.map("shop.example", public);
    })
    .await;
    let ada = host.customer("seo:audit").await;
    host.buy_points(&ada, 10).await;
    let port = private.port();
    let id = CustomerId::from(ada.id.as_str());
    let mut answers = BTreeSet::new();
    for (place, code, address) in [
        (format!("http://127.0.0.1:{port}/"), "address", json!("127.0.0.1")),
        (format!("http://127.1:{port}/"), "address", json!("127.0.0.1")),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), "address", json!("::ffff:127.0.0.1")),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "address", json!("169.254.169.254")),
        ("http://10.0.0.1/".to_owned(), "address", json!("10.0.0.1")),
        ("http://[fd00:ec2::254]/".to_owned(), "address", json!("fd00:ec2::254")),
        (format!("http://localhost:{port}/"), "name", Value::Null),
        ("http://metadata.google.internal/".to_owned(), "name", Value::Null),
        ("http://93.184.215.14:22/".to_owned(), "port", json!("93.184.215.14")),
    ] {
        let query: String = form_urlencoded::byte_serialize(place.as_bytes()).collect();
        for url in [place, format!("http://shop.example/?{query}")] {
            let answer = ada.read("audit.page.check", json!({ "url": url })).await;
            assert_eq!(answer.refusal(), (422, "url_refused".to_owned()), "{url}");
            answers.insert(answer.json()["error"].to_string());
            let lines = host.service.core.store().trail.audit_lines(&id, None, 10).await.expect("readable");
            let line = lines.iter().find(|line| line.audit.event == "egress.refused").expect("the trail has it");
            assert_eq!((line.audit.outcome.as_str(), &line.audit.detail["address"]), (code, &address), "{url}");
            assert_eq!(line.audit.subject, "audit.page.check", "{url}");
        }
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(visitors.load(Ordering::SeqCst), 0);
    let lines = host.service.core.store().trail.audit_lines(&id, None, 1_000).await.expect("readable");
    assert_eq!(lines.iter().filter(|line| line.audit.event == "egress.refused").count(), 18);
}
