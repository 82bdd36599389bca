//! A module for tests: it hands changes to customers' providers, at once and in the steps of a job, so that hosts can be
//! killed while they are on their way.

mod ask;
mod mail;

use sdk::IsQueued;
use sdk::prelude::*;
use sdk::{Send, SendFailure};
use serde_json::json;

sdk::module! {
    operations: [post, task, series, mail::note, mail::news, mail::smuggle, mail::round, ask::invite, ask::who],
    steps: [work as series, mail::walk as round],
    collections: [Handed],
}

/// Something that was handed over, as this module believes.
#[record(collection = "handed", index(name))]
struct Handed {
    name: Text<1, 80>,
}

impl Handed {
    fn named(name: &str) -> Self {
        Self { name: name.parse().expect("a short name") }
    }
}

#[args]
struct Hand {
    /// Through which connection.
    connection_ref: Text<1, 128>,
    /// What it is called at the provider.
    name: Text<1, 80>,
}

#[value]
struct Made {
    /// What the provider answered, or why nobody knows.
    outcome: String,
}

/// Makes a post: the provider knows no idempotency keys, so it is handed over once or nobody knows.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:wordpress"],
    outside = ["wordpress POST /wp-json/wp/v2/posts change"],
    phrasings = ["make a post"],
    examples = [{ "connection_ref": "con_1", "name": "one" }]
)]
fn post(cx: &Cx, args: Hand) -> Result<Made> {
    let body = json!({ "title": args.name.as_str(), "status": "draft" });
    hand(cx, &args.name, Send::post(args.connection_ref.as_str(), "/wp-json/wp/v2/posts").json(&body))
}

/// Makes a task: the provider does it once under one key, however often it is handed over.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:fulfilment"],
    outside = ["fulfilment POST /v1/tasks change"],
    phrasings = ["make a task"],
    examples = [{ "connection_ref": "con_1", "name": "one" }]
)]
fn task(cx: &Cx, args: Hand) -> Result<Made> {
    hand(cx, &args.name, a_task(args.connection_ref.as_str(), args.name.as_str()))
}

/// Makes tasks in the steps of a job.
#[operation(
    job,
    queued(step = "series"),
    scope = "assets:write",
    cost = job(unit = "tasks", every = 1, most = 10),
    needs = ["connection:fulfilment"],
    outside = ["fulfilment POST /v1/tasks change"],
    phrasings = ["make a series of tasks"],
    examples = [{ "connection_ref": "con_1", "name": "one" }]
)]
fn series(cx: &Cx, args: Hand) -> Result<Started> {
    let job_ref = cx.jobs().enqueue("series", &Payload { connection_ref: args.connection_ref, name: args.name })?;
    Ok(Started { job_ref, state: IsQueued::Queued })
}

#[value]
struct Started {
    job_ref: Id<Job>,
    state: IsQueued,
}

#[args]
struct Payload {
    connection_ref: Text<1, 128>,
    name: Text<1, 80>,
}

#[value]
struct Progress {
    made: u32,
}

/// Tasks of a series.
const SERIES: u32 = 3;

/// What the step notes for a task, in millionths of a dollar.
const PRICE: u64 = 250;

/// One task a step.
#[step]
fn work(cx: &Cx, payload: Payload, checkpoint: Option<Progress>) -> Result<Step<Progress, Progress, Progress>> {
    let made = checkpoint.map_or(0, |it| it.made) + 1;
    let name = format!("{} {made}", payload.name.as_str());
    cx.accounts().note_spent(payload.connection_ref.as_str(), PRICE, "USD");
    match cx.connections().send(&a_task(payload.connection_ref.as_str(), &name)) {
        Ok(sent) if sent.is_success() => {}
        _ => return Err(Fault::unavailable("provider_failed", "the provider did not take the task")),
    }
    let now = || Progress { made };
    Ok(if made == SERIES { Step::done(now(), now()) } else { Step::next(now(), now()) }.units(1))
}

fn a_task(connection: &str, name: &str) -> Send {
    let body = json!({
        "campaign": name, "kind": "visit", "audience_ref": "aud_lamp_friends", "quantity": 1, "text": "Have a look",
        "disclosure": "Paid for by the shop", "url": "https://shop.example/",
    });
    Send::post(connection, "/v1/tasks").json(&body)
}

/// Hands a change over and keeps a record of it in the same call.
fn hand(cx: &Cx, name: &Text<1, 80>, send: Send) -> Result<Made> {
    let outcome = match cx.connections().send(&send) {
        Ok(sent) => sent.status.to_string(),
        Err(SendFailure::UnknownOutcome) => {
            return Err(Fault::conflict("outcome_unknown", "the provider may have it, and it was not sent again"));
        }
        Err(_) => return Err(Fault::unavailable("provider_failed", "the provider did not take it")),
    };
    cx.records::<Handed>().insert(Handed { name: name.clone() })?;
    Ok(Made { outcome })
}
