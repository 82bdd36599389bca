//! What an operation takes within the host: native, in a fresh instance, and its settlement, without HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use espalier::modules::Profile;
use model::audit::Audit;
use model::clock::{Clock, SystemClock};
use model::id::{CustomerId, RequestId};
use serde_json::json;
use store::{Changes, Settlement, Workspace};
use tests::customer::Customer;
use tests::host::Host;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::load::Figures;
use crate::table::{Goal, Row, Table};
use crate::twin::invocation;
use crate::{CONNECTIONS, SPAN, given, wanted};

/// Computed from the arguments alone, so that the instance is all that differs.
pub(crate) const PREVIEW: (&str, &str) = (
    "onpage.snippet.preview",
    r#"{"title":"Brass desk lamps, dimmable and made to order","url":"https://shop.example/lamps/desk"}"#,
);
/// A guest asks the store for this one, and finds nobody.
const MARKUP: Asked =
    Asked { operation: "authors.markup.generate", arguments: r#"{"author_ref":"nobody"}"#, refused: true };
const INSTANCE: &str = "the operation in a fresh instance";
const NATIVE: &str = "an operation native";
const WITH_READ: &str = "a fresh instance and one store read";
pub(crate) const ALONE: &str = "settlement of a read, each committed alone";
const TOGETHER: &str = "settlement of a read, committed together";
const WRITE_ALONE: &str = "settlement of a write, each committed alone";
const WRITE_TOGETHER: &str = "settlement of a write, committed together";

/// What rows on PostgreSQL end with.
pub(crate) const ON_POSTGRES: &str = ", PostgreSQL";

/// What is asked of a guest, and whether it refuses.
#[derive(Clone, Copy)]
struct Asked {
    operation: &'static str,
    arguments: &'static str,
    refused: bool,
}

/// A customer with more points than a run can use.
pub(crate) async fn rich(host: &Host, scopes: &str) -> Customer {
    let customer = host.customer(scopes).await;
    for _ in 0..20 {
        host.credit(&customer, 1_000).await;
        host.buy_points(&customer, 1_000).await;
    }
    customer
}

/// Measures all of them.
pub(crate) async fn rows(table: &mut Table) {
    if ![NATIVE, INSTANCE, WITH_READ, ALONE, TOGETHER, WRITE_ALONE, WRITE_TOGETHER].into_iter().any(wanted) {
        return;
    }
    native(table);
    let host = Host::start_with(|options| options.profile(Profile::measured())).await;
    let preview = Asked { operation: PREVIEW.0, arguments: PREVIEW.1, refused: false };
    for (name, operation) in [(INSTANCE, preview), (WITH_READ, MARKUP)].into_iter().filter(|it| wanted(it.0)) {
        for tasks in [1, 2, CONNECTIONS] {
            let times = sandboxed(&host, tasks, operation).await;
            told(table, name, tasks, times);
        }
    }
    settlements(table, &host, "").await;
    let rate = |table: &Table, name: &str, at_once| table.rate(name, at_once);
    let (one, native) = (rate(table, INSTANCE, 1), rate(table, NATIVE, 1));
    table.ratio("an operation natively beside itself in a fresh instance", (native, one), Goal::AtMost(4.0));
    let (two, one) = (rate(table, INSTANCE, 2), rate(table, INSTANCE, 1));
    table.ratio("fresh instances on two cores beside one", (two, one), Goal::AtLeast(1.7));
    together(table, "", 5.0);
    if given("--postgres")
        && let Some(cluster) = postgres_cluster::durable()
    {
        let host = Host::start_with(|options| options.server(&cluster.url)).await;
        settlements(table, &host, ON_POSTGRES).await;
        together(table, ON_POSTGRES, 2.5);
    }
}

/// Settlements one by one and together.
async fn settlements(table: &mut Table, host: &Host, on: &str) {
    let mut people = Vec::new();
    for _ in 0..16 {
        people.push(rich(host, "assets:read").await);
    }
    let kinds =
        [(ALONE, true, false), (TOGETHER, false, false), (WRITE_ALONE, true, true), (WRITE_TOGETHER, false, true)];
    for (name, alone, writes) in kinds.into_iter().filter(|it| wanted(it.0)) {
        let times = settled(host, &people, alone, writes).await;
        told(table, &format!("{name}{on}"), CONNECTIONS, times);
    }
    host.verify_ledger().await;
}

fn together(table: &mut Table, on: &str, goal: f64) {
    let rate = |name: &str| table.rate(&format!("{name}{on}"), CONNECTIONS);
    let ratio = (rate(WRITE_TOGETHER), rate(WRITE_ALONE));
    table.ratio(&format!("durable writes committed together beside one by one{on}"), ratio, Goal::AtLeast(goal));
}

/// What was done how often in how long.
struct Times {
    times: u64,
    spent: Duration,
}

fn told(table: &mut Table, name: &str, at_once: usize, Times { times, spent }: Times) {
    let rate = times as f64 / spent.as_secs_f64();
    let median = Duration::from_secs_f64(at_once as f64 / rate);
    let figures = Figures { rate, median, p99: Duration::ZERO, failed: 0, answered: times };
    table.add(Row { name: name.to_owned(), at_once, figures, cpu_us: None });
}

/// An operation as plain native code, from text to text, on one thread.
fn native(table: &mut Table) {
    let fake = sdk::Fake::new(onpage::module());
    let (mut times, begun) = (0, Instant::now());
    while begun.elapsed() < *SPAN {
        let answer = fake.natively(PREVIEW.0, PREVIEW.1).expect("an answer");
        assert!(!answer.data.is_empty());
        times += 1;
    }
    told(table, NATIVE, 1, Times { times, spent: begun.elapsed() });
}

/// An operation in a fresh instance each time, without HTTP and metering.
async fn sandboxed(host: &Host, tasks: usize, asked: Asked) -> Times {
    let begun = Instant::now();
    let running: Vec<_> = (0..tasks)
        .map(|number| {
            let service = host.service.clone();
            tokio::spawn(async move {
                let mut times = 0u64;
                let customer = format!("cus_bench_{}", number % 8);
                let module = asked.operation.split('.').next().expect("a module");
                while begun.elapsed() < *SPAN {
                    let invocation = invocation(&service, &customer, module, asked.operation, asked.arguments);
                    let run = service.core.sandbox().run(invocation).await;
                    let as_asked = match &run.outcome {
                        Ok(_) => !asked.refused,
                        Err(stop) => asked.refused && matches!(stop, sandbox::Stop::Fault(_)),
                    };
                    assert!(as_asked, "{:?}", run.outcome);
                    times += 1;
                }
                times
            })
        })
        .collect();
    joined(running, begun).await
}

/// What the tasks did together.
async fn joined(running: Vec<JoinHandle<u64>>, begun: Instant) -> Times {
    let mut times = 0;
    for task in running {
        times += task.await.expect("joined");
    }
    Times { times, spent: begun.elapsed() }
}

/// Settlements alone: points, ledger and audit line, for a write a row as well, durable, without HTTP and sandbox. With
/// `alone` nothing waits beside another, so that each is a commit of its own.
async fn settled(host: &Host, people: &[Customer], alone: bool, writes: bool) -> Times {
    let turn = Arc::new(Mutex::new(()));
    let begun = Instant::now();
    let running: Vec<_> = (0..CONNECTIONS)
        .map(|task| {
            let service = host.service.clone();
            let customer = CustomerId::from(people[task % people.len()].id.as_str());
            let turn = turn.clone();
            tokio::spawn(async move {
                let module = service.core.module("authors").expect("the module");
                let mut times = 0u64;
                while begun.elapsed() < *SPAN {
                    let _turn = if alone { Some(turn.lock().await) } else { None };
                    let now = SystemClock.now();
                    let mut changes = Changes::default();
                    if writes {
                        let mut workspace =
                            Workspace::open(service.core.store(), customer.clone(), module.schema.clone(), now);
                        let row = json!({ "firstname": "Grace", "lastname": "Hopper", "created_ms": now.0 });
                        workspace.insert("authors", None, row.to_string()).await.expect("a row");
                        changes = workspace.into_changes();
                    }
                    let request = RequestId::from(format!("req_bench_{alone}_{writes}_{task}_{times}"));
                    let settlement = settlement(&customer, request, now, changes);
                    service.core.store().calls.settle(settlement).await.expect("settled");
                    times += 1;
                }
                times
            })
        })
        .collect();
    joined(running, begun).await
}

pub(crate) fn settlement(
    customer: &CustomerId,
    request: RequestId,
    now: model::clock::Moment,
    changes: Changes,
) -> Settlement {
    let audit = Audit {
        at: now,
        customer: customer.clone(),
        detail: json!({ "fuel": 120_000, "host_calls": 1 }),
        event: "operation.executed".to_owned(),
        grant: None,
        outcome: "ok".to_owned(),
        points: 1,
        request: Some(request.clone()),
        subject: "authors.get".to_owned(),
    };
    Settlement {
        customer: customer.clone(),
        grant: None,
        request,
        operation: "authors.get".to_owned(),
        site: None,
        now,
        api_version: "2026-09-28".into(),
        points: 1,
        hold: None,
        hold_for_job: None,
        changes,
        answer: None,
        claim: None,
        audit,
    }
}
