//! The control listener: what a test can do through the handle, over HTTP, on a port of its own.
//!
//! `GET /` lists the providers with their addresses and credentials. `POST /__faults` with
//! `{"provider","fault","times","path"}` plans a fault (`times` absent: until cleared; `path` absent: every path);
//! `DELETE /__faults?provider=` clears. `GET /__requests?provider=` and `GET /__effects?provider=` read the records.

use std::collections::HashMap;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpListener;

use crate::fault::Fault;
use crate::simulator::Simulator;

#[derive(Deserialize)]
struct Plan {
    provider: String,
    fault: Fault,
    times: Option<u32>,
    #[serde(default)]
    path: String,
}

pub(crate) async fn serve(port: u16, simulators: Vec<Simulator>) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let address = listener.local_addr()?;
    let router = Router::new()
        .route("/", get(list))
        .route("/__faults", post(plan).delete(clear))
        .route("/__requests", get(requests))
        .route("/__effects", get(effects))
        .with_state(simulators);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn list(State(simulators): State<Vec<Simulator>>) -> Response {
    let all = simulators.iter().map(|it| json!({"name": it.name(), "url": it.url(), "credentials": it.credentials()}));
    Json(all.collect::<Vec<_>>()).into_response()
}

async fn plan(State(simulators): State<Vec<Simulator>>, Json(plan): Json<Plan>) -> Response {
    let Some(simulator) = simulators.iter().find(|it| it.name() == plan.provider) else {
        return unknown(&simulators);
    };
    simulator.fault_on(&plan.path, plan.fault, plan.times);
    StatusCode::NO_CONTENT.into_response()
}

async fn clear(State(simulators): State<Vec<Simulator>>, Query(query): Query<HashMap<String, String>>) -> Response {
    let wanted = query.get("provider");
    for simulator in simulators.iter().filter(|it| wanted.is_none_or(|name| name == it.name())) {
        simulator.clear_faults();
    }
    StatusCode::NO_CONTENT.into_response()
}

async fn requests(State(simulators): State<Vec<Simulator>>, Query(query): Query<HashMap<String, String>>) -> Response {
    match named(&simulators, &query) {
        Some(simulator) => Json(simulator.requests()).into_response(),
        None => unknown(&simulators),
    }
}

async fn effects(State(simulators): State<Vec<Simulator>>, Query(query): Query<HashMap<String, String>>) -> Response {
    match named(&simulators, &query) {
        Some(simulator) => Json(simulator.effects()).into_response(),
        None => unknown(&simulators),
    }
}

fn named<'a>(simulators: &'a [Simulator], query: &HashMap<String, String>) -> Option<&'a Simulator> {
    simulators.iter().find(|it| Some(it.name()) == query.get("provider").map(String::as_str))
}

fn unknown(simulators: &[Simulator]) -> Response {
    let names: Vec<_> = simulators.iter().map(Simulator::name).collect();
    (StatusCode::NOT_FOUND, Json(json!({ "error": "unknown provider", "allowed": names }))).into_response()
}
