//! One read and one write, each twice behind the same HTTP, bearer, store and commit: by the module as native code, and
//! by the module in a fresh instance. What differs is the sandbox. The read is not metered.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use espalier::modules::Profile;
use model::clock::{Clock, SystemClock};
use model::contract::Kind;
use model::grant::Grant;
use model::id::RequestId;
use model::limits::Limits;
use model::token::Secret;
use sandbox::{Cancel, Export, Invocation, Run};
use serde_json::{Value, json};
use service::Service;
use store::{Changes, Workspace};
use tests::host::Host;
use tokio::net::TcpListener;

use crate::inside::{rich, settlement};
use crate::product::{People, Person, Served};

/// An instance for a request that did not come through the spine.
pub(crate) fn invocation(service: &Service, customer: &str, module: &str, operation: &str, text: &str) -> Invocation {
    let (now, customer) = (SystemClock.now(), model::id::CustomerId::from(customer));
    let module = service.core.module(module).expect("the module");
    let kind = if operation.ends_with("create") { Kind::Write } else { Kind::Read };
    Invocation {
        started_by: None,
        export: Export::Operation(operation.to_owned()),
        kind,
        queued: false,
        limits: Limits::of(kind),
        arguments: text.to_owned(),
        workspace: Workspace::open(service.core.store(), customer.clone(), module.schema.clone(), now),
        module,
        now,
        seed: [0; 32],
        customer,
        keys: model::keys::KeyRing::of([0; 32]),
        sends: None,
        edges: Arc::new(model::edges::Edges {
            public_url: "http://127.0.0.1".into(),
            uploads: model::edges::UploadLimits::default(),
        }),
        platform: None,
        offer: None,
        secrets: sandbox::Secrets::default(),
        slot: None,
        owned: None,
        record: false,
        cancel: Cancel::default(),
    }
}

const READ: &str = "authors.markup.generate";
const WRITE: &str = "authors.create";

thread_local! {
    /// The module as native code, with the one author that reads are about.
    static NATIVE: RefCell<Option<(sdk::Fake, String)>> = const { RefCell::new(None) };
}

/// Runs the module's own code on this thread.
fn natively(operation: &str, arguments: Option<&str>) -> String {
    NATIVE.with_borrow_mut(|native| {
        let (fake, ada) = native.get_or_insert_with(|| {
            let fake = sdk::Fake::new(authors::module());
            let made = json!({ "firstname": "Ada", "lastname": "Lovelace" });
            let made = fake.call(WRITE, made).expect("made");
            (fake, json!({ "author_ref": made["author_ref"] }).to_string())
        });
        fake.natively(operation, arguments.unwrap_or(ada)).expect("an answer").data
    })
}

async fn grant(service: &Service, headers: &HeaderMap) -> Option<Grant> {
    let token = headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer ")?;
    service.core.authority().bearer(&Secret::received(token.to_owned())).await.ok()
}

type Answer = Result<String, StatusCode>;

/// The bearer, the arguments as JSON, the operation, and for a write its commit.
async fn answer(service: Service, headers: HeaderMap, body: String, operation: &str, native: bool) -> Answer {
    let grant = grant(&service, &headers).await.ok_or(StatusCode::UNAUTHORIZED)?;
    let arguments: Value = serde_json::from_str(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let invocation = invocation(&service, grant.customer.as_str(), "authors", operation, &body);
    let now = invocation.now;
    let (data, changes) = if native {
        let mut workspace = invocation.workspace;
        if operation == READ {
            let id = arguments["author_ref"].as_str().ok_or(StatusCode::BAD_REQUEST)?;
            workspace.get("authors", id).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
            (natively(READ, None), Changes::default())
        } else {
            let data = natively(WRITE, Some(&body));
            let row = json!({ "firstname": "Grace", "lastname": "Hopper", "created_ms": now.0 });
            workspace.insert("authors", None, row.to_string()).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
            (data, workspace.into_changes())
        }
    } else {
        let Run { outcome, workspace, .. } = service.core.sandbox().run(invocation).await;
        (outcome.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?.data, workspace.into_changes())
    };
    if operation == WRITE {
        let request = RequestId::from(headers.get("idempotency-key").and_then(|it| it.to_str().ok()).unwrap_or("-"));
        let settlement = settlement(&grant.customer, request, now, changes);
        service.core.store().calls.settle(settlement).await.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    }
    Ok(data)
}

/// Serves for ever; the first line says where, and who may ask.
pub(crate) async fn serve() {
    let host = Host::start_with(|options| options.profile(Profile::measured())).await;
    let mut people = Vec::new();
    for _ in 0..16 {
        let customer = rich(&host, "account:read assets:read assets:write seo:analyze").await;
        let made = customer.run(WRITE, json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
        people.push(json!({ "token": customer.token, "author": made.data()["author_ref"] }));
    }
    let mut router = Router::new();
    for (path, operation, native) in [
        ("/native/read", READ, true),
        ("/fresh/read", READ, false),
        ("/native/write", WRITE, true),
        ("/fresh/write", WRITE, false),
    ] {
        let handler = move |State(service): State<Service>, headers: HeaderMap, body: String| {
            answer(service, headers, body, operation, native)
        };
        router = router.route(path, post(handler));
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", json!({ "address": listener.local_addr().expect("an address"), "people": people }));
    axum::serve(listener, router.with_state(host.service.clone())).await.expect("served");
}

/// The server of both, as a process of its own.
pub(crate) struct Twin {
    pub(crate) server: Served,
    pub(crate) address: SocketAddr,
    pub(crate) people: People,
}

impl Twin {
    pub(crate) fn start() -> Self {
        let server = Served::start("--twin");
        let said: Value = serde_json::from_str(&server.said).expect("where it is");
        let people = said["people"].as_array().expect("customers").iter().map(|it| Person {
            token: format!("Bearer {}", it["token"].as_str().expect("a token")),
            author: it["author"].clone(),
        });
        let address = said["address"].as_str().and_then(|it| it.parse().ok()).expect("an address");
        Self { server, address, people: people.collect() }
    }
}
