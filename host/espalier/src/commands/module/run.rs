//! `espalier module run`: one call against a scratch customer, and everything that it came to.

use std::collections::BTreeMap;

use anyhow::bail;
use model::canonical;
use model::contract::Contract;
use model::limits::Limits;
use serde_json::{Map, Value, json};
use store::AuditLine;

use super::place::Places;
use crate::commands::Say;
use crate::scratch::{Ran, Scratch};

pub(super) async fn run(
    scratch: &Scratch,
    places: &Places<'_>,
    (operation, arguments): (&str, &str),
    say: Say,
) -> anyhow::Result<()> {
    let arguments: Map<String, Value> = canonical::read_object(arguments.as_bytes()).map_err(|why| {
        let why = why.replace("the body", "it");
        anyhow::anyhow!("--args is a JSON object, such as '{{ \"limit\": 10 }}': {why}")
    })?;
    let Some(contract) = scratch.contracts().iter().find(|contract| contract.id == operation) else {
        let known = scratch.contracts().iter().map(|contract| contract.id.as_str()).collect::<Vec<_>>().join(", ");
        bail!("there is no operation {operation}; the module has {known}");
    };
    let ran = scratch.call(operation, arguments).await?;
    let mut spent = Spent::of(&ran);
    spent.denied.extend(denied(&ran, places, operation));
    let (value, words) = told((contract, &scratch.limits(contract)), &ran, &spent);
    say.value(&value, &words);
    match &ran.ended {
        Ok(_) => Ok(()),
        Err(refusal) => bail!("{operation} was refused: {}", refusal.code),
    }
}

/// What a call and its job took, summed over the trail.
#[derive(Default)]
pub(super) struct Spent {
    /// Points charged.
    pub(super) points: u64,
    /// Units of fuel, about one an instruction.
    pub(super) fuel: u64,
    host_calls: u64,
    requests: u64,
    /// Bytes, of the largest step.
    peak_memory: u64,
    /// What was committed: rows by collection, jobs, blobs.
    effects: BTreeMap<String, u64>,
    /// What was denied, and where its author or reviewer would permit it.
    denied: Vec<String>,
}

impl Spent {
    pub(super) fn of(ran: &Ran) -> Self {
        let mut spent = Self::default();
        for line in &ran.trail {
            let number = |name: &str| line.audit.detail[name].as_u64().unwrap_or_default();
            spent.points += line.audit.points;
            spent.fuel += number("fuel");
            spent.host_calls += number("host_calls");
            spent.requests += number("requests");
            spent.peak_memory = spent.peak_memory.max(number("peak_memory"));
            let outcome = &line.audit.outcome;
            if line.audit.event == "egress.refused" {
                let place = line.audit.detail["line"].as_str().map_or("the guard keeps the inside closed", |line| line);
                spent.denied.push(format!("{outcome}: {place}"));
            }
            for (what, count) in line.audit.detail["effects"].as_object().into_iter().flatten() {
                *spent.effects.entry(what.clone()).or_default() += count.as_u64().unwrap_or_default();
            }
        }
        spent
    }
}

/// What the host has stopped, and where it would be permitted.
fn denied(ran: &Ran, places: &Places<'_>, operation: &str) -> Vec<String> {
    let said = |line: &AuditLine| {
        let outcome = &line.audit.outcome;
        // The guest was told so and did not go on.
        let unseen = line.audit.detail["undeclared"].as_str();
        let unseen = unseen.map(|what| format!("denied.reads: {}", places.of_unseen(what, operation)));
        unseen.or_else(|| Some(format!("{outcome}: {}", places.of(outcome, operation)?)))
    };
    ran.trail.iter().filter_map(said).collect()
}

fn told((contract, limits): (&Contract, &Limits), ran: &Ran, spent: &Spent) -> (Value, String) {
    let (ok, answer) = match &ran.ended {
        Ok(outcome) => (true, serde_json::from_str(&outcome.data).unwrap_or(Value::Null)),
        Err(refusal) => {
            let mut error = refusal.members();
            error.insert("code".to_owned(), refusal.code.as_ref().into());
            error.insert("message".to_owned(), refusal.message.clone().into());
            (false, Value::Object(error))
        }
    };
    let job = ran.job.as_ref().map(|job| {
        json!({
            "state": job.view.state.as_str(),
            "steps": job.steps,
            "units": job.units,
            "progress": read(Some(&job.view.progress)),
            "outcome": read(job.view.outcome.as_deref()),
        })
    });
    let value = json!({
        "operation": contract.id, "ok": ok, "answer": answer, "job": job, "points": spent.points, "fuel": spent.fuel,
        "host_calls": spent.host_calls, "requests": spent.requests, "peak_memory": spent.peak_memory,
        "effects": spent.effects, "denied": spent.denied,
    });
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let mut words = format!("{}\n{}\n", if ok { "answer" } else { "refused" }, pretty(&answer));
    if let Some(job) = &job {
        words += &format!("\njob\n{}\n", pretty(job));
    }
    let effects: Vec<String> = spent.effects.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let effects = if effects.is_empty() { "none".to_owned() } else { effects.join(", ") };
    words += &format!("\neffects     {effects}\npoints      {}\n", spent.points);
    words += &format!("fuel        {} of {}\n", spent.fuel, limits.fuel);
    words += &format!("memory      {} KiB of {}\n", spent.peak_memory / 1024, limits.memory / 1024);
    spent.denied.iter().for_each(|denied| words += &format!("denied      {denied}\n"));
    words += &format!("host calls  {}, of them requests to the outside {}", spent.host_calls, spent.requests);
    (value, words)
}

fn read(text: Option<&str>) -> Value {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
}
