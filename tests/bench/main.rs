//! The benchmark: one table in one run, from a bare server to a durable write over MCP.
//!
//! `cargo run --release -p tests --bin bench`; with `-- --scale`, what large websites cost; with `-- --search`, what
//! a search of the catalog costs; with `-- --graphs`, a large link graph. Load and host share the machine, so the
//! figures of one run compare with each other only.

mod graphs;
mod load;
mod scale;
mod search;

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::post;
use espalier::modules::Profile;
use load::{Figures, Maker, load};
use model::audit::Audit;
use model::clock::{Clock, SystemClock};
use model::contract::Kind;
use model::id::{CustomerId, RequestId};
use model::limits::Limits;
use sandbox::{Cancel, Export, Invocation};
use serde_json::{Value, json};
use store::{Changes, Settlement, Workspace};
use tests::host::Host;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Connections that ask at the same time.
const CONNECTIONS: usize = 64;
/// Customers they belong to.
const CUSTOMERS: usize = 16;

/// How long each row is measured; `--short` only shows that everything works.
static SPAN: LazyLock<Duration> = LazyLock::new(|| Duration::from_millis(if given("--short") { 200 } else { 4_000 }));

fn given(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    if given("--graphs") {
        runtime.block_on(graphs::row());
    } else if given("--scale") {
        runtime.block_on(scale::rows(given("--short")));
    } else if given("--search") {
        runtime.block_on(search::rows(given("--short")));
    } else {
        runtime.block_on(rows());
    }
}

async fn rows() {
    println!("{:<58} {:>12} {:>10} {:>10}", "", "a second", "median", "p99");
    let hello = hello().await;
    over("bare axum hello, POST", hello, Arc::new(|_| request("/", "x", "{}", &[]))).await;

    native();
    let host = Host::start_with(|options| options.profile(Profile::fitting())).await;
    let mut people = Vec::with_capacity(CUSTOMERS);
    for _ in 0..CUSTOMERS {
        let customer = host.customer("account:read assets:read assets:write seo:analyze").await;
        for _ in 0..20 {
            host.credit(&customer, 1_000).await;
            host.buy_points(&customer, 1_000).await;
        }
        let made = customer.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
        people.push(Person {
            id: customer.id.clone(),
            token: format!("Bearer {}", customer.token),
            author: made["author_ref"].clone(),
        });
    }
    let people: People = people.into();
    // The guest refuses a number for a reference by itself; for an unknown one it asks the store.
    for (name, arguments) in
        [("fresh instance", r#"{"author_ref":5}"#), ("fresh instance and one store read", r#"{"author_ref":"nobody"}"#)]
    {
        for tasks in [1, 2, CONNECTIONS] {
            sandboxed(&host, &format!("{name}, {tasks} at a time"), tasks, arguments).await;
        }
    }

    let address: SocketAddr =
        host.rest.trim_start_matches("http://").trim_end_matches("/v1").parse().expect("an address");
    settled(&host, &people).await;
    let one = |person: &Person| json!({ "author_ref": person.author });
    let all = |_: &Person| json!({});
    let new = |_: &Person| json!({ "firstname": "Grace", "lastname": "Hopper" });
    let rows: [(&str, Maker); 6] = [
        ("metered read of one record, REST (authors.markup.generate)", rest(&people, "authors.markup.generate", one)),
        ("metered read of three, REST (authors.get)", rest(&people, "authors.get", one)),
        ("metered list, REST (authors.list)", rest(&people, "authors.list", all)),
        ("durable write, REST (authors.create)", rest(&people, "authors.create", new)),
        ("metered read of one record, MCP", mcp(&people, "authors.markup.generate", one)),
        ("durable write, MCP (authors.create)", mcp(&people, "authors.create", new)),
    ];
    for (name, make) in rows {
        over(name, address, make).await;
    }
    host.verify_ledger().await;
}

async fn hello() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().route("/", post(|body: String| async move { body }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn over(name: &str, address: SocketAddr, make: Maker) {
    load(address, CONNECTIONS, *SPAN / 4, make.clone()).await;
    let Figures { rate, median, p99, failed } = load(address, CONNECTIONS, *SPAN, make).await;
    println!(
        "{name:<58} {rate:>12.0} {median:>10.1?} {p99:>10.1?}{}",
        if failed > 0 { format!("  {failed} failed") } else { String::new() }
    );
}

/// The settlement of a read alone: points, ledger and audit line, durable, without HTTP and sandbox.
async fn settled(host: &Host, people: &People) {
    let begun = Instant::now();
    let running: Vec<_> = (0..CONNECTIONS)
        .map(|task| {
            let store = host.service.store().clone();
            let customer = CustomerId::from(people[task % people.len()].id.as_str());
            tokio::spawn(async move {
                let mut times = 0u64;
                while begun.elapsed() < *SPAN {
                    let now = SystemClock.now();
                    let request = RequestId::from(format!("req_bench_{task}_{times}"));
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
                    let settlement = Settlement {
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
                        changes: Changes::default(),
                        answer: None,
                        claim: None,
                        audit,
                    };
                    store.settle(settlement).await.expect("settled");
                    times += 1;
                }
                times
            })
        })
        .collect();
    told("settlement of a read, 64 at a time", running, begun).await;
}

/// The same operation as plain native code against the fake host, on one thread.
fn native() {
    let fake = sdk::Fake::new(authors::module());
    let mut times = 0u32;
    let begun = Instant::now();
    while begun.elapsed() < *SPAN {
        fake.refusal("authors.markup.generate", json!({ "author_ref": "nobody" }));
        times += 1;
    }
    let each = begun.elapsed() / times;
    println!(
        "{:<58} {:>12.0} {each:>10.1?}",
        "operation native, one fake store read, 1 at a time",
        f64::from(times) / begun.elapsed().as_secs_f64()
    );
}

/// An operation in a fresh instance each time, without HTTP and metering.
async fn sandboxed(host: &Host, name: &str, tasks: usize, arguments: &'static str) {
    let begun = Instant::now();
    let running: Vec<_> = (0..tasks)
        .map(|number| {
            let service = host.service.clone();
            tokio::spawn(async move {
                let mut times = 0u64;
                let customer = CustomerId::from(format!("cus_bench_{}", number % 8));
                let module = service.module("authors").expect("the module");
                while begun.elapsed() < *SPAN {
                    let now = SystemClock.now();
                    let run = service
                        .sandbox()
                        .run(Invocation {
                            started_by: None,
                            module: module.clone(),
                            export: Export::Operation("authors.markup.generate".to_owned()),
                            kind: Kind::Read,
                            queued: false,
                            limits: Limits::of(Kind::Read),
                            arguments: arguments.to_owned(),
                            workspace: Workspace::open(service.store(), customer.clone(), module.schema.clone(), now),
                            now,
                            seed: [0; 32],
                            customer: customer.clone(),
                            keys: model::keys::KeyRing::of([0; 32]),
                            sends: None,
                            edges: std::sync::Arc::new(model::edges::Edges {
                                public_url: "http://127.0.0.1".into(),
                                uploads: model::edges::UploadLimits::default(),
                            }),
                            platform: None,
                            secrets: sandbox::Secrets::default(),
                            record: false,
                            cancel: Cancel::default(),
                        })
                        .await;
                    assert!(matches!(run.outcome, Err(sandbox::Stop::Fault(_))), "{:?}", run.outcome);
                    times += 1;
                }
                times
            })
        })
        .collect();
    told(name, running, begun).await;
}

/// Waits for the tasks and prints how often a second they did their work together.
async fn told(name: &str, running: Vec<JoinHandle<u64>>, begun: Instant) {
    let mut times = 0;
    for task in running {
        times += task.await.expect("joined");
    }
    println!("{name:<58} {:>12.0}", times as f64 / begun.elapsed().as_secs_f64());
}

/// A customer who asks, and the author they made.
struct Person {
    id: String,
    token: String,
    author: Value,
}

type People = Arc<[Person]>;

fn rest(people: &People, operation: &'static str, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<String> = people.iter().map(|person| arguments(person).to_string()).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let path = format!("/v1/operations/{operation}");
        let key = format!("bench-{operation}-{number}");
        // A read takes a key too, and would then keep its answer.
        let key = operation.ends_with("create").then_some(("idempotency-key", key.as_str()));
        request(&path, &people[person].token, &bodies[person], key.as_slice())
    })
}

fn mcp(people: &People, operation: &'static str, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<Value> = people.iter().map(arguments).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let mut arguments = json!({ "operation_id": operation, "arguments": bodies[person] });
        if operation.ends_with("create") {
            arguments["idempotency_key"] = format!("bench-mcp-{number}").into();
        }
        let message = json!({
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {
                "name": "service_action_execute",
                "arguments": arguments,
                "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
            }
        });
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "service_action_execute"),
        ];
        request("/mcp", &people[person].token, &message.to_string(), &headers)
    })
}

fn request(path: &str, authorization: &str, body: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!(
        "POST {path} HTTP/1.1\r\nhost: bench\r\nauthorization: {authorization}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    text += body;
    text.into_bytes()
}
