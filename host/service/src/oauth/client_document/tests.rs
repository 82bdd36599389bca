//! V7: what `client_document` promises, as tests.

use std::sync::atomic::{AtomicUsize, Ordering};

use sandbox::OutboundPolicy;
use serde_json::json;

use super::*;

const ID: &str = "https://app.example/oauth/client.json";
const NOW: Moment = Moment(1_790_000_000_000);

fn document() -> Value {
    json!({
        "client_id": ID,
        "client_name": "App",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "token_endpoint_auth_method": "none",
    })
}

fn page(document: &Value) -> Fetched {
    Fetched {
        url: ID.to_owned(),
        status: 200,
        headers: vec![("content-type".to_owned(), "application/json; charset=utf-8".to_owned())],
        body: document.to_string().into_bytes(),
        ..Fetched::default()
    }
}

/// One page for everybody, and how often it was asked for.
struct OnePage(Fetched, Arc<AtomicUsize>);

impl Documents for OnePage {
    fn fetch<'a>(&'a self, request: Fetch, _: &'a mut Vec<Decision>) -> Fetching<'a> {
        assert_eq!((request.follow, request.max_bytes), (0, LONGEST));
        self.1.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(self.0.clone()) })
    }
}

fn serving(page: Fetched) -> (Arc<ClientDocuments>, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    (ClientDocuments::new(OnePage(page, asked.clone())), asked)
}

#[tokio::test]
async fn v7_a_document_at_the_address_that_it_names_is_a_client() {
    let (documents, asked) = serving(page(&document()));
    let client = documents.client(&ID.into(), NOW, &mut Vec::new()).await.unwrap();
    assert_eq!(client.id.as_str(), ID);
    assert_eq!(client.metadata.redirect_uris, ["http://127.0.0.1/callback"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[test]
fn v7_a_document_that_breaks_a_rule_is_no_client() {
    assert!(read(ID, &page(&document())).is_ok());
    let with = |name: &str, value: Value| {
        let mut document = document();
        document[name] = value;
        page(&document)
    };
    for wrong in [
        with("client_id", json!("https://app.example/oauth/client.json/")),
        with("client_id", json!("https://APP.example/oauth/client.json")),
        with("client_id", Value::Null),
        with("client_secret", json!("x")),
        with("token_endpoint_auth_method", json!("client_secret_basic")),
        with("token_endpoint_auth_method", json!("private_key_jwt")),
        with("redirect_uris", json!([])),
        with("redirect_uris", json!(["cursor://app/callback"])),
        with("redirect_uris", json!(["http://app.example/callback"])),
        with("grant_types", json!(["client_credentials"])),
        Fetched { status: 404, ..page(&document()) },
        Fetched { status: 302, ..page(&document()) },
        Fetched { truncated: true, ..page(&document()) },
        Fetched { headers: Vec::new(), ..page(&document()) },
        Fetched { headers: vec![("content-type".to_owned(), "text/html".to_owned())], ..page(&document()) },
        Fetched { body: b"{".to_vec(), ..page(&document()) },
    ] {
        assert!(read(ID, &wrong).is_err(), "{}", String::from_utf8_lossy(&wrong.body));
    }
}

#[tokio::test]
async fn v7_an_address_that_is_no_documents_is_not_asked_for() {
    let (documents, asked) = serving(page(&document()));
    for text in [
        "https://app.example",
        "https://app.example/",
        "http://app.example/client.json",
        "https://app.example/client.json#x",
        "https://user@app.example/client.json",
        "https://APP.example/client.json",
        "https://app.example:443/client.json",
        "https://app.example/a/../client.json",
        "https://app.example/./client.json",
        "https://app.example\\client.json",
        "https:app.example/client.json",
        " https://app.example/client.json",
        &format!("https://app.example/{}", "x".repeat(2_048)),
    ] {
        assert!(documents.client(&text.into(), NOW, &mut Vec::new()).await.is_none(), "{text}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn v7_the_guard_goes_to_no_address_inside() {
    let documents = ClientDocuments::new(Guard::new(OutboundPolicy::default()).unwrap());
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
        "[::ffff:127.0.0.1]",
        "metadata.google.internal",
    ] {
        let id = format!("https://{host}/client.json");
        let mut trail = Vec::new();
        assert!(documents.client(&id.as_str().into(), NOW, &mut trail).await.is_none(), "{host}");
        assert!(trail.iter().all(|decision| decision.verdict != Verdict::Permitted), "{host}: {trail:?}");
    }
}

#[tokio::test]
async fn v7_a_document_is_kept_as_long_as_it_says() {
    let second = Duration::from_secs(1);
    for (said, life) in [
        ("max-age=60", Duration::from_secs(60)),
        ("public, MAX-AGE=120", Duration::from_secs(120)),
        ("max-age=99999999", AT_MOST),
        ("no-store", Duration::ZERO),
        ("private, no-cache, max-age=60", Duration::ZERO),
        ("immutable", USUALLY),
    ] {
        let mut page = page(&document());
        page.headers.push(("cache-control".to_owned(), said.to_owned()));
        let (documents, asked) = serving(page);
        documents.client(&ID.into(), NOW, &mut Vec::new()).await.unwrap();
        if life > second {
            documents.client(&ID.into(), NOW.plus(life - second), &mut Vec::new()).await.unwrap();
            assert_eq!(asked.load(Ordering::SeqCst), 1, "{said}");
        }
        documents.client(&ID.into(), NOW.plus(life), &mut Vec::new()).await.unwrap();
        assert_eq!(asked.load(Ordering::SeqCst), 2, "{said}");
    }
}
