//! What an offer other than the product's can do on the transport: answer in parts, ask its client, hear the answer.

use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use http::{Request, StatusCode};
use model::grant::Grant;
use rmcp::model::{Implementation, ServerCapabilities};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use crate::mcp::offer::{Call, Era, Fault, Heard, Hello, Miss, Offer, Part, Reply, raw};
use crate::tests::World;

/// Says one thing before each result, and keeps what it hears.
#[derive(Clone, Default)]
struct Parrot(Arc<Mutex<Vec<Heard>>>);

impl Parrot {
    fn heard(&self) -> Vec<Heard> {
        self.0.lock().unwrap().clone()
    }
}

impl Offer for Parrot {
    fn hello(&self, _: &Era) -> Hello {
        let server = Implementation::new("parrot", "1");
        Hello { server, capabilities: ServerCapabilities::default(), instructions: None }
    }

    async fn answer(&self, call: Call<'_>) -> Result<Reply, Miss> {
        match call.method {
            "talk" => {
                let (parts, stream) = mpsc::channel(3);
                for part in [
                    Part::Message(raw(&json!({ "jsonrpc": "2.0", "method": "notifications/said" }))),
                    Part::Result(raw(&json!({ "done": true }))),
                    Part::Message(raw(&json!({ "late": true }))),
                ] {
                    parts.send(part).await.unwrap();
                }
                Ok(Reply::Parts(stream))
            }
            "need" => Err(Fault::missing_capability(json!({ "sampling": {} })).into()),
            other => Err(Fault::unknown_method(call.era, other).into()),
        }
    }

    fn hear(&self, _: &Grant, heard: Heard) -> bool {
        let known = heard.id == rmcp::model::RequestId::String("q".into());
        self.0.lock().unwrap().push(heard);
        known
    }
}

async fn post(world: &World, parrot: &Parrot, token: &str, body: Value) -> (StatusCode, String, String) {
    let request = Request::post("/mcp")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2025-11-25")
        .body(Body::from(body.to_string()))
        .unwrap();
    let router = crate::router_with(world.service.clone(), parrot.clone());
    let (parts, body) = router.oneshot(request).await.unwrap().into_parts();
    let kind = parts.headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned()).unwrap_or_default();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, kind, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn an_answer_in_parts_is_events_with_the_result_last() {
    let (world, parrot) = (World::new().await, Parrot::default());
    let talk = json!({ "jsonrpc": "2.0", "id": 7, "method": "talk" });
    let (status, kind, text) = post(&world, &parrot, &world.token, talk.clone()).await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/event-stream"));
    let events: Vec<Value> = text
        .split("\n\n")
        .filter(|event| !event.is_empty())
        .map(|event| serde_json::from_str(event.strip_prefix("event: message\ndata: ").unwrap()).unwrap())
        .collect();
    assert_eq!(
        events,
        [
            json!({ "jsonrpc": "2.0", "method": "notifications/said" }),
            json!({ "jsonrpc": "2.0", "id": 7, "result": { "done": true } }),
        ]
    );
    let (status, _, _) = post(&world, &parrot, "esp_at_no", talk).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_answer_to_a_question_is_heard_and_to_none_is_refused() {
    let (world, parrot) = (World::new().await, Parrot::default());
    let answer = |id: &str| json!({ "jsonrpc": "2.0", "id": id, "result": { "yes": 1 } });
    let (status, _, text) = post(&world, &parrot, &world.token, answer("q")).await;
    assert_eq!((status, text.as_str()), (StatusCode::ACCEPTED, ""));
    let (status, _, text) = post(&world, &parrot, &world.token, answer("other")).await;
    let error: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &error["error"]["code"], &error["id"]),
        (StatusCode::BAD_REQUEST, &json!(-32600), &json!("other"))
    );
    let no = json!({ "jsonrpc": "2.0", "id": "q", "error": { "code": -1, "message": "no" } });
    post(&world, &parrot, &world.token, no).await;
    let heard = parrot.heard();
    assert_eq!(heard[0].outcome, Ok(json!({ "yes": 1 })));
    assert_eq!(heard[2].outcome, Err(json!({ "code": -1, "message": "no" })));
    for neither in
        [json!({ "jsonrpc": "2.0", "id": 1, "result": 1, "error": 1 }), json!({ "jsonrpc": "2.0", "result": 1 })]
    {
        let (status, _, text) = post(&world, &parrot, &world.token, neither).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    }
    assert_eq!(parrot.heard().len(), 3);
}

#[tokio::test]
async fn a_capability_that_the_client_lacks_is_named() {
    let (world, parrot) = (World::new().await, Parrot::default());
    let need = json!({ "jsonrpc": "2.0", "id": 1, "method": "need" });
    let (status, _, text) = post(&world, &parrot, &world.token, need).await;
    let error: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &error["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32021)));
    assert_eq!(error["error"]["data"]["requiredCapabilities"], json!({ "sampling": {} }));
}
