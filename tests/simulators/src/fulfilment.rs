//! The reference server of the fulfilment contract: tasks for people who opted in, their states, signed callbacks.
//!
//! Source: FULFILMENT.md in this crate. Nobody real is behind it: `POST /v1/sandbox/advance` moves every task one step,
//! and how many people say yes comes from the seed.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::provider::{Desk, Provider, Sites};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;
use crate::{lock, outcall};

const TOKEN: &str = "ful_simulated_token";
/// In the form of Standard Webhooks: what follows the prefix is the key in base64.
const CALLBACK_SECRET: &str = "whsec_bGFtcC1zaG9wLXNpbXVsYXRlZC1jYWxsYmFjay1rZXk=";
/// When a callback that was not taken is tried again.
const AGAIN: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(30)];
const KINDS: [&str; 2] = ["share", "visit"];
const STATES: [&str; 6] = ["open", "offered", "accepted", "done", "cancelled", "expired"];

/// Tasks by their number, and what was answered under which key.
#[derive(Default)]
pub(crate) struct Fulfilment(Mutex<Held>);

#[derive(Default)]
struct Held {
    tasks: BTreeMap<u64, Value>,
    answered: BTreeMap<String, (Value, u64)>,
    sent: u64,
}

fn error(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": { "code": code, "message": message } }))
}

fn audiences() -> Value {
    json!([
        { "audience_ref": "aud_lamp_friends", "name": "Lamp friends", "people": 480, "countries": ["GB", "DE"], "topics": ["home", "craft"], "consent_basis": "opt-in, 2026-02 wording", "weekly_cap": 2, "acceptance_28d": 0.41 },
        { "audience_ref": "aud_lampton", "name": "Neighbours in Lampton", "people": 62, "countries": ["GB"], "topics": ["local"], "consent_basis": "opt-in, 2026-02 wording", "weekly_cap": 1, "acceptance_28d": 0.63 }
    ])
}

impl Provider for Fulfilment {
    fn credentials(&self) -> Value {
        json!({ "api_key": TOKEN, "signing_secret": CALLBACK_SECRET })
    }

    fn auth(&self, request: &Request) -> Auth {
        Request::check(request.bearer(), TOKEN)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let held = &mut *lock(&self.0);
        let (method, parts) = request.route();
        match (method, parts.as_slice()) {
            ("GET", ["v1", "panel"]) => {
                Reply::ok(&json!({ "name": "Reference panel", "contract": "1.0", "kinds": KINDS }))
            }
            ("GET", ["v1", "audiences"]) => Reply::ok(&json!({ "audiences": audiences(), "next_cursor": null })),
            ("POST", ["v1", "tasks"]) => create(held, request, desk),
            ("GET", ["v1", "tasks"]) => list(held, request),
            ("GET", ["v1", "tasks", id]) => number(id)
                .and_then(|id| held.tasks.get(&id))
                .map_or_else(|| error(404, "not_found", "There is no such task."), |task| Reply::ok(&shown(task))),
            ("POST", ["v1", "tasks", id, "cancel"]) => {
                let Some(task) = number(id).and_then(|id| held.tasks.get_mut(&id)) else {
                    return error(404, "not_found", "There is no such task.");
                };
                match task["state"].as_str() {
                    Some("cancelled") => Reply::ok(&shown(task)),
                    Some("done" | "expired") => error(409, "finished", "The task is finished; it cannot be cancelled."),
                    _ => {
                        task["state"] = json!("cancelled");
                        task["updated_at"] = json!(Timestamp::now().to_string());
                        desk.effect("task.cancelled", id, request);
                        let told = task.clone();
                        call_back(held, desk, &told);
                        Reply::ok(&shown(&told))
                    }
                }
            }
            ("POST", ["v1", "sandbox", "advance"]) => {
                let ids: Vec<u64> = held.tasks.keys().copied().collect();
                let moved = ids.into_iter().filter(|id| step(held, desk, *id)).count();
                Reply::ok(&json!({ "moved": moved }))
            }
            _ => error(404, "not_found", "There is no such resource."),
        }
    }

    fn refused(&self, _: &Request) -> Reply {
        error(401, "unauthorized", "The token is missing, wrong or expired.").header("www-authenticate", "Bearer")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        error(429, "rate_limited", "Too many requests.").header("retry-after", 10)
    }

    fn broken(&self, _: &Request) -> Reply {
        error(500, "internal", "Something went wrong on our side.")
    }
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix("task_")?.parse().ok()
}

/// A task without what only the server needs.
fn shown(task: &Value) -> Value {
    let mut shown = task.clone();
    if let Some(members) = shown.as_object_mut() {
        members.remove("callback_url");
    }
    shown
}

fn create(held: &mut Held, request: &Request, desk: &Desk) -> Reply {
    let Some(key) = request.header("idempotency-key").filter(|key| (8..=200).contains(&key.len())) else {
        return error(422, "idempotency_key_required", "Idempotency-Key must have 8 to 200 characters.");
    };
    let given = request.json();
    if let Some((before, id)) = held.answered.get(key) {
        if *before != given {
            return error(409, "idempotency_key_conflict", "The key was used with another body.");
        }
        return Reply::json(201, &shown(&held.tasks[id])).header("idempotent-replayed", "true");
    }
    let text = |name: &str| given[name].as_str().filter(|it| !it.trim().is_empty());
    let kind = text("kind").filter(|kind| KINDS.contains(kind));
    let audience = text("audience_ref")
        .filter(|it| audiences().as_array().is_some_and(|all| all.iter().any(|one| one["audience_ref"] == *it)));
    let quantity = given["quantity"].as_u64().filter(|count| (1..=1_000).contains(count));
    let wrong = [
        ("kind", kind.is_none()),
        ("audience_ref", audience.is_none()),
        ("quantity", quantity.is_none()),
        ("text", text("text").is_none()),
        ("disclosure", text("disclosure").is_none()),
        ("url", text("url").is_none_or(|it| url::Url::parse(it).is_err())),
        ("near", !given["near"].is_null() && !is_place(&given["near"])),
    ];
    if let Some((field, _)) = wrong.iter().find(|(_, wrong)| *wrong) {
        return Reply::json(
            422,
            &json!({ "error": { "code": "invalid_field", "message": format!("{field} is missing or not allowed."), "field": field } }),
        );
    }
    let id = held.tasks.len() as u64 + 1;
    let now = Timestamp::now().to_string();
    let task = json!({ "task_ref": format!("task_{id}"), "campaign": given["campaign"], "kind": kind, "audience_ref": audience, "quantity": quantity, "url": given["url"], "state": "open",
        "offered": 0, "accepted": 0, "done": 0, "declined": 0, "not_before": given["not_before"], "expires_at": given["expires_at"], "created_at": now, "updated_at": now, "callback_url": given["callback_url"] });
    held.tasks.insert(id, task.clone());
    held.answered.insert(key.to_owned(), (given, id));
    desk.effect("task.created", format!("task_{id}"), request);
    Reply::json(201, &shown(&task)).header("location", format!("/v1/tasks/task_{id}"))
}

/// Whether a place is one on earth, and coarse enough.
fn is_place(near: &Value) -> bool {
    let within = |member: &str, most: f64| near[member].as_f64().is_some_and(|it| it.abs() <= most);
    within("latitude", 90.0) && within("longitude", 180.0) && near["radius_m"].as_u64() >= Some(1_000)
}

fn list(held: &Held, request: &Request) -> Reply {
    if request.query("state").is_some_and(|state| !STATES.contains(&state)) {
        return error(422, "invalid_field", "state is not allowed.");
    }
    let limit = request.number("limit").unwrap_or(25);
    if !(1..=100).contains(&limit) {
        return error(422, "invalid_field", "limit must be 1 to 100.");
    }
    let after = match request.query("cursor").map(number) {
        None => 0,
        Some(Some(after)) => after,
        Some(None) => return error(422, "invalid_field", "cursor is not one of ours."),
    };
    let fits = |task: &Value| {
        ["state", "campaign"].iter().all(|name| request.query(name).is_none_or(|wanted| task[*name] == wanted))
    };
    let found: Vec<(&u64, &Value)> = held.tasks.range(after + 1..).filter(|(_, task)| fits(task)).collect();
    let page: Vec<Value> = found.iter().take(limit).map(|(_, task)| shown(task)).collect();
    let next = (found.len() > limit).then(|| format!("task_{}", found[limit - 1].0));
    Reply::ok(&json!({ "tasks": page, "next_cursor": next }))
}

/// The next state of a task, with counts of people from the seed.
fn step(held: &mut Held, desk: &Desk, id: u64) -> bool {
    let Some(task) = held.tasks.get_mut(&id) else { return false };
    let wanted = task["quantity"].as_u64().unwrap_or(0);
    let share = |seed: Seed, of: u64, what: &str, percent: u64| {
        let mut dice = seed.dice(&["people", &id.to_string(), what]);
        (0..of).filter(|_| dice.below(100) < percent).count() as u64
    };
    match task["state"].as_str() {
        Some("open") => {
            task["state"] = json!("offered");
            task["offered"] = json!(wanted);
        }
        Some("offered") => {
            let accepted = share(desk.seed, wanted, "accept", 60);
            task["state"] = json!("accepted");
            task["accepted"] = json!(accepted);
            task["declined"] = json!(wanted - accepted);
        }
        Some("accepted") => {
            let accepted = task["accepted"].as_u64().unwrap_or(0);
            task["state"] = json!("done");
            task["done"] = json!(share(desk.seed, accepted, "do", 85));
        }
        _ => return false,
    }
    task["updated_at"] = json!(Timestamp::now().to_string());
    let told = task.clone();
    call_back(held, desk, &told);
    true
}

/// Tells the task's new state to its callback, signed, and again until it is taken.
fn call_back(held: &mut Held, desk: &Desk, task: &Value) {
    let Some(url) = task["callback_url"].as_str().map(str::to_owned) else { return };
    held.sent += 1;
    let id = format!("msg_{}", held.sent);
    let body = json!({ "type": format!("task.{}", task["state"].as_str().unwrap_or_default()), "timestamp": task["updated_at"], "data": shown(task) }).to_string();
    let sites = desk.sites.clone();
    tokio::spawn(async move {
        for pause in AGAIN {
            if delivered(&sites, &url, &id, &body).await {
                return;
            }
            tokio::time::sleep(pause).await;
        }
        delivered(&sites, &url, &id, &body).await;
    });
}

async fn delivered(sites: &Sites, url: &str, id: &str, body: &str) -> bool {
    let at = Timestamp::now().as_second();
    let headers = [
        ("Content-Type", "application/json".to_owned()),
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", at.to_string()),
        ("webhook-signature", signature(id, at, body)),
    ];
    outcall::send(sites, "POST", url, &headers, body.as_bytes())
        .await
        .is_some_and(|(status, _)| (200..300).contains(&status))
}

/// `v1,` and the HMAC-SHA256 of id, time and body with dots between, in base64.
fn signature(id: &str, at: i64, body: &str) -> String {
    let key = BASE64_STANDARD.decode(CALLBACK_SECRET.trim_start_matches("whsec_")).unwrap_or_default();
    let signed = Hmac::<Sha256>::new_from_slice(&key)
        .map(|mac| mac.chain_update(format!("{id}.{at}.{body}")).finalize().into_bytes());
    format!("v1,{}", signed.map(|bytes| BASE64_STANDARD.encode(bytes)).unwrap_or_default())
}
