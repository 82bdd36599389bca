//! The control listener: what a test can do through the handle, over HTTP, on a port of its own.
//!
//! `GET /` lists the providers with their addresses and credentials. `POST /__faults` with
//! `{"provider","fault","times","path"}` plans a fault (`times` absent: until cleared; `path` absent: every path);
//! `DELETE /__faults?provider=` clears. `GET /__requests?provider=` and `GET /__effects?provider=` read the records;
//! for `smtp` the requests are the messages taken.

use std::collections::HashMap;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::fault::Fault;
use crate::simulator::Simulator;
use crate::smtp::Smtp;

#[derive(Deserialize)]
struct Plan {
    provider: String,
    fault: Fault,
    times: Option<u32>,
    #[serde(default)]
    path: String,
}

/// The providers: those that speak HTTP, and the one that does not.
#[derive(Clone)]
struct World {
    simulators: Vec<Simulator>,
    smtp: Smtp,
}

pub(crate) async fn serve(port: u16, simulators: Vec<Simulator>, smtp: Smtp) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let address = listener.local_addr()?;
    let router = Router::new()
        .route("/", get(list))
        .route("/__faults", post(plan).delete(clear))
        .route("/__requests", get(requests))
        .route("/__effects", get(effects))
        .with_state(World { simulators, smtp });
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn list(State(world): State<World>) -> Response {
    let shown =
        |name: &str, url: String, credentials: Value| json!({ "name": name, "url": url, "credentials": credentials });
    let http = world.simulators.iter().map(|it| shown(it.name(), it.url(), it.credentials()));
    let smtp = shown(world.smtp.name(), world.smtp.url(), world.smtp.credentials());
    Json(http.chain([smtp]).collect::<Vec<_>>()).into_response()
}

async fn plan(State(world): State<World>, Json(plan): Json<Plan>) -> Response {
    if plan.provider == world.smtp.name() {
        world.smtp.fault_until(plan.fault, plan.times);
        return StatusCode::NO_CONTENT.into_response();
    }
    let Some(simulator) = world.simulators.iter().find(|it| it.name() == plan.provider) else {
        return unknown(&world);
    };
    simulator.fault_on(&plan.path, plan.fault, plan.times);
    StatusCode::NO_CONTENT.into_response()
}

async fn clear(State(world): State<World>, Query(query): Query<HashMap<String, String>>) -> Response {
    let wanted = |name: &str| query.get("provider").is_none_or(|it| it == name);
    for simulator in world.simulators.iter().filter(|it| wanted(it.name())) {
        simulator.clear_faults();
    }
    if wanted(world.smtp.name()) {
        world.smtp.clear_faults();
    }
    StatusCode::NO_CONTENT.into_response()
}

async fn requests(State(world): State<World>, Query(query): Query<HashMap<String, String>>) -> Response {
    match named(&world, &query) {
        Some(simulator) => Json(simulator.requests()).into_response(),
        None if query.get("provider").is_some_and(|name| name == world.smtp.name()) => {
            Json(world.smtp.messages()).into_response()
        }
        None => unknown(&world),
    }
}

async fn effects(State(world): State<World>, Query(query): Query<HashMap<String, String>>) -> Response {
    match named(&world, &query) {
        Some(simulator) => Json(simulator.effects()).into_response(),
        None if query.get("provider").is_some_and(|name| name == world.smtp.name()) => {
            Json(world.smtp.effects()).into_response()
        }
        None => unknown(&world),
    }
}

fn named<'a>(world: &'a World, query: &HashMap<String, String>) -> Option<&'a Simulator> {
    world.simulators.iter().find(|it| Some(it.name()) == query.get("provider").map(String::as_str))
}

fn unknown(world: &World) -> Response {
    let names: Vec<_> = world.simulators.iter().map(Simulator::name).chain([world.smtp.name()]).collect();
    (StatusCode::NOT_FOUND, Json(json!({ "error": "unknown provider", "allowed": names }))).into_response()
}
